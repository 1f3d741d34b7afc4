"""Who sits at the table, with how much play money; what bots like to bet and how they decide."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from riverboat.core.cards import RANKS, Card, rank_of, suit_of
from riverboat.core.hand_kinds import HandSize
from riverboat.core.hands import FiveCardHand, rank_five
from riverboat.core.money import Cents, divide_up
from riverboat.round import Round, Setup
from riverboat.round.actions import AnyAction, Bet, Fold
from riverboat.round.legal import Choice, Range, amounts_on, legal, whole_bets
from riverboat.round.state import Seat
from riverboat.rulebook.book import PROGRESSIVE, stages_of
from riverboat.rulebook.play import SideBetOffer

BUY_IN_CENTS: Cents = 1_000_00
CHIPS_CENTS: tuple[Cents, ...] = (5_00, 10_00, 25_00)


class Taste(NamedTuple):
    """A bot's name and habits: its ante, and which side bets it likes: those by so many of the
    seat's, the board's or the box's cards, and the progressive."""

    name: str
    ante_cents: Cents
    hands: tuple[HandSize, ...] = ()
    progressive: bool = False

    def likes(self, offer: SideBetOffer) -> bool:
        """Whether the bot bets on it."""
        if offer.bet == PROGRESSIVE:
            return self.progressive
        return offer.decided_by.hand in self.hands


TASTES = (
    Taste("Ada", 5_00, ("three", "five"), progressive=True),
    Taste("Beau", 10_00),
    Taste("Cora", 5_00, progressive=True),
    Taste("Dex", 15_00, ("two", "three", "five", "six")),
    Taste("Ella", 10_00, ("three", "five", "six"), progressive=True),
    Taste("Finn", 25_00),
    Taste("Gus", 5_00, progressive=True),
    Taste("Hattie", 5_00, ("two", "three", "five")),
    Taste("Ivy", 10_00, progressive=True),
)


@dataclass
class Player:
    """One place at the table; a bot has a taste, and you have none."""

    name: str
    taste: Taste | None
    bankroll_cents: Cents = BUY_IN_CENTS


def seat_players(setup: Setup, you: int) -> dict[int, Player]:
    """You at your seat and bots at the others."""
    bots = (Player(taste.name, taste) for taste in TASTES)
    return {
        number: Player("You", None) if number == you else next(bots)
        for number in range(1, setup.seats + 1)
    }


def within(bounds: Choice | Range, cents: Cents) -> Cents:
    """The nearest amount that is on offer, from above where it lies between two."""
    if isinstance(bounds, Choice):
        return int(bounds.values[0] or 0)
    top = cents if bounds.maximum is None else min(cents, bounds.maximum)
    return max(divide_up(top, bounds.unit) * bounds.unit, bounds.minimum or 0)


def ante_chips(setup: Setup) -> tuple[Cents, ...]:
    """Three antes to choose from with one key."""
    bounds = amounts_on(setup, Seat(), "ante")
    amounts = [within(bounds, cents) for cents in CHIPS_CENTS]
    if len(set(amounts)) < len(amounts):
        amounts = [within(bounds, 0) * times for times in (1, 2, 5)]
    return tuple(amounts)


def side_bet_chips(setup: Setup, spot: str) -> tuple[Cents, ...]:
    """The amounts of a side bet that one key goes through; a progressive has only one."""
    bounds = amounts_on(setup, Seat(), spot)
    return tuple(dict.fromkeys(within(bounds, cents) for cents in (1_00, 5_00, 25_00)))


def offered(setup: Setup) -> tuple[str, ...]:
    """The side bets of this table, in the rulebook's order."""
    return tuple(offer.bet for offer in setup.book.side_bets if setup.offers(offer.bet))


def taste_bets(setup: Setup, taste: Taste) -> dict[str, Cents]:
    """What a bot puts down before the deal; a bet that needs one it dislikes is left out later."""
    bets = {"ante": within(amounts_on(setup, Seat(), "ante"), taste.ante_cents)}
    for spot in offered(setup):
        offer = setup.book.offer(spot)
        if offer is not None and taste.likes(offer):
            bets[spot] = side_bet_chips(setup, spot)[0]
    return bets


def most_it_can_cost(setup: Setup, bets: dict[str, Cents]) -> Cents:
    """What a player needs who stays to the end at the highest bets."""
    highest = sum(stage.multiples[-1] for stage in stages_of(setup.book))
    return sum(bets.values()) + bets["ante"] * highest


def top_up(player: Player, needed_cents: Cents) -> Cents:
    """Play money costs nothing: nobody is ever too poor to bet. Says how much was given."""
    missing = max(0, needed_cents - player.bankroll_cents)
    given = divide_up(missing, BUY_IN_CENTS) * BUY_IN_CENTS
    player.bankroll_cents += given
    return given


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
    """Bots that make the best decision, each for its own ante; solved when the first one acts.

    A game whose best play nobody knows is refused before a card is dealt.
    """
    from riverboat.exact.solvers import best_play, is_solved, no_solver

    if not is_solved(setup.book):
        raise no_solver(setup.book)

    @cache
    def play_for(ante_cents: int) -> Decide:
        return best_play(setup, ante_cents)

    return lambda state, seat: play_for(state.seats[seat].wagers["ante"])(state, seat)


def points_and_pairs(seen: tuple[Card, ...], multiples: tuple[int, ...]) -> int:
    """Against a pay table by rule of thumb: the most on a pair that cannot lose or one card short
    of a flush, the least on a small pair or a point for every card seen (two for a jack or better,
    one for a six or better), else fold."""
    ranks = [rank_of(card) for card in seen]
    best = max((rank for rank in ranks if ranks.count(rank) > 1), default=-1)
    points = sum((rank >= _JACK) + (rank >= _SIX) for rank in ranks)
    suited = len({suit_of(card) for card in seen}) == 1
    if best >= _SIX or (best >= 0 and len(seen) == 2) or (suited and len(seen) == 4):
        return multiples[-1]
    if best >= 0 or (suited and len(seen) == 3) or points >= len(seen):
        return multiples[0]
    return 0


def pair_or_ace_king(hand: tuple[Card, ...], multiples: tuple[int, ...]) -> int:
    """Against the dealer by rule of thumb: bet with a pair or better, or with ace and king."""
    held = {rank_of(card) for card in hand}
    worth_it = rank_five(hand).hand >= FiveCardHand.PAIR or {_ACE, _KING} <= held
    return multiples[-1] if worth_it else 0
