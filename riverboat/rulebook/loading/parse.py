"""A rulebook from the text of its file, or every reason why not, each with its line.

An engine reads a rulebook and asks no questions. So whatever it could not play, or would play
otherwise than the file says, is refused here, with its place and with what would be right.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec
from msgspec import convert, inspect

from riverboat.core.errors import Problem, RulebookError
from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Found, Misfit, misfits
from riverboat.rulebook.loading.progressive_checks import progressive_misfits
from riverboat.rulebook.loading.rule_checks import CITING, INCIDENTS
from riverboat.rulebook.loading.settings import SETTINGS
from riverboat.rulebook.loading.table_checks import TABLE
from riverboat.rulebook.loading.wager_checks import WAGERS
from riverboat.rulebook.paytables import flaws
from riverboat.rulebook.rules import NAMING_KEYS
from riverboat.rulebook.values import Dollars, Pays, Percent

# Rules with one value that is played. They stand in a file because the documents say them.
PLAYED: dict[str, object] = {
    "ante.required": True,
    "tips.needs_own_wager": True,
    "tips.stays_without_street_tip": True,
    "hands.five.ace_low_in": ("A-2-3-4-5",),
    "hands.five.suits_equal": True,
    "hands.five.highest_only": True,
    "hands.three.highest_only": True,
    "hands.six.highest_only": True,
    "hands.six.box_cards": 4,
    "hands.six.hole_cards": 2,
    "hands.six.super_royal": ("A-K-Q-J-T-9",),
    "settlement.seats.one_seat_at_a_time": True,
    "progressive.collection.chips_must_equal_accepted": True,
    "progressive.winning.highest_only": True,
    "progressive.winning.stake_returned": False,
    "progressive.winning.depends_on_dealer": False,
    "progressive.payment.full_meter_from_tray": False,
    "opening.two_decks.separately": True,
    "two_decks.decks_in_discard_rack": 1,
    "cards.decks": 1,
    "cards.cards": 52,
    "stub_count.total": 52,
    "deal.face_down": True,
}


def _played(book: Rulebook) -> Found:
    for path, right in PLAYED.items():
        part: object = book
        for name in path.split("."):
            part = getattr(part, name) if name in getattr(part, "__struct_fields__", ()) else None
        if part is not None and part != right:
            yield path, f"is {_written(part)}; only {_written(right)} is played"


def _written(value: object) -> str:
    """A value as a file writes it."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(value) or "empty"
    return str(value)


def _tables(book: Rulebook) -> Found:
    for table in book.paytables:
        yield from ((f"paytables.{table.id}", flaw) for flaw in flaws(table))
    bases = [table for table in book.paytables if table.bet == "base" and table.playable]
    wanted = 1 if book.comparison is None else 0
    if len(bases) != wanted:
        yield "paytables", f"{len(bases)} playable tables for the base game; {wanted} is right"


# Everything that can be wrong although every single part is well formed.
CHECKS = (*CITING, _played, *SETTINGS, _tables, *WAGERS, *TABLE, *INCIDENTS, progressive_misfits)

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r'^\s*(?:"([^"]+)"|([A-Za-z0-9_-]+))\s*=')
_NAMES = [re.compile(rf'\b{key} = "([^"]*)"') for key in NAMING_KEYS]
_LINES_WITH_NAMES = 3
_TOP = 0
_type_of = cache(inspect.type_info)


class _Places(NamedTuple):
    """Where the tables of a file begin, and on which lines below that their keys stand.

    What has no header of its own begins where the first of its parts does.
    """

    tables: dict[str, int]
    parts: dict[str, int]
    keys: dict[int, dict[str, int]]


def line_of(text: str, where: str) -> int | None:
    """The line for a path like `options.maximum.default`, as far down it as can be found."""
    places, parts = _places(text), where.split(".")
    for depth in range(len(parts), 0, -1):
        path = ".".join(parts[:depth])
        if (start := places.tables.get(path)) is not None:
            return _key_line(places, start, parts[depth:]) or start
        if path in places.parts:
            return places.parts[path]
    return _key_line(places, _TOP, parts)


