"""A ledger in PostgreSQL: any number of processes on any number of machines write the same one.

A batch is one call of a function of the database (see the migrations), which takes the ledger's
lock, judges, chains, inserts and notifies: one round trip, and no client can be scheduled away
while it holds the lock. Its commit is the statement's own, so a connection that is lost during the
call leaves the outcome open; then the batch is simply sent again on a new connection. The
lock makes that safe (the first attempt is over, one way or the other, when the second one gets it)
and the command ids make it harmless.

Nobody waits for ever. The server's own timeouts end a statement that takes too long. They are of
no use when the server hangs or the network swallows packets: then the `Watch` cuts the connection,
and whoever waited on it gets an error at once.
"""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from threading import Condition, Event, Thread
from typing import Any, Final, TypeAlias, TypeVar

import psycopg

from riverboat.ledger.chain import (
    CommandConflict,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
    Receipt,
    Row,
    StaleVersion,
    StoredRow,
    as_stored,
    as_text,
    check_texts,
)
from riverboat.ledger.migrations import Applied, missing_steps
from riverboat.ledger.store import Pool, Reading, Request, Ring, SignedHead, Snapshot, Store

BUSY: Final = "ledger.busy"
CHANNEL: Final = "riverboat_ledger"
CHUNK: Final = 2_000
FIRST_PAUSE_SECONDS: Final = 0.02
SOON_SECONDS: Final = 0.2
"""A server that says no so soon keeps nobody waiting, and may say yes at once."""
AWAY_SECONDS: Final = 0.5
"""How long a server that did not answer is taken to be away, without anybody waiting for it."""
LONG_SECONDS: Final = 600
"""For a statement that goes through everything: a copy, a step of the schema."""
SHORTEST_CONNECT_SECONDS: Final = 2
"""libpq takes a shorter timeout for this one."""
_COPY: Final = "copy entry from stdin (format binary)"
_TYPES: Final = ("int8", "text", "int8", "text", "text", "int8", "text", "text", "bytea")
_APPEND: Final = (
    "select request, outcome, write, seq, version, hash from append_entries("
    "%b::text[], %b::text[], %b::bigint[], %b::text[], %b::integer[], %b::integer[], %b::text[],"
    " %b::integer[], %b::bigint[], %b::text[])"
)

Answer = TypeVar("Answer")
Link: TypeAlias = psycopg.Connection[tuple[Any, ...]]


class PostgresReading(Reading):
    """A ledger through one connection."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._link.cursor(binary=True) as cursor:
            cursor.execute(_with_places(sql), values, prepare=True)
            return cursor.fetchall() if cursor.description else []


@cache
def _with_places(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()


class PostgresSnapshot(Snapshot):
    """A repeatable read over one connection."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def chunks(self, sql: str) -> Iterator[list[StoredRow]]:
        cursor = self._link.cursor("some_rows", binary=True)
        try:
            cursor.execute(sql.encode())
            while chunk := cursor.fetchmany(CHUNK):
                yield [as_stored(row) for row in chunk]
        finally:
            try:
                cursor.close()
            except psycopg.Error:
                # Cut: the server has let go of it already, and this side need not tell it.
                self._link.close()
                cursor.close()

    def signed_heads(self) -> list[SignedHead]:
        with self._link.cursor(binary=True) as cursor:
            found = cursor.execute("select * from signed_head order by number").fetchall()
        return [SignedHead._make(row) for row in found]

    def damage(self) -> str:
        """PostgreSQL's own check is an extension (amcheck) that may not be there."""
        return ""


