"""A gaming day on paper: each table's close slip, and the report of all tables and meters."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from riverboat.core.money import Cents
from riverboat.core.naming import table_called
from riverboat.documents.figures import money, units_said
from riverboat.documents.parts import Printing
from riverboat.floor.books.meters import HistoryLine, MeterDay
from riverboat.floor.books.table_days import TableDay


class CloseSlip(Struct, frozen=True, kw_only=True):
    """What a close slip prints. `expected_cents` is what the entries say that the tray holds."""

    printing: Printing
    table: str
    game: str
    rulebook: str
    day: str
    opened_at: str
    opened_by: str
    opening_cents: Cents
    fills: tuple[Cents, ...]
    credits: tuple[Cents, ...]
    bought_in_cents: Cents
    drop_cents: Cents
    drop_expected_cents: Cents
    rounds: int
    void_rounds: int
    counted_cents: Cents
    expected_cents: Cents
    win_cents: Cents
    counted_at: str
    counted_by: str
    counted_role: str
    configurations: tuple[tuple[str, str], ...] = ()
    """Under which configurations its rounds were played, and by which rulebook: their hashes."""
    test: bool = False

    @property
    def rounds_cents(self) -> Cents:
        """What the rounds moved into the tray: the rest of the entries."""
        moved = sum(self.fills) - sum(self.credits) - self.bought_in_cents
        return self.expected_cents - self.opening_cents - moved

    @property
    def difference_cents(self) -> Cents:
        """Above nothing the tray holds more than the entries say."""
        return self.counted_cents - self.expected_cents

    @property
    def drop_difference_cents(self) -> Cents:
        """Above nothing the box held more than was bought in."""
        return self.drop_cents - self.drop_expected_cents


class SignedHeadText(Struct, frozen=True, kw_only=True):
    """The day's signed head, as the ledger exports it."""

    number: int
    signed_at: str
    public_key: str
    signature: str


class MeterLine(NamedTuple):
    """An entry of a meter that an accountant looks at: when, at which meter, and what."""

    at: str
    meter: str
    line: HistoryLine


class DayReport(Struct, frozen=True, kw_only=True):
    """Everything that a day report prints. `open_items` is what others found to be unsettled."""

    printing: Printing
    day: str
    tables: tuple[TableDay, ...]
    meters: tuple[MeterDay, ...]
    entries: tuple[MeterLine, ...] = ()
    rulebooks: tuple[tuple[str, str], ...] = ()
    """Names and hashes of the rulebooks that were played by."""
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
    where = table_called(table.table, "Table")
    if not table.closed:
        yield f"{where}: the tray was not counted at the end"
    for what, cents, other in (
        ("the tray by the count", table.tray_difference_cents, "by the entries"),
        ("the drop by the count", table.drop_difference_cents, "by the entries"),
        ("the tray by the entries", table.entries_difference_cents, "by the rounds' postings"),
    ):
        if cents:
            side = "more" if cents > 0 else "less"
            yield f"{where}: {what} is {money(abs(cents))} {side} than {other}"
    if table.lost_cents:
        yield f"{where}: postings leave {money(table.lost_cents)} over"


def _meter_items(meter: MeterDay) -> Iterator[str]:
    name, owed = meter.link.id, meter.owed
    for what, units in (
        ("meter", meter.moves.difference),
        ("reserve", meter.moves.reserve_difference),
    ):
        if units:
            side = "more" if units > 0 else "less"
            off = f"{units_said(abs(units))} {side} than opening and movements"
            yield f"Meter {name}: the {what} shows {off}"
    if owed.queued:
        yield f"Meter {name}: {units_said(owed.queued)} wait for a pending award"
    if owed.unpaid:
        yield f"Meter {name}: awards of {units_said(owed.unpaid)} are not paid yet"
    if owed.paid_ahead:
        yield f"Meter {name}: awards of {units_said(owed.paid_ahead)} are paid and still on it"
