"""A secret that is lost costs rounds that were not over, and nothing else: every table goes on."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.controller.actions import VoidRound
from riverboat.core.errors import NotationError, Refused
from riverboat.floor.audit.auditing import Audit, audit
from riverboat.floor.audit.recovering import lost_with_secret, recover
from riverboat.floor.codec import TABLE, KeyLost, KeyReleased, lines_of
from riverboat.floor.floor import Floor
from riverboat.floor.replaying import replay_round
from riverboat.floor.secret import SECRETS, MasterSecret, floor_entries, opening_secret
from riverboat.ledger import ChainBroken, Command, Ledger, LedgerMisfit, Write, open_ledger
from riverboat.meter.books import reconcile
from riverboat.rulebooks import editions
from riverboat.table.actions import AbandonSealed, Confirm, Interrupt
from riverboat.web.demo.tables import open_demo_floor
from riverboat.web.read_model import ReadModel
from riverboat.web.server.serving import Address, house_at
from tests.floor.house import (
    BOLD,
    FLO,
    NOON,
    SECRET,
    SUE,
    House,
    RiggedFloor,
    TestClock,
    floor_on,
    folder_ledger,
    submitted,
)
from tests.ledger.postgres_server import PostgresServer

NEW = MasterSecret(b"a secret that goes on, 32 bytes!")
PEOPLE = (SUE, FLO)
STAGES = ("betting", "ready", "deciding", "settling", "void", "between")
LINKED = ("house-demo", "maryland-2014", "south-dakota-2011", "island-stud")


class NewFloor(RiggedFloor):
    """A floor with the secret that goes on."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, TestClock())
        Floor.__init__(self, ledger, editions(), NEW, clock=self.clock, package=self.package)


def play_until(house: House, table: str, stage: str) -> None:
    """One round to its end, and then as far as a stage of the next."""
    house.play(table, 1, BOLD)
    while not _is_at(house, table, stage):
        day = house.floor.station(table).day
        if stage == "void" and day.in_round and day.playing.phase == "deciding":
            _void(house, table)
        else:
            assert house.step(table, BOLD) is not None


def _is_at(house: House, table: str, stage: str) -> bool:
    day = house.floor.station(table).day
    if stage == "between":
        return not day.in_round and any(deck.sealed for deck in day.decks.values())
    if not day.in_round or not day.playing.seats:
        return False
    settled = bool(day.playing.settled) or stage != "settling"
    return day.playing.phase == stage and settled


def _void(house: House, table: str) -> None:
    if house.floor.station(table).link:
        house.ask(SUE, table, VoidRound(reason="a fire alarm", second=FLO))
        return
    house.ask(FLO, table, Interrupt(reason="a fire alarm"))
    said = house.floor.station(table).day.interrupted
    house.ask(FLO, table, Confirm(statement=said, decision="void", second=SUE))


class Night:
    """Tables of many rulebooks, each left at another stage of a round."""

    def __init__(self, ledger: Ledger, books: tuple[str, ...]) -> None:
        self.ledger, house = ledger, House(floor_on(ledger))
        self.stages = {f"{book} {stage}": stage for book in books for stage in STAGES}
        self.trays: dict[str, int] = {}
        for table, stage in self.stages.items():
            book = table.split()[0]
            link = book if book in LINKED else ""
            house.open_table(table, submitted(book, table, link))
            play_until(house, table, stage)
            self.trays[table] = _tray_before(house, table)


def _tray_before(house: House, table: str) -> int:
    """What lay in the tray before the round: nothing of a void one stays there."""
    floor = house.floor
    before = now = floor.new_station(table)
    for row in floor.ledger.read(TABLE + table):
        was, now = now, floor._remember_table(now, row)
        if not now.day.in_round or not was.day.in_round:
            before = now if not now.day.in_round else was
    return before.day.accounts.tray_cents


def verified(ledger: Ledger, secret: MasterSecret | None = None) -> Audit:
    found = audit(ledger, editions(), secret)
    assert found.holds, found.wrong
    return found


def require_all_goes_on(ledger: Ledger, night: Night) -> None:
    """Every table plays on with the new secret; meters and trays are exact."""
    house = House(NewFloor(ledger), (f"on {number}" for number in range(10**6)))
    for table, stage in night.stages.items():
        station = house.floor.station(table)
        assert not station.day.in_round
        assert not any(deck.sealed for deck in station.day.decks.values())
        assert station.day.accounts.tray_cents == night.trays[table], table
        if station.day.interrupted:
            said = station.day.interrupted
            house.ask(FLO, table, Confirm(statement=said, decision="resume"))
        if station.link:
            assert reconcile(house.floor.link(station.link)).balances, table
        assert stage in STAGES
        house.play(table, 1, BOLD)
    open_decks = verified(ledger).sealed
    assert set(open_decks) <= set(night.stages)
    found = verified(ledger, NEW)
    assert found.counts["secrets"] == 2
    assert found.counts["commitments lost"] >= len(night.stages) - 1
    assert found.sealed == {}


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    url = folder_ledger(tmp_path)
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("server")
        url = server.new_database()
    with open_ledger(url) as opened:
        yield opened


