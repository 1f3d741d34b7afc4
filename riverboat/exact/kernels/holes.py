"""Three streets one hole at a time: for a player who knows more than the rules allow, and for seats
that play the same community cards.

For a hole, `kinds[x, y, z]` is the kind of hand that three more cards make, and `sums` what each
row of results comes to over all 48 last cards. Cards that are known to be elsewhere are then only
taken away from the sums, so that a deal with dead cards costs a few look-ups for each pair.

Nothing is divided: values are sums over all boards that can still come, in their order.
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.deck_tables import Ints, deck_in_short
from riverboat.exact.kernels.hand_values import kind_of, with_rank
from riverboat.exact.kernels.street_plans import Path, Tree, backward, path_of

CARDS = 52

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

PAIRS_OF_HOLES = 1176 * 1081
BOARDS = 52 * 51 * 50
_SAFE = 2**62


class HoleTables(NamedTuple):
    """What can become of one hole; cards that cannot come have no entry."""

    kinds: Bytes
    sums: Ints


@compiled
def _fill(hole: Any, live: Any, results: Any, kinds: Any, sums: Any) -> None:
    first, second = hole
    o1, t1, h1, f1 = with_rank(0, 0, 0, 0, 1 << (first >> 2))
    o2, t2, h2, f2 = with_rank(o1, t1, h1, f1, 1 << (second >> 2))
    suit = first & 3
    same = (second & 3) == suit
    for i in range(50):
        x = live[i]
        o3, t3, h3, f3 = with_rank(o2, t2, h2, f2, 1 << (x >> 2))
        same_3 = same and (x & 3) == suit
        for j in range(i + 1, 50):
            y = live[j]
            o4, t4, h4, f4 = with_rank(o3, t3, h3, f3, 1 << (y >> 2))
            same_4 = same_3 and (y & 3) == suit
            for k in range(j + 1, 50):
                z = live[k]
                o5, t5, h5, f5 = with_rank(o4, t4, h4, f4, 1 << (z >> 2))
                kind = kind_of(o5, t5, h5, f5, same_4 and (z & 3) == suit)
                kinds[x, y, z] = kinds[x, z, y] = kinds[y, x, z] = kind
                kinds[y, z, x] = kinds[z, x, y] = kinds[z, y, x] = kind
                for row in range(results.shape[1]):
                    worth = results[kind, row]
                    sums[x, y, row] += worth
                    sums[x, z, row] += worth
                    sums[y, z, row] += worth
    for x in range(52):
        for y in range(x):
            sums[x, y] = sums[y, x]


@compiled
def _best(folding: Any, worths: Any, reached: Any) -> Any:
    """The best that can be done on a street: a fold, or a bet by what it reaches is worth."""
    best = folding
    for after in reached:
        best = max(best, worths[after])
    return best


@compiled
def value_with_dead(tables: HoleTables, live: Ints, dead: Ints, tree: Tree) -> int:
    """The best play's value when dead cards are known, summed over all ordered boards.

    A pair of cards is valued once and counts for both its orders.
    """
    count, rows = len(live), tree.results.shape[1]
    second = (count - 1) * (count - 2)
    after = np.zeros((count, len(tree.row_after)), np.int64)
    row = np.empty(rows, np.int64)
    for i in range(count):
        for j in range(i + 1, count):
            x, y = live[i], live[j]
            for r in range(rows):
                row[r] = tables.sums[x, y, r]
            for d in dead:
                kind = tables.kinds[x, y, d]
                for r in range(rows):
                    row[r] -= tree.results[kind, r]
            for state in range(len(tree.row_after)):
                best = _best(tree.fold_fifth[state] * (count - 2), row, tree.row_after[state])
                after[i, state] += best
                after[j, state] += best
    value: int = tree.fold_third[0] * count * second
    for state in tree.fourth_after[0]:
        worth = 0
        for i in range(count):
            worth += _best(tree.fold_fourth[state] * second, after[i], tree.fifth_after[state])
        value = max(value, worth)
    return value


@compiled
def value_played(tables: HoleTables, live: Ints, dead: Ints, tree: Tree, path: Path) -> int:
    """The same boards played as if nothing were known."""
    count = len(live)
    last, second = count - 2, (count - 1) * (count - 2)
    total: int = 0
    if path.third == 0:
        total += tree.fold_third[0] * count * second
        return total
    state = tree.fourth_after[0, path.third - 1]
    for x in live:
        if path.fourth[x] == 0:
            total += tree.fold_fourth[state] * second
            continue
        reached = tree.fifth_after[state, path.fourth[x] - 1]
        for y in live:
            if y == x:
                continue
            if path.fifth[x, y] == 0:
                total += tree.fold_fifth[reached] * last
                continue
            row = tree.row_after[reached, path.fifth[x, y] - 1]
            total += tables.sums[x, y, row]
            for d in dead:
                total -= tree.results[tables.kinds[x, y, d], row]
    return total


@compiled
def _last_cards(made: Any, x: Any, y: Any, live: Any, known: Any, tree: Any, row: Any) -> Any:
    """Sum the results over the last cards that can come, or take the one that is known."""
    row[:] = 0
    if known[2] >= 0:
        row += tree.results[made[known[2]]]
        return 1
    for z in live:
        if z not in (x, y):
            row += tree.results[made[z]]
    return len(live) - 2


@compiled
def value_knowing(tables: HoleTables, live: Ints, tree: Tree, known: Ints) -> int:
    """The best play's value when some community cards are known by their place.

    `known` has a card or -1 for each place; the sum is over the ordered boards that are left.
    """
    firsts, states = tree.fourth_after[0], len(tree.row_after)
    row, after = np.empty(tree.results.shape[1], np.int64), np.empty(states, np.int64)
    worths = np.zeros(len(firsts), np.int64)
    seconds = live if known[1] < 0 else known[1:2]
    boards = 0
    for x in live if known[0] < 0 else known[0:1]:
        if x in (known[1], known[2]):
            continue
        after[:] = 0
        second = 0
        for y in seconds:
            if y in (x, known[2]):
                continue
            last = _last_cards(tables.kinds[x, y], x, y, live, known, tree, row)
            second += last
            for state in range(states):
                after[state] += _best(tree.fold_fifth[state] * last, row, tree.row_after[state])
        boards += second
        for bet, state in enumerate(firsts):
            folding = tree.fold_fourth[state] * second
            worths[bet] += _best(folding, after, tree.fifth_after[state])
    value: int = max(tree.fold_third[0] * boards, worths.max())
    return value


@compiled
def sum_knowing(tables: HoleTables, live: Ints, tree: Tree, places: Ints) -> int:
    """The same summed over all cards that can lie in the known places, one place or two."""
    known = np.full(3, -1, np.int64)
    total = 0
    for x in live:
        known[places[0]] = x
        if len(places) == 1:
            total += value_knowing(tables, live, tree, known)
            continue
        for y in live:
            if y != x:
                known[places[1]] = y
                total += value_knowing(tables, live, tree, known)
    return total


@compiled
def sum_with_dead(tables: HoleTables, live: Ints, tree: Tree, pairs: Ints, weights: Ints) -> int:
    """The best play's values against each dead pair of the live cards, each as often as said."""
    total = 0
    for number in range(len(pairs)):
        dead = pairs[number]
        others = live[(live != dead[0]) & (live != dead[1])]
        total += weights[number] * value_with_dead(tables, others, dead, tree)
    return total


