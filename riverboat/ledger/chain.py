"""The chain: every row's hash covers the row before it and every stored column.

    hash = SHA-256(previous hash, seq, stream, version,
                   command_id, actor, recorded_at, command, body)

each field preceded by its length (four bytes, most significant first), numbers as decimal digits,
texts as UTF-8: the same form as in `core.fairness`. The row before the first is `BEGINNING`.

Written for speed, because `riverboat verify` does this for every row there is: `tests/ledger`
holds it against the plain form.
"""

from hashlib import sha256
from typing import Final, NamedTuple

from riverboat.core.fairness import LENGTH_BYTES, framed
from riverboat.ledger.rows import Row

BEGINNING: Final = sha256(framed(b"riverboat ledger v1")).digest()
TABLED: Final = 8192
_LENGTHS: Final = tuple(length.to_bytes(LENGTH_BYTES, "big") for length in range(TABLED))
_HASH_LENGTH: Final = _LENGTHS[len(BEGINNING)]


class StoredRow(NamedTuple):
    """A row as its bytes lie in the database, which may no longer be readable text."""

    seq: int
    stream: bytes
    version: int
    command_id: bytes
    actor: bytes
    recorded_at: int
    command: bytes
    body: bytes
    hash: bytes


def as_stored(row: Row) -> StoredRow:
    """A row with its texts as bytes."""
    return StoredRow._make(value.encode() if isinstance(value, str) else value for value in row)


def length_of(field: bytes) -> bytes:
    """What stands before a field."""
    size = len(field)
    return _LENGTHS[size] if size < TABLED else size.to_bytes(LENGTH_BYTES, "big")


def tail_fields(
    command_id: bytes, actor: bytes, recorded_at: bytes, command: bytes, body: bytes
) -> bytes:
    """The part of a row that is known before its place in the ledger is."""
    return b"".join(
        (
            length_of(command_id),
            command_id,
            length_of(actor),
            actor,
            length_of(recorded_at),
            recorded_at,
            length_of(command),
            command,
            length_of(body),
            body,
        )
    )


def chained(previous: bytes, seq: int, stream: bytes, version: int, tail: bytes) -> bytes:
    """The hash of the row that follows `previous`."""
    number, step = b"%d" % seq, b"%d" % version
    return sha256(
        b"".join(
            (
                _HASH_LENGTH,
                previous,
                _LENGTHS[len(number)],
                number,
                length_of(stream),
                stream,
                _LENGTHS[len(step)],
                step,
                tail,
            )
        )
    ).digest()


def hash_of(previous: bytes, row: StoredRow) -> bytes:
    """The hash that a stored row ought to have."""
    seq, stream, version, command_id, actor, recorded_at, command, body, _ = row
    number, step, time = b"%d" % seq, b"%d" % version, b"%d" % recorded_at
    lengths = _LENGTHS
    return sha256(
        b"".join(
            (
                _HASH_LENGTH,
                previous,
                lengths[len(number)],
                number,
                lengths[len(stream)] if len(stream) < TABLED else length_of(stream),
                stream,
                lengths[len(step)],
                step,
                lengths[len(command_id)] if len(command_id) < TABLED else length_of(command_id),
                command_id,
                lengths[len(actor)] if len(actor) < TABLED else length_of(actor),
                actor,
                lengths[len(time)],
                time,
                lengths[len(command)] if len(command) < TABLED else length_of(command),
                command,
                lengths[len(body)] if len(body) < TABLED else length_of(body),
                body,
            )
        )
    ).digest()
