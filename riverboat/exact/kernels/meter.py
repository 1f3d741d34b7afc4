"""How often a meter is seen at each height when an award is taken from it, on a grid."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverboat.exact.kernels.compiling import compiled

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
