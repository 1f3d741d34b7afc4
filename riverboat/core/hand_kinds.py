"""The hands that decide bets: of two, three, five and six cards, one entry each.

A side bet, the base game and the progressive name one of these. Everything that depends on how many
cards decide a bet comes from its entry: which kinds there are and how they rank, what cards make,
how many hands of each kind a deck holds, and an example of each. A hand of another size is one more
entry.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias

from riverboat.core.cards import DECK, RANKS, SUITS, Card, parse_cards
from riverboat.core.hand_counts import (
    Counts,
    five_card_counts,
    six_card_counts,
    three_card_counts,
    two_card_counts,
)
from riverboat.core.hands import (
    FiveCardHand,
    Kind,
    Ranked,
    ThreeCardHand,
    TwoCardHand,
    best_five_of_six,
    rank_five,
    rank_three,
    rank_two,
    super_royal_suit,
)

HandSize: TypeAlias = Literal["two", "three", "five", "six"]
HandName: TypeAlias = Literal[
    "super_royal",
    "mini_royal",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "ace_king_suited",
    "suited",
    "ace_king",
    "high_card",
]


FIVE_CARD: Final = tuple(hand.label for hand in reversed(FiveCardHand))
"""Hands of five cards, the highest first: the base game's, and the progressive's."""

_WITHOUT_RANK: Final = tuple(Kind(hand.label) for hand in FiveCardHand)
_TWO: Final = ("Ac Kc", "9c 4c", "Ac Kd", "9c 4d")
_THREE: Final = ("Ac Kc Qc", "6c 5c 4c", "9c 9d 9h", "6c 5d 4h", "Kc 9c 4c", "9c 9d 4h", "Kc 9d 4h")
_FIVE: Final = (
    "Ac Kc Qc Jc Tc",
    "6c 5c 4c 3c 2c",
    "9c 9d 9h 9s 4c",
    "9c 9d 9h 4c 4d",
    "Kc Jc 9c 4c 2c",
    "6c 5d 4h 3s 2c",
    "9c 9d 9h Jc 4d",
    "9c 9d 4h 4s Jc",
    "Kc Jd 9h 6s 2c",
)
_BESIDE_A_PAIR: Final = parse_cards("2c 4d 7h 9c Jd Kh")


class Hand(NamedTuple):
    """Hands of one size: their names from the highest, and what there is to know of each kind.

    A pair may be told apart by its rank where `pairs_by_rank`, six cards of one suit by theirs. A
    pay table can promise an amount whatever the stake where `fixed_prizes`.
    `ace_low` in `kind_of` and `counts` is for three cards: whether A-2-3 is a straight.
    """

    cards: int
    order: tuple[str, ...]
    pairs_by_rank: bool
    fixed_prizes: bool
    kind_of: Callable[[tuple[Card, ...], bool], Kind]
    counts: Callable[[bool], Counts]
    examples: Callable[[Kind], Iterator[tuple[Card, ...]]]

    def kinds(self) -> Iterator[Kind]:
        """Every kind that a pay table must have a line for."""
        for hand in self.order:
            if hand == "pair" and self.pairs_by_rank:
                yield from (Kind(hand, rank=rank) for rank in RANKS)
            elif hand == "super_royal":
                yield from (Kind(hand, suit=suit) for suit in SUITS)
            else:
                yield Kind(hand)

    def example(self, kind: Kind) -> tuple[Card, ...]:
        """Cards that make a kind of hand."""
        return next(cards for cards in self.examples(kind) if self.kind_of(cards, True) == kind)


def five_card_kind(ranked: Ranked) -> Kind:
    """A ranked hand as finely as a pay table may tell it apart."""
    if ranked.hand is FiveCardHand.PAIR:
        return Kind("pair", RANKS[ranked.ranks[0]])
    return _WITHOUT_RANK[ranked.hand]


@lru_cache(maxsize=64)
def ranked(hand: tuple[Card, ...]) -> Ranked:
    """The value of five cards, kept for a while: several wagers of a round go by the same hand."""
    return rank_five(hand)


def kind_of_two(cards: tuple[Card, ...]) -> Kind:
    """A pair by its rank, or two cards of other kinds."""
    two = rank_two(cards)
    return (
        Kind("pair", RANKS[two.ranks[0]]) if two.hand is TwoCardHand.PAIR else Kind(two.hand.label)
    )


@lru_cache(maxsize=1024)
def kind_of_three(cards: tuple[Card, ...], *, ace_low: bool) -> Kind:
    """Three cards, where a straight beats a flush."""
    return Kind(rank_three(cards, ace_low=ace_low).hand.label)


def kind_of_five(cards: tuple[Card, ...]) -> Kind:
    """Five cards, a pair by its rank."""
    return five_card_kind(ranked(cards))


def kind_of_six(cards: tuple[Card, ...]) -> Kind:
    """All six as a super royal, or the best five of them."""
    best = best_five_of_six(cards)
    suit = super_royal_suit(cards) if best.hand is FiveCardHand.ROYAL_FLUSH else None
    return five_card_kind(best) if suit is None else Kind("super_royal", suit=SUITS[suit])


def _pairs(kind: Kind, beside: int) -> Iterator[tuple[Card, ...]]:
    """A pair of a rank with so many cards that go with nothing."""
    pair = RANKS.index(kind.rank) * len(SUITS)
    for others in combinations(_BESIDE_A_PAIR, beside):
        yield (pair, pair + 1, *others)


def _examples_of_two(kind: Kind) -> Iterator[tuple[Card, ...]]:
    return _pairs(kind, 0) if kind.rank else map(parse_cards, _TWO)


def _examples_of_three(kind: Kind) -> Iterator[tuple[Card, ...]]:
    return map(parse_cards, _THREE)


def _examples_of_five(kind: Kind) -> Iterator[tuple[Card, ...]]:
    found = _pairs(kind, 3) if kind.rank else map(parse_cards, _FIVE)
    return (cards for cards in found if len(set(cards)) == len(cards))


def _examples_of_six(kind: Kind) -> Iterator[tuple[Card, ...]]:
    if kind.suit:
        yield parse_cards(" ".join(rank + kind.suit for rank in RANKS[-6:]))
        return
    for five in _examples_of_five(kind):
        if kind_of_five(five) == kind:
            yield from ((*five, card) for card in DECK if card not in five)


HANDS: Final[Mapping[HandSize, Hand]] = {
    "two": Hand(
        cards=2,
        order=tuple(hand.label for hand in reversed(TwoCardHand)),
        pairs_by_rank=True,
        fixed_prizes=False,
        kind_of=lambda cards, ace_low: kind_of_two(cards),
        counts=lambda ace_low: two_card_counts(),
        examples=_examples_of_two,
    ),
    "three": Hand(
        cards=3,
        order=tuple(hand.label for hand in reversed(ThreeCardHand)),
        pairs_by_rank=False,
        fixed_prizes=False,
        kind_of=lambda cards, ace_low: kind_of_three(cards, ace_low=ace_low),
        counts=lambda ace_low: three_card_counts(ace_low=ace_low),
        examples=_examples_of_three,
    ),
    "five": Hand(
        cards=5,
        order=FIVE_CARD,
        pairs_by_rank=True,
        fixed_prizes=False,
        kind_of=lambda cards, ace_low: kind_of_five(cards),
        counts=lambda ace_low: five_card_counts(),
        examples=_examples_of_five,
    ),
    "six": Hand(
        cards=6,
        order=("super_royal", *FIVE_CARD),
        pairs_by_rank=True,
        fixed_prizes=True,
        kind_of=lambda cards, ace_low: kind_of_six(cards),
        counts=lambda ace_low: six_card_counts(),
        examples=_examples_of_six,
    ),
}
"""The registry: a bet names one of these by its key."""
