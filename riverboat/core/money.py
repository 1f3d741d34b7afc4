"""Money as whole numbers, and the only module that divides.

Whatever changes hands is an `int` of cents. The progressive's meter keeps fractions of a cent as
whole meter units, so that cents times basis points is exact. A division says in its name what
becomes of the remainder; nothing is rounded by accident.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from riverboat.core.errors import NotationError

Cents: TypeAlias = int
MeterUnits: TypeAlias = int
Divide: TypeAlias = Callable[[int, int], int]

METER_UNITS_PER_CENT: Final = 10_000

# Twelve digits before the point: even in meter units such an amount fits a 64-bit column.
_WHOLE_AND_HUNDREDTHS: Final = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")


def parse_dollars(text: str) -> Cents:
    """Read an amount as a rulebook or scenario writes it; a doubtful amount is never guessed."""
    right = (
        "write dollars as 10, 0.5 or 45000.38, with at most twelve digits before the point, "
        "without sign, blanks, $ or thousands separators"
    )
    return _parse_hundredths(text, "money.unreadable", f"no amount: {right}")


def show_dollars(cents: Cents) -> str:
    """Write an amount for files and logs: one form only, so that equal amounts are equal text."""
    sign, dollars, rest_cents = _split_hundredths(cents)
    return f"{sign}{dollars}.{rest_cents:02}"


def format_cents(cents: Cents) -> str:
    """Write an amount for people, who read $1,000 faster than 1000.00."""
    sign, dollars, rest_cents = _split_hundredths(cents)
    return f"{sign}${dollars:,}.{rest_cents:02}" if rest_cents else f"{sign}${dollars:,}"


def format_signed(cents: Cents) -> str:
    """A result: with its sign, also when it is a gain."""
    return f"+{format_cents(cents)}" if cents > 0 else format_cents(cents)


def format_units(units: MeterUnits) -> str:
    """What a meter stands at: always with cents, and finer where there is more."""
    cents, rest = divmod(abs(units), METER_UNITS_PER_CENT)
    _, dollars, hundredths = _split_hundredths(cents)
    fine = f"{rest:04}".rstrip("0") if rest else ""
    return f"{'-' if units < 0 else ''}${dollars:,}.{hundredths:02}{fine}"


def parse_percent(text: str) -> int:
    """Read a rate as basis points, the unit in which cents become whole meter units."""
    right = "write 21 or 0.25, with at most two decimals, without sign, blanks or %"
    return _parse_hundredths(text, "percent.unreadable", f"no percentage: {right}")


def show_percent(rate_bp: int) -> str:
    """Write a rate as a rulebook does: the shortest text that `parse_percent` reads back."""
    sign, percent, hundredths = _split_hundredths(rate_bp)
    return f"{sign}{percent}.{hundredths:02}".rstrip("0").rstrip(".")


def divide_exact(amount: int, by: int) -> int:
    """Divide where the rule promises no remainder; a remainder is a bug."""
    quotient, remainder = _divide(amount, by)
    assert remainder == 0, f"{amount} does not divide by {by}"
    return quotient


def divide_down(amount: int, by: int) -> int:
    """Divide and drop the remainder: breakage, and the caller says who keeps it."""
    quotient, _ = _divide(amount, by)
    return quotient


def divide_up(amount: int, by: int) -> int:
    """Divide and let any remainder count as one more: the player is not paid short."""
    quotient, remainder = _divide(amount, by)
    return quotient + 1 if remainder else quotient


def divide_half_up(amount: int, by: int) -> int:
    """Divide to the nearest, as people do by hand; exactly half counts as one more."""
    quotient, remainder = _divide(amount, by)
    return quotient + 1 if remainder * 2 >= by else quotient


def round_to_unit(amount: int, unit: int, divide: Divide) -> int:
    """Bring an amount to whole chips or coins of `unit`; `divide` names the rounding."""
    return divide(amount, unit) * unit


def is_multiple(amount: int, unit: int) -> bool:
    """Whether an amount is in whole chips or coins of `unit`."""
    return round_to_unit(amount, unit, divide_down) == amount


def share_by_largest_remainder(
    total_cents: Cents, weights: Sequence[int], unit_cents: Cents
) -> tuple[Cents, ...]:
    """Share a pot by weight in whole units, so that the shares are together exactly the pot.

    Units that do not come out even go one each to the largest remainders; of equal remainders the
    earlier entry comes first. The total is a multiple of the unit: rounding it is the caller's
    decision, made by name with `round_to_unit`.
    """
    total_weight = sum(weights)
    assert total_weight > 0, "nobody to share with"
    unit_count = divide_exact(total_cents, unit_cents)
    portions = [_divide(unit_count * weight, total_weight) for weight in weights]
    left_over = unit_count - sum(units for units, _ in portions)
    by_remainder = sorted(range(len(portions)), key=lambda index: -portions[index][1])
    favoured = by_remainder[:left_over]
    return tuple(
        (units + (index in favoured)) * unit_cents for index, (units, _) in enumerate(portions)
    )


def _divide(amount: int, by: int) -> tuple[int, int]:
    assert amount >= 0, f"{amount} is below zero, where rounding has no agreed direction"
    assert by > 0, f"cannot divide by {by}"
    return divmod(amount, by)


def _parse_hundredths(text: object, code: str, otherwise: str) -> int:
    """Hundredths, from text only: a number has lost what was written."""
    found = _WHOLE_AND_HUNDREDTHS.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        shown = repr(text) if isinstance(text, str) else f"{type(text).__name__} instead of text"
        raise NotationError(code, f"{shown} is {otherwise}")
    whole, decimals = found.groups(default="")
    return int(whole) * 100 + int(decimals.ljust(2, "0"))


def _split_hundredths(amount: int) -> tuple[str, int, int]:
    return ("-" if amount < 0 else "", *divmod(abs(amount), 100))
