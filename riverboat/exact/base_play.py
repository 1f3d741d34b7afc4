"""The base-game play that decides which hands are still in when a progressive is settled."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple, Protocol

from riverboat.cards import RANKS, Card
from riverboat.exact.hand_counts import five_card_counts
from riverboat.exact.table_hands import Stays, dealt_chances
from riverboat.games.setup import Setup
from riverboat.money import Cents, format_cents
from riverboat.rulebook import MississippiStud
from riverboat.rulebook.paytables import Kind


class BasePlay(NamedTuple):
    """How often each kind of hand is dealt and not folded, and which hands those are.

    `stays` is missing where each seat has five cards of its own: the paying hands are not folded
    there, and the figures hold `unfolded` against what is dealt.
    """

    unfolded: Mapping[Kind, Fraction]
    stays: Stays | None
    words: str


class Chooser(Protocol):
    """A solved game, as far as it is asked here."""

    def choose(self, cards: tuple[Card, ...], bets: tuple[int, ...]) -> int: ...


def nobody_folds() -> BasePlay:
    """Every hand is played to the end."""
    return BasePlay(dealt_chances(five_card_counts()), None, "nobody folds")


def best_base_play(setup: Setup, ante_cents: Cents | None = None) -> BasePlay:
    """The best play of the base game, as if there were no progressive."""
    if isinstance(setup.book, MississippiStud):
        from riverboat.exact.mississippi import solve

        solution = solve(setup, ante_cents)
        ante = format_cents(solution.payoffs.ante_cents)
        return BasePlay(
            solution.figures.hands_unfolded,
            staying(solution),
            f"the best play of the base game alone at an ante of {ante}, ties bet",
        )
    from riverboat.exact.island import island_figures

    figures = island_figures(setup, ante_cents or 100)
    unfolded = {Kind(found.hand): found.bet for found in figures.hands}
    whole = unfolded.pop(Kind("pair"))
    # The figures do not tell pairs apart, and no progressive pays one: each rank is given a share.
    unfolded |= {Kind("pair", rank): whole / len(RANKS) for rank in RANKS}
    ante = format_cents(figures.wager_cents)
    words = f"the best play of the base game alone at an ante of {ante}, ties bet"
    return BasePlay(unfolded, None, words)


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
