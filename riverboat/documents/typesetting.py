"""Typst source to PDF bytes. The only place that needs the typst package, and only when it prints.

The files are archival (PDF/A-2a) and accessible (PDF/UA-1), and equal documents are equal bytes: no
clock, no system font and no file outside this package has a part in them.
"""

from functools import cache
from importlib.resources import files
from typing import Any, Final

from riverboat.core.errors import RiverboatError
from riverboat.documents.day_report import CloseSlip, DayReport
from riverboat.documents.filing import ProgressiveFiling, filing_source
from riverboat.documents.par.sheet import ParFile, par_file_source, par_printing
from riverboat.documents.parts import Paper, Printing
from riverboat.documents.sheets import close_slip_source, day_report_source, win_page_source
from riverboat.documents.win_page import WinPage

STANDARDS: Final = ("a-2a", "ua-1")


class CannotPrint(RiverboatError):
    """A document could not be made, for a reason that is not in the document."""


def win_page_pdf(page: WinPage, paper: Paper = "us-letter") -> bytes:
    """A win page."""
    return _pdf("win_page", win_page_source(page, paper), page.printing)


def close_slip_pdf(slip: CloseSlip, paper: Paper = "us-letter") -> bytes:
    """A close slip."""
    return _pdf("close_slip", close_slip_source(slip, paper), slip.printing)


def day_report_pdf(report: DayReport, paper: Paper = "us-letter") -> bytes:
    """A day report."""
    return _pdf("day_report", day_report_source(report, paper), report.printing)


def filing_pdf(filing: ProgressiveFiling, paper: Paper = "us-letter") -> bytes:
    """A progressive filing."""
    return _pdf("progressive_filing", filing_source(filing, paper), filing.printing)


def par_file_pdf(file: ParFile, paper: Paper = "us-letter") -> bytes:
    """PAR sheets."""
    return _pdf("par_sheet", par_file_source(file, paper), par_printing(file))


def _pdf(layout: str, source: str, printing: Printing) -> bytes:
    typst = _typst()
    text = "".join((_layout("house"), _layout(layout), source))
    made = typst.compile(
        text.encode(),
        format="pdf",
        font_paths=typst.Fonts(include_system_fonts=False),
        ignore_system_fonts=True,
        pdf_standards=list(STANDARDS),
        timestamp=printing.printed_seconds,
    )
    assert isinstance(made, bytes)
    return made


@cache
def _layout(name: str) -> str:
    return files(__package__).joinpath("layout", f"{name}.typ").read_text("utf-8")


def _typst() -> Any:
    try:
        import typst
    except ImportError as problem:
        text = "printing needs the package typst, which is not installed: pip install typst"
        raise CannotPrint("typst.missing", text) from problem
    return typst
