"""Shipped rulebooks, edited until they are refused, or just not."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import pytest

from riverboat.core.errors import Problem, RulebookError
from riverboat.rulebook import parse_rulebook
from riverboat.rulebooks import load

HD, IS, MD = "house-demo", "island-stud", "maryland-2014"
IA, SD11, SD = "iowa-catfish-bend", "south-dakota-2011", "south-dakota-3cb"

Edit: TypeAlias = tuple[str, str, str]


class Case(NamedTuple):
    """A shipped rulebook broken by edits, and the refusal that names the place and the remedy.

    An edit is (at, was, becomes): from `at` on, the first `was` becomes something else; where
    `was` is empty, something is put in after `at`.
    """

    way: str
    book: str
    where: str
    says: str
    edits: Sequence[Edit]


@cache
def shipped(book: str) -> str:
    return load(book).text


def edited(book: str, edits: Sequence[Edit]) -> str:
    """The text of a shipped rulebook after edits, each of which must find what it changes."""
    text = shipped(book)
    for at, was, becomes in edits:
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


def doubled(book: str, inside: str) -> Edit:
    """The edit that has a table stand twice."""
    return (block(book, inside), "", block(book, inside))


def without(book: str, inside: str) -> Edit:
    """The edit that takes a table out."""
    return ("", block(book, inside), "")


def rule(header: str, values: str, cite: str, before: str) -> Edit:
    """The edit that puts a rule which a file does not have in front of another one."""
    return (before, before, f'{header}\n{values}\ncites = ["{cite}"]\n\n{before}')


def each(cases: Sequence[Case]) -> pytest.MarkDecorator:
    """A test of every case, under its name."""
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.way)


def each_accepted(cases: Mapping[str, tuple[str, Sequence[Edit]]]) -> pytest.MarkDecorator:
    """A test of every edit beside a limit, under its name: a rulebook and how it is edited."""
    return pytest.mark.parametrize(("book", "edits"), list(cases.values()), ids=list(cases))


def problems_of(text: str, path: str) -> tuple[Problem, ...]:
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


def assert_accepted(book: str, edits: Sequence[Edit]) -> None:
    """The edited file is a rulebook as good as the shipped one."""
    assert problems_of(edited(book, edits), "x.toml") == ()


# Places that several kinds of cases edit.
OFFER_P, OFFER_6 = 'bet = "progressive"\nlabel', 'bet = "six_card_bonus"\nlabel'
WAITS = 'after_if = { three_card_bonus = "six_card_requires_three_card" }\n'
SCHEDULE, METER = "[[progressive.schedules]]", "[progressive.meter]"
BASE, PROG, ENVY = (block(HD, f'id = "HD-{name}"') for name in ("BASE", "PROG-2", "ENVY-2"))


def struck(table: str) -> str:
    """A pay table under another name, kept for analysis."""
    return table.replace('-2"', '-OLD"', 1).replace('"final"', '"struck"')


def step(name: str, book: str = HD) -> str:
    """A step of the progressive's procedure, as a whole table of its file."""
    return block(book, f'step = "{name}"')
