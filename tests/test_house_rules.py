"""A house's own rulebook: from one command to a file that can be checked, compared and edited."""

import json
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.errors import NotationError
from riverboat.house_rules import Wishes, ask, check_prefix, house_rulebook, prefix_for
from riverboat.rulebook import parse_rulebook
from riverboat.rulebooks import load, rulebook_ids

WISHES = Wishes(name="my-casino", title="My Casino", house="My Casino", prefix="MC")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", rulebook_ids())
def test_any_rulebook_can_be_the_start(name: str) -> None:
    base = load(name)
    book = parse_rulebook(house_rulebook(base, WISHES), path="my-casino.toml")
    assert (book.id, book.status, book.clause_prefix) == ("my-casino", "house's", "MC")
    assert book.source.based_on == name
    assert book.source.based_on_sha256 == base.sha256
    assert base.book.clauses.keys() < book.clauses.keys()
    assert "MC.0" in book.source.cites


def test_choices_become_the_houses_own_clauses() -> None:
    wishes = WISHES._replace(seats=5, minimum="10", maximum="20.50")
    book = parse_rulebook(house_rulebook(load("south-dakota-3cb"), wishes), path="x.toml")
    assert book.options["seats"].default == 5
    assert book.options["minimum"].default == 1000
    assert book.options["maximum"].default == 2050
    assert "MC.1" in book.options["seats"].cites
    assert book.clauses["MC.3"].text == "The largest Ante is $20.50."


def test_a_limit_where_there_was_none() -> None:
    wishes = WISHES._replace(maximum="300")
    book = parse_rulebook(house_rulebook(load("maryland-2014"), wishes), path="x.toml")
    assert book.options["maximum"].default == 30000


def test_the_rest_of_the_file_stays_as_it_was() -> None:
    base = load("house-demo")
    lines = set(house_rulebook(base, WISHES).split("\n"))
    kept = [line for line in base.text.split("\n") if line in lines]
    assert len(kept) > len(base.text.split("\n")) - 12


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
    (difference,) = json.loads(capsys.readouterr().out)["differences"]
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
        return {"Seats": "5", "Largest ante, in dollars": " 20 "}.get(question.split(" [")[0], "")

    wishes = ask(WISHES, load("south-dakota-3cb"), answer)
    assert wishes == WISHES._replace(seats=5, maximum="20")
    assert any("Largest ante, in dollars [$25]" in question for question in asked)
    assert "Smallest ante, in dollars [$1]: " in asked


def test_seats_that_are_no_number_are_refused() -> None:
    with pytest.raises(NotationError, match="'many' is no number of seats"):
        ask(WISHES, load("house-demo"), lambda question: "many" if "Seats" in question else "")


@pytest.mark.parametrize(
    ("name", "prefix"), [("my-casino", "MC"), ("lucky", "LUC"), ("a-b-c", "ABC")]
)
def test_a_prefix_is_made_from_the_name(name: str, prefix: str) -> None:
    assert prefix_for(name) == prefix


@pytest.mark.parametrize("prefix", ["HD", "mc", "", "M C", "1A"])
def test_a_prefix_that_cannot_be_used_is_refused(prefix: str) -> None:
    with pytest.raises(NotationError, match="prefix"):
        check_prefix(prefix, load("house-demo"))


@pytest.mark.parametrize("amount", ["ten", "-5", "1.234"])
def test_an_amount_that_cannot_be_read_is_refused(
    here: Path, amount: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ["rulebook", "new", "mine", "--from", "house-demo", f"--minimum={amount}"]
    assert run(start) == 2
    assert "is no amount" in capsys.readouterr().err
