"""The cards of a round of streets as classes that differ only by the names of their suits.

Which cards are in the hole and which on the board does not matter to the hand, so a street's
situations are the classes of two, three and four cards: 169, 1,755 and 16,432. A class is four
masks of ranks, one for each suit, the fullest and highest suit first. Classes are numbered by the
sizes of their suits and then by the masks. Of four cards only 2,535 differ in what the fifth can
make of them, which is enough to find the best play.
"""

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import DECK, Card
from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.hand_values import KIND_COUNT, RANK_COUNT, bit_count, kind_of_hand

Ints = NDArray[np.int64]
_MASK = (1 << RANK_COUNT) - 1
_MIXED = comb(RANK_COUNT + 3, 4)
FOURS = _MIXED + comb(RANK_COUNT, 4)
"""Sets of four ranks, and sets of four cards of one suit."""
_PLACES = np.array([RANK_COUNT * (3 - (card & 3)) + (card >> 2) for card in DECK], np.int64)
"""Where the key of a class has each card."""


class Ways(NamedTuple):
    """From every class with one card more: where its own ways begin, where each leads to, and for
    how many cards."""

    start: Ints
    to: Ints
    times: Ints


class Cards(NamedTuple):
    """What the deck alone decides, whatever a pay table says: built once.

    How many hands each class of two cards has; and the ways from two cards to three, from three to
    four, and from four to the kinds of hand that the fifth card makes.
    """

    weight: Ints
    ways: tuple[Ways, Ways, Ways]


