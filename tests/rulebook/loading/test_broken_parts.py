"""What the parts of a rulebook must be to each other: every way that cannot be played is refused.

The ways stand in the `.toml` files of this folder, by subject; `breaking.py` reads them.
"""

from pathlib import Path

import pytest

from riverboat.rulebook.loading.parse import PLAYED
from tests.rulebook.loading.breaking import (
    HD,
    IA,
    Case,
    assert_accepted,
    assert_refused,
    cases_in,
    edited,
    problems_of,
)

SUBJECTS = sorted(file.stem for file in Path(__file__).parent.glob("*.toml"))


REFUSED, ACCEPTED = (
    [
        pytest.param(case, id=f"{subject}: {case.way}")
        for subject in SUBJECTS
        for case in getattr(cases_in(subject), kind)
    ]
    for kind in ("refused", "accepted")
)


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_played_is_refused(case: Case) -> None:
    assert_refused(case)


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_can_be_played_is_accepted(case: Case) -> None:
    assert_accepted(case)


def test_every_rule_with_one_value_has_its_case() -> None:
    assert {case.where for case in cases_in("one_value").refused} == PLAYED.keys()


def test_one_deck_needs_no_shuffler() -> None:
    text = edited(IA, [("[shuffle]", 'methods = ["automated"]', 'methods = ["manual"]')])
    assert [problem.where for problem in problems_of(text)] == ["dealing.automated.needs"]


def test_a_table_that_is_for_something_else_is_not_asked_for_envy() -> None:
    text = edited(HD, [("[[progressive.schedules]]", 'envy = "HD-ENVY-2"', 'envy = "HD-BASE"')])
    assert {problem.where for problem in problems_of(text)} == {
        "progressive.schedules.HD-PROG-2.envy",
        "paytables.HD-ENVY-2",
    }


def test_a_house_keeps_the_clauses_that_it_plays_under() -> None:
    clause = '"ZZ.1" = { number = "1", by = "engine", text = "x", lines = [1, 1] }\n'
    edits = [("[clauses]\n", "", clause), ("[ante]", 'cites = ["', 'cites = ["ZZ.1", "')]
    assert problems_of(edited(HD, [*edits])) == ()
