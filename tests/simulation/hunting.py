"""A simulated floor from its first fault to its last check.

    .venv/bin/python -m tests.simulation.hunting SEED [--trace] [--planted NAME]

repeats a seed exactly, and prints what was found, the last that happened before, and the hash of
all that happened.
"""

import argparse
import gc
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final, NamedTuple

import structlog

import riverboat.ledger.store
from tests.simulation.checking import faults, retell
from tests.simulation.disk import Disk
from tests.simulation.nemesis import Nemesis
from tests.simulation.people import AUDITOR, PLAYERS, People
from tests.simulation.pretending import forget, pretending
from tests.simulation.prologue import FLOORS, prologue, quiet_floor
from tests.simulation.scheduling import Scheduler, Stuck, Task, World
from tests.simulation.serving import SecondPlace, Server, application

CHAOS_SECONDS: Final = 30.0
QUIET_SECONDS: Final = 900.0
"""So long after the last fault every table has finished a round, and everybody has an answer."""
STEP_SECONDS: Final = 5.0
STILL_SECONDS: Final = 120.0
"""No table may stand still for so long once nothing goes wrong."""
SHOWN_LINES: Final = 40


class Outcome(NamedTuple):
    """What a seed came to."""

    seed: int
    found: list[str]
    trace: str
    commands: int
    rows: int
    rounds: int
    faults: Counter[str]
    seconds: float
    longest_still: float
    frames: int
    cuts: Counter[str]
    lines: list[str]
    noticed: bool = False
    """Whether every process says that the ledger lost something, and takes no command."""
    planted: str = ""

    @property
    def counts(self) -> dict[str, float]:
        """For the summary of many."""
        return {
            "seeds": 1,
            "commands": self.commands,
            "rows": self.rows,
            "rounds": self.rounds,
            "frames and pages looked at": self.frames,
            "faults": self.faults.total(),
            "virtual hours": self.seconds / 3600,
        }

    @property
    def command(self) -> str:
        """What repeats it."""
        planted = f" --planted {self.planted!r}" if self.planted else ""
        return f".venv/bin/python -m tests.simulation.hunting {self.seed}{planted}"

    def __str__(self) -> str:
        shown = [f"seed {self.seed}, trace {self.trace}"]
        shown += [f"FOUND {one}" for one in self.found]
        if self.found:
            shown += ["", *self.lines[-SHOWN_LINES:], "", f"repeat it: {self.command}"]
        return "\n".join(shown)


