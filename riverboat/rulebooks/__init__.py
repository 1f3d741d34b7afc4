"""The rulebooks that come with the house, and the tables their ids and options come from.

This is the only part of the rulebook's world that opens files.
"""

import csv
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from riverboat.errors import NotationError, Problem, RulebookError
from riverboat.rulebook import Rulebook, parse_rulebook

_HERE = files("riverboat.rulebooks")


class Loaded(NamedTuple):
    """A rulebook with the text it was read from and that text's sha256."""

    book: Rulebook
    text: str
    sha256: str


class ClauseRow(NamedTuple):
    """One row of the table of clauses."""

    id: str
    rulebook: str
    clause: str
    category: str
    requirement: str
    enforceable_by: str
    how_to_test: str


@cache
def rulebook_ids() -> tuple[str, ...]:
    """The ids of the rulebooks in the house."""
    return tuple(sorted(f.name[:-5] for f in _HERE.iterdir() if f.name.endswith(".toml")))


@cache
def load(name: str) -> Loaded:
    """One of the house's rulebooks by its id."""
    if name not in rulebook_ids():
        known = ", ".join(rulebook_ids())
        raise NotationError("rulebook.unknown", f"there is no rulebook {name!r}; there are {known}")
    return _loaded(_HERE.joinpath(f"{name}.toml").read_bytes(), f"{name}.toml")


def load_file(path: str) -> Loaded:
    """A rulebook from anybody's file."""
    return _loaded(read_bytes(path), path)


def load_either(name: str) -> Loaded:
    """A rulebook by id, or from a file where the name looks like one."""
    is_file = name.endswith(".toml") or "/" in name or Path(name).is_file()
    return load_file(name) if is_file and name not in rulebook_ids() else load(name)


def load_all() -> Iterator[Loaded]:
    """Every rulebook in the house."""
    return map(load, rulebook_ids())


def read_bytes(path: str) -> bytes:
    """What a file holds, or a plain word why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "cannot be read"
        raise RulebookError([Problem(path, "file", reason)]) from None


def read_text(path: str) -> str:
    """The text of a file, or a plain word why there is none."""
    return _decode(read_bytes(path), path)


def _decode(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulebookError([Problem(path, "file", "is not UTF-8 text")]) from None


def clause_rows() -> Iterator[ClauseRow]:
    """The table of clauses that every document's rulebook must account for."""
    table = _HERE.joinpath("clauses.csv").read_text("utf-8")
    for row in csv.DictReader(table.splitlines()):
        yield ClauseRow(**row)


def _loaded(content: bytes, path: str) -> Loaded:
    text = _decode(content, path)
    sha256 = hashlib.sha256(content).hexdigest()
    return Loaded(parse_rulebook(text, path=path), text, sha256)
