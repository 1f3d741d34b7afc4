"""What a row must be by itself: columns that say what the body says, postings in sum nothing."""

from collections.abc import Sequence

import msgspec

from riverboat.floor.bodies import MeterEntry, require_spelling
from riverboat.floor.deciding_again import Difference, tag_of
from riverboat.floor.starting import PROGRAM, read_program
from riverboat.ledger import Row
from riverboat.meter.accounts import QUEUE, RESERVE, Posting
from riverboat.meter.link import Link
from riverboat.progressive.link_actions import MoveLink
from riverboat.table.people import SYSTEM, Actor

asked_text = msgspec.json.Encoder(order="sorted").encode


def require_nothing_lost(postings: Sequence[Posting], event: object, entry: int) -> None:
    """In each unit the postings of an event come to nothing."""
    sums: dict[str, int] = {}
    for posting in postings:
        sums[posting.unit] = sums.get(posting.unit, 0) + posting.amount
    for unit, amount in sums.items():
        if amount:
            text = f"its postings come to {amount} {unit}, not to nothing"
            raise Difference(text, entry=entry, event=tag_of(event), field="postings")


def require_asked(row: Row, asked: object, by: Actor) -> None:
    """The row's own columns say who asked for what, as its body does."""
    require_actor(row, by)
    if row.command != asked_text(asked).decode():
        text = "the command's column asks for something else than the body"
        raise Difference(text, field="command")


def drawn(table: str) -> str:
    """A cut that the machine drew, as a command."""
    return asked_text({"table": table, "draw": "cut"}).decode()


def mark_in(command: str) -> object:
    """The mark of a command that tells cards."""
    try:
        return msgspec.json.decode(command).get("mark")
    except (msgspec.MsgspecError, AttributeError):
        return None


def require_program(row: Row) -> dict[str, str]:
    """A program's row says who let it work here, and nothing beside; its rulebooks' hashes."""
    entry = read_program(row)
    require_spelling(row.body, entry)
    require_asked(row, {"program": entry.version}, entry.by)
    if row.stream != PROGRAM + entry.version:
        raise Difference(f"version {entry.version} in {row.stream}", field="version")
    if entry.second is None and entry.by != SYSTEM:
        raise Difference("a program is admitted by two people", field="second")
    return entry.rulebooks


def require_actor(row: Row, by: Actor) -> None:
    """The row's actor is whom its body names."""
    if row.actor != named(by):
        text = f"the row is {row.actor}'s, its body {named(by)}'s"
        raise Difference(text, field="actor")


def require_moment(row: Row, at: int) -> None:
    """The row was recorded when its body says."""
    if row.recorded_at != at:
        text = f"the row was recorded at {row.recorded_at}, its body says {at}"
        raise Difference(text, field="at")


def named(by: Actor) -> str:
    """An actor as the rows write one."""
    return msgspec.json.encode(by).decode()


def of_reserve(link: Link) -> tuple[tuple[str, int], ...]:
    """What a meter's reserve and its queue come to."""
    waiting = link.queued
    queued = waiting.units + waiting.reserve_units
    return ((RESERVE, link.meter.reserve_units), (QUEUE, queued))


def is_first(meter: str, entry: MeterEntry) -> bool:
    """A move is asked for at the meter that ends; its other row only says the same."""
    return not (isinstance(entry.action, MoveLink) and entry.action.to == meter)


def require_next(last: dict[str, int], table: str, number: int, entry: int, what: str) -> None:
    """Numbers are counted on, and none is left out."""
    before = last.get(table, 0)
    if number != before + 1:
        text = f"{what} {number} after {what} {before}"
        raise Difference(text, entry=entry, event=f"{what}", field="number")
    last[table] = number
