"""Rounds played through the engine itself: the third witness beside enumeration and formulas.

Every seat places every bet of the table and plays the base game as well as it can be played. The
meter is put back before each round, so that awards are always paid at the seed and one figure is
the right one.

Seats of a round share cards, so that an error is worked out from whole rounds. But where most of a
bet's variance is in prizes too rare to be seen, the rounds cannot know their own error: it is never
taken for less than the exact variance says for as many separate wagers.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.caching import in_json
from riverboat.exact.questions.every_bet import base_odds, bonus_odds
from riverboat.exact.solvers import DEFAULT_CENTS, Decide, best_play, least_ante
from riverboat.meter.amounts import Meter, before_contributions, meter_of
from riverboat.round import Round, Setup, play, set_up
from riverboat.round import actions as a
from riverboat.round.betting import given_at_lock
from riverboat.round.engine import before_the_deal
from riverboat.round.setup.choices import Raw, every_side_bet
from riverboat.round.streets import deal_out, seat_to_act
from riverboat.rulebook import Rulebook

Progress: TypeAlias = Callable[[int], None]
"""Told now and then how many rounds are done."""

_Known: TypeAlias = tuple[str, str, Fraction, Fraction]
"""What is exact about a bet: its name and pay table, its ev and variance."""

_OFTEN = 250
_FIRST = {"base": "ante", "envy": "progressive"}
"""The first wager of a bet that is not called like it."""

Sums: TypeAlias = dict[str, tuple[int, int]]
"""For each bet the sum over all rounds of what all seats won, and the sum of its squares."""


class SimulatedBet(Struct, frozen=True, kw_only=True):
    """One bet: what the rounds came to beside what is exact, per unit of its first wager."""

    bet: str
    paytable: str
    mean: float
    standard_error: float
    exact: Fraction

    @property
    def z(self) -> float | None:
        """By how many standard errors the rounds are off; None where they never differ."""
        if not self.standard_error:
            return None
        return (self.mean - float(self.exact)) / self.standard_error


class Simulated(Struct, frozen=True, kw_only=True):
    """What came of the rounds, and how fast they were played."""

    rulebook: str
    rounds: int
    seats: int
    seed: int
    seconds: float
    bets: tuple[SimulatedBet, ...]

    @property
    def rounds_per_second(self) -> float:
        """Of the engine with everything around it."""
        return self.rounds / self.seconds if self.seconds else 0.0


def simulate(
    book: Rulebook,
    rounds: int,
    *,
    seats: int | None = None,
    seed: int = 0,
    table: Mapping[str, Raw] | None = None,
    progress: Progress | None = None,
) -> Simulated:
    """So many rounds at a table of this rulebook; the same seed plays the same rounds."""
    if rounds < 2:
        raise NotationError("simulate.too_few", f"`rounds` {rounds}: at least 2 have an error")
    chosen = dict(table or {}) | ({} if seats is None else {"seats": seats})
    setup = set_up(book, chosen | every_side_bet(book) | chosen)
    wagers = _wagers(setup)
    decide = best_play(setup, wagers["ante"])
    exact = list(_exact(setup, wagers))
    began = time.perf_counter()
    sums = _play_rounds(setup, wagers, decide, rounds, random.Random(seed), progress)
    seconds = time.perf_counter() - began
    return Simulated(
        rulebook=book.id,
        rounds=rounds,
        seats=setup.seats,
        seed=seed,
        seconds=seconds,
        bets=tuple(
            _simulated(known, wagers[_FIRST.get(known[0], known[0])], sums, rounds, setup.seats)
            for known in exact
        ),
    )


def _wagers(setup: Setup) -> dict[str, Cents]:
    """The least of everything, in the order in which it is placed; a side bet at least a dollar."""
    wagers = {"ante": least_ante(setup)}
    for bet in setup.bonuses:
        wagers[bet] = max(setup.limits.bonuses[bet].minimum_cents, DEFAULT_CENTS)
    if setup.progressive is not None:
        wagers["progressive"] = setup.progressive.wager_cents
    return wagers


def _exact(setup: Setup, wagers: Mapping[str, Cents]) -> Iterator[_Known]:
    """Every bet of this table, by the exact mathematics."""
    base = base_odds(setup, wagers["ante"])
    yield "base", base.paytable, base.ev, base.variance
    for bet, table in setup.bonuses.items():
        bonus = bonus_odds(setup, bet, table.id, wagers[bet], wagers["ante"])
        yield bet, table.id, bonus.ev, bonus.variance
    if setup.progressive is None:
        return
    from riverboat.exact.progressive.envy import envy_figures
    from riverboat.exact.progressive.wager import progressive_figures
    from riverboat.exact.solvers import best_base_play

    way = best_base_play(setup, wagers["ante"])
    whole = progressive_figures(setup, play=way)
    envy = envy_figures(setup, way, bettors=setup.seats - 1)
    yield "progressive", whole.paytable, whole.ev, whole.variance
    yield "envy", envy.paytable, envy.expected, envy.variance


# ---------------------------------------------------------------- the rounds


def _play_rounds(
    setup: Setup,
    wagers: Mapping[str, Cents],
    decide: Decide,
    rounds: int,
    dice: random.Random,
    progress: Progress | None,
) -> Sums:
    deck = list(DECK)
    before = before_the_deal(setup, range(1, setup.seats + 1), wagers, _meter(setup))
    sums: Sums = {}
    for done in range(1, rounds + 1):
        dice.shuffle(deck)
        for bet, cents in results_of(_one_round(before, decide, deck)).items():
            total, squares = sums.get(bet, (0, 0))
            sums[bet] = total + cents, squares + cents * cents
        if progress is not None and (done % _OFTEN == 0 or done == rounds):
            progress(done)
    return sums


def _meter(setup: Setup) -> Meter:
    """A meter that stands at the seed when awards are paid."""
    progressive = setup.progressive
    if progressive is None:
        return Meter()
    came = given_at_lock(setup, setup.seats)
    return before_contributions(meter_of(progressive.seed_cents), came)


def _one_round(state: Round, decide: Decide, deck: list[int]) -> Round:
    state = play(state, a.Deal(places=deal_out(state.setup, sorted(state.seats), deck)))
    while state.phase in ("deciding", "turning"):
        seat = seat_to_act(state)
        state = play(state, a.Turn() if seat is None else decide(state, seat))
    return play(play(state, a.SettleAll()), a.Close())


def results_of(state: Round) -> dict[str, Cents]:
    """What all seats together won on each bet; an envy bonus belongs to the progressive too."""
    results = {"base": 0, "envy": 0, **dict.fromkeys(state.setup.bonuses, 0), "progressive": 0}
    for seat in state.seats.values():
        for spot, cents in seat.results.items():
            bet = spot if spot in results else "base"
            results[bet] += cents
    results["progressive"] += results["envy"]
    return results


def _simulated(known: _Known, wager: Cents, sums: Sums, rounds: int, seats: int) -> SimulatedBet:
    bet, paytable, ev, variance = known
    total, squares = sums[bet]
    unit = seats * wager
    mean = Fraction(total, rounds * unit)
    seen = (Fraction(squares, unit * unit) - rounds * mean**2) / (rounds - 1)
    return SimulatedBet(
        bet=bet,
        paytable=paytable,
        mean=float(mean),
        standard_error=sqrt(max(seen, variance / seats) / rounds),
        exact=ev,
    )


def simulation_document(found: Simulated) -> dict[str, Any]:
    """The answer as scripts read it."""
    whole = ("rulebook", "rounds", "seats", "seed", "seconds", "rounds_per_second")
    return in_json(found, *whole) | {
        "bets": [
            in_json(one, "bet", "paytable", "mean", "standard_error")
            | {"exact": float(one.exact), "exact_ev": str(one.exact), "z": one.z}
            for one in found.bets
        ],
    }
