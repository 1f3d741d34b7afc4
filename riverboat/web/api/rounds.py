"""Finished rounds: one's own for a player, a table's for the house; as they lay on the felt, and as
a file that anybody can check without this floor. Disputes are opened here."""

import asyncio
import re
from collections.abc import Iterator
from typing import Annotated, Final, get_args

from litestar import Controller, Response, get, post
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import Parameter
from msgspec import Meta, Struct

from riverboat.answers.replays import Dispute, dispute_document
from riverboat.core.errors import NotationError, Refused
from riverboat.evidence.round_export import export_round
from riverboat.evidence.round_file import RoundFile, write_round
from riverboat.floor.autopilot import DEMO
from riverboat.floor.codec import TABLE, read_table_body
from riverboat.floor.disputes import (
    DisputeDecided,
    DisputeRecord,
    decide_dispute,
    dispute_of,
    follow_dispute,
    note_dispute,
    open_dispute,
)
from riverboat.floor.floor import Floor
from riverboat.rulebook.values import table_called
from riverboat.table import events as e
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.api.commands import (
    CommandId,
    Signature,
    TableName,
    is_demo,
    require_table,
    second_person,
)
from riverboat.web.auth import EVERYBODY, KEEPERS, opens_to
from riverboat.web.house import House
from riverboat.web.read_model import RoundLine
from riverboat.web.rounds.story import Eyes, Picture, ToldRound, pictures, told_round
from riverboat.web.screens.layout import Felt, felt
from riverboat.wording.clauses import CitedClause, clause_texts

Number = Annotated[int, Parameter(description="the round's number", ge=1, le=10_000_000)]
MOST_ROUNDS: Final = 200
"""Of a list that is asked for."""
Most = Annotated[int, Parameter(ge=1, le=MOST_ROUNDS, description="at most so many")]
Before = Annotated[int | None, Parameter(ge=1, le=10_000_000, description="rounds before this one")]
MaybeTable = Annotated[str | None, Parameter(max_length=60, description="only at this table")]
Words = Annotated[str, Meta(min_length=1, max_length=500)]
_OF_TABLES = get_args(e.AnyEvent)
MaybeSeat = Annotated[
    int | None, Parameter(ge=1, le=12, description="as this seat saw it; a player: one of yours")
]


class RoundList(Struct, frozen=True, kw_only=True):
    """Finished rounds, newest first."""

    rounds: list[RoundLine]


class Complaint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is disputed about a round."""

    id: CommandId
    reason: Words


class Note(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something to remember about a dispute."""

    id: CommandId
    words: Words


