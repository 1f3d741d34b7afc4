"""Whether a page that names a test names one that is there and is really run.

A test is named as `file::test`, a scenario of a file that is played as `file: title`.
"""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

PLAYED = {"rules": "scenario", "days": "day", "progressive": "controller"}
PLAYED |= {"configurations": "configuration"}
"""The folders whose files are played by a test, and what stands in them."""

NOT_RUN = ("skip", "skipif", "xfail", "soak")
"""Marks of tests that `./test` does not run, or lets fail."""

NAME = re.compile(r"`(tests/[^`]+)`")


@cache
def found_in(path: Path) -> dict[str, set[str]]:
    """The tests of a file with the names of their marks, as pytest would find them."""
    return {
        name: {
            part.attr
            for mark in marks
            for part in ast.walk(mark)
            if isinstance(part, ast.Attribute)
        }
        for name, marks in _functions(ast.parse(path.read_text("utf-8")), "", [])
    }


def _functions(
    place: ast.Module | ast.ClassDef, prefix: str, outer: list[ast.expr]
) -> Iterator[tuple[str, list[ast.expr]]]:
    for node in place.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test_"):
                yield prefix + node.name, outer + node.decorator_list
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            marks = outer + node.decorator_list
            yield from _functions(node, f"{prefix}{node.name}::", marks)
            for base in _bases(place, node):
                yield from _functions(base, f"{prefix}{node.name}::", marks)


def _bases(place: ast.Module | ast.ClassDef, heir: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """The contracts that a class of tests takes over from other files, and what those take over."""
    names = {base.id for base in heir.bases if isinstance(base, ast.Name)}
    for node in place.body:
        if isinstance(node, ast.ImportFrom) and names & {alias.name for alias in node.names}:
            path = ROOT.joinpath(*str(node.module).split(".")).with_suffix(".py")
            there = ast.parse(path.read_text("utf-8"))
            for base in there.body:
                if isinstance(base, ast.ClassDef) and base.name in names:
                    yield base
                    yield from _bases(there, base)


@cache
def titles_in(path: Path, kind: str) -> Counter[str]:
    """The titles of a file that is played."""
    played = tomllib.loads(path.read_text("utf-8")).get(kind, [])
    return Counter(str(one.get("title") or one.get("name")) for one in played)


def wrong_with(name: str) -> str:
    """Why a name proves nothing, or nothing."""
    file, _, test = name.partition("::")
    if test:
        path = ROOT / file
        if not (path.is_file() and path.name.startswith("test_") and path.suffix == ".py"):
            return f"there is no file of tests {file}"
        if test not in found_in(path):
            return f"there is no test {test} in {file}"
        marks = sorted(found_in(path)[test] & set(NOT_RUN))
        return f"{test} is marked {marks[0]}" if marks else ""
    file, _, title = name.partition(".toml: ")
    path = ROOT / f"{file}.toml"
    kind = PLAYED.get(path.relative_to(ROOT / "tests").parts[0])
    if not title or kind is None or not path.is_file():
        return f"{name} is neither file::test nor a file of scenarios: title"
    found = titles_in(path, kind)[title]
    return "" if found == 1 else f"{found} of {file}.toml are called {title!r}"
