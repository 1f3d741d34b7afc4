"""What can be asked for in a table's day. What is asked for in a round is in `round.actions`.

Time, the order of a shuffled deck and whatever else the table cannot know by itself come in here,
as arguments of an action, and nowhere else.
"""

from typing import Literal, TypeAlias

from msgspec import field

from riverboat.core.money import Cents
from riverboat.core.records import Action, Actor
from riverboat.round import actions as round_actions
from riverboat.table.configuration.submission import Submission


class TellTime(Action, frozen=True, kw_only=True, tag="tell_time"):
    """The time of day, in seconds; it never goes back."""

    at: int


class OpenDay(Action, frozen=True, kw_only=True, tag="open_day"):
    """The gaming day begins with the tray counted."""

    date: str
    tray_cents: Cents


class CloseDay(Action, frozen=True, kw_only=True, tag="close_day"):
    """The gaming day ends with the tray counted."""

    tray_cents: Cents


class Fill(Action, frozen=True, kw_only=True, tag="fill"):
    """Chips come from the cage into the tray."""

    cents: Cents


class Credit(Action, frozen=True, kw_only=True, tag="credit"):
    """Chips go from the tray to the cage."""

    cents: Cents


class BuyIn(Action, frozen=True, kw_only=True, tag="buy_in"):
    """A player's cash goes into the drop box and chips for it out of the tray."""

    seat: int
    cents: Cents


class Drop(Action, frozen=True, kw_only=True, tag="drop"):
    """The drop box is taken away with so much cash in it."""

    cents: Cents


class Propose(Action, frozen=True, kw_only=True, tag="propose"):
    """A configuration for this table, or a change of it."""

    submission: Submission


class Approve(Action, frozen=True, kw_only=True, tag="approve"):
    """Somebody else agrees to what was proposed."""

    number: int


class Withdraw(Action, frozen=True, kw_only=True, tag="withdraw"):
    """What was proposed is dropped."""

    number: int


class Designate(Action, frozen=True, kw_only=True, tag="designate"):
    """The table is set aside for its game, and may be opened for play."""


class CloseTable(Action, frozen=True, kw_only=True, tag="close_table"):
    """No more play at this table today."""


class AssignDealer(Action, frozen=True, kw_only=True, tag="assign_dealer"):
    """Who deals from now on."""

    name: str


class SitDown(Action, frozen=True, kw_only=True, tag="sit_down"):
    """A player takes a seat."""

    seat: int


class StandUp(Action, frozen=True, kw_only=True, tag="stand_up"):
    """A player gives up a seat between rounds."""

    seat: int


class WithDeck(Action, frozen=True, kw_only=True):
    """Something that is done with a deck."""

    deck: str


class ReceiveDeck(WithDeck, frozen=True, kw_only=True, tag="receive_deck"):
    """A deck comes to the table."""

    back: str
    design: str = "standard"
    preshuffled: bool = False


class Prepare(WithDeck, frozen=True, kw_only=True, tag="prepare"):
    """One of the opening steps is done with a deck; an inspection says what it found."""

    step: str
    defects: str = ""


class StartShuffle(WithDeck, frozen=True, kw_only=True, tag="start_shuffle"):
    """A deck is shuffled, as this table is set up to do it."""


class JamShuffler(WithDeck, frozen=True, kw_only=True, tag="jam_shuffler"):
    """The shuffler jams, stops, or does not complete its cycle."""


class FinishShuffle(WithDeck, frozen=True, kw_only=True, tag="finish_shuffle"):
    """The shuffle is done; a shuffler that counts says how many cards there are."""

    count: int = 0


class SealDeck(WithDeck, frozen=True, kw_only=True, tag="seal_deck"):
    """The order that an electronic shuffle came to and the house's word for its cut, committed to
    before any bet."""

    order: tuple[int, ...]
    salts: tuple[str, ...]
    word: str


class ForceDeck(WithDeck, frozen=True, kw_only=True, tag="force_deck"):
    """A lab gives a test table the order that it wants to see."""

    order: tuple[int, ...]
    salts: tuple[str, ...]
    word: str


class Cut(WithDeck, frozen=True, kw_only=True, tag="cut"):
    """The dealer cuts with the cover card, so many cards from the top."""

    depth: int


class TellWord(Action, frozen=True, kw_only=True, tag="tell_word"):
    """A player tells the word that was sealed with a bet, now that no bet can follow."""

    seat: int
    word: str


