"""How a line of a day script is used: `SPOT $ [seat=] [with=]`, and whether one is used so.

    WORD or $       one word of the script's own        a|b          one of these words
    WORD…           one word or more                    [ … ]        may be left out
    [key=]          a named word                        [KEY=VALUE]  named words of any name

Several ways are parted by ` or `. What a line says beyond its usage would be read by nobody, and
is an error.
"""

import re
from collections.abc import Collection, Sequence
from functools import cache

from riverboat.errors import NotationError

_TOKEN = re.compile(r"\[[^]]*\]|\S+")


def parted(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The plain words of a line, and its named ones, `seat=3`; each name once."""
    plain = tuple(word for word in words if "=" not in word)
    named: dict[str, str] = {}
    for word in (word for word in words if "=" in word):
        name, _, value = word.partition("=")
        if name in named or not name or not value:
            why = "is said twice" if name in named else "is no name with a value"
            raise NotationError("script.bad_word", f"{word!r} {why}; write name=value, each once")
        named[name] = value
    return plain, named


def require_usage(head: str, usage: str, words: Sequence[str]) -> None:
    """A line's words after its verb, held against how the verb is used."""
    plain, named = parted(words)
    ways = usage.split(" or ")
    if any(_fits(way, plain, named) for way in ways):
        return
    said = " ".join((head, *words))
    right = " or ".join(f"{head} {way}".strip() for way in ways)
    raise NotationError("script.bad_usage", f"{said!r} is not used so; write {right}")


def _fits(way: str, plain: Sequence[str], named: Collection[str]) -> bool:
    names, pattern = _read(way)
    known = names is None or set(named) <= names
    return known and re.fullmatch(pattern, "".join(f" {word}" for word in plain)) is not None


@cache
def _read(way: str) -> tuple[frozenset[str] | None, str]:
    """Which names may stand in a line (None: any), and the pattern of its plain words."""
    names, pattern, any_name = set(), "", False
    for token in _TOKEN.findall(way):
        optional = token.startswith("[")
        inner = token.strip("[]").split()
        if "=" in token:
            name, _, value = token.strip("[]").partition("=")
            any_name = any_name or bool(value)
            names.add(name)
        else:
            part = "".join(map(_pattern, inner))
            pattern += f"(?:{part})?" if optional else part
    return None if any_name else frozenset(names), pattern


def _pattern(token: str) -> str:
    if token == "$" or (token.rstrip("…").isupper() and "|" not in token):
        return r"(?: \S+)+" if token.endswith("…") else r" \S+"
    return " (?:" + "|".join(map(re.escape, token.split("|"))) + ")"
