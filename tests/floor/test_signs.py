"""The signs: an amount is shown as live for five seconds after it was read, and no longer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.errors import Refused
from riverboat.floor.attending import attend
from riverboat.floor.signs import LIVE_MS, Signs, sign
from riverboat.ledger import open_ledger
from riverboat.meter.accounts import sign as sign_of
from riverboat.meter.link import Link
from riverboat.progressive import actions as p
from riverboat.progressive.link_actions import TakeOutOfService
from tests.floor.house import (
    ANN,
    BOLD,
    STRAIGHT_FLUSH,
    SUE,
    House,
    TestClock,
    floor_on,
    folder_ledger,
    submitted,
)

LINK = "river"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        house = House(floor_on(ledger))
        for table in ("T", "U"):
            house.open_table(table, submitted("maryland-2014", table, LINK))
        yield house


@pytest.mark.parametrize(
    ("age_ms", "live"), [(0, True), (4_999, True), (5_000, True), (5_001, False), (-1, False)]
)
def test_a_reading_is_shown_as_live_for_five_seconds(house: House, age_ms: int, live: bool) -> None:
    link = house.floor.link(LINK)
    shown = sign(link, 1_000_000, 1_000_000 + age_ms)
    assert shown.age_ms == age_ms
    assert (shown.sign == sign_of(link)) == live
    assert (shown.sign == sign_of(None)) != live
    assert bool(shown.alarm) != live
    if age_ms == LIVE_MS + 1:
        assert shown.alarm == "the meter was read 5.001 seconds ago"


def test_what_was_never_read_shows_no_amount() -> None:
    assert sign(Link(), None, 0).sign.cents is None
    assert sign(Link(), None, 0).alarm


def test_a_sign_without_its_ledger_goes_dark_after_five_seconds_and_says_so(house: House) -> None:
    clock = TestClock(0)
    signs = Signs(house.floor, clock)
    amount = house.floor.link(LINK).meter.cents
    assert signs.refresh(LINK).sign.cents == amount
    house.floor.ledger.close()
    clock.now = 4_999
    still = signs.refresh(LINK)
    assert (still.sign.cents, still.age_ms, still.alarm) == (amount, 4_999, "")
    clock.now = 5_001
    dark = signs.refresh(LINK)
    assert dark.sign == sign_of(None)
    assert "5.001 seconds" in dark.alarm


def test_a_win_is_on_every_sign_at_the_first_reading_after_it_was_fixed(house: House) -> None:
    clock = TestClock(0)
    signs = Signs(house.floor, clock)
    doing = house.win_alone("T", STRAIGHT_FLUSH, until=house.fixes_award)
    assert signs.refresh(LINK).sign.shows == "jackpot"
    attend(house.floor, next(house.ids), "T", doing)
    clock.now += 1_000
    won = signs.refresh(LINK).sign
    cents = house.floor.link(LINK).meter.cents // 10
    assert (won.shows, won.table, won.hand, won.award_cents) == (
        "pending",
        "T",
        "straight_flush",
        cents,
    )
    assert signs.at_table(house.floor.station("U"), None)["sign"] == {
        **won._asdict(),
        "age_ms": 0,
        "alarm": "",
    }
    house.finish_alone("T")
    assert signs.refresh(LINK).sign.cents == house.floor.link(LINK).meter.cents


def test_a_table_shows_the_sign_of_its_meter_and_not_the_amount_of_its_round(house: House) -> None:
    clock = TestClock(0)
    signs = Signs(house.floor, clock)
    while not house.floor.station("T").day.in_round:
        house.step("T")
    house.play("U", 1)
    signs.refresh(LINK)
    now = house.floor.link(LINK).meter.cents
    station = house.floor.station("T")
    assert station.day.playing.meter.cents != now
    for viewer in (None, ANN, SUE):
        seen = signs.at_table(station, viewer)
        assert seen["sign"]["cents"] == seen["round"]["meter_cents"] == now  # type: ignore[index]
    clock.now = LIVE_MS + 1
    old = signs.at_table(station, None)
    assert old["sign"]["cents"] is old["round"]["meter_cents"] is None  # type: ignore[index]
    assert old["sign"]["alarm"]  # type: ignore[index]


def test_the_sign_of_a_meter_out_of_service_is_on_its_tables_and_they_take_no_wager(
    house: House,
) -> None:
    signs = Signs(house.floor, TestClock(0))
    house.floor.keep("out", SUE, LINK, TakeOutOfService(reason="dark"))
    signs.refresh(LINK)
    assert signs.at_table(house.floor.station("T"), ANN)["sign"]["shows"] == "out_of_service"  # type: ignore[index]
    while not isinstance(getattr(house.next_at("T", BOLD), "ask", None), p.PlayWithout):
        house.step("T", BOLD)
    with pytest.raises(Refused):
        house.floor.ask("coin in", SUE, "T", p.CoinIn())


def test_a_table_without_a_progressive_has_no_sign(house: House) -> None:
    house.open_table("V", submitted("iowa-catfish-bend", "V"))
    signs = Signs(house.floor, TestClock(0))
    assert signs.at_table(house.floor.station("V"), ANN)["sign"] is None
