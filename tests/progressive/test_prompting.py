"""The next press is always one that works; what is left to the keys is not asked of the round."""

from functools import partial
from random import Random

import pytest

from riverboat.errors import Refused
from riverboat.events import RoundClosed
from riverboat.games import actions as g
from riverboat.games.paying import remaining
from riverboat.progressive import actions as a
from riverboat.progressive.prompting import coming, require_not_keyed
from tests.progressive.hall import DANA, PEOPLE, Hall, Table, refusal_of, settle_others
from tests.progressive.keyed_player import decide_all, desk_of, finish_keyed, key_next
from tests.progressive.meters import island, opened
from tests.progressive.test_equivalence import BOOKS, keyed_round, random_table


@pytest.mark.parametrize("name", BOOKS)
def test_doing_what_comes_next_brings_every_round_to_its_end(name: str) -> None:
    for number in range(15):
        rng = Random(f"prompt {name} {number}")
        hall, table, _ = keyed_round(rng, random_table(rng, name, "sequential"))
        if table.round.phase != "settling":
            continue
        for due in remaining(table.round):
            won = due.spot == "progressive" and due.outcome == "win"
            ask = g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents)
            assert is_keyed(table, ask) == won
        finish_keyed(hall, table)
        assert table.controller.state == "IDLE_TABLE"
        assert isinstance(table.round.history[-1], RoundClosed)


def is_keyed(table: Table, action: g.AnyAction) -> bool:
    """Whether something is left to the keys."""
    ask = partial(require_not_keyed, table.controller, table.round, action)
    return refusal_of(ask) is not None


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


@pytest.mark.parametrize(
    "action",
    [
        g.Wager(seat=1, spot="progressive", cents=100),
        g.TakeBack(seat=1, spot="progressive"),
        g.TakeBack(seat=1, spot="ante"),
        g.LockProgressive(),
        g.CollectProgressive(chips=1),
        g.Deal(places={}),
        g.Close(),
        g.Incident(what="wrong_card_count"),
    ],
)
def test_what_a_sensor_or_a_key_does_is_not_asked_of_the_round(action: g.AnyAction) -> None:
    hall = opened()
    table = hall.add("T1", island())
    begun(hall)
    with pytest.raises(Refused) as refusal:
        require_not_keyed(table.controller, table.round, action)
    assert refusal.value.code == "controller.keyed"
    assert refusal.value.cites


def test_the_rest_of_the_round_is_none_of_the_controllers_business() -> None:
    hall = opened()
    table = hall.add("T1", island())
    begun(hall)
    for action in (g.Wager(seat=2, spot="ante", cents=10_00), g.CloseBets(), g.SettleAll()):
        require_not_keyed(table.controller, table.round, action)
    hall.play(table, g.CloseBets())
    for press in (a.CoinIn(), a.CountChips(chips=1), a.FirstCard()):
        hall.press(table, DANA, press)
    places: dict[str, tuple[int, ...]] = {"1": (0, 5, 10, 15, 21), "dealer": (1, 6, 11, 16, 22)}
    require_not_keyed(table.controller, table.round, g.Deal(places=places))
    hall.play(table, g.Deal(places=places))
    decide_all(hall, table, Random(1), 0.0)
    require_not_keyed(table.controller, table.round, g.SettleAll())
    settle_others(hall, table)
    assert key_next(hall, table) is None
    found = coming(desk_of(hall, table))
    assert found is not None
    assert isinstance(found.press, a.GameOver)
    hall.press(table, DANA, a.VoidRound(incident=g.Incident(what="wrong_card_count")))
    require_not_keyed(table.controller, table.round, g.Close())
