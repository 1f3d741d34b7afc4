"""What the floor's streams hold, and reading it back: bodies are JSON text, sealed where they tell
cards.

`table/NAME` has entries and released keys, `meter/NAME` the events of a link with who asked for
them, `refused/NAME` what was asked at a table and refused, `refused meter/NAME` what was asked of a
meter and refused, `purse/NAME` the play money given out. Sealed entries are opened with the keys
that their rounds released, or with the floor's secret; what neither opens is named as sealed and
not guessed.

The key of a commitment is derived from that one secret, which lies in a file outside the database,
the table's name and the commitment's number. So every process of a floor has it without storing it
anywhere, and giving one away after its round tells nothing of the others.
"""

import hashlib
import hmac
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeAlias, TypeVar

import msgspec
from msgspec import MsgspecError, Struct, to_builtins

from riverboat.core.errors import NotationError
from riverboat.core.fairness import framed
from riverboat.core.money import Cents
from riverboat.core.sealing import RoundKey, place_of, seal, unseal
from riverboat.evidence.round_file import NOTHING, canonical, tells_cards, worded
from riverboat.floor.station import AnyAsked, Decided, StationEntry
from riverboat.keeping.actions import AnyMeterAction
from riverboat.ledger import Command, Ledger, Row, SigningKey, Write
from riverboat.meter.events import AnyMeterEvent
from riverboat.round import events as r
from riverboat.table import events as e
from riverboat.table.people import Actor

_KEY_TAG = b"riverboat commitment key v1"
_MARK_TAG = b"riverboat command mark v1"
_SECRET_BYTES = 32


class MasterSecret:
    """Thirty-two bytes that only the floor's processes have."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != _SECRET_BYTES:
            raise NotationError("secret.length", f"a floor's secret has {_SECRET_BYTES} bytes")
        self._secret = secret

    def __repr__(self) -> str:
        return "MasterSecret(…)"

    def key_of(self, table: str, commitment: int) -> RoundKey:
        """The key that seals the cards of one commitment."""
        place = framed(_KEY_TAG, table.encode(), b"%d" % commitment)
        return RoundKey(hmac.digest(self._secret, place, hashlib.sha256))

    def mark_of(self, text: bytes) -> str:
        """A mark of something that must not be read: the same for the same, and tells no more."""
        return hmac.digest(self._secret, framed(_MARK_TAG, text), hashlib.sha256).hex()

    def signing_key(self) -> SigningKey:
        """What signs the heads of the floor's ledger: whoever has its secret."""
        return SigningKey(bytes.fromhex(self.mark_of(b"riverboat head key v1")))


def master_secret(path: Path) -> MasterSecret:
    """The secret in a file that is there; reading makes none."""
    try:
        return MasterSecret(path.read_bytes())
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None


def made_master_secret(path: Path) -> MasterSecret:
    """The secret of a floor that opens: made the first time, readable by its owner alone."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return master_secret(path)
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None
    with os.fdopen(handle, "wb") as file:
        secret = os.urandom(_SECRET_BYTES)
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return MasterSecret(secret)


TABLE: Final = "table/"
METER: Final = "meter/"
REFUSED: Final = "refused/"
REFUSED_METER: Final = "refused meter/"
PURSE: Final = "purse/"
MOST_CENTS: Final = 100_000_00
"""Of play money, at once."""


class SealedEntry(Struct, frozen=True, kw_only=True, tag_field="line", tag="sealed"):
    """An entry that tells cards: what everybody may read of it, and all of it under a key."""

    number: int
    public: str
    sealed: str
    commitment: int


class PlainEntry(Struct, frozen=True, kw_only=True, tag_field="line", tag="entry"):
    """An entry that everybody may read."""

    entry: StationEntry


class KeyReleased(Struct, frozen=True, kw_only=True, tag_field="line", tag="key"):
    """The key of a commitment that is over."""

    commitment: int
    key: str


class MeterEntry(Struct, frozen=True, kw_only=True):
    """What happened to a meter: by whom, at which table or at the meter itself."""

    by: Actor
    at: int
    events: tuple[AnyMeterEvent, ...]
    table: str = ""
    entry: int = 0
    action: AnyMeterAction | None = None


class RefusedEntry(Struct, frozen=True, kw_only=True):
    """Something that was asked for and refused; it changed nothing."""

    by: Actor
    at: int
    round: int
    code: str
    words: str
    cites: tuple[str, ...]
    action: AnyAsked | None
    """None where it tells cards; the row's command says what it was."""


