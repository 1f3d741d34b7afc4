"""Day reports and close slips: figures from records, held against other ways to count them."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.documents.close_slip import CloseSlip, close_slip_of, close_slip_pdf
from riverboat.documents.day_report import DayReport, SignedHeadText, day_report_pdf
from riverboat.floor.books.meters import MeterBook, MeterDay, Moves, owed
from riverboat.floor.books.table_days import HandHits, TableBook, TableDay
from riverboat.floor.codec import MeterEntry
from riverboat.meter.amounts import Meter
from riverboat.meter.events import AwardFixed
from riverboat.meter.state import Award, Link, Totals
from riverboat.round import events as r
from riverboat.rulebooks import editions
from riverboat.scripts.day_library import Played, day_ids, play_days, summarize
from riverboat.table import events as t
from riverboat.table.events import Entry
from tests.documents.floor import BOOKS, CLOCK, HEAD, PRINTING, Floor, two_winners
from tests.documents.reading import joined, pages_of, sizes_of, words_of

DAY = "2026-11-16"
CHANCES = {"royal_flush": Fraction(1, 649740), "straight_flush": Fraction(9, 649740)}


@cache
def played(name: str) -> Played:
    return next(iter(play_days(name)))


def entries_of(name: str) -> list[Entry]:
    return [one.entry for one in played(name).runner.happened]


def last_day(entries: Iterable[Entry]) -> TableDay:
    book = TableBook("T1", editions())
    for entry in entries:
        book.tell(entry)
    return list(book.days.values())[-1]


@cache
def scripted(name: str) -> TableDay:
    return last_day(entries_of(name))


def unclosed(name: str) -> list[Entry]:
    """The same day without its last act."""
    return [
        entry
        for entry in entries_of(name)
        if not any(isinstance(event, t.DayClosed) for event in entry.events)
    ]


def cents(amount: int) -> str:
    """An amount written in another way than the documents do it."""
    sign = "−" if amount < 0 else ""
    text = f"{abs(amount) / 100:,.2f}"
    return f"{sign}{text}"


# ---------------------------------------------------------------- figures from records


@pytest.mark.parametrize("name", day_ids())
def test_a_scripted_days_figures_are_those_of_its_summary(name: str) -> None:
    runner = played(name).runner
    summary, table = summarize(runner.happened, runner.day), scripted(name)
    assert table.rounds == summary.rounds_started
    assert table.void_rounds == summary.rounds_void
    assert table.opening_cents == summary.opening_cents
    assert table.closing_cents == summary.closing_cents
    assert table.fills_cents == summary.fills_cents
    assert table.credits_cents == summary.credits_cents
    assert table.bought_in_cents == summary.bought_in_cents
    assert table.drop_cents == summary.drop_cents
    assert table.win_cents == summary.win_by_tray_cents
    assert table.rounds_cents == summary.win_by_rounds_cents
    assert (table.entries_difference_cents, table.lost_cents) == (0, 0)
    events = [event for entry in entries_of(name) for event in entry.events]
    if not any(isinstance(event, r.MeterAwarded) for event in events):
        assert table.off_tray_cents == summary.paid_off_tray_cents
    assert table.closed == summary.closed


@pytest.mark.parametrize("name", day_ids())
def test_a_day_that_is_not_closed_is_reckoned_from_its_entries(name: str) -> None:
    open_day = last_day(unclosed(name))
    assert not open_day.closed
    assert open_day.expected_cents == open_day.closing_cents == scripted(name).expected_cents
    assert open_day.win_cents == open_day.rounds_cents


def book_of(floor: Floor) -> MeterBook:
    """The meter's books of a hall, all on one day."""
    book = MeterBook(floor.link.id)
    for number, told in enumerate(floor.told_of_link, start=1):
        table = getattr(told.event, "table", "")
        book.tell(
            number, MeterEntry(by=told.by, at=told.at, events=(told.event,), table=table), DAY
        )
    return book


@pytest.mark.parametrize("name", BOOKS)
def test_a_meters_day_is_the_difference_of_its_books(name: str) -> None:
    floor = two_winners(name)
    book = book_of(floor)
    day = book.day(DAY)
    assert book.balances
    assert (day.moves.difference, day.moves.reserve_difference, day.opening) == (0, 0, 0)
    assert day.closing == floor.link.meter.units
    won = sum(a.fixed.cents for a in floor.link.awards.values())
    assert day.moves.totals.awards == won * 10_000
    assert day.moves.totals.hits == 2
    assert sum(moves.units for _, moves in day.tables) == day.closing
    assert dict(day.tables)["T7"].totals.contributions == day.moves.totals.contributions
    tomorrow = book.day("2026-11-17")
    assert (tomorrow.opening, tomorrow.closing) == (day.closing, day.closing)
    assert tomorrow.moves.totals == Totals()
    before = book.day("2026-11-15")
    assert (before.opening, before.closing) == (0, 0)


