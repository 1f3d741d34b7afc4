"""Durable commands a second through the whole floor: rules, sealing, chain, sync.

    .venv/bin/python bench/floor.py [--seconds 4] [--only sqlite|postgres]

A client is an automatic table of its own that plays round after round on one linked meter: the next
step is chosen by the prompts, the command id is looked up, the rules decide, hidden cards are
sealed, the rows of table and meter are chained and synced in one transaction. Bare is one INSERT of
as many bytes, with the same durability and no rules. What the steps cost without a disk is printed
beside it: that is the part which a faster disk does not change.
"""

import argparse
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import bench.ledger as bare  # noqa: E402
from riverboat.ledger import mint_command_id, open_ledger  # noqa: E402
from tests.floor.house import House, floor_on, submitted  # noqa: E402
from tests.ledger.postgres_server import PostgresServer  # noqa: E402

RULEBOOK = "maryland-2014"


@contextmanager
def opened(url: str, clients: int) -> Iterator[tuple[House, list[str]]]:
    """A floor with as many tables as clients, all on one meter, each one round old."""
    with open_ledger(url, patience_seconds=60) as ledger:
        house = House(floor_on(ledger), iter(mint_command_id, None))
        link = f"link-{uuid.uuid4().hex[:6]}"
        names = [f"{link}-{number}" for number in range(clients)]
        for name in names:
            house.open_table(name, submitted(RULEBOOK, name, link))
            house.play(name, 1)
        yield house, names


def measure_floor(url: str, clients: int, seconds: float) -> bare.Rate:
    """So many tables at once, each stepped by its own thread."""
    with opened(url, clients) as (house, names):

        def client(number: int, end: float) -> int:
            count = 0
            while time.monotonic() < end:
                count += house.step(names[number]) is not None
            return count

        return bare.in_threads(clients, seconds, client)


def payload() -> str:
    """A text as long as what a command of a round writes, and what the steps cost in CPU time."""
    with tempfile.TemporaryDirectory() as folder, opened(f"{folder}/one.db", 1) as (house, names):
        before = house.floor.ledger.head().seq
        begin = time.process_time()
        steps = house.play(names[0], 20)
        each = (time.process_time() - begin) / steps
        rows = list(house.floor.ledger.read_all(before))
    size = sum(len(row.body) + len(row.command) + len(row.actor) for row in rows) // steps
    print(
        f"a round takes {steps // 20} commands; {len(rows) / steps:.2f} rows and {size} bytes of "
        f"text a command, {each * 1e6:,.0f} µs of CPU time\n"
    )
    return "x" * (size - len(bare.ACTOR) - len(bare.COMMAND))


def bench_sqlite(folder: Path, seconds: float, state: str) -> None:
    """Bare one by one beside 1, 8 and 64 tables."""
    bare_path = str(folder / f"bare-{state}.db")
    with bare.cores(state):
        rates = bare.in_turn(
            seconds,
            partial(bare.measure_bare_sqlite, bare_path, 1),
            *(partial(measure_floor, str(folder / f"{state}-{n}.db"), n) for n in (1, 8, 64)),
        )
    bare.line(state, "SQLite bare, one by one", rates[0], rates[0], "bare")
    for tables, rate in zip((1, 8, 64), rates[1:], strict=True):
        bare.line(state, f"SQLite floor, {tables} tables", rate, rates[0], "bare one by one")


def bench_postgres(server: PostgresServer, seconds: float, state: str) -> None:
    """Bare with 1 and 32 connections beside 1 and 64 tables, the latter over two processes."""
    bare_url = server.new_database()
    bare.make_bare_postgres(bare_url)
    floors = [server.new_database() for _ in range(2)]
    with bare.cores(state):
        rates = bare.in_turn(
            seconds,
            partial(bare.measure_bare_postgres, bare_url, 1),
            partial(measure_floor, floors[0], 1),
            partial(bare.over_processes, 2, bare.measure_bare_postgres, bare_url, 32),
            partial(bare.over_processes, 2, measure_floor, floors[1], 64),
        )
    bare.line(state, "PostgreSQL bare, 1 connection", rates[0], rates[0], "bare")
    bare.line(state, "PostgreSQL floor, 1 table", rates[1], rates[0], "bare")
    bare.line(state, "PostgreSQL bare, 32 connections", rates[2], rates[2], "bare")
    bare.line(state, "PostgreSQL floor, 64 tables, 2 processes", rates[3], rates[2], "bare 32")


def main() -> None:
    parser = argparse.ArgumentParser(description="Commands a second through the floor.")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each line of the table")
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    chosen = parser.parse_args()
    bare.BODY = payload()
    bare.SLICES = 1
    for state in ("free", "saturated"):
        if chosen.only != "postgres":
            with tempfile.TemporaryDirectory() as folder:
                bench_sqlite(Path(folder), chosen.seconds, state)
        if chosen.only != "sqlite":
            with PostgresServer.started() as server:
                bench_postgres(server, chosen.seconds, state)
        print()


if __name__ == "__main__":
    main()
