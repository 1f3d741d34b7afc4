"""Compiled rounds against a dealer: five cards each, one of the dealer's seen at one decision.

What a seat does follows from the value of its hand and the rank of the dealer's card; where suits
matter too, in a narrow band of hands, the very class of the cards is looked for.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import RANKS, SUITS, Card
from riverboat.core.hand_kinds import HANDS, kind_of_five
from riverboat.core.hands import Kind, Ranked, rank_five
from riverboat.exact.base_games.dealer_game import (
    AT_PAR,
    SITUATIONS,
    DealerSolution,
    sample_cards,
    situation_of,
    threshold,
)
from riverboat.exact.kernels.compiling import compiled_bare, compiled_within
from riverboat.exact.kernels.hand_values import hand_values
from riverboat.round.setup.setup import Setup
from riverboat.simulate import card_tables as c
from riverboat.simulate.endings import Wagers
from riverboat.simulate.settling import Felt, Owed, Terms, begin, finish, settle_fives
from riverboat.simulate.table import Examples, Meters, Table, prepare

LOOK_CLOSER: Final = 255
_RANKS: Final = len(RANKS)

Choices = NDArray[np.uint8]
RankStrategy = Callable[[Ranked, int], int]
"""A multiple of the ante, 0 for the fold, by the value of the hand and the rank of the up-card."""


class Way(NamedTuple):
    """A way to play: choices by value and rank of the up-card, 0 for the fold; and those of single
    classes of cards by the up-card, which the number of the class is looked up for in `classes`."""

    choices: Choices
    classes: NDArray[np.int64]
    closer: Choices


class AgainstDealer(NamedTuple):
    """The look-ups of a table; `ended` is by choice, kind of hand and situation."""

    choices: Choices
    classes: NDArray[np.int64]
    closer: Choices
    ways: NDArray[np.uint8]
    ended: NDArray[Any]
    threes: NDArray[np.uint16]
    pairs: NDArray[np.uint8]
    values: NDArray[np.uint16]
    by_mask: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    threshold: int


def examples() -> Examples:
    """Hands of the seat and of the dealer for every kind in every situation that there can be."""
    found: dict[tuple[Kind, int], dict[str, tuple[Card, ...]]] = {}
    dealers = [(cards, value) for cards, value in sample_cards()]
    for kind in c.FIVE:
        for mine in _hands_of(kind):
            value = rank_five(mine)
            against = [*dealers, *((turned, value) for turned in _turned(mine))]
            for cards, other in against:
                if not set(mine) & set(cards):
                    key = kind, situation_of(value, other)
                    found.setdefault(key, {"1": mine, "dealer": cards})
    return Examples(c.FIVE, len(SITUATIONS), found)


def _hands_of(kind: Kind) -> Iterator[tuple[Card, ...]]:
    yield from (cards for cards in HANDS["five"].examples(kind) if kind_of_five(cards) == kind)
    yield from (cards for cards, _ in sample_cards() if kind_of_five(cards) == kind)


def _turned(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """The same ranks in other suits."""
    many = len(SUITS)
    for turn in range(1, many):
        yield tuple(card - card % many + (card + turn) % many for card in cards)


def table_against_dealer(setup: Setup, wagers: Wagers, meters: Meters) -> Table:
    """A table of this shape, asked of the engine."""
    return prepare(setup, wagers, meters, examples())


def best_way(solution: DealerSolution) -> Way:
    """What an exact solution does."""
    counts, chosen = solution.counts, solution.choices.astype(np.int64)
    held = chosen < 0
    by_rank = np.where(held, 0, chosen % AT_PAR).reshape(-1, _RANKS, len(SUITS))
    free = ~held.reshape(by_rank.shape)
    shape = (len(hand_values().ranked), _RANKS)
    most, least = np.zeros(shape, np.int64), np.full(shape, LOOK_CLOSER)
    values = counts.values[:, None].repeat(_RANKS, axis=1), np.arange(_RANKS)[None, :]
    np.maximum.at(most, values, np.where(free, by_rank, 0).max(axis=2))
    np.minimum.at(least, values, np.where(free, by_rank, LOOK_CLOSER).min(axis=2))
    alike = np.where(most == least, most, LOOK_CLOSER)
    narrow = (alike == LOOK_CLOSER).any(axis=1)[counts.values]
    keys = np.array([_class_of(cards) for cards in counts.cards[narrow].tolist()], np.int64)
    order = np.argsort(keys)
    closer = np.where(held, 0, chosen % AT_PAR)[narrow][order]
    return Way(alike.astype(np.uint8), keys[order], closer.astype(np.uint8))


def _class_of(cards: Sequence[Card]) -> int:
    masks = [0] * len(SUITS)
    for card in cards:
        masks[card % len(SUITS)] |= 1 << card // len(SUITS)
    key = 0
    for mask in sorted(masks, reverse=True):
        key = key << _RANKS | mask
    return key


def way_by_rank(setup: Setup, play: RankStrategy) -> Way:
    """A way to play that goes by the value of the hand and the rank of the up-card."""
    multiples = (0, *sorted(set(setup.stages[0].multiples)))
    rows = [
        [multiples.index(play(value, rank)) for rank in range(_RANKS)]
        for value in hand_values().ranked
    ]
    nothing = np.zeros((0, _RANKS * len(SUITS)), np.uint8)
    return Way(np.array(rows, np.uint8), np.zeros(0, np.int64), nothing)


def against_dealer(table: Table, ways: Sequence[Way], by_seat: Sequence[int]) -> AgainstDealer:
    """The look-ups for seats that each play one of some ways."""
    bets = [table.ways.index((m,)) for m in (0, *sorted(set(table.setup.stages[0].multiples)))]
    classes = sorted({int(key) for way in ways for key in way.classes})
    closer = np.full((len(ways), max(1, len(classes)), _RANKS * len(SUITS)), LOOK_CLOSER, np.uint8)
    for number, way in enumerate(ways):
        places = np.searchsorted(classes, way.classes)
        closer[number, places] = way.closer
    return AgainstDealer(
        choices=np.stack([way.choices for way in ways]),
        classes=np.array(classes or [0], np.int64),
        closer=closer,
        ways=np.array(by_seat, np.uint8),
        ended=np.ascontiguousarray(table.numbers[bets]),
        threes=c.sets_of_three(),
        pairs=c.rank_sets().more[1].astype(np.uint8),
        values=c.values_of_three_and_two(),
        by_mask=hand_values().by_mask,
        kinds=c.kinds_by_value(),
        threshold=threshold(),
    )


# ---------------------------------------------------------------- compiled

_R, _S, _ONE = np.uint8(2), np.uint8(3), np.int64(1)


@compiled_within
def settle_against_dealer(
    plan: AgainstDealer, terms: Terms, owed: Owed, felt: Felt, deck: NDArray[np.uint8]
) -> None:
    """A round from its cards: five for each seat, then the dealer's, the one that is seen first."""
    begin(terms, felt)
    seats = terms.seats
    up, dealers = deck[5 * seats], _value(plan, deck, 5 * seats)
    short = 0 if dealers < plan.threshold else 3
    base, progressive, flags = 0, 0, 0
    for seat in range(seats):
        value = _value(plan, deck, 5 * seat)
        way = plan.ways[seat]
        choice = plan.choices[way, value, up >> _R]
        if choice == LOOK_CLOSER:
            choice = _look_closer(plan, way, deck, 5 * seat, up)
        situation = short + (0 if dealers < value else 1 if dealers == value else 2)
        ended = plan.ended[choice, plan.kinds[value], situation]
        felt.ended[seat] = ended
        base += owed.sums[ended, 0]
        progressive += owed.sums[ended, 1]
        flags += owed.sums[ended, 2]
    sides = owed.family.shape[0]
    felt.net[0] = base
    felt.net[sides + 1] = progressive
    for side in range(sides):
        felt.net[1 + side] = settle_fives(owed, felt, side, seats)
    finish(terms, owed, felt, flags)


