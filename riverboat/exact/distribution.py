"""What one round can bring and how often: whole-number weights, so that nothing is rounded."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import sqrt

from msgspec import Struct


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
