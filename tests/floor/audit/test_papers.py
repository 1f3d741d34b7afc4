"""Documents made by the command from a floor's ledger: what is on them, and what is refused."""

import json
import shutil
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from riverboat import __version__
from riverboat.cli import run
from riverboat.floor.books.accounting import Floorbook, keep_books
from riverboat.floor.disputes import decide_dispute, open_dispute
from riverboat.floor.starting import components
from riverboat.ledger import import_ledger, open_ledger
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from tests.documents.reading import pages_of, words_of
from tests.floor.house import DATE, FLO, SECRET, SUE, House, TestClock, floor_on

pytestmark = pytest.mark.slow

KINDS = {
    "win-page": ("--award", "T4/1/1"),
    "close-slip": ("--table", "T3"),
    "day-report": ("--day", DATE),
    "progressive-filing": ("--link", "delta"),
    "evidence": (),
}


@pytest.fixture(scope="module")
def closed(played: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The floor that was played, with the day of one table closed and its tray a dollar short."""
    path = tmp_path_factory.mktemp("closed") / "floor.db"
    shutil.copy(played.removeprefix("sqlite:///"), path)
    with open_ledger(path, create=False) as ledger:
        house = House(floor_on(ledger, TestClock(1_794_840_000)), (f"end {n}" for n in range(9)))
        house.ask(FLO, "T3", a.CloseTable())
        tray = house.floor.station("T3").day.accounts
        house.ask(FLO, "T3", a.Drop(cents=tray.in_box_cents))
        house.ask(FLO, "T3", a.CloseDay(tray_cents=tray.tray_cents - 1_00))
        open_dispute(house.floor, "disputed", FLO, "T2", 1, "a card was seen")
        open_dispute(house.floor, "disputed too", FLO, "T2", 2, "a card was seen")
        people = (SUE, FLO)
        decide_dispute(house.floor, "decided", people, "T2", 2, "stands", "the camera saw none")
    return f"sqlite:///{path}"


@pytest.fixture(scope="module")
def book(closed: str) -> Floorbook:
    with open_ledger(closed, create=False) as ledger:
        return keep_books(ledger, editions(), SECRET)


def printed(
    closed: str, folder: Path, capsys: pytest.CaptureFixture[str], kind: str, *more: str
) -> tuple[bytes, dict[str, object]]:
    """The file that the command wrote, and what it told of it."""
    file = folder / f"{kind}.out"
    asked = ["document", kind, "--database", closed, "--output", str(file), "--by", "Acc"]
    assert run([*asked, *KINDS[kind], *more, "--json"]) == 0
    return file.read_bytes(), json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", KINDS)
def test_every_document_bears_version_hashes_and_the_ledgers_head(
    closed: str, book: Floorbook, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    data, told = printed(closed, tmp_path, capsys, kind)
    assert told["sha256"] == sha256(data).hexdigest()
    assert (told["head"], told["version"]) == (str(book.head), __version__)
    table = {"win-page": "T4", "close-slip": "T3"}.get(kind, "T2")
    configuration = book.configurations[table]
    if kind == "evidence":
        with ZipFile(BytesIO(data)) as package:
            text = " ".join(package.read(name).decode() for name in package.namelist())
    else:
        assert told["pages"] == len(pages_of(data))
        text = words_of(data)
    assert f"riverboat {__version__}" in text
    assert components(editions()).program_sha256 in text
    assert str(book.head) in text
    assert configuration.rulebook_sha256 in text
    if kind != "day-report":
        assert configuration.sha256 in text


def test_the_day_report_has_what_the_game_manager_shows(
    closed: str,
    book: Floorbook,
    tmp_path: Path,
    secret_file: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, _ = printed(closed, tmp_path, capsys, "day-report", "--secret", str(secret_file))
    text = words_of(data)
    for (table, _), day in book.tables.items():
        assert f"{table} {day.rulebook} {day.rounds} {day.void_rounds} " in text
        assert f"{day.win_cents / 100:,.2f}".replace("-", "−") in text
    units = book.meters["delta"].link.meter.units
    assert f"Closing on the meter {units // 10_000 / 100:,.2f} 0.{units % 10_000:04}" in text
    assert "Table T3: the tray by the count is $1.00 less than by the entries" in text
    assert "rows are sealed" not in text
    assert "Adjusted (correction) by $0.123456 by Sue and Flo: a test of the sign" in text
    assert "Award T4/1/1 of" in text
    assert "Table T2: the dispute about round 1 is open" in text
    assert "the dispute about round 2" not in text
    assert "WARNING: its tables do not win it equally often." in text
    assert "1/649740 unless a fold loses it at T1, T4; 1/649740 at T2" in text
    assert "first amount $10,000.00, seed $10,000.00, wager $1.00, rate 21 %" in text


def test_what_is_still_sealed_is_an_open_item_of_the_day(
    closed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = printed(closed, tmp_path, capsys, "day-report")
    text = words_of(data)
    assert "rows are sealed, a round is not over; not in these figures" in text


def test_a_filing_lists_the_terms_the_equipment_and_every_chance(
    closed: str, book: Floorbook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = printed(closed, tmp_path, capsys, "progressive-filing")
    text = words_of(data)
    for words in (
        "First amount $10,000.00",
        "Reset amount (seed) $10,000.00",
        "Wager $1.00",
        "Rate of progression 21 % of each accepted wager",
        "Reserve rate 0 % of each accepted wager",
        "Limit none",
        "Royal flush 100% of meter 1 in 649,740.0 1/649740",
        "Straight flush 10% of meter 1 in 72,193.3 3/216580",
        "Three of a kind 9 for 1 1 in 47.3 88/4165",
        "A fold forfeits the wager.",
        "progressive",
    ):
        assert words in text, words
    for table in book.meters["delta"].link.members:
        assert f"Configuration {table} {book.configurations[table].sha256}" in text
    items = book.configurations["T2"].submission.equipment
    assert items
    assert all(one.item.replace("_", " ") in text for one in items)


def test_the_evidence_can_be_checked_by_somebody_else(
    closed: str, book: Floorbook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = printed(closed, tmp_path, capsys, "evidence")
    with ZipFile(BytesIO(data)) as package:
        files = {name: package.read(name) for name in package.namelist()}
    listed = [line.split("  ") for line in files.pop("SHA256SUMS").decode().splitlines()]
    assert {name: sha256(held).hexdigest() for name, held in files.items()} == {
        name: hashed for hashed, name in listed
    }
    assert json.loads(files["verification.json"])["holds"] is True
    for rulebook, (_, hashed) in editions().items():
        text = files.get(f"rulebooks/{rulebook}.toml")
        assert text is None or sha256(text).hexdigest() == hashed
    assert f"rulebooks/{book.configurations['T2'].book.id}.toml" in files
    assert json.loads(files["configurations/T2.json"])["sha256"] == book.configurations["T2"].sha256
    with open_ledger(tmp_path / "again.db") as again:
        assert import_ledger(again, BytesIO(files["ledger.jsonl"])) == book.head
    (tmp_path / "twice").mkdir()
    assert printed(closed, tmp_path / "twice", capsys, "evidence")[0] == data


def test_a_signed_head_is_printed_with_its_signature(
    closed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "signed.db"
    shutil.copy(closed.removeprefix("sqlite:///"), copy)
    here = ["--database", str(copy)]
    assert run(["ledger", "sign", *here, "--key", str(tmp_path / "key"), "--json"]) == 0
    signed = json.loads(capsys.readouterr().out)
    data, _ = printed(str(copy), tmp_path, capsys, "day-report")
    text = words_of(data)
    assert signed["signature"] in text
    assert signed["public_key"] in text
    assert f"head {signed['head']}" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("placard",), "placard is not built yet; there are: win-page, close-slip"),
        (("menu",), "no document 'menu'; there are: win-page, close-slip, day-report"),
        (("day-report",), "name a --database and an --output file"),
        (("day-report", "--database", "{closed}"), "name a --database and an --output file"),
        (("day-report", *("--database", "{gone}", "--output", "{new}")), "gone"),
        (("day-report", *("--database", "{closed}", "--output", "{old}")), "is there already"),
        (("day-report", *("--database", "{closed}", "--output", "{gone}/x")), "no such folder"),
        (("day-report", "--day", "1999-01-01"), "no gaming day '1999-01-01' here; there are: 2026"),
        (("close-slip",), "a close slip needs --table"),
        (("close-slip", "--table", "T9"), "no table 'T9' here; there are: T1, T2"),
        (("close-slip", "--table", "T2"), "gaming day 2026-11-16 of table T2 is not closed yet"),
        (("close-slip", "--table", "T3", "--day", "x"), "table T3 has no gaming day 'x'"),
        (("win-page",), "a win page needs --award"),
        (("win-page", "--award", "T4/9/9"), "no award 'T4/9/9' is on the record of T4"),
        (("win-page", "--award", "nothing"), "awards are named TABLE/ROUND/SEAT"),
        (("progressive-filing", "--link", "x"), "no meter 'x' here; there are: delta"),
    ],
)
def test_what_cannot_be_printed_is_said_in_a_line_and_nothing_is_written(
    closed: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    (tmp_path / "old").write_text("kept")
    places = {name: str(tmp_path / name) for name in ("gone", "new", "old")}
    asked = [one.format(**places, closed=closed) for one in arguments]
    if (len(asked) > 1 and "--database" not in asked) or asked in (["close-slip"], ["win-page"]):
        asked += ["--database", closed, "--output", places["new"]]
    assert run(["document", *asked]) == 2
    out = capsys.readouterr()
    assert said in out.err
    assert len(out.err.splitlines()) == 1
    assert out.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old"]
    assert (tmp_path / "old").read_text() == "kept"
