"""Backward from the last card to the first decision, and forward again along what was chosen.

What was bet so far is a state. `row_after[state, bet]` is the row of results that a bet on fifth
street leads to, `fifth_after` and `fourth_after` the states that the earlier bets lead to. A choice
is 0 for a fold, and else the number of the bet, counted from one.

Nothing is divided: a value on fifth street is the sum over 48 cards, on fourth street over 48 × 49,
on third street over 48 × 49 × 50. Results that are too big for that run through the same functions
uncompiled, on arrays of Python's integers, which cannot overflow.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.base_games.street_payoffs import Bets, Payoffs, coarsest
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.deck_tables import Cards, Ints
from riverboat.exact.kernels.hand_values import KIND_COUNT

Choices = NDArray[np.int8]


_SAFE = 2**62
_CASES = 48 * 49 * 50


class Tree(NamedTuple):
    """The bets and what they come to, as arrays. `results` has a row for each kind of hand."""

    results: Ints
    row_after: Ints
    fold_fifth: Ints
    fifth_after: Ints
    fold_fourth: Ints
    fourth_after: Ints
    fold_third: Ints


class Plan(NamedTuple):
    """What to do and what it is worth: for every class of cards and state of the bets."""

    third: Choices
    fourth: Choices
    fifth: Choices
    value_third: Ints
    value_fourth: Ints
    value_fifth: Ints


class Flow(NamedTuple):
    """How often each thing happens, of 1,326 × 50 × 49 × 48 equally likely cases.

    Choices by street, state and choice; results by the state on fifth street, bet and kind.
    """

    third: Ints
    fourth: Ints
    fifth: Ints
    results: Ints


def _street(
    start: Ints, to: Ints, ways: Ints, later: Ints, after: Ints, folds: Ints, scale: int,
    ties_bet: bool, value: Ints, choice: Choices, sums: Ints,
) -> None:  # fmt: skip
    """The best choice of every class and state; `later` is what each way on is worth, for the last
    street the results of each kind of hand."""
    states, bets = after.shape
    width = later.shape[1]
    for number in range(start.shape[0] - 1):
        for state in range(width):
            sums[state] = 0
        for entry in range(start[number], start[number + 1]):
            times = ways[entry]
            target = to[entry]
            for state in range(width):
                sums[state] += times * later[target, state]
        for state in range(states):
            best = folds[state] * scale
            chosen = 0
            for bet in range(bets):
                worth = sums[after[state, bet]]
                if worth > best or (ties_bet and chosen == 0 and worth == best):
                    best = worth
                    chosen = bet + 1
            value[number, state] = best
            choice[number, state] = chosen


_fast_street = compiled(_street)


def backward(cards: Cards, tree: Tree, *, ties_bet: bool) -> Plan:
    """The best choice everywhere. Results too big for the machine's integers come as objects."""
    exact = tree.results.dtype == object
    kind = object if exact else np.int64
    ways_3, ways_4, ways_5 = (
        ways.astype(kind, copy=False) for ways in (cards.ways_3, cards.ways_4, cards.ways_5)
    )
    street = _street if exact else _fast_street
    after_third, after_fourth = tree.fold_fourth.size, tree.fold_fifth.size
    classes = [start.size - 1 for start in (cards.start_2, cards.start_3, cards.start_4)]
    values = [
        np.empty(shape, kind) for shape in zip(classes, (1, after_third, after_fourth), strict=True)
    ]
    choices = [np.empty(value.shape, np.int8) for value in values]
    street(
        cards.start_4, cards.kind, ways_5, tree.results, tree.row_after, tree.fold_fifth,
        48, ties_bet, values[2], choices[2], np.zeros(tree.results.shape[1], kind),
    )  # fmt: skip
    street(
        cards.start_3, cards.to_4, ways_4, values[2], tree.fifth_after, tree.fold_fourth,
        48 * 49, ties_bet, values[1], choices[1], np.zeros(after_fourth, kind),
    )  # fmt: skip
    street(
        cards.start_2, cards.to_3, ways_3, values[1], tree.fourth_after, tree.fold_third,
        48 * 49 * 50, ties_bet, values[0], choices[0], np.zeros(after_third, kind),
    )  # fmt: skip
    (third, fourth, fifth), (first, second, last) = choices, values
    return Plan(third, fourth, fifth, first, second, last)


