"""Figures as a document prints them: to the cent, grouped, right to the last digit."""

from fractions import Fraction
from typing import Final

from riverboat.core.money import (
    METER_UNITS_PER_CENT,
    Cents,
    MeterUnits,
    divide_down,
    divide_half_up,
)

MINUS: Final = "−"
NOTHING: Final = "–"
GAP: Final = "\u2007"

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS: Final = (
    *("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
_GROUPS: Final = (
    *((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand")),
    (100, "hundred"),
)
_FRACTION_DIGITS: Final = len(str(METER_UNITS_PER_CENT)) - 1


def amount(cents: Cents) -> str:
    """An amount for a column of dollars: always with its cents."""
    dollars = divide_down(abs(cents), 100)
    return f"{_sign(cents)}{dollars:,}.{abs(cents) - 100 * dollars:02}"


def money(cents: Cents) -> str:
    """An amount that stands by itself."""
    return f"{_sign(cents)}${amount(abs(cents))}"


def whole_and_fraction(units: MeterUnits) -> tuple[str, str]:
    """What a meter owes: the amount to the cent, and the fraction of a cent beside it."""
    cents = divide_down(abs(units), METER_UNITS_PER_CENT)
    rest = abs(units) - cents * METER_UNITS_PER_CENT
    fraction = f"0.{rest:0{_FRACTION_DIGITS}}"
    sign = _sign(units)
    return f"{sign if cents else ''}{amount(cents)}", f"{sign if rest else ''}{fraction}"


def units_amount(units: MeterUnits) -> str:
    """The same for a narrow column: after the cents, set off by a blank, the ten-thousandths of a
    cent."""
    whole, fraction = whole_and_fraction(units)
    sign = MINUS if units < 0 and not whole.startswith(MINUS) else ""
    return f"{sign}{whole}{GAP}{fraction[-_FRACTION_DIGITS:]}"


def units_column(units: MeterUnits) -> str:
    """The same in a long column, where a dash for nothing lets the rest stand out."""
    return units_amount(units) if units else NOTHING


def units_said(units: MeterUnits) -> str:
    """The same in a sentence: the fraction only where there is one."""
    whole, fraction = whole_and_fraction(abs(units))
    said = f"{_sign(units)}${whole}"
    return said if not fraction.strip("0.") else f"{said} and {fraction} cent"


def column(cents: Cents) -> str:
    """An amount in a long column, where a dash for nothing lets the rest stand out."""
    return amount(cents) if cents else NOTHING


def decimal(value: Fraction, places: int) -> str:
    """A fraction with so many decimals, to the nearest."""
    scaled = divide_half_up(abs(value.numerator) * 10**places, value.denominator)
    digits = f"{scaled:0{places + 1}}"
    whole = f"{int(digits[: len(digits) - places]):,}"
    sign = MINUS if value < 0 and scaled else ""
    return f"{sign}{whole}.{digits[len(digits) - places :]}" if places else f"{sign}{whole}"


def share(part: int, whole: int) -> str:
    """A part of a whole in percent; of nothing there is no share."""
    return f"{decimal(Fraction(100 * part, whole), 2)} %" if whole else NOTHING


def one_in(chance: Fraction | None) -> str:
    """A chance as people at a table say it."""
    return f"1 in {decimal(1 / chance, 1)}" if chance else NOTHING


def in_words(cents: Cents) -> str:
    """An amount as a cheque words it, so that a changed figure is noticed."""
    assert cents >= 0, "nobody pays less than nothing"
    dollars = divide_down(cents, 100)
    named = _number(dollars)
    return f"{named[:1].upper()}{named[1:]} and {cents - 100 * dollars:02}/100 dollars"


def _number(number: int) -> str:
    for size, name in _GROUPS:
        count = divide_down(number, size)
        if count:
            rest = number - count * size
            head = f"{_number(count)} {name}"
            return f"{head} {_number(rest)}" if rest else head
    if number < len(_SMALL):
        return _SMALL[number]
    tens = divide_down(number, 10)
    ones = number - 10 * tens
    return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]


def _sign(number: int) -> str:
    return MINUS if number < 0 else ""
