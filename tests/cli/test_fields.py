"""Errors name fields; the command line calls them as it takes them, and a page by their words."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from riverboat.answers.payout_checker import Request, settle
from riverboat.cli.app import in_options
from riverboat.core.errors import NotationError, with_fields
from riverboat.exact.questions.question import read_question
from riverboat.round import set_up
from riverboat.rulebooks import load
from riverboat.web.server.requests import for_pages
from tests.support.answers import calling


@pytest.fixture
def riverboat(capsys: pytest.CaptureFixture[str]) -> Any:
    return calling(capsys)


def test_an_error_names_its_fields_and_nobody_elses() -> None:
    book = load("island-stud").book
    with pytest.raises(NotationError) as below:
        read_question(book, wager="5", minimum="10")
    assert str(below.value).startswith("`wager` 5 is below `minimum` 10")
    with pytest.raises(NotationError) as unread:
        settle(book, Request(ante="x"))
    assert str(unread.value).startswith("`ante`: 'x' is no amount")
    with pytest.raises(NotationError) as bonus:
        settle(book, Request(ante="5", side_bets={"bonus": "x"}))
    assert str(bonus.value).startswith("`bonus`: 'x' is no amount")


def test_the_same_words_for_a_command_and_for_a_page() -> None:
    words = "`wager` 5 is below `minimum` 10, `rounds_an_hour` 0, `cards`: none"
    assert in_options(words, ("cards",)) == "--wager 5 is below --minimum 10, --pace 0, CARDS: none"
    page = "the wager 5 is below the minimum 10, the rounds an hour 0, the cards: none"
    assert for_pages(words) == page
    assert with_fields("a `--flag` and `Words`", str.upper) == "a `--flag` and `Words`"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["odds"], "RULEBOOK"),
        (["advise", "island-stud"], "CARDS"),
        (["play"], "RULEBOOK"),
        (["plot", "strategy"], "RULEBOOK"),
        (["ledger", "export", "--database", "x"], "FILE"),
        (["advise", "island-stud", "Ah Kz"], "CARDS: 'Kz' is no card"),
        (["settle", "island-stud", "--ante", "5", "--cards", "Kz"], "--cards: 'Kz' is no card"),
        (["compare", "island-stud", "--pace", "0"], "--pace 0: it must be"),
        (["odds", "nowhere"], "give that file as --rulebook"),
        (["odds", "island-stud", "--wager", "5", "--minimum", "10"], "--wager 5 is below --min"),
        (["settle", "island-stud", "--ante", "5", "--table", "meter=5"], "--meter says it"),
    ],
)
def test_a_command_names_its_arguments_as_they_are_written(
    riverboat: Any, arguments: list[str], says: str
) -> None:
    answer = riverboat(*arguments)
    assert answer.status == 2
    assert says in answer.err
    assert "--name" not in answer.err
    assert "`" not in answer.err


def test_a_refusal_is_told_in_options_too(riverboat: Any) -> None:
    asked = ("settle", "maryland-2014", "--ante", "10", "--cards", "9h 8h", "--board", "Qh Jh Th")
    answer = riverboat(*asked, "--three-card-bonus", "5", "--json")
    assert answer.status == 1
    assert "name one with --table three_card_bonus=ID" in answer.json["refused"]["words"]


def test_a_missing_file_is_named_once(riverboat: Any) -> None:
    answer = riverboat("check", "missing.toml")
    assert answer.status == 2
    assert (answer.out + answer.err).count("missing.toml") == 1


def test_a_table_without_choices_is_the_rulebooks_own() -> None:
    book = load("island-stud").book
    assert set_up(book) == set_up(book, {})


def test_a_rulebook_is_shown_by_its_name() -> None:
    book = load("maryland-2014").book
    assert repr(book) == f"Rulebook('maryland-2014', revision={book.revision})"
    assert len(repr(set_up(book))) < 10_000
    assert repr(replace(book, revision=9)) == "Rulebook('maryland-2014', revision=9)"


def test_a_shell_completes_commands(riverboat: Any, tmp_path: Path) -> None:
    script = tmp_path / "riverboat.bash"
    script.write_text(riverboat("completions", "bash").out, "utf-8")
    asked = f"source {script}; COMP_WORDS=(riverboat rule); COMP_CWORD=1; _riverboat"
    done = subprocess.run(
        ["bash", "-c", f'{asked}; echo "${{COMPREPLY[@]}}"'], capture_output=True, text=True
    )
    assert done.stdout.split() == ["rulebook", "rulebooks"]
    told = riverboat("completions", "fish", "--json").json
    assert told["shell"] == "fish"
    assert "rulebook" in told["script"]


def test_every_command_takes_json(riverboat: Any) -> None:
    from riverboat.cli.app import app

    def commands(group: Any, path: tuple[str, ...]) -> list[tuple[str, ...]]:
        found = []
        for name in (name for name in group if not name.startswith("-")):
            one = group[name]
            below = commands(one, (*path, name))
            found += below or [(*path, name)]
        return found

    riverboat("--version")
    every = commands(app, ())
    assert ("serve",) in every
    assert ("play",) in every
    without = [path for path in every if "--json" not in riverboat(*path, "--help").out]
    assert without == []


def test_statements_as_json(riverboat: Any) -> None:
    told = json.loads(riverboat("rulebook", "statements", "--json").out)
    assert "title" in told["statements"]
