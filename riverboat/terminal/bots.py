"""Bots that look only at what a player sees: by simple rules, or by the best play there is."""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from riverboat.cards import RANKS, Card, rank_of, suit_of
from riverboat.games import Round, Setup
from riverboat.games.actions import AnyAction, Bet, Fold
from riverboat.games.legal import legal, whole_bets
from riverboat.hands import FiveCardHand, rank_five

Decide: TypeAlias = Callable[[Round, int], AnyAction]

_FULL_HAND = 5
_SIX = RANKS.index("6")
_JACK = RANKS.index("J")
_KING = RANKS.index("K")
_ACE = RANKS.index("A")


def decide(state: Round, seat: int) -> AnyAction:
    """A bot's decision: fold, or stay in for an allowed multiple of its ante."""
    place = state.seats[seat]
    multiples = tuple(bet.times for bet in whole_bets(state, legal(state, seat)))
    seen = place.cards + state.community[: state.turned]
    if state.setup.book.comparison is not None and len(seen) == _FULL_HAND:
        multiple = pair_or_ace_king(seen, multiples)
    else:
        multiple = points_and_pairs(seen, multiples)
    if not multiple:
        return Fold(seat=seat)
    return Bet(seat=seat, cents=place.wagers["ante"] * multiple)


def best_bots(setup: Setup) -> Decide:
    """Bots that make the best decision, each for its own ante; solved when the first one acts."""
    from riverboat.exact.best_play import best_play

    @cache
    def play_for(ante_cents: int) -> Decide:
        return best_play(setup, ante_cents)

    def decide_best(state: Round, seat: int) -> AnyAction:
        return play_for(state.seats[seat].wagers["ante"])(state, seat)

    return decide_best


def points_and_pairs(seen: tuple[Card, ...], multiples: tuple[int, ...]) -> int:
    """Against a pay table by rule of thumb: the most on a pair that cannot lose or one card short
    of a flush, the least on a small pair or a point for every card seen, else fold."""
    best = _highest_pair(seen)
    suited = len({suit_of(card) for card in seen}) == 1
    if best >= _SIX or (best >= 0 and len(seen) == 2) or (suited and len(seen) == 4):
        return multiples[-1]
    if best >= 0 or (suited and len(seen) == 3) or _points(seen) >= len(seen):
        return multiples[0]
    return 0


def _highest_pair(seen: tuple[Card, ...]) -> int:
    """The highest rank held more than once, or -1."""
    ranks = [rank_of(card) for card in seen]
    return max((rank for rank in ranks if ranks.count(rank) > 1), default=-1)


def _points(seen: tuple[Card, ...]) -> int:
    """Two for a jack or better, one for a six or better."""
    return sum((rank_of(card) >= _JACK) + (rank_of(card) >= _SIX) for card in seen)


def pair_or_ace_king(hand: tuple[Card, ...], multiples: tuple[int, ...]) -> int:
    """Against the dealer by rule of thumb: bet with a pair or better, or with ace and king."""
    held = {rank_of(card) for card in hand}
    worth_it = rank_five(hand).hand >= FiveCardHand.PAIR or {_ACE, _KING} <= held
    return multiples[-1] if worth_it else 0
