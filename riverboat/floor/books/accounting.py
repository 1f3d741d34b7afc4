"""The Game Manager's figures: every meter with its history, every table with its days, and whether
it all balances. The pages, the day report and the close slip are made from these and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import NamedTuple

from riverboat.core.errors import NotationError
from riverboat.core.money import format_cents
from riverboat.floor.books.meters import HistoryLine, MeterBook
from riverboat.floor.books.table_days import NO_DAY, Borne, TableBook, TableDay
from riverboat.floor.codec import (
    PURSE,
    Covered,
    EntryRow,
    MeterEntry,
    Opener,
    TableRow,
    read_purse,
)
from riverboat.floor.disputes import DISPUTE, DisputeRecord, follow_dispute, read_dispute_body
from riverboat.floor.secret import MasterSecret
from riverboat.floor.station import Station, StationEntry
from riverboat.ledger import Head, Ledger, Row
from riverboat.meter.state import Link
from riverboat.round import events as r
from riverboat.table.configuration.configure import Configuration
from riverboat.table.day import Books
from riverboat.wording.record import who


class Floorbook(NamedTuple):
    """Everything that the Game Manager shows."""

    head: Head
    meters: Mapping[str, MeterBook]
    tables: Mapping[tuple[str, str], TableDay]
    sealed: Mapping[str, int]
    disputes: Mapping[str, DisputeRecord]
    """By table and round, as `TABLE/ROUND`."""
    configurations: Mapping[str, Configuration]
    """Every table's, as it is in force at the head."""

    @property
    def balances(self) -> bool:
        """Whether everything does."""
        meters = all(book.balances for book in self.meters.values())
        return meters and all(book.balances for book in self.tables.values())

    @property
    def days(self) -> list[str]:
        """The gaming days on record, oldest first."""
        played = [day for _, day in self.tables]
        moved = [day for book in self.meters.values() for day in book.ends if day != NO_DAY]
        return sorted({*played, *moved})


def keep_books(ledger: Ledger, books: Books, secret: MasterSecret | None = None) -> Floorbook:
    """The books of a floor, from its ledger as it stands.

    Without the floor's secret a round can be read only with its key, which is told after it."""
    head = ledger.head()
    keeper = Bookkeeper(Opener(ledger, secret, 0 if secret else head.seq), books)
    for row in ledger.read_all():
        if row.seq > head.seq:
            break
        keeper.tell(row)
    return keeper.books()


