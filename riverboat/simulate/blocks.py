"""Rounds in blocks, compiled: each with its own stream of chance, added up exactly.

A block is played by whoever has time, here or elsewhere, first or last: its totals are the same.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.kernels.compiling import compiled_bare, compiled_within
from riverboat.simulate.dealer_rounds import AgainstDealer, settle_against_dealer
from riverboat.simulate.generator import Dealing, deal, dealing
from riverboat.simulate.settling import Felt, Owed, Terms, empty_felt
from riverboat.simulate.street_rounds import Streets, settle_streets

ROUNDS: Final = 250_000
"""Of a block; the last one of a simulation may have fewer."""
_WORD: Final = 2**64
MOST_CENTS: Final = 2**31
"""No bet of a table may bring more in a round, so that its square is a word."""
Plan: TypeAlias = Streets | AgainstDealer


class Job(NamedTuple):
    """Everything that a block needs, as numbers."""

    plan: Plan
    terms: Terms
    owed: Owed
    cards: int
    seed: int


class Sums(NamedTuple):
    """What each bet came to over all rounds, and the sum of its squares by round, in cents."""

    rounds: int
    totals: tuple[int, ...]
    squares: tuple[int, ...]

    def __add__(self, other: object) -> "Sums":
        if not isinstance(other, Sums):
            return NotImplemented
        if not self.rounds:
            return other
        return Sums(
            self.rounds + other.rounds,
            tuple(map(sum, zip(self.totals, other.totals, strict=True))),
            tuple(map(sum, zip(self.squares, other.squares, strict=True))),
        )


NOTHING: Final = Sums(0, (), ())


@compiled_within
def _add_up(felt: Felt, totals: NDArray[np.int64], squares: NDArray[np.uint64]) -> None:
    for bet in range(totals.shape[0]):
        net = felt.net[bet]
        totals[bet] += net
        square = np.uint64(net * net)
        squares[bet, 0] += square
        squares[bet, 1] += np.uint64(squares[bet, 0] < square)


@compiled_bare
def _on_streets(
    plan: Streets, terms: Terms, owed: Owed, felt: Felt, dealing: Dealing, rounds: int,
    totals: NDArray[np.int64], squares: NDArray[np.uint64],
) -> None:  # fmt: skip
    """So many rounds; what each bet came to, and its square in two words."""
    for _ in range(rounds):
        deal(dealing)
        settle_streets(plan, terms, owed, felt, dealing.deck)
        _add_up(felt, totals, squares)


@compiled_bare
def _against_dealer(
    plan: AgainstDealer, terms: Terms, owed: Owed, felt: Felt, dealing: Dealing, rounds: int,
    totals: NDArray[np.int64], squares: NDArray[np.uint64],
) -> None:  # fmt: skip
    """The same against a dealer."""
    for _ in range(rounds):
        deal(dealing)
        settle_against_dealer(plan, terms, owed, felt, dealing.deck)
        _add_up(felt, totals, squares)


def play_block(job: Job, block: int, rounds: int) -> Sums:
    """So many rounds of one block, from its beginning."""
    bets = len(job.owed.family) + 3
    totals, squares = np.zeros(bets, np.int64), np.zeros((bets, 2), np.uint64)
    felt, dealt = empty_felt(job.terms, job.owed), dealing(job.seed, block, job.cards)
    play = _on_streets if isinstance(job.plan, Streets) else _against_dealer
    play(job.plan, job.terms, job.owed, felt, dealt, rounds, totals, squares)  # type: ignore[arg-type]
    whole = tuple(low + high * _WORD for low, high in squares.tolist())
    return Sums(rounds, tuple(totals.tolist()), whole)


def play_blocks(job: Job, blocks: Iterable[tuple[int, int]]) -> Sums:
    """Several blocks with their rounds, added up."""
    return sum((play_block(job, block, rounds) for block, rounds in blocks), NOTHING)
