"""The contract on SQLite, and what is SQLite's own."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Timer

import pytest

from riverboat.cli import run
from riverboat.core.errors import NotationError
from riverboat.ledger import (
    ChainBroken,
    Ledger,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    open_ledger,
    verify,
)
from tests.ledger.contract import BESIDE, LedgerContract, Place
from tests.ledger.writing import command, fill, to


class TestSqlite(LedgerContract):
    """The contract."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> Place:
        numbers = count(1)
        return lambda: f"sqlite:///{tmp_path}/ledger {next(numbers)}?#.db"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, 4)
    return tmp_path / "ledger.db"


@pytest.mark.parametrize(
    "statement",
    [
        "update entry set body = 'x' where seq = 3",
        "delete from entry where seq = 8",
        "insert or replace into entry select * from entry where seq = 8",
        "replace into entry select 9, stream, version, command_id, actor, 0, '', '', hash"
        " from entry where seq = 8",
        "insert or replace into entry select 9, stream, version + 1, command_id, actor, 0, '', '',"
        " hash from entry where seq = 8",
        "insert into entry select 10, stream, version + 1, 'new', actor, 0, '', '', hash"
        " from entry where seq = 8",
        "insert into entry select 9, stream, version + 2, 'new', actor, 0, '', '', hash"
        " from entry where seq = 8",
        "insert into entry select 9, stream, 'one', 'new', actor, 0, '', '', hash"
        " from entry where seq = 8",
        "update signed_head set seq = 1",
        "insert or replace into signed_head values (1, 1, x'00', 1, x'00', x'00')",
        "delete from signed_head",
    ],
)
def test_the_database_itself_takes_nothing_but_the_next_row(path: Path, statement: str) -> None:
    db = sqlite3.connect(path)
    db.execute("insert into signed_head values (1, 8, x'00', 1, x'00', x'00')")
    db.commit()
    before = db.execute("select * from entry").fetchall()
    with pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    assert db.execute("select * from entry").fetchall() == before
    db.close()


def test_a_commit_is_synced_and_the_log_is_written_ahead(path: Path) -> None:
    with open_ledger(path) as ledger:
        ledger.append(command(), to("table:1"))
        writer = ledger.store._writer  # type: ignore[attr-defined]
        assert writer.execute("pragma synchronous").fetchone() == (2,)
        assert writer.execute("pragma journal_mode").fetchone() == ("wal",)
        strict = writer.execute("select name from pragma_table_list where strict").fetchall()
    assert {name for (name,) in strict} == {"entry", "signed_head", "schema_step", *BESIDE}


