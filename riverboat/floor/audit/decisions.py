"""Every entry of a floor decided again, in the order of the ledger, under the rules of its time.

What a table's entry depends on is the table, which the entries before it give, and the meter as it
stood. An award is decided in turn, on the meter as it is; a contribution on a meter that others may
have moved since the table's last entry, so that there every state of the meter since then counts.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct, structs

from riverboat.core.errors import NotationError, Refused, RiverboatError
from riverboat.floor.codec import (
    MOST_CENTS,
    PURSE,
    MeterEntry,
    RefusedEntry,
    RefusedKeeping,
    ToppedUp,
    asked_of_purse,
    asked_text,
    holder,
    require_spelling,
)
from riverboat.floor.keeping import has_lab, kept
from riverboat.floor.secret import FloorEntry, asked_of_floor, read_floor_entry
from riverboat.floor.starting import PROGRAM, read_program
from riverboat.floor.station import (
    Decided,
    Station,
    StationEntry,
    decide,
    new_station,
    remember,
)
from riverboat.keeping.actions import JoinMeter, LeaveMeter, MoveMeter
from riverboat.ledger import Row
from riverboat.meter.books import QUEUE, RESERVE, Posting
from riverboat.meter.events import Alarmed
from riverboat.meter.operations import UnreasonableContribution
from riverboat.meter.state import Link
from riverboat.table import actions as a
from riverboat.table.day import Books, edition_among, new_day
from riverboat.table.people import SYSTEM, Actor

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


class Alarm(NamedTuple):
    """What a meter has on record of something refused."""

    meter: str
    event: Alarmed


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
        self.on_record: dict[str, str] = {}
        """The rulebooks by which the ledger's programs play, with their hashes."""

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
        self._require_next(station, entry)
        self._require_rulebook(entry)
        decided = self._decided(table, station, entry)
        self._keep(table, seq, decided.station)
        return decided

    def remember(self, table: str, seq: int, entry: StationEntry) -> None:
        """An entry taken as it stands, because nobody can decide it again."""
        self._require_next(self.station(table), entry)
        self._keep(table, seq, remember(self.station(table), entry))

    def _keep(self, table: str, seq: int, after: Station) -> None:
        stood = Stood(seq, self.station(table))
        self.earlier.setdefault(table, deque(maxlen=KEPT)).append(stood)
        self.now[table] = after
        self._seqs[table] = seq

    def _require_next(self, station: Station, entry: StationEntry) -> None:
        if entry.number != station.day.entries + 1:
            text = f"entry {entry.number} after entry {station.day.entries}"
            raise Difference(text, entry=entry.number, field="number")

    def _require_rulebook(self, entry: StationEntry) -> None:
        """What a table plays by is here, and is what it was."""
        if not isinstance(entry.action, a.Propose):
            return
        name = entry.action.submission.rulebook
        try:
            _, here = edition_among(self.books, name)
        except NotationError as missing:
            raise Difference(str(missing), entry=entry.number, field="rulebook") from None
        known = self.on_record.get(name, here)
        if known != here:
            text = f"rulebook {name} is {known} on this ledger; the one here is {here}"
            raise Difference(text, entry=entry.number, field="rulebook")

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
        stood = self.links.get(name, ())
        for one in reversed(stood):
            yield one.state
            if one.seq <= seq:
                return
        if len(stood) < KEPT:
            yield Link()

    def stations_since(self, table: str) -> list[Station]:
        """A table as it stands; then as it stood, from the last entry back."""
        return [self.station(table), *(one.state for one in reversed(self.earlier.get(table, ())))]

    def refuse_again(self, table: str, entry: RefusedEntry) -> Alarm | None:
        """What was refused is refused again, on the table as it stood or had just stood; what its
        meter has to be told of it, if anything."""
        said: set[str] = set()
        known = self.stations_since(table)
        if all(entry.round != _round_of(station) for station in known):
            text = f"names round {entry.round}; round {_round_of(known[0])} is played"
            raise Difference(text, field="round")
        for station in known:
            for link in self._links_since(station.link, 0):
                found = _problem_at_table(station, link, entry)
                if _is_told(found, entry):
                    if isinstance(found, UnreasonableContribution):
                        return Alarm(station.link, found.alarm)
                    return None
                said.add(_code(found))
        raise _not_refused(entry.code, said)

    def refuse_keeping_again(self, meter: str, entry: RefusedKeeping) -> None:
        """What was refused to keepers of a meter is refused again, on meter and table as they
        stood or had just stood."""
        said: set[str] = set()
        action = entry.action
        tables = [action.table] if isinstance(action, JoinMeter | LeaveMeter) else []
        targets = [action.to] if isinstance(action, MoveMeter) else []
        links = [list(self._links_since(name, 0)) for name in (*targets, meter)]
        if has_lab(entry.by, action):
            tables = sorted({table for link in links[-1] if link for table in link.members})
        stations = [self.stations_since(table) for table in tables]
        for at_tables, at_meters in product(product(*stations), product(*links)):
            found = _problem_at_meter(
                meter,
                entry,
                dict(zip(tables, at_tables, strict=True)),
                dict(zip((*targets, meter), at_meters, strict=True)),
            )
            if _is_told(found, entry):
                return
            said.add(_code(found))
        raise _not_refused(entry.code, said)