@compiled
def _falling(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    return a, max(b, c), min(b, c), d


@compiled
def _suit(held: int, suit: int) -> int:
    """The ranks of a suit and, above them, how many they are."""
    mask = held >> RANK_COUNT * suit & _MASK
    return bit_count(mask) << RANK_COUNT | mask


@compiled
def class_key(cards: Ints) -> int:
    """The four suits as one number; keys ascend as the numbers of classes do."""
    held = 0
    for card in cards:
        held |= 1 << RANK_COUNT * (card & 3) + (card >> 2)
    suits = _falling(_suit(held, 0), _suit(held, 1), _suit(held, 2), _suit(held, 3))
    key = 63 - 8 * (suits[0] >> RANK_COUNT) - (suits[1] >> RANK_COUNT)
    for suit in suits:
        key = key << RANK_COUNT | suit & _MASK
    return key


@compiled
def class_number(cards: Ints, keys: Ints) -> int:
    """The number of a class among those of as many cards, whose keys are given."""
    return int(np.searchsorted(keys, class_key(cards)))


@compiled
def _number_of_set(w: int, x: int, y: int, z: int) -> int:
    """Of four different numbers in falling order, among all such sets."""
    fours, threes = w * (w - 1) * (w - 2) * (w - 3) // 24, x * (x - 1) * (x - 2) // 6
    return fours + threes + y * (y - 1) // 2 + z


@compiled
def four_number(cards: Ints) -> int:
    """The number of four cards where only what the fifth can make of them counts: their ranks, and
    whether they are of one suit."""
    w, x, y, z = _falling(cards[0] >> 2, cards[1] >> 2, cards[2] >> 2, cards[3] >> 2)
    suit = cards[0] & 3
    if cards[1] & 3 == suit and cards[2] & 3 == suit and cards[3] & 3 == suit:
        return _MIXED + _number_of_set(w, x, y, z)
    return _number_of_set(w + 3, x + 2, y + 1, z)


@compiled
def _with_each_card(classes: Ints) -> Ints:
    """The keys of what the cards of each class become with every other card; -1 for a card that is
    one of them."""
    size = classes.shape[1]
    found = np.full((len(classes), 52), -1, np.int64)
    hand = np.empty(size + 1, np.int64)
    for number in range(len(classes)):
        hand[:size] = classes[number]
        for card in range(52):
            hand[size] = card
            if card not in classes[number]:
                found[number, card] = class_key(hand)
    return found


@compiled
def _counted(targets: Ints, different: int) -> Ways:
    """Equal targets of a row are one way."""
    start = np.zeros(len(targets) + 1, np.int64)
    to, times = np.empty(targets.size, np.int64), np.empty(targets.size, np.int64)
    place = np.full(different, -1, np.int64)
    end = 0
    for number in range(len(targets)):
        for target in targets[number]:
            if target < 0:
                continue
            if place[target] < start[number]:
                place[target], to[end], times[end] = end, target, 0
                end += 1
            times[place[target]] += 1
        start[number + 1] = end
    return Ways(start, to[:end].copy(), times[:end].copy())


@compiled
def _seen_by_the_last(classes: Ints, different: int) -> tuple[Ways, Ints]:
    """From three cards to four in short, or from four to kinds of hand; and cards for each.

    Cards of a rank make the same, but where all held are of one suit that suit's own.
    """
    size = classes.shape[1]
    start = np.zeros(len(classes) + 1, np.int64)
    to, times = np.empty(len(classes) * 26, np.int64), np.empty(len(classes) * 26, np.int64)
    place, hands = np.full(different, -1, np.int64), np.empty((different, size + 1), np.int64)
    hand = np.empty(size + 1, np.int64)
    end = 0
    for number in range(len(classes)):
        held, suited, shared, rank = 0, True, -1, -1
        for position, card in enumerate(classes[number]):
            hand[position] = card
            held |= 1 << card
            suited = suited and (card ^ hand[0]) & 3 == 0
        for card in range(52):
            if held >> card & 1:
                continue
            target, alone = shared, suited and (card ^ hand[0]) & 3 == 0
            if alone or card >> 2 != rank:
                hand[size] = card
                target = kind_of_hand(hand) if size == 4 else four_number(hand)
            if not alone:
                shared, rank = target, card >> 2
            if place[target] < start[number]:
                if place[target] < 0:
                    hands[target] = hand
                place[target], to[end], times[end] = end, target, 0
                end += 1
            times[place[target]] += 1
        start[number + 1] = end
    return Ways(start, to[:end].copy(), times[:end].copy()), hands


@cache
def _grown(size: int) -> tuple[Ints, Ints]:
    """The keys of all classes of one card more; and for every class and card the number of the
    class that they become."""
    keys, numbers = np.unique(_with_each_card(cards_of_classes(size)), return_inverse=True)
    return (keys, numbers) if keys[0] >= 0 else (keys[1:], numbers - 1)


def class_keys(size: int) -> Ints:
    """Those of all classes of so many cards: a class's number is its place."""
    return _grown(size - 1)[0]


@compiled
def _cards_of(keys: Ints, size: int) -> Ints:
    cards = np.empty((len(keys), size), np.int64)
    for number in range(len(keys)):
        found = 0
        for card in range(51, -1, -1):
            if keys[number] >> _PLACES[card] & 1:
                cards[number, found] = card
                found += 1
    return cards


@cache
def cards_of_classes(size: int) -> Ints:
    """One set of cards of each class, the highest card first."""
    return _cards_of(class_keys(size) if size else np.zeros(1, np.int64), size)


def _ways_on(size: int) -> Ways:
    keys, numbers = _grown(size)
    return _counted(numbers, len(keys))


@cache
def deck_by_classes() -> Cards:
    """Each of the 16,432 classes of four cards for itself; built once."""
    to_hands, _ = _seen_by_the_last(cards_of_classes(4), KIND_COUNT)
    return Cards(np.array(set_counts(2), np.int64), (_ways_on(2), _ways_on(3), to_hands))


@cache
def deck_in_short() -> Cards:
    """Four cards only as finely as the fifth can tell them apart: 1,820 sets of ranks, and 715 sets
    of one suit. All that is best play is the same. Built once."""
    to_fours, fours = _seen_by_the_last(cards_of_classes(3), FOURS)
    to_hands, _ = _seen_by_the_last(fours, KIND_COUNT)
    return Cards(np.array(set_counts(2), np.int64), (_ways_on(2), to_fours, to_hands))


@cache
def representatives(size: int) -> tuple[tuple[Card, ...], ...]:
    """One set of cards of each class of so many, in the order of their numbers."""
    return tuple(map(tuple, cards_of_classes(size).tolist()))


@cache
def set_counts(size: int) -> tuple[int, ...]:
    """How many sets of cards each class has."""
    if not size:
        return (1,)
    start, to, times = _ways_on(size - 1)
    counts = np.zeros(len(class_keys(size)), np.int64)
    np.add.at(counts, to, np.repeat(set_counts(size - 1), np.diff(start)) * times)
    return tuple((counts // size).tolist())


def class_of(cards: Sequence[Card]) -> int:
    """The number of a class among those of as many cards."""
    return class_number(np.array(cards, np.int64), class_keys(len(cards)))


def number_in_short(cards: Sequence[Card]) -> int:
    """The same in the short deck."""
    return four_number(np.array(cards, np.int64)) if len(cards) == 4 else class_of(cards)
