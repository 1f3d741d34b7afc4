"""Whatever is changed in a stored ledger, `verify` names it."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from riverboat.core.errors import RiverboatError
from riverboat.ledger import (
    Fault,
    Head,
    Ledger,
    SignedHead,
    SigningKey,
    open_ledger,
    parse_signed_head,
    self_check,
    show_signed_head,
    sign_head,
    verify,
)
from riverboat.ledger.chain import BEGINNING, COLUMNS, StoredRow, as_stored, hash_of
from riverboat.ledger.verify import Chain
from tests.conftest import Report
from tests.ledger.postgres_server import PostgresServer
from tests.ledger.tampering import (
    PostgresTamperer,
    SqliteTamperer,
    Tamperer,
    all_but_seq,
    flipped,
    hash_again,
    swap,
)
from tests.ledger.writing import command, fill, to

ROWS = 24
Tampered = Callable[[], AbstractContextManager[tuple[Tamperer, Ledger]]]


def fault_of(ledger: Ledger, *heads: Head | SignedHead, key: bytes | None = None) -> Fault:
    fault = verify(ledger, heads, public_key=key).fault
    assert fault is not None, "nobody noticed"
    return fault


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def tampered(request: pytest.FixtureRequest, tmp_path: Path) -> Tampered:
    """Makes a ledger of 24 rows, and gives somebody all rights on it."""
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("server")
        return lambda: on_postgres(server.new_place())
    with open_ledger(tmp_path / "original.db") as ledger:
        fill(ledger, ROWS // 2)
    return lambda: on_sqlite(tmp_path / "original.db", tmp_path / "copy.db")


@contextmanager
def on_sqlite(original: Path, copy: Path) -> Iterator[tuple[Tamperer, Ledger]]:
    shutil.copy(original, copy)
    with SqliteTamperer.of(copy) as tamperer, open_ledger(copy, create=False) as ledger:
        yield tamperer, ledger


@contextmanager
def on_postgres(url: str) -> Iterator[tuple[Tamperer, Ledger]]:
    with open_ledger(url) as ledger:
        fill(ledger, ROWS // 2)
        with PostgresTamperer.of(url) as tamperer:
            yield tamperer, ledger


# ---------------------------------------------------------------- one bit


def test_one_bit_in_any_column_of_any_row_is_named(tampered: Tampered, report: Report) -> None:
    rng = random.Random(1)
    count = 0
    with tampered() as (tamperer, ledger):
        assert verify(ledger).holds
        for row in tamperer.rows():
            for column in all_but_seq():
                written = getattr(as_stored(row), column)
                # The low bits of a byte: PostgreSQL stores no text that is not text.
                tamperer.change(
                    row.seq, column, flipped(written, rng.randrange(99) * 8 + rng.randrange(4))
                )
                fault = fault_of(ledger)
                assert (fault.seq, fault.column) == (row.seq, column), str(fault)
                tamperer.change(row.seq, column, written)
                count += 1
        assert verify(ledger).holds
    report(f"tampering: {count} single bits changed in stored rows, each named with its column")


def test_one_bit_in_a_number_is_named(tampered: Tampered) -> None:
    """The row is then missing at its place, or there are two rows at another."""
    with tampered() as (tamperer, ledger):
        for seq in range(1, ROWS + 1):
            for bit in (0, 2, 5, 39):
                stored = seq ^ 1 << bit
                tamperer.run(f"update entry set seq = {stored}, recorded_at = -1 where seq = {seq}")
                fault = fault_of(ledger)
                first = min(seq, stored)
                assert fault.seq in (first, first + 1), str(fault)
                assert fault.column in ("seq", ""), str(fault)
                tamperer.run(f"update entry set seq = {seq} where recorded_at = -1")
                tamperer.change(seq, "recorded_at", 1_700_000_000)
        assert verify(ledger).holds


def test_every_single_bit_of_a_row_is_named_with_what_was_written() -> None:
    row = StoredRow(1, "tä".encode(), 1, b"c-1", b"me", 70_000, b"{}", b'{"a":1}', b"")
    row = row._replace(hash=hash_of(BEGINNING, row))
    second = StoredRow(2, b"t", 1, b"c-2", b"me", 70_000, b"{}", b"[]", b"")
    second = second._replace(hash=hash_of(row.hash, second))
    assert Chain().follow([row, second]) is None
    for column in COLUMNS:
        written = getattr(row, column)
        for bit in range(40 if isinstance(written, int) else len(written) * 8):
            changed = StoredRow._make(
                flipped(written, bit) if name == column else getattr(row, name) for name in COLUMNS
            )
            fault = Chain().follow([changed, second])
            assert fault is not None
            if column == "seq":
                assert fault.seq in (0, 1, 2)
            else:
                assert (fault.seq, fault.column) == (1, column)
                was = written.hex() if column == "hash" else str(written)[2:5]
                assert isinstance(written, int) or was in fault.message


def test_one_bit_anywhere_in_the_file_is_noticed_or_makes_no_difference(
    tmp_path: Path, report: Report
) -> None:
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, 100)
        sign_head(ledger, SigningKey.kept_in(tmp_path / "key"), at=1)
        rows = list(ledger.read_all())
    original = (tmp_path / "ledger.db").read_bytes()
    rng = random.Random(2)
    noticed = same = 0
    for number in range(250):
        data = bytearray(original)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        copy = tmp_path / f"{number}.db"
        copy.write_bytes(data)
        try:
            with open_ledger(copy, create=False, read_only=True) as ledger:
                holds = verify(ledger).holds
                if holds:
                    assert list(ledger.read_all()) == rows, "changed, and nobody noticed"
                    assert [ledger.read(f"table:{n}") for n in range(3)] == [
                        [row for row in rows if row.stream == f"table:{n}"] for n in range(3)
                    ]
        except RiverboatError:
            holds = False
        noticed, same = noticed + (not holds), same + holds
        copy.unlink()
    report(f"tampering: of 250 bits anywhere in a file {noticed} noticed, {same} in free space")
    assert noticed > 60


# ---------------------------------------------------------------- rows


@pytest.mark.parametrize("seq", [1, 2, 12, 23])
def test_a_deleted_row_is_named(tampered: Tampered, seq: int) -> None:
    with tampered() as (tamperer, ledger):
        tamperer.run(f"delete from entry where seq = {seq}")
        fault = fault_of(ledger)
        assert (fault.seq, fault.column) == (seq, "seq")
        assert "missing" in fault.message


@pytest.mark.parametrize(("one", "other"), [(1, 2), (5, 6), (4, 21), (23, 24)])
def test_two_swapped_rows_are_named(tampered: Tampered, one: int, other: int) -> None:
    with tampered() as (tamperer, ledger):
        swap(tamperer, one, other, all_but_seq())
        assert fault_of(ledger).seq == one


@pytest.mark.parametrize("column", ["body", "recorded_at", "command", "actor"])
def test_two_swapped_values_are_named(tampered: Tampered, column: str) -> None:
    with tampered() as (tamperer, ledger):
        tamperer.change(9, column, 7 if column == "recorded_at" else b"something else")
        hash_again(tamperer)
        assert verify(ledger).holds
        swap(tamperer, 9, 17, [column])
        assert fault_of(ledger).seq == 9


def test_rows_added_at_the_end_without_a_hash_are_named(tampered: Tampered) -> None:
    with tampered() as (tamperer, ledger):
        tamperer.run(
            f"insert into entry select {ROWS + 1}, 'new', 1, 'new', actor, 0, '', '', hash"
            f" from entry where seq = {ROWS}"
        )
        assert fault_of(ledger).seq == ROWS + 1


@pytest.mark.parametrize("seq", [0, -5, -(2**63)])
def test_a_row_with_an_impossible_number_is_named(tampered: Tampered, seq: int) -> None:
    """Nobody who goes through the rows from 1 on would meet it; who reads its stream would."""
    with tampered() as (tamperer, ledger):
        tamperer.run(
            f"insert into entry select {seq}, stream, 99, 'new', actor, 0, '', '', hash from entry"
            " where seq = 5"
        )
        assert fault_of(ledger).seq == seq


def test_a_version_that_was_left_out_is_named_even_with_hashes_made_again(
    tampered: Tampered,
) -> None:
    with tampered() as (tamperer, ledger):
        tamperer.change(ROWS, "version", 99)
        hash_again(tamperer)
        fault = fault_of(ledger)
        assert (fault.seq, fault.column) == (ROWS, "version")


# ---------------------------------------------------------------- the end, and a rewritten history


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return SigningKey.kept_in(tmp_path / "day.key")


def test_a_cut_off_end_is_named_by_a_printed_or_a_signed_head(
    tampered: Tampered, key: SigningKey
) -> None:
    with tampered() as (tamperer, ledger):
        printed = Head.read(str(ledger.head()))
        signed = parse_signed_head(show_signed_head(sign_head(ledger, key, at=5)))
        tamperer.run(f"delete from entry where seq > {ROWS - 10}")
        for fault in (fault_of(ledger), fault_of(ledger, printed)):
            assert fault.seq == ROWS - 9
            assert "cut off" in fault.message
        with pytest.raises(RiverboatError, match="cut off"):
            self_check(ledger)
        tamperer.run("delete from signed_head")
        assert verify(ledger).holds, "without a head from elsewhere nobody can know"
        assert fault_of(ledger, printed).seq == ROWS - 9
        assert fault_of(ledger, signed, key=key.public_key).seq == ROWS - 9


def test_a_rewritten_tail_is_named_by_a_printed_or_a_signed_head(
    tampered: Tampered, key: SigningKey
) -> None:
    with tampered() as (tamperer, ledger):
        early = verify(ledger).head._replace(seq=10, hash=tamperer.rows()[9].hash)
        printed = ledger.head()
        signed = sign_head(ledger, key, at=5)
        tamperer.change(15, "body", b'[{"units":999999}]')
        hash_again(tamperer)
        tamperer.run("delete from signed_head")
        assert verify(ledger, [early]).holds, "the chain itself is consistent again"
        for heads in ([printed], [signed], [early, signed]):
            fault = fault_of(ledger, *heads)
            assert (fault.seq, fault.column) == (ROWS, "hash")
            assert "rewritten" in fault.message
        assert "from row 11 to row 24" in fault_of(ledger, early, signed).message


def test_heads_signed_again_by_another_key_are_named(
    tampered: Tampered, key: SigningKey, tmp_path: Path
) -> None:
    with tampered() as (tamperer, ledger):
        sign_head(ledger, key, at=5)
        assert verify(ledger, public_key=key.public_key).holds
        tamperer.change(15, "body", b"[]")
        hash_again(tamperer)
        tamperer.run("delete from signed_head")
        sign_head(ledger, SigningKey.kept_in(tmp_path / "forged.key"), at=5)
        assert verify(ledger).holds, "whoever names no key trusts any"
        assert "another key" in fault_of(ledger, key=key.public_key).message


@pytest.mark.parametrize(
    "change",
    [
        "signed_at = signed_at + 1",
        "signature = (select public_key from signed_head limit 1)",
        "seq = 12, hash = (select hash from entry where seq = 12)",
    ],
)
def test_a_changed_signed_head_is_named(tampered: Tampered, key: SigningKey, change: str) -> None:
    with tampered() as (tamperer, ledger):
        sign_head(ledger, key, at=5)
        tamperer.run(f"update signed_head set {change}")
        assert "signature" in fault_of(ledger).message


def test_a_signed_head_that_was_taken_out_is_named(tampered: Tampered, key: SigningKey) -> None:
    with tampered() as (tamperer, ledger):
        for at in (1, 2, 3):
            sign_head(ledger, key, at=at)
        tamperer.run("delete from signed_head where number = 2")
        assert "signed head 2 is missing" in fault_of(ledger).message


def test_an_index_that_lies_is_named(tmp_path: Path) -> None:
    """A row that the index does not have would be invisible to whoever reads its stream."""
    path = tmp_path / "ledger.db"
    with open_ledger(path) as ledger:
        fill(ledger, 10)
    db = sqlite3.connect(path, isolation_level=None)
    indexes = "select name, rootpage from sqlite_schema where name like 'sqlite_autoindex_entry%'"
    (one, one_page), (other, other_page) = db.execute(indexes).fetchall()
    db.execute("pragma writable_schema = on")
    db.execute("begin")
    for name, page in ((one, other_page), (other, one_page)):
        db.execute("update sqlite_schema set rootpage = ? where name = ?", (page, name))
    db.execute("commit")
    db.close()
    with open_ledger(path, create=False, read_only=True) as ledger:
        assert "database file" in fault_of(ledger).message


def test_heads_that_contradict_each_other_are_named(tampered: Tampered) -> None:
    with tampered() as (_, ledger):
        wrong = ledger.head()._replace(hash=bytes(32))
        assert "different hashes" in fault_of(ledger, ledger.head(), wrong).message
        assert "rewritten" in fault_of(ledger, wrong).message
        assert verify(ledger, [Head(0, BEGINNING)]).holds
        assert fault_of(ledger, Head(0, bytes(32))).seq == 0


def test_the_self_check_finds_a_changed_tail_and_leaves_the_rest_to_verify(
    tampered: Tampered,
) -> None:
    with tampered() as (tamperer, ledger):
        tamperer.change(20, "body", b"[]")
        with pytest.raises(RiverboatError) as broken:
            self_check(ledger, tail=10)
        assert broken.value.code == "ledger.broken"
        assert self_check(ledger, tail=3).tail == 3
        assert fault_of(ledger).seq == 20


def test_a_ledger_goes_on_after_it_was_verified(tmp_path: Path, key: SigningKey) -> None:
    seen: list[int] = []
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, 5)
        signed = sign_head(ledger, key, at=5)
        ledger.append(command(), to("table:1"))
        again = sign_head(ledger, key, at=6)
        verdict = verify(ledger, [signed, again], public_key=key.public_key, progress=seen.append)
    assert (verdict.holds, verdict.heads, verdict.head.seq, seen) == (True, 4, 11, [11])
