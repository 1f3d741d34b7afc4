"""Which rounds were finished, and who played in them: one line each, from the ledger's rows."""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from riverboat.core.money import Cents
from riverboat.floor.station import Station
from riverboat.round import events as r

MOST_LINES: Final = 5_000
"""Of each table; older rounds are found by their numbers."""


class SeatLine(Struct, frozen=True, kw_only=True):
    """Somebody in a round, and what it came to."""

    seat: int
    name: str
    net_cents: Cents
    program: bool = False


class RoundLine(Struct, frozen=True, kw_only=True):
    """A finished round."""

    table: str
    round: int
    at: int
    rulebook: str
    void: bool
    seats: tuple[SeatLine, ...]
    dealer: str
    own: bool = False
    """Whether it was a visitor's own table."""

    def seats_of(self, name: str) -> tuple[int, ...]:
        """Where somebody sat."""
        return tuple(one.seat for one in self.seats if one.name == name and not one.program)

    def is_of(self, name: str) -> bool:
        """Whether somebody played in it, or dealt it."""
        return self.dealer == name or bool(self.seats_of(name))


class RoundLines:
    """The finished rounds of every table, as far as the ledger was read."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[RoundLine]] = {}

    def note(self, station: Station, *, own: bool) -> None:
        """A table as it stands: the round that was closed since it was noted last, if any was."""
        day = station.day
        lines = self._lines.setdefault(day.table, deque(maxlen=MOST_LINES))
        if day.round is None or day.in_round or (lines and lines[-1].round >= day.round_number):
            return
        state = day.playing
        seats = tuple(
            SeatLine(
                seat=seat,
                name=one.player or day.seated.get(seat, ""),
                net_cents=one.net_cents,
                program=seat in day.programs,
            )
            for seat, one in sorted(state.seats.items())
        )
        line = RoundLine(
            table=day.table,
            round=day.round_number,
            at=day.now,
            rulebook=state.setup.book.id,
            void=state.phase == "void" or any(isinstance(e, r.RoundVoided) for e in state.history),
            seats=seats,
            dealer=day.dealer,
            own=own,
        )
        lines.append(line)

    def at(self, table: str, most: int, before: int | None = None) -> list[RoundLine]:
        """A table's, newest first."""
        lines = (
            one
            for one in reversed(self._lines.get(table, ()))
            if before is None or one.round < before
        )
        return list(islice(lines, most))

    def of(self, name: str, most: int, table: str | None = None) -> list[RoundLine]:
        """Somebody's own, newest first."""
        found = sorted(self._own(name, table), key=lambda one: (one.at, one.round), reverse=True)
        return found[:most]

    def _own(self, name: str, table: str | None) -> Iterator[RoundLine]:
        for place, lines in list(self._lines.items()):
            if table in (None, place):
                yield from (one for one in list(lines) if one.is_of(name))

    def one(self, table: str, number: int) -> RoundLine | None:
        """A round by its number."""
        return next((x for x in reversed(self._lines.get(table, ())) if x.round == number), None)
