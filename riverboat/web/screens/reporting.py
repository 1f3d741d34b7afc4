"""What the house's people report, enter or put right at a table now: incidents, what stops the
table and, where the cards are real, each card that comes and the players' chips."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from riverboat.controller import actions as p
from riverboat.core.money import Cents
from riverboat.round import actions as g
from riverboat.round.incidents import CONDUCT, PLACES, counts_now, rule_for
from riverboat.round.legal import WholeBet, betting_areas, least_of, whole_bets
from riverboat.round.settlement.payment import dealt_cards
from riverboat.round.state import Round
from riverboat.round.streets import card_counts, seat_to_act, stage_of
from riverboat.round.table_talk import sentence
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.procedures.rounds import dealt_so_far, delivery_places, is_dealt
from riverboat.web.demo.roles import is_shown
from riverboat.web.screens.offered import Asking, tag_of
from riverboat.wording.incident_words import TROUBLE, incident_name, what_follows, where_words

_OF_A_SEAT: Final = (*CONDUCT, "exposed_player_card", "late_progressive_chip")
_OF_A_PLACE: Final = ("exposed_community_card", "wrong_card_count")


def lying(day: Day) -> dict[str, int]:
    """How many cards each place has: of a deal that is under way, those that were told."""
    if not day.in_round:
        return {}
    if is_dealt(day):
        return {place: len(cards) for place, cards in dealt_cards(day.playing).items()}
    return dict(Counter(delivery_places(day)[: len(day.reported)])) if day.reported else {}


# ---------------------------------------------------------------- incidents


class At(Struct, frozen=True):
    """Where something went wrong: at a seat, in a place, or neither."""

    seat: int = 0
    place: str = ""


class Reportable(Struct, frozen=True, kw_only=True):
    """An irregularity that would be taken a report of: where, and what follows there; each of them
    in words too."""

    what: str
    title: str
    at: list[At]
    where: list[str]
    follows: str
    then: str
    cites: tuple[str, ...]


def incidents(ask: Asking) -> Iterator[Reportable]:
    """What would be taken a report of now, with the seats and places where the same follows; not
    what is only noted and nothing follows from."""
    whats = ask.values(g.Incident, "what")
    if not whats:
        return
    state, cards = dealt_so_far(ask.day), lying(ask.day)
    for what in dict.fromkeys(whats):
        alike: dict[tuple[str, tuple[str, ...]], list[At]] = {}
        for at in _where(state, what, cards):
            told = _report(what, at)
            if counts_now(state, told) and ask.is_taken(told):
                alike.setdefault(_follows(state, what, at), []).append(at)
        for (follows, cites), found in alike.items():
            yield Reportable(
                what=what,
                title=_title(what, {at.place for at in found}),
                at=found,
                where=[sentence(where_words(at.seat, at.place)) for at in found],
                follows=follows,
                then=what_follows(follows),
                cites=cites,
            )


def _title(what: str, places: set[str]) -> str:
    """Where something else follows in one place than elsewhere, that place is in the title."""
    (only,) = places if len(places) == 1 else ("",)
    name = incident_name(what, only)
    box = only == "six_card_box" and what != "exposed_community_card"
    return sentence(f"{where_words(0, only)}: {name}" if box else name)


def _where(state: Round, what: str, cards: dict[str, int]) -> Iterator[At]:
    """Where it may have happened: no card is exposed where none lies."""
    if what in _OF_A_SEAT or what == "wrong_card_count":
        needs_cards = what in ("exposed_player_card", "wrong_card_count")
        for seat in sorted(state.seats):
            if str(seat) in cards or not needs_cards:
                yield At(seat=seat)
    if what in _OF_A_PLACE:
        for place in PLACES[1:]:
            if place.removeprefix("six_card_") in cards:
                yield At(place=place)
    if what not in (*_OF_A_SEAT, *_OF_A_PLACE):
        yield At()


def _report(what: str, at: At) -> g.Incident:
    return g.Incident(what=what, seat=at.seat, place=at.place)


def _follows(state: Round, what: str, at: At) -> tuple[str, tuple[str, ...]]:
    """What the rulebook makes of it; the option's word where it leaves that to an option."""
    rule = rule_for(state, _report(what, at))
    if rule is None:
        return "none", ()
    chosen = state.setup.named(rule.option) if rule.option else ""
    decides = chosen == "floor_decides" or rule.consequence == "by_option"
    return chosen if decides else rule.consequence, rule.cites


# ---------------------------------------------------------------- what stops a table


class Trouble(Struct, frozen=True, kw_only=True):
    """Something that stops a table: the action, with the deck and the reason that it wants."""

    do: str
    words: str
    deck: str | UnsetType = UNSET
    reason: bool | UnsetType = UNSET


