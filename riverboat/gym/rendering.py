"""A round as a few lines of text, as one seat sees it: for `render_mode="ansi"`."""

from collections.abc import Iterator, Sequence

from riverboat.core.cards import Card, show_card, show_cards
from riverboat.core.money import format_cents, format_signed
from riverboat.round import Round
from riverboat.round.streets import stage_of

HIDDEN = "??"


def render_round(state: Round, seat: int, choices: Sequence[str]) -> str:
    """The seat's cards, what lies open, its wagers, and what it may do or what came of it."""
    return "\n".join(f"{label:<12}{text}" for label, text in _lines(state, seat, choices))


def _lines(state: Round, number: int, choices: Sequence[str]) -> Iterator[tuple[str, str]]:
    seat = state.seats[number]
    yield f"Seat {number}", show_cards(seat.cards)
    if state.community:
        yield "Community", _face_up(state.community, state.turned)
    if state.box:
        yield "Box", _face_up(state.box, len(state.box) if state.box_turned else 0)
    if state.dealer:
        shown = len(state.dealer) if state.dealer_turned else state.up_cards
        yield "Dealer", _face_up(state.dealer, shown)
    if state.phase == "over":
        results = (f"{_say(spot)} {format_signed(cents)}" for spot, cents in seat.results.items())
        yield "Result", f"{format_signed(seat.net_cents)}: {', '.join(results)}"
        return
    yield "Wagers", ", ".join(f"{_say(s)} {format_cents(c)}" for s, c in seat.wagers.items())
    yield stage_of(state).label, ", ".join(choices)


def _face_up(cards: Sequence[Card], count: int) -> str:
    return " ".join([*map(show_card, cards[:count]), *[HIDDEN] * (len(cards) - count)])


def _say(spot: str) -> str:
    return spot.replace("_", " ")
