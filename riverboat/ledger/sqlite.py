"""A ledger in one SQLite file: STRICT tables, write-ahead log, a full sync for each commit.

`BEGIN IMMEDIATE` lets one writer in at a time, other processes included, so the order of commits is
the order of the numbers. Readers have connections of their own and never wait for a writer.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec

from riverboat.ledger.chain import (
    ChainBroken,
    Command,
    CommandConflict,
    Fault,
    Head,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
    Receipt,
    Row,
    StaleVersion,
    StoredRow,
    Write,
    as_stored,
    as_text,
    check_texts,
    hash_of,
)
from riverboat.ledger.migrations import Applied, missing_steps
from riverboat.ledger.store import Pool, Reading, Request, Ring, SignedHead, Snapshot, Store

CHUNK: Final = 2_000
MOST_VERSIONS: Final = 100_000
PAUSE_SECONDS: Final = 0.01
_PLACES: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERTS: Final = {
    size: f"insert into entry values {', '.join([_PLACES] * size)}" for size in (32, 8, 2, 1)
}
TROUBLE: Final = (sqlite3.Error, UnicodeDecodeError)
"""The second where a file is so damaged that SQLite's own message about it cannot be read."""
_KEEP_HEAD: Final = "insert into signed_head values (?, ?, ?, ?, ?, ?)"

Answer = TypeVar("Answer")


class SqliteReading(Reading):
    """A ledger through one connection."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    def known_commands(self, command_ids: list[str]) -> set[str]:
        """Which of these are on record."""
        if len(command_ids) == 1:
            # A lone client waits for this one: the plain question takes a third of the time.
            plain = "select command_id from entry where command_id = ? limit 1"
            return {row[0] for row in self._db.execute(plain, command_ids)}
        found = self._db.execute(
            "select command_id from entry where command_id in (select value from json_each(?))",
            (msgspec.json.encode(command_ids).decode(),),
        )
        return {row[0] for row in found}


class SqliteSnapshot(Snapshot):
    """A read transaction, with texts as their bytes: damaged ones are no text any more."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def chunks(self, sql: str) -> Iterator[list[StoredRow]]:
        found = self._db.execute(sql)
        while chunk := found.fetchmany(CHUNK):
            yield chunk

    def signed_heads(self) -> list[SignedHead]:
        found = self._db.execute("select * from signed_head order by number")
        return [SignedHead._make(row) for row in found]

    def damage(self) -> str:
        """What SQLite itself finds wrong with the file, indexes and column types included."""
        found = bytes(self._db.execute("pragma integrity_check(1)").fetchone()[0]).decode()
        return "" if found == "ok" else found


class Last(NamedTuple):
    """Where this process left the ledger."""

    head: Head
    versions: dict[str, int]


NOTHING_KNOWN: Final = Last(Head(-1, b""), {})