def test_every_table_goes_on_from_wherever_it_stood(ledger: Ledger) -> None:
    more = () if ledger.store.name.startswith("postgres") else ("iowa-catfish-bend", "island-stud")
    night = Night(ledger, ("maryland-2014", *more))
    rows = ledger.head().seq
    told = lost_with_secret(NewFloor(ledger))
    assert {one.table for one in told} == set(night.stages)
    assert ledger.head().seq == rows, "looking changes nothing"
    for one in told:
        stage = night.stages[one.table]
        assert (one.round == 2) == (stage != "between"), one
        assert (one.returned_cents > 0) == (stage not in ("between", "void")), one
    done = recover(NewFloor(ledger), PEOPLE, "the disk with the secret burnt")
    assert done == told
    first, last = floor_entries(ledger)
    assert (last.floor, last.by, last.second) == (first.floor, SUE, FLO)
    for one in told:
        lines = [line for row in ledger.read(TABLE + one.table) for line in lines_of(row.body)]
        gone = [line.commitment for line in lines if isinstance(line, KeyLost)]
        assert tuple(gone) == one.commitments
        freed = {line.commitment for line in lines if isinstance(line, KeyReleased)}
        assert freed.isdisjoint(gone)
        signed = night.stages[one.table] in ("deciding", "settling")
        assert ('"signed_by":["Sue","Flo"]' in ledger.read(TABLE + one.table)[-1].body) is signed
    require_all_goes_on(ledger, night)


def test_a_recovery_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    """Some tables are done and the ledger still knows the other secret; nobody can serve yet."""
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        night = Night(ledger, ("south-dakota-2011",))
        floor = NewFloor(ledger)
        told = lost_with_secret(floor)
        for one in told[:3]:
            ends = AbandonSealed(reason="half of it", first=SUE.name, second=FLO.name)
            floor.abandon_sealed(one.table, one.commitments, ends)
        with pytest.raises(LedgerMisfit) as refused:
            NewFloor(ledger).start()
        assert refused.value.code == "secret.other"
        verified(ledger)
        verified(ledger, SECRET)
        assert recover(NewFloor(ledger), PEOPLE, "the rest") == told[3:]
        assert recover(NewFloor(ledger), PEOPLE, "once more") == ()
        assert len(floor_entries(ledger)) == 2
        require_all_goes_on(ledger, night)


def test_cards_that_nobody_can_read_are_shown_to_nobody(tmp_path: Path) -> None:
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        Night(ledger, ("iowa-catfish-bend",))
        recover(NewFloor(ledger), PEOPLE, "lost")
        for secret in (NEW, None):
            replay_round(ledger, editions(), secret, "iowa-catfish-bend deciding", 1)
            with pytest.raises(NotationError, match="lost with the floor's secret") as refused:
                replay_round(ledger, editions(), secret, "iowa-catfish-bend deciding", 2)
            assert refused.value.code == "round.cards_lost"
        for wrong in (SECRET, MasterSecret(bytes(32))):
            with pytest.raises(LedgerMisfit) as refused_secret:
                audit(ledger, editions(), wrong)
            assert refused_secret.value.code == "secret.other"


def test_a_server_that_still_runs_takes_no_command_once_it_has_read_of_it(tmp_path: Path) -> None:
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        night = Night(ledger, ("iowa-catfish-bend",))
        running = floor_on(ledger)
        model = ReadModel(running)
        running.start()
        model.catch_up()
        recover(NewFloor(ledger), PEOPLE, "thought to be lost")
        model.catch_up()
        house = House(running, (f"old {number}" for number in range(10**6)))
        with pytest.raises(LedgerMisfit) as refused:
            house.play(next(iter(night.stages)), 1)
        assert refused.value.code == "secret.other"
        require_all_goes_on(ledger, night)


def test_it_takes_two_people(tmp_path: Path) -> None:
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        Night(ledger, ("iowa-catfish-bend",))
        rows = ledger.head().seq
        for people, reason in (((SUE, SUE), "lost"), ((FLO, SUE), "lost"), (PEOPLE, " ")):
            with pytest.raises(Refused):
                recover(NewFloor(ledger), people, reason)
        assert ledger.head().seq == rows