@compiled
def _go_on(
    reach: Ints, cases: int, choice: Choices, after: Ints, start: Ints, to: Ints, ways: Ints,
    onward: Ints,
) -> Ints:  # fmt: skip
    """Count what is chosen on a street, and carry those who bet to the next in `onward`."""
    did = np.zeros((after.shape[0], after.shape[1] + 1), np.int64)
    for number in range(reach.shape[0]):
        for state in range(reach.shape[1]):
            times = reach[number, state]
            if times == 0:
                continue
            chosen = choice[number, state]
            did[state, chosen] += times * cases
            if chosen:
                target = after[state, chosen - 1]
                for entry in range(start[number], start[number + 1]):
                    onward[to[entry], target] += times * ways[entry]
    return did


@compiled
def _finish(
    reach: Ints, choice: Choices, bets: int, start: Ints, kind: Ints, ways: Ints
) -> tuple[Ints, Ints]:
    """Count what is chosen on fifth street, and the hands of those who bet."""
    states = reach.shape[1]
    did = np.zeros((states, bets + 1), np.int64)
    results = np.zeros((states, bets, KIND_COUNT), np.int64)
    for number in range(reach.shape[0]):
        for state in range(states):
            times = reach[number, state]
            if times == 0:
                continue
            chosen = choice[number, state]
            did[state, chosen] += times * 48
            if chosen:
                for entry in range(start[number], start[number + 1]):
                    results[state, chosen - 1, kind[entry]] += times * ways[entry]
    return did, results


def forward(cards: Cards, tree: Tree, plan: Plan) -> Flow:
    """How often the plan does what, and what it comes to."""
    on_third = cards.weight.reshape(-1, 1)
    on_fourth = np.zeros(plan.fourth.shape, np.int64)
    on_fifth = np.zeros(plan.fifth.shape, np.int64)
    third = _go_on(
        on_third, 48 * 49 * 50, plan.third, tree.fourth_after, cards.start_2, cards.to_3,
        cards.ways_3, on_fourth,
    )  # fmt: skip
    fourth = _go_on(
        on_fourth, 48 * 49, plan.fourth, tree.fifth_after, cards.start_3, cards.to_4,
        cards.ways_4, on_fifth,
    )  # fmt: skip
    bets = tree.row_after.shape[1]
    fifth, results = _finish(on_fifth, plan.fifth, bets, cards.start_4, cards.kind, cards.ways_5)
    return Flow(third, fourth, fifth, results)


class Betting(NamedTuple):
    """The arrays, the state that each bet so far leads to, and what one unit of them is worth."""

    tree: Tree
    states: dict[Bets, int]
    part: int


def betting_of(payoffs: Payoffs, *, apart: bool = False) -> Betting:
    """States with the same future are one, unless a strategy is to tell them `apart`.

    Values are divided by the largest part that goes into all of them; if their sums could still
    pass the machine's integers, the arrays hold Python's.
    """
    third, fourth, fifth = payoffs.multiples
    folded = payoffs.folded
    states: dict[Bets, int] = {(): 0}
    on_fifth: dict[tuple[object, ...], int] = {}
    on_fourth: dict[tuple[object, ...], int] = {}
    for first in third:
        for second in fourth:
            so_far = (first, second)
            rows = [payoffs.paid[(*so_far, last)] for last in fifth]
            key = (folded[so_far], tuple(rows), so_far if apart else ())
            states[so_far] = on_fifth.setdefault(key, len(on_fifth))
        after = tuple(states[(first, second)] for second in fourth)
        fourth_key = (folded[(first,)], after, first if apart else 0)
        states[(first,)] = on_fourth.setdefault(fourth_key, len(on_fourth))
    part = coarsest(payoffs.rows, tuple(folded.values()))
    kind = np.int64 if payoffs.biggest // part * _CASES < _SAFE else object
    results = np.array([[cell // part for cell in row] for row in payoffs.rows], kind)
    tree = Tree(
        results=np.ascontiguousarray(results.T),
        row_after=np.array([key[1] for key in on_fifth], np.int64),
        fold_fifth=np.array([int(str(key[0])) // part for key in on_fifth], kind),
        fifth_after=np.array([key[1] for key in on_fourth], np.int64),
        fold_fourth=np.array([int(str(key[0])) // part for key in on_fourth], kind),
        fourth_after=np.array([[states[(first,)] for first in third]], np.int64),
        fold_third=np.array([folded[()] // part], kind),
    )
    return Betting(tree, states, part)
