"""The Game Manager's books balance, and every cent has a history."""

import pytest
from msgspec.structs import replace

from riverboat.checking import editions
from riverboat.errors import NotationError
from riverboat.floor.accounting import Floorbook, identity, keep_books, narrowed
from riverboat.floor.one_cent import explain_cent
from riverboat.ledger import open_ledger
from riverboat.money import METER_UNITS_PER_CENT
from riverboat.pages.accounting_page import accounting_page, explained_page
from riverboat.pages.page import Words, markdown
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
    meter = books.meters["delta"]
    moved = replace(meter.link.meter, units=meter.link.meter.units + 1)
    wrong = replace(meter, link=replace(meter.link, meter=moved))
    page = list(accounting_page(books._replace(meters={"delta": wrong})))
    loud = [block.text for block in page if isinstance(block, Words) and block.loud]
    assert any("METER delta DOES NOT BALANCE" in text for text in loud)


def test_a_tables_day_has_its_tray_coin_in_and_hits(books: Floorbook) -> None:
    day = books.tables["T4", DATE]
    assert day.hits == day.jackpots == day.rounds == 1
    assert day.fills_cents == 100_00
    assert day.opening_cents == TRAY
    assert day.tray_cents == day.opening_cents + day.fills_cents + day.win_cents
    assert day.coin_in_cents > day.progressive_cents == 100
    assert all(one.lost_cents == 0 for one in books.tables.values())


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
