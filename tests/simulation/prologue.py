"""How every simulated floor begins: tables that are open, people with accounts, sessions and play
money. It is made once, and every seed begins with a copy of it."""

from functools import cache
from random import Random
from typing import Final, NamedTuple

from riverboat.floor.floor import Floor
from riverboat.ledger import Ledger
from riverboat.rulebooks import editions
from riverboat.table.day import Books
from riverboat.web.accounts import Guest
from riverboat.web.demo.tables import open_demo_floor
from riverboat.web.house import House
from tests.simulation.disk import PATIENCE_SECONDS, Disk, SimulatedStore
from tests.simulation.people import AUDITOR, FIRST_CENTS, KEEPERS, PLAYERS
from tests.simulation.pretending import EPOCH, Process
from tests.simulation.scheduling import Scheduler, World
from tests.simulation.serving import MANNER, SECRET
from tests.web.running import add_person

FLOORS: Final = (
    ("iowa-catfish-bend", "house-demo"),
    ("iowa-catfish-bend", "island-stud"),
    ("caribbean-demo", "house-demo"),
    ("south-dakota-2011", "maryland-2014"),
)
"""Which rulebooks are played on a floor: a table of each; the seed chooses one of these."""


class QuietStore(SimulatedStore):
    """Without faults and without waiting: for who sets up a floor, and who checks it afterwards."""

    def _reach(self, *, writes: bool = False) -> None:
        pass

    def _moment(self) -> float:
        return 0.0

    def hear(self, seq: int) -> None:
        pass


class Prologue(NamedTuple):
    """A floor before its first round."""

    image: bytes
    books: Books
    tables: list[str]
    meters: list[str]
    tokens: dict[str, str]


def quiet_floor(disk: Disk, books: Books) -> Floor:
    """A floor for whoever stands outside of the simulation."""
    ledger = Ledger(QuietStore(disk, Process("outside")), PATIENCE_SECONDS)
    clock = lambda: EPOCH + int(disk.scheduler.now)  # noqa: E731
    return Floor(ledger, books, SECRET, clock=clock, entropy=World.chance.randbytes)


@cache
def prologue(number: int) -> Prologue:
    """Made by the house's own programs and routes' functions, on a disk where nothing fails."""
    kept = World.scheduler, World.chance
    World.scheduler, World.chance = Scheduler("prologue"), Random(f"prologue {number}")
    try:
        return _made(FLOORS[number])
    finally:
        World.scheduler, World.chance = kept


def _made(rulebooks: tuple[str, ...]) -> Prologue:
    every = editions()
    books = {name: every[name] for name in rulebooks}
    disk = Disk(b"", World.running(), Random(0))
    floor = quiet_floor(disk, books)
    floor.ledger.store.migrate()
    _in_a_task(lambda: _open(floor))
    house = House(floor, MANNER)
    house.model.catch_up()
    tokens = _let_in(house)
    tables, meters = sorted(house.model.tables), house.model.meters
    return Prologue(disk.durable.serialize(), books, tables, meters, tokens)


def _open(floor: Floor) -> None:
    floor.start()
    open_demo_floor(floor)


def _let_in(house: House) -> dict[str, str]:
    """Everybody has an account, a session, and whoever plays some money."""
    tokens = {}
    doors = {**dict.fromkeys(PLAYERS, "player"), **dict.fromkeys(KEEPERS, "supervisor")}
    for name, door in {**doors, AUDITOR: "auditor"}.items():
        _in_a_task(lambda name=name, door=door: add_person(house.accounts, name, door))
        guest = Guest(name=name, door=door)  # type: ignore[arg-type]
        tokens[name] = house.accounts.let_in(guest)
        if door == "player":
            _in_a_task(
                lambda name=name: house.play_money.top_up(f"first {name}", name, FIRST_CENTS)
            )
    return tokens


def _in_a_task(call: object) -> None:
    """Writing waits for a sync, which only a task can."""
    scheduler = World.running()
    problems: list[BaseException] = []
    scheduler.on_problem = lambda task, problem: problems.append(problem)
    scheduler.spawn("outside", call)  # type: ignore[arg-type]
    scheduler.run(0.5)
    if problems:
        raise problems[0]
