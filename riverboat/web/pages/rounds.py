"""Finished rounds: the list, and one of them step by step."""

from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.params import Parameter
from litestar.response import Template

from riverboat.web.doors import EVERYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.pages.dealer import titled
from riverboat.web.roles import Guest

Number = Annotated[int, Parameter(ge=1, le=10_000_000)]


class RoundPages(Controller):
    """What was played, for who may see it; the page's data has its own doors."""

    include_in_schema = False

    @get("/rounds", opt=opens_to(*EVERYBODY), sync_to_thread=False)
    def rounds(self, request: Request[Guest, Any, Any]) -> Template:
        """A player's own rounds; for the house, a table's."""
        return Template("rounds.html", context={"plays": request.user.plays})

    @get("/rounds/{table:str}/{number:int}", opt=opens_to(*EVERYBODY), sync_to_thread=False)
    def one(
        self, house: House, request: Request[Guest, Any, Any], table: str, number: Number
    ) -> Template:
        """One round, to be gone through step by step."""
        context = {
            "table": table,
            "number": number,
            "rulebook": titled(house, table),
            "door": request.user.door,
            "linked": bool(house.floor.station(table).link),
        }
        return Template("round.html", context=context)
