"""Hands that decide a bonus, counted for seats that a plan of three streets does not fold.

Whether hole cards are still in at the end goes by the first two community cards, in their order:
the third comes after the last decision. So a table of hole cards by those two cards says it all,
and bonuses are counted against it, whichever cards they go by.
"""

from collections import Counter
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import DECK, SUITS
from riverboat.core.hand_kinds import kind_of_three, kind_of_two
from riverboat.core.hands import Kind
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.dealer_hands import value_of, value_tables
from riverboat.exact.kernels.deck_tables import Ints, cards_of_classes, deck_in_short
from riverboat.exact.kernels.hand_values import by_kind, hand_values
from riverboat.exact.kernels.holes import live_cards

Staying = NDArray[np.bool_]
"""By class of hole cards and the first two community cards: whether they are played to the end."""


# ---------------------------------------------------------------- the cards that decide a bonus


class Deciding(NamedTuple):
    """The cards that decide a bet: those of the hole or not, and so many others.

    The others are those of the board, of the box, or of both together.
    """

    hole: bool
    board: bool
    box: int

    @property
    def others(self) -> int:
        """How many cards beside the hole."""
        return 3 * self.board + self.box

    @property
    def cases(self) -> int:
        """All hole cards with the others that count and, in their order, the first two community
        cards, or all three where they count."""
        if self.board:
            return 1326 * 50 * 49 * 48 * comb(47, self.box)
        return 1326 * comb(50, self.box) * (50 - self.box) * (49 - self.box)


def hands_stayed(stays: Staying, deciding: Deciding, *, ace_low: bool) -> Counter[Kind]:
    """Hands by kind that are played to the end, of all cases of the cards that decide.

    Suits are only names: a super royal of one suit is as likely as one of another.
    """
    names, kinds = _names(2 * deciding.hole + deciding.others, ace_low)
    counts = np.zeros(len(names) or len(hand_values().ranked) + 1, np.int64)
    holes, weight = cards_of_classes(2), deck_in_short().weight
    read = (value_tables(), kinds)
    beside = np.array([live_cards(*hole) for hole in holes.tolist()])
    _count(read, (holes, beside, weight, stays), deciding, deciding.others, counts)
    if names:
        return Counter(dict(zip(names, counts.tolist(), strict=True)))
    royals = {Kind("super_royal", suit=s): int(counts[-1]) // 4 for s in SUITS if counts[-1]}
    return by_kind(counts[:-1]) + Counter(royals)


def _names(cards: int, ace_low: bool) -> tuple[list[Kind], Ints]:
    """The kinds of two or three cards, and the number of each by its cards; larger hands are read
    by their value."""
    names: list[Kind] = []
    kinds = np.zeros((len(DECK),) * 3, np.int64)
    for hand in combinations(DECK, cards) if cards < 5 else ():
        kind = kind_of_two(hand) if cards == 2 else kind_of_three(hand, ace_low=ace_low)
        if kind not in names:
            names.append(kind)
        for order in permutations(hand):
            kinds[(*order, 0)[:3]] = names.index(kind)
    return names, kinds


@compiled
def _count(read: Any, holes: Any, deciding: Any, others: int, counts: Ints) -> None:
    """Every set of other cards behind every class of hole cards.

    The first two community cards that keep a hand in are both among the others where the board
    decides: any further one of those can be the third, and the rest is the box. Else neither of
    them lies in the box.
    """
    hand, drawn = np.empty(6, np.int64), np.empty(6, np.int64)
    with_card, with_both = np.empty(52, np.int64), np.empty((52, 52), np.int64)
    inside, outside = np.zeros(7, np.int64), np.zeros(7, np.int64)
    tables, kinds = read
    own, beside, weight, stays = holes
    hole, board, _ = deciding
    first, top = 2 if hole else 0, len(counts) - 2
    size = first + others
    for number in range(len(own)):
        hand[0], hand[1] = own[number]
        stay = _pairs_of_cards(stays[number], with_card, with_both)
        if stay == 0:
            continue
        live = beside[number]
        drawn[:] = np.arange(6)
        changed, outside[0] = 0, stay
        while changed >= 0:
            for place in range(changed, others):
                card = live[drawn[place]]
                hand[first + place] = card
                both = 0
                for earlier in range(first, first + place):
                    both += with_both[card, hand[earlier]]
                inside[place + 1] = inside[place] + both
                outside[place + 1] = outside[place] - with_card[card] + both
            left = (others - 2) * inside[others] if board else outside[others]
            if size < 5:
                found = kinds[hand[0], hand[1], hand[2] if size == 3 else 0]
            elif size == 5:
                found = value_of(hand[:5], tables)
            else:
                found = _best_of(hand, tables, top)
            counts[found] += left * weight[number]
            changed = _draw_next(drawn, others, len(live))


@compiled
def _draw_next(drawn: Ints, cards: int, of: int) -> int:
    """The next so many of so many, in ascending order: from which place on they are others; -1
    after the last."""
    place = cards - 1
    while place >= 0 and drawn[place] == of - cards + place:
        place -= 1
    if place >= 0:
        drawn[place] += 1
        for after in range(place + 1, cards):
            drawn[after] = drawn[after - 1] + 1
    return place


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
def _best_of(hand: Ints, tables: Any, top: int) -> int:
    """The value of the best five of six cards; a super royal is one above the best."""
    keys, by_key, by_mask = tables
    whole, lowest, super_royal = 0, 12, True
    for card in hand:
        whole += keys[card]
        lowest = min(lowest, card >> 2)
        super_royal &= card & 3 == hand[0] & 3
    best = best_flush(hand, by_mask)
    for out in hand:
        best = max(best, by_key[whole - keys[out]])
    return top + 1 if best == top and super_royal and lowest == 7 else best


@compiled
def best_flush(hand: Any, by_mask: Any) -> Any:
    """The best five of one suit among six cards; zero where there are none."""
    best = 0
    for suit in range(4):
        mask, held = 0, 0
        for card in hand:
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
                held += 1
        if held == 5:
            best = by_mask[mask]
        elif held == 6:
            for card in hand:
                best = max(best, by_mask[mask ^ 1 << (card >> 2)])
    return best
