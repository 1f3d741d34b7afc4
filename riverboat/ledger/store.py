"""What a database must offer to carry a ledger: `sqlite` and `postgres` are the two that do."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Lock
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from riverboat.ledger.chain import StoredRow
from riverboat.ledger.errors import LedgerError, LedgerUnavailable
from riverboat.ledger.rows import Command, Head, Receipt, Row, Write

Ring: TypeAlias = Callable[[int], None]
"""Told the number of a row that is durable now."""


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


class Reading(Protocol):
    """What can be asked of a ledger as it stands."""

    def head(self) -> Head:
        """The last row's number and hash."""

    def version(self, stream: str) -> int:
        """How many writes a stream has."""

    def read(self, stream: str, after_version: int, limit: int) -> list[Row]:
        """The writes of a stream, in order."""

    def read_all(self, after_seq: int, limit: int) -> list[Row]:
        """Rows of all streams, in order."""

    def of_command(self, command_id: str) -> list[Row]:
        """What a command wrote."""


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


class Snapshot(Protocol):
    """A ledger as it was at one moment, while others go on writing."""

    def rows(self, after_seq: int | None = None) -> Iterator[list[StoredRow]]:
        """Every row's bytes, in order of their numbers, in chunks; impossible numbers too."""

    def signed_heads(self) -> list[SignedHead]:
        """The heads that were signed."""

    def row(self, seq: int) -> StoredRow | None:
        """One row."""

    def damage(self) -> str:
        """What the database itself finds wrong with its file; empty if nothing."""


class Store(Reading, Protocol):
    """A database that carries a ledger."""

    name: str

    def append(self, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
        """Write a batch durably, each request wholly or not at all; one answer for each.

        Raises LedgerUnavailable where there is no answer for any of them.
        """

    def append_in_turn(self, request: Request) -> Receipt | LedgerError:
        """Decide and write while no one else writes."""

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Everything, as it is now."""

    def restore(
        self, chunks: Iterable[list[StoredRow]], heads: Callable[[], list[SignedHead]]
    ) -> None:
        """Fill an empty ledger with rows that were checked, all or none."""

    def keep_head(self, signed: SignedHead) -> None:
        """Store a signed head."""

    def backup(self, path: str) -> None:
        """Write all of it into a new SQLite file."""

    def listen(self, ring: Ring) -> None:
        """Ring from now on when another process has written, as well as this database can."""

    def schema(self) -> int:
        """The number of the last migration."""

    def weakness(self) -> str:
        """A setting of the server under which what it confirms may still be lost; or empty."""

    def close(self) -> None:
        """Give everything back."""


Connection = TypeVar("Connection")


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
