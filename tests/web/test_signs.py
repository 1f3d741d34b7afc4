"""The signs over the tables: a win and every amount as the meter has it, at each of its tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.keeping.actions import TakeOutOfService
from riverboat.ledger import open_ledger
from riverboat.web.house import House as WebHouse
from tests.floor.house import (
    BOLD,
    SEATS,
    STRAIGHT_FLUSH,
    SUE,
    House,
    TestClock,
    floor_on,
    submitted,
)
from tests.web.playing import give_money
from tests.web.running import QUICK, Client, add_people, running, sqlite_url

LINK = "river"


class Watched(NamedTuple):
    """Tables that a test plays, and somebody who looks at them."""

    house: House
    web: WebHouse
    client: Client

    def sign(self) -> dict[str, Any]:
        """The meter's sign."""
        return self._read(f"/api/meters/{LINK}/sign")

    def at(self, table: str) -> dict[str, Any]:
        """A table's frame."""
        return self._read(f"/api/tables/{table}")

    def _read(self, path: str) -> dict[str, Any]:
        """What is there to be seen as soon as somebody could have been told that it was done."""
        self.web.model.reach(self.house.floor.ledger.head().seq)
        return dict(self.client.get(path).json())


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    url = sqlite_url(tmp_path)
    house = House(floor_on(open_ledger(url), TestClock()))
    for table in ("T", "U"):
        house.open_table(table, submitted("maryland-2014", table, LINK))
    house.open_table("V", submitted("iowa-catfish-bend", "V"))
    web = WebHouse(house.floor, QUICK)
    give_money(web, tuple(one.name for one in SEATS.values()), 50_000_00)
    add_people(web)
    with running(web) as server:
        yield Watched(house, web, server.client("supervisor"))


def test_a_win_is_on_every_sign_at_the_first_reading_after_it_was_fixed(watched: Watched) -> None:
    house = watched.house
    doing = house.win_alone("T", STRAIGHT_FLUSH, until=house.fixes_award)
    assert watched.sign()["shows"] == "jackpot"
    attend(house.floor, next(house.ids), "T", doing)
    won = watched.sign()
    cents = house.floor.link(LINK).meter.cents // 10
    told = ("shows", "table", "hand", "award_cents")
    assert [won[name] for name in told] == ["pending", "T", "straight_flush", cents]
    assert [watched.at("U")["sign"][name] for name in told] == [won[name] for name in told]
    house.finish_alone("T")
    assert watched.sign()["cents"] == house.floor.link(LINK).meter.cents


def test_a_table_shows_the_sign_of_its_meter_and_not_the_amount_of_its_round(
    watched: Watched,
) -> None:
    house = watched.house
    while not house.floor.station("T").day.in_round:
        house.step("T")
    house.play("U", 1)
    now = house.floor.link(LINK).meter.cents
    assert house.floor.station("T").day.playing.meter.cents != now
    assert watched.at("T")["sign"]["cents"] == watched.at("U")["sign"]["cents"] == now


def test_the_sign_of_a_meter_out_of_service_is_on_its_tables_and_they_take_no_wager(
    watched: Watched,
) -> None:
    house = watched.house
    house.floor.keep("out", SUE, LINK, TakeOutOfService(reason="dark"))
    assert watched.at("T")["sign"]["shows"] == "out_of_service"
    while not isinstance(getattr(house.next_at("T", BOLD), "ask", None), p.PlayWithout):
        house.step("T", BOLD)
    with pytest.raises(Refused):
        house.floor.ask("coin in", SUE, "T", p.CoinIn())


def test_a_table_without_a_progressive_has_no_sign(watched: Watched) -> None:
    assert watched.at("V")["sign"] is None
