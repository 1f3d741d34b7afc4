"""A row does not have the hash that it should have. Which column is it?

The stored hash still says what the row was. So a guess can be checked with certainty: change the
row back in one place, and see whether the hash fits. Tried are the numbers that are known from the
rows before, a hash that was changed itself, and every single bit of every column.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from riverboat.ledger.chain import StoredRow, hash_of
from riverboat.ledger.errors import Fault

MOST_BYTES: Final = 200_000_000
"""How much hashing a search may cost: some tenths of a second."""


class _Guess(NamedTuple):
    column: str
    row: StoredRow
    message: str


def pinpointed(previous: bytes, row: StoredRow, seq: int, version: int) -> Fault:
    """The column, if it can be told, and what it was."""
    for guess in _guesses(previous, row, seq, version):
        if hash_of(previous, guess.row) == guess.row.hash:
            return Fault(seq, guess.column, guess.message)
    if row.seq != seq:
        return Fault(seq, "seq", f"missing: row {row.seq} follows row {seq - 1}")
    if row.version != version:
        name = row.stream.decode(errors="replace")
        what = f"version {row.version} of {name}, expected is {version}, and the hash does not fit"
        return Fault(seq, "", f"{what}: the row belongs elsewhere or was changed")
    expected = hash_of(previous, row).hex()
    what = f"stored is the hash {row.hash.hex()}, what the row holds gives {expected}"
    return Fault(seq, "", f"{what}: the row or the one before it was changed")


def _guesses(previous: bytes, row: StoredRow, seq: int, version: int) -> Iterator[_Guess]:
    if row.seq != seq:
        yield _Guess("seq", row._replace(seq=seq), f"{row.seq} is stored, {seq} was written")
    if row.version != version:
        what = f"{row.version} is stored, {version} was written"
        yield _Guess("version", row._replace(version=version), what)
    at_place = row._replace(seq=seq)
    expected = hash_of(previous, at_place)
    if len(row.hash) == len(expected):
        difference = int.from_bytes(row.hash, "big") ^ int.from_bytes(expected, "big")
        if difference.bit_count() == 1:
            what = f"one bit differs: {row.hash.hex()} is stored, {expected.hex()} was written"
            yield _Guess("hash", at_place._replace(hash=expected), what)
    budget = MOST_BYTES
    size = sum(len(value) for value in row if isinstance(value, bytes)) + 100
    for column in ("stream", "command_id", "actor", "recorded_at", "version", "command", "body"):
        for changed in _one_bit_away(getattr(at_place, column)):
            if (budget := budget - size) < 0:
                return
            guess = StoredRow._make(
                changed if name == column else value
                for name, value in zip(StoredRow._fields, at_place, strict=True)
            )
            yield _Guess(column, guess, _what_was(getattr(row, column), changed))


def _one_bit_away(value: int | bytes) -> Iterator[int | bytes]:
    if isinstance(value, int):
        yield from (value ^ 1 << bit for bit in range(63))
        return
    for index, byte in enumerate(value):
        for bit in range(8):
            yield b"".join((value[:index], bytes((byte ^ 1 << bit,)), value[index + 1 :]))


def _what_was(stored: int | bytes, written: int | bytes) -> str:
    if isinstance(stored, int) or isinstance(written, int):
        return f"{stored!r} is stored, {written!r} was written"
    index = next(
        n for n, pair in enumerate(zip(stored, written, strict=True)) if len(set(pair)) > 1
    )
    around = slice(max(0, index - 8), index + 8)
    what = f"{stored[around]!r} is stored, {written[around]!r} was written"
    return f"one bit of byte {index} differs: {what}"