class Batch:
    """Judges requests in turn; those that fail leave nothing behind, the others go on.

    Few statements for many requests: each one lets go of Python's lock, and with many waiting
    clients it comes back late.
    """

    def __init__(self, reading: SqliteReading, last: Last) -> None:
        self._reading = reading
        self._seq, self._hash = reading.head()
        # Nobody else wrote since this process did, so what it knows of versions still holds.
        self._versions = last.versions if (self._seq, self._hash) == last.head else {}
        self._written: dict[str, tuple[Row, ...]] = {}
        self._rows: list[Row] = []

    def judge(self, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
        """An answer for each, true once `rows` are written and committed."""
        known = self._reading.known_commands([request.command.id for request in batch])
        return [self._judged(request, request.command.id in known) for request in batch]

    def write(self, db: sqlite3.Connection) -> Last:
        """Put the rows in; what is known afterwards if this is committed."""
        rest = self._rows
        for size in _INSERTS:
            while len(rest) >= size:
                db.execute(_INSERTS[size], tuple(chain.from_iterable(rest[:size])))
                rest = rest[size:]
        if len(self._versions) > MOST_VERSIONS:
            self._versions = {}
        return Last(Head(self._seq, self._hash), self._versions)

    def _judged(self, request: Request, is_known: bool) -> Receipt | LedgerError:
        command = request.command
        earlier = self._written.get(command.id)
        if is_known:
            earlier = tuple(self._reading.of_command(command.id))
        if earlier and (earlier[0].actor, earlier[0].command) != (command.actor, command.text):
            return CommandConflict(command.id)
        if earlier:
            return Receipt(earlier, repeated=True)
        for write in request.writes:
            actual = self._version(write.stream)
            if write.expected_version is not None and write.expected_version != actual:
                return StaleVersion(write.stream, expected=write.expected_version, actual=actual)
        rows = self._written[command.id] = tuple(
            self._row(command, write) for write in request.writes
        )
        self._rows.extend(rows)
        return Receipt(rows, repeated=False)

    def _version(self, stream: str) -> int:
        if stream not in self._versions:
            self._versions[stream] = self._reading.version(stream)
        return self._versions[stream]

    def _row(self, command: Command, write: Write) -> Row:
        self._seq += 1
        version = self._versions[write.stream] = self._versions[write.stream] + 1
        asked = (command.id, command.actor, command.recorded_at, command.text)
        row = Row(self._seq, write.stream, version, *asked, write.body, b"")
        self._hash = hash_of(self._hash, as_stored(row))
        return row._replace(hash=self._hash)


class SqliteStore(Store):
    """The database behind a ledger in a file."""

    kind = "sqlite"

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
        self._copying = Lock()
        self._copy: TemporaryDirectory[str] | None = None
        self._readers = Pool(self._reader, sqlite3.Connection.close)
        if create and not read_only:
            _create_file(path)
        elif not Path(path).is_file():
            raise LedgerMisfit("ledger.missing", f"{path}: there is no such ledger")
        self._file = _identity(path)
        self._wal: tuple[int, int] | None = None
        try:
            self.bring_up_to_date(create=create, read_only=read_only)
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------ reading

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement; whoever only asks does not wait for a writer."""
        if sql.startswith("select"):
            with self._failing(), self._readers.taken() as db:
                return db.execute(sql, values).fetchall()
        return self._transaction(lambda db: db.execute(sql, values).fetchall())

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
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

    def applied(self) -> list[Applied]:
        with self._failing(), self._readers.taken() as db:
            return _applied(db)

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

        def fill(db: sqlite3.Connection) -> None:
            if SqliteReading(db).head().seq:
                raise LedgerMisfit("ledger.not_empty", f"{self._path} already has rows")
            for chunk in chunks:
                db.executemany(_INSERTS[1], map(as_text, chunk))
            db.executemany(_KEEP_HEAD, heads())

        self._transaction(fill)

    def keep_head(self, signed: SignedHead) -> None:

        self._transaction(lambda db: db.execute(_KEEP_HEAD, signed))

    def backup(self, path: str) -> None:
        """Copy the file while it is written to, through SQLite's own backup."""
        self._readers.require_open()
        with self._failing():
            _create_file(path)
            source, copy = self._reader(), sqlite3.connect(path, isolation_level=None)
            try:
                source.backup(copy)
            finally:
                source.close()
                copy.close()

    def close(self) -> None:
        self._readers.close()
        self._drop_writer()
        with self._copying:
            if self._copy is not None:
                self._copy.cleanup()

    def _transaction(self, write: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """All or nothing, and an answer only when it is durable."""
        with self._writing:
            self._readers.require_open()
            return self._transacted(write)

    def _transacted(self, write: Callable[[sqlite3.Connection], Answer]) -> Answer:
        committing = False
        self._require_same_file()
        try:
            db = self._writer = self._writer or self._connect_writer()
            db.execute("begin immediate")
            answer = write(db)
            committing = True
            db.execute("commit")
            self._require_same_file(OutcomeUnknown)
        except sqlite3.IntegrityError as error:
            self._drop_writer()
            what = f"the table does not take the next row ({error}): something wrote past us"
            raise ChainBroken(Fault(self.head().seq, "", what)) from error
        except TROUBLE as error:
            self._drop_writer()
            raise _unavailable(self._path, error, committing=committing) from error
        except BaseException:
            if self._writer is not None and self._writer.in_transaction:
                self._writer.execute("rollback")
            raise
        return answer

    def _require_same_file(self, kind: type[LedgerUnavailable] = LedgerUnavailable) -> None:
        """SQLite goes on writing into a file that was removed, renamed or replaced, and everything
        would be acknowledged and lost: the file at this path is the one that was opened, and so
        is the log beside it. Put back, it is the same again."""
        wal = _identity(f"{self._path}-wal")
        if _identity(self._path) == self._file and self._wal in (None, wal):
            if self._writer is not None:
                self._wal = wal
            return
        text = f"{self._path} was removed, renamed or replaced while this floor was writing to it"
        raise kind("ledger.replaced", f"{text}: nothing more is written; put it back")

    def _drop_writer(self) -> None:
        """Closing rolls back whatever was begun."""
        self._wal = None
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    # ------------------------------------------------------------ connections

    def _connect(self) -> sqlite3.Connection:
        if self._mode != "ro":
            return self._open(self._path)
        with self._copying:
            if self._copy is None:
                with suppress(_CannotLook):
                    return self._looking()
                if not _has_log(self._path):
                    return self._open(self._path, "&immutable=1")
                self._copy = _private_copy(self._path)
            return self._open(os.path.join(self._copy.name, _COPIED))

    def _looking(self) -> sqlite3.Connection:
        """A copy that may only be read, such as one on a disc, may have no place for the files that
        SQLite wants beside a log, or not the one by which it finds its way in the log."""
        db = self._open(self._path)
        try:
            db.execute("pragma schema_version").fetchone()
        except sqlite3.OperationalError as error:
            db.close()
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise _CannotLook from error
            raise
        except BaseException:
            db.close()
            raise
        return db

    def _open(self, path: str, how: str = "") -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(path)}?mode={self._mode}{how}",
            uri=True,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
        )

    def _connect_writer(self) -> sqlite3.Connection:
        db = self._connect()
        try:
            mode = self._with_a_log(db)
            if mode != "wal":
                what = f"{self._path}: journal mode {mode}, wal is needed"
                raise LedgerMisfit("ledger.no_wal", what)
            db.execute("pragma synchronous = full")
        except BaseException:
            db.close()
            raise
        return db

    def _with_a_log(self, db: sqlite3.Connection) -> str:
        """The journal mode, once this connection has asked for the log. SQLite does not wait here:
        where others begin with the same file it says at once that they hold it."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                return str(db.execute("pragma journal_mode = wal").fetchone()[0])
            except sqlite3.OperationalError as error:
                is_held = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_held or time.monotonic() >= deadline:
                    raise
            time.sleep(PAUSE_SECONDS)

    def _reader(self) -> sqlite3.Connection:
        db = self._connect()
        db.execute("pragma query_only = on")
        return db

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except TROUBLE as error:
            raise _unavailable(self._path, error, committing=False) from error

    def migrate(self) -> None:
        def run(db: sqlite3.Connection) -> None:
            for step in missing_steps(self.kind, _applied(db)):
                for statement in _statements(step.sql):
                    db.execute(statement)
                db.execute(
                    "insert into schema_step values (?, ?, ?)",
                    (step.number, step.name, step.sha256),
                )

        self._transaction(run)


def _create_file(path: str) -> None:
    """Readable by its owner only; SQLite gives the files beside it the same permissions."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise LedgerUnavailable("ledger.unavailable", f"{path}: {error.strerror}") from error


