"""Documents for people with a pen: win page, close slip, day report, as data and as PDF."""

from riverboat.documents.accounting import close_slip_of, meter_day_of, table_day_of
from riverboat.documents.award_story import win_page_of
from riverboat.documents.close_slip import CloseSlip
from riverboat.documents.day_report import (
    DayReport,
    HandHits,
    MeterDay,
    SignedHeadText,
    TableDay,
    TableShare,
)
from riverboat.documents.telling import Printing, Told, told_of, wall_clock
from riverboat.documents.typesetting import (
    CannotPrint,
    close_slip_pdf,
    day_report_pdf,
    win_page_pdf,
)
from riverboat.documents.win_page import (
    CardShown,
    MeterBeforeAndAfter,
    Step,
    Versions,
    WinPage,
)

__all__ = [
    "CannotPrint",
    "CardShown",
    "CloseSlip",
    "DayReport",
    "HandHits",
    "MeterBeforeAndAfter",
    "MeterDay",
    "Printing",
    "SignedHeadText",
    "Step",
    "TableDay",
    "TableShare",
    "Told",
    "Versions",
    "WinPage",
    "close_slip_of",
    "close_slip_pdf",
    "day_report_pdf",
    "meter_day_of",
    "table_day_of",
    "told_of",
    "wall_clock",
    "win_page_of",
    "win_page_pdf",
]
