"""The format of day files: a table, people, and a script with what must come of it."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec import convert

from riverboat.core.errors import NotationError
from riverboat.table.configuration.submission import Submission, submission_misfits
from riverboat.table.people import Role

_TIME = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_SECONDS = (3600, 60, 1)

PEOPLE: dict[str, Role] = {
    "Dana": "dealer",
    "Drew": "dealer",
    "Flo": "floorperson",
    "Fred": "floorperson",
    "Sue": "supervisor",
    "Ann": "player",
    "Ben": "player",
    "Lab": "lab",
    "Lee": "lab",
}


class DayScript(Submission, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One scripted day: a submission, and what happens at that table."""

    title: str
    clauses: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    people: dict[str, Role] = {}  # noqa: RUF012
    begin: Literal["nothing", "configured", "open", "ready"] = "ready"
    script: str = ""

    @property
    def expects_nothing(self) -> bool:
        """Whether no line says what must come out."""
        firsts = (line.words.partition(" ")[0] for line in lines_of(self.script))
        return not any(first in ("expect", "refused", "refused:") for first in firsts)


class Line(NamedTuple):
    """A line of a script: where it stands, when it happens, and its words."""

    number: int
    at: int | None
    words: str


def read_days(text: str) -> list[tuple[str, DayScript | str]]:
    """Each day of a file by its title, or the reason why it cannot be read."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise NotationError("day.unreadable", f"no TOML: {problem}") from None
    extra = sorted(set(data) - {"day"})
    days = data.get("day")
    if extra or not isinstance(days, list) or not days:
        wrong = f"unknown key {extra[0]!r}" if extra else "no [[day]]"
        raise NotationError("day.unreadable", f"{wrong}; a file holds [[day]] tables")
    return [_read(number, day) for number, day in enumerate(days, start=1)]


def _read(number: int, entry: object) -> tuple[str, DayScript | str]:
    data: Mapping[str, object] = entry if isinstance(entry, Mapping) else {}
    title = str(data.get("title") or f"day {number}")
    script = data.get("script", "")
    plain = {**data, "script": ""} if isinstance(script, str) else data
    found = list(submission_misfits(plain, DayScript))
    if found:
        return title, "\n".join(f"{misfit.where}: {misfit.message}" for misfit in found)
    if not isinstance(script, str) or not any(lines_of(script)):
        return title, "script: says nothing; write a line for each thing that is done or expected"
    day: DayScript = convert(dict(data), DayScript)
    return title, day


def lines_of(script: str) -> Iterator[Line]:
    """The lines of a script; `#` begins a remark, and a time may stand in front."""
    for number, text in enumerate(script.splitlines(), start=1):
        words = text.split("#")[0].strip()
        if not words:
            continue
        first, _, rest = words.partition(" ")
        at = seconds_of(first)
        yield Line(number, at, words if at is None else rest.strip())


def seconds_of(text: str) -> int | None:
    """A time of day as seconds; after midnight the hours go on."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    return sum(int(part or 0) * unit for part, unit in zip(found.groups(), _SECONDS, strict=True))
