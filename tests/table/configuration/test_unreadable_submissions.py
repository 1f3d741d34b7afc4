"""Submissions that cannot be read, cases that prove nothing, and the command that says so."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from riverboat.cli import run
from riverboat.core.errors import NotationError
from riverboat.scripts.checking import (
    ConfigurationCase,
    check_configuration,
    read_cases,
)
from riverboat.table.actions import Propose
from riverboat.table.configuration.submission import (
    Submission,
    parse_submission,
    require_known_areas,
)
from riverboat.table.day import new_day
from riverboat.table.engine import advance
from riverboat.table.people import Actor
from tests.table.configuration.submissions import BOOKS, LOADED, MARYLAND, configured

# ------------------------------------------------------------------ what cannot be read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('nmae = "x"', "unknown key 'nmae'; did you mean 'name'?"),
        ('table.meter = "ten"', "table.meter: 'ten' is no amount"),
        ("device.shufler = true", "device: unknown key 'shufler'; did you mean 'shuffler'?"),
        ('shuffle = "riffle"', "shuffle: 'riffle' is not allowed; allowed are"),
        ("decks.count = 0", "decks.count: is 0; at least 1 is right"),
        ('decks = { count = 3, each = [{ design = "a", back = "b" }] }', "decks.each: describes 1"),
        ('equipment = [{ item = "manual_shoe" }]', "equipment.manual_shoe: not here; [shoe]"),
        ('equipment = [{ item = "tray" }, { item = "tray" }]', "equipment.tray: stated twice"),
        ('demo = true\ncards = "physical"', "demo: an automatic dealer cannot handle"),
        ("demo = true\ntest = true", "test: a table is for a demonstration or for a test"),
        ('without = ["tipbox"]', "without: 'tipbox' is nothing that a table has; did you mean"),
        ('shoe.place = "on_top"', "shoe.place: 'on_top' is not allowed; allowed are"),
        (
            'without = ["tip_box"]\nequipment = [{ item = "tip_box" }]',
            "without: tip_box is stated in [[equipment]] too; one of both is right",
        ),
        ('without = ["ante_area"]\nlayout = [{ feature = "ante_area" }]', "in [[layout]] too"),
        (
            'without = ["all_odds"]\nsigns = [{ shows = "all_odds", where = "sign" }]',
            "in [[signs]] too",
        ),
        ('without = ["manual_shoe"]\nshoe.approved = true', "manual_shoe is stated in [shoe] too"),
        (
            'without = ["automated_shuffler"]\ndevice.shuffler = true',
            "automated_shuffler is stated in [device] too",
        ),
        (
            'without = ["reshuffling_device"]\ndevice.reshuffles = true',
            "reshuffling_device is stated in [device] too",
        ),
        ("a =", "TOML"),
    ],
)
def test_a_file_that_cannot_be_read_says_where_and_what_is_right(text: str, said: str) -> None:
    with pytest.raises(NotationError) as problem:
        parse_submission(f'rulebook = "maryland-2014"\n{text}\n', path="mine.toml")
    assert str(problem.value).startswith("mine.toml: ")
    assert said in str(problem.value)


@pytest.mark.parametrize("text", ["demo = true", "test = true", 'cards = "physical"'])
def test_a_demonstration_a_test_and_physical_cards_are_each_readable(text: str) -> None:
    configured(MARYLAND, parse_submission(f'rulebook = "maryland-2014"\n{text}\n', path="a"))


def test_everything_that_cannot_be_read_is_told_at_once() -> None:
    text = 'rulebok = "x"\nshuffle = "riffle"\ntable.seets = 5\n'
    with pytest.raises(NotationError) as problem:
        parse_submission(text, path="mine.toml")
    assert len(str(problem.value).splitlines()) == 3


def test_choices_that_the_rulebook_does_not_know_are_told_at_once() -> None:
    unknown: dict[str, str | int | bool] = {"seets": 5, "xyzzy": 5, "pocket_minimum": "1"}
    with pytest.raises(NotationError) as problem:
        configured(MARYLAND, Submission(rulebook="maryland-2014", table={**unknown, "seats": 5}))
    assert str(problem.value).splitlines() == [
        "table.seets: there is no such choice; did you mean 'seats'?",
        "table.xyzzy: there is no such choice; see `riverboat rulebook show`",
        "table.pocket_minimum: there is no such choice; did you mean 'minimum'?",
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('without = ["antee_area"]', "without"),
        ('layout = [{ feature = "antee_area" }]', "layout.antee_area"),
    ],
)
def test_an_area_of_no_wager_is_refused_wherever_a_submission_comes_in(
    text: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command, as a case of a file, and at a table that is open."""
    said = f"{where}: 'antee_area' is no wager's area in any rulebook; there are ante_area, "
    file = tmp_path / "mine.toml"
    file.write_text(f'rulebook = "maryland-2014"\n{text}\n')
    assert run(["configure", str(file)]) == 2
    assert f"{file}: {said}" in capsys.readouterr().err
    case = case_from(f'{text}\nclauses = ["MD-2014.02.B-0"]\nexpect = {{ valid = true }}\n')
    assert isinstance(case, ConfigurationCase)
    with pytest.raises(NotationError, match=said):
        check_configuration(case, BOOKS)
    day = new_day("table 1", {name: (one.book, one.sha256) for name, one in LOADED.items()})
    filed = parse_submission(file.read_text(), path="mine.toml")
    with pytest.raises(NotationError, match=said):
        advance(day, Actor(name="Frank", role="floorperson"), Propose(submission=filed))


