"""A ledger in one SQLite file: STRICT tables, write-ahead log, a full sync for each commit.

`BEGIN IMMEDIATE` lets one writer in at a time, other processes included, so the order of commits is
the order of the numbers. Readers have connections of their own and never wait for a writer.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar
from urllib.parse import quote

from riverboat.ledger.chain import StoredRow
from riverboat.ledger.errors import (
    ChainBroken,
    Fault,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
)
from riverboat.ledger.migrations import Applied, missing_steps
from riverboat.ledger.rows import Head, Receipt, Row, check_texts
from riverboat.ledger.sqlite_judging import NOTHING_KNOWN, Batch, Last
from riverboat.ledger.sqlite_reading import SqliteReading, SqliteSnapshot
from riverboat.ledger.store import Pool, Reading, Request, Ring, SignedHead, Snapshot

_INSERT: Final = "insert into entry values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KEEP_HEAD: Final = "insert into signed_head values (?, ?, ?, ?, ?, ?)"


Answer = TypeVar("Answer")


class SqliteStore:
    """The database behind a ledger in a file."""

    def __init__(
        self, path: str, *, create: bool, read_only: bool, patience_seconds: float
    ) -> None:
        self.name = f"sqlite:///{path}"
        self._path = path
        self._patience = patience_seconds
        self._mode = "ro" if read_only else "rw"
        self._writer: sqlite3.Connection | None = None
        self._last = NOTHING_KNOWN
        # Appends come one at a time anyway; signing a head comes past their queue.
        self._writing = Lock()
        self._readers = Pool(self._reader, sqlite3.Connection.close)
        if create and not read_only:
            _create_file(path)
        elif not Path(path).is_file():
            raise LedgerMisfit("ledger.missing", f"{path}: there is no such ledger")
        try:
            self._begin(create=create)
        except BaseException:
            self.close()
            raise

    def _begin(self, *, create: bool) -> None:
        with self._failing(), self._readers.taken() as db:
            applied = _applied(db)
        if not applied and not create:
            raise LedgerMisfit("ledger.missing", f"{self._path}: there is no ledger in this file")
        if missing_steps("sqlite", applied):
            if self._mode == "ro":
                raise LedgerMisfit("ledger.schema_old", f"{self._path}: an older schema")
            with self._failing():
                self._migrate()

    # ------------------------------------------------------------ reading

    def head(self) -> Head:
        """The last row's number and hash."""
        with self._reading() as reading:
            return reading.head()

    def version(self, stream: str) -> int:
        """How many writes a stream has."""
        with self._reading() as reading:
            return reading.version(stream)

    def read(self, stream: str, after_version: int, limit: int) -> list[Row]:
        """The writes of a stream, in order."""
        with self._reading() as reading:
            return reading.read(stream, after_version, limit)

    def read_all(self, after_seq: int, limit: int) -> list[Row]:
        """Rows of all streams, in order."""
        with self._reading() as reading:
            return reading.read_all(after_seq, limit)

    def of_command(self, command_id: str) -> list[Row]:
        """What a command wrote."""
        with self._reading() as reading:
            return reading.of_command(command_id)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Everything, as it is now."""
        self._readers.require_open()
        with self._failing():
            db = self._reader()
        try:
            db.text_factory = bytes
            with self._failing():
                db.execute("begin")
                yield SqliteSnapshot(db)
        finally:
            db.close()

    def schema(self) -> int:
        """The number of the last migration."""
        with self._failing(), self._readers.taken() as db:
            return len(_applied(db))

    def weakness(self) -> str:
        """Nothing: this side sets what makes a commit durable."""
        return ""

    def listen(self, ring: Ring) -> None:
        """Nobody rings for other processes here; subscriptions look again after a while."""

    # ------------------------------------------------------------ writing

    def append(self, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
        """Write a batch with one sync."""

        def write(db: sqlite3.Connection) -> tuple[list[Receipt | LedgerError], Last]:
            judged = Batch(SqliteReading(db), self._last)
            # Forgotten until the commit is certain, because judging changes it.
            self._last = NOTHING_KNOWN
            answers = judged.judge(batch)
            return answers, judged.write(db)

        answers, self._last = self._transaction(write)
        return answers

    def append_in_turn(self, request: Request) -> Receipt | LedgerError:
        """Decide and write while no one else writes."""

        def decide_and_write(db: sqlite3.Connection) -> Receipt | LedgerError:
            reading = SqliteReading(db)
            if not reading.known_commands([request.command.id]):
                assert request.decide is not None
                request.writes = tuple(request.decide(reading))
                check_texts(request.command, request.writes)
            judged = Batch(reading, NOTHING_KNOWN)
            answers = judged.judge([request])
            judged.write(db)
            return answers[0]

        return self._transaction(decide_and_write)

    def restore(
        self, chunks: Iterable[list[StoredRow]], heads: Callable[[], list[SignedHead]]
    ) -> None:
        """Fill an empty ledger."""

        def fill(db: sqlite3.Connection) -> None:
            if SqliteReading(db).head().seq:
                raise LedgerMisfit("ledger.not_empty", f"{self._path} already has rows")
            for chunk in chunks:
                db.executemany(_INSERT, map(_as_text, chunk))
            db.executemany(_KEEP_HEAD, heads())

        self._transaction(fill)

    def keep_head(self, signed: SignedHead) -> None:
        """Store a signed head."""

        self._transaction(lambda db: db.execute(_KEEP_HEAD, signed))

    def backup(self, path: str) -> None:
        """Copy the file while it is written to, through SQLite's own backup."""
        self._readers.require_open()
        with self._failing():
            source, copy = self._reader(), sqlite3.connect(path, isolation_level=None)
            try:
                source.backup(copy)
            finally:
                source.close()
                copy.close()

    def close(self) -> None:
        """Close every connection."""
        self._readers.close()
        self._drop_writer()

    def _transaction(self, write: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """All or nothing, and an answer only when it is durable."""
        with self._writing:
            self._readers.require_open()
            return self._transacted(write)

    def _transacted(self, write: Callable[[sqlite3.Connection], Answer]) -> Answer:
        committing = False
        try:
            db = self._writer = self._writer or self._connect_writer()
            db.execute("begin immediate")
            answer = write(db)
            committing = True
            db.execute("commit")
        except sqlite3.IntegrityError as error:
            self._drop_writer()
            what = f"the table does not take the next row ({error}): something wrote past us"
            raise ChainBroken(Fault(self.head().seq, "", what)) from error
        except sqlite3.Error as error:
            self._drop_writer()
            raise _unavailable(self._path, error, committing=committing) from error
        except BaseException:
            if self._writer is not None and self._writer.in_transaction:
                self._writer.execute("rollback")
            raise
        return answer

    def _drop_writer(self) -> None:
        """Closing rolls back whatever was begun."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    # ------------------------------------------------------------ connections

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(self._path)}?mode={self._mode}",
            uri=True,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
        )

    def _connect_writer(self) -> sqlite3.Connection:
        db = self._connect()
        mode = db.execute("pragma journal_mode = wal").fetchone()[0]
        if mode != "wal":
            raise LedgerMisfit("ledger.no_wal", f"{self._path}: journal mode {mode}, wal is needed")
        db.execute("pragma synchronous = full")
        return db

    def _reader(self) -> sqlite3.Connection:
        db = self._connect()
        db.execute("pragma query_only = on")
        return db

    @contextmanager
    def _reading(self) -> Iterator[Reading]:
        with self._failing(), self._readers.taken() as db:
            yield SqliteReading(db)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _unavailable(self._path, error, committing=False) from error

    def _migrate(self) -> None:
        def run(db: sqlite3.Connection) -> None:
            for step in missing_steps("sqlite", _applied(db)):
                for statement in _statements(step.sql):
                    db.execute(statement)
                db.execute(
                    "insert into schema_step values (?, ?, ?)",
                    (step.number, step.name, step.sha256),
                )

        self._transaction(run)


def _as_text(row: StoredRow) -> Sequence[object]:
    seq, stream, version, command_id, actor, recorded_at, command, body, digest = row
    texts = (command_id.decode(), actor.decode(), recorded_at, command.decode(), body.decode())
    return (seq, stream.decode(), version, *texts, digest)


def _create_file(path: str) -> None:
    """Readable by its owner only; SQLite gives the files beside it the same permissions."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise LedgerUnavailable("ledger.unavailable", f"{path}: {error.strerror}") from error


def _applied(db: sqlite3.Connection) -> list[Applied]:
    if not db.execute("select 1 from sqlite_schema where name = 'schema_step'").fetchone():
        return []
    found = db.execute("select number, name, sha256 from schema_step order by number")
    return [Applied._make(row) for row in found]


def _statements(sql: str) -> Iterator[str]:
    """One statement at a time: running them as one script would commit between them."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _unavailable(path: str, error: sqlite3.Error, *, committing: bool) -> LedgerUnavailable:
    if committing:
        what = f"{path}: the commit failed ({error}); send the command again with the same id"
        return OutcomeUnknown("ledger.outcome_unknown", what)
    code = "ledger.busy" if "locked" in str(error) else "ledger.unavailable"
    return LedgerUnavailable(code, f"{path}: {error}")