class Bookkeeper:
    """Is told a ledger's rows, each once and in their order, and writes the books."""

    def __init__(self, opener: Opener, books: Books) -> None:
        self._opener, self._books = opener, books
        self._head = Head(0, b"")
        self._date = NO_DAY
        self._meters: dict[str, MeterBook] = {}
        self._tables: dict[str, TableBook] = {}
        self._sealed: dict[str, int] = {}
        self._disputes: dict[str, DisputeRecord] = {}
        self._wrong: Exception | None = None

    def books(self) -> Floorbook:
        """The books after the last row; a copy, which nothing that follows changes."""
        if self._wrong is not None:
            raise self._wrong
        days = {
            (name, date): day
            for name, book in sorted(self._tables.items())
            for date, day in book.days.items()
        }
        filed = {name: book.station.day.configuration for name, book in self._tables.items()}
        return Floorbook(
            head=self._head,
            meters={name: book.copied() for name, book in self._meters.items()},
            tables=days,
            sealed=dict(self._sealed),
            disputes=dict(self._disputes),
            configurations={name: one for name, one in sorted(filed.items()) if one is not None},
        )

    def tell(self, row: Row, after: Station | Link | None = None) -> None:
        """One more row, and its table or meter as it stands after it, where that is known. One that
        cannot be read ends the books: whoever asks for them is told of it."""
        if self._wrong is None:
            try:
                self._row(row, after)
            except Exception as problem:
                self._wrong = problem

    def _row(self, row: Row, after: Station | Link | None) -> None:
        match opened := self._opener.open(row):
            case TableRow():
                self._table_row(opened, after if isinstance(after, Station) else None)
            case EntryRow(_, meter, MeterEntry() as entry):
                # On the gaming day of the table that it came from.
                table = self._tables.get(entry.table)
                day = table.date if table else self._date
                link = after if isinstance(after, Link) else None
                self._meter(meter).tell(row.seq, entry, day, link)
            case None if row.stream.startswith(DISPUTE):
                self._dispute_row(row)
            case None if row.stream.startswith(PURSE):
                self._purse_row(row)
        self._head = Head(row.seq, row.hash)

    def _table_row(self, one: TableRow, after: Station | None) -> None:
        """What a row adds to a table's day."""
        if one.table in self._sealed or one.sealed:
            self._sealed[one.table] = self._sealed.get(one.table, 0) + 1
            return
        book = self._tables.get(one.table)
        if book is None:
            book = self._tables[one.table] = TableBook(one.table, self._books)
        for entry in one.entries:
            book.tell(entry, after if entry is one.entries[-1] else None)
            self._date = max(self._date, book.date, key=_latest)
            for event in entry.events:
                if isinstance(event, r.EnvyPaid):
                    self._envy(one, entry, event)

    def _envy(self, one: TableRow, entry: StationEntry, event: r.EnvyPaid) -> None:
        """Envy is paid from the tray, for a hand that was paid from the meter: both tell of it."""
        station, day = self._tables[one.table].station, self._tables[one.table].date
        if not station.link:
            return
        book = self._meter(station.link)
        book.envy_cents += event.cents
        words = f"Envy of seat {event.seat} at {one.table} for the hand of seat {event.for_seat}"
        book.history.append(
            HistoryLine(
                seq=one.row.seq,
                number=0,
                at=entry.at,
                day=day,
                who=who(entry.by),
                table=one.table,
                kind="envy_paid",
                words=f"{words}: {format_cents(event.cents)} from the tray",
                why="",
                units=0,
                after_units=book.link.meter.units,
            )
        )

    def _meter(self, name: str) -> MeterBook:
        if name not in self._meters:
            self._meters[name] = MeterBook(name)
        return self._meters[name]

    def _purse_row(self, row: Row) -> None:
        """What the house bore, in the books of the table that took it back."""
        told = read_purse(row)
        book = self._tables.get(told.table) if isinstance(told, Covered) else None
        if isinstance(told, Covered) and book is not None:
            name, cents = row.stream.removeprefix(PURSE), told.house_cents
            book.bear(Borne(name=name, round=told.round, cents=cents, reason=told.reason))

    def _dispute_row(self, row: Row) -> None:
        """What a row adds to a dispute."""
        name = row.stream.removeprefix(DISPUTE)
        event = read_dispute_body(row.body)
        self._disputes[name] = follow_dispute(self._disputes.get(name, DisputeRecord()), event)


def _latest(date: str) -> str:
    return "" if date == NO_DAY else date


def narrowed(
    book: Floorbook, *, meter: str | None, table: str | None, day: str | None
) -> Floorbook:
    """The part of the books that was asked for; a name that is not there is bad input."""
    _require("meter", meter, book.meters)
    _require("table", table, {name for name, _ in book.tables})
    _require("day", day, book.days)
    keeps: Callable[[HistoryLine], bool] = lambda line: (  # noqa: E731
        table in (None, line.table) and day in (None, line.day)
    )
    meters = {
        name: _with_history(one, filter(keeps, one.history))
        for name, one in book.meters.items()
        if meter in (None, name)
    }
    tables = {
        place: one
        for place, one in book.tables.items()
        if table in (None, place[0]) and day in (None, place[1])
    }
    return book._replace(meters=meters, tables=tables)


def _with_history(book: MeterBook, lines: Iterable[HistoryLine]) -> MeterBook:
    other = copy(book)
    other.history = list(lines)
    return other


def _require(what: str, wanted: str | None, known: Iterable[str]) -> None:
    names = sorted(known)
    if wanted is not None and wanted not in names:
        there = ", ".join(names) or "none"
        raise NotationError(f"{what}.unknown", f"no {what} {wanted!r} here; there are: {there}")
