"""The best play at a table, looked up by the class of the cards: for bots, and for simulations."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

from riverboat.core.cards import SUITS, Card, rank_of, suit_of
from riverboat.core.money import Cents
from riverboat.exact.solvers import ByShape
from riverboat.round.actions import AnyAction, Bet, Fold
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round

Decide: TypeAlias = Callable[[Round, int], AnyAction]
"""What a seat does whose turn it is."""

AT_PAR = 64
"""Added to a choice that is worth no more than a fold."""


def best_play(setup: Setup, ante_cents: Cents) -> Decide:
    """The best decisions at this table with this ante, by what a seat itself can see."""
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, ante_cents)


def bets_made(state: Round, number: int) -> tuple[int, ...]:
    """The street bets that a seat has made, as multiples of its ante."""
    wagers = state.seats[number].wagers
    made = (wagers.get(stage.spot, 0) for stage in state.setup.stages[: state.stage])
    return tuple(cents // wagers["ante"] for cents in made)


def _on_streets(setup: Setup, ante_cents: Cents) -> Decide:
    from riverboat.exact.mississippi import solve

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


def _against_dealer(setup: Setup, ante_cents: Cents) -> Decide:
    from riverboat.exact.island import solve_island

    solution = solve_island(setup, ante_cents)
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
    from riverboat.exact.island import dealer_counts

    classes = enumerate(dealer_counts().cards.tolist())
    return {tuple(_masks(cards)): place for place, cards in classes}


def _masks(cards: Sequence[Card]) -> list[int]:
    masks = [0] * len(SUITS)
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return masks


def _action(number: int, ante_cents: Cents, multiple: int) -> AnyAction:
    return Bet(seat=number, cents=ante_cents * multiple) if multiple else Fold(seat=number)
