"""What everything that is asked for, and everything that has happened, is made of."""

from typing import Any, TypeVar

from msgspec import Struct

_Kind = TypeVar("_Kind", bound=Struct)


class Action(Struct, frozen=True, kw_only=True, tag_field="do"):
    """Something that someone asks for."""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event has in common: nothing but its kind."""


def alike(kind: type[_Kind], source: object, /, **own: Any) -> _Kind:
    """A record with what another one has under the same names, and with what is its own."""
    names = (name for name in kind.__struct_fields__ if name not in own and hasattr(source, name))
    return kind(**{name: getattr(source, name) for name in names}, **own)
