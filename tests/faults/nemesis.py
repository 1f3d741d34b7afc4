"""Two servers on one PostgreSQL, people who play at both, and everything that can happen to a
process, a database and a network, one after the other and in pairs.

    python -m tests.faults.nemesis [--seed N] [--faults N] [--minutes M]

After each fault every table must go on within ten seconds. At the end: nothing acknowledged is
lost or doubled, nothing refused is in the ledger, purses are the same through both servers and
never were below nothing, and `riverboat verify` finds nothing wrong. A seed repeats the schedule of
the faults; what meets whom in which microsecond it does not repeat. Exit 0: all of it held.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import psycopg

from tests.faults.people import Company, Floor, Sent
from tests.faults.proxy import Proxy
from tests.faults.record import LATEST, Record, Verdict, judge
from tests.faults.served import Served
from tests.ledger.postgres_server import PostgresServer

OURS: Final = "nemesis"
"""How this program's own connections are called, which are never cut."""
LOCKED: Final = ("entry", "door_session", "door_presence", "signed_head")
LEDGERS_LOCK: Final = "select pg_advisory_xact_lock(1380341314, 'entry'::regclass::oid::integer)"
Tell: TypeAlias = Callable[[str], None]
"""Where it is told what goes on."""
PEOPLE: Final = 4
QUIET_SECONDS: Final = 30
PAIRED: Final = 0.25
"""How often a fault has another one beside it, where there are more than one of each kind."""


class Fault(NamedTuple):
    """One thing that goes wrong, and for how long."""

    kind: str
    seconds: float
    chance: int
    """For what is left open: which server, which connection, which table."""


