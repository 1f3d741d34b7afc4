"""Taking a ledger out of its database while it is in use: export, import, copies, backups.

An export is JSON lines: a first line that says what it is, a line for every row, one for every
signed head, and a last line with the head, so that a file that was cut short is noticed. Reading
it back recomputes the chain line by line, and puts in all of it or nothing.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Final, TypeVar

import msgspec
from msgspec.structs import astuple

from riverboat.core.errors import NotationError
from riverboat.ledger.chain import (
    ChainBroken,
    Fault,
    Head,
    LedgerMisfit,
    StoredRow,
    as_stored,
    as_text,
)
from riverboat.ledger.heads import HeadText, as_head_text, from_head_text
from riverboat.ledger.ledger import Ledger, open_ledger
from riverboat.ledger.store import SignedHead
from riverboat.ledger.verify import Chain, Verdict, check, verify

FORM: Final = "riverboat ledger 1"
CHUNK: Final = 2_000

Parsed = TypeVar("Parsed")


class _Title(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    form: str


class _RowLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    stream: str
    version: int
    command_id: str
    actor: str
    recorded_at: int
    command: str
    body: str
    hash: str


_ROWS: Final = msgspec.json.Decoder(_RowLine)


class _HeadLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    signed_head: HeadText


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    head: str


def export_ledger(ledger: Ledger, file: IO[bytes]) -> Head:
    """Write everything as it is now; the chain is checked on the way."""
    encode = msgspec.json.Encoder().encode
    chain = Chain()
    file.write(encode(_Title(FORM)) + b"\n")
    with ledger.snapshot() as snapshot:
        for chunk in _checked(snapshot.rows(), chain):
            file.write(b"".join(encode(_line(row)) + b"\n" for row in chunk))
        for signed in snapshot.signed_heads():
            file.write(encode(_HeadLine(as_head_text(signed))) + b"\n")
    head = Head(chain.seq, chain.hash)
    file.write(encode(_End(str(head))) + b"\n")
    return head


def import_ledger(ledger: Ledger, file: Iterable[bytes]) -> Head:
    """Fill an empty ledger from an export: all of it, or nothing and the line that is wrong."""
    reader = _Reader(iter(file))
    ledger.store.restore(reader.chunks(), reader.finish)
    return _agreed(ledger, Head(reader.chain.seq, reader.chain.hash))


def copy_ledger(source: Ledger, target: Ledger) -> Head:
    """Copy everything into an empty ledger, on whichever database, and see that both are equal."""
    chain = Chain()
    with source.snapshot() as snapshot:
        target.store.restore(_checked(snapshot.rows(), chain), snapshot.signed_heads)
    return _agreed(target, Head(chain.seq, chain.hash))


def backup_ledger(ledger: Ledger, path: Path) -> Verdict:
    """A verified copy as a SQLite file, taken while others go on writing.

    It appears under its name only when it is complete, verified and on the disk.
    """
    if path.exists():
        raise LedgerMisfit("ledger.exists", f"{path} exists already and is not overwritten")
    beside = path.with_name(f".{path.name}.unfinished")
    beside.unlink(missing_ok=True)
    try:
        ledger.store.backup(str(beside))
        with open_ledger(beside, create=False) as copy:
            verdict = check(verify(copy))
        with beside.open("rb") as file:
            os.fsync(file.fileno())
        beside.rename(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise LedgerMisfit("ledger.backup", f"{path}: {error.strerror or error}") from error
    finally:
        for name in (beside, *(Path(f"{beside}-{end}") for end in ("wal", "shm", "journal"))):
            name.unlink(missing_ok=True)
    return verdict


def _agreed(ledger: Ledger, head: Head) -> Head:
    """The same head is the same ledger: every row before it is in its hash."""
    found = check(verify(ledger)).head
    if found != head:
        raise ChainBroken(Fault(found.seq, "hash", f"the copy ends with {found}, not with {head}"))
    return head


def _checked(chunks: Iterator[list[StoredRow]], chain: Chain) -> Iterator[list[StoredRow]]:
    for chunk in chunks:
        if fault := chain.follow(chunk):
            raise ChainBroken(fault)
        yield [StoredRow._make(row) for row in chunk]


def _line(row: StoredRow) -> _RowLine:
    text = as_text(row)
    return _RowLine(*text[:8], text.hash.hex())


def _title(line: bytes) -> str:
    return msgspec.json.decode(line, type=_Title).form


def _row(line: bytes) -> StoredRow:
    *fields, digest = astuple(_ROWS.decode(line))
    return as_stored((*fields, bytes.fromhex(digest)))


def _head(line: bytes) -> SignedHead:
    return from_head_text(msgspec.json.decode(line, type=_HeadLine).signed_head)


def _end(line: bytes) -> Head:
    return Head.read(msgspec.json.decode(line, type=_End).head)


class _Reader:
    """Reads an export line by line, and knows where it is when something is wrong."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._number = 0
        self._rest: bytes | None = None
        self.chain = Chain()

    def chunks(self) -> Iterator[list[StoredRow]]:
        """The rows, checked."""
        title = self._next()
        is_titled = title is not None and title.startswith(b'{"form"')
        if title is None or not is_titled or self._read(_title, title) != FORM:
            raise self._wrong(f"the first line of an export says {FORM!r}")
        chunk: list[StoredRow] = []
        while (line := self._next()) is not None and line.startswith(b'{"seq"'):
            chunk.append(self._read(_row, line))
            if len(chunk) == CHUNK:
                yield self._follow(chunk)
                chunk = []
        self._rest = line
        yield self._follow(chunk)

    def finish(self) -> list[SignedHead]:
        """The signed heads, and the end."""
        heads: list[SignedHead] = []
        line = self._rest
        while line is not None and line.startswith(b'{"signed_head"'):
            heads.append(self._read(_head, line))
            line = self._next()
        if line is None:
            raise self._wrong("the file ends before its last line: it was cut short")
        end = self._read(_end, line)
        if end != (self.chain.seq, self.chain.hash):
            raise self._wrong(f"the last line names the head {end}, the rows end otherwise")
        if self._next() is not None:
            raise self._wrong("something follows the last line")
        return heads

    def _next(self) -> bytes | None:
        self._number += 1
        return next(self._lines, None)

    def _read(self, parse: Callable[[bytes], Parsed], line: bytes) -> Parsed:
        try:
            return parse(line)
        except (msgspec.MsgspecError, NotationError, ValueError) as error:
            raise self._wrong(str(error)) from None

    def _follow(self, chunk: list[StoredRow]) -> list[StoredRow]:
        if fault := self.chain.follow(chunk):
            raise ChainBroken(fault)
        return chunk

    def _wrong(self, what: str) -> NotationError:
        return NotationError("ledger.export", f"line {self._number} of the export: {what}")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
