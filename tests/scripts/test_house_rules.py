"""A house's own rulebook: from one command to a file that can be checked, compared and edited."""

import json
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.core.errors import NotationError
from riverboat.rulebook import parse_rulebook
from riverboat.rulebooks import load, load_all, rulebook_ids
from riverboat.scripts.house_rules import (
    Taken,
    Wishes,
    ask,
    check_prefix,
    house_rulebook,
    prefix_for,
)

TAKEN = Taken.by(list(load_all()))
WISHES = Wishes(name="my-casino", title="My Casino", house="My Casino", prefix="MC")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", rulebook_ids())
def test_any_rulebook_can_be_the_start(name: str) -> None:
    base = load(name)
    book = parse_rulebook(house_rulebook(base, WISHES, TAKEN), path="my-casino.toml")
    assert (book.id, book.status, book.clause_prefix) == ("my-casino", "house's", "MC")
    assert book.source.based_on == name
    assert book.source.based_on_sha256 == base.sha256
    assert base.book.clauses.keys() < book.clauses.keys()
    assert "MC.0" in book.source.cites


def test_choices_become_the_houses_own_clauses() -> None:
    wishes = WISHES._replace(seats=5, minimum="10", maximum="20.50")
    book = parse_rulebook(house_rulebook(load("south-dakota-3cb"), wishes, TAKEN), path="x.toml")
    assert book.options["seats"].default == 5
    assert book.options["minimum"].default == 1000
    assert book.options["maximum"].default == 2050
    assert "MC.1" in book.options["seats"].cites
    assert book.clauses["MC.3"].text == "The largest Ante is $20.50."


def test_a_limit_where_there_was_none() -> None:
    wishes = WISHES._replace(maximum="300")
    book = parse_rulebook(house_rulebook(load("maryland-2014"), wishes, TAKEN), path="x.toml")
    assert book.options["maximum"].default == 30000


def test_all_rules_stay_as_they_were_in_their_order() -> None:
    base = load("house-demo")
    text = house_rulebook(base, WISHES, TAKEN)
    rest = base.text[base.text.index("[ante]") :]
    assert rest in text
    assert text.index("based_on = ") < text.index("[ante]")


def test_a_house_that_starts_from_a_draft_says_so(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ["rulebook", "new", "adopted", "--from", "maryland-2014", "--title", "As adopted"]
    assert run(start) == 0
    capsys.readouterr()
    assert run(["rulebook", "show", "adopted.toml"]) == 0
    shown = capsys.readouterr().out
    assert "Started from maryland-2014: DRAFT." in shown
    assert "sha256 of base document" in shown


def test_a_house_may_not_leave_the_documents_bounds(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ["rulebook", "new", "high-roller", "--from", "south-dakota-3cb"]
    assert run([*start, "--maximum", "25.01"]) == 2
    said = capsys.readouterr().err
    assert "options.maximum.default: $25.01 is more than $25" in said
    assert not (here / "high-roller.toml").exists()
    assert run([*start, "--seats", "10"]) == 2
    assert "10 is not allowed; 1 to 9 is" in capsys.readouterr().err


def test_new_then_check_then_diff(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulebook", "new", "my-casino", "--from", "maryland-2014", "--seats", "5"]) == 0
    assert "riverboat rulebook check my-casino.toml" in capsys.readouterr().out
    assert run(["rulebook", "check", "my-casino.toml"]) == 0
    assert "my-casino.toml: usable. My Casino" in capsys.readouterr().out
    assert run(["rulebook", "diff", "maryland-2014", "my-casino.toml", "--json"]) == 0
    status, difference = json.loads(capsys.readouterr().out)["differences"]
    assert (status["what"], status["other"]["says"]) == ("status", "house's")
    assert difference["what"] == "options.seats.default"
    assert (difference["one"]["says"], difference["other"]["says"]) == ("6", "5")
    assert difference["other"]["cites"] == ["MD-2014.02.A-1", "D-20", "MC.1"]


def test_nobodys_file_is_overwritten(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.toml").write_text("precious", "utf-8")
    assert run(["rulebook", "new", "mine", "--from", "house-demo"]) == 2
    assert capsys.readouterr().err == "mine.toml: File exists\n"
    assert (here / "mine.toml").read_text("utf-8") == "precious"


def test_the_dialogue_takes_enter_for_what_stands() -> None:
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return {"Seats": "5", "Largest ante, in dollars": " $20 "}.get(question.split(" [")[0], "")

    wishes = ask(WISHES, load("south-dakota-3cb"), TAKEN, answer)
    assert wishes == WISHES._replace(seats=5, maximum="20")
    assert any("Largest ante, in dollars [$25]" in question for question in asked)
    assert "Smallest ante, in dollars [$1]: " in asked


def test_a_bad_answer_is_asked_again() -> None:
    answers = iter(["", "", "HD", "MY", "many", "5", "", "ten", "10"])
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return next(answers)

    wishes = ask(WISHES, load("house-demo"), TAKEN, answer)
    assert (wishes.prefix, wishes.seats, wishes.maximum) == ("MY", 5, "10")
    assert sum("is no number of seats" in question for question in asked) == 1
    assert sum("is another rulebook's prefix" in question for question in asked) == 1


@pytest.mark.parametrize("seats", ["5.5", "0x5", "-1", "0", "many", ""])
def test_seats_that_are_no_number_are_refused(
    here: Path, seats: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rulebook", "new", "mine", "--from", "house-demo", f"--seats={seats}"]) == 2
    assert "no number of seats" in capsys.readouterr().err
    assert not (here / "mine.toml").exists()


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("my-casino", "MC"),
        ("lucky", "LUC"),
        ("a-b-c", "ABC"),
        ("island-star", "ISLAND"),
        ("3-2", "HOUSE-32"),
    ],
)
def test_a_prefix_is_made_from_the_name(name: str, prefix: str) -> None:
    assert prefix_for(name, TAKEN) == prefix


@pytest.mark.parametrize("prefix", ["HD", "IS", "MD-2014", "mc", "", "M C", "1A"])
def test_a_prefix_that_cannot_be_used_is_refused(prefix: str) -> None:
    with pytest.raises(NotationError, match="prefix"):
        check_prefix(prefix, TAKEN, load("house-demo"))


@pytest.mark.parametrize("amount", ["ten", "-5", "1.234"])
def test_an_amount_that_cannot_be_read_is_refused(
    here: Path, amount: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ["rulebook", "new", "mine", "--from", "house-demo", f"--minimum={amount}"]
    assert run(start) == 2
    assert "is no amount" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["house-demo", "island-stud"])
def test_the_name_of_another_rulebook_is_refused(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rulebook", "new", name, "--from", "maryland-2014"]) == 2
    assert "is a rulebook already" in capsys.readouterr().err


@pytest.mark.parametrize("house", ["", "\ue000", "a\nb"])
def test_a_house_without_a_printable_name_is_refused(
    here: Path, house: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rulebook", "new", "mine", "--from", "house-demo", "--house", house]) == 2
    assert "printable text is right" in capsys.readouterr().err
    assert not (here / "mine.toml").exists()