class Hunt:
    """One floor, one seed."""

    def __init__(self, seed: int, *, lying_disk: bool = False) -> None:
        self.seed = seed
        chance = Random(f"floor {seed}")
        self.scheduler = World.scheduler = Scheduler(seed)
        World.chance = Random(f"entropy {seed}")
        self.begin = prologue(chance.randrange(len(FLOORS)))
        self.disk = Disk(self.begin.image, self.scheduler, Random(f"disk {seed}"))
        self.disk.lies = lying_disk
        self.first = self.disk.head()
        tables = [f"table/{name}" for name in self.begin.tables]
        looks = [(PLAYERS[0], frozenset((*tables, "lobby"))), (AUDITOR, frozenset(("lobby",)))]
        looks.append((PLAYERS[1], frozenset(tables[:1])))
        place = SecondPlace()
        self.servers = [
            Server(slot, self.disk, self.begin.books, dict([looks[slot % len(looks)]]), place)
            for slot in range(chance.choice((2, 2, 2, 2, 3)))
        ]
        self.people = People(
            self.scheduler,
            self.servers,
            self.begin.tables,
            self.begin.meters,
            self.begin.tokens,
            Random(f"people {seed}"),
        )
        self.nemesis = Nemesis(self.disk, self.servers, self.people, Random(f"nemesis {seed}"))
        self.problems: list[str] = []
        self.longest_still = 0.0
        self.frames = 0
        self.cuts: Counter[str] = Counter()
        self.scheduler.on_problem = self._on_problem

    def _on_problem(self, task: Task, problem: BaseException) -> None:
        """A thread of a server may end at an error, which then shows in what follows; but nothing
        of the simulation's own may."""
        self.scheduler.note("ended at", type(problem).__name__, problem)
        if task.group is None:
            self.problems.append(f"simulation: {task.name} ended at {problem!r}")

    def run(self) -> list[str]:
        """Trouble, then none; then everything is checked."""
        for server in self.servers:
            server.start(after=0.1 * server.slot)
        self.people.come()
        self.scheduler.run(STEP_SECONDS)
        self.nemesis.begin()
        self.scheduler.run(CHAOS_SECONDS)
        self.nemesis.end()
        if self._is_noticed():
            return self.problems
        found = [*self._without_trouble()]
        if self._is_noticed():
            return self.problems
        self.people.may_begin = False
        seen = [*self.people.seen, *(one for server in self.servers for one in server.seen)]
        floor = quiet_floor(self.disk, self.begin.books)
        found += self.problems
        told = retell(floor)
        self.cuts = told.cuts
        self.frames = len(seen)
        found += faults(floor, told, self.disk, self.people.sent, seen, self.servers)
        return found

    def _is_noticed(self) -> bool:
        """Whether a disk lied and every process says so, at its start or since."""
        return self.disk.lies and all(server.says_it_lost for server in self.servers)

    # ---------------------------------------------------------------- progress

    def _rounds(self) -> dict[str, int]:
        """The last finished round of every table, as far as any process has seen."""
        houses = [server.house for server in self.servers if server.house is not None]
        return {
            table: max(
                (line.round for house in houses for line in house.model.rounds.at(table, 1)),
                default=0,
            )
            for table in self.begin.tables
        }

    def _versions(self) -> dict[str, int]:
        sql = "select stream, max(version) from entry where stream like 'table/%' group by stream"
        return dict(self.disk.durable.execute(sql).fetchall())

    def _without_trouble(self) -> Iterator[str]:
        """Every table finishes a round, and whoever sent something gets an answer."""
        began, before = self.scheduler.now, self._rounds()
        moved, versions = dict.fromkeys(self._versions(), began), self._versions()
        while self.scheduler.now < began + QUIET_SECONDS:
            self.scheduler.run(STEP_SECONDS)
            now = self._versions()
            for stream, version in now.items():
                if version != versions.get(stream):
                    moved[stream] = self.scheduler.now
                still = self.scheduler.now - moved.get(stream, began)
                self.longest_still = max(self.longest_still, still)
                if still > STILL_SECONDS:
                    yield f"stuck: nothing happens at {stream} for {still:.0f} seconds"
                    return
            versions = now
            rounds = self._rounds()
            if all(rounds[table] > before[table] for table in before):
                self.people.may_begin = False
                if not self.people.waiting:
                    return
        rounds = self._rounds()
        for table in before:
            if rounds[table] <= before[table]:
                yield f"stuck: {table} has finished no round in {QUIET_SECONDS:.0f} seconds"
        for one in self.people.waiting:
            yield f"stuck: {one.guest.name}'s {one.body['id']} has no answer"

    def outcome(self, found: list[str]) -> Outcome:
        """For the record."""
        self.scheduler.note("head", self.disk.head())
        return Outcome(
            seed=self.seed,
            found=found,
            trace=self.scheduler.trace.hexdigest()[:16],
            commands=len(self.people.sent),
            rows=self.disk.head() - self.first,
            rounds=sum(self._rounds().values()),
            faults=self.disk.faults,
            seconds=self.scheduler.now,
            longest_still=self.longest_still,
            frames=self.frames,
            cuts=self.cuts,
            lines=list(self.scheduler.lines),
            noticed=all(server.says_it_lost for server in self.servers),
        )

    def end(self) -> None:
        """Every thread is given back."""
        for server in self.servers:
            server.kill()
        self.scheduler.end()
        self.disk.close()
        World.scheduler = None
        forget()


def _drop(*event: Any) -> Any:
    raise structlog.DropEvent


@contextmanager
def hunting() -> Iterator[None]:
    """The house's modules on the simulation's machine, and no logs; the first takes a moment."""
    for slot in range(3):
        application(slot)
    logs = structlog.get_config()
    structlog.configure(processors=[_drop], cache_logger_on_first_use=False)
    gc.collect()
    gc.freeze()
    try:
        with pretending():
            yield
    finally:
        gc.unfreeze()
        structlog.configure(**logs)


def hunt(seed: int, tell: Any = None, *, lying_disk: bool = False) -> Outcome:
    """One seed, within `hunting()`."""
    getattr(riverboat.ledger.store, "_HELD", {}).clear()
    one = Hunt(seed, lying_disk=lying_disk)
    one.scheduler.tell = tell
    try:
        try:
            found = one.run()
        except Stuck as problem:
            found = [f"stuck: {problem}"]
        return one.outcome(found)
    finally:
        one.end()


def main(arguments: list[str]) -> int:
    """Repeat a seed."""
    parser = argparse.ArgumentParser(description="Repeats a seed of the simulator.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--to", type=int, help="this seed too, and all between")
    parser.add_argument("--trace", action="store_true", help="print all that happens")
    parser.add_argument("--planted", help="with an old fault put back")
    asked = parser.parse_args(arguments)
    status = 0
    tell = print if asked.trace else None
    with hunting():
        for seed in range(asked.seed, (asked.to or asked.seed) + 1):
            if asked.planted:
                from tests.simulation.planting import hunt_planted

                outcome = hunt_planted(asked.planted, seed, tell)
            else:
                outcome = hunt(seed, tell)
            print(outcome)
            status = status or int(bool(outcome.found))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
