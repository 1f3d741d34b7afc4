"""The compiled rounds against the engine on the same deals: every seat, every spot, every cent, and
the meter with its reserve after each round."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.exact.solvers import Decide, is_streets
from riverboat.meter.amounts import Meter, meter_of
from riverboat.round import Round, Setup, set_up
from riverboat.round import actions as a
from riverboat.round.setup.choices import Raw
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice, Flag
from riverboat.rulebook.values import Dollars
from riverboat.rulebooks import load, rulebook_ids
from riverboat.simulate import settling
from riverboat.simulate.blocks import Job
from riverboat.simulate.simulating import Ready, prepared, wagers_of
from riverboat.simulate.strategies import BEST
from riverboat.simulate.table import Meters
from tests.conftest import Report, Tally
from tests.simulate.by_engine import Compiled, Played, by_engine
from tests.simulate.rare_deals import decks

pytestmark = pytest.mark.slow

TABLES = 3
ROUNDS = 1_000
LONG_TABLES = 70
LONG_ROUNDS = 2_100
_FREE = (
    "multi_winner_policy", "rounding_mode", "contribute_at", "cap_scope", "breakage",
    "three_card_ace_low", "fold_forfeits_side_bets", "folded_hand_triggers_envy",
    "holder_must_bet_for_envy", "cap_second_limb_streets", "six_card_stake_returned",
)  # fmt: skip
_PLAYS = ("never-fold", BEST, "always-most", BEST, "never-fold")


def random_table(book: Rulebook, dice: Random) -> Setup:
    """A table of this rulebook as some operator might run it, antes high enough for its limits."""
    while True:
        choices: dict[str, Raw] = {}
        for name in _FREE:
            option = book.options.get(name)
            if isinstance(option, Choice) and dice.random() < 0.7:
                choices[name] = dice.choice(tuple(option.choices))
            if isinstance(option, Flag) and dice.random() < 0.7:
                choices[name] = dice.random() < 0.5
        for offer in book.side_bets:
            names = [name for name in offer.paytables if book.tables[name].playable]
            if names and dice.random() < 0.85:
                choices[offer.bet] = dice.choice(names)
        some = {
            "seats": dice.randint(1, 7),
            "minimum": dice.choice(("1", "3", "5", "25")),
            "rate": dice.choice(("15", "21.5", "33")),
            "reserve_rate": dice.choice(("0", "3.25")),
            "payout_unit": dice.choice(("0.01", "0.25", "1")),
            "pro_rata_unit": dice.choice(("0.01", "1")),
            "aggregate_limit": dice.choice(("500", "1234.50", "100000")),
        }
        for name, value in some.items():
            if name in book.options and dice.random() < 0.6:
                choices[name] = value
        try:
            return set_up(book, choices)
        except Refused:
            continue


def with_limit(setup: Setup, dice: Random) -> Setup:
    """Often with a limit so low that it cuts many rounds, which no rulebook has."""
    rule = setup.book.aggregate_limit
    if rule.limit_option or dice.random() < 0.4:
        return setup
    ante = setup.limits.ante.minimum_cents
    low: Any = dice.choice((9, 40, 333)) * ante
    changed = replace(
        rule, scope=dice.choice(("hand", "round")), limit=type(rule.limit)(low)
        if rule.limit is not None else None, or_minimum_wager_win=False,
        from_odds=dice.choice((None, 2, 10)), counts=(*rule.counts, *setup.bonuses),
    )  # fmt: skip
    return replace(setup, book=replace(setup.book, aggregate_limit=changed))


def decided(ready: Ready, setup: Setup, name: str) -> Decide:
    """The same way to play, asked about the round itself."""
    from riverboat.exact.solvers import best_play

    best = best_play(setup, ready.table.wagers["ante"])

    def decide(state: Round, number: int) -> a.AnyAction:
        if name == BEST:
            return best(state, number)
        stage = setup.stages[state.stage]
        cards = (*state.seats[number].cards, *state.community[: state.turned])
        multiple = _habit(ready, name, cards, stage.multiples, state, number)
        return a.Bet(seat=number, cents=multiple * state.seats[number].wagers["ante"])

    return decide


def _habit(ready: Ready, name: str, cards: Any, multiples: Any, state: Round, number: int) -> int:
    if name == "always-most" or not is_streets(state.setup.book):
        return int(max(multiples) if name == "always-most" else min(multiples))
    wagers = state.seats[number].wagers
    made = [wagers[stage.spot] for stage in state.setup.stages[: state.stage]]
    bets = tuple(cents // wagers["ante"] for cents in made)
    return int(ready.way.look_up(tuple(sorted(cards, reverse=True)), bets))


def tables(name: str, count: int, seed: object) -> Iterator[tuple[Ready, Decide, Random]]:
    """Random tables of a rulebook, each with a way to play."""
    book, dice = load(name).book, Random(f"tables {name} {seed}")
    for number in range(count):
        setup = with_limit(random_table(book, dice), dice)
        play = _PLAYS[number % len(_PLAYS)]
        if play == "always-most" and not is_streets(book):
            play = "never-fold"
        at = Meter() if setup.progressive is None else meter_of(dice.randint(1, 9_999_999))
        ready = prepared(setup, wagers_of(setup), number, play, Meters(at, runs=True))
        yield ready, decided(ready, setup, play), dice


def compare(name: str, count: int, rounds: int, seed: object, tally: Tally) -> None:
    """Play them all twice."""
    happened: dict[str, int] = {}
    for ready, decide, dice in tables(name, count, seed):
        compiled = Compiled(ready)
        setup, wagers = ready.table.setup, ready.table.wagers
        counted = {"tables": 1, "rounds": rounds, "seats": rounds * setup.seats}
        counts = dict.fromkeys(("awards", "several awards", "envy", "cut by a limit"), 0)
        for deck in islice(decks(setup, dice), rounds):
            units, reserve = compiled.felt.meter.tolist()
            meter = Meter(units=units, reserve_units=reserve)
            right, found = by_engine(setup, wagers, meter, decide, deck), compiled(deck)
            assert found == right, (name, dict(setup.settings), deck)
            assert compiled.nets == summed(ready, right)
            notice(compiled, counts)
        tally(f"compiled rounds against the engine, {name}", counted | counts)
        for what, times in counts.items():
            happened[what] = happened.get(what, 0) + times
    if load(name).book.progressive is not None:
        assert happened["several awards"], "nothing rare happened"
        assert happened["envy"]


def summed(ready: Ready, played: Played) -> dict[str, int]:
    """What all seats won on each bet."""
    nets = dict.fromkeys(ready.table.bets, 0)
    for results in played.results.values():
        for spot, cents in results.items():
            nets[spot if spot in nets else "base"] += cents
    nets["progressive"] += nets["envy"]
    return nets


def notice(compiled: Compiled, counts: dict[str, int]) -> None:
    """How often something rare came up."""
    job, felt = compiled.job, compiled.felt
    flags = sum(int(job.owed.sums[felt.ended[seat], 2]) for seat in range(job.terms.seats))
    if flags < settling.BETWEEN_SEATS:
        return
    won = sum(1 for seat in range(job.terms.seats) if job.owed.percent[felt.ended[seat]])
    counts["awards"] += won > 0
    counts["several awards"] += won > 1
    counts["envy"] += bool(felt.envy[: job.terms.seats].any())
    counts["cut by a limit"] += job.terms.limit >= 0 and bool(felt.cut.any())


def _terms(**changes: Any) -> Callable[[Job], Job]:
    return lambda job: job._replace(terms=job.terms._replace(**changes))


def _table(name: str, of: str, change: Callable[[Any], Any]) -> Callable[[Job], Job]:
    def changed(job: Job) -> Job:
        part = getattr(job, of)
        other = change(getattr(part, name).copy())
        return job._replace(**{of: part._replace(**{name: other})})

    return changed


FAULTS: dict[str, Callable[[Job], Job]] = {
    "winners are paid in the other order": _terms(awards_from_right=False),
    "all winners share alike": _terms(policy=settling.TOGETHER),
    "the own hand pays envy": _terms(envy_for_own=True),
    "a full award leaves the seed out": _terms(seed=0),
    "the limit is one cent higher": lambda job: job._replace(
        terms=job.terms._replace(limit=job.terms.limit + 1)
    ),
    "the limit is shared from the other side": _terms(seats_from_right=False),
    "contributions come after the awards": _terms(at_lock=False),
    "a super royal of diamonds pays as one of spades": _table(
        "six_suited", "plan", lambda table: table[[0, 3, 2, 3]]
    ),
    "a fold keeps its progressive": _table(
        "sums", "owed", lambda table: table * np.array([1, 0, 1, 1])
    ),
    "the last card's suit does not count": _table(
        "following", "plan", lambda table: table[:, [0, 1, 1]]
    ),
}
"""Each put into what the compiled rounds play by."""


@pytest.fixture(scope="module")
def maryland() -> tuple[Ready, Decide]:
    choices: dict[str, Raw] = {
        "three_card_bonus": "MD-2014-3CB-A", "six_card_bonus": "MD-2014-6CB-A",
        "progressive_wager": "1", "seats": 5, "minimum": "25",
    }  # fmt: skip
    book = load("maryland-2014").book
    setup = set_up(book, choices)
    low = replace(book.aggregate_limit, scope="round", limit=Dollars(1000_03), counts=("base",),
                  or_minimum_wager_win=False)  # fmt: skip
    setup = replace(setup, book=replace(book, aggregate_limit=low))
    at = Meters(meter_of(10_000_77), runs=True)
    ready = prepared(setup, wagers_of(setup), 0, "never-fold", at)
    return ready, decided(ready, setup, "never-fold")


def first_difference(ready: Ready, decide: Decide, job: Job, rounds: int) -> int | None:
    """After how many rounds of a fault it is seen."""
    compiled = Compiled(ready._replace(job=job))
    setup, wagers = ready.table.setup, ready.table.wagers
    units, reserve = compiled.felt.meter.tolist()
    for number, deck in enumerate(islice(decks(setup, Random(5)), rounds), start=1):
        meter = Meter(units=units, reserve_units=reserve)
        right = by_engine(setup, wagers, meter, decide, deck)
        compiled.felt.meter[:] = units, reserve
        if compiled(deck) != right:
            return number
        units, reserve = right.meter
    return None


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(maryland: tuple[Ready, Decide], report: Report, fault: str) -> None:
    ready, decide = maryland
    seen = first_difference(ready, decide, FAULTS[fault](ready.job), 1_500)
    assert seen is not None
    report(f"fault in the compiled rounds, {fault}: caught after {seen} rounds")


def test_without_a_fault_nothing_is_caught(maryland: tuple[Ready, Decide]) -> None:
    ready, decide = maryland
    assert first_difference(ready, decide, ready.job, 400) is None


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_cent_is_the_engines(name: str, tally: Tally) -> None:
    compare(name, TABLES, ROUNDS, "always", tally)


@pytest.mark.soak
@pytest.mark.parametrize("name", rulebook_ids())
def test_every_cent_of_a_million_rounds_is_the_engines(name: str, tally: Tally) -> None:
    compare(name, LONG_TABLES, LONG_ROUNDS, "long", tally)
