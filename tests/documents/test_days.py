"""Day reports and close slips: figures from records, held against other ways to count them."""

from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from riverboat.days.library import Played, day_ids, play_days
from riverboat.days.summary import summarize
from riverboat.documents import (
    CloseSlip,
    DayReport,
    HandHits,
    MeterDay,
    SignedHeadText,
    TableDay,
    TableShare,
    Told,
    close_slip_of,
    close_slip_pdf,
    day_report_pdf,
    meter_day_of,
    table_day_of,
    told_of,
)
from riverboat.errors import NotationError
from riverboat.games.setup import Setup
from riverboat.progressive.link import Link
from riverboat.table import events as t
from tests.documents.floor import BOOKS, CLOCK, HEAD, PRINTING, two_winners
from tests.documents.reading import joined, pages_of, sizes_of, words_of
from tests.progressive.hall import FLO

CHANCES = {"royal_flush": Fraction(1, 649740), "straight_flush": Fraction(9, 649740)}


@cache
def played(name: str) -> Played:
    return next(iter(play_days(name)))


def record_of(name: str) -> list[Told]:
    return list(told_of(one.entry for one in played(name).runner.happened))


def setups_of(name: str) -> dict[str, Setup]:
    days = [one.after for one in played(name).runner.happened]
    return {
        day.configuration.sha256: day.configuration.setup
        for day in days
        if day.configuration is not None
    }


def scripted(name: str) -> TableDay:
    return table_day_of(record_of(name), table="T1", setups=setups_of(name))


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
    assert table.by_rounds_cents == summary.win_by_rounds_cents
    assert table.off_tray_cents == summary.paid_off_tray_cents
    assert table.closed == summary.closed


@pytest.mark.parametrize("name", day_ids())
def test_a_day_that_is_not_closed_is_reckoned_from_its_entries(name: str) -> None:
    record = [one for one in record_of(name) if not isinstance(one.event, t.DayClosed)]
    open_day = table_day_of(record, table="T1", setups=setups_of(name))
    assert not open_day.closed
    assert open_day.expected_cents == scripted(name).expected_cents


@pytest.mark.parametrize("name", BOOKS)
def test_a_keyed_round_gives_awards_envy_and_hits(name: str) -> None:
    floor = two_winners(name)
    table = floor.tables["T7"]
    setups = {"": table.setup}
    day = table_day_of(floor.told["T7"], table="T7", setups=setups, chances=CHANCES)
    assert day.meter_awards_cents == sum(a.fixed.cents for a in floor.link.awards.values())
    assert day.off_tray_cents == -table.cents["cage"]
    assert day.tips_cents == table.cents["tip_box"]
    assert day.expected_cents == 2_000_000 + table.cents["tray"]
    hits = {hit.hand: hit.hits for hit in day.hits}
    assert (hits.pop("royal_flush"), hits.pop("straight_flush")) == (1, 1)
    assert not any(hits.values())
    royal = next(hit for hit in day.hits if hit.hand == "royal_flush")
    assert (royal.wagers, royal.expected) == (2, Fraction(2, 649740))
    assert next(hit for hit in day.hits if hit.hand == "flush").expected is None


@pytest.mark.parametrize("name", BOOKS)
def test_a_meters_day_is_the_difference_of_its_books(name: str) -> None:
    floor = two_winners(name)
    day = meter_day_of(Link(), floor.link)
    assert (day.difference, day.reserve_difference) == (0, 0)
    assert day.closing == floor.link.meter.units
    assert day.awards == sum(a.fixed.cents for a in floor.link.awards.values()) * 10_000
    assert day.hits == 2
    assert sum(share.contributions for share in day.tables) == day.contributions
    nothing = meter_day_of(floor.link, floor.link)
    assert (nothing.opening, nothing.contributions, nothing.hits) == (day.closing, 0, 0)
    assert nothing.difference == 0


# ---------------------------------------------------------------- the close slip


def slip_of(name: str) -> CloseSlip:
    return close_slip_of(
        record_of(name), table="T1", setups=setups_of(name), printing=PRINTING, clock=CLOCK
    )


@pytest.mark.parametrize("name", day_ids())
def test_a_slip_has_every_figure_of_the_closing(name: str) -> None:
    slip, day = slip_of(name), scripted(name)
    closing = next(one for one in record_of(name) if isinstance(one.event, t.DayClosed))
    assert slip.counted_by == closing.by.name
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
    chips = slip.opening_cents + sum(slip.fills) - sum(slip.credits) - slip.bought_in_cents
    assert chips + slip.rounds_cents == slip.expected_cents
    end = slip.counted_cents + sum(slip.credits) + slip.drop_cents
    assert end - slip.opening_cents - sum(slip.fills) == slip.win_cents


