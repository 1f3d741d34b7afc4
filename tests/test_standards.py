"""What regulators elsewhere require: every requirement is held by a test that is really run.

The page says which test holds what. Whether a test holds what it is named for, only a reader can
tell; that none is blank, forgotten, renamed away or never run, is told here.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import Report
from tests.support.named_tests import NAME, wrong_with

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "standards.md"
STANDARDS = ROOT / "tests" / "standards" / "progressive-standards.csv"
REQUIREMENTS = 97

ROW = re.compile(r"^\| *([A-Z]{3}-\d\d) *\|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
COUNTS = re.compile(r"\*\*(\d+) are held, (\d+) do not apply\.\*\*")


class Standard(NamedTuple):
    """One row of the page."""

    id: str
    required: str
    how: str
    held_by: str

    @property
    def status(self) -> str:
        """Held unless the row says otherwise."""
        return next(
            (s for s in ("not applicable", "not yet") if self.held_by.startswith(s)), "held"
        )

    @property
    def names(self) -> list[str]:
        """The tests and scenarios that the row names."""
        return NAME.findall(self.held_by)


def rows_of(page: str) -> list[Standard]:
    return [Standard(*(cell.strip() for cell in row)) for row in ROW.findall(page)]


@cache
def known_ids() -> tuple[str, ...]:
    with STANDARDS.open(encoding="utf-8", newline="") as file:
        return tuple(row["id"] for row in csv.DictReader(file))


# ---------------------------------------------------------------- what is wrong with a page


def problems(page: str) -> Iterator[str]:
    """Everything that is wrong, or nothing."""
    rows = rows_of(page)
    ids = [row.id for row in rows]
    for missing in sorted(set(known_ids()) - set(ids)):
        yield f"{missing} is missing"
    for one, count in Counter(ids).items():
        if one not in known_ids():
            yield f"{one} is no requirement"
        elif count > 1:
            yield f"{one} stands {count} times"
    if not set(ids) ^ set(known_ids()) and ids != list(known_ids()):
        yield "the requirements are not in their order"
    for row in rows:
        yield from (f"{row.id}: {problem}" for problem in problems_of(row))
    statuses = Counter(row.status for row in rows)
    counted = COUNTS.search(page)
    if counted is None or [*map(int, counted.groups())] != [
        statuses[status] for status in ("held", "not applicable")
    ]:
        yield f"the counts of the page are wrong: {dict(statuses)}"


def problems_of(row: Standard) -> Iterator[str]:
    """A row says what is required and how it is done; then it names tests, or a reason."""
    for what, cell in zip(("required", "how", "held by"), row[1:], strict=True):
        if len(cell.strip(" -–—.?")) < 4:
            yield f"{what} is blank"
    if row.status == "held":
        if NAME.sub("", row.held_by).replace(";", "").strip() or not row.names:
            yield "held by something that is no test: name tests alone, or say why there is none"
    elif row.status == "not yet":
        yield "it is not held yet"
    else:
        reason = row.held_by.removeprefix(row.status)
        if not reason.startswith(":") or len(reason) < 15:
            yield f"{row.status} without a reason"
    for name in row.names:
        if problem := wrong_with(name):
            yield problem


# ---------------------------------------------------------------- the tests


def test_every_requirement_is_held_or_says_why_not(report: Report) -> None:
    page = PAGE.read_text("utf-8")
    assert list(problems(page)) == []
    counts = Counter(row.status for row in rows_of(page))
    named = {name for row in rows_of(page) for name in row.names}
    told = ", ".join(f"{counts[status]} {status}" for status in ("held", "not applicable"))
    report(f"progressive standards: {len(rows_of(page))}: {told}; {len(named)} tests are named")


def test_the_carried_table_is_whole() -> None:
    with STANDARDS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(set(known_ids())) == REQUIREMENTS
    for row in rows:
        assert list(row) == ["id", "source", "requirement", "testable how"]
        assert all(cell.strip() for cell in row.values()), row["id"]


def without(one: str) -> Callable[[str], str]:
    return lambda page: re.sub(rf"^\| {one} .*\n", "", page, flags=re.MULTILINE)


def with_cell(one: str, number: int, text: str) -> Callable[[str], str]:
    """The page with another text in one cell of a row."""

    def change(page: str) -> str:
        (line,) = re.findall(rf"^\| {one} .*$", page, re.MULTILINE)
        cells = line.split("|")
        cells[number] = f" {text} "
        return page.replace(line, "|".join(cells))

    return change


def twice(page: str) -> str:
    (line,) = re.findall(r"^\| MET-01 .*\n", page, re.MULTILINE)
    return page.replace(line, line * 2)


def exchanged(page: str) -> str:
    return (
        page.replace("| MET-01 |", "| X |")
        .replace("| MET-07 |", "| MET-01 |")
        .replace("| X |", "| MET-07 |")
    )


HELD = "`tests/core/test_money.py::test_dollars_are_read_to_the_cent`"
FAULTS: list[tuple[str, Callable[[str], str], str]] = [
    ("missing", without("SEN-04"), "SEN-04 is missing"),
    ("twice", twice, "MET-01 stands 2 times"),
    ("unknown", lambda page: page.replace("| MET-01 |", "| MET-12 |"), "MET-12 is no requirement"),
    ("order", exchanged, "the requirements are not in their order"),
    ("not required", with_cell("SEN-04", 2, ""), "SEN-04: required is blank"),
    ("no way", with_cell("SEN-04", 3, "-"), "SEN-04: how is blank"),
    ("blank", with_cell("SEN-04", 4, ""), "SEN-04: held by is blank"),
    (
        "words",
        with_cell("SEN-04", 4, f"surely {HELD}"),
        "SEN-04: held by something that is no test",
    ),
    ("no reason", with_cell("SEN-04", 4, "not applicable"), "SEN-04: not applicable without a"),
    ("not yet", with_cell("SEN-04", 4, f"not yet: so far {HELD}"), "SEN-04: it is not held yet"),
    ("later", with_cell("SEN-04", 4, "not yet"), "SEN-04: it is not held yet"),
    ("no file", with_cell("SEN-04", 4, "`tests/test_no.py::test_it`"), "there is no file of tests"),
    (
        "no test",
        with_cell("SEN-04", 4, "`tests/core/test_money.py::test_it`"),
        "there is no test test_it",
    ),
    (
        "not inherited",
        with_cell("SEN-04", 4, "`tests/floor/test_floor.py::TestOnSqlite::test_it`"),
        "there is no test TestOnSqlite::test_it",
    ),
    ("part", with_cell("SEN-04", 4, HELD[:-2] + "`"), "there is no test test_dollars"),
    ("count", with_cell("SEN-04", 4, "not applicable: nobody asks for it"), "the counts of the"),
    (
        "no scenario",
        with_cell("SEN-04", 4, "`tests/progressive/house-demo.toml: House: nothing`"),
        "0 of tests/progressive/house-demo.toml are called 'House: nothing'",
    ),
    (
        "not played",
        with_cell("SEN-04", 4, "`tests/facts/island-stud.toml: title`"),
        "is neither file::test nor a file of scenarios",
    ),
    (
        "not run",
        with_cell(
            "SEN-04",
            4,
            "`tests/ledger/test_crash.py::test_sixteen_hundred_killed_writers_on_sqlite`",
        ),
        "is marked soak",
    ),
]


@pytest.mark.parametrize(("change", "told"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_planted_fault_is_told(change: Callable[[str], str], told: str) -> None:
    page = PAGE.read_text("utf-8")
    changed = change(page)
    assert changed != page
    assert [problem for problem in problems(changed) if told in problem], list(problems(changed))
