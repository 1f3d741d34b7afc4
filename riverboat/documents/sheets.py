"""Win pages, close slips and day reports as typst source: every figure, then the layout's call."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from riverboat.core.money import METER_UNITS_PER_CENT
from riverboat.core.naming import table_called
from riverboat.documents.day_report import CloseSlip, DayReport, MeterLine
from riverboat.documents.figures import (
    NOTHING,
    amount,
    column,
    decimal,
    in_words,
    money,
    one_in,
    share,
    units_column,
    units_said,
)
from riverboat.documents.parts import (
    Paper,
    Rows,
    card_shown,
    configuration_rows,
    frame,
    hand_name,
    in_cents,
    in_units,
    or_dash,
    or_not_on_record,
    percent,
    printed_rows,
)
from riverboat.documents.typst import Value, literal
from riverboat.documents.win_page import MeterBeforeAndAfter, WinPage
from riverboat.floor.books.meters import ITSELF, MeterDay
from riverboat.floor.books.table_days import HandHits, TableDay, hits_by_hand
from riverboat.meter.state import Link, Totals

WIN_SIGNATURES: Final = (
    "Dealer",
    "Floorperson or supervisor",
    "Surveillance",
    "Player: I have received this amount",
)
SLIP_SIGNATURES: Final = ("Counted by", "Witnessed by")
_STANDINGS: Final = {
    "logged": "Logged, not paid yet",
    "paid": "Paid",
    "taken_back": "TAKEN BACK: not payable",
}


def win_page_source(page: WinPage, paper: Paper = "us-letter") -> str:
    """The typst source of a win page, without the design."""
    title = f"Win page {page.award}"
    document: dict[str, Value] = {
        **frame(page.printing, "Progressive win page", title, title, paper, test=page.test),
        "hand": hand_name(page.hand),
        "pays": _pays(page),
        "amount": money(page.paid_cents),
        "words": in_words(page.paid_cents),
        "standing": _STANDINGS[page.standing],
        "cards": [card_shown(one.card, one.origin) for one in page.cards],
        "where": _where(page),
        "wager": _wager(page),
        "meter": _meter(page.meter) if page.meter is not None else [],
        "meter_note": _meter_note(page),
        "steps": [
            {"at": s.at, "what": s.what, "by": s.by, "role": s.role, "cites": list(s.cites)}
            for s in page.steps
        ],
        "signatures": list(WIN_SIGNATURES),
        "versions": _versions(page),
    }
    return f"#win-page({literal(document)})\n"


def _pays(page: WinPage) -> str:
    if not page.percent:
        return f"pays {page.pays}"
    shared = f", share {page.share} of {page.of}" if page.of > 1 else ""
    return f"{page.percent}% of the meter{shared}"


def _where(page: WinPage) -> Rows:
    return [
        ["Award", page.award],
        ["Table", page.table],
        ["Seat", str(page.seat)],
        ["Round", str(page.round)],
        ["Gaming day", or_not_on_record(page.day)],
        ["Meter", or_dash(page.link)],
    ]


def _wager(page: WinPage) -> Rows:
    source = "the tray" if page.source == "tray" else "the cage"
    line = f"{page.schedule}: {hand_name(page.hand).lower()} pays {page.pays}"
    rows: Rows = [
        ["Player", or_dash(page.player)],
        ["Wager and pay schedule", f"{money(page.wager_cents)}, {line}"],
        ["Clauses", ", ".join(page.cites)],
        ["Paid from", f"{source}, document: {or_dash(page.document)}"],
    ]
    if page.breakage_cents:
        exact = f"{money(page.cents)}, of which {money(page.breakage_cents)} breakage"
        rows.append(["Exact award", exact])
    return rows


def _meter(meter: MeterBeforeAndAfter) -> Rows:
    rows = [in_units("Meter before", meter.before_units, "sub")]
    if meter.meanwhile_units:
        rows.append(in_units("Changed at other tables meanwhile", meter.meanwhile_units))
    rows.append(in_units("Award", -meter.award_cents * METER_UNITS_PER_CENT))
    rows.append(in_units("Stays on the meter", meter.left_units, "sub"))
    if meter.resets:
        rows.append(in_units("Seed put in", meter.seed_cents * METER_UNITS_PER_CENT))
        rows.append(in_units("Reserve put in", meter.reserve_units))
    if meter.queued_units:
        waited = "Contributions that waited for this award"
        rows.append(in_units(waited, meter.queued_units))
    return [*rows, in_units("Meter after", meter.after_units, "total")]


def _meter_note(page: WinPage) -> str:
    if page.meter is None:
        return ""
    if page.standing == "taken_back":
        return "The award was taken back; the meter's record says what went back onto it."
    if page.meter.moved_at:
        return f"The meter moved at {page.meter.moved_at}."
    return "The meter has not moved yet; this is what it will come to."


def _versions(page: WinPage) -> Rows:
    held = page.versions
    played = f"no. {held.commitment}, root {or_not_on_record(held.commitment_root)}"
    return [
        ["Rulebook", f"{held.rulebook}, revision {held.revision}: {held.title}"],
        ["its SHA-256", or_not_on_record(held.rulebook_sha256)],
        ["Configuration", or_not_on_record(held.configuration_sha256)],
        ["Commitment", played if held.commitment else "uncommitted"],
        *printed_rows(page.printing),
    ]


# ---------------------------------------------------------------- the close slip


def close_slip_source(slip: CloseSlip, paper: Paper = "us-letter") -> str:
    """The typst source of a close slip, without the design."""
    title = f"{table_called(slip.table, 'Table')}, gaming day {slip.day}"
    document: dict[str, Value] = {
        **frame(slip.printing, "Close slip", title, f"Close slip: {title}", paper, test=slip.test),
        "left": [
            ["Game", slip.game],
            ["Rulebook", slip.rulebook],
            ["Rounds", f"{slip.rounds}, of which {slip.void_rounds} void"],
        ],
        "right": [
            ["Opened", f"{slip.opened_at}, {slip.opened_by}"],
            ["Counted", f"{slip.counted_at}, {slip.counted_by} ({slip.counted_role})"],
        ],
        "tray": _tray(slip),
        "win": _win(slip),
        "agrees": not (slip.difference_cents or slip.drop_difference_cents),
        "verdict": _verdict(slip),
        "signatures": list(SLIP_SIGNATURES),
        "versions": [*configuration_rows(slip.configurations), *printed_rows(slip.printing)],
    }
    return f"#close-slip({literal(document)})\n"


def _tray(slip: CloseSlip) -> Rows:
    return [
        in_cents("Opening count", slip.opening_cents),
        *(in_cents(f"Fill {n}", cents) for n, cents in enumerate(slip.fills, start=1)),
        *(in_cents(f"Credit {n}", -cents) for n, cents in enumerate(slip.credits, start=1)),
        in_cents("Chips for cash (buy-ins)", -slip.bought_in_cents),
        in_cents("Moved by the rounds", slip.rounds_cents),
        in_cents("Tray by the entries", slip.expected_cents, "total"),
        in_cents("Tray by the count", slip.counted_cents, "total"),
        in_cents("Over or short (−)", slip.difference_cents),
    ]


def _win(slip: CloseSlip) -> Rows:
    return [
        in_cents("Drop by the entries (buy-ins)", slip.drop_expected_cents),
        in_cents("Drop by the count", slip.drop_cents),
        in_cents("Over or short (−)", slip.drop_difference_cents),
        in_cents("Table win", slip.win_cents, "total"),
    ]


def _verdict(slip: CloseSlip) -> str:
    faults = [
        f"{what} is {money(abs(cents))} {'over' if cents > 0 else 'short'}"
        for what, cents in (
            ("the tray", slip.difference_cents),
            ("the drop", slip.drop_difference_cents),
        )
        if cents
    ]
    if not faults:
        return "Count and entries agree to the cent."
    return f"NOT RECONCILED: {' and '.join(faults)} against the entries."


DAY_SIGNATURES: Final = ("Prepared by", "Reviewed by")

_TABLES: Final = (
    *("Table", "Rulebook", "Rounds", "Void", "Coin-in", "Opening", "Fills", "Credits"),
    *("Closing", "Count − entries", "Drop", "Win", "Hold"),
)
_PAID: Final = (
    *("Table", "Rulebook", "Progressive coin-in", "Awards, tray", "Awards, meter"),
    *("Paid by the cage", "Envy", "Breakage", "Tips"),
)
_SHARES: Final = (
    *("Meter", "Table", "Progressive wagers", "Contributions", "Reversed", "Seeds and reserve"),
    *("Awards", "Adjustments", "Awards won"),
)
_BY_HAND: Final = ("Hand", "Chance in one wager", "Wagers", "Expected hits", "Hits", "Was hit")
_ENTRIES: Final = ("When", "Meter", "Who", "What and why", "Row", "Meter moved by")


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
        "meters": [_meter_day(meter) for meter in report.meters],
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
        "hits_head": list(_BY_HAND),
        "hits_together": _hits_together(report.tables),
        "entries_head": list(_ENTRIES),
        "entries": [_entry(one) for one in report.entries],
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
    owing = [meter.owed for meter in report.meters]
    meters, reserve = sum(one.meter for one in owing), sum(one.reserve for one in owing)
    liability = sum(one.liability for one in owing)
    played: Rows = [
        ["Tables", str(len(tables))],
        ["Rounds", f"{_sum(tables, lambda t: t.rounds):,}"],
        ["of which void", f"{_sum(tables, lambda t: t.void_rounds):,}"],
        ["Coin-in", money(coin_in)],
        ["of it progressive", money(_sum(tables, lambda t: t.progressive_coin_in_cents))],
    ]
    won: Rows = [
        ["Drop", money(drop)],
        ["Win", money(win)],
        ["Hold (win of drop)", share(win, drop)],
        ["Win of coin-in", share(win, coin_in)],
        ["Meter awards paid", money(_sum(tables, lambda t: t.meter_awards_cents))],
    ]
    owed: Rows = [
        ["Meters", units_said(meters)],
        ["Reserves", units_said(reserve)],
        ["Waiting, not paid, registered", units_said(liability - meters - reserve)],
        ["Liability to players", units_said(liability)],
        ["Progressive hits", _hits_said(tables)],
    ]
    return [played, won, owed]


def _hits_said(tables: tuple[TableDay, ...]) -> str:
    hits = _sum(tables, lambda t: t.all_hits)
    expected = sum((one.expected_hits for one in tables), Fraction(0))
    return f"{hits:,}, expected {decimal(expected, 2)}"


# ---------------------------------------------------------------- meters


def _meter_day(meter: MeterDay) -> Value:
    link, moves, owed = meter.link, meter.moves, meter.owed
    sums = moves.totals
    return {
        "title": f"Meter {link.id}",
        "note": (
            f"{link.status.replace('_', ' ')}; awards: {sums.hits}; "
            f"wagers: {money(sums.wagers_cents)}"
        ),
        "filed": (
            f"As filed: first amount {money(link.initial_cents)}, seed {money(link.seed_cents)}, "
            f"wager {money(link.wager_cents)}, rate {percent(link.rate_bp)}, reserve rate "
            f"{percent(link.reserve_bp)}, limit none; tables that play for it: {len(link.members)}"
        ),
        "chances": _chances_said(link),
        "head": ["Meter", "Reserve and liability"],
        "meter": [
            in_units("Opening", meter.opening, "sub"),
            in_units("Contributions", sums.contributions),
            in_units("Reversed", -sums.reversed),
            in_units("Seeds", sums.seeds),
            in_units("From the reserve", sums.reserve_transfers),
            in_units("Awards", -sums.awards),
            in_units("Adjustments", sums.adjustments),
            in_units("Closing by the movements", meter.closing - moves.difference, "total"),
            in_units("Closing on the meter", meter.closing, "total"),
            _balance(moves.difference),
        ],
        "reserve": [
            in_units("Reserve, opening", meter.reserve_opening, "sub"),
            in_units("Contributions", sums.reserve_contributions),
            in_units("Reversed", -sums.reserve_reversed),
            in_units("To the meter", -sums.reserve_transfers),
            in_units("Adjustments", sums.reserve_adjustments),
            in_units("Reserve, closing", meter.reserve_closing, "total"),
            _balance(moves.reserve_difference),
            in_units("Waiting for a pending award", owed.queued),
            in_units("Awards not paid yet", owed.unpaid),
            *([in_units("Paid, still on the meter", -owed.paid_ahead)] if owed.paid_ahead else []),
            *([in_units("Registered at its end", owed.registered)] if owed.registered else []),
            in_units("Liability to players", owed.liability, "total"),
        ],
    }


def _chances_said(link: Link) -> str:
    """How likely its tables win all of it; where they differ, which ones do."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for table, member in sorted(link.members.items()):
        groups.setdefault((member.chance, member.fold_forfeits), []).append(table)
    if not groups:
        return ""
    said = [
        f"{chance}{' unless a fold loses it' if folds else ''}"
        + (f" at {', '.join(tables)}" if len(groups) > 1 else "")
        for (chance, folds), tables in groups.items()
    ]
    unlike = "WARNING: its tables do not win it equally often. " if len(groups) > 1 else ""
    return f"{unlike}Chance that a wager wins all of it: {'; '.join(said)}"


