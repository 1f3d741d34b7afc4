"""Mississippi Stud for a player who knows more than the rules allow, one hole at a time.

For a hole, `kinds[x, y, z]` is the kind of hand that three more cards make, and `sums` what each
row of results comes to over all 48 last cards. Cards that are known to be elsewhere are then only
taken away from the sums, so that a deal with dead cards costs a few look-ups for each pair.

Nothing is divided: values are sums over all boards that can still come, in their order.
"""

from typing import Any, NamedTuple

import numpy as np

from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.induction import Tree
from riverboat.exact.kernels.ranking import kind_of, with_rank
from riverboat.exact.kernels.streets import Ints

CARDS = 52
UNKNOWN = -1

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class HoleTables(NamedTuple):
    """What can become of one hole; cards that cannot come have no entry."""

    kinds: Bytes
    sums: Ints


class Path(NamedTuple):
    """What the best play without further knowledge does with one hole: 0 folds, else a bet."""

    third: int
    fourth: Ints
    fifth: Ints


@compiled
def _fill(first: Any, second: Any, results: Any, kinds: Any, sums: Any) -> None:
    rows = results.shape[1]
    start = with_rank(0, 0, 0, 0, 1 << (first >> 2))
    o2, t2, h2, f2 = with_rank(start[0], start[1], start[2], start[3], 1 << (second >> 2))
    suit = first & 3
    same = (second & 3) == suit
    for x in range(52):
        if x == first or x == second:
            continue
        o3, t3, h3, f3 = with_rank(o2, t2, h2, f2, 1 << (x >> 2))
        same_3 = same and (x & 3) == suit
        for y in range(x + 1, 52):
            if y == first or y == second:
                continue
            o4, t4, h4, f4 = with_rank(o3, t3, h3, f3, 1 << (y >> 2))
            same_4 = same_3 and (y & 3) == suit
            for z in range(y + 1, 52):
                if z == first or z == second:
                    continue
                o5, t5, h5, f5 = with_rank(o4, t4, h4, f4, 1 << (z >> 2))
                kind = kind_of(o5, t5, h5, f5, same_4 and (z & 3) == suit)
                kinds[x, y, z] = kinds[x, z, y] = kinds[y, x, z] = kind
                kinds[y, z, x] = kinds[z, x, y] = kinds[z, y, x] = kind
                for row in range(rows):
                    worth = results[kind, row]
                    sums[x, y, row] += worth
                    sums[x, z, row] += worth
                    sums[y, z, row] += worth
    for x in range(52):
        for y in range(x):
            for row in range(rows):
                sums[x, y, row] = sums[y, x, row]


@compiled
def _with_dead(kinds: Any, sums: Any, live: Any, dead: Any, tree: Any, after: Any, row: Any) -> Any:
    """The best first decision when dead cards are known, summed over all ordered boards.

    A pair of cards is valued once and counts for both its orders.
    """
    results, row_after, fold_fifth, fifth_after, fold_fourth, fourth_after, fold_third = tree
    count, rows = len(live), results.shape[1]
    states = row_after.shape[0]
    last, second = count - 2, (count - 1) * (count - 2)
    after[:] = 0
    for i in range(count):
        for j in range(i + 1, count):
            x, y = live[i], live[j]
            for r in range(rows):
                row[r] = sums[x, y, r]
            for d in dead:
                kind = kinds[x, y, d]
                for r in range(rows):
                    row[r] -= results[kind, r]
            for state in range(states):
                best = fold_fifth[state] * last
                for bet in range(row_after.shape[1]):
                    best = max(best, row[row_after[state, bet]])
                after[i, state] += best
                after[j, state] += best
    best = fold_third[0] * count * second
    for bet in range(fourth_after.shape[1]):
        state = fourth_after[0, bet]
        worth = 0
        for i in range(count):
            here = fold_fourth[state] * second
            for more in range(fifth_after.shape[1]):
                here = max(here, after[i, fifth_after[state, more]])
            worth += here
        best = max(best, worth)
    return best


