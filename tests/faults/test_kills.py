"""Houses are killed with SIGKILL while people bet with purses that are nearly empty: nothing
acknowledged is lost or doubled, and no purse is ever below nothing, or other than its rows."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.floor.audit.auditing import audit
from riverboat.floor.codec import TABLE
from riverboat.floor.floor import Floor
from riverboat.ledger import Ledger, Row
from riverboat.rulebooks import editions
from tests.conftest import Report
from tests.faults.betting import PEOPLE, begin, house_on
from tests.ledger.crash import Killing, Nursery
from tests.ledger.postgres_server import PostgresServer
from tests.simulation.checking import retell
from tests.web.running import SECRET

WRITER = "tests.faults.betting"
KILLS_A_LEDGER = 20
"""Then a new one is taken, so that telling all of it again stays short."""
AUDITED_EVERY = 10


class PurseKilling(Killing):
    """Kills houses in which people bet."""

    longest = 25

    def __init__(self, new_place: Callable[[], str], seed: int) -> None:
        super().__init__(seed)
        self._new_place = new_place
        self.found = self.unacknowledged = self.rows = 0
        self._latest: dict[str, list[Row]] = {}

    def begin(self) -> None:
        """A new floor after some kills."""
        if self.kills % KILLS_A_LEDGER == 0:
            self.count()
            self.url, self.acknowledged = self._new_place(), set()
            begin(self.url)

    def require_whole(self, name: str, rows: list[Row]) -> None:
        """Each stream has it once, and what takes money out of a purse is a row of the purse."""
        streams = [row.stream for row in rows]
        assert len(set(streams)) == len(streams), f"twice: {name}: {streams}"
        if '"do":"wager"' in rows[0].command and streams[0].startswith(TABLE):
            assert any(stream.startswith("purse/") for stream in streams), f"half: {name}"

    def look_further(self, ledger: Ledger, rows_of: dict[str, list[Row]]) -> None:
        """Purses by what every event posts, against what a house says that is opened anew."""
        told = retell(Floor(ledger, editions(), SECRET))
        for name, (cents, seq) in told.lowest.items():
            assert cents >= 0, f"{name} had {cents} cents after row {seq}"
        house = house_on(self.url)
        house.model.catch_up()
        said = {name: house.model.cents(name) for name in PEOPLE}
        house.close()
        assert said == {name: told.purses[name] for name in PEOPLE}
        if self.kills % AUDITED_EVERY == 0:
            found = audit(ledger, editions(), SECRET)
            assert found.holds, found.wrong
        self._latest = rows_of

    def count(self) -> None:
        """What the last ledger had, when it is done with."""
        rows_of = self._latest
        theirs = [name for name in rows_of if name.startswith("by ") and " refused " not in name]
        self.found += len(self.acknowledged)
        self.unacknowledged += len(theirs) - len(self.acknowledged)
        self.rows += sum(map(len, rows_of.values()))


def kill_houses(
    place: Callable[[], str], kills: int, seed: int, server: PostgresServer | None = None
) -> str:
    """So many; of a database with a server of its own, each fourth time the server too."""
    began, servers = time.monotonic(), 0

    def crash_server() -> None:
        assert server is not None
        server.kill()
        server.start()

    with Nursery.opened(WRITER) as nursery:
        killing = PurseKilling(place, seed)
        while killing.kills < kills:
            killing.run(nursery, min(3, kills - killing.kills))
            if server is not None and killing.kills < kills:
                killing.run(nursery, 1, meanwhile=crash_server)
                servers += 1
    killing.count()
    seconds = time.monotonic() - began
    return (
        f"{kills} houses killed{f' and {servers} database servers' if servers else ''} while people"
        f" bet: {killing.found} commands acknowledged and all there once, {killing.unacknowledged}"
        f" more were written, {killing.rows} rows, lost 0, doubled 0, no purse below nothing;"
        f" {seconds / kills:.2f} s a kill"
    )


def sqlite_place(folder: Path) -> Callable[[], str]:
    """A new file each time."""
    return lambda: str(folder / f"floor-{len(list(folder.glob('*.db')))}.db")


@pytest.mark.slow
def test_purses_are_right_when_houses_are_killed_on_sqlite(tmp_path: Path, report: Report) -> None:
    report(f"kills with purses, SQLite: {kill_houses(sqlite_place(tmp_path), 12, seed=7)}")


@pytest.mark.slow
@pytest.mark.postgres
def test_purses_are_right_when_houses_and_servers_are_killed_on_postgres(report: Report) -> None:
    with PostgresServer.started() as server:
        told = kill_houses(server.new_database, 4, seed=7, server=server)
    report(f"kills with purses, PostgreSQL: {told}")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 114))
def test_fourteen_hundred_killed_houses_on_sqlite(
    tmp_path: Path, report: Report, seed: int
) -> None:
    report(f"kills with purses, SQLite: {kill_houses(sqlite_place(tmp_path), 100, seed)}")


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(200, 206))
def test_six_hundred_killed_houses_on_postgres(report: Report, seed: int) -> None:
    with PostgresServer.started() as server:
        told = kill_houses(server.new_database, 100, seed, server)
    report(f"kills with purses, PostgreSQL: {told}")
