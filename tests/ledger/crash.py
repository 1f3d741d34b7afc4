"""Killing writers with SIGKILL, again and again, whatever it is that they write.

Moments are counted in acknowledgements, not in milliseconds: a timer on a busy machine kills
writers that have not begun. A killed process shows that a commit is atomic and that nothing is
acknowledged early. It does not show that the disk keeps its word when the power fails: that
nobody has tested yet.

Run as a program it brings up the writers; a new one is a fork of it: a moment.

    python -m tests.ledger.crash MODULE

`MODULE.write_for_ever(run, url, say)` writes for as long as it lives. A line on standard input,
`RUN URL`, starts a writer. On standard output: `started PID`; what the writer says, `ack ID` for
every command when it was answered and not before; `gone PID` when it is dead, after everything that
it said.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Self

# Imported before the fork: the writers need them at once.
import riverboat.ledger.postgres
import riverboat.ledger.sqlite  # noqa: F401
from riverboat.ledger import Ledger, Row, open_ledger, verify

ROOT = Path(__file__).resolve().parent.parent.parent


# ---------------------------------------------------------------- as a program


def say(text: str) -> None:
    """One line, in one piece, whatever other threads and processes write to the same pipe."""
    os.write(1, f"{text}\n".encode())


def in_threads(writers: Iterable[Callable[[], None]]) -> None:
    """All at once, until each of them is done."""
    threads = [threading.Thread(target=writer) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def bring_up(module: str) -> None:
    """One writer at a time."""
    write_for_ever = import_module(module).write_for_ever
    for line in sys.stdin:
        run, _, url = line.strip().partition(" ")
        process = os.fork()
        if process == 0:
            try:
                write_for_ever(run, url, say)
            finally:
                os._exit(1)
        say(f"started {process}")
        os.waitpid(process, 0)
        say(f"gone {process}")


# ---------------------------------------------------------------- as seen from a test


class Nursery:
    """The program that brings up writers."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.refused: list[str] = []
        self.writer = 0

    @classmethod
    @contextmanager
    def opened(cls, module: str) -> Iterator[Self]:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        nursery = cls(process)
        try:
            yield nursery
        finally:
            assert process.stdin
            process.stdin.close()
            nursery._kill_writer()
            process.wait(20)
            assert process.stdout
            process.stdout.close()

    def start(self, run: str, url: str) -> None:
        """A new writer."""
        assert self._process.stdin
        self._process.stdin.write(f"{run} {url}\n")
        self._process.stdin.flush()
        kind, pid = self._line()
        assert kind == "started"
        self.writer = int(pid)

    def acknowledgements(self, count: int) -> set[str]:
        """What the writer says, until it has said so many."""
        said: set[str] = set()
        while len(said) < count:
            assert self._hear(said) in ("ack", "refused"), "the writer died by itself"
        return said

    def kill(self) -> set[str]:
        """Kill the writer, and hear what it had still said."""
        self._kill_writer()
        said: set[str] = set()
        while self._hear(said) != "gone":
            pass
        return said

    def _hear(self, said: set[str]) -> str:
        kind, name = self._line()
        if kind == "ack":
            said.add(name)
        elif kind == "refused":
            self.refused.append(name)
        return kind

    def _kill_writer(self) -> None:
        if self.writer:
            os.kill(self.writer, signal.SIGKILL)
            self.writer = 0

    def _line(self) -> tuple[str, str]:
        assert self._process.stdout
        kind, _, rest = self._process.stdout.readline().strip().partition(" ")
        return kind, rest


class Killing:
    """Kills again and again, and looks each time at what is left: all of what was acknowledged, and
    of what was not, all or nothing. Subclasses say what is whole."""

    longest = 40
    """So many acknowledgements are waited for at most before a kill."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self.kills = 0
        self.url = ""
        self.acknowledged: set[str] = set()

    def run(
        self, nursery: Nursery, kills: int, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Start, wait for some acknowledgements, let something happen, kill, look."""
        for _ in range(kills):
            self.begin()
            self.kills += 1
            nursery.start(f"run{self.kills}", self.url)
            said = nursery.acknowledgements(self._rng.randint(1, self.longest))
            if meanwhile is not None:
                meanwhile()
                said |= nursery.acknowledgements(self._rng.randint(1, 20))
            # Somewhere between two acknowledgements, not always right after one.
            time.sleep(self._rng.random() * 0.004)
            self.acknowledged |= said | nursery.kill()
            with open_ledger(self.url, create=False) as ledger:
                self._look(ledger)
        assert not nursery.refused, nursery.refused

    def _look(self, ledger: Ledger) -> None:
        verdict = verify(ledger)
        assert verdict.holds, verdict.fault
        rows_of: dict[str, list[Row]] = defaultdict(list)
        for row in ledger.read_all():
            rows_of[row.command_id].append(row)
        missing = self.acknowledged - rows_of.keys()
        assert not missing, f"acknowledged, and gone: {sorted(missing)}"
        for name, rows in rows_of.items():
            self.require_whole(name, rows)
        self.look_further(ledger, rows_of)

    def begin(self) -> None:
        """Before each start."""

    def require_whole(self, name: str, rows: list[Row]) -> None:
        """What a command wrote is all that it had to write."""
        raise NotImplementedError

    def look_further(self, ledger: Ledger, rows_of: dict[str, list[Row]]) -> None:
        """After each kill, when every command was found to be whole."""


if __name__ == "__main__":
    bring_up(sys.argv[1])
