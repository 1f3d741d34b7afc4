"""What can be reported, ordered or put right at a table now: asked of the table itself.

Whatever is offered was tried first, without a trace, by the same rules that will judge it, and as
the same person: a button that would be refused is no button.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from riverboat.errors import NotationError, Refused
from riverboat.floor.floor import Floor
from riverboat.floor.station import AnyAsked, Station, decide
from riverboat.games import actions as g
from riverboat.games.amending import dealt_cards
from riverboat.games.dealing import card_counts
from riverboat.games.incidents import CONDUCT, KNOWN, PLACES, counts_now, rule_for
from riverboat.games.round import Round
from riverboat.meter.link import Link
from riverboat.progressive import actions as p
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.table.rounds import dealt_so_far, delivery_places, is_dealt
from riverboat.web.standing_in import signs_for

Json = dict[str, Any]
_OF_A_SEAT: Final = (*CONDUCT, "exposed_player_card", "late_progressive_chip")
_OF_A_PLACE: Final = ("exposed_community_card", "wrong_card_count")
_SOME_REASON: Final = "?"
_SOMEBODY_ELSE: Final = Actor(name="?", role="supervisor")


class Asking(NamedTuple):
    """A table as it stands, and who asks."""

    station: Station
    link: Link | None
    by: Actor

    @property
    def day(self) -> Day:
        """The table's day."""
        return self.station.day

    def is_taken(self, action: AnyAsked) -> bool:
        """Whether the table would do it for them now."""
        try:
            decide(self.station, self.link, signs_for(self.by, self.day, action), action)
        except (Refused, NotationError):
            return False
        return True


def asking(floor: Floor, station: Station, by: Actor) -> Asking:
    """Somebody of the house at a table."""
    return Asking(station, floor.link(station.link) if station.link else None, by)


def lying(day: Day) -> dict[str, int]:
    """How many cards each place has: of a deal that is under way, those that were told."""
    if not day.in_round:
        return {}
    if is_dealt(day):
        return {place: len(cards) for place, cards in dealt_cards(day.playing).items()}
    return dict(Counter(delivery_places(day)[: len(day.reported)])) if day.reported else {}


# ---------------------------------------------------------------- incidents


class _At(NamedTuple):
    """Where something went wrong: at a seat, in a place, or neither."""

    seat: int = 0
    place: str = ""


def incidents(ask: Asking) -> Iterator[Json]:
    """What would be taken a report of now, with the seats and places where the same follows."""
    if not ask.day.in_round or ask.day.interrupted:
        return
    state, cards = dealt_so_far(ask.day), lying(ask.day)
    for what in KNOWN:
        alike: dict[tuple[str, tuple[str, ...]], list[_At]] = {}
        for at in _where(state, what, cards):
            if _counts(ask, state, what, at):
                alike.setdefault(_follows(state, what, at), []).append(at)
        for (follows, cites), found in alike.items():
            yield {
                "what": what,
                "at": [at._asdict() for at in found],
                "follows": follows,
                "cites": list(cites),
            }


def _counts(ask: Asking, state: Round, what: str, at: "_At") -> bool:
    """Whether something could follow from it now, and the table would take the report."""
    report = _report(what, at)
    return counts_now(state, report) and ask.is_taken(report)


def _where(state: Round, what: str, cards: dict[str, int]) -> Iterator[_At]:
    """Where it may have happened: no card is exposed where none lies."""
    if what in _OF_A_SEAT or what == "wrong_card_count":
        needs_cards = what in ("exposed_player_card", "wrong_card_count")
        for seat in sorted(state.seats):
            if str(seat) in cards or not needs_cards:
                yield _At(seat=seat)
    if what in _OF_A_PLACE:
        for place in PLACES[1:]:
            if place.removeprefix("six_card_") in cards:
                yield _At(place=place)
    if what not in (*_OF_A_SEAT, *_OF_A_PLACE):
        yield _At()


def _report(what: str, at: _At) -> g.Incident:
    return g.Incident(what=what, seat=at.seat, place=at.place)


def _follows(state: Round, what: str, at: _At) -> tuple[str, tuple[str, ...]]:
    """What the rulebook makes of it; the option's word where it leaves that to an option."""
    rule = rule_for(state, _report(what, at))
    if rule is None:
        return "none", ()
    chosen = state.setup.choice(rule.option) if rule.option else ""
    decides = chosen == "floor_decides" or rule.consequence == "by_option"
    return chosen if decides else rule.consequence, rule.cites


# ---------------------------------------------------------------- what stops a table


def trouble(ask: Asking) -> Iterator[Json]:
    """What stops a table, whether a round is played or not."""
    day = ask.day
    if day.configuration is None or day.phase == "closed":
        return
    if ask.is_taken(a.Interrupt(reason=_SOME_REASON)):
        yield {"do": "interrupt", "words": "Interrupt play", "reason": True}
    if ask.is_taken(a.FailDevice(reason=_SOME_REASON)):
        yield {"do": "fail_device", "words": "Shuffler or shoe is out of use", "reason": True}
    for name in day.decks:
        if ask.is_taken(a.JamShuffler(deck=name)):
            yield {"do": "jam_shuffler", "deck": name, "words": f"{name} deck jams"}
        if ask.is_taken(a.OrderShuffle(deck=name, reason=_SOME_REASON)):
            words = f"Shuffle the {name} deck again"
            yield {"do": "order_shuffle", "deck": name, "words": words, "reason": True}
        if ask.is_taken(a.RemoveDeck(deck=name, reason=_SOME_REASON)):
            words = f"Change the {name} deck"
            yield {"do": "remove_deck", "deck": name, "words": words, "reason": True}


# ---------------------------------------------------------------- what the floor puts right


def mending(ask: Asking) -> Json:
    """Payouts, cards and claims that the floor can still put right; nothing once a day is over."""
    day = ask.day
    state, physical = day.round, day.configuration is not None and day.configuration.physical
    if state is None or ask.by.role == "dealer":
        return {"payouts": [], "cards": {}, "unlit": []}
    seats = sorted(state.seats)
    return {
        "payouts": [seat for seat in seats if ask.is_taken(_correct(seat))],
        "cards": _places(day) if physical and not day.interrupted else {},
        "unlit": [seat for seat in seats if ask.station.link and ask.is_taken(_allow(seat))],
    }


def _places(day: Day) -> dict[str, int]:
    """Every place of a deal, once a card of it lies: what is typed for one outlives the next."""
    return card_counts(day.setup, sorted(day.playing.seats)) if lying(day) else {}


def _correct(seat: int) -> g.Correct:
    return g.Correct(seat=seat, spot="ante", cents=1, reason=_SOME_REASON)


def _allow(seat: int) -> p.OverrideUnlit:
    return p.OverrideUnlit(seat=seat, reason=_SOME_REASON, second=_SOMEBODY_ELSE)
