"""A meter's books: its history, its identity by gaming day and by table, and what it owes.

A meter's identity is contributions - reversed + seeds + reserve transfers - awards + adjustments =
meter. It is held by meter, by table and by gaming day against the amounts that the meter's own
events moved, which are added up apart from the sums that the meter keeps of itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, Final, NamedTuple, Self, get_args

from msgspec import Struct
from msgspec.structs import asdict

from riverboat.controller import events as c
from riverboat.controller.engine import table_postings
from riverboat.core.errors import NotationError
from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits, format_cents
from riverboat.floor.codec import MeterEntry
from riverboat.floor.station import Station, apply
from riverboat.meter import events as le
from riverboat.meter.books import Posting, Reconciliation, identity, reconcile, reserve_identity
from riverboat.meter.state import Link, Totals
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.round.settlement.postings import CAGE, TRAY, player
from riverboat.table import events as e
from riverboat.wording.meter_events import meter_said
from riverboat.wording.record import who

ITSELF: Final = ""
"""Where no table but a keeper of the meter moved it."""
_REASONS: Final = (le.Adjusted, le.BackedOut, le.MovedOut, le.MovedIn, le.Retired)


class HistoryLine(Struct, frozen=True):
    """One thing that happened to a meter, or for it: who, when, where, why, and by how much."""

    seq: int
    number: int
    at: int
    day: str
    who: str
    table: str
    kind: str
    words: str
    why: str
    units: MeterUnits
    after_units: MeterUnits


class Moves(Struct, kw_only=True):
    """What moved a meter in some part of its life, by kind; and how far it really moved."""

    totals: Totals = Totals()
    units: MeterUnits = 0
    reserve_units: MeterUnits = 0

    @property
    def difference(self) -> MeterUnits:
        """How far the identity is off; nothing where it balances."""
        return self.units - identity(self.totals)

    @property
    def reserve_difference(self) -> MeterUnits:
        """The same of the reserve."""
        return self.reserve_units - reserve_identity(self.totals)

    def add(self, totals: Totals, units: MeterUnits, reserve_units: MeterUnits) -> None:
        """More that happened in this part."""
        more = asdict(totals)
        self.totals = Totals(
            **{name: cents + more[name] for name, cents in asdict(self.totals).items()}
        )
        self.units += units
        self.reserve_units += reserve_units


class Owed(NamedTuple):
    """What the house owes to players for a meter, in units."""

    meter: MeterUnits
    reserve: MeterUnits
    queued: MeterUnits
    unpaid: MeterUnits
    """Awards that left the meter and are not paid yet."""
    paid_ahead: MeterUnits
    """Awards that are paid and have not left the meter yet: what it shows is no longer owed."""
    registered: MeterUnits = 0
    """What it still owed when it was retired, which stays owed."""

    @property
    def liability(self) -> MeterUnits:
        """All of it."""
        held = self.meter + self.reserve + self.queued + self.registered
        return held + self.unpaid - self.paid_ahead


def owed(link: Link) -> Owed:
    """What a meter owes as it stands."""
    waiting = link.queued
    standing = [award for award in link.awards.values() if not award.backed_out]
    unpaid = sum(award.fixed.cents for award in standing if award.moved and not award.paid)
    ahead = sum(award.fixed.cents for award in standing if award.paid and not award.moved)
    return Owed(
        meter=link.meter.units,
        reserve=link.meter.reserve_units,
        queued=waiting.units + waiting.reserve_units,
        unpaid=unpaid * METER_UNITS_PER_CENT,
        paid_ahead=ahead * METER_UNITS_PER_CENT,
    )


class MeterDay(Struct, frozen=True, kw_only=True):
    """A meter's gaming day, in units of which ten thousand are a cent: what it opened with, what
    the tables and its keepers moved, what that comes to, and the link as the day left it."""

    link: Link
    opening: MeterUnits
    reserve_opening: MeterUnits
    moves: Moves
    tables: tuple[tuple[str, Moves], ...] = ()
    registered: MeterUnits = 0

    @property
    def closing(self) -> MeterUnits:
        """What it came to by what really moved."""
        return self.opening + self.moves.units

    @property
    def reserve_closing(self) -> MeterUnits:
        """The same of the reserve."""
        return self.reserve_opening + self.moves.reserve_units

    @property
    def owed(self) -> Owed:
        """What players are owed at the end of the day."""
        held = owed(self.link)
        return held._replace(
            meter=self.closing, reserve=self.reserve_closing, registered=self.registered
        )


class MeterBook:
    """A meter: as it stands, all that happened to it, and its identity in three cuts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.link = Link()
        self.events: list[le.AnyMeterEvent] = []
        self.history: list[HistoryLine] = []
        self.cuts: dict[tuple[str, str], Moves] = {}
        self.ends: dict[str, Link] = {}
        """The link as each gaming day left it, in the order of the days."""
        self.envy_cents: Cents = 0
        self.registered: dict[str, MeterUnits] = {}
        """What was registered as owed when the meter was retired, by gaming day."""

    @property
    def reconciliation(self) -> Reconciliation:
        """The identity over the meter's whole life."""
        return reconcile(self.link)

    @property
    def owed(self) -> Owed:
        """What it owes to players now."""
        return owed(self.link)._replace(registered=sum(self.registered.values()))

    @property
    def by_day(self) -> dict[str, Moves]:
        """The identity by gaming day."""
        return _summed((day, moves) for (day, _), moves in self.cuts.items())

    @property
    def by_table(self) -> dict[str, Moves]:
        """The identity by table."""
        return _summed((table, moves) for (_, table), moves in self.cuts.items())

    @property
    def balances(self) -> bool:
        """Whether every cut of the identity comes out to the unit."""
        meter = self.link.meter
        parts = list(self.cuts.values())
        moved = sum(one.units for one in parts) == meter.units
        reserved = sum(one.reserve_units for one in parts) == meter.reserve_units
        inside = not any(one.difference or one.reserve_difference for one in parts)
        return moved and reserved and inside and self.reconciliation.balances

    def day(self, date: str) -> MeterDay:
        """The meter's part of a gaming day; a day on which nothing moved it is there too."""
        days = self.by_day
        before = Moves()
        last = Link()
        for name in _until(days, date):
            moves = days[name]
            before.add(moves.totals, moves.units, moves.reserve_units)
            last = self.ends[name]
        tables = [(table, m) for (day, table), m in self.cuts.items() if day == date]
        until = {*_until(days, date), date}
        return MeterDay(
            link=self.ends.get(date, last),
            opening=before.units,
            reserve_opening=before.reserve_units,
            moves=days.get(date, Moves()),
            tables=tuple(sorted(tables, key=lambda one: (one[0] == ITSELF, one[0]))),
            registered=sum(units for day, units in self.registered.items() if day in until),
        )

    def copied(self) -> Self:
        """The books as they are now, which stay so when more is told."""
        other = copy(self)
        other.events, other.history = list(self.events), list(self.history)
        other.cuts = {place: copy(moves) for place, moves in self.cuts.items()}
        other.ends, other.registered = dict(self.ends), dict(self.registered)
        return other

    def tell(self, seq: int, entry: MeterEntry, day: str, after: Link | None = None) -> None:
        """One more entry of the meter's stream, on a gaming day; and the link after it, where
        somebody has it already."""
        last = len(entry.events) - 1
        for place, event in enumerate(entry.events):
            before, known = self.link, after if place == last else None
            self.link = known or apply_to_meter(before, event)
            self.events.append(event)
            self._note(seq, entry, day, event, before)
            if isinstance(event, le.Retired):
                self.registered[day] = event.units + event.reserve_units
            _cut(self.cuts, day, before, self.link)
            self.ends[day] = self.link

    def _note(
        self, seq: int, entry: MeterEntry, day: str, event: le.AnyMeterEvent, before: Link
    ) -> None:
        after = self.link
        self.history.append(
            HistoryLine(
                seq=seq,
                number=len(self.events),
                at=entry.at,
                day=day,
                who=who(entry.by),
                table=entry.table,
                kind=str(type(event).__struct_config__.tag),
                words=meter_said(event, before, after),
                why=event.reason if isinstance(event, _REASONS) else "",
                units=after.meter.units - before.meter.units,
                after_units=after.meter.units,
            )
        )


