"""What a rulebook file may say, the system does or the loader refuses: every field of the schema.

Each field is changed in the rulebooks of the house. Something that anybody can observe changes, or
the loader refuses the value, or the field is declared a statement with the reason; a new field is
none of these until somebody sees to it.
"""

import pytest

from riverboat.rulebook.loading.statements import STATEMENTS
from tests.conftest import Report
from tests.rulebook.schema_fields import Field, schema_fields
from tests.rulebook.schema_walk import Walked, walk

FIELDS = schema_fields()
TABLES = {path for path, field in FIELDS.items() if field.is_table}
CARRIED_OUT = {path: f for path, f in FIELDS.items() if path not in {*TABLES, *STATEMENTS}}
PARTS = list(dict.fromkeys(path.split(".")[0].split("[")[0].split("{")[0] for path in CARRIED_OUT))


def part_of(path: str) -> str:
    return path.split(".")[0].split("[")[0].split("{")[0]


def test_every_statement_is_a_field_and_has_a_reason() -> None:
    assert STATEMENTS.keys() <= FIELDS.keys()
    assert not STATEMENTS.keys() & TABLES
    assert all(STATEMENTS.values())


# These take a minute each: every change is played through days, rounds and controllers.
LONG = {"conduct", "dealing", "equipment", "irregularities", "options", "paytables", "progressive"}


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=pytest.mark.soak if part in LONG else pytest.mark.slow)
        for part in PARTS
    ],
)
def test_every_field_does_something_or_is_refused(part: str, report: Report) -> None:
    walked = {path: walk(field) for path, field in CARRIED_OUT.items() if part_of(path) == part}
    left = {path: found for path, found in walked.items() if is_left_over(path, found, walked)}
    changing = sum(found.verdict == "changes something" for found in walked.values())
    stated = sum(part_of(path) == part for path in STATEMENTS)
    report(
        f"schema: {part}: {len(walked) + stated} fields: {changing} change something, "
        f"{len(walked) - changing - len(left)} are refused otherwise, {stated} are statements, "
        f"{len(left)} are left over"
    )
    assert left == {}


def is_left_over(path: str, found: Walked, walked: dict[str, Walked]) -> bool:
    """Nobody read it; what stands in a table that is refused everywhere is refused with it."""
    if found.verdict != "never tried":
        return found.verdict == "says nothing"
    outer = path.rpartition(".")[0]
    return walked[outer].verdict != "refused" if outer in walked else True


def test_the_parts_together_are_the_schema(report: Report) -> None:
    every = len(FIELDS) - len(TABLES)
    report(f"schema: {every} fields in {len(TABLES)} tables; {len(STATEMENTS)} are statements")
    assert (every, len(STATEMENTS)) == (479, 49), "a field came or went: ./test --long -k walk"
    assert every == len(CARRIED_OUT) + len(STATEMENTS)
    assert {part_of(path) for path in CARRIED_OUT} == set(PARTS)


@pytest.mark.slow
def test_a_value_that_no_code_reads_is_left_over() -> None:
    """The walk itself: a field that is a statement would be left over, were it not declared."""
    path = "progressive.end_of_round.logged"
    field: Field = FIELDS[path]
    assert is_left_over(path, walk(field), {})
