"""The report of a gaming day: all tables and meters, and everything that does not agree."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.documents import printing as p
from riverboat.floor.books.accounting import Floorbook
from riverboat.floor.books.meters import ITSELF, HistoryLine, MeterBook, MeterDay
from riverboat.floor.books.table_days import HandHits, TableDay, hits_by_hand
from riverboat.ledger import SignedHead
from riverboat.meter.state import Link, Totals
from riverboat.rulebook.values import table_called

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
_QUIET: Final = (
    *("link_contributed", "queue_added", "award_fixed", "award_paid", "table_joined"),
    *("table_left", "envy_paid", "chances_differ"),
)
"""Entries of a meter that the day's sums tell well enough."""
_LOUD: Final = ("link_alarmed", "link_out_of_service")


class SignedHeadText(Struct, frozen=True, kw_only=True):
    """The day's signed head, as the ledger exports it."""

    number: int
    signed_at: str
    public_key: str
    signature: str


class MeterLine(NamedTuple):
    """An entry of a meter that an accountant looks at: when, at which meter, and what."""

    at: str
    meter: str
    line: HistoryLine


class DayReport(Struct, frozen=True, kw_only=True):
    """Everything that a day report prints. `open_items` is what others found to be unsettled."""

    printing: p.Printing
    day: str
    tables: tuple[TableDay, ...]
    meters: tuple[MeterDay, ...]
    entries: tuple[MeterLine, ...] = ()
    rulebooks: tuple[tuple[str, str], ...] = ()
    """Names and hashes of the rulebooks that were played by."""
    open_items: tuple[str, ...] = ()
    signed: SignedHeadText | None = None
    test: bool = False

    @property
    def unreconciled(self) -> tuple[str, ...]:
        """Everything that does not agree, or that nobody has settled."""
        found = [item for table in self.tables for item in _table_items(table)]
        found += [item for meter in self.meters for item in _meter_items(meter)]
        return (*found, *self.open_items)


def _table_items(table: TableDay) -> Iterator[str]:
    where = table_called(table.table, "Table")
    if not table.closed:
        yield f"{where}: the tray was not counted at the end"
    for what, cents, other in (
        ("the tray by the count", table.tray_difference_cents, "by the entries"),
        ("the drop by the count", table.drop_difference_cents, "by the entries"),
        ("the tray by the entries", table.entries_difference_cents, "by the rounds' postings"),
    ):
        if cents:
            side = "more" if cents > 0 else "less"
            yield f"{where}: {what} is {p.money(abs(cents))} {side} than {other}"
    if table.lost_cents:
        yield f"{where}: postings leave {p.money(table.lost_cents)} over"


def _meter_items(meter: MeterDay) -> Iterator[str]:
    name, owed = meter.link.id, meter.owed
    for what, units in (
        ("meter", meter.moves.difference),
        ("reserve", meter.moves.reserve_difference),
    ):
        if units:
            side = "more" if units > 0 else "less"
            off = f"{p.units_said(abs(units))} {side} than opening and movements"
            yield f"Meter {name}: the {what} shows {off}"
    if owed.queued:
        yield f"Meter {name}: {p.units_said(owed.queued)} wait for a pending award"
    if owed.unpaid:
        yield f"Meter {name}: awards of {p.units_said(owed.unpaid)} are not paid yet"
    if owed.paid_ahead:
        yield f"Meter {name}: awards of {p.units_said(owed.paid_ahead)} are paid and still on it"


# ---------------------------------------------------------------- gathered from the books


def day_report_of(
    book: Floorbook,
    day: str,
    *,
    printing: p.Printing,
    clock: p.Clock,
    rulebooks: Mapping[str, str],
    signed: SignedHead | None = None,
) -> DayReport:
    """The report of a gaming day; `signed` is the newest signed head, if there is one.

    `rulebooks` are the names of rulebooks by the hash of their files.
    """
    tables = tuple(one for (_, date), one in book.tables.items() if date == day)
    meters = {  # that were there on the day, or before it
        name: one
        for name, one in sorted(book.meters.items())
        if any(date <= day or not date[:1].isdigit() for date in one.ends)
    }
    if not tables and not any(day in one.ends for one in meters.values()):
        there = ", ".join(book.days) or "none"
        raise NotationError("day.unknown", f"no gaming day {day!r} here; there are: {there}")
    hashes = {sha256 for one in tables for _, sha256 in one.configurations}
    entries = [
        MeterLine(clock(line.at), one.name, line)
        for one in meters.values()
        for line in one.history
        if line.day == day and line.kind not in _QUIET
    ]
    return DayReport(
        printing=printing,
        day=day,
        tables=tables,
        meters=tuple(one.day(day) for one in meters.values()),
        entries=tuple(sorted(entries, key=lambda one: one.line.seq)),
        rulebooks=tuple(sorted((rulebooks.get(one, "unknown"), one) for one in hashes)),
        open_items=tuple(_open_items(book, meters.values(), day)),
        signed=_signed(signed, clock) if signed is not None else None,
        test=bool(tables) and all(one.test for one in tables),
    )


