"""What the web shows: the ledger's rows, folded once and never on the event loop.

A thread follows the ledger and takes its rows in; lobby, frames, play money, finished rounds, the
work list, the Game Manager's books and whoever asks at a table read what came of them, and ask no
database. A table's state is the very one that the floor decides on: whichever of the two comes to a
row first folds it.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct, json

from riverboat.core.money import Cents
from riverboat.floor.books.accounting import Bookkeeper, Floorbook
from riverboat.floor.codec import (
    METER,
    PURSE,
    TABLE,
    Opener,
    gained,
    read_meter_body,
    read_purse,
)
from riverboat.floor.disputes import DISPUTE, DisputeRecord, follow_dispute, read_dispute_body
from riverboat.floor.floor import Floor
from riverboat.floor.secret import FLOOR
from riverboat.floor.station import Station, purse_changes
from riverboat.ledger import Folded, LedgerUnavailable, Reading, Row
from riverboat.meter.state import Link
from riverboat.round import events as r
from riverboat.web.demo.roles import (
    ATTENDANCE,
    READY,
    STANDING,
    Attended,
    Readied,
    Standing,
    StoodIn,
    follow,
)

REACH_SECONDS: Final = 1.0
MOST_UNBOOKED: Final = 1_000
"""Rows that wait for somebody to ask for the books: nothing on the way from a command to a frame
needs them, and this many are entered in a moment."""
_CHUNK: Final = 1_000
MOST_LINES: Final = 5_000
"""Of the finished rounds of a table; older ones are found by their numbers."""


class SeatLine(Struct, frozen=True, kw_only=True):
    """Somebody in a round, and what it came to."""

    seat: int
    name: str
    net_cents: Cents
    program: bool = False


class RoundLine(Struct, frozen=True, kw_only=True):
    """A finished round."""

    table: str
    round: int
    at: int
    rulebook: str
    void: bool
    seats: tuple[SeatLine, ...]
    dealer: str
    own: bool = False
    """Whether it was a visitor's own table."""

    def seats_of(self, name: str) -> tuple[int, ...]:
        """Where somebody sat."""
        return tuple(one.seat for one in self.seats if one.name == name and not one.program)

    def is_of(self, name: str) -> bool:
        """Whether somebody played in it, or dealt it."""
        return self.dealer == name or bool(self.seats_of(name))


class RoundLines:
    """The finished rounds of every table, as far as the ledger was read."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[RoundLine]] = {}

    def note(self, station: Station, *, own: bool) -> None:
        """A table as it stands: the round that was closed since it was noted last, if any was."""
        day = station.day
        lines = self._lines.setdefault(day.table, deque(maxlen=MOST_LINES))
        if day.round is None or day.in_round or (lines and lines[-1].round >= day.round_number):
            return
        state = day.playing
        seats = tuple(
            SeatLine(
                seat=seat,
                name=one.player or day.seated.get(seat, ""),
                net_cents=one.net_cents,
                program=seat in day.programs,
            )
            for seat, one in sorted(state.seats.items())
        )
        line = RoundLine(
            table=day.table,
            round=day.round_number,
            at=day.now,
            rulebook=state.setup.book.id,
            void=state.phase == "void" or any(isinstance(e, r.RoundVoided) for e in state.history),
            seats=seats,
            dealer=day.dealer,
            own=own,
        )
        lines.append(line)

    def at(self, table: str, most: int, before: int | None = None) -> list[RoundLine]:
        """A table's, newest first."""
        lines = (
            one
            for one in reversed(self._lines.get(table, ()))
            if before is None or one.round < before
        )
        return list(islice(lines, most))

    def of(self, name: str, most: int, table: str | None = None) -> list[RoundLine]:
        """Somebody's own, newest first."""
        found = sorted(self._own(name, table), key=lambda one: (one.at, one.round), reverse=True)
        return found[:most]

    def _own(self, name: str, table: str | None) -> Iterator[RoundLine]:
        for place, lines in list(self._lines.items()):
            if table in (None, place):
                yield from (one for one in list(lines) if one.is_of(name))

    def one(self, table: str, number: int) -> RoundLine | None:
        """A round by its number."""
        return next((x for x in reversed(self._lines.get(table, ())) if x.round == number), None)


