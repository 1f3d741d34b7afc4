"""The distribution of a full award, between two bounds that hold.

The meter is put on a grid, once always rounded down and once always rounded up. What a round does
to a meter keeps the order of two meters, so that the true distribution lies between the two. The
gap is the error bound; besides it there is only that of adding floating numbers, below 1e-9.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.progressive.meter_life import MeterLife, RoundLaw, meter_life

CELLS = 100_000
TINY = 1e-12
_SPREADS = 14

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


class Growth(NamedTuple):
    """How a meter grows on the grid until the next award.

    It grows by nothing with chance `none`, by one step with chance `one`, and each further step is
    `again` times as likely as the one before.
    """

    none: float
    one: float
    again: float


class AwardBounds(Struct, frozen=True, kw_only=True):
    """The chances that a full award is at most each step of the grid: at least, and at most."""

    step_cents: Fraction
    at_least: Sequence[float]
    at_most: Sequence[float]
    cut_off: float

    @property
    def error_bound(self) -> float:
        """The largest gap between the two."""
        return max(b - a for a, b in zip(self.at_least, self.at_most, strict=True))

    def chance_up_to(self, cents: int) -> tuple[float, float]:
        """Between which chances a full award is at most this much."""
        place = min(floor(cents / self.step_cents), len(self.at_least) - 1)
        return self.at_least[place], self.at_most[place]

    def quantile(self, chance: float) -> tuple[Fraction, Fraction]:
        """Between which amounts, in cents, that share of full awards is reached."""
        low, high = bisect_left(self.at_most, chance), bisect_left(self.at_least, chance)
        return low * self.step_cents, high * self.step_cents


def hits_per_round(law: RoundLaw) -> Fraction:
    """The mean number of full awards."""
    return sum((one.chance * len(one.resets) for one in law.outcomes), Fraction(0))


def _quiet(law: RoundLaw) -> Fraction:
    """The chance of a round without any award from the meter."""
    return sum((one.chance for one in law.outcomes if one.left == 1 and not one.resets),
               Fraction(0))  # fmt: skip


def award_bounds(law: RoundLaw, cells: int = CELLS) -> AwardBounds:
    """Both bounds; more cells make them closer."""
    assert law.at_lock, "a table that adds contributions at the lock"
    life = meter_life(law)
    steps, step = _step_of(law, life, cells)
    size = floor(_highest(life, law) / step) + 2
    sums: list[Sequence[float]] = []
    cut_off = 0.0
    for upwards in (True, False):
        won, left = _won(law, step, steps, size, upwards=upwards)
        cut_off = max(cut_off, left)
        sums.append(list(accumulate(won.tolist())))
    # A second full award in one round ends a life without a round, which the grid does not count.
    cut_off += float(1 - law.hit / hits_per_round(law))
    at_least = [max(0.0, chance - cut_off) for chance in sums[0]]
    at_most = [min(1.0, chance + cut_off) for chance in sums[1]]
    return AwardBounds(step_cents=step, at_least=at_least, at_most=at_most, cut_off=cut_off)


def _highest(life: MeterLife, law: RoundLaw) -> float:
    """A meter that is hardly ever reached: the mean, and many times what one wait adds."""
    wait = float(law.contribution / (1 - _quiet(law)))
    ends = float(life.start + law.contribution / (1 - law.surviving()))
    return max(ends, float(life.mean)) + 3 * _SPREADS * wait + float(law.reserve / law.hit) * 30


def _step_of(law: RoundLaw, life: MeterLife, cells: int) -> tuple[int, Fraction]:
    """A step of the grid is what so many rounds add."""
    steps = max(1, floor(_highest(life, law) / cells / float(law.contribution)))
    return steps, steps * law.contribution


def _won(
    law: RoundLaw, step: Fraction, steps: int, size: int, *, upwards: bool
) -> tuple[Floats, float]:
    """The full awards of a life on the grid."""
    award = 1 - _quiet(law)
    partial = [one for one in law.outcomes if not one.resets and one.left != 1]
    seen, left = visits(
        _start(law, step, size, upwards=upwards),
        _growth(law, steps, upwards=upwards),
        np.array([float(one.chance / award) for one in partial], np.float64),
        np.array([one.left.numerator for one in partial], np.int64),
        np.array([one.left.denominator for one in partial], np.int64),
        upwards=upwards,
        tiny=TINY,
    )
    won = np.zeros(size)
    places = np.arange(size)
    for one in law.outcomes:
        if one.resets:
            target = _part(places, one.left, upwards=upwards)
            np.add.at(won, target, seen * float(one.chance / award))
    return won, left


def _growth(law: RoundLaw, steps: int, *, upwards: bool) -> Growth:
    """Rounds until the next award, in steps of the grid."""
    quiet = float(_quiet(law))
    again = quiet**steps
    if upwards:
        return Growth(0.0, 1.0 - again, again)
    return Growth(1.0 - quiet ** (steps - 1), quiet ** (steps - 1) * (1.0 - again), again)


def _start(law: RoundLaw, step: Fraction, size: int, *, upwards: bool) -> Floats:
    """The meter after a reset, with what awards later in the same round leave of it."""
    reset_to = _reset_to(law, step, size, upwards=upwards)
    start = np.zeros(size)
    places = np.arange(size)
    for one in law.outcomes:
        if one.resets:
            left = one.resets[-1]
            target = _part(places, left, upwards=upwards)
            np.add.at(start, target, reset_to * float(one.chance / law.hit))
    return start


def _part(places: Whole, left: Fraction, *, upwards: bool) -> Whole:
    """Places on the grid after an award, rounded one way."""
    up = left.denominator - 1 if upwards else 0
    return (places * left.numerator + up) // left.denominator


def _reset_to(law: RoundLaw, step: Fraction, size: int, *, upwards: bool) -> Floats:
    """The seed, with what the life before put into the reserve."""
    start = np.zeros(size)
    extra = 1 if upwards else 0
    lowest = floor(law.seed / step) + (extra if law.seed % step else 0)
    if not law.reserve:
        start[lowest] = 1.0
        return start
    lasting = 1.0 - float(law.hit)
    gathered = 0
    for place in range(lowest, size):
        # Lives that gather no more than reaches the end of this cell.
        end = (Fraction(place + 1 - extra) * step - law.seed) / law.reserve
        until = floor(end) if upwards else -(-end.numerator // end.denominator) - 1
        if until > gathered:
            start[place] = lasting**gathered - lasting**until
            gathered = until
    start[size - 1] += 0.0 if upwards else lasting**gathered
    return start


# ---------------------------------------------------------------- the grid


@compiled
def _grow(mass: Floats, none: float, one: float, again: float, wrap: bool) -> None:
    """Let the meter grow, in place; the top of the grid keeps (or loses) what would leave it."""
    carried, before = 0.0, 0.0
    top = mass.size - 1
    for place in range(mass.size):
        here = mass[place]
        carried = one * before + again * carried
        mass[place] = none * here + carried
        before = here
    if wrap:
        # What would go on above the top stays in it: the meter is taken for smaller than it is.
        mass[top] += (one * before + again * carried) / (1.0 - again)


@compiled
def _visits(
    start: Floats, none: float, one: float, again: float,
    chances: Floats, over: Whole, under: Whole, upwards: bool, tiny: float,
) -> tuple[Floats, float]:  # fmt: skip
    """The sum over all awards of a life; `over / under` is what each of them leaves."""
    size = start.size
    mass, total = start.copy(), np.zeros(size)
    _grow(mass, none, one, again, not upwards)
    left = mass.sum()
    while left > tiny:
        after = np.zeros(size)
        for place in range(size):
            here = mass[place]
            if here == 0.0:
                continue
            total[place] += here
            for kind in range(chances.size):
                product = place * over[kind]
                target = product // under[kind]
                if upwards and target * under[kind] < product:
                    target += 1
                after[target] += here * chances[kind]
        _grow(after, none, one, again, not upwards)
        mass = after
        left = mass.sum()
    return total, left


def visits(
    start: Floats, growth: Growth, chances: Floats, over: Whole, under: Whole,
    *, upwards: bool, tiny: float,
) -> tuple[Floats, float]:  # fmt: skip
    """Visits by height, and the chance that was cut off."""
    return _visits(start, *growth, chances, over, under, upwards, tiny)