def _key_line(places: _Places, start: int, parts: Sequence[str]) -> int | None:
    """The line of a key within the table that begins at `start`; a quoted key may hold dots."""
    keys = places.keys.get(start, {})
    for depth in range(len(parts), 0, -1):
        line = keys.get(".".join(parts[:depth]).partition("[")[0])
        if line is not None:
            return line
    return None


@lru_cache(maxsize=2)
def _places(text: str) -> _Places:
    """Every place of a file, found once, because a file can have thousands of problems."""
    places = _Places({}, {}, {})
    seen: Counter[str] = Counter()
    lines = text.split("\n")
    start = _TOP
    for number, line in enumerate(lines, start=1):
        if header := _HEADER.match(line):
            start = number
            places.tables.setdefault(header[1], number)
            places.parts.setdefault(header[1].partition(".")[0], number)
            if line.lstrip().startswith("[["):
                body = "\n".join(lines[number : number + _LINES_WITH_NAMES])
                for path in _entry_paths(header[1], body, seen):
                    places.tables.setdefault(path, number)
        elif key := _KEY.match(line):
            places.keys.setdefault(start, {}).setdefault(key[1] or key[2], number)
    return places


def _entry_paths(table: str, body: str, seen: Counter[str]) -> Iterator[str]:
    """The paths of a list entry: by its own name, with a number where the name comes again."""
    paths = [f"{table}.{found[1]}" for name in _NAMES if (found := name.search(body))]
    for path in paths[:1]:
        seen[path] += 1
        yield path if seen[path] == 1 else f"{path}-{seen[path]}"
    yield from paths[1:]


def parse_rulebook(text: str, *, path: str) -> Rulebook:
    """A rulebook from its text; `path` is only for messages, the shell opened the file."""
    try:
        data = tomllib.loads(text)
    except ValueError as problem:
        raise RulebookError([Problem(path, "TOML", str(problem))]) from None
    except RecursionError:
        raise RulebookError([Problem(path, "TOML", "is nested too deeply")]) from None
    answer = judge(data)
    if isinstance(answer, list):
        raise RulebookError([_problem(misfit, text, path) for misfit in answer])
    return answer


def judge(data: dict[str, object]) -> Rulebook | list[Misfit]:
    """The rulebook that the data are, or every reason why they are none."""
    if found := list(misfits(data, _type_of(Rulebook))):
        return found
    book: Rulebook = convert(data, Rulebook, dec_hook=lambda kind, text: kind.parse(text))
    return [Misfit(*found) for check in CHECKS for found in check(book)] or book


def _problem(misfit: Misfit, text: str, path: str) -> Problem:
    line = line_of(text, misfit.where)
    return Problem(f"{path}:{line}" if line else path, misfit.where or "file", misfit.message)


# What an editor is told of each notation: its form alone, without the sizes that are allowed.
_NOTATIONS: dict[type, tuple[str, str]] = {
    Dollars: (r"^\d+(\.\d{1,2})?$", "Dollars: '25' or '0.50'."),
    Percent: (r"^\d{1,3}(\.\d{1,2})?$", "Percent: '21'."),
    Pays: (
        r"^(?:(\d+) (to|for) (\d+)|(\d+)% of meter|\$(\d+(?:\.\d\d)?)|push|lose|nothing)$",
        "'500 to 1', '300 for 1', '10% of meter', '$100000', 'push', 'lose', 'nothing'.",
    ),
}


def rulebook_schema() -> dict[str, object]:
    """The schema of one rulebook file."""

    def told(kind: type) -> dict[str, object]:
        pattern, description = _NOTATIONS[kind]
        return {"type": "string", "pattern": pattern, "description": description}

    heading = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema = msgspec.json.schema(Rulebook, schema_hook=told)
    return {**heading, "title": "Riverboat rulebook", **schema}