class Decision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was decided and why, by two people."""

    id: CommandId
    decision: Words
    reason: Words
    second: Signature | None = None


class Disputed(Struct, frozen=True, kw_only=True):
    """The dispute about a round as it stands now."""

    dispute: Dispute | None


class WrittenRound(RoundFile, frozen=True, kw_only=True):
    """A finished round as a file, with the hash of all the rest."""

    sha256: str


class RoundsController(Controller):
    """What was played."""

    path = "/api"
    tags = ("rounds",)

    @get("/rounds", opt=opens_to(*EVERYBODY), sync_to_thread=False, summary="List finished rounds")
    def own(
        self, house: House, guest: Guest, most: Most = 50, table: MaybeTable = None
    ) -> RoundList:
        """A player's own finished rounds; for the house, those of a table."""
        if guest.plays:
            return RoundList(rounds=house.model.rounds.of(guest.name, most, table))
        if table is None:
            raise NotationError("rounds.table", "table: name a table")
        require_table(house, table, guest)
        return RoundList(rounds=house.model.rounds.at(table, most))

    @get(
        "/tables/{table:str}/rounds",
        opt=opens_to(*EVERYBODY),
        sync_to_thread=False,
        summary="List a table's finished rounds",
    )
    def at_table(
        self, house: House, guest: Guest, table: TableName, most: Most = 50, before: Before = None
    ) -> RoundList:
        """A table's finished rounds; for a player the own ones there."""
        require_table(house, table, guest)
        if guest.plays:
            return RoundList(rounds=house.model.rounds.of(guest.name, most, table))
        return RoundList(rounds=house.model.rounds.at(table, most, before))

    @get(
        "/tables/{table:str}/rounds/{number:int}",
        opt=opens_to(*EVERYBODY, effort="rounds"),
        summary="Read a finished round",
    )
    async def one(self, house: House, guest: Guest, table: TableName, number: Number) -> ToldRound:
        """A finished round step by step, with clauses, results, and the proof of its cards.

        A player gets only a round of their own, without the cards that they were never shown.
        """
        eyes = eyes_for(house, guest, table, number)
        return await asyncio.to_thread(told_round, house.floor, table, number, eyes)

    @post(
        "/tables/{table:str}/rounds/{number:int}/dispute",
        opt=opens_to("visitor", "player", *KEEPERS),
        status_code=200,
        summary="Dispute a round",
    )
    async def dispute(
        self, house: House, guest: Guest, table: TableName, number: Number, data: Complaint
    ) -> Disputed:
        """Dispute a round: what it rests on is frozen as evidence. What a player says is put down
        for them, in their name: by a demo table's program, at other tables by the system."""
        eyes_for(house, guest, table, number)
        by, reason = _complaining(guest, data.reason, demo=is_demo(house, table))
        record = await asyncio.to_thread(
            open_dispute, house.floor, guest.own(data.id), by, table, number, reason
        )
        return await _shown(house, record)

    @post(
        "/tables/{table:str}/rounds/{number:int}/dispute/notes",
        opt=opens_to(*KEEPERS),
        status_code=200,
        summary="Note something about a dispute",
    )
    async def note(
        self, house: House, guest: Guest, table: TableName, number: Number, data: Note
    ) -> Disputed:
        """Add a note to a dispute."""
        require_table(house, table, guest)
        assert guest.actor is not None
        record = await asyncio.to_thread(
            note_dispute, house.floor, guest.own(data.id), guest.actor, table, number, data.words
        )
        return await _shown(house, record)

    @post(
        "/tables/{table:str}/rounds/{number:int}/dispute/decision",
        opt=opens_to(*KEEPERS),
        status_code=200,
        summary="Decide a dispute",
    )
    async def decide(
        self, house: House, guest: Guest, table: TableName, number: Number, data: Decision
    ) -> Disputed:
        """Decide a dispute: two people, with a reason."""
        require_table(house, table, guest)
        record = await asyncio.to_thread(_decided, house, guest, (table, number), data)
        return await _shown(house, record)


def _decided(house: House, guest: Guest, place: tuple[str, int], data: Decision) -> DisputeRecord:
    table, number = place
    demo = is_demo(house, table)
    line = house.model.rounds.one(table, number)
    dealt = "" if demo or line is None else line.dealer
    assert guest.actor is not None
    _require_others(dealt, guest.name)
    known = bool(house.floor.ledger.store.of_command(guest.own(data.id)))
    if not known:
        absent = Actor(name=f"{guest.name} and another", role="supervisor")
        tried = DisputeDecided(
            by=guest.actor, second=absent, at=0, decision=data.decision, reason=data.reason
        )
        follow_dispute(dispute_of(house.floor.ledger, table, number), tried)
    what = "a dispute's decision"
    second = second_person(house, guest, data.second, what, demo=demo, again=known)
    _require_others(dealt, second.name)
    people = (guest.actor, second)
    return decide_dispute(
        house.floor, guest.own(data.id), people, table, number, data.decision, data.reason
    )


def _require_others(dealt: str, name: str) -> None:
    if dealt == name:
        text = f"{dealt} dealt this round; two others decide about it"
        raise Refused("dispute.own_round", text, cites=())


def _complaining(guest: Guest, reason: str, *, demo: bool) -> tuple[Actor, str]:
    if not guest.plays and guest.actor is not None:
        return guest.actor, reason
    if demo:
        return DEMO.floorperson, f"{guest.name}: {reason}"
    return Actor(name=guest.name, role="system", automatic=True), reason


def eyes_for(house: House, guest: Guest, table: str, number: int) -> Eyes:
    """What somebody may see of a finished round: a player what they played in, as they saw it, and
    what they dealt themselves."""
    require_table(house, table, guest)
    if not guest.plays:
        return Eyes()
    line = house.model.rounds.one(table, number)
    if line is None:
        raise NotFoundException(f"{table} has no finished round {number} on the list")
    seats = line.seats_of(guest.name)
    if line.dealer == guest.name and not seats:
        return Eyes()
    if not seats:
        raise PermissionDeniedException("you did not play in this round")
    return Eyes(seats)


