"""Values of five cards as small numbers, for compiled code: looked up, never worked out.

The order is that of the readable evaluator, which names each of the 7,462 values once. A hand's
ranks are added up as keys so chosen that no two hands of five ranks have the same sum.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from riverboat.core.cards import DECK, RANKS, SUITS, Card, rank_of
from riverboat.core.hand_kinds import five_card_kind
from riverboat.core.hands import Kind, Ranked, rank_five

RANK_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SUITS = len(SUITS)

Array = np.ndarray[Any, Any]


class HandValues(NamedTuple):
    """`ranked` in ascending order: a value is a place in it.

    `keys` are by card; `by_key` is for hands not of one suit, `by_mask` for those of one suit, by
    the bits of their ranks.
    """

    ranked: tuple[Ranked, ...]
    value_of: dict[Ranked, int]
    keys: Array
    by_key: Array
    by_mask: Array


@cache
def hand_values() -> HandValues:
    """The tables, made once from the readable evaluator."""
    mixed = {ranks: rank_five(_mixed(ranks)) for ranks in _rank_multisets()}
    suited = {
        ranks: rank_five([rank * _SUITS for rank in ranks])
        for ranks in combinations(range(len(RANKS)), 5)
    }
    ranked = tuple(sorted({*mixed.values(), *suited.values()}))
    value_of = {one: value for value, one in enumerate(ranked)}
    by_key = np.zeros(4 * RANK_KEYS[-1] + RANK_KEYS[-2] + 1, np.uint16)
    sums = set()
    for ranks, one in mixed.items():
        key = sum(RANK_KEYS[rank] for rank in ranks)
        by_key[key] = value_of[one]
        sums.add(key)
    assert len(sums) == len(mixed), "two hands have the same key"
    by_mask = np.zeros(1 << len(RANKS), np.uint16)
    for ranks, one in suited.items():
        by_mask[sum(1 << rank for rank in ranks)] = value_of[one]
    keys = np.array([RANK_KEYS[rank_of(card)] for card in DECK], np.int64)
    return HandValues(ranked, value_of, keys, by_key, by_mask)


def _rank_multisets() -> Iterator[tuple[int, ...]]:
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        if ranks[0] != ranks[4]:
            yield ranks


def _mixed(ranks: tuple[int, ...]) -> list[Card]:
    """Cards of these ranks, not all of one suit; the ranks ascend."""
    cards = [rank * _SUITS + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if len(set(ranks)) == len(ranks):
        cards[0] += 1
    return cards


def by_kind(counts: Any) -> Counter[Kind]:
    """Counts by value as counts by kind of hand."""
    kinds: Counter[Kind] = Counter()
    for ranked, count in zip(hand_values().ranked, counts, strict=True):
        kinds[five_card_kind(ranked)] += int(count)
    return kinds
