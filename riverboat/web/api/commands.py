"""What every command shares: its id, the table that it is for, and the second person who signs
beside the one who asks, with a name and a password."""

from typing import Annotated, Any, Final, get_args

from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct, to_builtins

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.autopilot import DEMO
from riverboat.floor.station import AnyAsked
from riverboat.keeping.actions import AnyMeterAction
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.auth import KEEPERS
from riverboat.web.demo.roles import may_see
from riverboat.web.house import House

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]
CommandId = Annotated[str, Meta(min_length=8, max_length=100, description="minted by the client")]
TableName = Annotated[str, Parameter(description="the table's name", max_length=60)]
PLAYERS_AND_HOUSE: Final = (
    *("visitor", "player", "dealer"),
    *("supervisor", "manager", "administrator"),
)


class Signature(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The second person, who signs for this one thing and gets no session by it."""

    name: Name
    password: Password


def _of_two(kinds: Any) -> frozenset[str]:
    return frozenset(
        str(kind.__struct_config__.tag)
        for kind in get_args(kinds)
        if "second" in kind.__struct_fields__
    )


NEEDS_SECOND: Final = _of_two(AnyAsked) | _of_two(AnyMeterAction)
"""What takes two people, by its tag."""


def signed(
    house: House, guest: Guest, raw: dict[str, Any], given: Signature | None, *, demo: bool
) -> dict[str, Any]:
    """An action with its second person filled in by whoever signed; nobody is only named."""
    if "second" in raw:
        text = "action.second: the second person signs beside the action, with a password"
        raise NotationError("action.second", text)
    what = str(raw.get("do", ""))
    if what not in NEEDS_SECOND:
        return raw
    second = second_person(house, guest, given, what.replace("_", " "), demo=demo)
    return {**raw, "second": to_builtins(second)}


def second_person(
    house: House, guest: Guest, given: Signature | None, what: str, *, demo: bool
) -> Actor:
    """Somebody else who answers for the floor, never a dealer, whose own round it may be about; at
    a demo table, where nobody signs, its program."""
    if given is None:
        if demo:
            return DEMO.floorperson
        text = f"{what} takes two people: a second one signs with name and password"
        raise Refused("second.missing", text, cites=())
    house.patience.spend(f"name {given.name}")
    account = house.accounts.confirm(given.name, given.password)
    house.patience.forget(f"name {given.name}")
    signer = Guest(name=account.name, door=account.door)
    if account.door not in KEEPERS or signer.actor is None:
        text = (
            f"{signer.name} is {signer.door}; the second person is a supervisor, a manager or an "
            "administrator"
        )
        raise Refused("person.may_not", text, cites=())
    if account.must_change:
        text = f"{signer.name} signs with a password of their own: change the given one first"
        raise Refused("password.given", text, cites=())
    if signer.name == guest.name:
        text = f"{what} takes two people; {guest.name} is one"
        raise Refused("person.same", text, cites=())
    return signer.actor


def require_table(house: House, table: str, guest: Guest) -> None:
    """A table that nobody set up is not there, and asking for it does not make it; nor is it for
    somebody who may not see it."""
    hidden = not may_see(guest, house.model.owner(table))
    if table not in house.model.tables or hidden:
        raise NotFoundException(f"there is no table {table!r}")


def is_demo(house: House, table: str) -> bool:
    """Whether a table's people of the house are programs."""
    configuration = house.model.station(table).day.configuration
    return configuration is not None and configuration.demo
