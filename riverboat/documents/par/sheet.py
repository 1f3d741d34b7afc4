"""PAR sheets: everything that is counted about a bet and a pay table, ready to be filed.

A sheet is a function of a rulebook, a bet, a pay table and a wager. It bears no date and no name,
so that whoever prints it again gets the same bytes.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from re import search
from typing import Final
from xml.sax.saxutils import unescape

from msgspec import Struct

from riverboat.core.money import Cents
from riverboat.documents import printing as p
from riverboat.exact.side_bets import FOLDED, LineFigures
from riverboat.round.table_talk import sentence
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable

PERCENT_PLACES: Final = 4
CHANCE_PLACES: Final = 10
RETURN_PLACES: Final = 8
SPREAD_PLACES: Final = 4
ONE_DOLLAR: Final = 100
NOT_PRINTED: Final = p.NOTHING
SUSPECT: Final = " †"
SUSPECT_NOTE: Final = " † Suspect as printed, and not played so. – Not printed."
_LEFT_TO_ANOTHER_LINE: Final = "--"
_TELLING: Final = Fraction(1, 1000)

STATUS_WORDS: Final = {
    "final": "Played as printed",
    "as_printed_suspect": "Played, but not as printed: a printed cell is suspect (†)",
    "struck": "Struck from the document: for analysis only, not playable",
}


class Figure(Struct, frozen=True):
    """One number: exactly, and as it is read."""

    label: str
    exact: str
    shown: str


class Grid(Struct, frozen=True, kw_only=True):
    """A table of a sheet, which stays on one page. The first `words` columns are text.

    `wide` columns share the room that is left, `clauses` is the column of references (-1: none),
    and `total` the last row, or empty.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    words: int = 1
    wide: tuple[int, ...] = (0,)
    clauses: int = -1
    note: str = ""


class ParSheet(Struct, frozen=True, kw_only=True):
    """One bet under one pay table.

    `grids` come before the assumptions, `more` after them. Drawings are SVG text.
    """

    bet: str
    label: str
    paytable: str
    number: str
    status: str
    wager_cents: Cents
    house_edge: Fraction
    figures: tuple[Figure, ...]
    grids: tuple[Grid, ...]
    more: tuple[Grid, ...] = ()
    drawings: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


class ParFile(Struct, frozen=True, kw_only=True):
    """The sheets of one rulebook, and what they were counted with."""

    book: Rulebook
    rulebook_sha256: str
    version: str
    code_sha256: str
    sheets: tuple[ParSheet, ...]


# ---------------------------------------------------------------- figures as they are printed


def in_percent(value: Fraction) -> str:
    """A share of a whole."""
    return f"{p.decimal(value * 100, PERCENT_PLACES)} %"


def edge_figure(label: str, edge: Fraction) -> Figure:
    """A share of the wager: as a fraction and in percent."""
    return Figure(label, str(edge), in_percent(edge))


def chance_figure(label: str, chance: Fraction) -> Figure:
    """A probability, in percent and as people say it."""
    if not chance:
        return Figure(label, "0", "never")
    percent = in_percent(chance)
    once_in = f"1 in {plainly(1 / chance, 2)}"
    if chance < _TELLING:
        return Figure(label, str(chance), once_in)
    return Figure(label, str(chance), percent if 2 * chance > 1 else f"{percent}, {once_in}")


def amount_figure(label: str, value: Fraction, unit: str) -> Figure:
    """An amount in units of a wager."""
    return Figure(label, str(value), f"{plainly(value, SPREAD_PLACES)} {unit}")


def plainly(value: Fraction, places: int) -> str:
    """A whole number as one, any other with its decimals."""
    return p.decimal(value, 0 if value.denominator == 1 else places)


def spread_figures(
    variance: Fraction, deviation: float, skewness: float, unit: str
) -> list[Figure]:
    """How far results lie apart. Only the variance is exact."""
    return [
        Figure("Variance", str(variance), p.decimal(variance, SPREAD_PLACES)),
        Figure("Standard deviation", p.NOTHING, f"{_rounded(deviation)} {unit}"),
        Figure("Skewness", p.NOTHING, _rounded(skewness)),
    ]


def _rounded(value: float) -> str:
    return p.decimal(Fraction(value), SPREAD_PLACES)


def chance(value: Fraction) -> str:
    """A probability in a column."""
    return p.decimal(value, CHANCE_PLACES)


def returned(value: Fraction) -> str:
    """What a line adds to the expectation, in a column."""
    return p.decimal(value, RETURN_PLACES)


def printed_cell(line: Line) -> str:
    """The document's own cell, marked where it cannot be meant."""
    return f"{line.printed or NOT_PRINTED}{SUSPECT if line.suspect else ''}"


def paid_as_printed(lines: Iterable[Line]) -> bool:
    """Whether one column says both: what is printed and what is paid."""
    return not any(line.suspect or line.printed == _LEFT_TO_ANOTHER_LINE for line in lines)


