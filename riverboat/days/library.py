"""The scripted days that come with the house, one for each of the program's rulebooks; an ordinary
day for a house's own; and anybody's files."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from riverboat.days.day_file import DayScript, read_days
from riverboat.days.ordinary import ordinary_day
from riverboat.days.runner import DayRunner, Failed
from riverboat.errors import NotationError
from riverboat.rulebooks import (
    Loaded,
    editions,
    is_rulebook,
    load_either,
    read_text,
    rulebook_ids,
    rulebook_in,
)

_HERE = files("riverboat.days").joinpath("scripts")
_SCRIPT = re.compile(r"\s*script\s*=\s*(\"\"\"|''')")


class Played(NamedTuple):
    """A day that was played: its file, and the line of that file before its script."""

    file: str
    script: DayScript
    before_script: int
    runner: DayRunner

    def line_of(self, failed: Failed) -> int:
        """Where in the file a line of the script stands."""
        return self.before_script + failed.line


@cache
def day_ids() -> tuple[str, ...]:
    """The rulebooks that a scripted day comes with."""
    return tuple(sorted(f.name[:-5] for f in _HERE.iterdir() if f.name.endswith(".toml")))


def fullest_day() -> str:
    """The day in which the most happens."""
    return max(day_ids(), key=lambda name: len(_text(name)))


def _text(name: str) -> str:
    return _HERE.joinpath(f"{name}.toml").read_text("utf-8")


def play_days(name: str) -> Iterator[Played]:
    """Every day of a rulebook's script, or of a file, played from beginning to end."""
    is_file = name.endswith(".toml") or "/" in name or Path(name).is_file()
    if name not in (*day_ids(), *rulebook_ids()) and not is_file:
        known = ", ".join(rulebook_ids())
        raise NotationError("day.unknown", f"there is no day {name!r}; there are {known}")
    if name not in day_ids() and (name in rulebook_ids() or is_rulebook(name)):
        yield _ordinary(load_either(name))
        return
    text = _text(name) if name in day_ids() else read_text(name)
    file = f"{name}.toml" if name in day_ids() else name
    starts = [n for n, line in enumerate(text.splitlines(), start=1) if _SCRIPT.match(line)]
    for number, (title, script) in enumerate(_read(file, text)):
        if isinstance(script, str):
            raise NotationError("day.unreadable", f"{file}: {title}: {script}")
        before = starts[number] if number < len(starts) else 0
        try:
            rulebook, books = rulebook_in(file, script.rulebook)
            script = replace(script, rulebook=rulebook)
            runner = DayRunner(script, books)
            runner.run()
        except NotationError as problem:
            raise NotationError(problem.code, f"{file}: {title}: {problem}") from None
        yield Played(file, script, before, runner)


def _ordinary(loaded: Loaded) -> Played:
    script = ordinary_day(loaded.book)
    runner = DayRunner(script, editions(loaded))
    runner.run()
    return Played(loaded.path, script, 0, runner)


def _read(file: str, text: str) -> list[tuple[str, DayScript | str]]:
    try:
        return read_days(text)
    except NotationError as problem:
        raise NotationError(problem.code, f"{file}: {problem}") from None
