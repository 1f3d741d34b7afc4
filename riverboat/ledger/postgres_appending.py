"""One call of the database's function that appends, and what it answers."""

from collections.abc import Sequence
from typing import Any, Final

from riverboat.ledger.errors import CommandConflict, LedgerError, StaleVersion
from riverboat.ledger.postgres_reading import Link, PostgresReading
from riverboat.ledger.rows import Receipt, Row
from riverboat.ledger.store import Request

_APPEND: Final = (
    "select request, outcome, write, seq, version, hash from append_entries("
    "%b::text[], %b::text[], %b::bigint[], %b::text[], %b::integer[], %b::integer[], %b::text[],"
    " %b::integer[], %b::bigint[], %b::text[])"
)


def append_batch(link: Link, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
    """Write a batch; a command that is in it twice is written first and recalled afterwards."""
    first_of: dict[str, Request] = {}
    again = [
        request
        for request in batch
        if first_of.setdefault(request.command.id, request) is not request
    ]
    if not again:
        return _append_once(link, batch)
    firsts = list(first_of.values())
    answers = dict(zip(map(id, firsts), _append_once(link, firsts), strict=True))
    for request in again:
        answers[id(request)] = _append_once(link, [request])[0]
    return [answers[id(request)] for request in batch]


def _append_once(link: Link, batch: Sequence[Request]) -> list[Receipt | LedgerError]:
    streams: dict[str, int] = {}
    places: list[int] = []
    expected: list[int | None] = []
    bodies: list[str] = []
    firsts, lasts = [], []
    for request in batch:
        firsts.append(len(bodies) + 1)
        for write in request.writes:
            places.append(streams.setdefault(write.stream, len(streams) + 1))
            expected.append(write.expected_version)
            bodies.append(write.body)
        lasts.append(len(bodies))
    commands = [request.command for request in batch]
    values = (
        [command.id for command in commands],
        [command.actor for command in commands],
        [command.recorded_at for command in commands],
        [command.text for command in commands],
        firsts,
        lasts,
        list(streams),
        places,
        expected,
        bodies,
    )
    with link.cursor(binary=True) as cursor:
        found = cursor.execute(_APPEND, values, prepare=True).fetchall()
    return _answers(link, batch, found)


def _answers(
    link: Link, batch: Sequence[Request], found: list[tuple[Any, ...]]
) -> list[Receipt | LedgerError]:
    lines: list[list[tuple[Any, ...]]] = [[] for _ in batch]
    for line in found:
        lines[line[0] - 1].append(line)
    first = 1
    answers: list[Receipt | LedgerError] = []
    for request, own in zip(batch, lines, strict=True):
        match own[0][1]:
            case "done":
                rows = [_row(request, line[2] - first, *line[3:]) for line in own]
                answers.append(Receipt(tuple(rows), repeated=False))
            case "repeated":
                earlier = PostgresReading(link).of_command(request.command.id)
                answers.append(Receipt(tuple(earlier), repeated=True))
            case "conflict":
                answers.append(CommandConflict(request.command.id))
            case _:
                write = request.writes[own[0][2] - first]
                expected = write.expected_version
                assert expected is not None
                answers.append(StaleVersion(write.stream, expected=expected, actual=own[0][4]))
        first += len(request.writes)
    return answers


def _row(request: Request, index: int, seq: int, version: int, digest: bytes) -> Row:
    command, write = request.command, request.writes[index]
    place = (seq, write.stream, version)
    return Row(
        *place, command.id, command.actor, command.recorded_at, command.text, write.body, digest
    )
