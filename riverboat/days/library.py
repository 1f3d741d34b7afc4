"""The scripted days that come with the house, one for each rulebook, and anybody's own."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from riverboat.days.day_file import DayScript, read_days
from riverboat.days.runner import DayRunner, Failed
from riverboat.errors import NotationError
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_all, load_either, read_text

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
    if name not in day_ids() and not is_file:
        known = ", ".join(day_ids())
        raise NotationError("day.unknown", f"there is no day {name!r}; there are {known}")
    text = _text(name) if name in day_ids() else read_text(name)
    file = f"{name}.toml" if name in day_ids() else name
    starts = [n for n, line in enumerate(text.splitlines(), start=1) if _SCRIPT.match(line)]
    for number, (title, script) in enumerate(_read(file, text)):
        if isinstance(script, str):
            raise NotationError("day.unreadable", f"{file}: {title}: {script}")
        runner = DayRunner(script, _books(script.rulebook))
        before = starts[number] if number < len(starts) else 0
        try:
            runner.run()
        except NotationError as problem:
            raise NotationError(problem.code, f"{file}: {title}: {problem}") from None
        yield Played(file, script, before, runner)


def _read(file: str, text: str) -> list[tuple[str, DayScript | str]]:
    try:
        return read_days(text)
    except NotationError as problem:
        raise NotationError(problem.code, f"{file}: {problem}") from None


def _books(name: str) -> dict[str, tuple[Rulebook, str]]:
    books = {loaded.book.id: (loaded.book, loaded.sha256) for loaded in load_all()}
    if name not in books:
        loaded = load_either(name)
        books[name] = (loaded.book, loaded.sha256)
    return books
