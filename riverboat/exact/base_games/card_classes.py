"""Card sets that differ only by the names of their suits: their numbers, and one set of each.

A class is the ranks of each suit, the suits in falling order. It is numbered as the compiled tables
number it: by the sizes of the suits, then by the ranks in them.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial

from riverboat.core.cards import RANKS, SUITS, Card, rank_of, suit_of

Suits = tuple[int, ...]

_SHAPES: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((2,), (1, 1)),
    3: ((3,), (2, 1), (1, 1, 1)),
    4: ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)),
}


def suits_of(cards: Iterable[Card]) -> Suits:
    """The class of a set of cards: a mask of ranks for each suit, the fullest first."""
    masks = [0] * len(SUITS)
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return tuple(sorted(masks, key=_order, reverse=True))


def class_of(cards: Iterable[Card]) -> int:
    """The number of a class among those of as many cards."""
    suits = suits_of(cards)
    return _numbers(sum(mask.bit_count() for mask in suits))[suits]


def four_of(cards: Iterable[Card]) -> int:
    """The number of four cards where only what the fifth can make of them counts: their ranks, and
    whether they are of one suit."""
    suits = suits_of(cards)
    if not suits[1]:
        return 1820 + class_of(_cards_of(suits))
    w, x, y, z = sorted((rank_of(card) for card in _cards_of(suits)), reverse=True)
    return comb(w + 3, 4) + comb(x + 2, 3) + comb(y + 1, 2) + z


@cache
def representatives(size: int) -> tuple[tuple[Card, ...], ...]:
    """One set of cards of each class of so many, in the order of their numbers."""
    return tuple(map(_cards_of, _classes(size)))


@cache
def set_counts(size: int) -> tuple[int, ...]:
    """How many sets of cards each class has."""
    return tuple(map(_arrangements, _classes(size)))


def _order(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _cards_of(suits: Suits) -> tuple[Card, ...]:
    held = [
        rank * len(SUITS) + suit
        for suit, mask in enumerate(suits)
        for rank in range(len(RANKS))
        if mask >> rank & 1
    ]
    return tuple(sorted(held, reverse=True))


def _arrangements(suits: Suits) -> int:
    """In how many ways the four suits can be named."""
    ways = factorial(len(SUITS))
    for mask in set(suits):
        ways //= factorial(suits.count(mask))
    return ways


@cache
def _numbers(size: int) -> dict[Suits, int]:
    return {suits: number for number, suits in enumerate(_classes(size))}


@cache
def _classes(size: int) -> tuple[Suits, ...]:
    """All classes: for each shape, suits of one size in falling order, the last varying fastest."""
    found: list[Suits] = []
    for shape in _SHAPES[size]:
        groups = [_falling(length, shape.count(length)) for length in sorted(set(shape))[::-1]]
        for parts in product(*groups):
            suits = tuple(mask for part in parts for mask in part)
            found.append(suits + (0,) * (len(SUITS) - len(suits)))
    return tuple(found)


def _falling(length: int, suits: int) -> list[Suits]:
    """So many suits of one length, each no higher than the one before, from the lowest."""
    masks = sorted(sum(1 << rank for rank in held) for held in combinations(range(13), length))
    return sorted(chosen[::-1] for chosen in combinations_with_replacement(masks, suits))
