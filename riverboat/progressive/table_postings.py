"""The cents of a table with a controller: every event's postings, in sum nothing.

Meter units are posted by the link, which knows them. An award's cents are posted from the
controller's record, because on a shared meter the round alone cannot know its amount.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from riverboat import events as r
from riverboat.games.postings import BREAKAGE, player, postings
from riverboat.games.round import Round
from riverboat.meter.accounts import Posting
from riverboat.progressive import events as e
from riverboat.progressive.controller import Controller

_OF_THE_METER = (r.MeterAwarded, r.AwardBackedOut, r.MeterContributed, r.ContributionReversed)
POSTED_OTHERWISE = (*_OF_THE_METER, r.RoundVoided)
"""The round's events whose cents a table with a controller posts in another way than the round."""


def table_postings(
    event: r.AnyEvent | e.AnyControllerEvent, controller: Controller, before: Round
) -> tuple[Posting, ...]:
    """What an event did to the table's accounts, given controller and round as they were."""
    if isinstance(event, e.ControllerEvent):
        return tuple(posting for posting in _award(event, controller) if posting.amount)
    if isinstance(event, _OF_THE_METER):
        return ()
    if isinstance(event, r.RoundVoided):
        own = tuple(ev for ev in before.history if not isinstance(ev, r.MeterAwarded))
        return postings(event, replace(before, history=own))
    return postings(event, before)


def _award(event: e.AnyControllerEvent, controller: Controller) -> Iterator[Posting]:
    match event:
        case e.AwardGiven():
            yield from _paid(controller, controller.wins[event.award].logged, 1)
        case e.AwardTakenBack() if event.award in controller.wins:
            win = controller.wins[event.award]
            if win.paid:
                yield from _paid(controller, win.logged, -1)


def _paid(controller: Controller, logged: e.WinLogged, sign: int) -> Iterator[Posting]:
    """A share of the meter goes to its player, and what rounding left to breakage. Of a payment by
    decision only that is left: the round's own entry paid the player."""
    if not logged.percent:
        return
    decided = logged.seat in controller.allowed_unlit
    paid, broken = 0 if decided else logged.paid_cents, logged.cents - logged.paid_cents
    yield Posting(logged.source, "cent", -sign * (paid + broken))
    yield Posting(player(logged.seat), "cent", sign * paid)
    yield Posting(BREAKAGE, "cent", sign * broken)