class RefusedKeeping(Struct, frozen=True, kw_only=True):
    """What keepers of a meter asked for and was refused; it changed nothing."""

    by: Actor
    at: int
    code: str
    words: str
    cites: tuple[str, ...]
    action: AnyMeterAction


class ToppedUp(Struct, frozen=True, kw_only=True, tag="topped_up"):
    """Play money given out."""

    cents: Cents
    v: int = 1


class Spent(Struct, frozen=True, kw_only=True, tag="spent"):
    """Play money that went to a table with the very command that wrote this; the table's own entry
    moves it. It is written so that nobody spends the same money twice: a purse out of which
    somebody took has another version."""

    cents: Cents
    table: str
    v: int = 1


AnyPurseEntry: TypeAlias = ToppedUp | Spent


NOTHING_NEW = "[]"
"""A table's body without an entry: its version grows, and who decided before decides again."""

T = TypeVar("T")
Line: TypeAlias = PlainEntry | SealedEntry | KeyReleased
AnyEntry: TypeAlias = MeterEntry | RefusedEntry | RefusedKeeping

_encode = msgspec.json.Encoder().encode
asked_text = msgspec.json.Encoder(order="sorted").encode
_lines: msgspec.json.Decoder[tuple[Line, ...]] = msgspec.json.Decoder(tuple[Line, ...])
_entry: msgspec.json.Decoder[StationEntry] = msgspec.json.Decoder(StationEntry)
_meter: msgspec.json.Decoder[MeterEntry] = msgspec.json.Decoder(MeterEntry)
_refused: msgspec.json.Decoder[RefusedEntry] = msgspec.json.Decoder(RefusedEntry)
_refused_keeping: msgspec.json.Decoder[RefusedKeeping] = msgspec.json.Decoder(RefusedKeeping)
_purse: msgspec.json.Decoder[AnyPurseEntry] = msgspec.json.Decoder(AnyPurseEntry)


def decoded(decoder: msgspec.json.Decoder[T], text: str | bytes, what: str = "a body") -> T:
    """What a stored text holds; NotationError where it cannot be read."""
    try:
        return decoder.decode(text)
    except MsgspecError as problem:
        raise NotationError("stored.unreadable", f"{what} cannot be read: {problem}") from None


# ---------------------------------------------------------------- commands


def asked_at_table(table: str, action: AnyAsked, mark: Callable[[bytes], object]) -> object:
    """A command as its column has it: of cards only a mark that nobody else can make."""
    raw = to_builtins(action)
    if not tells_cards(raw):
        return {"table": table, "ask": action}
    return {"table": table, "ask": worded(raw, NOTHING), "mark": mark(asked_text(action))}


def written(stream: str, entry: AnyEntry) -> Write:
    """An entry for a stream, whatever came there before it."""
    return Write(stream=stream, expected_version=None, body=encode_body(entry))


# ---------------------------------------------------------------- tables


def table_body(entry: StationEntry, in_play: int, table: str, secret: MasterSecret) -> str:
    """An entry as a table's stream stores it; `in_play` is the commitment of the open round."""
    commitment = _commitment(entry, in_play)
    lines: list[Line] = [_line(entry, commitment, table, secret)]
    for over in commitments_over(entry, in_play):
        key = secret.key_of(table, over)
        lines.append(KeyReleased(commitment=over, key=key.text()))
    return _encode(lines).decode()


def _line(entry: StationEntry, commitment: int, table: str, secret: MasterSecret) -> Line:
    hides = commitment and any(tells_cards(to_builtins(x)) for x in (entry.action, *entry.events))
    if not hides:
        return PlainEntry(entry=entry)
    place = place_of(table, commitment, entry.number)
    return SealedEntry(
        number=entry.number,
        public=public_text(entry),
        sealed=seal(secret.key_of(table, commitment), _encode(entry), place),
        commitment=commitment,
    )


def public_text(entry: StationEntry) -> str:
    """What of an entry everybody may read before its round is over."""
    raw = to_builtins(entry)
    events = [worded(event, NOTHING) for event in raw["events"]]
    return canonical({**raw, "action": worded(raw["action"], NOTHING), "events": events}).decode()


