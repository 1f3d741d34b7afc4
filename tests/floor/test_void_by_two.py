"""A round whose cards have been seen is voided by two people, in whichever way somebody decides it;
what a rulebook prescribes takes nobody more."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.floor.books.accounting import keep_books
from riverboat.floor.station import is_legal, legal
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.table import actions as a
from riverboat.table.people import Actor
from riverboat.wording.incident_words import void_words
from tests.floor.house import (
    DANA,
    FLO,
    SECRET,
    SUE,
    House,
    open_house,
    require_true,
    submitted,
)

LINK = "river"
BOOK = "house-demo"
EXPOSED = {"what": "exposed_player_card", "seat": 1}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A table with a meter."""
    with open_house(tmp_path) as found:
        found.open_table("T", submitted(BOOK, "T", LINK))
        yield found


def until(house: House, phase: str) -> None:
    """Play goes on to a phase of the round."""
    for _ in range(500):
        day = house.floor.station("T").day
        if day.in_round and day.playing.phase == phase:
            return
        doing = house.next_at("T")
        assert doing is not None
        attend(house.floor, next(house.ids), "T", doing)
    raise AssertionError(phase)


def ways(house: House, second: Actor | None) -> Iterator[Any]:
    """Every way to void a round that no rule prescribes."""
    yield p.VoidRound(reason="a card too many", second=second)
    yield g.Incident(**EXPOSED, decision="void", second=second)  # type: ignore[arg-type]
    reported = g.Incident(**EXPOSED, decision="void")  # type: ignore[arg-type]
    yield p.VoidRound(incident=reported, second=second)
    yield a.Confirm(
        statement=house.floor.station("T").day.interrupted, decision="void", second=second
    )


def offered(house: House, by: Actor, asked: Any) -> bool:
    """Whether it is on offer."""
    station = house.floor.station("T")
    return is_legal(station, legal(station, house.floor.link(LINK), by), asked)


def voids(house: House) -> list[r.RoundVoided]:
    """What the round's record says of it."""
    state = house.floor.station("T").day.playing
    return [event for event in state.history if isinstance(event, r.RoundVoided)]


@pytest.mark.parametrize("way", range(4))
def test_after_the_cards_it_takes_two_of_the_floor(house: House, way: int) -> None:
    until(house, "deciding")
    if way == 3:
        house.ask(FLO, "T", a.Interrupt(reason="no power"))
    for second, code in (
        (None, "second.missing"),
        (SUE, "person.same"),
        (DANA, "person.may_not"),
        (Actor(name="Ann", role="player"), "person.may_not"),
        (Actor(name=" ", role="supervisor"), "person.unnamed"),
    ):
        asked = list(ways(house, second))[way]
        assert not offered(house, SUE, asked), second
        with pytest.raises(Refused) as refused:
            house.ask(SUE, "T", asked)
        assert refused.value.code == code
    asked = list(ways(house, FLO))[way]
    assert offered(house, SUE, asked)
    house.ask(SUE, "T", asked)
    (void,) = voids(house)
    assert void.signed_by == ("Sue", "Flo")
    assert "VOID AFTER ITS CARDS WERE SEEN, by the word of Sue and Flo" in void_words(void, 1)
    (day,) = keep_books(house.floor.ledger, house.floor.books, SECRET).tables.values()
    assert (day.void_rounds, day.decided_void_rounds) == (1, 1)
    require_true(house.floor.ledger)


@pytest.mark.parametrize("way", [0, 3])
def test_before_the_cards_one_person_does_it_and_nobody_signs(house: House, way: int) -> None:
    until(house, "closed")
    if way == 3:
        house.ask(FLO, "T", a.Interrupt(reason="no power"))
    two = list(ways(house, FLO))[way]
    assert not offered(house, SUE, two)
    with pytest.raises(Refused) as refused:
        house.ask(SUE, "T", two)
    assert refused.value.code == "second.not_needed"
    house.ask(SUE, "T", list(ways(house, None))[way])
    assert [void.signed_by for void in voids(house)] == [()]
    require_true(house.floor.ledger)


def test_what_a_clause_voids_takes_nobody_more(house: House) -> None:
    until(house, "deciding")
    two = g.Incident(what="wrong_card_count", seat=1, second=FLO)
    assert not offered(house, DANA, two)
    with pytest.raises(Refused) as refused:
        house.ask(DANA, "T", two)
    assert refused.value.code == "second.not_needed"
    house.ask(DANA, "T", g.Incident(what="wrong_card_count", seat=1))
    assert [void.signed_by for void in voids(house)] == [()]
    (day,) = keep_books(house.floor.ledger, house.floor.books, SECRET).tables.values()
    assert (day.void_rounds, day.decided_void_rounds) == (1, 0)
    require_true(house.floor.ledger)


def test_going_on_after_the_cards_takes_one(house: House) -> None:
    until(house, "deciding")
    house.ask(FLO, "T", a.Interrupt(reason="no power"))
    statement = house.floor.station("T").day.interrupted
    with pytest.raises(Refused) as refused:
        house.ask(SUE, "T", a.Confirm(statement=statement, decision="resume", second=FLO))
    assert refused.value.code == "second.not_needed"
    house.ask(SUE, "T", a.Confirm(statement=statement, decision="resume"))
    house.ask(SUE, "T", g.Incident(**EXPOSED, decision="continue"))  # type: ignore[arg-type]
    assert voids(house) == []
    require_true(house.floor.ledger)
