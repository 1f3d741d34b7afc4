"""Folded state, kept by stream and version. The ledger stays the truth: all of it can be lost."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final, Generic, NamedTuple, TypeVar

from riverboat.ledger.ledger import Ledger
from riverboat.ledger.rows import Row

KEPT: Final = 1_000

State = TypeVar("State")


class Folded(NamedTuple, Generic[State]):
    """A stream's state, and the version to expect when writing on the strength of it."""

    state: State
    version: int


class FoldedStreams(Generic[State]):
    """The states of many streams, brought up to date by reading only what is new.

    States are values: `apply` returns the next one and leaves the one before as it was.
    """

    def __init__(
        self,
        ledger: Ledger,
        begin: Callable[[str], State],
        apply: Callable[[State, Row], State],
        keep: int = KEPT,
    ) -> None:
        self._ledger = ledger
        self._begin = begin
        self._apply = apply
        self._keep = keep
        self._kept: OrderedDict[str, Folded[State]] = OrderedDict()
        self._lock = Lock()

    def now(self, stream: str) -> Folded[State]:
        """The state as it is in the ledger at this moment."""
        known = self.known(stream)
        return self.remember(stream, known, self._ledger.read(stream, known.version))

    def known(self, stream: str) -> Folded[State]:
        """The state as it was last seen, without asking the ledger."""
        with self._lock:
            if stream in self._kept:
                self._kept.move_to_end(stream)
                return self._kept[stream]
        return Folded(self._begin(stream), 0)

    def remember(self, stream: str, known: Folded[State], rows: list[Row]) -> Folded[State]:
        """Go on from a known state with the rows that follow it, such as those of a receipt."""
        state, version = known
        for row in rows:
            assert row.version == version + 1, f"{stream}: {row.version} after {version}"
            state, version = self._apply(state, row), row.version
        folded = Folded(state, version)
        with self._lock:
            if stream not in self._kept or self._kept[stream].version <= version:
                self._kept[stream] = folded
                self._kept.move_to_end(stream)
            if len(self._kept) > self._keep:
                self._kept.popitem(last=False)
        return folded