def _open_items(book: Floorbook, meters: Iterable[MeterBook], day: str) -> Iterator[str]:
    for name, count in sorted(book.sealed.items()):
        where = table_called(name, "Table")
        yield f"{where}: {count} rows are sealed, a round is not over; not in these figures"
    for one in meters:
        for line in one.history:
            if line.day == day and line.kind in _LOUD:
                yield f"Meter {one.name}: {line.words}"
    for place, dispute in sorted(book.disputes.items()):
        if dispute.opened is not None and dispute.decided is None:
            table, _, number = place.rpartition("/")
            yield f"{table_called(table, 'Table')}: the dispute about round {number} is open"


def _signed(head: SignedHead, clock: p.Clock) -> SignedHeadText:
    return SignedHeadText(
        number=head.number,
        signed_at=f"{clock(head.signed_at)}, head {head.head}",
        public_key=head.public_key.hex(),
        signature=head.signature.hex(),
    )


# ---------------------------------------------------------------- on paper


def day_report_pdf(report: DayReport, paper: p.Paper = "us-letter") -> bytes:
    """A day report."""
    title = f"Day report, gaming day {report.day}"
    items = report.unreconciled
    count = f"{len(items)} item" + ("s" if len(items) != 1 else "")
    printing = report.printing
    document: dict[str, p.Value] = {
        **p.frame(printing, "Day report", title, title, paper, test=report.test),
        "printed": f"Printed {printing.printed_at} by {printing.printed_by}",
        "balanced": (
            f"Reconciled: all {len(report.tables)} tables by count and entries, and all "
            f"{len(report.meters)} meters by opening, movements and closing, to the fraction of a "
            "cent."
        ),
        "unreconciled": list(items),
        "unreconciled_title": f"NOT RECONCILED: {count}",
        "summary": _summary(report),
        "meters": [_meter_day(meter) for meter in report.meters],
        "shares_head": list(_SHARES),
        "shares": [
            [one.link.id, "the meter itself" if table == ITSELF else table, *_share(moves.totals)]
            for one in report.meters
            for table, moves in one.tables
        ],
        "shares_total": [  # For every meter, so that it can be held against the statement above.
            [one.link.id, "Together", *_share(one.moves.totals)]
            for one in report.meters
            if one.tables
        ],
        "tables_head": list(_TABLES),
        "tables": [
            [
                *(one.table, one.rulebook),
                *_table(one.rounds, one.void_rounds, _money_of(one), p.column),
            ]
            for one in report.tables
        ],
        "tables_total": [["Total", "", *_tables_total(report.tables)]],
        "paid_head": list(_PAID),
        "paid": [[one.table, one.rulebook, *map(p.column, _paid(one))] for one in report.tables],
        "paid_total": [["Total", "", *map(p.amount, _columns(map(_paid, report.tables)))]],
        "hits": _hits(report.tables),
        "hits_head": list(_BY_HAND),
        "hits_together": _hits_together(report.tables),
        "entries_head": list(_ENTRIES),
        "entries": [
            [at, meter, line.who, line.words, str(line.seq), p.units_column(line.units)]
            for at, meter, line in report.entries
        ],
        "signatures": ["Prepared by", "Reviewed by"],
        "versions": _ledger(report),
    }
    return p.pdf("day_report", document, printed_seconds=printing.printed_seconds)


