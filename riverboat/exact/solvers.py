"""Which exact solver a base game has: by the shape of its decisions and of its showdown.

A shape is what the counting rests on: who gets how many cards, and what is seen at which decision.
How much may be bet, what a fold loses and what is paid are values, and any will do. Every question
has an answer for each shape (`ByShape`); a game of another shape is refused in words.
"""

from fractions import Fraction
from typing import Generic, NamedTuple, Protocol, TypeVar

from riverboat.core.errors import Refused
from riverboat.core.money import Cents
from riverboat.exact.distribution import Distribution
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook

Answer = TypeVar("Answer")


class ByShape(NamedTuple, Generic[Answer]):
    """The answers to one question.

    `streets`: two cards each and three community cards, turned one after each of three decisions,
    against a pay table. `dealer`: five cards each and one of the dealer's seen at one decision,
    against the dealer's hand, which may have to qualify.
    """

    streets: Answer
    dealer: Answer

    def at(self, setup: Setup) -> Answer:
        """The answer for a table's game."""
        return self.of(setup.book)

    def of(self, book: Rulebook) -> Answer:
        """The answer for a rulebook's game."""
        for answer, fits in zip(self, _FITS, strict=True):
            if fits(book):
                return answer
        raise no_solver(book)


def is_solved(book: Rulebook) -> bool:
    """Whether the base game is of a shape that has a solver."""
    return any(fits(book) for fits in _FITS)


def no_solver(book: Rulebook) -> Refused:
    """The refusal of a question about a base game that nobody can solve yet."""
    deal, against = book.deal, "a pay table" if book.comparison is None else "the dealer"
    dealt = {"of the player": deal.seat_cards, "of the community": deal.community_cards,
             "of the dealer": deal.dealer_cards}  # fmt: skip
    cards = ", ".join(f"{count} {whose}" for whose, count in dealt.items() if count)
    made = "1 decision" if len(book.decisions) == 1 else f"{len(book.decisions)} decisions"
    text = f"this game's shape has no exact solver yet: {cards}; {made}, against {against}"
    cites = tuple(dict.fromkeys((*deal.cites, *book.decisions[0].bet.cites)))
    return Refused("exact.no_solver", f"{book.id}: {text}", cites=cites)


def is_streets(book: Rulebook) -> bool:
    """Two cards each, three community cards one by one, a pay table."""
    turned = [(one.reveal.turn, one.reveal.cards) for one in book.decisions]
    dealt = (book.deal.seat_cards, book.deal.community_cards)
    return book.comparison is None and dealt == (2, 3) and turned == [("community", 1)] * 3


def is_against_dealer(book: Rulebook) -> bool:
    """Five cards each, one of the dealer's up, one decision."""
    dealer, deal = book.dealers_hand, book.deal
    if book.comparison is None or dealer is None or dealer.up_cards != 1:
        return False
    dealt = (deal.seat_cards, deal.community_cards, deal.dealer_cards)
    return dealt == (5, 0, 5) and [one.reveal.turn for one in book.decisions] == ["dealer"]


_FITS = ByShape(streets=is_streets, dealer=is_against_dealer)


# ---------------------------------------------------------------- what every solver knows


class BaseFigures(Protocol):
    """A solved base game under its best play, ties bet, in antes."""

    @property
    def house_edge(self) -> Fraction: ...

    @property
    def average_wager(self) -> Fraction: ...

    @property
    def distribution(self) -> Distribution: ...


def base_table(book: Rulebook) -> str:
    """The table that pays the base game: its pay table, or that of the comparison."""
    if book.comparison is not None:
        return book.comparison.id
    return next(table.id for table in book.paytables if table.bet == "base" and table.playable)


def base_figures(setup: Setup, ante_cents: Cents) -> BaseFigures:
    """The base game of a table."""
    return ByShape(_figures_on_streets, _figures_against_dealer).at(setup)(setup, ante_cents)


def house_edge(setup: Setup, ante_cents: Cents) -> Fraction:
    """The same, where nothing but the edge is wanted: on streets that takes less work."""
    return ByShape(_edge_on_streets, _edge_against_dealer).at(setup)(setup, ante_cents)


def _figures_on_streets(setup: Setup, ante_cents: Cents) -> BaseFigures:
    from riverboat.exact.mississippi import solve

    return solve(setup, ante_cents).figures


def _figures_against_dealer(setup: Setup, ante_cents: Cents) -> BaseFigures:
    from riverboat.exact.island import island_figures

    return island_figures(setup, ante_cents)


def _edge_on_streets(setup: Setup, ante_cents: Cents) -> Fraction:
    from riverboat.exact.mississippi import solve

    return solve(setup, ante_cents).house_edge


def _edge_against_dealer(setup: Setup, ante_cents: Cents) -> Fraction:
    return _figures_against_dealer(setup, ante_cents).house_edge
