"""The Game Manager's books: what an accountant of table games reads at the end of a day."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby
from typing import Final

from msgspec import Struct

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits, format_units, show_percent
from riverboat.core.records import alike
from riverboat.documents.printing import decimal, one_in
from riverboat.floor.books.accounting import Floorbook
from riverboat.floor.books.meters import ITSELF, CentExplained, HistoryLine, MeterBook, Moves
from riverboat.floor.books.table_days import HandHits, TableDay, TableFigures, hits_by_hand
from riverboat.meter.books import identity, sign
from riverboat.meter.state import Status, Totals
from riverboat.round.table_talk import name_hand
from riverboat.rulebook.values import table_called

_KINDS: Final = (
    ("contributions", "Contributions", 1),
    ("reversed", "Reversed", -1),
    ("seeds", "Seeds", 1),
    ("reserve_transfers", "Reserve", 1),
    ("awards", "Awards", -1),
    ("adjustments", "Adjusted", 1),
)
_DAILY: Final = ("link_contributed",)
_EXPLAINED: Final = 12


def accounting_page(book: Floorbook) -> Iterator[Block]:
    """Meters, tables, and first of all whether they balance."""
    yield Heading("Game manager", level=1)
    yield Facts([("Ledger's head", str(book.head))])
    yield from _verdict(book)
    for meter in book.meters.values():
        yield from _meter(meter)
    if book.tables:
        yield from _tables(list(book.tables.values()))


def _verdict(book: Floorbook) -> Iterator[Block]:
    for name, count in sorted(book.sealed.items()):
        where = table_called(name)
        text = f"{count} rows of {where} are sealed, its round is not over: not in its figures."
        yield Words(text)
    for table in book.tables.values():
        for one in table.borne:
            text = (
                f"THE HOUSE BORE {dollars(one.cents)} of what round {one.round} at "
                f"{table_called(table.table)} took back from {one.name}: {one.reason}"
            )
            yield Words(text, loud=True)
    if book.balances:
        yield Words("Every meter and every table balances to the cent.")
        return
    for meter in book.meters.values():
        if not meter.balances:
            found = meter.reconciliation
            off = f"{format_units(found.difference)}, its reserve {found.reserve_difference} units"
            yield Words(f"METER {meter.name} DOES NOT BALANCE: off by {off}", loud=True)
    for table in book.tables.values():
        if not table.balances:
            text = f"{table_called(table.table, 'TABLE')}, {table.day}, DOES NOT BALANCE"
            yield Words(f"{text}: {', '.join(_differences(table))}", loud=True)


def _differences(table: TableDay) -> Iterator[str]:
    for what, cents in (
        ("the tray by the count and by the entries", table.tray_difference_cents),
        ("the drop by the count and by the entries", table.drop_difference_cents),
        ("the tray by the entries and by the rounds", table.entries_difference_cents),
        ("postings of one event", table.lost_cents),
    ):
        if cents:
            yield f"{what} differ by {dollars(cents)}"


# -------------------------------------------------------------------- meters


def _meter(book: MeterBook) -> Iterator[Block]:
    link, owed = book.link, book.owed
    yield Heading(f"Meter {book.name}")
    yield Facts(
        [
            ("Shows", _sign(book)),
            ("Status", f"{link.status.replace('_', ' ')} {link.reason}".rstrip()),
            ("Terms", _terms(book)),
            ("Tables", ", ".join(link.members) or "none"),
            ("Liability", format_units(owed.liability)),
            *(
                (f"of it {what}", format_units(units))
                for what, units in (
                    ("reserve", owed.reserve),
                    ("queued", owed.queued),
                    ("won, not paid", owed.unpaid),
                    ("paid, on the meter", -owed.paid_ahead),
                    ("registered at its end", owed.registered),
                )
                if units
            ),
            ("Envy paid", f"{dollars(book.envy_cents)} from trays, not from the meter"),
        ]
    )
    yield Heading("Reconciliation", level=3)
    yield Table(("", "Amount"), list(_statement(book)))
    yield from _cut("By gaming day", "Day", book.by_day)
    tables = sorted(book.by_table.items(), key=lambda item: (item[0] == ITSELF, item[0]))
    yield from _cut("By table", "Table", {name or "itself": moves for name, moves in tables})
    yield Heading("History", level=3)
    yield Table(("When", "Who", "What"), list(_history(book.history)))


def _terms(book: MeterBook) -> str:
    link = book.link
    first, seed, wager = map(dollars, (link.initial_cents, link.seed_cents, link.wager_cents))
    rates = f"rate {show_percent(link.rate_bp)} %, reserve {show_percent(link.reserve_bp)} %"
    return f"first {first}, seed {seed}, wager {wager}, {rates}, no limit"


def _sign(book: MeterBook) -> str:
    shown = sign(book.link)
    match shown.shows:
        case "jackpot" if shown.cents is not None:
            return dollars(shown.cents)
        case "pending":
            return f"pending: {dollars(shown.award_cents or 0)} at {shown.table}, {shown.hand}"
    return "out of service"


def _statement(book: MeterBook) -> Iterator[tuple[str, str]]:
    """The identity as a column of figures."""
    totals, found = book.link.totals, book.reconciliation
    lines = [
        (f"{'+' if sgn > 0 else '-'} {label}", format_units(getattr(totals, name)))
        for name, label, sgn in _KINDS
    ]
    lines.append(("= the entries come to", format_units(identity(totals))))
    lines.append(("  the meter stands at", format_units(found.meter)))
    lines.append(("  difference", format_units(found.difference)))
    width = max(len(amount) for _, amount in lines)
    for label, amount in lines:
        yield label, amount.rjust(width)
    yield "", "balances" if book.balances else "DOES NOT BALANCE"


def _cut(title: str, label: str, cut: Mapping[str, Moves]) -> Iterator[Block]:
    """The identity in parts; kinds that nothing happened of are left out."""
    kinds = [k for k in _KINDS if any(getattr(m.totals, k[0]) for m in cut.values())]
    yield Heading(title, level=3)
    whole = Moves()
    rows = []
    for name, moves in cut.items():
        rows.append((name, moves.totals, moves.units, moves.difference))
        whole.add(moves.totals, moves.units, moves.reserve_units)
    rows.append(("Together", whole.totals, whole.units, whole.difference))
    cells = [
        [
            name,
            *(format_units(s * getattr(t, k)) for k, _, s in kinds),
            format_units(u),
            f"OFF BY {format_units(d)}" if d else "ok",
        ]
        for name, t, u, d in rows
    ]
    yield _figures((label, *(k[1] for k in kinds), "Moved by", ""), cells)


def _figures(columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> Table:
    """Amounts one under the other, and their headings with them; the first columns are words."""
    lines = [columns, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    head, *told = [
        [c if i < words else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))]
        for line in lines
    ]
    return Table(head, told)


def _history(lines: Sequence[HistoryLine]) -> Iterator[tuple[str, str, str]]:
    """Every line; contributions of a table that follow one another are one line."""
    for (daily, _), group in groupby(lines, key=lambda line: (line.kind in _DAILY, line.day)):
        kept = list(group)
        if not daily or len(kept) == 1:
            yield from ((_moment(line.at), line.who, line.words) for line in kept)
            continue
        tables = Counter(line.table for line in kept)
        said = ", ".join(f"{table} {count}" for table, count in sorted(tables.items()))
        came = format_units(sum(line.units for line in kept))
        words = f"{len(kept)} contributions ({said}): {came}; meter to "
        yield _moment(kept[-1].at), "dealers", words + format_units(kept[-1].after_units)


# -------------------------------------------------------------------- tables


def _tables(tables: Sequence[TableDay]) -> Iterator[Block]:
    yield Heading("Tables: tray, drop and win")
    days = {one.day for one in tables}
    named = {id(one): one.table if len(days) == 1 else f"{one.table} {one.day}" for one in tables}
    money = [[named[id(one)], *map(dollars, _money(one)), _closing(one)] for one in tables]
    whole = [sum(column) for column in zip(*map(_money, tables), strict=True)]
    money.append(["Together", *map(dollars, whole), ""])
    if len(days) == 1:
        yield Words(f"Gaming day {min(days)}")
    yield _figures(("Table", "Opened", "Fills-cr.", "Drop", "Tray", "Win", ""), money)
    yield Heading("Tables: play")
    play = [
        [
            named[id(one)],
            _rounds(one),
            *map(dollars, (one.coin_in_cents, one.tray_awards_cents + one.meter_awards_cents)),
            *map(dollars, (one.envy_cents, one.breakage_cents, one.tips_cents)),
        ]
        for one in tables
    ]
    yield _figures(("Table", "Rounds", "Coin-in", "Awards", "Envy", "Breakage", "Tips"), play)
    off = sum(one.off_tray_cents for one in tables)
    if off:
        yield Words(f"Paid by the cage, not from the tray: {dollars(off)}.")
    yield from _hits(tables, named)


def _rounds(one: TableDay) -> str:
    """How many; those that do not count, and those of them that people decided after the cards."""
    void = f", {one.void_rounds} void" if one.void_rounds else ""
    decided = f" ({one.decided_void_rounds} BY DECISION)" if one.decided_void_rounds else ""
    return f"{one.rounds}{void}{decided}"


def _money(one: TableDay) -> tuple[Cents, ...]:
    moved = one.fills_cents - one.credits_cents
    return (one.opening_cents, moved, one.drop_cents, one.closing_cents, one.win_cents)


def _closing(one: TableDay) -> str:
    if not one.balances:
        return "OFF"
    return "ok" if one.closed else "ok, open"


def _hits(tables: Sequence[TableDay], named: Mapping[int, str]) -> Iterator[Block]:
    """How often the progressive was hit, beside how often the cards let expect it."""
    by_hand = list(hits_by_hand(tables).values())
    if not by_hand:
        return
    yield Heading("Progressive hits against expectation")
    rows = [
        [
            name_hand(one.hand).capitalize(),
            f"{one.wagers:,}",
            str(one.hits),
            decimal(one.expected, 3) if one.expected is not None else "",
            _frequency(one.hits, one.wagers),
            one_in(one.chance),
        ]
        for one in by_hand
    ]
    columns = ("Hand", "Wagers", "Hits", "Expected", "Was hit", "Chance")
    yield _figures(columns, rows)
    each = [
        [
            named[id(one)],
            one.rulebook,
            str(one.wagers),
            str(one.all_hits),
            decimal(one.expected_hits, 2),
            _frequency(one.all_hits, one.wagers),
        ]
        for one in tables
        if one.hits
    ]
    columns = ("Table", "Rulebook", "Wagers", "Hits", "Expected", "Was hit")
    yield Words("")
    yield _figures(columns, each, words=2)


def _frequency(hits: int, wagers: int) -> str:
    return one_in(Fraction(hits, wagers)) if hits > 0 and wagers > 0 else "never"


# -------------------------------------------------------------------- a cent


def explained_page(one: CentExplained) -> Iterator[Block]:
    """Where an amount on a meter comes from."""
    yield Heading(f"Why meter {one.meter} showed {format_units(one.units)}", level=1)
    parts: dict[tuple[str, str], list[HistoryLine]] = {}
    for line in one.lines:
        key = (line.kind, line.table) if line.kind in _DAILY else (line.kind, str(line.number))
        parts.setdefault(key, []).append(line)
    rows = [["Before all of it was last won, or began", format_units(one.carried_units), ""]]
    for (kind, table), lines in parts.items():
        said = f"{len(lines)} contributions of {table}" if kind in _DAILY else lines[0].words
        first = str(lines[0].seq)
        seqs = first if len(lines) == 1 else f"{first} to {lines[-1].seq}"
        rows.append([said, format_units(sum(x.units for x in lines)), seqs])
    rows.append(["Together", format_units(one.units), "" if one.agrees else "DOES NOT AGREE"])
    width = max(len(row[1]) for row in rows)
    yield Table(("What", "Units", "Rows"), [(a, b.rjust(width), c) for a, b, c in rows])
    yield Heading("The last entries", level=3)
    last = [
        (str(line.seq), _moment(line.at), line.who, line.words) for line in one.lines[-_EXPLAINED:]
    ]
    yield Table(("Row", "When", "Who", "What"), last)


def dollars(cents: Cents) -> str:
    """An amount with its cents, always, so that columns can be compared."""
    return format_units(cents * METER_UNITS_PER_CENT)


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


class HandHit(Struct, frozen=True, kw_only=True):
    """How often a hand was hit in so many wagers, its exact chance, and how often that expects."""

    hand: str
    wagers: int
    hits: int
    chance: str | None
    expected: str | None


class TableBook(TableFigures, frozen=True, kw_only=True):
    """A table's gaming day with its sums, and whether tray, drop and entries agree."""

    hits: tuple[HandHit, ...]
    fills_cents: Cents
    credits_cents: Cents
    win_cents: Cents
    tray_difference_cents: Cents
    drop_difference_cents: Cents
    entries_difference_cents: Cents
    balances: bool


