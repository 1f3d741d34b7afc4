"""A ledger in PostgreSQL: any number of processes on any number of machines write the same one.

A batch is one call of a function of the database (see the migrations), which takes the ledger's
lock, judges, chains, inserts and notifies: one round trip, and no client can be scheduled away
while it holds the lock. Its commit is the statement's own, so a connection that is lost during the
call leaves the outcome open; then the batch is simply sent again on a new connection. The
lock makes that safe (the first attempt is over, one way or the other, when the second one gets it)
and the command ids make it harmless.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any, Final, TypeVar

import psycopg

from riverboat.ledger.chain import StoredRow
from riverboat.ledger.errors import (
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
)
from riverboat.ledger.migrations import Applied, missing_steps
from riverboat.ledger.postgres_appending import append_batch
from riverboat.ledger.postgres_link import Watch, connect, explain, is_sound, setting
from riverboat.ledger.postgres_reading import Link, PostgresReading, PostgresSnapshot
from riverboat.ledger.rows import Head, Receipt, Row, check_texts
from riverboat.ledger.store import Pool, Request, Ring, SignedHead, Snapshot

CHANNEL: Final = "riverboat_ledger"
FIRST_PAUSE_SECONDS: Final = 0.02
_COPY: Final = "copy entry from stdin (format binary)"
_TYPES: Final = ("int8", "text", "int8", "text", "text", "int8", "text", "text", "bytea")

Answer = TypeVar("Answer")


class PostgresStore:
    """The database behind a ledger on a server."""

    def __init__(self, url: str, *, create: bool, read_only: bool, patience_seconds: float) -> None:
        self.name = _without_password(url)
        self._url = url
        self._patience = patience_seconds
        self._read_only = read_only
        self._watch = Watch(patience_seconds)
        self._readers = Pool(self._connect, psycopg.Connection.close, is_sound)
        self._writer: Link | None = None
        self._is_away = False
        self._closed = Event()
        self._listener: Thread | None = None
        try:
            self._begin(create=create)
        except BaseException:
            self.close()
            raise

    def _begin(self, *, create: bool) -> None:
        with self._taken() as link:
            if setting(link, "server_encoding") != "UTF8":
                raise LedgerMisfit("ledger.encoding", "the database must be encoded in UTF8")
            applied = _applied(link)
            if not applied and not create:
                raise LedgerMisfit("ledger.missing", f"{self.name}: there is no ledger here")
            if missing_steps("postgres", applied):
                if self._read_only:
                    raise LedgerMisfit("ledger.schema_old", f"{self.name}: an older schema")
                _migrate(link)

    # ------------------------------------------------------------ reading

    def head(self) -> Head:
        """The last row's number and hash."""
        return self._ask(lambda link: PostgresReading(link).head())

    def version(self, stream: str) -> int:
        """How many writes a stream has."""
        return self._ask(lambda link: PostgresReading(link).version(stream))

    def read(self, stream: str, after_version: int, limit: int) -> list[Row]:
        """The writes of a stream, in order."""
        return self._ask(lambda link: PostgresReading(link).read(stream, after_version, limit))

    def read_all(self, after_seq: int, limit: int) -> list[Row]:
        """Rows of all streams, in order."""
        return self._ask(lambda link: PostgresReading(link).read_all(after_seq, limit))

    def of_command(self, command_id: str) -> list[Row]:
        """What a command wrote."""
        return self._ask(lambda link: PostgresReading(link).of_command(command_id))

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Everything, as it is now."""
        with self._failing():
            link = self._connect()
            try:
                with link.transaction():
                    link.execute("set transaction isolation level repeatable read, read only")
                    yield PostgresSnapshot(link)
            finally:
                link.close()

    def schema(self) -> int:
        """The number of the last migration."""
        return self._ask(lambda link: len(_applied(link)))

    def weakness(self) -> str:
        """Settings of the server that this side cannot override."""
        names = ("fsync", "full_page_writes")
        off = self._ask(lambda link: [name for name in names if setting(link, name) != "on"])
        return f"the server runs with {' and '.join(off)} off" if off else ""

    # ------------------------------------------------------------ writing

    def append(self, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
        """Write a batch with one call and one sync."""
        return self._insist(lambda link: append_batch(link, batch))

    def append_in_turn(self, request: Request) -> Receipt | LedgerError:
        """Decide and write while no one else writes."""
        milliseconds = int(self._patience * 1000)

        def decide_and_write(link: Link) -> list[Receipt | LedgerError]:
            with link.transaction():
                # A host that dies while it decides must not keep the others from writing.
                link.execute(f"set local idle_in_transaction_session_timeout = '{milliseconds}ms'")
                link.execute("select lock_entries()")
                reading = PostgresReading(link)
                if not reading.of_command(request.command.id):
                    assert request.decide is not None
                    request.writes = tuple(request.decide(reading))
                    check_texts(request.command, request.writes)
                return append_batch(link, [request])

        return self._insist(decide_and_write)[0]

    def restore(
        self, chunks: Iterable[list[StoredRow]], heads: Callable[[], list[SignedHead]]
    ) -> None:
        """Fill an empty ledger."""
        with self._taken() as link, link.transaction(), link.cursor() as cursor:
            cursor.execute("select lock_entries()")
            if PostgresReading(link).head().seq:
                raise LedgerMisfit("ledger.not_empty", f"{self.name} already has rows")
            with cursor.copy(_COPY) as copy:
                copy.set_types(_TYPES)
                for chunk in chunks:
                    for row in chunk:
                        copy.write_row(_as_text(row))
            _keep_heads(cursor, heads())

    def keep_head(self, signed: SignedHead) -> None:
        """Store a signed head."""
        with self._taken() as link, link.cursor() as cursor:
            _keep_heads(cursor, [signed])

    def backup(self, path: str) -> None:
        """Copy everything into a new SQLite file, as of now, while others go on writing."""
        from riverboat.ledger.sqlite import SqliteStore

        copy = SqliteStore(path, create=True, read_only=False, patience_seconds=self._patience)
        try:
            with self.snapshot() as snapshot:
                copy.restore(snapshot.rows(), snapshot.signed_heads)
        finally:
            copy.close()

    def listen(self, ring: Ring) -> None:
        """Ring whenever any process has written."""
        if self._listener is None:
            self._listener = Thread(
                target=self._hear, args=(ring,), name="ledger listener", daemon=True
            )
            self._listener.start()

    def close(self) -> None:
        """Close every connection."""
        self._closed.set()
        self._readers.close()
        self._drop_writer()
        self._watch.close()
        if self._listener is not None:
            self._listener.join()

    # ------------------------------------------------------------ connections

    def _connect(self) -> Link:
        return connect(self._url, self._patience, read_only=self._read_only)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise explain(error) from error

    @contextmanager
    def _taken(self) -> Iterator[Link]:
        with self._failing(), self._readers.taken() as link:
            yield link

    def _ask(self, question: Callable[[Link], Answer]) -> Answer:
        """Read; a connection that had died unnoticed is replaced once."""
        try:
            return self._asked(question)
        except LedgerUnavailable:
            self._readers.empty()
            return self._asked(question)

    def _asked(self, question: Callable[[Link], Answer]) -> Answer:
        with self._taken() as link, self._watch.over(link):
            return question(link)

    def _insist(self, write: Callable[[Link], Answer]) -> Answer:
        """Write; after a lost connection try again while patience lasts, and say how it ended."""
        # Whoever comes while the server is known to be away is told so at once.
        deadline = time.monotonic() + (0 if self._is_away else self._patience)
        pause = FIRST_PAUSE_SECONDS
        outcome_unknown = False
        while True:
            sent = False
            try:
                link = self._writer = self._sound_writer()
                sent = True
                self._is_away = False
                with self._watch.over(link):
                    return write(link)
            except psycopg.Error as error:
                lost = self._writer is None or self._writer.closed
                outcome_unknown = outcome_unknown or (sent and lost)
                if not lost or time.monotonic() + pause > deadline:
                    self._is_away = not sent
                    self._drop_writer()
                    raise _unavailable(error, outcome_unknown=outcome_unknown) from error
            self._drop_writer()
            self._closed.wait(pause)
            pause = min(2 * pause, 0.5)

    def _sound_writer(self) -> Link:
        if self._writer is not None and is_sound(self._writer):
            return self._writer
        self._drop_writer()
        return self._connect()

    def _drop_writer(self) -> None:
        if self._writer is not None:
            with suppress(Exception):
                self._writer.close()
            self._writer = None

    def _hear(self, ring: Ring) -> None:
        """Ring for every notice, and after every reconnection, when some may have been missed."""
        while not self._closed.is_set():
            with suppress(psycopg.Error), self._connect() as link:
                link.execute(f"listen {CHANNEL}")
                ring(0)
                while not self._closed.is_set():
                    for notice in link.notifies(timeout=0.5):
                        ring(int(notice.payload))
            self._closed.wait(0.2)


def _as_text(row: StoredRow) -> tuple[object, ...]:
    seq, stream, version, command_id, actor, recorded_at, command, body, digest = row
    texts = (command_id.decode(), actor.decode(), recorded_at, command.decode(), body.decode())
    return (seq, stream.decode(), version, *texts, digest)


def _keep_heads(cursor: psycopg.Cursor[Any], heads: Sequence[SignedHead]) -> None:
    cursor.executemany("insert into signed_head values (%s, %s, %s, %s, %s, %s)", heads)


def _applied(link: Link) -> list[Applied]:
    # Not to_regclass: that answers from a memory which waiting for a lock does not renew.
    exists = "select 1 from pg_tables where tablename = 'schema_step' and schemaname = any(%s)"
    schemas = link.execute("select current_schemas(false)").fetchone()
    if link.execute(exists, schemas).fetchone() is None:
        return []
    found = link.execute("select number, name, sha256 from schema_step order by number")
    return [Applied._make(row) for row in found]


def _migrate(link: Link) -> None:
    """Programs that start at the same moment go one after the other."""
    with link.transaction():
        link.execute("select pg_advisory_xact_lock(1380341314, 0)")
        for step in missing_steps("postgres", _applied(link)):
            link.execute(step.sql.encode())
            link.execute(
                "insert into schema_step values (%s, %s, %s)", (step.number, step.name, step.sha256)
            )


def _unavailable(error: psycopg.Error, *, outcome_unknown: bool) -> LedgerUnavailable:
    if not outcome_unknown:
        return explain(error)
    what = "the connection was lost during a write; send the command again with the same id"
    return OutcomeUnknown("ledger.outcome_unknown", f"{explain(error)}: {what}")


def _without_password(url: str) -> str:
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise LedgerMisfit("ledger.url", f"this is no address of a ledger: {error}") from error
    place = f"{parts.get('host') or ''}:{parts.get('port') or 5432}"
    return f"postgresql://{place}/{parts.get('dbname') or ''}"
