"""Writers under load are killed: what was acknowledged is there, whole, and verifies."""

from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.ledger import Ledger, Row
from tests.conftest import Report
from tests.ledger.crash import Killing, Nursery
from tests.ledger.postgres_server import PostgresServer

WRITER = "tests.ledger.crash_writer"
KILLS_A_LEDGER = 25
"""Then a new one is taken, so that verifying all of it stays short."""


class LedgerKilling(Killing):
    """Kills writers of two streams each."""

    def __init__(self, new_place: Callable[[], str], seed: int) -> None:
        super().__init__(seed)
        self._new_place = new_place
        self.found = self.unacknowledged = 0

    def begin(self) -> None:
        """A new ledger after some kills."""
        if self.kills % KILLS_A_LEDGER == 0:
            self.url, self.acknowledged = self._new_place(), set()

    def require_whole(self, name: str, rows: list[Row]) -> None:
        """Both streams have it, once."""
        run, thread, _ = name.split("-")
        streams = [row.stream for row in rows]
        assert streams == [f"table:{run}:{thread}", "meter:1"], f"half or twice: {name}"
        assert {row.body for row in rows} == {name}

    def look_further(self, ledger: Ledger, rows_of: dict[str, list[Row]]) -> None:
        """Count, where it was this ledger's last writer."""
        if self.kills % KILLS_A_LEDGER == 0:
            self.found += len(self.acknowledged)
            self.unacknowledged += len(rows_of) - len(self.acknowledged)


def sqlite_place(folder: Path) -> Callable[[], str]:
    """A new file each time."""
    return lambda: str(folder / f"ledger-{len(list(folder.glob('*.db')))}.db")


def kill_writers_on_sqlite(folder: Path, kills: int, seed: int, report: Report) -> None:
    with Nursery.opened(WRITER) as nursery:
        killing = LedgerKilling(sqlite_place(folder), seed)
        killing.run(nursery, kills)
    report(
        f"crash: SQLite, {kills} writers killed, {killing.found} commands acknowledged and"
        f" all there, {killing.unacknowledged} more were written and not yet acknowledged"
    )


def kill_on_postgres(writers: int, servers: int, seed: int, report: Report) -> None:
    with PostgresServer.started() as server, Nursery.opened(WRITER) as nursery:
        killing = LedgerKilling(server.new_database, seed)
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
