"""A table with real cards: the dealer tells each card that comes, and enters the players' chips."""

from typing import TypeAlias

from msgspec import Struct

from riverboat.core.money import Cents
from riverboat.round import actions as g
from riverboat.round.legal import WholeBet, betting_areas, least_of, whole_bets
from riverboat.round.streets import seat_to_act, stage_of
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.procedures.rounds import delivery_places
from riverboat.web.demo.takeover import is_shown
from riverboat.web.screens.offered import Asking


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