def _problem_at_table(station: Station, link: Link | None, entry: RefusedEntry) -> Exception | None:
    assert entry.action is not None
    try:
        if entry.at > station.day.now:
            told = decide(station, None, SYSTEM, a.TellTime(at=entry.at)).station
            decide(told, link, entry.by, entry.action)
        decide(station, link, entry.by, entry.action)
    except _UNPLAYABLE as problem:
        return problem
    return None


def _problem_at_meter(
    meter: str, entry: RefusedKeeping, stations: Mapping[str, Any], links: Mapping[str, Any]
) -> Exception | None:
    try:
        kept(meter, entry.by, entry.action, links.__getitem__, stations.__getitem__)
    except _UNPLAYABLE as problem:
        return problem
    return None


def _is_told(found: Exception | None, entry: RefusedEntry | RefusedKeeping) -> bool:
    if not isinstance(found, Refused):
        return False
    return (found.code, str(found), found.cites) == (entry.code, entry.words, entry.cites)


def _code(found: Exception | None) -> str:
    if found is None:
        return "allowed"
    return found.code if isinstance(found, Refused) else type(found).__name__


def _not_refused(code: str, said: set[str]) -> Difference:
    text = f"recorded as refused ({code}); decided again: {', '.join(sorted(said))}"
    return Difference(text, field="code")


def _round_of(station: Station) -> int:
    return station.day.round_number if station.day.in_round else 0


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


def require_nothing_lost(postings: Sequence[Posting], event: object, entry: int) -> None:
    """In each unit the postings of an event come to nothing."""
    sums: dict[str, int] = {}
    for posting in postings:
        sums[posting.unit] = sums.get(posting.unit, 0) + posting.amount
    for unit, amount in sums.items():
        if amount:
            text = f"its postings come to {amount} {unit}, not to nothing"
            raise Difference(text, entry=entry, event=tag_of(event), field="postings")


def require_asked(row: Row, asked: object, by: Actor) -> None:
    """The row's own columns say who asked for what, as its body does."""
    require_actor(row, by)
    if row.command != asked_text(asked).decode():
        text = "the command's column asks for something else than the body"
        raise Difference(text, field="command")


def mark_in(command: str) -> object:
    """The mark of a command that tells cards."""
    try:
        return msgspec.json.decode(command).get("mark")
    except (msgspec.MsgspecError, AttributeError):
        return None


def require_program(row: Row) -> dict[str, str]:
    """A program's row says who let it work here, and nothing beside; its rulebooks' hashes."""
    entry = read_program(row)
    require_spelling(row.body, entry)
    require_asked(row, {"program": entry.version}, entry.by)
    if row.stream != PROGRAM + entry.version:
        raise Difference(f"version {entry.version} in {row.stream}", field="version")
    if entry.second is None and entry.by != SYSTEM:
        raise Difference("a program is admitted by two people", field="second")
    return entry.rulebooks


def require_floor_entry(row: Row, before: FloorEntry | None, tables: Tables) -> FloorEntry:
    """Whose secret it is, from this row on: the floor's first, or one that two people put in the
    place of another when nothing was sealed with that any more."""
    entry = read_floor_entry(row)
    require_spelling(row.body, entry)
    require_asked(row, asked_of_floor(entry), entry.by)
    if before is None:
        if entry.by != SYSTEM or entry.second is not None or tables.now:
            raise Difference("a floor begins with its secret, and by itself", field="by")
        return entry
    if entry.floor != before.floor:
        text = f"the floor's id was {before.floor}, and is {entry.floor} here"
        raise Difference(text, field="floor")
    if entry.second is None:
        raise Difference("a floor's secret is replaced by two people", field="second")
    for table, station in tables.now.items():
        for deck in station.day.decks.values():
            if deck.sealed is not None:
                text = f"commitment {deck.sealed.number} of {table} was open then"
                raise Difference(text, field="secret")
    return entry


def require_top_up(row: Row, given: ToppedUp) -> None:
    """A row of a purse gives what its holder asked for, and no more than may be given."""
    name = row.stream.removeprefix(PURSE)
    require_asked(row, asked_of_purse(name, given.cents), holder(name))
    if not 1 <= given.cents <= MOST_CENTS:
        raise Difference(f"{given.cents} cents at once", event="topped_up", field="cents")


def require_actor(row: Row, by: Actor) -> None:
    """The row's actor is whom its body names."""
    if row.actor != named(by):
        text = f"the row is {row.actor}'s, its body {named(by)}'s"
        raise Difference(text, field="actor")


def require_moment(row: Row, at: int) -> None:
    """The row was recorded when its body says."""
    if row.recorded_at != at:
        text = f"the row was recorded at {row.recorded_at}, its body says {at}"
        raise Difference(text, field="at")


def named(by: Actor) -> str:
    """An actor as the rows write one."""
    return msgspec.json.encode(by).decode()


def of_reserve(link: Link) -> tuple[tuple[str, int], ...]:
    """What a meter's reserve and its queue come to."""
    waiting = link.queued
    queued = waiting.units + waiting.reserve_units
    return ((RESERVE, link.meter.reserve_units), (QUEUE, queued))


def is_first(meter: str, entry: MeterEntry) -> bool:
    """A move is asked for at the meter that ends; its other row only says the same."""
    return not (isinstance(entry.action, MoveMeter) and entry.action.to == meter)


def require_next(last: dict[str, int], table: str, number: int, entry: int, what: str) -> None:
    """Numbers are counted on, and none is left out."""
    before = last.get(table, 0)
    if number != before + 1:
        text = f"{what} {number} after {what} {before}"
        raise Difference(text, entry=entry, event=f"{what}", field="number")
    last[table] = number
