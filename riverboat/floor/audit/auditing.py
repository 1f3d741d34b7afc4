"""Verify everything: the chain, then every entry decided again, every cent, every meter and key.

It goes through the ledger once in its order, and stops at the first thing that is wrong. What is
still sealed, because its round is not over, is said to be unchecked unless the secret is there.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import structs

from riverboat.core.errors import NotationError, Refused, RiverboatError
from riverboat.core.fairness import cut_depth, cut_order
from riverboat.floor.audit.decisions import (
    Difference,
    Tables,
    compare_meter,
    is_first,
    mark_in,
    named,
    of_reserve,
    require_actor,
    require_asked,
    require_floor_entry,
    require_moment,
    require_next,
    require_nothing_lost,
    require_program,
)
from riverboat.floor.audit.purses import PurseCheck
from riverboat.floor.audit.shuffles import Shuffles
from riverboat.floor.books.meters import money_of
from riverboat.floor.codec import (
    METER,
    PURSE,
    TABLE,
    EntryRow,
    MeterEntry,
    Opener,
    RefusedEntry,
    RefusedKeeping,
    TableRow,
    asked_at_table,
    asked_text,
    commitment_in_play,
    commitments_over,
    meter_entry,
    require_spelling,
    rows_numbered,
)
from riverboat.floor.disputes import (
    DISPUTE,
    DisputeDecided,
    DisputeOpened,
    DisputeRecord,
    evidence_of,
    follow_dispute,
    read_dispute_body,
)
from riverboat.floor.floor import signers_at
from riverboat.floor.keeping import kept
from riverboat.floor.secret import SECRETS, FloorEntry, MasterSecret, known_secret
from riverboat.floor.signers import (
    ACCOUNT,
    VISIT,
    AccountBook,
    account_entry,
    people_of,
    read_account_body,
)
from riverboat.floor.starting import PROGRAM, Components, components
from riverboat.floor.station import AnyAsked, Decided, Station, StationEntry
from riverboat.keeping.actions import JoinMeter, LeaveMeter
from riverboat.ledger import Head, Ledger, Row, SignedHead, Verdict, verify
from riverboat.meter.books import METER as METER_ACCOUNT
from riverboat.meter.books import account, meter_postings, reconcile
from riverboat.meter.events import AnyMeterEvent
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.table import events as e
from riverboat.table.actions import AbandonSealed, DealOut, SealDeck
from riverboat.table.day import Books
from riverboat.table.people import SYSTEM, Actor
from riverboat.table.procedures.decks import depths

Progress: TypeAlias = Callable[[str, int], None]
_EVERY: Final = 1_000


class Wrong(NamedTuple):
    """The first thing that is wrong, and where exactly."""

    seq: int
    stream: str
    entry: int
    event: str
    field: str
    message: str

    def __str__(self) -> str:
        place = [f"row {self.seq}"] if self.seq else []
        place += [self.stream.replace("/", " ", 1)] if self.stream else []
        place += [f"entry {self.entry}"] if self.entry else []
        place += [part for part in (self.event, self.field) if part]
        return f"{', '.join(place)}: {self.message}"


class Audit(NamedTuple):
    """What was looked at, how fast, what was still sealed, the first thing that is wrong, and
    which program and rulebooks say so."""

    verdict: Verdict
    wrong: Wrong | None
    counts: dict[str, int]
    sealed: dict[str, int]
    meters: dict[str, Link]
    chain_seconds: float
    replay_seconds: float
    components: Components

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return self.wrong is None

    @property
    def events_a_second(self) -> int:
        """How many events were decided again in a second."""
        return int(self.counts.get("events", 0) / max(self.replay_seconds, 1e-9))


def audit(
    ledger: Ledger,
    books: Books,
    secret: MasterSecret | None = None,
    *,
    heads: Sequence[Head | SignedHead] = (),
    public_key: bytes | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Everything about a floor that can be recomputed."""
    began = time.perf_counter()
    told = progress or (lambda part, done: None)
    verdict = verify(ledger, heads, public_key=public_key, progress=lambda seq: told("chain", seq))
    chained = time.perf_counter()
    if verdict.fault is not None:
        fault = verdict.fault
        wrong = Wrong(fault.seq, "", 0, "", fault.column, fault.message)
        return Audit(verdict, wrong, {}, {}, {}, chained - began, 0.0, components(books))
    if secret is not None:
        known_secret(ledger, secret)
    auditor = Auditor(Opener(ledger, secret, verdict.head.seq), books)
    found = auditor.run(told)
    ended = time.perf_counter()
    links = {name: auditor.tables.link(name) for name in auditor.tables.links}
    times = (chained - began, ended - chained)
    counts, sealed = dict(auditor.counts), dict(auditor.sealed)
    return Audit(verdict, found, counts, sealed, links, *times, components(books))


