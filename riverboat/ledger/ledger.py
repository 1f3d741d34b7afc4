"""The ledger as the rest of the house sees it, whichever database carries it.

New rows are learnt of by subscription: a notice says that there is something, the rows themselves
are read. A subscription remembers the number of the last row that it gave out and reads on from
there. Numbers have no gaps and are in the order of the commits, so no row is missed, whatever
happens to notices: they only make it faster. Without one, a subscription looks again after a
second.
"""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from itertools import count
from pathlib import Path
from threading import Condition, Lock
from typing import Final, Generic, NamedTuple, Self, TypeVar

from riverboat.core.errors import NotationError
from riverboat.core.well_formed import require_kind, require_texts
from riverboat.ledger.chain import (
    Command,
    CommandConflict,
    Head,
    LedgerError,
    Receipt,
    Row,
    Write,
    check_command,
    check_texts,
)
from riverboat.ledger.store import Decide, GroupCommit, Request, Snapshot, Store

PATIENCE_SECONDS: Final = 3.0
CHUNK: Final = 1_000
LOOK_AGAIN_SECONDS: Final = 1.0
NEW_ROWS: Final = 500
KEPT: Final = 1_000

State = TypeVar("State")


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
            return self._store.read_all(self.seq, NEW_ROWS)
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


def open_ledger(
    url: str | Path,
    *,
    create: bool = True,
    read_only: bool = False,
    patience_seconds: float = PATIENCE_SECONDS,
) -> "Ledger":
    """Open a ledger: `sqlite:///path`, a bare path, or `postgresql://…`.

    Its schema is brought up to date, or, if a newer program wrote it, refused. With `create` off, a
    ledger that is not there is refused instead of made. Whatever the database does, nobody waits
    much longer than twice `patience_seconds` for an answer.
    """
    require_kind(url, str | Path, "url")
    address = str(url)
    require_texts(url=address)
    store: Callable[..., Store]
    if address.startswith(("postgresql://", "postgres://")):
        # Costs a tenth of a second, which a house with one machine never needs to spend.
        from riverboat.ledger.postgres import PostgresStore as store
    else:
        from riverboat.ledger.sqlite import SqliteStore as store

        address = address.removeprefix("sqlite:///")
        if "://" in address or not address:
            allowed = "sqlite:///path, a path, or postgresql://…"
            raise NotationError("ledger.url", f"{str(url)!r} is no address of a ledger: {allowed}")
    opened = store(address, create=create, read_only=read_only, patience_seconds=patience_seconds)
    return Ledger(opened, patience_seconds)


