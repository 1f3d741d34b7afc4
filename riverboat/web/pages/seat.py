"""The first screen and the player's seat: shells around a felt that the browser draws."""

from pathlib import Path
from typing import Any, Final

from litestar import Controller, Request, get
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Redirect, Template
from litestar.template.config import TemplateConfig

from riverboat.web.api.at_tables import require_table
from riverboat.web.api.entrance import may_visit
from riverboat.web.doors import ANYBODY, EVERYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.roles import Guest

TEMPLATES: Final = TemplateConfig(
    directory=Path(__file__).parent.parent / "templates", engine=JinjaTemplateEngine
)
"""Litestar's engine escapes what it fills in, in every template."""


class SeatPages(Controller):
    """What a player opens."""

    include_in_schema = False

    @get("/", opt=opens_to(ANYBODY), sync_to_thread=False)
    def first(self, house: House, request: Request[Guest | None, Any, Any]) -> Template | Redirect:
        """A felt with a hand on it for a visitor; whoever has an account begins in the lobby.

        Opening the page changes nothing: its script asks for the hand, so that no link from
        elsewhere and nothing that fetches pages ahead can let anybody in or deal.
        """
        guest = request.user
        if guest is not None and guest.door != "visitor":
            return Redirect("/lobby")
        visiting = guest is not None or may_visit(house, request)
        return Template("first.html", context={"visiting": visiting})

    @get("/tables/{table:str}", opt=opens_to(*EVERYBODY), sync_to_thread=False)
    def seat(self, house: House, guest: Guest, table: str) -> Template:
        """A table from a player's seat, or from the rail."""
        require_table(house, table, guest)
        configuration = house.floor.station(table).day.configuration
        title = configuration.book.title if configuration else ""
        return Template("seat.html", context={"table": table, "rulebook": title})
