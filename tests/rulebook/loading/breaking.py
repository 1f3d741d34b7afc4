"""Shipped rulebooks, edited until they are refused, or just not.

The edits stand in the `.toml` files beside this one: `[[refused]]` says where the problem is named
and in which words, `[[accepted]]` lies just beside a limit.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, convert

from riverboat.core.errors import Problem, RulebookError
from riverboat.rulebook import parse_rulebook
from riverboat.rulebooks import load

HD, IS, MD = "house-demo", "island-stud", "maryland-2014"
IA, SD11 = "iowa-catfish-bend", "south-dakota-2011"

Words: TypeAlias = tuple[str, str, str]
"""(at, was, becomes): from `at` on, the first `was` becomes something else; where `was` is empty,
something is put in after `at`."""


class Whole(Struct, forbid_unknown_fields=True, kw_only=True):
    """What is done to a whole table of a file, which some text in it names."""

    twice: str = ""
    without: str = ""
    copy: str = ""
    changes: list[tuple[str, str]] = []
    move: str = ""
    put: str = ""
    before: str = ""
    after: str = ""

    def words(self, book: str) -> Iterator[Words]:
        if self.twice:
            yield (block(book, self.twice), "", block(book, self.twice))
        elif self.without:
            yield ("", block(book, self.without), "")
        elif self.copy:
            table = copy = block(book, self.copy)
            for was, becomes in self.changes:
                assert was in copy, was
                copy = copy.replace(was, becomes)
            yield (table, "", copy)
        elif self.move:
            table, other = block(book, self.move), block(book, self.before or self.after)
            yield ("", table, "")
            yield ("", other, table + other if self.before else other + table)
        else:
            yield (self.before, self.before, self.put + self.before)


class Case(Struct, forbid_unknown_fields=True):
    """A shipped rulebook after edits; if it shall be refused, the place and the remedy named."""

    way: str
    book: str
    edits: list[Words | Whole]
    where: str = ""
    says: str = ""
    uncited: bool = False
    """Whether the edits leave a clause without a rule, which is refused and is not the point."""


class Cases(Struct, forbid_unknown_fields=True):
    """A file of them."""

    refused: list[Case]
    accepted: list[Case] = []


@cache
def cases_in(subject: str) -> Cases:
    """The cases of a file beside this one."""
    text = (Path(__file__).parent / f"{subject}.toml").read_text("utf-8")
    return convert(tomllib.loads(text), Cases)


@cache
def shipped(book: str) -> str:
    return load(book).text


def edited(book: str, edits: Sequence[Words | Whole]) -> str:
    """The text of a shipped rulebook after edits, each of which must find what it changes."""
    text = shipped(book)
    for edit in edits:
        for at, was, becomes in edit.words(book) if isinstance(edit, Whole) else [edit]:
            assert at in text, at
            start = text.index(at) + (0 if was else len(at))
            place = text.find(was, start)
            assert place >= 0, was
            assert not at.startswith("[options.") or "\n\n" not in text[start:place], was
            text = text[:place] + becomes + text[place + len(was) :]
    return text


def block(book: str, inside: str) -> str:
    """The whole table of a file that holds some text, with the empty line after it."""
    text = shipped(book)
    assert inside in text, inside
    place = text.index(inside)
    start = text.rfind("\n[", 0, place + len(inside)) + 1
    end = text.find("\n\n", place)
    return text[start : end + 2]


def problems_of(text: str, path: str = "x.toml") -> tuple[Problem, ...]:
    """Why a text is no rulebook; nothing if it is one."""
    try:
        parse_rulebook(text, path=path)
    except RulebookError as refused:
        return refused.problems
    return ()


def assert_refused(case: Case) -> None:
    """The case is refused at its place, on a line of its file, in its words."""
    file = f"{case.book}.toml"
    found = problems_of(edited(case.book, case.edits), file)
    assert any(
        problem.where == case.where
        and case.says in problem.message
        and re.fullmatch(rf"{file}:\d+", problem.path)
        for problem in found
    ), "\n".join(map(str, found)) or "accepted"


def assert_accepted(case: Case) -> None:
    """The edited file is a rulebook."""
    found = problems_of(edited(case.book, case.edits))
    assert all(case.uncited and "no rule cites" in problem.message for problem in found), found
