"""Everything that can have happened at a table around its rounds: facts, past tense, frozen."""

from typing import Literal, TypeAlias

import msgspec

from riverboat.core.money import Cents
from riverboat.core.records import Event
from riverboat.round import events as round_events
from riverboat.table.actions import AnyAction
from riverboat.table.configuration.submission import Submission
from riverboat.table.people import Actor


class TimeTold(Event, frozen=True, kw_only=True, tag="time_told"):
    """It is this late."""

    at: int


class DayOpened(Event, frozen=True, kw_only=True, tag="day_opened"):
    """A gaming day began with this much in the tray."""

    date: str
    tray_cents: Cents


class DayClosed(Event, frozen=True, kw_only=True, tag="day_closed"):
    """A gaming day ended: what was counted, what the entries come to, and what the table won."""

    tray_cents: Cents
    expected_cents: Cents
    win_cents: Cents


class ChipsFilled(Event, frozen=True, kw_only=True, tag="chips_filled"):
    """Chips came from the cage."""

    cents: Cents


class ChipsCredited(Event, frozen=True, kw_only=True, tag="chips_credited"):
    """Chips went to the cage."""

    cents: Cents


class BoughtIn(Event, frozen=True, kw_only=True, tag="bought_in"):
    """Cash went into the drop box, and chips for it to a player."""

    seat: int
    cents: Cents


class BoxDropped(Event, frozen=True, kw_only=True, tag="box_dropped"):
    """The drop box was taken away and held this much."""

    cents: Cents
    expected_cents: Cents


class ConfigurationProposed(Event, frozen=True, kw_only=True, tag="configuration_proposed"):
    """Somebody proposed how the table should be set up."""

    number: int
    by: str
    sha256: str
    submission: Submission


class ConfigurationApproved(Event, frozen=True, kw_only=True, tag="configuration_approved"):
    """Somebody else agreed; it takes effect when no round is being played."""

    number: int
    by: str


class ConfigurationWithdrawn(Event, frozen=True, kw_only=True, tag="configuration_withdrawn"):
    """A proposal was dropped."""

    number: int


class ConfigurationTookEffect(Event, frozen=True, kw_only=True, tag="configuration_took_effect"):
    """From here on the table is played like this. The hashes say what exactly."""

    number: int
    sha256: str
    rulebook: str
    rulebook_sha256: str


class TableDesignated(Event, frozen=True, kw_only=True, tag="table_designated"):
    """The table was set aside for its game."""

    game: str


class TableClosed(Event, frozen=True, kw_only=True, tag="table_closed"):
    """Play ended at this table."""


