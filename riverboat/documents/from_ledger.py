"""Documents gathered from a ledger: the books that the Game Manager keeps, put on paper."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from riverboat.controller import events as c
from riverboat.core.errors import NotationError
from riverboat.core.naming import table_called
from riverboat.documents.day_report import CloseSlip, DayReport, MeterLine, SignedHeadText
from riverboat.documents.parts import Clock, Printing, Told, told_of, who
from riverboat.documents.win_page import WinPage, win_page_of
from riverboat.evidence.exporting import Books
from riverboat.floor.books.accounting import Floorbook
from riverboat.floor.books.meters import MeterBook
from riverboat.floor.books.table_days import TableDay
from riverboat.floor.codec import METER, TABLE, Opener, TableRow, read_meter_body, spelled
from riverboat.floor.keys import MasterSecret
from riverboat.floor.station import StationEntry, new_station, remember
from riverboat.ledger import Ledger, SignedHead
from riverboat.round.setup.setup import Setup
from riverboat.table.day import new_day

_QUIET: Final = (
    *("link_contributed", "queue_added", "award_fixed", "award_paid", "table_joined"),
    *("table_left", "envy_paid", "chances_differ"),
)
"""Entries of a meter that the day's sums tell well enough."""
_LOUD: Final = ("link_alarmed", "link_out_of_service")


# ---------------------------------------------------------------- the day report


def day_report_of(
    book: Floorbook,
    day: str,
    *,
    printing: Printing,
    clock: Clock,
    rulebooks: Mapping[str, str],
    signed: SignedHead | None = None,
) -> DayReport:
    """The report of a gaming day; `signed` is the newest signed head, if there is one.

    `rulebooks` are the names of rulebooks by the hash of their files.
    """
    tables = tuple(one for (_, date), one in book.tables.items() if date == day)
    meters = {name: one for name, one in sorted(book.meters.items()) if _known_on(one, day)}
    if not tables and not any(day in one.ends for one in meters.values()):
        there = ", ".join(book.days) or "none"
        raise NotationError("day.unknown", f"no gaming day {day!r} here; there are: {there}")
    hashes = {sha256 for one in tables for _, sha256 in one.configurations}
    return DayReport(
        printing=printing,
        day=day,
        tables=tables,
        meters=tuple(one.day(day) for one in meters.values()),
        entries=tuple(sorted(_entries(meters.values(), day, clock), key=lambda e: e.line.seq)),
        rulebooks=tuple(sorted((rulebooks.get(one, "unknown"), one) for one in hashes)),
        open_items=tuple(_open_items(book, meters.values(), day)),
        signed=_signed(signed, clock) if signed is not None else None,
        test=bool(tables) and all(one.test for one in tables),
    )


def _known_on(book: MeterBook, day: str) -> bool:
    """A meter that was there on a day, or before it."""
    return any(date <= day or not date[:1].isdigit() for date in book.ends)


def _entries(meters: Iterable[MeterBook], day: str, clock: Clock) -> Iterator[MeterLine]:
    for book in meters:
        for line in book.history:
            if line.day == day and line.kind not in _QUIET:
                yield MeterLine(clock(line.at), book.name, line)


def _open_items(book: Floorbook, meters: Iterable[MeterBook], day: str) -> Iterator[str]:
    for name, count in sorted(book.sealed.items()):
        where = table_called(name, "Table")
        yield f"{where}: {count} rows are sealed, a round is not over; not in these figures"
    for one in meters:
        for line in one.history:
            if line.day == day and line.kind in _LOUD:
                yield f"Meter {one.name}: {line.words}"
    for place, dispute in sorted(book.disputes.items()):
        if dispute.opened is not None and dispute.decided is None:
            table, _, number = place.rpartition("/")
            yield f"{table_called(table, 'Table')}: the dispute about round {number} is open"


def _signed(head: SignedHead, clock: Clock) -> SignedHeadText:
    return SignedHeadText(
        number=head.number,
        signed_at=f"{clock(head.signed_at)}, head {head.head}",
        public_key=head.public_key.hex(),
        signature=head.signature.hex(),
    )


# ---------------------------------------------------------------- the close slip


def close_slip_of(day: TableDay, *, printing: Printing, clock: Clock) -> CloseSlip:
    """The slip of a table's gaming day, which is closed."""
    if not day.closed:
        text = f"gaming day {day.day} of {table_called(day.table)} is not closed yet"
        raise NotationError("day.not_closed", text)
    return CloseSlip(
        printing=printing,
        table=day.table,
        game=day.game,
        rulebook=day.rulebook,
        configurations=day.configurations,
        day=day.day,
        opened_at=clock(day.opened_at),
        opened_by=day.opened_by.name,
        opening_cents=day.opening_cents,
        fills=day.fills,
        credits=day.credits,
        bought_in_cents=day.bought_in_cents,
        drop_cents=day.drop_cents,
        drop_expected_cents=day.bought_in_cents,
        rounds=day.rounds,
        void_rounds=day.void_rounds,
        counted_cents=day.closing_cents,
        expected_cents=day.expected_cents,
        win_cents=day.win_cents,
        counted_at=clock(day.closed_at),
        counted_by=day.closed_by.name,
        counted_role=who(day.closed_by),
        test=day.test,
    )


# ---------------------------------------------------------------- the win page


def win_page_in(
    ledger: Ledger,
    books: Books,
    secret: MasterSecret | None,
    award: str,
    *,
    printing: Printing,
    clock: Clock,
) -> WinPage:
    """The page of an award that stands in a ledger: `TABLE/ROUND/SEAT`, or as it was logged."""
    table = _table_of(ledger, award)
    opener = Opener.of_table(ledger, secret, table)
    record, setup = _told_at(ledger, books, opener, table, award)
    link = setup.progressive.link if setup.progressive is not None else ""
    meter = [spelled(row, read_meter_body(row.body)) for row in ledger.read(METER + link)]
    return win_page_of(
        award,
        table=table,
        record=record,
        link_record=list(told_of(meter)),
        setup=setup,
        printing=printing,
        clock=clock,
    )


def _table_of(ledger: Ledger, award: str) -> str:
    """The table that the award names; awards are numbered within their table."""
    table = award.rsplit("/", 2)[0]
    if award.count("/") < 2 or not table or not ledger.read(TABLE + table):
        text = f"no award {award!r} is on record; awards are named TABLE/ROUND/SEAT"
        raise NotationError("award.unknown", text)
    return table


def _told_at(
    ledger: Ledger, books: Books, opener: Opener, table: str, award: str
) -> tuple[list[Told], Setup]:
    """The table's record, and the setup that the award's round was played with."""
    station, entries = new_station(new_day(table, books)), list[StationEntry]()
    setup: Setup | None = None
    for row in ledger.read(TABLE + table):
        opened = opener.open(row)
        if not isinstance(opened, TableRow) or opened.sealed:
            break
        for entry in opened.entries:
            station = remember(station, entry)
            entries.append(entry)
            if any(isinstance(ev, c.WinLogged) and ev.award == award for ev in entry.events):
                setup = station.day.playing.setup
    if setup is None:
        raise NotationError("award.unknown", f"no award {award!r} is on the record of {table}")
    return list(told_of(entries)), setup
