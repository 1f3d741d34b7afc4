"""A small floor that has seen much: a meter of two games, a jackpot, refusals, an adjustment."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.keeping.actions import Adjust
from riverboat.ledger import Row, open_ledger
from riverboat.ledger.chain import BEGINNING, as_stored, hash_of
from riverboat.table import actions as a
from tests.floor.house import (
    BEN,
    DANA,
    FLO,
    ROYAL,
    SUE,
    House,
    TestClock,
    floor_on,
    folder_ledger,
    submitted,
)

LINK = "delta"
ROUNDS = 3


def play_floor(folder: Path) -> str:
    """The address of a ledger on which a floor has played; its first table is in a round."""
    address, clock = folder_ledger(folder), TestClock()
    with open_ledger(address) as ledger:
        house = House(floor_on(ledger, clock))
        house.open_table("T1", submitted("maryland-2014", "T1", LINK))
        house.open_table("T2", submitted("island-stud", "T2", LINK))
        house.open_table("T3", submitted("iowa-catfish-bend", "T3"))
        for table in ("T1", "T2", "T3"):
            house.play(table, ROUNDS)
            clock.now += 61
        _win_all(house)
        adjust = Adjust(units=123_456, code="correction", reason="a test of the sign", second=FLO)
        house.floor.keep(next(house.ids), SUE, LINK, adjust)
        _begin_round(house)
    return address


def _win_all(house: House) -> None:
    house.open_table("T4", submitted("maryland-2014", "T4", LINK))
    house.win_alone("T4", ROYAL, house.fixes_award)
    with pytest.raises(Refused):
        house.ask(DANA, "T4", p.GameOver())
    with pytest.raises(Refused):
        house.ask(BEN, "T4", p.TurnKey(to="RUN"))
    house.finish_alone("T4")
    house.ask(FLO, "T4", a.Fill(cents=100_00))


def _begin_round(house: House) -> None:
    """Up to the deal, so that the cards of a round that is not over lie in the ledger."""
    while not (
        house.floor.station("T1").day.in_round and house.floor.station("T1").day.playing.community
    ):
        assert house.step("T1") is not None


def rewritten(rows: Iterable[Row], seq: int, body: str, into: Path) -> str:
    """A ledger whose row has another body and whose chain was computed again from there."""
    told, last = [], BEGINNING
    for row in rows:
        stored = as_stored(row._replace(body=body) if row.seq == seq else row)
        last = hash_of(last, stored)
        told.append(stored._replace(hash=last))
    address = folder_ledger(into)
    with open_ledger(address) as other:
        other.store.restore(iter([told]), list)
    return address


def all_rows(address: str) -> list[Row]:
    """Every row of a ledger."""
    with open_ledger(address, create=False) as ledger:
        return list(ledger.read_all())
