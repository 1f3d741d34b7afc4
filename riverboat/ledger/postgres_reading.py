"""Reading a ledger through one connection to PostgreSQL."""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import psycopg

from riverboat.ledger.chain import BEGINNING, StoredRow
from riverboat.ledger.rows import Head, Row
from riverboat.ledger.store import SignedHead

Link: TypeAlias = psycopg.Connection[tuple[Any, ...]]

CHUNK: Final = 2_000
_COLUMNS: Final = "seq, stream, version, command_id, actor, recorded_at, command, body, hash"


class PostgresReading:
    """A ledger through one connection."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def head(self) -> Head:
        """The last row's number and hash."""
        found = self._rows("select seq, hash from entry order by seq desc limit 1")
        return Head._make(found[0]) if found else Head(0, BEGINNING)

    def version(self, stream: str) -> int:
        """How many writes a stream has."""
        found = self._rows("select coalesce(max(version), 0) from entry where stream = %s", stream)
        return int(found[0][0])

    def read(self, stream: str, after_version: int, limit: int) -> list[Row]:
        """The writes of a stream, in order."""
        query = f"select {_COLUMNS} from entry where stream = %s and version > %s order by version"
        return [
            Row._make(row) for row in self._rows(f"{query} limit %s", stream, after_version, limit)
        ]

    def read_all(self, after_seq: int, limit: int) -> list[Row]:
        """Rows of all streams, in order."""
        query = f"select {_COLUMNS} from entry where seq > %s order by seq limit %s"
        return [Row._make(row) for row in self._rows(query, after_seq, limit)]

    def of_command(self, command_id: str) -> list[Row]:
        """What a command wrote."""
        query = f"select {_COLUMNS} from entry where command_id = %s order by seq"
        return [Row._make(row) for row in self._rows(query, command_id)]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._link.cursor(binary=True) as cursor:
            return cursor.execute(query.encode(), values, prepare=True).fetchall()


class PostgresSnapshot:
    """A repeatable read over one connection."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def rows(self, after_seq: int | None = None) -> Iterator[list[StoredRow]]:
        """Every row's bytes, in chunks."""
        where = "" if after_seq is None else f"where seq > {after_seq:d}"
        with self._link.cursor("every_row", binary=True) as cursor:
            cursor.execute(f"select {_COLUMNS} from entry {where} order by seq".encode())
            while chunk := cursor.fetchmany(CHUNK):
                yield [_as_bytes(row) for row in chunk]

    def row(self, seq: int) -> StoredRow | None:
        """One row."""
        with self._link.cursor(binary=True) as cursor:
            query = f"select {_COLUMNS} from entry where seq = %s"
            found = cursor.execute(query.encode(), (seq,)).fetchone()
        return _as_bytes(found) if found else None

    def signed_heads(self) -> list[SignedHead]:
        """The heads that were signed."""
        with self._link.cursor(binary=True) as cursor:
            found = cursor.execute("select * from signed_head order by number").fetchall()
        return [SignedHead._make(row) for row in found]

    def damage(self) -> str:
        """PostgreSQL's own check is an extension (amcheck) that may not be there."""
        return ""


def _as_bytes(row: tuple[Any, ...]) -> StoredRow:
    seq, stream, version, command_id, actor, recorded_at, command, body, digest = row
    return StoredRow(
        seq,
        stream.encode(),
        version,
        command_id.encode(),
        actor.encode(),
        recorded_at,
        command.encode(),
        body.encode(),
        digest,
    )
