"""What a running server holds: the floor and everything that stands around it."""

import os
from typing import Final

from msgspec import Struct

from riverboat.floor.floor import METER, TABLE, Floor
from riverboat.web.accounts import Accounts, Database, database_at
from riverboat.web.attendants import Attendants
from riverboat.web.bookkeeping import Bookkeeping
from riverboat.web.demo import DemoTable, open_demo_floor, open_demo_table
from riverboat.web.doors import Patience
from riverboat.web.frames import Json, lobby_frame
from riverboat.web.live import LOBBY, Live
from riverboat.web.noticed import Noticed, announce
from riverboat.web.purses import FIRST_CENTS, Purses
from riverboat.web.roles import Guest

SIGN_IN_TRIES: Final = 8
SIGN_IN_SECONDS: Final = 300.0
EFFORT_SECONDS: Final = 60.0
VISITS: Final = 120
"""From one address in five minutes: a class behind one door comes in, a flood does not."""


class Manner(Struct, frozen=True, kw_only=True):
    """How a server runs."""

    demo: bool = True
    """Whether visitors without an account may come in, wherever they ask from."""
    local_demo: bool = True
    """Whether visitors at this very machine may."""
    secure: bool = False
    """Whether cookies go over HTTPS only."""
    pace: float = 1.0
    decision_seconds: float | None = 60.0
    """How long a seat may think while other people wait; None: as long as it likes."""
    effort_tries: int = 120


class House:
    """One process of the floor's server."""

    def __init__(self, floor: Floor, database: Database, manner: Manner) -> None:
        self.floor, self.database, self.manner = floor, database, manner
        self.accounts = Accounts(database)
        self.purses = Purses(floor, database.hold)
        self.live = Live(floor, self.purses, self.lobby)
        self.bookkeeping = Bookkeeping(floor)
        self.attendants = Attendants(
            floor,
            self.purses,
            self._watched,
            pace=manner.pace,
            decision_seconds=manner.decision_seconds,
        )
        self.patience = Patience(SIGN_IN_TRIES, SIGN_IN_SECONDS)
        self.visits = Patience(VISITS, SIGN_IN_SECONDS)
        self.effort = Patience(manner.effort_tries, EFFORT_SECONDS)
        """What is worked out for somebody: so much a minute."""

    async def start(self) -> None:
        """Open the demo floor, then follow the ledger and attend."""
        if self.manner.demo or self.manner.local_demo:
            for table in open_demo_floor(self.floor):
                announce(self.floor, table.name, table.bots)
        await self.live.start()
        await self.attendants.start()

    async def stop(self) -> None:
        """Leave everything as the ledger has it."""
        await self.attendants.stop()
        await self.live.stop()

    def close(self) -> None:
        """Let go of ledger and database."""
        self.database.close()
        self.floor.ledger.close()

    def table_names(self) -> list[str]:
        """Every table that the ledger knows, the floor's own before visitors' own."""
        return sorted(self.purses.tables, key=lambda name: (name.startswith("Guest"), name))

    @property
    def noticed(self) -> Noticed:
        """Rounds, disputes, meters and attendance, as far as the ledger was read."""
        return self.purses.noticed

    def meter_names(self) -> list[str]:
        """Every meter that was opened."""
        return sorted(m for m in self.noticed.meters if self.floor.link(m).status != "not_open")

    def has(self, topic: str) -> bool:
        """Whether there is such a thing to look at; looking makes none."""
        if topic.startswith(TABLE):
            return topic.removeprefix(TABLE) in self.purses.tables
        if topic.startswith(METER):
            return topic.removeprefix(METER) in self.noticed.meters
        return topic == LOBBY

    def lobby(self) -> Json:
        """The floor from its entrance; a visitor's own table is nobody else's business."""
        names = (name for name in self.table_names() if not name.startswith("Guest"))
        return lobby_frame(self.floor, names)

    def visitor(self) -> tuple[str, Guest]:
        """Somebody without an account, with some play money."""
        name = f"Guest {int.from_bytes(os.urandom(3), 'big') % 900_000 + 100_000}"
        guest = Guest(name=name, door="visitor", demo=True)
        self.purses.top_up(f"welcome {name}", name, FIRST_CENTS)
        return self.accounts.let_in(guest), guest

    def own_table(self, guest: Guest, table: DemoTable) -> None:
        """A demo table for one visitor."""
        self.open_demo(table)

    def open_demo(self, table: DemoTable) -> None:
        """A demo table that every process attends from now on."""
        open_demo_table(self.floor, table)
        announce(self.floor, table.name, table.bots)
        self.purses.catch_up()

    def _watched(self, table: str) -> bool:
        """Nobody deals to an empty room: somebody looks at the table, or, for the floor's own
        tables, at the lobby."""
        if self.live.watches(TABLE + table):
            return True
        return not table.startswith("Guest") and self.live.watches(LOBBY)


def house_on(floor: Floor, url: str, manner: Manner) -> House:
    """A server's house on the database that carries its ledger."""
    return House(floor, database_at(url), manner)