def _balance(difference: int) -> Value:
    if difference:
        return in_units("DOES NOT BALANCE", difference, "total")
    return in_units("Difference: it balances", difference)


def _shares(meters: Iterable[MeterDay]) -> Rows:
    return [
        [meter.link.id, table if table != ITSELF else "the meter itself", *_share(moves.totals)]
        for meter in meters
        for table, moves in meter.tables
    ]


def _share(sums: Totals) -> list[Value]:
    return [
        column(sums.wagers_cents),
        units_column(sums.contributions),
        units_column(-sums.reversed),
        units_column(sums.seeds + sums.reserve_transfers),
        units_column(-sums.awards),
        units_column(sums.adjustments),
        str(sums.hits) if sums.hits else NOTHING,
    ]


def _shares_total(meters: Iterable[MeterDay]) -> Rows:
    """For every meter, so that it can be held against the statement above."""
    return [
        [meter.link.id, "Together", *_share(meter.moves.totals)] for meter in meters if meter.tables
    ]


def _entry(one: MeterLine) -> list[Value]:
    line = one.line
    return [
        one.at,
        one.meter,
        line.who,
        line.words,
        str(line.seq),
        units_column(line.units),
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
                [one.table, f"{one.wagers:,}", *(_count(hit.hits) for hit in one.hits)]
                for one in members
            ],
            "totals": _hits_total(members),
        }
        for (rulebook, hands), members in groups.items()
    ]


