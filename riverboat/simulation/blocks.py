"""Rounds in blocks, compiled: each with its own stream of chance, added up exactly."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.kernels.compiling import compiled_bare
from riverboat.simulation.generator import Dealing, deal
from riverboat.simulation.settling import Felt, Owed, Terms
from riverboat.simulation.street_rounds import Streets, settle_streets

@compiled_bare
def play_streets(
    streets: Streets, terms: Terms, owed: Owed, felt: Felt, dealing: Dealing, rounds: int,
    totals: NDArray[np.int64], squares: NDArray[np.uint64],
) -> None:  # fmt: skip
    """So many rounds; what each bet came to, and its square in two words."""
    for _ in range(rounds):
        deal(dealing)
        settle_streets(streets, terms, owed, felt, dealing.deck)
        for bet in range(totals.shape[0]):
            net = felt.net[bet]
            totals[bet] += net
            square = np.uint64(net * net)
            squares[bet, 0] += square
            squares[bet, 1] += np.uint64(squares[bet, 0] < square)
