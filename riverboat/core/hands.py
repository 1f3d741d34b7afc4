"""The readable hand evaluator: two, three, five and six cards. Faster ones are tested against this.

A hand is read in two steps. Its cards are reduced to their ranks and to whether they are of one
suit, since nothing else about them counts; and that is named once and remembered, because there
are only 7,462 hands of five cards that differ in value.

Ranks are places in `cards.RANKS`, from 0 for a two to 12 for an ace.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from riverboat.core.cards import RANKS, SUITS, Card, check_distinct, parse_cards, ranks_of, suits_of
from riverboat.core.errors import FouledDeck

RankSet: TypeAlias = frozenset[int]
RankOrder: TypeAlias = tuple[int, ...]


class _Hand(IntEnum):
    @property
    def label(self) -> str:
        """The hand's name in rulebooks, scenario files and pay tables."""
        return self.name.lower()


class FiveCardHand(_Hand):
    """Hands of five cards, from the lowest to the highest."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class ThreeCardHand(_Hand):
    """Hands of three cards, from the lowest to the highest: here a straight beats a flush."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    MINI_ROYAL = 6


class TwoCardHand(_Hand):
    """Hands of two cards, from the lowest to the highest."""

    HIGH_CARD = 0
    ACE_KING = 1
    SUITED = 2
    ACE_KING_SUITED = 3
    PAIR = 4


class Kind(NamedTuple):
    """A hand as finely as a pay table may tell it apart."""

    hand: str
    rank: str = ""
    suit: str = ""

    def __str__(self) -> str:
        name = self.hand.replace("_", " ")
        if self.rank:
            return f"{name} of {self.rank}"
        return f"{name} ({self.suit})" if self.suit else name


class Ranked(NamedTuple):
    """A five-card hand's full value: of two hands the greater wins, and equal ones tie.

    `ranks` has each rank once: those held most often first, then from the top; in a straight from
    the top, where the ace of A-2-3-4-5 comes last.
    """

    hand: FiveCardHand
    ranks: RankOrder


class RankedTwo(NamedTuple):
    """A two-card hand's full value, ordered as `Ranked` is."""

    hand: TwoCardHand
    ranks: RankOrder


class RankedThree(NamedTuple):
    """A three-card hand's full value, ordered as `Ranked` is."""

    hand: ThreeCardHand
    ranks: RankOrder


_ACE: Final = RANKS.index("A")
_ACE_KING: Final = (_ACE, _ACE - 1)
_LADDER: Final = (_ACE, *range(len(RANKS)))


def _straights(length: int) -> dict[RankSet, RankOrder]:
    """Every straight of so many cards, from the top; the ace stands at both ends of the ladder."""
    bottoms = range(len(_LADDER) - length + 1)
    rungs = [_LADDER[bottom : bottom + length] for bottom in bottoms]
    return {frozenset(straight): straight[::-1] for straight in rungs}


_STRAIGHTS_OF_FIVE: Final = _straights(5)
_STRAIGHTS_OF_THREE: Final = _straights(3)
_ACE_TWO_THREE: Final = frozenset(_LADDER[:3])

_FIVE_BY_COUNTS: Final = {
    (4, 1): FiveCardHand.FOUR_OF_A_KIND,
    (3, 2): FiveCardHand.FULL_HOUSE,
    (3, 1, 1): FiveCardHand.THREE_OF_A_KIND,
    (2, 2, 1): FiveCardHand.TWO_PAIR,
    (2, 1, 1, 1): FiveCardHand.PAIR,
    (1, 1, 1, 1, 1): FiveCardHand.HIGH_CARD,
}
_THREE_BY_COUNTS: Final = {
    (3,): ThreeCardHand.THREE_OF_A_KIND,
    (2, 1): ThreeCardHand.PAIR,
    (1, 1, 1): ThreeCardHand.HIGH_CARD,
}
_SUPER_ROYALS: Final = {
    frozenset(parse_cards(f"A{suit} K{suit} Q{suit} J{suit} T{suit} 9{suit}")): SUITS.index(suit)
    for suit in SUITS
}


