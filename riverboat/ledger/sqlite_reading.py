"""Reading a ledger through one connection to SQLite."""

import sqlite3
from collections.abc import Iterator
from typing import Final

import msgspec

from riverboat.ledger.chain import BEGINNING, StoredRow
from riverboat.ledger.rows import Head, Row
from riverboat.ledger.store import SignedHead

CHUNK: Final = 2_000
_COLUMNS: Final = "seq, stream, version, command_id, actor, recorded_at, command, body, hash"


class SqliteReading:
    """A ledger through one connection."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def head(self) -> Head:
        """The last row's number and hash."""
        found = self._db.execute("select seq, hash from entry order by seq desc limit 1").fetchone()
        return Head(*found) if found else Head(0, BEGINNING)

    def version(self, stream: str) -> int:
        """How many writes a stream has."""
        found = self._db.execute("select max(version) from entry where stream = ?", (stream,))
        return found.fetchone()[0] or 0

    def read(self, stream: str, after_version: int, limit: int) -> list[Row]:
        """The writes of a stream, in order."""
        found = self._db.execute(
            f"select {_COLUMNS} from entry where stream = ? and version > ?"
            " order by version limit ?",
            (stream, after_version, limit),
        )
        return [Row._make(row) for row in found]

    def read_all(self, after_seq: int, limit: int) -> list[Row]:
        """Rows of all streams, in order."""
        found = self._db.execute(
            f"select {_COLUMNS} from entry where seq > ? order by seq limit ?", (after_seq, limit)
        )
        return [Row._make(row) for row in found]

    def of_command(self, command_id: str) -> list[Row]:
        """What a command wrote."""
        found = self._db.execute(
            f"select {_COLUMNS} from entry where command_id = ? order by seq", (command_id,)
        )
        return [Row._make(row) for row in found]

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


class SqliteSnapshot:
    """A read transaction, with texts as their bytes: damaged ones are no text any more."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def rows(self, after_seq: int | None = None) -> Iterator[list[StoredRow]]:
        """Every row's bytes, in chunks."""
        where = "" if after_seq is None else f"where seq > {after_seq:d}"
        found = self._db.execute(f"select {_COLUMNS} from entry {where} order by seq")
        while chunk := found.fetchmany(CHUNK):
            yield chunk

    def row(self, seq: int) -> StoredRow | None:
        """One row."""
        found = self._db.execute(f"select {_COLUMNS} from entry where seq = ?", (seq,)).fetchone()
        return StoredRow._make(found) if found else None

    def signed_heads(self) -> list[SignedHead]:
        """The heads that were signed."""
        found = self._db.execute("select * from signed_head order by number")
        return [SignedHead._make(row) for row in found]

    def damage(self) -> str:
        """What SQLite itself finds wrong with the file, indexes and column types included."""
        found = bytes(self._db.execute("pragma integrity_check(1)").fetchone()[0]).decode()
        return "" if found == "ok" else found
