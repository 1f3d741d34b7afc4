"""A day of forty tables of both games on two meters: audit, books and day report agree."""

from pathlib import Path

import pytest

from riverboat.documents.day_report import day_report_of, day_report_pdf
from riverboat.documents.printing import Printing, wall_clock
from riverboat.floor.audit.auditing import audit
from riverboat.floor.books.accounting import keep_books
from riverboat.floor.books.meters import explain_cent
from riverboat.ledger import open_ledger
from riverboat.rulebooks import editions
from tests.conftest import Report
from tests.documents.reading import pages_of
from tests.floor.audit.forty_tables import VOID, play_day
from tests.floor.house import DATE, SECRET, folder_ledger
from tests.floor.test_many_tables import LINKS, ROUNDS, WINNERS, tables


@pytest.mark.slow
def test_a_day_of_forty_tables_reconciles_and_its_report_says_so(
    tmp_path: Path, report: Report
) -> None:
    address = folder_ledger(tmp_path)
    play_day(address)
    with open_ledger(address, create=False) as ledger:
        found, book = audit(ledger, editions(), SECRET), keep_books(ledger, editions())
    assert found.holds, found.wrong
    assert book.balances
    assert set(book.tables) == {(table, DATE) for table in tables()}
    assert set(book.meters) == set(LINKS)
    for (table, _), day in book.tables.items():
        assert day.closed, table
        assert (day.rounds, day.void_rounds) == (ROUNDS, int(table in VOID)), table
        differences = (day.tray_difference_cents, day.drop_difference_cents)
        assert (*differences, day.entries_difference_cents, day.lost_cents) == (0, 0, 0, 0), table
        if table in WINNERS:
            assert day.all_hits == day.wagers == ROUNDS
    for meter in book.meters.values():
        assert all(cut.difference == 0 for cut in meter.cuts.values())
        assert meter.day(DATE).closing == meter.link.meter.units
        assert explain_cent(meter, None).agrees
        given = sum(
            book.tables[name, DATE].progressive_coin_in_cents for name in meter.link.members
        )
        kept = meter.link.totals.contributions - meter.link.totals.reversed
        assert kept == given * meter.link.rate_bp
    printing = Printing(printed_by="Acc", printed_at="now", version="0", head=str(book.head))
    made = day_report_of(book, DATE, printing=printing, clock=wall_clock(), rulebooks={})
    assert made.unreconciled == ()
    pages = pages_of(day_report_pdf(made))
    assert "Reconciled: all 40 tables" in " ".join(pages[0].split())
    assert str(book.head) in pages[-1]
    report(f"the day report of {len(tables())} tables and {len(LINKS)} meters: {len(pages)} pages")
