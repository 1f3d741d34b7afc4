"""A finished round rebuilt from the ledger for a dispute, step by step.

Who, when, what in the words of the pit log and by which clauses: sensor edges, keys, cards, what
the meter did and what was refused, each in its place; then what every seat got and why, and the
rows of the ledger, with their hashes, that all of it rests on.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.controller import events as c
from riverboat.core.errors import NotationError
from riverboat.core.money import MeterUnits
from riverboat.floor.codec import (
    METER,
    TABLE,
    EntryRow,
    MeterEntry,
    Opener,
    RefusedEntry,
    TableRow,
    read_meter_body,
    spelled,
)
from riverboat.floor.disputes import DisputeRecord, dispute_of, evidence_of, rows_of_round
from riverboat.floor.secret import MasterSecret
from riverboat.floor.station import Station, StationEntry, apply, new_station, remember
from riverboat.ledger import Ledger, Row
from riverboat.meter import events as le
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.rulebook import Rulebook
from riverboat.table import events as e
from riverboat.table.day import Books, Day, new_day
from riverboat.wording.clauses import grounds, relevant
from riverboat.wording.explaining import Explanation, explain
from riverboat.wording.key_words import controller_said
from riverboat.wording.meter_events import meter_said
from riverboat.wording.reckoning import Stood
from riverboat.wording.record import Told, refused_words, who
from riverboat.wording.table_events import words_of

Kind: TypeAlias = Literal["done", "sensor", "key", "meter", "refused"]
_OF_THE_METER = (r.RoundOpened, r.MeterContributed, r.ContributionReversed)
"""At a table with a link its meter says this, with the amount that is true there."""


class MeterSeen(Struct, frozen=True):
    """The meter of a linked round: what it stood at when the round began, and when it was over."""

    name: str
    before_units: MeterUnits
    after_units: MeterUnits


class Step(Struct, frozen=True):
    """One thing that happened, or was refused, when it was put down, and the row that says so."""

    seq: int
    entry: int
    at: int
    who: str
    kind: Kind
    what: str
    cites: tuple[str, ...]


class Replayed(NamedTuple):
    """A finished round: its steps, its results and what they rest on."""

    table: str
    number: int
    book: Rulebook
    day: Day
    started: e.RoundStarted
    steps: tuple[Step, ...]
    results: tuple[Explanation, ...]
    players: dict[int, str]
    meter: MeterSeen | None
    rows: tuple[Row, ...]
    evidence: str
    dispute: DisputeRecord

    @property
    def is_void(self) -> bool:
        """Whether no hand counts."""
        return self.day.playing.phase == "void"

    @property
    def frozen(self) -> bool | None:
        """Whether the evidence is still what a dispute froze; None where there is no dispute."""
        opened = self.dispute.opened
        return None if opened is None else opened.evidence == self.evidence


def tables_with(ledger: Ledger, number: int) -> list[str]:
    """The tables that have played a round of this number."""
    mark = f'"number":{number},'
    found: dict[str, None] = {}
    for row in ledger.read_all():
        if row.stream.startswith(TABLE) and '"round_started"' in row.body and mark in row.body:
            found[row.stream.removeprefix(TABLE)] = None
    return sorted(found)


def replay_round(
    ledger: Ledger, books: Books, secret: MasterSecret | None, table: str, number: int
) -> Replayed:
    """One finished round of a table."""
    rows = rows_of_round(ledger, table, number)
    story = _Story(ledger, books, secret, table, number)
    story.tell(rows)
    assert story.started is not None
    assert story.before is not None
    day = story.station.day
    return Replayed(
        table=table,
        number=number,
        book=day.playing.setup.book,
        day=day,
        started=story.started,
        steps=tuple(story.steps),
        results=explain(day.playing, stood=story.meter.stood if story.meter else {}),
        players=dict(story.before.seated),
        meter=story.seen(rows),
        rows=tuple(rows),
        evidence=evidence_of(rows),
        dispute=dispute_of(ledger, table, number),
    )


class _Story:
    """Goes through a table's stream up to the end of a round and tells that round."""

    def __init__(
        self,
        ledger: Ledger,
        books: Books,
        secret: MasterSecret | None,
        table: str,
        number: int,
    ) -> None:
        self.ledger, self.table, self.number = ledger, table, number
        self.opener = Opener.of_table(ledger, secret, table)
        self.station = new_station(new_day(table, books))
        self.before: Day | None = None
        self.started: e.RoundStarted | None = None
        self.began = 0
        """The row that started the round."""
        self.steps: list[Step] = []
        self.meter: MeterStory | None = None

    def seen(self, rows: Sequence[Row]) -> MeterSeen | None:
        """The meter's part of the round; None where the table plays for none."""
        name = self.station.link
        if not name:
            return None
        meter = self.meter or MeterStory(self.ledger, name)
        began = MeterStory(self.ledger, name).before(self.began)
        return MeterSeen(name, began.meter.units, meter.before(rows[-1].seq + 1).meter.units)

    def tell(self, rows: Sequence[Row]) -> None:
        """Every row of the table up to the round's last; those of the round in words."""
        own = {row.seq for row in rows}
        beside = [row for row in rows if not row.stream.startswith(TABLE)]
        for row in self.ledger.read(TABLE + self.table):
            if row.seq > rows[-1].seq:
                break
            while beside and beside[0].seq < row.seq:
                self._tell_beside(beside.pop(0))
            self._tell_table(row, own=row.seq in own)
        for row in beside:
            self._tell_beside(row)
        self.steps.sort(key=lambda step: step.seq)

    def _tell_beside(self, row: Row) -> None:
        match self.opener.open(row):
            case EntryRow(_, name, MeterEntry() as entry):
                self.steps += self._meter_steps(row, name, entry)
            case EntryRow(_, _, RefusedEntry() as entry):
                self.steps.append(_refused_step(row, entry, self.station.day))

    def _tell_table(self, row: Row, *, own: bool) -> None:
        opened = self.opener.open(row)
        assert isinstance(opened, TableRow)
        if opened.sealed:
            text = f"entry {opened.sealed[0].number} of {self.table} is sealed; give the secret"
            raise NotationError("stored.sealed", text)
        for entry in opened.entries:
            before = self.station
            self.station = remember(before, entry)
            for event in entry.events:
                if isinstance(event, e.RoundStarted) and event.number == self.number:
                    self._require_cards(event)
                    self.before, self.started, self.began = before.day, event, row.seq
            if own and self.began:
                self.steps += _steps(row, entry, before, self.station)

    def _require_cards(self, started: e.RoundStarted) -> None:
        if self.opener.keys.is_lost(self.table, started.commitment):
            text = (
                f"the cards of round {started.number} of {self.table} were lost with the floor's "
                "secret before it was over; it is void, and what was wagered went back"
            )
            raise NotationError("round.cards_lost", text)

    def _meter_steps(self, row: Row, name: str, entry: MeterEntry) -> Iterator[Step]:
        if self.meter is None or self.meter.name != name:
            self.meter = MeterStory(self.ledger, name)
        cites = _link_cites(self.station.day)
        for event, before, after in self.meter.follow(row.seq, entry):
            words = f"Meter {name}: {meter_said(event, before, after)}"
            at = row.recorded_at
            yield Step(row.seq, entry.entry, at, who(entry.by), "meter", words, cites)


