"""Tables: what one sees of them, and what one asks for at them."""

import asyncio
from typing import Any

from litestar import Controller, get, post
from msgspec import Struct, ValidationError, convert

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.station import AnyAsked, decide
from riverboat.table import actions as a
from riverboat.web.accounts import Guest
from riverboat.web.api.accounts import require_dealer
from riverboat.web.api.commands import (
    PLAYERS_AND_HOUSE,
    CommandId,
    Signature,
    TableName,
    is_demo,
    require_table,
    signed,
)
from riverboat.web.api.opening import Chosen, NewTable, Opened, Preview, opened, previewed
from riverboat.web.auth import EVERYBODY, FIGURE_SECONDS, opens_to
from riverboat.web.demo.roles import actor_at, is_shown, signs_for
from riverboat.web.house import House
from riverboat.web.screens.frames import LobbyFrame, TableFrame, TableLine, table_frame
from riverboat.web.screens.layout import Felt, felt
from riverboat.web.screens.offered import Offered, asking, told
from riverboat.web.server.requests import require_known, require_short


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something asked for at a table, once however often it is sent.

    What takes two people is signed by the second one with name and password, beside the action; at
    a demo table its program signs where nobody does.
    """

    id: CommandId
    action: dict[str, Any]
    second: Signature | None = None


class Done(Struct, frozen=True, kw_only=True):
    """It is durable; `repeated` where it had been before."""

    at: int
    repeated: bool


class Tables(LobbyFrame, frozen=True, kw_only=True, tag_field="kind", tag="lobby"):
    """The floor's tables; `own`: those that a visitor has opened, which nobody else sees."""

    own: list[TableLine]


class Offers(Struct, frozen=True, kw_only=True):
    """Everything that you may ask for at a table, after so many entries."""

    table: str
    at: int
    offers: list[Offered]


class Ready(Struct, frozen=True, kw_only=True):
    """Nobody waits for your bets any more."""

    ready: bool = True


class TablesController(Controller):
    """Everything about tables."""

    path = "/api/tables"
    tags = ("tables",)

    @get("/", opt=opens_to(*EVERYBODY), sync_to_thread=False, summary="List the tables")
    def lobby(self, house: House, guest: Guest) -> Tables:
        """The floor's tables, and a visitor's own."""
        own = house.own_tables(guest) if guest.door == "visitor" else []
        return Tables(tables=house.lobby().tables, own=own)

    @post(
        "/",
        opt=opens_to(*PLAYERS_AND_HOUSE, effort="opening"),
        status_code=201,
        summary="Open a table",
    )
    async def open(self, house: House, guest: Guest, address: str, data: NewTable) -> Opened:
        """Open a table: a demo table for anybody, any other for who runs the floor."""
        return await asyncio.to_thread(opened, house, guest, address, data)

    @post(
        "/preview",
        opt=opens_to(*EVERYBODY, seconds=FIGURE_SECONDS, effort="mathematics"),
        status_code=200,
        summary="Preview a choice",
    )
    async def preview(self, house: House, guest: Guest, address: str, data: Chosen) -> Preview:
        """The house edges of a choice before a table is opened with it; or all that is wrong."""
        chosen = tuple(sorted(data.choices.items()))
        return await house.work_out(guest, address, previewed, data.rulebook, chosen)

    @get("/{table:str}", opt=opens_to(*EVERYBODY), sync_to_thread=False, summary="See a table")
    def table(self, house: House, guest: Guest, table: TableName) -> TableFrame:
        """A table as you see it."""
        require_table(house, table, guest)
        return table_frame(house.model, table, guest, house.waiting)

    @get(
        "/{table:str}/offers",
        opt=opens_to(*PLAYERS_AND_HOUSE),
        sync_to_thread=False,
        summary="List what you may ask for",
    )
    def offers(self, house: House, guest: Guest, table: TableName) -> Offers:
        """Everything that you may ask for at a table now: the action, the bounds of each of its
        arguments, the clauses of the step. Nothing else would be granted."""
        require_table(house, table, guest)
        station = house.model.station(table)
        actor = actor_at(guest, station.day, house.model.standing_at(table))
        link = house.model.link_of(station)
        offers = () if actor is None else asking(station, link, actor).offers
        return Offers(table=table, at=station.day.entries, offers=[*map(told, offers)])

    @get(
        "/{table:str}/felt",
        opt=opens_to(*EVERYBODY),
        sync_to_thread=False,
        summary="See what is printed on a felt",
    )
    def felt(self, house: House, guest: Guest, table: TableName) -> Felt:
        """What is printed on the layout, for signs too: streets, limits, pay tables."""
        require_table(house, table, guest)
        return felt(house.model.station(table).day)

    @post(
        "/{table:str}/commands",
        opt=opens_to(*PLAYERS_AND_HOUSE),
        status_code=200,
        summary="Command something at a table",
    )
    async def ask(self, house: House, guest: Guest, table: TableName, data: Asked) -> Done:
        """Ask for something at a table: a bet, a decision, a key, a step of the procedure."""
        require_table(house, table, guest)
        return await asyncio.to_thread(carry_out, house, guest, table, data)

    @post(
        "/{table:str}/ready",
        opt=opens_to("visitor", "player"),
        status_code=200,
        summary="Say that your bets are down",
    )
    async def ready(self, house: House, guest: Guest, table: TableName) -> Ready:
        """You have bet what you want to bet; an automatic dealer need not wait for you."""
        require_table(house, table, guest)
        await asyncio.to_thread(house.attendants.ready, table, guest.name)
        return Ready()


def carry_out(house: House, guest: Guest, table: str, asked: Asked) -> Done:
    """Read the action, and let the floor decide."""
    day = house.model.station(table).day
    actor = actor_at(guest, day, house.model.standing_at(table))
    if actor is None:
        raise Refused("person.may_not", f"{guest.door} asks for nothing at a table", cites=())
    demo = is_shown(day)
    if guest.demo and not demo:
        raise Refused("visitor.demo_only", "visitors play at demo tables; sign in", cites=())

    def try_out(raw: dict[str, Any]) -> None:
        action = read_action(raw)
        station = house.floor.station(table)
        link = house.floor.link(station.link) if station.link else None
        decide(station, link, signs_for(actor, day, action), action)

    raw = signed(house, guest, asked.id, asked.action, asked.second, try_out, demo=demo)
    action = read_action(raw)
    if isinstance(action, a.AssignDealer) and not demo:
        require_dealer(house.accounts, action.name)
    by = signs_for(actor, day, action)
    keep = house.keeps_refusals_of(guest)
    answer = house.floor.ask(guest.own(asked.id), by, table, action, keep_refusal=keep)
    house.model.reach(answer.seq)
    return Done(at=answer.entries[-1].number if answer.entries else 0, repeated=answer.repeated)


def read_action(raw: dict[str, Any]) -> AnyAsked:
    """An action as it is written down; what cannot be read says where."""
    require_short(raw, "action")
    try:
        action: AnyAsked = convert(raw, AnyAsked, strict=True)
    except ValidationError as problem:
        raise NotationError("action.unreadable", f"action: {problem}") from None
    require_known(raw, action)
    return action


__all__ = [
    "PLAYERS_AND_HOUSE",
    "CommandId",
    "TableName",
    "TablesController",
    "is_demo",
    "require_table",
]
