"""Configuration files of the rule tests: a submission, and what must come of it.

A case is a submission with `clauses` and `expect`; its name is also the table's. It is valid, or it
is refused with so many problems, each of which cites one of the clauses that are expected.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct, convert

from riverboat.core.errors import NotationError
from riverboat.rulebook import Rulebook
from riverboat.rulebook.loading.conform import tables_in
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


class Unmet(NamedTuple):
    """One expectation that does not hold."""

    what: str
    expected: str
    got: str
    cites: tuple[str, ...]


def read_cases(text: str) -> list[tuple[str, ConfigurationCase | str]]:
    """Each case of a file by its name, or the reason why it cannot be read."""
    tables = tables_in(text, "configuration")
    return [_read(number, one) for number, one in enumerate(tables, start=1)]


def _read(number: int, entry: object) -> tuple[str, ConfigurationCase | str]:
    fields = entry if isinstance(entry, Mapping) else {}
    named = fields.get("name")
    name = named if isinstance(named, str) and named else f"configuration {number}"
    found = list(submission_misfits(fields, ConfigurationCase))
    if found:
        return name, "\n".join(f"{misfit.where}: {misfit.message}" for misfit in found)
    case: ConfigurationCase = convert(fields, ConfigurationCase)
    return name, case


def check_configuration(case: ConfigurationCase, books: Mapping[str, Rulebook]) -> list[Unmet]:
    """Configure a case and compare; what cannot be read is an error, not a difference."""
    book = books.get(case.rulebook)
    if book is None:
        raise NotationError("configuration.no_rulebook", f"there is no rulebook {case.rulebook!r}")
    known = {clause for one in books.values() for clause in (*one.clauses, *one.ambiguities)}
    for clause in (*case.clauses, *case.expect.refused, *case.expect.notices):
        if clause not in known:
            raise NotationError("configuration.no_clause", f"clause {clause!r} is in no rulebook")
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


def _unmet(case: ConfigurationCase, book: Rulebook) -> Iterator[Unmet]:
    try:
        configuration = configure(book, submission_of(case), rulebook_sha256="")
    except ConfigurationRefused as refusal:
        yield from _refusal(case, refusal)
        return
    if not case.expect.valid:
        yield Unmet("refused", ", ".join(case.expect.refused), "nothing was", case.clauses)
        return
    yield from _standing(case, configuration)


def _refusal(case: ConfigurationCase, refusal: ConfigurationRefused) -> Iterator[Unmet]:
    expect, problems = case.expect, refusal.problems
    if expect.valid:
        yield Unmet("valid", "true", str(refusal).replace("\n", "; "), refusal.cites)
        return
    wanted = expect.problems or len(expect.refused)
    if len(problems) != wanted:
        got = f"{len(problems)}: " + "; ".join(map(str, problems))
        yield Unmet("problems", str(wanted), got, refusal.cites)
    for clause in expect.refused:
        if clause not in refusal.cites:
            yield Unmet("refused", clause, str(refusal).replace("\n", "; "), refusal.cites)
    for problem in problems:
        if not set(problem.cites) & set(expect.refused):
            yield Unmet("refused", ", ".join(expect.refused), str(problem), problem.cites)


def _standing(case: ConfigurationCase, configuration: Configuration) -> Iterator[Unmet]:
    expect = case.expect
    cited = [cite for notice in configuration.notices for cite in notice.cites]
    if set(expect.notices) - set(cited) or bool(expect.notices) != bool(cited):
        wanted = ", ".join(expect.notices) or "none"
        yield Unmet("notices", wanted, ", ".join(cited) or "none", case.clauses)
    shown = {one.what: one for one in particulars(configuration)}
    for what, wanted in expect.shows.items():
        got = shown.get(what)
        if got is None:
            text = f"expect.shows.{what}: a configuration shows no such thing; {', '.join(shown)}"
            raise NotationError("configuration.unread", text)
        if got.value != wanted:
            yield Unmet(what, wanted, got.value, got.cites)
    pairs = tuple(f"{dealing} {shuffle}" for dealing, shuffle in configuration.fallbacks)
    if expect.fallbacks is not None and expect.fallbacks != pairs:
        wanted = ", ".join(expect.fallbacks) or "none"
        yield Unmet("fallbacks", wanted, ", ".join(pairs) or "none", case.clauses)
