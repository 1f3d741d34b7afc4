"""What everything about tables shares: their names, command ids, and that a table is there."""

from typing import Annotated, Final

from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta

from riverboat.web.house import House
from riverboat.web.roles import Guest

CommandId = Annotated[str, Meta(min_length=8, max_length=100, description="minted by the client")]
TableName = Annotated[str, Parameter(description="the table's name", max_length=60)]
PLAYERS_AND_HOUSE: Final = (
    *("visitor", "player", "dealer"),
    *("supervisor", "manager", "administrator"),
)


def require_table(house: House, table: str, guest: Guest | None = None) -> None:
    """A table that nobody set up is not there, and asking for it does not make it; nor is it for
    somebody who may not see it."""
    hidden = guest is not None and not house.may_see(guest, table)
    if table not in house.purses.tables or hidden:
        raise NotFoundException(f"there is no table {table!r}")


def is_demo(house: House, table: str) -> bool:
    """Whether a table's people of the house are programs."""
    configuration = house.floor.station(table).day.configuration
    return configuration is not None and configuration.demo
