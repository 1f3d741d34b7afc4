"""The life of a meter, from one reset to the next: how large it is when it is won, and how long
that takes.

Assumed throughout: the same number of bettors in every round, rounds that are independent of each
other, and awards that are exact shares of the meter. The engine rounds an award down to the cent
and leaves the rest on the meter: with awards of p percent that moves no mean by more than 100 / p
cents. Several awards in one round are counted, in the order and by the policy of the table.

In each round the meter grows by the contributions and is then multiplied by what the awards leave.
The sums over a life of its mean and of its square are therefore geometric series, and exact.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

from riverboat.core.hands import Kind
from riverboat.exact.progressive.envy import company
from riverboat.exact.progressive.wager import fold_rule, meter_shares, progressive_of
from riverboat.exact.solvers import BasePlay, best_base_play, nobody_folds
from riverboat.round.setup.setup import Setup

Cents = Fraction
"""Amounts of an average, in cents: fractions of one are kept."""

FULL = 100


class RoundOutcome(NamedTuple):
    """What the awards of a round do to the meter.

    `left` is what is left of the meter before a full award, or after all awards where there is
    none. `resets` holds for each full award what is left at the next one, or at the end of the
    round, of the meter that it was reset to.
    """

    chance: Fraction
    left: Fraction
    resets: tuple[Fraction, ...] = ()


class RoundLaw(Struct, frozen=True, kw_only=True):
    """The rounds of a table with so many bettors; amounts are those of one round, in cents."""

    bettors: int
    outcomes: tuple[RoundOutcome, ...]
    contribution: Cents
    reserve: Cents
    seed: Cents
    at_lock: bool

    @property
    def hit(self) -> Fraction:
        """The chance of a round with a full award."""
        return self.winning(0)

    def surviving(self, power: int = 1) -> Fraction:
        """The mean power of what is left, over the rounds without a full award."""
        return self._mean(power, hit=False)

    def winning(self, power: int = 1) -> Fraction:
        """The same over the rounds with one, up to the award itself."""
        return self._mean(power, hit=True)

    def _mean(self, power: int, *, hit: bool) -> Fraction:
        over = (one for one in self.outcomes if bool(one.resets) == hit)
        return sum((one.chance * one.left**power for one in over), Fraction(0))


class MeterLife(Struct, frozen=True, kw_only=True):
    """Mean and variance of a full award, and how the meter stands between two of them.

    Amounts in cents. `rounds` is the mean time between rounds with a full award; `start` the mean
    meter after a reset; `average_meter` the mean over all rounds, which is what the house owes.
    """

    mean: Cents
    variance: Fraction
    rounds: Fraction
    start: Cents
    average_meter: Cents

    @property
    def standard_deviation(self) -> float:
        """Of a full award, in cents, for print."""
        return sqrt(self.variance)


def round_law(
    setup: Setup, *, bettors: int | None = None, play: BasePlay | None = None
) -> RoundLaw:
    """What a round does to the meter, by the table's rules; all seats bet unless said otherwise."""
    progressive, seats = progressive_of(setup), setup.seats if bettors is None else bettors
    shares = meter_shares(setup)
    forfeited = fold_rule(setup) == "forfeited"
    way = play or (best_base_play(setup) if forfeited else nobody_folds())
    seen = company(setup, frozenset(shares), seats, way.stays if forfeited else None)
    merged: dict[tuple[Fraction, tuple[Fraction, ...]], Fraction] = {}
    for order, chance in seen.rounds(seats):
        found = _effect(_in_turn(setup, order, shares))
        merged[found] = merged.get(found, Fraction(0)) + chance
    wager = seats * progressive.wager_cents
    return RoundLaw(
        bettors=seats,
        outcomes=tuple(RoundOutcome(chance, *found) for found, chance in merged.items()),
        contribution=Fraction(wager * progressive.rate_bp, 10_000),
        reserve=Fraction(wager * progressive.reserve_bp, 10_000),
        seed=Fraction(progressive.seed_cents),
        at_lock=setup.choice("contribute_at") != "game_over",
    )


def _in_turn(setup: Setup, order: Iterable[Kind], shares: dict[Kind, int]) -> list[int]:
    """The awards of a round in percent, in the order that the table's policy puts them."""
    percents = [shares[kind] for kind in order]
    match setup.choice("multi_winner_policy"):
        case "highest_first":
            return sorted(percents, reverse=True)
        case "equal_split":
            return sorted(set(percents), reverse=True)
    return percents


def _effect(percents: Iterable[int]) -> tuple[Fraction, tuple[Fraction, ...]]:
    left = [Fraction(1)]
    for percent in percents:
        if percent == FULL:
            left.append(Fraction(1))
        else:
            left[-1] *= 1 - Fraction(percent, 100)
    return left[0], tuple(left[1:])


# ---------------------------------------------------------------- one life


class _Start(NamedTuple):
    """The meter that a life starts with, and the awards that end in the round they began in."""

    mean: Cents
    square: Fraction
    short_awards: Cents
    short_squares: Fraction
    hits: Fraction


def _start(law: RoundLaw) -> _Start:
    """Of a life after another one: the reserve that moves in is what that one gathered."""
    hit = law.hit
    reserve, reserve_2 = law.reserve / hit, law.reserve**2 * (2 - hit) / hit**2
    first = law.seed + reserve
    first_2 = law.seed**2 + 2 * law.seed * reserve + reserve_2
    mean = square = short = short_2 = hits = Fraction(0)
    for one in law.outcomes:
        if not one.resets:
            continue
        weight = one.chance / hit
        hits += weight * len(one.resets)
        for place, left in enumerate(one.resets):
            at, at_2 = (first, first_2) if place == 0 else (law.seed, law.seed**2)
            if place == len(one.resets) - 1:
                mean, square = mean + weight * left * at, square + weight * left**2 * at_2
            else:
                short, short_2 = short + weight * left * at, short_2 + weight * left**2 * at_2
    if not law.at_lock:
        added = law.contribution
        square, mean = square + 2 * added * mean + added**2, mean + added
    return _Start(mean, square, short, short_2, hits)


def meter_life(law: RoundLaw) -> MeterLife:
    """The mean and variance of a full award, in closed form."""
    start, hit, added = _start(law), law.hit, law.contribution
    keep, keep_2 = law.surviving(), law.surviving(2)
    # Sums over the rounds of a life of the meter that awards are taken from, and of its square.
    if law.at_lock:
        total = (start.mean + added / hit) / (1 - keep)
        square = (start.square + 2 * added * (total - added / hit) + added**2 / hit) / (1 - keep_2)
    else:
        later = 1 / hit - 1
        total = (start.mean + added * later) / (1 - keep)
        square = (start.square + 2 * added * keep * total + added**2 * later) / (1 - keep_2)
    awards = law.winning() * total + start.short_awards
    squares = law.winning(2) * square + start.short_squares
    mean = awards / start.hits
    before = total - added / hit if law.at_lock else total
    return MeterLife(
        mean=mean,
        variance=squares / start.hits - mean**2,
        rounds=1 / hit,
        start=start.mean,
        average_meter=before * hit,
    )