@compiled_within
def _value(plan: AgainstDealer, deck: NDArray[np.uint8], place: int) -> Any:
    """The value of five cards that lie together."""
    a, b, c, d, e = (
        deck[place], deck[place + 1], deck[place + 2], deck[place + 3], deck[place + 4],
    )  # fmt: skip
    if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & _S == 0:
        ranks = _ONE << (a >> _R) | _ONE << (b >> _R) | _ONE << (c >> _R)
        return plan.by_mask[ranks | _ONE << (d >> _R) | _ONE << (e >> _R)]
    three = (np.uint32(a >> _R) * np.uint32(13) + np.uint32(b >> _R)) * np.uint32(13)
    return plan.values[plan.threes[three + np.uint32(c >> _R)], plan.pairs[d >> _R, e >> _R]]


@compiled_bare
def _look_closer(
    plan: AgainstDealer, way: int, deck: NDArray[np.uint8], place: int, up: int
) -> Any:
    """What is done with these very cards: their suits in the order of what they hold."""
    first, second, third, fourth = 0, 0, 0, 0
    for at in range(place, place + 5):
        rank, suit = int(_ONE << (deck[at] >> _R)), deck[at] & _S
        if suit == 0:
            first |= rank
        elif suit == 1:
            second |= rank
        elif suit == 2:
            third |= rank
        else:
            fourth |= rank
    # Four masks with their suits below them, put in order by five exchanges.
    a, b, c, d = first << 2, second << 2 | 1, third << 2 | 2, fourth << 2 | 3
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    key = (a >> 2) << 39 | (b >> 2) << 26 | (c >> 2) << 13 | d >> 2
    low, high = 0, plan.classes.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        if plan.classes[middle] < key:
            low = middle + 1
        else:
            high = middle
    suit = np.int64(up & _S)
    renamed = 0 if a & 3 == suit else 1 if b & 3 == suit else 2 if c & 3 == suit else 3
    return plan.closer[way, low, (np.int64(up) >> 2) * 4 + renamed]