class PostgresStore(Store):
    """The database behind a ledger on a server."""

    kind = "postgres"

    def __init__(self, url: str, *, create: bool, read_only: bool, patience_seconds: float) -> None:
        self.name = _without_password(url)
        self._url = url
        self._patience = patience_seconds
        self._read_only = read_only
        self._watch = Watch(patience_seconds)
        self._readers = Pool(self._connect, psycopg.Connection.close, is_sound)
        self._writer: Link | None = None
        self._is_away = False
        self._away_until = 0.0
        self._closed = Event()
        self._listener: Thread | None = None
        self.bring_up_to_date(create=create, read_only=read_only)

    # ------------------------------------------------------------ reading

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement; tried once more where the connection was lost."""
        return self._ask(lambda link: PostgresReading(link).run(sql, values))

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        with self._failing():
            link = self._connect()
            try:
                with link.transaction():
                    link.execute("set transaction isolation level repeatable read, read only")
                    _take_long(link)
                    yield PostgresSnapshot(link)
            finally:
                link.close()

    def applied(self) -> list[Applied]:
        with self._taken() as link:
            if setting(link, "server_encoding") != "UTF8":
                raise LedgerMisfit("ledger.encoding", "the database must be encoded in UTF8")
            return _applied(link)

    def migrate(self) -> None:
        with self._taken() as link, link.transaction():
            _take_long(link)
            link.execute("select pg_advisory_xact_lock(1380341314, 0)")
            for step in missing_steps(self.kind, _applied(link)):
                link.execute(step.sql.encode())
                values = (step.number, step.name, step.sha256)
                link.execute("insert into schema_step values (%s, %s, %s)", values)

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
        with self._taken() as link, link.transaction(), link.cursor() as cursor:
            _take_long(link)
            cursor.execute("select lock_entries()")
            if PostgresReading(link).head().seq:
                raise LedgerMisfit("ledger.not_empty", f"{self.name} already has rows")
            with cursor.copy(_COPY) as copy:
                copy.set_types(_TYPES)
                for chunk in chunks:
                    for row in chunk:
                        copy.write_row(as_text(row))
            _keep_heads(cursor, heads())

    def keep_head(self, signed: SignedHead) -> None:
        with self._taken() as link, link.cursor() as cursor:
            _keep_heads(cursor, [signed])

    def backup(self, path: str) -> None:
        """Copy everything into a new SQLite file, as of now."""
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
        self._closed.set()
        self._readers.close()
        self._drop_writer()
        self._watch.close()
        if self._listener is not None:
            self._listener.join()

    # ------------------------------------------------------------ connections

    def _connect(self) -> Link:
        return connect(self._url, self._patience, self._watch, read_only=self._read_only)

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
        """Read; a connection that had died unnoticed is replaced once. Whoever comes while the
        server is known to be away is told so at once, so that those who ask do not queue up."""
        if time.monotonic() < self._away_until:
            raise LedgerUnavailable("ledger.unavailable", "PostgreSQL did not answer just now")
        try:
            return self._asked(question)
        except LedgerUnavailable as problem:
            if problem.code == BUSY:
                raise
            self._readers.empty()
        began = time.monotonic()
        try:
            return self._asked(question)
        except LedgerUnavailable as problem:
            waited = time.monotonic() - began
            if problem.code != BUSY and waited > SOON_SECONDS:
                self._away_until = time.monotonic() + AWAY_SECONDS
            raise

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
            self._readers.require_open()
            try:
                link = self._writer = self._sound_writer()
                sent = True
                self._is_away = False
                with self._watch.over(link):
                    answer = write(link)
                self._away_until = 0.0
                return answer
            except psycopg.Error as error:
                lost = self._writer is None or self._writer.closed
                outcome_unknown = outcome_unknown or (sent and lost)
                if not lost or time.monotonic() + pause > deadline:
                    self._is_away = not sent
                    self._drop_writer()
                    raise explain(error, outcome_unknown=outcome_unknown) from error
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
            # Whatever comes over the channel, and whoever sent it: this only makes others quicker.
            with suppress(psycopg.Error, ValueError, OSError), self._connect() as link:
                link.execute(f"listen {CHANNEL}")
                ring(0)
                while not self._closed.is_set():
                    for notice in link.notifies(timeout=0.5):
                        ring(int(notice.payload))
            self._closed.wait(0.2)


def append_batch(link: Link, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
    """Write a batch; a command that is in it twice is written first and recalled afterwards."""
    first_of: dict[str, Request] = {}
    again = [
        request
        for request in batch
        if first_of.setdefault(request.command.id, request) is not request
    ]
    if not again:
        return _append_once(link, batch)
    firsts = list(first_of.values())
    answers = dict(zip(map(id, firsts), _append_once(link, firsts), strict=True))
    for request in again:
        answers[id(request)] = _append_once(link, [request])[0]
    return [answers[id(request)] for request in batch]


def _append_once(link: Link, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
    streams: dict[str, int] = {}
    places: list[int] = []
    expected: list[int | None] = []
    bodies: list[str] = []
    firsts, lasts = [], []
    for request in batch:
        firsts.append(len(bodies) + 1)
        for write in request.writes:
            places.append(streams.setdefault(write.stream, len(streams) + 1))
            expected.append(write.expected_version)
            bodies.append(write.body)
        lasts.append(len(bodies))
    commands = [request.command for request in batch]
    values = (
        [command.id for command in commands],
        [command.actor for command in commands],
        [command.recorded_at for command in commands],
        [command.text for command in commands],
        firsts,
        lasts,
        list(streams),
        places,
        expected,
        bodies,
    )
    with link.cursor(binary=True) as cursor:
        found = cursor.execute(_APPEND, values, prepare=True).fetchall()
    return _answers(link, batch, found)


def _answers(
    link: Link, batch: Sequence[Request], found: list[tuple[Any, ...]]
) -> list[Receipt | LedgerError]:
    lines: list[list[tuple[Any, ...]]] = [[] for _ in batch]
    for line in found:
        lines[line[0] - 1].append(line)
    first = 1
    answers: list[Receipt | LedgerError] = []
    for request, own in zip(batch, lines, strict=True):
        match own[0][1]:
            case "done":
                rows = [_row(request, line[2] - first, *line[3:]) for line in own]
                answers.append(Receipt(tuple(rows), repeated=False))
            case "repeated":
                earlier = PostgresReading(link).of_command(request.command.id)
                answers.append(Receipt(tuple(earlier), repeated=True))
            case "conflict":
                answers.append(CommandConflict(request.command.id))
            case _:
                write = request.writes[own[0][2] - first]
                expected = write.expected_version
                assert expected is not None
                answers.append(StaleVersion(write.stream, expected=expected, actual=own[0][4]))
        first += len(request.writes)
    return answers


def _row(request: Request, index: int, seq: int, version: int, digest: bytes) -> Row:
    command, write = request.command, request.writes[index]
    place = (seq, write.stream, version)
    return Row(
        *place, command.id, command.actor, command.recorded_at, command.text, write.body, digest
    )


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


def _without_password(url: str) -> str:
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise LedgerMisfit("ledger.url", f"this is no address of a ledger: {error}") from error
    place = f"{parts.get('host') or ''}:{parts.get('port') or 5432}"
    return f"postgresql://{place}/{parts.get('dbname') or ''}"


def connect(url: str, patience_seconds: float, watch: "Watch", *, read_only: bool) -> Link:
    """A connection on which a commit is durable when it is confirmed."""
    timeout = max(SHORTEST_CONNECT_SECONDS, int(patience_seconds))
    link: Link = psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=timeout,
        keepalives_idle=timeout,
        keepalives_interval=1,
        keepalives_count=3,
        tcp_user_timeout=timeout * 1000,
        application_name="riverboat",
        client_encoding="utf8",
    )
    try:
        with watch.over(link):
            _prepare(link, patience_seconds, timeout, read_only=read_only)
    except BaseException:
        link.close()
        raise
    return link


def _prepare(link: Link, patience_seconds: float, timeout: int, *, read_only: bool) -> None:
    milliseconds = max(1, int(patience_seconds * 1000))
    link.execute(
        "select set_config('lock_timeout', %(ms)s, false),"
        " set_config('statement_timeout', %(longest)s, false),"
        " set_config('idle_in_transaction_session_timeout', '0', false),"
        # A client's host that vanishes is noticed by the server, which then lets go of its locks.
        " set_config('tcp_keepalives_idle', %(s)s, false),"
        " set_config('tcp_keepalives_interval', '1', false),"
        " set_config('tcp_keepalives_count', '3', false),"
        " set_config('default_transaction_isolation', 'read committed', false),"
        " set_config('default_transaction_read_only', %(read_only)s, false),"
        # A stronger setting of the server, which waits for replicas, is left alone.
        " case when current_setting('synchronous_commit') in ('off', 'local')"
        " then set_config('synchronous_commit', 'on', false) end",
        {
            "ms": str(milliseconds),
            # The watch is there first; this one ends what a cut connection left behind.
            "longest": str(2 * milliseconds + 1_000),
            "s": str(timeout),
            "read_only": "on" if read_only else "off",
        },
    )


def _take_long(link: Link) -> None:
    """For the statements of this transaction, which go through everything."""
    link.execute(f"set local statement_timeout = '{LONG_SECONDS}s'")


def is_sound(link: Link) -> bool:
    """Whether a connection from the pool can be used; a server that went away left a mark on it."""
    if link.closed or link.broken:
        return False
    # What arrives on an idle connection is the end of it, or nothing that matters here.
    watched = socket.socket(fileno=os.dup(link.fileno()))
    with watched:
        try:
            return bool(watched.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except OSError:
            return False


def explain(error: psycopg.Error, *, outcome_unknown: bool = False) -> LedgerUnavailable:
    """A failed statement, which certainly wrote nothing unless it is said that nobody knows."""
    words = f"PostgreSQL: {' '.join(str(error).split())}"
    if outcome_unknown:
        what = "the connection was lost during a write; send the command again with the same id"
        return OutcomeUnknown("ledger.outcome_unknown", f"{words}: {what}")
    is_busy = isinstance(error, psycopg.errors.LockNotAvailable)
    return LedgerUnavailable(BUSY if is_busy else "ledger.unavailable", words)


class Watch:
    """Cuts connections whose answer does not come in time."""

    def __init__(self, patience_seconds: float) -> None:
        # The server is to say by itself that a lock was not to be had.
        self._patience = patience_seconds + 0.5
        self._deadlines: dict[int, tuple[float, Link]] = {}
        self._changed = Condition()
        self._thread: Thread | None = None
        self._closed = False

    @contextmanager
    def over(self, link: Link) -> Iterator[None]:
        """Cut this connection unless the `with` ends in time."""
        key = threading.get_ident()
        with self._changed:
            self._deadlines[key] = (time.monotonic() + self._patience, link)
            if self._thread is None:
                self._thread = Thread(target=self._watch, name="ledger watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            # No lock: it would cost the hot path a second one, and removing a key is atomic.
            self._deadlines.pop(key, None)

    def close(self) -> None:
        """Stop watching."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _watch(self) -> None:
        while True:
            with self._changed:
                self._changed.wait(self._patience / 4)
                if self._closed:
                    return
                late = [
                    (key, link)
                    for key, (deadline, link) in list(self._deadlines.items())
                    if deadline < time.monotonic()
                ]
                for key, link in late:
                    self._deadlines.pop(key, None)
                    _cut(link)


def _cut(link: Link) -> None:
    with suppress(Exception), socket.socket(fileno=os.dup(link.fileno())) as connection:
        connection.shutdown(socket.SHUT_RDWR)


def setting(link: Link, name: str) -> Any:
    """A setting of the server as it holds for this connection."""
    row = link.execute("select current_setting(%s)", (name,)).fetchone()
    assert row is not None
    return row[0]
