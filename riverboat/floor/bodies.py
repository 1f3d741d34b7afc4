"""What the floor's streams hold: a table's record, sealed where it tells cards, and a meter's.

A body is JSON text. The stream `table/NAME` has entries and released keys, `meter/NAME` the
events of a link with who asked for them, `refused/NAME` what was asked at a table and refused,
`refused meter/NAME` what was asked of a meter and refused.
"""

from collections.abc import Iterator
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import MsgspecError, Struct, to_builtins

from riverboat import events as r
from riverboat.errors import NotationError
from riverboat.evidence.round_file import NOTHING, tells_cards, worded
from riverboat.evidence.round_text import canonical
from riverboat.floor.keys import MasterSecret
from riverboat.floor.station import AnyAsked, StationEntry
from riverboat.meter.events import AnyLinkEvent
from riverboat.progressive.link_actions import AnyLinkAction
from riverboat.sealing import RoundKey, place_of, seal, unseal
from riverboat.table import events as e
from riverboat.table.people import Actor


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
    events: tuple[AnyLinkEvent, ...]
    table: str = ""
    entry: int = 0
    action: AnyLinkAction | None = None


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
    action: AnyLinkAction


NOTHING_NEW = "[]"
"""A table's body without an entry: its version grows, and who decided before decides again."""

T = TypeVar("T")
Line: TypeAlias = PlainEntry | SealedEntry | KeyReleased

_encode = msgspec.json.Encoder().encode
_lines: msgspec.json.Decoder[tuple[Line, ...]] = msgspec.json.Decoder(tuple[Line, ...])
_entry: msgspec.json.Decoder[StationEntry] = msgspec.json.Decoder(StationEntry)
_meter: msgspec.json.Decoder[MeterEntry] = msgspec.json.Decoder(MeterEntry)
_refused: msgspec.json.Decoder[RefusedEntry] = msgspec.json.Decoder(RefusedEntry)
_refused_keeping: msgspec.json.Decoder[RefusedKeeping] = msgspec.json.Decoder(RefusedKeeping)


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
    for line in _decoded(_lines, body):
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
    entry = _decoded(_entry, text)
    if public_text(entry) != line.public or entry.number != line.number:
        said = f"entry {line.number} of {table}: what everybody can read is not what was sealed"
        raise NotationError("stored.changed", said)
    return entry


def lines_of(body: str) -> tuple[Line, ...]:
    """The lines of a table's body as they are stored."""
    return _decoded(_lines, body)


def encode_body(entry: MeterEntry | RefusedEntry | RefusedKeeping) -> str:
    """A meter's or a refused entry as text."""
    return _encode(entry).decode()


def read_meter_body(body: str) -> MeterEntry:
    """A meter's entry from its text."""
    return _decoded(_meter, body)


def read_refused_body(body: str) -> RefusedEntry:
    """A refused request from its text."""
    return _decoded(_refused, body)


def read_refused_keeping(body: str) -> RefusedKeeping:
    """What was refused to keepers of a meter, from its text."""
    return _decoded(_refused_keeping, body)


def _decoded(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    try:
        return decoder.decode(text)
    except MsgspecError as problem:
        raise NotationError("stored.unreadable", f"a body cannot be read: {problem}") from None


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
