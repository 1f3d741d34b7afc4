"""What is owed on one spot, and why: the engine says it, the dealer does it."""

from typing import Literal

from msgspec import Struct

from riverboat.events import Outcome
from riverboat.games.setup import Setup
from riverboat.meter.operations import Share
from riverboat.money import Cents, divide_down, divide_up
from riverboat.rulebook.values import Pays


class Due(Struct, frozen=True, kw_only=True):
    """One thing that the dealer has to do at settlement, in its place in the order.

    What a share of the meter comes to, the meter says: the table's own, or the link's when the
    award is fixed there.
    """

    seat: int
    spot: str
    outcome: Outcome
    hand: str
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


def winnings(setup: Setup, stake_cents: Cents, pays: Pays) -> Cents:
    """What a line pays on a stake, before any limit; below a cent it goes as breakage goes."""
    if pays.kind == "dollars":
        return pays.amount
    if pays.kind not in ("to", "for"):
        return 0
    divide = divide_up if setup.choice("breakage") == "player" else divide_down
    return divide(stake_cents * pays.amount, pays.per)


def payable(setup: Setup, exact_cents: Cents) -> Cents:
    """An exact amount in the payable unit; the rest is breakage."""
    unit = setup.cents("payout_unit") or 1
    if unit == 1:
        return exact_cents
    divide = divide_up if setup.choice("breakage") == "player" else divide_down
    return divide(exact_cents, unit) * unit
