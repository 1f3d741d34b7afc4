"""Writers under load are killed with SIGKILL: what was acknowledged is there, whole, and verifies.

Moments are counted in acknowledgements, not in milliseconds: a timer on a busy machine kills
writers that have not begun. A killed process shows that a commit is atomic and that nothing is
acknowledged early. It does not show that the disk keeps its word when the power fails: that
nobody has tested yet.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from riverboat.ledger import open_ledger, verify
from tests.conftest import Report
from tests.ledger.postgres_server import PostgresServer

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS_A_LEDGER = 25
"""Then a new one is taken, so that verifying all of it stays short."""


class Nursery:
    """The program that brings up writers, as seen from here."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.writer = 0

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.crash_nursery"],
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
            nursery._kill_writer()
            process.wait(20)
            assert process.stdout
            process.stdout.close()

    def start(self, run: str, url: str) -> None:
        """A new writer."""
        assert self._process.stdin
        self._process.stdin.write(f"{run} {url}\n")
        self._process.stdin.flush()
        kind, pid = self._line()
        assert kind == "started"
        self.writer = int(pid)

    def acknowledgements(self, count: int) -> set[str]:
        """What the writer says, until it has said so many."""
        said: set[str] = set()
        while len(said) < count:
            kind, name = self._line()
            assert kind == "ack", "the writer died by itself"
            said.add(name)
        return said

    def kill(self) -> set[str]:
        """Kill the writer, and hear what it had still said."""
        self._kill_writer()
        said: set[str] = set()
        while True:
            kind, name = self._line()
            if kind == "gone":
                return said
            said.add(name)

    def _kill_writer(self) -> None:
        if self.writer:
            os.kill(self.writer, signal.SIGKILL)
            self.writer = 0

    def _line(self) -> tuple[str, str]:
        assert self._process.stdout
        kind, _, rest = self._process.stdout.readline().strip().partition(" ")
        return kind, rest


class Killing:
    """Kills again and again, and looks each time at what is left."""

    def __init__(self, new_place: Callable[[], str], seed: int) -> None:
        self._new_place = new_place
        self._rng = random.Random(seed)
        self._kills = 0
        self._url = ""
        self._acknowledged: set[str] = set()
        self.acknowledged = 0
        self.unacknowledged = 0

    def run(
        self, nursery: Nursery, kills: int, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Start, wait for some acknowledgements, let something happen, kill, look."""
        for _ in range(kills):
            if self._kills % KILLS_A_LEDGER == 0:
                self._url, self._acknowledged = self._new_place(), set()
            self._kills += 1
            nursery.start(f"run{self._kills}", self._url)
            said = nursery.acknowledgements(self._rng.randint(1, 40))
            if meanwhile is not None:
                meanwhile()
                said |= nursery.acknowledgements(self._rng.randint(1, 20))
            # Somewhere between two acknowledgements, not always right after one.
            time.sleep(self._rng.random() * 0.004)
            self._acknowledged |= said | nursery.kill()
            self._look()

    def _look(self) -> None:
        with open_ledger(self._url, create=False) as ledger:
            verdict = verify(ledger)
            assert verdict.holds, verdict.fault
            streams_of = defaultdict(list)
            for row in ledger.read_all():
                assert row.body == row.command_id
                streams_of[row.command_id].append(row.stream)
        missing = self._acknowledged - streams_of.keys()
        assert not missing, f"acknowledged, and gone: {sorted(missing)}"
        for name, streams in streams_of.items():
            run, thread, _ = name.split("-")
            assert streams == [f"table:{run}:{thread}", "meter:1"], f"half or twice: {name}"
        if self._kills % KILLS_A_LEDGER == 0:
            self._count(len(streams_of))

    def _count(self, stored: int) -> None:
        self.acknowledged += len(self._acknowledged)
        self.unacknowledged += stored - len(self._acknowledged)


def sqlite_place(folder: Path) -> Callable[[], str]:
    """A new file each time."""
    return lambda: str(folder / f"ledger-{len(list(folder.glob('*.db')))}.db")


def kill_writers_on_sqlite(folder: Path, kills: int, seed: int, report: Report) -> None:
    with Nursery.opened() as nursery:
        killing = Killing(sqlite_place(folder), seed)
        killing.run(nursery, kills)
    report(
        f"crash: SQLite, {kills} writers killed, {killing.acknowledged} commands acknowledged and"
        f" all there, {killing.unacknowledged} more were written and not yet acknowledged"
    )


def kill_on_postgres(writers: int, servers: int, seed: int, report: Report) -> None:
    with PostgresServer.started() as server, Nursery.opened() as nursery:
        killing = Killing(server.new_database, seed)
        killing.run(nursery, writers)

        def crash_server() -> None:
            server.kill()
            server.start()

        # The same writer goes on after the server is back, and settles what it did not know.
        killing.run(nursery, servers, meanwhile=crash_server)
    report(f"crash: PostgreSQL, {writers} writers and {servers} servers killed, nothing lost")


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_a_writer_is_killed_on_sqlite(
    tmp_path: Path, report: Report
) -> None:
    kill_writers_on_sqlite(tmp_path, kills=100, seed=5, report=report)


@pytest.mark.slow
@pytest.mark.postgres
def test_nothing_acknowledged_is_lost_when_writer_or_server_is_killed_on_postgres(
    report: Report,
) -> None:
    kill_on_postgres(writers=15, servers=5, seed=5, report=report)


@pytest.mark.soak
def test_sixteen_hundred_killed_writers_on_sqlite(tmp_path: Path, report: Report) -> None:
    kill_writers_on_sqlite(tmp_path, kills=1_600, seed=50, report=report)


@pytest.mark.soak
@pytest.mark.postgres
def test_four_hundred_kills_on_postgres(report: Report) -> None:
    kill_on_postgres(writers=300, servers=100, seed=50, report=report)
