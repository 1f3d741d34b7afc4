"""Durable commands a second, beside the bare database.

    .venv/bin/python bench/ledger.py [--seconds 4] [--only sqlite|postgres|verify|locks]

Ours is `Ledger.append`: texts checked, command id looked up, version checked, hash chained, one
transaction, synced before the caller hears of it. Bare is one INSERT of the same columns with the
same texts into a table with nothing but a primary key, committed with the same durability: SQLite
WAL with synchronous=FULL, PostgreSQL with synchronous_commit=on.

Each pair is measured in turn in slices (bare, ours, bare, ours), so that what else the machine does
meets both. "Saturated" means one process for each core that does nothing but count.
`rules`, if given to `measure_ours`, is called for every command before it is appended and returns
the body, so that a caller can put the rules of a game into the measurement.
"""

import argparse
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.synchronize import Event
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


from riverboat.ledger import (  # noqa: E402
    Command,
    Ledger,
    Write,
    mint_command_id,
    open_ledger,
    verify,
)
from riverboat.ledger.chain import BEGINNING, StoredRow, hash_of  # noqa: E402
from riverboat.ledger.verify import Chain  # noqa: E402
from tests.ledger.postgres_server import PostgresServer  # noqa: E402

ACTOR = '{"seat":3,"player":"P-104711"}'
COMMAND = '{"type":"bet","table":"T-17","round":4711,"seat":3,"street":"third","multiple":3}'
BODY = '{"events":[' + ",".join(['{"type":"street_bet","seat":3,"cents":7500,"v":1}'] * 12) + "]}"
SLICES = 4
FRESH = multiprocessing.get_context("spawn")

Rules = Callable[[int, int], str]


class Rate(NamedTuple):
    """Commands over the seconds they took."""

    commands: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.commands / self.seconds

    def __add__(self, other: Any) -> "Rate":
        return Rate(self.commands + other.commands, self.seconds + other.seconds)


NOTHING = Rate(0, 1e-9)

# ---------------------------------------------------------------- clients


