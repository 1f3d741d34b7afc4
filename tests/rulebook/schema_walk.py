"""Changing every field of the schema in every rulebook: what comes of each change.

Every named value has to matter for itself, and no two of a few may come to the same: where no
rulebook comes out otherwise, nobody reads what the file says.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import combinations, groupby
from typing import Any, Literal, NamedTuple, TypeAlias

from riverboat.rulebook import Rulebook
from riverboat.rulebook.loading.parse import judge
from riverboat.rulebook.vocabulary import OPTIONS
from riverboat.rulebooks import load
from tests.rulebook.observing import noticed
from tests.rulebook.schema_fields import (
    ANY,
    GONE,
    NONSENSE,
    Change,
    Field,
    at,
    changes,
    is_named,
    is_number,
    named_values,
    put,
)

Came: TypeAlias = Literal["refused", "changed", "silent"]
Verdict: TypeAlias = Literal["changes something", "refused", "says nothing", "never tried"]
# The quickest to play first.
BOOKS = (
    "house-demo",
    "iowa-catfish-bend",
    "island-stud",
    "south-dakota-2011",
    "south-dakota-3cb",
    "maryland-2014",
)
FEW = 4
MOST_TRIED = 24
MOST_PLAYED = {ANY: 8}


class Walked(NamedTuple):
    """What came of every change of one field: by the value that it came to."""

    verdict: Verdict
    silent: tuple[str, ...] = ()
    shown_by: str = ""


@cache
def document(name: str) -> dict[str, Any]:
    return tomllib.loads(load(name).text)


def walk(field: Field) -> Walked:
    """Change a field in every rulebook until each of its values has been seen to matter.

    Where an option decides, another value may be what the option says.
    """
    came: dict[str, Came] = {}
    told: set[frozenset[str]] = set()
    shown = ""
    for name in BOOKS:
        played: dict[str, int] = {}
        for change in _worth_trying(name, field, came):
            target = change.target
            answer = judge(put(document(name), change))
            if isinstance(answer, list):
                came.setdefault(target, "refused")
            elif played.setdefault(target, 0) < MOST_PLAYED.get(target, 2):
                played[target] += 1
                probe = noticed(name, answer)
                shown = shown or probe
                stood = at(document(name), change.place)
                if probe:
                    told.add(frozenset((repr(field.default if stood is GONE else stood), target)))
                if probe or stood != "by_option":
                    came[target] = "changed" if probe else "silent"
    alike = tuple(_alike(field, told)) if is_named(field.kind) and shown else ()
    return _verdict(field, came, alike, shown)


def _worth_trying(name: str, field: Field, came: dict[str, Came]) -> Iterator[Change]:
    """Changes to values that have not been seen to matter yet; nonsense is nonsense everywhere."""
    tried: dict[str, int] = {}
    for change in changes(document(name), field):
        nonsense = NONSENSE in change.target and came.get(change.target) == "refused"
        if came.get(change.target) == "changed" or nonsense:
            continue
        tried[change.target] = tried.get(change.target, 0) + 1
        if tried[change.target] <= MOST_TRIED:
            yield change


def _verdict(field: Field, came: dict[str, Came], alike: tuple[str, ...], shown: str) -> Walked:
    silent = tuple(target for target, what in came.items() if what == "silent")
    if not came:
        return Walked("never tried")
    if silent and _is_bound(field, came):
        return Walked("refused")
    if silent or alike:
        return Walked("says nothing", (*silent, *alike), shown)
    return Walked("changes something" if shown else "refused", (), shown)


def _is_bound(field: Field, came: dict[str, Came]) -> bool:
    """A number to which the loader holds the rest of the file: more, or less, is refused."""
    return is_number(field.kind) and came == {ANY: "silent"} and any(_refusals(field))


def _refusals(field: Field) -> Iterator[bool]:
    for name in BOOKS:
        for change in changes(document(name), field):
            yield isinstance(judge(put(document(name), change)), list)


# ---------------------------------------------------------------- values that come to the same


def _alike(field: Field, told: set[frozenset[str]]) -> Iterator[str]:
    """Two values of a few that no rulebook tells apart, although some rulebook takes both.

    Some were told apart already; and an option may be set to the same as
    another, or as what stands beside it.
    """
    if len(named_values(field.kind)) > FEW:
        return
    pairs: dict[tuple[str, str], bool] = {}
    for name in BOOKS:
        for taken in _taken(name, field):
            for one, other in combinations(sorted(taken), 2):
                named = {one.strip("'"), other.strip("'")}
                options = named <= OPTIONS.keys() or "by_option" in named
                known = frozenset((one, other)) in told or pairs.get((one, other))
                if not options and not known:
                    pairs[one, other] = bool(noticed(name, taken[one], taken[other]))
    yield from (f"{one} is like {other}" for (one, other), differ in pairs.items() if not differ)


def _taken(name: str, field: Field) -> Iterator[dict[str, Rulebook]]:
    """Place by place the rulebook with each value that it takes instead of its own.

    How its own differs from these is known already.
    """
    data = document(name)
    for _, tried in groupby(changes(data, field), lambda change: change.place):
        answers = {change.target: judge(put(data, change)) for change in tried}
        yield {target: book for target, book in answers.items() if not isinstance(book, list)}
