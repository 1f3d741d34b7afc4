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
from riverboat.games.incidents import CONDUCT, IRREGULARITIES, KNOWN, PLACES, rule_for
from riverboat.games.round import Round
from riverboat.progressive import actions as p
from riverboat.progressive.link import Link
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.table.rounds import delivery_places, is_dealt
from riverboat.web.standing_in import signs_for

Json = dict[str, Any]
_OF_A_SEAT: Final = (*CONDUCT, "exposed_player_card", "late_progressive_chip")
_OF_A_PLACE: Final = ("exposed_community_card", "wrong_card_count")
_OF_CARDS: Final = (
    "exposed_player_card",
    "shares_hand",
    "touches_cards",
    "cards_out_of_view",
    *_OF_A_PLACE,
)
_OF_THE_DEAL: Final = ("face_up_cards", "card_drawn_in_error", "shoe_jam", "deck_count")
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
    """What would be taken a report of now, each with the seats and places it may be of."""
    if not ask.day.in_round or ask.day.interrupted:
        return
    state, cards = ask.day.playing, lying(ask.day)
    for what in KNOWN:
        if not _can_have_happened(ask.day, what):
            continue
        found = [at for at in _where(state, what, cards) if ask.is_taken(_report(what, at))]
        if found:
            follows, cites = _follows(state, what, found[0])
            yield {
                "what": what,
                "at": [at._asdict() for at in found],
                "follows": follows,
                "cites": list(cites),
            }


def _can_have_happened(day: Day, what: str) -> bool:
    """Nothing of the deal before it begins; before the bets are closed no chip is late."""
    if what in _OF_THE_DEAL:
        return day.playing.phase == "ready" or is_dealt(day)
    if what == "late_progressive_chip":
        return day.setup.progressive is not None and day.playing.phase != "betting"
    return True


def _where(state: Round, what: str, cards: dict[str, int]) -> Iterator[_At]:
    """Where it may have happened: no card is exposed where none lies."""
    if what in _OF_A_SEAT or what == "wrong_card_count":
        needs_cards = what in _OF_CARDS
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
    book = state.setup.book
    if what in IRREGULARITIES:
        rule = rule_for(state, _report(what, at))
        if rule is None:
            return "none", ()
        chosen = str(state.setup.choice(rule.option)) if rule.option else ""
        decides = chosen == "floor_decides" or rule.consequence == "by_option"
        return chosen if decides else rule.consequence, rule.cites
    if what in CONDUCT:
        for one in book.conduct:
            if one.rule == CONDUCT[what]:
                chosen = str(state.setup.choice(one.option)) if one.option else ""
                said = chosen if one.consequence == "by_option" else one.consequence
                return said, one.cites
    if book.progressive is not None and what == "late_progressive_chip":
        return book.progressive.sensor.late_chip, book.progressive.sensor.cites
    if book.progressive is not None and what == "progressive_chip_mismatch":
        return str(state.setup.choice("chip_mismatch")), book.progressive.collection.cites
    return "none", ()


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
