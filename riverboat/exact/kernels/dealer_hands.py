"""Counts of dealer hands behind every player's hand and up-card, without dealing them.

The hands are added by value, lowest first, to counts of how many of them hold given cards. For a
player's hand P and an up-card u, those lower hands that hold u and no card of P are then

    sum over S in P of (-1)^|S| * (lower hands that hold S and u)

so that 31 look-ups stand for 163,185 dealer hands. The counts of one S for all u lie side by side,
which lets the processor add a row of them at once.
"""

from typing import Any, NamedTuple

import numpy as np

from riverboat.core.cards import DECK
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.hand_values import hand_values

CARDS = len(DECK)
HANDS = 2_598_960
CLASSES = 134_459
DEALER_HANDS = 163_185
"""Ways to fill up the dealer's hand when six cards are known: 46 choose 4."""

Array = np.ndarray[Any, Any]


class DealerCounts(NamedTuple):
    """For every class of hands and every up-card, where how many of the dealer's hands lie.

    Classes are hands that differ only in the names of suits; `weights` says how many each stands
    for. Columns are cards; those in the hand itself are zero. `short` counts the dealer's hands
    below the value `threshold`, `lower` those below the player's, `ties` those equal to it.
    """

    cards: Array
    values: Array
    weights: Array
    lower: Array
    ties: Array
    short: Array
    threshold: int


@compiled
def value_of(cards: Any, tables: Any) -> Any:
    """The value of five cards."""
    keys, by_key, by_mask = tables
    key, mask, suited = 0, 0, True
    for card in cards:
        key += keys[card]
        mask |= 1 << (card >> 2)
        suited &= card & 3 == cards[0] & 3
    return by_mask[mask] if suited else by_key[key]


@compiled
def _all_values(tables: Any, out: Any) -> None:
    """The value of every hand of five, in the order of nested loops."""
    keys, by_key, _ = tables
    at = 0
    cards = np.empty(5, np.int64)
    for a in range(48):
        for b in range(a + 1, 49):
            for c in range(b + 1, 50):
                for d in range(c + 1, 51):
                    suited = a & 3 == b & 3 and b & 3 == c & 3 and c & 3 == d & 3
                    key = keys[a] + keys[b] + keys[c] + keys[d]
                    for e in range(d + 1, 52):
                        if suited and d & 3 == e & 3:
                            cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                            out[at] = value_of(cards, tables)
                        else:
                            out[at] = by_key[key + keys[e]]
                        at += 1


@compiled
def _by_value(values: Any, starts: Any, packed: Any) -> None:
    """Every hand, packed six bits a card, in its place by value: a counting sort."""
    for value in values:
        starts[value + 1] += 1
    for value in range(1, len(starts)):
        starts[value] += starts[value - 1]
    place = starts.copy()
    at = 0
    for a in range(48):
        for b in range(a + 1, 49):
            for c in range(b + 1, 50):
                for d in range(c + 1, 51):
                    head = a | b << 6 | c << 12 | d << 18
                    for e in range(d + 1, 52):
                        packed[place[values[at]]] = head | e << 24
                        place[values[at]] += 1
                        at += 1


@compiled
def _classes(packed: Any, starts: Any, out: Any) -> Any:
    """One hand of each class, by value: that whose suits, read as bit masks, do not ascend."""
    cards, values, weights, first = out
    masks = np.empty(4, np.int64)
    count = 0
    for value in range(len(starts) - 1):
        first[value] = count
        for place in range(starts[value], starts[value + 1]):
            masks[:] = 0
            for k in range(5):
                card = packed[place] >> (6 * k) & 63
                masks[card & 3] |= 1 << (card >> 2)
            if masks[0] < masks[1] or masks[1] < masks[2] or masks[2] < masks[3]:
                continue
            same, weight = 1, 24
            for k in range(1, 4):
                same = same + 1 if masks[k] == masks[k - 1] else 1
                weight //= same
            for k in range(5):
                cards[count, k] = packed[place] >> (6 * k) & 63
            values[count] = value
            weights[count] = weight
            count += 1
    first[len(starts) - 1] = count
    return count


