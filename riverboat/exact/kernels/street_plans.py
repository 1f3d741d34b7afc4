"""Backward from the last card to the first decision, and forward again along what was chosen.

What was bet so far is a state. `row_after[state, bet]` is the row of results that a bet on fifth
street leads to, `fifth_after` and `fourth_after` the states that the earlier bets lead to. A choice
is 0 for a fold, and else the number of the bet, counted from one.

Nothing is divided: a value on fifth street is the sum over 48 cards, on fourth street over 48 × 49,
on third street over 48 × 49 × 50. Results that are too big for that run through the same functions
uncompiled, on arrays of Python's integers, which cannot overflow.
"""

from collections.abc import Sequence
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import Card
from riverboat.exact.base_games.street_payoffs import Bets, Payoffs
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.deck_tables import (
    Cards,
    Ints,
    Ways,
    class_keys,
    class_number,
    four_number,
)
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
    """What to do and what it is worth by street, for every class of cards and state of the bets."""

    choices: tuple[Choices, ...]
    values: tuple[Ints, ...]


class Path(NamedTuple):
    """What is done with one hole, by the community cards in their order: 0 folds, else a bet."""

    third: int
    fourth: Ints
    fifth: Ints


class Flow(NamedTuple):
    """How often each thing happens, of 1,326 × 50 × 49 × 48 equally likely cases.

    Choices by street, state and choice; results by the state on fifth street, bet and kind.
    """

    choices: tuple[Ints, ...]
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
    kind = tree.results.dtype
    street = _street if kind.hasobject else _fast_street
    bets = (
        (tree.row_after, tree.fold_fifth, 48),
        (tree.fifth_after, tree.fold_fourth, 48 * 49),
        (tree.fourth_after, tree.fold_third, 48 * 49 * 50),
    )
    later, values, choices = tree.results, [], []
    for (start, to, times), (after, folds, scale) in zip(reversed(cards.ways), bets, strict=True):
        value = np.empty((len(start) - 1, len(after)), kind)
        choice = np.empty(value.shape, np.int8)
        street(
            start, to, times.astype(kind, copy=False), later, after, folds, scale,
            ties_bet, value, choice, np.zeros(later.shape[1], kind),
        )  # fmt: skip
        values.append(value)
        choices.append(choice)
        later = value
    return Plan(tuple(reversed(choices)), tuple(reversed(values)))


@compiled
def _go_on(reach: Ints, cases: int, choice: Choices, after: Ints, ways: Ways, onward: Ints) -> Ints:
    """Count what is chosen on a street, and carry those who bet to the next in `onward`."""
    start, to, often = ways
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
                    onward[to[entry], target] += times * often[entry]
    return did


def forward(cards: Cards, tree: Tree, choices: Sequence[Choices]) -> Flow:
    """How often these choices do what, and what it comes to: a bet on the last street leads to
    kinds of hand, each state and bet for itself."""
    ends = np.arange(tree.row_after.size).reshape(tree.row_after.shape)
    reach, did = cards.weight.reshape(-1, 1), []
    streets = (
        (choices[0], tree.fourth_after, choices[1].shape, 48 * 49 * 50),
        (choices[1], tree.fifth_after, choices[2].shape, 48 * 49),
        (choices[2], ends, (KIND_COUNT, ends.size), 48),
    )
    for (choice, after, shape, cases), ways in zip(streets, cards.ways, strict=True):
        onward = np.zeros(shape, np.int64)
        did.append(_go_on(reach, cases, choice, after, ways, onward))
        reach = onward
    return Flow(tuple(did), reach.T.reshape(*ends.shape, KIND_COUNT))


@compiled
def _follow(hole: Any, choices: Any, after: Any, keys: Any) -> Any:
    fourth, fifth = np.zeros(52, np.int64), np.zeros((52, 52), np.int64)
    cards = np.empty(4, np.int64)
    cards[0], cards[1] = hole
    third = choices[0][class_number(cards[:2], keys[0]), 0]
    if third == 0:
        return Path(third, fourth, fifth)
    state = after[0][0, third - 1]
    for x in range(52):
        cards[2] = x
        if x in hole:
            continue
        fourth[x] = choices[1][class_number(cards[:3], keys[1]), state]
        if fourth[x] == 0:
            continue
        reached = after[1][state, fourth[x] - 1]
        for y in range(52):
            cards[3] = y
            if y != x and y not in hole:
                fifth[x, y] = choices[2][four_number(cards), reached]
    return Path(third, fourth, fifth)


def path_of(hole: tuple[Card, ...], tree: Tree, plan: Plan) -> Path:
    """A plan for the short deck by the cards themselves, for one hole."""
    after, keys = (tree.fourth_after, tree.fifth_after), (class_keys(2), class_keys(3))
    path: Path = _follow(hole, plan.choices, after, keys)
    return path


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
    part = gcd(*(cell for row in payoffs.rows for cell in row), *folded.values()) or 1
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