def _until(days: Iterable[str], date: str) -> Iterator[str]:
    """The days before one; of one that the meter does not know, those with an earlier date."""
    names = list(days)
    if date in names:
        yield from names[: names.index(date)]
    else:
        yield from (name for name in names if name < date or not name[:1].isdigit())


def _summed(parts: Iterable[tuple[str, Moves]]) -> dict[str, Moves]:
    found: dict[str, Moves] = {}
    for name, moves in parts:
        whole = found.setdefault(name, Moves())
        whole.add(moves.totals, moves.units, moves.reserve_units)
    return found


def _minus(after: Totals, before: Totals) -> Totals:
    was = asdict(before)
    return Totals(**{name: value - was[name] for name, value in asdict(after).items()})


def _cut(cuts: dict[tuple[str, str], Moves], day: str, before: Link, after: Link) -> None:
    """Each table's part by its own sums; what no table's sums explain, the meter itself did."""
    if after.totals is before.totals and after.meter == before.meter:
        return
    rest = _minus(after.totals, before.totals)
    units = after.meter.units - before.meter.units
    reserve = after.meter.reserve_units - before.meter.reserve_units
    for table, totals in after.by_table.items():
        was = before.by_table.get(table, Totals())
        if totals is was:
            continue
        own = _minus(totals, was)
        came, kept = identity(own), reserve_identity(own)
        cuts.setdefault((day, table), Moves()).add(own, came, kept)
        rest, units, reserve = _minus(rest, own), units - came, reserve - kept
    if rest != Totals() or units or reserve:
        cuts.setdefault((day, ITSELF), Moves()).add(rest, units, reserve)


