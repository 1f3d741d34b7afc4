"""The one place with side effects in order: decide, append, publish.

A command that was carried out before is recognised by its id, where it is written and before it is
refused. What it does to a table and to its meter is written in one transaction; only then is it
told. Any number of floors, in
any number of processes, work on the same ledger: none of them owns a table.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents
from riverboat.core.shuffling import Entropy, fresh_salts, fresh_word, shuffle
from riverboat.core.well_formed import require_texts
from riverboat.evidence.round_file import tells_cards
from riverboat.floor.codec import (
    METER,
    NOTHING_NEW,
    PURSE,
    REFUSED,
    REFUSED_METER,
    TABLE,
    AnyEntry,
    KeyLost,
    Keys,
    MeterEntry,
    RefusedEntry,
    RefusedKeeping,
    Spent,
    asked_at_table,
    asked_text,
    meter_entry,
    read_meter_body,
    read_table_body,
    table_body,
    taken,
    taken_back,
    written,
)
from riverboat.floor.keeping import kept, require_keeping, tables_to_ask_again
from riverboat.floor.secret import MasterSecret, known_secret
from riverboat.floor.signers import NotCounted, people_of, require_all_count
from riverboat.floor.starting import PACKAGE, Started, start
from riverboat.floor.station import (
    PURSE_FIRST,
    AnyAsked,
    Decided,
    Station,
    StationEntry,
    decide,
    new_station,
    purse_changes,
    remember,
    require_asked,
)
from riverboat.keeping.actions import AnyMeterAction
from riverboat.ledger import (
    ChainBroken,
    Command,
    Folded,
    FoldedStreams,
    HeadKeeper,
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
from riverboat.table.permission import kinds_of_table

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


class ShortPurse(Refused):
    """Somebody bets what they do not have: no matter of the table, whose record has no refusals
    but its own."""


class Purses(Protocol):
    """What people have in hand, on a floor where money is theirs."""

    def spend(self, name: str, cents: Cents) -> int:
        """The version of a purse at which there is so much in it; ShortPurse if there is less."""

    def in_hand(self, name: str) -> tuple[Cents, int]:
        """What was in a purse when it was looked at last, and its version then; 0 for somebody who
        has none."""

    def catch_up(self, reading: Reading | None = None) -> None:
        """Somebody else spent or got money meanwhile: look again."""


class _Plan(NamedTuple):
    """What a command comes to at a table as it is known, before it is written."""

    known: Folded[Station]
    decided: Decided
    entries: tuple[StationEntry, ...]
    writes: tuple[Write, ...]

    @property
    def needs_turn(self) -> bool:
        """Whether what follows depends on what others may be changing: on the meter as it is, which
        contributions alone do not, or on purses out of which is taken what may be there no more."""
        if any(not isinstance(event, Contributed) for event in self.decided.meter_events):
            return True
        takes = any(write.stream.startswith(PURSE) for write in self.writes)
        return takes and not isinstance(self.decided.entry.action, PURSE_FIRST)


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
        self.keys = Keys(ledger, secret)
        self.clock, self.entropy, self.package = clock, entropy, package
        self.purses: Purses | None = None
        """Where people play with money of their own; a floor by itself gives everybody credit."""
        self.heads: HeadKeeper | None = None
        """Whoever signs the ledger's head for its witnesses."""
        self.unasked: list[str] = []
        """What kept witnesses from being asked at the start; they are asked again later."""
        self.on_wrong: Callable[[LedgerError], None] | None = None
        """Told when this floor takes no command any more."""
        self._started: Started | None = None
        self._wrong: LedgerError | None = None
        self.tables = FoldedStreams(
            ledger,
            lambda stream: self.new_station(stream.removeprefix(TABLE)),
            self._remember_table,
        )
        self.links = FoldedStreams(ledger, lambda stream: Link(), _remember_link)

    def start(self) -> Started:
        """Secret, program, rulebooks and ledger are checked before the first command, the ledger
        against what its witnesses have seen of it; where something is wrong, this floor takes
        none."""
        if self._wrong is not None:
            raise self._wrong
        if self._started is None:
            try:
                if self.heads is not None:
                    self.unasked = self.heads.require_as_seen()
                books, begin = self.books, self.keys.begin
                self._started = start(self.ledger, books, self.clock(), self.package, begin)
            except (ChainBroken, LedgerMisfit) as wrong:
                self._stop(wrong)
                raise
        return self._started

    @property
    def takes_commands(self) -> bool:
        """Whether nothing was found wrong so far."""
        return self._wrong is None

    def _stop(self, wrong: LedgerError) -> None:
        self._wrong = wrong
        if self.on_wrong is not None:
            self.on_wrong(wrong)

    def ask_witnesses_again(self) -> None:
        """Those that could not be asked at the start: what they have seen counts as it did then."""
        if self.unasked and self.heads is not None:
            try:
                self.unasked = self.heads.require_as_seen()
            except ChainBroken as wrong:
                self._stop(wrong)
                raise

    def heed_secret(self) -> None:
        """The ledger says something of the floor's secret: where two people put another one in its
        place meanwhile, this floor takes no command any more."""
        try:
            known_secret(self.ledger, self.secret)
        except LedgerMisfit as other:
            self._stop(other)

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

    def _remember_table(self, station: Station, row: Row) -> Station:
        table = station.day.table
        for entry in read_table_body(row.body, table, self.keys):
            station = remember(station, entry)
        return station

    # ---------------------------------------------------------------- commands at a table

    def ask(
        self, command_id: str, by: Actor, table: str, action: AnyAsked, *, keep_refusal: bool = True
    ) -> Answer:
        """Carry out an action at a table: once, however often it is sent. A refusal is put on
        record too, unless whoever asks could fill the record with them."""
        command = self._asked(command_id, by, table, action)
        return self._once(command, by, table, action, keep_refusal=keep_refusal)

    def _asked(self, command_id: str, by: Actor, table: str, action: AnyAsked) -> Command:
        require_asked(by, action)
        require_texts(table=table)
        self.start()
        return self._command(command_id, by, asked_at_table(table, action, self.keys.own.mark_of))

    def _recalled(self, command: Command) -> Answer | None:
        earlier = self.ledger.recall(command)
        return None if earlier is None else self._answer(earlier, repeated=True)

    def _once(
        self,
        command: Command,
        by: Actor,
        table: str,
        action: AnyAsked,
        *,
        keep_refusal: bool = True,
    ) -> Answer:
        """What was carried out before is found by its id where it is written. Or the table refuses
        it now, mostly because of what it did the first time: so a refusal looks for it before it
        is one."""
        try:
            return self._carry_out(command, by, table, action)
        except Refused as refusal:
            earlier = self._recalled(command)
            if earlier is None:
                # What is no matter of the table it would grant when it is asked again.
                if keep_refusal and not isinstance(refusal, ShortPurse | NotCounted):
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
                if self.purses is not None:
                    self.purses.catch_up()
        text = f"{table_called(table)} is too busy: {TRIES} tries were overtaken"
        raise LedgerUnavailable("ledger.busy", text)

    def _write(
        self, command: Command, by: Actor, action: AnyAsked, known: Folded[Station]
    ) -> Answer:
        plan = self._plan(command, by, action, known, lambda name: self.links.now(METER + name))
        if not plan.needs_turn and not signers_at(known.state, by, action):
            return self._published(self.ledger.append(command, *plan.writes), plan)
        return self._in_turn(command, by, action, known)

    def _plan(
        self,
        command: Command,
        by: Actor,
        action: AnyAsked,
        known: Folded[Station],
        links: Callable[[str], Folded[Link]],
        reading: Reading | None = None,
    ) -> "_Plan":
        """What a command writes: the table's part and, in the same breath, the meter's and that of
        the purses out of which it takes.

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
        table = station.day.table
        bodies = [table_body(entry, known.state, self.keys)[1:-1] for entry in entries]
        body = f"[{','.join(bodies)}]"
        self.tables.hand_on(TABLE + table, known.version + 1, body, decided.station)
        writes = [Write(stream=TABLE + table, expected_version=known.version, body=body)]
        if decided.meter_events:
            writes.append(written(METER + decided.station.link, meter_entry(decided)))
        writes += self._spent(known.state, decided, reading)
        return _Plan(known, decided, tuple(entries), tuple(writes))

    def _spent(self, before: Station, decided: Decided, reading: Reading | None) -> Iterator[Write]:
        """Whoever bets has the money, at the version of the purse that the ledger holds this
        against. What else is taken back, such as a payout of a void round, is no bet, and taken
        while nobody else writes: what is in the purse no more the house bears."""
        changes = purse_changes(before, decided.station)
        taken_out = {name: -cents for name, cents in changes.items() if cents < 0}
        if self.purses is None or not taken_out:
            return
        if isinstance(decided.entry.action, PURSE_FIRST):
            for name, cents in taken_out.items():
                own = Spent(cents=cents, table=before.day.table)
                yield taken(name, own, self.purses.spend(name, cents))
            return
        if reading is not None:
            self.purses.catch_up(reading)
        for name, cents in taken_out.items():
            has, version = self.purses.in_hand(name)
            if version:
                told = taken_back(decided.entry, decided.station, cents, has)
                yield taken(name, told, version)

    def _in_turn(
        self, command: Command, by: Actor, action: AnyAsked, known: Folded[Station]
    ) -> Answer:
        """An award is decided on the meter as it is, and what takes two people on accounts as they
        are, while nobody else writes."""
        stream, plans = TABLE + known.state.day.table, list[_Plan]()

        def now(reading: Reading) -> tuple[Write, ...]:
            table = self._caught_up(reading, self.tables, stream)
            people = signers_at(table.state, by, action)
            require_all_count(reading, people, command.recorded_at)
            plans[:] = [
                self._plan(
                    command, by, action, table,
                    lambda name: self._caught_up(reading, self.links, METER + name),
                    reading,
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
                entries += read_table_body(row.body, name, self.keys)
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
            if not isinstance(refusal, NotCounted):
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

        at = command.recorded_at
        require_all_count(reading, people_of(by, action), at)
        told = kept(name, by, action, link, station)
        meters = [
            written(METER + meter, MeterEntry(by=by, at=at, events=events, action=action))
            for meter, events in told.items()
        ]
        tables = [
            Write(stream=TABLE + table, expected_version=None, body=NOTHING_NEW)
            for table in tables_to_ask_again(action, link(name))
        ]
        return (*meters, *tables)

    def abandon_sealed(
        self, table: str, commitments: Iterable[int], action: a.AbandonSealed
    ) -> None:
        """What nobody can open at a table any more is on record as lost and ends there: in one
        entry, decided while nobody else writes. A floor need not be started for it."""
        command = Command(
            id=f"abandon {table[:_NAMED]} {os.urandom(8).hex()}",
            actor=msgspec.json.encode(SYSTEM).decode(),
            recorded_at=self.clock(),
            text=asked_text({"table": table, "ask": action}).decode(),
        )
        lost = [KeyLost(commitment=number) for number in commitments]
        self.keys.lost |= {(table, line.commitment) for line in lost}
        lines = msgspec.json.encode(lost).decode()[1:-1]

        def now(reading: Reading) -> tuple[Write, ...]:
            known = self._caught_up(reading, self.tables, TABLE + table)
            if not any(deck.sealed for deck in known.state.day.decks.values()):
                body = f"[{lines}]"
                return (Write(stream=TABLE + table, expected_version=known.version, body=body),)
            meter = lambda name: self._caught_up(reading, self.links, METER + name)  # noqa: E731
            plan = self._plan(command, SYSTEM, action, known, meter, reading)
            first, *beside = plan.writes
            return (msgspec.structs.replace(first, body=f"[{lines},{first.body[1:]}"), *beside)

        self.ledger.append_in_turn(command, now)

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


def signers_at(station: Station, by: Actor, action: AnyAsked) -> tuple[Actor, ...]:
    """Who signs for an action at a table; nobody at one for show, where programs do."""
    people = people_of(by, action)
    return () if not people or any(kinds_of_table(station.day, action)) else people


def _remember_link(link: Link, row: Row) -> Link:
    for event in read_meter_body(row.body).events:
        link = apply_to_meter(link, event)
    return link
