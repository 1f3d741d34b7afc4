"""Automatic people play every rulebook by prompt and keys; nothing they ask for is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from riverboat.controller import actions as p
from riverboat.floor.autopilot import (
    DEMO,
    Doing,
    Manners,
    attend,
    next_bet,
    next_command,
    next_doing,
)
from riverboat.floor.codec import REFUSED
from riverboat.meter.books import reconcile
from riverboat.round import actions as g
from riverboat.round.setup.choices import written_choices
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import editions, rulebook_ids
from riverboat.table import actions as a
from riverboat.table.configuration.configure import (
    ConfigurationRefused,
    configure,
    standard_submission,
)
from riverboat.table.configuration.submission import Submission
from tests.floor.house import (
    BOLD,
    CHOICES,
    DATE,
    FLO,
    ROYAL,
    SEATS,
    STAFF,
    STRAIGHT_FLUSH,
    SUE,
    TRAY,
    House,
    floor_on,
    open_house,
    submitted,
)
from tests.support.every_choice import allowed_together

LINK = "river"
STUD = [book for book in CHOICES if book not in ("iowa-catfish-bend", "island-stud")]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as house:
        yield house


@pytest.mark.slow
@pytest.mark.parametrize("book", CHOICES)
def test_rounds_are_played_to_their_end_without_one_refusal(book: str, house: House) -> None:
    house.open_table("T", submitted(book, "T"))
    assert house.play("T", 12, Manners(seed="often folded", fold=40, side_bet=70)) > 12 * 15
    assert house.floor.ledger.version(REFUSED + "T") == 0


@pytest.mark.slow
@pytest.mark.parametrize("book", rulebook_ids())
def test_no_choice_of_a_table_leaves_its_programs_stuck(book: str, house: House) -> None:
    """Whatever a visitor may open is played; a bonus that asks for another one is bet after it."""
    chosen = editions()[book][0]
    for number, choices in enumerate(allowed_together(chosen, refusals)):
        table = f"T{number}"
        house.open_table(table, filed_so(chosen, choices, table))
        house.play(table, 3, Manners(seed="some of each", fold=30, side_bet=50))
        assert house.floor.ledger.version(REFUSED + table) == 0, choices


def filed_so(book: Rulebook, choices: list[str], name: str) -> Submission:
    return standard_submission(book, written_choices(choices, "option.unknown"), name=name)


def refusals(book: Rulebook, choices: list[str]) -> set[str]:
    try:
        configure(book, filed_so(book, choices, "T"), rulebook_sha256="")
    except ConfigurationRefused as refused:
        return {problem.code for problem in refused.problems}
    return set()


@pytest.mark.parametrize("book", STUD)
@pytest.mark.parametrize(("hand", "percent"), [(ROYAL, 100), (STRAIGHT_FLUSH, 10)])
def test_an_award_is_keyed_verified_documented_and_paid(
    book: str, hand: str, percent: int, house: House
) -> None:
    house.open_table("T", submitted(book, "T", LINK))
    house.win_alone("T", hand, until=house.fixes_award)
    house.finish_alone("T")
    link = house.floor.link(LINK)
    (award,) = link.awards.values()
    assert (award.fixed.percent, award.paid, award.moved) == (percent, True, True)
    assert link.pending is None
    assert reconcile(link).balances
    assert house.floor.ledger.version(REFUSED + "T") == 0


def test_after_an_interruption_the_floor_signs_and_play_goes_on(house: House) -> None:
    house.open_table("T", submitted("maryland-2014", "T", LINK))
    house.win_alone("T", ROYAL, until=house.fixes_award)
    house.ask(FLO, "T", a.Interrupt(reason="no power"))
    station = house.floor.station("T")
    assert next_bet(station, SEATS, BOLD) is None
    signs = next_command(station, house.floor.link(LINK), STAFF)
    assert signs is not None
    assert isinstance(signs.ask, a.Confirm)
    house.finish_alone("T")
    assert len(house.floor.link(LINK).awards) == 1


def test_a_void_after_another_tables_royal_is_accounted_for(house: House) -> None:
    for table in ("T1", "T2"):
        house.open_table(table, submitted("maryland-2014", table, LINK))
    while not _is_a_decision(doing := house.next_at("T2")):
        assert doing is not None
        attend(house.floor, next(house.ids), "T2", doing)
    house.win_alone("T1", ROYAL, until=house.fixes_award)
    house.finish_alone("T1")
    before = house.floor.link(LINK)
    house.ask(FLO, "T2", p.VoidRound(reason="a card fell off the table", second=SUE))
    while house.floor.station("T2").day.in_round:
        house.step("T2")
    after = house.floor.link(LINK)
    assert after.meter == before.meter, "the royal has taken what T2 gave; the house bears it"
    assert after.shares.keys() == {"T1"}
    assert reconcile(after).balances
    accounts = house.floor.station("T2").day.accounts
    assert (accounts.rounds_cents, accounts.tray_cents) == (0, accounts.opening_cents)
    house.play("T2", 1)
    assert house.floor.link(LINK).meter.units > after.meter.units


def _is_a_decision(doing: Doing | None) -> bool:
    return doing is not None and isinstance(doing.ask, g.Bet | g.Fold)


def test_whoever_goes_on_after_a_crash_decides_the_same(house: House) -> None:
    house.open_table("T", submitted("maryland-2014", "T", LINK))
    for _ in range(60):
        again = House(floor_on(house.floor.ledger))
        assert again.next_at("T") == house.next_at("T")
        house.step("T")


def test_two_seeds_play_two_games(house: House) -> None:
    house.open_table("T", submitted("maryland-2014", "T", LINK))
    manners = [Manners(seed=str(number), fold=50) for number in range(8)]
    while not _is_a_decision(doing := house.next_at("T")):
        assert doing is not None
        attend(house.floor, next(house.ids), "T", doing)
    station = house.floor.station("T")
    bets = [bet for one in manners if (bet := next_bet(station, SEATS, one)) is not None]
    asked = {type(bet.ask) for bet in bets}
    assert asked == {g.Bet, g.Fold}


def test_the_house_of_a_demo_table_are_programs_and_the_record_says_so(house: House) -> None:
    floor, filed = house.floor, replace(submitted("house-demo", "D"), demo=True)
    propose = Doing(DEMO.supervisor, a.Propose(submission=filed))
    attend(floor, next(house.ids), "D", propose)
    opened = Doing(DEMO.floorperson, a.OpenDay(date=DATE, tray_cents=TRAY))
    approved = next_command(floor.station("D"), None)
    assert approved == Doing(DEMO.floorperson, a.Approve(number=1))
    for doing in (approved, opened):
        attend(floor, next(house.ids), "D", doing)
    while (next_up := next_doing(floor, "D", SEATS, BOLD)) is not None and not _bets(next_up):
        answer = attend(floor, next(house.ids), "D", next_up)
        assert all(entry.by.automatic for entry in answer.entries if entry.by.role != "player")
    assert floor.station("D").day.dealer == DEMO.dealer.name
    assert floor.ledger.version(REFUSED + "D") == 0


def _bets(doing: Doing) -> bool:
    return isinstance(doing.ask, g.CloseBets)
