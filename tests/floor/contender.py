"""What sixty-four writers play at once: tables on one meter.

A table has one, two or three writers, in any of the processes. What comes next at a table, and the
command's id, follow from its state alone: so each of them sends the same command, at about the same
time.
"""

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.ledger import Ledger
from riverboat.meter.events import Contributed
from tests.floor.house import ROYAL, STRAIGHT_FLUSH, House, floor_on
from tests.ledger.contention import THREADS, Told

TABLES: Final = 32
ROUNDS: Final = 2
WRITERS_OF: Final = (1, 2, 3, 2)
WINNERS: Final = {"T03": STRAIGHT_FLUSH, "T07": STRAIGHT_FLUSH, "T11": ROYAL, "T15": STRAIGHT_FLUSH}


def table_names() -> list[str]:
    """The tables, all of one meter."""
    return [f"T{number:02}" for number in range(1, TABLES + 1)]


def tables_of(seed: int) -> list[str]:
    """The table of each of the sixty-four writers."""
    writers = [t for n, t in enumerate(table_names()) for _ in range(WRITERS_OF[n % 4])]
    random.Random(seed).shuffle(writers)
    return writers


def play(house: House, table: str, told: Told, rng: random.Random) -> None:
    """Two rounds of a table, whoever else plays them too."""
    floor, winner = house.floor, WINNERS.get(table)
    while house.rounds_over(table) < ROUNDS:
        number = floor.station(table).day.entries + 1
        doing = house.next_alone(table, winner) if winner else house.next_at(table)
        if doing is None or floor.station(table).day.entries + 1 != number:
            time.sleep(0.002)
            continue
        name = f"{table}-{number}"
        try:
            for _ in range(rng.choice((1, 1, 2, 3))):
                answer = attend(floor, name, table, doing)
                told["repeated" if answer.repeated else "first_time"].append(name)
                if not answer.repeated:
                    told["units"] += [
                        x.units for x in answer.meter_events if type(x) is Contributed
                    ]
        except Refused as refusal:
            if refusal.code != "award.pending":
                raise


def writers(ledger: Ledger, process: int, seed: int, told: Told) -> list[Callable[[], None]]:
    """The writers of one process."""
    house = House(floor_on(ledger))
    own = tables_of(seed)[process * THREADS : (process + 1) * THREADS]
    return [
        partial(play, house, table, told, random.Random(f"{seed} {process} {number}"))
        for number, table in enumerate(own)
    ]
