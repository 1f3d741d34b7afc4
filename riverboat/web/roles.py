"""Who comes through which door, and whom that makes at a table."""

from hashlib import sha256
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from riverboat.table.people import Actor, Role

Door: TypeAlias = Literal[
    "visitor", "player", "dealer", "supervisor", "manager", "auditor", "administrator"
]
DOORS: Final = get_args(Door)
SIGNED_IN: Final = tuple(door for door in DOORS if door != "visitor")
STAFF: Final = ("dealer", "supervisor", "manager", "administrator")

_AT_THE_TABLE: Final[dict[str, Role]] = {
    "visitor": "player",
    "player": "player",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "manager": "supervisor",
    "administrator": "supervisor",
}


class Guest(Struct, frozen=True, kw_only=True):
    """Somebody with a session: a name, a door, and whether only demo tables are open to them."""

    name: str
    door: Door
    demo: bool = False
    must_change: bool = False

    @property
    def actor(self) -> Actor | None:
        """Who this is at a table; nobody, for an auditor."""
        role = _AT_THE_TABLE.get(self.door)
        return None if role is None else Actor(name=self.name, role=role)

    def own(self, command_id: str) -> str:
        """A command's id as it is stored: nobody can take one that another, or a program, mints."""
        return f"by {sha256(self.name.encode()).hexdigest()[:12]} {command_id}"

    @property
    def owns(self) -> str:
        """Whose a table is that they open: a visitor's is the visitor's, any other the floor's."""
        return self.name if self.door == "visitor" else ""

    @property
    def plays(self) -> bool:
        """Whether this is a player's door."""
        return self.door in ("visitor", "player")