def pay_grid(
    table: PayTable,
    counted: Sequence[LineFigures],
    *,
    title: str,
    chance_head: str,
    lost: tuple[str, ...] = (),
    note: str,
) -> Grid:
    """Hand, pays, combinations, probability, return, with the clauses of each line; a last line for
    hands that were folded has the clauses by which the fold `lost` the bet."""
    both, rows = paid_as_printed(table.lines), []
    for found, line in zip(counted, [*table.lines, None], strict=False):
        printed = () if both else (printed_cell(line) if line else "",)
        rows.append((
            sentence(found.label),
            *printed,
            found.pays,
            p.NOTHING if found.label == FOLDED else f"{found.combinations:,}",
            chance(found.probability),
            returned(found.returns),
            ", ".join(line.cites if line else lost),
        ))  # fmt: skip
    pays_head = ("Pays",) if both else ("Printed", "Played")
    combinations = sum(line.combinations for line in counted)
    total = sum((line.returns for line in counted), Fraction(0))
    return Grid(
        title=title,
        head=("Hand", *pays_head, "Combinations", chance_head, "Return", "Clauses"),
        rows=tuple(rows),
        total=("All hands", *("" for _ in pays_head), f"{combinations:,}", chance(Fraction(1)),
               returned(total), ""),
        words=1 + len(pays_head),
        clauses=4 + len(pays_head),
        note=note + ("" if both else SUSPECT_NOTE),
    )  # fmt: skip


KIND: Final = "PAR sheet"
_SUMMARY: Final = ("Bet", "Pay table", "Status", "Wager", "House edge", "Hit frequency", "Page")
_SHORT_STATUS: Final = {
    "final": "as printed",
    "as_printed_suspect": "print suspect",
    "struck": "struck",
}
_FIGURES: Final = ("Figure", "Rounded", "Exactly")
_HASH_SHOWN: Final = 12


def par_file_pdf(file: ParFile, paper: p.Paper = "us-letter") -> bytes:
    """PAR sheets, with no name and no date: they are a function of rulebook and program."""
    book, head = file.book, file.rulebook_sha256
    printing = p.Printing(printed_by="", printed_at="", version=file.version, head=head)
    only = file.sheets[0] if len(file.sheets) == 1 else None
    title = f"{only.label}: {only.paytable}" if only else book.title
    foot = f"{book.id}, revision {book.revision}, {file.rulebook_sha256[:_HASH_SHOWN]}"
    document: dict[str, p.Value] = {
        **p.frame(printing, KIND, title, foot, paper, test=False),
        "about": _about(file),
        "summary_head": list(_SUMMARY) if only is None else [],
        "summary": [_summary(sheet) for sheet in file.sheets],
        "figures_head": list(_FIGURES),
        "sheets": [_sheet(file, sheet) for sheet in file.sheets],
        "versions": _versions(file),
    }
    return p.pdf("par_sheet", document)


def _about(file: ParFile) -> p.Value:
    book = file.book
    rows = [
        ["Rulebook", f"{book.id}, revision {book.revision}, {book.status}"],
        ["Source", f"{book.source.title}, {book.source.issuer}"],
        ["Citation", book.source.citation],
        ["Dated", book.source.dated],
        ["Standing", book.source.standing],
    ]
    return [row for row in rows if row[1]]


def _versions(file: ParFile) -> p.Value:
    rows = [
        ["Rulebook's SHA-256", file.rulebook_sha256],
        ["Source document's SHA-256", file.book.source.sha256],
        ["Program", f"riverboat {file.version}"],
        ["Mathematics' SHA-256", file.code_sha256],
    ]
    return [row for row in rows if row[1]]


def _summary(sheet: ParSheet) -> p.Value:
    hits = next(
        (one.shown for one in sheet.figures if one.label.startswith("Hit frequency")), p.NOTHING
    )
    return [
        sheet.label,
        sheet.paytable,
        _SHORT_STATUS[sheet.status],
        p.money(sheet.wager_cents),
        in_percent(sheet.house_edge),
        hits.split(",")[0],
    ]


def _sheet(file: ParFile, sheet: ParSheet) -> p.Value:
    return {
        "title": f"{sheet.label}: {sheet.paytable}",
        "status": STATUS_WORDS[sheet.status],
        "loud": sheet.status != "final",
        "facts": [
            ["Where printed", sheet.number],
            ["Wager", p.money(sheet.wager_cents)],
            ["Clauses", ", ".join(sheet.cites) or p.NOTHING],
        ],
        "more_facts": [[label, words] for label, words in sheet.facts],
        "warnings": list(sheet.warnings),
        "figures": [[one.label, one.shown, one.exact] for one in sheet.figures],
        "grids": sheet.grids,
        "more": sheet.more,
        "assumptions": [f"{sentence(words)}." for words in sheet.assumptions],
        "readings": _readings(file, sheet),
        "drawings": [_drawing(svg) for svg in sheet.drawings],
    }


def _drawing(svg: str) -> p.Value:
    """A picture with its words for whoever cannot see it."""
    words = search("<desc>(.*?)</desc>", svg)
    assert words is not None, "every picture describes itself"
    return {"svg": svg, "alt": unescape(words[1])}


def _readings(file: ParFile, sheet: ParSheet) -> p.Value:
    """Where a clause cited is no clause but our reading of the document, in words."""
    cited = set(sheet.cites)
    for grid in sheet.grids:
        if grid.clauses >= 0:
            cited.update(cite for row in grid.rows for cite in row[grid.clauses].split(", "))
    return [[name, words] for name, words in file.book.ambiguities.items() if name in cited]
