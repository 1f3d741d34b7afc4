"""The ledger as the rest of the house sees it, whichever database carries it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from riverboat.core.errors import NotationError, RiverboatError
from riverboat.core.well_formed import require_kind, require_texts
from riverboat.ledger.errors import CommandConflict, LedgerError
from riverboat.ledger.group_commit import GroupCommit
from riverboat.ledger.rows import Command, Head, Receipt, Row, Write, check_command, check_texts
from riverboat.ledger.store import Decide, Request, Snapshot, Store
from riverboat.ledger.subscribing import Bell, Subscription

PATIENCE_SECONDS: Final = 3.0
CHUNK: Final = 1_000


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
    if address.startswith(("postgresql://", "postgres://")):
        # Costs a tenth of a second, which a house with one machine never needs to spend.
        from riverboat.ledger.postgres import PostgresStore

        return Ledger(
            PostgresStore(
                address, create=create, read_only=read_only, patience_seconds=patience_seconds
            ),
            patience_seconds,
        )
    from riverboat.ledger.sqlite import SqliteStore

    path = address.removeprefix("sqlite:///")
    if "://" in path or not path:
        allowed = "sqlite:///path, a path, or postgresql://…"
        raise NotationError("ledger.url", f"{address!r} is no address of a ledger: {allowed}")
    return Ledger(
        SqliteStore(path, create=create, read_only=read_only, patience_seconds=patience_seconds),
        patience_seconds,
    )


class Ledger:
    """An append-only record of streams. Safe to use from any number of threads."""

    def __init__(self, store: Store, patience_seconds: float) -> None:
        self.store = store
        self._bell = Bell()
        self._group = GroupCommit(self._write, patience_seconds=patience_seconds)

    # ------------------------------------------------------------ writing

    def append(self, command: Command, *writes: Write) -> Receipt:
        """Write what a command does, to all its streams or to none; returns when it is durable.

        The same command again gives the receipt of the first time (`repeated`). Raises
        StaleVersion, CommandConflict, LedgerUnavailable (nothing was written) or OutcomeUnknown
        (send it again, with the same id).
        """
        check_texts(command, writes)
        return self._group.submit(Request(command, writes))

    def append_all(self, requests: list[Request]) -> None:
        """Append for many callers who wait elsewhere; each request holds its own answer after."""
        sound: list[Request] = []
        for request in requests:
            try:
                check_texts(request.command, request.writes)
            except RiverboatError as problem:
                request.answer = problem
            else:
                sound.append(request)
        self._group.submit_all(sound)

    def append_in_turn(self, command: Command, decide: Decide) -> Receipt:
        """Decide while nobody else can write, and write that.

        For a decision that must see a stream so busy that every optimistic attempt would be stale:
        an award on a meter that every table contributes to. All writers wait meanwhile, so
        `decide` reads through what it is given, and does nothing slow.
        """
        check_command(command)
        return self._group.submit(Request(command, (), decide))

    def recall(self, command: Command) -> tuple[Row, ...] | None:
        """What this command wrote when it was sent before; None if it was not."""
        check_command(command)
        earlier = tuple(self.store.of_command(command.id))
        if not earlier:
            return None
        if (earlier[0].actor, earlier[0].command) != (command.actor, command.text):
            raise CommandConflict(command.id)
        return earlier

    def _write(self, batch: list[Request]) -> None:
        """Save, then speak: nobody is woken before the sync is over."""
        answers: list[Receipt | LedgerError]
        if batch[0].decide is None:
            answers = self.store.append(batch)
        else:
            answers = [self.store.append_in_turn(batch[0])]
        newest = 0
        for request, answer in zip(batch, answers, strict=True):
            request.answer = answer
            if isinstance(answer, Receipt) and not answer.repeated:
                newest = answer.rows[-1].seq
        if newest:
            self._bell.ring(newest)

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
