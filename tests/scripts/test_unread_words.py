"""Scenario files are read to their last word: what names nothing, or is never reached, is exit 2.

The cases stand in `unread_words.toml`. Days, configurations and controller scripts have
theirs in `test_unread_script_words.py`.
"""

from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from riverboat.round.incidents import KNOWN
from riverboat.rulebooks import load
from riverboat.scripts.checking import Checked, check_file
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import (
    FIRST_WORDS,
    Scenario,
    log_lines,
    misread,
    read_scenarios,
)
from riverboat.scripts.scenario_words import INCIDENT_WORDS, named_in_log, names_of
from tests.support.answers import calling
from tests.support.cases import read_cases
from tests.support.places import TESTS

RULES = TESTS / "rules"

# Seat 1 folds at once and loses 11; seat 2 has a pair of kings and wins four times 10.
MARYLAND = {
    "name": '"as it should be"',
    "rulebook": '"maryland-2014"',
    "clauses": '["MD-2014.11.H.1"]',
    "table": '{ three_card_bonus = "MD-2014-3CB-E", progressive_wager = "1", tip_wagers = true }',
    "bets.1": '{ ante = "10", progressive = "1" }',
    "bets.2": '{ ante = "10" }',
    "cards": '{ 1 = "7d 2c", 2 = "Ks Kd", community = "3h 5c 9s" }',
    "decisions.1": '["fold"]',
    "decisions.2": '["1x", "1x", "1x"]',
    "expect.net": '{ 1 = "-11", 2 = "40" }',
}
# Ace high against a king: even money on the Bet, and the Ante is a push below two pair.
ISLAND = {
    "name": '"as it should be"',
    "rulebook": '"island-stud"',
    "clauses": '["IS.3-2"]',
    "bets.1": '{ ante = "10" }',
    "cards": '{ 1 = "Ac Kd 9h 4s 2c", dealer = "Kc Qd 8h 7s 3c" }',
    "decisions.1": '["bet"]',
    "expect.net": '{ 1 = "20" }',
}
DAKOTA = {
    "name": '"as it should be"',
    "rulebook": '"south-dakota-3cb"',
    "clauses": '["SD-3CB.2-2"]',
    "bets.1": '{ ante = "10", tip_ante = "1" }',
    "cards": '{ 1 = "Ks Kd", community = "3h 5c 9s" }',
    "decisions.1": '["1x", "1x", "1x"]',
    "expect.net": '{ 1 = "39" }',
}
REFUSED = {"decisions.1": '["4x"]', "expect.net": "", "expect.refused": '"C-07"'}
BASES = {"maryland": MARYLAND, "island": ISLAND, "dakota": DAKOTA}


class Case(Struct, forbid_unknown_fields=True):
    """A scenario that holds, what is changed in it, and what must be said of that."""

    name: str
    base: str
    change: dict[str, str]
    said: str

    @property
    def text(self) -> str:
        return written(BASES[self.base], self.change)


def written(base: dict[str, str], change: dict[str, str]) -> str:
    """A scenario with some keys changed; an empty value leaves a key out."""
    keys = {**base, **change}
    return "[[scenario]]\n" + "".join(f"{key} = {text}\n" for key, text in keys.items() if text)


def incident(words: str) -> dict[str, str]:
    return {"incidents": f"[{{ {words} }}]"}


CASES = [
    *read_cases(Path(__file__).parent / "unread_words.toml", Case),
    Case("endless", "maryland", {"decisions.1": f'["{"9" * 5000}x"]'}, "is no decision"),
]


def checked(tmp_path: Path, text: str) -> list[Checked]:
    file = tmp_path / "scenario.toml"
    file.write_text(text, "utf-8")
    return check_file(str(file))


@pytest.mark.parametrize("base", BASES.values(), ids=BASES)
def test_what_the_cases_change_holds(base: dict[str, str], tmp_path: Path) -> None:
    (result,) = checked(tmp_path, written(base, {}))
    assert (result.error, result.differences) == ("", ())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_word_that_names_nothing_cannot_be_read(case: Case, tmp_path: Path) -> None:
    (result,) = checked(tmp_path, case.text)
    assert case.said in result.error


def test_no_two_cases_have_the_same_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)


# What is readable although a round does not come to it, or although nothing lies there.
READABLE = {
    "a result of 0 where nothing was bet": (
        MARYLAND,
        {"expect.results": '{ 1 = { third = "0", envy = "0.00" }, 2 = { progressive = "0" } }'},
    ),
    "nothing but void = false": (MARYLAND, {"expect.net": "", "expect.void": "false"}),
    "nothing but first words": (MARYLAND, {"expect.net": "", "expect.only": '["award"]'}),
    "a seat that is dealt no card": (MARYLAND, {"expect.never": '["deal 3", "settle 1 third"]'}),
    "decisions after the refused one": (DAKOTA, {**REFUSED, "decisions.1": '["1x", "4x", "1x"]'}),
    "decisions after the round was void": (
        MARYLAND,
        {
            **incident('what = "deck_count", when = "third", count = 51'),
            "expect.net": '{ 1 = "0", 2 = "0" }',
            "expect.void": "true",
            "expect.deck_removed": "true",
        },
    ),
    "the net of a seat whose wager was refused": (
        DAKOTA,
        {
            "bets.1": '{ ante = "25.01" }',
            "expect.net": '{ 1 = "0" }',
            "expect.refused": '"SD-3CB.2-2"',
        },
    ),
    "bets at a table that is refused": (
        DAKOTA,
        {"table": '{ maximum = "26" }', "expect.net": '{ 1 = "0" }', "expect.refused": "true"},
    ),
    "a tip whose refusal is expected": (
        MARYLAND,
        {
            "bets.2": '{ ante = "10", three_card_bonus = "5", tip_three_card_bonus = "1" }',
            "expect.net": "",
            "expect.refused": '"E-08"',
        },
    ),
    "the floor's word where it decides, though not at this moment": (
        MARYLAND,
        {
            "table": '{ progressive_wager = "1", exposed_player_card = "floor_decides" }',
            **incident('what = "exposed_player_card", when = "betting", decision = "void"'),
        },
    ),
    "an incident before the decision of Island Stud": (
        ISLAND,
        incident('what = "deck_count", when = "third", count = 52'),
    ),
    "an amount with a plus": (ISLAND, {"expect.net": '{ 1 = "+20.00" }'}),
}


