"""What a round can bring: one bar for each result, or for a stretch of them where they are many."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from riverboat.exact.distribution import Distribution
from riverboat.plots.axes import (
    BLUE,
    FINE,
    MARGIN,
    QUIET,
    RED,
    WIDTH,
    Picture,
    Source,
    percent,
    signed,
    width_of,
)

MOST_BARS = 26
_EDGES = tuple(m * 10**power for power in range(1, 9) for m in (1, 2, 5))
_PUSH = "#8a8a8a"
_RARE = Fraction(1, 2000)


class Bar(NamedTuple):
    """Results from one to another, both included, and their chance."""

    low: Fraction
    high: Fraction
    chance: Fraction

    @property
    def label(self) -> str:
        """The result, or the stretch, with signs."""
        if self.low == self.high:
            return signed(self.low)
        return f"{signed(self.low)} to {signed(self.high)}"


def bars(distribution: Distribution) -> tuple[Bar, ...]:
    """Every result for itself if they are few; else small ones, and the others in stretches."""
    total = distribution.total
    each = [(result, Fraction(weight, total)) for result, weight in distribution.outcomes]
    if len(each) <= MOST_BARS:
        return tuple(Bar(result, result, chance) for result, chance in each)
    return tuple(_in_stretches(each))


def _in_stretches(each: list[tuple[Fraction, Fraction]]) -> Iterator[Bar]:
    limits = (*(-edge for edge in reversed(_EDGES)), *range(-9, 10), *_EDGES)
    for below, upto in pairwise(limits):
        inside = [(result, chance) for result, chance in each if below < result <= upto]
        if inside:
            chance = sum((chance for _, chance in inside), Fraction(0))
            yield Bar(inside[0][0], inside[-1][0], chance)


def distribution_chart(
    distribution: Distribution, source: Source, where: str, unit: str = "antes"
) -> str:
    """Bars from the largest loss down to the largest win."""
    win, push, loss = distribution.win_push_loss
    picture = Picture(
        "What one round brings",
        f"{where}: net result in {unit}, and its probability. On average "
        f"{_average(distribution.mean)} {unit}, standard deviation "
        f"{distribution.standard_deviation:,.2f}.",
        f"Bars of probability by net result: ahead {percent(win)}, even {percent(push)}, behind "
        f"{percent(loss)}.",
    )
    drawn = bars(distribution)
    labels = MARGIN + max(width_of(bar.label, FINE) for bar in drawn) + 4
    most = max(bar.chance for bar in drawn)
    room = WIDTH - MARGIN - 62 - labels
    high, top = 16, picture.bottom + 4
    for number, bar in enumerate(drawn):
        y, length = top + number * high, max(0.8, float(bar.chance / most) * room)
        fill = BLUE if bar.low > 0 else RED if bar.high < 0 else _PUSH
        said = _chance(bar.chance)
        picture.text(labels - 4, y + 11.5, bar.label, size=FINE, anchor="end")
        picture.rect(labels, y + 2, length, high - 4, fill, f"{bar.label}: {said}", "bar")
        picture.text(labels + length + 4, y + 11.5, said, size=FINE, fill=QUIET)
    picture.line(labels, top, labels, top + len(drawn) * high, stroke=QUIET)
    picture.bottom = top + len(drawn) * high + 8
    ends = ((RED, "behind", loss), (_PUSH, "even", push), (BLUE, "ahead", win))
    picture.legend([(fill, f"{end}, {_chance(share)}") for fill, end, share in ends if share])
    return picture.svg(source)


def _chance(chance: Fraction) -> str:
    return f"1 in {float(1 / chance):,.0f}" if chance < _RARE else percent(chance)


def _average(mean: Fraction) -> str:
    return f"{float(mean):+,.4f}".replace("-", "−")
