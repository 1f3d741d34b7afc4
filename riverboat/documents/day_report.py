"""A day report: every table and every meter of a gaming day, and whether all of it agrees."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from riverboat.documents.figures import money, units_said
from riverboat.documents.telling import Printing
from riverboat.money import METER_UNITS_PER_CENT, Cents, MeterUnits


class HandHits(Struct, frozen=True, kw_only=True):
    """How often a hand was hit in so many wagers, and its exact chance in one, where known."""

    hand: str
    hits: int
    wagers: int
    chance: Fraction | None = None

    @property
    def expected(self) -> Fraction | None:
        """How often the chance lets expect it."""
        return None if self.chance is None else self.chance * self.wagers


class TableDay(Struct, frozen=True, kw_only=True):
    """One table's figures, in cents. `closed`: the tray was counted at the end."""

    table: str
    game: str
    rulebook: str
    link: str
    closed: bool
    rounds: int
    void_rounds: int
    coin_in_cents: Cents
    progressive_coin_in_cents: Cents
    opening_cents: Cents
    fills_cents: Cents
    credits_cents: Cents
    bought_in_cents: Cents
    drop_cents: Cents
    closing_cents: Cents
    expected_cents: Cents
    tray_awards_cents: Cents = 0
    meter_awards_cents: Cents = 0
    off_tray_cents: Cents = 0
    envy_cents: Cents = 0
    breakage_cents: Cents = 0
    tips_cents: Cents = 0
    hits: tuple[HandHits, ...] = ()

    @property
    def win_cents(self) -> Cents:
        """Chips and cash at the end over the start."""
        end = self.closing_cents + self.credits_cents + self.drop_cents
        return end - self.opening_cents - self.fills_cents

    @property
    def tray_difference_cents(self) -> Cents:
        """What was counted over what the entries say."""
        return self.closing_cents - self.expected_cents

    @property
    def drop_difference_cents(self) -> Cents:
        """What the box held over what was bought in."""
        return self.drop_cents - self.bought_in_cents

    @property
    def by_rounds_cents(self) -> Cents:
        """The win by the entries: what the rounds moved."""
        return self.win_cents - self.tray_difference_cents - self.drop_difference_cents


class TableShare(Struct, frozen=True, kw_only=True):
    """What one table gave to a meter and took from it."""

    table: str
    wagers_cents: Cents
    contributions: MeterUnits
    reversed: MeterUnits
    awards: MeterUnits
    hits: int


class MeterDay(Struct, frozen=True, kw_only=True):
    """One meter's day, in units of which ten thousand are a cent."""

    link: str
    status: str
    opening: MeterUnits
    contributions: MeterUnits
    reversed: MeterUnits
    seeds: MeterUnits
    reserve_transfers: MeterUnits
    awards: MeterUnits
    adjustments: MeterUnits
    closing: MeterUnits
    reserve_opening: MeterUnits
    reserve_contributions: MeterUnits
    reserve_reversed: MeterUnits
    reserve_adjustments: MeterUnits
    reserve_closing: MeterUnits
    queued: MeterUnits = 0
    unpaid_cents: Cents = 0
    wagers_cents: Cents = 0
    hits: int = 0
    tables: tuple[TableShare, ...] = ()

    @property
    def difference(self) -> MeterUnits:
        """What the closing value has more than opening and movements say: nothing, or a fault."""
        came = self.contributions - self.reversed + self.seeds + self.reserve_transfers
        return self.closing - (self.opening + came - self.awards + self.adjustments)

    @property
    def reserve_difference(self) -> MeterUnits:
        """The same of the reserve."""
        came = self.reserve_contributions - self.reserve_reversed - self.reserve_transfers
        return self.reserve_closing - (self.reserve_opening + came + self.reserve_adjustments)

    @property
    def liability(self) -> MeterUnits:
        """What the house owes to players: meter, reserve, what waits, awards not paid yet."""
        unpaid = self.unpaid_cents * METER_UNITS_PER_CENT
        return self.closing + self.reserve_closing + self.queued + unpaid


class SignedHeadText(Struct, frozen=True, kw_only=True):
    """The day's signed head, as the ledger exports it."""

    number: int
    signed_at: str
    public_key: str
    signature: str


class DayReport(Struct, frozen=True, kw_only=True):
    """Everything that a day report prints. `open_items` is what others found to be unsettled."""

    printing: Printing
    day: str
    tables: tuple[TableDay, ...]
    meters: tuple[MeterDay, ...]
    open_items: tuple[str, ...] = ()
    signed: SignedHeadText | None = None
    test: bool = False

    @property
    def unreconciled(self) -> tuple[str, ...]:
        """Everything that does not agree, or that nobody has settled."""
        found = [item for table in self.tables for item in _table_items(table)]
        found += [item for meter in self.meters for item in _meter_items(meter)]
        return (*found, *self.open_items)


def _table_items(table: TableDay) -> Iterator[str]:
    if not table.closed:
        yield f"Table {table.table}: the tray was not counted at the end"
    for what, cents in (
        ("the tray by the count", table.tray_difference_cents),
        ("the drop by the count", table.drop_difference_cents),
    ):
        if cents:
            side = "more" if cents > 0 else "less"
            yield f"Table {table.table}: {what} is {money(abs(cents))} {side} than by the entries"


def _meter_items(meter: MeterDay) -> Iterator[str]:
    for what, units in (("meter", meter.difference), ("reserve", meter.reserve_difference)):
        if units:
            side = "more" if units > 0 else "less"
            off = f"{units_said(abs(units))} {side} than opening and movements"
            yield f"Meter {meter.link}: the {what} shows {off}"
    if meter.queued:
        yield f"Meter {meter.link}: {units_said(meter.queued)} wait for a pending award"
    if meter.unpaid_cents:
        yield f"Meter {meter.link}: awards of {money(meter.unpaid_cents)} are not paid yet"
