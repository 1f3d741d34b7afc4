"""The Game Manager's figures: every meter with its history, every table with its day, and whether
it all balances.

A meter's identity is contributions - reversed + seeds + reserve transfers - awards + adjustments =
meter. It is held by meter, by table and by gaming day against the amounts that the meter's own
events moved, which are added up apart from the sums that the meter keeps of itself.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, replace

from riverboat import events as r
from riverboat.days.pit_log import who
from riverboat.errors import NotationError
from riverboat.evidence.exporting import Books
from riverboat.floor.bodies import MeterEntry
from riverboat.floor.controller_words import meter_said
from riverboat.floor.keys import MasterSecret
from riverboat.floor.moving_money import money_of
from riverboat.floor.opened_rows import MeterRow, Opener, TableRow
from riverboat.floor.station import Station, StationEntry, new_station, remember
from riverboat.games.postings import BREAKAGE, TIP_BOX, Posting
from riverboat.ledger import Head, Ledger, Row
from riverboat.money import Cents, MeterUnits, format_cents
from riverboat.progressive import events as c
from riverboat.progressive import link_events as le
from riverboat.progressive.link import Link, Totals
from riverboat.progressive.link import apply as apply_to_link
from riverboat.progressive.link_accounts import Reconciliation, reconcile
from riverboat.table import events as e
from riverboat.table.day import new_day
from riverboat.table.tray import table_win

ITSELF: Final = ""
"""Where no table but a keeper of the meter moved it."""
NO_DAY: Final = "before the first day"
_REASONS: Final = (le.Adjusted, le.BackedOut, le.MovedOut, le.MovedIn, le.Retired)


class HistoryLine(NamedTuple):
    """One thing that happened to a meter, or for it: who, when, where, why, and by how much."""

    seq: int
    number: int
    at: int
    day: str
    who: str
    table: str
    kind: str
    words: str
    why: str
    units: MeterUnits
    after_units: MeterUnits


class Moves(Struct, kw_only=True):
    """What moved a meter in some part of its life, by kind; and how far it really moved."""

    totals: Totals = Totals()
    units: MeterUnits = 0
    reserve_units: MeterUnits = 0

    @property
    def difference(self) -> MeterUnits:
        """How far the identity is off; nothing where it balances."""
        return self.units - identity(self.totals)


class MeterBook(Struct, kw_only=True):
    """A meter: as it stands, all that happened to it, and its identity in three cuts."""

    name: str
    link: Link = Link()
    events: list[le.AnyLinkEvent] = []
    history: list[HistoryLine] = []
    by_day: dict[str, Moves] = {}
    by_table: dict[str, Moves] = {}
    envy_cents: Cents = 0

    @property
    def reconciliation(self) -> Reconciliation:
        """The identity over the meter's whole life."""
        return reconcile(self.link)

    @property
    def balances(self) -> bool:
        """Whether every cut of the identity comes out to the unit."""
        cuts = (self.by_day, self.by_table)
        moved = all(sum(m.units for m in cut.values()) == self.link.meter.units for cut in cuts)
        inside = all(not moves.difference for cut in cuts for moves in cut.values())
        return moved and inside and self.reconciliation.balances


class TableDay(Struct, kw_only=True):
    """What a table came to on a gaming day, in cents."""

    table: str
    day: str
    rounds: int = 0
    void: int = 0
    coin_in_cents: Cents = 0
    progressive_cents: Cents = 0
    wagers: int = 0
    opening_cents: Cents = 0
    fills_cents: Cents = 0
    credits_cents: Cents = 0
    bought_in_cents: Cents = 0
    drop_cents: Cents = 0
    tray_cents: Cents = 0
    win_cents: Cents = 0
    win_by_tray_cents: Cents = 0
    paid_off_tray_cents: Cents = 0
    hits: int = 0
    jackpots: int = 0
    awards_cents: Cents = 0
    envy: int = 0
    envy_cents: Cents = 0
    breakage_cents: Cents = 0
    tips_cents: Cents = 0
    counted: bool = False
    lost_cents: Cents = 0

    @property
    def balances(self) -> bool:
        """Whether the tray says what the rounds say, and no posting lost a cent."""
        return self.win_by_tray_cents == self.win_cents and not self.lost_cents


class Floorbook(NamedTuple):
    """Everything that the Game Manager shows."""

    head: Head
    meters: dict[str, MeterBook]
    tables: dict[tuple[str, str], TableDay]
    sealed: dict[str, int]

    @property
    def balances(self) -> bool:
        """Whether everything does."""
        meters = all(book.balances for book in self.meters.values())
        return meters and all(book.balances for book in self.tables.values())


