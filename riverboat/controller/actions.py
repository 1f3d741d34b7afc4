"""What can be asked of a table's controller: chips on sensors, keys, the key switch."""

from typing import Literal, TypeAlias

from riverboat.core.money import Cents
from riverboat.core.records import Action
from riverboat.round.actions import Incident
from riverboat.table.people import Actor


class ForSeat(Action, frozen=True, kw_only=True):
    """What is pressed for one seat."""

    seat: int


class PlaceChip(ForSeat, frozen=True, kw_only=True, tag="place_chip"):
    """A chip on a seat's sensor."""

    cents: Cents
    player: str = ""


class RemoveChip(ForSeat, frozen=True, kw_only=True, tag="remove_chip"):
    """The chip is taken off the sensor again."""


class CoinIn(Action, frozen=True, kw_only=True, tag="coin_in"):
    """The key that locks the wagers. The round's number is the table's; 0 is the next one."""

    round: int = 0


class PlayWithout(Action, frozen=True, kw_only=True, tag="play_without"):
    """The base game goes on while the meter is out of service; the chips go back."""

    round: int = 0


class CountChips(Action, frozen=True, kw_only=True, tag="count_chips"):
    """The dealer takes the chips and counts them."""

    chips: int


class CancelWager(ForSeat, frozen=True, kw_only=True, tag="cancel_wager"):
    """An accepted wager of which no chip is there does not count."""

    reason: str


class FirstCard(Action, frozen=True, kw_only=True, tag="first_card"):
    """The first card is about to be dealt."""


class PressHand(ForSeat, frozen=True, kw_only=True, tag="press_hand"):
    """The key of a hand, for a seat; pressed again it takes the press back."""

    hand: str


class CallSupervisor(Action, frozen=True, kw_only=True, tag="call_supervisor"):
    """The dealer calls for the hands that are keyed."""


class VerifyWin(ForSeat, frozen=True, kw_only=True, tag="verify_win"):
    """Hand, light and wager of a seat are as they must be."""


class KeyInWinner(ForSeat, frozen=True, kw_only=True, tag="key_in_winner"):
    """The verified winner is keyed in, where there is no key switch for it."""


class TurnKey(Action, frozen=True, kw_only=True, tag="turn_key"):
    """The supervisor's key: JPH halts the table, RUN goes on."""

    to: Literal["JPH", "RUN"]


class PressJPot(Action, frozen=True, kw_only=True, tag="press_j_pot"):
    """The win is recorded and its amount fixed."""


class PrintWinPage(Action, frozen=True, kw_only=True, tag="print_win_page"):
    """The money bag."""


class PayAward(ForSeat, frozen=True, kw_only=True, tag="pay_award"):
    """A seat is paid; what does not come from the tray names the document of its payment."""

    document: str = ""


class GameOver(Action, frozen=True, kw_only=True, tag="game_over"):
    """The key that ends the round."""


class BackOut(Action, frozen=True, kw_only=True, tag="back_out"):
    """A logged award is taken back by hand."""

    award: str
    reason: str
    second: Actor


class OverrideUnlit(ForSeat, frozen=True, kw_only=True, tag="override_unlit"):
    """A claim with the light off is allowed after all, as a dispute that was decided."""

    reason: str
    second: Actor


class VoidRound(Action, frozen=True, kw_only=True, tag="void_round"):
    """No hand counts: by the floor's word, or by an incident that voids the round. `second`: beside
    whoever decides it once cards were seen."""

    reason: str = ""
    incident: Incident | None = None
    second: Actor | None = None


AnyPress: TypeAlias = (
    PlaceChip | RemoveChip | CoinIn | PlayWithout | CountChips | CancelWager | FirstCard
    | PressHand | CallSupervisor | VerifyWin | KeyInWinner | TurnKey | PressJPot | PrintWinPage
    | PayAward | GameOver | BackOut | OverrideUnlit | VoidRound
)  # fmt: skip
