"""Floors under load are killed with SIGKILL: what was acknowledged is there, whole, and goes on."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.controller import events as c
from riverboat.floor.autopilot import Doing
from riverboat.floor.codec import (
    METER,
    REFUSED,
    TABLE,
    lines_of,
    read_meter_body,
    read_refused_body,
    read_table_body,
)
from riverboat.floor.floor import Answer
from riverboat.floor.station import StationEntry
from riverboat.ledger import Ledger, Row, open_ledger
from riverboat.meter.books import reconcile
from riverboat.meter.events import Contributed
from tests.conftest import Report
from tests.floor.crash_writer import TABLES
from tests.floor.house import (
    ANN,
    BOLD,
    House,
    floor_on,
    folder_ledger,
    require_true,
    submitted,
)
from tests.ledger.crash import Killing, Nursery
from tests.ledger.postgres_server import PostgresServer

WRITER = "tests.floor.crash_writer"
LINK = "river"
REPLAYED_EVERY = 5
"""So many kills; the chain is verified, and everything folded, after each."""


class FloorKilling(Killing):
    """Kills floors that play five tables on one meter."""

    longest = 150

    def __init__(self, url: str, seed: int) -> None:
        super().__init__(seed)
        self.url = url
        self.rounds = self.awards = self.unacknowledged = 0
        with open_ledger(url) as ledger:
            house = House(floor_on(ledger))
            house.floor.start()
            self.keys = house.floor.keys
            for table, book in TABLES.items():
                house.open_table(table, submitted(book, table, LINK))

    def require_whole(self, name: str, rows: list[Row]) -> None:
        """A command that locks wagers has given them to the meter, and the other way round."""
        for row in rows:
            if row.stream.startswith(REFUSED):
                assert read_refused_body(row.body).code == "award.pending"
        if not name.startswith("run") or rows[0].stream.startswith(REFUSED):
            return
        table = name.split("-")[1]
        streams = [row.stream for row in rows]
        assert streams in ([TABLE + table], [TABLE + table, METER + LINK]), f"half: {name}"
        entries = list(read_table_body(rows[0].body, table, self.keys))
        assert lines_of(rows[0].body)
        given = [x for row in rows[1:] for x in read_meter_body(row.body).events]
        assert wagers_locked(entries) == sum(
            event.wagers for event in given if isinstance(event, Contributed)
        ), f"half: {name}"

    def look_further(self, ledger: Ledger, rows_of: dict[str, list[Row]]) -> None:
        """Fold everything, and now and then decide everything again."""
        self._fold(ledger)
        played = [name for name in rows_of if name[:3] == "run" and len(name.split()) == 1]
        self.unacknowledged = len(played) - len(self.acknowledged)
        if self.kills % REPLAYED_EVERY == 0:
            require_true(ledger)

    def _fold(self, ledger: Ledger) -> None:
        floor = floor_on(ledger)
        days = {table: floor.station(table).day for table in TABLES}
        for table, day in days.items():
            moved = day.accounts
            assert moved.tray_cents == moved.opening_cents + moved.rounds_cents, table
        link = floor.link(LINK)
        assert reconcile(link).balances, reconcile(link)
        sums: Counter[str] = Counter()
        for totals in link.by_table.values():
            sums["in"] += totals.contributions
        assert sums["in"] == link.totals.contributions
        self.awards = sum(award.moved for award in link.awards.values())
        self.rounds = sum(day.round_number - day.in_round for day in days.values())


def wagers_locked(entries: list[StationEntry]) -> int:
    """How many wagers an entry's lock has accepted."""
    return sum(
        len(event.seats)
        for entry in entries
        for event in entry.events
        if isinstance(event, c.BetsLocked)
    )


def go_on(url: str) -> None:
    """After the last kill every table is played to the end of a round, and one more."""
    with open_ledger(url, create=False) as ledger:
        house = House(floor_on(ledger))
        house.ids = (f"afterwards{number}" for number in range(100_000))
        until = {table: house.rounds_over(table) + 2 for table in TABLES}
        while any(house.rounds_over(table) < last for table, last in until.items()):
            steps = [_step(house, t) for t, last in until.items() if house.rounds_over(t) < last]
            assert any(steps), "every table waits for another one"
        assert reconcile(house.floor.link(LINK)).balances
        require_true(ledger)


def _step(house: House, table: str) -> tuple[Doing, Answer] | None:
    return house.step(table, BOLD, {1: ANN}) if table.startswith("W") else house.step(table)


def kill_floors(place: Callable[[], str], kills: int, seed: int) -> str:
    with Nursery.opened(WRITER) as nursery:
        killing = FloorKilling(place(), seed)
        killing.run(nursery, kills)
    go_on(killing.url)
    return (
        f"{kills} floors killed while they played {len(TABLES)} tables on one meter:"
        f" {len(killing.acknowledged)} commands acknowledged and all there,"
        f" {killing.unacknowledged} more were written, {killing.rounds} rounds over,"
        f" {killing.awards} awards of the meter, 0 half"
    )


@pytest.mark.slow
def test_a_killed_floor_loses_nothing_and_goes_on_on_sqlite(tmp_path: Path, report: Report) -> None:
    report(f"crash of floors, SQLite: {kill_floors(lambda: folder_ledger(tmp_path), 20, seed=3)}")


@pytest.mark.slow
@pytest.mark.postgres
def test_a_killed_floor_loses_nothing_and_goes_on_on_postgres(
    server: PostgresServer, report: Report
) -> None:
    report(f"crash of floors, PostgreSQL: {kill_floors(server.new_database, 5, seed=4)}")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(50, 60))
def test_two_hundred_killed_floors_on_sqlite(seed: int, tmp_path: Path, report: Report) -> None:
    report(f"crash of floors, SQLite: {kill_floors(lambda: folder_ledger(tmp_path), 20, seed)}")


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(60, 65))
def test_fifty_killed_floors_on_postgres(seed: int, server: PostgresServer, report: Report) -> None:
    report(f"crash of floors, PostgreSQL: {kill_floors(server.new_database, 10, seed)}")
