"""Documents for people with a pen: win page, close slip, day report, as data and as PDF."""

from riverboat.documents.day_report import CloseSlip, DayReport, MeterLine, SignedHeadText
from riverboat.documents.filing import ProgressiveFiling, filing_of
from riverboat.documents.from_ledger import close_slip_of, day_report_of, win_page_in
from riverboat.documents.parts import Printing, Told, told_of, wall_clock
from riverboat.documents.typesetting import (
    CannotPrint,
    close_slip_pdf,
    day_report_pdf,
    filing_pdf,
    win_page_pdf,
)
from riverboat.documents.win_page import (
    CardShown,
    MeterBeforeAndAfter,
    Step,
    Versions,
    WinPage,
    win_page_of,
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