def require_over(day: Day, number: int) -> None:
    """Nobody gets a round as it lay before it is over: not the house either."""
    if number > day.round_number:
        raise NotFoundException(f"{table_called(day.table)} has played no round {number}")
    if number == day.round_number and day.in_round:
        text = f"round {number} at {day.table} is still being played; it is shown when it is over"
        raise Refused("round.not_over", text, cites=())


async def _shown(house: House, record: DisputeRecord) -> Disputed:
    """As it stands; the work list of whoever asks next has it too."""
    await asyncio.to_thread(house.model.refresh)
    return Disputed(dispute=dispute_document(record))


class Pictured(Struct, frozen=True, kw_only=True):
    """The felt after each entry, what is printed on it, and what the rulebook's clauses say."""

    pictures: list[Picture]
    felt: Felt
    clauses: dict[str, CitedClause]


class PicturesController(Controller):
    """What was seen."""

    path = "/api/tables/{table:str}/rounds/{number:int}/pictures"
    tags = ("rounds",)

    @get(
        "/", opt=opens_to(*EVERYBODY, effort="rounds"), summary="See a finished round step by step"
    )
    async def seen(self, house: House, guest: Guest, table: TableName, number: Number) -> Pictured:
        """The felt after each entry of a finished round; for a player as their own seat saw it."""
        eyes = eyes_for(house, guest, table, number)
        require_over(house.model.station(table).day, number)
        found = await asyncio.to_thread(pictures, house.floor, table, number, eyes)
        day = house.model.station(table).day
        book = day.setup.book
        clauses = clause_texts(book, (*book.clauses, *book.ambiguities))
        return Pictured(pictures=found, felt=felt(day), clauses=clauses)


class EvidenceController(Controller):
    """What can be taken home."""

    path = "/api/tables/{table:str}/rounds/{number:int}/evidence"
    tags = ("rounds",)

    @get(
        "/",
        opt={**opens_to(*EVERYBODY, effort="rounds"), "answers": WrittenRound},
        media_type="application/json",
        summary="Take a round home as a file",
    )
    async def taken(
        self,
        house: House,
        guest: Guest,
        table: TableName,
        number: Number,
        seat: MaybeSeat = None,
    ) -> Response[bytes]:
        """A finished round as a file for `riverboat verify`; a player's has no card that their seat
        was never shown. Rounds for a linked meter are checked with the whole ledger instead."""
        eyes = eyes_for(house, guest, table, number)
        require_over(house.model.station(table).day, number)
        viewed = seat_for(eyes, seat)
        text = await asyncio.to_thread(written, house.floor, table, number, viewed)
        plain = re.sub(r"[^A-Za-z0-9]+", "-", table).strip("-").lower() or "table"
        name = f"{plain}-round-{number}.json"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text.encode(), media_type="application/json", headers=headers)


def seat_for(eyes: Eyes, asked: int | None) -> int | None:
    """Whose copy: for the house everything, or any seat's; for a player only an own seat's."""
    if eyes.seats is None:
        return asked
    if asked is not None and asked not in eyes.seats:
        own = ", ".join(map(str, eyes.seats))
        raise PermissionDeniedException(f"seat {asked} was not yours in this round; yours: {own}")
    return asked if asked is not None else eyes.seats[0]


def written(floor: Floor, table: str, number: int, seat: int | None) -> str:
    """The file's text."""
    entries = list(_entries(floor, table, number))
    return write_round(export_round(entries, number, table=table, books=floor.books, seat=seat))


def _entries(floor: Floor, table: str, number: int) -> Iterator[e.Entry]:
    """A table's record without its controller's part, which a file of one table cannot prove."""
    playing = 0
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.keys):
            own = tuple(event for event in entry.events if isinstance(event, _OF_TABLES))
            started = [event.number for event in own if isinstance(event, e.RoundStarted)]
            playing = started[0] if started else playing
            if playing == number and len(own) != len(entry.events):
                text = (
                    f"round {number} at {table} was played for a linked meter, to which other "
                    "tables belong: it is checked with the whole ledger, not as a file of its own"
                )
                raise Refused("evidence.linked", text, cites=())
            yield e.Entry(
                number=entry.number,
                at=entry.at,
                by=entry.by,
                action=entry.action,  # type: ignore[arg-type]
                events=own,
                test=entry.test,
            )
