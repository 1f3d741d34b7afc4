"""What is known about a bet, exactly: fractions for machines, properties for print."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from riverboat.core.money import Cents
from riverboat.exact.distribution import Distribution

FOLDED = "folded"
"""The line of hands that a fold has lost, where a fold forfeits the bet."""


class LineFigures(Struct, frozen=True, kw_only=True):
    """One line of a pay table: which hands, how often, and what it brings.

    `net` is the player's result in units of the wager; `returns` is what the line adds to the
    expectation.
    """

    label: str
    kinds: tuple[str, ...]
    combinations: int
    probability: Fraction
    pays: str
    net: Fraction
    returns: Fraction


def folded_line(chance: Fraction) -> Iterator[LineFigures]:
    """What a fold takes, as a line after those of the pay table; none where nothing is folded."""
    if chance:
        yield LineFigures(label=FOLDED, kinds=(), combinations=0, probability=chance,
                          pays="lose", net=Fraction(-1), returns=-chance)  # fmt: skip


class BetFigures(Struct, frozen=True, kw_only=True):
    """A side bet under one pay table and at one wager."""

    rulebook: str
    bet: str
    paytable: str
    status: str
    wager_cents: Cents
    lines: tuple[LineFigures, ...]
    ev: Fraction
    hit_frequency: Fraction
    distribution: Distribution
    capped: bool = False
    assumptions: tuple[str, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a wager."""
        return -self.ev

    @property
    def combinations(self) -> int:
        """All hands that the bet can be decided by."""
        return sum(line.combinations for line in self.lines)

    @property
    def standard_deviation(self) -> float:
        """Of one wager, for print."""
        return self.distribution.standard_deviation


class HandFigures(Struct, frozen=True, kw_only=True):
    """A player's final hand: how often it is dealt, how often it is bet, and how it ends then."""

    hand: str
    probability: Fraction
    bet: Fraction
    wins: Fraction
    pushes: Fraction
    loses: Fraction


class DealerGameFigures(Struct, frozen=True, kw_only=True):
    """A game against the dealer under one way of playing, in antes.

    `ties` says what is done where betting and folding are worth the same; it is empty where the
    way of playing is not the best one.
    """

    rulebook: str
    paytable: str
    wager_cents: Cents
    ties: str
    ev: Fraction
    average_wager: Fraction
    fold_frequency: Fraction
    bet_frequencies: dict[int, Fraction]
    at_par_frequency: Fraction
    hands: tuple[HandFigures, ...]
    distribution: Distribution
    capped: bool
    assumptions: tuple[str, ...]

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of an ante."""
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        """What the house keeps of all that is bet."""
        return -self.ev / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """The share of rounds that the player wins."""
        return self.distribution.win_push_loss[0]

    @property
    def standard_deviation(self) -> float:
        """Of one round, for print."""
        return self.distribution.standard_deviation

    @property
    def skewness(self) -> float:
        """Of one round, for print."""
        return self.distribution.skewness
