"""The table drawn on a screen, and its player's keys one by one, without waiting for Enter."""

import os
import re
import select
import signal
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from types import FrameType, TracebackType
from typing import Any, Self, TextIO

from rich.console import Console, ConsoleDimensions, Group
from rich.text import Text

from riverboat.answers.page import Block as PageBlock
from riverboat.round import events as e
from riverboat.terminal.drawing import Block
from riverboat.terminal.felt import (
    KEY,
    Said,
    keys_asked,
    page_frame,
    page_lines,
    page_rows,
    table_frame,
)
from riverboat.terminal.scene import Command, Leaving, Prompt, Scene, narrate

try:
    import termios
    import tty
except ImportError:  # a system without POSIX terminals reads lines instead
    HAS_RAW_KEYS = False
else:
    HAS_RAW_KEYS = True


ENTER, ESCAPE, ERASE, UP, DOWN, OTHER = "enter", "escape", "erase", "up", "down", "other"

_NAMED = {
    "\r": ENTER, "\n": ENTER, "\x1b": ESCAPE, "\x7f": ERASE, "\x08": ERASE,
    "\x1b[A": UP, "\x1b[5~": UP, "\x1b[B": DOWN, "\x1b[6~": DOWN, "\x1bOA": UP, "\x1bOB": DOWN,
}  # fmt: skip
_KEY = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|.", re.DOTALL)
_END_OF_INPUT = "\x04"


class Keyboard:
    """A terminal that gives up its keys at once, for as long as it is entered."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._typed = ""
        self._saved: list[Any] = []

    def __enter__(self) -> Self:
        self._saved = termios.tcgetattr(self.descriptor)
        tty.setcbreak(self.descriptor)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        termios.tcsetattr(self.descriptor, termios.TCSAFLUSH, self._saved)

    def key(self, seconds: float) -> str | None:
        """The next key by its name or letter, or None when nobody pressed one in time."""
        if not self._typed and not self._read(seconds):
            return None
        found = _KEY.match(self._typed)
        assert found is not None
        self._typed = self._typed[found.end() :]
        if found[0] == _END_OF_INPUT:
            raise Leaving
        unnamed = found[0] if found[0].isprintable() else OTHER
        return _NAMED.get(found[0], unnamed)

    def forget(self) -> None:
        """Drop what was typed ahead: it was not meant for the next question."""
        self._typed = ""
        termios.tcflush(self.descriptor, termios.TCIFLUSH)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        typed = os.read(self.descriptor, 256)
        if not typed:
            raise Leaving
        self._typed = typed.decode("utf-8", "ignore") or "\x00"
        return True


Frame = Callable[[int, int], Block]

GLANCE_SECONDS = 0.1
BEAT_SECONDS = 0.45

_QUICK = (e.WagerPlaced, e.BettingClosed, e.ProgressiveLocked, e.ProgressiveCollected,
          e.FoldCollected, e.SettlementBegun, e.RoundClosed)  # fmt: skip


class ScreenFront:
    """Draws the whole screen anew whenever something changes, the window's size included."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        self.console = Console(file=output, highlight=False)
        self.keyboard = Keyboard(input.fileno())
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
        return Command({ENTER: "", ESCAPE: ""}.get(key, key.lower()))

    def ask_text(self, scene: Scene, question: str) -> str:
        """A few characters, until Enter; Escape thinks better of it."""
        typed = ""
        while True:
            asked = Text.assemble(" ", (question, KEY), f" {typed}", ("▏", "blink"))
            key = self._key(self._table(scene, asked))
            if key in (ENTER, ESCAPE):
                return typed if key == ENTER else ""
            if key == ERASE:
                typed = typed[:-1]
            elif len(key) == 1 and len(typed) < 16:
                typed += key

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
            if key in (ENTER, DOWN, " ") and top < last:
                top = min(last, top + rows - 1)
            elif key == UP:
                top = max(0, top - rows + 1)
            elif key != OTHER:
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
