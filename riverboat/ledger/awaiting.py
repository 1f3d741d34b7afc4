"""Appends for a server whose clients are tasks of one event loop, not threads.

Waking a thread for each command costs more than writing it. Here all that came while the last batch
was made durable goes to one thread as the next batch, and comes back with one wake-up.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from riverboat.ledger.errors import LedgerUnavailable
from riverboat.ledger.ledger import Ledger
from riverboat.ledger.rows import Command, Receipt, Write
from riverboat.ledger.store import Request


class AwaitedLedger:
    """A ledger's `append` for the tasks of the event loop it was made in."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._waiting: list[tuple[Request, asyncio.Future[Receipt]]] = []
        self._writing = False

    async def append(self, command: Command, *writes: Write) -> Receipt:
        """As `Ledger.append`: returns when it is durable, or raises why it is not."""
        answer: asyncio.Future[Receipt] = self._loop.create_future()
        self._waiting.append((Request(command, writes), answer))
        if not self._writing:
            self._writing = True
            self._loop.call_soon(self._send)
        return await answer

    def _send(self) -> None:
        batch, self._waiting = self._waiting, []
        try:
            self._thread.submit(self._write, batch)
        except RuntimeError:
            for request, _ in batch:
                request.answer = LedgerUnavailable("ledger.closed", "the ledger was closed")
            self._tell(batch)

    def _write(self, batch: list[tuple[Request, asyncio.Future[Receipt]]]) -> None:
        try:
            self._ledger.append_all([request for request, _ in batch])
        except BaseException as error:
            for request, _ in batch:
                request.answer = request.answer or error
        self._loop.call_soon_threadsafe(self._tell, batch)

    def _tell(self, batch: list[tuple[Request, asyncio.Future[Receipt]]]) -> None:
        """Save, then speak: whoever stopped waiting meanwhile is not told, and his row stays."""
        for request, answer in batch:
            if answer.done():
                continue
            if isinstance(request.answer, Receipt):
                answer.set_result(request.answer)
            else:
                assert request.answer is not None
                answer.set_exception(request.answer)
        if self._waiting:
            self._loop.call_soon(self._send)
        else:
            self._writing = False

    def close(self) -> None:
        """Finish what was begun; the ledger itself stays open."""
        self._thread.shutdown()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.close)
