"""A round whose cards have been seen is voided by two people, in whichever way somebody decides it;
what a rulebook prescribes of real cards takes nobody more; of a machine's it prescribes none."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from riverboat.controller import actions as p
from riverboat.core.cards import DECK
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.floor.books.accounting import keep_books
from riverboat.floor.station import is_legal, legal, requires_first_card
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.people import Actor
from riverboat.table.procedures.rounds import right_stub
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
def empty(tmp_path: Path) -> Iterator[House]:
    """A floor without a table."""
    with open_house(tmp_path) as found:
        yield found


@pytest.fixture
def house(empty: House) -> House:
    """A table with a meter, whose machine deals from committed decks."""
    empty.open_table("T", submitted(BOOK, "T", LINK))
    return empty


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


def deal_real_cards(house: House) -> None:
    """The dealer tells what lies there, card by card, to the first decision."""
    until(house, "ready")
    if requires_first_card(house.floor.station("T")):
        house.ask(DANA, "T", p.FirstCard())
    for card in DECK:
        if house.floor.station("T").day.playing.phase == "deciding":
            return
        house.ask(DANA, "T", a.ReportCard(card=card))


def test_what_a_clause_voids_of_real_cards_takes_nobody_more(empty: House) -> None:
    house = empty
    house.open_table("T", standard_submission(editions()[BOOK][0], {}, name="T", physical=True))
    deal_real_cards(house)
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


WRONG = (
    g.Incident(what="wrong_card_count", seat=1),
    g.Incident(what="wrong_card_count", place="community"),
    g.Incident(what="wrong_card_count", place="community", count=3),
    g.Incident(what="deck_count", count=51),
    g.Incident(what="face_up_cards", count=2),
    g.Incident(what="card_drawn_in_error"),
)
BY_CLAUSE = (
    g.Incident(what="exposed_community_card"),
    g.Incident(what="exposed_community_card", place="six_card_box"),
    g.Incident(what="exposed_player_card", seat=1),
)
BOXES = {"three_card_bonus": "MD-2014-3CB-E", "six_card_bonus": "MD-2014-6CB-A"}


def counted(house: House, less: int) -> a.CountStub:
    """The stub as the dealer tells it."""
    return a.CountStub(cards=right_stub(house.floor.station("T").day) - less)


def cannot_be(house: House, wrong: tuple[g.Incident, ...]) -> None:
    """Nobody reports it of a machine's cards, in whichever way, nor is it on offer."""
    keyed = bool(house.floor.station("T").link)
    told = [*wrong, *(p.VoidRound(incident=one) for one in wrong if keyed), counted(house, 1)]
    for asked in told:
        for by in (DANA, SUE):
            assert not offered(house, by, asked), asked
        with pytest.raises(Refused) as refused:
            house.ask(DANA, "T", asked)
        assert refused.value.code == "incident.committed", asked
    assert voids(house) == []


@pytest.mark.parametrize("phase", ["deciding", "settling"])
def test_no_clause_voids_what_a_machine_dealt_and_somebody_saw(house: House, phase: str) -> None:
    until(house, phase)
    cannot_be(house, WRONG)
    right = counted(house, 0)
    assert offered(house, DANA, right)
    house.ask(DANA, "T", right)
    assert voids(house) == []
    house.ask(SUE, "T", p.VoidRound(reason="the screen is dark", second=FLO))
    assert [void.signed_by for void in voids(house)] == [("Sue", "Flo")]
    require_true(house.floor.ledger)


@pytest.mark.parametrize("box", ["void_round", "void_six_card"])
def test_nor_what_a_rulebook_makes_of_an_exposed_card(empty: House, box: str) -> None:
    book = editions()["maryland-2014"][0]
    chosen = {**BOXES, "six_card_irregularity": box, "exposed_player_card": "void"}
    empty.open_table("T", standard_submission(book, chosen, name="T"))
    until(empty, "deciding")
    cannot_be(empty, (*WRONG, *BY_CLAUSE))
    empty.ask(FLO, "T", a.Interrupt(reason="the screen is dark"))
    statement = empty.floor.station("T").day.interrupted
    empty.ask(SUE, "T", a.Confirm(statement=statement, decision="void", second=FLO))
    assert [void.signed_by for void in voids(empty)] == [("Sue", "Flo")]


def test_what_a_clause_only_notes_is_reported_of_a_machines_cards_too(empty: House) -> None:
    empty.open_table("T", submitted("south-dakota-2011", "T"))
    until(empty, "deciding")
    noted = g.Incident(what="exposed_community_card")
    assert offered(empty, DANA, noted)
    empty.ask(DANA, "T", noted)
    assert voids(empty) == []


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