def _columns(rows: Iterable[tuple[int, ...]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


# ---------------------------------------------------------------- the first page


def _summary(report: DayReport) -> p.Rows:
    tables = report.tables
    win, drop = sum(t.win_cents for t in tables), sum(t.drop_cents for t in tables)
    coin_in = sum(t.coin_in_cents for t in tables)
    owing = [meter.owed for meter in report.meters]
    meters, reserve = sum(one.meter for one in owing), sum(one.reserve for one in owing)
    liability = sum(one.liability for one in owing)
    hits = sum(t.all_hits for t in tables)
    expected = sum((one.expected_hits for one in tables), Fraction(0))
    played: p.Rows = [
        ["Tables", str(len(tables))],
        ["Rounds", f"{sum(t.rounds for t in tables):,}"],
        ["of which void", f"{sum(t.void_rounds for t in tables):,}"],
        ["of these, decided", f"{sum(t.decided_void_rounds for t in tables):,}"],
        ["Coin-in", p.money(coin_in)],
        ["of it progressive", p.money(sum(t.progressive_coin_in_cents for t in tables))],
    ]
    won: p.Rows = [
        ["Drop", p.money(drop)],
        ["Win", p.money(win)],
        ["Hold (win of drop)", p.share(win, drop)],
        ["Win of coin-in", p.share(win, coin_in)],
        ["Meter awards paid", p.money(sum(t.meter_awards_cents for t in tables))],
    ]
    owed: p.Rows = [
        ["Meters", p.units_said(meters)],
        ["Reserves", p.units_said(reserve)],
        ["Waiting, not paid, registered", p.units_said(liability - meters - reserve)],
        ["Liability to players", p.units_said(liability)],
        ["Progressive hits", f"{hits:,}, expected {p.decimal(expected, 2)}"],
    ]
    return [played, won, owed]


# ---------------------------------------------------------------- meters


def _meter_day(meter: MeterDay) -> p.Value:
    link, moves, owed = meter.link, meter.moves, meter.owed
    sums = moves.totals
    return {
        "title": f"Meter {link.id}",
        "note": (
            f"{link.status.replace('_', ' ')}; awards: {sums.hits}; "
            f"wagers: {p.money(sums.wagers_cents)}"
        ),
        "filed": (
            f"As filed: first amount {p.money(link.initial_cents)}, "
            f"seed {p.money(link.seed_cents)}, wager {p.money(link.wager_cents)}, "
            f"rate {p.percent(link.rate_bp)}, reserve rate {p.percent(link.reserve_bp)}, "
            f"limit none; tables that play for it: {len(link.members)}"
        ),
        "chances": _chances_said(link),
        "head": ["Meter", "Reserve and liability"],
        "meter": [
            p.in_units("Opening", meter.opening, "sub"),
            p.in_units("Contributions", sums.contributions),
            p.in_units("Reversed", -sums.reversed),
            p.in_units("Seeds", sums.seeds),
            p.in_units("From the reserve", sums.reserve_transfers),
            p.in_units("Awards", -sums.awards),
            p.in_units("Adjustments", sums.adjustments),
            p.in_units("Closing by the movements", meter.closing - moves.difference, "total"),
            p.in_units("Closing on the meter", meter.closing, "total"),
            _balance(moves.difference),
        ],
        "reserve": [
            p.in_units("Reserve, opening", meter.reserve_opening, "sub"),
            p.in_units("Contributions", sums.reserve_contributions),
            p.in_units("Reversed", -sums.reserve_reversed),
            p.in_units("To the meter", -sums.reserve_transfers),
            p.in_units("Adjustments", sums.reserve_adjustments),
            p.in_units("Reserve, closing", meter.reserve_closing, "total"),
            _balance(moves.reserve_difference),
            p.in_units("Waiting for a pending award", owed.queued),
            p.in_units("Awards not paid yet", owed.unpaid),
            *(
                [p.in_units("Paid, still on the meter", -owed.paid_ahead)]
                if owed.paid_ahead
                else []
            ),
            *([p.in_units("Registered at its end", owed.registered)] if owed.registered else []),
            p.in_units("Liability to players", owed.liability, "total"),
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


def _balance(difference: int) -> p.Value:
    if difference:
        return p.in_units("DOES NOT BALANCE", difference, "total")
    return p.in_units("Difference: it balances", difference)


def _share(sums: Totals) -> list[p.Value]:
    return [
        p.column(sums.wagers_cents),
        p.units_column(sums.contributions),
        p.units_column(-sums.reversed),
        p.units_column(sums.seeds + sums.reserve_transfers),
        p.units_column(-sums.awards),
        p.units_column(sums.adjustments),
        str(sums.hits) if sums.hits else p.NOTHING,
    ]


# ---------------------------------------------------------------- tables


_money_of: Final = attrgetter(
    *("coin_in_cents", "opening_cents", "fills_cents", "credits_cents", "closing_cents"),
    *("tray_difference_cents", "drop_cents", "win_cents"),
)
_paid: Final = attrgetter(
    *("progressive_coin_in_cents", "tray_awards_cents", "meter_awards_cents", "off_tray_cents"),
    *("envy_cents", "breakage_cents", "tips_cents"),
)


def _table(rounds: int, void: int, money: Sequence[int], said: Callable[[int], str]) -> p.Rows:
    hold = p.share(money[-1], money[-2]) if money else p.NOTHING
    return [f"{rounds:,}", str(void), *map(said, money), hold]


def _tables_total(tables: tuple[TableDay, ...]) -> p.Rows:
    rounds, void = sum(t.rounds for t in tables), sum(t.void_rounds for t in tables)
    return _table(rounds, void, _columns(map(_money_of, tables)), p.amount)


# ---------------------------------------------------------------- hits


def _hits(tables: tuple[TableDay, ...]) -> p.Rows:
    """By rulebook, because tables of one game win equally often; blank where no chance is known."""
    groups: dict[tuple[str, tuple[str, ...]], list[TableDay]] = {}
    for one in tables:
        if one.hits:
            hands = tuple(hit.hand for hit in one.hits)
            groups.setdefault((one.rulebook, hands), []).append(one)
    return [
        {
            "title": f"Progressive hits: {rulebook}",
            "head": ["Table", "Wagers", *map(p.hand_name, hands)],
            "rows": [
                [
                    one.table,
                    f"{one.wagers:,}",
                    *(f"{hit.hits:,}" if hit.hits else p.NOTHING for hit in one.hits),
                ]
                for one in members
            ],
            "totals": _hits_total(members),
        }
        for (rulebook, hands), members in groups.items()
    ]


def _hits_together(tables: tuple[TableDay, ...]) -> p.Rows:
    """All tables together: by hand, and at the end every win of a progressive wager."""
    by_hand = list(hits_by_hand(tables).values())
    if not by_hand:
        return []
    wagers = sum(one.wagers for one in tables)
    chance = sum((one.chance or Fraction(0) for one in by_hand), Fraction(0))
    hits = sum(one.hits for one in by_hand)
    every = HandHits(hand="any_winning_hand", hits=hits, wagers=wagers, chance=chance)
    return [_hand_row(one) for one in (*by_hand, every)]


def _hand_row(one: HandHits) -> list[p.Value]:
    expected = one.expected
    frequency = p.one_in(Fraction(one.hits, one.wagers)) if one.hits and one.wagers else p.NOTHING
    return [
        p.hand_name(one.hand),
        p.one_in(one.chance),
        f"{one.wagers:,}",
        p.decimal(expected, 3) if expected is not None else "",
        f"{one.hits:,}",
        frequency,
    ]


def _hits_total(members: list[TableDay]) -> p.Rows:
    columns = list(zip(*(one.hits for one in members), strict=True))
    wagers = sum(one.hits[0].wagers for one in members)
    return [
        ["Hits", f"{wagers:,}", *(str(sum(hit.hits for hit in column)) for column in columns)],
        ["Expected hits", "", *map(_expected, columns)],
        ["Chance in one wager", "", *map(_chance, columns)],
    ]


def _expected(column: tuple[HandHits, ...]) -> str:
    known = [hit.expected for hit in column if hit.expected is not None]
    return p.decimal(sum(known, Fraction(0)), 2) if len(known) == len(column) else ""


def _chance(column: tuple[HandHits, ...]) -> str:
    """Tables of one rulebook may still differ; then no single chance is theirs."""
    chances = {hit.chance for hit in column}
    only = chances.pop() if len(chances) == 1 else None
    return p.one_in(only) if only is not None else ""


def _ledger(report: DayReport) -> p.Rows:
    books: p.Rows = [[f"Rulebook {name}", sha256] for name, sha256 in report.rulebooks]
    rows = [*books, *p.printed_rows(report.printing)]
    signed = report.signed
    if signed is None:
        return [*rows, ["Signature", "this head is not signed"]]
    return [
        *rows,
        ["Signed head", f"no. {signed.number}, {signed.signed_at}"],
        ["Signature", signed.signature],
        ["Public key", signed.public_key],
    ]
