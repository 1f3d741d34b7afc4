"""Odds, advice, printed figures and simulations on the command line: words, JSON, exit status."""

import doctest
import os
import shlex
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from riverboat.exact import advise
from riverboat.rulebooks import rulebook_ids
from tests.support.documented import assert_shows, blocks

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "mathematics.md"


def test_odds_for_scripts_and_for_people(riverboat: Any) -> None:
    answer = riverboat("odds", "maryland-2014", "--json")
    assert (answer.status, answer.err) == (0, "")
    base = answer.json["bets"][0]
    assert base["ev"] == "-53223/1082900"
    assert riverboat("odds", "maryland-2014", "--json", "--fresh").out == answer.out
    page = riverboat("odds", "maryland-2014")
    for words in ("4.9149 % of the ante", "-53223/1082900", "1.3691 %", "1.4109 %", "-128/5525",
                  "MD-2014-6CB-OLD-C (struck)", "DRAFT."):  # fmt: skip
        assert words in page.out
    assert max(map(len, page.out.splitlines())) <= 110


def test_the_page_of_one_bet_shows_its_lines(riverboat: Any) -> None:
    page = riverboat("odds", "maryland-2014", "--paytable", "MD-2014-3CB-A")
    assert page.status == 0
    assert "40 to 1" in page.out
    assert "16,440" in page.out, "hands without a pair"
    meters = riverboat("odds", "island-stud", "--paytable", "IS-PROG-PMG-01", "--meter", "50000")
    assert "meter at $50,000" in meters.out
    assert "20.99 %" in meters.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "there is no rulebook 'nowhere'"),
        (["maryland-2014", "--bet", "bonus"], "--bet bonus: maryland-2014 has base,"),
        (["maryland-2014", "--paytable", "IS-01"], "a pay table of island-stud, not of maryland"),
        (["maryland-2014", "--paytable", "E"], "maryland-2014 has MD-2014-BASE"),
        (["maryland-2014", "--bet", "base", "--paytable", "MD-2014-3CB-A"],
         "MD-2014-3CB-A is for three_card_bonus, not for base"),
        (["maryland-2014", "--wager", "0"], "--wager 0: at least a cent"),
        (["maryland-2014", "--wager", "0.001"], "--wager: '0.001' is no amount"),
        (["maryland-2014", "--wager", "5", "--minimum", "10"], "below --minimum 10"),
        (["iowa-catfish-bend", "--meter", "5"], "--meter: iowa-catfish-bend has no progressive"),
        (["maryland-2014", "--others", "9"], "--others 9: at most 5 other players"),
        (["maryland-2014", "--bet", "envy", "--others", "6"], "--others 6: at most 5 other"),
        (["island-stud", "--others", "8"], "--others 8: at most 6 other players"),
        (["maryland-2014", "--others", "-1"], "--others -1: there cannot be fewer"),
        (["maryland-2014", "--others", "2.5"], "--others 2.5: a whole number is needed"),
        (["maryland-2014", "--bet", "base", "--meter", "5"], "--meter: only a progressive goes"),
        (["maryland-2014", "--paytable", "MD-2014-BASE", "--others", "2"], "--others: only a prog"),
        (["maryland-2014", "--minimum", "5", "--table", "minimum=10"], "contradict each other"),
        (["maryland-2014", "--bet", "progressive", "--wager", "5", "--table",
          "progressive_wager=1"], "--wager 5 and --table progressive_wager contradict"),
        (["maryland-2014", "--table", "aggregate_limit=-1"], "--table aggregate_limit=-1: '-1'"),
        (["maryland-2014", "--table", "rate=21.005"], "--table rate=21.005: '21.005' is no perc"),
        (["maryland-2014", "--table", "foo=1"], "there is no option 'foo'"),
        (["maryland-2014", "--table", "minimum"], "write KEY=VALUE"),
        (["maryland-2014", "--table", "seats=many"], "seats is a whole number"),
    ],
)  # fmt: skip
def test_a_question_that_cannot_be_read_is_one_clear_line(
    riverboat: Any, arguments: list[str], said: str
) -> None:
    answer = riverboat("odds", *arguments)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not answer.out


def test_what_the_rules_refuse_is_refused_with_its_clause(riverboat: Any) -> None:
    page = riverboat("odds", "south-dakota-2011", "--wager", "100")
    assert page.status == 1
    assert "SD-2011.2-2" in page.out
    answer = riverboat("odds", "house-demo", "--wager", "7.50", "--json")
    assert answer.status == 1
    assert "HD.2.1" in answer.json["refused"]["cites"]


