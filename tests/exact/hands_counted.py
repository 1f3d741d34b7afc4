"""The hands that decide the side bets, counted one by one."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np

from riverboat.core.cards import DECK
from riverboat.core.hand_kinds import kind_of_six, kind_of_three
from riverboat.core.hands import Kind
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.dealer_hands import every_value, value_tables
from riverboat.exact.kernels.hand_values import by_kind, hand_values
from riverboat.exact.kernels.stayers import best_flush

_BEST_HANDS = 1024


@compiled
def _best_of_six(tables: Any, counts: Any, top: Any, best_hands: Any) -> Any:
    """Every hand of six by the value of its best five; those of the top value are kept."""
    keys, by_key, by_mask = tables
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
                            best = max(best, best_flush(hand, by_mask))
                            counts[best] += 1
                            if best == top:
                                best_hands[found] = hand
                                found += 1
    return found


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
    found = _best_of_six(value_tables(), counts, top, best_hands)
    counts[top] = 0
    royals = Counter(kind_of_six(tuple(map(int, hand))) for hand in best_hands[:found])
    return by_kind(counts) + royals
