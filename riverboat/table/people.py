"""Who is at the table, and who may do what: dealer, floorperson, supervisor, player, lab, system.

A step that a clause gives to a person is done by that person or, for the floor's steps, by somebody
above. Where a clause wants two people, the second one is somebody else.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.core.errors import Refused
from riverboat.round.legal import permits

Role: TypeAlias = Literal["dealer", "floorperson", "supervisor", "player", "lab", "system"]

_ABOVE: dict[str, tuple[Role, ...]] = {"floorperson": ("supervisor",)}


class Actor(Struct, frozen=True, kw_only=True):
    """Somebody who asks for something. An automatic one is a program, and the log says so."""

    name: str
    role: Role
    automatic: bool = False


def automatic(role: Role) -> Actor:
    """The program that stands in for a person at a demo table."""
    return Actor(name=f"automatic {role}", role=role, automatic=True)


SYSTEM = Actor(name="system", role="system", automatic=True)


def is_a(actor: Actor) -> str:
    """Somebody with a role, as a sentence begins: Dana is a dealer."""
    return f"{actor.name} is {'the' if actor.role == 'system' else 'a'} {actor.role}"


def has_role(actor: Actor, roles: tuple[Role, ...]) -> bool:
    """Whether an actor may do what these roles do."""
    return any(actor.role == role or actor.role in _ABOVE.get(role, ()) for role in roles)


def require_another(actor: Actor, first: str, what: str, cites: tuple[str, ...]) -> None:
    """The second of two people is not the first."""
    if actor.name == first:
        raise Refused("person.same", f"{first} {what}; somebody else has to do this", cites=cites)


def require_role(
    by: Actor, roles: tuple[Role, ...], what: str, cites: tuple[str, ...], *also: Role
) -> None:
    """Somebody whose part it is; a lab does whatever there is to try."""
    if not (has_role(by, roles) or by.role in ("lab", *also)):
        text = f"{is_a(by)}; {what} is for the {' or '.join(roles) or 'lab'}"
        raise Refused("person.may_not", text, cites=cites)


STAFF = ("dealer", "floorperson", "supervisor", "lab")


def require_two(
    by: Actor, second: Actor, reason: str, what: str, cites: tuple[str, ...] = ()
) -> None:
    """A supervisor asks, somebody else of the house agrees, and both say why."""
    require_role(by, ("supervisor",), what, cites)
    if second.role not in STAFF:
        text = f"{is_a(second)}; the second person for {what} is of the house"
        raise Refused("person.may_not", text, cites=cites)
    if not (by.name.strip() and second.name.strip()):
        raise Refused("person.unnamed", f"{what} takes two people with names", cites=cites)
    if by.name.strip().casefold() == second.name.strip().casefold():
        raise Refused("person.same", f"{what} takes two people; {by.name} is one", cites=cites)
    if not reason.strip():
        raise Refused("reason.missing", f"{what} needs a reason", cites=cites)


def may_be_second(by: Actor, second: object) -> bool:
    """Whether somebody can agree to what a supervisor asks for."""
    return permits(require_two, by, second, "?", "this")
