"""Old faults, put back: each is what the house once did, and the hunter must find it again.

A further one is a row of `PLANTED`: what it was, how it is put back, and how the hunter calls what
it finds.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.fairness import cut_depth
from riverboat.floor.floor import Floor
from riverboat.ledger import HeadKeeper, LedgerError, OutcomeUnknown
from riverboat.table import views
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.table.procedures import decks
from riverboat.web.accounts import Guest
from riverboat.web.api import tables
from riverboat.web.demo.attendants import Attendants
from riverboat.web.house import House
from riverboat.web.screens import frames
from tests.simulation.disk import SimulatedStore
from tests.simulation.hunting import Outcome, hunt
from tests.simulation.people import PLAYERS

Plant = Callable[[pytest.MonkeyPatch], None]
STAKES: Final = ("wager", "bet", "place_chip")


class Planted(NamedTuple):
    """An old fault, how it is put back, and by which word it is known when it is found."""

    what: str
    plant: Plant
    known_by: str
    within: int
    """So many seeds, at most."""
    lying_disk: bool = False


def attendants_end(patch: pytest.MonkeyPatch) -> None:
    """The programs of a process do nothing any more after one error of the database."""
    real = Attendants._do_next
    ended: set[int] = set()

    def do_next(self: Attendants, table: str) -> Any:
        if id(self) in ended:
            return None
        try:
            return real(self, table)
        except LedgerError:
            ended.add(id(self))
            # Kept, so that nobody else gets its place in memory.
            kept.append(self)
            raise

    kept: list[Attendants] = []
    patch.setattr(Attendants, "_do_next", do_next)


def outage_is_denied(patch: pytest.MonkeyPatch) -> None:
    """Whoever's answer was lost is told that nothing happened."""
    real = tables.carry_out

    def carry_out(house: House, guest: Guest, table: str, asked: tables.Asked) -> tables.Done:
        try:
            return real(house, guest, table, asked)
        except OutcomeUnknown as problem:
            text = "something went wrong here; it is in the log, and nothing was changed"
            raise Refused("fault", text, cites=()) from problem

    patch.setattr(tables, "carry_out", carry_out)


def purse_by_a_lock(patch: pytest.MonkeyPatch) -> None:
    """A purse is looked at under a lock that belongs to a connection, and the bet is written
    through another one; nothing in the ledger holds the two together."""
    real = tables.carry_out

    def carry_out(house: House, guest: Guest, table: str, asked: tables.Asked) -> tables.Done:
        raw = asked.action
        cents = int(raw.get("cents", 0)) + int(raw.get("tip_cents", 0))
        if raw.get("do") not in STAKES or not cents:
            return real(house, guest, table, asked)
        store = house.floor.ledger.store
        assert isinstance(store, SimulatedStore)
        with store.hold_against_processes(f"purse {guest.name}"):
            house.model.catch_up()
            if house.model.cents(guest.name) < cents:
                raise Refused("purse.short", "that is more than there is in hand", cites=())
            return real(house, guest, table, asked)

    patch.setattr(tables, "carry_out", carry_out)
    patch.setattr(Floor, "_spent", lambda *asked: iter(()), raising=False)


def other_eyes(patch: pytest.MonkeyPatch) -> None:
    """Ann's screen is made for Ben's eyes."""
    real = views.table_view

    def table_view(day: Day, actor: Actor | None, *more: Any) -> Any:
        if actor is not None and actor.name == PLAYERS[0]:
            actor = replace(actor, name=PLAYERS[1])
        return real(day, actor, *more)

    patch.setattr(frames, "table_view", table_view)


def nobody_remembers(patch: pytest.MonkeyPatch) -> None:
    """Nothing outside the database says how far the ledger went."""
    patch.setattr(HeadKeeper, "require_as_seen", lambda self: [])


def house_chooses(patch: pytest.MonkeyPatch) -> None:
    """The cut is what the house's own word comes to, whatever players told."""

    def alone(root: str, house: str, words: Any, low: int, high: int) -> int:
        return cut_depth(root, house, {}, low, high)

    patch.setattr(decks, "cut_depth", alone)


PLANTED: Final[dict[str, Planted]] = {
    "1": Planted("the attendants' task ends at a database error", attendants_end, "stuck", 60),
    "2": Planted('an outage is answered "nothing was changed"', outage_is_denied, "denied", 60),
    "6": Planted("a purse is held by a lock alone", purse_by_a_lock, "cents after row", 120),
    "cards": Planted("a screen shows another's cards", other_eyes, "cards:", 20),
    "7": Planted(
        "a lost tail that no start notices", nobody_remembers, "lost:", 20, lying_disk=True
    ),
    "9": Planted("the house chooses the cut", house_chooses, "cut:", 20),
}
"""By their numbers in the list of what broke."""


def hunt_planted(name: str, seed: int, tell: Any = None) -> Outcome:
    """A seed with an old fault put back, within `hunting()`."""
    one = PLANTED[name]
    with pytest.MonkeyPatch.context() as patch:
        one.plant(patch)
        return hunt(seed, tell, lying_disk=one.lying_disk)._replace(planted=name)


def found(name: str, seeds: Iterator[int]) -> tuple[int, str] | None:
    """After how many seeds an old fault is found, and as what."""
    for number, seed in enumerate(seeds, start=1):
        for fault in hunt_planted(name, seed).found:
            if PLANTED[name].known_by in fault:
                return number, f"seed {seed}: {fault}"
    return None
