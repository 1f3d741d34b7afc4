"""Two people: the one who asks, and a second one who signs beside with a name and a password."""

from typing import Annotated, Any, Final, get_args

from msgspec import Meta, Struct, to_builtins

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.autopilot import DEMO
from riverboat.floor.station import AnyAsked
from riverboat.progressive.link_actions import AnyLinkAction
from riverboat.table.people import Actor
from riverboat.web.doors import KEEPERS
from riverboat.web.house import House
from riverboat.web.roles import Guest

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]


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


NEEDS_SECOND: Final = _of_two(AnyAsked) | _of_two(AnyLinkAction)
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
