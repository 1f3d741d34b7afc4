"""`riverboat design` on the command line: words, JSON, exit status, one line for each slip."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

THREE = ("design", "maryland-2014", "--bet", "three_card_bonus")


def test_designs_for_scripts_and_for_people(riverboat: Any) -> None:
    asked = (*THREE, "--edge", "2%..8%", "--count", "4")
    answer = riverboat(*asked, "--json")
    assert (answer.status, answer.err) == (0, "")
    found = answer.json
    assert (found["tables"], found["found"], len(found["listed"])) == (3068, 89, 4)
    assert found["wish"]["edge"] == {"low": "1/50", "high": "2/25"}
    first = found["listed"][0]
    assert first["pays"]["three_of_a_kind"] == "20 to 1"
    assert first["house_edge"] == pytest.approx(float(-Fraction(first["ev"])))
    assert first["standard_deviation"] ** 2 == pytest.approx(float(Fraction(first["variance"])))
    assert [one["answers"] for one in found["documents"]] == [True] * 6
    assert found["wager"] == "1.00"
    page = riverboat(*asked)
    assert page.status == 0
    for words in ("3,068 pay tables, with house edges from 2.14 % to 46.97 %", "The fastest 4",
                  "7.928 %", "Others within half a point", "MD-2014-3CB-F", "DRAFT."):  # fmt: skip
        assert words in page.out
    assert max(map(len, page.out.splitlines())) <= 110


def test_what_no_table_has_is_done_and_not_true(riverboat: Any) -> None:
    page = riverboat(*THREE, "--edge", "50%..60%")
    assert page.status == 1
    assert "No pay table within the bounds has what is wanted." in page.out
    assert riverboat(*THREE, "--edge", "50%..60%", "--json").json["listed"] == []
    none = riverboat(*THREE, "--line", "flush=1", "--line", "pair=2", "--json")
    assert (none.status, none.json["tables"], none.json["lowest_edge"]) == (1, 0, None)


def test_everything_that_was_asked_is_on_the_page(riverboat: Any) -> None:
    page = riverboat(*THREE, "--edge", "..5%", "--hit", "20%..", "--deviation", "2..3.5",
                     "--any-order", "--line", "pair=push..1", "--count", "1000")  # fmt: skip
    assert "house edge up to 5 %; hits from 20 %; deviation 2 to 3.5" in page.out
    assert "push..1" in page.out
    assert "All of them, the fastest first" in page.out
    assert "is MD-2014-3CB-F" in page.out
    assert "(one digit)" in page.out


def test_prizes_of_a_fixed_amount(riverboat: Any) -> None:
    page = riverboat("design", "maryland-2014", "--bet", "six_card_bonus", "--edge", "12%..12.1%",
                     "--line", "super_royal=$100000", "--count", "2")  # fmt: skip
    assert page.status == 0
    assert "$100000" in page.out
    assert max(map(len, page.out.splitlines())) <= 110


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--line", "mini=3"], "--line mini: no hand of three_card_bonus; there are mini_royal,"),
        (["--line", "pair_A=3"], "--line pair_A: no hand of three_card_bonus"),
        (["--line", "flush=0..5"], "--line flush=0..5: write 5, 1..50"),
        (["--line", "flush=5..3"], "--line flush=5..3: it begins above its end"),
        (["--line", "flush=1..4/5"], "--line flush=1..4/5: no multiple of 5 is in it"),
        (["--line", "flush=1..1001"], "--line flush: 1,001 values, at most 1,000"),
        (["--line", "flush=1000001"], "--line flush=1000001: odds up to 1,000,000 are right"),
        (["--line", "flush=$100"], "--line flush=$100: write 5, 1..50"),
        (["--line", "flush"], "--line flush: write HANDS=BOUNDS"),
        (["--line", "flush="], "--line flush=: write HANDS=BOUNDS"),
        (["--line", "flush=1", "--line", "Flush=2"], "--line Flush: flush is named twice"),
        (["--line", "flush=1,"], "--line flush=: write 5, 1..50"),
        (["--edge", "3"], "--edge 3: '3' is not percent (2.3%) or a fraction"),
        (["--edge", "3%..2%"], "--edge 3%..2%: it begins above its end"),
        (["--edge", ".."], "--edge ..: from where or to where?"),
        (["--edge", "1/0"], "--edge 1/0: '1/0' is not percent"),
        (["--edge", "1e3%"], "--edge 1e3%: '1e3%' is not percent"),
        (["--hit", "100.1%"], "--hit 100.1%: from 0% to 100%"),
        (["--hit", "20%..101%"], "--hit 20%..101%: from 0% to 100%"),
        (["--deviation", "3%"], "--deviation 3%: '3%' is not a number"),
        (["--deviation=-3"], "--deviation -3: from 0 on"),
        (["--count", "0"], "--count 0: from 1 to 1,000"),
        (["--count", "1001"], "--count 1001: from 1 to 1,000"),
        (["--count", "2.5"], "--count 2.5: a whole number is needed"),
        (["--wager", "x"], "--wager: 'x' is no amount"),
        (["--line", "mini_royal=1..1000", "--line", "straight_flush=1..1000", "--deviation", "2.."],
         "--line: 50,303,724 tables have the wanted edge and hit frequency, too many"),
        (["--any-order", *(f"--line={hand}=1..1000" for hand in (
            "mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush"))],
         "--line: 1,000,000,000,000,000 tables are within the bounds, too many: narrow"),
    ],
)  # fmt: skip
def test_what_cannot_be_designed_is_one_clear_line(
    riverboat: Any, more: list[str], said: str
) -> None:
    answer = riverboat(*THREE, *more)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
    assert not answer.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["maryland-2014"], "--bet"),
        (["maryland-2014", "--bet", "bonus"], "--bet bonus: maryland-2014 has base,"),
        (["maryland-2014", "--bet", "base"], "--bet base: maryland-2014 has three_card_bonus,"),
        (["island-stud", "--bet", "progressive"], "--bet progressive: island-stud has bonus"),
        (["caribbean-demo", "--bet", "base"], "--bet base: caribbean-demo has none that go by"),
        (["nowhere", "--bet", "bonus"], "there is no rulebook 'nowhere'"),
    ],
)
def test_only_bets_of_one_hand_are_designed(
    riverboat: Any, arguments: list[str], said: str
) -> None:
    answer = riverboat("design", *arguments)
    assert answer.status == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_a_wager_that_the_table_refuses_is_told_with_its_clause(riverboat: Any) -> None:
    asked = ("design", "south-dakota-3cb", "--bet", "three_card_bonus", "--wager", "26", "--json")
    answer = riverboat(*asked)
    assert answer.status == 1
    assert "C-09" in answer.json["refused"]["cites"]


def test_a_house_designs_its_own_rulebooks_bet(
    riverboat: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert riverboat("rulebook", "new", "my-casino", "--from", "south-dakota-3cb").status == 0
    asked = ("--bet", "three_card_bonus", "--edge", "2%..8%", "--json")
    own = riverboat("design", "my-casino.toml", *asked)
    assert own.status == 0
    assert own.json["rulebook"] == "my-casino"
    assert [one["answers"] for one in own.json["documents"]] == [True] * 6
    first = riverboat("design", "south-dakota-3cb", *asked).json
    pays = [[one["pays"] for one in answer["listed"]] for answer in (own.json, first)]
    assert pays[0] == pays[1]