def hole_tables(hole: tuple[int, ...], tree: Tree) -> HoleTables:
    """The kinds of hand that a hole can become, and what they come to."""
    kinds = np.zeros((CARDS, CARDS, CARDS), np.uint8)
    sums = np.zeros((CARDS, CARDS, tree.results.shape[1]), np.int64)
    _fill(hole, live_cards(*hole), tree.results, kinds, sums)
    return HoleTables(kinds, sums)


def live_cards(*out: int) -> Ints:
    """The deck without some cards."""
    return np.array([card for card in range(CARDS) if card not in out], np.int64)


@compiled
def _add_board(kinds: Any, live: Any, tree: Any, path: Any, hole: Any, sums: Any) -> None:
    total, by_card, squares = sums
    for x in live:
        for y in live:
            if y == x:
                continue
            row, net = -1, tree.fold_third[0]
            if path.third:
                state = tree.fourth_after[0, path.third - 1]
                net = tree.fold_fourth[state]
                if path.fourth[x]:
                    reached = tree.fifth_after[state, path.fourth[x] - 1]
                    net = tree.fold_fifth[reached]
                    if path.fifth[x, y]:
                        row = tree.row_after[reached, path.fifth[x, y] - 1]
            for z in live:
                if z in (x, y):
                    continue
                if row >= 0:
                    net = tree.results[kinds[x, y, z], row]
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
    plan = backward(deck_in_short(), tree, ties_bet=True)
    for hole in combinations(range(CARDS), 2):
        kinds, path = hole_tables(hole, tree).kinds, path_of(hole, tree, plan)
        _add_board(kinds, live_cards(*hole), added, path, hole, sums)
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
