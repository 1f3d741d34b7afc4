"""How the table meets its player: drawn on a screen, or told line by line."""

from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from riverboat import events as e
from riverboat.pages.page import Block
from riverboat.terminal.commands import Command, Prompt
from riverboat.terminal.scene import Scene


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
