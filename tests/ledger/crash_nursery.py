"""Brings up writers to be killed. Run as a program; a new writer is a fork of it: a moment.

A line on standard input, `RUN URL`, starts a writer. It appends from four threads for as long as it
lives. On standard output: `started PID`; `ack ID` for every command, written when `append` has
returned and not before; `gone PID` when it is dead, after everything that it said.
"""

import os
import sys
import threading
from contextlib import suppress

# Imported before the fork: the writers need them at once.
import riverboat.ledger.postgres
import riverboat.ledger.sqlite  # noqa: F401
from riverboat.ledger import Command, LedgerUnavailable, Write, open_ledger

THREADS = 4


def say(text: str) -> None:
    """One line, in one piece, whatever other processes write to the same pipe."""
    os.write(1, f"{text}\n".encode())


def write_for_ever(run: str, url: str) -> None:
    """Append until killed. What could not be acknowledged is sent again, with the same id."""
    while True:
        with suppress(LedgerUnavailable):
            ledger = open_ledger(url, patience_seconds=2.0)
            break

    def write(thread: int) -> None:
        number = 0
        while True:
            number += 1
            name = f"{run}-{thread}-{number}"
            asked = Command(id=name, actor="writer", recorded_at=number, text=name)
            writes = (
                Write(stream=f"table:{run}:{thread}", expected_version=number - 1, body=name),
                Write(stream="meter:1", expected_version=None, body=name),
            )
            while True:
                with suppress(LedgerUnavailable):
                    ledger.append(asked, *writes)
                    break
            say(f"ack {name}")

    threads = [threading.Thread(target=write, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> None:
    """One writer at a time."""
    for line in sys.stdin:
        run, _, url = line.strip().partition(" ")
        process = os.fork()
        if process == 0:
            try:
                write_for_ever(run, url)
            finally:
                os._exit(1)
        say(f"started {process}")
        os.waitpid(process, 0)
        say(f"gone {process}")


if __name__ == "__main__":
    main()
