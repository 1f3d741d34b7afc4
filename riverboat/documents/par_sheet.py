"""PAR sheets: everything that is counted about a bet and a pay table, ready to be filed.

A sheet is a function of a rulebook, a bet, a pay table and a wager. It bears no date and no name,
so that whoever prints it again gets the same bytes.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from msgspec import Struct

from riverboat.documents.figures import NOTHING, decimal
from riverboat.money import Cents
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line

PERCENT_PLACES: Final = 4
CHANCE_PLACES: Final = 10
RETURN_PLACES: Final = 8
SPREAD_PLACES: Final = 4
ONE_DOLLAR: Final = 100
NOT_PRINTED: Final = NOTHING
SUSPECT: Final = " †"
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

    @property
    def status_words(self) -> str:
        """What a reader must know first."""
        return STATUS_WORDS[self.status]


class ParFile(Struct, frozen=True, kw_only=True):
    """The sheets of one rulebook, and what they were counted with."""

    book: Rulebook
    rulebook_sha256: str
    version: str
    code_sha256: str
    sheets: tuple[ParSheet, ...]


# ---------------------------------------------------------------- figures as they are printed


def edge_figure(label: str, edge: Fraction) -> Figure:
    """A share of the wager: as a fraction and in percent."""
    return Figure(label, str(edge), f"{decimal(edge * 100, PERCENT_PLACES)} %")


def chance_figure(label: str, chance: Fraction) -> Figure:
    """A probability, in percent and as people say it."""
    if not chance:
        return Figure(label, "0", "never")
    percent = f"{decimal(chance * 100, PERCENT_PLACES)} %"
    once_in = f"1 in {plainly(1 / chance, 2)}"
    if chance < _TELLING:
        return Figure(label, str(chance), once_in)
    return Figure(label, str(chance), percent if 2 * chance > 1 else f"{percent}, {once_in}")


def amount_figure(label: str, value: Fraction, unit: str) -> Figure:
    """An amount in units of a wager."""
    return Figure(label, str(value), f"{plainly(value, SPREAD_PLACES)} {unit}")


def plainly(value: Fraction, places: int) -> str:
    """A whole number as one, any other with its decimals."""
    return decimal(value, 0 if value.denominator == 1 else places)


def spread_figures(
    variance: Fraction, deviation: float, skewness: float, unit: str
) -> list[Figure]:
    """How far results lie apart. Only the variance is exact."""
    return [
        Figure("Variance", str(variance), decimal(variance, SPREAD_PLACES)),
        Figure("Standard deviation", NOTHING, f"{_rounded(deviation)} {unit}"),
        Figure("Skewness", NOTHING, _rounded(skewness)),
    ]


def _rounded(value: float) -> str:
    return decimal(Fraction(value), SPREAD_PLACES)


def chance(value: Fraction) -> str:
    """A probability in a column."""
    return decimal(value, CHANCE_PLACES)


def returned(value: Fraction) -> str:
    """What a line adds to the expectation, in a column."""
    return decimal(value, RETURN_PLACES)


def printed_cell(line: Line) -> str:
    """The document's own cell, marked where it cannot be meant."""
    return f"{line.printed or NOT_PRINTED}{SUSPECT if line.suspect else ''}"


def paid_as_printed(lines: Iterable[Line]) -> bool:
    """Whether one column says both: what is printed and what is paid."""
    return not any(line.suspect or line.printed == _LEFT_TO_ANOTHER_LINE for line in lines)


def line_name(label: str) -> str:
    """A line's label with a capital."""
    return label[:1].upper() + label[1:]
