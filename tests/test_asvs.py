"""OWASP ASVS: every requirement of levels 1 and 2 is on its page, with a test or without one."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import Report
from tests.support.named_tests import NAME, ROOT, wrong_with

PAGE = ROOT / "docs" / "asvs.md"
IDS = ROOT / "tests" / "standards" / "asvs-5.0.0.csv"
ROW = re.compile(r"^\| (V\d+\.\d+\.\d+) \| ([12]) \|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
COUNTS = re.compile(r"\*\*(\d+) are held, (\d+) do not apply, (\d+) are not held\.\*\*")
OTHERWISE = ("not applicable", "not held")


def asked() -> list[tuple[str, str]]:
    with IDS.open(encoding="utf-8", newline="") as file:
        return [(row["id"], row["level"]) for row in csv.DictReader(file)]


def status_of(held: str) -> str:
    return next((one for one in OTHERWISE if held.startswith(one)), "held")


def problems(page: str) -> Iterator[str]:
    rows = [tuple(cell.strip() for cell in row) for row in ROW.findall(page)]
    if [row[:2] for row in rows] != asked():
        yield f"the requirements are not those of the standard: {len(rows)} of {len(asked())}"
    for number, _, required, how, held in rows:
        if min(len(required), len(how), len(held)) < 3:
            yield f"{number} is blank"
        if status_of(held) == "held" and not NAME.findall(held):
            yield f"{number} names no test"
        if status_of(held) != "held" and len(held.partition(":")[2]) < 6:
            yield f"{number} has no reason"
        yield from (f"{number}: {wrong}" for wrong in map(wrong_with, NAME.findall(held)) if wrong)
    counts = Counter(status_of(row[4]) for row in rows)
    found = COUNTS.search(page)
    right = [counts[one] for one in ("held", *OTHERWISE)]
    if found is None or [*map(int, found.groups())] != right:
        yield f"the counts of the page are wrong: {right}"


def test_every_requirement_is_on_the_page(report: Report) -> None:
    page = PAGE.read_text("utf-8")
    assert list(problems(page)) == []
    counts = Counter(status_of(row[4].strip()) for row in ROW.findall(page))
    told = ", ".join(f"{counts[one]} {one}" for one in ("held", *OTHERWISE))
    report(f"ASVS 5.0.0, levels 1 and 2: {counts.total()}: {told}")


def test_the_standard_has_its_numbers() -> None:
    levels = Counter(level for _, level in asked())
    assert levels == {"1": 70, "2": 183}
    assert len(set(asked())) == 253


FAULTS: list[tuple[Callable[[str], str], str]] = [
    (lambda page: re.sub(r"\| V3\.4\.4 .*\n", "", page), "not those of the standard"),
    (lambda page: page.replace("::test_a_body_has_an_end`", "::test_it`"), "there is no test"),
    (lambda page: page.replace("not applicable: no GraphQL", "not applicable:"), "has no reason"),
    (lambda page: page.replace(" are held,", "1 are held,"), "the counts of the page"),
]


@pytest.mark.parametrize(("change", "told"), FAULTS)
def test_a_planted_fault_is_told(change: Callable[[str], str], told: str) -> None:
    page = PAGE.read_text("utf-8")
    assert any(told in one for one in problems(change(page)))
