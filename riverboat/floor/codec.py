"""What the floor's streams hold, and reading it back: bodies are JSON text, sealed where they tell
cards.

`table/NAME` has entries and released keys, `meter/NAME` the events of a link with who asked for
them, `refused/NAME` what was asked at a table and refused, `refused meter/NAME` what was asked of a
meter and refused, `purse/NAME` play money. Sealed entries are opened with the keys that their
rounds released, or with the floor's secret; what neither opens is named as sealed and not guessed.
Where the secret was lost with rounds that were not over, that is on record, and of their entries is
read what everybody could read, with some card in the place of each hidden one: no wager depends on
them any more.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Final, NamedTuple, Self, TypeAlias, TypeVar

import msgspec
from msgspec import MsgspecError, Struct, to_builtins

from riverboat.core.cards import DECK
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.core.sealing import RoundKey, is_key_of, place_of, seal, unseal
from riverboat.evidence.round_file import NOTHING, canonical, filled, tells_cards, worded
from riverboat.floor.secret import FloorSecret, MasterSecret, begin_floor, known_secret
from riverboat.floor.station import AnyAsked, Decided, Station, StationEntry, reason_of
from riverboat.keeping.actions import AnyMeterAction
from riverboat.ledger import Command, Ledger, Row, Write
from riverboat.meter.events import AnyMeterEvent
from riverboat.round import events as r
from riverboat.table import events as e
from riverboat.table.people import Actor

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
    root: str
    """Of the commitment: its key is derived from it, too."""


class PlainEntry(Struct, frozen=True, kw_only=True, tag_field="line", tag="entry"):
    """An entry that everybody may read."""

    entry: StationEntry


class KeyReleased(Struct, frozen=True, kw_only=True, tag_field="line", tag="key"):
    """The key of a commitment that is over."""

    commitment: int
    key: str


class KeyLost(Struct, frozen=True, kw_only=True, tag_field="line", tag="lost"):
    """A commitment whose key nobody has any more; it was not over."""

    commitment: int


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


class Covered(Struct, frozen=True, kw_only=True, tag="covered"):
    """Play money that a table took back when its player had spent some of it: what was missing the
    house bore, so that the purse is empty and not below nothing. It stands in the place of what was
    spent, and in the Game Manager's books, loudly."""

    cents: Cents
    table: str
    house_cents: Cents
    round: int
    reason: str
    v: int = 1


AnyPurseEntry: TypeAlias = ToppedUp | Spent | Covered


NOTHING_NEW = "[]"
"""A table's body without an entry: its version grows, and who decided before decides again."""

T = TypeVar("T")
Line: TypeAlias = PlainEntry | SealedEntry | KeyReleased | KeyLost
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


def table_body(entry: StationEntry, before: Station, keys: "Keys") -> str:
    """An entry as the stream of a table that stood like this before it stores it."""
    table, in_play, roots = before.day.table, commitment_in_play(before), _roots(entry, before)
    commitment = _commitment(entry, in_play)
    lines: list[Line] = [_line(entry, commitment, roots.get(commitment, ""), table, keys)]
    for over in commitments_over(entry, in_play):
        if not keys.is_lost(table, over):
            key = keys.own.key_of(table, over, roots[over])
            lines.append(KeyReleased(commitment=over, key=key.text()))
    return _encode(lines).decode()


def _line(entry: StationEntry, commitment: int, root: str, table: str, keys: "Keys") -> Line:
    hides = commitment and any(tells_cards(to_builtins(x)) for x in (entry.action, *entry.events))
    if not hides:
        return PlainEntry(entry=entry)
    place = place_of(table, commitment, root, entry.number)
    return SealedEntry(
        number=entry.number,
        public=public_text(entry),
        sealed=seal(keys.own.key_of(table, commitment, root), _encode(entry), place),
        commitment=commitment,
        root=root,
    )


def commitment_in_play(station: Station) -> int:
    """The commitment whose cards the open round is played with; 0 where there is none."""
    deck = station.day.deck_in_play
    return deck.sealed.number if deck is not None and deck.sealed is not None else 0


