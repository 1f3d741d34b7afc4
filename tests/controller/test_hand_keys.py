"""Hand keys pressed by accident: any key for any lit seat, noticed, turned off, and nothing paid.

A round with accidents comes out as the same round without them, to the cent.
"""

from random import Random

import pytest
from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller.legal import coming
from riverboat.controller.state import keyed
from riverboat.controller.winners import hand_keys, rule_of, winner_at
from riverboat.core.cards import parse_cards
from riverboat.core.errors import Refused
from riverboat.round import actions as g
from riverboat.round.setup.setup import Setup
from riverboat.wording.key_words import controller_said
from tests.conftest import Report
from tests.support.hall import DANA, PEOPLE, SUE, Hall, Table, refusal_of, settle_others
from tests.support.keyed_player import (
    decide_all,
    desk_of,
    finish_keyed,
    key_next,
    lock_and_deal,
)
from tests.support.keyed_rounds import BOOKS, keyed_round, random_table
from tests.support.meters import opened, stud

ROUNDS = 25
NOT_NOW = {"seat.unlit", "hand.too_early", "award.in_hand", "key.at_jph", "award.logged"}


def press(hall: Hall, table: Table, seat: int, hand: str) -> Refused | None:
    """A hand key; the refusal, if there is one."""
    return refusal_of(lambda: hall.press(table, DANA, a.PressHand(seat=seat, hand=hand)))


def accident(rng: Random, hall: Hall, table: Table) -> bool:
    """Some key for some seat, and again; whether both were taken."""
    seat = rng.choice(sorted(table.round.seats))
    hand = rng.choice(hand_keys(table.setup))
    if keyed(table.controller, seat, hand, rule_of(table.round)) is not None:
        return False
    before, told = table.controller, len(table.events)
    refusal = press(hall, table, seat, hand)
    if refusal is not None:
        assert refusal.code in NOT_NOW, refusal
        assert table.controller == before
        return False
    assert table.round.seats[seat].lit
    at_settlement = table.round.at_settlement
    assert at_settlement is not None
    winner = winner_at(at_settlement, seat)
    noticed = [ev for ev in table.events[told:] if isinstance(ev, e.WrongHandNoticed)]
    if winner is None or winner.kind.hand != hand:
        assert [(ev.seat, ev.hand) for ev in noticed] == [(seat, hand)]
    if noticed and noticed[0].fault == "other_hand":
        assert winner is not None
        assert noticed[0].has == winner.kind.hand != hand
    if not noticed:
        return press(hall, table, seat, hand) is None
    found = coming(desk_of(hall, table))
    assert found is not None
    assert found.press == a.PressHand(seat=seat, hand=hand)
    assert found.cites
    hall.press(table, DANA, found.press)
    assert table.controller == before
    return True


@pytest.mark.parametrize("name", BOOKS)
def test_accidents_change_nothing_that_is_paid(name: str, report: Report) -> None:
    made = 0
    for number in range(ROUNDS):
        rng = Random(f"accidents {name} {number}")
        hall, table, _ = keyed_round(rng, random_table(rng, name, "sequential"))
        plain_hall, plain, _ = _the_same(name, number)
        if table.round.phase != "settling":
            continue
        while True:
            made += sum(accident(rng, hall, table) for _ in range(3))
            settle_others(hall, table, envy=False)
            made += sum(accident(rng, hall, table) for _ in range(3))
            following = key_next(hall, table)
            if following is None:
                break
            hall.press(table, *following)
        finish_keyed(hall, table)
        finish_keyed(plain_hall, plain)
        assert table.cents == plain.cents
        assert hall.link.meter == plain_hall.link.meter
        nets = {n: seat.net_cents for n, seat in table.round.seats.items()}
        assert nets == {n: seat.net_cents for n, seat in plain.round.seats.items()}
    assert made > ROUNDS
    report(f"accidental hand keys, {name}: {made} turned off again")


def _the_same(name: str, number: int) -> tuple[Hall, Table, object]:
    rng = Random(f"accidents {name} {number}")
    return keyed_round(rng, random_table(rng, name, "sequential"))


def one_lamp_a_hand(setup: Setup) -> Setup:
    """The same table with hand keys that toggle for the hand alone."""
    rule = setup.book.progressive
    assert rule is not None
    keys = replace(rule.keys, hand_key_toggles_per_seat=False)
    return replace(setup, book=replace(setup.book, progressive=replace(rule, keys=keys)))


def two_flushes(setup: Setup) -> tuple[Hall, Table]:
    """Seats 1 and 2 both have a flush, and the base wagers are settled."""
    hall = opened()
    table = hall.add("T1", setup)
    for seat in (1, 2):
        hall.play(table, g.Wager(seat=seat, spot="ante", cents=10_00))
        hall.press(table, PEOPLE["Ann"], a.PlaceChip(seat=seat, cents=1_00))
    hall.play(table, g.CloseBets())
    cards = {"1": "Ah 4h", "2": "Kh 3h", "community": "Qh 9h 6h"}
    places = {place: tuple(parse_cards(text)) for place, text in cards.items()}
    lock_and_deal(hall, table, Random(1), places)
    decide_all(hall, table, Random(1), 0.0)
    settle_others(hall, table, envy=False)
    return hall, table


def lamps(table: Table) -> list[tuple[int, str]]:
    return [(lamp.seat, lamp.hand) for lamp in table.controller.lamps]


def test_a_key_that_toggles_seat_by_seat_has_a_lamp_for_each() -> None:
    hall, table = two_flushes(stud())
    assert press(hall, table, 2, "flush") is None
    assert press(hall, table, 1, "flush") is None
    assert lamps(table) == [(2, "flush"), (1, "flush")]
    assert press(hall, table, 2, "flush") is None
    assert lamps(table) == [(1, "flush")]


def test_a_key_that_toggles_for_the_hand_alone_has_one_lamp() -> None:
    hall, table = two_flushes(one_lamp_a_hand(stud()))
    assert press(hall, table, 2, "flush") is None
    assert press(hall, table, 1, "flush") is None
    assert lamps(table) == []
    assert press(hall, table, 1, "flush") is None
    assert lamps(table) == [(1, "flush")]
    finish_keyed(hall, table)
    paid = [ev.seat for ev in table.events if isinstance(ev, e.LampCleared)]
    assert paid == [2, 1]


def test_the_warning_says_what_the_seat_has_and_the_refusal_too() -> None:
    hall, table = two_flushes(stud())
    assert press(hall, table, 2, "straight_flush") is None
    warned = [ev for ev in table.events if isinstance(ev, e.WrongHandNoticed)]
    assert controller_said(warned[0], table.round).words == (
        "WARNING: straight flush is on for seat 2 by accident: seat 2 has a flush"
    )
    refusal = refusal_of(lambda: hall.press(table, SUE, a.PressJPot()))
    assert refusal is not None
    assert str(refusal) == "seat 2 has a flush, not a straight flush"
    assert refusal.cites == ("SD-2011.17.a.iii-1", "B-23", "SD-2011.17.a.iii-2")
