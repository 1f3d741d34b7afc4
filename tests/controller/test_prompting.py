"""The next press is always one that works; what is left to the keys is not asked of the round."""

from random import Random

import pytest

from riverboat.controller import actions as a
from riverboat.controller.legal import coming
from riverboat.round import actions as g
from riverboat.round.events import RoundClosed
from tests.support.hall import DANA, PEOPLE, Hall, settle_others
from tests.support.keyed_player import decide_all, desk_of, finish_keyed, key_next
from tests.support.keyed_rounds import BOOKS, keyed_round, random_table
from tests.support.meters import island, opened


@pytest.mark.parametrize("name", BOOKS)
def test_doing_what_comes_next_brings_every_round_to_its_end(name: str) -> None:
    for number in range(15):
        rng = Random(f"prompt {name} {number}")
        hall, table, _ = keyed_round(rng, random_table(rng, name, "sequential"))
        if table.round.phase != "settling":
            continue
        finish_keyed(hall, table)
        assert table.controller.state == "IDLE_TABLE"
        assert isinstance(table.round.history[-1], RoundClosed)


def begun(hall: Hall) -> None:
    table = hall.tables["T1"]
    hall.play(table, g.Wager(seat=1, spot="ante", cents=10_00))
    hall.press(table, PEOPLE["Ann"], a.PlaceChip(seat=1, cents=1_00))


def test_from_closed_bets_to_the_first_card_the_dealer_is_told_what_to_press() -> None:
    hall = opened()
    table = hall.add("T1", island())
    begun(hall)
    assert coming(desk_of(hall, table)) is None
    hall.play(table, g.CloseBets())
    hall.reachable = False
    found = coming(desk_of(hall, table))
    assert found is not None
    assert isinstance(found.press, a.PlayWithout)
    hall.reachable = True
    for expected in (a.CoinIn, a.CountChips, a.FirstCard):
        found = coming(desk_of(hall, table))
        assert found is not None
        assert (found.by, type(found.press)) == ("dealer", expected)
        assert found.cites
        hall.press(table, DANA, found.press)
    assert coming(desk_of(hall, table)) is None


def test_when_all_is_settled_the_end_key_comes_next() -> None:
    hall = opened()
    table = hall.add("T1", island())
    begun(hall)
    hall.play(table, g.CloseBets())
    for press in (a.CoinIn(), a.CountChips(chips=1), a.FirstCard()):
        hall.press(table, DANA, press)
    places: dict[str, tuple[int, ...]] = {"1": (0, 5, 10, 15, 21), "dealer": (1, 6, 11, 16, 22)}
    hall.play(table, g.Deal(places=places))
    decide_all(hall, table, Random(1), 0.0)
    settle_others(hall, table)
    assert key_next(hall, table) is None
    found = coming(desk_of(hall, table))
    assert found is not None
    assert isinstance(found.press, a.GameOver)