def waiting_link() -> Link:
    """A meter with one award that left it and is not paid, one that is paid and has not left it,
    one that was taken back, and contributions that wait."""
    fixed = AwardFixed(
        award="T1/1/1", table="T1", round=1, seat=1, hand="straight_flush", percent=10,
        cents=12_00, before_units=120_00_0000,
    )  # fmt: skip
    return Link(
        id="M1",
        meter=Meter(units=108_00_0000, reserve_units=7_5000),
        queue={"T2": Meter(units=21_0000, reserve_units=1_0000), "T3": Meter(units=4_2500)},
        awards={
            "T1/1/1": Award(number=1, fixed=fixed, moved=True),
            "T1/1/2": Award(number=2, fixed=replace(fixed, cents=3_00), paid=True),
            "T1/1/3": Award(number=3, fixed=fixed, moved=True, backed_out=True),
            "T1/1/4": Award(number=4, fixed=fixed, moved=True, paid=True),
        },
    )


def test_the_liability_counts_what_waits_and_awards_that_are_not_paid() -> None:
    found = owed(waiting_link())
    assert (found.queued, found.unpaid, found.paid_ahead) == (26_2500, 12_00_0000, 3_00_0000)
    assert found.liability == 108_00_0000 + 7_5000 + 26_2500 + 12_00_0000 - 3_00_0000
    day = meter_day(link=waiting_link())
    made = report(meters=(day,))
    assert [item for item in made.unreconciled if "Meter" in item] == [
        "Meter M1: $0.26 and 0.2500 cent wait for a pending award",
        "Meter M1: awards of $12.00 are not paid yet",
        "Meter M1: awards of $3.00 are paid and still on it",
    ]
    text = words_of(day_report_pdf(made))
    owing = day.closing + day.reserve_closing + 26_2500 + 12_00_0000 - 3_00_0000
    assert owing == 50_894_79_3750
    assert "Waiting for a pending award 0.26 0.2500" in text
    assert "Awards not paid yet 12.00 0.0000" in text
    assert "Paid, still on the meter −3.00 0.0000" in text
    assert "Liability to players 50,894.79 0.3750" in text
    assert "Liability to players $50,894.79 and 0.3750 cent" in text


# ---------------------------------------------------------------- the close slip


def slip_of(name: str) -> CloseSlip:
    return close_slip_of(scripted(name), printing=PRINTING, clock=CLOCK)


@pytest.mark.parametrize("name", day_ids())
def test_a_slip_has_every_figure_of_the_closing(name: str) -> None:
    slip, day = slip_of(name), scripted(name)
    closing = next(entry for entry in entries_of(name) if isinstance(entry.events[-1], t.DayClosed))
    assert slip.of.closed_by.name == closing.by.name
    text = words_of(close_slip_pdf(slip))
    rows = {
        "Opening count": day.opening_cents,
        "Chips for cash (buy-ins)": -day.bought_in_cents,
        "Moved by the rounds": slip.rounds_cents,
        "Tray by the entries": day.expected_cents,
        "Tray by the count": day.closing_cents,
        "Drop by the count": day.drop_cents,
        "Table win": day.win_cents,
    }
    for label, amount in rows.items():
        assert f"{label} {cents(amount)}" in text, label
    assert HEAD in text
    assert "Counted by" in text
    assert "Witnessed by" in text


def test_a_slip_adds_up() -> None:
    slip = slip_of("maryland-2014")
    day = slip.of
    chips = day.opening_cents + sum(day.fills) - sum(day.credits) - day.bought_in_cents
    assert chips + slip.rounds_cents == day.expected_cents
    end = day.closing_cents + sum(day.credits) + day.drop_cents
    assert end - day.opening_cents - sum(day.fills) == day.win_cents


def test_a_tray_that_is_short_is_said_loudly() -> None:
    slip = slip_of("south-dakota-2011")

    def printed(day: TableDay) -> str:
        return words_of(close_slip_pdf(replace(slip, of=day)))

    counted, bought_in = slip.of.expected_cents, slip.of.bought_in_cents
    good = replace(slip.of, closing_cents=counted, drop_cents=bought_in)
    assert "Count and entries agree to the cent." in printed(good)
    short = replace(good, closing_cents=counted - 5_00)
    assert "NOT RECONCILED: the tray is $5.00 short" in printed(short)
    over = replace(good, drop_cents=bought_in + 1)
    assert "NOT RECONCILED: the drop is $0.01 over" in printed(over)


def test_a_day_that_is_not_closed_has_no_slip() -> None:
    open_day = last_day(unclosed("island-stud"))
    with pytest.raises(NotationError, match="is not closed yet"):
        close_slip_of(open_day, printing=PRINTING, clock=CLOCK)


