"""The one place with side effects in order: decide, append, publish.

A command that was carried out before is recognised by its id, where it is written and before it is
refused. What it does to a table and to its meter is written in one transaction; only then is it
told. Any number of floors, in
any number of processes, work on the same ledger: none of them owns a table.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from riverboat.core.errors import NotationError, Refused
from riverboat.core.shuffling import Entropy, fresh_salts, fresh_word, shuffle
from riverboat.core.well_formed import require_texts
from riverboat.evidence.round_file import tells_cards
from riverboat.floor.codec import (
    METER,
    NOTHING_NEW,
    REFUSED,
    REFUSED_METER,
    TABLE,
    AnyEntry,
    MasterSecret,
    MeterEntry,
    RefusedEntry,
    RefusedKeeping,
    asked_at_table,
    asked_text,
    meter_entry,
    read_meter_body,
    read_table_body,
    table_body,
    written,
)
from riverboat.floor.keeping import kept, require_keeping, tables_to_ask_again
from riverboat.floor.starting import PACKAGE, Started, start
from riverboat.floor.station import (
    AnyAsked,
    Decided,
    Station,
    StationEntry,
    decide,
    new_station,
    remember,
    require_asked,
)
from riverboat.keeping.actions import AnyMeterAction
from riverboat.ledger import (
    ChainBroken,
    Command,
    Folded,
    FoldedStreams,
    Ledger,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    Reading,
    Receipt,
    Row,
    StaleVersion,
    Write,
)
from riverboat.meter.events import AnyMeterEvent, Contributed
from riverboat.meter.operations import UnreasonableContribution
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.rulebook.values import table_called
from riverboat.table import actions as a
from riverboat.table.day import Books, new_day
from riverboat.table.people import SYSTEM, Actor

TRIES: Final = 20
_CHUNK: Final = 1_000
_TICK_SECONDS: Final = 30
_NAMED: Final = 40

Clock = Callable[[], int]
State = TypeVar("State")


class Answer(NamedTuple):
    """What a command came to; `repeated` where it had been carried out before."""

    entries: tuple[StationEntry, ...]
    meter_events: tuple[AnyMeterEvent, ...]
    seq: int
    repeated: bool = False


class _Plan(NamedTuple):
    """What a command comes to at a table as it is known, before it is written."""

    known: Folded[Station]
    decided: Decided
    entries: tuple[StationEntry, ...]
    writes: tuple[Write, ...]


class Floor:
    """Tables and meters on a ledger."""

    def __init__(
        self,
        ledger: Ledger,
        books: Books,
        secret: MasterSecret,
        *,
        clock: Clock = lambda: int(time.time()),
        entropy: Entropy = os.urandom,
        package: Path = PACKAGE,
    ) -> None:
        self.ledger, self.books, self.secret = ledger, books, secret
        self.clock, self.entropy, self.package = clock, entropy, package
        self._started: Started | None = None
        self._wrong: LedgerError | None = None
        self.tables = FoldedStreams(
            ledger,
            lambda stream: self.new_station(stream.removeprefix(TABLE)),
            self._remember_table,
        )
        self.links = FoldedStreams(ledger, lambda stream: Link(), _remember_link)

    def start(self) -> Started:
        """Program, rulebooks and ledger are checked before the first command; where something is
        wrong, this floor takes none."""
        if self._wrong is not None:
            raise self._wrong
        if self._started is None:
            try:
                self._started = start(self.ledger, self.books, self.clock(), self.package)
            except (ChainBroken, LedgerMisfit) as wrong:
                self._wrong = wrong
                raise
        return self._started

    # ---------------------------------------------------------------- what stands now

    def station(self, table: str) -> Station:
        """A table as it stands in the ledger."""
        return self.tables.now(TABLE + table).state

    def link(self, name: str) -> Link:
        """A meter as it stands in the ledger."""
        return self.links.now(METER + name).state

    def new_station(self, table: str) -> Station:
        """A table before anything happened at it."""
        return new_station(new_day(table, self.books))

    def _begin(self, stream: str) -> Station:
        return self.new_station(stream.removeprefix(TABLE))

    def _remember_table(self, station: Station, row: Row) -> Station:
        table = station.day.table
        for entry in read_table_body(row.body, table, self.secret):
            station = remember(station, entry)
        return station

    # ---------------------------------------------------------------- commands at a table

    def ask(self, command_id: str, by: Actor, table: str, action: AnyAsked) -> Answer:
        """Carry out an action at a table: once, however often it is sent."""
        return self._once(self._asked(command_id, by, table, action), by, table, action)

    def earlier(self, command_id: str, by: Actor, table: str, action: AnyAsked) -> Answer | None:
        """What an action came to when it was sent before; None if it was not."""
        return self._recalled(self._asked(command_id, by, table, action))

    def _asked(self, command_id: str, by: Actor, table: str, action: AnyAsked) -> Command:
        require_asked(by, action)
        require_texts(table=table)
        return self._command(command_id, by, asked_at_table(table, action, self.secret.mark_of))

    def _recalled(self, command: Command) -> Answer | None:
        earlier = self.ledger.recall(command)
        return None if earlier is None else self._answer(earlier, repeated=True)

    def _once(self, command: Command, by: Actor, table: str, action: AnyAsked) -> Answer:
        """What was carried out before is found by its id where it is written. Or the table refuses
        it now, mostly because of what it did the first time: so a refusal looks for it before it
        is one."""
        try:
            return self._carry_out(command, by, table, action)
        except Refused as refusal:
            earlier = self._recalled(command)
            if earlier is None:
                self._record_refusal(command, by, table, action, refusal)
                raise
            return earlier

    def _carry_out(self, command: Command, by: Actor, table: str, action: AnyAsked) -> Answer:
        """Decided on the table as it is known here, which the ledger holds against its version; it
        is read only where somebody else wrote meanwhile, and before a refusal."""
        known = self.tables.known(TABLE + table)
        for _ in range(TRIES):
            try:
                return self._write(command, by, action, known)
            except (Refused, StaleVersion) as problem:
                newest = self.tables.now(TABLE + table)
                if isinstance(problem, Refused) and newest.version == known.version:
                    raise
                known = newest
        text = f"{table_called(table)} is too busy: {TRIES} tries were overtaken"
        raise LedgerUnavailable("ledger.busy", text)

    def _write(
        self, command: Command, by: Actor, action: AnyAsked, known: Folded[Station]
    ) -> Answer:
        plan = self._plan(command, by, action, known, lambda name: self.links.now(METER + name))
        if not _needs_turn(plan.decided):
            return self._published(self.ledger.append(command, *plan.writes), plan)
        return self._in_turn(command, by, action, known)

    def _plan(
        self,
        command: Command,
        by: Actor,
        action: AnyAsked,
        known: Folded[Station],
        links: Callable[[str], Folded[Link]],
    ) -> "_Plan":
        """What a command writes: the table's part and, in the same breath, the meter's.

        Time enters as an entry of its own, when enough of it has passed. Contributions commute, so
        that they expect no version of the meter. Who reads the row need not fold it again.
        """
        station, entries = known.state, list[StationEntry]()
        if command.recorded_at - station.day.now >= _TICK_SECONDS:
            told = decide(station, None, SYSTEM, a.TellTime(at=command.recorded_at))
            station, entries = told.station, [told.entry]
        link = links(station.link).state if station.link else None
        decided = decide(station, link, by, action)
        entries.append(decided.entry)
        table, in_play = station.day.table, commitment_in_play(known.state)
        bodies = [table_body(entry, in_play, table, self.secret)[1:-1] for entry in entries]
        body = f"[{','.join(bodies)}]"
        self.tables.hand_on(TABLE + table, known.version + 1, body, decided.station)
        writes = [Write(stream=TABLE + table, expected_version=known.version, body=body)]
        if decided.meter_events:
            writes.append(written(METER + decided.station.link, meter_entry(decided)))
        return _Plan(known, decided, tuple(entries), tuple(writes))

    def _in_turn(
        self, command: Command, by: Actor, action: AnyAsked, known: Folded[Station]
    ) -> Answer:
        """An award is decided on the meter as it is, while nobody else writes."""
        stream, plans = TABLE + known.state.day.table, list[_Plan]()

        def now(reading: Reading) -> tuple[Write, ...]:
            table = self._caught_up(reading, self.tables, stream)
            plans[:] = [
                self._plan(
                    command, by, action, table,
                    lambda name: self._caught_up(reading, self.links, METER + name),
                )
            ]  # fmt: skip
            return plans[0].writes

        receipt = self.ledger.append_in_turn(command, now)
        return self._published(receipt, plans[0] if plans else None)

    def _caught_up(
        self, reading: Reading, streams: FoldedStreams[State], stream: str
    ) -> Folded[State]:
        known = streams.known(stream)
        while rows := reading.read(stream, known.version, _CHUNK):
            known = streams.remember(stream, known, rows)
        return known

    def _published(self, receipt: Receipt, plan: "_Plan | None") -> Answer:
        if receipt.repeated or plan is None:
            return self._answer(receipt.rows, repeated=receipt.repeated)
        self.tables.remember(receipt.rows[0].stream, plan.known, [receipt.rows[0]])
        return Answer(plan.entries, plan.decided.meter_events, receipt.rows[-1].seq)

    def _answer(self, rows: tuple[Row, ...], *, repeated: bool) -> Answer:
        entries: list[StationEntry] = []
        events: list[AnyMeterEvent] = []
        for row in rows:
            if row.stream.startswith(TABLE):
                name = row.stream.removeprefix(TABLE)
                entries += read_table_body(row.body, name, self.secret)
            elif row.stream.startswith(METER):
                events += read_meter_body(row.body).events
        return Answer(tuple(entries), tuple(events), rows[-1].seq, repeated)

    def _record_refusal(
        self, command: Command, by: Actor, table: str, action: AnyAsked, refusal: Refused
    ) -> None:
        """What was refused is on record too; it is no answer to a retry, which is judged anew."""
        station = self.tables.known(TABLE + table).state
        entry = RefusedEntry(
            by=by,
            at=command.recorded_at,
            round=station.day.round_number if station.day.in_round else 0,
            code=refusal.code,
            words=str(refusal),
            cites=refusal.cites,
            action=None if tells_cards(msgspec.to_builtins(action)) else action,
        )
        alarms: list[Write] = []
        if isinstance(refusal, UnreasonableContribution):
            alarm = MeterEntry(by=by, at=entry.at, events=(refusal.alarm,), table=table)
            alarms.append(written(METER + station.link, alarm))
        self._note(command, REFUSED + table, entry, *alarms)

    def _record_refused_keeping(
        self, command: Command, by: Actor, name: str, action: AnyMeterAction, refusal: Refused
    ) -> None:
        entry = RefusedKeeping(
            by=by,
            at=command.recorded_at,
            code=refusal.code,
            words=str(refusal),
            cites=refusal.cites,
            action=action,
        )
        self._note(command, REFUSED_METER + name, entry)

    def _note(self, command: Command, stream: str, entry: AnyEntry, *more: Write) -> None:
        """A refused command under an id of its own, so that it can be sent again."""
        number = self.ledger.version(stream)
        name = f"{command.id[:_NAMED]} refused {number} {os.urandom(4).hex()}"
        noted = msgspec.structs.replace(command, id=name)
        self.ledger.append(noted, written(stream, entry), *more)

    # ---------------------------------------------------------------- the machine's own part

    def seal_deck(self, command_id: str, table: str, deck: str) -> Answer:
        """Shuffle a deck with the system's entropy, draw the house's word for its cut, and commit
        to both."""
        require_texts(table=table, deck=deck)
        command = self._command(command_id, SYSTEM, {"table": table, "seal": deck})
        order, salts = shuffle(self.entropy), fresh_salts(self.entropy)
        sealing = a.SealDeck(deck=deck, order=order, salts=salts, word=fresh_word(self.entropy))
        return self._once(command, SYSTEM, table, sealing)

    # ---------------------------------------------------------------- commands at a meter

    def keep(self, command_id: str, by: Actor, name: str, action: AnyMeterAction) -> Answer:
        """Carry out what keepers of a meter ask for: set up, join, adjust, move, retire."""
        require_keeping(by, action)
        require_texts(name=name)
        command = self._command(command_id, by, {"meter": name, "ask": action})
        earlier = self.ledger.recall(command)
        if earlier is not None:
            return self._answer(earlier, repeated=True)
        try:
            receipt = self.ledger.append_in_turn(
                command, lambda reading: self._kept(reading, command, name, by, action)
            )
        except Refused as refusal:
            self._record_refused_keeping(command, by, name, action, refusal)
            raise
        return self._answer(receipt.rows, repeated=receipt.repeated)

    def _kept(
        self, reading: Reading, command: Command, name: str, by: Actor, action: AnyMeterAction
    ) -> tuple[Write, ...]:
        def link(meter: str) -> Link:
            return self._caught_up(reading, self.links, METER + meter).state

        def station(table: str) -> Station:
            return self._caught_up(reading, self.tables, TABLE + table).state

        told = kept(name, by, action, link, station)
        at = command.recorded_at
        meters = [
            written(METER + meter, MeterEntry(by=by, at=at, events=events, action=action))
            for meter, events in told.items()
        ]
        tables = [
            Write(stream=TABLE + table, expected_version=None, body=NOTHING_NEW)
            for table in tables_to_ask_again(action, link(name))
        ]
        return (*meters, *tables)

    # ---------------------------------------------------------------- what a command is

    def _command(self, command_id: str, by: Actor, asked: object) -> Command:
        require_texts(command_id=command_id)
        self.start()
        if not command_id:
            raise NotationError("command.no_id", "a command needs an id of its own")
        return Command(
            id=command_id,
            actor=msgspec.json.encode(by).decode(),
            recorded_at=self.clock(),
            text=asked_text(asked).decode(),
        )


def _needs_turn(decided: Decided) -> bool:
    """Whether what follows depends on the meter as it is; contributions alone do not."""
    return any(not isinstance(event, Contributed) for event in decided.meter_events)


def commitment_in_play(station: Station) -> int:
    """The commitment whose cards the open round is played with; 0 where there is none."""
    deck = station.day.deck_in_play
    return deck.sealed.number if deck is not None and deck.sealed is not None else 0


def _remember_link(link: Link, row: Row) -> Link:
    for event in read_meter_body(row.body).events:
        link = apply_to_meter(link, event)
    return link