def test_only_its_owner_can_read_a_new_ledger(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_only_its_owner_can_read_a_backup_or_an_export(path: Path, tmp_path: Path) -> None:
    written = {name: tmp_path / name for name in ("backup.db", "export.jsonl", "copy.db")}
    before = os.umask(0)
    try:
        here = ("--database", str(path))
        assert run(["ledger", "backup", str(written["backup.db"]), *here]) == 0
        assert run(["ledger", "export", str(written["export.jsonl"]), *here]) == 0
        assert run(["ledger", "copy", str(written["copy.db"]), *here]) == 0
    finally:
        os.umask(before)
    for one in written.values():
        assert stat.S_IMODE(one.stat().st_mode) == 0o600, one.name


@contextmanager
def nobody_in_particular() -> Iterator[None]:
    """Somebody who may not write everywhere, whoever runs the tests."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def disc() -> Iterator[Path]:
    """A folder in which nothing can be written, on the way to which everybody may go."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def test_a_copy_that_may_only_be_read_is_verified(path: Path, disc: Path) -> None:
    with open_ledger(path) as ledger:
        for number in range(3):
            ledger.append(command(), to(f"table:{number}"))
        head = ledger.head()
    copy = disc / "floor.db"
    shutil.copy(path, copy)
    copy.chmod(0o444)
    disc.chmod(0o555)
    with nobody_in_particular():
        with pytest.raises(OSError, match="ermission denied"):
            (disc / "anything").touch()
        with open_ledger(copy, create=False, read_only=True) as read:
            assert verify(read).head == head
            with pytest.raises(LedgerError):
                read.append(command(), to("table:1"))
    assert [one.name for one in disc.iterdir()] == ["floor.db"], "nothing is left beside it"


@pytest.mark.parametrize("ends", [("", "-wal"), ("", "-wal", "-shm")], ids=["no shm", "shm"])
@pytest.mark.parametrize("where", ["the folder", "the files"])
def test_what_stands_in_the_log_of_a_read_only_copy_is_verified_too(
    path: Path, disc: Path, ends: tuple[str, ...], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = disc / "room"
    room.mkdir()
    room.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    copy = disc / "floor.db"
    with open_ledger(path) as ledger:
        for number in range(3):
            ledger.append(command(), to(f"table:{number}"))
        head = ledger.head()
        for end in ends:
            shutil.copy(f"{path}{end}", f"{copy}{end}")
            Path(f"{copy}{end}").chmod(0o444)
    assert Path(f"{copy}-wal").stat().st_size
    disc.chmod(0o555 if where == "the folder" else 0o777)
    copied: list[int] = []
    with nobody_in_particular():
        with open_ledger(copy, create=False, read_only=True) as read:
            assert verify(read).head == head
            copied += [one.stat().st_mode & 0o777 for one in room.rglob("ledger.db*")]
        with pytest.raises(LedgerError), open_ledger(copy, create=False) as written:
            written.append(command(), to("table:1"))
    assert all(mode == 0o600 for mode in copied)
    assert bool(copied) == (len(ends) == 2 and where == "the folder"), "only where it has to be"
    assert not any(room.iterdir()), "and it is removed afterwards"


def test_a_copy_is_not_read_while_somebody_writes_to_it(
    path: Path, disc: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = disc / "floor.db"
    with open_ledger(path) as ledger:
        ledger.append(command(), to("table:1"))
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{copy}{end}")
            Path(f"{copy}{end}").chmod(0o644)
    disc.chmod(0o555)
    stamps = count()
    monkeypatch.setattr("riverboat.ledger.sqlite._stamps", lambda path: [(next(stamps), 0)])
    with nobody_in_particular(), pytest.raises(LedgerMisfit, match="somebody writes") as refused:
        open_ledger(copy, create=False, read_only=True)
    assert refused.value.code == "ledger.read_only"


def test_a_ledger_of_a_newer_program_is_refused(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("insert into schema_step values (3, 'from the future', 'abc')")
    db.commit()
    db.close()
    with pytest.raises(LedgerMisfit, match="newer version") as refused:
        open_ledger(path)
    assert refused.value.code == "ledger.schema_too_new"


def test_a_ledger_that_went_another_way_is_refused(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("update schema_step set sha256 = 'abc'")
    db.commit()
    db.close()
    with pytest.raises(LedgerMisfit) as refused:
        open_ledger(path)
    assert refused.value.code == "ledger.schema_differs"


def test_something_else_than_a_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 1000)
    with pytest.raises(LedgerUnavailable, match="not a database"):
        open_ledger(tmp_path / "text")
    for address in ("mysql://x/y", "", "sqlite:///"):
        with pytest.raises(NotationError):
            open_ledger(address)
    with pytest.raises(LedgerUnavailable, match="No such file"):
        open_ledger(tmp_path / "no" / "folder" / "x.db")


HOLD_THE_LOCK = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("begin immediate")
print("held", flush=True)
sys.stdin.readline()
"""


def test_a_lock_that_another_program_keeps_is_named_in_time_and_got_over(path: Path) -> None:
    with open_ledger(path, patience_seconds=0.3) as ledger:
        other = subprocess.Popen(
            [sys.executable, "-c", HOLD_THE_LOCK, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert other.stdin
        assert other.stdout
        other.stdout.readline()
        begin = time.monotonic()
        with pytest.raises(LedgerUnavailable) as refused:
            ledger.append(command("a"), to("table:1"))
        assert refused.value.code == "ledger.busy"
        assert time.monotonic() - begin < 5
        assert ledger.head().seq == 8, "readers do not wait for a writer"
        other.communicate(b"\n")
        assert not ledger.append(command("a"), to("table:1")).repeated


def test_who_opens_a_new_file_waits_for_another_who_begins_with_it(tmp_path: Path) -> None:
    """SQLite answers "locked" at once, however patient, where the log is asked for and another
    has begun to write."""
    path = tmp_path / "new.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    with pytest.raises(LedgerUnavailable) as refused:
        open_ledger(path, patience_seconds=0.1)
    assert refused.value.code == "ledger.busy"
    letting_go = Timer(0.3, other.execute, ["rollback"])
    letting_go.start()
    with open_ledger(path, patience_seconds=30) as ledger:
        assert ledger.append(command("a"), to("table:1")).rows
    letting_go.join()
    other.close()


def test_rows_of_another_program_are_seen_before_the_next_is_chained(path: Path) -> None:
    with open_ledger(path) as one, open_ledger(path) as other:
        for number in range(5):
            writer: Ledger = (one, other)[number % 2]
            writer.append(command(), to("table:1", at=one.version("table:1")), to("meter:1"))
        assert verify(one).holds


def test_a_full_disk_is_an_outage_and_loses_nothing(path: Path) -> None:
    with open_ledger(path) as ledger:
        ledger.append(command("before"), to("table:1"))
        writer = ledger.store._writer  # type: ignore[attr-defined]
        pages = writer.execute("pragma page_count").fetchone()[0]
        writer.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(LedgerUnavailable, match="full"):
            ledger.append(command("big"), to("table:1", "x" * 100_000))
        # The connection was dropped, and with it the limit: the disk has room again.
        assert not ledger.append(command("big"), to("table:1", "x" * 100_000)).repeated
        assert verify(ledger).holds


def test_a_row_that_something_put_in_past_the_ledger_stops_it(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("drop trigger entry_is_next")
    db.execute(
        "insert into entry select 9, 'table:1', 50, 'new', '', 0, '', '', hash from entry limit 1"
    )
    db.commit()
    db.close()
    with open_ledger(path) as ledger:
        fault = verify(ledger).fault
        assert fault is not None
        assert fault.seq == 9


def test_a_table_that_refuses_the_next_row_is_reported_as_broken(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(
        "create trigger wall before insert on entry begin select raise(abort, 'a wall'); end"
    )
    db.commit()
    db.close()
    with open_ledger(path) as ledger:
        with pytest.raises(ChainBroken, match="a wall"):
            ledger.append(command(), to("table:1"))
        assert ledger.head().seq == 8