class Nemesis:
    """Makes trouble, and ends it."""

    def __init__(self, postgres: PostgresServer, database: str) -> None:
        self.postgres, self.database = postgres, database
        self.proxy: Proxy
        self.servers: list[Served] = []
        self.kinds: dict[str, Callable[[Fault, Random], Awaitable[None]]] = {
            "server paused": self._pause_server,
            "server killed": self._kill_server,
            "database paused": self._pause_database,
            "one backend paused": self._pause_backend,
            "database killed": self._kill_database,
            "connections ended by the database": self._terminate,
            "connections cut": self._cut,
            "all connections cut": self._cut_all,
            "table locked": self._lock_table,
            "ledger's lock held": self._hold_lock,
            "network slow": self._slow,
            "network stalled": self._stall,
        }

    def schedule(self, seed: int, faults: int, longest: float) -> list[tuple[Fault, ...]]:
        """What goes wrong, in which order, for how long: the same for the same seed."""
        chance = Random(seed)
        kinds: list[str] = []
        while len(kinds) < faults:
            kinds += chance.sample(list(self.kinds), len(self.kinds))
        drawn = [
            Fault(kind, chance.uniform(0.3, longest), chance.getrandbits(32))
            for kind in kinds[:faults]
        ]
        groups: list[tuple[Fault, ...]] = []
        while drawn:
            size = 2 if faults > len(self.kinds) and chance.random() < PAIRED else 1
            groups.append(tuple(drawn[:size]))
            drawn = drawn[size:]
        return groups

    async def strike(self, *faults: Fault) -> None:
        """From the beginning to the end of some faults at once."""
        await asyncio.gather(*(self.kinds[one.kind](one, Random(one.chance)) for one in faults))

    # ---------------------------------------------------------------- processes

    async def _pause_server(self, fault: Fault, chance: Random) -> None:
        server = chance.choice(self.servers)
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(fault.seconds)
        server.signal(signal.SIGCONT)

    async def _kill_server(self, fault: Fault, chance: Random) -> None:
        server = chance.choice(self.servers)
        server.kill()
        await asyncio.sleep(fault.seconds / 4)
        server.start()
        with suppress(TimeoutError):
            await server.answering()

    async def _pause_database(self, fault: Fault, chance: Random) -> None:
        self.postgres.pause()
        await asyncio.sleep(fault.seconds)
        self.postgres.resume()

    async def _pause_backend(self, fault: Fault, chance: Random) -> None:
        for process in chance.sample(found := await self._backends(), min(2, len(found))):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        await asyncio.sleep(fault.seconds)
        self.postgres.resume()

    async def _kill_database(self, fault: Fault, chance: Random) -> None:
        await asyncio.to_thread(self.postgres.kill)
        await asyncio.sleep(fault.seconds / 4)
        await asyncio.to_thread(self.postgres.start)

    # ---------------------------------------------------------------- connections

    async def _backends(self) -> list[int]:
        """Of the servers' connections."""
        with suppress(psycopg.Error, TimeoutError):
            async with asyncio.timeout(3), self.own_link() as link:
                found = await link.execute(
                    "select pid from pg_stat_activity where backend_type = 'client backend'"
                    " and application_name <> %s and datname = current_database() order by pid",
                    (OURS,),
                )
                return [row[0] for row in await found.fetchall()]
        return []

    async def _terminate(self, fault: Fault, chance: Random) -> None:
        until = time.monotonic() + fault.seconds
        while time.monotonic() < until:
            for process in chance.sample(found := await self._backends(), min(1, len(found))):
                with suppress(psycopg.Error, TimeoutError):
                    async with asyncio.timeout(3), self.own_link() as link:
                        await link.execute("select pg_terminate_backend(%s)", (process,))
            await asyncio.sleep(chance.uniform(0.02, 0.3))

    async def _cut(self, fault: Fault, chance: Random) -> None:
        until = time.monotonic() + fault.seconds
        while time.monotonic() < until:
            self.proxy.cut_one(chance)
            await asyncio.sleep(chance.uniform(0.02, 0.3))

    async def _cut_all(self, fault: Fault, chance: Random) -> None:
        self.proxy.cut_all()
        await asyncio.sleep(0)

    # ---------------------------------------------------------------- locks, network

    async def _lock_table(self, fault: Fault, chance: Random) -> None:
        table = chance.choice(LOCKED)
        await self._held(fault, f"lock table {table} in access exclusive mode")

    async def _hold_lock(self, fault: Fault, chance: Random) -> None:
        await self._held(fault, LEDGERS_LOCK)

    async def _held(self, fault: Fault, statement: str) -> None:
        with suppress(psycopg.Error, TimeoutError):
            async with asyncio.timeout(fault.seconds + 3), self.own_link() as link:
                await link.execute("begin")
                await link.execute(statement.encode())
                await asyncio.sleep(fault.seconds)

    async def _slow(self, fault: Fault, chance: Random) -> None:
        self.proxy.delay_seconds = chance.choice((0.02, 0.1, 0.5))
        await asyncio.sleep(fault.seconds)
        self.proxy.delay_seconds = 0.0

    async def _stall(self, fault: Fault, chance: Random) -> None:
        self.proxy.stall()
        await asyncio.sleep(fault.seconds)
        self.proxy.flow()

    # ---------------------------------------------------------------- looking

    @asynccontextmanager
    async def own_link(self) -> AsyncIterator[psycopg.AsyncConnection[tuple[Any, ...]]]:
        """Past the proxy; nothing waits for it, and nothing cuts it."""
        link = await psycopg.AsyncConnection.connect(
            self.database, autocommit=True, application_name=OURS, connect_timeout=2
        )
        try:
            yield link
        finally:
            await link.close()

    async def look(self) -> list[tuple[str, int, int]] | None:
        """How far every table goes; nothing while the database does not say."""
        with suppress(psycopg.Error, TimeoutError):
            async with asyncio.timeout(2), self.own_link() as link:
                await link.execute("set statement_timeout = 1000")
                found = await link.execute(LATEST.encode())
                return [(row[0], row[1], row[2]) for row in await found.fetchall()]
        return None


class Run(NamedTuple):
    """What a run came to."""

    seed: int
    faults: Counter[str]
    longest: float
    seconds: float
    verdict: Verdict

    def lines(self) -> list[str]:
        """For people."""
        counts = self.verdict.counts
        return [
            f"nemesis: seed {self.seed}, {self.faults.total()} faults in {self.seconds:.0f} s: "
            + ", ".join(f"{kind} {number}" for kind, number in sorted(self.faults.items())),
            f"nemesis: {counts['commands']} commands, {counts['acknowledged']} acknowledged, "
            f"{counts['refused']} refused, {counts['sent again']} sent again, lost "
            f"{counts['lost']}, doubled {counts['doubled']}, denied {counts['denied']}; "
            f"{counts['rows']} rows; longest without progress after a fault {self.longest:.1f} s",
            "nemesis: " + ", ".join(f"{k} {n}" for k, n in sorted(counts.items()) if " " in k),
            *self.verdict.problems,
        ]


