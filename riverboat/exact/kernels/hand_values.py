"""Five cards as small numbers, for compiled code: their value, looked up; their kind, from masks.

Values are in the order of the readable evaluator, which names each of the 7,462 once. A hand's
ranks are added up as keys so chosen that no two hands of five ranks have the same sum.

A kind is a number in the order of a base pay table's kinds. Four masks of thirteen bits say which
ranks are held at least once, twice, three and four times: adding a card is four operations, and the
kind follows from them and from whether all cards are of one suit. `tests` hold both against the
readable evaluator for every hand.
"""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import DECK, RANKS, SUITS, Card, rank_of
from riverboat.core.hand_kinds import five_card_kind
from riverboat.core.hands import Kind, Ranked, rank_five
from riverboat.exact.kernels.compiling import compiled

RANK_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SUITS = len(SUITS)

Array = np.ndarray[Any, Any]

RANK_COUNT = 13
KIND_COUNT = 22
ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, TRIPS, TWO_PAIR = range(8)
PAIR_OF_TWOS = 8
HIGH_CARD = 21
_ACE_LOW = 0b1_0000_0000_1111
_BROADWAY = 0b1_1111_0000_0000


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
    every = combinations_with_replacement(range(len(RANKS)), 5)
    mixed = {ranks: rank_five(_mixed(ranks)) for ranks in every if ranks[0] != ranks[4]}
    suited = {
        ranks: rank_five([rank * _SUITS for rank in ranks])
        for ranks in combinations(range(len(RANKS)), 5)
    }
    ranked = tuple(sorted({*mixed.values(), *suited.values()}))
    value_of = {one: value for value, one in enumerate(ranked)}
    by_key = np.zeros(
        5 * RANK_KEYS[-1] + 1, np.uint16
    )  # Also for five aces, which nobody asks for.
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


@compiled
def bit_count(mask: int) -> int:
    """How many ranks are in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def with_rank(
    once: int, twice: int, thrice: int, all_four: int, bit: int
) -> tuple[int, int, int, int]:
    """The four masks after one more card of a rank."""
    return once | bit, twice | (once & bit), thrice | (twice & bit), all_four | (thrice & bit)


@compiled
def kind_of(once: int, twice: int, thrice: int, all_four: int, suited: bool) -> int:
    """The kind of a five-card hand."""
    if twice:
        if all_four:
            return QUADS
        if thrice:
            return FULL_HOUSE if twice != thrice else TRIPS
        if twice & (twice - 1):
            return TWO_PAIR
        rank = 0
        while twice > 1:
            twice >>= 1
            rank += 1
        return PAIR_OF_TWOS + rank
    if once in (_ACE_LOW, 31 * (once & -once)):  # Five ranks in a row; the ace is at both ends.
        if not suited:
            return STRAIGHT
        return ROYAL if once == _BROADWAY else STRAIGHT_FLUSH
    return FLUSH if suited else HIGH_CARD


@compiled
def kind_of_hand(cards: NDArray[np.int64]) -> int:
    """The same from its cards."""
    once, twice, thrice, all_four = 0, 0, 0, 0
    suited = True
    for card in cards:
        once, twice, thrice, all_four = with_rank(once, twice, thrice, all_four, 1 << (card >> 2))
        suited = suited and (card & 3) == (cards[0] & 3)
    return kind_of(once, twice, thrice, all_four, suited)


@compiled
def kinds_of_hands(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of each hand of five cards, in rows; for tests and for counting."""
    found = np.empty(len(hands), np.int64)
    for number in range(len(hands)):
        found[number] = kind_of_hand(hands[number])
    return found