def test_each_gaming_day_has_books_of_its_own_also_when_a_date_comes_again() -> None:
    first = entries_of("south-dakota-2011")
    opened = next(e for e in first if any(isinstance(x, t.DayOpened) for x in e.events))
    date = next(x.date for x in opened.events if isinstance(x, t.DayOpened))
    second = [
        replace(opened, events=events)
        for day in ("2026-11-17", date)
        for events in (
            (t.DayOpened(date=day, tray_cents=7_00),),
            (t.ChipsFilled(cents=3_00),),
            (t.DayClosed(tray_cents=10_00, expected_cents=10_00, win_cents=0),),
        )
    ]
    book = TableBook("T1", editions())
    for entry in (*first, *second):
        book.tell(entry)
    assert list(book.days) == [date, "2026-11-17", f"{date} (2)"]
    assert book.days[date] == scripted("south-dakota-2011")
    for day in ("2026-11-17", f"{date} (2)"):
        slip = close_slip_of(book.days[day], printing=PRINTING, clock=CLOCK)
        assert (slip.of.day, slip.of.opening_cents, slip.of.fills) == (day, 7_00, (3_00,))
        assert (slip.of.rounds, slip.rounds_cents, slip.of.win_cents) == (0, 0, 0)


# ---------------------------------------------------------------- the day report


def table_day(name: str, **changes: object) -> TableDay:
    day = TableDay(
        table=name,
        day=DAY,
        game="Island Stud",
        rulebook="island-stud",
        link="M1",
        closed=True,
        rounds=312,
        void_rounds=2,
        decided_void_rounds=1,
        coin_in_cents=31_234_50,
        progressive_coin_in_cents=1_234_00,
        opening_cents=20_000_00,
        fills=(5_000_00,),
        credits=(1_500_00,),
        bought_in_cents=8_765_00,
        drop_cents=8_765_00,
        closing_cents=17_111_25,
        expected_cents=17_111_25,
        rounds_cents=2_376_25,
        tray_awards_cents=345_00,
        meter_awards_cents=4_500_03,
        off_tray_cents=4_500_03,
        envy_cents=77_00,
        breakage_cents=1_23,
        tips_cents=66_50,
        hits=(
            HandHits(hand="royal_flush", hits=0, wagers=1234, chance=CHANCES["royal_flush"]),
            HandHits(hand="flush", hits=3, wagers=1234),
        ),
    )
    return replace(day, **changes)


def meter_day(name: str = "M1", *, link: Link | None = None, **off: int) -> MeterDay:
    sums = Totals(
        contributions=259_14_5000,
        reversed=21_0000,
        seeds=10_000_00_0000,
        reserve_transfers=120_50_0875,
        awards=4_500_03_0000,
        adjustments=-7_00_0000,
        reserve_contributions=33_25_5000,
        reserve_reversed=1_0000,
        wagers_cents=1_234_00,
        hits=1,
    )
    units, reserve = 5_872_40_5875, -87_25_5875
    moves = Moves(
        totals=sums,
        units=units + off.get("units", 0),
        reserve_units=reserve + off.get("reserve_units", 0),
    )
    own = Totals(contributions=259_14_5000, wagers_cents=1_234_00, hits=1)
    return MeterDay(
        link=link or Link(id=name, status="in_service", rate_bp=21_00, seed_cents=10_000_00),
        opening=45_000_38_1250,
        reserve_opening=100_00_0000,
        moves=moves,
        tables=(("T1", Moves(totals=own, units=259_14_5000)),),
    )


def report(*tables: TableDay, meters: tuple[MeterDay, ...] = (), **changes: object) -> DayReport:
    made = DayReport(printing=PRINTING, day=DAY, tables=tables, meters=meters)
    return replace(made, **changes)


def test_every_figure_of_a_report_can_be_read_off_it() -> None:
    signed = SignedHeadText(
        number=31, signed_at="2026-11-17 04:02", public_key="ab" * 32, signature="cd" * 64
    )
    text = words_of(day_report_pdf(report(table_day("T1"), meters=(meter_day(),), signed=signed)))
    for words in (
        "T1 island-stud 312 2 31,234.50 20,000.00 5,000.00 1,500.00 17,111.25 – 8,765.00 2,376.25"
        " 27.11 %",
        "T1 island-stud 1,234.00 345.00 4,500.03 4,500.03 77.00 1.23 66.50",
        "Opening 45,000.38 0.1250",
        "Contributions 259.14 0.5000",
        "Reversed −0.21 0.0000",
        "Seeds 10,000.00 0.0000",
        "From the reserve 120.50 0.0875",
        "Awards −4,500.03 0.0000",
        "Adjustments −7.00 0.0000",
        "Closing on the meter 50,872.78 0.7125",
        "Difference: it balances 0.00 0.0000",
        "To the meter −120.50 −0.0875",
        "Reserve, closing 12.74 0.4125",
        "Liability to players 50,885.53 0.1250",
        "Liability to players $50,885.53 and 0.1250 cent",
        "Expected hits 0.00",
        "1 in 649,740.0",
        "As filed: first amount $0.00, seed $10,000.00, wager $0.00, rate 21 %, reserve rate 0 %, "
        "limit none",
        "Win of coin-in 7.61 %",
        HEAD,
        "no. 31, 2026-11-17 04:02",
        "ab" * 32,
        "cd" * 64,
    ):
        assert words in text, words
    assert "NOT RECONCILED" not in text
    assert "Reconciled: all 1 tables" in text