class Ledger:
    """An append-only record of streams. Safe to use from any number of threads."""

    def __init__(self, store: Store, patience_seconds: float) -> None:
        self.store = store
        self.on_durable: Callable[[Head], None] | None = None
        """Told of a row that is durable before anybody is answered, the first time or again."""
        self._bell = Bell()
        self._group = GroupCommit(self._write, patience_seconds=patience_seconds)
        self._wrong: LedgerError | None = None

    # ------------------------------------------------------------ writing

    def append(self, command: Command, *writes: Write) -> Receipt:
        """Write what a command does, to all its streams or to none; returns when it is durable.

        The same command again gives the receipt of the first time (`repeated`). Raises
        StaleVersion, CommandConflict, LedgerUnavailable (nothing was written) or OutcomeUnknown
        (send it again, with the same id).
        """
        check_texts(command, writes)
        self._require_writable()
        return self._group.submit(Request(command, writes))

    def append_in_turn(self, command: Command, decide: Decide) -> Receipt:
        """Decide while nobody else can write, and write that.

        For a decision that must see a stream so busy that every optimistic attempt would be stale:
        an award on a meter that every table contributes to. All writers wait meanwhile, so
        `decide` reads through what it is given, and does nothing slow.
        """
        check_command(command)
        self._require_writable()
        return self._group.submit(Request(command, (), decide))

    def refuse(self, wrong: LedgerError) -> None:
        """From now on nothing is written here, and whoever tries is told why: rows that a ledger
        gets after something was found wrong with it would only cover that up. Reading goes on."""
        self._wrong = wrong

    def _require_writable(self) -> None:
        if self._wrong is not None:
            raise self._wrong.with_traceback(None)

    def recall(self, command: Command) -> tuple[Row, ...] | None:
        """What this command wrote when it was sent before; None if it was not."""
        check_command(command)
        earlier = tuple(self.store.of_command(command.id))
        if not earlier:
            return None
        if (earlier[0].actor, earlier[0].command) != (command.actor, command.text):
            raise CommandConflict(command.id)
        self._note(earlier[-1])
        return earlier

    def _write(self, batch: list[Request]) -> None:
        """Save, then speak: nobody is woken before the sync is over."""
        answers: list[Receipt | LedgerError]
        if batch[0].decide is None:
            answers = self.store.append(batch)
        else:
            answers = [self.store.append_in_turn(batch[0])]
        for request, answer in zip(batch, answers, strict=True):
            request.answer = answer
        told = [answer for answer in answers if isinstance(answer, Receipt)]
        if told:
            self._note(max((one.rows[-1] for one in told), key=lambda row: row.seq))
        if written := [one.rows[-1].seq for one in told if not one.repeated]:
            self._bell.ring(written[-1])

    def _note(self, row: Row) -> None:
        """Somebody will be told that this is durable, the first time or again."""
        if self.on_durable is not None:
            with suppress(OSError):
                self.on_durable(Head(row.seq, row.hash))

    # ------------------------------------------------------------ reading

    def head(self) -> Head:
        """The last row's number and hash."""
        return self.store.head()

    def version(self, stream: str) -> int:
        """How many writes a stream has; 0 if it does not exist."""
        require_texts(stream=stream)
        return self.store.version(stream)

    def read(self, stream: str, after_version: int = 0) -> list[Row]:
        """The writes of a stream after a version, in order."""
        require_texts(stream=stream)
        require_kind(after_version, int, "after_version")
        rows = self.store.read(stream, after_version, CHUNK)
        full = len(rows) == CHUNK
        while full:
            more = self.store.read(stream, rows[-1].version, CHUNK)
            rows += more
            full = len(more) == CHUNK
        return rows

    def read_all(self, after_seq: int = 0) -> Iterator[Row]:
        """The rows of all streams after a number, in order, up to where the ledger ends by then."""
        require_kind(after_seq, int, "after_seq")
        while rows := self.store.read_all(after_seq, CHUNK):
            yield from rows
            after_seq = rows[-1].seq

    def subscribe(self, after_seq: int | None = None) -> Subscription:
        """Every row after a number, as it is written; without a number: from now on."""
        if after_seq is not None:
            require_kind(after_seq, int, "after_seq")
        self.store.listen(self._bell.ring)
        return Subscription(
            self.store, self._bell, self.head().seq if after_seq is None else after_seq
        )

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """All rows as bytes, as they are at this moment."""
        return self.store.snapshot()

    # ------------------------------------------------------------ the end

    def close(self) -> None:
        """Finish what was begun and give everything back."""
        self._group.close()
        self._bell.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Folded(NamedTuple, Generic[State]):
    """A stream's state, and the version to expect when writing on the strength of it."""

    state: State
    version: int


class FoldedStreams(Generic[State]):
    """The states of many streams, brought up to date by reading only what is new.

    The ledger stays the truth: all of it can be lost. States are values: `apply` returns the next
    one and leaves the one before as it was.
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
        self._made: OrderedDict[tuple[str, int], tuple[str, State]] = OrderedDict()
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
            state, version = self._after(state, row), row.version
        folded = Folded(state, version)
        with self._lock:
            if stream not in self._kept or self._kept[stream].version <= version:
                self._kept[stream] = folded
                self._kept.move_to_end(stream)
            if len(self._kept) > self._keep:
                self._kept.popitem(last=False)
        return folded

    def hand_on(self, stream: str, version: int, body: str, state: State) -> None:
        """What a stream will be at a version, should this be what is written there: whoever decided
        it has folded it already."""
        with self._lock:
            self._made[stream, version] = (body, state)
            if len(self._made) > self._keep:
                self._made.popitem(last=False)

    def _after(self, state: State, row: Row) -> State:
        """The state after a row, folded by whoever comes to it first, for everybody."""
        body, made = self._made.get((row.stream, row.version), (None, state))
        if body == row.body:
            return made
        made = self._apply(state, row)
        self.hand_on(row.stream, row.version, row.body, made)
        return made
