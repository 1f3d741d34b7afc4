"""How the hands of one table hang together: everybody at it plays the same community cards.

For every ordered board the results of all holes are added up: all of them, by each card of a hole,
and squared. Two holes that share no card are then

    (all)^2 - sum over cards of (by card)^2 + squares

since a pair of holes that shares one card is counted by that card, and a hole with itself by two.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.induction import Tree
from riverboat.exact.kernels.protecting import CARDS, hole_tables, live_cards, path_of
from riverboat.exact.kernels.streets import Ints

PAIRS_OF_HOLES = 1176 * 1081
BOARDS = 52 * 51 * 50
_SAFE = 2**62


@compiled
def _add(kinds: Any, live: Any, tree: Any, path: Any, hole: Any, sums: Any) -> None:
    results, row_after, fold_fifth, fifth_after, fold_fourth, fourth_after, fold_third = tree
    third, fourth, fifth = path
    total, by_card, squares = sums
    for x in live:
        for y in live:
            if y == x:
                continue
            row, net = -1, fold_third[0]
            if third:
                state = fourth_after[0, third - 1]
                net = fold_fourth[state]
                if fourth[x]:
                    reached = fifth_after[state, fourth[x] - 1]
                    net = fold_fifth[reached]
                    if fifth[x, y]:
                        row = row_after[reached, fifth[x, y] - 1]
            for z in live:
                if z in (x, y):
                    continue
                if row >= 0:
                    net = results[kinds[x, y, z], row]
                total[x, y, z] += net
                squares[x, y, z] += net * net
                by_card[x, y, z, hole[0]] += net
                by_card[x, y, z, hole[1]] += net


class BoardSums(NamedTuple):
    """For every ordered board what all holes together come to, by card of the hole, and squared."""

    total: Ints
    by_card: Ints
    squares: Ints

    @property
    def together(self) -> Ints:
        """For every board the products of the results of two holes that share no card."""
        shared: Ints = (self.by_card * self.by_card).sum(axis=3)
        return self.total * self.total - shared + self.squares


def board_sums(tree: Tree, counting: Tree | None = None) -> BoardSums:
    """Every hole on every board, played as well as can be; what is added up may be another thing
    than what is played for."""
    shape = (CARDS, CARDS, CARDS)
    by_card = np.zeros((*shape, CARDS), np.int64)
    sums = BoardSums(np.zeros(shape, np.int64), by_card, np.zeros(shape, np.int64))
    added = counting or tree
    biggest = max(int(abs(added.results).max()), int(abs(added.fold_fifth).max()))
    assert (biggest * 1176) ** 2 < _SAFE, "results too big for the machine's integers"
    for hole in combinations(range(CARDS), 2):
        tables = hole_tables(hole, tree)
        path = path_of(hole, tables, tree)
        _add(tables.kinds, live_cards(*hole), tuple(added), tuple(path), hole, tuple(sums))
    return sums


def stayers(tree: Tree) -> BoardSums:
    """How many holes the best play takes to the end on every board."""
    return board_sums(
        tree,
        tree._replace(
            results=np.ones_like(tree.results),
            fold_fifth=np.zeros_like(tree.fold_fifth),
            fold_fourth=np.zeros_like(tree.fold_fourth),
            fold_third=np.zeros_like(tree.fold_third),
        ),
    )


def sum_of_products(tree: Tree) -> int:
    """The results of two players multiplied, over all boards and pairs of holes, best play."""
    return sum(board_sums(tree).together.ravel().tolist())
