"""Tables and what was played at them: the first screen and the player's seat, the dealer's console,
finished rounds, the progressive signs, a jackpot. Shells around what the browser draws."""

from pathlib import Path
from typing import Annotated, Any, Final

from litestar import Controller, Request, get
from litestar.params import Parameter
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Redirect, Template
from litestar.template.config import TemplateConfig
from msgspec import UNSET, Struct, UnsetType

from riverboat.core.money import Cents
from riverboat.web.accounts import Guest
from riverboat.web.api.accounts import may_visit
from riverboat.web.api.commands import require_table
from riverboat.web.api.meters import is_visitors, require_meter
from riverboat.web.auth import ANYBODY, EVERYBODY, opens_to
from riverboat.web.demo.jackpot import billed
from riverboat.web.house import House

TEMPLATES: Final = TemplateConfig(
    directory=Path(__file__).parent.parent / "templates", engine=JinjaTemplateEngine
)
"""Litestar's engine escapes what it fills in, in every template."""
Number = Annotated[int, Parameter(ge=1, le=10_000_000)]
MeterName = Annotated[str, Parameter(description="the meter's name", max_length=60)]


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
        configuration = house.model.station(table).day.configuration
        title = configuration.book.title if configuration else ""
        return Template("seat.html", context={"table": table, "rulebook": title})


class DealerPages(Controller):
    """What a dealer opens, or somebody who learns to be one."""

    include_in_schema = False

    @get("/dealer", opt=opens_to(ANYBODY), sync_to_thread=False)
    def choose(self) -> Template:
        """Every game that can be dealt, and the floor's tables for who deals there."""
        return Template("dealer_choose.html")

    @get("/dealer/{table:str}", opt=opens_to(*EVERYBODY), sync_to_thread=False)
    def console(self, house: House, guest: Guest, table: str) -> Template:
        """One table from the dealer's side."""
        context = {
            "table": table,
            "rulebook": titled(house, table, guest),
            "own": house.model.owner(table) == guest.name,
        }
        return Template("dealer.html", context=context)


def titled(house: House, table: str, guest: Guest) -> str:
    """The title of a table's rulebook; a table that nobody set up is not there."""
    require_table(house, table, guest)
    configuration = house.model.station(table).day.configuration
    return configuration.book.title if configuration else ""


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
            "rulebook": titled(house, table, request.user),
            "door": request.user.door,
            "own": house.model.owner(table) == request.user.name,
            "linked": bool(house.model.station(table).link),
        }
        return Template("round.html", context=context)


class LastWin(Struct, frozen=True, kw_only=True):
    """The newest award that left a meter; number 0 where none has."""

    number: int
    cents: Cents | UnsetType = UNSET
    hand: str | UnsetType = UNSET
    table: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET


class SignPages(Controller):
    """What hangs over the tables."""

    include_in_schema = False
    tags = ("meters",)

    @get("/sign", opt=opens_to(ANYBODY), sync_to_thread=False)
    def wall(self) -> Template:
        """Every meter of the floor, each leading to its own sign."""
        return Template("signs.html")

    @get("/sign/{meter:str}", opt=opens_to(ANYBODY), sync_to_thread=False)
    def sign(
        self, house: House, meter: MeterName, request: Request[Guest | None, Any, Any]
    ) -> Template:
        """One meter, full screen."""
        require_meter(house, meter, request.user)
        context = {"meter": meter, "visitors": is_visitors(house, meter)}
        return Template("sign.html", context=context)

    @get(
        "/sign/{meter:str}/last-win",
        opt=opens_to(*EVERYBODY),
        sync_to_thread=False,
        summary="See a meter's last win",
        include_in_schema=True,
    )
    def last_win(self, house: House, guest: Guest, meter: MeterName) -> LastWin:
        """The newest award that left the meter, so that a sign says WIN for a win and not for one
        that was backed out of."""
        require_meter(house, meter, guest)
        for one in reversed(list(house.model.link(meter).awards.values())):
            if (one.paid or one.moved) and not one.backed_out:
                won = one.fixed
                return LastWin(
                    number=one.number,
                    cents=won.cents,
                    hand=won.hand,
                    table=won.table,
                    seat=won.seat,
                )
        return LastWin(number=0)


class JackpotPages(Controller):
    """A jackpot to be seen."""

    include_in_schema = False

    @get("/jackpot", opt=opens_to(ANYBODY), sync_to_thread=False)
    def jackpot(self, house: House) -> Template:
        """Opening the page changes nothing: its button opens the table."""
        return Template("jackpot.html", context=billed(house.floor)._asdict())
