"""Hands that decide a bonus, counted for seats that a plan of Mississippi Stud does not fold.

Whether hole cards are still in at the end goes by the first two community cards, in their order:
the third comes after the last decision. So a table of hole cards by those two cards says it all,
and bonuses that go by other cards than the base game's five are counted against it.
"""

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riverboat.cards import DECK, SUITS
from riverboat.exact.classes import representatives
from riverboat.exact.kernels.bonus_hands import best_flush, by_kind
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.dealer_hands import value_tables
from riverboat.exact.kernels.induction import Plan, Tree
from riverboat.exact.kernels.streets import (
    Ints,
    class_number,
    deck_in_short,
    four_number,
    places_of_masks,
)
from riverboat.exact.kernels.values import hand_values
from riverboat.games.pay_lines import kind_of_three
from riverboat.rulebook.paytables import Kind

Staying = NDArray[np.bool_]
"""By class of hole cards and the first two community cards: whether they are played to the end."""

BOARD_CASES = 1326 * 50 * 49 * 48
"""Hole cards with three community cards in their order."""
BOX_CASES = 1326 * 230_300 * 46 * 45
"""Hole cards with four cards of the box and the first two community cards in their order."""


def who_stays(tree: Tree, plan: Plan) -> Staying:
    """Which hole cards a plan for the short deck plays to the end, behind which two cards."""
    holes = np.array(representatives(2), np.int64)
    stays = np.zeros((len(holes), len(DECK), len(DECK)), np.bool_)
    after = tree.fourth_after, tree.fifth_after
    choices = plan.third, plan.fourth, plan.fifth
    _who_stays(holes, places_of_masks(), choices, after, stays)
    return stays


@compiled
def _who_stays(holes: Ints, place: Ints, choices: Any, after: Any, stays: Staying) -> None:
    third, fourth, fifth = choices
    fourth_after, fifth_after = after
    suits = np.zeros(4, np.int64)
    for number in range(len(holes)):
        first = third[number, 0]
        if first == 0:
            continue
        on_fourth = fourth_after[0, first - 1]
        suits[:] = 0
        for card in holes[number]:
            suits[card & 3] |= 1 << (card >> 2)
        for one in range(52):
            if suits[one & 3] >> (one >> 2) & 1:
                continue
            suits[one & 3] |= 1 << (one >> 2)
            three = class_number(suits[0], suits[1], suits[2], suits[3], place)
            second = fourth[three, on_fourth]
            if second:
                on_fifth = fifth_after[on_fourth, second - 1]
                for two in range(52):
                    if suits[two & 3] >> (two >> 2) & 1:
                        continue
                    suits[two & 3] |= 1 << (two >> 2)
                    stays[number, one, two] = fifth[four_number(suits, place), on_fifth] > 0
                    suits[two & 3] ^= 1 << (two >> 2)
            suits[one & 3] ^= 1 << (one >> 2)


# ---------------------------------------------------------------- the community cards


def boards_stayed(stays: Staying, *, ace_low: bool) -> Counter[Kind]:
    """Boards by kind that are played to the end, of `BOARD_CASES`."""
    names: list[Kind] = []
    kinds = np.zeros((len(DECK),) * 3, np.int64)
    for board in combinations(DECK, 3):
        kind = kind_of_three(board, ace_low=ace_low)
        if kind not in names:
            names.append(kind)
        for order in permutations(board):
            kinds[order] = names.index(kind)
    counts = np.zeros(len(names), np.int64)
    holes = np.array(representatives(2), np.int64)
    _count_boards(holes, deck_in_short().weight, stays, kinds, counts)
    return Counter(dict(zip(names, counts.tolist(), strict=True)))


@compiled
def _count_boards(holes: Ints, weight: Ints, stays: Staying, kinds: Ints, counts: Ints) -> None:
    for number in range(len(holes)):
        a, b = holes[number]
        for one in range(52):
            for two in range(52):
                if stays[number, one, two]:
                    for last in range(52):
                        if last not in (a, b, one, two):
                            counts[kinds[one, two, last]] += weight[number]


# ---------------------------------------------------------------- the box and the hole cards


def boxes_stayed(stays: Staying) -> Counter[Kind]:
    """Six cards of box and hole by kind that are played to the end, of `BOX_CASES`.

    Suits are only names: a super royal of one suit is as likely as one of another.
    """
    holes, ranked = np.array(representatives(2), np.int64), hand_values().ranked
    counts = np.zeros(len(ranked) + 1, np.int64)
    weight = deck_in_short().weight
    _count_boxes(value_tables(hand_values()), holes, weight, stays, counts)
    sixes = by_kind(counts[:-1])
    return sixes + Counter({Kind("super_royal", suit=s): int(counts[-1]) // 4 for s in SUITS})


@compiled
def _count_boxes(tables: Any, holes: Ints, weight: Ints, stays: Staying, counts: Ints) -> None:
    """Every box behind every class of hole cards. The first two community cards that keep a hand
    in are counted once; those that lie in a box are taken off again."""
    keys, ranks, suits, by_key, by_mask = tables
    top = len(counts) - 2
    hand = np.empty(6, np.int64)
    with_card = np.empty(52, np.int64)
    with_both = np.empty((52, 52), np.int64)
    live = np.empty(50, np.int64)
    for number in range(len(holes)):
        hand[0], hand[1] = holes[number]
        stay = _pairs_of_cards(stays[number], with_card, with_both)
        if stay == 0:
            continue
        end = 0
        for card in range(52):
            if card not in (hand[0], hand[1]):
                live[end] = card
                end += 1
        for i in range(47):
            a = live[i]
            for j in range(i + 1, 48):
                b = live[j]
                for k in range(j + 1, 49):
                    c = live[k]
                    hand[2], hand[3], hand[4] = a, b, c
                    three = stay - with_card[a] - with_card[b] - with_card[c]
                    three += with_both[a, b] + with_both[a, c] + with_both[b, c]
                    for m in range(k + 1, 50):
                        d = live[m]
                        left = three - with_card[d]
                        left += with_both[a, d] + with_both[b, d] + with_both[c, d]
                        hand[5] = d
                        best = _best_of(hand, keys, ranks, suits, by_key, by_mask, top)
                        counts[best] += left * weight[number]


@compiled
def _pairs_of_cards(stays: Staying, with_card: Ints, with_both: Ints) -> int:
    """How many two cards in their order keep a hand in: all, those with a card, those of two."""
    total = 0
    with_card[:] = 0
    for one in range(52):
        for two in range(52):
            with_both[one, two] = int(stays[one, two]) + int(stays[two, one])
            total += stays[one, two]
            with_card[one] += with_both[one, two]
    return total


@compiled
def _best_of(
    hand: Ints, keys: Any, ranks: Any, suits: Any, by_key: Any, by_mask: Any, top: int
) -> int:
    """The value of the best five of six cards; a super royal is one above the best."""
    whole, lowest, suit = 0, 12, suits[hand[0]]
    super_royal = True
    for card in hand:
        whole += keys[card]
        lowest = min(lowest, ranks[card])
        super_royal &= suits[card] == suit
    best = 0
    for out in hand:
        best = max(best, by_key[whole - keys[out]])
    best = max(best, best_flush(hand, ranks, suits, by_mask))
    if best == top and super_royal and lowest == 7:
        best = top + 1
    return best
