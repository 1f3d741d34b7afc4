"""Explain this cent: from an amount that a meter showed back to the entries that made it."""

from collections.abc import Iterable
from typing import NamedTuple

from riverboat.errors import NotationError
from riverboat.floor.meter_books import HistoryLine, MeterBook
from riverboat.meter import events as le
from riverboat.money import METER_UNITS_PER_CENT, Cents, MeterUnits, format_cents


class CentExplained(NamedTuple):
    """An amount that a meter showed, and the entries that made it, since all of it was last won."""

    meter: str
    units: MeterUnits
    carried_units: MeterUnits
    """What the meter stood at before the first of these entries."""
    lines: tuple[HistoryLine, ...]

    @property
    def agrees(self) -> bool:
        """Whether the entries come to the amount."""
        return self.carried_units + sum(line.units for line in self.lines) == self.units


def explain_cent(book: MeterBook, cents: Cents | None) -> CentExplained:
    """The amount as it is now, or as it last was at so many cents, back to what made it."""
    moved = [line for line in book.history if line.number]
    if not moved:
        raise NotationError("meter.empty", f"nothing has happened to meter {book.name} yet")
    last = len(moved) - 1
    if cents is not None:
        shown = [i for i, x in enumerate(moved) if x.after_units // METER_UNITS_PER_CENT == cents]
        if not shown:
            low, high = _range(moved)
            text = (
                f"meter {book.name} never showed {format_cents(cents)}; it showed {low} to {high}"
            )
            raise NotationError("meter.never", text)
        last = shown[-1]
    story = moved[: last + 1]
    resets = [
        place
        for place, line in enumerate(story)
        if isinstance(event := book.events[line.number - 1], le.MeterMoved) and event.seed_cents
    ]
    first = resets[-1] if resets else 0
    carried = story[first - 1].after_units if first else 0
    lines = tuple(line for line in story[first:] if line.units)
    return CentExplained(book.name, story[-1].after_units, carried, lines)


def _range(lines: Iterable[HistoryLine]) -> tuple[str, str]:
    shown = [line.after_units // METER_UNITS_PER_CENT for line in lines]
    return format_cents(min(shown)), format_cents(max(shown))
