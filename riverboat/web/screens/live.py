"""Whatever one person does, all others see at once: rows of the ledger become frames on screens.

A thread follows the ledger, whichever process writes to it, folds its rows into the read model and
tells the event loop what has changed. A frame is made from the model alone: a database that is slow
or gone keeps nobody waiting, and the screens say that they are behind. A table's frames go to those
who look at that table; a meter's sign at most four times a second. A screen that is slow gets the
newest frame next, not all that it missed.
"""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Final

from msgspec import json

from riverboat.floor.codec import METER, PURSE, TABLE
from riverboat.ledger import Ledger, Subscription
from riverboat.web.accounts import Guest
from riverboat.web.demo.waiting import Waiting
from riverboat.web.duties import Duty
from riverboat.web.read_model import ReadModel
from riverboat.web.screens.frames import Frame, LobbyFrame, LostFrame, sign_frame, table_frame

SIGN_SECONDS: Final = 0.25
TRY_AGAIN_SECONDS: Final = 1.0
BEHIND_SECONDS: Final = 1.0
"""A database that takes longer to answer leaves what is shown behind."""
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
        self, ledger: Ledger, model: ReadModel, lobby: Callable[[], LobbyFrame], waiting: Waiting
    ) -> None:
        self._ledger, self._model, self._lobby = ledger, model, lobby
        self._waiting = waiting
        self._screens: dict[str, set[Screen]] = {}
        self._held: Counter[str] = Counter()
        self._changed: set[str] = set()
        self._signs: set[str] = set()
        self._flushing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._subscription: Subscription | None = None
        self._ticker: asyncio.Task[None] | None = None
        self.following, self.showing = Duty("follow the ledger"), Duty("show what changed")
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
        self._subscription = await asyncio.to_thread(self._subscribe)
        threading.Thread(target=self._follow, name="live", daemon=True).start()
        self._ticker = asyncio.create_task(self._tick())

    def _subscribe(self) -> Subscription:
        self._model.catch_up()
        return self._ledger.subscribe(self._model.seq)

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
        """On a thread of its own: read, fold, and tell the event loop what has changed."""
        subscription, loop = self._subscription, self._loop
        assert subscription is not None
        assert loop is not None
        self._model.is_followed = True
        while not loop.is_closed() and not subscription.over:
            lost = not self._takes_in(subscription)
            changed = self._model.changed()
            if changed or lost != (self.behind_since is not None):
                try:
                    loop.call_soon_threadsafe(self._came, changed, lost)
                except RuntimeError:
                    break
        self._model.is_followed = False

    def _takes_in(self, subscription: Subscription) -> bool:
        """Whether what came is live: a database that answers late tells of what was."""
        with self.following.step() as step:
            self._model.take_in(subscription.read(TRY_AGAIN_SECONDS))
        if step.failed:
            time.sleep(TRY_AGAIN_SECONDS)
        return not step.failed and subscription.took < BEHIND_SECONDS

    def _came(self, changed: set[str], lost: bool) -> None:
        self._set_behind(lost)
        for stream in changed:
            if stream.startswith(PURSE):
                self._changed |= {
                    topic
                    for topic, watching in self._screens.items()
                    if topic.startswith(TABLE)
                    and any(PURSE + screen.guest.name == stream for screen in watching)
                }
            elif stream.startswith(METER):
                self._signs.add(stream)
            else:
                self._changed.add(stream)
                self._signs.add(LOBBY)
        self._flush_soon()

    def _set_behind(self, lost: bool) -> None:
        if lost != (self.behind_since is not None):
            self.behind_since = time.monotonic() if lost else None
            self._changed |= self._screens.keys()

    def _flush_soon(self) -> None:
        """Rows that come together are shown together."""
        if self._changed and not self._flushing:
            assert self._loop is not None
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        changed, self._changed = self._changed, set()
        self._show_all(changed)

    def _show_all(self, topics: set[str]) -> None:
        """What cannot be shown keeps nothing else from being shown."""
        for topic in topics:
            with self.showing.step(topic):
                self._show(topic, self._screens.get(topic, set()))

    async def _tick(self) -> None:
        """Signs and the lobby, at most four times a second; and a database that does not answer."""
        while True:
            await asyncio.sleep(SIGN_SECONDS)
            with self.showing.step():
                if self._subscription is not None and self._subscription.waits > BEHIND_SECONDS:
                    self._set_behind(True)
                    self._flush_soon()
                signs, self._signs = self._signs, set()
                self._show_all(signs)

    def _show(self, topic: str, screens: set[Screen]) -> None:
        """A frame for each kind of eyes, made once."""
        made: dict[tuple[str, str], bytes] = {}
        for screen in screens:
            guest = screen.guest
            eyes: tuple[str, str] = (guest.name, guest.door)
            if topic == LOBBY or topic.startswith(METER):
                eyes = ("", "")
            if eyes not in made:
                made[eyes] = json.encode(self._frame(topic, guest))
            screen.show(topic, made[eyes])

    def _frame(self, topic: str, guest: Guest) -> Frame:
        if self.behind_since is not None:
            return LostFrame(topic=topic)
        if topic == LOBBY:
            return self._lobby()
        if topic.startswith(METER):
            return sign_frame(self._model, topic.removeprefix(METER))
        return table_frame(self._model, topic.removeprefix(TABLE), guest, self._waiting)


__all__ = ["LOBBY", "METER", "PURSE", "TABLE", "Live", "Screen"]
