"""Everybody's play money, from the ledger alone: what was given out, and what rounds did to it.

A purse is no second book: it is the sum of what the tables' own events post, so it can be made
again from the ledger at any time, in any process.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.floor.codec import MOST_CENTS, top_up
from riverboat.floor.floor import Floor
from riverboat.floor.station import AnyAsked
from riverboat.round import actions as g
from riverboat.web.read_model import ReadModel

FIRST_CENTS: Final = 1_000_00
SHORT: Final = "purse.short"
Hold = Callable[[str], AbstractContextManager[None]]
"""Keeps others, in other processes too, from the same thing meanwhile."""


class PlayMoney:
    """Giving it out, and seeing that nobody spends what he does not have."""

    def __init__(self, floor: Floor, model: ReadModel, hold: Hold) -> None:
        self._floor, self._model, self._hold = floor, model, hold
        self._spending: dict[str, threading.Lock] = {}

    @contextmanager
    def spending(self, name: str, cents: Cents) -> Iterator[None]:
        """While it lasts nobody else, in any process, takes money out of this purse; refused where
        there is too little in it."""
        if not cents:
            yield
            return
        with self._spending.setdefault(name, threading.Lock()), self._hold(f"purse {name}"):
            self._model.catch_up()
            self.require(name, cents)
            yield

    def top_up(self, command_id: str, name: str, cents: Cents) -> None:
        """Give out play money, once for a command."""
        if not 1 <= cents <= MOST_CENTS:
            most = format_cents(MOST_CENTS)
            raise Refused("purse.amount", f"play money comes in $0.01 to {most}", cites=())
        command, write = top_up(command_id, name, cents, self._floor.clock())
        self._model.reach(self._floor.ledger.append(command, write).rows[-1].seq)

    def require(self, name: str, cents: Cents) -> None:
        """Nobody bets what he does not have."""
        has = self._model.cents(name)
        if cents > has:
            text = (
                f"{format_cents(cents)} is more than the {format_cents(has)} in hand; "
                "play money can be topped up at any time"
            )
            raise Refused(SHORT, text, cites=())


def staked(action: AnyAsked) -> Cents:
    """What an action takes out of its player's purse."""
    match action:
        case g.Bet():
            return action.cents + action.tip_cents
        case g.Wager() | p.PlaceChip():
            return action.cents
    return 0


__all__ = ["FIRST_CENTS", "MOST_CENTS", "SHORT", "PlayMoney", "staked"]
