"""A finished round rebuilt from the ledger for a dispute, step by step.

Who, when, what in the words of the pit log and by which clauses: sensor edges, keys, cards, what
the meter did and what was refused, each in its place; then what every seat got and why, and the
rows of the ledger, with their hashes, that all of it rests on.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from riverboat import events as r
from riverboat.days.grounds import Told, grounds, relevant
from riverboat.days.pit_log import who
from riverboat.days.together import words_of
from riverboat.errors import NotationError
from riverboat.evidence.exporting import Books
from riverboat.floor.bodies import MeterEntry, RefusedEntry
from riverboat.floor.controller_words import controller_said, meter_said
from riverboat.floor.disputes import DisputeRecord, dispute_of, evidence_of
from riverboat.floor.floor import TABLE
from riverboat.floor.keys import MasterSecret
from riverboat.floor.meter_story import MeterStory
from riverboat.floor.opened_rows import MeterRow, Opener, RefusedRow, TableRow
from riverboat.floor.round_rows import rows_of_round
from riverboat.floor.station import Station, StationEntry, apply, new_station, remember
from riverboat.games.explaining import Explanation, explain
from riverboat.ledger import Ledger, Row
from riverboat.money import MeterUnits
from riverboat.naming import table_called
from riverboat.progressive import events as c
from riverboat.rulebook import Rulebook
from riverboat.table import events as e
from riverboat.table.day import Day, new_day

Kind: TypeAlias = Literal["done", "sensor", "key", "meter", "refused"]
_OF_THE_METER = (r.RoundOpened, r.MeterContributed, r.ContributionReversed)
"""At a table with a link its meter says this, with the amount that is true there."""


class MeterSeen(NamedTuple):
    """The meter of a linked round: what it stood at when the round began, and when it was over."""

    name: str
    before_units: MeterUnits
    after_units: MeterUnits


class Step(NamedTuple):
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
    story.tell({row.seq for row in rows})
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
        self.steps: list[Step] = []
        self.meter: MeterStory | None = None

    def seen(self, rows: Sequence[Row]) -> MeterSeen | None:
        """The meter's part of the round; None where the table plays for none."""
        name = self.station.link
        if not name:
            return None
        meter = self.meter or MeterStory(self.ledger, self.opener, name)
        own = [row for row in rows if row.stream == TABLE + self.table]
        began = MeterStory(self.ledger, self.opener, name).before(_start_of(own, self.number))
        return MeterSeen(name, began.meter.units, meter.before(rows[-1].seq + 1).meter.units)

    def tell(self, seqs: set[int]) -> None:
        """Every row of the table up to the round's last; those of the round in words."""
        first, last = self._bounds(seqs)
        beside = [row for seq in sorted(seqs) if (row := self._beside(seq)) is not None]
        for row in self.ledger.read(TABLE + self.table):
            if row.seq > last:
                break
            while beside and beside[0].seq < row.seq:
                self._tell_beside(beside.pop(0))
            self._tell_table(row, own=row.seq >= first and row.seq in seqs)
        for row in beside:
            self._tell_beside(row)
        self.steps.sort(key=lambda step: step.seq)

    def _bounds(self, seqs: set[int]) -> tuple[int, int]:
        """The rows of the table itself, from the one that started the round."""
        for row in self.ledger.read(TABLE + self.table):
            started = '"round_started"' in row.body and f'"number":{self.number},' in row.body
            if started and row.seq in seqs:
                return row.seq, max(seqs)
        text = f"{table_called(self.table)} has no round {self.number}"
        raise NotationError("round.unknown", text)

    def _beside(self, seq: int) -> Row | None:
        """A row of the round in another stream than the table's."""
        row = self.ledger.store.read_all(seq - 1, 1)[0]
        return None if row.stream.startswith(TABLE) else row

    def _tell_beside(self, row: Row) -> None:
        match self.opener.open(row):
            case MeterRow(_, name, entry):
                self.steps += self._meter_steps(row, name, entry)
            case RefusedRow(_, _, entry):
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
                    self.before, self.started = before.day, event
            if own:
                self.steps += _steps(row, entry, before, self.station)

    def _meter_steps(self, row: Row, name: str, entry: MeterEntry) -> Iterator[Step]:
        if self.meter is None or self.meter.name != name:
            self.meter = MeterStory(self.ledger, self.opener, name)
        cites = _link_cites(self.station.day)
        for event, before, after in self.meter.follow(row.seq, entry):
            words = f"Meter {name}: {meter_said(event, before, after)}"
            at = row.recorded_at
            yield Step(row.seq, entry.entry, at, who(entry.by), "meter", words, cites)


def _start_of(rows: Sequence[Row], number: int) -> int:
    """The row that started the round."""
    mark = f'"number":{number},'
    found = [x.seq for x in rows if '"round_started"' in x.body and mark in x.body]
    return found[0] if found else rows[0].seq


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
    asked = _asked_words(entry)
    words = f"REFUSED{asked}: {'; '.join(entry.words.splitlines())} ({entry.code})"
    cites = relevant(day, entry.cites) if entry.cites else ()
    return Step(row.seq, 0, row.recorded_at, who(entry.by), "refused", words, cites)


def _asked_words(entry: RefusedEntry) -> str:
    action = entry.action
    if action is None:
        return ""
    name = str(type(action).__struct_config__.tag).replace("_", " ")
    seat = getattr(action, "seat", 0)
    return f" ({name}{f', seat {seat}' if seat else ''})"


def _link_cites(day: Day) -> tuple[str, ...]:
    rule = day.configuration.book.progressive if day.configuration is not None else None
    return rule.contribution.cites if rule is not None else ()
