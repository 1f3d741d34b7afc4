"""What everything that is asked for, and everything that has happened, is made of."""

from msgspec import Struct


class Action(Struct, frozen=True, kw_only=True, tag_field="do"):
    """Something that someone asks for."""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every event has in common: nothing but its kind."""
