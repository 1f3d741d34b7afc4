"""The rulebooks of the house, and the tables their ids and options come from.

This is the only part of the rulebook's world that opens files. A process knows the rulebooks that
come with the program and those that the house has of its own: the files and folders that the
environment variable RIVERBOAT_RULEBOOKS lists, and those that a command names. They stand on one
shelf under their ids, so that an id means one rulebook and a clause's prefix one house, wherever it
is written: in a command, in a scenario, in a row of the ledger. The shelf is read once: what a
house plays by does not change while it plays.
"""

import csv
import hashlib
import os
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from riverboat.core.errors import NotationError, Problem, RulebookError
from riverboat.rulebook import Rulebook, parse_rulebook

HERE: Final = files("riverboat.rulebooks")
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


class Loaded(NamedTuple):
    """A rulebook with the text it was read from, that text's sha256, and its file."""

    book: Rulebook
    text: str
    sha256: str
    path: str


Editions = dict[str, tuple[Rulebook, str]]
"""Rulebooks by their ids, each with the hash of its file."""


@cache
def ids_that_come_along() -> tuple[str, ...]:
    """The ids of the rulebooks that come with the program."""
    return tuple(sorted(f.name[:-5] for f in HERE.iterdir() if f.name.endswith(".toml")))


@cache
def _that_comes_along(name: str) -> Loaded:
    return _loaded(HERE.joinpath(f"{name}.toml").read_bytes(), f"{name}.toml")


class Shelf:
    """The program's rulebooks and the house's own, each by its id."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        """`own` are paths: rulebook files, and folders with rulebook files."""
        self._own: dict[str, Loaded] = {}
        for path in own:
            for file in _rulebook_files(path):
                loaded = load_file(file)
                if problems := list(self.collisions(loaded)):
                    raise RulebookError(problems)
                if loaded.book.id not in self.ids:
                    self._own[loaded.book.id] = loaded

    @property
    def ids(self) -> tuple[str, ...]:
        """The program's rulebooks, then the house's own."""
        return (*ids_that_come_along(), *sorted(self._own))

    def __iter__(self) -> Iterator[Loaded]:
        return map(self.by_id, self.ids)

    def by_id(self, name: str) -> Loaded:
        """One of the rulebooks by its id."""
        if name in self._own:
            return self._own[name]
        if name not in ids_that_come_along():
            there = f"there is no rulebook {name!r}; there are {', '.join(self.ids)}"
            hint = "name a house's own by its file, or give that file as `own_rulebooks`"
            raise NotationError("rulebook.unknown", f"{there}; {hint}")
        return _that_comes_along(name)

    def find(self, name: str, beside: str = "") -> Loaded:
        """A rulebook by id, or from a file where the name looks like one.

        A path is one from here, or from the folder of the file `beside` that names it. It means
        that file, also where the file calls itself as another rulebook does.
        """
        path = Path(beside).parent / name if beside else Path(name)
        is_file = name.endswith(".toml") or "/" in name or path.is_file()
        return load_file(str(path)) if is_file and name not in self.ids else self.by_id(name)

    def editions(self, *more: Loaded) -> Editions:
        """All of them, and rulebooks that were found by their files, as tables know them."""
        return {one.book.id: (one.book, one.sha256) for one in (*self, *more)}

    def collisions(self, loaded: Loaded) -> Iterator[Problem]:
        """Names of a rulebook that belong to another one already."""
        for other in [other for other in self if other.book != loaded.book]:
            of, prefix = f"{other.book.title} ({other.path})", loaded.book.clause_prefix
            if other.book.id == loaded.book.id:
                text = f"{loaded.book.id!r} is the id of {of}; give this one a name of its own"
                yield Problem(loaded.path, "id", text)
            if other.book.clause_prefix == prefix:
                right = "give the clauses of this one a prefix of their own"
                text = f"{prefix!r} is the prefix of {of}; {right}"
                yield Problem(loaded.path, "clause_prefix", text)


def load_file(path: str) -> Loaded:
    """A rulebook from anybody's file."""
    return _loaded(read_bytes(path), path)


def _rulebook_files(path: str) -> list[str]:
    """A file; or those files of a folder that call themselves rulebooks, or cannot be read."""
    if not Path(path).is_dir():
        return [path]
    found = sorted(str(file) for file in Path(path).glob("*.toml"))
    if not (rulebooks := [file for file in found if is_rulebook(file, unreadable=True)]):
        raise RulebookError([Problem(path, "folder", "no rulebook is there, a .toml file")])
    return rulebooks


def is_rulebook(file: str, *, unreadable: bool = False) -> bool:
    """Whether a TOML file means to be a rulebook: scenarios, days and submissions have no `game`.
    What cannot be read may be one, where a folder of rulebooks is read."""
    try:
        return "game" in tomllib.loads(read_text(file))
    except (ValueError, RecursionError):
        return unreadable


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


@lru_cache(maxsize=32)
def _loaded(content: bytes, path: str) -> Loaded:
    text = _decode(content, path)
    sha256 = hashlib.sha256(content).hexdigest()
    return Loaded(parse_rulebook(text, path=path), text, sha256, path)


# ---------------------------------------------------------------- the shelf of this process

_named: list[Shelf] = []


def shelf() -> Shelf:
    """The rulebooks that this process knows."""
    return _named[-1] if _named else _shelf_of(_listed())


_shelf_of = cache(Shelf)


def _listed() -> tuple[str, ...]:
    """What the environment lists."""
    return tuple(filter(None, os.environ.get(OWN_RULEBOOKS, "").split(os.pathsep)))


@contextmanager
def with_own_rulebooks(paths: Iterable[str]) -> Iterator[None]:
    """For as long as a command runs: these files and folders too, read now."""
    _named.append(Shelf((*_listed(), *paths)))
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
