"""What everything that is asked for, and everything that has happened, is made of."""

from typing import Literal, TypeAlias

from msgspec import Struct

Role: TypeAlias = Literal["dealer", "floorperson", "supervisor", "player", "lab", "system"]


class Actor(Struct, frozen=True, kw_only=True):
    """Somebody who asks for something. An automatic one is a program, and the log says so."""

    name: str
    role: Role
    automatic: bool = False


class Action(Struct, frozen=True, kw_only=True, tag_field="do"):
    """Something that someone asks for."""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event has in common: nothing but its kind."""