async def run(
    postgres: PostgresServer,
    folder: Path,
    seed: int,
    faults: int,
    *,
    seconds: float,
    longest: float,
    tell: Tell = lambda line: None,
) -> Run:
    """So many faults, or for so long, whichever is over first."""
    database, began = postgres.new_database(), time.monotonic()
    nemesis = Nemesis(postgres, database)
    socket_ = f"{postgres.folder}/.s.PGSQL.5432"
    async with Proxy.opened(socket_) as nemesis.proxy:
        name = urlsplit(database).path.removeprefix("/")
        url = f"postgresql://postgres@127.0.0.1:{nemesis.proxy.port}/{name}"
        nemesis.servers = [Served(one, url, folder) for one in ("first", "second")]
        try:
            seen = await _played(nemesis, seed, faults, seconds, longest, tell)
        finally:
            for server in nemesis.servers:
                await asyncio.to_thread(server.stop)
    verdict = judge(database, folder / "floor.secret", seen.sent, seen.purses)
    verdict.problems.extend(seen.problems)
    return Run(seed, seen.struck, seen.longest, time.monotonic() - began, verdict)


class Seen(NamedTuple):
    """What people sent and were told, how long tables stood still, and what was wrong already."""

    sent: list[Sent]
    purses: dict[str, list[int | None]]
    struck: Counter[str]
    longest: float
    problems: list[str]


async def _played(
    nemesis: Nemesis, seed: int, faults: int, seconds: float, longest: float, tell: Tell
) -> Seen:
    for server in nemesis.servers:  # One after the other: the second finds the floor opened.
        server.start()
        await server.answering()
    addresses = [server.address for server in nemesis.servers]
    record, problems, struck = Record(nemesis.look), list[str](), Counter[str]()
    following = asyncio.create_task(record.follow())
    floor = Floor(addresses=addresses, head=lambda: record.head, chance=Random(seed))
    company = Company(floor, PEOPLE)
    await company.come(await record.tables())
    await record.all_go_on()
    record.longest, deadline = 0.0, time.monotonic() + seconds
    for group in nemesis.schedule(seed, faults, longest):
        if time.monotonic() > deadline:
            break
        await nemesis.strike(*group)
        struck.update(one.kind for one in group)
        late, taken = await record.all_go_on()
        what = " and ".join(f"{one.kind} for {one.seconds:.1f} s" for one in group)
        tell(f"{what}: {taken:.1f} s, last {', '.join(record.last)}")
        if late:
            problems.append(f"stuck after {what}: {late}; {await _healths(nemesis)}")
    await company.leave()
    problems += await _not_well(nemesis)
    purses = await company.purses()
    following.cancel()
    await company.close()
    return Seen(floor.sent, purses, struck, record.longest, problems)


async def _healths(nemesis: Nemesis) -> list[Any]:
    return [await server.health() for server in nemesis.servers]


async def _not_well(nemesis: Nemesis) -> list[str]:
    """When all is quiet, both servers are well and know the same."""
    said: list[Any] = []
    for _ in range(QUIET_SECONDS):
        before, said = said, await _healths(nemesis)
        heads = {one.get("head") for one in said}
        if said == before and all(one.get("live") for one in said) and len(heads) == 1:
            return []
        await asyncio.sleep(1)
    return [f"not well after it was quiet for {QUIET_SECONDS} seconds: {said}"]


def _tell_on_terminal(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Two servers and a PostgreSQL under faults.")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--faults", type=int, default=24)
    parser.add_argument("--minutes", type=float, default=60.0, help="at most")
    parser.add_argument("--longest", type=float, default=6.0, help="seconds of a fault")
    asked = parser.parse_args(arguments)
    with PostgresServer.started() as postgres, tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        limits = {"seconds": asked.minutes * 60, "longest": asked.longest}
        done = asyncio.run(
            run(postgres, place, asked.seed, asked.faults, **limits, tell=_tell_on_terminal)
        )
        if not done.verdict.holds:
            for log in Path(folder).glob("*.log"):
                print(f"== {log.name}\n{log.read_text()[-6000:]}")
    print(*done.lines(), sep="\n")
    again = f"python -m tests.faults.nemesis --seed {asked.seed} --faults {asked.faults}"
    print(f"again: {again} --longest {asked.longest}")
    return 0 if done.verdict.holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
