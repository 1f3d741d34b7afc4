"""PAR sheets as typst source."""

from re import search
from typing import Final
from xml.sax.saxutils import unescape

from riverboat.documents.figures import NOTHING, decimal, money
from riverboat.documents.par_sheet import PERCENT_PLACES, Grid, ParFile, ParSheet
from riverboat.documents.telling import Printing
from riverboat.documents.typst_values import Value, literal
from riverboat.documents.words import Paper, frame

KIND: Final = "PAR sheet"
_SUMMARY: Final = ("Bet", "Pay table", "Status", "Wager", "House edge", "Hit frequency", "Page")
_SHORT_STATUS: Final = {
    "final": "as printed",
    "as_printed_suspect": "print suspect",
    "struck": "struck",
}
_FIGURES: Final = ("Figure", "Rounded", "Exactly")
_HASH_SHOWN: Final = 12


def par_printing(file: ParFile) -> Printing:
    """No name and no date: the sheets are a function of rulebook and program."""
    return Printing(printed_by="", printed_at="", version=file.version, head=file.rulebook_sha256)


def par_file_source(file: ParFile, paper: Paper = "us-letter") -> str:
    """The typst source of the sheets, without the design."""
    book = file.book
    only = file.sheets[0] if len(file.sheets) == 1 else None
    title = f"{only.label}: {only.paytable}" if only else book.title
    foot = f"{book.id}, revision {book.revision}, {file.rulebook_sha256[:_HASH_SHOWN]}"
    document: dict[str, Value] = {
        **frame(par_printing(file), KIND, title, foot, paper, test=False),
        "about": _about(file),
        "summary_head": list(_SUMMARY) if only is None else [],
        "summary": [_summary(sheet) for sheet in file.sheets],
        "figures_head": list(_FIGURES),
        "sheets": [_sheet(file, sheet) for sheet in file.sheets],
        "versions": _versions(file),
    }
    return f"#par-file({literal(document)})\n"


def _about(file: ParFile) -> Value:
    book = file.book
    rows = [
        ["Rulebook", f"{book.id}, revision {book.revision}, {book.status}"],
        ["Source", f"{book.source.title}, {book.source.issuer}"],
        ["Citation", book.source.citation],
        ["Dated", book.source.dated],
        ["Standing", book.source.standing],
    ]
    return [row for row in rows if row[1]]


def _versions(file: ParFile) -> Value:
    rows = [
        ["Rulebook's SHA-256", file.rulebook_sha256],
        ["Source document's SHA-256", file.book.source.sha256],
        ["Program", f"riverboat {file.version}"],
        ["Mathematics' SHA-256", file.code_sha256],
    ]
    return [row for row in rows if row[1]]


def _summary(sheet: ParSheet) -> Value:
    hits = next(
        (one.shown for one in sheet.figures if one.label.startswith("Hit frequency")), NOTHING
    )
    return [
        sheet.label,
        sheet.paytable,
        _SHORT_STATUS[sheet.status],
        money(sheet.wager_cents),
        f"{decimal(sheet.house_edge * 100, PERCENT_PLACES)} %",
        hits.split(",")[0],
    ]


def _sheet(file: ParFile, sheet: ParSheet) -> Value:
    return {
        "title": f"{sheet.label}: {sheet.paytable}",
        "status": sheet.status_words,
        "loud": sheet.status != "final",
        "facts": [
            ["Where printed", sheet.number],
            ["Wager", money(sheet.wager_cents)],
            ["Clauses", ", ".join(sheet.cites) or NOTHING],
        ],
        "more_facts": [[label, words] for label, words in sheet.facts],
        "warnings": list(sheet.warnings),
        "figures": [[one.label, one.shown, one.exact] for one in sheet.figures],
        "grids": [_grid(grid) for grid in sheet.grids],
        "more": [_grid(grid) for grid in sheet.more],
        "assumptions": [words[:1].upper() + words[1:] + "." for words in sheet.assumptions],
        "readings": _readings(file, sheet),
        "drawings": [_drawing(svg) for svg in sheet.drawings],
    }


def _drawing(svg: str) -> Value:
    """A picture with its words for whoever cannot see it."""
    words = search("<desc>(.*?)</desc>", svg)
    assert words is not None, "every picture describes itself"
    return {"svg": svg, "alt": unescape(words[1])}


def _grid(grid: Grid) -> Value:
    return {
        "title": grid.title,
        "head": list(grid.head),
        "rows": [list(row) for row in grid.rows],
        "total": list(grid.total),
        "words": grid.words,
        "wide": list(grid.wide),
        "clauses": grid.clauses,
        "note": grid.note,
    }


def _readings(file: ParFile, sheet: ParSheet) -> Value:
    """Where a clause cited is no clause but our reading of the document, in words."""
    cited = set(sheet.cites)
    for grid in sheet.grids:
        if grid.clauses >= 0:
            cited.update(cite for row in grid.rows for cite in row[grid.clauses].split(", "))
    known = file.book.ambiguities
    return [[name, words] for name, words in known.items() if name in cited]
