"""A house's own rulebook is a full citizen: every command plays it, by its name and by its path."""

import json
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from riverboat.core.errors import NotationError, Refused, RulebookError
from riverboat.floor.audit.auditing import audit
from riverboat.floor.autopilot import Manners
from riverboat.floor.secret import MasterSecret
from riverboat.ledger import open_ledger
from riverboat.round.setup.setup import set_up
from riverboat.rulebook import parse_rulebook
from riverboat.rulebooks import (
    OWN_RULEBOOKS,
    Shelf,
    editions,
    load,
    load_all,
    load_either,
    rulebook_ids,
    with_own_rulebooks,
)
from riverboat.scripts.house_rules import starting_scenarios, starting_tests
from riverboat.web.demo.tables import bots_of, demo_tables, open_demo_floor
from tests.support.answers import Answer, calling
from tests.support.own_rulebook import NAME, eight_boats
from tests.support.places import ROOT

SCENARIOS = ROOT / "tests" / "rulebooks" / "eight-boats.toml"
ROUNDS = 3_000
ERRORS = 4


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return eight_boats(tmp_path_factory.mktemp("house"))


@pytest.fixture
def riverboat(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    return calling(capsys)


# ---------------------------------------------------------------- the shelf


def test_by_name_by_path_by_folder_and_by_the_environment(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert NAME not in rulebook_ids()
    with pytest.raises(NotationError, match="name a house's own by its file"):
        load(NAME)
    by_path = load_either(str(file))
    for own in (file, file.parent):
        with with_own_rulebooks([str(own)]):
            assert rulebook_ids()[-1] == NAME
            assert load(NAME) == load_either(str(file)) == by_path
            assert editions()[NAME] == (by_path.book, by_path.sha256)
    assert NAME not in rulebook_ids()
    monkeypatch.setenv(OWN_RULEBOOKS, str(file.parent))
    assert load(NAME).sha256 == by_path.sha256
    assert [one.book.id for one in load_all()][-1] == NAME


def test_a_path_is_from_where_the_file_lies_that_names_it(file: Path) -> None:
    tests = file.parent / f"{NAME}-tests" / "rules" / "house.toml"
    assert load_either(f"../../{NAME}.toml", beside=str(tests)).book.id == NAME
    with pytest.raises(RulebookError, match="No such file"):
        load_either(f"../../{NAME}.toml")


def test_other_files_of_a_folder_are_passed_over_and_a_broken_rulebook_is_not(
    file: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.toml").write_text('rulebook = "house-demo"\n', "utf-8")
    (tmp_path / "b.toml").write_bytes(file.read_bytes())
    assert Shelf([str(tmp_path)]).ids == (*Shelf().ids, NAME)
    (tmp_path / "c.toml").write_text("game = ", "utf-8")
    with pytest.raises(RulebookError, match=r"c\.toml"):
        Shelf([str(tmp_path)])


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        (f'id = "{NAME}"', 'id = "island-stud"', "'island-stud' is the id of Island Stud"),
        ('clause_prefix = "EB"', 'clause_prefix = "IS"', "'IS' is the prefix of Island Stud"),
    ],
)
def test_a_name_that_another_rulebook_has_cannot_stand_beside_it(
    file: Path, tmp_path: Path, was: str, becomes: str, says: str, riverboat: Callable[..., Answer]
) -> None:
    same = tmp_path / "same.toml"
    text = file.read_text("utf-8").replace(was, becomes)
    same.write_text(text.replace('"EB.', '"IS.') if "IS" in becomes else text, "utf-8")
    checked = riverboat("rulebook", "check", str(same))
    assert (checked.status, says in checked.out) == (0, True)
    assert riverboat("prompts", str(same)).status == 0, "a path means its file"
    for command in (
        ("rulebooks", "--rulebook", str(same)),
        ("check", str(SCENARIOS), "--rulebooks", str(tmp_path)),
    ):
        told = riverboat(*command)
        assert told.status == 2, command
        assert f"{same}: " in told.err
        assert says in told.err


def test_two_of_a_houses_own_with_one_name_are_refused(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(file.read_text("utf-8").replace("eight seats", "8 seats") + "\n", "utf-8")
    changed = other.read_text("utf-8").replace("The table has 8 seats.", "There are 8 seats.")
    other.write_text(changed, "utf-8")
    with pytest.raises(RulebookError, match=f"'{NAME}' is the id of Eight Boats"):
        Shelf([str(file), str(other)])


# ---------------------------------------------------------------- its tests


def test_its_scenarios_hold_by_name_and_by_path(
    file: Path, tmp_path: Path, riverboat: Callable[..., Answer]
) -> None:
    told = riverboat("check", str(SCENARIOS), "--rulebook", str(file), "--json")
    assert (told.status, len(told.json["scenarios"])) == (0, 8), told.err + told.out
    assert riverboat("--rulebooks", str(file.parent), "check", str(SCENARIOS)).status == 0
    by_path = tmp_path / "by_path.toml"
    text = SCENARIOS.read_text("utf-8")
    by_path.write_text(text.replace(f'"{NAME}"', f'"../{file.parent.name}/{NAME}.toml"'), "utf-8")
    (tmp_path.parent / file.parent.name).mkdir(exist_ok=True)
    (tmp_path.parent / file.parent.name / file.name).write_bytes(file.read_bytes())
    assert riverboat("check", str(by_path)).status == 0
    unknown = riverboat("check", str(SCENARIOS))
    assert unknown.status == 2
    assert f"there is no rulebook '{NAME}'" in unknown.err


def test_a_changed_rule_shows_in_the_tests_that_the_rulebook_started_with(
    file: Path, riverboat: Callable[..., Answer]
) -> None:
    tests = file.parent / f"{NAME}-tests"
    files = sorted(map(str, tests.glob("*/*.toml")))
    told = riverboat("check", *files, "--json")
    differ = {one["name"] for one in told.json["scenarios"] if not one["holds"]}
    assert differ == {"A bet of 4 times the ante", "Three Card Bonus: a hand that folds"}
    assert told.status, "a bet that is taken now goes on to a street that nobody wrote down"
    assert len(files) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", rulebook_ids())
def test_the_first_tests_of_a_rulebook_hold_and_have_every_clause_of_the_house(
    name: str, tmp_path: Path, riverboat: Callable[..., Answer]
) -> None:
    new = tmp_path / "own.toml"
    start = ("rulebook", "new", "own", "--from", name, "--output", str(new), "--prefix", "OWN")
    made = riverboat(*start, "--seats", "4", "--minimum", "10", "--maximum", "20", "--json").json
    checked = riverboat("check", *made["tests"], "--json")
    assert checked.status == 0, checked.err + checked.out
    named = {
        clause
        for test in made["tests"]
        for part in tomllib.loads(Path(test).read_text("utf-8")).values()
        for entry in part
        for clause in entry["clauses"]
    }
    assert {"OWN.0", "OWN.1", "OWN.2", "OWN.3"} <= named
    asked = ("coverage", "--rulebook", str(new), "--tests", f"{tmp_path}/own-tests")
    covered = riverboat(*asked)
    assert covered.status == 0
    assert "OWN.3" in covered.out
    found = riverboat(*asked, "--json").json
    assert not any(clause["tests"] for clause in found["clauses"]), "these tests play only own.toml"
    held = {clause["id"] for clause in found["house"] if clause["tests"]}
    assert {"OWN.0", "OWN.1", "OWN.2", "OWN.3"} <= held


def test_a_table_of_one_seat_and_one_of_nine_have_tests_too() -> None:
    for seats in (1, 9):
        text = load("south-dakota-3cb").text
        was = 'default = 6\nminimum = 1\nmaximum = 9\nmeaning = "Seats of the table."'
        assert text.count(was) == 1
        book = parse_rulebook(text.replace(was, was.replace("6", str(seats), 1)), path="x.toml")
        assert len(starting_scenarios(book)) > 20
        assert len(starting_tests(book, "x.toml")) == 3


def test_a_side_bet_that_waits_for_one_not_offered_is_refused_with_the_table() -> None:
    text = load("south-dakota-3cb").text
    at = text.index('bet = "three_card_bonus"')
    waits = text[:at] + text[at:].replace('after = ["ante"]', 'after = ["ante", "progressive"]', 1)
    book = parse_rulebook(waits, path="x.toml")
    with pytest.raises(Refused, match="three card bonus without the progressive") as refused:
        set_up(book, {"three_card_bonus": "SD-3CB-3CB-A"})
    offer = next(offer for offer in book.side_bets if offer.bet == "three_card_bonus")
    assert refused.value.cites == offer.cites


def test_nobodys_tests_are_overwritten(tmp_path: Path, riverboat: Callable[..., Answer]) -> None:
    (tmp_path / "mine-tests").mkdir()
    new = tmp_path / "mine.toml"
    start = ("rulebook", "new", "mine", "--from", "house-demo", "--output", str(new))
    assert riverboat(*start).err == f"{tmp_path}/mine-tests: File exists\n"
    assert not new.exists()


# ---------------------------------------------------------------- every command


def test_every_command_that_names_a_rulebook_takes_it_by_name_and_by_path(
    file: Path, tmp_path: Path, riverboat: Callable[..., Answer]
) -> None:
    submission = tmp_path / "table.toml"
    submission.write_text(f'rulebook = "{NAME}"\nname = "Stud 8"\n', "utf-8")
    hand = ("--ante", "5", "--bets", "5,4,1", "--cards", "5h 5d", "--board", "2h 3d 9c")
    for name in (NAME, str(file)):
        for command in (
            ("rulebook", "show", name),
            ("rulebook", "diff", "south-dakota-3cb", name),
            ("settle", name, *hand),
            ("prompts", name),
            ("day", name),
            ("advise", name, "Ah Kd", "--board", "Qs 2c", "--bets", "5,4"),
            ("rulebooks",),
            ("configure", str(submission)),
        ):
            told = riverboat(*command, "--rulebook", str(file), "--json")
            assert told.status == 0, (command, told.err)
            assert NAME in told.out or command[0] == "advise", command
    told = riverboat("settle", str(file), *hand, "--json").json
    assert told["net"] == "0.00"


def test_a_day_file_and_a_submission_name_it_by_its_path(
    file: Path, riverboat: Callable[..., Answer]
) -> None:
    day = file.parent / "day.toml"
    day.write_text(
        f'[[day]]\ntitle = "Five times"\nrulebook = "{NAME}.toml"\nclauses = ["EB.2"]\n'
        'script = """\nplay 1 5x\nexpect rounds 1\n"""\n',
        "utf-8",
    )
    submission = file.parent / "table.toml"
    submission.write_text(f'rulebook = "{NAME}.toml"\nname = "Stud 8"\n', "utf-8")
    assert riverboat("check", str(day)).status == 0
    exported = file.parent / "rounds"
    assert riverboat("day", str(day), "--export", str(exported)).status == 0
    (round_file,) = exported.iterdir()
    assert round_file.name == f"{NAME}-round-001.json"
    assert riverboat("verify", str(round_file), "--rulebook", str(file)).status == 0
    missing = riverboat("verify", str(round_file))
    assert missing.status == 1
    assert f"there is no rulebook '{NAME}' here" in " ".join(missing.out.split())
    configured = riverboat("configure", str(submission), "--json")
    assert configured.json["submission"]["rulebook"] == NAME


@pytest.mark.slow
def test_what_is_exact_is_what_the_engine_plays(
    file: Path, riverboat: Callable[..., Answer]
) -> None:
    told = riverboat("simulate", str(file), "--rounds", str(ROUNDS), "--seed", "1", "--json").json
    odds = riverboat("odds", str(file), "--json").json
    assert told["seats"] == 8
    exact = {(one["bet"], one["paytable"]): one["ev"] for one in odds["bets"]}
    assert {one["bet"] for one in told["bets"]} >= {"base", "three_card_bonus", "progressive"}
    for one in told["bets"]:
        assert abs(one["z"]) < ERRORS, one
        if one["bet"] in ("base", "three_card_bonus"):
            assert one["exact"] == float(Fraction(exact[one["bet"], one["paytable"]]))


def test_programs_learn_at_it(file: Path) -> None:
    import gymnasium

    import riverboat.gym  # noqa: F401

    table = gymnasium.make("riverboat/MississippiStud-v0", rulebook=str(file)).unwrapped
    assert table.actions == ("fold", "1x", "2x", "3x", "4x", "5x")  # type: ignore[attr-defined]
    table.reset(seed=1)
    assert table.step(5)[4]["action_mask"].tolist() == [1] * 6


# ---------------------------------------------------------------- on a floor


def test_a_floor_plays_it_and_its_ledger_verifies_with_the_same_file(
    file: Path, tmp_path: Path, riverboat: Callable[..., Answer]
) -> None:
    from riverboat.floor.autopilot import attend, next_doing
    from riverboat.floor.floor import Floor

    secret = MasterSecret(b"the own house's secret, 32 bytes")
    with with_own_rulebooks([str(file)]), open_ledger(f"{tmp_path}/floor.db") as ledger:
        floor = Floor(ledger, editions(), secret)
        opened = open_demo_floor(floor)
        assert [one.name for one in opened][:2] == ["Table 1", "Table 2"]
        (table,) = [one for one in demo_tables(floor) if one.rulebook == NAME]
        assert table.name == f"Table {NAME}"
        seats = bots_of(floor.station(table.name).day, 8)
        assert len({one.name for one in seats.values()}) == 8
        manners = Manners(seed="eight", fold=20, side_bet=70)
        for step in range(2_000):
            if floor.station(table.name).day.round_number == 3:
                break
            doing = next_doing(floor, table.name, seats, manners)
            assert doing is not None
            attend(floor, f"step {step}", table.name, doing)
        assert floor.station(table.name).day.round_number == 3
        assert audit(ledger, editions(), secret).holds
    database = ("--database", f"{tmp_path}/floor.db")
    assert riverboat("verify", *database, "--rulebooks", str(file.parent)).status == 0
    assert riverboat("replay", "1", *database, "--table", table.name, "--rulebook", str(file)).out
    missing = riverboat("verify", *database, "--json")
    assert (missing.status, missing.json["holds"]) == (1, False)
    assert f"there is no rulebook '{NAME}' here" in json.dumps(missing.json)
    books = riverboat("manager", *database)
    assert books.status == 2
    assert books.err.startswith(f"there is no rulebook '{NAME}' here; there are caribbean-demo")
    (tmp_path / "changed").mkdir()
    changed = tmp_path / "changed" / file.name
    text = file.read_text("utf-8").replace("The table has 8 seats.", "There are 8 seats.")
    changed.write_text(text, "utf-8")
    told = riverboat("verify", *database, "--rulebook", str(changed))
    was = load_either(str(file)).sha256
    words = " ".join(told.out.split())
    assert told.status == 1
    assert f"rulebook {NAME} is {was} on this ledger; the one given is" in words
