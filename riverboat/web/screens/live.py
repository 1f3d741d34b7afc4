"""Whatever one person does, all others see at once: rows of the ledger become frames on screens.

A thread follows the ledger, whichever process writes to it, and tells the event loop which streams
have changed. A table's frames go to those who look at that table; a meter's sign at most four times
a second. A screen that is slow gets the newest frame next, not all that it missed.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Final

from msgspec import json

from riverboat.floor.codec import METER, TABLE
from riverboat.floor.floor import Floor
from riverboat.ledger import LedgerError, Row, Subscription
from riverboat.web.demo.takeover import STANDING
from riverboat.web.demo.waiting import Waiting
from riverboat.web.play_money import PURSE, Purses
from riverboat.web.read_model import READY
from riverboat.web.roles import Guest
from riverboat.web.screens.frames import Frame, LobbyFrame, LostFrame, sign_frame, table_frame

SIGN_SECONDS: Final = 0.25
TRY_AGAIN_SECONDS: Final = 1.0
LOBBY: Final = "lobby"


class Screen:
    """One open connection and what it looks at; at most one frame of each kind waits."""

    def __init__(self, guest: Guest, topics: frozenset[str]) -> None:
        self.guest, self.topics = guest, topics
        self._waiting: dict[str, bytes] = {}
        self._something = asyncio.Event()
        self.closed = False

    def show(self, topic: str, frame: bytes) -> None:
        """The newest takes the place of one that was not sent yet."""
        self._waiting[topic] = frame
        self._something.set()

    def close(self) -> None:
        """No more frames."""
        self.closed = True
        self._something.set()

    async def frames(self) -> AsyncIterator[bytes]:
        """What there is to send, as it comes."""
        while not self.closed:
            await self._something.wait()
            self._something.clear()
            waiting, self._waiting = self._waiting, {}
            for frame in waiting.values():
                yield frame


class Live:
    """Who looks at what, and what has changed."""

    def __init__(
        self, floor: Floor, purses: Purses, lobby: Callable[[], LobbyFrame], waiting: Waiting
    ) -> None:
        self._floor, self._purses, self._lobby = floor, purses, lobby
        self._waiting = waiting
        self._screens: dict[str, set[Screen]] = {}
        self._held: Counter[str] = Counter()
        self._changed: set[str] = set()
        self._signs: set[str] = set()
        self._flushing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._subscription: Subscription | None = None
        self._ticker: asyncio.Task[None] | None = None
        self.behind_since: float | None = None
        """When the ledger was lost: nothing that is shown since then is live."""

    # ---------------------------------------------------------------- screens

    def look(self, guest: Guest, topics: frozenset[str]) -> Screen:
        """A new screen; it gets the whole of what it looks at first."""
        screen = Screen(guest, topics)
        self._held[guest.name] += 1
        for topic in topics:
            self._screens.setdefault(topic, set()).add(screen)
            self._show(topic, {screen})
        return screen

    def leave(self, screen: Screen) -> None:
        """The connection is gone."""
        screen.close()
        self._held[screen.guest.name] -= 1
        self._held += Counter()
        for topic in screen.topics:
            watching = self._screens.get(topic, set())
            watching.discard(screen)
            if not watching:
                self._screens.pop(topic, None)

    @property
    def ok(self) -> bool:
        """Whether what is shown is live."""
        return self.behind_since is None

    def watches(self, topic: str) -> bool:
        """Whether anybody looks at it."""
        return topic in self._screens

    def sees(self, topic: str, name: str) -> bool:
        """Whether somebody in particular looks at it."""
        return any(screen.guest.name == name for screen in tuple(self._screens.get(topic, ())))

    def held_by(self, name: str) -> int:
        """How many screens somebody has, those that show nothing among them."""
        return self._held[name]

    @property
    def screens(self) -> int:
        """How many look at something."""
        return len({screen for watching in self._screens.values() for screen in watching})

    # ---------------------------------------------------------------- the ledger's rows

    async def start(self) -> None:
        """Follow the ledger until `stop`."""
        self._loop = asyncio.get_running_loop()
        self._purses.catch_up()
        self._subscription = self._floor.ledger.subscribe(self._purses.seq)
        threading.Thread(target=self._follow, name="live", daemon=True).start()
        self._ticker = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """No more rows, no more frames."""
        if self._subscription is not None:
            self._subscription.close()
        if self._ticker is not None:
            self._ticker.cancel()
        for watching in list(self._screens.values()):
            for screen in watching:
                screen.close()

    def _follow(self) -> None:
        subscription, loop = self._subscription, self._loop
        assert subscription is not None
        assert loop is not None
        while not loop.is_closed() and not subscription.over:
            try:
                rows = subscription.read(TRY_AGAIN_SECONDS)
                lost = False
            except LedgerError:
                rows, lost = [], True
                time.sleep(TRY_AGAIN_SECONDS)
            if rows or lost != (self.behind_since is not None):
                try:
                    loop.call_soon_threadsafe(self._came, rows, lost)
                except RuntimeError:
                    return

    def _came(self, rows: list[Row], lost: bool) -> None:
        if lost != (self.behind_since is not None):
            self.behind_since = time.monotonic() if lost else None
            self._changed |= self._screens.keys()
        for name in self._purses.read(rows):
            self._changed |= {
                topic
                for topic, watching in self._screens.items()
                if topic.startswith(TABLE) and any(s.guest.name == name for s in watching)
            }
        for row in rows:
            if row.stream.startswith(METER):
                self._signs.add(row.stream)
            elif row.stream.startswith(STANDING):
                self._changed.add(TABLE + row.stream.removeprefix(STANDING))
            elif row.stream.startswith(READY):
                self._changed.add(TABLE + row.stream.removeprefix(READY))
            elif row.stream.startswith(TABLE):
                self._changed.add(row.stream)
                self._signs.add(LOBBY)
        self._flush_soon()

    def _flush_soon(self) -> None:
        """Rows that come together are shown together."""
        if self._changed and not self._flushing:
            assert self._loop is not None
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        changed, self._changed = self._changed, set()
        for topic in changed:
            self._show(topic, self._screens.get(topic, set()))

    async def _tick(self) -> None:
        """Signs and the lobby, at most four times a second."""
        while True:
            await asyncio.sleep(SIGN_SECONDS)
            signs, self._signs = self._signs, set()
            for topic in signs:
                self._show(topic, self._screens.get(topic, set()))

    def _show(self, topic: str, screens: set[Screen]) -> None:
        """A frame for each kind of eyes, made once."""
        made: dict[tuple[str, str], bytes] = {}
        for screen in screens:
            guest = screen.guest
            eyes: tuple[str, str] = (guest.name if guest.plays else "", guest.door)
            if topic == LOBBY or topic.startswith(METER):
                eyes = ("", "")
            if eyes not in made:
                made[eyes] = json.encode(self._frame(topic, guest))
            screen.show(topic, made[eyes])

    def _frame(self, topic: str, guest: Guest) -> Frame:
        if self.behind_since is not None:
            return LostFrame(topic=topic)
        try:
            if topic == LOBBY:
                return self._lobby()
            if topic.startswith(METER):
                return sign_frame(self._floor, topic.removeprefix(METER))
            table = topic.removeprefix(TABLE)
            return table_frame(self._floor, self._purses, table, guest, self._waiting)
        except LedgerError:
            return LostFrame(topic=topic)


__all__ = ["LOBBY", "METER", "PURSE", "TABLE", "Live", "Screen"]
