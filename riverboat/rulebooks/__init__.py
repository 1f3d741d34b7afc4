"""The rulebooks of the house, and the tables their ids and options come from.

This is the only part of the rulebook's world that opens files. A process knows the rulebooks that
come with the program and those that the house has of its own: the files and folders that the
environment variable RIVERBOAT_RULEBOOKS lists, and those that a command names. Every function here
asks that one shelf, and it is read once: what a house plays by does not change while it plays.
"""

import csv
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, NamedTuple

from riverboat.rulebooks.shelf import (
    HERE,
    Editions,
    Loaded,
    Shelf,
    ids_that_come_along,
    is_rulebook,
    load_file,
    read_bytes,
    read_text,
)

OWN_RULEBOOKS: Final = "RIVERBOAT_RULEBOOKS"
"""The environment variable: files and folders, apart as in PATH."""


class ClauseRow(NamedTuple):
    """One row of the table of clauses."""

    id: str
    rulebook: str
    clause: str
    category: str
    requirement: str
    enforceable_by: str
    how_to_test: str


_named: list[Shelf] = []


def shelf() -> Shelf:
    """The rulebooks that this process knows."""
    return _named[-1] if _named else _shelf_of(os.environ.get(OWN_RULEBOOKS, ""))


@cache
def _shelf_of(listed: str) -> Shelf:
    return Shelf(path for path in listed.split(os.pathsep) if path)


@contextmanager
def with_own_rulebooks(paths: Iterable[str]) -> Iterator[None]:
    """For as long as a command runs: these files and folders too, read now."""
    listed = (path for path in os.environ.get(OWN_RULEBOOKS, "").split(os.pathsep) if path)
    _named.append(Shelf((*listed, *paths)))
    try:
        yield
    finally:
        _named.pop()


def rulebook_ids() -> tuple[str, ...]:
    """The ids of the rulebooks in the house."""
    return shelf().ids


def load(name: str) -> Loaded:
    """One of the house's rulebooks by its id."""
    return shelf().by_id(name)


def load_either(name: str, beside: str = "") -> Loaded:
    """A rulebook by id, or from a file where the name looks like one; a path is from here, or from
    where the file `beside` lies that names it."""
    return shelf().find(name, beside)


def load_all() -> Iterator[Loaded]:
    """Every rulebook in the house."""
    return iter(shelf())


def editions(*more: Loaded) -> Editions:
    """Every rulebook of the house, and those given, with the hash of each one's file."""
    return shelf().editions(*more)


def rulebook_in(file: str, name: str) -> tuple[str, Editions]:
    """The id of the rulebook that a file names, and all that this file knows: the house's
    rulebooks, and the one that it names by its path."""
    loaded = load_either(name, beside=file)
    return loaded.book.id, editions(loaded)


def clause_rows() -> Iterator[ClauseRow]:
    """The table of clauses that every document's rulebook must account for."""
    table = HERE.joinpath("clauses.csv").read_text("utf-8")
    for row in csv.DictReader(table.splitlines()):
        yield ClauseRow(**row)


__all__ = [
    "OWN_RULEBOOKS",
    "ClauseRow",
    "Editions",
    "Loaded",
    "Shelf",
    "clause_rows",
    "editions",
    "ids_that_come_along",
    "is_rulebook",
    "load",
    "load_all",
    "load_either",
    "load_file",
    "read_bytes",
    "read_text",
    "rulebook_ids",
    "rulebook_in",
    "shelf",
    "with_own_rulebooks",
]
