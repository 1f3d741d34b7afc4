"""Reading facts, and looking up in a rulebook what they speak of."""

import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from riverboat.rulebook import Rulebook
from riverboat.rulebook.rules import named
from riverboat.rulebook.values import Dollars, Percent
from tests.support.places import TESTS

FOLDER = TESTS / "facts"


class Fact(NamedTuple):
    """What must stand at a place of a rulebook, and the clauses that say so."""

    rulebook: str
    path: str
    value: Any
    clauses: tuple[str, ...]


def facts() -> Iterator[Fact]:
    """Every fact of every rulebook."""
    for file in sorted(FOLDER.glob("*.toml")):
        for fact in tomllib.loads(file.read_text("utf-8"))["fact"]:
            assert set(fact) == {"clauses", "path", "is"}, f"{file.name}: {fact}"
            yield Fact(file.stem, fact["path"], fact["is"], tuple(fact["clauses"]))


def value_at(book: Rulebook, path: str) -> object:
    """What stands at a path; list entries go by their own names."""
    part: object = book
    for name in path.split("."):
        match part:
            case tuple():
                part = dict(named(part))[name]
            case dict():
                part = part.get(name)
            case _:
                part = getattr(part, name)
    assert not isinstance(part, Struct), f"{path} is a whole rule, not a value"
    return part


def holds(fact: Fact, book: Rulebook) -> bool:
    """Whether the rulebook says what the fact says."""
    return same(value_at(book, fact.path), fact.value)


def same(found: object, expected: Any) -> bool:
    """Whether a value of a rulebook is the one that a file would write like this."""
    match found:
        case Dollars():
            return Dollars.parse(expected) == found
        case Percent():
            return Percent.parse(expected) == found
        case tuple() if found and isinstance(found[0], Struct):
            return bool([name for name, _ in named(found)] == expected)
        case tuple():
            return len(found) == len(expected) and all(map(same, found, expected))
        case None:
            return bool(expected == "none")
    return isinstance(expected, bool) == isinstance(found, bool) and found == expected