def _hits_together(tables: tuple[TableDay, ...]) -> Rows:
    """All tables together: by hand, and at the end every win of a progressive wager."""
    by_hand = list(hits_by_hand(tables).values())
    if not by_hand:
        return []
    wagers = sum(one.wagers for one in tables)
    chance = sum((one.chance or Fraction(0) for one in by_hand), Fraction(0))
    hits = sum(one.hits for one in by_hand)
    every = HandHits(hand="any_winning_hand", hits=hits, wagers=wagers, chance=chance)
    return [_hand_row(one) for one in (*by_hand, every)]


def _hand_row(one: HandHits) -> list[Value]:
    expected = one.expected
    frequency = one_in(Fraction(one.hits, one.wagers)) if one.hits and one.wagers else NOTHING
    return [
        hand_name(one.hand),
        one_in(one.chance),
        f"{one.wagers:,}",
        decimal(expected, 3) if expected is not None else "",
        f"{one.hits:,}",
        frequency,
    ]


def _count(hits: int) -> str:
    return f"{hits:,}" if hits else NOTHING


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
    books: Rows = [[f"Rulebook {name}", sha256] for name, sha256 in report.rulebooks]
    rows = [*books, *printed_rows(report.printing)]
    signed = report.signed
    if signed is None:
        return [*rows, ["Signature", "this head is not signed"]]
    return [
        *rows,
        ["Signed head", f"no. {signed.number}, {signed.signed_at}"],
        ["Signature", signed.signature],
        ["Public key", signed.public_key],
    ]
