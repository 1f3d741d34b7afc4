"""The Game Manager's books for the server: every row of the ledger is read into them once."""

import threading

from riverboat.floor.books.accounting import Bookkeeper, Floorbook
from riverboat.floor.floor import Floor


class Bookkeeping:
    """Books as of now, whoever asks; the first to ask waits until the whole ledger was read."""

    def __init__(self, floor: Floor) -> None:
        self._lock = threading.Lock()
        self._keeper = Bookkeeper(floor.ledger, floor.books, floor.secret)

    def books(self) -> Floorbook:
        """The books with everything that is durable."""
        with self._lock:
            return self._keeper.books()
