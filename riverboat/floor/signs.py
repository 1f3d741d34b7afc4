"""The signs at the tables: what a meter shows, and how old that is.

A sign is made from the last reading of the ledger. While the ledger cannot be read, the reading
grows old, and after five seconds it is shown as live no longer: no amount, and an alarm.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

from riverboat.floor.floor import Floor
from riverboat.floor.station import Station
from riverboat.ledger import LedgerUnavailable
from riverboat.meter.accounts import Sign
from riverboat.meter.accounts import sign as sign_of
from riverboat.meter.link import Link
from riverboat.table.people import Actor
from riverboat.table.views import table_view

LIVE_MS: Final = 5_000
"""How long a reading is shown as live."""

ClockMs = Callable[[], int]


class LiveSign(NamedTuple):
    """What a sign shows now, how old the reading is, and the alarm where that is too old."""

    sign: Sign
    age_ms: int | None
    alarm: str = ""


def sign(link: Link | None, read_at_ms: int | None, now_ms: int) -> LiveSign:
    """A meter as it was read at a moment, as its sign shows it now."""
    if read_at_ms is None:
        return LiveSign(sign_of(None), None, "the meter has not been read yet")
    age = now_ms - read_at_ms
    if not 0 <= age <= LIVE_MS:
        return LiveSign(sign_of(None), age, f"the meter was read {age / 1_000:.3f} seconds ago")
    return LiveSign(sign_of(link), age)


class Signs:
    """The last readings of a floor's meters."""

    def __init__(
        self, floor: Floor, clock_ms: ClockMs = lambda: time.monotonic_ns() // 1_000_000
    ) -> None:
        self.floor, self.clock_ms = floor, clock_ms
        self._read: dict[str, tuple[Link, int]] = {}

    def refresh(self, meter: str) -> LiveSign:
        """Read a meter, if it can be read, and show it: with the age of when that was begun."""
        begun = self.clock_ms()
        with suppress(LedgerUnavailable):
            self._read[meter] = (self.floor.link(meter), begun)
        return self.shown(meter)

    def shown(self, meter: str) -> LiveSign:
        """What the sign of a meter shows at this moment."""
        link, read_at = self._read.get(meter, (None, None))
        return sign(link, read_at, self.clock_ms())

    def at_table(self, station: Station, viewer: Actor | None) -> dict[str, object]:
        """A table as somebody sees it, with the sign of the meter that it plays for."""
        return station_view(station, viewer, self.shown(station.link) if station.link else None)


def station_view(
    station: Station, viewer: Actor | None, live: LiveSign | None
) -> dict[str, object]:
    """A table with its meter's sign, which is also what its round shows of the meter."""
    seen: dict[str, Any] = table_view(station.day, viewer)
    if live is None:
        return {**seen, "sign": None}
    shown = {**live.sign._asdict(), "age_ms": live.age_ms, "alarm": live.alarm}
    if seen["round"] is not None:
        seen["round"] = {**seen["round"], "meter_cents": live.sign.cents}
    return {**seen, "sign": shown}