def _commitment(entry: StationEntry, in_play: int) -> int:
    for event in entry.events:
        match event:
            case e.DeckSealed():
                return event.number
            case e.RoundStarted():
                return event.commitment
    return in_play


def commitments_over(entry: StationEntry, in_play: int) -> Iterator[int]:
    """The commitments that end with an entry: abandoned ones, and that of the round's deck."""
    for event in entry.events:
        match event:
            case e.CommitmentAbandoned():
                yield event.number
            case r.RoundClosed() if in_play:
                yield in_play


def read_table_body(body: str, table: str, secret: MasterSecret | None) -> Iterator[StationEntry]:
    """The entries of a body; without the secret only those that were never sealed."""
    for line in decoded(_lines, body):
        match line:
            case PlainEntry():
                yield line.entry
            case SealedEntry() if secret is not None:
                yield unsealed(line, table, secret.key_of(table, line.commitment))
            case SealedEntry():
                text = f"entry {line.number} of {table} is sealed until its round is over"
                raise NotationError("stored.sealed", text)


def unsealed(line: SealedEntry, table: str, key: RoundKey) -> StationEntry:
    """The whole of a sealed entry, if what everybody could read of it was true."""
    text = unseal(key, line.sealed, place_of(table, line.commitment, line.number))
    entry = decoded(_entry, text)
    if public_text(entry) != line.public or entry.number != line.number:
        said = f"entry {line.number} of {table}: what everybody can read is not what was sealed"
        raise NotationError("stored.changed", said)
    return entry


def lines_of(body: str) -> tuple[Line, ...]:
    """The lines of a table's body as they are stored."""
    return decoded(_lines, body)


# ---------------------------------------------------------------- meters, and what was refused


def meter_entry(decided: Decided) -> MeterEntry:
    """What a table's entry did to its meter."""
    entry = decided.entry
    return MeterEntry(
        by=entry.by,
        at=entry.at,
        events=decided.meter_events,
        table=decided.station.day.table,
        entry=entry.number,
    )


def encode_body(entry: AnyEntry) -> str:
    """A meter's or a refused entry as text."""
    return _encode(entry).decode()


def read_meter_body(body: str) -> MeterEntry:
    """A meter's entry from its text."""
    return decoded(_meter, body)


def read_refused_body(body: str) -> RefusedEntry:
    """A refused request from its text."""
    return decoded(_refused, body)


def read_refused_keeping(body: str) -> RefusedKeeping:
    """What was refused to keepers of a meter, from its text."""
    return decoded(_refused_keeping, body)


# ---------------------------------------------------------------- play money


def top_up(command_id: str, name: str, cents: Cents, at: int) -> tuple[Command, Write]:
    """A command that gives play money to somebody, and what it writes."""
    command = Command(
        id=command_id,
        actor=_encode(holder(name)).decode(),
        recorded_at=at,
        text=asked_text(asked_of_purse(name, cents)).decode(),
    )
    body = _encode(ToppedUp(cents=cents)).decode()
    return command, Write(stream=PURSE + name, expected_version=None, body=body)


def spent(name: str, cents: Cents, table: str, version: int | None) -> Write:
    """Money that goes from a purse to a table, if the purse is still at this version."""
    body = _encode(Spent(cents=cents, table=table)).decode()
    return Write(stream=PURSE + name, expected_version=version, body=body)


def read_purse(row: Row) -> AnyPurseEntry:
    """What a row of a purse gives, or says to be spent."""
    return decoded(_purse, row.body, "a purse's entry")


def holder(name: str) -> Actor:
    """Whose purse it is."""
    return Actor(name=name, role="player")


def asked_of_purse(name: str, cents: Cents) -> object:
    """A request for play money, as its column has it."""
    return {"purse": name, "top_up": cents}


# ---------------------------------------------------------------- every row


def require_spelling(body: str, told: object) -> None:
    """Nothing stands in a body beside what was read from it: a name that nobody knows, which a
    reader passes over, is a change. What an older program did not write yet may be missing."""
    if _encode(told) == body.encode():
        return
    extra = _beside(msgspec.json.decode(body), to_builtins(told, str_keys=True))
    if extra:
        raise NotationError("stored.changed", f"{extra} is not what was written there")


