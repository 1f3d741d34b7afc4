"""What is played while floors are killed: five tables on one meter, from a thread each. At those
whose name begins with W, every round wins a part of the meter.

What a thread was about to ask is not known to the next run: it looks at the table and goes on.
"""

import time
from collections.abc import Callable
from functools import partial

from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.ledger import LedgerUnavailable, open_ledger
from riverboat.rulebooks import editions
from tests.floor.house import STRAIGHT_FLUSH, House, floor_on
from tests.ledger.crash import in_threads

TABLES = {
    "T1": "maryland-2014",
    "T2": "island-stud",
    "T3": "south-dakota-2011",
    "W4": "maryland-2014",
    "W5": "south-dakota-3cb",
}

editions()  # Read once, before any floor is a fork of this program.


def write_for_ever(run: str, url: str, say: Callable[[str], None]) -> None:
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

    in_threads(partial(play, table) for table in TABLES)
