"""A table's payoffs as arrays: every state that the bets can be in, alike ones taken together."""

from typing import NamedTuple

import numpy as np

from riverboat.exact.kernels.induction import Tree
from riverboat.exact.payoffs import Bets, Payoffs, coarsest

_SAFE = 2**62
_CASES = 48 * 49 * 50


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