@compiled
def _played(kinds: Any, sums: Any, live: Any, dead: Any, tree: Any, path: Any) -> Any:
    """What the play without that knowledge comes to over the same boards."""
    results, row_after, fold_fifth, fifth_after, fold_fourth, fourth_after, fold_third = tree
    third, fourth, fifth = path
    count = len(live)
    last, second = count - 2, (count - 1) * (count - 2)
    if third == 0:
        return fold_third[0] * count * second
    state = fourth_after[0, third - 1]
    total = 0
    for x in live:
        if fourth[x] == 0:
            total += fold_fourth[state] * second
            continue
        reached = fifth_after[state, fourth[x] - 1]
        for y in live:
            if y == x:
                continue
            if fifth[x, y] == 0:
                total += fold_fifth[reached] * last
                continue
            row = row_after[reached, fifth[x, y] - 1]
            total += sums[x, y, row]
            for d in dead:
                total -= results[kinds[x, y, d], row]
    return total


@compiled
def _find_path(sums: Any, live: Any, tree: Any, fourth: Any, fifth: Any) -> Any:
    """Backward over all boards of a hole, then the choices along the way that is taken.

    Where a bet is worth as much as a fold it is made, and of two bets the smaller.
    """
    results, row_after, fold_fifth, fifth_after, fold_fourth, fourth_after, fold_third = tree
    states = row_after.shape[0]
    after = np.zeros((52, states), np.int64)
    choice = np.zeros((52, 52, states), np.int8)
    for x in live:
        for y in live:
            if x == y:
                continue
            for state in range(states):
                best, chosen = fold_fifth[state] * 48, 0
                for bet in range(row_after.shape[1]):
                    worth = sums[x, y, row_after[state, bet]]
                    if worth > best or (chosen == 0 and worth == best):
                        best, chosen = worth, bet + 1
                choice[x, y, state] = chosen
                after[x, state] += best
    best, third = fold_third[0] * 48 * 49 * 50, 0
    for bet in range(fourth_after.shape[1]):
        state, worth = fourth_after[0, bet], 0
        for x in live:
            here = fold_fourth[state] * 48 * 49
            for more in range(fifth_after.shape[1]):
                here = max(here, after[x, fifth_after[state, more]])
            worth += here
        if worth > best or (third == 0 and worth == best):
            best, third = worth, bet + 1
    if third == 0:
        return third
    state = fourth_after[0, third - 1]
    for x in live:
        here = fold_fourth[state] * 48 * 49
        for more in range(fifth_after.shape[1]):
            worth = after[x, fifth_after[state, more]]
            if worth > here or (fourth[x] == 0 and worth == here):
                here = worth
                fourth[x] = more + 1
        if fourth[x]:
            reached = fifth_after[state, fourth[x] - 1]
            for y in live:
                fifth[x, y] = choice[x, y, reached]
    return third


@compiled
def _knowing(kinds: Any, live: Any, tree: Any, known: Any) -> Any:
    """The best first decision when some community cards are known by their place.

    `known` has a card or -1 for each place; the sum is over the ordered boards that are left.
    """
    results, row_after, fold_fifth, fifth_after, fold_fourth, fourth_after, fold_third = tree
    rows, states = results.shape[1], row_after.shape[0]
    row, after = np.empty(rows, np.int64), np.empty(states, np.int64)
    worth_third = np.zeros(fourth_after.shape[1], np.int64)
    firsts = live if known[0] < 0 else known[0:1]
    seconds = live if known[1] < 0 else known[1:2]
    thirds = live if known[2] < 0 else known[2:3]
    boards = 0
    for x in firsts:
        if x in (known[1], known[2]):
            continue
        after[:] = 0
        second = 0
        for y in seconds:
            if y in (x, known[2]):
                continue
            row[:] = 0
            last = 0
            for z in thirds:
                if z in (x, y):
                    continue
                last += 1
                kind = kinds[x, y, z]
                for r in range(rows):
                    row[r] += results[kind, r]
            second += last
            for state in range(states):
                best = fold_fifth[state] * last
                for bet in range(row_after.shape[1]):
                    best = max(best, row[row_after[state, bet]])
                after[state] += best
        boards += second
        for bet in range(fourth_after.shape[1]):
            state = fourth_after[0, bet]
            here = fold_fourth[state] * second
            for more in range(fifth_after.shape[1]):
                here = max(here, after[fifth_after[state, more]])
            worth_third[bet] += here
    best = fold_third[0] * boards
    for bet in range(len(worth_third)):
        best = max(best, worth_third[bet])
    return best


