"""A database that fails as disks and networks do, under a real ledger.

One SQLite in memory is what is durable. Around it stand what real ones have between a caller and
the disk: a way there and back, a queue of writers, a sync, connections that are cut or hang, locks
that belong to a connection, notices that get lost. What is judged and written is judged and written
by the house's own code; what fails, and when, is drawn from a seed.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Final, NamedTuple

from riverboat.core.errors import Refused
from riverboat.ledger.chain import (
    LedgerError,
    LedgerUnavailable,
    OutcomeUnknown,
    Receipt,
    StoredRow,
    as_stored,
    check_texts,
)
from riverboat.ledger.migrations import Applied, missing_steps
from riverboat.ledger.sqlite import NOTHING_KNOWN, Batch, SqliteReading
from riverboat.ledger.store import Request, Ring, SignedHead, Snapshot, Store
from tests.simulation.pretending import Process
from tests.simulation.scheduling import Killed, Scheduler, SimCondition, SimLock

PATIENCE_SECONDS: Final = 3.0


class Weather(NamedTuple):
    """How often something goes wrong with a single call, in thousandths."""

    error_before: int = 0
    """Nothing was done."""
    lost_in_commit: int = 0
    """The connection is lost while it is made durable: it is there, or it is not."""
    lost_after: int = 0
    """It is durable, and the answer is lost."""
    crash_in_commit: int = 0
    """The server falls over while something is made durable."""
    kill_in_commit: int = 0
    """Whoever asked is killed while it is made durable."""
    late: int = 0
    """The caller gives up; what he sent arrives afterwards."""
    cut_holder: int = 0
    """A connection that holds a lock for which another waits is cut, and its owner goes on."""
    slow: int = 0
    """It takes up to two seconds."""


CALM: Final = Weather()


class Lost(Exception):
    """The connection was lost after something was sent: nobody knows."""


class Connection:
    """One line to the server, and the lock that it holds there."""

    def __init__(self, owner: Process, holds: str) -> None:
        self.owner, self.holds = owner, holds
        self.is_cut = False


class Disk:
    """What all processes of a floor share: what is durable, and what stands in front of it."""

    def __init__(self, image: bytes, scheduler: Scheduler, chance: Random) -> None:
        self.scheduler, self.chance = scheduler, chance
        self._opened: list[sqlite3.Connection] = []
        self.durable = self._open(image)
        self.weather = CALM
        self.faults: Counter[str] = Counter()
        self.epoch = 0
        self.down_until = self.full_until = 0.0
        self.writing = SimLock()
        self.unsynced: Batch | None = None
        self.holders: dict[str, Connection] = {}
        self.let_go = SimCondition(SimLock())
        self.stores: list[SimulatedStore] = []
        self.durable_at: dict[int, float] = {}
        """When each row became durable."""
        self.kill: Callable[[Process], None] = lambda process: None
        """Ends a process, by whoever has it in hand."""
        self.lies = False
        """A disk that says that it has synced what a power failure then takes away."""
        self._synced = image

    def _open(self, image: bytes) -> sqlite3.Connection:
        """What is durable from now on. Never in the place of what was there: SQLite 3.40 loses its
        own memory where an open database is exchanged."""
        found = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        if image:
            found.deserialize(image)
        self._opened.append(found)
        return found

    def close(self) -> None:
        """Give everything back."""
        for one in self._opened:
            one.close()

    def strikes(self, what: str) -> bool:
        """Whether this goes wrong now; counted where it does."""
        thousandths: int = getattr(self.weather, what)
        if not thousandths or self.chance.randrange(1000) >= thousandths:
            return False
        self.count(what.replace("_", " "))
        return True

    def count(self, fault: str) -> None:
        """A fault that was met."""
        self.faults[fault] += 1
        self.scheduler.note("fault", fault)

    # ---------------------------------------------------------------- what is durable

    def head(self) -> int:
        """The last row's number."""
        return int(self.durable.execute("select coalesce(max(seq), 0) from entry").fetchone()[0])

    def land(self, judged: Batch) -> None:
        """It is on the disk from now on, all of it."""
        before = self.head()
        self.durable.execute("begin")
        judged.write(self.durable)
        self.durable.execute("commit")
        after = self.head()
        found = "select seq, stream, command_id from entry where seq > ? order by seq"
        for seq, stream, command_id in self.durable.execute(found, (before,)).fetchall():
            self.durable_at[seq] = self.scheduler.now
            self.scheduler.note("row", seq, stream, "|", command_id)
        if after > before:
            for store in self.stores:
                store.hear(after)

    def land_late(self, batch: Sequence[Request]) -> None:
        """What somebody sent who has given up."""
        with self.writing:
            judged = Batch(SqliteReading(self.durable), NOTHING_KNOWN)
            judged.judge(batch)
            self.land(judged)

    # ---------------------------------------------------------------- what happens to all

    def crash(self, seconds: float) -> None:
        """The server falls over. What was synced is there when it comes back; of what was not, all
        or nothing: a torn end is cut off by whoever recovers."""
        self.epoch += 1
        self.down_until = self.scheduler.now + seconds
        if self.unsynced is not None:
            tail = self.chance.choice(("tail lost", "tail kept", "tail torn"))
            self.count(tail)
            if tail == "tail kept":
                self.land(self.unsynced)
            self.unsynced = None
        self.cut(lambda connection: True)

    def fail(self) -> None:
        """The power fails. Of an honest disk nothing is gone; of one that lies, everything since it
        last did what it said."""
        self.crash(0.5)
        if self.lies:
            self.count("acknowledged tail lost")
            self.durable = self._open(self._synced)

    def really_sync(self) -> None:
        """What is there now will be there."""
        self._synced = self.durable.serialize()

    def cut(self, which: Callable[[Connection], bool]) -> int:
        """Connections end; the server lets go of their locks, their owners know nothing yet."""
        cut = [name for name, connection in self.holders.items() if which(connection)]
        for name in cut:
            self.holders.pop(name).is_cut = True
        self.let_go.notify_all()
        return len(cut)

    def keep_writers_out(self, seconds: float) -> None:
        """Another program has the lock."""
        with self.writing:
            self.scheduler.sleep(seconds)


