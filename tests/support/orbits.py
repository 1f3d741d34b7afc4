"""Hands up to a change of suits, so that a test can count every hand and rank only some.

Suits have no order, so two hands that differ only by renaming suits have the same value. Such a
class of hands is a multiset of four sets of ranks, one set a suit; it weighs as many hands as there
are ways to hand those sets to the suits. Five cards fall into 134,459 classes, six into 962,988.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, groupby, product
from math import factorial, prod

from riverboat.core.cards import RANKS, SUITS, Card, rank_of, suit_of

RankSets = tuple[tuple[int, ...], ...]


def suit_classes(card_count: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """One hand of every class, with the number of hands in its class."""
    for lengths in _suit_lengths(card_count, len(SUITS), len(RANKS)):
        groups = [_rank_sets(length, len(list(suits))) for length, suits in groupby(lengths)]
        for chosen in product(*groups):
            sets = sum((rank_sets for rank_sets, _ in chosen), ())
            renamings = prod(same for _, same in chosen)
            yield _cards(sets), factorial(len(SUITS)) // renamings


def rename_suits(cards: Sequence[Card], names: Sequence[int]) -> list[Card]:
    """The same cards in the same order, where the suit at each place of `names` is now that one."""
    return [rank_of(card) * len(SUITS) + names[suit_of(card)] for card in cards]


def _suit_lengths(card_count: int, suit_count: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Ways to split the cards among so many suits, the longest suit first: 5000, 4100, 3200..."""
    if suit_count == 0:
        if card_count == 0:
            yield ()
        return
    for length in range(min(card_count, longest), -1, -1):
        for shorter in _suit_lengths(card_count - length, suit_count - 1, length):
            yield (length, *shorter)


def _rank_sets(length: int, suit_count: int) -> list[tuple[RankSets, int]]:
    """What so many suits of one length can hold, and how many renamings of them change nothing."""
    one_suit = combinations(range(len(RANKS)), length)
    return [
        (rank_sets, prod(map(factorial, Counter(rank_sets).values())))
        for rank_sets in combinations_with_replacement(one_suit, suit_count)
    ]


def _cards(rank_sets: RankSets) -> tuple[Card, ...]:
    return tuple(rank * len(SUITS) + suit for suit, ranks in enumerate(rank_sets) for rank in ranks)


def table(title: str, counts: Mapping[str, int]) -> str:
    """Counts in one line: the title, then each count under its name."""
    parts = ", ".join(f"{label.replace('_', ' ')} {count:,}" for label, count in counts.items())
    return f"{title}: {parts}; together {sum(counts.values()):,}"
