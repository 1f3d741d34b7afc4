"""How the table meets its player: what it shows and asks, and what a player can ask for."""

from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from riverboat.answers.page import Block
from riverboat.round import events as e
from riverboat.terminal.scene import Scene

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


class Front(Protocol):
    """Whatever shows the table and asks its player."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def welcome(self, scene: Scene) -> None:
        """The table before the first round."""

    def happened(self, scene: Scene, event: e.AnyEvent) -> None:
        """Show an event, at a pace at which it can be followed."""

    def round_over(self, scene: Scene) -> None:
        """Show how the round ended."""

    def tell(self, text: str, *, loud: bool = False) -> None:
        """Say something; `loud` for a refusal."""

    def ask(self, scene: Scene, prompt: Prompt) -> Command:
        """The next command; raises `Leaving` where nothing more can be read."""

    def ask_text(self, scene: Scene, question: str) -> str:
        """A few characters typed by the player, empty if the player thinks better of it."""

    def page(self, scene: Scene, page: Iterable[Block]) -> None:
        """Let the player read a page."""

    def goodbye(self, text: str) -> None:
        """The last line, after the table is gone."""