def rank_five(cards: Sequence[Card]) -> Ranked:
    """The value of five cards, in the total order of all 7,462 classes; A-2-3-4-5 is five high."""
    _check_hand(cards, 5)
    return _rank_checked_five(cards)


def best_five_of_six(cards: Sequence[Card]) -> Ranked:
    """The value of the best five among six cards, as the six card bonus pays it."""
    _check_hand(cards, 6)
    suits = suits_of(cards)
    if max(map(suits.count, suits)) < 5:
        return _best_without_flush(tuple(sorted(ranks_of(cards))))
    return max(map(_rank_checked_five, combinations(cards, 5)))


def super_royal_suit(cards: Sequence[Card]) -> int | None:
    """The suit of A-K-Q-J-T-9 in one suit, the one hand that takes all six cards; else None."""
    _check_hand(cards, 6)
    return _SUPER_ROYALS.get(frozenset(cards))


def rank_three(cards: Sequence[Card], *, ace_low: bool = True) -> RankedThree:
    """The value of three cards; whether A-2-3 is a straight is for the rulebook to say."""
    _check_hand(cards, 3)
    return _name_three(*_ranks_and_suited(cards), ace_low)


def rank_two(cards: Sequence[Card]) -> RankedTwo:
    """The value of two cards: a pair, of one suit, ace and king, or neither."""
    _check_hand(cards, 2)
    ranks, suited = _ranks_and_suited(cards)
    high_first = ranks[::-1]
    if ranks[0] == ranks[1]:
        return RankedTwo(TwoCardHand.PAIR, ranks[:1])
    if high_first == _ACE_KING:
        hand = TwoCardHand.ACE_KING_SUITED if suited else TwoCardHand.ACE_KING
        return RankedTwo(hand, high_first)
    return RankedTwo(TwoCardHand.SUITED if suited else TwoCardHand.HIGH_CARD, high_first)


def _check_hand(cards: Sequence[Card], card_count: int) -> None:
    if len(cards) != card_count:
        raise FouledDeck("hand.wrong_count", f"{len(cards)} cards where {card_count} make a hand")
    check_distinct(cards)


def _rank_checked_five(cards: Sequence[Card]) -> Ranked:
    return _name_five(*_ranks_and_suited(cards))


def _ranks_and_suited(cards: Sequence[Card]) -> tuple[RankOrder, bool]:
    return tuple(sorted(ranks_of(cards))), len(set(suits_of(cards))) == 1


@cache
def _name_five(ranks: RankOrder, suited: bool) -> Ranked:
    straight = _STRAIGHTS_OF_FIVE.get(frozenset(ranks))
    if straight and suited:
        royal = straight[0] == _ACE
        return Ranked(FiveCardHand.ROYAL_FLUSH if royal else FiveCardHand.STRAIGHT_FLUSH, straight)
    if straight:
        return Ranked(FiveCardHand.STRAIGHT, straight)
    counts, order = _counts_and_order(ranks)
    return Ranked(FiveCardHand.FLUSH if suited else _FIVE_BY_COUNTS[counts], order)


@cache
def _name_three(ranks: RankOrder, suited: bool, ace_low: bool) -> RankedThree:
    rank_set = frozenset(ranks)
    barred = rank_set == _ACE_TWO_THREE and not ace_low
    straight = None if barred else _STRAIGHTS_OF_THREE.get(rank_set)
    if straight and suited:
        royal = straight[0] == _ACE
        hand = ThreeCardHand.MINI_ROYAL if royal else ThreeCardHand.STRAIGHT_FLUSH
        return RankedThree(hand, straight)
    if straight:
        return RankedThree(ThreeCardHand.STRAIGHT, straight)
    counts, order = _counts_and_order(ranks)
    return RankedThree(ThreeCardHand.FLUSH if suited else _THREE_BY_COUNTS[counts], order)


@cache
def _best_without_flush(ranks: RankOrder) -> Ranked:
    return max(_name_five(five, False) for five in combinations(ranks, 5))


def _counts_and_order(ranks: RankOrder) -> tuple[tuple[int, ...], RankOrder]:
    """How often each rank is held, and the ranks in that order: most often first, then highest."""
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)