class SimulatedSnapshot(Snapshot):
    """Everything as it was when it was asked for."""

    def __init__(self, durable: sqlite3.Connection) -> None:
        self._durable = durable

    def chunks(self, sql: str) -> Iterator[list[StoredRow]]:
        rows = self._durable.execute(sql).fetchall()
        if rows:
            yield [as_stored(row) for row in rows]

    def signed_heads(self) -> list[SignedHead]:
        found = self._durable.execute("select * from signed_head order by number").fetchall()
        return [SignedHead._make(row) for row in found]

    def damage(self) -> str:
        return ""


class SimulatedStore(Store):
    """One process's way to the disk."""

    kind = "sqlite"

    def __init__(self, disk: Disk, owner: Process) -> None:
        self.name = f"simulated:///{owner}"
        self.disk, self.owner = disk, owner
        self.away_until = self.hung_until = 0.0
        self._rings: list[Ring] = []
        self._closed = False
        disk.stores.append(self)

    # ---------------------------------------------------------------- the way there

    def _reach(self, *, writes: bool = False) -> None:
        """A call arrives; or it does not, and nothing was done."""
        disk, scheduler = self.disk, self.disk.scheduler
        if self._closed:
            raise LedgerUnavailable("ledger.closed", "the ledger was closed")
        scheduler.sleep(self._moment())
        if self.hung_until > scheduler.now:
            disk.count("hung")
            scheduler.sleep(min(PATIENCE_SECONDS + 0.5, self.hung_until - scheduler.now))
            if self.hung_until > scheduler.now:
                raise LedgerUnavailable("ledger.unavailable", "simulated: no answer in time")
        if max(self.away_until, disk.down_until) > scheduler.now:
            disk.count("unreachable")
            raise LedgerUnavailable("ledger.unavailable", "simulated: the server is away")
        if writes and disk.full_until > scheduler.now:
            disk.count("disk full")
            raise LedgerUnavailable("ledger.unavailable", "simulated: the disk is full")
        if disk.strikes("error_before"):
            raise LedgerUnavailable("ledger.unavailable", "simulated: an error before the write")

    def _moment(self) -> float:
        """How long a call is under way."""
        chance = self.disk.chance
        if self.disk.strikes("slow"):
            return chance.uniform(0.05, 2.0)
        return chance.uniform(0.0002, 0.003)

    @property
    def _is_cut_off(self) -> bool:
        return max(self.away_until, self.disk.down_until) > self.disk.scheduler.now

    # ---------------------------------------------------------------- reading

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        writes = not sql.lstrip().lower().startswith("select")
        self._reach(writes=writes)
        found = self.disk.durable.execute(sql, values).fetchall()
        if writes and self.disk.strikes("lost_after"):
            raise OutcomeUnknown("ledger.outcome_unknown", "simulated: the answer was lost")
        return found

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        self._reach()
        yield SimulatedSnapshot(self.disk.durable)

    def applied(self) -> list[Applied]:
        there = "select 1 from sqlite_schema where name = 'schema_step'"
        if not self.disk.durable.execute(there).fetchone():
            return []
        steps = "select number, name, sha256 from schema_step order by number"
        return [Applied._make(row) for row in self.disk.durable.execute(steps)]

    def migrate(self) -> None:
        for step in missing_steps(self.kind, self.applied()):
            self.disk.durable.executescript(step.sql)
            values = (step.number, step.name, step.sha256)
            self.disk.durable.execute("insert into schema_step values (?, ?, ?)", values)

    def weakness(self) -> str:
        return ""

    def listen(self, ring: Ring) -> None:
        self._rings.append(ring)

    def hear(self, seq: int) -> None:
        """A notice that something was written; where the line is cut it is lost."""
        if self._rings and not self._is_cut_off and not self._closed:
            scheduler, rings = self.disk.scheduler, tuple(self._rings)
            after = self._moment()
            scheduler.spawn("notice", lambda: [ring(seq) for ring in rings], self.owner, after)

    # ---------------------------------------------------------------- writing

    def append(self, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
        if self.disk.strikes("late"):
            sent = [Request(request.command, request.writes) for request in batch]
            after = self.disk.chance.uniform(0.0, 2 * PATIENCE_SECONDS)
            self.disk.scheduler.spawn("late write", lambda: self.disk.land_late(sent), None, after)
            self.disk.scheduler.sleep(PATIENCE_SECONDS + 0.5)
            raise OutcomeUnknown("ledger.outcome_unknown", "simulated: no answer in time")
        return self._insist(lambda reading: list(batch))

    def append_in_turn(self, request: Request) -> Receipt | LedgerError:
        def decided(reading: SqliteReading) -> list[Request]:
            if not reading.of_command(request.command.id):
                assert request.decide is not None
                request.writes = tuple(request.decide(reading))
                check_texts(request.command, request.writes)
            return [request]

        return self._insist(decided)[0]

    def _insist(
        self, prepare: Callable[[SqliteReading], list[Request]]
    ) -> list[Receipt | LedgerError]:
        """As a store on a server does: after a lost connection once more, or nobody knows."""
        sent = False
        while True:
            try:
                return self._written(prepare)
            except Lost:
                if sent or self.disk.chance.random() < 0.5:
                    text = "simulated: lost during a write; send it again with the same id"
                    raise OutcomeUnknown("ledger.outcome_unknown", text) from None
                sent = True
                self.disk.scheduler.sleep(self.disk.chance.uniform(0.02, 0.5))
            except LedgerUnavailable as problem:
                if not sent:
                    raise
                raise OutcomeUnknown("ledger.outcome_unknown", str(problem)) from None

    def _written(
        self, prepare: Callable[[SqliteReading], list[Request]]
    ) -> list[Receipt | LedgerError]:
        disk = self.disk
        self._reach(writes=True)
        epoch = disk.epoch
        if not disk.writing.acquire(timeout=PATIENCE_SECONDS):
            disk.count("busy")
            raise LedgerUnavailable("ledger.busy", "simulated: another program has the lock")
        try:
            reading = SqliteReading(disk.durable)
            judged = Batch(reading, NOTHING_KNOWN)
            answers = judged.judge(prepare(reading))
            disk.unsynced = judged
            self._sync(judged, epoch)
        finally:
            disk.unsynced = None
            disk.writing.release()
        disk.scheduler.sleep(self._moment())
        if self._is_cut_off or disk.epoch != epoch or disk.strikes("lost_after"):
            raise Lost
        return answers

    def _sync(self, judged: Batch, epoch: int) -> None:
        """Made durable; meanwhile everything may happen."""
        disk = self.disk
        if disk.strikes("crash_in_commit"):
            disk.scheduler.spawn("crash", lambda: disk.crash(disk.chance.uniform(0.2, 5.0)))
        if disk.strikes("kill_in_commit"):
            disk.scheduler.spawn("kill", lambda: disk.kill(self.owner))
        try:
            disk.scheduler.sleep(disk.chance.uniform(0.001, 0.02))
        except Killed:
            # The server goes on without whoever asked, or it does not.
            if disk.unsynced is judged and disk.chance.random() < 0.5:
                disk.count("killed in a commit that lands")
                disk.land(judged)
            raise
        if disk.epoch != epoch:
            raise Lost
        if disk.full_until > disk.scheduler.now:
            disk.count("disk full in a commit")
            raise Lost
        if disk.strikes("lost_in_commit"):
            if disk.chance.random() < 0.5:
                disk.land(judged)
            raise Lost
        disk.land(judged)

    @contextmanager
    def hold_against_processes(self, what: str) -> Iterator[None]:
        """A lock that the server keeps for a connection; it is gone with the connection."""
        self._reach()
        disk = self.disk
        holder = disk.holders.get(what)
        if holder is not None and disk.strikes("cut_holder"):
            after = disk.chance.uniform(0.0, 0.006)
            disk.scheduler.spawn("cut", lambda: self._cut(holder), None, after)
        with disk.let_go:
            free = disk.let_go.wait_for(lambda: what not in disk.holders, PATIENCE_SECONDS)
        if not free:
            disk.count("busy")
            text = "somebody else is at it just now; try again"
            raise Refused("database.busy", text, cites=())
        own = disk.holders[what] = Connection(self.owner, what)
        try:
            yield
        finally:
            disk.cut(lambda connection: connection is own)

    def _cut(self, holder: Connection) -> None:
        self.disk.cut(lambda connection: connection is holder)

    # ---------------------------------------------------------------- beside commands

    def keep_head(self, signed: SignedHead) -> None:
        self._reach(writes=True)
        sql = "insert into signed_head values (?, ?, ?, ?, ?, ?)"
        self.disk.durable.execute(sql, signed)

    def restore(
        self, chunks: Iterable[list[StoredRow]], heads: Callable[[], list[SignedHead]]
    ) -> None:
        raise NotImplementedError

    def backup(self, path: str) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self._closed = True
        if self in self.disk.stores:
            self.disk.stores.remove(self)
