"""A void round: every wager goes back, whatever was already taken or paid, by further entries."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from riverboat.core.money import Cents, format_cents
from riverboat.core.records import alike
from riverboat.meter.events import ContributionReversed
from riverboat.meter.operations import VoidRound, void_round
from riverboat.round import events as e
from riverboat.round.settlement.dues import dues
from riverboat.round.settlement.own_meter import ROUND, TABLE, in_the_round
from riverboat.round.state import Round, accepted_wagers
from riverboat.round.table_talk import label_of
from riverboat.rulebook import Rulebook

Undoing: TypeAlias = e.WagerReturned | e.PayoutReversed | e.AwardBackedOut


def cards_seen(state: Round) -> bool:
    """Whether somebody may know how the round would end: a hand has a card."""
    return any(seat.cards for seat in state.seats.values())


def void(state: Round, reason: str, signed_by: tuple[str, ...] = ()) -> Iterator[e.AnyEvent]:
    """Give everything back; with `settled_seats_stand`, only to seats not settled yet."""
    yield e.RoundVoided(reason=reason, signed_by=signed_by)
    untouched = standing_seats(state)
    reversals = _given_back(state, untouched)
    yield from reversals
    yield from _from_own_meter(state, reason, reversals, untouched)


def void_bet(state: Round, spot: str) -> Iterator[e.AnyEvent]:
    """Give back one bet of every seat, and take back what it was paid already; with
    `settled_seats_stand`, only of seats not settled yet."""
    for undoing in _given_back(state, standing_seats(state)):
        if not isinstance(undoing, e.AwardBackedOut) and undoing.spot == spot:
            yield undoing


def _given_back(state: Round, untouched: frozenset[int]) -> list[Undoing]:
    """Every wager that lies on a spot, and what undoes the round so far; not of these seats."""
    lying = [
        e.WagerReturned(seat=number, spot=spot, cents=cents, source="spot")
        for number, seat in sorted(state.seats.items())
        for spot, cents in seat.wagers.items()
    ]
    return [undoing for undoing in (*lying, *_reversals(state)) if undoing.seat not in untouched]


def standing_seats(state: Round) -> frozenset[int]:
    """Seats that a void leaves as they are: with `settled_seats_stand`, those that owe and are owed
    nothing any more."""
    stand = state.setup.choice("void_after_payment") == "settled_seats_stand"
    if state.at_settlement is None or not stand:
        return frozenset()
    owed = {(due.seat, due.spot, due.for_seat) for due in dues(state.at_settlement)}
    waiting = {seat for seat, _, _ in owed.difference(state.settled)}
    return frozenset({seat for seat, _, _ in state.settled} - waiting)


def _reversals(state: Round) -> Iterator[Undoing]:
    """What undoes the round so far; what was undone before, with one of its bets, is not again."""
    undone = Counter(event for event in state.history if isinstance(event, Undoing))
    for event in state.history:
        for reversal in _reversal(event):
            if undone[reversal]:
                undone[reversal] -= 1
            else:
                yield reversal


def _reversal(event: e.AnyEvent) -> Iterator[Undoing]:
    """What undoes one event of the round."""
    match event:
        case e.ProgressiveCollected():
            yield from (_from_tray(seat, "progressive", event.cents_each) for seat in event.seats)
        case e.FoldCollected() | e.SeatForfeited():
            yield from (_from_tray(event.seat, spot, cents) for spot, cents in event.spots)
        case e.SideBetLost() if event.cents:
            yield _from_tray(event.seat, event.spot, event.cents)
        case e.SpotSettled():
            yield from _settled_reversal(event)
        case e.DealerErred(error="wrong_spot"):
            yield _taken_back(event.seat, event.spot, event.given_cents)
        case e.PayoutCorrected():
            yield _taken_back(event.seat, event.spot, event.cents, event.source)
        case e.EnvyPaid():
            yield _taken_back(event.seat, "envy", event.cents)
        case e.MeterAwarded():
            yield alike(e.AwardBackedOut, event)


def _from_tray(seat: int, spot: str, cents: Cents) -> e.WagerReturned:
    return e.WagerReturned(seat=seat, spot=spot, cents=cents, source="tray")


def _taken_back(
    seat: int, spot: str, cents: Cents, source: Literal["tray", "cage", "tip_box"] = "tray"
) -> e.PayoutReversed:
    return e.PayoutReversed(seat=seat, spot=spot, cents=cents, source=source)


def _settled_reversal(event: e.SpotSettled) -> Iterator[Undoing]:
    kept = event.outcome == "lose" or not event.stake_returned
    seat, spot, stake = event.seat, event.spot, event.stake_cents
    if event.to == "tip_box":
        yield _taken_back(seat, spot, event.paid_cents + (0 if kept else stake), "tip_box")
        yield _from_tray(seat, spot, stake)
        return
    if event.paid_cents:
        yield _taken_back(seat, spot, event.paid_cents, event.source)
    if kept and stake:
        yield _from_tray(seat, spot, stake)


def _from_own_meter(
    state: Round, reason: str, reversals: Sequence[Undoing], untouched: frozenset[int]
) -> Iterator[e.AnyEvent]:
    """What the table's own meter gives back of the void seats' contributions; a link says itself
    what it gives back."""
    accepted = accepted_wagers(state)
    round = VoidRound(
        table=TABLE,
        number=ROUND,
        giving_back={undone.seat for undone in reversals if isinstance(undone, e.AwardBackedOut)},
        void=len(accepted - untouched),
        accepted=len(accepted),
        keep=state.setup.choice("void_contributions") == "keep",
    )
    for told in void_round(state.link, round, reason, ""):
        if isinstance(told, ContributionReversed):
            yield in_the_round(told)


# ---------------------------------------------------------------- in words


def undone_words(book: Rulebook, event: Undoing) -> str:
    """What an entry of a void takes back."""
    match event:
        case e.PayoutReversed(source="tip_box"):
            return f"{format_cents(event.cents)} is taken out of the tip box again"
        case e.PayoutReversed():
            paid = f"{format_cents(event.cents)} paid on {label_of(book, event.spot)}"
            return f"{paid} is taken back"
        case e.AwardBackedOut():
            return f"the award of {format_cents(event.paid_cents)} is taken back to the meter"
    return ""


def given_back(event: Undoing) -> Cents:
    """What an entry of a void changed in the player's own chips."""
    match event:
        case e.WagerReturned():
            return event.cents
        case e.PayoutReversed():
            return 0 if event.source == "tip_box" else -event.cents
    return -event.paid_cents
