"""Is the ledger what was written? If not, the first thing that is wrong.

Where a row does not have the hash that it should have, the stored hash still says what the row was.
So a guess at the column can be checked with certainty: change the row back in one place, and see
whether the hash fits. Tried are the numbers that are known from the rows before, a hash that was
changed itself, and every single bit of every column.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from riverboat.ledger.chain import (
    BEGINNING,
    ChainBroken,
    Fault,
    Head,
    LedgerMisfit,
    StoredRow,
    hash_of,
)
from riverboat.ledger.heads import is_signed
from riverboat.ledger.ledger import Ledger
from riverboat.ledger.store import SignedHead, Snapshot

Progress: TypeAlias = Callable[[int], None]
TAIL: Final = 1_000
MOST_BYTES: Final = 200_000_000
"""How much hashing a search may cost: some tenths of a second."""
DESCRIPTION: Final = "{place}: schema {schema}, {rows} rows, the last {tail} verified, head {head}"


class Verdict(NamedTuple):
    """What a verification saw: how far it got, and what stopped it."""

    head: Head
    streams: int
    heads: int
    """How many signed or printed heads the ledger was held against."""
    fault: Fault | None
    given: int = 0
    """Of these, so many were kept elsewhere: who forges a ledger removes those that lie in it."""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return self.fault is None


class Chain:
    """Follows a chain row by row. Kept apart from where the rows come from: a file, a database."""

    def __init__(self, heads: Iterable[Head] = ()) -> None:
        self.seq = 0
        self.hash = BEGINNING
        self.versions: dict[bytes, int] = {}
        self._heads = {0: BEGINNING}
        self._promised: dict[int, bytes] = {}
        self._contradicted: Fault | None = None
        for head in heads:
            if self._promised.setdefault(head.seq, head.hash) != head.hash:
                what = "two heads that were given name this row with different hashes"
                self._contradicted = Fault(head.seq, "hash", what)
        if self._promised.pop(0, BEGINNING) != BEGINNING:
            self._contradicted = Fault(0, "hash", "a head of an empty ledger has another hash")

    def follow(self, chunk: Sequence[StoredRow]) -> Fault | None:
        """Go on with the next rows; the first one that does not follow."""
        if self._contradicted:
            return self._contradicted
        versions, promised = self.versions, self._promised
        seq, last_hash = self.seq, self.hash
        for row in chunk:
            seq += 1
            version = versions.get(row[1], 0) + 1
            if row[0] != seq or row[2] != version or hash_of(last_hash, row) != row[8]:
                return self._misfit(StoredRow._make(row), version)
            if seq in promised and promised[seq] != row[8]:
                return self._rewritten(seq)
            versions[row[1]] = version
            last_hash = row[8]
            self.seq, self.hash = seq, last_hash
        return None

    def end(self) -> Fault | None:
        """What is missing at the end."""
        if self._contradicted:
            return self._contradicted
        if beyond := [seq for seq in self._promised if seq > self.seq]:
            what = f"the ledger ends at row {self.seq}, but a head was given for row {max(beyond)}"
            return Fault(self.seq + 1, "", f"missing: {what}: the end was cut off")
        return None

    def _misfit(self, row: StoredRow, version: int) -> Fault:
        seq = self.seq + 1
        if fault := _wrong_kind(row):
            return fault._replace(seq=seq)
        if row.seq < seq:
            what = f"stands where row {seq} is expected: numbers begin with 1, and each comes once"
            return Fault(row.seq, "seq", what)
        if hash_of(self.hash, row) == row.hash and row.seq == seq:
            name = row.stream.decode(errors="replace")
            what = f"{name} goes on at version {row.version}; expected is {version}"
            return Fault(seq, "version", what)
        if row.seq > seq and hash_of(self.hash, row._replace(seq=seq)) != row.hash:
            return Fault(seq, "seq", f"missing: row {row.seq} follows row {self.seq}")
        return _pinpointed(self.hash, row, seq, version)

    def _rewritten(self, seq: int) -> Fault:
        sound = max((kept for kept in self._promised if kept < seq), default=0)
        what = (
            f"the chain is consistent, but not the one of the head that was given for row {seq}: "
            f"something from row {sound + 1} to row {seq} was rewritten"
        )
        return Fault(seq, "hash", what)


def verify(
    ledger: Ledger,
    heads: Sequence[Head | SignedHead] = (),
    *,
    public_key: bytes | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Recompute everything, and hold it against heads that were signed or printed.

    With a `public_key`, every signed head must be signed by that key; without one, only that it is
    signed by the key that it names, which somebody who rewrites all can arrange.
    """
    with ledger.snapshot() as snapshot:
        stored = snapshot.signed_heads()
        signed = [*stored, *(head for head in heads if isinstance(head, SignedHead))]
        promised = [head.head for head in signed] + [h for h in heads if isinstance(h, Head)]
        chain = Chain(promised)
        fault = (
            _first_fault(chain, snapshot, progress)
            or _badly_signed(stored, signed, public_key)
            or _damage(snapshot, chain)
        )
    end, streams = Head(chain.seq, chain.hash), len(chain.versions)
    return Verdict(end, streams, len(promised), fault, len(heads))


