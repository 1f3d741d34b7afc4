"""Whom a table waits for: bets that are not down, words for the cut, and decisions while other
people wait; and who is still there: whether somebody who sits at a table has had a screen on it
lately."""

import math
import time
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from riverboat.ledger import Database
from riverboat.round.streets import seat_to_act, stage_of
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.procedures.decks import WORD_SECONDS

ABSENT_SECONDS: Final = 180.0
LOOK_SECONDS: Final = 15.0
"""How often it is put down who is there."""


# ---------------------------------------------------------------- time to decide


class Turn(NamedTuple):
    """A decision that is waited for."""

    round: int
    spot: str
    seat: int


class Clock(NamedTuple):
    """The time of a seat that has to decide while other people wait."""

    seat: int
    left: float
    """Seconds from now on: clocks of screens differ, and need not agree."""
    of: float


class Waiting:
    """Since when this process has seen each table wait for a decision."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._since: dict[str, tuple[Turn, float]] = {}

    def running(self, day: Day) -> Clock | None:
        """The time that is left to decide; None while nobody waits, or there is no limit."""
        turn = turn_of(day)
        if self._seconds is None or turn is None or not others_wait(day, turn.seat):
            self._since.pop(day.table, None)
            return None
        known, since = self._since.get(day.table, (None, 0.0))
        if known != turn:
            since = self._clock()
            self._since[day.table] = (turn, since)
        return Clock(turn.seat, max(0.0, since + self._seconds - self._clock()), self._seconds)

    def over(self, day: Day) -> a.Expire | None:
        """What the floor does about a seat whose time is over; nothing while nobody waits."""
        clock = self.running(day)
        if clock is None or clock.left:
            return None
        return a.Expire(seat=clock.seat, seconds=max(1, math.ceil(clock.of)))


def turn_of(day: Day) -> Turn | None:
    """The decision that a table waits for; a program's own is not waited for."""
    if day.round is None or not day.in_round or day.interrupted:
        return None
    seat = seat_to_act(day.round)
    if seat is None or seat in day.programs:
        return None
    return Turn(day.round_number, stage_of(day.round).spot, seat)


def others_wait(day: Day, seat: int) -> bool:
    """Whether other people sit at the table; programs have time."""
    own = day.seated.get(seat)
    return any(name != own for name in day.people.values())


# ---------------------------------------------------------------- bets that are not down


class Betting(NamedTuple):
    """Who sits there and has bet, before a round is dealt."""

    people: bool
    """Whether anybody but programs sits there."""
    anybody: bool
    """Whether somebody has bet and is ready."""
    names: tuple[str, ...]
    """Whom the dealer waits for."""
    have_bet: bool
    """Whether any of them has a bet down already."""


def betting_of(day: Day, ready: Collection[str]) -> Betting:
    """Whom the dealer waits for while bets are taken."""
    people = dict(sorted(day.people.items()))
    seats = day.playing.seats
    bet = {seat for seat in people if seat in seats and "ante" in seats[seat].wagers}
    late = [seat for seat in people if seat not in bet or people[seat] not in ready]
    return Betting(
        people=bool(people),
        anybody=len(late) < len(people),
        names=tuple(people[seat] for seat in late),
        have_bet=any(seat in bet for seat in late),
    )


# ---------------------------------------------------------------- words for the cut


class WordsWait:
    """Since when this process has seen each table wait for words that were sealed with bets."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[str, tuple[int, float]] = {}

    def are_in(self, day: Day) -> bool:
        """Whether every word has been told, or the others have waited long enough for it."""
        if not day.in_round or day.playing.phase != "ready" or not day.untold:
            self._since.pop(day.table, None)
            return True
        number, since = self._since.get(day.table, (0, 0.0))
        if number != day.round_number:
            since = self._clock()
            self._since[day.table] = (day.round_number, since)
        return self._clock() - since >= WORD_SECONDS


# ---------------------------------------------------------------- who is still there


class Presence:
    """When each person was last seen at the table where they sit: kept in the database, not in a
    process, because their screen may be another process's."""

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
            people = sorted({*day.people.values(), *standing})
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
