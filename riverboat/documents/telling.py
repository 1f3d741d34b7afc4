"""What a document is gathered from: events with who and when, as a ledger's rows have them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from riverboat.table.people import Actor

Clock: TypeAlias = Callable[[int], str]


class Told(Struct, frozen=True, kw_only=True):
    """One event of a stream. `at` is the record's own time; a `Clock` says it in words."""

    event: Any
    by: Actor
    at: int
    test: bool = False


Record: TypeAlias = Sequence[Told]


class Printing(Struct, frozen=True, kw_only=True):
    """The circumstances of a printed document: by whom, when, with what, and how far the ledger
    had come (`NUMBER:HASH`). `printed_seconds` (since 1970) is the date in the file's own data;
    `program_sha256` is over all files of the program."""

    printed_by: str
    printed_at: str
    version: str
    head: str
    printed_seconds: int = 0
    program_sha256: str = ""
    house: str = "Riverboat"


class AnyEntry(Protocol):
    """An entry of any record: who, when, and what came of it; a table's may be a test."""

    @property
    def by(self) -> Actor: ...
    @property
    def at(self) -> int: ...
    @property
    def events(self) -> Sequence[Any]: ...


def told_of(entries: Iterable[AnyEntry]) -> Iterator[Told]:
    """The events of a record, one by one."""
    for entry in entries:
        for event in entry.events:
            test = getattr(entry, "test", False)
            yield Told(event=event, by=entry.by, at=entry.at, test=test)


def wall_clock(utc_offset_minutes: int = 0) -> Clock:
    """Seconds since 1970 as the house's clocks show them, with the offset that they keep."""
    zone = timezone(timedelta(minutes=utc_offset_minutes)) if utc_offset_minutes else UTC

    def shown(at: int) -> str:
        return f"{datetime.fromtimestamp(at, zone):%Y-%m-%d %H:%M:%S %Z}"

    return shown


def who(actor: Actor) -> str:
    """A role, or that it was no person."""
    return f"program ({actor.role})" if actor.automatic else actor.role
