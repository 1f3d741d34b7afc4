"""A dispute about a round: opened on evidence that is frozen, noted, decided by two people.

The stream `dispute/TABLE/ROUND` has all of it. What is frozen is the hash over every row that the
round rests on; whoever rewrites one of them later, rewrites evidence that was given to somebody.
These rows are its configuration, its deck's commitment and cuts, every row from its start to its
end and the corrections after it, what these did to the meter, and what was refused meanwhile; they
are found without opening a sealed entry.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from hashlib import sha256
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.core.fairness import digits, framed
from riverboat.core.well_formed import require_kind, require_struct
from riverboat.floor.codec import REFUSED, TABLE, decoded
from riverboat.floor.signers import require_all_count
from riverboat.ledger import Command, Ledger, Reading, Row, Write
from riverboat.rulebook.values import table_called
from riverboat.table.people import Actor, has_role, is_a, require_two

DISPUTE: Final = "dispute/"
MOST_ENTRIES: Final = 1_000
_TAG: Final = b"riverboat evidence v1"


class DisputeOpened(Struct, frozen=True, kw_only=True, tag_field="kind", tag="dispute_opened"):
    """Somebody disputes a round; `evidence` is the hash over the rows `seqs` at that moment."""

    by: Actor
    at: int
    reason: str
    evidence: str
    seqs: tuple[int, ...]


class DisputeNoted(Struct, frozen=True, kw_only=True, tag_field="kind", tag="dispute_noted"):
    """Something to remember about a dispute."""

    by: Actor
    at: int
    words: str


class DisputeDecided(Struct, frozen=True, kw_only=True, tag_field="kind", tag="dispute_decided"):
    """Two people decided."""

    by: Actor
    second: Actor
    at: int
    decision: str
    reason: str


Raw: TypeAlias = Mapping[str, Any]
AnyDisputeEvent: TypeAlias = DisputeOpened | DisputeNoted | DisputeDecided
_read: msgspec.json.Decoder[AnyDisputeEvent] = msgspec.json.Decoder(AnyDisputeEvent)
_encode = msgspec.json.Encoder(order="sorted").encode


class DisputeRecord(Struct, frozen=True, kw_only=True):
    """A dispute as it stands."""

    opened: DisputeOpened | None = None
    notes: tuple[DisputeNoted, ...] = ()
    decided: DisputeDecided | None = None

    @property
    def state(self) -> str:
        """In one word."""
        if self.opened is None:
            return "none"
        return "decided" if self.decided else "open"


def stream_of(table: str, number: int) -> str:
    """Where a dispute about a round stands."""
    return f"{DISPUTE}{table}/{number}"


def evidence_of(rows: Iterable[Row]) -> str:
    """The hash over rows: their numbers and their hashes, which cover every column."""
    parts = [part for row in rows for part in (digits(row.seq), row.hash)]
    return sha256(framed(_TAG, *parts)).hexdigest()


def read_dispute_body(body: str) -> AnyDisputeEvent:
    """An entry of a dispute from its text."""
    return decoded(_read, body, "a dispute's entry")


def follow_dispute(record: DisputeRecord, event: AnyDisputeEvent) -> DisputeRecord:
    """The dispute after an event; what must not follow is refused, also when it is read again."""
    match event:
        case DisputeOpened():
            _require_opening(record, event)
            return replace(record, opened=event)
        case DisputeNoted():
            _require_open(record, event.by, "a note")
            _require_words(event.words, "a note")
            return replace(record, notes=(*record.notes, event))
        case DisputeDecided():
            _require_open(record, event.by, "a decision")
            require_two(event.by, event.second, event.reason, "the decision of a dispute")
            _require_words(event.decision, "a decision")
            return replace(record, decided=event)


def _require_opening(record: DisputeRecord, event: DisputeOpened) -> None:
    if event.by.role != "system":
        _require_house(event.by, "opening a dispute")
    if record.opened is not None:
        text = "there is a dispute about this round already; add a note to it"
        raise Refused("dispute.open", text, cites=())
    _require_words(event.reason, "opening a dispute")


def _require_open(record: DisputeRecord, by: Actor, what: str) -> None:
    _require_house(by, what)
    if record.opened is None:
        raise Refused("dispute.none", "there is no dispute about this round", cites=())
    if record.decided is not None:
        text = f"{what} after the decision; the dispute is closed"
        raise Refused("dispute.decided", text, cites=())


def _require_house(by: Actor, what: str) -> None:
    """Players complain to the floor, which opens, notes and decides; or to the system, which opens
    on their behalf and says whose it is."""
    if not (has_role(by, ("floorperson",)) or by.role == "lab"):
        text = f"{is_a(by)}; {what} is for the floorperson"
        raise Refused("person.may_not", text, cites=())


def _require_words(words: str, what: str) -> None:
    if not words.strip():
        raise Refused("reason.missing", f"{what} needs words", cites=())


def dispute_of(ledger: Ledger, table: str, number: int) -> DisputeRecord:
    """A dispute as it stands in the ledger."""
    return _followed(ledger.read(stream_of(table, number)))


def _followed(rows: Iterable[Row]) -> DisputeRecord:
    return reduce(follow_dispute, (read_dispute_body(row.body) for row in rows), DisputeRecord())


class OnLedger(Protocol):
    """A floor, as far as disputes need one."""

    @property
    def ledger(self) -> Ledger:
        """Where its disputes stand."""

    @property
    def clock(self) -> Callable[[], int]:
        """What time it is there."""


def open_dispute(
    floor: OnLedger, command_id: str, by: Actor, table: str, number: int, reason: str
) -> DisputeRecord:
    """Open a dispute on a finished round: its rows are frozen as evidence."""

    def event(at: int) -> AnyDisputeEvent:
        rows = rows_of_round(floor.ledger, table, number)
        seqs = tuple(row.seq for row in rows)
        return DisputeOpened(by=by, at=at, reason=reason, evidence=evidence_of(rows), seqs=seqs)

    asked = {"dispute": "open", "reason": reason}
    return _written(floor, command_id, by, (table, number), asked, event)


def note_dispute(
    floor: OnLedger, command_id: str, by: Actor, table: str, number: int, words: str
) -> DisputeRecord:
    """Add a note to a dispute."""
    asked = {"dispute": "note", "words": words}
    return _written(
        floor,
        command_id,
        by,
        (table, number),
        asked,
        lambda at: DisputeNoted(by=by, at=at, words=words),
    )


def decide_dispute(
    floor: OnLedger,
    command_id: str,
    people: tuple[Actor, Actor],
    table: str,
    number: int,
    decision: str,
    reason: str,
) -> DisputeRecord:
    """Decide a dispute, as two people, with a reason."""
    by, second = people
    asked = {"dispute": "decide", "decision": decision, "reason": reason, "second": second}

    def event(at: int) -> AnyDisputeEvent:
        return DisputeDecided(by=by, second=second, at=at, decision=decision, reason=reason)

    return _written(floor, command_id, by, (table, number), asked, event)


def _written(
    floor: OnLedger,
    command_id: str,
    by: Actor,
    place: tuple[str, int],
    asked: Mapping[str, object],
    event: Callable[[int], AnyDisputeEvent],
) -> DisputeRecord:
    """Once, however often it is sent."""
    table, number = place
    require_kind(number, int, "number")
    for name, value in {"command_id": command_id, "by": by, "table": table, **asked}.items():
        if name in ("by", "second"):
            require_struct(value, Actor, name)
        else:
            require_kind(value, str, name)
    if not command_id:
        raise NotationError("command.no_id", "a command needs an id of its own")
    command = Command(
        id=command_id,
        actor=msgspec.json.encode(by).decode(),
        recorded_at=floor.clock(),
        text=_encode({**asked, "table": table, "round": number}).decode(),
    )
    if floor.ledger.recall(command) is None:
        _append(floor.ledger, command, stream_of(table, number), event(command.recorded_at))
    return dispute_of(floor.ledger, table, number)


def _append(ledger: Ledger, command: Command, stream: str, event: AnyDisputeEvent) -> None:
    """Decided on the dispute, and on the accounts of two who decide, while nobody else writes."""
    people = (event.by, event.second) if isinstance(event, DisputeDecided) else ()

    def now(reading: Reading) -> tuple[Write, ...]:
        rows = reading.read(stream, 0, MOST_ENTRIES + 1)
        if len(rows) >= MOST_ENTRIES and isinstance(event, DisputeNoted):
            text = f"{MOST_ENTRIES} entries are on record; what is left is to decide it"
            raise Refused("dispute.long", text, cites=())
        follow_dispute(_followed(rows), event)
        require_all_count(reading, people, event.at)
        body = msgspec.json.encode(event).decode()
        return (Write(stream=stream, expected_version=len(rows), body=body),)

    ledger.append_in_turn(command, now)


# ---------------------------------------------------------------- the rows of a round


def rows_of_round(ledger: Ledger, table: str, number: int) -> list[Row]:
    """Every row that a finished round rests on, in order."""
    story = _RoundRows(number)
    for row in ledger.read(TABLE + table):
        story.tell(row)
    if not story.own:
        last = story.last
        there = f"rounds 1 to {last} are there" if last else "no round was played there"
        text = f"{table_called(table)} has no round {number}; {there}"
        raise NotationError("round.unknown", text)
    if not story.closed:
        raise Refused("round.not_over", f"round {number} of {table} is not over yet", cites=())
    first, last = story.own[0].seq, story.own[-1].seq
    rows = {row.seq: row for row in (*story.ground, *story.own)}
    for row in story.own:
        rows |= {other.seq: other for other in ledger.store.of_command(row.command_id)}
    rows |= {row.seq: row for row in ledger.read(REFUSED + table) if first < row.seq < last}
    return [rows[seq] for seq in sorted(rows)]


class _RoundRows:
    """What a table's stream tells about one round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.last = 0
        self.ground: list[Row] = []
        self.own: list[Row] = []
        self.closed = False
        self.past = False
        self._configured: Row | None = None
        self._sealed: dict[int, Row] = {}
        self._cuts: dict[str, list[Row]] = {}

    def tell(self, row: Row) -> None:
        """One more row of the table."""
        if self.past:
            return
        entries = list(entries_told(row.body))
        for entry in entries:
            for event in entry["events"]:
                self._note(row, event)
        if self.own and not self.past and self.own[-1].seq != row.seq:
            corrects = any(entry["action"].get("do") == "correct" for entry in entries)
            if not self.closed or corrects:
                self.own.append(row)
        if self.own and any(ev["kind"] == "round_closed" for en in entries for ev in en["events"]):
            self.closed = True

    def _note(self, row: Row, event: Raw) -> None:
        match event["kind"]:
            case "configuration_took_effect":
                self._configured = row
            case "deck_sealed":
                self._sealed[event["number"]] = row
                self._cuts[event["deck"]] = []
            case "deck_received" | "shuffle_finished":
                self._cuts[event["deck"]] = []
            case "deck_cut":
                self._cuts.setdefault(event["deck"], []).append(row)
            case "round_started":
                self._start(row, event)

    def _start(self, row: Row, event: Raw) -> None:
        self.last = event["number"]
        if self.own:
            self.past = True
        elif self.last == self.number:
            known = [self._configured, self._sealed.get(event.get("commitment", 0))]
            known += self._cuts.get(event["deck"], [])
            self.ground = [one for one in known if one is not None]
            self.own = [row]


def entries_told(body: str) -> Iterator[Raw]:
    """What everybody may read of a body's entries."""
    try:
        for line in msgspec.json.decode(body):
            match line["line"]:
                case "entry":
                    yield line["entry"]
                case "sealed":
                    yield msgspec.json.decode(line["public"])
    except (msgspec.MsgspecError, LookupError, TypeError) as problem:
        text = f"a table's body cannot be read: {problem}"
        raise NotationError("stored.unreadable", text) from None
