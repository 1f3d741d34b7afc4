"""What a database must offer to carry a ledger and what lies beside it: `sqlite` and `postgres` do;
and the queue in front of it.

What is asked is written once, for both; `?` marks a value.

Writers that wait at the same time share one sync. The first caller who finds nobody writing writes
for all who wait, and then hands over to the first of those who came meanwhile. Compared with a
writer thread of its own this costs a lone caller nothing (no hand-over to another thread and back,
which on busy cores takes longer than the sync), and there is no thread to start, watch and stop.
RocksDB's write group works like this. While one batch is being made durable the next one collects,
so nobody waits for a timer.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Condition, Lock
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from riverboat.ledger.chain import (
    BEGINNING,
    ChainBroken,
    Command,
    Head,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
    Receipt,
    Row,
    StoredRow,
    Write,
)
from riverboat.ledger.migrations import Applied, missing_steps

Ring: TypeAlias = Callable[[int], None]
"""Told the number of a row that is durable now."""
Connection = TypeVar("Connection")
WAITING_LIMIT: Final = 1024
BATCH_LIMIT: Final = 256
_COLUMNS: Final = ", ".join(Row._fields)


class SignedHead(NamedTuple):
    """A head with the signature of a key that is kept outside the database."""

    number: int
    seq: int
    hash: bytes
    signed_at: int
    public_key: bytes
    signature: bytes

    @property
    def head(self) -> Head:
        """What was signed."""
        return Head(self.seq, self.hash)


class Database(Protocol):
    """Statements about what lies beside the ledger, such as accounts."""

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement in a transaction of its own: done when it returns."""


class Reading(ABC):
    """What can be asked of a ledger as it stands."""

    @abstractmethod
    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""

    def head(self) -> Head:
        """The last row's number and hash."""
        found = self.run("select seq, hash from entry order by seq desc limit 1")
        return Head._make(found[0]) if found else Head(0, BEGINNING)

    def version(self, stream: str) -> int:
        """How many writes a stream has."""
        found = self.run("select coalesce(max(version), 0) from entry where stream = ?", (stream,))
        return int(found[0][0])

    def read(self, stream: str, after_version: int, limit: int) -> list[Row]:
        """The writes of a stream, in order."""
        where = "stream = ? and version > ? order by version limit ?"
        return self._rows(where, (stream, after_version, limit))

    def read_all(self, after_seq: int, limit: int) -> list[Row]:
        """Rows of all streams, in order."""
        return self._rows("seq > ? order by seq limit ?", (after_seq, limit))

    def of_command(self, command_id: str) -> list[Row]:
        """What a command wrote."""
        return self._rows("command_id = ? order by seq", (command_id,))

    def _rows(self, where: str, values: Sequence[object]) -> list[Row]:
        found = self.run(f"select {_COLUMNS} from entry where {where}", values)
        return list(map(Row._make, found))


Decide: TypeAlias = Callable[[Reading], Sequence[Write]]


class Request:
    """An append that waits for its turn, and then for its answer."""

    __slots__ = ("answer", "command", "decide", "promoted", "wake", "writes")

    def __init__(
        self, command: Command, writes: Sequence[Write], decide: Decide | None = None
    ) -> None:
        self.command = command
        self.writes = tuple(writes)
        self.decide = decide
        self.answer: Receipt | BaseException | None = None
        self.promoted = False
        self.wake = Lock()
        self.wake.acquire()


class Snapshot(ABC):
    """A ledger as it was at one moment, while others go on writing."""

    @abstractmethod
    def chunks(self, sql: str) -> Iterator[list[StoredRow]]:
        """What a statement gives of the ledger's rows, as bytes."""

    @abstractmethod
    def signed_heads(self) -> list[SignedHead]:
        """The heads that were signed."""

    @abstractmethod
    def damage(self) -> str:
        """What the database itself finds wrong with its file; empty if nothing."""

    def rows(self, after_seq: int | None = None) -> Iterator[list[StoredRow]]:
        """Every row's bytes, in order of their numbers, in chunks; impossible numbers too."""
        where = "" if after_seq is None else f"where seq > {after_seq:d}"
        return self.chunks(f"select {_COLUMNS} from entry {where} order by seq")

    def row(self, seq: int) -> StoredRow | None:
        """One row."""
        found = list(self.chunks(f"select {_COLUMNS} from entry where seq = {seq:d}"))
        return StoredRow._make(found[0][0]) if found else None


