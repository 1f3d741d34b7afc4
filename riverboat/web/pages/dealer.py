"""The dealer's console, and where one chooses what to deal."""

from litestar import Controller, get
from litestar.response import Template

from riverboat.web.api.at_tables import require_table
from riverboat.web.doors import ANYBODY, EVERYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.roles import Guest


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
        require_table(house, table, guest)
        return Template("dealer.html", context={"table": table, "rulebook": titled(house, table)})


def titled(house: House, table: str) -> str:
    """The title of a table's rulebook; a table that nobody set up is not there."""
    require_table(house, table)
    configuration = house.floor.station(table).day.configuration
    return configuration.book.title if configuration else ""
