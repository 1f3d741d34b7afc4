"""Where things are at a table: every place that a submission can name, said and compared."""

from typing import Literal, TypeAlias

from riverboat.rulebook.procedures import Position

Place: TypeAlias = Literal["", "some_positions", "under_table", "elsewhere"] | Position

_SPOKEN: dict[str, str] = {
    "each_position": "in front of each betting position",
    "some_positions": "in front of some betting positions only",
    "in_front_of_tray": "directly in front of the tray",
    "on_table": "on the table",
    "under_table": "under the table",
    "dealers_side": "on top of the dealer's side",
    "dealers_left": "on the dealer's left",
    "dealers_right": "on the dealer's right",
    "players_side": "on the players' side",
    "game_manager": "connected to the Game Manager",
    "elsewhere": "elsewhere",
}
_PARTS: dict[str, tuple[str, ...]] = {
    "dealers_side": ("dealers_left", "dealers_right"),
    "on_table": ("dealers_side", "dealers_left", "dealers_right"),
}


def is_right(place: Place, where: tuple[Position, ...]) -> bool:
    """Whether a place is one of those that a rule names, or lies within one; none is any."""
    return not where or any(place == right or place in _PARTS.get(right, ()) for right in where)


def spoken(place: Place) -> str:
    """A place as it follows `is`; one that nobody stated is nowhere."""
    return _SPOKEN.get(place, "nowhere that is stated")


def spoken_right(where: tuple[Position, ...]) -> str:
    """The places that are right, as they follow `belongs`."""
    return " or ".join(_SPOKEN[place] for place in where)
