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
    CARDS,
    CLASSES,
    Array,
    DealerCounts,
    value_tables,
)
from riverboat.exact.kernels.ranking import bit_count
from riverboat.exact.kernels.values import by_kind, hand_values

SITUATIONS = 6
HAND_KINDS = 10
AT_PAR = 64
"""Added to a choice that is worth exactly as much as folding."""


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
def _choose(counts: Any, kinds: Any, nets: Any, folding: Any, threshold: Any, choices: Any) -> None:
    """The best choice in every cell: 0 folds, else the place of the multiple, counted from 1."""
    cards, values, lower, ties, short = counts
    now = np.empty(6, np.int64)
    par = 163185 * folding
    for place in range(len(cards)):
        mine = nets[:, kinds[place]]
        is_short = values[place] < threshold
        for u in range(52):
            _situations(163185, lower[place, u], ties[place, u], short[place, u], is_short, now)
            choice, best = 0, par
            for m in range(mine.shape[0]):
                worth = 0
                for s in range(6):
                    worth += now[s] * mine[m, s]
                if worth > best:
                    choice, best = m + 1, worth
                elif worth == par and best == par and choice == 0:
                    choice = m + 1 + 64
            choices[place, u] = choice
        for card in cards[place]:
            choices[place, card] = -1


@compiled
def _tally(counts: Any, kinds: Any, weights: Any, choices: Any, threshold: Any, out: Any) -> None:
    cards, values, lower, ties, short = counts
    folded, par_hands, bet, at_par = out
    now = np.empty(6, np.int64)
    for place in range(len(cards)):
        is_short = values[place] < threshold
        kind, weight = kinds[place], weights[place]
        for u in range(52):
            choice = choices[place, u]
            if choice < 0:
                continue
            if choice == 0:
                folded[kind] += weight
                continue
            _situations(163185, lower[place, u], ties[place, u], short[place, u], is_short, now)
            if choice > 64:
                par_hands[kind] += weight
                for s in range(6):
                    at_par[choice - 65, kind, s] += now[s] * weight
            else:
                for s in range(6):
                    bet[choice - 1, kind, s] += now[s] * weight


@compiled
def _against(live: Any, up_card: Any, mine: Any, threshold: Any, tables: Any, out: Any) -> None:
    """Deal the dealer every hand; what three or four cards have in common is worked out once."""
    keys, ranks, suits, by_key, by_mask = tables
    suit = suits[up_card]
    for a in range(len(live)):
        for b in range(a + 1, len(live)):
            for c in range(b + 1, len(live)):
                x, y, z = live[a], live[b], live[c]
                key = keys[up_card] + keys[x] + keys[y] + keys[z]
                suited = suits[x] == suit and suits[y] == suit and suits[z] == suit
                mask = 1 << ranks[up_card] | 1 << ranks[x] | 1 << ranks[y] | 1 << ranks[z]
                for d in range(c + 1, len(live)):
                    card = live[d]
                    if suited and suits[card] == suit:
                        value = by_mask[mask | 1 << ranks[card]]
                    else:
                        value = by_key[key + keys[card]]
                    relation = 0 if value < mine else 1 if value == mine else 2
                    out[relation if value < threshold else 3 + relation] += 1


def kinds_by_class(counts: DealerCounts) -> Array:
    """The kind of hand of each class, as the readable evaluator numbers kinds."""
    kinds = np.array([int(one.hand) for one in hand_values().ranked], np.int64)
    chosen: Array = kinds[counts.values]
    return chosen


def _behind(counts: DealerCounts) -> tuple[Array, ...]:
    return counts.cards, counts.values, counts.lower, counts.ties, counts.short


def best_choices(counts: DealerCounts, kinds: Array, nets: Array, folding: int) -> Array:
    """The best choice for every class and up-card; `nets` by multiple, kind and situation."""
    choices = np.empty((CLASSES, CARDS), np.int8)
    _choose(_behind(counts), kinds, nets, folding, counts.threshold, choices)
    return choices


def tally(counts: DealerCounts, kinds: Array, choices: Array, multiples: int) -> Tally:
    """What comes of the choices."""
    folded, par_hands = np.zeros(HAND_KINDS, np.int64), np.zeros(HAND_KINDS, np.int64)
    bet = np.zeros((multiples, HAND_KINDS, SITUATIONS), np.int64)
    out = Tally(folded, par_hands, bet, np.zeros_like(bet))
    _tally(_behind(counts), kinds, counts.weights, choices, counts.threshold, tuple(out))
    return out


def against_dealer(live: Array, up_card: int, value: int, threshold: int) -> Array:
    """The dealer's hands from the cards still live, by situation."""
    out = np.zeros(SITUATIONS, np.int64)
    _against(live, up_card, value, threshold, value_tables(hand_values()), out)
    return out


@compiled
def _relations(
    counts: Any, weights: Any, choices: Any, nets: Any, kinds: Any, folding: Any, rest: Any
) -> None:
    """Sum up the cells that look alike: by value, rank of the up-card and what the hand has of it.

    Of the up-card's rank a hand may have a card or not, and of its suit none to five.
    """
    cards, values, lower, ties, short = counts
    threshold, bets, cells, gains = rest
    now = np.empty(6, np.int64)
    of_suit = np.empty(4, np.int64)
    for place in range(len(cards)):
        value, weight = values[place], weights[place]
        of_suit[:] = 0
        held = 0
        for card in cards[place]:
            of_suit[card & 3] += 1
            held |= 1 << (card >> 2)
        for u in range(52):
            if choices[place, u] < 0:
                continue
            rank, matches, suited = u >> 2, held >> (u >> 2) & 1, of_suit[u & 3]
            cells[value, rank, matches, suited] += weight
            if choices[place, u] > 0:
                bets[value, rank, matches, suited] += weight
            _situations(
                163185,
                lower[place, u],
                ties[place, u],
                short[place, u],
                value < threshold,
                now,
            )
            worth = -163185 * folding
            for s in range(6):
                worth += now[s] * nets[kinds[place], s]
            gains[value, rank, matches] += worth * weight


class Relations(NamedTuple):
    """Cells by value and rank of the up-card, and what the hand has of it: its rank, its suit.

    `bets` and `cells` also go by how many cards are of the up-card's suit. `gains` is what betting
    the smallest multiple brings over folding, in cents times deals.
    """

    bets: Array
    cells: Array
    gains: Array


def relations(
    counts: DealerCounts, kinds: Array, choices: Array, nets: Array, folding: int
) -> Relations:
    """The cells summed up."""
    shape = (len(hand_values().ranked), 13, 2)
    bets, cells = np.zeros((*shape, 6), np.int64), np.zeros((*shape, 6), np.int64)
    out = Relations(bets, cells, np.zeros(shape, np.int64))
    rest = (counts.threshold, *out)
    _relations(_behind(counts), counts.weights, choices, nets[0], kinds, folding, rest)
    return out


@compiled
def _spread(cards: Any, values: Any, plays: Any, choices: Any) -> None:
    for place in range(len(cards)):
        for u in range(52):
            choices[place, u] = plays[values[place], u >> 2]
        for card in cards[place]:
            choices[place, card] = -1


def spread(counts: DealerCounts, plays: Array) -> Array:
    """Choices by value and rank of the up-card as choices for every cell."""
    choices = np.empty((CLASSES, CARDS), np.int8)
    _spread(counts.cards, counts.values, plays, choices)
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
