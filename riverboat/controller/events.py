"""Everything that can have happened at a table's controller: facts, past tense, frozen.

Chips, cards and payments of the round are the round's own events; these are sensors, keys and wins.
"""

from typing import Literal, TypeAlias

from riverboat.core.money import Cents, MeterUnits
from riverboat.core.records import Event


class ControllerEvent(Event, frozen=True, kw_only=True):
    """What every event of a controller has in common."""


class OfSeat(ControllerEvent, frozen=True, kw_only=True):
    """What concerns one seat."""

    seat: int


class ChipDetected(OfSeat, frozen=True, kw_only=True, tag="chip_detected"):
    """A sensor found a chip while bets were open."""


class ChipRemoved(OfSeat, frozen=True, kw_only=True, tag="chip_removed"):
    """A sensor lost its chip while bets were open."""


class BetsLocked(ControllerEvent, frozen=True, kw_only=True, tag="bets_locked"):
    """The accepted wagers of a round are these, and their lights are on."""

    round: int
    seats: tuple[int, ...]
    by: str


class PlayedWithout(ControllerEvent, frozen=True, kw_only=True, tag="played_without"):
    """The round is played without the progressive, because its meter is out of service."""

    round: int
    by: str


class ChipsCounted(ControllerEvent, frozen=True, kw_only=True, tag="chips_counted"):
    """So many chips for so many accepted wagers, and what a difference means here."""

    chips: int
    accepted: int
    result: Literal["equal", "warning", "blocked"]
    by: str


class WagerCancelled(OfSeat, frozen=True, kw_only=True, tag="wager_cancelled"):
    """The floor cancelled an accepted wager: the chip was not there. Its light went off."""

    reason: str
    by: str


class FirstCardDealt(ControllerEvent, frozen=True, kw_only=True, tag="first_card_dealt"):
    """The deal began."""

    by: str


class HandKeyed(OfSeat, frozen=True, kw_only=True, tag="hand_keyed"):
    """The lamp of a hand is on for a seat whose light was on. Whether the seat has that hand is
    another matter: where it has not, a notice follows."""

    hand: str
    percent: int
    steps: tuple[str, ...]
    by: str


class WrongHandNoticed(OfSeat, frozen=True, kw_only=True, tag="wrong_hand_noticed"):
    """A warning: the hand that was keyed for a seat wins nothing there. Why, and what the seat has,
    if its hand counts."""

    hand: str
    has: str
    fault: Literal["other_hand", "no_wager", "paid", "forfeited"]


class HandCleared(OfSeat, frozen=True, kw_only=True, tag="hand_cleared"):
    """The lamp is off again, and nothing has come of it."""

    hand: str
    by: str


class SupervisorCalled(ControllerEvent, frozen=True, kw_only=True, tag="supervisor_called"):
    """Somebody was called for the hands of these seats."""

    seats: tuple[int, ...]
    by: str


class WinVerified(OfSeat, frozen=True, kw_only=True, tag="win_verified"):
    """Hand, light and wager of a seat were verified."""

    by: str


class WinnerKeyedIn(OfSeat, frozen=True, kw_only=True, tag="winner_keyed_in"):
    """The verified winner was keyed in."""

    by: str


class KeyTurned(ControllerEvent, frozen=True, kw_only=True, tag="key_turned"):
    """The key switch stands here now; `seat` is whose award it was turned for."""

    to: Literal["JPH", "RUN"]
    seat: int
    by: str


class JPotPressed(OfSeat, frozen=True, kw_only=True, tag="j_pot_pressed"):
    """The win of a seat was put on record."""

    by: str


class WinLogged(ControllerEvent, frozen=True, kw_only=True, tag="win_logged"):
    """An award has its name and its amount, which the monitor shows."""

    award: str
    seat: int
    hand: str
    percent: int
    cents: Cents
    paid_cents: Cents
    source: Literal["tray", "cage"]
    resets: bool = False
    seed_cents: Cents = 0
    reserve_units: MeterUnits = 0


class WinPagePrinted(ControllerEvent, frozen=True, kw_only=True, tag="win_page_printed"):
    """The page of an award was printed."""

    award: str
    by: str


class AwardGiven(ControllerEvent, frozen=True, kw_only=True, tag="award_given"):
    """A seat was paid its award, from there and under this document."""

    award: str
    document: str
    by: str


class LampCleared(OfSeat, frozen=True, kw_only=True, tag="lamp_cleared"):
    """Everything is done about a seat's hand."""

    hand: str


class AwardTakenBack(ControllerEvent, frozen=True, kw_only=True, tag="award_taken_back"):
    """An award was reversed by two people; both records are kept."""

    award: str
    reason: str
    by: str
    second: str


class UnlitClaimAllowed(OfSeat, frozen=True, kw_only=True, tag="unlit_claim_allowed"):
    """A dispute: a seat whose light is off is handled as if it were on."""

    reason: str
    by: str
    second: str


class SystemReset(ControllerEvent, frozen=True, kw_only=True, tag="system_reset"):
    """Lights, lamps and accepted wagers are cleared for the next round."""

    cause: Literal["game_over", "void"]
    by: str


AnyControllerEvent: TypeAlias = (
    ChipDetected | ChipRemoved | BetsLocked | PlayedWithout | ChipsCounted | WagerCancelled
    | FirstCardDealt | HandKeyed | WrongHandNoticed | HandCleared | SupervisorCalled | WinVerified
    | WinnerKeyedIn | KeyTurned | JPotPressed | WinLogged | WinPagePrinted | AwardGiven
    | LampCleared | AwardTakenBack | UnlitClaimAllowed | SystemReset
)  # fmt: skip
