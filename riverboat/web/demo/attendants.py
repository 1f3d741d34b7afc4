"""The programs that attend demo tables: dealer, floor, supervisor, and players on free seats.

They take one step at a table at a time, at a pace that people can follow. Every process attends:
a step's command id is the table's name and where its record stands, so that of two who do the
same only one has done it.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import DEMO, Doing, SealNext, attend, next_doing
from riverboat.floor.floor import Floor
from riverboat.round import actions as g
from riverboat.round.legal import allows
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.legal import legal
from riverboat.table.people import SYSTEM
from riverboat.web.demo.jackpot import next_of_show
from riverboat.web.demo.roles import announce_ready, is_left_to_people, relieve
from riverboat.web.demo.tables import bots_of, manners_at
from riverboat.web.demo.waiting import Presence, Waiting, WordsWait, betting_of
from riverboat.web.duties import Duty
from riverboat.web.read_model import ReadModel

TICK_SECONDS: Final = 0.05
LOOK_SECONDS: Final = 1.0
"""How often it is looked for seats whose time is over."""
BET_SECONDS: Final = 10.0
"""How long a round waits for somebody who sits and has not bet, once all others are ready."""
SAY_SECONDS: Final = 30.0
"""How long it waits for somebody who has bet and not said that this is all."""
SLOWER: Final = 30.0
"""How much slower a table is played at which nobody plays."""
ALONE_SECONDS: Final = 600.0
"""How long a table at which nobody plays is played at its own pace for whoever looks at it."""
Watched: TypeAlias = Literal["table", "lobby"]
TRY_AGAIN_SECONDS: Final = 1.0
"""When a table is attended again after something went wrong there, or somebody was quicker."""
_PACE: Final[dict[type, float]] = {
    g.Deal: 0.5,
    a.DealOut: 0.5,
    g.Turn: 0.9,
    g.Bet: 0.5,
    g.Fold: 0.5,
    g.Wager: 0.2,
    g.Settle: 0.35,
    g.SettleAll: 0.6,
    g.Close: 1.2,
    p.PressHand: 0.8,
    p.VerifyWin: 1.2,
    p.TurnKey: 1.0,
    p.PressJPot: 1.0,
    p.PrintWinPage: 1.0,
    p.PayAward: 1.0,
    p.GameOver: 1.2,
}
_QUICK: Final = 0.02
_IDLE: Final = 4 * TICK_SECONDS


class Attendants:
    """Who attends which tables, and who is ready there."""

    def __init__(
        self,
        floor: Floor,
        model: ReadModel,
        watched: Callable[[str], Watched | None],
        *,
        pace: float = 1.0,
        waiting: Waiting | None = None,
        words: WordsWait | None = None,
        presence: Presence | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.attending, self.expiring = Duty("attend tables"), Duty("end waiting")
        self._floor, self._model, self._watched = floor, model, watched
        self._pace, self._clock, self._presence = pace, clock, presence
        self._waiting = waiting or Waiting(None)
        self._words = words or WordsWait(clock)
        self._stepped: dict[str, tuple[float, float]] = {}
        self._alone_since: dict[str, float] = {}
        self._waiting_since: dict[str, float] = {}
        self._looked = 0.0
        self._task: asyncio.Task[None] | None = None

    def ready(self, table: str, name: str) -> None:
        """Somebody has bet what they want to bet: the dealer, of whichever process, need not wait
        for them."""
        number = self._floor.station(table).day.round_number
        announce_ready(self._floor, table, number, name)
        self._model.refresh()
        self._stepped.pop(table, None)

    async def start(self) -> None:
        """Attend until `stop`."""
        self._task = asyncio.create_task(self._attend_all())

    async def stop(self) -> None:
        """Leave every table as it stands."""
        if self._task is not None:
            self._task.cancel()

    async def _attend_all(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS * self._pace)
            with self.attending.step():
                await self._attend_once(self._clock())

    async def _attend_once(self, now: float) -> None:
        for table in list(self._model.attended):
            slower = self._slower(table, now)
            at, seconds = self._stepped.get(table, (now, 0.0))
            if slower is not None and now >= at + seconds * slower:
                await self._step(table)
        if now - self._looked >= LOOK_SECONDS * self._pace:
            self._looked = now
            await self._expire_all()

    def _slower(self, table: str, now: float) -> float | None:
        """How much slower than for people a table is played; None: not at all. Where nobody sits,
        rounds are for whoever looks on, for a while, and in the lobby hardly ever: an open page
        alone must not fill the record."""
        watched = self._watched(table)
        if watched is None or self._model.station(table).day.people:
            self._alone_since.pop(table, None)
            return None if watched is None else 1.0
        alone = now - self._alone_since.setdefault(table, now)
        return 1.0 if watched == "table" and alone < ALONE_SECONDS else SLOWER

    async def _expire_all(self) -> None:
        """Seats whose time to decide is over, at every table; any process may find one first."""
        for table in self._model.tables:
            with self.expiring.step(table), suppress(Refused):
                day = self._model.station(table).day
                over = self._waiting.over(day)
                if over is not None:
                    command = f"expire {table} {day.round_number} {day.entries}"
                    await asyncio.to_thread(self._floor.ask, command, SYSTEM, table, over)

    async def _step(self, table: str) -> None:
        # What went wrong is tried again soon, however slowly the table is played.
        self._stepped[table] = (self._clock() + TRY_AGAIN_SECONDS, 0.0)
        with self.attending.step(table), suppress(Refused):
            doing = await asyncio.to_thread(self._do_next, table)
            seconds = _IDLE if doing is None else _PACE.get(type(doing.ask), _QUICK) * self._pace
            self._stepped[table] = (self._clock(), seconds)

    def _do_next(self, table: str) -> Doing | None:
        doing = self.next_at(table)
        if doing is not None:
            where = self._floor.station(table).day.entries
            attend(self._floor, f"auto {table} {where}", table, doing)
            self._note_left(table, doing)
        return doing

    def next_at(self, table: str) -> Doing | None:
        """The next step of a program; None where the table waits for people. A part that was left
        lying is taken up first."""
        day = self._floor.station(table).day
        if day.configuration is None:
            return None
        if day.configuration.test:
            return next_of_show(self._floor, table, self._model.standing_at(table))
        gone = self._absent(day)
        if gone is not None:
            return gone
        self._relieve_absent(day)
        bots = bots_of(day, self._model.attended[table].bots)
        doing = next_doing(self._floor, table, bots, manners_at(table))
        if doing is None or isinstance(doing.ask, SealNext):
            return doing
        if isinstance(doing.ask, a.FixCut):
            return doing if self._words.are_in(day) else None
        if is_left_to_people(day, self._model.standing_at(table), doing):
            return None
        if isinstance(doing.ask, g.CloseBets) and not self._may_close(table, day):
            return None
        if isinstance(doing.ask, g.CloseBets):
            self._waiting_since.pop(table, None)
        return doing

    def _absent(self, day: Day) -> Doing | None:
        """The floor stands somebody up who has been away for long and has nothing in a round."""
        if self._presence is None or not day.date or day.phase == "closed":
            return None
        absent = self._presence.absent(day, self._holders(day))
        gone = [n for n in sorted(absent) if self._presence.is_gone(day.table, n)]
        stands = [a.StandUp(seat=seat) for seat, name in day.people.items() if name in gone]
        offers = legal(day, DEMO.floorperson) if stands else ()
        asked = next((one for one in stands if allows(offers, one)), None)
        return None if asked is None else Doing(DEMO.floorperson, asked)

    def _relieve_absent(self, day: Day) -> None:
        """A part that somebody took over and left lying is the program's again."""
        if self._presence is None:
            return
        holders = self._holders(day)
        for name in sorted(self._presence.absent(day, holders) & holders):
            if self._presence.is_gone(day.table, name) and relieve(self._floor, day.table, name):
                self._presence.left(day.table, name)
                self._model.catch_up()

    def _holders(self, day: Day) -> set[str]:
        """Who does a program's part: whoever took it over, and whoever the floor had deal."""
        return {*self._model.standing_at(day.table), day.dealer} - {"", DEMO.dealer.name}

    def _note_left(self, table: str, doing: Doing) -> None:
        if self._presence is not None and isinstance(doing.ask, a.StandUp):
            day = self._floor.station(table).day
            still = {*day.people.values(), *self._holders(day)}
            for name in sorted(self._presence.absent(day) - still):
                self._presence.left(table, name)

    def _may_close(self, table: str, day: Day) -> bool:
        """Everybody who sits here has bet and said so, or others have waited long enough."""
        waits = betting_of(day, self._model.ready(table, day.round_number))
        if not waits.anybody or not waits.names:
            self._waiting_since.pop(table, None)
            return waits.anybody or not waits.people
        since = self._waiting_since.setdefault(table, self._clock())
        return self._clock() - since >= (SAY_SECONDS if waits.have_bet else BET_SECONDS)