def in_threads(clients: int, seconds: float, client: Callable[[int, float], int]) -> Rate:
    """Run clients at the same time; each counts what it did until the time is over."""
    counts = [0] * clients
    begin = time.monotonic()

    def run(number: int) -> None:
        counts[number] = client(number, begin + seconds)

    threads = [Thread(target=run, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Rate(sum(counts), time.monotonic() - begin)


def measure_ours(url: str, clients: int, seconds: float, rules: Rules | None = None) -> Rate:
    """Clients that wait for one ledger, each with a stream of its own."""
    with open_ledger(url, patience_seconds=60) as ledger:
        ledger.head()

        def client(number: int, end: float) -> int:
            stream = f"table:{uuid.uuid4()}"
            count = 0
            while time.monotonic() < end:
                body = BODY if rules is None else rules(number, count)
                command = Command(
                    id=mint_command_id(), actor=ACTOR, recorded_at=count, text=COMMAND
                )
                ledger.append(command, Write(stream=stream, expected_version=count, body=body))
                count += 1
            return count

        return in_threads(clients, seconds, client)


def measure_bare_sqlite(path: str, clients: int, seconds: float) -> Rate:
    """One by one: a transaction for each row. (More clients would only wait for each other.)"""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    db.execute(
        "create table if not exists bare (seq integer primary key, stream text, version integer,"
        " command_id text, actor text, recorded_at integer, command text, body text, hash blob)"
        " strict"
    )
    insert = "insert into bare values (null, ?, ?, ?, ?, ?, ?, ?, ?)"

    def client(number: int, end: float) -> int:
        count = 0
        while time.monotonic() < end:
            row = (
                f"table:{number}",
                count,
                mint_command_id(),
                ACTOR,
                count,
                COMMAND,
                BODY,
                BEGINNING,
            )
            db.execute("begin immediate")
            db.execute(insert, row)
            db.execute("commit")
            count += 1
        return count

    # In a new thread, as the ledger's clients are: on busy cores a rested one is served first.
    rate = in_threads(1, seconds, client)
    db.close()
    return rate


def measure_bare_postgres(url: str, clients: int, seconds: float) -> Rate:
    """Every client with its own connection; one statement, one commit, one round trip a row."""
    import psycopg

    links = [psycopg.connect(url, autocommit=True) for _ in range(clients)]
    insert = (
        "insert into bare (stream, version, command_id, actor, recorded_at, command, body, hash)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s)"
    )

    def client(number: int, end: float) -> int:
        link, count = links[number], 0
        with link.cursor(binary=True) as cursor:
            while time.monotonic() < end:
                row = (f"table:{number}", count, mint_command_id(), ACTOR, count)
                cursor.execute(insert, (*row, COMMAND, BODY, BEGINNING), prepare=True)
                count += 1
        return count

    rate = in_threads(clients, seconds, client)
    for link in links:
        link.close()
    return rate


def make_bare_postgres(url: str) -> None:
    """The table of the bare measurement."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as link:
        link.execute(
            "create table bare (seq bigserial primary key, stream text, version bigint,"
            " command_id text, actor text, recorded_at bigint, command text, body text, hash bytea)"
        )


Measure = Callable[[str, int, float], Rate]


def _process(measure: Measure, url: str, clients: int, seconds: float, go: Event, out: Any) -> None:
    measure(url, clients, 0.2)
    out.put(None)
    go.wait()
    out.put(measure(url, clients, seconds))


def over_processes(
    processes: int, measure: Measure, url: str, clients: int, seconds: float
) -> Rate:
    """The same clients, spread over processes that begin together."""
    go, out = FRESH.Event(), FRESH.Queue()
    arguments = (measure, url, clients // processes, seconds, go, out)
    workers = [FRESH.Process(target=_process, args=arguments) for _ in range(processes)]
    for worker in workers:
        worker.start()
    for _ in workers:
        out.get()
    go.set()
    rates = [out.get() for _ in workers]
    for worker in workers:
        worker.join()
    return Rate(sum(rate.commands for rate in rates), max(rate.seconds for rate in rates))


# ---------------------------------------------------------------- the table


def count_for_ever() -> None:
    """What a saturated core does."""
    number = 0
    while True:
        number += 1


@contextmanager
def cores(state: str) -> Iterator[None]:
    """Free as they are, or each kept busy by a process."""
    busy = [
        FRESH.Process(target=count_for_ever, daemon=True)
        for _ in range(os.cpu_count() or 1)
        if state == "saturated"
    ]
    for process in busy:
        process.start()
    time.sleep(0.5 if busy else 0)
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def in_turn(seconds: float, *measures: Callable[[float], Rate]) -> list[Rate]:
    """Measure several things in slices, one after the other, so that all see the same machine."""
    rates = [NOTHING for _ in measures]
    for _ in range(SLICES):
        for number, measure in enumerate(measures):
            rates[number] += measure(seconds / SLICES)
    return rates


def line(state: str, what: str, rate: Rate, bare: Rate, against: str) -> None:
    """One line of the table."""
    share = rate.per_second / bare.per_second
    ratio = f"{share:.2f} × {against}"
    print(f"{state:9}  {what:46} {rate.per_second:9,.0f}   {ratio}", flush=True)


def bench_sqlite(folder: Path, seconds: float, state: str) -> None:
    """One-by-one bare beside 1, 8 and 64 clients of ours."""
    bare_path, our_path = str(folder / f"bare-{state}.db"), str(folder / f"ours-{state}.db")
    with cores(state):
        rates = in_turn(
            seconds,
            lambda s: measure_bare_sqlite(bare_path, 1, s),
            *(lambda s, n=n: measure_ours(our_path, n, s) for n in (1, 8, 64)),
        )
    bare = rates[0]
    line(state, "SQLite bare, one by one", bare, bare, "bare")
    clients = ("1 client", "8 threads", "64 threads")
    for who, rate in zip(clients, rates[1:], strict=True):
        line(state, f"SQLite ledger, {who}", rate, bare, "bare one by one")


def bench_postgres(server: PostgresServer, seconds: float, state: str) -> None:
    """Bare with as many connections as clients, beside ours in one process and in two."""
    bare_url, our_url = server.new_database(), server.new_database()
    make_bare_postgres(bare_url)
    with cores(state):
        for clients in (1, 8, 64):
            bare, ours = in_turn(
                seconds,
                lambda s, n=clients: measure_bare_postgres(bare_url, n, s),  # type: ignore[misc]
                lambda s, n=clients: measure_ours(our_url, n, s),  # type: ignore[misc]
            )
            line(state, f"PostgreSQL bare, {clients} connections", bare, bare, "bare")
            line(state, f"PostgreSQL ledger, {clients} clients", ours, bare, "bare")
        pair = [
            lambda s: over_processes(2, measure_bare_postgres, bare_url, 32, s),
            lambda s: over_processes(2, measure_ours, our_url, 64, s),
        ]
        bare, ours = in_turn(seconds, *pair)
        line(state, "PostgreSQL bare, 32 connections, 2 processes", bare, bare, "bare")
        line(state, "PostgreSQL ledger, 64 clients, 2 processes", ours, bare, "bare 32")
        if (server.programs / "pgbench").exists():
            fastest = pgbench(server, bare_url, 32, seconds)
            line(state, "PostgreSQL bare, 32 connections, pgbench (C)", fastest, bare, "bare 32")


def pgbench(server: PostgresServer, url: str, clients: int, seconds: float) -> Rate:
    """The bare insert from a client written in C: what the server can do at most."""
    values = f"'table:1', 1, gen_random_uuid()::text, '{ACTOR}', 1, '{COMMAND}', '{BODY}', '\\x00'"
    script = (
        "insert into bare (stream, version, command_id, actor, recorded_at, command, body, hash)"
        f" values ({values});"
    ).replace(":", "\\u003a")
    script = script.replace("\\u003a\\u003a", "::")
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        command = [str(server.programs / "pgbench"), "-n", "-f", file.name, "-c", str(clients)]
        command += ["-j", "2", "-T", str(max(1, round(seconds))), url]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    tps = next(text for text in done.stdout.splitlines() if text.startswith("tps = "))
    return Rate(round(float(tps.split()[2]) * 1000), 1000.0)


def bench_locks(server: PostgresServer, seconds: float) -> None:
    """What keeps the order of commits at the least cost? Four processes with 16 clients each."""
    import psycopg

    locks = {
        "advisory lock": "select pg_advisory_xact_lock(1380341314, 'entry'::regclass::oid::int)",
        "LOCK TABLE … EXCLUSIVE": "lock table entry in exclusive mode",
        "row lock (FOR UPDATE)": "select 1 from turn for update",
    }
    urls = {}
    for name, statement in locks.items():
        urls[name] = server.new_database()
        open_ledger(urls[name]).close()
        with psycopg.connect(urls[name], autocommit=True) as link:
            link.execute("create table turn as select 1 as one")
            perform = statement.replace("select", "perform", 1)
            link.execute(
                "create or replace function lock_entries() returns void language plpgsql as"
                f" $$ begin {perform}; end $$"
            )
    rates = in_turn(
        seconds,
        *(lambda s, u=url: over_processes(4, measure_ours, u, 64, s) for url in urls.values()),
    )
    for name, rate in zip(urls, rates, strict=True):
        line("free", f"PostgreSQL ledger, 4 × 16, {name}", rate, rates[0], "advisory")


def bench_verify(folder: Path, server: PostgresServer, rows: int) -> None:
    """The chain alone, over many rows."""
    for name, url in (("SQLite", str(folder / "long.db")), ("PostgreSQL", server.new_database())):
        with open_ledger(url, patience_seconds=60) as ledger:
            ledger.store.restore(_made_up(rows), list)
            _timed(f"{name}: the chain", rows, partial(_chain_holds, ledger))
            _timed(f"{name}: all of verify", rows, partial(_all_holds, ledger))


def _chain_holds(ledger: Ledger) -> bool:
    chain = Chain()
    with ledger.snapshot() as snapshot:
        return all(chain.follow(chunk) is None for chunk in snapshot.rows())


def _all_holds(ledger: Ledger) -> bool:
    return verify(ledger).holds


def _timed(what: str, rows: int, holds: Callable[[], bool]) -> None:
    begin, cpu = time.monotonic(), time.process_time()
    assert holds()
    took, used = time.monotonic() - begin, time.process_time() - cpu
    rates = f"{rows / took:9,.0f} rows a second ({rows / used:,.0f} a CPU-second of ours)"
    print(f"verify     {what:30} {rates}", flush=True)


def _made_up(rows: int) -> Iterator[list[StoredRow]]:
    previous, versions = BEGINNING, [0] * 1000
    chunk = []
    for seq in range(1, rows + 1):
        stream = seq * 7919 % 1000
        versions[stream] += 1
        command_id = f"{seq * 2654435761 % 2**32:08x}-{seq}".encode()
        row = StoredRow(
            seq, b"table:%d" % stream, versions[stream], command_id, ACTOR.encode(), seq,
            COMMAND.encode(), BODY.encode(), b"",
        )  # fmt: skip
        previous = hash_of(previous, row)
        chunk.append(row._replace(hash=previous))
        if len(chunk) == 2000:
            yield chunk
            chunk = []
    yield chunk


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0, help="for each line of the table")
    parser.add_argument("--rows", type=int, default=300_000, help="for verify")
    parser.add_argument("--only", choices=("sqlite", "postgres", "verify", "locks"))
    parser.add_argument("--folder", type=Path, help="where SQLite's files go: the disk to measure")
    chosen = parser.parse_args()
    size = len(ACTOR) + len(COMMAND) + len(BODY)
    print(f"durable commands a second; {size} bytes of text each; {os.cpu_count()} cores\n")
    with (
        tempfile.TemporaryDirectory(dir=chosen.folder) as folder,
        PostgresServer.started() as server,
    ):
        for state in ("free", "saturated"):
            if chosen.only in (None, "sqlite"):
                bench_sqlite(Path(folder), chosen.seconds, state)
            if chosen.only in (None, "postgres"):
                bench_postgres(server, chosen.seconds, state)
            print()
        if chosen.only in (None, "locks"):
            bench_locks(server, chosen.seconds)
            print()
        if chosen.only in (None, "verify"):
            bench_verify(Path(folder), server, chosen.rows)


if __name__ == "__main__":
    main()
