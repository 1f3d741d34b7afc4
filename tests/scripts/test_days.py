"""Days at the table: every one comes out as written, and every table clause has one that needs it.

A day that names a clause fails when the clause's rule is changed, or when nobody is told of it any
more; and every row of the table's life cycle is walked by some day.
"""

from functools import cache
from pathlib import Path

import pytest

from riverboat.rulebook import Rulebook
from riverboat.rulebooks import clause_rows, load_all
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_runner import DayRunner
from tests.conftest import Report
from tests.support.day_mutations import Books, change_is_noticed, silence_is_noticed
from tests.support.places import TESTS

FOLDER = TESTS / "days"
FILES = sorted(FOLDER.rglob("*.toml"))
BOOKS: Books = {loaded.book.id: (loaded.book, loaded.sha256) for loaded in load_all()}
BY_PREFIX: dict[str, Rulebook] = {book.clause_prefix: book for book, _ in BOOKS.values()}
BY_THE_TABLE = [row for row in clause_rows() if row.enforceable_by == "table_procedure"]
ROWS = [f"T{number}" for number in range(1, 31)]
# What these ask for the table does in every rulebook, so that no value of a rule decides it: each
# deck has its own steps, nothing is dealt unshuffled, a wrong count is looked into, an unusable
# device is marked, and the ante lies where the layout has it. Struck from the rulebook they are
# missed; the days that name them show the refusals.
ONLY_WORDS = (
    "MD-2014.04.E",
    "MD-2014.04.F",
    "MD-2014.05.A.1",
    "MD-2014.05.A.2",
    "MD-2014.08.J-0",
    "MD-2014.09.E.1",
    "MD-2014.09.E.2",
    "MD-2014.10.E.1",
    "MD-2014.10.E.2",
    "SD-2011.2-4",
    "SD-2011.4-1",
    "SD-2011.4-2",
    "SD-3CB.2-4",
    "SD-3CB.4-1",
    "SD-3CB.4-2",
)


@cache
def days_of(file: Path) -> list[DayScript]:
    read = read_days(file.read_text("utf-8"))
    days = [day for _, day in read if isinstance(day, DayScript)]
    assert [problem for _, problem in read if not isinstance(problem, DayScript)] == []
    return days


def library() -> dict[str, list[DayScript]]:
    """The days by the clauses that they name."""
    by_clause: dict[str, list[DayScript]] = {}
    for file in FILES:
        for day in days_of(file):
            for clause in day.clauses:
                by_clause.setdefault(clause, []).append(day)
    return by_clause


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_every_day_comes_out_as_it_is_written(file: Path) -> None:
    for day in days_of(file):
        runner = DayRunner(day, BOOKS)
        runner.run()
        assert runner.failed == [], day.title
        assert day.rulebook == file.parent.name


def test_no_two_days_have_the_same_title_and_each_says_what_it_shows() -> None:
    days = [day for file in FILES for day in days_of(file)]
    titles = [(day.rulebook, day.title) for day in days]
    assert len(set(titles)) == len(titles)
    assert [day.title for day in days if not (day.clauses or day.rows)] == []


def test_every_named_clause_is_one_of_the_days_rulebook() -> None:
    wrong = [
        (day.title, clause)
        for file in FILES
        for day in days_of(file)
        for clause in day.clauses
        if clause not in BOOKS[day.rulebook][0].clauses
    ]
    assert wrong == []


def test_every_clause_that_the_table_carries_out_has_a_day(report: Report) -> None:
    named = library()
    missing = [row.id for row in BY_THE_TABLE if row.id not in named]
    days = sum(len(days_of(file)) for file in FILES)
    done = len(BY_THE_TABLE) - len(missing)
    report(f"table clauses: {len(BY_THE_TABLE)}, in days {done}; days played: {days}")
    assert missing == []


def test_every_row_of_the_tables_life_cycle_has_a_day() -> None:
    walked = {row for file in FILES for day in days_of(file) for row in day.rows}
    assert [row for row in ROWS if row not in walked] == []
    assert walked <= set(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("prefix", sorted({row.rulebook for row in BY_THE_TABLE}))
def test_a_table_clause_that_is_struck_or_changed_is_missed_by_a_day_that_names_it(
    prefix: str, report: Report
) -> None:
    named, book = library(), BY_PREFIX[prefix]
    clauses = [row.id for row in BY_THE_TABLE if row.rulebook == prefix]
    unspoken = [c for c in clauses if not silence_is_noticed(c, book, named.get(c, []), BOOKS)]
    unchanged = [c for c in clauses if not change_is_noticed(c, book, named.get(c, []), BOOKS)]
    report(
        f"table clauses of {book.id}: {len(clauses)}, "
        f"struck and noticed {len(clauses) - len(unspoken)}, "
        f"changed and noticed {len(clauses) - len(unchanged)}; "
        f"only words carry: {', '.join(unchanged) or 'none'}"
    )
    assert unspoken == []
    assert unchanged == [clause for clause in clauses if clause in ONLY_WORDS]
