"""People who play through HTTP at whichever server answers: each at two tables at once, with a
purse that is nearly empty, and with commands that are sent again with the same id until they are
answered."""

import asyncio
import uuid
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

import httpx
import websockets.asyncio.client as sockets
from msgspec import Struct
from websockets.exceptions import WebSocketException

from riverboat.web.accounts import Guest
from riverboat.web.auth import CSRF_COOKIE, CSRF_HEADER

TIMEOUT_SECONDS: Final = 4.0
"""Then it is unknown whether a command was carried out, and it is sent again."""
INSIST_SECONDS: Final = 90.0
TOP_UP_CENTS: Final = 60_00
LIKED: Final = {
    "sit_down": 1.0,
    "wager": 0.9,
    "bet": 1.0,
    "fold": 0.15,
    "take_back": 0.06,
    "stand_up": 0.01,
}
NO_ANSWER: Final = 0
WAIT: Final = 429


class Try(NamedTuple):
    """One sending of a command: how far the ledger was known to go before it, and the answer."""

    head: int
    status: int
    words: str
    repeated: bool

    @property
    def is_final(self) -> bool:
        """Whether the one who asked knows what became of it."""
        return self.status not in (NO_ANSWER, WAIT) and self.status < 500


class Sent(Struct):
    """A command as somebody minted it, and every time that it was sent."""

    guest: Guest
    path: str
    body: dict[str, Any]
    tries: list[Try]

    @property
    def stored_id(self) -> str:
        """As the ledger has it."""
        return self.guest.own(self.body["id"])

    @property
    def is_acknowledged(self) -> bool:
        """Whether somebody was told that it is durable."""
        return any(one.status == 200 for one in self.tries)

    @property
    def is_refused(self) -> bool:
        """Whether the last word was no."""
        return bool(self.tries) and 400 <= self.tries[-1].status < 500


class Floor(Struct):
    """Where the people are: the servers' addresses, and how far the ledger goes."""

    addresses: list[str]
    head: Callable[[], int]
    chance: Random
    over: bool = False
    """Nobody begins anything new."""
    sent: list[Sent] = []