class DealerAssigned(Event, frozen=True, kw_only=True, tag="dealer_assigned"):
    """Somebody deals from here on, and somebody else no longer does."""

    name: str
    relieved: str = ""


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat_taken"):
    """A player sat down; `automatic` where it is a program."""

    seat: int
    player: str
    automatic: bool = False


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A player stood up."""

    seat: int
    player: str


class WithDeck(Event, frozen=True, kw_only=True):
    """Something that happened to a deck."""

    deck: str


class DeckReceived(WithDeck, frozen=True, kw_only=True, tag="deck_received"):
    """A deck came to the table."""

    back: str
    design: str
    preshuffled: bool = False


class DeckPrepared(WithDeck, frozen=True, kw_only=True, tag="deck_prepared"):
    """One opening step was done with a deck."""

    step: str
    by: str
    defects: str = ""


class ShuffleStarted(WithDeck, frozen=True, kw_only=True, tag="shuffle_started"):
    """A deck is being shuffled."""

    method: str


class ShuffleJammed(WithDeck, frozen=True, kw_only=True, tag="shuffle_jammed"):
    """The shuffler did not complete its cycle, and starts again."""


class ShuffleFinished(WithDeck, frozen=True, kw_only=True, tag="shuffle_finished"):
    """A deck was shuffled; `count` is what a counting shuffler showed."""

    count: int = 0


class DeckSealed(WithDeck, frozen=True, kw_only=True, tag="deck_sealed"):
    """The table committed itself to an order, and to the house's word for its cut. Only number and
    root are public before the end."""

    number: int
    root: str
    order: tuple[int, ...]
    salts: tuple[str, ...]
    word: str
    forced: bool = False


class CommitmentAbandoned(Event, frozen=True, kw_only=True, tag="commitment_abandoned"):
    """A commitment was not played; its number stays on record."""

    number: int
    deck: str
    reason: str


class DeckCut(WithDeck, frozen=True, kw_only=True, tag="deck_cut"):
    """A deck was cut. `fixed` where the cut of a committed deck was, after the bets: by the house's
    word and those of seats, without those that withheld theirs, within these depths; or `forced`,
    by a lab."""

    depth: int
    by: str = ""
    fixed: bool = False
    forced: bool = False
    house: str = ""
    words: dict[str, str] = msgspec.field(default_factory=dict)
    withheld: tuple[int, ...] = ()
    seconds: int = 0
    lowest: int = 0
    deepest: int = 0


class WordSealed(Event, frozen=True, kw_only=True, tag="word_sealed"):
    """A player sealed a word for the cut, with a bet; nobody else knows it yet."""

    seat: int
    seal: str


class WordTold(Event, frozen=True, kw_only=True, tag="word_told"):
    """A player told the word that was sealed."""

    seat: int
    word: str


class RecutOrdered(WithDeck, frozen=True, kw_only=True, tag="recut_ordered"):
    """The floor wanted another cut."""

    reason: str


class ShuffleOrdered(WithDeck, frozen=True, kw_only=True, tag="shuffle_ordered"):
    """The floor wanted a shuffle."""

    reason: str


class DeckLoaded(WithDeck, frozen=True, kw_only=True, tag="deck_loaded"):
    """A deck lies ready in the shoe, the hand or the device."""


class DeckTakenAway(WithDeck, frozen=True, kw_only=True, tag="deck_taken_away"):
    """A deck left the table."""

    reason: str


class WentIdle(Event, frozen=True, kw_only=True, tag="went_idle"):
    """Nobody plays; the cards lie spread."""

    face_up: bool = False


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """A round began: its number, its deck, and under what exactly it is played."""

    number: int
    deck: str
    dealer: str
    rulebook_sha256: str
    configuration_sha256: str
    commitment: int = 0


class CardReported(Event, frozen=True, kw_only=True, tag="card_reported"):
    """A physical card left the shoe."""

    card: int
    how: Literal["dealt", "face_up", "drawn_in_error"] = "dealt"
    left_out: bool = False


class CardAmended(Event, frozen=True, kw_only=True, tag="card_amended"):
    """A card of the deal under way had been misreported; this is what it is."""

    index: int
    card: int
    reason: str


class StubCounted(Event, frozen=True, kw_only=True, tag="stub_counted"):
    """The cards were counted: the stub, and all of them together."""

    cards: int
    total: int
    places: dict[str, int] = msgspec.field(default_factory=dict)


class DecisionExpired(Event, frozen=True, kw_only=True, tag="decision_expired"):
    """A seat did not decide in the time that the house gives; the fold follows."""

    seat: int
    seconds: int


class DeviceFailed(Event, frozen=True, kw_only=True, tag="device_failed"):
    """Shuffler or shoe cannot be used."""

    reason: str


class DeviceMarked(Event, frozen=True, kw_only=True, tag="device_marked"):
    """The unusable device was covered or signed."""

    how: str


class MethodChanged(Event, frozen=True, kw_only=True, tag="method_changed"):
    """Cards are shuffled and dealt in another way for now."""

    dealing: str
    shuffle: str


class DeviceRestored(Event, frozen=True, kw_only=True, tag="device_restored"):
    """The device is in use again."""


class PlayInterrupted(Event, frozen=True, kw_only=True, tag="play_interrupted"):
    """Play stopped, and this is how the table stood."""

    reason: str
    statement: str


class PlayConfirmed(Event, frozen=True, kw_only=True, tag="play_confirmed"):
    """The floor signed how the table stood, and decided how play goes on."""

    decision: str
    by: str


DayEvent: TypeAlias = (
    TimeTold | DayOpened | DayClosed | ChipsFilled | ChipsCredited | BoughtIn | BoxDropped
    | ConfigurationProposed | ConfigurationApproved | ConfigurationWithdrawn
    | ConfigurationTookEffect | TableDesignated | TableClosed | DealerAssigned | SeatTaken
    | SeatLeft | DeckReceived | DeckPrepared | ShuffleStarted | ShuffleJammed | ShuffleFinished
    | DeckSealed | CommitmentAbandoned | DeckCut | WordSealed | WordTold | RecutOrdered
    | ShuffleOrdered | DeckLoaded | DeckTakenAway | WentIdle | RoundStarted | CardReported
    | CardAmended | StubCounted | DecisionExpired | DeviceFailed | DeviceMarked | MethodChanged
    | DeviceRestored | PlayInterrupted | PlayConfirmed
)  # fmt: skip
AnyEvent: TypeAlias = DayEvent | round_events.AnyEvent


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a table's record: who asked for what, when, and what came of it."""

    number: int
    at: int
    by: Actor
    action: AnyAction
    events: tuple[AnyEvent, ...]
    test: bool = False