class MeterStory:
    """A meter's stream beside a round that is told, read once in its order: what it stood at, and
    what it gave."""

    def __init__(self, ledger: Ledger, name: str) -> None:
        self.name = name
        self.stood: dict[int, Stood] = {}
        self._rows = iter(ledger.read(METER + name))
        self._ahead = next(self._rows, None)
        self._link = Link()

    def before(self, seq: int) -> Link:
        """The link as it stood before a row; rows are asked for in their order."""
        while self._ahead is not None and self._ahead.seq < seq:
            entry = spelled(self._ahead, read_meter_body(self._ahead.body))
            self._link = reduce(apply_to_meter, entry.events, self._link)
            self._ahead = next(self._rows, None)
        return self._link

    def follow(self, seq: int, entry: MeterEntry) -> Iterator[tuple[le.AnyMeterEvent, Link, Link]]:
        """Each event of a row of the round, with the link before and after it."""
        link = self.before(seq)
        for event in entry.events:
            after = apply_to_meter(link, event)
            match event:
                case le.AwardFixed():
                    self.stood[event.seat] = (link.meter, None)
                case le.MeterMoved() if (seat := link.awards[event.award].fixed.seat) in self.stood:
                    self.stood[seat] = (self.stood[seat][0], after.meter)
            yield event, link, after
            link = after


def _steps(row: Row, entry: StationEntry, before: Station, after: Station) -> Iterator[Step]:
    stood = before
    for event in entry.events:
        step = _step(row, entry, event, before, after, stood)
        if step is not None:
            yield step
        stood = apply(stood, event)


def _step(
    row: Row, entry: StationEntry, event: Any, before: Station, after: Station, stood: Station
) -> Step | None:
    if isinstance(event, e.TimeTold):
        return None
    kind: Kind = "done"
    if isinstance(event, c.ControllerEvent):
        kind, words, cites = controller_said(event, stood.day.round)
    elif after.link and isinstance(event, _OF_THE_METER):
        return None
    else:
        told = Told(event, entry.by, before.day, after.day)
        words, cites = words_of(told), grounds(told)
    doer = who(Told(event, entry.by, stood.day, after.day).doer)
    return Step(row.seq, entry.number, row.recorded_at, doer, kind, words, cites)


def _refused_step(row: Row, entry: RefusedEntry, day: Day) -> Step:
    words = f"{refused_words(_asked_words(entry), entry.words)} ({entry.code})"
    cites = relevant(day, entry.cites) if entry.cites else ()
    return Step(row.seq, 0, row.recorded_at, who(entry.by), "refused", words, cites)


def _asked_words(entry: RefusedEntry) -> str:
    action = entry.action
    if action is None:
        return ""
    name = str(type(action).__struct_config__.tag).replace("_", " ")
    seat = getattr(action, "seat", 0)
    return f"{name}, seat {seat}" if seat else name


def _link_cites(day: Day) -> tuple[str, ...]:
    rule = day.configuration.book.progressive if day.configuration is not None else None
    return rule.contribution.cites if rule is not None else ()
