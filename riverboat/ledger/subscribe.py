"""Learning of new rows: a notice says that there is something, the rows themselves are read.

A subscription remembers the number of the last row that it gave out and reads on from there.
Numbers have no gaps and are in the order of the commits, so no row is missed, whatever happens to
notices: they only make it faster. Without one, a subscription looks again after a second.
"""

import time
from collections import deque
from itertools import count
from threading import Condition
from typing import Final, Self

from riverboat.ledger.chain import Row
from riverboat.ledger.store import Store

LOOK_AGAIN_SECONDS: Final = 1.0
CHUNK: Final = 500


class Bell:
    """Rings when something was written."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._rings = count(1)
        self._rung = 0
        self._waiting = 0
        self.closed = False

    @property
    def rung(self) -> int:
        """Another number after every ring."""
        return self._rung

    def ring(self, seq: int) -> None:
        """Wake everyone; the number only says that there is something new."""
        # Whoever waits has counted himself before he looks at the number, so he is either
        # seen here or sees this ring; where nobody waits, a commit does not pay for waking.
        self._rung = next(self._rings)
        if self._waiting:
            with self._changed:
                self._changed.notify_all()

    def wait(self, rung: int, seconds: float) -> None:
        """Wait for a ring after the one of this number, but not longer than this."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: self._rung != rung or self.closed, seconds)
            finally:
                self._waiting -= 1

    def close(self) -> None:
        """Wake everyone for good."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()


class Subscription:
    """Every row after a number, as it becomes durable, from whichever process.

    Iterating waits for the next row. When the database is away, `read` and iteration raise
    LedgerUnavailable, and can simply be called again: the place is kept, so nobody takes an old
    value for a live one without noticing.
    """

    def __init__(self, store: Store, bell: Bell, after_seq: int) -> None:
        self._store = store
        self._bell = bell
        self._unread: deque[Row] = deque()
        self._closed = False
        self._asked: float | None = None
        self.took = 0.0
        """How many seconds the database took for its last answer."""
        self.seq = after_seq

    def read(self, seconds: float = 0.0) -> list[Row]:
        """The rows that are new; if there are none, wait for some, at most this long."""
        if self._unread:
            rows = list(self._unread)
            self._unread.clear()
            return rows
        deadline = time.monotonic() + seconds
        while not self.over:
            rung = self._bell.rung
            if rows := self._ask():
                self.seq = rows[-1].seq
                return rows
            left = deadline - time.monotonic()
            if left <= 0:
                return []
            self._bell.wait(rung, min(left, LOOK_AGAIN_SECONDS))
        return []

    def _ask(self) -> list[Row]:
        began = self._asked = time.monotonic()
        try:
            return self._store.read_all(self.seq, CHUNK)
        finally:
            self.took, self._asked = time.monotonic() - began, None

    @property
    def waits(self) -> float:
        """For how many seconds an answer of the database has been waited for now."""
        asked = self._asked
        return 0.0 if asked is None else time.monotonic() - asked

    def close(self) -> None:
        """End it; whoever waits is told within a second."""
        self._closed = True

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self._closed or self._bell.closed

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Row:
        while not self._unread:
            self._unread.extend(self.read(LOOK_AGAIN_SECONDS))
            if not self._unread and self.over:
                raise StopIteration
        return self._unread.popleft()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
