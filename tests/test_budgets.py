"""The one table of budgets: each figure is that of the code, each limit has its test, none is
missing."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from riverboat.core.errors import NotationError
from riverboat.ledger import Write, chain, open_ledger
from tests.ledger.writing import command
from tests.support.named_tests import NAME, ROOT, wrong_with

PAGE = ROOT / "docs" / "budgets.md"
HOUSE = ("web", "floor", "ledger")
CONSTANT = re.compile(r"`(riverboat\.[A-Za-z_.]+)`")


class Row(NamedTuple):
    """A line of the page; what is only remembered names no test."""

    what: str
    figure: str
    code: str
    tests: str
    refuses: bool


def rows_of(page: str) -> Iterator[Row]:
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and CONSTANT.search(line):
            what, figure, code, *tests = cells
            yield Row(what, figure, code, "".join(tests), refuses=bool(tests))


def value_of(dotted: str) -> Any:
    """A constant by its full name: of a module, or a field of one."""
    parts = dotted.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for name in parts[end:]:
            found = getattr(found, name)
        return found
    raise AssertionError(f"there is no {dotted}")


def shown(found: re.Match[str]) -> str:
    value = value_of(found[1])
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def problems(page: str) -> Iterator[str]:
    rows = list(rows_of(page))
    for row in rows:
        if (right := CONSTANT.sub(shown, row.code)) != row.figure:
            yield f"{row.what}: {row.figure!r} is {right!r} in the code"
        if row.refuses and not NAME.findall(row.tests):
            yield f"{row.what}: no test is named"
        yield from (f"{row.what}: {x}" for x in map(wrong_with, NAME.findall(row.tests)) if x)
    named = {name for row in rows for name in CONSTANT.findall(row.code)}
    yield from (f"{one} is missing" for one in limits() if one not in named)


def limits() -> Iterator[str]:
    """Every constant that is called like a limit, where others ask."""
    for part in HOUSE:
        for file in sorted((ROOT / "riverboat" / part).rglob("*.py")):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            for node in ast.parse(file.read_text("utf-8")).body:
                target = node.target if isinstance(node, ast.AnnAssign) else None
                if isinstance(node, ast.Assign):
                    target = node.targets[0] if isinstance(node.targets[0], ast.Name) else None
                name = target.id if isinstance(target, ast.Name) else ""
                if name.startswith(("MOST_", "LONGEST_")):
                    yield f"{module}.{name}"


def test_every_budget_is_the_codes_and_has_its_test() -> None:
    page = PAGE.read_text("utf-8")
    assert list(problems(page)) == []
    assert len(list(rows_of(page))) > 40


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("| 600 in 60 s |", "| 700 in 60 s |", "'700 in 60 s' is '600 in 60 s' in the code"),
        ("::test_a_body_has_an_end`", "::test_nothing`", "there is no test test_nothing"),
        ("`riverboat.web.server.app.MOST_TOPICS`", "4", "app.MOST_TOPICS is missing"),
    ],
)
def test_a_wrong_line_is_told(was: str, becomes: str, told: str) -> None:
    page = PAGE.read_text("utf-8")
    assert was in page
    assert any(told in one for one in problems(page.replace(was, becomes)))


def test_a_text_in_the_ledger_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "LONGEST_TEXT", 100)
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fits = Write(stream="table:1", expected_version=None, body="x" * 100)
        ledger.append(command(), fits)
        with pytest.raises(NotationError) as refused:
            ledger.append(command(), Write(stream="table:1", expected_version=None, body="x" * 101))
        assert refused.value.code == "ledger.text"
        assert ledger.head().seq == 1