def test_a_tray_that_is_short_is_said_loudly() -> None:
    slip = slip_of("south-dakota-2011")
    good = replace(slip, counted_cents=slip.expected_cents, drop_cents=slip.drop_expected_cents)
    assert "Count and entries agree to the cent." in words_of(close_slip_pdf(good))
    short = replace(good, counted_cents=good.expected_cents - 5_00)
    assert "NOT RECONCILED: the tray is $5.00 short" in words_of(close_slip_pdf(short))
    over = replace(good, drop_cents=good.drop_expected_cents + 1)
    assert "NOT RECONCILED: the drop is $0.01 over" in words_of(close_slip_pdf(over))


def test_a_day_that_is_not_closed_has_no_slip() -> None:
    record = [one for one in record_of("island-stud") if not isinstance(one.event, t.DayClosed)]
    setups = setups_of("island-stud")
    with pytest.raises(NotationError, match="is not closed yet"):
        close_slip_of(record, table="T1", setups=setups, printing=PRINTING, clock=CLOCK)
    with pytest.raises(NotationError, match="no gaming day"):
        close_slip_of([], table="T1", setups=setups, printing=PRINTING, clock=CLOCK)


def test_a_slip_is_of_the_last_day_on_record() -> None:
    first = record_of("south-dakota-2011")
    second = [
        Told(event=t.DayOpened(date="2026-11-17", tray_cents=7_00), by=FLO, at=90_000),
        Told(event=t.ChipsFilled(cents=3_00), by=FLO, at=90_001),
        Told(
            event=t.DayClosed(tray_cents=10_00, expected_cents=10_00, win_cents=0),
            by=FLO,
            at=90_002,
        ),
    ]
    setups = setups_of("south-dakota-2011")
    slip = close_slip_of(
        [*first, *second], table="T1", setups=setups, printing=PRINTING, clock=CLOCK
    )
    assert (slip.day, slip.opening_cents, slip.fills) == ("2026-11-17", 7_00, (3_00,))
    assert (slip.rounds, slip.rounds_cents, slip.win_cents) == (0, 0, 0)


# ---------------------------------------------------------------- the day report


def table_day(name: str, **changes: object) -> TableDay:
    day = TableDay(
        table=name,
        game="Island Stud",
        rulebook="island-stud",
        link="M1",
        closed=True,
        rounds=312,
        void_rounds=2,
        coin_in_cents=31_234_50,
        progressive_coin_in_cents=1_234_00,
        opening_cents=20_000_00,
        fills_cents=5_000_00,
        credits_cents=1_500_00,
        bought_in_cents=8_765_00,
        drop_cents=8_765_00,
        closing_cents=17_111_25,
        expected_cents=17_111_25,
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


def meter_day(**changes: object) -> MeterDay:
    share = TableShare(
        table="T1", wagers_cents=1_234_00, contributions=259_14_5000, reversed=21_0000,
        awards=4_500_03_0000, hits=1,
    )  # fmt: skip
    day = MeterDay(
        link="M1",
        status="in service",
        opening=45_000_38_1250,
        contributions=259_14_5000,
        reversed=21_0000,
        seeds=10_000_00_0000,
        reserve_transfers=120_50_0875,
        awards=4_500_03_0000,
        adjustments=-7_00_0000,
        closing=50_872_78_7125,
        reserve_opening=100_00_0000,
        reserve_contributions=33_25_5000,
        reserve_reversed=1_0000,
        reserve_adjustments=0,
        reserve_closing=12_74_4125,
        wagers_cents=1_234_00,
        hits=1,
        tables=(share,),
    )
    return replace(day, **changes)


def report(*tables: TableDay, meters: tuple[MeterDay, ...] = (), **changes: object) -> DayReport:
    made = DayReport(printing=PRINTING, day="2026-11-16", tables=tables, meters=meters)
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


def test_what_does_not_agree_is_listed_first_and_counted() -> None:
    bad = report(
        table_day("T1", closing_cents=17_106_25),
        table_day("T2", drop_cents=8_765_01),
        table_day("T3", closed=False),
        meters=(
            meter_day(closing=50_872_78_7126, queued=5_0000, unpaid_cents=12_00),
            meter_day(link="M2", reserve_closing=12_74_4124),
        ),
        open_items=("Dispute 12 is open",),
    )
    assert bad.unreconciled == (
        "Table T1: the tray by the count is $5.00 less than by the entries",
        "Table T2: the drop by the count is $0.01 more than by the entries",
        "Table T3: the tray was not counted at the end",
        "Meter M1: the meter shows $0.00 and 0.0001 cent more than opening and movements",
        "Meter M1: $0.05 wait for a pending award",
        "Meter M1: awards of $12.00 are not paid yet",
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
    of_hits = [page for page in pages if "1,234 0 3" in page]
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