def identity(totals: Totals) -> MeterUnits:
    """Contributions - reversed + seeds + reserve transfers - awards + adjustments."""
    return (
        totals.contributions
        - totals.reversed
        + totals.seeds
        + totals.reserve_transfers
        - totals.awards
        + totals.adjustments
    )


def keep_books(ledger: Ledger, books: Books, secret: MasterSecret | None = None) -> Floorbook:
    """The books of a floor, from its ledger as it stands."""
    head = ledger.head()
    keeper = _Bookkeeper(Opener(ledger, secret, head.seq), books)
    for opened in keeper.opener.opened():
        match opened:
            case TableRow():
                keeper.table_row(opened)
            case MeterRow():
                keeper.meter_row(opened.row, opened.meter, opened.entry)
    return Floorbook(head, keeper.meters, keeper.tables, keeper.sealed)


class _Bookkeeper:
    """Goes through a ledger once and writes the books."""

    def __init__(self, opener: Opener, books: Books) -> None:
        self.opener, self.books = opener, books
        self.stations: dict[str, Station] = {}
        self.dates: dict[str, str] = {}
        self.date = NO_DAY
        self.meters: dict[str, MeterBook] = {}
        self.tables: dict[tuple[str, str], TableDay] = {}
        self.sealed: dict[str, int] = {}

    # ---------------------------------------------------------------- tables

    def table_row(self, one: TableRow) -> None:
        """What a row adds to a table's day."""
        if one.table in self.sealed or one.sealed:
            self.sealed[one.table] = self.sealed.get(one.table, 0) + 1
            return
        for entry in one.entries:
            before = self.stations.get(one.table) or new_station(new_day(one.table, self.books))
            self._date(one.table, entry)
            self._money(one.table, before, entry)
            self.stations[one.table] = remember(before, entry)
            self._stand(one.table)
            for event in entry.events:
                self._event(one.row, entry, one.table, event)

    def _date(self, table: str, entry: StationEntry) -> None:
        for event in entry.events:
            if isinstance(event, e.DayOpened):
                self.dates[table] = self.date = event.date

    def _book(self, table: str) -> TableDay:
        place = (table, self.dates.get(table, NO_DAY))
        if place not in self.tables:
            self.tables[place] = TableDay(table=table, day=place[1])
        return self.tables[place]

    def _money(self, table: str, before: Station, entry: StationEntry) -> None:
        for event, postings in money_of(before, entry.events):
            book = self._book(table)
            book.lost_cents += sum(p.amount for p in postings if p.unit == "cent")
            book.breakage_cents += _posted(postings, BREAKAGE)
            book.tips_cents += _posted(postings, TIP_BOX)
            if isinstance(event, r.WagerPlaced | r.StreetBet | r.WagerTakenBack):
                _coin_in(book, event)

    def _stand(self, table: str) -> None:
        """The tray and the win as they stand; kept as they were when the day is closed."""
        day = self.stations[table].day
        if not day.date:
            return
        book, accounts = self._book(table), day.accounts
        book.opening_cents, book.tray_cents = accounts.opening_cents, accounts.tray_cents
        book.fills_cents, book.credits_cents = accounts.fills_cents, accounts.credits_cents
        book.drop_cents = accounts.drop_cents + accounts.in_box_cents
        book.win_cents, book.paid_off_tray_cents = accounts.rounds_cents, accounts.cage_cents
        book.win_by_tray_cents = table_win(accounts, accounts.tray_cents)

    def _event(self, row: Row, entry: StationEntry, table: str, event: Any) -> None:
        if isinstance(event, e.TimeTold):
            return
        book = self._book(table)
        match event:
            case e.RoundStarted():
                book.rounds += 1
            case r.RoundVoided():
                book.void += 1
            case e.BoughtIn():
                book.bought_in_cents += event.cents
            case e.DayClosed():
                book.counted, book.win_by_tray_cents = True, event.win_cents
                book.tray_cents = event.tray_cents
            case c.WinLogged():
                book.hits += 1
                book.jackpots += event.resets
                book.awards_cents += event.paid_cents
            case r.EnvyPaid():
                book.envy += 1
                book.envy_cents += event.cents
                self._envy(row, entry, table, event)

    def _envy(self, row: Row, entry: StationEntry, table: str, event: r.EnvyPaid) -> None:
        name = self.stations[table].link
        if not name:
            return
        book = self._meter(name)
        book.envy_cents += event.cents
        amount = format_cents(event.cents)
        words = f"Envy of seat {event.seat} at {table} for the hand of seat {event.for_seat}"
        book.history.append(
            HistoryLine(
                seq=row.seq,
                number=0,
                at=entry.at,
                day=self.dates.get(table, NO_DAY),
                who=who(entry.by),
                table=table,
                kind="envy_paid",
                words=f"{words}: {amount} from the tray",
                why="",
                units=0,
                after_units=book.link.meter.units,
            )
        )

    # ---------------------------------------------------------------- meters

    def _meter(self, name: str) -> MeterBook:
        if name not in self.meters:
            self.meters[name] = MeterBook(name=name)
        return self.meters[name]

    def meter_row(self, row: Row, name: str, entry: MeterEntry) -> None:
        """What a row adds to a meter's history."""
        book = self._meter(name)
        day = self.dates.get(entry.table, NO_DAY) if entry.table else self.date
        for event in entry.events:
            before = book.link
            book.link = after = apply_to_link(before, event)
            book.events.append(event)
            moved = after.meter.units - before.meter.units
            book.history.append(
                HistoryLine(
                    seq=row.seq,
                    number=len(book.events),
                    at=entry.at,
                    day=day,
                    who=who(entry.by),
                    table=entry.table,
                    kind=str(type(event).__struct_config__.tag),
                    words=meter_said(event, before, after),
                    why=event.reason if isinstance(event, _REASONS) else "",
                    units=moved,
                    after_units=after.meter.units,
                )
            )
            _move(book.by_day, day, before, after)
            _move_by_table(book.by_table, before, after)


