"""Tables side by side, and the documents' own figures beside what they should be."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.core.money import format_cents
from riverboat.exact.questions.published import PublishedFigure, PublishedReport, show
from riverboat.exact.risk.comparison import ComparedBet, Sheet


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


_SHARES = (5, 4, 4, 4)


def published_page(report: PublishedReport, asked: Sequence[str] = ()) -> Iterator[Block]:
    """By rulebook: what agrees, what agrees only if something is assumed, and what does not.

    `asked` are the rulebooks asked about, so that one that prints nothing is told too.
    """
    yield Heading("Figures that the documents print", level=1)
    for rulebook in dict.fromkeys(one.rulebook for one in report.figures):
        yield Heading(rulebook)
        mine = [one for one in report.figures if one.rulebook == rulebook]
        rows = [(_what(one), one.printed, one.shown, one.verdict) for one in mine]
        yield Table(("Figure", "Printed", "Worked out", "Verdict"), rows, _SHARES)
        for one in mine:
            yield from _figure_notes(one)
    if report.suspicions:
        yield Heading("Pay tables that cannot be meant as printed")
    for found in report.suspicions:
        yield Words(f"{found.paytable}: {found.words}.", loud=True)
    yield Words("")
    printing = {one.rulebook for one in report.figures}
    for rulebook in (name for name in asked if name not in printing):
        yield Words(f"{rulebook} prints no figure.")
    if not report.figures:
        return
    verdicts = dict.fromkeys(one.verdict for one in report.figures)
    count = {v: sum(one.verdict == v for one in report.figures) for v in verdicts}
    number = len(report.figures)
    said = ", ".join(f"{n} {v}" for v, n in count.items())
    yield Words(f"{number} figure{'s' if number != 1 else ''}: {said}")


def _what(one: PublishedFigure) -> str:
    return f"{one.paytable or one.bet}: {one.figure.replace('_', ' ')}"


def _figure_notes(one: PublishedFigure) -> Iterator[Block]:
    """What is assumed, what should stand there, and further readings."""
    notes = []
    if one.assumption:
        notes.append(("assumes", one.assumption))
    if one.right and one.verdict != "agrees":
        notes.append(("should say", one.right))
    for other in one.others:
        words = f"{show(one.form, other.exact)}: {other.assumption}"
        if words != one.right:
            notes.append(("otherwise", words))
    if notes:
        yield Heading(_what(one), level=3)
        yield Facts([*notes, ("clauses", ", ".join(one.cites))])
