"""A gaming day of forty tables of both games on two meters, left in a ledger to be looked at.

    python -m tests.floor.audit.forty_tables day.db        # or postgresql://…

Every table plays to the end of its day and is closed; a round is voided, an award is paid from a
meter, a meter is adjusted, something is refused. The floor's secret is that of the tests.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Final

from riverboat.controller import actions as p
from riverboat.keeping.actions import Adjust
from riverboat.ledger import open_ledger
from riverboat.table import actions as a
from tests.floor.house import DANA, FLO, NOON, SUE, House, RiggedFloor, TestClock, floor_on
from tests.floor.test_many_tables import LINKS, THREADS, close_day, open_all, play_share, tables

VOID: Final = ("T02", "T06", "T11")
"""Tables whose first round is called off after their chips were locked."""
_ASKED_IN_A_SECOND: Final = 40


class BusyClock(TestClock):
    """Time that goes on with what is asked, so that a day of many tables has its hours."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = count()

    def __call__(self) -> int:
        return NOON + next(self._asked) // _ASKED_IN_A_SECOND


def play_day(address: str) -> None:
    """The whole day, on a ledger that is empty."""
    with open_ledger(address) as ledger:
        floor = floor_on(ledger, BusyClock())
        open_all(floor)
        for table in VOID:
            void_a_round(floor, table)
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda number: play_share(floor, number), range(THREADS)))
        correct = Adjust(
            units=-12_3456, code="correction", reason="a sign was set by hand", second=FLO
        )
        floor.keep("adjusting", SUE, LINKS[0], correct)
        for table in tables():
            close_day(floor, table)


def void_a_round(floor: RiggedFloor, table: str) -> None:
    """A round whose contributions have reached the meter is called off."""
    house = House(floor, (f"voiding {table} {number}" for number in count(1)))
    while not (floor.station(table).day.in_round and floor.station(table).controller.locked):
        taken = house.step(table)
        assert taken is not None, f"{table} waits"
        if isinstance(taken[0].ask, a.SitDown):
            house.ask(DANA, table, a.BuyIn(seat=taken[0].ask.seat, cents=500_00))
    house.ask(FLO, table, p.VoidRound(reason="the shuffler's cover was open"))
    while floor.station(table).day.in_round:
        assert house.step(table) is not None, f"{table} waits"


if __name__ == "__main__":
    play_day(sys.argv[1])
