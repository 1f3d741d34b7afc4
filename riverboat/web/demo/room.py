"""How many tables for show there is room for: of one person, from one address, of all visitors.

Such a table costs its opener nothing, stands in the record for ever and in every process's memory.
So each has a place, and where there is none, that is said. A visitor's table at which nothing has
happened for an hour takes none of the visitors' places any more: its visitor may come back to it.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from riverboat.core.errors import Refused
from riverboat.web.accounts import Guest
from riverboat.web.auth import Budget
from riverboat.web.read_model import ReadModel

MOST_TABLES: Final = 20
"""That a visitor opens in all, and anybody else in an hour."""
MOST_TABLES_OF_ALL: Final = 1_000
"""Of visitors, at which something has happened within the hour."""
TABLE_SECONDS: Final = 3_600
NO_ROOM: Final = "tables.many"


class Room:
    """The places that are left; one process's view of people and addresses, everybody's of what
    all visitors have."""

    def __init__(self, model: ReadModel, clock: Callable[[], int], most: int = MOST_TABLES) -> None:
        self._model, self._clock, self._most = model, clock, most
        self._opened = Budget(most, TABLE_SECONDS, "tables opened", NO_ROOM)
        self._opening = threading.Lock()

    @contextmanager
    def taken(self, guest: Guest, address: str, table: str) -> Iterator[None]:
        """A place for one more table, while it is opened; one that is there already, because it is
        asked for again, takes none."""
        with self._opening:
            if table not in self._model.attended:
                self._take(guest, address)
            yield
            self._model.catch_up()

    def _take(self, guest: Guest, address: str) -> None:
        if guest.owns:
            self._require_own(guest)
            self._require_of_all()
        self._opened.spend("" if guest.owns else guest.name, address)

    def _require_own(self, guest: Guest) -> None:
        own = sum(1 for one in tuple(self._model.attended.values()) if one.owner == guest.name)
        if own >= self._most:
            text = (
                f"you have opened {own} tables, and a visitor opens at most {self._most}; play at "
                "one of them: they are on your list in the lobby"
            )
            raise Refused(NO_ROOM, text, cites=())

    def _require_of_all(self) -> None:
        since = self._clock() - TABLE_SECONDS
        used = sum(
            1
            for table, one in tuple(self._model.attended.items())
            if one.owner and self._model.station(table).day.now > since
        )
        if used >= MOST_TABLES_OF_ALL:
            text = (
                f"visitors play at {used:,} tables of their own now, and there is room for "
                f"{MOST_TABLES_OF_ALL:,}; sit down at one of the floor's, or come back later"
            )
            raise Refused(NO_ROOM, text, cites=())