class Store(Reading):
    """A database that carries a ledger, and what lies beside it."""

    kind: str
    """Whose migrations it goes through."""
    name: str

    @abstractmethod
    def append(self, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
        """Write a batch durably, each request wholly or not at all; one answer for each.

        Raises LedgerUnavailable where there is no answer for any of them.
        """

    @abstractmethod
    def append_in_turn(self, request: Request) -> Receipt | LedgerError:
        """Decide and write while no one else writes."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Everything, as it is now."""

    @abstractmethod
    def restore(
        self, chunks: Iterable[list[StoredRow]], heads: Callable[[], list[SignedHead]]
    ) -> None:
        """Fill an empty ledger with rows that were checked, all or none."""

    @abstractmethod
    def keep_head(self, signed: SignedHead) -> None:
        """Store a signed head."""

    @abstractmethod
    def backup(self, path: str) -> None:
        """Write all of it into a new SQLite file, while others go on writing."""

    @abstractmethod
    def listen(self, ring: Ring) -> None:
        """Ring from now on when another process has written, as well as this database can."""

    @abstractmethod
    def applied(self) -> list[Applied]:
        """The migrations that the database has been through."""

    @abstractmethod
    def migrate(self) -> None:
        """Go through those that are missing, all or none; others who start now wait."""

    def schema(self) -> int:
        """The number of the last migration."""
        return len(self.applied())

    def bring_up_to_date(self, *, create: bool, read_only: bool) -> None:
        """Once, as it is opened; refuses what is not there, and what this program cannot use."""
        try:
            applied = self.applied()
            if not applied and not create:
                raise LedgerMisfit("ledger.missing", f"{self.name}: there is no ledger here")
            if missing_steps(self.kind, applied):
                if read_only:
                    raise LedgerMisfit("ledger.schema_old", f"{self.name}: an older schema")
                self.migrate()
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def weakness(self) -> str:
        """A setting of the server under which what it confirms may still be lost; or empty."""

    @abstractmethod
    def close(self) -> None:
        """Give everything back."""


class Pool(Generic[Connection]):
    """Connections that are used one at a time and kept for the next."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        close: Callable[[Connection], None],
        is_sound: Callable[[Connection], bool] = lambda _: True,
        keep: int = 8,
    ) -> None:
        self._connect = connect
        self._close = close
        self._is_sound = is_sound
        self._keep = keep
        self._idle: list[Connection] = []
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def taken(self) -> Iterator[Connection]:
        """A connection for the time of a `with`; after an error it is not used again."""
        self.require_open()
        connection = self._idle_one() or self._connect()
        try:
            yield connection
        except BaseException:
            with suppress(Exception):
                self._close(connection)
            raise
        self._put_back(connection)

    def require_open(self) -> None:
        """What was closed answers nothing any more."""
        if self._closed:
            raise LedgerUnavailable("ledger.closed", "the ledger was closed")

    def _idle_one(self) -> Connection | None:
        while True:
            with self._lock:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if self._is_sound(connection):
                return connection
            with suppress(Exception):
                self._close(connection)

    def _put_back(self, connection: Connection) -> None:
        with self._lock:
            if len(self._idle) < self._keep and not self._closed:
                self._idle.append(connection)
                return
        self._close(connection)

    def close(self) -> None:
        """Keep nothing from now on."""
        self._closed = True
        self.empty()

    def empty(self) -> None:
        """Close what is idle."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            with suppress(Exception):
                self._close(connection)


class GroupCommit:
    """A bounded queue in front of a store."""

    def __init__(
        self,
        write: Callable[[list[Request]], None],
        *,
        patience_seconds: float,
        waiting_limit: int = WAITING_LIMIT,
        batch_limit: int = BATCH_LIMIT,
    ) -> None:
        self._write = write
        self._patience = patience_seconds
        self._waiting_limit = waiting_limit
        self._batch_limit = batch_limit
        self._queue: deque[Request] = deque()
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._led = False
        self._closed = False

    def submit(self, request: Request) -> Receipt:
        """Wait until the request is durable, or refused."""
        if self._join(request) or not self._answered(request):
            self._lead(request)
        answer = request.answer
        if isinstance(answer, Receipt):
            return answer
        assert answer is not None
        raise answer

    def close(self) -> None:
        """Let those who wait finish, and nobody else begin."""
        with self._lock:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._led and not self._queue)

    def _join(self, request: Request) -> bool:
        """Queue up; True if the caller is to write."""
        with self._lock:
            if len(self._queue) >= self._waiting_limit:
                self._changed.wait_for(
                    lambda: self._closed or len(self._queue) < self._waiting_limit, self._patience
                )
            if self._closed:
                raise LedgerUnavailable("ledger.closed", "the ledger was closed")
            if len(self._queue) >= self._waiting_limit:
                waiting = f"{len(self._queue)} writers wait already"
                raise LedgerUnavailable("ledger.busy", f"{waiting}: the database is too slow now")
            self._queue.append(request)
            if self._led:
                return False
            self._led = True
            return True

    def _answered(self, request: Request) -> bool:
        """Wait for an answer, or for the turn to write."""
        try:
            request.wake.acquire()
        except BaseException:
            self._give_up(request)
            raise
        return request.answer is not None

    def _give_up(self, request: Request) -> None:
        """A caller who was interrupted must not be handed the turn."""
        with self._lock:
            if request in self._queue:
                self._queue.remove(request)
                if request.promoted:
                    self._hand_over()

    def _lead(self, own: Request) -> None:
        batch = self._next_batch()
        try:
            self._write(batch)
        except LedgerUnavailable as error:
            kind, code, message = type(error), error.code, str(error)
            _fail(batch, lambda: kind(code, message))
        except ChainBroken as error:
            fault = error.fault
            _fail(batch, lambda: ChainBroken(fault))
        except BaseException as error:
            what = f"the writer was interrupted ({type(error).__name__})"
            _fail(batch, lambda: OutcomeUnknown("ledger.outcome_unknown", what))
            raise
        finally:
            with self._lock:
                self._hand_over()
            for request in batch:
                if request is not own:
                    request.wake.release()

    def _next_batch(self) -> list[Request]:
        """Those who wait, in order; one who decides in turn goes alone."""
        with self._lock:
            batch = [self._queue.popleft()]
            while (
                self._queue
                and len(batch) < self._batch_limit
                and batch[0].decide is None
                and self._queue[0].decide is None
            ):
                batch.append(self._queue.popleft())
            if len(self._queue) + len(batch) >= self._waiting_limit:
                self._changed.notify_all()
        return batch

    def _hand_over(self) -> None:
        if self._queue:
            self._queue[0].promoted = True
            self._queue[0].wake.release()
        else:
            self._led = False
            if self._closed:
                self._changed.notify_all()


def _fail(batch: list[Request], error: Callable[[], LedgerError]) -> None:
    """One exception for each: a shared one would carry every thread's traceback."""
    for request in batch:
        if request.answer is None:
            request.answer = error()
