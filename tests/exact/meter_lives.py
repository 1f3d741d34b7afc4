"""Lives of a meter played with the engine's own meter: the witness beside the exact figures."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import accumulate
from math import floor, log, log1p, sqrt
from random import Random
from typing import NamedTuple

from msgspec import Struct

from riverboat.exact.progressive.meter_life import FULL, Cents, MeterLife, RoundLaw
from riverboat.exact.progressive.wager import meter_shares, progressive_of
from riverboat.meter.amounts import (
    Meter,
    award_cents,
    contribute,
    contribution,
    meter_of,
    pay_award,
    reset,
)
from riverboat.round.setup.setup import Setup


class PlayedLives(Struct, frozen=True, kw_only=True):
    """The full awards of so many lives, in cents."""

    lives: int
    mean: float
    standard_deviation: float
    rounds: float

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return self.standard_deviation / sqrt(self.lives)

    def z(self, exact: MeterLife) -> float:
        """How far the mean lies from the exact one, in standard errors of the exact deviation."""
        return (self.mean - float(exact.mean)) / (exact.standard_deviation / sqrt(self.lives))


def play_lives(setup: Setup, law: RoundLaw, lives: int, seed: int) -> PlayedLives:
    """So many full awards in a row, rounding as the engine does.

    Rounds without an award only add to the meter, and how many there are in a row is drawn at once.
    """
    random, progressive = Random(seed), progressive_of(setup)
    stormy = [one for one in law.outcomes if one.left != 1 or one.resets]
    limits = list(accumulate(float(one.chance) for one in stormy))
    calm = log1p(-limits[-1])
    each = law.bettors * contribution(progressive.wager_cents, progressive.rate_bp)
    aside = law.bettors * contribution(progressive.wager_cents, progressive.reserve_bp)
    percents = sorted(set(meter_shares(setup).values()) - {FULL})
    assert len(percents) <= 1, "one smaller share, so that what is left tells how many there were"
    rounding, meter = setup.choice("rounding_mode"), meter_of(progressive.seed_cents)
    won: list[int] = []
    rounds = 0
    while len(won) < lives:
        waited = 1 + floor(log(1 - random.random()) / calm)
        rounds += waited
        now = waited if law.at_lock else waited - 1
        meter = contribute(meter, now * each, now * aside)
        one = stormy[min(bisect_right(limits, random.random() * limits[-1]), len(stormy) - 1)]
        meter = _small(meter, one.left, percents, rounding)
        for left in one.resets:
            cents = award_cents(meter, FULL, rounding)
            won.append(cents)
            meter = reset(pay_award(meter, cents), progressive.seed_cents)
            meter = _small(meter, left, percents, rounding)
        if not law.at_lock:
            meter = contribute(meter, each, aside)
    mean = sum(won) / len(won)
    spread = sqrt(sum((award - mean) ** 2 for award in won) / (len(won) - 1))
    return PlayedLives(lives=len(won), mean=mean, standard_deviation=spread,
                       rounds=rounds / len(won))  # fmt: skip


def _small(meter: Meter, left: Fraction, percents: list[int], rounding: str) -> Meter:
    """The smaller awards of a round, one after another, until only so much is left."""
    share = Fraction(1)
    while share > left:
        meter = pay_award(meter, award_cents(meter, percents[0], rounding))
        share *= 1 - Fraction(percents[0], 100)
    return meter


# ---------------------------------------------------------------- the meter round by round


class Liability(NamedTuple):
    """Expectations after some rounds, in cents: what the meters show and have cost until then."""

    rounds: int
    meter: Cents
    reserve: Cents
    contributed: Cents
    seeds: Cents
    awards: Cents


def liability(
    law: RoundLaw, rounds: Iterable[int], start: Cents | None = None
) -> Iterator[Liability]:
    """The expected meter after each of these numbers of rounds, from a start (the seed).

    Powers of one matrix, so that a million rounds take no longer than ten. `seeds` are those that
    the house put up after the first; the awards are what went in and is no longer there.
    """
    begin = law.seed if start is None else start
    step = _step(law)
    for number in rounds:
        meter, reserve, _ = _times(_power(step, number), (float(begin), 0.0, 1.0))
        contributed = number * (law.contribution + law.reserve)
        seeds = number * law.seed * sum((o.chance * len(o.resets) for o in law.outcomes),
                                        Fraction(0))  # fmt: skip
        held, kept = Fraction(meter), Fraction(reserve)
        yield Liability(number, held, kept, contributed, seeds,
                        begin + contributed + seeds - held - kept)  # fmt: skip


_Matrix = tuple[tuple[float, ...], ...]


def _step(law: RoundLaw) -> _Matrix:
    """One round as a matrix on (meter, reserve, 1)."""
    keep, hit, added, gathered = law.surviving(), law.hit, law.contribution, law.reserve
    once = sum((o.chance * o.resets[0] for o in law.outcomes if len(o.resets) == 1), Fraction(0))
    seeds = sum((o.chance * o.resets[-1] for o in law.outcomes if o.resets), Fraction(0)) * law.seed
    if law.at_lock:
        rows = (
            (keep, once, keep * added + once * gathered + seeds),
            (Fraction(0), 1 - hit, (1 - hit) * gathered),
        )
    else:
        rows = ((keep, once, seeds + added), (Fraction(0), 1 - hit, gathered))
    return (*(tuple(map(float, row)) for row in rows), (0.0, 0.0, 1.0))


def _power(matrix: _Matrix, times: int) -> _Matrix:
    result: _Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    while times:
        if times & 1:
            result = _product(matrix, result)
        matrix, times = _product(matrix, matrix), times >> 1
    return result


def _product(a: _Matrix, b: _Matrix) -> _Matrix:
    columns = tuple(zip(*b, strict=True))
    return tuple(
        tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns)
        for row in a
    )


def _times(matrix: _Matrix, vector: tuple[float, float, float]) -> tuple[float, float, float]:
    meter, reserve, one = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return meter, reserve, one