@pytest.mark.parametrize("name", READABLE)
def test_what_a_careful_author_writes_is_readable_and_holds(name: str, tmp_path: Path) -> None:
    (result,) = checked(tmp_path, written(*READABLE[name]))
    assert (result.error, result.differences) == ("", ())


# What a round did and its scenario does not expect: not true, and not unreadable either.
UNEXPECTED = {
    "refused": (DAKOTA, {"decisions.1": '["1x", "4x", "1x"]'}, "refused"),
    "a table that is refused": (DAKOTA, {"table": '{ maximum = "26" }'}, "refused"),
    "void": (MARYLAND, incident('what = "deck_count", when = "deal", count = 51'), "void"),
    "deck_removed": (
        MARYLAND,
        {
            **incident('what = "deck_count", when = "deal", count = 51'),
            "expect.net": '{ 1 = "0", 2 = "0" }',
            "expect.void": "true",
        },
        "deck_removed",
    ),
    "deal_blocked": (
        MARYLAND,
        incident('what = "progressive_chip_mismatch", when = "deal", count = 0'),
        "deal_blocked",
    ),
    "a refusal that does not come": (DAKOTA, {**REFUSED, "decisions.1": '["3x"]'}, "refused"),
    "a void that does not come": (
        MARYLAND,
        {"decisions.2": '["1x"]', "expect.net": "", "expect.void": "true"},
        "void",
    ),
}


@pytest.mark.parametrize("name", UNEXPECTED)
def test_what_nobody_expected_makes_a_scenario_not_hold(name: str, tmp_path: Path) -> None:
    base, change, what = UNEXPECTED[name]
    (result,) = checked(tmp_path, written(base, change))
    assert result.error == ""
    assert what in [difference.what for difference in result.differences]


def test_an_expected_clause_is_told_as_it_is_written(tmp_path: Path) -> None:
    change = {"expect.net": "", "expect.refused": '"C-07"'}
    (result,) = checked(tmp_path, written(DAKOTA, change))
    assert [(one.expected, one.got) for one in result.differences] == [("C-07", "nothing was")]


@pytest.mark.parametrize("word", ["1000000x", "1.0000001x", "0.999999999999x", "999999999999x"])
def test_a_multiple_that_no_clause_allows_is_refused_by_one(word: str, tmp_path: Path) -> None:
    change = {**REFUSED, "decisions.1": f'["{word}"]'}
    (result,) = checked(tmp_path, written(DAKOTA, change))
    assert (result.error, result.differences) == ("", ())


def test_the_command_says_every_problem_on_a_line_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.toml"
    bad = {"expect.net": '{ Ann = "0", 7 = "1e3" }', "decisions.3": '["banana"]'}
    good = {"name": '"another"'}
    file.write_text(written(MARYLAND, bad) + "\n" + written(MARYLAND, good), "utf-8")
    answer = calling(capsys)("check", str(file), "--json")
    assert answer.status == 2
    lines = answer.err.splitlines()
    assert all(line.startswith(f"{file}: as it should be: ") for line in lines)
    assert [line.split(": ")[2] for line in lines] == [
        "decisions.3",
        "decisions.3",
        "net.Ann",
        "net.7",
        "net.7",
    ]
    first, second = answer.json["scenarios"]
    assert (first["holds"], second["holds"]) == (False, True)
    assert "'banana' is no decision" in first["error"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name in ("nothing", "three signs", "banana")]
)
def test_a_file_that_cannot_be_read_is_exit_two(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text(case.text, "utf-8")
    answer = calling(capsys)("check", str(file))
    assert answer.status == 2
    assert case.said in answer.err


def test_a_file_that_is_not_there_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    answer = calling(capsys)("check", "missing.toml")
    assert answer.status == 2
    assert answer.err == "missing.toml: file: No such file or directory\n"


def test_every_incident_says_which_words_it_has() -> None:
    assert sorted(INCIDENT_WORDS) == sorted(KNOWN)


def library() -> list[Scenario]:
    files = sorted(RULES.rglob("*.toml"))
    read = [one for file in files for _, one in read_scenarios(file.read_text("utf-8"))]
    return [one for one in read if isinstance(one, Scenario)]


@pytest.mark.slow
def test_every_line_that_a_round_of_the_library_logs_can_be_read() -> None:
    seen = set()
    for scenario in library():
        book = load(scenario.rulebook).book
        state = play_scenario(scenario, book).state
        if state is None:
            continue
        names = names_of(scenario, book, state.setup)
        named: Any = named_in_log(scenario, names, tuple(map(str, names.players)))
        for line in (line for event in state.history for line in log_lines(event)):
            assert misread(line, named) == "", scenario.name
            seen.add(line.split()[0])
    # No rulebook of the program burns cards, and scenarios are settled without a mistake.
    assert seen == set(FIRST_WORDS) - {"burn", "err", "correct", "correct-card"}
