"""Playing many files of rule tests, and clause by clause: which rule carries it out and which tests
hold it.

Scenarios and days have modules of their own. A configuration's case is a submission with `clauses`
and `expect`; its name is also the table's. It is valid, or it is refused with so many problems,
each of which cites one of the clauses that are expected."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Problem, RiverboatError, RulebookError
from riverboat.rulebook import Rulebook
from riverboat.rulebook.loading.conform import Misfit
from riverboat.rulebook.rules import cited_in
from riverboat.rulebooks import Editions, clause_rows, load_all, load_file, read_text, rulebook_in
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import Difference, check_scenario, require_known
from riverboat.scripts.scenario_file import Scenario, read_named, read_scenarios
from riverboat.table.configuration.configure import Configuration, ConfigurationRefused, configure
from riverboat.table.configuration.particulars import particulars
from riverboat.table.configuration.submission import (
    Submission,
    require_known_areas,
    submission_misfits,
)


class CaseExpect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come of a submission. `problems` is the number of `refused` where not stated."""

    valid: bool = False
    refused: tuple[str, ...] = ()
    problems: Annotated[int, Meta(ge=1)] | None = None
    notices: tuple[str, ...] = ()
    shows: dict[str, str] = {}
    fallbacks: tuple[str, ...] | None = None


class ConfigurationCase(Submission, frozen=True, kw_only=True):
    """One submission with what it proves."""

    clauses: Annotated[tuple[str, ...], Meta(min_length=1)]
    expect: CaseExpect


# What is only read where the submission is refused, and where it is valid.
_ONLY = {True: ("problems",), False: ("notices", "shows", "fallbacks")}


def read_cases(text: str) -> list[tuple[str, ConfigurationCase | str]]:
    """Each case of a file by its name, or the reason why it cannot be read."""
    return read_named(text, "configuration", ConfigurationCase, _misfits)


def _misfits(entry: object) -> Iterator[Misfit]:
    return submission_misfits(entry if isinstance(entry, Mapping) else {}, ConfigurationCase)


def check_configuration(case: ConfigurationCase, books: Mapping[str, Rulebook]) -> list[Difference]:
    """Configure a case and compare; what cannot be read is an error, not a difference."""
    book = books.get(case.rulebook)
    if book is None:
        raise NotationError("configuration.no_rulebook", f"there is no rulebook {case.rulebook!r}")
    named = (*case.clauses, *case.expect.refused, *case.expect.notices)
    require_known(named, books, "configuration.no_clause")
    if case.expect.valid == bool(case.expect.refused):
        text = "expect either valid = true or refused = [...]"
        raise NotationError("configuration.bad_expectation", text)
    unsaid = CaseExpect()
    unread = [
        key for key in _ONLY[case.expect.valid] if getattr(case.expect, key) != getattr(unsaid, key)
    ]
    if unread:
        said = "a valid submission has none" if case.expect.valid else "a refused one has none"
        text = f"expect.{unread[0]}: is never read; {said}"
        raise NotationError("configuration.unread", text)
    require_known_areas(case, books.values())
    return list(_unmet(case, book))


def submission_of(case: ConfigurationCase) -> Submission:
    """What the case files."""
    return Submission(**{name: getattr(case, name) for name in Submission.__struct_fields__})


def _unmet(case: ConfigurationCase, book: Rulebook) -> Iterator[Difference]:
    try:
        configuration = configure(book, submission_of(case), rulebook_sha256="")
    except ConfigurationRefused as refusal:
        yield from _refusal(case, refusal)
        return
    if not case.expect.valid:
        yield Difference("refused", ", ".join(case.expect.refused), "nothing was", case.clauses)
        return
    yield from _standing(case, configuration)


def _refusal(case: ConfigurationCase, refusal: ConfigurationRefused) -> Iterator[Difference]:
    expect, problems = case.expect, refusal.problems
    if expect.valid:
        yield Difference("valid", "true", str(refusal).replace("\n", "; "), refusal.cites)
        return
    wanted = expect.problems or len(expect.refused)
    if len(problems) != wanted:
        got = f"{len(problems)}: " + "; ".join(map(str, problems))
        yield Difference("problems", str(wanted), got, refusal.cites)
    for clause in expect.refused:
        if clause not in refusal.cites:
            yield Difference("refused", clause, str(refusal).replace("\n", "; "), refusal.cites)
    for problem in problems:
        if not set(problem.cites) & set(expect.refused):
            yield Difference("refused", ", ".join(expect.refused), str(problem), problem.cites)


def _standing(case: ConfigurationCase, configuration: Configuration) -> Iterator[Difference]:
    expect = case.expect
    cited = [cite for notice in configuration.notices for cite in notice.cites]
    if set(expect.notices) - set(cited) or bool(expect.notices) != bool(cited):
        wanted = ", ".join(expect.notices) or "none"
        yield Difference("notices", wanted, ", ".join(cited) or "none", case.clauses)
    shown = {one.what: one for one in particulars(configuration)}
    for what, wanted in expect.shows.items():
        got = shown.get(what)
        if got is None:
            text = f"expect.shows.{what}: a configuration shows no such thing; {', '.join(shown)}"
            raise NotationError("configuration.unread", text)
        if got.value != wanted:
            yield Difference(what, wanted, got.value, got.cites)
    pairs = tuple(f"{dealing} {shuffle}" for dealing, shuffle in configuration.fallbacks)
    if expect.fallbacks is not None and expect.fallbacks != pairs:
        wanted = ", ".join(expect.fallbacks) or "none"
        yield Difference("fallbacks", wanted, ", ".join(pairs) or "none", case.clauses)


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
    unmet = check_configuration(case, _books(known))
    return (one._replace(cites=case.clauses) for one in unmet)


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
    "scenario": _each(read_scenarios, lambda one, known: check_scenario(one, _books(known))),
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
