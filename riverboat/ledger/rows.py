"""What goes into a ledger and what comes out of it.

A row is one *write*: what one command did to one stream. The ledger stores texts and understands
none of them; whether a body is sealed or plain makes no difference to it.
"""

from collections.abc import Sequence
from re import fullmatch
from typing import Final, NamedTuple, Self

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.core.well_formed import require_struct, require_texts

LONGEST_NAME: Final = 200
"""Of a stream and of a command id, in bytes: both stand in an index."""

LONGEST_TEXT: Final = 16 * 1024 * 1024
LARGEST_NUMBER: Final = 2**63 - 1


class Command(Struct, frozen=True, kw_only=True):
    """Who asked for what, when. The client minted the id, and sends it again when it tries again.

    `recorded_at` is the writer's time; a retry may carry another one and is still the same command.
    """

    id: str
    actor: str
    recorded_at: int
    text: str


class Write(Struct, frozen=True, kw_only=True):
    """What a command does to one stream.

    `expected_version` is the version that the decision was made at, or None where it does not
    matter what came before, because such writes commute.
    """

    stream: str
    expected_version: int | None
    body: str


class Row(NamedTuple):
    """One write as it is stored."""

    seq: int
    stream: str
    version: int
    command_id: str
    actor: str
    recorded_at: int
    command: str
    body: str
    hash: bytes


COLUMNS: Final = Row._fields


class Receipt(NamedTuple):
    """What is durable now. `repeated`: it was already, and this was a retry."""

    rows: tuple[Row, ...]
    repeated: bool


class Head(NamedTuple):
    """The end of a ledger: whoever keeps it can tell later whether anything before it changed."""

    seq: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash.hex()}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a head as it is printed: the number of the last row, a colon, its hash."""
        require_texts(head=text)
        if not fullmatch(r"[0-9]{1,18}:[0-9a-f]{64}", text):
            raise NotationError("ledger.head", f"{text!r} is no head: NUMBER:64 digits of 0-9 a-f")
        seq, _, digits = text.partition(":")
        return cls(int(seq), bytes.fromhex(digits))


def check_command(command: Command) -> None:
    """Refuse a command that could not be stored, or not in both databases."""
    require_struct(command, Command, "command")
    _check_name("command id", command.id)
    _check_text("actor", command.actor)
    _check_number("recorded_at", command.recorded_at)
    _check_text("command", command.text)


def check_texts(command: Command, writes: Sequence[Write]) -> None:
    """Refuse what could not be stored, or not in both databases, before anything is begun."""
    check_command(command)
    if not writes:
        raise NotationError("ledger.nothing", "a command that writes nothing has no place here")
    for write in writes:
        require_struct(write, Write, "write")
        _check_name("stream", write.stream)
        _check_text("body", write.body)
        if write.expected_version is not None:
            _check_number("expected_version", write.expected_version)
    if len({write.stream for write in writes}) != len(writes):
        raise NotationError("ledger.twice", "one command writes to a stream once, not twice")


def _check_name(what: str, text: str) -> None:
    _check_text(what, text)
    if not 0 < len(text.encode()) <= LONGEST_NAME:
        raise NotationError("ledger.name", f"{what} {text!r}: 1 to {LONGEST_NAME} bytes")


def _check_text(what: str, text: str) -> None:
    if "\0" in text:
        raise NotationError("ledger.text", f"{what} has a zero character, which no text may have")
    if len(text) > LONGEST_TEXT:
        raise NotationError("ledger.text", f"{what}: {len(text)} characters, up to {LONGEST_TEXT}")


def _check_number(what: str, number: int) -> None:
    if not 0 <= number <= LARGEST_NUMBER:
        raise NotationError("ledger.number", f"{what} {number}: 0 to {LARGEST_NUMBER}")
