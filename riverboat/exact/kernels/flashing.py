"""Play against a dealer of whom two cards are known: the up-card, and one that was flashed.

As in `dealer_hands`, hands are added by value to counts of how many hold given cards, and those
that hold a pair of cards and none of the player's follow by adding and taking away rows. A row has
a column for each pair. Three of the player's cards and the pair are one hand, whose value is looked
up. Which of the two cards lies face up makes no difference to what is known.
"""

from typing import Any, NamedTuple

import numpy as np

from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.dealer_hands import (
    HANDS,
    Array,
    DealerCounts,
    by_value,
    every_value,
    value_tables,
)
from riverboat.exact.kernels.values import hand_values

PAIRS = 1326
PAIRS_LEFT = 1081
"""Pairs that the dealer can hold when the player's five cards are known: 47 choose 2."""
DEALER_HANDS = 14_190
"""Ways to fill up the dealer's hand then: 45 choose 3."""
MOST_ALIKE = 64
"""No value has more classes of hands."""


class Flashed(NamedTuple):
    """Deals by kind of the player's hand: folded ones with the pair, bet ones to the end."""

    folded: Array
    bet: Array


@compiled
def _column(a: Any, b: Any) -> Any:
    return b * (b - 1) // 2 + a if a < b else a * (a - 1) // 2 + b


@compiled
def _third_column(a: Any, b: Any, c: Any) -> Any:
    """The number of three cards in ascending order."""
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@compiled
def _values_of_three(tables: Any, out: Any) -> None:
    """The value of every three cards with every pair."""
    keys, ranks, suits, by_key, by_mask = tables
    for c in range(2, 52):
        for b in range(1, c):
            for a in range(b):
                row = out[_third_column(a, b, c)]
                key = keys[a] + keys[b] + keys[c]
                suited = suits[a] == suits[b] and suits[b] == suits[c]
                mask = 1 << ranks[a] | 1 << ranks[b] | 1 << ranks[c]
                place = 0
                for y in range(1, 52):
                    for x in range(y):
                        if suited and suits[x] == suits[a] and suits[y] == suits[a]:
                            row[place] = by_mask[mask | 1 << ranks[x] | 1 << ranks[y]]
                        elif x not in (a, b, c) and y not in (a, b, c):
                            row[place] = by_key[key + keys[x] + keys[y]]
                        place += 1


@compiled
def _add(held: Any, packed: Any, hand: Any) -> None:
    """One more hand: for each pair of its cards in every row of up to two of its others."""
    for k in range(5):
        hand[k] = packed >> (6 * k) & 63
    for i in range(5):
        for j in range(i + 1, 5):
            pair = _column(hand[i], hand[j])
            held[0, pair] += 1
            for k in range(5):
                if k in (i, j):
                    continue
                held[1 + hand[k], pair] += 1
                for m in range(k + 1, 5):
                    if m not in (i, j):
                        held[53 + _column(hand[k], hand[m]), pair] += 1


@compiled
def _without(held: Any, hand: Any, threes: Any, value: Any, out: Any) -> None:
    """Hands so far, all those below `value`, with each pair and none of the player's cards."""
    out[:] = held[0]
    for i in range(5):
        out -= held[1 + hand[i]]
        for j in range(i + 1, 5):
            out += held[53 + _column(hand[i], hand[j])]
            for k in range(j + 1, 5):
                row = threes[_third_column(hand[i], hand[j], hand[k])]
                for pair in range(1326):
                    out[pair] -= row[pair] < value


@compiled
def _settle(counts: Any, free: Any, kind: Any, weight: Any, game: Any, out: Any) -> None:
    """Fold or bet for every pair that the dealer can hold, and what comes of it."""
    lower, upto, short, is_short = counts
    nets, folding = game
    folded, bet = out
    now = np.empty(6, np.int64)
    for pair in range(1326):
        if not free[pair]:
            continue
        below, equal, few = lower[pair], upto[pair] - lower[pair], short[pair]
        if is_short:
            now[0], now[1], now[2] = below, equal, few - below - equal
            now[3], now[4], now[5] = 0, 0, 14190 - few
        else:
            now[0], now[1], now[2] = few, 0, 0
            now[3], now[4], now[5] = below - few, equal, 14190 - below - equal
        chosen, best = -1, 14190 * folding
        for m in range(nets.shape[0]):
            worth = 0
            for s in range(6):
                worth += now[s] * nets[m, kind, s]
            if worth > best or (chosen < 0 and worth == best):
                chosen, best = m, worth
        if chosen < 0:
            folded[kind] += weight
        else:
            for s in range(6):
                bet[chosen, kind, s] += now[s] * weight


@compiled
def _sweep(
    packed: Any, starts: Any, players: Any, threes: Any, threshold: Any, game: Any, out: Any
) -> None:
    """Add all hands by value, and settle each class of the player's at its own value."""
    cards, values, weights, kinds = players
    held, few = np.zeros((1379, 1326), np.int32), np.zeros((1379, 1326), np.int32)
    hand = np.empty(5, np.int64)
    for place in range(starts[threshold]):
        _add(few, packed[place], hand)
    lower, upto = np.empty(1326, np.int32), np.empty(1326, np.int32)
    short = np.empty(1326, np.int32)
    free = np.empty(1326, np.bool_)
    below = np.empty((MOST_ALIKE, 1326), np.int32)
    at = 0
    for value in range(len(starts) - 1):
        first = at
        while at < len(cards) and values[at] == value:
            _without(held, cards[at], threes, value, below[at - first])
            at += 1
        for place in range(starts[value], starts[value + 1]):
            _add(held, packed[place], hand)
        for number in range(first, at):
            mine = cards[number]
            lower[:] = below[number - first]
            _without(held, mine, threes, value + 1, upto)
            _without(few, mine, threes, threshold, short)
            free[:] = True
            for card in mine:
                for other in range(52):
                    if other != card:
                        free[_column(card, other)] = False
            counts = (lower, upto, short, value < threshold)
            _settle(counts, free, kinds[number], weights[number], game, out)


def play_flashed(counts: DealerCounts, kinds: Array, nets: Array, folding: int) -> Flashed:
    """The best play of every hand against every pair of the dealer's cards."""
    tables = value_tables(hand_values())
    starts = np.zeros(len(hand_values().ranked) + 1, np.int64)
    packed = np.empty(HANDS, np.int64)
    by_value(every_value(), starts, packed)
    threes = np.zeros((22_100, PAIRS), np.uint16)
    _values_of_three(tables, threes)
    out = Flashed(np.zeros(nets.shape[1], np.int64), np.zeros(nets.shape, np.int64))
    ascending = np.sort(counts.cards, axis=1)
    players = (ascending, counts.values, counts.weights, kinds)
    assert np.bincount(counts.values).max() <= MOST_ALIKE
    _sweep(packed, starts, players, threes, counts.threshold, (nets, folding), tuple(out))
    return out