class Person:
    """Somebody with a browser."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.client = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)
        self.guest = Guest(name="", door="visitor", demo=True)
        self._purse = 0

    async def come_in(self) -> None:
        """As a visitor."""
        await self.client.get(f"{self.floor.addresses[0]}/api/me")
        told = await self._post("/api/visit", None, self.floor.addresses[0])
        assert told.status_code == 200, told.text
        self.guest = Guest(name=told.json()["name"], door="visitor", demo=True)

    async def purse(self, address: str) -> int | None:
        """What is in it, as a server says."""
        with suppress(httpx.TransportError):
            told = await self.client.get(f"{address}/api/me")
            return told.json().get("purse_cents") if told.status_code == 200 else None
        return None

    async def _post(self, path: str, body: Any, address: str) -> httpx.Response:
        token = self.client.cookies.get(CSRF_COOKIE) or ""
        return await self.client.post(f"{address}{path}", json=body, headers={CSRF_HEADER: token})

    # ---------------------------------------------------------------- sending

    async def send(self, path: str, what: dict[str, Any]) -> Sent:
        """A command, until it is answered; at whichever server, each time anew."""
        body = {"id": str(uuid.UUID(int=self.floor.chance.getrandbits(128))), **what}
        sent = Sent(guest=self.guest, path=path, body=body, tries=[])
        self.floor.sent.append(sent)
        with suppress(TimeoutError):
            async with asyncio.timeout(INSIST_SECONDS):
                while not (await self._try(sent)).is_final:
                    await asyncio.sleep(self.floor.chance.uniform(0.05, 0.4))
        return sent

    async def _try(self, sent: Sent) -> Try:
        address, head = self.floor.chance.choice(self.floor.addresses), self.floor.head()
        try:
            told = await self._post(sent.path, sent.body, address)
            said = told.json()
            heard = Try(
                head, told.status_code, str(said.get("words", "")), bool(said.get("repeated"))
            )
        except (httpx.TransportError, ValueError) as problem:
            heard = Try(head, NO_ANSWER, type(problem).__name__, repeated=False)
        sent.tries.append(heard)
        return heard

    # ---------------------------------------------------------------- playing

    async def play(self, table: str) -> None:
        """Until all is over."""
        while not self.floor.over:
            await asyncio.sleep(self.floor.chance.uniform(0.1, 0.4))
            with suppress(httpx.TransportError, ValueError, KeyError):
                await self._next(table)

    async def _next(self, table: str) -> None:
        address = self.floor.chance.choice(self.floor.addresses)
        answer = await self.client.get(f"{address}/api/tables/{table}/offers")
        seen = await self.client.get(f"{address}/api/tables/{table}")
        if answer.status_code != 200 or seen.status_code != 200:
            return
        you = seen.json()["you"]
        self._purse = you["purse_cents"]
        # A seat that nobody bets at is waited for: one at a table is enough.
        offers = [o for o in answer.json()["offers"] if o["do"] != "sit_down" or not you["seat"]]
        # Sometimes two things at once, each as if the other were not: the money is there once.
        wanted = [self._choose(offers) for _ in range(self.floor.chance.choice((1, 1, 2)))]
        actions = [one for one in wanted if one is not None]
        path = f"/api/tables/{table}/commands"
        sent = await asyncio.gather(*(self.send(path, {"action": one}) for one in actions))
        short = any(one.is_refused and "in hand" in one.tries[-1].words for one in sent)
        if short or self._purse < TOP_UP_CENTS // 4:
            await self.send("/api/purse", {"cents": TOP_UP_CENTS})
        if any(one["do"] == "take_back" for one in offers) and not actions:
            await self._post(f"/api/tables/{table}/ready", None, address)

    def _choose(self, offers: list[dict[str, Any]]) -> dict[str, Any] | None:
        lots = [(one, self.floor.chance.random()) for one in offers]
        liked = [one for one, lot in lots if lot < self._liking(one, offers)]
        return self._action(self.floor.chance.choice(liked)) if liked else None

    def _liking(self, offer: dict[str, Any], offers: list[dict[str, Any]]) -> float:
        """Who cannot pay a street folds, mostly, instead of asking for money while others wait."""
        dear = [o for o in offers if o["do"] == "bet" and self._purse < self._least(o)]
        if dear and offer["do"] in ("bet", "fold"):
            return 0.9 if offer["do"] == "fold" else 0.2
        return LIKED.get(offer["do"], 0.0)

    @staticmethod
    def _least(offer: dict[str, Any]) -> int:
        return min(map(int, offer["arguments"]["cents"].get("values") or [0]))

    def _action(self, offer: dict[str, Any]) -> dict[str, Any] | None:
        action = {"do": offer["do"]}
        for name, bounds in offer["arguments"].items():
            if name == "player" or bounds.get("text"):
                continue
            if "values" in bounds:
                action[name] = self.floor.chance.choice(bounds["values"])
            elif "minimum" in bounds:
                action[name] = self._amount(bounds)
            else:
                action[name] = ""
        return None if str(action.get("spot", "")).startswith("tip_") else action

    def _amount(self, bounds: dict[str, Any]) -> int:
        """Mostly all there is, or nearly; sometimes little."""
        low, unit = bounds["minimum"] or 0, bounds["unit"]
        most = min(bounds["maximum"] or self._purse, max(low, self._purse))
        steps = max(0, (most - low) // unit)
        few = self.floor.chance.randint(0, min(3, steps))
        return int(low + unit * (steps if self.floor.chance.random() < 0.4 else few))

    # ---------------------------------------------------------------- looking

    async def look(self, address: str, *topics: str) -> None:
        """A screen that comes back whenever it is lost: tables are played for those who look."""
        where = address.replace("http", "ws", 1)
        asked = "&".join(f"look={topic.replace(' ', '%20')}" for topic in topics)
        while True:
            cookie = "; ".join(f"{one.name}={one.value}" for one in self.client.cookies.jar)
            with suppress(OSError, TimeoutError, WebSocketException):
                async with sockets.connect(
                    f"{where}/live?{asked}", additional_headers={"Cookie": cookie}, open_timeout=3
                ) as screen:
                    async for _ in screen:
                        pass
            await asyncio.sleep(0.3)


class Company:
    """Everybody who plays, each at two tables, and their screens at every server."""

    def __init__(self, floor: Floor, number: int) -> None:
        self.floor = floor
        self.people = [Person(floor) for _ in range(number)]
        self._playing: list[asyncio.Task[None]] = []
        self._looking: list[asyncio.Task[None]] = []

    async def come(self, tables: list[str]) -> None:
        """Sit down; neighbours share a table, and somebody looks at the lobby."""
        for number, one in enumerate(self.people):
            await one.come_in()
            mine = [tables[place % len(tables)] for place in (number, number + 1)]
            self._playing += [asyncio.create_task(one.play(table)) for table in mine]
            topics = [f"table/{table}" for table in mine] + ["lobby"] * (number == 0)
            for address in self.floor.addresses:
                self._looking.append(asyncio.create_task(one.look(address, *topics)))

    async def leave(self) -> None:
        """When everybody has had their last answer. Nobody looks then, and nothing is played."""
        self.floor.over = True
        await asyncio.gather(*self._playing)
        for one in self._looking:
            one.cancel()

    async def purses(self) -> dict[str, list[int | None]]:
        """Everybody's, as each server says."""
        return {
            one.guest.name: [await one.purse(address) for address in self.floor.addresses]
            for one in self.people
        }

    async def close(self) -> None:
        """Nobody asks for anything any more."""
        for one in self.people:
            await one.client.aclose()
