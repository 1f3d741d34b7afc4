"""Writers that wait at the same time share one sync.

The first caller who finds nobody writing writes for all who wait, and then hands over to the first
of those who came meanwhile. Compared with a writer thread of its own this costs a lone caller
nothing (no hand-over to another thread and back, which on busy cores takes longer than the sync),
and there is no thread to start, watch and stop. RocksDB's write group works like this.

While one batch is being made durable the next one collects, so nobody waits for a timer.
"""

from collections import deque
from collections.abc import Callable
from threading import Condition, Lock
from typing import Final

from riverboat.ledger.chain import (
    ChainBroken,
    LedgerError,
    LedgerUnavailable,
    OutcomeUnknown,
    Receipt,
)
from riverboat.ledger.store import Request

WAITING_LIMIT: Final = 1024
BATCH_LIMIT: Final = 256


class GroupCommit:
    """A bounded queue in front of a store."""

    def __init__(
        self,
        write: Callable[[list[Request]], None],
        *,
        patience_seconds: float,
        waiting_limit: int = WAITING_LIMIT,
        batch_limit: int = BATCH_LIMIT,
    ) -> None:
        self._write = write
        self._patience = patience_seconds
        self._waiting_limit = waiting_limit
        self._batch_limit = batch_limit
        self._queue: deque[Request] = deque()
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._led = False
        self._closed = False

    def submit(self, request: Request) -> Receipt:
        """Wait until the request is durable, or refused."""
        if self._join(request) or not self._answered(request):
            self._lead(request)
        answer = request.answer
        if isinstance(answer, Receipt):
            return answer
        assert answer is not None
        raise answer

    def close(self) -> None:
        """Let those who wait finish, and nobody else begin."""
        with self._lock:
            self._closed = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._led and not self._queue)

    def _join(self, request: Request) -> bool:
        """Queue up; True if the caller is to write."""
        with self._lock:
            if len(self._queue) >= self._waiting_limit:
                self._changed.wait_for(
                    lambda: self._closed or len(self._queue) < self._waiting_limit, self._patience
                )
            if self._closed:
                raise LedgerUnavailable("ledger.closed", "the ledger was closed")
            if len(self._queue) >= self._waiting_limit:
                waiting = f"{len(self._queue)} writers wait already"
                raise LedgerUnavailable("ledger.busy", f"{waiting}: the database is too slow now")
            self._queue.append(request)
            if self._led:
                return False
            self._led = True
            return True

    def _answered(self, request: Request) -> bool:
        """Wait for an answer, or for the turn to write."""
        try:
            request.wake.acquire()
        except BaseException:
            self._give_up(request)
            raise
        return request.answer is not None

    def _give_up(self, request: Request) -> None:
        """A caller who was interrupted must not be handed the turn."""
        with self._lock:
            if request in self._queue:
                self._queue.remove(request)
                if request.promoted:
                    self._hand_over()

    def _lead(self, own: Request) -> None:
        batch = self._next_batch()
        try:
            self._write(batch)
        except LedgerUnavailable as error:
            kind, code, message = type(error), error.code, str(error)
            _fail(batch, lambda: kind(code, message))
        except ChainBroken as error:
            fault = error.fault
            _fail(batch, lambda: ChainBroken(fault))
        except BaseException as error:
            what = f"the writer was interrupted ({type(error).__name__})"
            _fail(batch, lambda: OutcomeUnknown("ledger.outcome_unknown", what))
            raise
        finally:
            with self._lock:
                self._hand_over()
            for request in batch:
                if request is not own:
                    request.wake.release()

    def _next_batch(self) -> list[Request]:
        """Those who wait, in order; one who decides in turn goes alone."""
        with self._lock:
            batch = [self._queue.popleft()]
            while (
                self._queue
                and len(batch) < self._batch_limit
                and batch[0].decide is None
                and self._queue[0].decide is None
            ):
                batch.append(self._queue.popleft())
            if len(self._queue) + len(batch) >= self._waiting_limit:
                self._changed.notify_all()
        return batch

    def _hand_over(self) -> None:
        if self._queue:
            self._queue[0].promoted = True
            self._queue[0].wake.release()
        else:
            self._led = False
            if self._closed:
                self._changed.notify_all()


def _fail(batch: list[Request], error: Callable[[], LedgerError]) -> None:
    """One exception for each: a shared one would carry every thread's traceback."""
    for request in batch:
        if request.answer is None:
            request.answer = error()
