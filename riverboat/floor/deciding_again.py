"""Every entry of a floor decided again, in the order of the ledger, under the rules of its time.

What a table's entry depends on is the table, which the entries before it give, and the meter as it
stood. An award is decided in turn, on the meter as it is; a contribution on a meter that others may
have moved since the table's last entry, so that there every state of the meter since then counts.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct, structs

from riverboat.errors import Refused, RiverboatError
from riverboat.evidence.exporting import Books
from riverboat.floor.bodies import MeterEntry, RefusedEntry
from riverboat.floor.station import Decided, Station, StationEntry, decide, new_station
from riverboat.progressive.link import Link
from riverboat.table import actions as a
from riverboat.table.day import new_day
from riverboat.table.people import SYSTEM

KEPT: Final = 256
_UNPLAYABLE = (
    LookupError, AssertionError, ValueError, TypeError, AttributeError, RuntimeError,
    ArithmeticError, RiverboatError,
)  # fmt: skip


class Difference(Exception):
    """The first thing that is wrong: at which row and table or meter, and where in it."""

    def __init__(
        self, message: str, *, entry: int = 0, event: str = "", field: str = "", of: str = ""
    ) -> None:
        super().__init__(message)
        self.message, self.entry, self.event, self.field = message, entry, event, field
        self.of = of


class Stood(NamedTuple):
    """A state, and the row from which on it was that."""

    seq: int
    state: Any


class Tables:
    """The tables as they stood, and what was decided at them."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.now: dict[str, Station] = {}
        self.earlier: dict[str, deque[Stood]] = {}
        self.links: dict[str, deque[Stood]] = {}
        self._seqs: dict[str, int] = {}

    def station(self, table: str) -> Station:
        """A table as it stands at this row."""
        if table not in self.now:
            self.now[table] = new_station(new_day(table, self.books))
        return self.now[table]

    def link(self, name: str) -> Link:
        """A meter as it stands at this row."""
        stood = self.links.get(name)
        return stood[-1].state if stood else Link()

    def keep_link(self, name: str, seq: int, link: Link) -> None:
        """A meter as it stands from this row on."""
        self.links.setdefault(name, deque(maxlen=KEPT)).append(Stood(seq, link))

    def follow(self, table: str, seq: int, entry: StationEntry) -> Decided:
        """An entry decided again; Difference where something else comes of it."""
        station = self.station(table)
        if entry.number != station.day.entries + 1:
            text = f"entry {entry.number} after entry {station.day.entries}"
            raise Difference(text, entry=entry.number, field="number")
        decided = self._decided(table, station, entry)
        self.earlier.setdefault(table, deque(maxlen=KEPT)).append(Stood(seq, station))
        self.now[table] = decided.station
        self._seqs[table] = seq
        return decided

    def _decided(self, table: str, station: Station, entry: StationEntry) -> Decided:
        first: Difference | None = None
        for link in self._links_since(station.link, self._seqs.get(table, 0)):
            try:
                decided = decide(station, link, entry.by, entry.action)
            except Refused as refusal:
                text = f"is refused now ({refusal.code}): {refusal}"
                first = first or Difference(text, entry=entry.number, field="action")
                continue
            except _UNPLAYABLE as problem:
                text = f"cannot be decided again: {type(problem).__name__} {problem}"
                raise Difference(text, entry=entry.number, field="action") from None
            if decided.entry == entry:
                return decided
            first = first or _first_difference(decided.entry, entry)
        assert first is not None
        raise first

    def _links_since(self, name: str, seq: int) -> Iterator[Link | None]:
        """The meter as it is; then as it stood at any moment since a row."""
        if not name:
            yield None
            return
        stood = self.links.get(name)
        if not stood:
            yield Link()
            return
        for one in reversed(stood):
            yield one.state
            if one.seq <= seq:
                return

    def refuse_again(self, table: str, entry: RefusedEntry) -> None:
        """What was refused is refused again, on the table as it stood or had just stood."""
        said: set[str] = set()
        known = [self.station(table), *(one.state for one in reversed(self.earlier.get(table, ())))]
        if all(entry.round != _round_of(station) for station in known):
            text = f"names round {entry.round}; round {_round_of(known[0])} is played"
            raise Difference(text, field="round")
        for station in known:
            for link in self._links_since(station.link, 0):
                found = _refusal(station, link, entry)
                if found == (entry.code, entry.words, entry.cites):
                    return
                said.add(found[0] or "allowed")
        text = f"recorded as refused ({entry.code}); decided again: {', '.join(sorted(said))}"
        raise Difference(text, field="code")


