"""A seat that forfeits while its hand is keyed: whatever is prompted is taken, and it wins nothing.

Conduct counts until a seat's hand is settled, so a lamp can be on, verified or logged by then.
"""

from functools import partial
from random import Random

import pytest

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller.legal import coming
from riverboat.core.cards import parse_cards
from riverboat.round import actions as g
from riverboat.wording.key_words import accident_words, controller_said
from tests.support.hall import DANA, FLO, PEOPLE, SUE, Hall, Table, refusal_of, settle_others
from tests.support.keyed_player import (
    decide_all,
    desk_of,
    finish_keyed,
    key_next,
    lock_and_deal,
)
from tests.support.keyed_rounds import CASES, keyed_round, random_table
from tests.support.meters import island, opened

HANDS = {"1": "Ah 4h 9h 8h 2h", "2": "9d 8d Td Jd Qd", "dealer": "2c 3d 5s 7c Kc"}
"""Seat 1 has a flush, which the tray pays; seat 2 a straight flush, a share of the meter."""

SHARED = "shares_hand"


def at_settlement(*seats: int) -> tuple[Hall, Table]:
    """A round of Island Stud with these winners, all of them lit, their base wagers settled."""
    hall = opened()
    table = hall.add("T1", island())
    for seat in seats:
        hall.play(table, g.Wager(seat=seat, spot="ante", cents=10_00))
        hall.press(table, PEOPLE["Ann"], a.PlaceChip(seat=seat, cents=1_00))
    hall.play(table, g.CloseBets())
    places = [*map(str, seats), "dealer"]
    lock_and_deal(hall, table, Random(1), {n: tuple(parse_cards(HANDS[n])) for n in places})
    decide_all(hall, table, Random(1), 0.0)
    settle_others(hall, table, envy=False)
    return hall, table


def pressed(hall: Hall, table: Table, last: type) -> None:
    """What is prompted, up to a press of a kind."""
    while (found := key_next(hall, table)) is not None:
        hall.press(table, *found)
        if isinstance(found[1], last):
            return
    raise AssertionError(f"no {last.__name__} came")


def forfeit(hall: Hall, table: Table, seat: int) -> None:
    """The floor catches a seat that shows its hand."""
    caught = a.VoidRound(incident=g.Incident(what=SHARED, seat=seat))
    hall.press(table, FLO, caught)


@pytest.mark.parametrize("last", [a.PressHand, a.CallSupervisor, a.VerifyWin, a.TurnKey])
def test_a_lamp_of_a_seat_that_forfeits_is_turned_off_by_its_key(last: type) -> None:
    hall, table = at_settlement(2)
    pressed(hall, table, last)
    forfeit(hall, table, 2)
    noticed = table.events[-1]
    assert noticed == e.WrongHandNoticed(
        seat=2, hand="straight_flush", has="straight_flush", fault="forfeited"
    )
    assert controller_said(noticed, table.round).words == (
        "WARNING: straight flush is on for seat 2 and counts no more: "
        "seat 2 has forfeited its wagers"
    )
    desk = desk_of(hall, table)
    assert accident_words(desk, table.controller.lamps[0]) == (
        "Seat 2 has forfeited its wagers: press straight flush again to turn it off"
    )
    for who, press in (
        (FLO, a.VerifyWin(seat=2)),
        (SUE, a.PressJPot()),
        (FLO, a.PayAward(seat=2, document="slip")),
    ):
        refusal = refusal_of(partial(hall.press, table, who, press))
        assert refusal is not None
        assert refusal.code in ("wager.forfeited", "key.at_run"), refusal
    found = coming(desk_of(hall, table))
    assert found is not None
    assert (found.by, found.press) == ("dealer", a.PressHand(seat=2, hand="straight_flush"))
    hall.press(table, DANA, found.press)
    assert not table.controller.lamps
    finish_keyed(hall, table)
    assert hall.link.awards == {}


def test_a_logged_award_of_a_seat_that_forfeits_is_backed_out() -> None:
    hall, table = at_settlement(2)
    before = hall.link.meter
    pressed(hall, table, a.PressJPot)
    forfeit(hall, table, 2)
    found = coming(desk_of(hall, table))
    assert found is not None
    assert found.by == "supervisor"
    assert isinstance(found.press, a.BackOut)
    assert found.press.reason == "seat 2 has forfeited its wagers"
    assert found.cites
    refusal = refusal_of(lambda: hall.press(table, FLO, a.PayAward(seat=2, document="slip")))
    assert refusal is not None
    assert refusal.code == "wager.forfeited"
    finish_keyed(hall, table)
    assert [award.backed_out for award in hall.link.awards.values()] == [True]
    assert hall.link.meter == before


def test_the_hand_of_another_seat_goes_on() -> None:
    hall, table = at_settlement(1, 2)
    for seat, hand in ((2, "straight_flush"), (1, "flush")):
        hall.press(table, DANA, a.PressHand(seat=seat, hand=hand))
    forfeit(hall, table, 1)
    refusal = refusal_of(lambda: hall.press(table, DANA, a.GameOver()))
    assert refusal is not None
    finish_keyed(hall, table)
    assert [award.fixed.seat for award in hall.link.awards.values()] == [2]


@pytest.mark.parametrize(("name", "policy"), [case for case in CASES if case[1] != "equal_split"])
def test_whatever_is_prompted_is_taken_whoever_forfeits_and_when(name: str, policy: str) -> None:
    """Equal shares are left out: what becomes of the share of a co-winner who forfeits after the
    first share was fixed is an open question."""
    caught = 0
    for number in range(25):
        rng = Random(f"forfeits {name} {policy} {number}")
        hall, table, _ = keyed_round(rng, random_table(rng, name, policy))
        if table.round.phase != "settling":
            continue
        settle_others(hall, table, envy=False)
        for _ in range(rng.randint(0, 8)):
            found = key_next(hall, table)
            if found is None:
                break
            hall.press(table, *found)
        lamps = [lamp.seat for lamp in table.controller.lamps]
        seat = rng.choice(lamps or sorted(table.round.seats))
        if refusal_of(partial(forfeit, hall, table, seat)) is None:
            caught += table.round.seats[seat].status == "forfeit" and bool(lamps)
        if table.round.phase == "settling":
            finish_keyed(hall, table)
            assert table.controller.state == "IDLE_TABLE"
    assert caught or name != "island-stud"


def test_refusals_and_log_speak_of_steps_as_people_do() -> None:
    hall, table = at_settlement(2)
    pressed(hall, table, a.TurnKey)
    for who, press, said in (
        (SUE, a.TurnKey(to="RUN"), "turning the key to Run for seat 2; J-pot comes next"),
        (DANA, a.PressJPot(), "Dana is a dealer; J-pot is for the supervisor"),
    ):
        assert str(refusal_of(partial(hall.press, table, who, press))) == said
    hall.press(table, SUE, a.PressJPot())
    refusal = refusal_of(partial(hall.press, table, DANA, a.PressHand(seat=2, hand="flush")))
    assert str(refusal) == "a hand key for seat 2 while its own award is being handled"
    forfeit(hall, table, 2)
    for _ in range(2):
        found = key_next(hall, table)
        assert found is not None
        hall.press(table, *found)
    assert controller_said(table.events[-1], table.round).words == "Key turned to RUN"
