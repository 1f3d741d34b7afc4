"""The progressive signs: one full screen for each meter, and the wall of them all."""

from typing import Annotated

from litestar import Controller, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from litestar.response import Template

from riverboat.web.doors import ANYBODY, EVERYBODY, opens_to
from riverboat.web.frames import Json
from riverboat.web.house import House

MeterName = Annotated[str, Parameter(description="the meter's name", max_length=60)]


class SignPages(Controller):
    """What hangs over the tables."""

    include_in_schema = False

    @get("/sign", opt=opens_to(ANYBODY), sync_to_thread=False)
    def wall(self) -> Template:
        """Every meter of the floor, each leading to its own sign."""
        return Template("signs.html")

    @get("/sign/{meter:str}", opt=opens_to(ANYBODY), sync_to_thread=False)
    def sign(self, house: House, meter: MeterName) -> Template:
        """One meter, full screen."""
        _require(house, meter)
        return Template("sign.html", context={"meter": meter})

    @get("/sign/{meter:str}/last-win", opt=opens_to(*EVERYBODY), sync_to_thread=False)
    def last_win(self, house: House, meter: MeterName) -> Json:
        """The newest award that left the meter, so that a sign says WIN for a win and not for one
        that was backed out of."""
        _require(house, meter)
        for one in reversed(list(house.floor.link(meter).awards.values())):
            if (one.paid or one.moved) and not one.backed_out:
                fixed = one.fixed
                return {
                    "number": one.number,
                    "cents": fixed.cents,
                    "hand": fixed.hand,
                    "table": fixed.table,
                    "seat": fixed.seat,
                }
        return {"number": 0}


def _require(house: House, meter: str) -> None:
    if meter not in house.meter_names():
        raise NotFoundException(f"there is no meter {meter!r}")
