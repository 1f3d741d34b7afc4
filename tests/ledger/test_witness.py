"""Heads in a second place: a lost end, an older copy, a replaced file and a rewritten ledger are
noticed; and a witness that keeps the heads of others."""

import os
import shutil
import socket
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from riverboat.core.errors import NotationError
from riverboat.ledger import (
    ChainBroken,
    FileWitness,
    Head,
    HeadKeeper,
    Ledger,
    LedgerMisfit,
    LedgerUnavailable,
    SigningKey,
    WitnessServer,
    open_ledger,
    show_signed_head,
    witness_at,
)
from riverboat.ledger import witness as witnesses
from riverboat.ledger.heads import sign_now
from riverboat.ledger.store import Request
from riverboat.ledger.witness import (
    MOST_AT_ONCE,
    MOST_CONNECTIONS,
    MOST_NEW,
    MOST_OF_ADDRESS,
    SILENT_DAYS,
    HttpWitness,
    Witness,
)
from tests.ledger.writing import command, fill, to

DAY = 86_400
KEY = SigningKey(b"a key of the tests, 32 bytes lo!")


def keeper(ledger: Ledger, *kept: Witness) -> HeadKeeper:
    """Signs for these."""
    return HeadKeeper(ledger, KEY, kept)


@contextmanager
def serving(folder: Path) -> Iterator[WitnessServer]:
    """A witness on this machine."""
    with WitnessServer("127.0.0.1", 0, folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def address(server: WitnessServer) -> str:
    """Where it listens."""
    return f"http://127.0.0.1:{server.server_address[1]}"


def test_an_older_copy_is_noticed(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.db", tmp_path / "copy.db"
    witness = FileWitness(tmp_path / "elsewhere" / "heads")
    with open_ledger(path) as ledger:
        fill(ledger, 3)
    shutil.copy(path, copy)
    with open_ledger(path) as ledger:
        heads = keeper(ledger, witness)
        ledger.append(command("later"), to("table:1"))
        heads.sign(at=5 * DAY)
        assert heads.require_as_seen() == []
        seen = ledger.head()
    with open_ledger(copy) as ledger:
        with pytest.raises(ChainBroken) as broken:
            keeper(ledger, witness).require_as_seen()
        assert broken.value.fault.seq == seen.seq
        assert "its end was lost, or it is an older copy" in str(broken.value)
        ledger.append(command("another way"), to("table:1"))
        with pytest.raises(ChainBroken, match="rewritten, or it is another one"):
            keeper(ledger, witness).require_as_seen()
        with pytest.raises(ChainBroken):
            keeper(ledger, witness).sign(at=6 * DAY)


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize("asked", [False, True])
def test_an_older_copy_that_outgrows_what_was_seen_is_noticed_all_the_same(
    tmp_path: Path, *, remote: bool, asked: bool
) -> None:
    """A floor that takes no command lets people in, which is on record; and a witness that was away
    when it started is handed heads later. Neither takes the place of what was seen."""
    path, copy = tmp_path / "a.db", tmp_path / "copy.db"
    with serving(tmp_path / "kept") as server:
        far = witness_at(address(server)) if remote else FileWitness(tmp_path / "b" / "heads")
        with open_ledger(path) as ledger:
            fill(ledger, 3)
        shutil.copy(path, copy)
        with open_ledger(path) as ledger:
            heads = keeper(ledger, far)
            ledger.append(command("later"), to("table:1"))
            heads.sign(at=5 * DAY)
            seen = far.seen(KEY.public_key)
        with open_ledger(copy) as ledger:
            heads = keeper(ledger, far)
            if asked:
                with pytest.raises(ChainBroken):
                    heads.require_as_seen()
            for number in range(5):
                if asked:
                    ledger.append(command(f"another way {number}"), to("table:1"))
                else:
                    ledger.store.append([Request(command(f"far {number}"), [to("table:1")])])
            for _ in range(2):
                with pytest.raises(ChainBroken, match="rewritten, or it is another one"):
                    heads.sign(at=6 * DAY)
            assert far.seen(KEY.public_key) == seen
            with pytest.raises(ChainBroken):
                keeper(ledger, far).require_as_seen()


def test_a_lost_end_is_noticed_to_the_row_between_two_signatures(tmp_path: Path) -> None:
    """The last head that was acknowledged is on record at every commit."""
    path, copy = tmp_path / "a.db", tmp_path / "copy.db"
    witness = FileWitness(tmp_path / "elsewhere" / "heads")
    with open_ledger(path) as ledger:
        keeper(ledger, witness).sign(at=DAY)
        fill(ledger, 3)
        before = ledger.head()
        with sqlite3.connect(path) as db, sqlite3.connect(copy) as other:
            db.backup(other)
        ledger.append(command("the last one"), to("table:1"))
        assert witness.seen(b"") == [ledger.head()]
    with open_ledger(copy) as ledger:
        assert ledger.head() == before
        with pytest.raises(ChainBroken, match=f"row {before.seq + 1} .* ends at row {before.seq}"):
            keeper(ledger, witness).require_as_seen()


def test_what_is_acknowledged_again_is_remembered_and_nothing_older_takes_its_place(
    tmp_path: Path,
) -> None:
    """Whoever was cut off hears of his row only when he asks again, perhaps of another process."""
    path, place = tmp_path / "a.db", tmp_path / "heads"
    with open_ledger(path) as unheard:
        unheard.append(command("first"), to("table:1"))
        unheard.append(command("unheard"), to("table:1"))
        last = unheard.head()
    with open_ledger(path) as ledger:
        keeper(ledger, FileWitness(place))
        assert ledger.append(command("unheard"), to("table:1")).repeated
        assert FileWitness(place).seen(b"") == [last]
    with open_ledger(path) as ledger:
        keeper(ledger, FileWitness(place))
        assert ledger.recall(command("first"))
        assert FileWitness(place).seen(b"") == [last]


def test_a_tail_of_the_log_that_is_lost_is_noticed(tmp_path: Path) -> None:
    """A flipped bit in SQLite's log drops what comes after it, and SQLite says nothing."""
    path = tmp_path / "a.db"
    witness = FileWitness(tmp_path / "elsewhere" / "heads")
    with open_ledger(path) as ledger:
        keeper(ledger, witness)
        fill(ledger, 3)
        for name in ("a.db", "a.db-wal"):
            shutil.copy(tmp_path / name, tmp_path / name.replace("a.db", "b.db"))
        end = ledger.head()
    log = bytearray((tmp_path / "b.db-wal").read_bytes())
    log[-2_000] ^= 1
    (tmp_path / "b.db-wal").write_bytes(log)
    with open_ledger(tmp_path / "b.db") as ledger:
        assert ledger.head().seq < end.seq, "the bit must have dropped something"
        with pytest.raises(ChainBroken, match="its end was lost"):
            keeper(ledger, witness).require_as_seen()


def test_a_day_is_signed_once_in_the_ledger_itself(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "a.db") as ledger:
        heads = keeper(ledger)
        heads.sign(at=DAY)
        fill(ledger, 2)
        for at in (DAY + 1, DAY + 60, 2 * DAY - 1, 2 * DAY, 2 * DAY + 60):
            heads.sign(at=at)
        ledger.append(command("tomorrow"), to("table:1"))
        for at in (2 * DAY + 120, 3 * DAY):
            heads.sign(at=at)
        again = keeper(ledger)
        again.sign(at=3 * DAY + 60)
        with ledger.snapshot() as snapshot:
            signed = snapshot.signed_heads()
        assert [head.signed_at for head in signed] == [DAY + 1, 2 * DAY + 120]


def test_half_a_line_and_an_empty_file_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "heads"
    witness = FileWitness(path)
    assert witness.seen(b"") == []
    witness.keep(sign_now(Head(7, b"7" * 32), KEY, at=1))
    with path.open("a") as file:
        file.write('{"number":0,"seq":8,"ha')
    assert witness.seen(b"") == [Head(7, b"7" * 32)]
    (tmp_path / "heads.last").write_text("not a head")
    assert witness.seen(b"") == [Head(7, b"7" * 32)]


def test_a_witness_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "MOST_BYTES", 5_000)
    witness = FileWitness(tmp_path / "heads")
    for seq in range(1, 200):
        witness.keep(sign_now(Head(seq, bytes([seq]) * 32), KEY, at=seq))
        assert (tmp_path / "heads").stat().st_size < 6_000
    assert witness.seen(b"")[0].seq == 199
    assert (tmp_path / "heads").stat().st_mode & 0o077 == 0


def test_a_full_disk_of_the_witness_does_not_keep_a_ledger_from_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with open_ledger(tmp_path / "a.db") as ledger:
        heads = keeper(ledger, FileWitness(tmp_path / "heads"))
        monkeypatch.setattr(os, "pwrite", full)
        assert ledger.append(command("a"), to("table:1")).rows
        monkeypatch.setattr(witnesses, "_append", full)
        with pytest.raises(LedgerUnavailable, match="No space left"):
            heads.sign(at=DAY)


# ---------------------------------------------------------------- a witness elsewhere


def test_a_witness_keeps_what_it_is_told_and_nothing_goes_back(tmp_path: Path) -> None:
    with serving(tmp_path / "kept") as server, open_ledger(tmp_path / "a.db") as ledger:
        witness = witness_at(address(server))
        heads = keeper(ledger, witness)
        assert heads.require_as_seen() == []
        fill(ledger, 2)
        heads.sign(at=DAY)
        heads.sign(at=DAY + 60)
        assert witness.seen(KEY.public_key) == [ledger.head()]
        end = ledger.head()
        with pytest.raises(ChainBroken, match="is behind it"):
            witness.keep(sign_now(Head(end.seq - 1, b"x" * 32), KEY, at=DAY))
        with pytest.raises(ChainBroken, match="another row"):
            witness.keep(sign_now(Head(end.seq, b"x" * 32), KEY, at=DAY))
        assert witness.seen(KEY.public_key) == [end]
    with open_ledger(tmp_path / "b.db") as other, serving(tmp_path / "kept") as server:
        fill(other, 1)
        with pytest.raises(ChainBroken):
            keeper(other, witness_at(address(server))).require_as_seen()


def test_a_witness_believes_signatures_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as server:
        witness = witness_at(address(server))
        good = sign_now(Head(5, b"5" * 32), KEY, at=DAY)
        with pytest.raises(LedgerUnavailable, match="400 the signature does not fit"):
            witness.keep(good._replace(seq=6))
        assert witness.seen(KEY.public_key) == []
        for body in (b"", b"{}", b"x" * 5_000, show_signed_head(good).encode()[:-2]):
            request = urllib.request.Request(f"{address(server)}/heads", data=body)
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=5)
            assert refused.value.code == 400
            refused.value.close()
        for path in ("/", "/heads/../x", "/heads/" + "g" * 64):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{address(server)}{path}", timeout=5)
            assert refused.value.code == 404
            refused.value.close()
        monkeypatch.setattr(witnesses, "MOST_LEDGERS", 1)
        witness.keep(good)
        another = SigningKey(b"another key of the tests, 32 by!")
        with pytest.raises(LedgerUnavailable, match="503 1 ledgers are watched"):
            witness.keep(sign_now(Head(5, b"5" * 32), another, at=DAY))
        assert witness.seen(KEY.public_key) == [good.head]


