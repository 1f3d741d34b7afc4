"""A win page: one award, from the cards to the signatures, as plain data."""

from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.cards import Card
from riverboat.documents.telling import Printing
from riverboat.money import METER_UNITS_PER_CENT, Cents, MeterUnits

Origin: TypeAlias = Literal["hole card", "community card", "own card"]
Standing: TypeAlias = Literal["logged", "paid", "taken_back"]


class CardShown(Struct, frozen=True, kw_only=True):
    """A card of the winning hand and where it lay."""

    card: Card
    origin: Origin


class Step(Struct, frozen=True, kw_only=True):
    """One step of the procedure: what, who, in which role, when, by which clauses."""

    what: str
    by: str
    role: str
    at: str
    cites: tuple[str, ...] = ()


class MeterBeforeAndAfter(Struct, frozen=True, kw_only=True):
    """What the award did to the meter; until it has `moved_at`, what it will do.

    `meanwhile_units` came or went between the fixing of the award and the meter's move (a void at
    another table); `queued_units` waited for the award and were added after it.
    """

    before_units: MeterUnits
    award_cents: Cents
    meanwhile_units: MeterUnits = 0
    seed_cents: Cents = 0
    reserve_units: MeterUnits = 0
    queued_units: MeterUnits = 0
    resets: bool = False
    moved_at: str = ""

    @property
    def left_units(self) -> MeterUnits:
        """What stays when the award has left: at least the fraction of a cent."""
        award = self.award_cents * METER_UNITS_PER_CENT
        return self.before_units + self.meanwhile_units - award

    @property
    def after_units(self) -> MeterUnits:
        """What the sign shows next."""
        seed = self.seed_cents * METER_UNITS_PER_CENT
        return self.left_units + seed + self.reserve_units + self.queued_units


class Versions(Struct, frozen=True, kw_only=True):
    """By which words, configuration and cards the round was played. Empty: not on record."""

    rulebook: str
    title: str
    revision: int
    rulebook_sha256: str = ""
    configuration_sha256: str = ""
    commitment: int = 0
    commitment_root: str = ""


class WinPage(Struct, frozen=True, kw_only=True):
    """Everything that a win page prints. `percent` is nothing where the tray pays fixed odds."""

    printing: Printing
    versions: Versions
    table: str
    link: str
    round: int
    day: str
    seat: int
    player: str
    hand: str
    cards: tuple[CardShown, ...]
    award: str
    percent: int
    share: int
    of: int
    cents: Cents
    paid_cents: Cents
    pays: str
    schedule: str
    wager_cents: Cents
    cites: tuple[str, ...]
    meter: MeterBeforeAndAfter | None
    steps: tuple[Step, ...]
    source: Literal["tray", "cage"]
    document: str
    standing: Standing
    test: bool = False

    @property
    def breakage_cents(self) -> Cents:
        """What rounding to payable units left."""
        return self.cents - self.paid_cents
