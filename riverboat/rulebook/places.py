"""The line of a file on which a path stands, so that a message can be clicked on."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from riverboat.rulebook.conform import NAMING_KEYS

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r'^\s*(?:"([^"]+)"|([A-Za-z0-9_-]+))\s*=')
_NAMES = [re.compile(rf'\b{key} = "([^"]*)"') for key in NAMING_KEYS]
_LINES_WITH_NAMES = 3
_TOP = 0


class _Places(NamedTuple):
    """Where the tables of a file begin, and on which lines below that their keys stand.

    What has no header of its own begins where the first of its parts does.
    """

    tables: dict[str, int]
    parts: dict[str, int]
    keys: dict[int, dict[str, int]]


def line_of(text: str, where: str) -> int | None:
    """The line for a path like `options.maximum.default`, as far down it as can be found."""
    places = _places(text)
    parts = where.split(".")
    for depth in range(len(parts), 0, -1):
        path = ".".join(parts[:depth])
        start = places.tables.get(path)
        if start is not None:
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
        header = _HEADER.match(line)
        if header:
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
    names = [found[1] for name in _NAMES if (found := name.search(body))]
    for place, name in enumerate(names):
        path = f"{table}.{name}"
        if place == 0:
            seen[path] += 1
            yield path if seen[path] == 1 else f"{path}-{seen[path]}"
        else:
            yield path
