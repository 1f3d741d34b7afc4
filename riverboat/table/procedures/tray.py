"""A gaming day's money: the tray counted at both ends, fills, credits, buy-ins and the drop.

No document says how; these are the entries from which a table's win is computed. The win is what
the tray and the drop box have gained, and it agrees with what the rounds moved.
"""

from collections.abc import Iterator

from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Accounts, Day
from riverboat.table.people import Actor
from riverboat.table.procedures import checks


def open_day(day: Day, by: Actor, action: a.OpenDay) -> Iterator[e.AnyEvent]:
    """A gaming day begins with the tray counted."""
    checks.require_words(action.date, "a gaming day's date")
    if day.date:
        raise Refused("day.open", f"gaming day {day.date} is still open", cites=checks.SILENT)
    if action.tray_cents < 0:
        raise Refused("amount.below_zero", "a tray holds nothing or more", cites=checks.SILENT)
    yield e.DayOpened(date=action.date, tray_cents=action.tray_cents)


def close_day(day: Day, by: Actor, action: a.CloseDay) -> Iterator[e.AnyEvent]:
    """It ends with the tray counted, the table closed and the drop box taken away."""
    checks.require_day(day)
    if day.phase != "closed":
        raise Refused(
            "table.open", "the table is closed before its gaming day", cites=checks.SILENT
        )
    if day.accounts.in_box_cents:
        held = format_cents(day.accounts.in_box_cents)
        text = f"the drop box still holds {held}; it is dropped first"
        raise Refused("drop.due", text, cites=checks.SILENT)
    if action.tray_cents < 0:
        raise Refused("amount.below_zero", "a tray holds nothing or more", cites=checks.SILENT)
    yield e.DayClosed(
        tray_cents=action.tray_cents,
        expected_cents=day.accounts.tray_cents,
        win_cents=table_win(day.accounts, action.tray_cents),
    )


def table_win(accounts: Accounts, tray_cents: Cents) -> Cents:
    """What the table has won with so much in the tray: chips and cash at the end over the start."""
    end = tray_cents + accounts.credits_cents + accounts.drop_cents + accounts.in_box_cents
    return end - accounts.opening_cents - accounts.fills_cents


def fill(day: Day, by: Actor, action: a.Fill) -> Iterator[e.AnyEvent]:
    """Chips from the cage."""
    checks.require_day(day)
    checks.require_amount(action.cents, "a fill")
    yield e.ChipsFilled(cents=action.cents)


def credit(day: Day, by: Actor, action: a.Credit) -> Iterator[e.AnyEvent]:
    """Chips to the cage, as far as the tray holds them."""
    checks.require_day(day)
    checks.require_amount(action.cents, "a credit")
    _require_in_tray(day, action.cents, "a credit")
    yield e.ChipsCredited(cents=action.cents)


def _require_in_tray(day: Day, cents: Cents, what: str, then: str = "") -> None:
    if cents > day.accounts.tray_cents:
        held = format_cents(day.accounts.tray_cents)
        text = f"{what} of {format_cents(cents)}; the tray holds {held}{then}"
        raise Refused("tray.too_little", text, cites=checks.SILENT)


def buy_in(day: Day, by: Actor, action: a.BuyIn) -> Iterator[e.AnyEvent]:
    """Cash for chips, for somebody who sits at the table."""
    checks.require_day(day)
    checks.require_open(day)
    checks.require_amount(action.cents, "a buy-in")
    if action.seat not in day.seated:
        raise Refused("seat.empty", f"nobody sits at seat {action.seat}", cites=checks.SILENT)
    _require_in_tray(day, action.cents, "a buy-in", ": fill it first")
    yield e.BoughtIn(seat=action.seat, cents=action.cents)


def drop(day: Day, by: Actor, action: a.Drop) -> Iterator[e.AnyEvent]:
    """The drop box goes to the count; what it held is compared with the buy-ins."""
    checks.require_day(day)
    checks.require_no_round(day, "the drop")
    if action.cents < 0:
        raise Refused("amount.below_zero", "a drop box holds nothing or more", cites=checks.SILENT)
    yield e.BoxDropped(cents=action.cents, expected_cents=day.accounts.in_box_cents)