def forged(ledger: Ledger, target: Ledger, changes: dict[int, tuple[str, str]]) -> None:
    """The same rows in another ledger, some of them otherwise."""
    for row in ledger.read_all():
        old, new = changes.get(row.seq, ("", ""))
        assert old in row.body
        command = Command(
            id=row.command_id, actor=row.actor, recorded_at=row.recorded_at, text=row.command
        )
        body = row.body.replace(old, new, 1)
        target.append(command, Write(stream=row.stream, expected_version=None, body=body))


def test_a_recovery_that_was_none_is_not_true(tmp_path: Path) -> None:
    """One person alone, another floor, and a deck said to be lost that was opened."""
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        Night(ledger, ("iowa-catfish-bend",))
        recover(NewFloor(ledger), PEOPLE, "lost")
        last = ledger.read(SECRETS)[-1]
        lost = next(row for row in ledger.read_all() if '"line":"lost"' in row.body)
        given_up = lines_of(lost.body)[0].commitment  # type: ignore[union-attr]
        second = json.loads(last.body)["second"]
        changes = (
            (last.seq, (f'"second":{json.dumps(second, separators=(",", ":"))}', '"second":null')),
            (last.seq, (floor_entries(ledger)[0].floor, "0" * 32)),
            (lost.seq, (f'"commitment":{given_up}', '"commitment":1')),
        )
        for number, (seq, change) in enumerate(changes):
            with open_ledger(tmp_path / f"forged {number}.db") as target:
                forged(ledger, target, {seq: change})
                assert not audit(target, editions()).holds, change


def test_a_cut_by_a_word_that_was_lost_is_still_the_one_that_the_words_come_to(
    tmp_path: Path,
) -> None:
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        Night(ledger, ("iowa-catfish-bend",))
        recover(NewFloor(ledger), PEOPLE, "lost")
        rows = ledger.read(TABLE + "iowa-catfish-bend deciding")
        row = next(row for row in reversed(rows) if '"kind":"deck_cut"' in row.body)
        depth = re.search(r'"depth":(\d+)', row.body)
        assert depth is not None
        other = int(depth[1]) + (1 if int(depth[1]) < 30 else -1)
        with open_ledger(tmp_path / "forged.db") as target:
            forged(ledger, target, {row.seq: (depth[0], f'"depth":{other}')})
            found = audit(target, editions())
        assert not found.holds
        assert f"is {other}; the words that were told come to {depth[1]}" in str(found.wrong)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    status = run([*arguments, "--json"])
    out = capsys.readouterr().out
    return status, json.loads(out) if out else {}


def test_a_copy_from_before_a_recovery_takes_no_command_with_the_old_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The secret was found again, and with it an older copy; no floor was started in between."""
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    path, old = str(tmp_path / "floor.db"), tmp_path / "old.secret"
    house, _ = house_at(Address(database=path, secret=str(old)))
    house.floor.start()
    open_demo_floor(house.floor)
    assert house.floor.heads is not None
    house.floor.heads.sign(1)
    house.close()
    shutil.copy(path, tmp_path / "copy.db")
    people = ("--by", "Sue:supervisor", "--second", "Flo:floorperson", "--reason", "lost")
    new = ("--secret", str(tmp_path / "new.secret"))
    assert run(["ledger", "recover", "--database", path, *new, *people]) == 0
    shutil.copy(tmp_path / "copy.db", path)
    again, _ = house_at(Address(database=path, secret=str(old)))
    with pytest.raises(ChainBroken, match="its end was lost, or it is an older copy"):
        again.floor.start()
    again.close()


def test_recover_says_what_is_lost_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    url, secret = folder_ledger(tmp_path), tmp_path / "new secret"
    with open_ledger(url) as ledger:
        Night(ledger, ("iowa-catfish-bend",))
    status, found = told(capsys, "ledger", "recover", "--database", url)
    assert (status, found["recovered"]) == (0, False)
    assert len(found["lost"]) == len(STAGES)  # type: ignore[arg-type]
    assert run(["ledger", "recover", "--database", url, "--secret", str(secret)]) == 2
    people = ("--by", "Sue:supervisor", "--second", "Flo:floorperson", "--reason", "burnt")
    status, done = told(
        capsys, "ledger", "recover", "--database", url, "--secret", str(secret), *people
    )
    assert (status, done["recovered"], done["lost"]) == (0, True, found["lost"])
    assert run(["ledger", "recover", "--database", url]) == 0
    assert "nobody" not in capsys.readouterr().err
    with open_ledger(url) as ledger:
        opening_secret(secret, ledger, NOON)
    assert run(["verify", "--database", url, "--secret", str(secret)]) == 0
    assert sorted(file.name for file in tmp_path.glob("new*")) == ["new secret"]
