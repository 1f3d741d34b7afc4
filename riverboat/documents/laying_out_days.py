"""Day reports as typst source: totals first, then every meter and every table."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from riverboat.documents.day_report import DayReport, HandHits, MeterDay, TableDay
from riverboat.documents.figures import (
    NOTHING,
    amount,
    column,
    decimal,
    money,
    one_in,
    share,
    units_amount,
    units_said,
)
from riverboat.documents.typst_values import Value, literal
from riverboat.documents.words import Paper, Rows, frame, hand_name, in_units, printed_rows
from riverboat.money import METER_UNITS_PER_CENT

DAY_SIGNATURES: Final = ("Prepared by", "Reviewed by")

_TABLES: Final = (
    *("Table", "Rulebook", "Rounds", "Void", "Coin-in", "Opening", "Fills", "Credits"),
    *("Closing", "Count − entries", "Drop", "Win", "Hold"),
)
_PAID: Final = (
    *("Table", "Rulebook", "Progressive coin-in", "Awards, tray", "Awards, meter"),
    *("Paid off the tray", "Envy", "Breakage", "Tips"),
)
_SHARES: Final = (
    *("Meter", "Table", "Progressive wagers", "Contributions", "Reversed", "Awards", "Awards won"),
)


def day_report_source(report: DayReport, paper: Paper = "us-letter") -> str:
    """The typst source of a day report, without the design."""
    title = f"Day report, gaming day {report.day}"
    items = report.unreconciled
    count = f"{len(items)} item" + ("s" if len(items) != 1 else "")
    printing = report.printing
    document: dict[str, Value] = {
        **frame(printing, "Day report", title, title, paper, test=report.test),
        "printed": f"Printed {printing.printed_at} by {printing.printed_by}",
        "balanced": _balanced(report),
        "unreconciled": list(items),
        "unreconciled_title": f"NOT RECONCILED: {count}",
        "summary": _summary(report),
        "meters": [_meter(meter) for meter in report.meters],
        "shares_head": list(_SHARES),
        "shares": _shares(report.meters),
        "shares_total": _shares_total(report.meters),
        "tables_head": list(_TABLES),
        "tables": [[one.table, one.rulebook, *_table(one)] for one in report.tables],
        "tables_total": [["Total", "", *_tables_total(report.tables)]],
        "paid_head": list(_PAID),
        "paid": [[one.table, one.rulebook, *map(column, _paid(one))] for one in report.tables],
        "paid_total": [["Total", "", *map(amount, _columns(map(_paid, report.tables)))]],
        "hits": _hits(report.tables),
        "signatures": list(DAY_SIGNATURES),
        "versions": _ledger(report),
    }
    return f"#day-report({literal(document)})\n"


def _balanced(report: DayReport) -> str:
    tables, meters = len(report.tables), len(report.meters)
    return (
        f"Reconciled: all {tables} tables by count and entries, and all {meters} meters by "
        "opening, movements and closing, to the fraction of a cent."
    )


def _sum(tables: Iterable[TableDay], of: Callable[[TableDay], int]) -> int:
    return sum(map(of, tables))


def _columns(rows: Iterable[tuple[int, ...]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


# ---------------------------------------------------------------- the first page


def _summary(report: DayReport) -> Rows:
    tables = report.tables
    win, drop = _sum(tables, lambda t: t.win_cents), _sum(tables, lambda t: t.drop_cents)
    coin_in = _sum(tables, lambda t: t.coin_in_cents)
    meters = sum(meter.closing for meter in report.meters)
    reserve = sum(meter.reserve_closing for meter in report.meters)
    other = sum(m.liability - m.closing - m.reserve_closing for m in report.meters)
    played: Rows = [
        ["Tables", str(len(tables))],
        ["Rounds", f"{_sum(tables, lambda t: t.rounds):,}"],
        ["of which void", f"{_sum(tables, lambda t: t.void_rounds):,}"],
        ["Coin-in", money(coin_in)],
    ]
    won: Rows = [
        ["Drop", money(drop)],
        ["Win", money(win)],
        ["Hold (win of drop)", share(win, drop)],
        ["Win of coin-in", share(win, coin_in)],
    ]
    owed: Rows = [
        ["Meters", units_said(meters)],
        ["Reserves", units_said(reserve)],
        ["Waiting and not paid yet", units_said(other)],
        ["Liability to players", units_said(meters + reserve + other)],
    ]
    return [played, won, owed]


# ---------------------------------------------------------------- meters


def _meter(meter: MeterDay) -> Value:
    return {
        "title": f"Meter {meter.link}",
        "note": f"{meter.status}; awards: {meter.hits}; wagers: {money(meter.wagers_cents)}",
        "head": ["Meter", "Reserve and liability"],
        "meter": [
            in_units("Opening", meter.opening, "sub"),
            in_units("Contributions", meter.contributions),
            in_units("Reversed", -meter.reversed),
            in_units("Seeds", meter.seeds),
            in_units("From the reserve", meter.reserve_transfers),
            in_units("Awards", -meter.awards),
            in_units("Adjustments", meter.adjustments),
            in_units("Closing by the movements", meter.closing - meter.difference, "total"),
            in_units("Closing on the meter", meter.closing, "total"),
            _verdict(meter.difference),
        ],
        "reserve": [
            in_units("Reserve, opening", meter.reserve_opening, "sub"),
            in_units("Contributions", meter.reserve_contributions),
            in_units("Reversed", -meter.reserve_reversed),
            in_units("To the meter", -meter.reserve_transfers),
            in_units("Adjustments", meter.reserve_adjustments),
            in_units("Reserve, closing", meter.reserve_closing, "total"),
            _verdict(meter.reserve_difference),
            in_units("Waiting for a pending award", meter.queued),
            in_units("Awards not paid yet", meter.unpaid_cents * METER_UNITS_PER_CENT),
            in_units("Liability to players", meter.liability, "total"),
        ],
    }


def _verdict(difference: int) -> Value:
    if difference:
        return in_units("DOES NOT BALANCE", difference, "total")
    return in_units("Difference: it balances", difference)


def _shares(meters: Iterable[MeterDay]) -> Rows:
    return [
        [
            meter.link,
            one.table,
            amount(one.wagers_cents),
            units_amount(one.contributions),
            units_amount(one.reversed),
            units_amount(one.awards),
            str(one.hits),
        ]
        for meter in meters
        for one in meter.tables
    ]


def _shares_total(meters: Iterable[MeterDay]) -> Rows:
    """For every meter, so that it can be held against the statement above."""
    return [
        [
            meter.link,
            "All tables",
            amount(sum(one.wagers_cents for one in meter.tables)),
            units_amount(sum(one.contributions for one in meter.tables)),
            units_amount(sum(one.reversed for one in meter.tables)),
            units_amount(sum(one.awards for one in meter.tables)),
            str(sum(one.hits for one in meter.tables)),
        ]
        for meter in meters
        if meter.tables
    ]


# ---------------------------------------------------------------- tables


def _money_of(one: TableDay) -> tuple[int, ...]:
    return (
        one.coin_in_cents,
        one.opening_cents,
        one.fills_cents,
        one.credits_cents,
        one.closing_cents,
        one.tray_difference_cents,
        one.drop_cents,
        one.win_cents,
    )


def _table(one: TableDay) -> list[Value]:
    figures = list(map(column, _money_of(one)))
    hold = share(one.win_cents, one.drop_cents)
    return [f"{one.rounds:,}", str(one.void_rounds), *figures, hold]


def _tables_total(tables: tuple[TableDay, ...]) -> list[Value]:
    rounds = f"{_sum(tables, lambda t: t.rounds):,}"
    void = str(_sum(tables, lambda t: t.void_rounds))
    sums = _columns(map(_money_of, tables))
    hold = share(sums[-1], sums[-2]) if sums else NOTHING
    return [rounds, void, *map(amount, sums), hold]


def _paid(one: TableDay) -> tuple[int, ...]:
    return (
        one.progressive_coin_in_cents,
        one.tray_awards_cents,
        one.meter_awards_cents,
        one.off_tray_cents,
        one.envy_cents,
        one.breakage_cents,
        one.tips_cents,
    )


# ---------------------------------------------------------------- hits


def _hits(tables: tuple[TableDay, ...]) -> Rows:
    """By rulebook, because tables of one game win equally often; blank where no chance is known."""
    groups: dict[tuple[str, tuple[str, ...]], list[TableDay]] = {}
    for one in tables:
        if one.hits:
            hands = tuple(hit.hand for hit in one.hits)
            groups.setdefault((one.rulebook, hands), []).append(one)
    return [
        {
            "title": f"Progressive hits: {rulebook}",
            "head": ["Table", "Wagers", *map(hand_name, hands)],
            "rows": [
                [one.table, f"{one.hits[0].wagers:,}", *(str(hit.hits) for hit in one.hits)]
                for one in members
            ],
            "totals": _hits_total(members),
        }
        for (rulebook, hands), members in groups.items()
    ]


def _hits_total(members: list[TableDay]) -> Rows:
    columns = list(zip(*(one.hits for one in members), strict=True))
    wagers = sum(one.hits[0].wagers for one in members)
    return [
        ["Hits", f"{wagers:,}", *(str(sum(hit.hits for hit in column)) for column in columns)],
        ["Expected hits", "", *map(_expected, columns)],
        ["Chance in one wager", "", *map(_chance, columns)],
    ]


def _expected(column: tuple[HandHits, ...]) -> str:
    known = [hit.expected for hit in column if hit.expected is not None]
    return decimal(sum(known, Fraction(0)), 2) if len(known) == len(column) else ""


def _chance(column: tuple[HandHits, ...]) -> str:
    """Tables of one rulebook may still differ; then no single chance is theirs."""
    chances = {hit.chance for hit in column}
    only = chances.pop() if len(chances) == 1 else None
    return one_in(only) if only is not None else ""


def _ledger(report: DayReport) -> Rows:
    rows = printed_rows(report.printing)
    signed = report.signed
    if signed is None:
        return [*rows, ["Signature", "this head is not signed"]]
    return [
        *rows,
        ["Signed head", f"no. {signed.number}, {signed.signed_at}"],
        ["Signature", signed.signature],
        ["Public key", signed.public_key],
    ]
