"""Everybody's play money, from the ledger alone: what was given out, and what rounds did to it.

A purse is no second book: it is the sum of what the tables' own events post, so it can be made
again from the ledger at any time, in any process. Whoever bets takes money out of a purse at the
version at which it was in there: the bet and the purse are one transaction, so that of two bets
for the same money, through whichever processes, one is decided again. What a table takes back, as a
void round does, and its player has spent meanwhile, the house bears: no purse is below nothing.
"""

from typing import Final

from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.floor.codec import MOST_CENTS, top_up
from riverboat.floor.floor import Floor, ShortPurse
from riverboat.ledger import Reading
from riverboat.web.read_model import ReadModel

FIRST_CENTS: Final = 1_000_00
SHORT: Final = "purse.short"


class PlayMoney:
    """Giving it out, and seeing that nobody spends what he does not have."""

    def __init__(self, floor: Floor, model: ReadModel) -> None:
        self._floor, self._model = floor, model
        floor.purses = self

    def catch_up(self, reading: Reading | None = None) -> None:
        """Somebody else spent or got money meanwhile."""
        self._model.catch_up(reading)

    def in_hand(self, name: str) -> tuple[Cents, int]:
        """What was in a purse when it was looked at last, and its version then."""
        return self._model.purse(name)

    def spend(self, name: str, cents: Cents) -> int:
        """The version of a purse at which there is so much in it. Nobody is told that there is too
        little before everything that was written has been read."""
        if self._model.cents(name) < cents:
            self._model.catch_up()
        has, version = self._model.purse(name)
        if has < cents:
            text = (
                f"{format_cents(cents)} is more than the {format_cents(has)} in hand; "
                "play money can be topped up at any time"
            )
            raise ShortPurse(SHORT, text, cites=())
        return version

    def top_up(self, command_id: str, name: str, cents: Cents) -> None:
        """Give out play money, once for a command."""
        if not 1 <= cents <= MOST_CENTS:
            most = format_cents(MOST_CENTS)
            raise Refused("purse.amount", f"play money comes in $0.01 to {most}", cites=())
        command, write = top_up(command_id, name, cents, self._floor.clock())
        self._model.reach(self._floor.ledger.append(command, write).rows[-1].seq)
