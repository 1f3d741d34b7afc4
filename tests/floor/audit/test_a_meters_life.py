"""A meter from its opening to its end in the books: void, envy, a move, retirement."""

import pytest
from msgspec import to_builtins

from riverboat.answers.house_books import accounting_page
from riverboat.answers.page import markdown
from riverboat.answers.replays import replay_document, replay_page
from riverboat.documents.day_report import DayReport, day_report_of, day_report_pdf
from riverboat.documents.printing import Printing, wall_clock
from riverboat.floor.books.accounting import Floorbook, keep_books
from riverboat.floor.replaying import Replayed, replay_round
from riverboat.keeping.actions import LeaveMeter, MoveMeter, OpenMeter, RetireMeter
from riverboat.ledger import open_ledger
from riverboat.rulebooks import editions
from tests.documents.reading import words_of
from tests.floor.audit.forty_tables import void_a_round
from tests.floor.house import (
    DATE,
    FLO,
    ROYAL,
    SECRET,
    SUE,
    House,
    floor_on,
    folder_ledger,
    require_true,
    submitted,
)
from tests.floor.test_both_games import LOW, LOWER, played, rig

ENVY = 1_000_00
OLD, NEW = "old", "new"
SHARE = 2 * 100 * 2100


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two tables play for a meter: a royal with envy, a void round; then it is moved and ended."""
    place = folder_ledger(tmp_path_factory.mktemp("life"))
    with open_ledger(place) as ledger:
        house = House(floor_on(ledger))
        house.open_table("I", submitted("island-stud", "I", OLD))
        house.open_table("M", submitted("south-dakota-2011", "M", OLD))
        rig(house, "I", {"1": ROYAL, "2": LOW, "dealer": LOWER})
        house.play("M", 1)
        played(house, "I")
        void_a_round(house.floor, "M")
        keep = house.floor.keep
        terms = OpenMeter(
            link=NEW, seed_cents=10_000_00, wager_cents=100, rate_bp=21_00, reserve_bp=0, second=FLO
        )
        keep("open", SUE, NEW, terms)
        keep("leave I", FLO, OLD, LeaveMeter(table="I"))
        keep("leave M", FLO, OLD, LeaveMeter(table="M"))
        keep("move", SUE, OLD, MoveMeter(to=NEW, reason="one sign is enough", second=FLO))
        keep("retire", SUE, NEW, RetireMeter(reason="the season is over", second=FLO))
        require_true(ledger)
    return place


@pytest.fixture(scope="module")
def book(address: str) -> Floorbook:
    with open_ledger(address, create=False) as ledger:
        return keep_books(ledger, editions(), SECRET)


@pytest.fixture(scope="module")
def report(book: Floorbook) -> DayReport:
    printing = Printing(printed_by="Acc", printed_at="now", version="0", head=str(book.head))
    return day_report_of(book, DATE, printing=printing, clock=wall_clock(), rulebooks={})


def replayed(address: str, table: str, number: int) -> Replayed:
    with open_ledger(address, create=False) as ledger:
        return replay_round(ledger, editions(), None, table, number)


def test_every_unit_of_a_moved_and_of_a_retired_meter_is_accounted_for(book: Floorbook) -> None:
    assert book.balances
    old, new = book.meters[OLD], book.meters[NEW]
    moved = next(line for line in old.history if line.kind == "link_moved_out")
    came = next(line for line in new.history if line.kind == "link_moved_in")
    assert (moved.units, old.link.meter.units, old.link.status) == (-came.units, 0, "ended")
    assert (moved.why, came.why, moved.seq + 1) == (*["one sign is enough"] * 2, came.seq)
    assert old.owed.liability == 0
    assert new.link.meter.units == 0
    assert new.owed.registered == new.owed.liability == came.units + 10_000_00 * 10_000
    for meter in (old, new):
        assert sum(moves.units for moves in meter.by_table.values()) == 0
        assert meter.by_day[DATE].difference == 0
    page = markdown(accounting_page(book))
    assert "of it registered at its end" in page
    assert "the season is over" in page


def test_the_day_report_owes_what_was_registered(book: Floorbook, report: DayReport) -> None:
    assert not [item for item in report.unreconciled if item.startswith("Meter")]
    text = words_of(day_report_pdf(report))
    units = book.meters[NEW].owed.registered
    assert f"Registered at its end {units // 10_000 / 100:,.2f} 0.{units % 10_000:04}" in text
    assert f"Liability to players ${units // 10_000 / 100:,.2f}" in text
    assert "moved to meter new by Sue and Flo: one sign is enough" in text
    assert "Retired; " in text


def test_a_void_rounds_wagers_and_contributions_are_in_no_figure(book: Floorbook) -> None:
    table, meter = book.tables["M", DATE], book.meters[OLD]
    assert (table.rounds, table.void_rounds) == (2, 1)
    assert table.wagers == 2
    assert table.progressive_coin_in_cents == 2_00
    totals = meter.by_table["M"].totals
    assert (totals.contributions, totals.reversed) == (2 * SHARE, SHARE)
    assert meter.by_table["M"].units == SHARE
    told = next(line for line in meter.history if line.kind == "link_contribution_reversed")
    assert (told.table, told.units) == ("M", -SHARE)


def test_envy_is_the_tables_and_stands_in_the_meters_history(book: Floorbook) -> None:
    table, meter = book.tables["I", DATE], book.meters[OLD]
    assert (table.envy, table.envy_cents) == (1, ENVY)
    assert book.tables["M", DATE].envy_cents == 0
    assert meter.envy_cents == ENVY
    told = next(line for line in meter.history if line.kind == "envy_paid")
    assert (told.table, told.units) == ("I", 0)
    assert "Envy of seat 2 at I for the hand of seat 1: $1,000 from the tray" in told.words


def test_a_replayed_jackpot_tells_cards_bets_decisions_pays_and_the_links_meter(
    address: str, book: Floorbook
) -> None:
    told = replayed(address, "I", 2)
    (award,) = book.meters[OLD].link.awards.values()
    before = award.fixed.before_units
    cents = award.fixed.cents
    assert before == 10_000_00 * 10_000 + 3 * SHARE
    document = replay_document(told)
    assert document.cards["1"] == "Ah Kh Qh Jh Th"
    assert document.dealer == LOWER
    assert to_builtins(document.meter) == {
        "name": OLD,
        "before_units": before - SHARE,
        "after_units": 10_000_00 * 10_000 + before - cents * 10_000,
    }
    steps = " ".join(step.what for step in told.steps)
    for words in (
        "Seat 1 Ann bets ante",
        "Seat 2 Ben bets progressive",
        "Seat 2 Ben bets $",
        f"Award {award.fixed.award} of $10,001.26 left the meter",
        "Seat 1 Ann wins the whole meter with a royal flush: $10,001.26",
        "Seat 2 Ben gets $1,000 envy for seat 1 Ann's hand",
    ):
        assert words in steps, words
    page = " ".join(markdown(replay_page(told)).split())
    assert "- Meter old: $10,000.84 when the round began, $10,000.00 when it was over" in page
    assert "Royal flush wins the whole meter $10,001.26: $10,001.26; the meter starts again" in page
    assert "paid by the cage, not from the tray" in page
    assert "instead of" not in page


def test_a_replayed_void_round_says_so_and_what_went_back(address: str) -> None:
    told = replayed(address, "M", 2)
    assert told.is_void
    steps = " ".join(step.what for step in told.steps)
    assert "Contribution of M, round 2, back: $0.42" in steps
    assert told.meter is not None
    assert told.meter.before_units == told.meter.after_units