@compiled
def _sum_knowing(kinds: Any, live: Any, tree: Any, places: Any) -> Any:
    """The same summed over all cards that can lie in the known places, one place or two."""
    known = np.full(3, -1, np.int64)
    total = 0
    for x in live:
        known[places[0]] = x
        if len(places) == 1:
            total += _knowing(kinds, live, tree, known)
            continue
        for y in live:
            if y != x:
                known[places[1]] = y
                total += _knowing(kinds, live, tree, known)
    return total


@compiled
def _sum_with_dead(tables: Any, hole: Any, pairs: Any, weights: Any, tree: Any) -> Any:
    """The best play's values against each dead pair, each as often as its weight says."""
    kinds, sums = tables
    live = np.empty(48, np.int64)
    after = np.empty((48, tree[1].shape[0]), np.int64)
    row = np.empty(tree[0].shape[1], np.int64)
    total = 0
    for number in range(len(pairs)):
        dead = pairs[number]
        count = 0
        for card in range(52):
            if card not in (hole[0], hole[1], dead[0], dead[1]):
                live[count] = card
                count += 1
        total += weights[number] * _with_dead(kinds, sums, live, dead, tree, after, row)
    return total


def hole_tables(hole: tuple[int, int], tree: Tree) -> HoleTables:
    """The kinds of hand that a hole can become, and what they come to."""
    kinds = np.zeros((CARDS, CARDS, CARDS), np.uint8)
    sums = np.zeros((CARDS, CARDS, tree.results.shape[1]), np.int64)
    _fill(hole[0], hole[1], tree.results, kinds, sums)
    return HoleTables(kinds, sums)


def live_cards(*out: int) -> Ints:
    """The deck without some cards."""
    return np.array([card for card in range(CARDS) if card not in out], np.int64)


def value_with_dead(tables: HoleTables, live: Ints, dead: Ints, tree: Tree) -> int:
    """The best play's value against known dead cards, summed over all ordered boards."""
    after = np.empty((len(live), tree.row_after.shape[0]), np.int64)
    row = np.empty(tree.results.shape[1], np.int64)
    return int(_with_dead(tables.kinds, tables.sums, live, dead, tuple(tree), after, row))


def value_played(tables: HoleTables, live: Ints, dead: Ints, tree: Tree, path: Path) -> int:
    """The same boards played as if nothing were known."""
    return int(_played(tables.kinds, tables.sums, live, dead, tuple(tree), tuple(path)))


def path_of(hole: tuple[int, int], tables: HoleTables, tree: Tree) -> Path:
    """The best play of a hole without further knowledge."""
    fourth, fifth = np.zeros(CARDS, np.int64), np.zeros((CARDS, CARDS), np.int64)
    third = int(_find_path(tables.sums, live_cards(*hole), tuple(tree), fourth, fifth))
    return Path(third, fourth, fifth)


def value_knowing(
    hole: tuple[int, int], tables: HoleTables, tree: Tree, known: tuple[int, int, int]
) -> int:
    """The best play's value when community cards are known, summed over the boards left."""
    places = np.array(known, np.int64)
    return int(_knowing(tables.kinds, live_cards(*hole), tuple(tree), places))


def sum_knowing(
    hole: tuple[int, int], tables: HoleTables, tree: Tree, places: tuple[int, ...]
) -> int:
    """The values for all cards that one or two known places can hold, summed over all boards."""
    where = np.array(places, np.int64)
    return int(_sum_knowing(tables.kinds, live_cards(*hole), tuple(tree), where))


def sum_with_dead(
    hole: tuple[int, int], tables: HoleTables, tree: Tree, pairs: Ints, weights: Ints
) -> int:
    """The values against dead pairs, weighted, each summed over its boards."""
    return int(_sum_with_dead(tuple(tables), hole, pairs, weights, tuple(tree)))
