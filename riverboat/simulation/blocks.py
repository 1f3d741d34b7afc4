"""Rounds in blocks, compiled: each with its own stream of chance, added up exactly."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.kernels.compiling import compiled_bare, compiled_within
from riverboat.simulation.dealer_rounds import AgainstDealer, settle_against_dealer
from riverboat.simulation.generator import Dealing, deal
from riverboat.simulation.settling import Felt, Owed, Terms
from riverboat.simulation.street_rounds import Streets, settle_streets


@compiled_within
def add_up(felt: Felt, totals: NDArray[np.int64], squares: NDArray[np.uint64]) -> None:
    for bet in range(totals.shape[0]):
        net = felt.net[bet]
        totals[bet] += net
        square = np.uint64(net * net)
        squares[bet, 0] += square
        squares[bet, 1] += np.uint64(squares[bet, 0] < square)


@compiled_bare
def play_streets(
    plan: Streets, terms: Terms, owed: Owed, felt: Felt, dealing: Dealing, rounds: int,
    totals: NDArray[np.int64], squares: NDArray[np.uint64],
) -> None:  # fmt: skip
    """So many rounds; what each bet came to, and its square in two words."""
    for _ in range(rounds):
        deal(dealing)
        settle_streets(plan, terms, owed, felt, dealing.deck)
        add_up(felt, totals, squares)


@compiled_bare
def play_against_dealer(
    plan: AgainstDealer, terms: Terms, owed: Owed, felt: Felt, dealing: Dealing, rounds: int,
    totals: NDArray[np.int64], squares: NDArray[np.uint64],
) -> None:  # fmt: skip
    """The same against a dealer."""
    for _ in range(rounds):
        deal(dealing)
        settle_against_dealer(plan, terms, owed, felt, dealing.deck)
        add_up(felt, totals, squares)