class Purse(NamedTuple):
    """What somebody has in hand, and the version of the purse at which it was at least that."""

    cents: Cents = 0
    version: int = 0


class ReadModel:
    """Tables, meters, play money, rounds, disputes, attendance: as far as the ledger was read."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._stations: dict[str, Station] = {}
        self._links: dict[str, Link] = {}
        self._opened_by_program: dict[str, bool] = {}
        self._purses: dict[str, Purse] = {}
        self._ready: dict[str, tuple[int, frozenset[str]]] = {}
        self._standing: dict[str, Standing] = {}
        self.rounds = RoundLines()
        self.disputes: dict[str, DisputeRecord] = {}
        self.attended: dict[str, Attended] = {}
        self.seq = 0
        self.is_followed = False
        """Whether a thread takes in whatever is written, without being asked."""
        self._unsaid: set[str] = set()
        self._reading = threading.Lock()
        self._reached = threading.Condition()
        self._books = Bookkeeper(Opener(floor.ledger, floor.secret, 0), floor.books)
        self._unbooked: deque[tuple[Row, Station | Link | None]] = deque()
        self._bookkeeping = threading.Lock()

    # ---------------------------------------------------------------- taking rows in

    def take_in(self, rows: list[Row]) -> None:
        """Rows in the ledger's order; those that were taken in before are passed over. Where some
        are missing before them, because taking them in went wrong, those are read again first."""
        with self._reading:
            if rows and rows[0].seq > self.seq + 1:
                self._catch_up(self._floor.ledger.store)
            self._take_in(rows)

    def catch_up(self, source: Reading | None = None) -> None:
        """Read what was written since; from within a transaction, where somebody is in one."""
        with self._reading:
            self._catch_up(source or self._floor.ledger.store)

    def _catch_up(self, source: Reading) -> None:
        while rows := source.read_all(self.seq, _CHUNK):
            self._take_in(rows)

    def reach(self, seq: int) -> None:
        """Wait until a row was taken in: whoever has done something sees it in the next answer. A
        row that is durable is acknowledged all the same where reading it has to wait."""
        if self.is_followed:
            with self._reached:
                if self._reached.wait_for(lambda: self.seq >= seq, REACH_SECONDS):
                    return
        self.refresh()

    def refresh(self) -> None:
        """Read what was written since, if that can be had just now: for after a command, whose own
        answer does not depend on it."""
        with suppress(LedgerUnavailable):
            self.catch_up()

    def changed(self) -> set[str]:
        """What has changed since this was asked last: streams of tables, meters and purses."""
        with self._reading:
            changed, self._unsaid = self._unsaid, set()
            return changed

    def _take_in(self, rows: list[Row]) -> None:
        for row in rows:
            if row.seq > self.seq:
                kind, slash, name = row.stream.partition("/")
                take = self._TAKE.get(kind + slash)
                self._unbooked.append((row, take(self, row, name) if take is not None else None))
                self.seq = row.seq
        with self._reached:
            self._reached.notify_all()
        if len(self._unbooked) >= MOST_UNBOOKED:
            with self._bookkeeping:
                self._book()

    def _table(self, row: Row, table: str) -> Station:
        before = self.station(table)
        known = Folded(before, row.version - 1)
        after = self._floor.tables.remember(row.stream, known, [row]).state
        self._stations[table] = after
        for name, cents in purse_changes(before, after).items():
            self._gain(name, cents)
        self.rounds.note(after, own=bool(self.owner(table)))
        self._unsaid.add(row.stream)
        return after

    def _meter(self, row: Row, meter: str) -> Link:
        if row.version == 1:
            self._opened_by_program[meter] = read_meter_body(row.body).by.automatic
        known = Folded(self.link(meter), row.version - 1)
        after = self._floor.links.remember(row.stream, known, [row]).state
        self._links[meter] = after
        self._unsaid.add(row.stream)
        return after

    def _secret(self, row: Row, name: str) -> None:
        self._floor.heed_secret()

    def _purse(self, row: Row, name: str) -> None:
        """What was spent the table's row, which stands before it, has taken out already."""
        self._gain(name, gained(read_purse(row)))
        self._purses[name] = self._purses[name]._replace(version=row.version)

    def _gain(self, name: str, cents: Cents) -> None:
        purse = self.purse(name)
        self._purses[name] = purse._replace(cents=purse.cents + cents)
        self._unsaid.add(PURSE + name)

    def _dispute(self, row: Row, place: str) -> None:
        record = self.disputes.get(place, DisputeRecord())
        self.disputes[place] = follow_dispute(record, read_dispute_body(row.body))

    def _attendance(self, row: Row, table: str) -> None:
        self.attended[table] = json.decode(row.body, type=Attended)

    def _stand_in(self, row: Row, table: str) -> None:
        told = json.decode(row.body, type=StoodIn)
        self._standing[table] = follow(self.standing_at(table), told)
        self._unsaid.add(TABLE + table)

    def _readied(self, row: Row, table: str) -> None:
        told = json.decode(row.body, type=Readied)
        self._ready[table] = (told.round, self.ready(table, told.round) | {told.name})
        self._unsaid.add(TABLE + table)

    def _book(self) -> None:
        """Enter in the books what was taken in since."""
        while self._unbooked:
            self._books.tell(*self._unbooked.popleft())

    _TAKE: Final[dict[str, Callable[["ReadModel", Row, str], Station | Link | None]]] = {
        TABLE: _table,
        METER: _meter,
        PURSE: _purse,
        FLOOR: _secret,
        DISPUTE: _dispute,
        ATTENDANCE: _attendance,
        STANDING: _stand_in,
        READY: _readied,
    }

    # ---------------------------------------------------------------- what stands now

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table that was read of."""
        return tuple(self._stations)

    def station(self, table: str) -> Station:
        """A table; one at which nothing happened yet, where nobody set it up."""
        return self._stations.get(table) or self._floor.new_station(table)

    def owner(self, table: str) -> str:
        """The visitor whose own table it is; empty where it is the floor's."""
        attended = self.attended.get(table)
        return "" if attended is None else attended.owner

    @property
    def meters(self) -> list[str]:
        """Every meter that was opened, by name."""
        return sorted(name for name, link in list(self._links.items()) if link.status != "not_open")

    def link(self, meter: str) -> Link:
        """A meter; one that is not open, where nobody opened it."""
        return self._links.get(meter) or Link()

    def link_of(self, station: Station) -> Link | None:
        """The meter that a table plays for, if it plays for one."""
        return self.link(station.link) if station.link else None

    def is_opened_by_program(self, meter: str) -> bool | None:
        """Whether a program opened a meter, for tables that are for show; None: it is not open."""
        return self._opened_by_program.get(meter)

    def standing_at(self, table: str) -> Standing:
        """Who does a program's part at a table."""
        return self._standing.get(table, {})

    def ready(self, table: str, round_number: int) -> frozenset[str]:
        """Who has bet what they want to bet in a round."""
        number, names = self._ready.get(table, (0, frozenset()))
        return names if number == round_number else frozenset()

    def purse(self, name: str) -> Purse:
        """Somebody's purse; an empty one for somebody who was never given any money."""
        return self._purses.get(name, Purse())

    def cents(self, name: str) -> Cents:
        """What somebody has in hand."""
        return self.purse(name).cents

    def knows(self, name: str) -> bool:
        """Whether somebody of that name was ever given play money, or played."""
        return name in self._purses

    def books(self) -> Floorbook:
        """The Game Manager's books with every row that was taken in."""
        if not self.is_followed:
            self.catch_up()
        with self._bookkeeping:
            self._book()
            return self._books.books()
