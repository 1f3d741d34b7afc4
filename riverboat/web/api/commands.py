"""What every command shares: its id, the table that it is for, and the second person who signs
beside the one who asks, with a name and a password."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias, get_args

from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct, to_builtins
from msgspec.structs import fields

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.autopilot import DEMO
from riverboat.floor.codec import TABLE
from riverboat.floor.signers import folded_name
from riverboat.floor.station import AnyAsked
from riverboat.keeping.actions import AnyMeterAction
from riverboat.table.people import Actor
from riverboat.web.accounts import Account, Guest, Place
from riverboat.web.auth import KEEPERS, need_words
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


def _of_two(kinds: Any) -> dict[str, bool]:
    """What takes two people, by its tag, and whether always: some only once cards were seen."""
    return {
        str(kind.__struct_config__.tag): field.required
        for kind in get_args(kinds)
        for field in fields(kind)
        if field.name == "second"
    }


NEEDS_SECOND: Final = _of_two(AnyAsked) | _of_two(AnyMeterAction)
"""What takes two people, by its tag, and whether always."""
MISSING: Final = "second.missing"
TryOut: TypeAlias = Callable[[dict[str, Any]], object]
"""Decides an action without putting anything down; refuses what would be refused."""


def signed(
    house: House,
    guest: Guest,
    command_id: str,
    raw: dict[str, Any],
    given: Signature | None,
    try_out: TryOut,
    *,
    demo: bool,
) -> dict[str, Any]:
    """An action with its second person filled in by whoever signed; nobody is only named.

    Whoever asks must be granted it but for the signature before anybody's password is looked at: it
    is tried out with somebody who is not there. What was carried out before needs no trying.
    """
    if "second" in raw:
        text = "action.second: the second person signs beside the action, with a password"
        raise NotationError("action.second", text)
    what = str(raw.get("do", ""))
    of_two = what in NEEDS_SECOND
    known = of_two and bool(house.floor.ledger.store.of_command(guest.own(command_id)))
    takes_two = of_two and (
        given is not None if known else NEEDS_SECOND[what] or _asks_for_second(raw, try_out)
    )
    if not takes_two:
        if given is not None:
            text = f"{_named(what)} takes one person; nobody signs beside it"
            raise Refused("second.not_needed", text, cites=())
        return raw
    if not known:
        absent = Actor(name=f"{guest.name} and another", role="supervisor")
        try_out({**raw, "second": to_builtins(absent)})
    second = second_person(house, guest, given, _named(what), demo=demo, again=known)
    return {**raw, "second": to_builtins(second)}


def _named(what: str) -> str:
    return what.replace("_", " ")


def _asks_for_second(raw: dict[str, Any], try_out: TryOut) -> bool:
    """Whether one person is too few, as it stands; any other refusal is for who asks."""
    try:
        try_out(raw)
    except Refused as refusal:
        if refusal.code != MISSING:
            raise
        return True
    return False


def second_person(
    house: House,
    guest: Guest,
    given: Signature | None,
    what: str,
    *,
    demo: bool,
    again: bool = False,
) -> Actor:
    """Somebody else who answers for the floor, never a dealer, whose own round it may be about; at
    a demo table, where nobody signs, its program."""
    if given is None:
        if demo:
            return DEMO.floorperson
        text = f"{what} takes two people: a second one signs with name and password"
        raise Refused(MISSING, text, cites=())
    second = signature(house, guest, given, what, again=again)
    return Actor(name=second.name, role="supervisor")


def signature(
    house: House, guest: Guest, given: Signature, what: str, *, again: bool = False
) -> Account:
    """Whose signature it is, beside somebody who asks.

    Only somebody who is one of two people has another's password looked at, and tries are counted
    for who asks: whoever tries elsewhere keeps nobody from signing here. What was signed before and
    is asked for again counted then.
    """
    if guest.door not in KEEPERS:
        text = (
            f"{need_words(KEEPERS)} to have somebody sign beside you; at this table a program does"
        )
        raise Refused("person.may_not", text, cites=())
    if not again:
        house.accounts.require_counts(guest.name)
    if folded_name(given.name) == folded_name(guest.name):
        text = f"{what} takes two people; {guest.name} is one"
        raise Refused("person.same", text, cites=())
    place = Place("", f"the side of {guest.name}")
    account, _ = house.accounts.confirm(given.name, given.password, place)
    if account.door not in KEEPERS:
        text = (
            f"{account.name} is {account.door}; the second person is a supervisor, a manager or an "
            "administrator"
        )
        raise Refused("person.may_not", text, cites=())
    if not again:
        house.accounts.require_counts(account.name)
    return account


def require_table(house: House, table: str, guest: Guest) -> None:
    """A table that nobody set up is not there, and asking for it does not make it; nor is it for
    somebody who may not see it."""
    if table not in house.model.tables or not house.may_look(guest, TABLE + table):
        raise NotFoundException(f"there is no table {table!r}")


def is_demo(house: House, table: str) -> bool:
    """Whether a table's people of the house are programs."""
    configuration = house.model.station(table).day.configuration
    return configuration is not None and configuration.demo
