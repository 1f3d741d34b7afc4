"""What everything that is asked for, and everything that has happened, is made of."""

from functools import cache
from typing import TypeVar

from msgspec import Struct

S = TypeVar("S", bound=Struct)


class Action(Struct, frozen=True, kw_only=True, tag_field="do"):
    """Something that someone asks for."""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event has in common: nothing but its kind."""


def made_from(thing: Struct, kind: type[S], **others: object) -> S:
    """A record of a kind: these fields, and all others that the thing has by the same names."""
    told = {name: getattr(thing, name) for name in _shared(type(thing), kind)}
    return kind(**(told | others))


@cache
def _shared(one: type[Struct], other: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in other.__struct_fields__ if name in one.__struct_fields__)