def test_advice_is_not_given_for_a_bet_of_a_part_of_a_cent(riverboat: Any) -> None:
    asked = ["advise", "iowa-catfish-bend", "Ah Kd", "--board", "Qs", "--bets", "1.001"]
    for more, allowed, cite in (
        ([], "1x, 2x, 3x is allowed", "C-07"),
        (["--table", "allow_fractional_multiples=true"], "1x to 3x in units of $0.01", "C-11"),
    ):
        answer = riverboat(*asked, *more, "--json")
        assert answer.status == 1
        words = answer.json["refused"]["words"]
        assert words.startswith("Flop bet of 1.001x on an ante of $1; ")
        assert allowed in words
        assert cite in answer.json["refused"]["cites"]


def test_advice_for_scripts_and_for_people(riverboat: Any) -> None:
    answer = riverboat("advise", "maryland-2014", "2c 2d", "--json")
    assert answer.status == 0
    assert answer.json["choices"]["fold"] == "-1"
    assert answer.json["best"] == "3x"
    assert Fraction(answer.json["choices"]["3x"]) == Fraction(2668, 1225)
    page = riverboat("advise", "maryland-2014", "Ah Kd", "--board", "Qs", "--bets", "1")
    assert "1x ←" in page.out
    assert "Q♠" in page.out
    island = riverboat("advise", "island-stud", "Ah Kd 9c 5d 3s", "--upcard", "Kc", "--json")
    assert island.json["choices"] == {"fold": "-1", "bet": "-146777/163185"}
    assert island.json["best"] == "bet"


def test_known_cards_change_the_advice() -> None:
    plain = advise("maryland-2014", "Ah Kd", board="Qs", bets="1")
    told = advise("maryland-2014", "Ah Kd", board="Qs", bets="1", know="As Ac Kh Ks Kc")
    assert told.choices["1x"] < plain.choices["1x"]
    assert plain.choices["fold"] == told.choices["fold"] == -2
    assert "<b>1x</b>" in plain._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["maryland-2014", "Ah Ah"], "more than once: Ah"),
        (["maryland-2014", "Ah Kd", "--know", "Ah"], "more than once: Ah"),
        (["maryland-2014", "Ah"], "the player has 2"),
        (["maryland-2014", "Ah Kx"], "'Kx' is no card"),
        (["maryland-2014", "Ah Kd", "--board", "Qs"], "--bets: 0 street bets with 1 community"),
        (["maryland-2014", "Ah Kd", "--bets", "1"], "1 street bet with 0 community cards;"),
        (["maryland-2014", "Ah Kd", "--bets", "x"], "--bets x: write multiples"),
        (["maryland-2014", "Ah Kd", "--upcard", "2c"], "--upcard 2c: maryland-2014 has none"),
        (["island-stud", "Ah Kd 2c 3c 4c"], "--upcard: name the dealer's card"),
        (["island-stud", "Ah Kd", "--upcard", "2c"], "the player has 5"),
        (["island-stud", "Ah Kd 2c 3c 4c", "--upcard", "2d 3d"], "one card of the dealer is up"),
        (["island-stud", "Ah Kd 2c 3c 4c", "--upcard", "2d", "--board", "3d"], "has none"),
    ],
)  # fmt: skip
def test_a_situation_that_cannot_be_is_one_clear_line(
    riverboat: Any, arguments: list[str], said: str
) -> None:
    answer = riverboat("advise", *arguments)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_a_simulation_for_scripts_and_for_people(riverboat: Any) -> None:
    asked = ["simulate", "house-demo", "--rounds", "50", "--seats", "2", "--seed", "4"]
    answer = riverboat(*asked, "--json")
    assert (answer.status, answer.err) == (0, "")
    assert answer.json["rounds"] == 50
    assert answer.json["bets"][0]["bet"] == "base"
    assert "HD-3CB" in riverboat(*asked).out
    cluster = riverboat(*asked, "--cluster", "tcp://127.0.0.1:9")
    assert cluster.status == 1
    assert "--cluster tcp://127.0.0.1:9: no Dask scheduler answers there" in cluster.out
    strange = riverboat(*asked, "--strategy", "clever")
    assert (strange.status, strange.err.count("\n")) == (2, 1)
    assert "--strategy clever: one of best, published, compact" in strange.err
    assert riverboat("simulate", "house-demo", "--rounds", "0").status == 2


