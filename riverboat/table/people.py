"""Who is at the table, and who may do what: dealer, floorperson, supervisor, player, lab, system.

A step that a clause gives to a person is done by that person or, for the floor's steps, by somebody
above. Where a clause wants two people, the second one is somebody else.
"""

from riverboat.core.errors import Refused
from riverboat.core.records import Actor, Role
from riverboat.round.legal import permits
from riverboat.round.settlement.voids import cards_seen
from riverboat.round.state import Round

_ABOVE: dict[str, tuple[Role, ...]] = {"floorperson": ("supervisor",)}


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
    _require_different(by, second, what, cites)
    if not reason.strip():
        raise Refused("reason.missing", f"{what} needs a reason", cites=cites)


def _require_different(by: Actor, second: Actor, what: str, cites: tuple[str, ...]) -> None:
    if not (by.name.strip() and second.name.strip()):
        raise Refused("person.unnamed", f"{what} takes two people with names", cites=cites)
    if by.name.strip().casefold() == second.name.strip().casefold():
        text = f"{what} takes two people; {by.name} is one"
        raise Refused("person.same", text, cites=cites)


OF_FLOOR: tuple[Role, ...] = ("floorperson", "supervisor", "lab")


def signed_by(
    state: Round, by: Actor, second: Actor | None, cites: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Who signs for a void that no rule prescribes: one person before a card was seen, two after,
    the second of the floor, because it may be about the dealer's own round."""
    what = "a void that somebody decides once cards were seen"
    if not cards_seen(state):
        require_alone(second, "a void before a card was seen", cites)
        return ()
    if second is None:
        text = f"{what} takes two people: somebody else of the floor signs beside {by.name}"
        raise Refused("second.missing", text, cites=cites)
    if second.role not in OF_FLOOR:
        text = f"{is_a(second)}; the second person for {what} is of the floor"
        raise Refused("person.may_not", text, cites=cites)
    _require_different(by, second, what, cites)
    return by.name, second.name


def require_alone(second: Actor | None, what: str, cites: tuple[str, ...] = ()) -> None:
    """Nobody signs for what one person does: a name on the record says that it took two."""
    if second is not None:
        raise Refused("second.not_needed", f"{what} takes one person", cites=cites)


def may_sign_void(state: Round, by: Actor, second: object) -> bool:
    """Whether somebody can agree to a void that somebody decides."""
    return isinstance(second, Actor) and permits(signed_by, state, by, second)


def may_be_second(by: Actor, second: object) -> bool:
    """Whether somebody can agree to what a supervisor asks for."""
    return permits(require_two, by, second, "?", "this")


__all__ = [
    "OF_FLOOR",
    "STAFF",
    "SYSTEM",
    "Actor",
    "Role",
    "automatic",
    "has_role",
    "is_a",
    "may_be_second",
    "may_sign_void",
    "require_alone",
    "require_another",
    "require_role",
    "require_two",
    "signed_by",
]
