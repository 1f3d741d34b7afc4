"""What one seat, the dealer or the rail may know of a round: hidden unless shown.

Chips, lights and the sign of the table's own meter lie open to everybody. A card is known to the
seat that holds it, and to everybody once it is turned. The dealer sees what the rail sees.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.core.cards import Card, show_card
from riverboat.core.money import Cents
from riverboat.core.records import alike
from riverboat.round.settlement.dues import dues
from riverboat.round.settlement.payment import key
from riverboat.round.state import Phase, Round, Seat, Status
from riverboat.round.streets import seat_to_act, stage_of

Viewer: TypeAlias = int | Literal["dealer"] | None


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat in a round: its chips, what they came to so far, its cards; one that is hidden is
    None."""

    player: str
    status: Status
    wagers_cents: dict[str, Cents]
    progressive_lit: bool
    cards: tuple[str | None, ...]
    cards_kept: bool
    net_cents: Cents
    results_cents: dict[str, Cents]


class RoundView(Struct, frozen=True, kw_only=True):
    """A round as somebody sees it; a card that is hidden is None."""

    rulebook: str
    viewer: int | Literal["dealer", "rail"]
    phase: Phase
    turn: int | None
    decision: str | None
    meter_cents: Cents | None
    tip_box_cents: Cents
    community: tuple[str | None, ...]
    box: tuple[str | None, ...]
    dealer: tuple[str | None, ...]
    burned: int
    seats: dict[int, SeatView]
    blocked: bool
    suspended: bool
    deck_removed: bool


def view(state: Round, seat: Viewer) -> RoundView:
    """A round as a seat, the dealer or (None) the rail sees it."""
    turn = seat_to_act(state)
    shown = shown_hands(state)
    return alike(
        RoundView,
        state,
        rulebook=state.setup.book.id,
        viewer="rail" if seat is None else seat,
        turn=turn,
        decision=None if turn is None else stage_of(state).spot,
        meter_cents=None if state.link.status == "not_open" else state.meter.cents,
        community=_cards(state.community, state.turned),
        box=_cards(state.box, len(state.box) if state.box_turned else 0),
        dealer=_cards(state.dealer, len(state.dealer) if state.dealer_turned else state.up_cards),
        seats={
            number: _seat_view(one, number == seat or number in shown)
            for number, one in sorted(state.seats.items())
        },
    )


def _cards(cards: Sequence[Card], open_cards: int) -> tuple[str | None, ...]:
    return tuple(show_card(one) if at < open_cards else None for at, one in enumerate(cards))


def _seat_view(seat: Seat, is_open: bool) -> SeatView:
    return alike(
        SeatView,
        seat,
        wagers_cents=dict(seat.wagers),
        progressive_lit=seat.lit,
        cards=_cards(seat.cards, len(seat.cards) if is_open else 0),
        results_cents=dict(seat.results),
    )


def shown_hands(state: Round) -> frozenset[int]:
    """The seats whose cards everybody has seen.

    A hand is turned over when the first wager that it decides comes up for settlement: not before,
    and never where nothing depends on it (a fold, or one kept for the community cards alone).
    """
    if state.at_settlement is None:
        return frozenset()
    return frozenset(_turned_over(state, state.at_settlement))


def _turned_over(state: Round, at_settlement: Round) -> Iterator[int]:
    offers = state.setup.book.side_bets
    by_community = {offer.bet for offer in offers if "seat" not in offer.decided_by.places}
    done = set(state.settled)
    reached = True
    # What was settled was seen, though a card that is put right may leave nothing owed for it.
    for seat, spot, for_seat in state.settled:
        if spot.removeprefix("tip_") not in by_community:
            yield for_seat or seat
    for due in dues(at_settlement):
        settled = key(due) in done
        if reached and due.spot.removeprefix("tip_") not in by_community:
            yield due.for_seat or due.seat
        # What a seat was owed before it forfeited is not waited for.
        reached = reached and (settled or state.seats[due.seat].status == "forfeit")
