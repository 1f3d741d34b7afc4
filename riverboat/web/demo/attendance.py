"""What the server itself puts on record about demo tables, so that every process knows it alike:
whose a table is, which programs attend it, who has bet, and who does a program's part."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, json

from riverboat.floor.floor import Floor
from riverboat.ledger import Command, Write
from riverboat.table.people import SYSTEM

ATTENDANCE: Final = "attendance/"
READY: Final = "ready/"
STANDING: Final = "standing in/"
AnyPart: TypeAlias = Literal["", "dealer", "supervisor"]
Standing: TypeAlias = dict[str, str]
"""The part that each person does at a table, by name."""


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
