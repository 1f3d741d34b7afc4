"""What one round can bring and how often, and what many rounds add up to.

A distribution has whole-number weights, so that nothing is rounded. Its results lie on a lattice,
the multiples of one unit. Rounds are added through the transform of the distribution, on a window
outside of which the sum lies with less than a stated chance (Chernoff's bound, from the
distribution itself); that chance and the rounding of the machine's numbers together are the stated
error. No normal curve is assumed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, exp, floor, gcd, inf, lcm, log, log2, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from riverboat.core.errors import NotationError

if TYPE_CHECKING:
    import numpy as np

    Chances = np.ndarray[Any, np.dtype[np.float64]]

TAIL = 1e-12
"""The chance that may be left outside of a window."""
ROUNDOFF = 2.0**-53
MOST_CELLS = 2**24


class Distribution(Struct, frozen=True):
    """The player's net results with their weights, results ascending, no weight of zero.

    A result is in units of the first wager, or in dollars where the maker says so.
    """

    outcomes: tuple[tuple[Fraction, int], ...]

    @classmethod
    def of(cls, weights: Mapping[Fraction, int] | Iterable[tuple[Fraction, int]]) -> "Distribution":
        """Equal results are one outcome."""
        pairs = weights.items() if isinstance(weights, Mapping) else weights
        total: Counter[Fraction] = Counter()
        for result, weight in pairs:
            total[Fraction(result)] += weight
        return cls(tuple(sorted((r, w) for r, w in total.items() if w)))

    @property
    def total(self) -> int:
        """The number of equally likely cases."""
        return sum(weight for _, weight in self.outcomes)

    @property
    def mean(self) -> Fraction:
        """The player's expectation: the house edge is its negative, per unit of the first wager."""
        return self.moment(1)

    @property
    def variance(self) -> Fraction:
        """Exact; only its root is not."""
        return self.moment(2) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """For print."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The third central moment over the cube of the standard deviation, for print."""
        if not self.variance:
            return 0.0
        mean = self.mean
        third = self.moment(3) - 3 * mean * self.moment(2) + 2 * mean**3
        return float(third / self.variance) / sqrt(self.variance)

    def moment(self, power: int) -> Fraction:
        """The mean of a power of the result."""
        return Fraction(sum((r**power * w for r, w in self.outcomes), Fraction(0)), self.total)

    def chance(self, counts: Callable[[Fraction], bool]) -> Fraction:
        """The probability of the results that count."""
        return Fraction(sum(w for r, w in self.outcomes if counts(r)), self.total)

    @property
    def win_push_loss(self) -> tuple[Fraction, Fraction, Fraction]:
        """The chances of a result above, at and below nothing."""
        return (
            self.chance(lambda result: result > 0),
            self.chance(lambda result: result == 0),
            self.chance(lambda result: result < 0),
        )


class Expected(Struct, frozen=True, kw_only=True):
    """What a wager brings its player, per unit of it."""

    ev: Fraction
    variance: Fraction

    @property
    def house_edge(self) -> Fraction:
        """What the house expects of it."""
        return -self.ev

    @property
    def standard_deviation(self) -> float:
        """Of one round, with all that `variance` counts, for print."""
        return sqrt(self.variance)


class Lattice(NamedTuple):
    """A distribution as whole steps of one unit, with whole weights."""

    unit: Fraction
    steps: tuple[tuple[int, int], ...]
    total: int

    @property
    def lowest(self) -> int:
        """The worst result of a round, in steps."""
        return self.steps[0][0]

    @property
    def highest(self) -> int:
        """The best."""
        return self.steps[-1][0]


def lattice_of(distribution: Distribution) -> Lattice:
    """The coarsest lattice that has every result."""
    results = [result for result, _ in distribution.outcomes]
    fine = lcm(*(result.denominator for result in results))
    part = gcd(*(int(result * fine) for result in results)) or 1
    unit = Fraction(part, fine)
    steps = tuple((int(result / unit), weight) for result, weight in distribution.outcomes)
    return Lattice(unit, steps, distribution.total)


