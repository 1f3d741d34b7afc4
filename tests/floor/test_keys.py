"""The floor's secret: made by a floor that opens, and known to its ledger from then on."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.core.errors import NotationError
from riverboat.floor.codec import TABLE, KeyReleased, Keys, SealedEntry, lines_of
from riverboat.floor.floor import Floor
from riverboat.floor.secret import (
    SECRETS,
    MasterSecret,
    begin_floor,
    floor_entries,
    known_secret,
    master_secret,
    new_secret,
    opening_secret,
)
from riverboat.ledger import (
    Command,
    Ledger,
    LedgerMisfit,
    Write,
    backup_ledger,
    copy_ledger,
    open_ledger,
)
from riverboat.rulebooks import editions
from tests.floor.house import (
    NOON,
    SECRET,
    House,
    floor_on,
    folder_ledger,
    open_house,
    require_true,
    submitted,
)
from tests.ledger.postgres_server import PostgresServer

OTHER = MasterSecret(b"another floor's secret, 32 bytes")


def refusal_of(call: Callable[[], object]) -> str:
    with pytest.raises((NotationError, LedgerMisfit)) as refused:
        call()
    return refused.value.code


def test_reading_a_secret_that_is_not_there_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with pytest.raises(NotationError, match="No such file") as missing:
        master_secret(path)
    assert missing.value.code == "secret.file"
    assert not path.exists()


def test_a_file_that_is_no_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"short")
    with open_ledger(tmp_path / "floor.db") as ledger:
        assert refusal_of(lambda: master_secret(path)) == "secret.length"
        assert refusal_of(lambda: opening_secret(path, ledger, NOON)) == "secret.length"
        assert ledger.head().seq == 0


# ---------------------------------------------------------------- the first start, and every other


def test_a_floor_makes_its_secret_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with open_ledger(tmp_path / "floor.db") as ledger:
        made = opening_secret(path, ledger, NOON)
        assert path.stat().st_mode & 0o777 == 0o600
        kept = path.read_bytes()
        (entry,) = floor_entries(ledger)
        assert entry.secret == made.fingerprint(entry.floor)
        assert kept.hex() not in ledger.read(SECRETS)[0].body
        for again in (opening_secret(path, ledger, NOON), master_secret(path)):
            assert again.fingerprint("x") == made.fingerprint("x")
        assert ledger.head().seq == 1
    assert path.read_bytes() == kept
    assert sorted(file.name for file in tmp_path.glob("secret*")) == ["secret"]


def test_a_first_start_that_was_killed_anywhere_goes_on(tmp_path: Path) -> None:
    """Before the ledger knew the secret, and before the file had its name."""
    for number, began in enumerate((False, True)):
        path = tmp_path / f"secret {number}"
        with open_ledger(tmp_path / f"{number}.db") as ledger:
            waiting, made = new_secret(path)
            assert made
            if began:
                begin_floor(ledger, waiting, NOON)
            opened = opening_secret(path, ledger, NOON)
            assert opened.fingerprint("x") == waiting.fingerprint("x")
            assert len(floor_entries(ledger)) == 1
        assert path.exists()


def test_another_secret_or_none_is_refused_and_none_is_invented(tmp_path: Path) -> None:
    path, other = tmp_path / "secret", tmp_path / "other"
    with open_ledger(tmp_path / "floor.db") as ledger:
        opening_secret(path, ledger, NOON)
        other.write_bytes(bytes(32))
        assert refusal_of(lambda: opening_secret(other, ledger, NOON)) == "secret.other"
        path.unlink()
        assert refusal_of(lambda: opening_secret(path, ledger, NOON)) == "secret.missing"
        assert ledger.head().seq == 1
    assert [file.name for file in tmp_path.glob("secret*")] == []


def test_an_empty_ledger_beside_a_secret_is_refused_unless_a_floor_begins(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(bytes(range(32)))
    with open_ledger(tmp_path / "floor.db") as ledger:
        assert refusal_of(lambda: opening_secret(path, ledger, NOON)) == "secret.without_ledger"
        assert ledger.head().seq == 0
        opening_secret(path, ledger, NOON, new_floor=True)
        opening_secret(path, ledger, NOON)


def test_a_ledger_with_tables_and_no_word_of_a_secret_gets_none(tmp_path: Path) -> None:
    with open_house(tmp_path) as house, open_ledger(tmp_path / "cut.db") as cut:
        house.open_table("T", submitted("iowa-catfish-bend", "T"))
        rows = house.floor.ledger.read(TABLE + "T")
        for row in rows:
            command = Command(
                id=row.command_id, actor=row.actor, recorded_at=row.recorded_at, text=row.command
            )
            cut.append(command, Write(stream=row.stream, expected_version=None, body=row.body))
        path = tmp_path / "secret"
        assert refusal_of(lambda: opening_secret(path, cut, NOON)) == "secret.not_on_record"
        assert not path.exists()


def test_a_floor_with_another_secret_takes_no_command(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        house.open_table("T", submitted("iowa-catfish-bend", "T"))
        rows = house.floor.ledger.head().seq
        stranger = Floor(house.floor.ledger, editions(), OTHER, package=house.floor.package)
        for _ in range(2):
            assert refusal_of(lambda: House(stranger).play("T", 1)) == "secret.other"  # type: ignore[arg-type]
            assert refusal_of(stranger.start) == "secret.other"
        assert house.floor.ledger.head().seq == rows
        house.play("T", 1)
        require_true(house.floor.ledger)


def test_serve_says_what_is_wrong_with_a_secret_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before it listens, in words that say what to do; and the ledger is as it was."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path, other = tmp_path / "floor.db.secret", tmp_path / "other"
    with open_house(tmp_path) as house:
        house.open_table("T", submitted("iowa-catfish-bend", "T"))
        rows = house.floor.ledger.head()
    other.write_bytes(bytes(32))
    port = str(free_port())
    serve = ("serve", "--no-browser", "--port", port, "--database", folder_ledger(tmp_path))
    gone = ("serve", "--no-browser", "--port", port, "--database", f"{tmp_path}/gone.db")
    for arguments, said in (
        (serve, "floor.db.secret is not there, and this ledger's floor has a secret"),
        ((*serve, "--secret", str(other)), "this is another floor's secret"),
        ((*gone, "--secret", str(other)), "this ledger is empty"),
    ):
        assert run(list(arguments)) == 2
        told = capsys.readouterr().err
        assert said in told
        assert "Traceback" not in told
    assert not path.exists()
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        assert ledger.head() == rows


# ---------------------------------------------------------------- two who begin together


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new ledger on either database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/floor.db"
    server: PostgresServer = request.getfixturevalue("server")
    return server.new_database()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def begin_together(ledgers: list[Ledger], secrets: list[MasterSecret]) -> list[str]:
    """What each of them is told; empty for those who begin."""
    told = [""] * len(secrets)
    gate = threading.Barrier(len(secrets))

    def begin(n: int) -> None:
        gate.wait()
        try:
            begin_floor(ledgers[n], secrets[n], NOON)
        except LedgerMisfit as misfit:
            told[n] = misfit.code

    threads = [threading.Thread(target=begin, args=(n,)) for n in range(len(secrets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def test_of_two_secrets_on_one_new_ledger_one_begins(ledger_url: str) -> None:
    secrets = [MasterSecret(bytes([n]) * 32) for n in range(6)]
    ledgers = [open_ledger(ledger_url) for _ in secrets]
    told = begin_together(ledgers, secrets)
    assert sorted(told) == ["", *["secret.other"] * 5]
    assert len(floor_entries(ledgers[0])) == 1
    known_secret(ledgers[1], secrets[told.index("")])
    for ledger in ledgers:
        ledger.close()


def test_processes_with_one_secrets_file_begin_as_one_floor(
    ledger_url: str, tmp_path: Path
) -> None:
    path, gate = tmp_path / "secret", threading.Barrier(6)
    found: list[str] = []

    def start() -> None:
        with open_ledger(ledger_url) as ledger:
            gate.wait()
            found.append(opening_secret(path, ledger, NOON).fingerprint("x"))

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [master_secret(path).fingerprint("x")] * 6
    assert sorted(file.name for file in tmp_path.glob("secret*")) == ["secret"]


# ---------------------------------------------------------------- keys of this floor alone


def keys_in(ledger: Ledger, table: str) -> list[str]:
    lines = [line for row in ledger.read(TABLE + table) for line in lines_of(row.body)]
    return [line.key for line in lines if isinstance(line, KeyReleased)]


def sealed_in(ledger: Ledger, table: str) -> list[SealedEntry]:
    lines = [line for row in ledger.read(TABLE + table) for line in lines_of(row.body)]
    return [line for line in lines if isinstance(line, SealedEntry)]


def test_no_key_opens_a_deck_of_another_floor_or_of_a_restored_copy(tmp_path: Path) -> None:
    """One secret, two floors; and a backup that goes on beside the floor that it was taken of."""
    with open_house(tmp_path) as house:
        ledger = house.floor.ledger
        house.open_table("T", submitted("iowa-catfish-bend", "T"))
        house.play("T", 1)
        before = len(keys_in(ledger, "T"))
        backup_ledger(ledger, tmp_path / "copy.db")
        house.play("T", 3)
        with (
            open_ledger(tmp_path / "copy.db") as copy,
            open_ledger(tmp_path / "moved.db") as moved,
            open_ledger(tmp_path / "second.db") as second,
        ):
            copy_ledger(ledger, moved)
            assert floor_entries(moved) == floor_entries(ledger) == floor_entries(copy)
            require_true(moved)
            restored, other = House(floor_on(copy)), House(floor_on(second))
            restored.ids = (f"restored {n}" for n in range(10**6))
            restored.play("T", 3)
            other.open_table("T", submitted("iowa-catfish-bend", "T"))
            other.play("T", 4)
            assert floor_entries(second)[0].floor != floor_entries(ledger)[0].floor
            went_on = set(keys_in(ledger, "T")[before:])
            assert len(went_on) == 3
            assert went_on.isdisjoint(keys_in(copy, "T")[before:])
            assert set(keys_in(ledger, "T")).isdisjoint(keys_in(second, "T"))
            require_true(copy)
            require_true(second)


def test_a_key_is_of_its_floor_table_number_and_root() -> None:
    """And so is the mark of a command of its floor."""
    places = [("a", "T", 1, "r"), ("b", "T", 1, "r"), ("a", "U", 1, "r"), ("a", "T", 2, "r")]
    places += [("a", "T", 1, "s"), ("aT", "", 1, "r"), ("a", "T1", 1, "r")]
    keys = {SECRET.of(floor).key_of(table, n, root).text() for floor, table, n, root in places}
    keys.add(OTHER.of("a").key_of("T", 1, "r").text())
    assert len(keys) == len(places) + 1
    marks = {secret.of(floor).mark_of(b"ask") for secret in (SECRET, OTHER) for floor in "ab"}
    assert len(marks) == 4
    assert SECRET.fingerprint("a") != SECRET.fingerprint("b")


def test_the_keys_in_the_ledger_alone_open_what_is_over(tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        house.open_table("T", submitted("iowa-catfish-bend", "T"))
        house.play("T", 2)
        keys = Keys(house.floor.ledger, None)
        opened = [keys.opened("T", line) for line in sealed_in(house.floor.ledger, "T")]
        assert len([entry for entry in opened if entry is not None]) >= 4
