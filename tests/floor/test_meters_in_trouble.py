"""A meter far above its seed, left, shared, voided, ended: the winner is paid, the game goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.keeping.actions import (
    Adjust,
    LeaveMeter,
    OpenMeter,
    RetireMeter,
    TakeOutOfService,
)
from riverboat.table.people import Actor
from tests.floor.house import (
    DANA,
    FLO,
    ROYAL,
    SUE,
    House,
    open_house,
    require_true,
    submitted,
)

LINK = "river"
LARGE = 100_000_00
LAB = Actor(name="Lab", role="lab")
BOOKS = ("island-stud", "maryland-2014", "south-dakota-2011", "south-dakota-3cb")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as house:
        yield house


def open_large(house: House, book: str, table: str = "T") -> None:
    """A table that plays for a meter of $100,000 whose seed is $10,000."""
    opening = OpenMeter(
        link=LINK,
        seed_cents=10_000_00,
        wager_cents=1_00,
        rate_bp=2100,
        reserve_bp=0,
        initial_cents=LARGE,
        second=FLO,
    )
    house.floor.keep("open", SUE, LINK, opening)
    house.open_table(table, submitted(book, table, LINK))


def play_alone(house: House, rounds: int, table: str = "T") -> None:
    """Ann alone, with a royal flush every time."""
    last = house.rounds_over(table) + rounds
    while house.rounds_over(table) < last:
        doing = house.next_alone(table, ROYAL)
        assert doing is not None, "the table waits"
        attend(house.floor, next(house.ids), table, doing)


def play_to(house: House, kind: type, table: str = "T") -> None:
    house.win_alone(table, ROYAL, lambda _, doing: isinstance(doing.ask, kind))


@pytest.mark.parametrize("book", BOOKS)
def test_a_winner_is_paid_after_an_award_larger_than_the_tables_own_seed(
    house: House, book: str
) -> None:
    open_large(house, book)
    play_alone(house, 3)
    paid = [award.fixed.cents for award in house.floor.link(LINK).awards.values()]
    assert paid == [LARGE + 21, 10_000_21, 10_000_21]
    require_true(house.floor.ledger)


def test_a_meter_is_opened_under_its_own_name_only(house: House) -> None:
    opening = OpenMeter(
        link="other", seed_cents=1, wager_cents=1_00, rate_bp=2100, reserve_bp=0, second=FLO
    )
    with pytest.raises(Refused) as refused:
        house.floor.keep("open", SUE, LINK, opening)
    assert refused.value.code == "link.other_name"
    require_true(house.floor.ledger)


def test_a_table_that_has_left_its_meter_plays_on_without_it(house: House) -> None:
    house.open_table("T", submitted("south-dakota-2011", "T", LINK))
    house.floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
    play_to(house, p.PlayWithout)
    with pytest.raises(Refused) as refused:
        house.ask(DANA, "T", p.CoinIn())
    assert refused.value.code == "link.not_joined"
    play_alone(house, 1)
    assert house.floor.link(LINK).awards == {}
    require_true(house.floor.ledger)


def test_a_table_of_another_wager_does_not_join(house: House) -> None:
    house.open_table("T", submitted("maryland-2014", "T", LINK))
    with pytest.raises(Refused) as refused:
        house.open_table("U", submitted("maryland-2014", "U", LINK, progressive_wager="5"))
    assert refused.value.code == "link.other_wager"
    assert "U" not in house.floor.link(LINK).members


@pytest.mark.parametrize("name", ["", " ", "Sue ", "sue"])
def test_two_people_have_two_names(house: House, name: str) -> None:
    house.open_table("T", submitted("south-dakota-2011", "T", LINK))
    second = Actor(name=name, role="floorperson")
    wish = Adjust(units=1, code="correction", reason="counted", second=second)
    with pytest.raises(Refused) as refused:
        house.floor.keep("adjust", SUE, LINK, wish)
    assert refused.value.code in ("person.same", "person.unnamed")


def test_after_a_void_at_jph_the_supervisor_is_asked_for_run(house: House) -> None:
    open_large(house, "south-dakota-2011")
    play_to(house, p.PressJPot)
    assert house.floor.station("T").controller.key == "JPH"
    house.ask(FLO, "T", p.VoidRound(reason="a card too many", second=SUE))
    play_alone(house, 2)
    assert house.floor.station("T").controller.key == "RUN"
    require_true(house.floor.ledger)


def test_an_award_of_a_meter_that_has_ended_is_not_backed_out(house: House) -> None:
    open_large(house, "south-dakota-2011")
    play_alone(house, 1)
    (award,) = house.floor.link(LINK).awards
    house.floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
    house.floor.keep("retire", SUE, LINK, RetireMeter(reason="the sign is gone", second=FLO))
    play_to(house, p.PlayWithout)
    with pytest.raises(Refused) as refused:
        house.ask(SUE, "T", p.BackOut(award=award, reason="misread", second=FLO))
    assert refused.value.code == "link.ended"
    require_true(house.floor.ledger)


def test_a_lab_does_nothing_to_a_meter_that_people_play_for(house: House) -> None:
    house.open_table("T", submitted("south-dakota-2011", "T", LINK))
    wish = Adjust(units=1, code="correction", reason="counted", second=FLO)
    for by, action in (
        (LAB, wish),
        (LAB, TakeOutOfService(reason="a test")),
        (SUE, Adjust(units=1, code="correction", reason="counted", second=LAB)),
    ):
        with pytest.raises(Refused) as refused:
            house.floor.keep(f"{by.name} {type(action).__name__}", by, LINK, action)
        assert refused.value.code == "table.not_test"
    require_true(house.floor.ledger)
