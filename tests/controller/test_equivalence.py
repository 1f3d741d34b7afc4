"""A round settled by the automatic dealer and the same round keyed by hand: cent for cent equal."""

from collections import Counter
from functools import reduce
from random import Random

import pytest

from riverboat.controller import actions as a
from riverboat.meter.amounts import Meter
from riverboat.round import Round, Setup
from riverboat.round import actions as g
from riverboat.round import apply as apply_to_round
from riverboat.round import events as r
from riverboat.round import replay as replay_round
from riverboat.round.engine import open_round, step
from riverboat.round.settlement.postings import postings
from riverboat.round.settlement.voids import void
from tests.conftest import Report
from tests.support.hall import FLO, SUE, Table, settle_others
from tests.support.keyed_player import (
    awards_in,
    finish_keyed,
    key_next,
)
from tests.support.keyed_rounds import (
    BOOKS,
    CASES,
    keyed_round,
    random_table,
)

ROUNDS = 80


def automatic(
    state: Round, actions: list[g.AnyAction]
) -> tuple[Round, Counter[str], list[r.AnyEvent]]:
    """The same round with the automatic dealer: the round, its accounts and its events."""
    sums: Counter[str] = Counter()
    told: list[r.AnyEvent] = []
    for action in actions:
        for event in step(state, action):
            for account, _, amount in postings(event, state):
                sums[account] += amount
            state = apply_to_round(state, event)
            told.append(event)
    return state, sums, told


def actions_of(table: Table) -> list[g.AnyAction]:
    """The round's actions up to settlement, read off its events."""
    found: list[g.AnyAction] = []
    dealt: dict[str, tuple[int, ...]] = {}
    for event in table.round_events:
        match event:
            case r.WagerPlaced():
                found.append(g.Wager(seat=event.seat, spot=event.spot, cents=event.cents))
            case r.BettingClosed():
                found.append(g.CloseBets())
            case r.ProgressiveLocked():
                found += [g.LockProgressive(), g.CollectProgressive(chips=len(event.seats))]
            case r.CardsDealt():
                for place, cards in event.deliveries:
                    dealt[place] = dealt.get(place, ()) + cards
                found.append(g.Deal(places=dealt))
            case r.StreetBet() if not event.spot.startswith("tip_"):
                found.append(g.Bet(seat=event.seat, cents=event.cents))
            case r.Folded():
                found.append(g.Fold(seat=event.seat))
            case r.CommunityTurned() | r.DealersHandTurned():
                found.append(g.Turn())
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "policy"), CASES)
def test_keys_and_the_automatic_dealer_give_the_same_money(
    name: str, policy: str, report: Report
) -> None:
    several = awarded = 0
    for number in range(ROUNDS):
        rng = Random(f"{name} {policy} {number}")
        setup = random_table(rng, name, policy)
        hall, table, opening = keyed_round(rng, setup)
        if table.round.phase != "settling":
            continue
        actions = actions_of(table)
        finish_keyed(hall, table)
        state, sums, told = automatic(open_round(setup, opening), _played(setup, opening, actions))
        assert sorted(awards_in(told)) == sorted(awards_in(table.round_events))
        assert state.meter == hall.link.meter
        keyed = Counter(table.cents)
        for account, amount in hall.units.items():
            keyed[account.split(":")[0]] += amount
        opened = hall.link.initial_cents * 10_000 + hall.link.totals.adjustments
        keyed["house"] += opened
        keyed["meter"] -= opening.units
        assert {n: v for n, v in keyed.items() if v} == {n: v for n, v in sums.items() if v}
        nets = {n: seat.net_cents for n, seat in table.round.seats.items()}
        assert nets == {n: seat.net_cents for n, seat in state.seats.items()}
        hall.check_replay()
        awarded += bool(awards_in(told))
        several += len(awards_in(told)) > 1
    assert awarded >= 20
    assert several >= 5
    report(
        f"keyed as dealt, {name}, {policy}: {awarded} rounds with awards, {several} with several"
    )


def as_its_own(table: Table, opening: Meter) -> Round:
    """The round of a linked table as if it had been played for a meter of its own."""
    opened = open_round(table.setup, opening).history
    return replay_round(table.setup, [*opened, *table.round_events[1:]])


def _played(setup: Setup, opening: Meter, actions: list[g.AnyAction]) -> list[g.AnyAction]:
    """The actions with the turns that bring a round to its settlement, and its end."""
    state = open_round(setup, opening)
    done: list[g.AnyAction] = []
    for action in [*actions, None]:
        while state.phase == "turning":
            done.append(g.Turn())
            state, _, _ = automatic(state, [g.Turn()])
        if action is None or isinstance(action, g.Turn):
            continue
        done.append(action)
        state, _, _ = automatic(state, [action])
    return [*done, g.SettleAll(), g.Close()]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_a_void_by_the_keys_gives_back_what_the_round_alone_would(name: str) -> None:
    with_award = 0
    for number in range(ROUNDS):
        rng = Random(f"void {name} {number}")
        setup = random_table(rng, name, "sequential")
        hall, table, opening = keyed_round(rng, setup)
        if table.round.phase != "settling":
            continue
        settle_others(hall, table, envy=False)
        for _ in range(rng.choice((0, 9, 18, 40))):
            coming = key_next(hall, table)
            if coming is not None:
                hall.press(table, *coming)
        while table.controller.in_hand is not None:
            coming = key_next(hall, table)
            assert coming is not None
            hall.press(table, *coming)
        own = as_its_own(table, opening)
        assert own.meter == hall.link.meter
        alone = reduce(apply_to_round, void(own, "found a card"), own)
        with_award += bool(awards_in(table.round_events))
        hall.press(table, FLO, a.VoidRound(reason="found a card", second=SUE))
        nets = {n: seat.net_cents for n, seat in table.round.seats.items()}
        assert nets == {n: seat.net_cents for n, seat in alone.seats.items()}
        assert hall.link.meter == alone.meter == as_its_own(table, opening).meter
        assert table.round.link.status == "not_open", "a linked round keeps no balance"
        assert table.controller.state == "IDLE_TABLE"
        if setup.choice("void_after_payment") == "reverse":
            assert not table.accounts(), "a void round leaves nothing behind"
        hall.check_replay()
    assert with_award >= 10
