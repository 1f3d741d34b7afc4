"""How a misfit is told and where: the place, the line, the kind that would be right."""

import time
from typing import Literal

import pytest
from msgspec import inspect

from riverboat.rulebook.loading.conform import misfits
from riverboat.rulebook.loading.parse import line_of
from riverboat.rulebook.values import Dollars
from tests.rulebook.loading.breaking import HD, IS, MD, block, edited, problems_of, shipped


def test_an_entry_that_comes_again_is_named_not_shown() -> None:
    schedule = block(HD, "[[progressive.schedules]]")
    found = problems_of(edited(HD, [(schedule, "", schedule)]))
    assert [problem.where for problem in found] == ["progressive.schedules.HD-PROG-2"]


def test_a_control_character_is_not_repeated_in_a_place() -> None:
    text = edited(HD, [("", 'clause_prefix = "HD"', 'clause_prefix = "HD"\n"\\u001b[31m" = 1')])
    (problem,) = problems_of(text)
    assert problem.where == "?[31m"
    assert "\x1b" not in str(problem)


def test_a_number_is_not_taken_for_a_truth() -> None:
    (misfit,) = misfits(True, inspect.type_info(Literal[1, 2]), "place")
    assert misfit == ("place", "True is not allowed; allowed are 1, 2")
    assert list(misfits(1, inspect.type_info(Literal[1, 2]))) == []


def test_a_plain_pattern_is_named_where_nothing_better_is_said() -> None:
    kind = inspect.StrType(pattern="^a+$")
    assert list(misfits("aa", kind)) == []
    assert [m.message for m in misfits("ab", kind)] == ["'ab' does not have the form ^a+$"]
    assert [m.message for m in misfits("aa\n", kind)] == ["'aa\\n' does not have the form ^a+$"]


def line_with(text: str, words: str, nth: int = 1) -> int:
    return [number for number, line in enumerate(text.split("\n"), 1) if words in line][nth - 1]


def test_nine_digits_are_not_too_many() -> None:
    text = edited(HD, [("", "revision = 1", "revision = 999999999")])
    assert problems_of(text) == ()
    (misfit,) = misfits(999_999_999, inspect.BoolType())
    assert misfit.message == "is a whole number (999999999); true or false is right"


def test_forty_characters_are_read_before_they_are_refused() -> None:
    kind = inspect.type_info(Dollars)
    (misfit,) = misfits("1" * 40, kind)
    assert misfit.message.startswith("'1111111111111111111111111111111111111111' is no amount")
    (misfit,) = misfits("1" * 41, kind)
    assert (
        "... has 41 characters; an amount, rate or payout in quotes has at most 40"
        in misfit.message
    )


@pytest.mark.parametrize("data", ["text", 5, True])
def test_either_of_several_kinds_is_right(data: object) -> None:
    kind = inspect.type_info(str | int | bool)
    assert list(misfits(data, kind)) == []
    (misfit,) = misfits([], kind, "place")
    assert misfit == ("place", "is a list; text or a whole number or true or false is right")


def test_a_place_is_found_on_its_line() -> None:
    text = shipped(IS)
    assert line_of(text, "revision") == line_with(text, "revision = 1")
    assert line_of(text, "options.maximum") == line_with(text, "[options.maximum]")
    assert line_of(text, "clauses.IS.10-2.lines") == line_with(text, '"IS.10-2" = {')
    assert line_of(text, "informative") == line_with(text, "[informative]")
    assert line_of(text, "kings.third") is None
    assert line_of(text, "fold.six_card_bonus") == line_with(text, "[fold.collection]")
    assert line_of(text, "decisions.bet.reveal") == line_with(text, "reveal =")
    assert line_of(text, "comparison.lines.tie.pays.bet") == line_with(text, 'bet = "push"')
    assert line_of(text, "dealing.hand.stub.goes") == line_with(text, "stub =", 2)
    assert line_of(text, "dealing.hand.default") == line_with(text, "[[dealing]]", 2)


def test_an_entry_whose_name_comes_again_is_found_by_its_number() -> None:
    text = shipped(MD)
    assert line_of(text, "progressive.schedules.MD-2014-PROG.rate") == line_with(
        text, 'rate = "21"'
    )
    assert line_of(text, "progressive.schedules.MD-2014-PROG-2.rate") == line_with(
        text, 'rate = "22"'
    )
    assert line_of(text, "equipment.tip_box-2.alternative") == line_with(text, "alternative = true")
    assert line_of(text, "equipment.tip_box-3") == line_with(text, "[[equipment]]")


def test_thousands_of_problems_are_named_in_a_moment() -> None:
    clauses = [f'"HD.9.{n}" = {{ number = "9", by = "engine", text = "x" }}\n' for n in range(4000)]
    text = shipped(HD) + "".join(clauses)
    started = time.perf_counter()
    found = problems_of(text)
    assert time.perf_counter() - started < 5
    assert len(found) == 4000
    assert len({problem.path for problem in found}) == 4000


def test_a_block_is_a_whole_table() -> None:
    assert block(HD, "difference_to").startswith("[units]\n")
    assert block(HD, "difference_to").endswith('cites = ["HD.2.8"]\n\n')
