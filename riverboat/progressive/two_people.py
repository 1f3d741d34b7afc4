"""What takes two people and a reason: nobody changes an award or a meter alone."""

from riverboat.core.errors import Refused
from riverboat.round.legal import permits
from riverboat.table.people import Actor, has_role, is_a

STAFF = ("dealer", "floorperson", "supervisor", "lab")


def require_two(
    by: Actor, second: Actor, reason: str, what: str, cites: tuple[str, ...] = ()
) -> None:
    """A supervisor asks, somebody else of the house agrees, and both say why."""
    if not (has_role(by, ("supervisor",)) or by.role == "lab"):
        text = f"{is_a(by)}; {what} is for the supervisor"
        raise Refused("person.may_not", text, cites=cites)
    if second.role not in STAFF:
        text = f"{is_a(second)}; the second person for {what} is of the house"
        raise Refused("person.may_not", text, cites=cites)
    if not (by.name.strip() and second.name.strip()):
        raise Refused("person.unnamed", f"{what} takes two people with names", cites=cites)
    if by.name.strip().casefold() == second.name.strip().casefold():
        text = f"{what} takes two people; {by.name} is one"
        raise Refused("person.same", text, cites=cites)
    if not reason.strip():
        raise Refused("reason.missing", f"{what} needs a reason", cites=cites)


def may_be_second(by: Actor, second: object) -> bool:
    """Whether somebody can agree to what a supervisor asks for."""
    return permits(require_two, by, second, "?", "this")
