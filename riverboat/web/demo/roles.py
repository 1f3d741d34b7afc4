"""Who plays which part at a demo table: whose it is, which programs attend it, who has bet, and the
people who deal or supervise where a program would.

All of it is on record, so that every process knows it alike and its programs leave the part to
them. Whoever stands in is, at that table and nowhere else, somebody of the house.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, json

from riverboat.core.errors import Refused
from riverboat.core.records import Action
from riverboat.floor.autopilot import DEMO, Doing
from riverboat.floor.floor import Floor
from riverboat.ledger import Command, Write
from riverboat.round import actions as g
from riverboat.round.legal import allows
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.legal import legal
from riverboat.table.people import SYSTEM, Actor
from riverboat.web.accounts import STAFF, Guest

ATTENDANCE: Final = "attendance/"
READY: Final = "ready/"
STANDING: Final = "standing in/"
Part: TypeAlias = Literal["dealer", "supervisor"]
AnyPart: TypeAlias = Literal["", "dealer", "supervisor"]
Standing: TypeAlias = dict[str, str]
"""The part that each person does at a table, by name."""
_SIGNED_FOR: Final = (g.CorrectCard, a.RestoreDevice)


# ---------------------------------------------------------------- what is on record


class Attended(Struct, frozen=True, kw_only=True, tag="attended"):
    """Programs attend a demo table, so many of them as players. `owner`: the visitor who opened it,
    for whom alone and for the house it is."""

    bots: int
    owner: str = ""
    v: int = 1


class Readied(Struct, frozen=True, kw_only=True, tag="readied"):
    """Somebody has bet what they want to bet in a round."""

    name: str
    round: int
    v: int = 1


class StoodIn(Struct, frozen=True, kw_only=True, tag="stood_in"):
    """Somebody takes a program's part; an empty part gives it back. `absent`: the program took it
    up, because they were gone."""

    name: str
    part: AnyPart
    absent: bool = False
    v: int = 1


def follow(standing: Standing, told: StoodIn) -> Standing:
    """Who stands in after that: one person for a part, one part for a person."""
    others = {n: p for n, p in standing.items() if n != told.name and p != told.part}
    return {**others, told.name: told.part} if told.part else others


def announce(floor: Floor, table: str, bots: int, owner: str = "") -> None:
    """Every process attends a table from now on, and shows it to nobody but its owner if it has
    one: so this is said before the table is opened."""
    told = Attended(bots=bots, owner=owner)
    asked = {"attend": table, "bots": bots, "owner": owner}
    put_down(floor, f"attend {table} {bots}", ATTENDANCE + table, asked, told)


def announce_ready(floor: Floor, table: str, round_number: int, name: str) -> None:
    """The dealer of any process need not wait for somebody."""
    told = Readied(name=name, round=round_number)
    asked = {"ready": table, "round": round_number, "name": name}
    put_down(floor, f"ready {table} {round_number} {name}", READY + table, asked, told)


def put_down(floor: Floor, command_id: str, stream: str, asked: object, told: Struct) -> None:
    """Once for a command."""
    command = Command(
        id=command_id,
        actor=json.encode(SYSTEM).decode(),
        recorded_at=floor.clock(),
        text=json.encode(asked).decode(),
    )
    body = json.encode(told).decode()
    floor.ledger.append(command, Write(stream=stream, expected_version=None, body=body))


# ---------------------------------------------------------------- who somebody is at a table


def may_see(guest: Guest, owner: str) -> bool:
    """Whether somebody may look and sit at a table: a visitor's own is for the visitor and for the
    house; others are the floor's."""
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


# ---------------------------------------------------------------- taking over a part


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
