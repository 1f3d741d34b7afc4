"""Folding against betting for every hand and up-card, from counts that are there already.

What a hand is paid against the dealer goes by six situations: the dealer's hand is below the
threshold or not (0 or 3), and lower than the player's, equal or higher (0, 1 or 2).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from riverboat.core.cards import Card
from riverboat.core.hands import Kind
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.dealer_hands import (
    Array,
    DealerCounts,
    hands_by_value,
    row_of_three,
    row_of_two,
    value_of,
    value_tables,
)
from riverboat.exact.kernels.hand_values import bit_count, by_kind, hand_values

HAND_KINDS = 10
AT_PAR = 64
"""Added to a choice that is worth exactly as much as folding."""

PAIRS = 1326
PAIRS_LEFT = 1081
"""Pairs that the dealer can hold when the player's five cards are known: 47 choose 2."""
HANDS_LEFT = 14_190
"""Ways to fill up the dealer's hand then: 45 choose 3."""
MOST_ALIKE = 64
"""No value has more classes of hands."""


class Tally(NamedTuple):
    """How often what happens, in dealt hands of both sides.

    `folded` counts player's hands with up-cards, by kind of hand; `bet` and `at_par` count deals by
    choice, kind and situation, where `at_par` are those worth exactly as much as folding.
    """

    folded: Array
    par_hands: Array
    bet: Array
    at_par: Array


@compiled
def _situations(total: Any, lower: Any, ties: Any, short: Any, is_short: Any, out: Any) -> None:
    if is_short:
        out[0], out[1], out[2] = lower, ties, short - lower - ties
        out[3], out[4], out[5] = 0, 0, total - short
    else:
        out[0], out[1], out[2] = short, 0, 0
        out[3], out[4], out[5] = lower - short, ties, total - lower - ties


@compiled
def _cell(counts: Any, place: int, up_card: int, out: Any) -> None:
    """The situations of one class of hands and one up-card, in the dealer's hands."""
    lower, ties, short = counts.lower[place], counts.ties[place], counts.short[place]
    is_short = counts.values[place] < counts.threshold
    _situations(163185, lower[up_card], ties[up_card], short[up_card], is_short, out)


@compiled
def best_choices(counts: DealerCounts, kinds: Array, nets: Array, folding: int) -> Array:
    """The best choice for every class and up-card; `nets` by multiple, kind and situation.

    0 folds, else the place of the multiple, counted from 1; -1 where the up-card is held.
    """
    choices = np.empty((len(counts.cards), 52), np.int8)
    now = np.empty(6, np.int64)
    par = 163185 * folding
    for place in range(len(counts.cards)):
        mine = nets[:, kinds[place]]
        for u in range(52):
            _cell(counts, place, u, now)
            choice, best = 0, par
            for m in range(mine.shape[0]):
                worth = 0
                for s in range(6):
                    worth += now[s] * mine[m, s]
                if worth > best:
                    choice, best = m + 1, worth
                elif worth == par and best == par and choice == 0:
                    choice = m + 1 + AT_PAR
            choices[place, u] = choice
        for card in counts.cards[place]:
            choices[place, card] = -1
    return choices


@compiled
def tally(counts: DealerCounts, kinds: Array, choices: Array, multiples: int) -> Tally:
    """What comes of the choices."""
    folded, par_hands = np.zeros(HAND_KINDS, np.int64), np.zeros(HAND_KINDS, np.int64)
    bet = np.zeros((multiples, HAND_KINDS, 6), np.int64)
    at_par = np.zeros_like(bet)
    now = np.empty(6, np.int64)
    for place in range(len(counts.cards)):
        kind, weight = kinds[place], counts.weights[place]
        for u in range(52):
            choice = choices[place, u]
            if choice == 0:
                folded[kind] += weight
            elif choice > 0:
                _cell(counts, place, u, now)
                tied = choice > AT_PAR
                par_hands[kind] += weight * tied
                into = at_par if tied else bet
                for s in range(6):
                    into[choice % AT_PAR - 1, kind, s] += now[s] * weight
    return Tally(folded, par_hands, bet, at_par)


@compiled
def _against(live: Any, up_card: Any, mine: Any, threshold: Any, tables: Any) -> Any:
    """Deal the dealer every hand; what three or four cards have in common is worked out once."""
    keys, by_key, by_mask = tables
    out = np.zeros(6, np.int64)
    suit = up_card & 3
    for a in range(len(live)):
        for b in range(a + 1, len(live)):
            for c in range(b + 1, len(live)):
                x, y, z = live[a], live[b], live[c]
                key = keys[up_card] + keys[x] + keys[y] + keys[z]
                suited = x & 3 == suit and y & 3 == suit and z & 3 == suit
                mask = 1 << (up_card >> 2) | 1 << (x >> 2) | 1 << (y >> 2) | 1 << (z >> 2)
                for d in range(c + 1, len(live)):
                    card = live[d]
                    if suited and card & 3 == suit:
                        value = by_mask[mask | 1 << (card >> 2)]
                    else:
                        value = by_key[key + keys[card]]
                    relation = 0 if value < mine else 1 if value == mine else 2
                    out[relation if value < threshold else 3 + relation] += 1
    return out