def test_totals_are_the_sums_of_their_columns() -> None:
    two = (table_day("T1"), table_day("T2", drop_cents=9_000_00, bought_in_cents=9_000_00))
    text = words_of(day_report_pdf(report(*two)))
    assert (
        "Total 624 4 62,469.00 40,000.00 10,000.00 3,000.00 34,222.50 0.00 17,765.00 4,987.50"
        " 28.07 %" in text
    )
    assert "Hits 2,468 0 6" in text
    assert "Flush – 2,468 6 1 in 411.3" in text


def test_what_does_not_agree_is_listed_first_and_counted() -> None:
    bad = report(
        table_day("T1", closing_cents=17_106_25),
        table_day("T2", drop_cents=8_765_01),
        table_day("T3", closed=False),
        table_day("T4", rounds_cents=2_376_24, lost_cents=2),
        meters=(meter_day(units=1), meter_day("M2", reserve_units=-1)),
        open_items=("Dispute 12 is open",),
    )
    assert bad.unreconciled == (
        "Table T1: the tray by the count is $5.00 less than by the entries",
        "Table T2: the drop by the count is $0.01 more than by the entries",
        "Table T3: the tray was not counted at the end",
        "Table T4: the tray by the entries is $0.01 more than by the rounds' postings",
        "Table T4: postings leave $0.02 over",
        "Meter M1: the meter shows $0.00 and 0.0001 cent more than opening and movements",
        "Meter M2: the reserve shows $0.00 and 0.0001 cent less than opening and movements",
        "Dispute 12 is open",
    )
    text = words_of(day_report_pdf(bad))
    assert text.index("NOT RECONCILED: 8 items") < text.index("THE DAY IN FIGURES")
    for item in bad.unreconciled:
        assert item in text
    assert text.count("DOES NOT BALANCE") == 2
    assert "Reconciled: all" not in text


def test_a_head_without_signature_says_so() -> None:
    assert "this head is not signed" in words_of(day_report_pdf(report(table_day("T1"))))


def test_a_chance_that_is_not_known_is_left_blank() -> None:
    hits = (HandHits(hand="flush", hits=3, wagers=1234),)
    text = words_of(day_report_pdf(report(table_day("T1", hits=hits))))
    assert "Hits 1,234 3 Expected hits Chance in one wager SIGNATURES" in text


def test_forty_tables_are_numbered_pages_with_their_heads_repeated() -> None:
    tables = tuple(table_day(f"T{n:02}") for n in range(1, 41))
    made = pages_of(day_report_pdf(report(*tables, meters=(meter_day(),))))
    pages = [" ".join(page.split()) for page in made]
    assert 3 <= len(pages) <= 8
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert "Play money and training only." in page
    text = " ".join(pages)
    assert all(text.count(f"T{n:02} ") == 3 for n in range(1, 41))


def test_hits_that_go_over_a_page_have_their_heads_repeated() -> None:
    tables = tuple(table_day(f"T{n:03}") for n in range(1, 91))
    made = pages_of(day_report_pdf(report(*tables)))
    of_hits = [" ".join(page.split()) for page in made if "1,234 – 3" in " ".join(page.split())]
    assert len(of_hits) > 1
    assert all("Table Wagers Royal flush Flush" in page for page in of_hits)


def test_a_house_without_tables_still_reports() -> None:
    assert "Tables 0" in words_of(day_report_pdf(report()))


@pytest.mark.parametrize(("paper", "size"), [("us-letter", (612, 792)), ("a4", (595, 842))])
def test_papers_are_letter_and_a4(paper: str, size: tuple[int, int]) -> None:
    slip = close_slip_pdf(slip_of("island-stud"), paper)  # type: ignore[arg-type]
    day = day_report_pdf(report(table_day("T1")), paper)  # type: ignore[arg-type]
    assert sizes_of(slip) == {size}
    assert sizes_of(day) == {size[::-1]}


def test_a_table_with_a_very_long_name_keeps_its_figures() -> None:
    text = joined(day_report_pdf(report(table_day("L" * 200))))
    assert "L" * 100 in text
    assert "31,234.50" in text