@pytest.mark.parametrize("name", [*BOOKS["island-stud"].areas, *MARYLAND.areas])
def test_an_area_of_another_rulebooks_wager_may_be_named(name: str) -> None:
    filed = Submission(rulebook="maryland-2014", without=(name,))
    require_known_areas(filed, BOOKS.values())
    with pytest.raises(NotationError, match=f"'{name}s_area' is no wager's area"):
        require_known_areas(replace(filed, without=(f"{name}s_area",)), BOOKS.values())


def test_a_choice_of_the_wrong_kind_is_bad_input() -> None:
    wrong = Submission(rulebook="maryland-2014", table={"seats": "six", "minimum": 5})
    with pytest.raises(NotationError) as problem:
        configured(MARYLAND, wrong)
    assert str(problem.value).splitlines() == [
        "table.seats: seats = 'six' is not readable; a whole number is right",
        "table.minimum: minimum = 5 is not readable; an amount of dollars in quotes is right",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("configuration = []", "no [[configuration]]"),
        ("[[scenario]]", "unknown key 'scenario'"),
        ("a =", "no TOML"),
    ],
)
def test_a_file_of_cases_that_cannot_be_read_says_so(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said.replace("[", r"\[").replace("]", r"\]")):
        read_cases(text)


def case_from(text: str) -> ConfigurationCase | str:
    head = '[[configuration]]\nname = "x"\nrulebook = "maryland-2014"\n'
    return read_cases(head + text)[0][1]


@pytest.mark.parametrize(
    "text",
    [
        'clauses = ["MD-2014.99"]\nexpect = { valid = true }',
        'clauses = ["D-20"]\nexpect = { valid = true, refused = ["D-20"] }',
        'clauses = ["D-20"]\nexpect = {}',
    ],
)
def test_a_case_that_proves_nothing_is_an_error(text: str) -> None:
    case = case_from(text)
    assert isinstance(case, ConfigurationCase)
    with pytest.raises(NotationError):
        check_configuration(case, BOOKS)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("table.seats = 7\nexpect = { valid = true }", ["valid"]),
        ('table.seats = 6\nexpect = { refused = ["D-20"] }', ["refused"]),
        ('table.seats = 7\nexpect = { refused = ["D-20"], problems = 2 }', ["problems"]),
        ('table.seats = 7\nexpect = { refused = ["C-09"] }', ["refused", "refused"]),
        ('expect = { valid = true, shows = { seats = "5" } }', ["seats"]),
        ('expect = { valid = true, notices = ["D-20"] }', ["notices"]),
        ('expect = { valid = true, fallbacks = ["hand manual"] }', ["fallbacks"]),
    ],
)
def test_a_case_that_does_not_hold_is_told(text: str, what: list[str]) -> None:
    case = case_from(f'clauses = ["D-20"]\n{text}')
    assert isinstance(case, ConfigurationCase)
    assert [unmet.what for unmet in check_configuration(case, BOOKS)] == what


def test_a_case_with_a_typing_error_is_told_with_the_nearest_right_key() -> None:
    said = case_from('clauses = ["D-20"]\nexpect = { valdi = true }')
    assert isinstance(said, str)
    assert "did you mean 'valid'?" in said


# ------------------------------------------------------------------ the command


@pytest.fixture
def filed(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def test_the_command_prints_a_configuration_with_both_hashes(
    filed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filed.write_text('rulebook = "maryland-2014"\nname = "Stud 4"\n', "utf-8")
    assert run(["configure", str(filed)]) == 0
    printed = capsys.readouterr().out
    named = Submission(rulebook="maryland-2014", name="Stud 4")
    configuration = configured(MARYLAND, named)
    assert "STUD 4" in printed
    assert configuration.sha256 in printed
    assert configuration.rulebook_sha256 in printed
    assert "MD-2014.02.A-1" in printed


def test_the_command_prints_one_document(filed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    filed.write_text('rulebook = "island-stud"\ntable.dealing = "hand"\n', "utf-8")
    assert run(["configure", str(filed), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["valid"] is True
    assert document["rulebook_sha256"] == LOADED["island-stud"].sha256
    assert [notice["cites"] for notice in document["notices"]] == [["IS.1-2", "IS.1-3"]]
    again = msgspec.convert(document["submission"], Submission)
    assert configured(BOOKS["island-stud"], again).sha256 == document["sha256"]


def test_the_command_tells_every_problem_and_leaves_with_one(
    filed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filed.write_text(
        'rulebook = "maryland-2014"\ntable.seats = 7\ndecks.count = 3\nlayout = []\n', "utf-8"
    )
    assert run(["configure", str(filed)]) == 1
    printed = capsys.readouterr().out
    assert "Refused: 12 problems." in printed
    assert " 1. seats 7; 1 to 6 is allowed (MD-2014.02.A-1, D-20)" in printed
    assert run(["configure", str(filed), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["valid"] is False
    assert len(document["problems"]) == 12
    assert document["problems"][0]["cites"] == ["MD-2014.02.A-1", "D-20"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('rulebook = "maryland"\n', "table.toml: rulebook: there is no rulebook 'maryland'"),
        ('rulebook = "maryland-2014"\ntable.seats = "six"\n', "table.toml: table.seats: seats ="),
        ("seats = 6\n", "table.toml: seats: unknown key 'seats'"),
        (None, "table.toml: file: No such file"),
    ],
)
def test_the_command_leaves_with_two_where_the_file_cannot_be_read(
    filed: Path, capsys: pytest.CaptureFixture[str], text: str | None, said: str
) -> None:
    if text is not None:
        filed.write_text(text, "utf-8")
    assert run(["configure", str(filed)]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.out == ""
