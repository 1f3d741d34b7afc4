"""Brings up floors to be killed. Run as a program; a new floor is a fork of it: a moment.

A line on standard input, `RUN URL TABLES`, starts a floor that plays its tables from one thread
each, for as long as it lives; at those whose name begins with W, every round wins a part of the
meter. On standard output: `started PID`; `ack ID` for every command, written when it was answered
and not before; `gone PID` when it is dead, after everything that it said.
What a thread was about to ask is not known to the next run: it looks at the table and goes on.
"""

import os
import sys
import threading
import time

import riverboat.ledger.postgres
import riverboat.ledger.sqlite  # noqa: F401
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.ledger import LedgerUnavailable, open_ledger
from riverboat.rulebooks import editions
from tests.floor.house import STRAIGHT_FLUSH, House, floor_on


def say(text: str) -> None:
    """One line, in one piece, whatever other threads write to the same pipe."""
    os.write(1, f"{text}\n".encode())


def play_for_ever(run: str, url: str, tables: list[str]) -> None:
    """Play every table until killed. What could not be acknowledged is sent again."""
    floor = floor_on(open_ledger(url))

    def play(table: str) -> None:
        number = 0
        house = House(floor)
        while True:
            winning = table.startswith("W")
            doing = house.next_alone(table, STRAIGHT_FLUSH) if winning else house.next_at(table)
            if doing is None:
                time.sleep(0.001)
                continue
            number += 1
            name = f"{run}-{table}-{number}"
            while True:
                try:
                    attend(floor, name, table, doing)
                except LedgerUnavailable:
                    continue
                except Refused as refusal:
                    if refusal.code != "award.pending":
                        say(f"refused {name}: {refusal}")
                    break
                say(f"ack {name}")
                break

    threads = [threading.Thread(target=play, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> None:
    """One floor at a time."""
    editions()
    for line in sys.stdin:
        run, url, *tables = line.split()
        process = os.fork()
        if process == 0:
            try:
                play_for_ever(run, url, tables)
            finally:
                os._exit(1)
        say(f"started {process}")
        os.waitpid(process, 0)
        say(f"gone {process}")


if __name__ == "__main__":
    main()
