"""What the engine pays a hand against the dealer, asked once for every situation.

A round is laid out for each kind of hand and each way that the dealer's hand can stand to it, and
the engine settles it, with its roundings and limits. Nothing about payouts is said here.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

from riverboat.core.cards import Card, parse_cards
from riverboat.core.hands import FiveCardHand, Ranked, rank_five
from riverboat.core.money import Cents
from riverboat.round.settlement.dues import ACE_KING, dues
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat

Situation: TypeAlias = int
SITUATIONS = range(6)

_LOW_AND_HIGH = (
    "7c 5d 4h 3s 2c",
    "Qc Jd 9h 7s 5c",
    "Ac Kd 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 5h 4s 3c",
    "Ac Ad Kh Qs Jc",
    "3c 3d 2c 2d 4h",
    "Ac Ad Kc Kd Qh",
    "2c 2d 2h 4s 3c",
    "Ac Ad Ah Ks Qc",
    "5c 4d 3h 2s Ac",
    "Ac Kd Qh Js Tc",
    "7c 5c 4c 3c 2c",
    "Ac Kc Qc Jc 9c",
    "2c 2d 2h 3c 3d",
    "Ac Ad Ah Kc Kd",
    "2c 2d 2h 2s 3c",
    "Ac Ad Ah As Kc",
    "5c 4c 3c 2c Ac",
    "Kc Qc Jc Tc 9c",
    "Ac Kc Qc Jc Tc",
)


class Paid(NamedTuple):
    """What a round brings its player, and whether a limit cut it."""

    net_cents: Cents
    capped: bool


Payouts: TypeAlias = dict[tuple[FiveCardHand, Situation], Paid]


def situation_of(mine: Ranked, dealers: Ranked) -> Situation:
    """Below the threshold or not (0 or 3), and lower than mine, equal or higher (0, 1 or 2)."""
    relation = 0 if dealers < mine else 1 if dealers == mine else 2
    return relation + (0 if dealers < ACE_KING else 3)


def settled(
    setup: Setup,
    wagers: Mapping[str, Cents],
    mine: tuple[Card, ...],
    dealers: tuple[Card, ...],
) -> Paid:
    """What the engine makes of a hand that stays in, alone at the table."""
    seat = Seat(wagers=dict(wagers), cards=mine)
    owed = dues(Round(setup=setup, seats={1: seat}, dealer=dealers))
    given = sum(due.given_cents for due in owed)
    return Paid(given - sum(wagers.values()), any(due.capped for due in owed))


def payouts(
    setup: Setup, wagers: Mapping[str, Cents]
) -> dict[tuple[FiveCardHand, Situation], Paid]:
    """For each kind of hand and situation what it brings; what cannot happen is not there."""
    found: Payouts = {}
    for (mine, value), (dealers, against) in product(_examples(), repeat=2):
        key = value.hand, situation_of(value, against)
        if key not in found and not set(mine) & set(dealers):
            found[key] = settled(setup, wagers, mine, dealers)
    return found


def _examples() -> Iterator[tuple[tuple[Card, ...], Ranked]]:
    """A low and a high hand of each kind, in four turns of the suits so that some are disjoint."""
    for text, turn in product(_LOW_AND_HIGH, range(4)):
        cards = tuple(card - card % 4 + (card + turn) % 4 for card in parse_cards(text))
        yield cards, rank_five(cards)
