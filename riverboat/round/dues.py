"""What is owed on one spot, and why: the engine says it, the dealer does it."""

from typing import Literal

from msgspec import Struct

from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.meter.operations import Share
from riverboat.round.events import Outcome
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.play import ComparisonLine
from riverboat.rulebook.values import Pays


class Due(Struct, frozen=True, kw_only=True):
    """One thing that the dealer has to do at settlement, in its place in the order.

    What a share of the meter comes to, the meter says: the table's own, or the link's when the
    award is fixed there.
    """

    seat: int
    spot: str
    outcome: Outcome
    kind: Kind
    line: Line | ComparisonLine
    pays: Pays
    cites: tuple[str, ...]
    stake_cents: Cents = 0
    exact_cents: Cents = 0
    paid_cents: Cents = 0
    stake_returned: bool = True
    source: Literal["tray", "cage"] = "tray"
    to: Literal["player", "tip_box", "stays"] = "player"
    share: Share | None = None
    for_seat: int = 0
    capped: bool = False

    @property
    def hand(self) -> str:
        """The name of the hand that decides it."""
        return self.kind.hand

    @property
    def percent(self) -> int:
        """How much of the meter it is, where it is a share of that."""
        return self.share.percent if self.share is not None else 0

    @property
    def given_cents(self) -> Cents:
        """What the player is given, stake included."""
        back = self.outcome != "lose" and self.stake_returned and self.to != "stays"
        return self.paid_cents + (self.stake_cents if back else 0)


def outcome_of(pays: Pays) -> Outcome:
    """Whether a line wins, pushes or loses."""
    if pays.wins:
        return "win"
    return "push" if pays.kind == "push" else "lose"