def _posted(postings: Sequence[Posting], account: str) -> Cents:
    return sum(p.amount for p in postings if p.unit == "cent" and p.account == account)


def _coin_in(book: TableDay, event: Any) -> None:
    sign = -1 if isinstance(event, r.WagerTakenBack) else 1
    book.coin_in_cents += sign * event.cents
    if event.spot == "progressive":
        book.progressive_cents += sign * event.cents
        book.wagers += sign


def _less(after: Totals, before: Totals) -> Totals:
    was = asdict(before)
    return Totals(**{name: value - was[name] for name, value in asdict(after).items()})


def _more(totals: Totals, more: Totals) -> Totals:
    was = asdict(totals)
    return Totals(**{name: value + was[name] for name, value in asdict(more).items()})


def _move(cut: dict[str, Moves], place: str, before: Link, after: Link) -> None:
    moves = cut.setdefault(place, Moves())
    moves.units += after.meter.units - before.meter.units
    moves.reserve_units += after.meter.reserve_units - before.meter.reserve_units
    if after.totals is not before.totals:
        moves.totals = _more(moves.totals, _less(after.totals, before.totals))


def _move_by_table(cut: dict[str, Moves], before: Link, after: Link) -> None:
    """Each table's part by its own sums; what no table's sums explain, the meter itself did."""
    if after.totals is before.totals and after.meter == before.meter:
        return
    rest = _less(after.totals, before.totals)
    units = after.meter.units - before.meter.units
    for table, totals in after.by_table.items():
        was = before.by_table.get(table, Totals())
        if totals is was:
            continue
        own = _less(totals, was)
        moves = cut.setdefault(table, Moves())
        moves.totals = _more(moves.totals, own)
        moves.units += identity(own)
        rest, units = _less(rest, own), units - identity(own)
    if units or identity(rest):
        moves = cut.setdefault(ITSELF, Moves())
        moves.totals, moves.units = _more(moves.totals, rest), moves.units + units


def narrowed(
    book: Floorbook, *, meter: str | None, table: str | None, day: str | None
) -> Floorbook:
    """The part of the books that was asked for; a name that is not there is bad input."""
    _require("meter", meter, book.meters)
    _require("table", table, {name for name, _ in book.tables})
    days = {date for _, date in book.tables} | {d for m in book.meters.values() for d in m.by_day}
    _require("day", day, days)
    keeps: Callable[[HistoryLine], bool] = lambda line: (  # noqa: E731
        table in (None, line.table) and day in (None, line.day)
    )
    meters = {
        name: replace(one, history=list(filter(keeps, one.history)))
        for name, one in book.meters.items()
        if meter in (None, name)
    }
    tables = {
        place: one
        for place, one in book.tables.items()
        if table in (None, place[0]) and day in (None, place[1])
    }
    return book._replace(meters=meters, tables=tables)


def _require(what: str, wanted: str | None, known: Iterable[str]) -> None:
    names = sorted(known)
    if wanted is not None and wanted not in names:
        there = ", ".join(names) or "none"
        raise NotationError(f"{what}.unknown", f"no {what} {wanted!r} here; there are: {there}")
