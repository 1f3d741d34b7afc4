"""The two games as environments: what a seat observes of each.

Cards are observed as fifty-two zeros and ones; a card's place is its number in
`riverboat.core.cards` (`parse_card("2c")` is 0, `parse_card("As")` is 51).
"""

from collections.abc import Iterable

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from numpy.typing import NDArray

from riverboat.core.cards import DECK, Card
from riverboat.gym.table import Observation, TableEnv


def card_places(cards: Iterable[Card]) -> NDArray[np.int8]:
    """Fifty-two zeros, with a one for each of these cards."""
    places = np.zeros(len(DECK), dtype=np.int8)
    places[list(cards)] = 1
    return places


class MississippiStudEnv(TableEnv):
    """Three streets, each with a fold, action 0, and the multiples that the rulebook allows, from
    the smallest: mostly 1x, 2x and 3x, actions 1, 2 and 3.

    Observation: `hole`, the seat's two cards, and `community`, those that lie open, each as 52
    zeros and ones; `street`, 0 to 2 for the decision at hand and 3 when the round is over; `bets`,
    what the seat bet on 3rd, 4th and 5th street in antes.
    """

    against_dealer = False

    def _space(self) -> Dict:
        most = float(self.multiples[-1])
        return Dict(
            {
                "hole": MultiBinary(len(DECK)),
                "community": MultiBinary(len(DECK)),
                "street": Discrete(self.decisions + 1),
                "bets": Box(0.0, most, shape=(self.decisions,), dtype=np.float32),
            }
        )

    def _observe(self) -> Observation:
        state, seat = self.round, self.round.seats[self.seat]
        bets = np.zeros(self.decisions, dtype=np.float32)
        bets[: len(self.bets)] = self.bets
        return {
            "hole": card_places(seat.cards),
            "community": card_places(state.community[: state.turned]),
            "street": np.int64(self.decisions if self.is_over else state.stage),
            "bets": bets,
        }


class IslandStudEnv(TableEnv):
    """One decision, fold or bet: actions 0 and 1.

    Observation: `hand`, the seat's five cards, and `dealer`, the dealer's cards that lie open (the
    up card; all five when they were turned), each as 52 zeros and ones; `over`, 0 while there is a
    decision to make and 1 afterwards.
    """

    against_dealer = True

    def _space(self) -> Dict:
        return Dict(
            {
                "hand": MultiBinary(len(DECK)),
                "dealer": MultiBinary(len(DECK)),
                "over": Discrete(2),
            }
        )

    def _observe(self) -> Observation:
        state, seat = self.round, self.round.seats[self.seat]
        shown = len(state.dealer) if state.dealer_turned else state.up_cards
        return {
            "hand": card_places(seat.cards),
            "dealer": card_places(state.dealer[:shown]),
            "over": np.int64(self.is_over),
        }
