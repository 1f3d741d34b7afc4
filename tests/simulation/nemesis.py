"""What goes wrong on a simulated floor, and when it ends: drawn from the seed."""

from collections.abc import Callable
from random import Random
from typing import Final

from tests.simulation.disk import CALM, Disk, Weather
from tests.simulation.people import People
from tests.simulation.pretending import Process
from tests.simulation.scheduling import Scheduler
from tests.simulation.serving import Server

_OFTEN: Final = (0, 0, 3, 10, 40)
"""Of a thousand calls; most kinds of trouble are not there most of the time, so that each is also
seen alone."""


class Nemesis:
    """Plans trouble, makes it, and ends it."""

    def __init__(self, disk: Disk, servers: list[Server], people: People, chance: Random) -> None:
        self.disk, self.servers, self.people, self.chance = disk, servers, people, chance
        kinds: dict[str, Callable[[], None]] = {
            "process killed": self._kill,
            "database crashed": self._crash,
            "process cut off": self._cut_off,
            "connections hang": self._hang,
            "connection cut": self._cut_one,
            "disk fills up": self._fill,
            "another program's lock": self._lock,
            "clock set": self._set_clock,
            "power failure": self._fail,
        }
        self._kinds = {name: do for name, do in kinds.items() if chance.random() < 0.45}
        if disk.lies:
            self._kinds["power failure"] = self._fail
        self._gap = chance.choice((1.5, 3.0, 8.0))
        self.angry = False
        disk.kill = self._kill_process

    @property
    def scheduler(self) -> Scheduler:
        """The simulation's."""
        return self.disk.scheduler

    def begin(self) -> None:
        """From now on things go wrong."""
        often = {field: self.chance.choice(_OFTEN) for field in Weather._fields}
        often["cut_holder"] *= 20
        often["crash_in_commit"] //= 3
        often["kill_in_commit"] //= 3
        self.disk.weather = Weather(**often)
        self.people.losing = self.chance.choice((0, 0, 20, 100))
        self.people.doubling = self.chance.choice((0, 100, 400))
        self.angry = True
        self.scheduler.spawn("nemesis", self._rage)
        if self.disk.lies:
            self.scheduler.spawn("disk", self._sync)

    def end(self) -> None:
        """Nothing goes wrong any more, and what was stopped is started again."""
        self.angry = False
        self.disk.weather, self.people.losing = CALM, 0
        self.disk.down_until = self.disk.full_until = self.scheduler.now
        for server in self.servers:
            if server.store is not None:
                server.store.away_until = server.store.hung_until = self.scheduler.now

    def _rage(self) -> None:
        while self._kinds:
            self.scheduler.sleep(self.chance.expovariate(1 / self._gap))
            if not self.angry:
                return
            name = self.chance.choice(sorted(self._kinds))
            self.disk.count(name)
            self._kinds[name]()

    def _sync(self) -> None:
        while self.angry:
            self.scheduler.sleep(self.chance.uniform(2.0, 8.0))
            self.disk.really_sync()

    def _server(self) -> Server:
        return self.chance.choice(self.servers)

    def _kill(self) -> None:
        self._kill_process(self._server().process)

    def _kill_process(self, process: Process) -> None:
        for server in self.servers:
            if server.process is process and server.is_up:
                server.kill()
                server.start(self.chance.uniform(0.2, 15.0))

    def _crash(self) -> None:
        self.disk.crash(self.chance.uniform(0.2, 15.0))

    def _fail(self) -> None:
        """Of the whole machine: the processes go with the disk."""
        self.disk.fail()
        for server in self.servers:
            if server.is_up:
                server.kill()
                server.start(self.chance.uniform(1.0, 5.0))

    def _cut_off(self) -> None:
        server = self._server()
        if server.store is not None:
            server.store.away_until = self.scheduler.now + self.chance.uniform(0.5, 20.0)
            self.disk.cut(lambda connection: connection.owner is server.process)

    def _hang(self) -> None:
        server = self._server()
        if server.store is not None:
            server.store.hung_until = self.scheduler.now + self.chance.uniform(1.0, 20.0)

    def _cut_one(self) -> None:
        if self.disk.holders:
            name = self.chance.choice(sorted(self.disk.holders))
            self.disk.cut(lambda connection: connection.holds == name)

    def _fill(self) -> None:
        self.disk.full_until = self.scheduler.now + self.chance.uniform(0.5, 26.0)

    def _lock(self) -> None:
        seconds = self.chance.choice((1.0, 4.0, 26.0)) * self.chance.uniform(0.5, 1.0)
        self.scheduler.spawn("another program", lambda: self.disk.keep_writers_out(seconds))

    def _set_clock(self) -> None:
        process = self._server().process
        process.skew += self.chance.choice((-3600.0, -40.0, -2.0, 5.0, 70.0, 3600.0))
