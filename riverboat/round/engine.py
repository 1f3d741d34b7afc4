"""One round of either game: `step` decides and may refuse, `apply` remembers and never does."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from riverboat.core.errors import Refused
from riverboat.core.money import Cents
from riverboat.core.well_formed import require_action, require_kind, require_struct
from riverboat.meter.amounts import Meter
from riverboat.round import actions as a
from riverboat.round import betting, incidents, streets
from riverboat.round import events as e
from riverboat.round.settlement import payment
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, apply, apply_all

DECIDE: dict[type, Callable[[Round, Any], Iterator[e.AnyEvent]]] = {
    a.Wager: betting.wager,
    a.TakeBack: betting.take_back,
    a.CloseBets: betting.close_bets,
    a.LockProgressive: betting.lock_progressive,
    a.CollectProgressive: betting.collect_progressive,
    a.Deal: streets.deal,
    a.Bet: streets.bet,
    a.Fold: streets.fold,
    a.Turn: streets.turn,
    a.Settle: payment.settle,
    a.SettleAll: payment.settle_all,
    a.Correct: payment.correct,
    a.Incident: incidents.incident,
    a.CorrectCard: payment.correct_card,
    a.Close: payment.close,
}

_EMPTY = Meter()


def open_round(setup: Setup, meter: Meter | None = _EMPTY) -> Round:
    """A new round at a table, whose own meter stands where the last round left it; None where
    other tables play for the meter too, which then has its own record."""
    require_kind(setup, Setup, "setup")
    if meter is not None:
        require_struct(meter, Meter, "meter")
        if meter.units < 0 or meter.reserve_units < 0:
            held = f"{meter.units} units and {meter.reserve_units} in reserve"
            raise Refused("meter.below_zero", f"a meter of {held}; 0 is the least", cites=())
    opened = e.RoundOpened(
        rulebook=setup.book.id,
        revision=setup.book.revision,
        meter_units=None if meter is None else meter.units,
        reserve_units=0 if meter is None else meter.reserve_units,
    )
    return apply(Round(setup=setup), opened)


def step(state: Round, action: a.AnyAction) -> tuple[e.AnyEvent, ...]:
    """Everything that follows from an action, in table order, or a refusal with its clauses."""
    events, _ = advance(state, action)
    return events


def play(state: Round, action: a.AnyAction) -> Round:
    """The round after an action."""
    _, after = advance(state, action)
    return after


def advance(state: Round, action: a.AnyAction) -> tuple[tuple[e.AnyEvent, ...], Round]:
    """What follows from an action, and the round after it; a seat that leaves folds in its turn."""
    require_kind(state, Round, "state")
    require_action(action, DECIDE)
    events = tuple(DECIDE[type(action)](state, action))
    after = apply_all(state, events)
    while after.leaving and (number := streets.seat_to_act(after)) in after.leaving:
        assert number is not None
        folded = tuple(streets.fold(after, a.Fold(seat=number)))
        events += folded
        after = apply_all(after, folded)
    return events, after


def before_the_deal(
    setup: Setup, seats: Iterable[int], wagers: Mapping[str, Cents], meter: Meter | None
) -> Round:
    """A round in which these seats all bet the same, up to the deal: bets placed and closed, the
    progressive's chips collected."""
    state = open_round(setup, meter)
    for seat in seats:
        for spot, cents in wagers.items():
            state = play(state, a.Wager(seat=seat, spot=spot, cents=cents))
    state = play(state, a.CloseBets())
    if setup.progressive is not None:
        state = play(state, a.LockProgressive())
        lit = sum(seat.lit for seat in state.seats.values())
        state = play(state, a.CollectProgressive(chips=lit))
    return state
