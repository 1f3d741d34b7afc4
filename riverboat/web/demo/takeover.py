"""People who do a program's part at a demo table: who deals or supervises where a program would.

It is on record, so that every process's programs leave the part to them. Whoever stands in is, at
that table and nowhere else, somebody of the house.
"""

from typing import Final, Literal, TypeAlias

from riverboat.core.errors import Refused
from riverboat.core.records import Action
from riverboat.floor.autopilot import DEMO, Doing
from riverboat.floor.floor import Floor
from riverboat.round import actions as g
from riverboat.round.legal import allows
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.legal import legal
from riverboat.table.people import Actor
from riverboat.web.demo.attendance import STANDING, AnyPart, Standing, StoodIn, put_down
from riverboat.web.roles import STAFF, Guest

Part: TypeAlias = Literal["dealer", "supervisor"]


def may_see(guest: Guest, owner: str) -> bool:
    """A visitor's own table is for the visitor and for the house; others are the floor's."""
    return not owner or owner == guest.name or guest.door in (*STAFF, "auditor")


def is_shown(day: Day) -> bool:
    """Whether programs do the house's part at a table: a demonstration or a laboratory's test."""
    configuration = day.configuration
    return configuration is not None and (configuration.demo or configuration.test)


def actor_at(guest: Guest, day: Day, standing: Standing) -> Actor | None:
    """Who somebody is at a table: of the house where they stand in, else who they are anywhere.
    Whoever is assigned to deal where people run the table is its dealer and nothing else there."""
    part = standing.get(guest.name)
    if part == "dealer" and is_shown(day) and day.dealer == guest.name:
        return Actor(name=guest.name, role="dealer")
    if part == "supervisor" and is_shown(day):
        return Actor(name=guest.name, role="supervisor")
    if day.dealer == guest.name and guest.door in STAFF and not is_shown(day):
        return Actor(name=guest.name, role="dealer")
    return guest.actor


_SIGNED_FOR: Final = (g.CorrectCard, a.RestoreDevice)


def signing_for(actor: Actor, day: Day) -> tuple[Actor, tuple[type[Action], ...]]:
    """Who does some of what somebody asks for, and what: a card that a learner told wrong is put
    right, and a device put back into use, by the table's automatic floorperson, as the floor would
    at other tables."""
    learns = is_shown(day) and actor.role == "dealer"
    return (DEMO.floorperson, _SIGNED_FOR) if learns else (actor, ())


def signs_for(actor: Actor, day: Day, action: object) -> Actor:
    """Who does what somebody asks for."""
    signer, kinds = signing_for(actor, day)
    return signer if isinstance(action, kinds) else actor


def is_left_to_people(day: Day, standing: Standing, doing: Doing) -> bool:
    """Whether a program's step is somebody's who stands in for it; how an interrupted table stood
    is signed by whoever supervises."""
    by = doing.by
    if by.role == "dealer":
        return bool(day.dealer) and day.dealer != by.name
    signs = by.role == "supervisor" or isinstance(doing.ask, a.Confirm)
    return signs and "supervisor" in standing.values()


def require_may_stand_in(
    guest: Guest, day: Day, standing: Standing, part: Part, owner: str
) -> None:
    """A visitor at a table of their own, others at a demo table where that part is a program's."""
    if not is_shown(day):
        text = "at this table people of the house do it; parts are taken over at demo tables"
        raise Refused("standing_in.demo_only", text, cites=())
    visitors = guest.door == "visitor" or bool(owner)
    if visitors and guest.door not in STAFF and owner != guest.name:
        text = "visitors deal at a demo table of their own; open one"
        raise Refused("standing_in.not_yours", text, cites=())
    if guest.name in day.people.values():
        text = f"{guest.name} plays here; nobody plays at the table where they deal or supervise"
        raise Refused("standing_in.seated", text, cites=())
    if guest.door in STAFF:
        return
    if any(done == part and name != guest.name for name, done in standing.items()):
        raise Refused("standing_in.taken", "somebody else does this part already", cites=())
    if day.people:
        raise Refused("standing_in.people", "people play here; open a table of your own", cites=())


def require_program_can_deal(day: Day) -> None:
    """A real deck is in somebody's hands: no program deals it."""
    if day.configuration is not None and day.configuration.physical:
        text = "this table has real cards, which no computer can deal; you have them, so you deal"
        raise Refused("standing_in.real_cards", text, cites=())


def take_over(floor: Floor, command_id: str, guest: Guest, table: str, part: AnyPart) -> None:
    """On record; the automatic floorperson assigns the new dealer, or the program again."""
    _put_down(floor, command_id, table, StoodIn(name=guest.name, part=part))


def relieve(floor: Floor, table: str, name: str) -> bool:
    """The program takes up the part of somebody who has gone; not yet, while no dealer can be
    assigned. Every process that sees them gone mints the same id: how often parts changed hands."""
    told = StoodIn(name=name, part="", absent=True)
    day = floor.station(table).day
    asked = _assigning(day, told)
    if asked is not None and not allows(legal(day, DEMO.floorperson), asked):
        return False
    times = floor.ledger.version(STANDING + table)
    _put_down(floor, f"relieve {table} {times}", table, told)
    return True


def _assigning(day: Day, told: StoodIn) -> a.AssignDealer | None:
    """Who deals from then on, where that is somebody else."""
    deals = day.dealer == told.name
    if deals == (told.part == "dealer"):
        return None
    return a.AssignDealer(name=DEMO.dealer.name if deals else told.name)


def _put_down(floor: Floor, command_id: str, table: str, told: StoodIn) -> None:
    """The dealer first: where nobody can be assigned now, nobody has taken anything over."""
    dealer = _assigning(floor.station(table).day, told)
    if dealer is not None:
        floor.ask(f"{command_id} assign", DEMO.floorperson, table, dealer)
    asked = {"stand_in": table, "name": told.name, "part": told.part, "absent": told.absent}
    put_down(floor, f"{command_id} stand in", STANDING + table, asked, told)
