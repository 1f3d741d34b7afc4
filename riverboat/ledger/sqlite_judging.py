"""Judging a batch of requests on SQLite, and putting in what was accepted."""

import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

from riverboat.ledger.chain import chained, tail_fields
from riverboat.ledger.errors import CommandConflict, LedgerError, StaleVersion
from riverboat.ledger.rows import Command, Head, Receipt, Row, Write
from riverboat.ledger.sqlite_reading import SqliteReading
from riverboat.ledger.store import Request

_PLACES: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERTS: Final = {
    size: f"insert into entry values {', '.join([_PLACES] * size)}" for size in (32, 8, 2, 1)
}
MOST_VERSIONS: Final = 100_000


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
        if earlier:
            return _recalled(request, earlier)
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
        tail = tail_fields(
            command.id.encode(),
            command.actor.encode(),
            b"%d" % command.recorded_at,
            command.text.encode(),
            write.body.encode(),
        )
        self._hash = chained(self._hash, self._seq, write.stream.encode(), version, tail)
        asked = (command.id, command.actor, command.recorded_at, command.text)
        return Row(self._seq, write.stream, version, *asked, write.body, self._hash)


def _recalled(request: Request, earlier: tuple[Row, ...]) -> Receipt | LedgerError:
    """The answer to a command id that is on record already."""
    command = request.command
    if (earlier[0].actor, earlier[0].command) != (command.actor, command.text):
        return CommandConflict(command.id)
    return Receipt(earlier, repeated=True)
