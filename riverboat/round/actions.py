"""What can be asked for in a round: by a player, by the dealer, by the floor."""

from typing import Literal, TypeAlias

from riverboat.core.money import Cents
from riverboat.core.records import Action, Actor


class Wager(Action, frozen=True, kw_only=True, tag="wager"):
    """Put chips on a spot of a seat: ante, side bet, progressive, or a tip.

    With them may go the seal of a word of the player's own, for the cut of a committed deck.
    """

    seat: int
    spot: str
    cents: Cents
    player: str = ""
    instrument: str = "chip"
    seal: str = ""


class TakeBack(Action, frozen=True, kw_only=True, tag="take_back"):
    """Take one's own chips off a spot while betting is open."""

    seat: int
    spot: str


class CloseBets(Action, frozen=True, kw_only=True, tag="close_bets"):
    """The dealer ends the betting."""


class LockProgressive(Action, frozen=True, kw_only=True, tag="lock_progressive"):
    """The dealer presses the key that freezes the progressive wagers."""


class CollectProgressive(Action, frozen=True, kw_only=True, tag="collect_progressive"):
    """The dealer takes the progressive chips and counts them."""

    chips: int


class Deal(Action, frozen=True, kw_only=True, tag="deal"):
    """The cards that every place gets."""

    places: dict[str, tuple[int, ...]]


class Bet(Action, frozen=True, kw_only=True, tag="bet"):
    """Stay in for this amount, and perhaps add a tip."""

    seat: int
    cents: Cents
    tip_cents: Cents = 0


class Fold(Action, frozen=True, kw_only=True, tag="fold"):
    """Withdraw."""

    seat: int


class Turn(Action, frozen=True, kw_only=True, tag="turn"):
    """The dealer turns what comes next: a community card, the dealer's hand, or all the rest."""


class Settle(Action, frozen=True, kw_only=True, tag="settle"):
    """The dealer settles one spot: what is given to the player, stake included."""

    seat: int
    spot: str
    given_cents: Cents


class SettleAll(Action, frozen=True, kw_only=True, tag="settle_all"):
    """An automatic dealer does exactly what is owed, in order."""


class Correct(Action, frozen=True, kw_only=True, tag="correct"):
    """The floor makes a wrong payout good; below zero the player gives back."""

    seat: int
    spot: str
    cents: Cents
    reason: str


class Incident(Action, frozen=True, kw_only=True, tag="incident"):
    """Something went wrong. `second`: beside whoever decides that a round is void whose cards were
    seen."""

    what: str
    seat: int = 0
    place: str = ""
    count: int = 0
    decision: Literal["", "continue", "void"] = ""
    second: Actor | None = None


class CorrectCard(Action, frozen=True, kw_only=True, tag="correct_card"):
    """The floor puts a misreported card right: the first, second … of a place."""

    place: str
    number: int
    card: int
    reason: str


class Close(Action, frozen=True, kw_only=True, tag="close"):
    """The dealer ends the round."""


AnyAction: TypeAlias = (
    Wager | TakeBack | CloseBets | LockProgressive | CollectProgressive | Deal | Bet | Fold | Turn
    | Settle | SettleAll | Correct | Incident | CorrectCard | Close
)  # fmt: skip
