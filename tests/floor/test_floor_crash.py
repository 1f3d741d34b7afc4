"""Floors under load are killed with SIGKILL: what was acknowledged is there, whole, and goes on.

Moments are counted in acknowledgements, as in the ledger's own test of this kind.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from riverboat.ledger import Ledger, Row, open_ledger, verify
from riverboat.meter.books import reconcile
from riverboat.meter.events import Contributed
from tests.conftest import Report
from tests.floor.house import (
    ANN,
    BOLD,
    SECRET,
    House,
    floor_on,
    folder_ledger,
    require_true,
    submitted,
)
from tests.ledger.postgres_server import PostgresServer

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = "river"
REPLAYED_EVERY = 5
"""So many kills; the chain is verified, and everything folded, after each."""
TABLES = {
    "T1": "maryland-2014",
    "T2": "island-stud",
    "T3": "south-dakota-2011",
    "W4": "maryland-2014",
    "W5": "south-dakota-3cb",
}


class Nursery:
    """The program that brings up floors, as seen from here."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.refused: list[str] = []
        self.running = 0

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator["Nursery"]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.floor.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        nursery = cls(process)
        try:
            yield nursery
        finally:
            assert process.stdin
            process.stdin.close()
            nursery._kill()
            process.wait(20)
            assert process.stdout
            process.stdout.close()

    def start(self, run: str, url: str) -> None:
        """A new floor."""
        assert self._process.stdin
        self._process.stdin.write(f"{run} {url} {' '.join(TABLES)}\n")
        self._process.stdin.flush()
        kind, pid = self._line()
        assert kind == "started"
        self.running = int(pid)

    def acknowledgements(self, count: int) -> set[str]:
        """What the floor says, until it has said so many."""
        said: set[str] = set()
        while len(said) < count:
            kind, name = self._line()
            assert kind in ("ack", "refused"), "the floor died by itself"
            (said.add if kind == "ack" else self.refused.append)(name)
        return said

    def kill(self) -> set[str]:
        """Kill the floor, and hear what it had still said."""
        self._kill()
        said: set[str] = set()
        while True:
            kind, name = self._line()
            if kind == "gone":
                return said
            (said.add if kind == "ack" else self.refused.append)(name)

    def _kill(self) -> None:
        if self.running:
            os.kill(self.running, signal.SIGKILL)
            self.running = 0

    def _line(self) -> tuple[str, str]:
        assert self._process.stdout
        kind, _, rest = self._process.stdout.readline().strip().partition(" ")
        return kind, rest


class Killing:
    """Kills again and again, and looks each time at what is left."""

    def __init__(self, url: str, seed: int) -> None:
        self.url = url
        self._rng = random.Random(seed)
        self._acknowledged: set[str] = set()
        self.rounds = self.awards = self.unacknowledged = 0
        with open_ledger(url) as ledger:
            house = House(floor_on(ledger))
            for table, book in TABLES.items():
                house.open_table(table, submitted(book, table, LINK))

    def run(self, nursery: Nursery, kills: int, longest: int = 150) -> None:
        """Start, wait for some acknowledgements, kill, look."""
        for number in range(1, kills + 1):
            nursery.start(f"run{number}", self.url)
            said = nursery.acknowledgements(self._rng.randint(1, longest))
            time.sleep(self._rng.random() * 0.004)
            self._acknowledged |= said | nursery.kill()
            with open_ledger(self.url, create=False) as ledger:
                self._look(ledger)
                if number % REPLAYED_EVERY == 0:
                    require_true(ledger)
        assert not nursery.refused, nursery.refused

    def _look(self, ledger: Ledger) -> None:
        verdict = verify(ledger)
        assert verdict.holds, verdict.fault
        rows_of: dict[str, list[Row]] = defaultdict(list)
        for row in ledger.read_all():
            rows_of[row.command_id].append(row)
            if row.stream.startswith(REFUSED):
                assert read_refused_body(row.body).code == "award.pending"
        missing = self._acknowledged - rows_of.keys()
        assert not missing, f"acknowledged, and gone: {sorted(missing)}"
        for name, rows in rows_of.items():
            self._require_whole(name, rows)
        self._fold(ledger)
        played = [n for n, rows in rows_of.items() if n[:3] == "run" and len(n.split()) == 1]
        self.unacknowledged = len(played) - len(self._acknowledged)

    def _require_whole(self, name: str, rows: list[Row]) -> None:
        """A command that locks wagers has given them to the meter, and the other way round."""
        if not name.startswith("run") or rows[0].stream.startswith(REFUSED):
            return
        table = name.split("-")[1]
        streams = [row.stream for row in rows]
        assert streams in ([TABLE + table], [TABLE + table, METER + LINK]), f"half: {name}"
        entries = list(read_table_body(rows[0].body, table, SECRET))
        assert lines_of(rows[0].body)
        given = [x for row in rows[1:] for x in read_meter_body(row.body).events]
        assert wagers_locked(entries) == sum(
            event.wagers for event in given if isinstance(event, Contributed)
        ), f"half: {name}"

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
    with Nursery.opened() as nursery:
        killing = Killing(place(), seed)
        killing.run(nursery, kills)
    go_on(killing.url)
    return (
        f"{kills} floors killed while they played {len(TABLES)} tables on one meter:"
        f" {len(killing._acknowledged)} commands acknowledged and all there,"
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
