"""The house's part at demo tables for people: taking it over, the machine's own, the jackpot."""

import asyncio
import hashlib
from typing import Annotated, Final, Literal

from litestar import Controller, Response, get, post
from litestar.exceptions import PermissionDeniedException
from litestar.params import Parameter
from msgspec import Struct

from riverboat.core.errors import Refused
from riverboat.floor.autopilot import SealNext, attend, next_command
from riverboat.table import actions as a
from riverboat.table.procedures.decks import WORD_SECONDS
from riverboat.web.accounts import Guest
from riverboat.web.api.meters import printed
from riverboat.web.api.rounds import Number
from riverboat.web.api.rulebooks import RulebookId
from riverboat.web.api.tables import PLAYERS_AND_HOUSE, CommandId, TableName, require_table
from riverboat.web.auth import opens_to
from riverboat.web.demo.jackpot import jackpot_table, open_show
from riverboat.web.demo.roles import (
    actor_at,
    require_may_stand_in,
    require_program_can_deal,
    take_over,
)
from riverboat.web.demo.tables import DemoTable, demo_tables
from riverboat.web.house import House

LESSON_BOTS: Final = 3
SeatNumber = Annotated[int, Parameter(description="the seat", ge=1, le=12)]


class TakeOver(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part that somebody wants to do at a demo table; an empty one gives it back."""

    id: CommandId
    role: Literal["", "dealer", "supervisor"]


class Once(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something asked for once, however often it is sent."""

    id: CommandId


class Lesson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game that somebody wants to learn to deal, with the floor's cards or with a real deck whose
    cards they tap as they deal them."""

    id: CommandId
    rulebook: RulebookId
    physical: bool = False


class Taken(Struct, frozen=True, kw_only=True):
    """What one does where."""

    table: str
    role: str


class Moved(Struct, frozen=True, kw_only=True):
    """The machine did its part."""

    table: str
    did: str


class DealingController(Controller):
    """Doing the house's part."""

    path = "/api"
    tags = ("dealing",)

    @post(
        "/tables/{table:str}/take-over",
        opt=opens_to(*PLAYERS_AND_HOUSE),
        status_code=200,
        summary="Take a part over",
    )
    async def take_over(
        self, house: House, guest: Guest, table: TableName, data: TakeOver
    ) -> Taken:
        """Deal or supervise at a demo table: its programs leave that part to you."""
        require_table(house, table, guest)
        await asyncio.to_thread(taken_over, house, guest, table, data)
        return Taken(table=table, role=data.role)

    @post(
        "/tables/{table:str}/machine",
        opt=opens_to(*PLAYERS_AND_HOUSE),
        status_code=200,
        summary="Let the machine do its part",
    )
    async def machine(self, house: House, guest: Guest, table: TableName, data: Once) -> Moved:
        """Let the machine do what is its own: shuffle and commit to a deck, fix its cut."""
        require_table(house, table, guest)
        return await asyncio.to_thread(moved, house, guest, table, data)

    @get(
        "/tables/{table:str}/rounds/{number:int}/seats/{seat:int}/win-page",
        opt=opens_to(*PLAYERS_AND_HOUSE),
        media_type="application/pdf",
        summary="Print a win page at a table",
    )
    async def win_page(
        self, house: House, guest: Guest, table: TableName, number: Number, seat: SeatNumber
    ) -> Response[bytes]:
        """The win page of an award, for whoever supervises at this table."""
        require_table(house, table, guest)
        day = house.model.station(table).day
        actor = actor_at(guest, day, house.model.standing_at(table))
        if actor is None or actor.role != "supervisor":
            raise PermissionDeniedException("the win page is for the supervisor")
        made = await asyncio.to_thread(printed, house, guest, f"{table}/{number}/{seat}")
        return Response(made, media_type="application/pdf")

    @post(
        "/lessons",
        opt=opens_to(*PLAYERS_AND_HOUSE, effort="opening"),
        status_code=201,
        summary="Take a lesson",
    )
    async def learn(self, house: House, guest: Guest, address: str, data: Lesson) -> Taken:
        """A demo table with programs on three seats, and you as its dealer."""
        table = await asyncio.to_thread(lesson, house, guest, address, data)
        return Taken(table=table, role="dealer")

    @post(
        "/jackpot",
        opt=opens_to(*PLAYERS_AND_HOUSE, effort="opening"),
        status_code=201,
        summary="See a jackpot",
    )
    async def jackpot(self, house: House, guest: Guest, address: str, data: Once) -> Taken:
        """A test table where a royal flush is dealt; you are its supervisor and turn the key."""
        table = await asyncio.to_thread(shown_jackpot, house, guest, address, data)
        return Taken(table=table, role="supervisor")


def taken_over(house: House, guest: Guest, table: str, asked: TakeOver) -> None:
    """Put it on record, and let this process know it at once."""
    day = house.floor.station(table).day
    if asked.role:
        standing, owner = house.model.standing_at(table), house.model.owner(table)
        require_may_stand_in(guest, day, standing, asked.role, owner)
    elif day.dealer == guest.name:
        require_program_can_deal(day)
    take_over(house.floor, guest.own(asked.id), guest, table, asked.role)
    house.model.catch_up()


def moved(house: House, guest: Guest, table: str, asked: Once) -> Moved:
    """Only what the procedure waits for now, and only where somebody of the house asks."""
    station = house.floor.station(table)
    actor = actor_at(guest, station.day, house.model.standing_at(table))
    if actor is None or actor.role == "player":
        raise Refused("person.may_not", "the machine is for the house's people", cites=())
    if station.day.configuration is not None and station.day.configuration.test:
        raise Refused("machine.test", "at a test table the laboratory gives the deck", cites=())
    doing = next_command(station, house.floor.link(station.link) if station.link else None)
    if doing is None or not isinstance(doing.ask, SealNext | a.FixCut):
        raise Refused("machine.not_now", "the machine has nothing to do now", cites=())
    if not house.words.are_in(station.day):
        seats = ", ".join(map(str, station.day.untold))
        text = f"the words of seats {seats} are waited for, {WORD_SECONDS} seconds at most"
        raise Refused("machine.words", text, cites=())
    attend(house.floor, guest.own(asked.id), table, doing)
    did = "seal" if isinstance(doing.ask, SealNext) else "cut"
    return Moved(table=table, did=did)


def lesson(house: House, guest: Guest, address: str, asked: Lesson) -> str:
    """A table of one's own under a rulebook, with a meter of its own where it has one."""
    tables = [one for one in demo_tables(house.floor) if one.rulebook == asked.rulebook]
    if not tables:
        raise Refused("rulebook.unknown", f"no rulebook {asked.rulebook!r} here", cites=())
    mark = hashlib.sha256(asked.id.encode()).hexdigest()[:4]
    name = f"{guest.name} {mark}"
    choices = dict(tables[0].choices)
    if any("progressive" in choice for choice in choices):
        choices["meter_link"] = f"{name} meter"
    table = DemoTable(name, asked.rulebook, choices, LESSON_BOTS, guest.owns, asked.physical)
    with house.room.taken(guest, address, name):
        house.open_demo(table)
    take_over(house.floor, guest.own(asked.id), guest, name, "dealer")
    house.model.catch_up()
    return name


def shown_jackpot(house: House, guest: Guest, address: str, asked: Once) -> str:
    """A test table for every time it is asked for, one's own; asked again with the same id, the
    same one."""
    name = f"{guest.name} jackpot {hashlib.sha256(guest.own(asked.id).encode()).hexdigest()[:6]}"
    with house.room.taken(guest, address, name):
        open_show(house.floor, jackpot_table(house.floor, name, guest.owns))
    take_over(house.floor, guest.own(f"{asked.id} {name}"), guest, name, "supervisor")
    house.model.catch_up()
    return name
