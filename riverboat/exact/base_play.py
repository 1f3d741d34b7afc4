"""The base-game play that decides which hands are still in when a side bet is settled."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from riverboat.core.cards import Card
from riverboat.core.hand_counts import five_card_counts
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, format_cents
from riverboat.exact.solvers import ByShape
from riverboat.exact.table_hands import Stays, dealt_chances, hands_of
from riverboat.round.setup.setup import Setup

if TYPE_CHECKING:
    from riverboat.exact.island import Solution as IslandSolution

_DEFAULT_CENTS: Cents = 100


Beside: TypeAlias = Callable[[frozenset[Kind]], Mapping[Kind, Fraction]]
"""How often another seat holds each of these kinds of hand while the own hand is not folded."""


class BasePlay(NamedTuple):
    """How often each kind of hand is dealt and not folded, and which hands those are.

    `stays` is missing where each seat has five cards of its own: the paying hands are not folded
    there, and the figures hold `unfolded` against what is dealt. `beside` is there instead.
    """

    unfolded: Mapping[Kind, Fraction]
    stays: Stays | None
    words: str
    beside: Beside | None = None


class Chooser(Protocol):
    """A solved game, as far as it is asked here."""

    def choose(self, cards: tuple[Card, ...], bets: tuple[int, ...]) -> int: ...


def nobody_folds() -> BasePlay:
    """Every hand is played to the end."""
    return BasePlay(dealt_chances(five_card_counts()), None, "nobody folds")


def best_base_play(setup: Setup, ante_cents: Cents | None = None) -> BasePlay:
    """The best play of the base game, as if there were no other bet.

    The ante is the table's minimum where none is named.
    """
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, ante_cents)


def _on_streets(setup: Setup, ante_cents: Cents | None) -> BasePlay:
    from riverboat.exact.mississippi import solve

    solution = solve(setup, ante_cents)
    words = best_play_in_words(solution.payoffs.ante_cents)
    return BasePlay(solution.figures.hands_unfolded, staying(solution), words)


def _against_dealer(setup: Setup, ante_cents: Cents | None) -> BasePlay:
    solved = solved_against_dealer(setup, ante_cents)
    hands, cases = hands_bet_against_dealer(solved)
    unfolded = {kind: Fraction(count, cases) for kind, count in hands.items()}
    words = best_play_in_words(solved.terms.ante_cents)
    return BasePlay(unfolded, None, words, _beside_own_bet(solved))


def solved_against_dealer(setup: Setup, ante_cents: Cents | None = None) -> "IslandSolution":
    """The best play against a dealer, for the table's minimum ante where none is named."""
    from riverboat.exact.island import solve_island

    ante = ante_cents or setup.limits.ante.minimum_cents or _DEFAULT_CENTS
    return solve_island(setup, ante)


def hands_bet_against_dealer(solved: "IslandSolution") -> tuple[Mapping[Kind, int], int]:
    """Hands with up-cards against which a solution bets, and of how many."""
    from riverboat.exact.island import DEALS
    from riverboat.exact.kernels.deciding import hands_bet

    return hands_bet(solved.counts, solved.choices), DEALS


def _beside_own_bet(solved: "IslandSolution") -> Beside:
    """Five cards of the own hand and the up-card, none of them another seat's."""

    def beside(kinds: frozenset[Kind]) -> Mapping[Kind, Fraction]:
        from riverboat.exact.kernels.deciding import bets_beside

        hands = hands_of(kinds)
        bets = bets_beside(solved.counts, solved.choices, [hand for hand, _ in hands])
        sums: Counter[Kind] = Counter()
        for (_, kind), count in zip(hands, bets, strict=True):
            sums[kind] += count
        deals = comb(52, 5) * comb(47, 5) * 42
        return {kind: Fraction(sums[kind], deals) for kind in kinds}

    return beside


def best_play_in_words(ante_cents: Cents) -> str:
    """Which play of the base game a figure assumes."""
    ante = format_cents(ante_cents)
    return f"the best play of the base game alone at an ante of {ante}, ties bet"


def staying(solution: Chooser) -> Stays:
    """Whether a solved game plays hole cards to the end on a board in its order."""

    @cache
    def choice(cards: tuple[Card, ...], bets: tuple[int, ...]) -> int:
        return solution.choose(cards, bets)

    def stays(hole: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
        bets: tuple[int, ...] = ()
        for seen in range(len(board)):
            multiple = choice(tuple(sorted((*hole, *board[:seen]))), bets)
            if not multiple:
                return False
            bets = (*bets, multiple)
        return True

    return stays
