"""A finished round as it lay on the felt, step by step."""

import asyncio
from typing import Any

from litestar import Controller, get
from msgspec import Struct

from riverboat.web.api.rounds import Number, eyes_for, require_over
from riverboat.web.api.tables import TableName
from riverboat.web.console import clause_texts
from riverboat.web.doors import EVERYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.printing import felt
from riverboat.web.roles import Guest
from riverboat.web.round_pictures import pictures


class Pictured(Struct, frozen=True, kw_only=True):
    """The felt after each entry, what is printed on it, and what the rulebook's clauses say."""

    pictures: list[dict[str, Any]]
    felt: dict[str, Any]
    clauses: dict[str, Any]


class PicturesController(Controller):
    """What was seen."""

    path = "/api/tables/{table:str}/rounds/{number:int}/pictures"
    tags = ("rounds",)

    @get("/", opt=opens_to(*EVERYBODY))
    async def seen(self, house: House, guest: Guest, table: TableName, number: Number) -> Pictured:
        """The felt after each entry of a finished round; for a player as their own seat saw it."""
        eyes = eyes_for(house, guest, table, number)
        require_over(house.floor.station(table).day, number)
        found = await asyncio.to_thread(pictures, house.floor, table, number, eyes)
        day = house.floor.station(table).day
        book = day.setup.book
        clauses = clause_texts(book, (*book.clauses, *book.ambiguities))
        return Pictured(pictures=found, felt=felt(day) or {}, clauses=clauses)
