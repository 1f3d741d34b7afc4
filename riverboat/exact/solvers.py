"""Which exact solver a base game has, by the shape of its decisions and of its showdown; and what
every solver is asked.

A shape is what the counting rests on: who gets how many cards, and what is seen at which decision.
How much may be bet, what a fold loses and what is paid are values, and any will do. Every question
has an answer for each shape (`ByShape`); a game of another shape is refused in words.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from riverboat.core.cards import SUITS, Card, rank_of, suit_of
from riverboat.core.errors import Refused
from riverboat.core.hand_counts import five_card_counts
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, format_cents
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.table_hands import Stays, dealt_chances, hands_of
from riverboat.round.actions import AnyAction, Bet, Fold
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.rulebook import Rulebook

if TYPE_CHECKING:
    from riverboat.exact.base_games.dealer_game import DealerSolution

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
    from riverboat.exact.base_games.streets import solve

    return solve(setup, ante_cents).figures


def _figures_against_dealer(setup: Setup, ante_cents: Cents) -> BaseFigures:
    from riverboat.exact.base_games.dealer_game import dealer_game_figures

    return dealer_game_figures(setup, ante_cents)


def _edge_on_streets(setup: Setup, ante_cents: Cents) -> Fraction:
    from riverboat.exact.base_games.streets import solve

    return solve(setup, ante_cents).house_edge


def _edge_against_dealer(setup: Setup, ante_cents: Cents) -> Fraction:
    return _figures_against_dealer(setup, ante_cents).house_edge


Decide: TypeAlias = Callable[[Round, int], AnyAction]
"""What a seat does whose turn it is."""

AT_PAR = 64
"""Added to a choice that is worth no more than a fold."""


def best_play(setup: Setup, ante_cents: Cents) -> Decide:
    """The best decisions at this table with this ante, by what a seat itself can see."""
    return ByShape(_decide_on_streets, _decide_against_dealer).at(setup)(setup, ante_cents)


def bets_made(state: Round, number: int) -> tuple[int, ...]:
    """The street bets that a seat has made, as multiples of its ante."""
    wagers = state.seats[number].wagers
    made = (wagers.get(stage.spot, 0) for stage in state.setup.stages[: state.stage])
    return tuple(cents // wagers["ante"] for cents in made)


def _decide_on_streets(setup: Setup, ante_cents: Cents) -> Decide:
    from riverboat.exact.base_games.streets import solve

    solution = solve(setup, ante_cents)
    chosen: dict[tuple[tuple[Card, ...], tuple[int, ...]], int] = {}

    def decide(state: Round, number: int) -> AnyAction:
        seat, bets = state.seats[number], bets_made(state, number)
        cards = tuple(sorted((*seat.cards, *state.community[: state.turned])))
        multiple = chosen.get((cards, bets))
        if multiple is None:
            multiple = chosen[cards, bets] = solution.choose(cards, bets)
        return _action(number, seat.wagers["ante"], multiple)

    return decide


def _decide_against_dealer(setup: Setup, ante_cents: Cents) -> Decide:
    from riverboat.exact.base_games.dealer_game import solve_against_dealer

    solution = solve_against_dealer(setup, ante_cents)
    places, multiples = _places(), solution.terms.multiples

    def decide(state: Round, number: int) -> AnyAction:
        seat = state.seats[number]
        masks = _masks(seat.cards)
        suits = sorted(range(len(SUITS)), key=masks.__getitem__, reverse=True)
        up_card = state.dealer[0]
        renamed = up_card - suit_of(up_card) + suits.index(suit_of(up_card))
        place = places[tuple(masks[suit] for suit in suits)]
        choice = int(solution.choices[place, renamed])
        multiple = multiples[choice % AT_PAR - 1] if choice else 0
        return _action(number, seat.wagers["ante"], multiple)

    return decide


@cache
def _places() -> dict[tuple[int, ...], int]:
    """Where each class of hands stands in the tables: by its suits, the highest mask first."""
    from riverboat.exact.base_games.dealer_game import dealer_counts

    classes = enumerate(dealer_counts().cards.tolist())
    return {tuple(_masks(cards)): place for place, cards in classes}


def _masks(cards: Sequence[Card]) -> list[int]:
    masks = [0] * len(SUITS)
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return masks


def _action(number: int, ante_cents: Cents, multiple: int) -> AnyAction:
    return Bet(seat=number, cents=ante_cents * multiple) if multiple else Fold(seat=number)


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
    return ByShape(_hands_on_streets, _hands_against_dealer).at(setup)(setup, ante_cents)


def _hands_on_streets(setup: Setup, ante_cents: Cents | None) -> BasePlay:
    from riverboat.exact.base_games.streets import solve

    solution = solve(setup, ante_cents)
    words = best_play_in_words(solution.payoffs.ante_cents)
    return BasePlay(solution.figures.hands_unfolded, staying(solution), words)


def _hands_against_dealer(setup: Setup, ante_cents: Cents | None) -> BasePlay:
    solved = solved_against_dealer(setup, ante_cents)
    hands, cases = hands_bet_against_dealer(solved)
    unfolded = {kind: Fraction(count, cases) for kind, count in hands.items()}
    words = best_play_in_words(solved.terms.ante_cents)
    return BasePlay(unfolded, None, words, _beside_own_bet(solved))


def solved_against_dealer(setup: Setup, ante_cents: Cents | None = None) -> "DealerSolution":
    """The best play against a dealer, for the table's minimum ante where none is named."""
    from riverboat.exact.base_games.dealer_game import solve_against_dealer

    ante = ante_cents or setup.limits.ante.minimum_cents or _DEFAULT_CENTS
    return solve_against_dealer(setup, ante)


def hands_bet_against_dealer(solved: "DealerSolution") -> tuple[Mapping[Kind, int], int]:
    """Hands with up-cards against which a solution bets, and of how many."""
    from riverboat.exact.base_games.dealer_game import DEALS
    from riverboat.exact.kernels.dealer_choices import hands_bet

    return hands_bet(solved.counts, solved.choices), DEALS


def _beside_own_bet(solved: "DealerSolution") -> Beside:
    """Five cards of the own hand and the up-card, none of them another seat's."""

    def beside(kinds: frozenset[Kind]) -> Mapping[Kind, Fraction]:
        from riverboat.exact.kernels.dealer_choices import bets_beside

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
