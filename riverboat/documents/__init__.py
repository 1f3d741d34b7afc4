"""Documents for people with a pen: win page, close slip, day report, as data and as PDF."""

from riverboat.documents.close_slip import CloseSlip, close_slip_of, close_slip_pdf
from riverboat.documents.day_report import (
    DayReport,
    MeterLine,
    SignedHeadText,
    day_report_of,
    day_report_pdf,
)
from riverboat.documents.filing import ProgressiveFiling, filing_of, filing_pdf
from riverboat.documents.parts import Printing, Told, told_of, wall_clock
from riverboat.documents.typst import CannotPrint
from riverboat.documents.win_page import (
    CardShown,
    MeterBeforeAndAfter,
    Step,
    Versions,
    WinPage,
    win_page_in,
    win_page_of,
    win_page_pdf,
)

__all__ = [
    "CannotPrint",
    "CardShown",
    "CloseSlip",
    "DayReport",
    "MeterBeforeAndAfter",
    "MeterLine",
    "Printing",
    "ProgressiveFiling",
    "SignedHeadText",
    "Step",
    "Told",
    "Versions",
    "WinPage",
    "close_slip_of",
    "close_slip_pdf",
    "day_report_of",
    "day_report_pdf",
    "filing_of",
    "filing_pdf",
    "told_of",
    "wall_clock",
    "win_page_in",
    "win_page_of",
    "win_page_pdf",
]
