"""A finished round as a file that anybody can check, without this floor: `riverboat verify`."""

import asyncio
import re
from collections.abc import Iterator
from typing import Annotated, get_args

from litestar import Controller, Response, get
from litestar.exceptions import PermissionDeniedException
from litestar.params import Parameter

from riverboat.core.errors import Refused
from riverboat.evidence.exporting import export_round
from riverboat.evidence.round_text import write_round
from riverboat.floor.codec import TABLE, read_table_body
from riverboat.floor.floor import Floor
from riverboat.table import events as e
from riverboat.web.api.rounds import Number, eyes_for, require_over
from riverboat.web.api.tables import TableName
from riverboat.web.doors import EVERYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.roles import Guest
from riverboat.web.round_story import Eyes

_OF_TABLES = get_args(e.AnyEvent)
MaybeSeat = Annotated[
    int | None, Parameter(ge=1, le=12, description="as this seat saw it; a player: one of yours")
]


class EvidenceController(Controller):
    """What can be taken home."""

    path = "/api/tables/{table:str}/rounds/{number:int}/evidence"
    tags = ("rounds",)

    @get("/", opt=opens_to(*EVERYBODY), media_type="application/json")
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
        require_over(house.floor.station(table).day, number)
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
        for entry in read_table_body(row.body, table, floor.secret):
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
