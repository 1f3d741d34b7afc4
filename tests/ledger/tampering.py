"""Changing a ledger below its triggers and constraints, as somebody would who has the database."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import psycopg

from riverboat.ledger import Row
from riverboat.ledger.chain import BEGINNING, COLUMNS, StoredRow, as_stored, hash_of

Value = int | bytes


class Tamperer(Protocol):
    """Somebody with all rights on the database."""

    def change(self, seq: int, column: str, value: Value) -> None:
        """Put another value, of the bytes given, into one column of one row."""

    def run(self, statement: str) -> None:
        """Any statement."""

    def rows(self) -> list[Row]:
        """What is stored."""


class SqliteTamperer:
    """Takes the table's constraints, triggers and types away first."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(
            "create table loose as select * from entry order by seq; drop table entry;"
            " alter table loose rename to entry;"
            " drop trigger head_remains; drop trigger head_stays;"
        )

    @classmethod
    @contextmanager
    def of(cls, path: Path) -> Iterator["SqliteTamperer"]:
        db = sqlite3.connect(path, isolation_level=None)
        try:
            yield cls(db)
        finally:
            db.close()

    def change(self, seq: int, column: str, value: Value) -> None:
        kind = "?" if isinstance(value, int) or column == "hash" else "cast(? as text)"
        self._db.execute(f"update entry set {column} = {kind} where seq = ?", (value, seq))

    def run(self, statement: str) -> None:
        self._db.execute(statement)

    def rows(self) -> list[Row]:
        return [Row._make(row) for row in self._db.execute("select * from entry order by seq")]


class PostgresTamperer:
    """A superuser."""

    def __init__(self, link: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._link = link
        for statement in (
            "alter table entry disable trigger all",
            "alter table signed_head disable trigger all",
            "alter table entry drop constraint entry_pkey",
            "alter table entry drop constraint entry_stream_version_key",
            "alter table entry drop constraint entry_command_id_stream_key",
        ):
            link.execute(statement.encode())

    @classmethod
    @contextmanager
    def of(cls, url: str) -> Iterator["PostgresTamperer"]:
        with psycopg.connect(url, autocommit=True) as link:
            yield cls(link)

    def change(self, seq: int, column: str, value: Value) -> None:
        kind = "%s" if isinstance(value, int) or column == "hash" else "convert_from(%s, 'UTF8')"
        query = f"update entry set {column} = {kind} where seq = %s"
        self._link.execute(query.encode(), (value, seq))

    def run(self, statement: str) -> None:
        self._link.execute(statement.encode())

    def rows(self) -> list[Row]:
        return [Row._make(row) for row in self._link.execute("select * from entry order by seq")]


def flipped(value: Value, bit: int) -> Value:
    """The value with one bit changed; bits of a number are counted from the lowest."""
    if isinstance(value, int):
        return value ^ 1 << bit % 40
    data = bytearray(value)
    data[bit // 8 % len(data)] ^= 1 << bit % 8
    return bytes(data)


def swap(tamperer: Tamperer, one: int, other: int, columns: Sequence[str]) -> None:
    """Exchange columns of two rows."""
    rows = {row.seq: as_stored(row) for row in tamperer.rows()}
    for column in columns:
        tamperer.change(one, column, getattr(rows[other], column))
        tamperer.change(other, column, getattr(rows[one], column))


def hash_again(tamperer: Tamperer) -> None:
    """Make the chain consistent with whatever the rows say now."""
    previous = BEGINNING
    for row in tamperer.rows():
        digest = hash_of(previous, as_stored(row))
        if digest != row.hash:
            tamperer.change(row.seq, "hash", digest)
        previous = digest


def all_but_seq() -> tuple[str, ...]:
    """Every column that a row could exchange with another and keep its place."""
    return tuple(column for column in COLUMNS if column != "seq")


__all__ = ["PostgresTamperer", "SqliteTamperer", "StoredRow", "Tamperer", "all_but_seq", "flipped"]
