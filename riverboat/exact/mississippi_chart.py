"""The complete strategy of a solution, situation by situation, for charts and for reading."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from msgspec import Struct

from riverboat.core.cards import RANKS, Card, rank_of, suit_of
from riverboat.exact.classes import representatives, set_counts
from riverboat.exact.mississippi import Solution
from riverboat.exact.payoffs import Bets


class Situation(Struct, frozen=True, kw_only=True):
    """Cards held and seen, bets made, and what each choice is then worth, in antes.

    `cards` stand for `card_sets` sets that differ only by the names of their suits; which of them
    are in the hole does not matter. A choice is a multiple of the ante, 0 the fold.
    """

    street: str
    cards: tuple[Card, ...]
    card_sets: int
    bets: Bets
    choices: dict[int, Fraction]
    best: int

    @property
    def margin(self) -> Fraction:
        """By how much the best choice is better than the next; nothing where they tie."""
        ordered = sorted(self.choices.values(), reverse=True)
        return ordered[0] - ordered[1]


def situations(solution: Solution, street: str, bets: Bets | None = None) -> Iterator[Situation]:
    """Every situation of a street, for these bets so far or for all that there can be."""
    made = solution.payoffs.spots.index(street)
    every = list(product(*solution.payoffs.multiples[:made])) if bets is None else [bets]
    sizes = made + 2
    for cards, count in zip(representatives(sizes), set_counts(sizes), strict=True):
        for so_far in every:
            yield Situation(
                street=street,
                cards=cards,
                card_sets=count,
                bets=so_far,
                choices=solution.worth(cards, so_far),
                best=solution.choose(cards, so_far),
            )


def starting_hands(solution: Solution) -> dict[str, Situation]:
    """The 169 starting hands by their names: "AKs" of one suit, "AKo" of two, "AA"."""
    return {
        hand_name(found.cards): found for found in situations(solution, solution.payoffs.spots[0])
    }


def hand_name(cards: tuple[Card, ...]) -> str:
    """How players write two cards."""
    high, low = sorted(map(rank_of, cards), reverse=True)
    if high == low:
        return RANKS[high] * 2
    suits = {suit_of(card) for card in cards}
    return f"{RANKS[high]}{RANKS[low]}{'s' if len(suits) == 1 else 'o'}"