def against_dealer(live: Array, up_card: int, value: int, threshold: int) -> list[int]:
    """The dealer's hands from the cards still live, by situation."""
    found: list[int] = _against(live, up_card, value, threshold, value_tables()).tolist()
    return found


class Relations(NamedTuple):
    """Cells by value and rank of the up-card, and what the hand has of it: its rank, its suit.

    Of the up-card's rank a hand may have a card or not, and of its suit none to five; `bets` and
    `cells` go by both. `gains` is what betting the smallest multiple brings over folding, in cents
    times deals.
    """

    bets: Array
    cells: Array
    gains: Array


@compiled
def relations(
    counts: DealerCounts, kinds: Array, choices: Array, nets: Array, folding: int
) -> Relations:
    """The cells that look alike, summed up."""
    most = counts.values.max() + 1
    bets, cells = np.zeros((most, 13, 2, 6), np.int64), np.zeros((most, 13, 2, 6), np.int64)
    gains = np.zeros((most, 13, 2), np.int64)
    now, of_suit = np.empty(6, np.int64), np.empty(4, np.int64)
    for place in range(len(counts.cards)):
        value, weight = counts.values[place], counts.weights[place]
        of_suit[:] = 0
        held = 0
        for card in counts.cards[place]:
            of_suit[card & 3] += 1
            held |= 1 << (card >> 2)
        for u in range(52):
            if choices[place, u] < 0:
                continue
            rank, matches, suited = u >> 2, held >> (u >> 2) & 1, of_suit[u & 3]
            cells[value, rank, matches, suited] += weight
            if choices[place, u] > 0:
                bets[value, rank, matches, suited] += weight
            _cell(counts, place, u, now)
            worth = -163185 * folding
            for s in range(6):
                worth += now[s] * nets[0, kinds[place], s]
            gains[value, rank, matches] += worth * weight
    return Relations(bets, cells, gains)


def spread(counts: DealerCounts, plays: Array) -> Array:
    """Choices by value and rank of the up-card as choices for every cell."""
    choices: Array = np.repeat(plays[counts.values], 4, axis=1)
    np.put_along_axis(choices, counts.cards, -1, axis=1)
    return choices


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


# ---------------------------------------------------------------- a flashed card
#
# As in `dealer_hands`, hands are added by value to counts of how many hold given cards, and those
# that hold a pair of cards and none of the player's follow by adding and taking away rows. A row
# has a column for each pair. Three of the player's cards and the pair are one hand, whose value is
# looked up. Which of the two cards lies face up makes no difference to what is known.


class Flashed(NamedTuple):
    """Deals by kind of the player's hand: folded ones with the pair, bet ones to the end."""

    folded: Array
    bet: Array


@compiled
def _values_of_three(tables: Any, out: Any) -> None:
    """The value of every three cards with every pair."""
    hand = np.empty(5, np.int64)
    for c in range(2, 52):
        for b in range(1, c):
            for a in range(b):
                row = out[row_of_three(a, b, c) - 1379]
                hand[0], hand[1], hand[2] = a, b, c
                place = 0
                for y in range(1, 52):
                    for x in range(y):
                        if x not in (a, b, c) and y not in (a, b, c):
                            hand[3], hand[4] = x, y
                            row[place] = value_of(hand, tables)
                        place += 1


@compiled
def _add(held: Any, packed: Any, hand: Any) -> None:
    """One more hand: for each pair of its cards in every row of up to two of its others."""
    for k in range(5):
        hand[k] = packed >> (6 * k) & 63
    for i in range(5):
        for j in range(i + 1, 5):
            pair = row_of_two(hand[i], hand[j]) - 53
            held[0, pair] += 1
            for k in range(5):
                if k in (i, j):
                    continue
                held[1 + hand[k], pair] += 1
                for m in range(k + 1, 5):
                    if m not in (i, j):
                        held[row_of_two(hand[k], hand[m]), pair] += 1


@compiled
def _without(held: Any, hand: Any, threes: Any, value: Any, out: Any) -> None:
    """Hands so far, all those below `value`, with each pair and none of the player's cards."""
    out[:] = held[0]
    for i in range(5):
        out -= held[1 + hand[i]]
        for j in range(i + 1, 5):
            out += held[row_of_two(hand[i], hand[j])]
            for k in range(j + 1, 5):
                row = threes[row_of_three(hand[i], hand[j], hand[k]) - 1379]
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
        _situations(14190, below, equal, few, is_short, now)
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
                        free[row_of_two(card, other) - 53] = False
            counts = (lower, upto, short, value < threshold)
            _settle(counts, free, kinds[number], weights[number], game, out)


def play_flashed(counts: DealerCounts, kinds: Array, nets: Array, folding: int) -> Flashed:
    """The best play of every hand against every pair of the dealer's cards."""
    packed, starts = hands_by_value()
    threes = np.zeros((22_100, PAIRS), np.uint16)
    _values_of_three(value_tables(), threes)
    out = Flashed(np.zeros(nets.shape[1], np.int64), np.zeros(nets.shape, np.int64))
    ascending = np.sort(counts.cards, axis=1)
    players = (ascending, counts.values, counts.weights, kinds)
    assert np.bincount(counts.values).max() <= MOST_ALIKE
    _sweep(packed, starts, players, threes, counts.threshold, (nets, folding), tuple(out))
    return out
