"""People who do a program's part at a demo table: who deals or supervises where a program would.

It is on record, so that every process's programs leave the part to them. Whoever stands in is, at
that table and nowhere else, somebody of the house.
"""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from msgspec import Struct, json

from riverboat.errors import Refused
from riverboat.floor.attending import DEMO, Doing
from riverboat.floor.floor import Floor
from riverboat.ledger import Command, Write
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import SYSTEM, Actor
from riverboat.web.roles import STAFF, Guest

STANDING: Final = "standing in/"
VISITORS_OWN: Final = "Guest "
"""How the names of visitors, and so of their own tables, begin."""
Part: TypeAlias = Literal["dealer", "supervisor"]
AnyPart: TypeAlias = Literal["", "dealer", "supervisor"]
Standing: TypeAlias = dict[str, str]
"""The part that each person does at a table, by name."""


class StoodIn(Struct, frozen=True, kw_only=True, tag="stood_in"):
    """Somebody takes a program's part; an empty part gives it back."""

    name: str
    part: AnyPart
    v: int = 1


def follow(standing: Standing, told: StoodIn) -> Standing:
    """Who stands in after that: one person for a part, one part for a person."""
    others = {n: p for n, p in standing.items() if n != told.name and p != told.part}
    return {**others, told.name: told.part} if told.part else others


def is_own(name: str, table: str) -> bool:
    """Whether a table is somebody's own: it bears their whole name, alone or before a mark."""
    return table == name or table.startswith(f"{name} ")


def may_see(guest: Guest, table: str) -> bool:
    """A visitor's own table is for the visitor and for the house; others are the floor's."""
    if not table.startswith(VISITORS_OWN):
        return True
    return guest.door in (*STAFF, "auditor") or is_own(guest.name, table)


def is_shown(day: Day) -> bool:
    """Whether programs do the house's part at a table: a demonstration or a laboratory's test."""
    configuration = day.configuration
    return configuration is not None and (configuration.demo or configuration.test)


def actor_at(guest: Guest, day: Day, standing: Standing) -> Actor | None:
    """Who somebody is at a table: of the house where they stand in, else who they are anywhere."""
    part = standing.get(guest.name)
    if part == "dealer" and is_shown(day) and day.dealer == guest.name:
        return Actor(name=guest.name, role="dealer")
    if part == "supervisor" and is_shown(day):
        return Actor(name=guest.name, role="supervisor")
    return guest.actor


def is_left_to_people(day: Day, standing: Standing, doing: Doing) -> bool:
    """Whether a program's step is somebody's who stands in for it; how an interrupted table stood
    is signed by whoever supervises."""
    by = doing.by
    if by.role == "dealer":
        return bool(day.dealer) and day.dealer != by.name
    signs = by.role == "supervisor" or isinstance(doing.ask, a.Confirm)
    return signs and "supervisor" in standing.values()


def require_may_stand_in(
    guest: Guest, day: Day, standing: Standing, part: Part, bots: Collection[str]
) -> None:
    """A visitor at a table of their own, others at a demo table where that part is a program's."""
    if not is_shown(day):
        text = "at this table people of the house do it; parts are taken over at demo tables"
        raise Refused("standing_in.demo_only", text, cites=())
    visitors = guest.door == "visitor" or day.table.startswith(VISITORS_OWN)
    if visitors and guest.door not in STAFF and not is_own(guest.name, day.table):
        text = "visitors deal at a demo table of their own; open one"
        raise Refused("standing_in.not_yours", text, cites=())
    if guest.name in day.seated.values():
        text = f"{guest.name} plays here; nobody plays at the table where they deal or supervise"
        raise Refused("standing_in.seated", text, cites=())
    if guest.door in STAFF:
        return
    if any(done == part and name != guest.name for name, done in standing.items()):
        raise Refused("standing_in.taken", "somebody else does this part already", cites=())
    if any(name not in bots for name in day.seated.values()):
        raise Refused("standing_in.people", "people play here; open a table of your own", cites=())


def take_over(floor: Floor, command_id: str, guest: Guest, table: str, part: AnyPart) -> None:
    """On record; the automatic floorperson assigns the new dealer, or the program again."""
    told = json.encode(StoodIn(name=guest.name, part=part)).decode()
    command = Command(
        id=f"{command_id} stand in",
        actor=json.encode(SYSTEM).decode(),
        recorded_at=floor.clock(),
        text=json.encode({"stand_in": table, "name": guest.name, "part": part}).decode(),
    )
    if floor.ledger.recall(command) is None:
        write = Write(stream=STANDING + table, expected_version=None, body=told)
        floor.ledger.append(command, write)
    deals = floor.station(table).day.dealer == guest.name
    if deals != (part == "dealer"):
        dealer = DEMO.dealer.name if deals else guest.name
        asked = a.AssignDealer(name=dealer)
        floor.ask(f"{command_id} assign", DEMO.floorperson, table, asked)
