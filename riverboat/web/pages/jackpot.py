"""Run the jackpot: a royal flush at a test table, and the visitor has the key."""

from litestar import Controller, get
from litestar.response import Template

from riverboat.web.doors import ANYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.rigging import billed


class JackpotPages(Controller):
    """A jackpot to be seen."""

    include_in_schema = False

    @get("/jackpot", opt=opens_to(ANYBODY), sync_to_thread=False)
    def jackpot(self, house: House) -> Template:
        """Opening the page changes nothing: its button opens the table."""
        return Template("jackpot.html", context=billed(house.floor)._asdict())
