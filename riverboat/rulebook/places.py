"""The line of a file on which a path stands, so that a message can be clicked on."""

import re

from riverboat.rulebook.conform import NAMING_KEYS

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")


def line_of(text: str, where: str) -> int | None:
    """The line for a path like `options.maximum.default`, as far down it as can be found."""
    lines = text.split("\n")
    parts = where.split(".")
    for depth in range(len(parts), 0, -1):
        table, key = ".".join(parts[:depth]), ".".join(parts[depth:])
        start = _table_line(lines, table)
        if start is not None:
            return _key_line(lines, start, key.split(".")[0]) or start
    return _key_line(lines, 0, parts[0])


def _table_line(lines: list[str], table: str) -> int | None:
    """The header of a table, or of the list entry that bears the last name of the path."""
    outer, _, name = table.rpartition(".")
    for number, line in enumerate(lines, start=1):
        found = _HEADER.match(line)
        if found and found[1] == table:
            return number
        if found and found[1] == outer and line.lstrip().startswith("[["):
            body = lines[number : number + 3]
            named = (f'{key} = "{name}"' for key in NAMING_KEYS)
            if any(entry.strip() in body_line for entry in named for body_line in body):
                return number
    return None


def _key_line(lines: list[str], start: int, key: str) -> int | None:
    """The line of a key within the table that begins at `start`."""
    if not key:
        return None
    name = re.escape(key.partition("[")[0])
    wanted = re.compile(rf'^\s*"?{name}"?\s*=')
    for number, line in enumerate(lines[start:], start=start + 1):
        if number > start + 1 and _HEADER.match(line):
            return None
        if wanted.match(line):
            return number
    return None
