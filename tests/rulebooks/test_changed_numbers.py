"""Change any one number of any rulebook of a document, and a witness or the loader notices."""

import copy
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from riverboat.rulebook.loading.parse import judge
from riverboat.rulebooks import clause_rows, load, rulebook_ids
from tests.conftest import Report
from tests.rulebooks.witnesses import disagreements

PREFIXES = {row.rulebook for row in clause_rows()}
DOCUMENTS = [name for name in rulebook_ids() if load(name).book.clause_prefix in PREFIXES]
NOT_RULES = {"source", "informative", "ambiguities", "clauses", "id", "title", "revision"}
WORDS = {
    "cites",
    "note",
    "meaning",
    "label",
    "number",
    "marks",
    "equals",
    "id",
    "place",
    "mode",
    "mechanics",
    "loading",
    "sequence_sections",
    "paytable",
    "paytables",
    "placard",
}

Path = tuple[str | int, ...]


def numbers(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """Every number that a rule states, with a smaller and a larger one to put in its place."""
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        if key in (WORDS if path else NOT_RULES) or (key == "envy" and "schedules" in path):
            continue
        here = (*path, key)
        match value:
            case dict() | list():
                yield from numbers(value, here)
            case bool():
                pass
            case int():
                yield here, value - 1, value + 1
            case str():
                for found in re.finditer(r"\d[\d,]*(\.\d+)?", value):
                    yield here, changed(value, found, -1), changed(value, found, +1)


def changed(text: str, found: re.Match[str], by: int) -> str:
    """The text with one number in it changed in its last digit."""
    digits = found[0].replace(",", "")
    if "." in digits:
        whole, decimals = digits.split(".")
        new = f"{whole}.{int(decimals) + by:0{len(decimals)}d}"
    else:
        new = str(abs(int(digits) + by))
    return text[: found.start()] + new + text[found.end() :]


def put(data: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """The document with one value replaced."""
    document: Any = copy.deepcopy({key: part for key, part in data.items() if key == path[0]})
    part = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return {**data, **document}


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTS)
def test_any_changed_number_is_noticed(name: str, report: Report) -> None:
    data = tomllib.loads(load(name).text)
    tried, missed = 0, []
    for path, smaller, larger in numbers(data):
        for value in (smaller, larger):
            tried += 1
            answer = judge(put(data, path, value))
            if not isinstance(answer, list) and not any(disagreements(answer)):
                missed.append((".".join(map(str, path)), value))
    report(f"changed numbers: {name}: {tried:,} tried, {tried - len(missed):,} noticed")
    assert missed == []
    assert tried > 100
