"""A network of our own between servers and their database: slow, stalled, and cut in the middle of
a word.

    async with Proxy.opened("/tmp/…/.s.PGSQL.5432") as proxy:
        url = f"postgresql://postgres@127.0.0.1:{proxy.port}/floor"
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Final

CHUNK: Final = 65_536


class Line:
    """One connection through the proxy."""

    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self._ends = (client, server)
        self.swallows = False
        """The next answer is cut off instead of passed on: its question has arrived."""

    def cut(self) -> None:
        """Both ends are told that the other one is gone, at once."""
        for end in self._ends:
            end.transport.abort()


class Proxy:
    """Listens on a port of this machine and passes everything on to a Unix socket."""

    def __init__(self, target: str) -> None:
        self._target = target
        self.port = 0
        self.delay_seconds = 0.0
        """For every chunk, in both directions."""
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._lines: list[Line] = []

    @classmethod
    @asynccontextmanager
    async def opened(cls, target: str) -> AsyncIterator["Proxy"]:
        """Until the end."""
        proxy = cls(target)
        server = await asyncio.start_server(proxy._meet, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        try:
            yield proxy
        finally:
            server.close()
            proxy.cut_all()

    def stall(self) -> None:
        """From now on nothing arrives, and nobody is told."""
        self._flowing.clear()

    def flow(self) -> None:
        """What was sent meanwhile arrives."""
        self._flowing.set()

    def cut_one(self, chance: Random) -> bool:
        """A single connection: now, or when its next answer comes, which is lost."""
        if not self._lines:
            return False
        line = chance.choice(self._lines)
        if chance.random() < 0.5:
            line.swallows = True
        else:
            line.cut()
        return True

    def cut_all(self) -> None:
        """Every connection."""
        for line in self._lines:
            line.cut()

    async def _meet(self, come: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        try:
            await self._flowing.wait()
            answers, server = await asyncio.open_unix_connection(self._target)
        except OSError:
            client.transport.abort()
            return
        line = Line(client, server)
        self._lines.append(line)
        try:
            await asyncio.gather(
                self._pass_on(line, come, server, is_answer=False),
                self._pass_on(line, answers, client, is_answer=True),
            )
        finally:
            self._lines.remove(line)
            line.cut()

    async def _pass_on(
        self,
        line: Line,
        come: asyncio.StreamReader,
        go: asyncio.StreamWriter,
        *,
        is_answer: bool,
    ) -> None:
        with suppress(OSError):
            while data := await come.read(CHUNK):
                await asyncio.sleep(self.delay_seconds)
                await self._flowing.wait()
                if is_answer and line.swallows:
                    break
                go.write(data)
                await go.drain()
        line.cut()
