"""Playing many files, and clause by clause: which rule carries it out and which tests hold it."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from riverboat.core.errors import NotationError, Problem, RiverboatError, RulebookError
from riverboat.rulebook import Rulebook
from riverboat.rulebook.rules import cited_in
from riverboat.rulebooks import Editions, clause_rows, load_all, load_file, read_text, rulebook_in
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import Difference, check_scenario, require_known
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from riverboat.table.configuration.cases import ConfigurationCase, check_configuration, read_cases

T = TypeVar("T", Scenario, DayScript, ConfigurationCase)


class Checked(NamedTuple):
    """One rule test: whether it holds, where it differs, or why it cannot be read."""

    file: str
    name: str
    clauses: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    error: str = ""

    @property
    def holds(self) -> bool:
        return not self.error and not self.differences


def check_file(path: str) -> list[Checked]:
    """Every rule test of a file; one that cannot be read does not hide the others."""
    try:
        text = read_text(path)
    except RulebookError as problem:
        return [Checked(path, "file", error="\n".join(one.message for one in problem.problems))]
    try:
        return list(_CHECKS[_kind(text)](path, text))
    except RiverboatError as problem:
        return [Checked(path, "file", error=str(problem))]


def _kind(text: str) -> str:
    """What a file holds; one that holds nothing known is read as one of scenarios."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return "scenario"
    return next((kind for kind in _CHECKS if kind in data), "scenario")


def _books(known: Editions) -> dict[str, Rulebook]:
    return {name: book for name, (book, _) in known.items()}


def _scenario(scenario: Scenario, known: Editions) -> Iterable[Difference]:
    return check_scenario(scenario, _books(known))


def _day(script: DayScript, known: Editions) -> Iterable[Difference]:
    require_known(script.clauses, _books(known))
    runner = DayRunner(script, known)
    runner.run()
    if script.expects_nothing:
        text = "script: expects nothing; write a line that begins with expect or refused"
        raise NotationError("day.expects_nothing", text)
    return (
        Difference(f"line {failed.line}", failed.words, failed.got, failed.cites)
        for failed in runner.failed
    )


def _configuration(case: ConfigurationCase, known: Editions) -> Iterable[Difference]:
    require_known(case.clauses, _books(known))
    unmet = check_configuration(case, _books(known))
    return (Difference(*one[:3], case.clauses) for one in unmet)


def _each(
    read: Callable[[str], Iterable[tuple[str, T | str]]],
    check: Callable[[T, Editions], Iterable[Difference]],
) -> Callable[[str, str], Iterator[Checked]]:
    """How the entries of a file are checked: one that cannot be read does not hide the others."""

    def checked(path: str, text: str) -> Iterator[Checked]:
        for name, entry in read(text):
            if isinstance(entry, str):
                yield Checked(path, name, error=entry)
                continue
            try:
                rulebook, known = rulebook_in(path, entry.rulebook)
                found = tuple(check(replace(entry, rulebook=rulebook), known))
                yield Checked(path, name, entry.clauses, found)
            except RiverboatError as problem:
                yield Checked(path, name, entry.clauses, error=str(problem))

    return checked


_CHECKS: Final = {
    "scenario": _each(read_scenarios, _scenario),
    "day": _each(read_days, _day),
    "configuration": _each(read_cases, _configuration),
}


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
