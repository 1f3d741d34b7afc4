"""What a player can ask for: one key, or one line with the same key and what goes with it."""

from typing import NamedTuple

_WORDS = {
    "fold": "f", "bet": "b", "ante": "b", "side": "s", "help": "?", "h": "?", "explain": "e",
    "coach": "c", "quit": "q", "leave": "q", "exit": "q", "deal": "", "enter": "",
}  # fmt: skip


class Command(NamedTuple):
    """A key, and in a line what was written after it."""

    key: str
    rest: str = ""


class Prompt(NamedTuple):
    """A question, and the keys that answer it with what they do."""

    question: str
    keys: tuple[tuple[str, str], ...]


class Leaving(Exception):
    """The player leaves the table, or nothing more can be read."""


def read_command(line: str) -> Command:
    """A line as a command: "f", "3", "3x", "b 15", "fold", or nothing at all."""
    words = line.strip().lower().split(maxsplit=1)
    if not words:
        return Command("")
    key = _WORDS.get(words[0], words[0])
    if key[:-1].isdecimal() and key.endswith("x"):
        key = key[:-1]
    return Command(key, words[1] if len(words) > 1 else "")
