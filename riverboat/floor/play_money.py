"""Play money given out: the streams `purse/NAME`. What rounds do to it stands at the tables."""

from typing import Final

import msgspec
from msgspec import Struct

from riverboat.errors import NotationError
from riverboat.floor.bodies import require_spelling
from riverboat.floor.deciding_again import Difference
from riverboat.floor.row_checks import asked_text, require_asked
from riverboat.ledger import Command, Row, Write
from riverboat.money import Cents
from riverboat.table.people import Actor

PURSE: Final = "purse/"
MOST_CENTS: Final = 100_000_00


class ToppedUp(Struct, frozen=True, kw_only=True, tag="topped_up"):
    """Play money given out."""

    cents: Cents
    v: int = 1


def top_up(command_id: str, name: str, cents: Cents, at: int) -> tuple[Command, Write]:
    """A command that gives play money to somebody, and what it writes."""
    command = Command(
        id=command_id,
        actor=msgspec.json.encode(_holder(name)).decode(),
        recorded_at=at,
        text=asked_text(_asked(name, cents)).decode(),
    )
    body = msgspec.json.encode(ToppedUp(cents=cents)).decode()
    return command, Write(stream=PURSE + name, expected_version=None, body=body)


def read_top_up(row: Row) -> ToppedUp:
    """What a row of a purse gives."""
    try:
        return msgspec.json.decode(row.body, type=ToppedUp)
    except msgspec.MsgspecError as problem:
        text = f"a purse's entry cannot be read: {problem}"
        raise NotationError("stored.unreadable", text) from None


def require_top_up(row: Row) -> None:
    """A row of a purse gives what its holder asked for, and no more than may be given."""
    given = read_top_up(row)
    require_spelling(row.body, given)
    name = row.stream.removeprefix(PURSE)
    require_asked(row, _asked(name, given.cents), _holder(name))
    if not 1 <= given.cents <= MOST_CENTS:
        raise Difference(f"{given.cents} cents at once", event="topped_up", field="cents")


def _holder(name: str) -> Actor:
    return Actor(name=name, role="player")


def _asked(name: str, cents: Cents) -> dict[str, object]:
    return {"purse": name, "top_up": cents}
