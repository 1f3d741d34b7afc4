"""The Game Manager's books for the server: kept anew when asked for, but never all the time."""

import threading
import time
from collections.abc import Callable
from typing import Final

from riverboat.floor.accounting import Floorbook, keep_books
from riverboat.floor.floor import Floor

LEAST_SECONDS: Final = 2.0
SHARE: Final = 5.0
"""Books that took a second to keep are shown for five: a fifth of the time at most is spent so."""


class Bookkeeping:
    """Books as of a moment ago; their head says of which one."""

    def __init__(self, floor: Floor, clock: Callable[[], float] = time.monotonic) -> None:
        self._floor, self._clock = floor, clock
        self._lock = threading.Lock()
        self._kept: Floorbook | None = None
        self._until = 0.0

    def books(self, *, fresh: bool = False) -> Floorbook:
        """The books; `fresh` where something was just written that must be in them."""
        with self._lock:
            began = self._clock()
            if self._kept is None or fresh or began >= self._until:
                self._kept = keep_books(self._floor.ledger, self._floor.books, self._floor.secret)
                took = self._clock() - began
                self._until = self._clock() + max(LEAST_SECONDS, SHARE * took)
            return self._kept
