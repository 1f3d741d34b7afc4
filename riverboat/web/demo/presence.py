"""Who is still there: whether somebody who sits at a table has had a screen on it lately.

It is kept in the database, not in a process: somebody's screen may be another process's.
"""

import time
from collections.abc import Callable, Collection
from typing import Final

from riverboat.ledger import Database
from riverboat.table.day import Day

ABSENT_SECONDS: Final = 180.0
LOOK_SECONDS: Final = 15.0
"""How often it is put down who is there."""


class Presence:
    """When each person was last seen at the table where they sit."""

    def __init__(
        self,
        database: Database,
        sees: Callable[[str, str], bool],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database, self._sees, self._clock = database, sees, clock
        self._began = clock()
        self._looked: dict[str, float] = {}
        self._absent: dict[str, frozenset[str]] = {}

    def absent(self, day: Day, standing: Collection[str] = ()) -> frozenset[str]:
        """Who sits there, or does a program's part, and has had no screen on the table for too
        long."""
        now = self._clock()
        if now - self._looked.get(day.table, 0.0) >= LOOK_SECONDS:
            self._looked[day.table] = now
            people = {*day.people.values(), *standing}
            gone = frozenset(name for name in people if self.is_gone(day.table, name))
            self._absent[day.table] = gone
        return self._absent.get(day.table, frozenset())

    def left(self, table: str, name: str) -> None:
        """They were stood up; sitting down again begins anew."""
        self._database.run("delete from door_presence where place = ? and name = ?", (table, name))
        self._absent[table] = self._absent.get(table, frozenset()) - {name}

    def is_gone(self, table: str, name: str) -> bool:
        """Nobody is, while this process has not run long enough for them to come back to it."""
        now = self._clock()
        if self._sees(table, name):
            self._put_down(table, name, now)
            return False
        seen = self._database.run(
            "select seen_at from door_presence where place = ? and name = ?", (table, name)
        )
        if not seen:
            self._put_down(table, name, now)
            return False
        return now - max(self._began, float(seen[0][0])) >= ABSENT_SECONDS

    def _put_down(self, table: str, name: str, now: float) -> None:
        self._database.run(
            "insert into door_presence values (?, ?, ?)"
            " on conflict (place, name) do update set seen_at = excluded.seen_at",
            (table, name, int(now)),
        )
