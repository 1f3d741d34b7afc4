"""What cards make, as tables to look up: made once from the readable evaluator.

Cards come as sets of ranks, which are numbered by how many cards they hold; suits count only where
all cards, or five of six, are of one. `tests` hold every table against the evaluator itself.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import RANKS, SUITS, Card
from riverboat.core.hand_kinds import HANDS, five_card_kind, kind_of_three, kind_of_two
from riverboat.core.hands import Kind, Ranked, rank_five
from riverboat.exact.kernels.hand_values import RANK_KEYS, hand_values

_RANKS: Final = len(RANKS)
_SUITS: Final = len(SUITS)
_DECK: Final = _RANKS * _SUITS
FIVE: Final = tuple(HANDS["five"].kinds())
SIX: Final = tuple(HANDS["six"].kinds())
PAIRS: Final = _RANKS * (_RANKS + 1) // 2
"""Ranks of two cards. A hole not of one suit has the number of its ranks; one of one suit comes
after those."""
HOLES: Final = _RANKS**2
_SUPER: Final = 0b1_1111_1000_0000
"""The six highest ranks."""

Table = NDArray[Any]


class RankSets(NamedTuple):
    """Ranks of two to five cards: `more[n][s, r]` is the set of n + 1 cards that the set s of n
    cards is with one card of rank r; `sets[n]` are the ranks of each, ascending."""

    sets: dict[int, tuple[tuple[int, ...], ...]]
    more: dict[int, Table]


@cache
def rank_sets() -> RankSets:
    """All of them, numbered in ascending order; five cards of one rank are among them."""
    sets = {n: tuple(combinations_with_replacement(range(_RANKS), n)) for n in range(1, 6)}
    more = {}
    for n in range(1, 5):
        number = {ranks: place for place, ranks in enumerate(sets[n + 1])}
        rows = [[number[tuple(sorted((*s, r)))] for r in range(_RANKS)] for s in sets[n]]
        more[n] = np.array(rows, np.uint16)
    return RankSets(sets, more)


def cards_of(ranks: tuple[int, ...], *, suited: bool) -> tuple[Card, ...]:
    """Cards of these ascending ranks, all of one suit or not, the highest first."""
    suits = [0 if suited else ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    if not suited and len(set(ranks)) == len(ranks):
        suits[0] = 1
    cards = [rank * _SUITS + suit for rank, suit in zip(ranks, suits, strict=True)]
    return tuple(sorted(cards, reverse=True))


@cache
def hole_numbers() -> Table:
    """The number of a hole by its two cards."""
    pair, ranks = rank_sets().more[1], np.arange(_DECK) // _SUITS
    suits = np.arange(_DECK) % _SUITS
    numbers = pair[ranks[:, None], ranks[None, :]].astype(np.int64)
    distinct = np.cumsum([low != high for low, high in rank_sets().sets[2]]) - 1
    suited = (suits[:, None] == suits[None, :]) & (ranks[:, None] != ranks[None, :])
    found: Table = np.where(suited, PAIRS + distinct[numbers], numbers).astype(np.uint8)
    return found


@cache
def hole_ranks() -> Table:
    """The ranks of each hole, as a set of two."""
    sets = rank_sets().sets[2]
    every = [*range(PAIRS), *(place for place, (low, high) in enumerate(sets) if low != high)]
    return np.array(every, np.uint8)


@cache
def kinds_of_two() -> Table:
    """The kind of each hole, by its place among those of two cards."""
    kinds = list(HANDS["two"].kinds())
    sets = rank_sets().sets[2]
    found = []
    for number, pair in enumerate(hole_ranks().tolist()):
        cards = cards_of(sets[pair], suited=number >= PAIRS)
        found.append(kinds.index(kind_of_two(cards)))
    return np.array(found, np.uint8)


@cache
def kinds_of_three(ace_low: bool) -> Table:
    """The kind of three cards by whether they are of one suit, and by their ranks in a row."""
    kinds = list(HANDS["three"].kinds())
    found = np.zeros((2, _RANKS**3), np.uint8)
    numbers = sets_of_three()
    for suited in (False, True):
        made = []
        for ranks in rank_sets().sets[3]:
            possible = not suited or len(set(ranks)) == 3
            cards = cards_of(ranks, suited=suited and possible)
            made.append(kinds.index(kind_of_three(cards, ace_low=ace_low)))
        found[int(suited)] = np.array(made, np.uint8)[numbers]
    return found


def sets_of_three() -> Table:
    """The set that three ranks in a row are, by 169, 13 and 1 times the ranks."""
    one, two, three = np.indices((_RANKS,) * 3)
    more = rank_sets().more
    found: Table = more[2][more[1][one, two], three].reshape(-1)
    return found


@cache
def values_of_five() -> Table:
    """The value of five cards not of one suit, by their set."""
    values = hand_values()
    keys = [sum(RANK_KEYS[rank] for rank in ranks) for ranks in rank_sets().sets[5]]
    found: Table = values.by_key[keys]
    return found


@cache
def values_of_three_and_two() -> Table:
    """The same by a set of three and one of two."""
    more, sets = rank_sets().more, rank_sets().sets
    low, high = np.array(sets[2]).T
    threes = np.arange(len(sets[3]))[:, None]
    found: Table = values_of_five()[more[4][more[3][threes, low[None, :]], high[None, :]]]
    return found


@cache
def fives_by_value() -> dict[Ranked, tuple[Card, ...]]:
    """Cards for each value of five."""
    found: dict[Ranked, tuple[Card, ...]] = {}
    for ranks in rank_sets().sets[5]:
        if len(set(ranks)) == 5:
            suited = cards_of(ranks, suited=True)
            found[rank_five(suited)] = suited
        if ranks[0] != ranks[4]:
            mixed = cards_of(ranks, suited=False)
            found[rank_five(mixed)] = mixed
    return found


@cache
def kinds_by_value() -> Table:
    """The kind of each value of five cards."""
    return np.array([FIVE.index(five_card_kind(one)) for one in hand_values().ranked], np.uint8)


@cache
def kinds_of_five() -> Table:
    """The kind of five cards by whether they are of one suit, and by their set."""
    mixed = kinds_by_value()[values_of_five()]
    masks = [sum({1 << rank for rank in ranks}) for ranks in rank_sets().sets[5]]
    suited = kinds_by_value()[hand_values().by_mask[masks]]
    return np.stack([mixed, suited])


@cache
def kinds_of_six() -> Table:
    """The kind of six cards of which no five are of one suit: by a set of four and one of two."""
    sets, keys = rank_sets().sets, np.array(RANK_KEYS)
    four, two = np.array(sets[4]), np.array(sets[2])
    each = np.concatenate(
        [
            np.broadcast_to(keys[four][:, None, :], (len(four), len(two), 4)),
            np.broadcast_to(keys[two][None, :, :], (len(four), len(two), 2)),
        ],
        axis=2,
    )
    # Without one card each in turn; five of one rank have no value, and no six cards have them.
    fives = np.minimum(each.sum(axis=2)[..., None] - each, len(hand_values().by_key) - 1)
    best = hand_values().by_key[fives].max(axis=2)
    after_royals = np.array([SIX.index(kind) for kind in FIVE], np.uint8)
    found: Table = after_royals[kinds_by_value()[best]]
    return found


@cache
def kinds_of_six_suited() -> Table:
    """The kind of six cards of which five or six are of one suit, by that suit and those ranks."""
    by_mask, kinds = hand_values().by_mask, kinds_by_value()
    found = np.zeros((_SUITS, 1 << _RANKS), np.uint8)
    for mask in range(1 << _RANKS):
        bits = [1 << rank for rank in range(_RANKS) if mask >> rank & 1]
        if len(bits) == 5 or len(bits) == 6:
            fives = [mask] if len(bits) == 5 else [mask - bit for bit in bits]
            best = max(int(by_mask[five]) for five in fives)
            found[:, mask] = SIX.index(FIVE[int(kinds[best])])
    for suit, name in enumerate(SUITS):
        found[suit, _SUPER] = SIX.index(Kind("super_royal", suit=name))
    return found
