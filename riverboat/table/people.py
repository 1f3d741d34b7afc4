"""Who is at the table, and who may do what: dealer, floorperson, supervisor, player, lab, system.

A step that a clause gives to a person is done by that person or, for the floor's steps, by somebody
above. Where a clause wants two people, the second one is somebody else.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.core.errors import Refused

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
        text = f"{first} {what}; somebody else has to do this"
        raise Refused("person.same", text, cites=cites)