class FixCut(Action, frozen=True, kw_only=True, tag="fix_cut"):
    """The words that were told fix the cut of the committed deck.

    A seat that sealed a word and did not tell it in so many seconds is named, and left out.
    """

    without: tuple[int, ...] = ()
    seconds: int = 0


class ForceCut(Action, frozen=True, kw_only=True, tag="force_cut"):
    """A lab cuts the deck of a test table where it wants to."""

    depth: int


class OrderRecut(WithDeck, frozen=True, kw_only=True, tag="order_recut"):
    """The floor has the cards cut again before any is dealt."""

    reason: str


class OrderShuffle(WithDeck, frozen=True, kw_only=True, tag="order_shuffle"):
    """The floor has the cards shuffled."""

    reason: str


class Load(WithDeck, frozen=True, kw_only=True, tag="load"):
    """The stacked deck goes into the shoe, the hand or the device."""


class RemoveDeck(WithDeck, frozen=True, kw_only=True, tag="remove_deck"):
    """A deck leaves the table: too old, defective, or on the floor's order."""

    reason: str


class GoIdle(Action, frozen=True, kw_only=True, tag="go_idle"):
    """Nobody plays: shoe and rack are emptied and the cards spread."""

    face_up: bool = False


class StartRound(Action, frozen=True, kw_only=True, tag="start_round"):
    """Bets are open."""


class CallOff(Action, frozen=True, kw_only=True, tag="call_off"):
    """Nobody bets: the round ends before it began."""


class DealOut(Action, frozen=True, kw_only=True, tag="deal_out"):
    """The dealer deals from the committed deck."""


class ReportCard(Action, frozen=True, kw_only=True, tag="report_card"):
    """A physical card as it leaves the shoe: dealt, found face up, or drawn in error."""

    card: int
    how: Literal["dealt", "face_up", "drawn_in_error"] = "dealt"


class CountStub(Action, frozen=True, kw_only=True, tag="count_stub"):
    """The stub is counted, and the cards of every place that does not have its right number.

    Between rounds it is the whole deck that is counted.
    """

    cards: int
    places: dict[str, int] = field(default_factory=dict)


class Expire(Action, frozen=True, kw_only=True, tag="expire"):
    """A seat has had its time to decide while others wait: its hand is folded."""

    seat: int
    seconds: int


class FailDevice(Action, frozen=True, kw_only=True, tag="fail_device"):
    """Shuffler or shoe cannot be used any more."""

    reason: str


class MarkDevice(Action, frozen=True, kw_only=True, tag="mark_device"):
    """The unusable device is covered, or a sign on it says that it is out of order."""

    how: Literal["covered", "signed"]


class UseMethod(Action, frozen=True, kw_only=True, tag="use_method"):
    """Another way to shuffle and deal while the device is out of use."""

    dealing: str
    shuffle: str


class RestoreDevice(Action, frozen=True, kw_only=True, tag="restore_device"):
    """The device works again, and the table goes back to its own methods."""


class Interrupt(Action, frozen=True, kw_only=True, tag="interrupt"):
    """Play stops: no power, a device lost, the program started anew."""

    reason: str


class Confirm(Action, frozen=True, kw_only=True, tag="confirm"):
    """The floor signs how the table stood, and how play goes on; a second person, where the round
    is void after its cards were seen."""

    statement: str
    decision: Literal["resume", "void", "by_hand"]
    second: Actor | None = None


class AbandonSealed(Action, frozen=True, kw_only=True, tag="abandon_sealed"):
    """Nobody can read any more what was sealed at this table: a round that is played with it is
    void and over, and decks that wait are shuffled again. `first` and `second` decided to go on."""

    reason: str
    first: str
    second: str


DayAction: TypeAlias = (
    TellTime | OpenDay | CloseDay | Fill | Credit | BuyIn | Drop | Propose | Approve | Withdraw
    | Designate | CloseTable | AssignDealer | SitDown | StandUp | ReceiveDeck | Prepare
    | StartShuffle | JamShuffler | FinishShuffle | SealDeck | ForceDeck | Cut | TellWord
    | FixCut | ForceCut | OrderRecut | OrderShuffle | Load | RemoveDeck | GoIdle | StartRound
    | CallOff | DealOut | ReportCard | CountStub | Expire | FailDevice | MarkDevice | UseMethod
    | RestoreDevice | Interrupt | Confirm | AbandonSealed
)  # fmt: skip
AnyAction: TypeAlias = DayAction | round_actions.AnyAction
