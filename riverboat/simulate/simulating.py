"""Rounds played beside what is exact: the third witness beside enumeration and formulas.

Every seat places every bet of the table and plays in one way. The meter is put back before each
round, so that awards are always paid at the seed and one figure is the right one.

Seats of a round share cards, so that an error is worked out from whole rounds. But where most of a
bet's variance is in prizes too rare to be seen, the rounds cannot know their own error: it is never
taken for less than the exact variance says for as many separate wagers.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, format_cents
from riverboat.exact.caching import in_json
from riverboat.exact.questions.every_bet import base_odds, bonus_odds
from riverboat.exact.solvers import DEFAULT_CENTS, ByShape, base_table, least_ante, solved
from riverboat.meter.amounts import meter_of
from riverboat.round import Setup, set_up
from riverboat.round.setup.choices import Raw, every_side_bet
from riverboat.rulebook import Rulebook
from riverboat.simulate import dealer_rounds, generator, strategies, street_rounds
from riverboat.simulate.blocks import MOST_CENTS, Job, Sums
from riverboat.simulate.strategies import BEST, Played
from riverboat.simulate.table import Meters, Table
from riverboat.simulate.workers import Checkpoint, Progress, Where, played

HERE = Where()
MOST_ROUNDS: Final = 10**11
_FIRST = {"base": "ante", "envy": "progressive"}
"""The first wager of a bet that is not called like it."""


class Known(NamedTuple):
    """What is exact about a bet; nothing, where nobody can say yet."""

    paytable: str
    ev: Fraction | None
    variance: Fraction


class SimulatedBet(Struct, frozen=True, kw_only=True):
    """One bet: what the rounds came to beside what is exact, per unit of its first wager."""

    bet: str
    paytable: str
    wager_cents: Cents
    total_cents: Cents
    mean: float
    standard_error: float
    exact: Fraction | None

    @property
    def z(self) -> float | None:
        """By how many standard errors the rounds are off; None where they never differ."""
        if not self.standard_error or self.exact is None:
            return None
        return (self.mean - float(self.exact)) / self.standard_error


class Simulated(Struct, frozen=True, kw_only=True):
    """What came of the rounds, and how fast they were played."""

    rulebook: str
    rounds: int
    seats: int
    seed: int
    strategy: str
    generator: str
    seconds: float
    bets: tuple[SimulatedBet, ...]

    @property
    def rounds_per_second(self) -> float:
        """Of the compiled rounds; asking the engine for the tables comes before."""
        return self.rounds / self.seconds if self.seconds else 0.0


class Ready(NamedTuple):
    """A table with its play, to be dealt as often as one likes."""

    table: Table
    job: Job
    way: Played


def simulate(
    book: Rulebook,
    rounds: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    table: Mapping[str, Raw] | None = None,
    strategy: str = BEST,
    where: Where = HERE,
    progress: Progress | None = None,
) -> Simulated:
    """So many rounds at a table of this rulebook; the same seed plays the same rounds."""
    if not 2 <= rounds <= MOST_ROUNDS:
        text = f"`rounds` {rounds}: at least 2 have an error, at most {MOST_ROUNDS:,} are played"
        raise NotationError("simulate.bad_rounds", text)
    setup = set_up(book, every_bet(book, table or {}, seats))
    wagers = wagers_of(setup)
    ready = prepared(setup, wagers, seed, strategy)
    exact = dict(_exact(setup, wagers, ready.way))
    kept = None
    if where.checkpoint is not None:
        kept = Checkpoint(where.checkpoint, _question(ready, rounds, seed))
    before = 0 if kept is None else kept.sums.rounds
    began = time.perf_counter()
    sums = played(ready.job, rounds, where=where, checkpoint=kept, progress=progress)
    seconds = time.perf_counter() - began
    return Simulated(
        rulebook=book.id,
        rounds=rounds,
        seats=setup.seats,
        seed=seed,
        strategy=strategy,
        generator=generator.NAME,
        seconds=seconds * rounds / max(1, rounds - before),
        bets=tuple(
            _simulated(bet, exact[bet], wagers[_FIRST.get(bet, bet)], sums, place, setup.seats)
            for place, bet in enumerate(ready.table.bets)
            if bet in exact
        ),
    )


def prepared(
    setup: Setup,
    wagers: Mapping[str, Cents],
    seed: int,
    strategy: str = BEST,
    meters: Meters | None = None,
) -> Ready:
    """The engine is asked for every ending, the way to play for every situation."""
    shapes: ByShape[_Shape] = ByShape(_streets, _dealer)
    seed_cents = 0 if setup.progressive is None else setup.progressive.seed_cents
    at = meters or Meters(meter_of(seed_cents))
    ready = shapes.at(setup)(setup, wagers, at, seed, strategy)
    owed = ready.job.owed
    each = (owed.sums[:, :2], owed.fives, owed.side_nets, owed.envy_pays * setup.seats)
    most = setup.seats * sum(int(abs(cents).max(initial=0)) for cents in each) + at.at.cents
    if most > MOST_CENTS:
        text = f"a round of this table can bring {format_cents(most)}; compiled rounds add up to"
        raise Refused("simulate.too_large", f"{text} {format_cents(MOST_CENTS)}", cites=())
    return ready


_Shape: TypeAlias = Callable[[Setup, Mapping[str, Cents], Meters, int, str], Ready]


def _streets(
    setup: Setup, wagers: Mapping[str, Cents], meters: Meters, seed: int, strategy: str
) -> Ready:
    ante = wagers["ante"]
    way = strategies.on_streets(setup, ante, solved(setup, ante), strategy)
    table = street_rounds.table_of_streets(setup, wagers, meters)
    plan = street_rounds.streets_of(table, [way.look_up], [0] * setup.seats)
    return Ready(table, Job(plan, table.terms, table.owed, _cards(setup), seed), way)


def _dealer(
    setup: Setup, wagers: Mapping[str, Cents], meters: Meters, seed: int, strategy: str
) -> Ready:
    ante = wagers["ante"]
    way = strategies.against_dealer(setup, ante, solved(setup, ante), strategy)
    table = dealer_rounds.table_against_dealer(setup, wagers, meters)
    plan = dealer_rounds.against_dealer(table, [way.look_up], [0] * setup.seats)
    return Ready(table, Job(plan, table.terms, table.owed, _cards(setup), seed), way)


def _cards(setup: Setup) -> int:
    """How many cards a round takes."""
    deal = setup.book.deal
    box = deal.box_cards if setup.has_box else 0
    return setup.seats * deal.seat_cards + deal.community_cards + deal.dealer_cards + box


def every_bet(book: Rulebook, table: Mapping[str, Raw], seats: int | None) -> dict[str, Raw]:
    """A table with every side bet of the rulebook, by its first table where none is named."""
    chosen = dict(table) | ({} if seats is None else {"seats": seats})
    return chosen | every_side_bet(book) | chosen


def wagers_of(setup: Setup) -> dict[str, Cents]:
    """The least of everything, in the order in which it is placed; a side bet at least a dollar."""
    wagers = {"ante": least_ante(setup)}
    for bet in setup.bonuses:
        wagers[bet] = max(setup.limits.bonuses[bet].minimum_cents, DEFAULT_CENTS)
    if setup.progressive is not None:
        wagers["progressive"] = setup.progressive.wager_cents
    return wagers


def _exact(setup: Setup, wagers: Mapping[str, Cents], way: Played) -> Iterator[tuple[str, Known]]:
    """Every bet of this table, by the exact mathematics; unknown where it goes by what is folded
    and nobody knows that of this way to play."""
    ante, best = wagers["ante"], way.name == BEST
    if best:
        base = base_odds(setup, ante)
        yield "base", Known(base.paytable, base.ev, base.variance)
    else:
        known = way.figures
        name = base_table(setup.book)
        if known is None:
            yield "base", Known(name, None, Fraction(0))
        else:
            yield "base", Known(name, known.value, known.distribution.variance)
    for bet, table in setup.bonuses.items():
        bonus = bonus_odds(setup, bet, table.id, wagers[bet], ante)
        goes_by_folds = bet in setup.lost_by_fold and not best
        yield bet, Known(bonus.paytable, None if goes_by_folds else bonus.ev, bonus.variance)
    if setup.progressive is None:
        return
    from riverboat.exact.progressive.envy import envy_figures
    from riverboat.exact.progressive.wager import progressive_figures

    table_id = setup.progressive.table.id
    if way.base_play is None:
        yield "progressive", Known(table_id, None, Fraction(0))
        yield "envy", Known(setup.progressive.envy.id, None, Fraction(0))
        return
    whole = progressive_figures(setup, play=way.base_play)
    envy = envy_figures(setup, way.base_play, bettors=setup.seats - 1)
    yield "progressive", Known(whole.paytable, whole.ev, whole.variance)
    yield "envy", Known(envy.paytable, envy.expected, envy.variance)


def _question(ready: Ready, rounds: int, seed: int) -> dict[str, Any]:
    """What a checkpoint is good for."""
    from hashlib import sha256

    numbers = sha256()
    for table in (*ready.job.plan, *ready.job.owed):
        numbers.update(bytes(memoryview(table).cast("B")) if hasattr(table, "shape") else b"")
    return {
        "rulebook": ready.table.setup.book.id,
        "rounds": rounds,
        "seed": seed,
        "seats": ready.table.setup.seats,
        "strategy": ready.way.name,
        "terms": [int(term) for term in ready.job.terms],
        "tables": numbers.hexdigest(),
    }


def _simulated(
    bet: str, known: Known, wager: Cents, sums: Sums, place: int, seats: int
) -> SimulatedBet:
    total, squares, rounds = sums.totals[place], sums.squares[place], sums.rounds
    unit = seats * wager
    mean = Fraction(total, rounds * unit)
    seen = (Fraction(squares, unit * unit) - rounds * mean**2) / (rounds - 1)
    return SimulatedBet(
        bet=bet,
        paytable=known.paytable,
        wager_cents=wager,
        total_cents=total,
        mean=float(mean),
        standard_error=sqrt(max(seen, known.variance / seats) / rounds),
        exact=known.ev,
    )


def simulation_document(found: Simulated) -> dict[str, Any]:
    """The answer as scripts read it."""
    whole = ("rulebook", "rounds", "seats", "seed", "strategy", "generator", "seconds",
             "rounds_per_second")  # fmt: skip
    return in_json(found, *whole) | {
        "bets": [
            in_json(one, "bet", "paytable", "total_cents", "mean", "standard_error")
            | {
                "exact": None if one.exact is None else float(one.exact),
                "exact_ev": None if one.exact is None else str(one.exact),
                "z": one.z,
            }
            for one in found.bets
        ],
    }
