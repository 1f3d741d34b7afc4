"""Who sits at the table, with how much play money, and what the bots like to bet."""

from dataclasses import dataclass
from typing import NamedTuple

from riverboat.games import Setup
from riverboat.games.legal import amounts_on
from riverboat.games.offers import Choice, Range
from riverboat.games.round import Seat
from riverboat.games.stages import stages_of
from riverboat.hand_kinds import HandSize
from riverboat.money import Cents, divide_up
from riverboat.rulebook.book import PROGRESSIVE
from riverboat.rulebook.wagers import SideBetOffer

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

    @property
    def is_you(self) -> bool:
        """Whether this is whoever sits at the keyboard."""
        return self.taste is None


def seat_players(setup: Setup, you: int) -> dict[int, Player]:
    """You at your seat and bots at the others."""
    tastes = iter(TASTES)
    players: dict[int, Player] = {}
    for number in range(1, setup.seats + 1):
        if number == you:
            players[number] = Player("You", None)
        else:
            taste = next(tastes)
            players[number] = Player(taste.name, taste)
    return players


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
