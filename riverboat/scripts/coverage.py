"""Clause by clause: which rule carries it out, and which tests hold it."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from riverboat.core.errors import Problem, RulebookError
from riverboat.rulebook.rules import cited_in
from riverboat.rulebooks import clause_rows, load_all, load_file, read_text

_FACTS = "facts/"
_FOLDERS = ("facts", "rules", "days", "configurations", "progressive")
_DAY = "day"  # Only days may name no clause: some prove what no document speaks of.
_TITLES = {
    "fact": "path",
    "scenario": "name",
    _DAY: "title",
    "configuration": "name",
    "controller": "title",
}


class Covered(NamedTuple):
    """One clause of one rulebook, accounted for or not."""

    id: str
    rulebook: str
    by: str
    rules: tuple[str, ...]
    informative: str
    tests: tuple[str, ...]

    @property
    def accounted_for(self) -> bool:
        return bool(self.rules or self.informative)

    @property
    def played(self) -> bool:
        """Whether something is played that depends on it: a round, a day or a configuration."""
        return any(not test.startswith(_FACTS) for test in self.tests)


class PartCovered(NamedTuple):
    """The clauses that one part of the house carries out, and how many of them are played."""

    by: str
    clauses: int
    played: int
    not_played: tuple[str, ...]


class Coverage(NamedTuple):
    """The documents' clauses, the house's own, and how the two lists of clauses compare."""

    clauses: tuple[Covered, ...]
    house: tuple[Covered, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def parts(self) -> tuple[PartCovered, ...]:
        """Part by part of the house: how many of its clauses some scenario depends on."""
        found = []
        for by in dict.fromkeys(clause.by for clause in self.clauses):
            own = [clause for clause in self.clauses if clause.by == by]
            left = tuple(clause.id for clause in own if not clause.played)
            found.append(PartCovered(by, len(own), len(own) - len(left), left))
        return tuple(found)

    @property
    def complete(self) -> bool:
        return not (self.missing or self.unknown) and all(c.accounted_for for c in self.clauses)


def coverage(tests: Path | None) -> Coverage:
    """Every clause of every rulebook, held against the table of clauses."""
    held_by = _tests_by_clause(tests) if tests else {}
    table = {row.id for row in clause_rows()}
    prefixes = {row.rulebook for row in clause_rows()}
    documents: list[Covered] = []
    house: list[Covered] = []
    for loaded in load_all():
        book, places = loaded.book, cited_in(loaded.book)
        kept = documents if book.clause_prefix in prefixes else house
        for name, clause in book.clauses.items():
            informative = book.informative.get(name, "")
            rules = tuple(places.get(name, ()))
            tested = held_by.get((book.id, name), ())
            kept.append(Covered(name, book.id, clause.by, rules, informative, tuple(tested)))
    listed = {clause.id for clause in documents if clause.accounted_for}
    return Coverage(
        tuple(documents), tuple(house), tuple(sorted(table - listed)), tuple(sorted(listed - table))
    )


def tests_beside(package: Path) -> Path | None:
    """The tests of the checkout that this code runs from; an installed package has none."""
    folder = package.parent / "tests"
    return folder if holds_tests(folder) else None


def holds_tests(folder: Path) -> bool:
    """Whether a folder looks like one with tests that name clauses."""
    return any((folder / part).is_dir() for part in _FOLDERS)


def _tests_by_clause(folder: Path) -> dict[tuple[str, str], list[str]]:
    """Facts, scenarios, days and configurations by the rulebook that they play and the clauses that
    they name: a house's own rulebook has clauses of its model, and its tests hold only its own."""
    held: dict[tuple[str, str], list[str]] = {}
    for file in [file for part in _FOLDERS for file in sorted(folder.glob(f"{part}/**/*.toml"))]:
        for test, rulebook, clauses in _tests_in(file):
            for clause in clauses:
                named = held.setdefault((rulebook, clause), [])
                named.append(f"{file.relative_to(folder)}: {test}")
    return held


def _tests_in(file: Path) -> Iterator[tuple[str, str, list[str]]]:
    try:
        data = tomllib.loads(read_text(str(file)))
    except (ValueError, RecursionError) as problem:
        raise RulebookError([Problem(str(file), "TOML", str(problem))]) from None
    for part, title in _TITLES.items():
        entries = data.get(part, [])
        for entry in entries if isinstance(entries, list) else []:
            if part == _DAY and isinstance(entry, dict):
                entry = {"clauses": [], **entry}
            if not isinstance(entry, dict) or not isinstance(entry.get("clauses"), list):
                wrong = Problem(str(file), part, "each needs a list of clauses")
                raise RulebookError([wrong])
            # A file of facts is named after its rulebook; everything else says which one it plays.
            rulebook = _id_of(str(entry.get("rulebook", file.stem)), file.parent)
            yield str(entry.get(title, "")), rulebook, [str(cite) for cite in entry["clauses"]]


@cache
def _id_of(named: str, folder: Path) -> str:
    """The id of a rulebook that a file names: by that id, or by the way to its own file."""
    return load_file(str(folder / named)).book.id if named.endswith(".toml") else named