class _CannotLook(Exception):
    """A file that SQLite cannot read where it lies."""


_COPIED: Final = "ledger.db"


def _has_log(path: str) -> bool:
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _private_copy(path: str) -> TemporaryDirectory[str]:
    """File and log where SQLite can read both, for nobody else; what stands in the log alone is not
    in the file yet. Copied while somebody writes they might not go together."""
    folder = TemporaryDirectory(prefix="riverboat-")
    try:
        before = _stamps(path)
        for end in ("", "-wal"):
            copy = os.path.join(folder.name, f"{_COPIED}{end}")
            _create_file(copy)
            shutil.copyfile(f"{path}{end}", copy)
        if _stamps(path) != before:
            what = f"{path}: somebody writes to it; it is read once nobody does"
            raise LedgerMisfit("ledger.read_only", what)
    except BaseException as error:
        folder.cleanup()
        if isinstance(error, OSError):
            where = f"{path}: a copy to read it from cannot be made: {error.strerror}"
            raise LedgerUnavailable("ledger.unavailable", where) from error
        raise
    return folder


def _stamps(path: str) -> list[tuple[int, int]]:
    found = [os.stat(f"{path}{end}") for end in ("", "-wal")]
    return [(one.st_size, one.st_mtime_ns) for one in found]


def _identity(path: str) -> tuple[int, int] | None:
    """Which file stands at a path; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


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


def _unavailable(path: str, error: Exception, *, committing: bool) -> LedgerUnavailable:
    if committing:
        what = f"{path}: the commit failed ({error}); send the command again with the same id"
        return OutcomeUnknown("ledger.outcome_unknown", what)
    code = "ledger.busy" if "locked" in str(error) else "ledger.unavailable"
    return LedgerUnavailable(code, f"{path}: {error}")
