"""The cents of a table with a controller: every event's postings, in sum nothing.

They are the round's own. Only what rounding left of an award that two people decided on is known to
nobody but the controller: the round has the payment as a correction.
"""

from collections.abc import Iterator

from riverboat import events as r
from riverboat.games.postings import BREAKAGE, postings
from riverboat.games.round import Round
from riverboat.meter.accounts import Posting
from riverboat.progressive import events as e
from riverboat.progressive.controller import Controller


def table_postings(
    event: r.AnyEvent | e.AnyControllerEvent, controller: Controller, before: Round
) -> tuple[Posting, ...]:
    """What an event did to the table's accounts, given controller and round as they were."""
    if isinstance(event, e.ControllerEvent):
        return tuple(posting for posting in _decided(event, controller) if posting.amount)
    return postings(event, before)


def _decided(event: e.AnyControllerEvent, controller: Controller) -> Iterator[Posting]:
    win = controller.wins.get(event.award) if isinstance(event, _OF_AWARDS) else None
    if win is None or not win.logged.percent or win.logged.seat not in controller.allowed_unlit:
        return
    if isinstance(event, e.AwardGiven) or win.paid:
        sign = 1 if isinstance(event, e.AwardGiven) else -1
        broken = sign * (win.logged.cents - win.logged.paid_cents)
        yield Posting(win.logged.source, "cent", -broken)
        yield Posting(BREAKAGE, "cent", broken)


_OF_AWARDS = (e.AwardGiven, e.AwardTakenBack)