def _roots(entry: StationEntry, before: Station) -> dict[int, str]:
    """The roots of the commitments that an entry can be about."""
    made = [event for event in entry.events if isinstance(event, e.DeckSealed)]
    made += [deck.sealed for deck in before.day.decks.values() if deck.sealed is not None]
    return {sealed.number: sealed.root for sealed in made}


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


def read_table_body(body: str, table: str, keys: "Keys") -> Iterator[StationEntry]:
    """The entries of a body; NotationError where one cannot be opened yet."""
    for line in decoded(_lines, body):
        match line:
            case PlainEntry():
                yield line.entry
            case SealedEntry():
                entry = keys.opened(table, line)
                if entry is None:
                    text = f"entry {line.number} of {table} is sealed until its round is over"
                    raise NotationError("stored.sealed", text)
                yield entry


def unsealed(line: SealedEntry, table: str, key: RoundKey) -> StationEntry:
    """The whole of a sealed entry, if what everybody could read of it was true."""
    text = unseal(key, line.sealed, place_of(table, line.commitment, line.root, line.number))
    entry = decoded(_entry, text)
    if public_text(entry) != line.public or entry.number != line.number:
        said = f"entry {line.number} of {table}: what everybody can read is not what was sealed"
        raise NotationError("stored.changed", said)
    return entry


def unread(line: SealedEntry) -> StationEntry:
    """What everybody could read of an entry that nobody can open any more: some card, each of a
    deck in turn, stands in the place of each that it hides."""
    raw, action_cards, event_cards = msgspec.json.decode(line.public), iter(DECK), iter(DECK)
    raw["action"] = filled(raw["action"], lambda: next(action_cards))
    raw["events"] = [filled(event, lambda: next(event_cards)) for event in raw["events"]]
    return decoded(_entry, _encode(raw))


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


def taken(name: str, told: Spent | Covered, version: int) -> Write:
    """Money that goes from a purse to a table, if the purse is still at this version."""
    return Write(stream=PURSE + name, expected_version=version, body=_encode(told).decode())


def taken_back(entry: StationEntry, after: Station, cents: Cents, has: Cents) -> Spent | Covered:
    """What a table's entry takes back out of a purse in which there is so much, and its player did
    not agree to: the house bears what is missing."""
    day, missing = after.day, cents - max(has, 0)
    if missing <= 0:
        return Spent(cents=cents, table=day.table)
    return Covered(
        cents=cents,
        table=day.table,
        house_cents=missing,
        round=day.round_number,
        reason=reason_of(entry),
    )


def read_purse(row: Row) -> AnyPurseEntry:
    """What a row of a purse gives, or says to be spent or covered."""
    return decoded(_purse, row.body, "a purse's entry")


def gained(told: AnyPurseEntry) -> Cents:
    """What a row of a purse puts into it; what goes out of it the table's row has taken already."""
    match told:
        case ToppedUp():
            return told.cents
        case Covered():
            return told.house_cents
    return 0


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


