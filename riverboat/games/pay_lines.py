"""From cards to the one line of a pay table that is for them."""

from collections.abc import Sequence
from functools import lru_cache

from riverboat.cards import RANKS, SUITS, Card
from riverboat.hands import (
    FiveCardHand,
    Ranked,
    best_five_of_six,
    rank_five,
    rank_three,
    super_royal_suit,
)
from riverboat.rulebook.paytables import Kind, Line, PayTable, kinds, lines_for

Lines = dict[Kind, Line]

_WITHOUT_RANK = tuple(Kind(hand.label) for hand in FiveCardHand)


def index_lines(table: PayTable) -> Lines:
    """Every kind of hand with its line; a usable table has exactly one for each."""
    return {kind: lines_for(table, kind)[0] for kind in kinds(table.bet)}


def five_card_kind(ranked: Ranked) -> Kind:
    """A ranked hand as finely as a pay table may tell it apart."""
    if ranked.hand is FiveCardHand.PAIR:
        return Kind("pair", RANKS[ranked.ranks[0]])
    return _WITHOUT_RANK[ranked.hand]


@lru_cache(maxsize=64)
def ranked(hand: tuple[Card, ...]) -> Ranked:
    """The value of five cards, kept for a while: several wagers of a round go by the same hand."""
    return rank_five(hand)


def kind_of_five(cards: tuple[Card, ...]) -> Kind:
    """Two hole cards with three community cards, or a packet of five."""
    return five_card_kind(ranked(cards))


@lru_cache(maxsize=1024)
def kind_of_three(cards: tuple[Card, ...], *, ace_low: bool) -> Kind:
    """The three community cards."""
    return Kind(rank_three(cards, ace_low=ace_low).hand.label)


def kind_of_six(cards: Sequence[Card]) -> Kind:
    """Four box cards with two hole cards: all six as a super royal, or the best five."""
    best = best_five_of_six(cards)
    suit = super_royal_suit(cards) if best.hand is FiveCardHand.ROYAL_FLUSH else None
    return five_card_kind(best) if suit is None else Kind("super_royal", suit=SUITS[suit])
