"""Whoever opens the controller or a meter is on record with name and time, refused or not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.controller import actions as p
from riverboat.controller import events as c
from riverboat.core.errors import Refused
from riverboat.floor.codec import (
    METER,
    REFUSED,
    REFUSED_METER,
    TABLE,
    read_meter_body,
    read_refused_body,
    read_refused_keeping,
    read_table_body,
)
from riverboat.keeping.actions import (
    Adjust,
    AnyMeterAction,
    BringBack,
    TakeOutOfService,
)
from riverboat.table.people import Actor
from tests.floor.house import (
    DANA,
    FLO,
    NOON,
    STRAIGHT_FLUSH,
    SUE,
    House,
    TestClock,
    open_house,
    submitted,
)

LINK = "river"
DOWN = Adjust(units=-5, code="malfunction", reason="a sensor counted twice", second=FLO)


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def house(tmp_path: Path, clock: TestClock) -> Iterator[House]:
    with open_house(tmp_path, clock) as house:
        house.open_table("T", submitted("south-dakota-2011", "T", LINK))
        yield house


def test_every_turn_of_the_key_is_an_entry_with_who_and_when(
    house: House, clock: TestClock
) -> None:
    """Opened by the turn to JPH, closed by the one to RUN; between them the award it was for."""
    ledger = house.floor.ledger
    house.win_alone("T", STRAIGHT_FLUSH, until=house.fixes_award)
    clock.now += 60
    house.finish_alone("T")
    turns = [
        (entry.by, entry.at, event.by, event.to, event.seat)
        for row in ledger.read(TABLE + "T")
        for entry in read_table_body(row.body, "T", house.floor.keys)
        for event in entry.events
        if isinstance(event, c.KeyTurned)
    ]
    assert turns == [(SUE, NOON, "Sue", "JPH", 1), (SUE, NOON + 60, "Sue", "RUN", 1)]


def test_whoever_may_not_turn_the_key_is_on_record_too(house: House, clock: TestClock) -> None:
    house.win_alone("T", STRAIGHT_FLUSH, until=house.fixes_award)
    clock.now += 7
    with pytest.raises(Refused):
        house.ask(DANA, "T", p.TurnKey(to="RUN"))
    noted = read_refused_body(house.floor.ledger.read(REFUSED + "T")[-1].body)
    assert (noted.by, noted.at, noted.action) == (DANA, NOON + 7, p.TurnKey(to="RUN"))


def test_every_entry_into_a_meter_has_who_when_and_why(house: House, clock: TestClock) -> None:
    floor = house.floor
    asked: list[tuple[Actor, AnyMeterAction]] = [
        (SUE, TakeOutOfService(reason="the sign is dark")),
        (FLO, BringBack()),
        (SUE, DOWN),
    ]
    for number, (by, action) in enumerate(asked, start=1):
        clock.now = NOON + number
        floor.keep(f"enter {number}", by, LINK, action)
    rows = floor.ledger.read(METER + LINK)[-len(asked) :]
    entries = [read_meter_body(row.body) for row in rows]
    assert [(entry.by, entry.at, entry.action) for entry in entries] == [
        (by, NOON + number, action) for number, (by, action) in enumerate(asked, start=1)
    ]
    (adjusted,) = entries[-1].events
    assert (adjusted.by, adjusted.second, adjusted.reason) == ("Sue", "Flo", DOWN.reason)  # type: ignore[union-attr]
    with pytest.raises(Refused):
        floor.keep("alone", FLO, LINK, DOWN)
    noted = read_refused_keeping(floor.ledger.read(REFUSED_METER + LINK)[-1].body)
    assert (noted.by, noted.at, noted.action) == (FLO, NOON + 3, DOWN)