class Sum(NamedTuple):
    """The result of many rounds: chances by step from `lowest` on, and a bound on their error.

    `error` bounds how far the chance of any interval can be off.
    """

    unit: Fraction
    lowest: int
    chances: "Chances"
    error: float

    def at_most(self, result: Fraction) -> float:
        """The chance of this result or a worse one."""
        last = floor(result / self.unit) - self.lowest
        return _clipped(float(self.chances[: max(last + 1, 0)].sum()))

    def at_least(self, result: Fraction) -> float:
        """The chance of this result or a better one."""
        first = ceil(result / self.unit) - self.lowest
        return _clipped(float(self.chances[max(first, 0) :].sum()))

    def quantile(self, share: float) -> Fraction:
        """The lowest result with at least this share at or below it."""
        import numpy as np

        place = int(np.searchsorted(np.cumsum(self.chances), share))
        return (self.lowest + min(place, len(self.chances) - 1)) * self.unit


def _clipped(chance: float) -> float:
    return min(max(chance, 0.0), 1.0)


def sum_of_rounds(distribution: Distribution, rounds: int, tail: float = TAIL) -> Sum:
    """The sum of so many independent rounds, with its error bound."""
    import numpy as np

    if rounds < 1:
        raise NotationError("risk.no_rounds", "at least one round is needed")
    lattice = lattice_of(distribution)
    low = max(rounds * lattice.lowest, -floor(_reach(lattice, rounds, -1, tail)))
    high = min(rounds * lattice.highest, ceil(_reach(lattice, rounds, 1, tail)))
    cells = 1 << max(high - low, 1).bit_length()
    if cells > MOST_CELLS:
        text = f"{rounds} rounds on a lattice of {lattice.unit} antes; use a rounder wager"
        raise NotationError("risk.too_fine", text)
    numbers = np.arange(cells // 2 + 1)
    wave = np.zeros(cells // 2 + 1, np.complex128)
    for step, weight in lattice.steps:
        turns = (numbers * (step % cells)) % cells
        wave += weight / lattice.total * np.exp(turns * (-2j * np.pi / cells))
    power = _power(wave, rounds)
    circle = np.fft.irfft(power, cells)
    chances = np.roll(circle, -(low % cells))
    strength = np.abs(wave) ** (2 * (rounds - 1))
    spread = 2 * float(strength.sum())
    error = (
        2 * tail
        + 16 * ROUNDOFF * rounds * sqrt(spread)
        + 5 * ROUNDOFF * log2(cells) * sqrt(cells * float((circle**2).sum()))
    )
    return Sum(lattice.unit, low, chances, error)


def _power(wave: "np.ndarray[Any, Any]", rounds: int) -> "np.ndarray[Any, Any]":
    """By squaring, where the error is known: it at most doubles with the exponent."""
    found, square = None, wave
    while rounds:
        if rounds & 1:
            found = square if found is None else found * square
        rounds >>= 1
        if rounds:
            square = square * square
    assert found is not None
    return found


def log_mean_power(lattice: Lattice) -> Callable[[float], float]:
    """The logarithm of the mean of e to the t times a round's result, as a function of t."""
    steps = [(step, log(weight) - log(lattice.total)) for step, weight in lattice.steps]

    def at(t: float) -> float:
        parts = [t * step + share for step, share in steps]
        most = max(parts)
        return most + log(sum(exp(part - most) for part in parts))

    return at


def _reach(lattice: Lattice, rounds: int, side: int, tail: float) -> float:
    """How far up (or down) the sum goes with no more than this chance to go farther: Chernoff."""
    mean_power = log_mean_power(lattice)
    return min((rounds * mean_power(side * t) - log(tail)) / t for t in _trials())


def fall_within(lattice: Lattice, rounds: int, tail: float = TAIL) -> int:
    """So many steps the sum never falls in these rounds but with this chance: Doob's bound."""
    mean_power = log_mean_power(lattice)
    best = min(
        ((rounds * max(0.0, mean_power(-t)) - log(tail)) / t for t in _trials()), default=inf
    )
    return ceil(best)


def _trials() -> list[float]:
    """Exponents to try; every one gives a valid bound, the best of them is taken."""
    return [10 ** (place / 20) for place in range(-160, 41)]
