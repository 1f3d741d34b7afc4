"""A table's record as it is stored: whoever reads the store learns no card before its time.

An entry that tells the order of a deck or the deal is stored twice in one line: as everybody may
read it (a commitment's number and root, how many cards went where), and sealed under the key of its
commitment. The key is kept elsewhere and follows as a line of its own when the round is over or the
commitment is abandoned. Then everything can be read back, exactly as it was. Physical cards are
reported by whoever scans them and are stored as they are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec
from msgspec import MsgspecError, Struct, to_builtins

from riverboat import events as r
from riverboat.errors import NotationError
from riverboat.evidence.round_file import NOTHING, tells_cards, worded
from riverboat.evidence.round_text import canonical
from riverboat.sealing import BrokenSeal, RoundKey, place_of, seal, unseal
from riverboat.table import events as e
from riverboat.table.people import Actor


class Stored(Struct, frozen=True, kw_only=True, tag_field="line", tag="entry"):
    """An entry: `text` is readable by everybody, `sealed` with the commitment's key."""

    number: int
    at: int
    by: Actor
    kinds: tuple[str, ...]
    text: str
    sealed: str = ""
    commitment: int = 0


class Released(Struct, frozen=True, kw_only=True, tag_field="line", tag="key"):
    """The key of a commitment whose round is over."""

    commitment: int
    key: str


StoredLine: TypeAlias = Stored | Released

_decoder: msgspec.json.Decoder[StoredLine] = msgspec.json.Decoder(StoredLine)


def encode_line(line: StoredLine) -> bytes:
    """A line of the store as JSON text."""
    return msgspec.json.encode(line)


def decode_line(text: bytes) -> StoredLine:
    """A line of the store from its text."""
    try:
        return _decoder.decode(text)
    except MsgspecError as problem:
        raise NotationError("stored.unreadable", f"no line of a store: {problem}") from None


# ---------------------------------------------------------------- storing


def hides_cards(entry: e.Entry) -> bool:
    """Whether an entry tells the order of a deck, or the deal."""
    return any(tells_cards(to_builtins(part)) for part in (entry.action, *entry.events))


def stored_entry(
    entry: e.Entry, key: RoundKey | None = None, *, table: str, commitment: int = 0
) -> Stored:
    """An entry for the store: sealed if it tells cards of a commitment, for which a key is needed.

    Without the key nothing is stored, rather than in plain text.
    """
    hidden = commitment > 0 and hides_cards(entry)
    sealed = ""
    if hidden:
        if key is None:
            said = (
                f"entry {entry.number} tells cards of commitment {commitment}; its key is missing"
            )
            raise BrokenSeal("stored.no_key", said)
        place = place_of(table, commitment, entry.number)
        sealed = seal(key, e.encode_entry(entry), place)
    return Stored(
        number=entry.number,
        at=entry.at,
        by=entry.by,
        kinds=_kinds(entry),
        text=_public(entry) if hidden else e.encode_entry(entry).decode(),
        sealed=sealed,
        commitment=commitment if hidden else 0,
    )


def released(key: RoundKey, commitment: int) -> Released:
    """The line that opens the entries of a commitment to everybody."""
    return Released(commitment=commitment, key=key.text())


def _kinds(entry: e.Entry) -> tuple[str, ...]:
    return tuple(to_builtins(event)["kind"] for event in entry.events)


def _public(entry: e.Entry) -> str:
    raw = to_builtins(entry)
    action = worded(raw["action"], NOTHING)
    events = [worded(event, NOTHING) for event in raw["events"]]
    return canonical({**raw, "action": action, "events": events}).decode()


class KeyRing:
    """The keys of a running table, outside its store: one for each commitment.

    It gives every entry its key, and the key away when the commitment is over. `keep` is called
    with each new key before anything is sealed with it, so that it can be put in a safe place.
    """

    def __init__(
        self,
        table: str,
        *,
        keys: Mapping[int, RoundKey] | None = None,
        in_play: int = 0,
        fresh: Callable[[], RoundKey] = RoundKey.fresh,
        keep: Callable[[int, RoundKey], None] = lambda commitment, key: None,
    ) -> None:
        self._table = table
        self._keys = dict(keys or {})
        self._in_play = in_play
        self._fresh = fresh
        self._keep = keep

    def store(self, entry: e.Entry) -> list[StoredLine]:
        """The lines for an entry: itself, and the keys that it sets free."""
        number = self._commitment_of(entry)
        key = self._keys.get(number)
        lines: list[StoredLine] = [stored_entry(entry, key, table=self._table, commitment=number)]
        for over in self._over(entry):
            freed = self._keys.pop(over, None)
            if freed is not None:
                lines.append(released(freed, over))
        return lines

    def _commitment_of(self, entry: e.Entry) -> int:
        """A sealed deck has its own commitment, the cards of a round have the round's."""
        for event in entry.events:
            match event:
                case e.DeckSealed():
                    key = self._fresh()
                    self._keep(event.number, key)
                    self._keys[event.number] = key
                    return event.number
                case e.RoundStarted():
                    self._in_play = event.commitment
        return self._in_play

    def _over(self, entry: e.Entry) -> Iterator[int]:
        for event in entry.events:
            match event:
                case e.CommitmentAbandoned():
                    yield event.number
                case r.RoundClosed():
                    yield self._in_play
                    self._in_play = 0


# ---------------------------------------------------------------- reading back


def read_back(
    lines: Iterable[StoredLine], *, table: str, keys: Mapping[int, RoundKey] | None = None
) -> list[e.Entry]:
    """The entries of a store, exactly as they were; `keys` are those not released yet.

    A line that was changed or moved is noticed where it was sealed, and so is a readable part that
    does not tell what was sealed.
    """
    all_lines = list(lines)
    known = dict(keys or {})
    for line in all_lines:
        if isinstance(line, Released):
            known[line.commitment] = RoundKey.read(line.key)
    return [_entry(line, known, table) for line in all_lines if isinstance(line, Stored)]


def _entry(line: Stored, keys: Mapping[int, RoundKey], table: str) -> e.Entry:
    text = line.text.encode()
    if line.sealed:
        key = keys.get(line.commitment)
        if key is None:
            said = f"entry {line.number} is sealed until commitment {line.commitment} is over"
            raise BrokenSeal("stored.sealed", said)
        text = unseal(key, line.sealed, place_of(table, line.commitment, line.number))
    try:
        entry = e.decode_entry(text)
    except MsgspecError as problem:
        said = f"entry {line.number} cannot be read: {problem}"
        raise NotationError("stored.unreadable", said) from None
    _require_same(line, entry)
    return entry


def _require_same(line: Stored, entry: e.Entry) -> None:
    """What stands beside the text is what the text says."""
    beside = (line.number, line.at, line.by, line.kinds)
    same = beside == (entry.number, entry.at, entry.by, _kinds(entry))
    if not same or (line.sealed and line.text != _public(entry)):
        said = f"entry {line.number}: what everybody can read is not what was stored with it"
        raise BrokenSeal("stored.changed", said)