def _beside(raw: object, told: object, place: str = "") -> str:
    """The first place of a text that what was read from it does not have; or empty."""
    if isinstance(raw, dict) and isinstance(told, dict):
        for name, value in raw.items():
            here = f"{place}.{name}" if place else str(name)
            if name not in told:
                return here
            if found := _beside(value, told[name], here):
                return found
        return ""
    if isinstance(raw, list) and isinstance(told, list | tuple) and len(raw) == len(told):
        pairs = zip(raw, told, strict=True)
        found_in = (_beside(one, other, f"{place}[{n}]") for n, (one, other) in enumerate(pairs))
        return next(filter(None, found_in), "")
    return "" if raw == told else place


class TableRow(NamedTuple):
    """What a row tells of a table; `sealed` are the entries in it that nobody may read yet."""

    row: Row
    table: str
    entries: tuple[StationEntry, ...]
    sealed: tuple[SealedEntry, ...]
    released: tuple[int, ...]


class EntryRow(NamedTuple):
    """What a row tells of a meter, or what was refused at a table or a meter."""

    row: Row
    of: str
    """The table or meter."""
    entry: AnyEntry


_READ: Final[dict[str, Callable[[str], AnyEntry]]] = {
    METER: read_meter_body,
    REFUSED: read_refused_body,
    REFUSED_METER: read_refused_keeping,
}


class Opener:
    """Opens rows; knows every key that was released in a ledger up to its head."""

    def __init__(
        self, ledger: Ledger, secret: MasterSecret | None, last_seq: int, rows: Iterable[Row] = ()
    ) -> None:
        self.ledger, self.secret, self.last_seq = ledger, secret, last_seq
        self.keys: dict[tuple[str, int], RoundKey] = {}
        self.faults: dict[int, str] = {}
        for row in rows or self.rows():
            if '"line":"key"' in row.body and row.stream.startswith(TABLE):
                self._learn(row)

    @classmethod
    def of_table(cls, ledger: Ledger, secret: MasterSecret | None, table: str) -> Self:
        """An opener that knows the keys of one table only."""
        return cls(ledger, secret, ledger.head().seq, ledger.read(TABLE + table))

    def rows(self) -> Iterator[Row]:
        """Every row up to the head."""
        return takewhile(lambda row: row.seq <= self.last_seq, self.ledger.read_all())

    def _learn(self, row: Row) -> None:
        table = row.stream.removeprefix(TABLE)
        try:
            for line in lines_of(row.body):
                if isinstance(line, KeyReleased):
                    self.keys[table, line.commitment] = RoundKey.read(line.key)
        except NotationError as problem:
            self.faults[row.seq] = str(problem)

    def key_of(self, table: str, commitment: int) -> RoundKey | None:
        """A key that is known: the floor's own, or the released one."""
        if self.secret is not None:
            return self.secret.key_of(table, commitment)
        return self.keys.get((table, commitment))

    def open(self, row: Row) -> TableRow | EntryRow | None:
        """A row as what it tells, None where it is of another stream; NotationError where it
        cannot be read."""
        kind, _, name = row.stream.partition("/")
        if f"{kind}/" == TABLE:
            return self._table(row, name)
        read = _READ.get(f"{kind}/")
        return EntryRow(row, name, spelled(row, read(row.body))) if read is not None else None

    def _table(self, row: Row, table: str) -> TableRow:
        entries: list[StationEntry] = []
        sealed: list[SealedEntry] = []
        released: list[int] = []
        for line in spelled(row, lines_of(row.body)):
            match line:
                case PlainEntry():
                    entries.append(line.entry)
                case SealedEntry():
                    key = self.key_of(table, line.commitment)
                    if key is None:
                        sealed.append(line)
                    else:
                        entries.append(unsealed(line, table, key))
                case KeyReleased():
                    released.append(line.commitment)
        return TableRow(row, table, tuple(entries), tuple(sealed), tuple(released))


def spelled(row: Row, told: T) -> T:
    """What was read from a row, where nothing else stands in it."""
    require_spelling(row.body, told)
    return told


def rows_numbered(ledger: Ledger, seqs: Iterable[int]) -> list[Row]:
    """Rows by their numbers; those that are not there are left out."""
    found: list[Row] = []
    for seq in seqs:
        found += [row for row in ledger.store.read_all(seq - 1, 1) if row.seq == seq]
    return found