def verify_tail(ledger: Ledger, count: int = TAIL) -> Verdict:
    """Recompute the last rows only: for a start that must not take long."""
    # Asked before the snapshot is taken, which then has this row in any case.
    first = max(0, ledger.head().seq - count)
    with ledger.snapshot() as snapshot:
        chain = Chain()
        if first:
            before = snapshot.row(first)
            if before is None:
                return Verdict(Head(0, BEGINNING), 0, 0, Fault(first, "seq", "missing"))
            chain.seq, chain.hash = before.seq, before.hash
        fault = None
        for chunk in _with_versions(snapshot.rows(first), chain):
            fault = fault or chain.follow(chunk)
    return Verdict(Head(chain.seq, chain.hash), len(chain.versions), 0, fault)


def check(verdict: Verdict) -> Verdict:
    """Raise ChainBroken unless nothing is wrong."""
    if verdict.fault is not None:
        raise ChainBroken(verdict.fault)
    return verdict


class SelfCheck(NamedTuple):
    """What a program found of its ledger before it opened the doors, for the log and first page."""

    place: str
    schema: int
    head: Head
    tail: int
    signed_heads: int

    def __str__(self) -> str:
        return DESCRIPTION.format(
            place=self.place, schema=self.schema, rows=self.head.seq, tail=self.tail, head=self.head
        )


def self_check(ledger: Ledger, tail: int = TAIL) -> SelfCheck:
    """Durability, the chain's tail, the newest signed head: raises where one is wrong."""
    if weakness := ledger.store.weakness():
        what = f"{weakness}: what it confirms may be lost when the power fails"
        raise LedgerMisfit("ledger.not_durable", what)
    verdict = check(verify_tail(ledger, tail))
    with ledger.snapshot() as snapshot:
        heads = snapshot.signed_heads()
        if heads:
            newest = heads[-1]
            row = snapshot.row(newest.seq)
            if newest.seq and (row is None or row.hash != newest.hash):
                what = f"signed head {newest.number} says otherwise: cut off or rewritten"
                raise ChainBroken(Fault(newest.seq, "hash", what))
            if not is_signed(newest):
                what = f"signed head {newest.number}: the signature does not fit"
                raise ChainBroken(Fault(newest.seq, "", what))
    return SelfCheck(
        ledger.store.name,
        ledger.store.schema(),
        verdict.head,
        min(tail, verdict.head.seq),
        len(heads),
    )


def _first_fault(chain: Chain, snapshot: Snapshot, progress: Progress | None) -> Fault | None:
    for chunk in snapshot.rows():
        if fault := chain.follow(chunk):
            return fault
        if progress is not None:
            progress(chain.seq)
    return chain.end()


def _with_versions(
    chunks: Iterator[list[StoredRow]], chain: Chain
) -> Iterator[Sequence[StoredRow]]:
    """A stream that began before the tail is taken at its word for its first row there."""
    for chunk in chunks:
        for row in chunk:
            if row[1] not in chain.versions and isinstance(row[2], int):
                chain.versions[row[1]] = row[2] - 1
        yield chunk


def _badly_signed(
    stored: Sequence[SignedHead], signed: Sequence[SignedHead], public_key: bytes | None
) -> Fault | None:
    for number, head in enumerate(stored, start=1):
        if head.number != number:
            return Fault(head.seq, "", f"signed head {number} is missing: {head.number} follows")
    for head in signed:
        where = f"signed head {head.number}"
        if not is_signed(head):
            return Fault(head.seq, "", f"{where}: the signature does not fit")
        if public_key is not None and head.public_key != public_key:
            return Fault(head.seq, "", f"{where} is signed by another key than the one given")
    return None


def _damage(snapshot: Snapshot, chain: Chain) -> Fault | None:
    found = snapshot.damage()
    return (
        Fault(chain.seq, "", f"the rows are right, the database file is not: {found}")
        if found
        else None
    )


def _wrong_kind(row: StoredRow) -> Fault | None:
    """Something that is no number or no text where there should be one."""
    for column, value in zip(StoredRow._fields, row, strict=True):
        expected = int if column in ("seq", "version", "recorded_at") else bytes
        if not isinstance(value, expected):
            what = f"holds a {type(value).__name__}, {expected.__name__} is expected"
            return Fault(row.seq, column, what)
    return None


class _Guess(NamedTuple):
    column: str
    row: StoredRow
    message: str


def _pinpointed(previous: bytes, row: StoredRow, seq: int, version: int) -> Fault:
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