class MeterMoves(Totals, frozen=True, kw_only=True):
    """What moved a meter in a day or at a table, by kind, and how far the identity is off."""

    units: MeterUnits
    difference_units: MeterUnits


class MeterFigures(Struct, frozen=True, kw_only=True):
    """A meter: what it stands at and owes, its terms, and its identity in three cuts."""

    meter: str
    status: Status
    shows: str
    units: MeterUnits
    reserve_units: MeterUnits
    queued_units: MeterUnits
    unpaid_units: MeterUnits
    paid_ahead_units: MeterUnits
    registered_units: MeterUnits
    liability_units: MeterUnits
    seed_cents: Cents
    initial_cents: Cents
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    limit: None = None
    envy_cents: Cents
    balances: bool
    difference_units: MeterUnits
    totals: Totals
    by_day: dict[str, MeterMoves]
    by_table: dict[str, MeterMoves]


class MeterAndHistory(MeterFigures, frozen=True, kw_only=True):
    """A meter with all that happened to it."""

    history: tuple[HistoryLine, ...]


class FloorFigures(Struct, frozen=True, kw_only=True):
    """The tables' days and what was hit; whether everything balances, and as of which row."""

    head: str
    balances: bool
    not_counted_sealed: dict[str, int]
    tables: tuple[TableBook, ...]
    hits: tuple[HandHit, ...]
    disputes: dict[str, str]


