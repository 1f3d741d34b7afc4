"""The hands that decide bets: of two, three, five and six cards, one entry each.

A side bet, the base game and the progressive name one of these. Everything that depends on how many
cards decide a bet comes from its entry: which kinds there are and how they rank, what cards make,
how many hands of each kind a deck holds, and an example of each. A hand of another size is one more
entry.

Hands are counted by formula, the ranks first and then the suits. The tests count the same hands one
by one, and hold the two against each other.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, Literal, NamedTuple, TypeAlias

from riverboat.core import hands
from riverboat.core.cards import DECK, RANKS, SUITS, Card, parse_cards
from riverboat.core.hands import FiveCardHand, Kind, Ranked, ThreeCardHand, TwoCardHand

Counts = dict[Kind, int]

_RANKS = len(RANKS)
_SUITS = len(SUITS)
_PAIRS = comb(_SUITS, 2)
_TRIPS = comb(_SUITS, 3)
_FIVE_RUNS = _RANKS - 3
"""Straights of five cards by rank: the ace stands at both ends."""


def two_card_counts() -> Counts:
    """The 1,326 hands of two cards, pairs by their rank."""
    suited, mixed = _SUITS, _SUITS**2 - _SUITS
    others = comb(_RANKS, 2) - 1
    counts = {
        "ace_king_suited": suited,
        "suited": others * suited,
        "ace_king": mixed,
        "high_card": others * mixed,
    }
    return _by_kind(counts) | {Kind("pair", rank): _PAIRS for rank in RANKS}


def _by_kind(counts: dict[str, int]) -> Counts:
    return {Kind(hand): count for hand, count in counts.items()}


def three_card_counts(*, ace_low: bool) -> Counts:
    """The 22,100 hands of three cards."""
    runs = _RANKS - 1 if ace_low else _RANKS - 2
    suited = _SUITS * comb(_RANKS, 3)
    counts = {
        "mini_royal": _SUITS,
        "straight_flush": _SUITS * (runs - 1),
        "three_of_a_kind": _RANKS * _TRIPS,
        "straight": runs * (_SUITS**3 - _SUITS),
        "flush": suited - _SUITS * runs,
        "pair": _RANKS * _PAIRS * (_RANKS - 1) * _SUITS,
        "high_card": (comb(_RANKS, 3) - runs) * (_SUITS**3 - _SUITS),
    }
    return _by_kind(counts)


def five_card_counts() -> Counts:
    """The 2,598,960 hands of five cards, pairs by their rank."""
    mixed = _SUITS**5 - _SUITS
    counts = {
        "royal_flush": _SUITS,
        "straight_flush": _SUITS * (_FIVE_RUNS - 1),
        "four_of_a_kind": _RANKS * (_RANKS - 1) * _SUITS,
        "full_house": _RANKS * _TRIPS * (_RANKS - 1) * _PAIRS,
        "flush": _SUITS * (comb(_RANKS, 5) - _FIVE_RUNS),
        "straight": _FIVE_RUNS * mixed,
        "three_of_a_kind": _RANKS * _TRIPS * comb(_RANKS - 1, 2) * _SUITS**2,
        "two_pair": comb(_RANKS, 2) * _PAIRS**2 * (_RANKS - 2) * _SUITS,
        "high_card": (comb(_RANKS, 5) - _FIVE_RUNS) * mixed,
    }
    one_pair = _PAIRS * comb(_RANKS - 1, 3) * _SUITS**3
    return _by_kind(counts) | {Kind("pair", rank): one_pair for rank in RANKS}


def six_card_counts() -> Counts:
    """The 20,358,520 hands of six cards by their best five, super royals by their suit."""
    more = 52 - 5
    royal, suited_runs = _SUITS * more, _SUITS * (_FIVE_RUNS - 1) * (more - 1)
    flushes = _SUITS * (comb(_RANKS, 6) + comb(_RANKS, 5) * (52 - _RANKS))
    # Six ranks with a run: a run and any other rank, where two runs overlap counted once.
    runs_of_six = _FIVE_RUNS * (_RANKS - 5) - (_FIVE_RUNS - 1)
    six_mixed = _SUITS**6 - _SUITS * (6 * (_SUITS - 1) + 1)
    paired_mixed = _PAIRS * _SUITS**4 - _SUITS * (_SUITS - 1)
    counts = {
        "royal_flush": royal - _SUITS,
        "straight_flush": suited_runs,
        "four_of_a_kind": _RANKS * comb(48, 2),
        "full_house": comb(_RANKS, 2) * _TRIPS**2
        + _RANKS * _TRIPS * (_RANKS - 1) * _PAIRS * (_RANKS - 2) * _SUITS,
        "flush": flushes - royal - suited_runs,
        "straight": runs_of_six * six_mixed + _FIVE_RUNS * 5 * paired_mixed,
        "three_of_a_kind": _RANKS * _TRIPS * comb(_RANKS - 1, 3) * _SUITS**3,
        "two_pair": comb(_RANKS, 3) * _PAIRS**3
        + comb(_RANKS, 2) * _PAIRS**2 * comb(_RANKS - 2, 2) * _SUITS**2,
        "high_card": (comb(_RANKS, 6) - runs_of_six) * six_mixed,
    }
    pairs = {
        Kind("pair", rank): (comb(_RANKS - 1, 4) - _runs_with(place)) * paired_mixed
        for place, rank in enumerate(RANKS)
    }
    return _by_kind(counts) | {Kind("super_royal", suit=suit): 1 for suit in SUITS} | pairs


def _runs_with(rank: int) -> int:
    """In how many straights of five a rank stands; the ace stands in the lowest and the highest."""
    ladder = (_RANKS - 1, *range(_RANKS))
    return sum(rank in ladder[low : low + 5] for low in range(_FIVE_RUNS))


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
    return hands.rank_five(hand)


def kind_of_two(cards: tuple[Card, ...]) -> Kind:
    """A pair by its rank, or two cards of other kinds."""
    two = hands.rank_two(cards)
    rank = RANKS[two.ranks[0]] if two.hand is TwoCardHand.PAIR else ""
    return Kind(two.hand.label, rank)


@lru_cache(maxsize=1024)
def kind_of_three(cards: tuple[Card, ...], *, ace_low: bool) -> Kind:
    """Three cards, where a straight beats a flush."""
    return Kind(hands.rank_three(cards, ace_low=ace_low).hand.label)


def kind_of_five(cards: tuple[Card, ...]) -> Kind:
    """Five cards, a pair by its rank."""
    return five_card_kind(ranked(cards))


def kind_of_six(cards: tuple[Card, ...]) -> Kind:
    """All six as a super royal, or the best five of them."""
    best = hands.best_five_of_six(cards)
    suit = hands.super_royal_suit(cards) if best.hand is FiveCardHand.ROYAL_FLUSH else None
    return five_card_kind(best) if suit is None else Kind("super_royal", suit=SUITS[suit])


def _pairs(kind: Kind, beside: int) -> Iterator[tuple[Card, ...]]:
    """A pair of a rank with so many cards that go with nothing."""
    pair = RANKS.index(kind.rank) * len(SUITS)
    for others in combinations(_BESIDE_A_PAIR, beside):
        yield (pair, pair + 1, *others)


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
        examples=lambda kind: _pairs(kind, 0) if kind.rank else map(parse_cards, _TWO),
    ),
    "three": Hand(
        cards=3,
        order=tuple(hand.label for hand in reversed(ThreeCardHand)),
        pairs_by_rank=False,
        fixed_prizes=False,
        kind_of=lambda cards, ace_low: kind_of_three(cards, ace_low=ace_low),
        counts=lambda ace_low: three_card_counts(ace_low=ace_low),
        examples=lambda kind: map(parse_cards, _THREE),
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
