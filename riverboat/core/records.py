"""What everything that is asked for, and everything that has happened, is made of."""

from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

Role: TypeAlias = Literal["dealer", "floorperson", "supervisor", "player", "lab", "system"]
_Kind = TypeVar("_Kind", bound=Struct)


class Actor(Struct, frozen=True, kw_only=True):
    """Somebody who asks for something. An automatic one is a program, and the log says so."""

    name: str
    role: Role
    automatic: bool = False


class Action(Struct, frozen=True, kw_only=True, tag_field="do"):
    """Something that someone asks for."""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event has in common: nothing but its kind."""


def alike(kind: type[_Kind], source: Any, /, **own: Any) -> _Kind:
    """A record with what another one has under the same names, and with what is its own."""
    names: tuple[str, ...] = _shared(kind, type(source))  # type: ignore[arg-type]
    told = {name: getattr(source, name) for name in names}
    return kind(**(told | own))


@cache
def _shared(kind: Any, source: Any) -> tuple[str, ...]:
    """The fields of a kind that a source has too, as fields or worked out; no methods."""
    return tuple(
        name
        for name in kind.__struct_fields__
        if hasattr(source, name) and not callable(getattr(source, name))
    )
