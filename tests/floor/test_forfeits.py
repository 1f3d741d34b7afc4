"""A seat forfeits on a floor while its hand is keyed: the house goes on, and the ledger holds."""

from pathlib import Path

import pytest

from riverboat.controller import actions as p
from riverboat.floor.autopilot import attend
from riverboat.round import actions as g
from riverboat.web.screens.console import next_step
from tests.floor.house import (
    FLO,
    STRAIGHT_FLUSH,
    open_house,
    require_true,
    submitted,
)


@pytest.mark.parametrize("last", [p.PressHand, p.VerifyWin, p.TurnKey, p.PressJPot])
def test_the_house_turns_the_lamp_off_or_backs_the_award_out(tmp_path: Path, last: type) -> None:
    with open_house(tmp_path) as house:
        house.open_table("T", submitted("island-stud", "T", "L"))
        doing = house.win_alone("T", STRAIGHT_FLUSH, lambda _, one: isinstance(one.ask, last))
        attend(house.floor, next(house.ids), "T", doing)
        assert house.floor.station("T").controller.lamps
        house.ask(FLO, "T", g.Incident(what="shares_hand", seat=1))
        assert house.floor.station("T").day.playing.seats[1].status == "forfeit"
        asked = next_step(house.floor.station("T"), house.floor.link("L"))
        assert asked is not None
        if last is p.PressJPot:
            assert (asked.who, asked.do) == ("supervisor", None)
            assert asked.words == (
                "Back out award T/1/1 with a second person, at its meter: "
                "seat 1 has forfeited its wagers"
            )
        else:
            assert asked.do == p.PressHand(seat=1, hand="straight_flush")
            assert "press straight flush again to turn it off" in asked.words
        house.finish_alone("T")
        awards = house.floor.link("L").awards.values()
        assert [award.backed_out for award in awards] == ([True] if last is p.PressJPot else [])
        require_true(house.floor.ledger)