class Keys:
    """What opens the sealed entries of a floor: its own secret, the keys that were released, or,
    where the secret was lost, nothing any more.

    The keys of a table are looked for in its stream when the secret does not open an entry: it is
    one of a secret that was lost since.
    """

    def __init__(self, ledger: Ledger, secret: MasterSecret | None) -> None:
        self.ledger, self.secret = ledger, secret
        self.released: dict[tuple[str, int], RoundKey] = {}
        self.lost: set[tuple[str, int]] = set()
        self.faults: dict[int, str] = {}
        self._own: FloorSecret | None = None
        self._known: set[str] = set()

    @property
    def own(self) -> FloorSecret:
        """The secret at this floor; refused where it is another floor's."""
        assert self.secret is not None
        if self._own is None:
            self._own = known_secret(self.ledger, self.secret)
        return self._own

    def begin(self, at: int) -> None:
        """The same for a floor that starts, and may be new."""
        assert self.secret is not None
        self._own = begin_floor(self.ledger, self.secret, at)

    def learn(self, rows: Iterable[Row]) -> None:
        """The keys that rows release, and those that they say are lost."""
        for row in rows:
            ends = '"line":"key"' in row.body or '"line":"lost"' in row.body
            if ends and row.stream.startswith(TABLE):
                self._learn(row, row.stream.removeprefix(TABLE))

    def _learn(self, row: Row, table: str) -> None:
        try:
            for line in lines_of(row.body):
                if isinstance(line, KeyReleased):
                    self.released[table, line.commitment] = RoundKey.read(line.key)
                elif isinstance(line, KeyLost):
                    self.lost.add((table, line.commitment))
        except NotationError as problem:
            self.faults[row.seq] = str(problem)

    def unreadable(self) -> dict[str, tuple[int, ...]]:
        """The commitments of every table that nothing opens: not over, and not of this secret."""
        found: dict[str, dict[int, SealedEntry]] = {}
        for row in self.ledger.read_all():
            table = row.stream.removeprefix(TABLE)
            for line in lines_of(row.body) if table != row.stream else ():
                if isinstance(line, SealedEntry):
                    found.setdefault(table, {})[line.commitment] = line
                elif isinstance(line, KeyReleased | KeyLost):
                    found[table].pop(line.commitment, None)
        numbers = {
            table: tuple(n for n, line in sorted(lines.items()) if not self._is_own(table, line))
            for table, lines in sorted(found.items())
        }
        return {table: some for table, some in numbers.items() if some}

    def _is_own(self, table: str, line: SealedEntry) -> bool:
        if self.secret is None:
            return False
        return is_key_of(self.own.key_of(table, line.commitment, line.root), line.sealed)

    def is_lost(self, table: str, commitment: int) -> bool:
        """Whether a commitment of a table that was read cannot be opened any more."""
        return (table, commitment) in self.lost

    def opened(self, table: str, line: SealedEntry) -> StationEntry | None:
        """The whole of a sealed entry, as far as it can be known; None where it cannot yet."""
        key = self._key(table, line)
        if self.is_lost(table, line.commitment):
            return unread(line)
        return None if key is None else unsealed(line, table, key)

    def _key(self, table: str, line: SealedEntry) -> RoundKey | None:
        own = None
        if self.secret is not None:
            own = self.own.key_of(table, line.commitment, line.root)
            if is_key_of(own, line.sealed):
                return own
        if table not in self._known:
            self._known.add(table)
            self.learn(self.ledger.read(TABLE + table))
        return self.released.get((table, line.commitment), own)


class TableRow(NamedTuple):
    """What a row tells of a table; `sealed` are the entries in it that nobody may read yet, and
    `unread` the numbers of those that nobody can."""

    row: Row
    table: str
    entries: tuple[StationEntry, ...]
    sealed: tuple[SealedEntry, ...]
    released: tuple[int, ...]
    lost: tuple[int, ...]
    unread: tuple[int, ...]


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
        self.ledger, self.last_seq = ledger, last_seq
        self.keys = Keys(ledger, secret)
        self.keys.learn(rows or self.rows())

    @classmethod
    def of_table(cls, ledger: Ledger, secret: MasterSecret | None, table: str) -> Self:
        """An opener that knows the keys of one table only."""
        return cls(ledger, secret, ledger.head().seq, ledger.read(TABLE + table))

    def rows(self) -> Iterator[Row]:
        """Every row up to the head."""
        return takewhile(lambda row: row.seq <= self.last_seq, self.ledger.read_all())

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
        lost: list[int] = []
        unread: list[int] = []
        for line in spelled(row, lines_of(row.body)):
            match line:
                case PlainEntry():
                    entries.append(line.entry)
                case SealedEntry():
                    entry = self.keys.opened(table, line)
                    if entry is None:
                        sealed.append(line)
                        continue
                    entries.append(entry)
                    if self.keys.is_lost(table, line.commitment):
                        unread.append(entry.number)
                case KeyReleased():
                    released.append(line.commitment)
                case KeyLost():
                    lost.append(line.commitment)
        told = tuple(entries), tuple(sealed)
        return TableRow(row, table, *told, tuple(released), tuple(lost), tuple(unread))


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
