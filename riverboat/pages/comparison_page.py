"""Rulebooks and pay tables side by side, on one page."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from riverboat.core.money import format_cents
from riverboat.exact.comparison import ComparedBet, Sheet
from riverboat.pages.page import Block, Heading, Table, Words


def comparison_page(sheets: Sequence[Sheet]) -> Iterator[Block]:
    """The tables compared, then one line for each bet: what it earns, then what it risks."""
    yield Heading("Comparison", level=1)
    if sheets:
        pace = f"{sheets[0].rounds_an_hour} rounds an hour, all seats betting"
        yield Words(f"{pace}; ratings for {_hours(sheets[0].hours)} of one player.")
    yield Table(
        ("Rulebook", "Seats", "Ante", "Limit"),
        [
            (
                sheet.rulebook,
                str(sheet.seats),
                _range(sheet),
                "none" if sheet.limit_cents is None else format_cents(sheet.limit_cents),
            )
            for sheet in sheets
        ],
    )
    bets = list(dict.fromkeys(one.bet for sheet in sheets for one in sheet.bets))
    for bet in bets:
        rows = [(sheet, one) for sheet in sheets for one in sheet.bets if one.bet == bet]
        yield Heading("Base game" if bet == "base" else bet.replace("_", " ").capitalize())
        yield _earns(rows)
        yield _risks(rows)
        yield from _notes(rows)


def _hours(hours: Fraction) -> str:
    return "an hour" if hours == 1 else f"{float(hours):g} hours"


def _range(sheet: Sheet) -> str:
    least = format_cents(sheet.minimum_cents)
    if sheet.maximum_cents is None:
        return f"from {least}"
    return f"{least} to {format_cents(sheet.maximum_cents)}"


Rows: TypeAlias = Sequence[tuple[Sheet, ComparedBet]]


def _names(rows: Rows) -> list[str]:
    """Pay tables by their ids, with the rulebook where two of them have the same."""
    owners: dict[str, set[str]] = {}
    for sheet, one in rows:
        owners.setdefault(one.paytable, set()).add(sheet.rulebook)
    return [
        one.paytable if len(owners[one.paytable]) == 1 else f"{sheet.rulebook} {one.paytable}"
        for sheet, one in rows
    ]


def _earns(rows: Rows) -> Table:
    cells = [
        (
            name,
            format_cents(one.wager_cents),
            _percent(one.edge),
            _percent(one.element_of_risk),
            _dollars(one.win_an_hour_cents),
            _dollars(one.rating_cents),
        )
        for name, (_, one) in zip(_names(rows), rows, strict=True)
    ]
    return Table(("Pay table", "Wager", "Edge", "Of all bet", "Win/hour", "Rating"), cells)


def _risks(rows: Rows) -> Table:
    liable = any(one.liability_cents is not None for _, one in rows)
    cells: list[tuple[str, ...]] = []
    for name, (_, one) in zip(_names(rows), rows, strict=True):
        most = "" if one.exposure.attained else "at most "
        owed = "-" if one.liability_cents is None else _dollars(one.liability_cents)
        cells.append(
            (
                name,
                f"{one.deviation:.3f}",
                _dollars(Fraction(one.deviation_an_hour_cents)),
                most + format_cents(one.exposure.cents),
                format_cents(one.exposure.wager_cents),
                *([owed] if liable else []),
            )
        )
    heads = ("Pay table", "SD/round", "SD/hour", "Worst round", "at wager")
    return Table((*heads, "Liability") if liable else heads, cells)


def _notes(rows: Rows) -> Iterator[Block]:
    """What holds for all is said once, for all."""
    by_note: dict[str, list[str]] = {}
    for name, (_, one) in zip(_names(rows), rows, strict=True):
        for note in one.notes:
            by_note.setdefault(note, []).append(name)
    common = [note for note, who in by_note.items() if len(who) == len(rows)]
    if common:
        said = "; ".join(common)
        yield Words(f"{said[0].upper()}{said[1:]}.")
    for note, who in by_note.items():
        if note not in common:
            yield Words(f"{', '.join(dict.fromkeys(who))}: {note}.")


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:.3f} %"


def _dollars(cents: Fraction) -> str:
    dollars = float(cents) / 100
    return f"{'-' if dollars < 0 else ''}${abs(dollars):,.2f}"
