"""Keys one by one from a terminal, without waiting for Enter; Ctrl-C stays what it is."""

import os
import re
import select
from types import TracebackType
from typing import Any, Self

try:
    import termios
    import tty
except ImportError:  # a system without POSIX terminals reads lines instead
    HAS_RAW_KEYS = False
else:
    HAS_RAW_KEYS = True

from riverboat.terminal.commands import Leaving

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
