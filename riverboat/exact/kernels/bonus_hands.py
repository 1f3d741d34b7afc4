"""The hands that decide the side bets, counted one by one."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from riverboat.core.cards import DECK, Card
from riverboat.core.hand_kinds import five_card_kind, kind_of_six, kind_of_three
from riverboat.core.hands import Kind
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.dealer_hands import DealerCounts, every_value, value_tables
from riverboat.exact.kernels.ranking import bit_count
from riverboat.exact.kernels.values import hand_values

_BEST_HANDS = 1024


@compiled
def _best_of_six(tables: Any, counts: Any, top: Any, best_hands: Any) -> Any:
    """Every hand of six by the value of its best five; those of the top value are kept."""
    keys, ranks, suits, by_key, by_mask = tables
    hand = np.empty(6, np.int64)
    found = 0
    for a in range(47):
        for b in range(a + 1, 48):
            for c in range(b + 1, 49):
                for d in range(c + 1, 50):
                    for e in range(d + 1, 51):
                        for f in range(e + 1, 52):
                            hand[0], hand[1], hand[2], hand[3], hand[4], hand[5] = a, b, c, d, e, f
                            whole = 0
                            for card in hand:
                                whole += keys[card]
                            best = 0
                            for out in hand:
                                best = max(best, by_key[whole - keys[out]])
                            best = max(best, best_flush(hand, ranks, suits, by_mask))
                            counts[best] += 1
                            if best == top:
                                best_hands[found] = hand
                                found += 1
    return found


@compiled
def best_flush(hand: Any, ranks: Any, suits: Any, by_mask: Any) -> Any:
    """The best five of one suit among six cards; zero where there are none."""
    best = 0
    for suit in range(4):
        mask, held = 0, 0
        for card in hand:
            if suits[card] == suit:
                mask |= 1 << ranks[card]
                held += 1
        if held == 5:
            best = by_mask[mask]
        elif held == 6:
            for card in hand:
                best = max(best, by_mask[mask ^ 1 << ranks[card]])
    return best


def count_three(*, ace_low: bool) -> Counter[Kind]:
    """All hands of three, through the engine's own reading of them."""
    return Counter(kind_of_three(cards, ace_low=ace_low) for cards in combinations(DECK, 3))


def count_five() -> Counter[Kind]:
    """All hands of five, ranked by the compiled tables."""
    values = np.bincount(every_value(), minlength=len(hand_values().ranked))
    return by_kind(values)


def count_six() -> Counter[Kind]:
    """All hands of six; the few that may be super royals are read by the engine."""
    ranked = hand_values().ranked
    counts, best_hands = np.zeros(len(ranked), np.int64), np.empty((_BEST_HANDS, 6), np.int64)
    top = len(ranked) - 1
    found = _best_of_six(value_tables(hand_values()), counts, top, best_hands)
    counts[top] = 0
    royals = Counter(kind_of_six(tuple(map(int, hand))) for hand in best_hands[:found])
    return by_kind(counts) + royals


def hands_bet(counts: DealerCounts, choices: Any) -> Counter[Kind]:
    """Hands of five with up-cards against which they are bet, a bet at par among them."""
    stays = (choices > 0).sum(axis=1) * counts.weights
    sums = np.zeros(len(hand_values().ranked), np.int64)
    np.add.at(sums, counts.values, stays)
    return by_kind(sums)


def bets_beside(counts: DealerCounts, choices: Any, hands: Sequence[Sequence[Card]]) -> list[int]:
    """For each of these hands of another seat the hands with up-cards that are bet beside it.

    Classes know no names of suits, so that only sums over all suits of a hand mean anything.
    """
    masks = np.array([sum(1 << card for card in hand) for hand in hands], np.int64)
    found = np.zeros(len(masks), np.int64)
    _bets_beside(counts.cards, counts.weights, choices, masks, found)
    return [int(bets) for bets in found]


@compiled
def _bets_beside(cards: Any, weights: Any, choices: Any, masks: Any, found: Any) -> None:
    for place in range(len(cards)):
        own, bets = 0, 0
        for card in cards[place]:
            own |= 1 << card
        for up in range(52):
            if choices[place, up] > 0:
                bets |= 1 << up
        for other in range(len(masks)):
            if masks[other] & own == 0:
                found[other] += weights[place] * bit_count(bets & ~masks[other])


def by_kind(counts: Any) -> Counter[Kind]:
    """Counts by value as counts by kind of hand."""
    kinds: Counter[Kind] = Counter()
    for ranked, count in zip(hand_values().ranked, counts, strict=True):
        kinds[five_card_kind(ranked)] += int(count)
    return kinds
