"""Everybody's play money, from the ledger alone: what was given out, and what rounds did to it.

A purse is no second book: it is the sum of the postings that the tables' own events make, so it
can be made again from the ledger at any time, in any process.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import reduce
from typing import Final, NamedTuple, get_args

from riverboat.controller import actions as p
from riverboat.controller import events as c
from riverboat.controller.engine import table_postings
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.floor.codec import MOST_CENTS, PURSE, TABLE, read_table_body, read_top_up, top_up
from riverboat.floor.floor import Floor
from riverboat.floor.station import AnyAsked, AnyHappened, Station, StationEntry, apply, new_station
from riverboat.ledger import Row
from riverboat.meter.books import Posting
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.table.day import new_day
from riverboat.web.read_model import Noticed

FIRST_CENTS: Final = 1_000_00
_PLAYER: Final = "player:"
_OF_ROUNDS: Final = tuple(kind for kind in get_args(r.AnyEvent) if kind is not r.RoundOpened)
_MOVING: Final = (*_OF_ROUNDS, c.ControllerEvent)


Hold = Callable[[str], AbstractContextManager[None]]
"""Keeps others, in other threads and processes, from the same thing meanwhile."""


class Change(NamedTuple):
    """A purse, and by how much it changed."""

    name: str
    cents: Cents


class Purses:
    """What everybody has, as far as the ledger was read."""

    def __init__(self, floor: Floor, hold: Hold) -> None:
        self._floor, self._hold = floor, hold
        self._stations: dict[str, Station] = {}
        self._cents: dict[str, Cents] = {}
        self._unsaid: set[str] = set()
        self.noticed = Noticed()
        self._reading = threading.Lock()
        self.seq = 0

    def read(self, rows: list[Row]) -> set[str]:
        """Take rows in, in order; whose purse changed since this was asked last."""
        with self._reading:
            self._take_in(rows)
            changed, self._unsaid = self._unsaid, set()
            return changed

    def catch_up(self) -> None:
        """Read what was written since."""
        with self._reading:
            while rows := self._floor.ledger.store.read_all(self.seq, 1_000):
                self._take_in(rows)

    def _take_in(self, rows: list[Row]) -> None:
        for row in rows:
            if row.seq <= self.seq:
                continue
            self.seq = row.seq
            self.noticed.note(row)
            for name, cents in self._changes(row):
                self._cents[name] = self._cents.get(name, 0) + cents
                self._unsaid.add(name)

    @contextmanager
    def spending(self, name: str, cents: Cents) -> Iterator[None]:
        """While it lasts nobody else, in any process, takes money out of this purse; refused where
        there is too little in it."""
        if not cents:
            yield
            return
        with self._hold(f"purse {name}"):
            self.catch_up()
            self.require(name, cents)
            yield

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table that was read of."""
        return tuple(self._stations)

    def station(self, table: str) -> Station | None:
        """A table as far as it was read of, without asking the ledger."""
        return self._stations.get(table)

    def cents(self, name: str) -> Cents:
        """What somebody has in hand; nothing for somebody who was never given any."""
        return self._cents.get(name, 0)

    def knows(self, name: str) -> bool:
        """Whether somebody of that name was ever given any, or played."""
        return name in self._cents

    def top_up(self, command_id: str, name: str, cents: Cents) -> None:
        """Give out play money, once for a command."""
        if not 1 <= cents <= MOST_CENTS:
            most = format_cents(MOST_CENTS)
            raise Refused("purse.amount", f"play money comes in $0.01 to {most}", cites=())
        command, write = top_up(command_id, name, cents, self._floor.clock())
        self._floor.ledger.append(command, write)
        self.catch_up()

    def require(self, name: str, cents: Cents) -> None:
        """Nobody bets what he does not have."""
        has = self.cents(name)
        if cents > has:
            text = (
                f"{format_cents(cents)} is more than the {format_cents(has)} in hand; "
                "play money can be topped up at any time"
            )
            raise Refused("purse.short", text, cites=())

    def _changes(self, row: Row) -> Iterator[Change]:
        if row.stream.startswith(PURSE):
            yield Change(row.stream.removeprefix(PURSE), read_top_up(row).cents)
        elif row.stream.startswith(TABLE):
            table = row.stream.removeprefix(TABLE)
            station = self._stations.get(table) or new_station(new_day(table, self._floor.books))
            for entry in read_table_body(row.body, table, self._floor.secret):
                yield from changes(station, entry)
                station = reduce(apply, entry.events, station)
                self.noticed.rounds.note(station, entry)
            self._stations[table] = station


def changes(station: Station, entry: StationEntry) -> Iterator[Change]:
    """What an entry of a table's record did to the purses of those who sit there."""
    for event in entry.events:
        day = station.day
        for posting in _moved(station, event):
            if posting.account.startswith(_PLAYER) and posting.unit == "cent":
                seat = int(posting.account.removeprefix(_PLAYER))
                name = day.seated.get(seat) or day.playing.seats[seat].player
                if name:
                    yield Change(name, posting.amount)
        station = apply(station, event)


def _moved(station: Station, event: AnyHappened) -> tuple[Posting, ...]:
    if station.day.round is None or not isinstance(event, _MOVING):
        return ()
    return table_postings(event, station.controller, station.day.round)


def staked(action: AnyAsked) -> Cents:
    """What an action takes out of its player's purse."""
    match action:
        case g.Bet():
            return action.cents + action.tip_cents
        case g.Wager() | p.PlaceChip():
            return action.cents
    return 0


__all__ = ["FIRST_CENTS", "MOST_CENTS", "PURSE", "Change", "Purses", "changes", "staked"]
