"""A table's day: how the table stands now.

It holds its decks, each with its own stage, the round that is being played, and its accounts.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.errors import NotationError
from riverboat.games.round import Round
from riverboat.games.setup import Setup
from riverboat.meter.amounts import Meter
from riverboat.money import Cents
from riverboat.rulebook import Rulebook
from riverboat.table import events as e
from riverboat.table.configuration import Configuration

Stage: TypeAlias = Literal[
    "received", "inspected", "verified", "spread_up", "player_inspected", "face_down", "washed",
    "stacked", "shuffling", "shuffled", "ready", "in_play", "used", "idle",
]  # fmt: skip
Phase: TypeAlias = Literal["closed", "open", "round", "idle"]


class Deck(Struct, frozen=True, kw_only=True):
    """A deck at the table, and how far it has come."""

    name: str
    back: str
    design: str
    stage: Stage
    method: str = ""
    inspected_by: str = ""
    defects: str = ""
    first_used_at: int | None = None
    is_cut: bool = False
    sealed: e.DeckSealed | None = None
    depths: tuple[int, ...] = ()


class Accounts(Struct, frozen=True, kw_only=True):
    """A gaming day's money, in cents: chips in the tray, and cash in the drop box."""

    opening_cents: Cents = 0
    tray_cents: Cents = 0
    fills_cents: Cents = 0
    credits_cents: Cents = 0
    drop_cents: Cents = 0
    in_box_cents: Cents = 0
    rounds_cents: Cents = 0
    cage_cents: Cents = 0


class Proposal(Struct, frozen=True, kw_only=True):
    """A configuration that waits for a second person, or for the end of the round."""

    number: int
    by: str
    configuration: Configuration
    approved_by: str = ""


class Day(Struct, frozen=True, kw_only=True):
    """Everything there is to know about a table.

    `opening_meter` is what a meter of its own begins with, until a round has been opened on it;
    `linked`, that whatever meter the table plays for is not its own.
    """

    table: str
    books: Mapping[str, tuple[Rulebook, str]]
    now: int = 0
    date: str = ""
    phase: Phase = "closed"
    configuration: Configuration | None = None
    configurations: int = 0
    proposals: dict[int, Proposal] = {}
    dealer: str = ""
    seated: dict[int, str] = {}
    decks: dict[str, Deck] = {}
    last_deck: str = ""
    idle_face_up: bool = False
    round: Round | None = None
    round_number: int = 0
    round_deck: str = ""
    commitments: int = 0
    rounds_since_count: int = 0
    stub_counted: bool = False
    cut_fixed: bool = False
    reported: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    opening_meter: Meter | None = None
    linked: bool = False
    device: Literal["working", "failed", "marked"] = "working"
    method: tuple[str, str] | None = None
    interrupted: str = ""
    by_hand: bool = False
    accounts: Accounts = Accounts()
    entries: int = 0

    @property
    def setup(self) -> Setup:
        """How the table is played now, a fallback method included."""
        assert self.configuration is not None
        return self.configuration.setup

    @property
    def meter(self) -> Meter:
        """Where the table's own meter stands: as it is opened, or as the last round left it."""
        if self.opening_meter is not None:
            return self.opening_meter
        return self.round.meter if self.round is not None else Meter()

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.phase == "round"

    @property
    def playing(self) -> Round:
        """The round that is being played."""
        assert self.round is not None
        return self.round

    @property
    def deck_in_play(self) -> Deck | None:
        """The deck of the round that is being played."""
        return self.decks.get(self.round_deck) if self.in_round else None


def edition_among(books: Mapping[str, tuple[Rulebook, str]], name: str) -> tuple[Rulebook, str]:
    """A rulebook that a table names, with its hash; one that is not here is missed by its name."""
    if name not in books:
        text = (
            f"there is no rulebook {name[:80]!r} here; there are {', '.join(books)}; a house's own "
            "is given by its file: --rulebook FILE"
        )
        raise NotationError("rulebook.unknown", text)
    return books[name]


def new_day(table: str, books: Mapping[str, tuple[Rulebook, str]]) -> Day:
    """A table before anything happened at it; `books` are the rulebooks and their hashes."""
    return Day(table=table, books=books)