class Auditor:
    """Goes through a ledger and holds every row against what follows from the rows before."""

    def __init__(self, opener: Opener, books: Books) -> None:
        self.opener, self.keys, self.tables = opener, opener.keys, Tables(books)
        self.counts: Counter[str] = Counter()
        self.sealed: Counter[str] = Counter()
        self.balances: defaultdict[str, int] = defaultdict(int)
        self.last_round: dict[str, int] = {}
        self.last_commitment: dict[str, int] = {}
        self.waiting: tuple[Row, str, MeterEntry] | None = None
        self.disputes: dict[str, DisputeRecord] = {}
        self.purses = PurseCheck()
        self.shuffles = Shuffles()
        self.floor: FloorEntry | None = None
        """Whose secret it is at this row."""
        self.unread: set[str] = set()
        """Tables in whose open round cards were dealt that nobody can read any more."""
        self.accounts = AccountBook()

    def run(self, told: Progress) -> Wrong | None:
        """The first thing that is wrong."""
        for row in self.opener.rows():
            try:
                self._row(row)
            except Difference as found:
                where = found.of or row.stream
                return Wrong(row.seq, where, found.entry, found.event, found.field, found.message)
            except Refused as refusal:
                text = f"is refused when it is decided again ({refusal.code}): {refusal}"
                return Wrong(row.seq, row.stream, 0, "", "action", text)
            except RiverboatError as problem:
                return Wrong(row.seq, row.stream, 0, "", "body", str(problem))
            except (LookupError, AssertionError, ValueError, TypeError, AttributeError) as problem:
                text = f"cannot be replayed: {type(problem).__name__} {problem}"
                return Wrong(row.seq, row.stream, 0, "", "body", text)
            if row.seq % _EVERY == 0:
                told("replay", row.seq)
        return self._at_the_end()

    def _row(self, row: Row) -> None:
        self.counts["rows"] += 1
        if row.seq in self.keys.faults:
            raise NotationError("stored.unreadable", self.keys.faults[row.seq])
        self._require_awaited(row)
        self.purses.require_told(row)
        match self.opener.open(row):
            case TableRow() as one:
                self._table(one)
            case EntryRow(_, meter, MeterEntry() as entry):
                self._meter(row, meter, entry)
            case EntryRow(_, table, RefusedEntry() as entry):
                self._refused(row, table, entry)
            case EntryRow(_, meter, RefusedKeeping() as entry):
                self._refused_keeping(row, meter, entry)
            case None:
                self._other(row)

    def _require_awaited(self, row: Row) -> None:
        """What an entry did to a meter stands in the very next row."""
        if self.waiting is None:
            return
        cause, stream, _ = self.waiting
        if row.stream != stream or row.command_id != cause.command_id:
            text = f"row {cause.seq} changed {stream}, whose own row is missing here"
            raise Difference(text, of=cause.stream)

    # ---------------------------------------------------------------- tables

    def _table(self, one: TableRow) -> None:
        table = one.table
        if table in self.sealed or one.sealed:
            self._sealed(one)
            self.purses.lose_sight(one.row)
            return
        first, decided = self.tables.station(table), None
        for entry in one.entries:
            before = self.tables.station(table)
            self._signed(one.row, signers_at(before, entry.by, entry.action))
            decided = self._followed(one, entry)
            self.counts["entries"] += 1
            self.counts["events"] += len(entry.events)
            if decided is not None:
                self._shuffled(before, entry)
            self._money_at(before, entry.events, entry.number)
            self._numbers(table, entry.number, entry.events)
        self._keys(one, first)
        if one.entries:
            self.purses.follow(one.row, first, self.tables.station(table), one.entries[-1])
        if decided is not None:
            self._asked_at_table(one.row, table, decided.entry.action, decided.entry.by)
            if decided.meter_events:
                self.waiting = (one.row, METER + decided.station.link, meter_entry(decided))

    def _followed(self, one: TableRow, entry: StationEntry) -> Decided | None:
        """An entry decided again; None where that takes cards which nobody can read any more."""
        table = one.table
        unread = entry.number in one.unread or self._cut_by_lost_word(table, entry)
        if unread and any(isinstance(event, r.CardsDealt) for event in entry.events):
            self.unread.add(table)
        if isinstance(entry.action, AbandonSealed):
            self.unread.discard(table)
        elif unread or table in self.unread:
            self.tables.remember(table, one.row.seq, entry)
            self.counts["lost, not decided again"] += 1
            return None
        return self.tables.follow(table, one.row.seq, entry)

    def _cut_by_lost_word(self, table: str, entry: StationEntry) -> bool:
        """Whether a deck was cut by a word of the house that nobody can read any more where it was
        sealed; by the words as they were told then, the cut is right."""
        day = self.tables.station(table).day
        for event in entry.events:
            if not isinstance(event, e.DeckCut) or not event.fixed:
                continue
            sealed = day.decks[event.deck].sealed
            if sealed is None or not self.keys.is_lost(table, sealed.number):
                continue
            allowed = depths(day, day.decks[event.deck])
            right = cut_depth(sealed.root, event.house, day.words, *allowed)
            told = {str(seat): word for seat, word in day.words.items()}
            if (event.depth, event.words) != (right, told):
                text = f"is {event.depth}; the words that were told come to {right}"
                raise Difference(text, entry=entry.number, event="deck_cut", field="depth")
            return True
        return False

    def _shuffled(self, before: Station, entry: StationEntry) -> None:
        """What of an entry was drawn by lot; a deck of a test that was forced was not."""
        day, table = before.day, before.day.table
        for event in entry.events:
            match event:
                case e.DeckSealed(forced=False):
                    self.shuffles.sealed(table, event.order)
                case e.DeckCut() if event.fixed and not event.forced:
                    self.shuffles.cut(table, event.depth, *depths(day, day.decks[event.deck]))
                case r.CardsDealt() if isinstance(entry.action, DealOut):
                    sealed, cuts = (deck := day.decks[day.round_deck]).sealed, deck.depths
                    if sealed is not None and not sealed.forced:
                        self.shuffles.deal(table, cut_order(sealed.order, cuts))

    def _sealed(self, one: TableRow) -> None:
        """Entries that cannot be decided without the secret are at least all there."""
        numbers = sorted([x.number for x in one.entries] + [x.number for x in one.sealed])
        last = self.tables.station(one.table).day.entries + self.sealed[one.table]
        if numbers != list(range(last + 1, last + 1 + len(numbers))):
            raise Difference(f"entries {numbers} after entry {last}", field="number")
        self.sealed[one.table] += len(numbers)

    def _money_at(self, before: Station, events: Sequence[Any], entry: int) -> None:
        for event, postings in money_of(before, events):
            require_nothing_lost(postings, event, entry)
            self.counts["postings"] += len(postings)

    def _numbers(self, table: str, entry: int, events: Sequence[Any]) -> None:
        """Rounds and commitments are counted, and none is left out."""
        for event in events:
            match event:
                case e.RoundStarted():
                    require_next(self.last_round, table, event.number, entry, "round")
                    self.counts["rounds"] += 1
                case e.DeckSealed():
                    require_next(self.last_commitment, table, event.number, entry, "commitment")
                    self.counts["commitments"] += 1

    def _keys(self, one: TableRow, before: Station) -> None:
        """Keys are released when their commitment is over, and they are the floor's own; those
        that were lost are released by nobody."""
        in_play, table = commitment_in_play(before), one.table
        over = [n for entry in one.entries for n in commitments_over(entry, in_play)]
        ended = [number for number in over if not self.keys.is_lost(table, number)]
        if list(one.released) != ended:
            text = f"keys of commitments {list(one.released)} are released; {ended} are over"
            raise Difference(text, field="key")
        decks = before.day.decks.values()
        roots = {deck.sealed.number: deck.sealed.root for deck in decks if deck.sealed is not None}
        for number in one.released:
            released = self.keys.released[table, number]
            if self._has_secret() and released != self.keys.own.key_of(
                table, number, roots[number]
            ):
                text = f"the released key of commitment {number} is not the floor's"
                raise Difference(text, field="key")
            self.counts["keys"] += 1
        for number in one.lost:
            if number > self.last_commitment.get(table, 0) or (table, number) in self.keys.released:
                text = f"commitment {number} is said to be lost, and is not"
                raise Difference(text, field="commitment")
            self.counts["commitments lost"] += 1

    def _has_secret(self) -> bool:
        """Whether the secret that is given is the one that the floor had at this row."""
        given = self.keys.secret
        if given is None or self.floor is None:
            return False
        return given.fingerprint(self.floor.floor) == self.floor.secret

    def _asked_at_table(self, row: Row, table: str, action: AnyAsked, by: Actor) -> None:
        """The command's column says the same; of cards it has a mark that only the floor makes."""
        if row.command == asked_text({"ask": action, "table": table}).decode():
            require_actor(row, by)
            return
        match action:
            case SealDeck() if row.actor == named(SYSTEM):
                asked: object = {"table": table, "seal": action.deck}
            case _:
                own = self.keys.own.mark_of if self._has_secret() else None
                asked = asked_at_table(table, action, own or (lambda whole: mark_in(row.command)))
        require_asked(row, asked, by)

    # ---------------------------------------------------------------- meters

    def _meter(self, row: Row, meter: str, entry: MeterEntry) -> None:
        awaited, self.waiting = self.waiting, None
        if awaited is not None:
            compare_meter(awaited[2], entry)
        elif entry.table and entry.table not in (*self.sealed, *self.unread):
            text = f"names entry {entry.entry} of {entry.table}, which did not change this meter"
            raise Difference(text, entry=entry.entry, field="entry")
        elif not entry.table:
            require_moment(row, entry.at)
            self._kept(row, meter, entry)
        if entry.action is not None and is_first(meter, entry):
            require_asked(row, {"meter": meter, "ask": entry.action}, entry.by)
        self._apply(meter, row.seq, entry.events)

    def _kept(self, row: Row, meter: str, entry: MeterEntry) -> None:
        """What keepers of a meter asked for, decided again on the meter as it was."""
        action = entry.action
        if action is None:
            raise Difference("names neither a table's entry nor what was asked", field="action")
        self._signed(row, people_of(entry.by, action))
        if isinstance(action, JoinMeter | LeaveMeter) and action.table in self.sealed:
            return
        told = kept(meter, entry.by, action, self.tables.link, self.tables.station)
        for name, events in told.items():
            expected = structs.replace(entry, events=events)
            if name == meter:
                compare_meter(expected, entry)
            else:
                self.waiting = (row, METER + name, expected)

    def _apply(self, name: str, seq: int, events: Sequence[AnyMeterEvent]) -> None:
        link = self.tables.link(name)
        for event in events:
            postings = meter_postings(event, link)
            require_nothing_lost(postings, event, 0)
            for posting in postings:
                self.balances[posting.account] += posting.amount
            link = apply_to_meter(link, event)
            self.counts["events"] += 1
            self.counts["postings"] += len(postings)
        self.tables.keep_link(name, seq, link)
        found = reconcile(link)
        if not found.balances:
            text = f"off by {found.difference} units, the reserve by {found.reserve_difference}"
            raise Difference(text, field="meter")

    # ---------------------------------------------------------------- what else there is

    def _refused(self, row: Row, table: str, entry: RefusedEntry) -> None:
        self.counts["refused"] += 1
        require_actor(row, entry.by)
        require_moment(row, entry.at)
        if entry.action is None:
            self.counts["refused, not decided again"] += 1
            return
        self._asked_at_table(row, table, entry.action, entry.by)
        if table in self.sealed:
            return
        alarm = self.tables.refuse_again(table, entry)
        if alarm is not None:
            told = MeterEntry(by=entry.by, at=entry.at, events=(alarm.event,), table=table)
            self.waiting = (row, METER + alarm.meter, told)

    def _refused_keeping(self, row: Row, meter: str, entry: RefusedKeeping) -> None:
        self.counts["refused"] += 1
        action = entry.action
        require_moment(row, entry.at)
        require_asked(row, {"meter": meter, "ask": action}, entry.by)
        if isinstance(action, JoinMeter | LeaveMeter) and action.table in self.sealed:
            self.counts["refused, not decided again"] += 1
            return
        self.tables.refuse_keeping_again(meter, entry)

    def _other(self, row: Row) -> None:
        if row.stream.startswith(PROGRAM):
            self.counts["programs"] += 1
            self.tables.on_record |= require_program(row)
            return
        if row.stream == SECRETS:
            self.counts["secrets"] += 1
            self.floor = require_floor_entry(row, self.floor, self.tables)
            return
        if row.stream.startswith((ACCOUNT, VISIT)):
            self._account(row)
            return
        if row.stream.startswith(PURSE):
            self.purses.take(row)
            self.counts["purses"] += 1
            return
        if not row.stream.startswith(DISPUTE):
            self.counts["other"] += 1
            return
        self.counts["disputes"] += 1
        event = read_dispute_body(row.body)
        record = self.disputes.get(row.stream, DisputeRecord())
        self.disputes[row.stream] = follow_dispute(record, event)
        require_actor(row, event.by)
        if isinstance(event, DisputeDecided):
            self._signed(row, (event.by, event.second))
        if isinstance(event, DisputeOpened):
            rows = rows_numbered(self.opener.ledger, event.seqs)
            if evidence_of(rows) != event.evidence:
                text = f"the evidence was {event.evidence}; its rows come to {evidence_of(rows)}"
                raise Difference(text, event="dispute_opened", field="evidence")

    def _account(self, row: Row) -> None:
        """What happened to an account could happen: it was for who asked, and made by two where it
        takes two."""
        self.counts["accounts"] += 1
        name, event = row.stream.partition("/")[2], read_account_body(row.body)
        require_spelling(row.body, event)
        require_moment(row, event.at)
        command, write = account_entry(name, event)
        if (row.stream, row.actor, row.command) != (write.stream, command.actor, command.text):
            raise Difference("its command is not what its body says", field="command")
        self.accounts.follow(name, event)

    def _signed(self, row: Row, people: tuple[Actor, ...]) -> None:
        """Whoever signed was one of two people at that moment."""
        self.counts["signatures"] += self.accounts.require(people, row.recorded_at)

    def _at_the_end(self) -> Wrong | None:
        """Nothing is owed to a meter any more, the postings come to what the meters show, and the
        decks that were opened look shuffled."""
        if self.waiting is not None:
            cause, stream, expected = self.waiting
            text = f"changed {stream}, whose own row is missing"
            return Wrong(cause.seq, cause.stream, expected.entry, "", "", text)
        if missing := self.purses.missing():
            return Wrong(self.opener.last_seq, "", 0, "spent", "", missing)
        for name in self.tables.links:
            link = self.tables.link(name)
            for kind, units in ((METER_ACCOUNT, link.meter.units), *of_reserve(link)):
                posted = self.balances[account(kind, name)]
                if posted != units:
                    text = f"the postings of its {kind} come to {posted} units, it shows {units}"
                    return Wrong(self.opener.last_seq, METER + name, 0, "", kind, text)
        self.counts["decks tested"] = self.shuffles.tested
        unlikely = self.shuffles.unlikely()
        if unlikely is not None:
            stream = TABLE + unlikely.table if unlikely.table else ""
            return Wrong(0, stream, 0, "deck_sealed", "order", str(unlikely))
        return None