def test_printed_figures_are_worked_out_again(riverboat: Any) -> None:
    answer = riverboat("published", "island-stud", "--json")
    assert answer.status == 0
    verdicts = {(one["paytable"], one["figure"]): one["verdict"] for one in answer.json["figures"]}
    assert verdicts["IS-01", "house_edge"] == "agrees"
    assert verdicts["IS-PROG-PMG-01", "house_advantage"] == "agrees under an assumption"
    assert verdicts["IS-PROG-PMG-01", "top_payout_odds"] == "misprint"
    page = riverboat("published", "island-stud")
    assert "1 in 649,740" in page.out
    misprints = riverboat("published", "south-dakota-3cb").out
    assert "almost certainly a misprint" in misprints


LIGHT = """
import sys, riverboat.cli
status = riverboat.cli.run(["odds", "house-demo", *sys.argv[1:]])
heavy = [name for name in ("numba", "numpy", "llvmlite") if name in sys.modules]
sys.stderr.write(f"{status} {heavy}")
"""


def test_a_kept_answer_loads_nothing_heavy_and_comes_at_once(tmp_path: Path) -> None:
    from riverboat.exact.caching import keep_compiled_code

    keep_compiled_code()
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def ask(*more: str) -> tuple[str, str]:
        ran = subprocess.run(
            [sys.executable, "-c", LIGHT, "--json", *more],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return ran.stdout, ran.stderr

    worked_out, first = ask()
    assert first == "0 ['numba', 'numpy', 'llvmlite']"
    used = os.times()
    read, second = ask()
    spent = os.times()
    assert second == "0 []"
    assert read == worked_out
    cpu = spent.children_user - used.children_user + spent.children_system - used.children_system
    assert cpu < 1.5, f"{cpu:.2f} s of processor time"
    again, third = ask("--fresh")
    assert again == worked_out
    assert "numba" in third


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_rulebook_has_a_page_of_odds(riverboat: Any, name: str) -> None:
    began = time.monotonic()
    page = riverboat("odds", name)
    assert page.status == 0
    assert "House edge" in page.out
    assert time.monotonic() - began < 60


def test_pay_tables_are_compared_side_by_side(riverboat: Any) -> None:
    tables = ("maryland-2014:MD-2014-3CB-A", "maryland-2014:MD-2014-3CB-E", "iowa-catfish-bend")
    answer = riverboat("compare", *tables, "--bet", "three_card_bonus", "--json")
    assert answer.status == 0
    edges = [one["house_edge"] for sheet in answer.json["sheets"] for one in sheet["bets"]]
    assert edges == ["128/5525", "402/5525", "402/5525"]
    assert "Three card bonus" in riverboat("compare", tables[0]).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name a rulebook"),
        (["maryland-2014:X"], "maryland-2014:X: maryland-2014 has MD-2014-BASE"),
        (["maryland-2014:MD-2014-6CB-OLD-A"], "cannot be played"),
        (["maryland-2014", "--bet", "bonus"], "--bet bonus: maryland-2014 has base"),
        (["maryland-2014", "--ante", "x"], "--ante: 'x' is no amount"),
        (["maryland-2014:"], "maryland-2014:: name a pay table after the colon"),
        (["maryland-2014", "--seats", "-2"], "--seats -2: it must be more than nothing"),
        (["maryland-2014", "--seats", "0"], "--seats 0: it must be more than nothing"),
        (["maryland-2014", "--seats", "2.5"], "--seats 2.5: a whole number is needed"),
        (["maryland-2014", "--pace", "0"], "--pace 0: it must be more than nothing"),
        (["maryland-2014", "--hours", "1.5"], "--hours 1.5: a whole number is needed"),
    ],
)
def test_what_cannot_be_compared_is_one_clear_line(
    riverboat: Any, arguments: list[str], said: str
) -> None:
    answer = riverboat("compare", *arguments)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_the_page_about_the_mathematics_does_what_it_says(riverboat: Any) -> None:
    shown = 0
    for language, block in blocks(PAGE):
        if language == "console":
            command, _, expected = block.partition("\n")
            answer = riverboat(*shlex.split(command.removeprefix("$ riverboat ")))
            assert_shows(expected, answer.out)
            shown += 1
    assert shown == 3
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
