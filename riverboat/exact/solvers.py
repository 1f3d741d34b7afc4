"""Which exact solver a base game has, by the shape of its decisions and of its showdown; and what
every solver is asked.

A shape is what the counting rests on: who gets how many cards, and what is seen at which decision.
How much may be bet, what a fold loses and what is paid are values, and any will do. Every question
has an answer for each shape (`ByShape`); a game of another shape is refused in words.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, format_cents
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.table_hands import Stays, dealt_chances
from riverboat.round.actions import AnyAction, Bet, Fold
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.rulebook import Rulebook

if TYPE_CHECKING:
    from riverboat.exact.base_games.dealer_game import DealerSolution
    from riverboat.exact.base_games.streets import Solution

Answer = TypeVar("Answer")
DEFAULT_CENTS: Cents = 100

Beside: TypeAlias = Callable[[frozenset[Kind]], Mapping[Kind, Fraction]]
"""How often another seat holds each of these kinds of hand while the own hand is not folded."""
Decide: TypeAlias = Callable[[Round, int], AnyAction]
"""What a seat does whose turn it is."""
Solved: TypeAlias = "Solution | DealerSolution"
"""A solved base game: its best play where ties are bet, or folded."""


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


class BaseFigures(Struct, frozen=True, kw_only=True):
    """What a way of playing a base game comes to, in antes. Shares are of all rounds.

    `folds` and `bets` are by the spot of the decision; `capped` says that a limit cuts some result.
    """

    capped: bool
    average_wager: Fraction
    folds: dict[str, Fraction]
    bets: dict[str, dict[int, Fraction]]
    distribution: Distribution

    @property
    def value(self) -> Fraction:
        """What the player can expect, per ante."""
        return self.distribution.mean

    @property
    def house_edge(self) -> Fraction:
        """The same for the house."""
        return -self.value

    @property
    def element_of_risk(self) -> Fraction:
        """The house edge per unit of everything that is bet."""
        return self.house_edge / self.average_wager


def least_ante(setup: Setup) -> Cents:
    """The ante where none is named: the least that the table takes."""
    return setup.limits.ante.minimum_cents or DEFAULT_CENTS


def base_table(book: Rulebook) -> str:
    """The table that pays the base game: its pay table, or that of the comparison."""
    if book.comparison is not None:
        return book.comparison.id
    return next(table.id for table in book.paytables if table.bet == "base" and table.playable)


class BasePlay(NamedTuple):
    """Which hands are still in when a side bet is settled: how often each kind of hand is dealt and
    not folded, and which hands those are.

    `stays` is missing where each seat has five cards of its own: the paying hands are not folded
    there, and the figures hold `unfolded` against what is dealt. `beside` is there instead.
    """

    unfolded: Mapping[Kind, Fraction]
    stays: Stays | None
    words: str
    beside: Beside | None = None


def solved(setup: Setup, ante_cents: Cents | None = None) -> Solved:
    """The base game of a table; the ante is the table's minimum where none is named."""
    from riverboat.exact.base_games.dealer_game import solve_against_dealer
    from riverboat.exact.base_games.streets import solve

    solver: ByShape[Callable[[Setup, Cents], Solved]] = ByShape(solve, solve_against_dealer)
    return solver.at(setup)(setup, ante_cents or least_ante(setup))


def house_edge(setup: Setup, ante_cents: Cents) -> Fraction:
    """What the house keeps of an ante under the best play."""
    return solved(setup, ante_cents).house_edge


def best_play(setup: Setup, ante_cents: Cents) -> Decide:
    """The best decisions at this table with this ante: for bots, and for simulations."""
    solution = solved(setup, ante_cents)

    def decide(state: Round, number: int) -> AnyAction:
        multiple = solution.multiple_for(state, number)
        cents = multiple * state.seats[number].wagers["ante"]
        return Bet(seat=number, cents=cents) if multiple else Fold(seat=number)

    return decide


def best_base_play(setup: Setup, ante_cents: Cents | None = None) -> BasePlay:
    """The best play of the base game, as if there were no other bet."""
    return solved(setup, ante_cents).base_play


def nobody_folds() -> BasePlay:
    """Every hand is played to the end."""
    return BasePlay(dealt_chances(five_card_counts()), None, "nobody folds")


def best_play_in_words(ante_cents: Cents) -> str:
    """Which play of the base game a figure assumes."""
    ante = format_cents(ante_cents)
    return f"the best play of the base game alone at an ante of {ante}, ties bet"