class HouseBooks(FloorFigures, frozen=True, kw_only=True):
    """The Game Manager's books."""

    meters: tuple[MeterAndHistory, ...]


class ExplainedAmount(Struct, frozen=True, kw_only=True):
    """An amount that a meter showed, and the entries that made it."""

    meter: str
    units: MeterUnits
    carried_units: MeterUnits
    agrees: bool
    entries: tuple[HistoryLine, ...]


def accounting_document(book: Floorbook) -> HouseBooks:
    """The same for scripts: meters in units, what was paid in cents."""
    days = list(book.tables.values())
    return HouseBooks(
        head=str(book.head),
        balances=book.balances,
        not_counted_sealed=dict(book.sealed),
        meters=tuple(_meter_document(one) for one in book.meters.values()),
        tables=tuple(_table_document(one) for one in days),
        hits=tuple(_hit_document(one) for one in hits_by_hand(days).values()),
        disputes={name: one.state for name, one in book.disputes.items()},
    )


def _meter_document(book: MeterBook) -> MeterAndHistory:
    found, link = book.reconciliation, book.link
    return alike(
        MeterAndHistory,
        link,
        meter=book.name,
        shows=sign(link).shows,
        units=found.meter,
        reserve_units=found.reserve,
        queued_units=found.queued,
        unpaid_units=book.owed.unpaid,
        paid_ahead_units=book.owed.paid_ahead,
        registered_units=book.owed.registered,
        liability_units=book.owed.liability,
        envy_cents=book.envy_cents,
        balances=book.balances,
        difference_units=found.difference,
        by_day={day: _moves(one) for day, one in book.by_day.items()},
        by_table={table or "-": _moves(one) for table, one in book.by_table.items()},
        history=tuple(book.history),
    )


def _table_document(one: TableDay) -> TableBook:
    return alike(TableBook, one, hits=tuple(_hit_document(hit) for hit in one.hits))


def _hit_document(one: HandHits) -> HandHit:
    chance = str(one.chance) if one.chance is not None else None
    expected = decimal(one.expected, 6) if one.expected is not None else None
    return alike(HandHit, one, chance=chance, expected=expected)


def _moves(one: Moves) -> MeterMoves:
    return alike(MeterMoves, one.totals, units=one.units, difference_units=one.difference)


def explained_document(one: CentExplained) -> ExplainedAmount:
    """An explained amount for scripts."""
    return alike(ExplainedAmount, one, entries=one.lines)
