"""An argument that cannot be is named in one line; pages say what was asked and no more."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from riverboat.answers.odds import odds_page
from riverboat.answers.page import Facts
from riverboat.exact import odds
from riverboat.rulebooks import load_either

pytestmark = pytest.mark.slow

RISK = ("risk", "maryland-2014")
PROTECT = ("protect", "maryland-2014")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*RISK, "--bankroll", "x", "--rounds", "5"], "--bankroll: 'x' is no amount"),
        ([*RISK, "--bankroll", "0", "--rounds", "5"], "--bankroll 0: at least a cent"),
        ([*RISK, "--bankroll", "100"], "--bankroll needs --rounds"),
        ([*RISK, "--bankroll", "100", "--target", "50", "--rounds", "5"],
         "--target $50 is not above --bankroll $100"),
        ([*RISK, "--buy-in", "100", "--target", "100", "--rounds", "5"],
         "--target $100 is not above --buy-in $100"),
        ([*RISK, "--bankroll", "2", "--rounds", "5"], "--bankroll $2: one round can cost $8"),
        ([*RISK, "--target", "50", "--rounds", "5"], "--target needs a --bankroll or a --buy-in"),
        ([*RISK, "--won", "x", "--rounds", "5"], "--won: 'x' is no amount"),
        ([*RISK, "--won", "-y", "--rounds", "5"], "--won: 'y' is no amount"),
        ([*RISK, "--rounds", "0"], "--rounds 0: at least one is needed"),
        ([*RISK, "--rounds", "2.5"], "--rounds 2.5: a whole number is needed"),
        ([*RISK, "--rounds", "30000", "--bankroll", "100"], "--rounds 30000: with --bankroll at"),
        ([*RISK, "--wager", "x"], "--wager: 'x' is no amount"),
        ([*RISK, "--paytable", "MD-2014-3CB-A"], "name the --bet that has it"),
        ([*PROTECT, "--samples", "1"], "--samples 1: an error cannot be told"),
        ([*PROTECT, "--hands", "-1"], "--hands -1: there cannot be fewer"),
        ([*PROTECT, "--pace", "0"], "--pace 0: at least one round"),
        ([*PROTECT, "--seed", "1.5"], "--seed 1.5: a whole number is needed"),
        (["simulate", "house-demo", "--rounds", "2.5"], "--rounds 2.5: a whole number"),
        (["simulate", "house-demo", "--rounds", "1e3"], "--rounds 1e3: a whole number"),
        (["play", "house-demo", "--seats", "2.5"], "--seats 2.5: a whole number"),
        (["plot", "strategy", "maryland-2014", "--output", ""], "--output: name the file"),
        (["document", "nope", "maryland-2014"], "no document 'nope'; there are: win-page"),
        (["document", "win-page", "maryland-2014"], "'maryland-2014' is too much"),
        (["document", "par-sheet", "maryland-2014", "--output", ""], "--output: name the file"),
    ],
)  # fmt: skip
def test_one_line_names_the_argument(riverboat: Any, arguments: list[str], said: str) -> None:
    answer = riverboat(*arguments)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not answer.out


@pytest.mark.parametrize(
    ("arguments", "cite"),
    [
        ([*RISK, "--wager", "30", "--table", "maximum=20"], "C-09"),
        (["risk", "south-dakota-3cb", "--bet", "three_card_bonus", "--wager", "26"], "C-09"),
        (["protect", "south-dakota-2011", "--wager", "100"], "SD-2011.2-2"),
        (["plot", "distribution", "south-dakota-3cb", "--bet", "three_card_bonus", "--wager", "26",
          "--output", "never.svg"], "C-09"),
        (["document", "par-sheet", "south-dakota-3cb", "--bet", "three_card_bonus", "--wager", "26",
          "--output", "never.pdf"], "C-09"),
    ],
)  # fmt: skip
def test_limits_hold_for_every_command(
    riverboat: Any, arguments: list[str], cite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = riverboat(*arguments, "--json")
    assert answer.status == 1
    assert cite in answer.json["refused"]["cites"]
    assert not list(tmp_path.glob("never.*"))


def test_more_seats_than_a_table_has_are_said_in_words(riverboat: Any) -> None:
    asked = ("compare", "maryland-2014:MD-2014-3CB-A", "--bonus", "5")
    answer = riverboat(*asked, "--seats", "9", "--json")
    assert answer.status == 0
    (sheet,) = answer.json["sheets"]
    assert sheet["seats"] == 6
    assert "this table's most seats, 6" in sheet["bets"][0]["notes"]
    assert "table's most seats, 6" in riverboat(*asked, "--seats", "9").out
    assert "most seats" not in riverboat(*asked, "--seats", "6").out


def test_a_side_bet_that_was_moved_into_its_limits_is_said_in_words(riverboat: Any) -> None:
    asked = ("compare", "south-dakota-3cb", "--bet", "three_card_bonus", "--bonus", "100")
    assert "his table's nearest wager, $25" in riverboat(*asked).out


def test_a_rulebook_without_figures_says_so(riverboat: Any) -> None:
    page = riverboat("published", "maryland-2014")
    assert page.status == 0
    assert "maryland-2014 prints no figure." in page.out
    assert "0 figures" not in page.out
    both = riverboat("published", "island-stud", "maryland-2014").out
    assert "maryland-2014 prints no figure." in both
    assert "Worked out" in both
    assert riverboat("published", "island-stud", "island-stud").out == (
        riverboat("published", "island-stud").out
    )


def test_simpler_play_is_there_only_where_it_was_asked_for(riverboat: Any) -> None:
    whole = riverboat("odds", "house-demo", "--json").json["bets"][0]
    assert "simpler_play" not in whole
    alone = riverboat("odds", "house-demo", "--bet", "base", "--json").json["bets"][0]
    assert alone["simpler_play"]


def test_amounts_are_for_people_in_words_and_the_ante_is_one(riverboat: Any) -> None:
    page = riverboat("odds", "iowa-catfish-bend", "--wager", "1000", "--bet", "base")
    assert "an ante of $1,000 at a table whose minimum is $1,000" in page.out


def test_what_is_called_exact_is_a_fraction() -> None:
    book = load_either("house-demo").book
    found = odds("house-demo", bet="base")
    long = replace(found.bets[0], ev=Fraction(-(10**40), 3 * 10**41 + 7))
    page = odds_page(book, replace(found, bets=(long,)))
    facts = [dict(block.facts) for block in page if isinstance(block, Facts)]
    (said,) = [one["Exactly"] for one in facts if "Exactly" in one]
    assert str(long.ev) in said


def test_a_progressive_says_what_its_figures_count(riverboat: Any) -> None:
    page = riverboat("odds", "south-dakota-2011", "--bet", "progressive")
    assert "how often it hits goes by its own hand alone" in " ".join(page.out.split())
