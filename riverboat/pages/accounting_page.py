"""The Game Manager's page: what an accountant of table games reads at the end of a day."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final

from msgspec.structs import asdict

from riverboat.floor.accounting import (
    ITSELF,
    Floorbook,
    HistoryLine,
    MeterBook,
    Moves,
    TableDay,
    identity,
)
from riverboat.floor.controller_words import show_units
from riverboat.floor.one_cent import CentExplained
from riverboat.money import METER_UNITS_PER_CENT, Cents, MeterUnits
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.progressive.link import Totals
from riverboat.progressive.link_accounts import sign

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
        text = (
            f"{count} rows of table {name} are sealed, its round is not over: not in its figures."
        )
        yield Words(text)
    if book.balances:
        yield Words("Every meter and every table balances to the cent.")
        return
    for meter in book.meters.values():
        if not meter.balances:
            found = meter.reconciliation
            off = f"{show_units(found.difference)}, its reserve {found.reserve_difference} units"
            yield Words(f"METER {meter.name} DOES NOT BALANCE: off by {off}", loud=True)
    for table in book.tables.values():
        if not table.balances:
            tray, rounds = dollars(table.win_by_tray_cents), dollars(table.win_cents)
            text = f"TABLE {table.table}, {table.day}, DOES NOT BALANCE"
            yield Words(f"{text}: win by the tray {tray}, by the rounds {rounds}", loud=True)


# -------------------------------------------------------------------- meters


def _meter(book: MeterBook) -> Iterator[Block]:
    link, found = book.link, book.reconciliation
    yield Heading(f"Meter {book.name}")
    yield Facts(
        [
            ("Shows", _sign(book)),
            ("Status", f"{link.status.replace('_', ' ')} {link.reason}".rstrip()),
            ("Tables", ", ".join(link.members) or "none"),
            ("Liability", show_units(found.meter + found.reserve + found.queued)),
            ("of it reserve", show_units(found.reserve)),
            ("of it queued", show_units(found.queued)),
            ("Envy paid", f"{dollars(book.envy_cents)} from trays, not from the meter"),
        ]
    )
    yield Heading("Reconciliation", level=3)
    yield Table(("", "Amount"), list(_statement(book)))
    yield from _cut("By gaming day", "Day", book.by_day)
    yield from _cut("By table", "Table", {k or "the meter itself": m for k, m in _cuts(book)})
    yield Heading("History", level=3)
    yield Table(("When", "Who", "What"), list(_history(book.history)))


def _cuts(book: MeterBook) -> list[tuple[str, Moves]]:
    return sorted(book.by_table.items(), key=lambda item: (item[0] == ITSELF, item[0]))


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
        (f"{'+' if sgn > 0 else '-'} {label}", show_units(getattr(totals, name)))
        for name, label, sgn in _KINDS
    ]
    lines.append(("= the entries come to", show_units(identity(totals))))
    lines.append(("  the meter stands at", show_units(found.meter)))
    lines.append(("  difference", show_units(found.difference)))
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
        whole.units += moves.units
        whole.totals = _plus(whole.totals, moves.totals)
    rows.append(("Together", whole.totals, whole.units, whole.difference))
    cells = [
        [name, *(show_units(s * getattr(t, k)) for k, _, s in kinds), show_units(u), _off(d)]
        for name, t, u, d in rows
    ]
    yield Table((label, *(k[1] for k in kinds), "Moved by", ""), _aligned(cells))


def _plus(one: Totals, other: Totals) -> Totals:
    more = asdict(other)
    return Totals(**{name: value + more[name] for name, value in asdict(one).items()})


def _off(difference: MeterUnits) -> str:
    return "ok" if not difference else f"OFF BY {show_units(difference)}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Amounts one under the other."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    last = len(widths) - 1
    return [
        [
            cell if i in (0, last) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]


def _history(lines: Sequence[HistoryLine]) -> Iterator[tuple[str, str, str]]:
    """Every line; contributions of a table that follow one another are one line."""
    kept: list[HistoryLine] = []
    for line in lines:
        if kept and (line.kind not in _DAILY or line.day != kept[-1].day):
            yield from _contributions(kept)
            kept = []
        if line.kind in _DAILY:
            kept.append(line)
        else:
            yield _moment(line.at), line.who, line.words
    if kept:
        yield from _contributions(kept)


def _contributions(lines: Sequence[HistoryLine]) -> Iterator[tuple[str, str, str]]:
    if len(lines) == 1:
        yield _moment(lines[0].at), lines[0].who, lines[0].words
        return
    tables = Counter(line.table for line in lines)
    said = ", ".join(f"{table} {count}" for table, count in sorted(tables.items()))
    came = show_units(sum(line.units for line in lines))
    words = f"{len(lines)} contributions ({said}): {came}; meter to "
    yield _moment(lines[-1].at), "dealers", words + show_units(lines[-1].after_units)


# -------------------------------------------------------------------- tables


def _tables(tables: Sequence[TableDay]) -> Iterator[Block]:
    yield Heading("Tables")
    played = [one for one in tables if one.rounds or one.opening_cents]
    money = [
        [
            f"{one.table} {one.day}",
            dollars(one.opening_cents),
            dollars(one.fills_cents - one.credits_cents),
            dollars(one.drop_cents),
            dollars(one.tray_cents),
            dollars(one.win_cents),
            "ok" if one.balances else "OFF",
        ]
        for one in played
    ]
    if not money:
        yield Words("No table has opened a gaming day.")
        return
    columns = ("Table, day", "Opened", "Fills-cr.", "Drop", "Tray", "Win", "")
    yield Table(columns, _aligned(money))
    play = [
        [
            f"{one.table} {one.day}",
            f"{one.rounds}, {one.void} void" if one.void else str(one.rounds),
            dollars(one.coin_in_cents),
            str(one.wagers),
            _hits(one),
            dollars(one.awards_cents),
            dollars(one.envy_cents),
            dollars(one.breakage_cents),
        ]
        for one in played
    ]
    names = ("Table, day", "Rounds", "Coin-in", "Prog.", "Hits", "Awards", "Envy", "Breakage")
    yield Table(names, _aligned(play))
    off = sum(one.paid_off_tray_cents for one in played)
    if off:
        yield Words(f"Paid off the tray, by the cage: {dollars(off)}.")


def _hits(one: TableDay) -> str:
    if not one.hits:
        return "0"
    return f"{one.hits}, 1 in {one.wagers // one.hits}"


def expected_hits(book: MeterBook) -> Iterator[tuple[str, int, int, str]]:
    """Per table: wagers, times that all of the meter was won, and how often was to be expected."""
    for table, member in sorted(book.link.members.items()):
        totals = book.link.by_table.get(table, Totals())
        wagers = totals.wagers_cents // member.wager_cents if member.wager_cents else 0
        wins = sum(
            1
            for award in book.link.awards.values()
            if award.fixed.table == table and award.fixed.resets and not award.backed_out
        )
        chance = Fraction(member.chance) if member.chance else None
        expected = f"{float(chance * wagers):.6f}" if chance is not None else "chance not given"
        yield table, wagers, wins, expected


# -------------------------------------------------------------------- a cent


def explained_page(one: CentExplained) -> Iterator[Block]:
    """Where an amount on a meter comes from."""
    yield Heading(f"Why meter {one.meter} showed {show_units(one.units)}", level=1)
    parts: dict[tuple[str, str], list[HistoryLine]] = {}
    for line in one.lines:
        key = (line.kind, line.table) if line.kind in _DAILY else (line.kind, str(line.number))
        parts.setdefault(key, []).append(line)
    rows = [["Before all of it was last won, or began", show_units(one.carried_units), ""]]
    for (kind, table), lines in parts.items():
        said = f"{len(lines)} contributions of {table}" if kind in _DAILY else lines[0].words
        rows.append([said, show_units(sum(x.units for x in lines)), _rows_of(lines)])
    rows.append(["Together", show_units(one.units), "" if one.agrees else "DOES NOT AGREE"])
    width = max(len(row[1]) for row in rows)
    yield Table(("What", "Units", "Rows"), [(a, b.rjust(width), c) for a, b, c in rows])
    yield Heading("The last entries", level=3)
    last = [
        (str(line.seq), _moment(line.at), line.who, line.words) for line in one.lines[-_EXPLAINED:]
    ]
    yield Table(("Row", "When", "Who", "What"), last)


def _rows_of(lines: Sequence[HistoryLine]) -> str:
    seqs = [line.seq for line in lines]
    return str(seqs[0]) if len(seqs) == 1 else f"{seqs[0]} to {seqs[-1]}"


def dollars(cents: Cents) -> str:
    """An amount with its cents, always, so that columns can be compared."""
    return show_units(cents * METER_UNITS_PER_CENT)


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


# -------------------------------------------------------------------- for scripts


def accounting_document(book: Floorbook) -> dict[str, Any]:
    """The same for scripts: meters in units, what was paid in cents."""
    return {
        "head": str(book.head),
        "balances": book.balances,
        "not_counted_sealed": book.sealed,
        "meters": [_meter_document(one) for one in book.meters.values()],
        "tables": [{**asdict(one), "balances": one.balances} for one in book.tables.values()],
    }


def _meter_document(book: MeterBook) -> dict[str, Any]:
    found = book.reconciliation
    return {
        "meter": book.name,
        "status": book.link.status,
        "shows": sign(book.link).shows,
        "units": found.meter,
        "reserve_units": found.reserve,
        "queued_units": found.queued,
        "envy_cents": book.envy_cents,
        "balances": book.balances,
        "difference_units": found.difference,
        "totals": asdict(book.link.totals),
        "by_day": {day: _moves(one) for day, one in book.by_day.items()},
        "by_table": {table or "-": _moves(one) for table, one in book.by_table.items()},
        "hits": [
            {"table": t, "wagers": n, "jackpots": hits, "expected": expected}
            for t, n, hits, expected in expected_hits(book)
        ],
        "history": [line._asdict() for line in book.history],
    }


def _moves(one: Moves) -> dict[str, Any]:
    return {"units": one.units, "difference_units": one.difference, **asdict(one.totals)}


def explained_document(one: CentExplained) -> dict[str, Any]:
    """An explained amount for scripts."""
    return {
        "meter": one.meter,
        "units": one.units,
        "carried_units": one.carried_units,
        "agrees": one.agrees,
        "entries": [line._asdict() for line in one.lines],
    }