DROP_BOX: Final = "drop_box"
COUNT_ROOM: Final = "count_room"
_OF_ROUNDS: Final = frozenset(kind for kind in get_args(r.AnyEvent) if kind is not r.RoundOpened)
_OF_AWARDS: Final = frozenset((c.AwardGiven, c.AwardTakenBack))
_OF_TRAYS: Final = frozenset((e.ChipsFilled, e.ChipsCredited, e.BoughtIn, e.BoxDropped))
_MOVING: Final = _OF_ROUNDS | _OF_AWARDS | _OF_TRAYS
"""The only kinds of events that can move money; looked up, because most move none."""


def money_of(station: Station, events: Sequence[Any]) -> Iterator[tuple[Any, tuple[Posting, ...]]]:
    """Each event that moved money, with its postings, from the table as it stood before them."""
    if _MOVING.isdisjoint(map(type, events)):
        return
    last = len(events) - 1
    for place, event in enumerate(events):
        if moved := moved_by(station, event):
            yield event, moved
        if place < last:
            station = apply(station, event)


def moved_by(station: Station, event: Any) -> tuple[Posting, ...]:
    """What one event moved at a table, as it stood before it."""
    kind = type(event)
    if kind in _OF_TRAYS:
        return _traffic(event)
    state = station.day.round
    if state is None or kind not in _MOVING:
        return ()
    return table_postings(event, station.controller, state)


def _traffic(event: Any) -> tuple[Posting, ...]:
    match event:
        case e.ChipsFilled():
            return _pair(CAGE, TRAY, event.cents)
        case e.ChipsCredited():
            return _pair(TRAY, CAGE, event.cents)
        case e.BoughtIn():
            chips = _pair(TRAY, player(event.seat), event.cents)
            return (*chips, *_pair(player(event.seat), DROP_BOX, event.cents))
    return _pair(DROP_BOX, COUNT_ROOM, event.cents)


def _pair(source: str, to: str, cents: int) -> tuple[Posting, ...]:
    return (Posting(source, "cent", -cents), Posting(to, "cent", cents))


class CentExplained(NamedTuple):
    """An amount that a meter showed, and the entries that made it, since all of it was last won."""

    meter: str
    units: MeterUnits
    carried_units: MeterUnits
    """What the meter stood at before the first of these entries."""
    lines: tuple[HistoryLine, ...]

    @property
    def agrees(self) -> bool:
        """Whether the entries come to the amount."""
        return self.carried_units + sum(line.units for line in self.lines) == self.units


def explain_cent(book: MeterBook, cents: Cents | None) -> CentExplained:
    """The amount as it is now, or as it last was at so many cents, back to what made it."""
    moved = [line for line in book.history if line.number]
    if not moved:
        raise NotationError("meter.empty", f"nothing has happened to meter {book.name} yet")
    last = len(moved) - 1
    if cents is not None:
        shown = [i for i, x in enumerate(moved) if x.after_units // METER_UNITS_PER_CENT == cents]
        if not shown:
            low, high = _range(moved)
            text = (
                f"meter {book.name} never showed {format_cents(cents)}; it showed {low} to {high}"
            )
            raise NotationError("meter.never", text)
        last = shown[-1]
    story = moved[: last + 1]
    resets = [
        place
        for place, line in enumerate(story)
        if isinstance(event := book.events[line.number - 1], le.MeterMoved) and event.seed_cents
    ]
    first = resets[-1] if resets else 0
    carried = story[first - 1].after_units if first else 0
    lines = tuple(line for line in story[first:] if line.units)
    return CentExplained(book.name, story[-1].after_units, carried, lines)


def _range(lines: Iterable[HistoryLine]) -> tuple[str, str]:
    shown = [line.after_units // METER_UNITS_PER_CENT for line in lines]
    return format_cents(min(shown)), format_cents(max(shown))