@compiled
def row_of_two(a: Any, b: Any) -> Any:
    """After a row for all hands and one for each card come those of two cards, in any order."""
    return 53 + (b * (b - 1) // 2 + a if a < b else a * (a - 1) // 2 + b)


@compiled
def row_of_three(a: Any, b: Any, c: Any) -> Any:
    """Then those of three, in ascending order."""
    return 1379 + c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@compiled
def _add_to(row: Any, hand: Any, i: Any, j: Any, k: Any) -> None:
    """One more in a row, at the cards of the hand that are not in the row's name."""
    for place in range(5):
        if place not in (i, j, k):
            row[hand[place]] += 1


@compiled
def _add(held: Any, packed: Any, hand: Any) -> None:
    """One more hand: in every row of up to three of its cards, at each of its other cards."""
    for k in range(5):
        hand[k] = packed >> (6 * k) & 63
    _add_to(held[0], hand, -1, -1, -1)
    for i in range(5):
        _add_to(held[1 + hand[i]], hand, i, i, i)
        for j in range(i + 1, 5):
            _add_to(held[row_of_two(hand[i], hand[j])], hand, i, j, j)
            for k in range(j + 1, 5):
                _add_to(held[row_of_three(hand[i], hand[j], hand[k])], hand, i, j, k)


@compiled
def _without(held: Any, hand: Any, out: Any) -> None:
    """Hands so far with each up-card and none of the hand, but for rows of four of its cards."""
    out[:] = held[0]
    for i in range(5):
        out -= held[1 + hand[i]]
        for j in range(i + 1, 5):
            out += held[row_of_two(hand[i], hand[j])]
            for k in range(j + 1, 5):
                out -= held[row_of_three(hand[i], hand[j], hand[k])]


@compiled
def _with_four(hand: Any, tables: Any, out: Any) -> None:
    """The values of the hands that share four cards with this one, by up-card."""
    keys, by_key, by_mask = tables
    for left_out in range(5):
        key, mask, suit, suited = 0, 0, hand[left_out - 1] & 3, True
        for k in range(5):
            if k != left_out:
                key += keys[hand[k]]
                mask |= 1 << (hand[k] >> 2)
                suited &= hand[k] & 3 == suit
        for u in range(52):
            out[left_out, u] = by_key[key + keys[u]]
        if suited:
            for u in range(suit, 52, 4):
                out[left_out, u] = by_mask[mask | 1 << (u >> 2)]


@compiled
def _below(near: Any, value: Any, out: Any) -> None:
    for k in range(5):
        for u in range(52):
            out[u] += near[k, u] < value


@compiled
def _sweep(
    packed: Any, starts: Any, cards: Any, first: Any, tables: Any, threshold: Any, out: Any
) -> None:
    """Add all hands by value; ask for each class before and after its own value is added."""
    lower, ties, short = out
    held = np.zeros((1 + 52 + 1326 + 22100, 52), np.int32)
    hand, near = np.empty(5, np.int64), np.empty((5, 52), np.int64)
    below, upto = np.empty(52, np.int32), np.empty(52, np.int32)
    for value in range(len(starts) - 1):
        if value == threshold:
            for place in range(len(cards)):
                _without(held, cards[place], short[place])
                _with_four(cards[place], tables, near)
                _below(near, value, short[place])
        for place in range(first[value], first[value + 1]):
            _without(held, cards[place], lower[place])
        for place in range(starts[value], starts[value + 1]):
            _add(held, packed[place], hand)
        for place in range(first[value], first[value + 1]):
            mine = cards[place]
            _without(held, mine, upto)
            below[:] = lower[place]
            _with_four(mine, tables, near)
            _below(near, value, below)
            _below(near, value + 1, upto)
            lower[place], ties[place] = below, upto - below


def value_tables() -> tuple[Array, Array, Array]:
    """What compiled code needs to rank five cards."""
    values = hand_values()
    return values.keys, values.by_key, values.by_mask


def every_value() -> Array:
    """The value of each of the 2,598,960 hands, in the order of `itertools.combinations`."""
    out = np.empty(HANDS, np.uint16)
    _all_values(value_tables(), out)
    return out


def hands_by_value() -> tuple[Array, Array]:
    """Every hand, packed, in the order of values, and where the hands of each value begin."""
    starts, packed = np.zeros(len(hand_values().ranked) + 1, np.int64), np.empty(HANDS, np.int64)
    _by_value(every_value(), starts, packed)
    return packed, starts


def count_dealer_hands(threshold: int) -> DealerCounts:
    """The counts behind every hand and up-card; `threshold` is a value as `hand_values` has it."""
    packed, starts = hands_by_value()
    cards, mine = np.empty((CLASSES, 5), np.int64), np.empty(CLASSES, np.int64)
    weights, first = np.empty(CLASSES, np.int64), np.empty(len(starts), np.int64)
    assert _classes(packed, starts, (cards, mine, weights, first)) == CLASSES
    lower = np.empty((CLASSES, CARDS), np.int32)
    ties, short = np.empty((CLASSES, CARDS), np.int16), np.empty((CLASSES, CARDS), np.int32)
    _sweep(packed, starts, cards, first, value_tables(), threshold, (lower, ties, short))
    for counts in (lower, ties, short):
        np.put_along_axis(counts, cards, 0, axis=1)
    return DealerCounts(cards, mine, weights, lower, ties, short, threshold)