def test_who_sends_byte_by_byte_keeps_nobody_from_a_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as it works on at a time send a byte now and then: a head is kept meanwhile, and they
    are let go after the time that a whole request has."""
    monkeypatch.setattr(witnesses, "SECONDS", 1.5)
    begun = b"POST /heads HTTP/1.1\r\nContent-Length: 4000\r\n\r\n"
    with serving(tmp_path) as server:
        slow = [
            socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(MOST_AT_ONCE)
        ]
        over = threading.Event()

        def dribble() -> None:
            while not over.wait(0.1):
                for one in slow:
                    with suppress(OSError):
                        one.sendall(b"x")

        for one in slow:
            one.sendall(begun)
        sending = threading.Thread(target=dribble)
        sending.start()
        try:
            began = time.monotonic()
            witness_at(address(server)).keep(sign_now(Head(5, b"5" * 32), KEY, at=DAY))
            assert time.monotonic() - began < 1
            for one in slow:
                one.settimeout(10)
                with suppress(ConnectionError):
                    assert one.recv(1) == b"", "it was waited for byte by byte"
            assert time.monotonic() - began < 5
        finally:
            over.set()
            sending.join()
            for one in slow:
                one.close()


def test_a_witness_has_so_many_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        far, near = ("2001:db8::1", 1), ("127.0.0.1", 1)
        assert all(server.verify_request(None, far) for _ in range(MOST_OF_ADDRESS))
        assert not server.verify_request(None, ("2001:db8::2", 1)), "one household"
        left = MOST_CONNECTIONS - MOST_OF_ADDRESS
        assert all(server.verify_request(None, near) for _ in range(left))
        assert not server.verify_request(None, ("203.0.113.9", 1))
        with pytest.raises(LedgerUnavailable, match="does not answer"):
            witness_at(address(server)).seen(KEY.public_key)
        server._connected.clear()
        for _ in range(3):
            assert witness_at(address(server)).seen(KEY.public_key) == []
        deadline = time.monotonic() + 5
        while server._connected.total() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not server._connected, "who is gone is not counted"


def test_a_stranger_does_not_fill_a_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def body(number: int, seq: int = 5) -> bytes:
        key = SigningKey(number.to_bytes(32))
        return show_signed_head(sign_now(Head(seq, b"5" * 32), key, at=DAY)).encode()

    now = [time.time()]
    monkeypatch.setattr("riverboat.ledger.witness.time.time", lambda: now[0])
    with WitnessServer("127.0.0.1", 0, tmp_path) as server:
        for number in range(MOST_NEW):
            server.kept(body(number), "203.0.113.9")
        with pytest.raises(LedgerMisfit, match="10 ledgers of this address are new already"):
            server.kept(body(MOST_NEW), "203.0.113.9")
        server.kept(body(0, 6), "203.0.113.9")
        server.kept(body(MOST_NEW), "203.0.113.8")
        now[0] += DAY
        server.kept(body(MOST_NEW + 1), "203.0.113.9")
        monkeypatch.setattr(witnesses, "MOST_LEDGERS", MOST_NEW + 2)
        with pytest.raises(LedgerMisfit, match="are watched already"):
            server.kept(body(99), "203.0.113.7")
        silent = server.of(SigningKey((3).to_bytes(32)).public_key)._path
        os.utime(silent, (now[0] - SILENT_DAYS * DAY, now[0] - SILENT_DAYS * DAY))
        server.kept(body(99), "203.0.113.7")
        assert not silent.exists()
        assert len(list(tmp_path.iterdir())) == MOST_NEW + 2
    assert MOST_NEW * SILENT_DAYS < 1_000, "so many an address brings before the first may go"


def test_a_witness_that_is_away_stops_nobody_and_is_told_of(tmp_path: Path) -> None:
    with serving(tmp_path / "kept") as server:
        gone = witness_at(address(server))
    near = FileWitness(tmp_path / "heads")
    with open_ledger(tmp_path / "a.db") as ledger:
        fill(ledger, 1)
        heads = keeper(ledger, gone, near)
        assert "does not answer" in heads.require_as_seen()[0]
        with pytest.raises(LedgerUnavailable, match="does not answer"):
            heads.sign(at=DAY)
        assert near.seen(b"") == [ledger.head()], "the other one has heard of it"


@pytest.mark.parametrize("url", ["ftp://x", "http://", "http://a b", "https:///x"])
def test_what_is_no_address_of_a_witness_is_refused(url: str) -> None:
    with pytest.raises(NotationError):
        HttpWitness(url)


# ---------------------------------------------------------------- a file that is not the same


def removed(path: Path) -> None:
    path.unlink()


def renamed(path: Path) -> None:
    path.rename(path.with_name("renamed.db"))


def replaced(path: Path) -> None:
    copy = path.with_name("copy.db")
    with sqlite3.connect(path) as db, sqlite3.connect(copy) as other:
        db.backup(other)
    os.replace(copy, path)


def log_removed(path: Path) -> None:
    path.with_name(path.name + "-wal").unlink()


@pytest.mark.parametrize("change", [removed, renamed, replaced, log_removed])
def test_a_file_that_is_no_longer_the_same_is_written_to_no_more(
    tmp_path: Path, change: object
) -> None:
    path = tmp_path / "a.db"
    with open_ledger(path) as ledger:
        fill(ledger, 2)
        assert callable(change)
        change(path)
        for attempt in ("a", "b"):
            with pytest.raises(LedgerUnavailable, match="removed, renamed or replaced") as told:
                ledger.append(command(attempt), to("table:1"))
            assert told.value.code == "ledger.replaced"


def test_a_file_that_is_put_back_is_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_ledger(path) as ledger:
        fill(ledger, 2)
        renamed(path)
        with pytest.raises(LedgerUnavailable):
            ledger.append(command("a"), to("table:1"))
        path.with_name("renamed.db").rename(path)
        assert not ledger.append(command("a"), to("table:1")).repeated


def test_a_file_that_goes_while_a_command_is_written_leaves_its_outcome_open(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.db"
    with open_ledger(path) as ledger:
        fill(ledger, 2)

        def decide(_: object) -> list[object]:
            removed(path)
            return [to("table:1")]

        with pytest.raises(LedgerUnavailable) as told:
            ledger.append_in_turn(command("a"), decide)  # type: ignore[arg-type]
        assert type(told.value).__name__ == "OutcomeUnknown"
