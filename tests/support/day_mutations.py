"""Changing what a table clause's rule says, or that it says it: do the clause's days notice?

A rule is changed value by value, taken out of the rulebook, or put before its neighbour; and a
clause is struck from every rule that cites it, which prompts and refusals must show.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, inspect
from msgspec.structs import replace

from riverboat.core.errors import RiverboatError
from riverboat.rulebook import Rulebook
from riverboat.rulebook.rules import Clause, Rule
from riverboat.scripts.day_file import DayScript
from riverboat.scripts.day_runner import DayRunner
from tests.support.clause_mutations import (
    CRASHES,
    Path,
    at,
    changed_rules,
    citing,
    option_values,
    rebuilt,
)

Books = Mapping[str, tuple[Rulebook, str]]


def day_fails(script: DayScript, books: Books) -> bool:
    """Whether a day no longer comes out as it is written; a crash has noticed nothing."""
    try:
        runner = DayRunner(script, books)
        runner.run()
    except RiverboatError:
        return True
    except CRASHES:
        return False
    return bool(runner.failed)


def with_book(books: Books, book: Rulebook) -> Books:
    return {**books, book.id: (book, books[book.id][1])}


def change_is_noticed(clause: str, book: Rulebook, days: list[DayScript], books: Books) -> bool:
    """Whether some change of a rule that cites the clause makes one of its days fail."""
    for path in citing(book, clause):
        for changed in _changes(book, path):
            if any(day_fails(day, with_book(books, changed)) for day in days):
                return True
    return False


def _changes(book: Rulebook, path: Path) -> Iterator[Rulebook]:
    rule = at(book, path)
    for inner, value in (*changed_rules(rule), *option_values(rule), *_unsaid(rule)):
        yield rebuilt(book, (*path, *inner), value)
    *outer, last = path
    holder = at(book, tuple(outer))
    if isinstance(holder, tuple):
        assert isinstance(last, int)
        yield rebuilt(book, tuple(outer), (*holder[:last], *holder[last + 1 :]))
        following = holder[last + 1 : last + 2]
        moved = (*holder[:last], *following, rule, *holder[last + 2 :])
        if following:
            yield rebuilt(book, tuple(outer), moved)
    elif _may_be_missing(holder, last):
        yield rebuilt(book, path, None)


def _unsaid(rule: Any) -> Iterator[tuple[Path, str]]:
    """Words that are spoken or pressed, left out."""
    for name in ("announce", "key"):
        if getattr(rule, name, ""):
            yield (name,), ""


def _may_be_missing(holder: Any, name: str | int) -> bool:
    if not isinstance(holder, Struct):
        return False
    kinds = {field.name: field for field in inspect.type_info(type(holder)).fields}  # type: ignore[attr-defined]
    return kinds[str(name)].default is None


def silence_is_noticed(clause: str, book: Rulebook, days: list[DayScript], books: Books) -> bool:
    """Whether one of the clause's days fails when no rule cites it any more."""
    silent = with_book(books, _silent(book, clause))
    return any(day_fails(day, silent) for day in days)


def _silent(part: Any, clause: str) -> Any:
    match part:
        case Clause():
            return part
        case Struct():
            changes = {
                name: _silent(getattr(part, name), clause) for name in part.__struct_fields__
            }
            if isinstance(part, Rule):
                changes["cites"] = tuple(cite for cite in part.cites if cite != clause)
            return replace(part, **changes)
        case dict():
            return {key: _silent(value, clause) for key, value in part.items()}
        case tuple() if type(part) is tuple:
            return tuple(_silent(value, clause) for value in part)
    return part