def trouble(ask: Asking) -> list[Trouble]:
    """What stops a table, whether a round is played or not: first the table, then deck by deck."""
    day = ask.day
    if day.configuration is None or day.phase == "closed":
        return []
    found: list[Trouble] = []
    for kind, words in TROUBLE.items():
        for offer in ask.of(kind):
            (deck,) = getattr(offer.arguments.get("deck"), "values", ("",))
            one = Trouble(
                do=tag_of(offer),
                words=words.format(deck=deck),
                deck=deck or UNSET,
                reason="reason" in offer.arguments or UNSET,
            )
            found.append(one)
    names = ["", *day.decks]
    return sorted(found, key=lambda one: names.index(one.deck or ""))


# ---------------------------------------------------------------- what the floor puts right


class Mending(Struct, frozen=True, kw_only=True):
    """Seats whose payouts can be put right, places whose cards can, seats whose claims can."""

    payouts: list[int] = []
    cards: dict[str, int] = {}
    unlit: list[int] = []


def mending(ask: Asking) -> Mending:
    """Payouts, cards and claims that the floor can still put right; nothing once a day is over."""
    if ask.by.role == "dealer":
        return Mending()
    return Mending(
        payouts=list(dict.fromkeys(ask.values(g.Correct, "seat"))),
        cards=_places(ask.day) if any(ask.of(g.CorrectCard)) else {},
        unlit=ask.values(p.OverrideUnlit, "seat"),
    )


def _places(day: Day) -> dict[str, int]:
    """Every place of a deal, once a card of it lies: what is typed for one outlives the next."""
    return card_counts(day.setup, sorted(day.playing.seats))


# ---------------------------------------------------------------- real cards and chips


class LastCard(Struct, frozen=True, kw_only=True):
    """The card that was told last: its place, and which card of that place it is."""

    place: str
    number: int


class CardReports(Struct, frozen=True, kw_only=True):
    """Where the next card goes, how many were told of how many, and whether the last one can be
    put right."""

    place: str | None
    done: int
    of: int
    last: LastCard | None
    mends: bool


class LaidChips(Struct, frozen=True, kw_only=True):
    """Chips that were entered for a seat and can be taken off again."""

    seat: int
    spot: str
    cents: Cents


class EntersBets(Struct, frozen=True, kw_only=True, tag_field="phase", tag="betting"):
    """Whose chips the dealer enters, on what, and what was entered."""

    seats: list[int]
    spots: list[str]
    ante_cents: Cents
    laid: list[LaidChips]


class EntersDecision(Struct, frozen=True, kw_only=True, tag_field="phase", tag="deciding"):
    """Whose decision the dealer enters."""

    seat: int
    spot: str
    bets: tuple[WholeBet, ...]


Enters: TypeAlias = EntersBets | EntersDecision


def plays_by_itself(day: Day, seat: int) -> bool:
    """Whether a program sits there, which needs nobody to enter its bets."""
    return is_shown(day) and seat in day.programs


def reports(ask: Asking) -> CardReports | None:
    """Where the next physical card goes; which have gone there is nobody else's to see."""
    day = ask.day
    if not any(ask.of(a.ReportCard)):
        return None
    places = delivery_places(day)
    done = len(day.reported)
    last = _last_reported(places[:done])
    return CardReports(
        place=places[done] if done < len(places) else None,
        done=done,
        of=len(places),
        last=last,
        mends=last is None or any(ask.of(g.CorrectCard)),
    )


def _last_reported(places: list[str]) -> LastCard | None:
    """Which card was told last, so that a wrong tap can be put right at once."""
    if not places:
        return None
    return LastCard(place=places[-1], number=places.count(places[-1]))


def enters(ask: Asking) -> Enters | None:
    """What the dealer enters for the players: chips on the felt, decisions."""
    state = ask.day.playing
    if ask.by.role != "dealer":
        return None
    if state.phase == "betting":
        return _betting(ask)
    seat, bets = seat_to_act(state), whole_bets(state, ask.offers)
    if seat is None or not bets or plays_by_itself(ask.day, seat):
        return None
    return EntersDecision(seat=seat, spot=stage_of(state).spot, bets=bets)


def _betting(ask: Asking) -> EntersBets | None:
    """Who may have chips on what, and the chips that were entered and can be taken off again."""
    day = ask.day
    seats = [seat for seat in sorted(day.seated) if not plays_by_itself(day, seat)]
    if not seats:
        return None
    areas = betting_areas(day.setup)
    return EntersBets(
        seats=seats,
        spots=list(areas),
        ante_cents=least_of(areas["ante"]),
        laid=[one for seat in seats for one in _laid(ask, seat)],
    )


def _laid(ask: Asking, seat: int) -> list[LaidChips]:
    """What was entered for a seat and can still be taken off again."""
    state = ask.day.playing
    wagers = state.seats[seat].wagers if seat in state.seats else {}
    return [
        LaidChips(seat=seat, spot=spot, cents=cents)
        for spot, cents in wagers.items()
        if ask.is_taken(g.TakeBack(seat=seat, spot=spot))
    ]
