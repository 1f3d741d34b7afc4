"""The Game Manager's books balance, and every cent has a history."""

from copy import copy
from fractions import Fraction

import pytest
from msgspec.structs import replace

from riverboat.answers.house_books import accounting_page, explained_page
from riverboat.answers.page import Words, markdown
from riverboat.core.errors import NotationError
from riverboat.core.money import METER_UNITS_PER_CENT
from riverboat.floor.books.accounting import Floorbook, keep_books, narrowed
from riverboat.floor.books.meters import explain_cent
from riverboat.floor.books.table_days import hits_by_hand
from riverboat.ledger import open_ledger
from riverboat.meter.books import identity
from riverboat.rulebooks import editions
from tests.floor.house import DATE, SECRET, TRAY


@pytest.fixture(scope="module")
def books(played: str) -> Floorbook:
    with open_ledger(played, create=False) as ledger:
        return keep_books(ledger, editions(), SECRET)


def test_meter_table_and_gaming_day_balance_to_the_unit(books: Floorbook) -> None:
    assert books.balances
    meter = books.meters["delta"]
    assert identity(meter.link.totals) == meter.link.meter.units
    for cut in (meter.by_day, meter.by_table):
        assert sum(moves.units for moves in cut.values()) == meter.link.meter.units
        assert all(moves.difference == 0 for moves in cut.values())
    assert meter.by_table["T4"].totals.awards > 0
    assert meter.by_table[""].totals.adjustments == 123_456


def test_a_meter_that_is_off_by_one_unit_is_said_loudly(books: Floorbook) -> None:
    wrong = copy(books.meters["delta"])
    moved = replace(wrong.link.meter, units=wrong.link.meter.units + 1)
    wrong.link = replace(wrong.link, meter=moved)
    page = list(accounting_page(books._replace(meters={"delta": wrong})))
    loud = [block.text for block in page if isinstance(block, Words) and block.loud]
    assert any("METER delta DOES NOT BALANCE" in text for text in loud)


@pytest.mark.parametrize(
    ("off", "said"),
    [
        ({"closing_cents": 1}, "the tray by the count and by the entries differ by $0.01"),
        ({"drop_cents": 1}, "the drop by the count and by the entries differ by $0.01"),
        ({"rounds_cents": -1}, "the tray by the entries and by the rounds differ by $0.01"),
        ({"lost_cents": 1}, "postings of one event differ by $0.01"),
    ],
)
def test_a_table_that_is_off_by_one_cent_is_said_loudly(
    books: Floorbook, off: dict[str, int], said: str
) -> None:
    day = books.tables["T4", DATE]
    changed = {name: getattr(day, name) + cents for name, cents in off.items()}
    wrong = books._replace(tables={("T4", DATE): replace(day, **changed)})
    assert not wrong.balances
    loud = [b.text for b in accounting_page(wrong) if isinstance(b, Words) and b.loud]
    assert loud == [f"TABLE T4, {DATE}, DOES NOT BALANCE: {said}"]


def test_a_tables_day_has_its_tray_coin_in_and_hits(books: Floorbook) -> None:
    day = books.tables["T4", DATE]
    assert day.all_hits == day.wagers == day.rounds == 1
    assert [hit.hand for hit in day.hits if hit.hits] == ["royal_flush"]
    assert day.fills_cents == 100_00
    assert day.opening_cents == TRAY
    assert day.closing_cents == day.opening_cents + day.fills_cents + day.win_cents
    assert day.coin_in_cents > day.progressive_coin_in_cents == 100
    award = next(iter(books.meters["delta"].link.awards.values()))
    assert day.meter_awards_cents == day.off_tray_cents == award.fixed.cents
    assert all(one.lost_cents == 0 for one in books.tables.values())


def test_hits_stand_beside_the_number_that_the_cards_let_expect(books: Floorbook) -> None:
    """Forty royals and straight flushes, 624 fours of a kind and so on, of 2,598,960 hands."""
    ways = {"royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744}
    ways |= {"flush": 5_108, "straight": 10_200, "three_of_a_kind": 54_912}
    found = hits_by_hand(list(books.tables.values()))
    wagers = sum(day.wagers for day in books.tables.values())
    assert {hand: hit.chance for hand, hit in found.items()} == {
        hand: Fraction(count, 2_598_960) for hand, count in ways.items()
    }
    assert all(hit.wagers == wagers for hit in found.values())
    assert found["straight"].expected == Fraction(10_200 * wagers, 2_598_960)
    page = " ".join(markdown(accounting_page(books)).split())
    assert f"| Royal flush | {wagers} | {found['royal_flush'].hits} | 0.000 | " in page
    assert "1 in 649,740.0 |" in page


def test_the_history_names_who_when_where_and_why(books: Floorbook) -> None:
    history = books.meters["delta"].history
    adjusted = next(line for line in history if line.kind == "link_adjusted")
    assert adjusted.who == "Sue, supervisor"
    assert adjusted.why == "a test of the sign"
    assert adjusted.units == 123_456
    award = next(line for line in history if line.kind == "meter_moved")
    assert (award.table, award.day) == ("T4", DATE)
    kinds = {line.kind for line in history}
    assert {"link_opened", "link_contributed", "award_fixed", "award_paid"} <= kinds


def test_a_cent_is_explained_back_to_the_entries_that_made_it(books: Floorbook) -> None:
    meter = books.meters["delta"]
    now = explain_cent(meter, None)
    assert now.units == meter.link.meter.units
    assert now.agrees
    assert now.lines[0].kind == "meter_moved"
    high = max(line.after_units for line in meter.history)
    before = explain_cent(meter, high // METER_UNITS_PER_CENT)
    assert before.units == high
    assert before.agrees
    assert before.lines[0].kind == "link_opened"
    assert "Together" in markdown(explained_page(before))
    with pytest.raises(NotationError, match="never showed"):
        explain_cent(meter, 1)


def test_the_books_can_be_narrowed_and_unknown_names_are_bad_input(books: Floorbook) -> None:
    only = narrowed(books, meter="delta", table="T2", day=DATE)
    assert [place for place in only.tables] == [("T2", DATE)]
    assert {line.table for line in only.meters["delta"].history} == {"T2"}
    for asked in ({"meter": "x"}, {"table": "x"}, {"day": "x"}):
        with pytest.raises(NotationError, match="there are"):
            narrowed(books, **{"meter": None, "table": None, "day": None, **asked})
