"""The table drawn on a whole screen, with single keys. Fits 80 × 24 and follows a resize."""

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from types import FrameType, TracebackType
from typing import Self, TextIO

from rich.console import Console, ConsoleDimensions, Group
from rich.text import Text

from riverboat import events as e
from riverboat.pages.page import Block as PageBlock
from riverboat.terminal import keys
from riverboat.terminal.commands import Command, Prompt
from riverboat.terminal.faces import Block
from riverboat.terminal.frames import (
    KEY,
    Said,
    keys_asked,
    page_frame,
    page_lines,
    page_rows,
    table_frame,
)
from riverboat.terminal.narration import narrate
from riverboat.terminal.scene import Scene

Frame = Callable[[int, int], Block]

GLANCE_SECONDS = 0.1
BEAT_SECONDS = 0.45

_QUICK = (e.WagerPlaced, e.BettingClosed, e.ProgressiveLocked, e.ProgressiveCollected,
          e.FoldCollected, e.SettlementBegun, e.RoundClosed)  # fmt: skip


class ScreenFront:
    """Draws the whole screen anew whenever something changes, the window's size included."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        self.console = Console(file=output, highlight=False)
        self.keyboard = keys.Keyboard(input.fileno())
        self.log: list[Said] = []
        self.hurried = False
        self.paid_seat = 0
        self._taken = ExitStack()
        self._drawn_size = ConsoleDimensions(0, 0)

    def __enter__(self) -> Self:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.signal(signal.SIGTSTP, self._suspend)
        self._take_terminal()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the terminal back as it was, whatever is pressed meanwhile."""
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._taken.close()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, interrupt)

    def _take_terminal(self) -> None:
        self._taken.enter_context(self.keyboard)
        self._taken.enter_context(self.console.screen(hide_cursor=True))

    def _suspend(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: give the terminal back, stop, and take it again when play goes on."""
        self._taken.close()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._suspend)
        self._take_terminal()
        self._drawn_size = ConsoleDimensions(0, 0)

    def welcome(self, scene: Scene) -> None:
        """A word before the first round."""
        self.tell("Welcome aboard. Enter deals with the bets on the felt; ? is help.")

    def tell(self, text: str, *, loud: bool = False) -> None:
        """One more line of what is said at the table."""
        self.log.append(Said(text, loud))

    def happened(self, scene: Scene, event: e.AnyEvent) -> None:
        """Show an event and give it time; any key hurries until the next question."""
        if isinstance(event, e.DealersHandTurned):
            for up in range(2, len(scene.state.dealer)):
                self._draw(self._table(scene._replace(dealer_up=up)))
                self._pause()
        words = narrate(scene, event)
        if words:
            self.tell(words)
        self._draw(self._table(scene))
        if isinstance(event, e.SpotSettled) and event.seat == self.paid_seat:
            return
        self.paid_seat = getattr(event, "seat", 0)
        if not isinstance(event, _QUICK):
            self._pause()

    def round_over(self, scene: Scene) -> None:
        """The next question shows the results, and keeps them on the felt until it is answered."""

    def ask(self, scene: Scene, prompt: Prompt) -> Command:
        """The next key."""
        if self.hurried:
            self.keyboard.forget()
            self.hurried = False
        key = self._key(self._table(scene, keys_asked(prompt)))
        return Command({keys.ENTER: "", keys.ESCAPE: ""}.get(key, key.lower()))

    def ask_text(self, scene: Scene, question: str) -> str:
        """A few characters, until Enter; Escape thinks better of it."""
        typed = ""
        while True:
            asked = Text.assemble(" ", (question, KEY), f" {typed}", ("▏", "blink"))
            match self._key(self._table(scene, asked)):
                case keys.ENTER:
                    return typed
                case keys.ESCAPE:
                    return ""
                case keys.ERASE:
                    typed = typed[:-1]
                case letter if len(letter) == 1 and len(typed) < 16:
                    typed += letter

    def page(self, scene: Scene, page: Iterable[PageBlock]) -> None:
        """A page in place of the felt; Enter and the arrows turn it, any other key ends it."""
        blocks, top = list(page), 0
        colours = self.console.color_system
        while True:
            lines: Block = []

            def frame(width: int, height: int, top: int = top, lines: Block = lines) -> Block:
                lines[:] = page_lines(blocks, width - 2, colours)
                return page_frame(scene, lines, top, width, height)

            key = self._key(frame)
            rows = page_rows(self.console.height)
            last = max(0, len(lines) - rows)
            if key in (keys.ENTER, keys.DOWN, " ") and top < last:
                top = min(last, top + rows - 1)
            elif key == keys.UP:
                top = max(0, top - rows + 1)
            elif key != keys.OTHER:
                return

    def goodbye(self, text: str) -> None:
        """The last line, on the screen that was there before."""
        self.console.print(Text(text))

    def _table(self, scene: Scene, asked: Text | None = None) -> Frame:
        waiting = asked or Text(" any key hurries", "dim")
        return lambda width, height: table_frame(scene, self.log, waiting, width, height)

    def _draw(self, frame: Frame) -> None:
        self._drawn_size = self.console.size
        width, height = self._drawn_size
        lines = frame(width, height)
        for line in lines:
            line.no_wrap, line.overflow = True, "crop"
        self.console.update_screen(Group(*lines))

    def _key(self, frame: Frame) -> str:
        """The next key; meanwhile a window of another size is drawn anew."""
        self._draw(frame)
        while (key := self.keyboard.key(GLANCE_SECONDS)) is None:
            if self.console.size != self._drawn_size:
                self._draw(frame)
        return key

    def _pause(self) -> None:
        if not self.hurried:
            self.hurried = self.keyboard.key(BEAT_SECONDS) is not None