def _refusal(
    station: Station, link: Link | None, entry: RefusedEntry
) -> tuple[str, str, tuple[str, ...]]:
    try:
        if entry.at > station.day.now:
            told = decide(station, None, SYSTEM, a.TellTime(at=entry.at)).station
            _refused_by(told, link, entry)
        _refused_by(station, link, entry)
    except Refused as refusal:
        return refusal.code, str(refusal), refusal.cites
    except _UNPLAYABLE as problem:
        return type(problem).__name__, str(problem), ()
    return "", "", ()


def _round_of(station: Station) -> int:
    return station.day.round_number if station.day.in_round else 0


def _refused_by(station: Station, link: Link | None, entry: RefusedEntry) -> None:
    assert entry.action is not None
    decide(station, link, entry.by, entry.action)


def _first_difference(expected: StationEntry, stored: StationEntry) -> Difference:
    """Where two entries differ: the event and the field."""
    number = stored.number
    for name in ("by", "at", "test"):
        if getattr(expected, name) != getattr(stored, name):
            text = _unlike(getattr(stored, name), getattr(expected, name))
            return Difference(text, entry=number, field=name)
    for place, (should, stands) in enumerate(zip(expected.events, stored.events, strict=False), 1):
        if should != stands:
            return _in_event(should, stands, number, place)
    have, want = len(stored.events), len(expected.events)
    text = f"{have} events are stored, {want} follow from the action"
    left = (*stored.events[want:], *expected.events[have:])
    return Difference(text, entry=number, event=tag_of(left[0]) if left else "", field="events")


def _in_event(should: Struct, stands: Struct, number: int, place: int) -> Difference:
    tag = tag_of(stands)
    if type(should) is not type(stands):
        text = f"event {place} is stored as {tag}; {tag_of(should)} follows from the action"
        return Difference(text, entry=number, event=tag, field="kind")
    for field in structs.fields(stands):
        want, have = getattr(should, field.name), getattr(stands, field.name)
        if want != have:
            text = f"event {place} {_unlike(have, want)}"
            return Difference(text, entry=number, event=tag, field=field.name)
    return Difference(f"event {place} differs", entry=number, event=tag)


def compare_meter(expected: MeterEntry, stored: MeterEntry) -> None:
    """A meter's entry is what the table's entry, or the keeper's action, makes it."""
    if expected == stored:
        return
    for name in ("by", "at", "table", "entry", "action"):
        if getattr(expected, name) != getattr(stored, name):
            text = _unlike(getattr(stored, name), getattr(expected, name))
            raise Difference(text, entry=stored.entry, field=name)
    raise first_event_difference(expected.events, stored.events, stored.entry)


def first_event_difference(
    expected: Iterable[Struct], stored: Iterable[Struct], entry: int
) -> Difference:
    """Where two lists of a meter's events differ."""
    should, stands = tuple(expected), tuple(stored)
    for place, (one, other) in enumerate(zip(should, stands, strict=False), 1):
        if one != other:
            return _in_event(one, other, entry, place)
    text = f"{len(stands)} events are stored, {len(should)} follow"
    return Difference(text, entry=entry, field="events")


def _unlike(have: object, want: object) -> str:
    return f"has {_short(have)}; {_short(want)} follows from the action"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:117]}..."


def tag_of(event: object) -> str:
    """The kind of an event, as it is stored."""
    config = getattr(type(event), "__struct_config__", None)
    return str(config.tag) if config is not None else type(event).__name__
