"""A server on SQLite, people who play at it, and system calls that fail one kind after the other.

    python -m tests.faults.injecting [--seed N] [--only WORDS] [--seconds S]

For each kind of call and each error: every answer is an honest one (done and durable, refused, or
503 and unknown), what went wrong is in the log, and when the calls work again every table goes on
within ten seconds. At the end nothing acknowledged is lost or doubled, purses are right, and
`riverboat verify` finds nothing wrong. Exit 0: all of it held.
"""

import argparse
import asyncio
import errno
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import httpx

from tests.faults.failing_calls import SHORT, Rule, Switches
from tests.faults.people import Company, Floor
from tests.faults.record import LATEST, Record, Verdict, judge
from tests.faults.served import Served

PEOPLE: Final = 3
A_FEW: Final = 40
"""Interrupted calls are made again at once: were all interrupted, they would never end."""
STARTING_SECONDS: Final = 30.0
"""By then a server that cannot start has said so."""
DROPPED: Final = Rule("sync", errno.EIO, times=1)
"""The writer's connection is given up, and a new one has to be opened."""


class Case(NamedTuple):
    """Some calls that fail together."""

    rules: tuple[Rule, ...]
    log_too: bool = False
    at_start: bool = False
    """They fail while a server starts: it ends in words, or it serves."""

    @property
    def name(self) -> str:
        """For people: what is looked at, which is the last rule."""
        more = " and the log's" if self.log_too else " at a start" if self.at_start else ""
        return self.rules[-1].name + more


def cases() -> list[Case]:
    """Every kind of call with every error that a disk, or a system without room, gives."""
    full, broken, interrupted = errno.ENOSPC, errno.EIO, errno.EINTR
    plain = [
        *(Rule("write", error) for error in (full, broken, errno.EDQUOT, errno.EFBIG, SHORT)),
        Rule("write", interrupted, times=A_FEW),
        *(Rule("write", broken, after=after, times=1) for after in (1, 2, 3)),
        *(Rule("sync", error) for error in (broken, full, errno.EDQUOT)),
        Rule("sync", interrupted, times=A_FEW),
        *(Rule("sync", broken, after=after, times=1) for after in (1, 2)),
        *(Rule("read", error) for error in (broken, errno.ENOMEM)),
        Rule("read", interrupted, times=A_FEW),
        *(Rule("lock", error) for error in (broken, errno.ENOLCK, errno.EAGAIN, errno.EACCES)),
        Rule("lock", interrupted, times=A_FEW),
        *(Rule("stat", error) for error in (broken, errno.EACCES, errno.ENOMEM)),
    ]
    anew = [
        *(
            Rule("open", error)
            for error in (errno.EMFILE, errno.ENFILE, errno.EACCES, broken, full)
        ),
        Rule("open", interrupted, times=A_FEW),
        *(Rule("map", error) for error in (errno.ENOMEM, errno.EACCES)),
        *(Rule("truncate", error) for error in (broken, full)),
        *(Rule("unlink", error) for error in (broken, errno.EACCES)),
        *(Rule("rename", error) for error in (broken, full)),
    ]
    found = [Case((one,)) for one in plain] + [Case((DROPPED, one)) for one in anew]
    found += [Case((one,), at_start=True) for one in (*plain, *anew) if not one.after]
    found.append(Case((Rule("write", full),), log_too=True))
    found.append(Case((Rule("open", errno.EMFILE), Rule("map", errno.ENOMEM), Rule("sync", full))))
    return found


class Came(NamedTuple):
    """What came of one case."""

    name: str
    failed: int
    """Calls."""
    unknown: int
    """Answers that said so."""
    logged: int
    seconds: float

    def __str__(self) -> str:
        """One line."""
        went = f"{self.unknown} answers 503, {self.logged} lines of the log"
        return f"{self.name}: {self.failed} calls failed, {went}, {self.seconds:.1f} s"


class Injection:
    """A server whose calls fail, and its people."""

    def __init__(self, folder: Path, seed: int, tell: Callable[[str], None]) -> None:
        self.folder, self.place, self._tell = folder, folder / "floor", tell
        self.place.mkdir()
        self.database = self.place / "floor.db"
        self.switches = Switches(folder, self.place)
        state = {"XDG_STATE_HOME": str(self.place / "state")}
        self.server = Served(
            "served", str(self.database), folder, {**self.switches.environment, **state}
        )
        self.record = Record(self.look)
        self.floor = Floor(
            addresses=[self.server.address], head=lambda: self.record.head, chance=Random(seed)
        )
        self.problems: list[str] = []
        self.came: list[Came] = []

    async def look(self) -> list[tuple[str, int, int]] | None:
        """How far every table goes; nothing while the file does not say."""
        return await asyncio.to_thread(self._looked)

    def _looked(self) -> list[tuple[str, int, int]] | None:
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as db,
        ):
            return db.execute(LATEST).fetchall()
        return None

    async def try_out(self, case: Case, seconds: float) -> None:
        """From the first call that fails until every table has gone on."""
        sent, tried = self.floor.sent, sum(len(one.tries) for one in self.floor.sent)
        log = len(self.server.log_text())
        before = await self._failures()
        self.switches.fail(*case.rules, log_too=case.log_too)
        await asyncio.sleep(seconds)
        failed = self.switches.heal()
        late, taken = await self.record.all_go_on()
        if late:
            self.problems.append(f"stuck after {case.name}: {late}; {await self.server.health()}")
        logged = [x for x in self.server.log_text()[log:].splitlines() if x.startswith("{")]
        new = [attempt for one in sent for attempt in one.tries][tried:]
        unknown = sum(one.status == 503 for one in new)
        went_wrong = unknown or await self._failures() > before
        if went_wrong and not logged and not case.log_too:
            self.problems.append(f"{case.name}: nothing in the log")
        calls = failed[case.rules[-1].call]
        self.came.append(Came(case.name, calls, unknown, len(logged), taken))
        self._tell(f"{self.came[-1]} {self.record.last}")

    async def start_with(self, case: Case) -> None:
        """A server is killed, and started again while calls fail; when they work again, it is
        started once more if it ended. Files are removed when it is stopped in order."""
        log = len(self.server.log_text())
        if case.rules[-1].call != "unlink":
            self.server.kill()
        self.switches.fail(*case.rules)
        await asyncio.to_thread(self.server.stop)
        self.server.start()
        ended = await self.server.ended(STARTING_SECONDS)
        failed = self.switches.heal()
        said = self.server.log_text()[log:]
        if ended is not None:
            if "Traceback" in said or ended != 2 or not said.strip():
                self.problems.append(f"{case.name}: ended with {ended} and said: {said[-1500:]}")
            self.server.start()
        await self.server.answering()
        late, taken = await self.record.all_go_on()
        if late:
            self.problems.append(f"stuck after {case.name}: {late}; {await self.server.health()}")
        calls, lines = failed[case.rules[-1].call], len(said.splitlines())
        self.came.append(Came(case.name, calls, 0, lines, taken))
        self._tell(f"{self.came[-1]}, ended with {ended}: {said.strip()[-160:]}")

    async def _failures(self) -> float:
        """How often something that the server does by itself has failed."""
        async with httpx.AsyncClient(timeout=5) as client:
            with suppress(httpx.TransportError):
                text = (await client.get(f"{self.server.address}/metrics")).text
                found = re.findall(r"^riverboat_duty_failures\{.*\} (\S+)$", text, re.MULTILINE)
                return sum(map(float, found))
        return 0.0


class Run(NamedTuple):
    """What a run came to."""

    seed: int
    came: list[Came]
    longest: float
    verdict: Verdict

    def lines(self) -> list[str]:
        """For people."""
        counts, kinds = self.verdict.counts, Counter[str]()
        for one in self.came:
            kinds[one.name.split()[0]] += one.failed
        missed = [one.name for one in self.came if not one.failed]
        return [
            f"injection: seed {self.seed}, {len(self.came)} kinds of call and error, "
            f"{kinds.total()} calls failed: {', '.join(f'{k} {n}' for k, n in kinds.items())}"
            + (f"; never called: {', '.join(missed)}" if missed else ""),
            f"injection: {counts['commands']} commands, {counts['acknowledged']} acknowledged, "
            f"{counts['refused']} refused, {counts['answers 503']} answers 503, "
            f"{counts['sent again']} sent again, lost {counts['lost']}, doubled "
            f"{counts['doubled']}, denied {counts['denied']}; {counts['rows']} rows; longest "
            f"without progress after a fault {self.longest:.1f} s",
            *self.verdict.problems,
        ]


async def run(
    folder: Path,
    seed: int,
    chosen: list[Case],
    seconds: float,
    tell: Callable[[str], None] = lambda line: None,
) -> Run:
    """Case by case, in an order by lot; then the server is killed and started once more."""
    scene = Injection(folder, seed, tell)
    company = Company(scene.floor, PEOPLE)
    try:
        await _play(scene, company, Random(seed).sample(chosen, len(chosen)), seconds)
        scene.server.kill()
        scene.server.start()
        await scene.server.answering()
        purses = await company.purses()
        await company.close()
    finally:
        await asyncio.to_thread(scene.server.stop)
    verdict = judge(str(scene.database), folder / "floor.secret", scene.floor.sent, purses)
    verdict.problems.extend(scene.problems)
    return Run(seed, scene.came, scene.record.longest, verdict)


async def _play(scene: Injection, company: Company, chosen: list[Case], seconds: float) -> None:
    scene.server.start()
    await scene.server.answering()
    following = asyncio.create_task(scene.record.follow())
    await company.come(await scene.record.tables())
    await scene.record.all_go_on()
    scene.record.longest = 0.0
    for case in chosen:
        await (scene.start_with(case) if case.at_start else scene.try_out(case, seconds))
    await company.leave()
    following.cancel()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="A server on SQLite whose system calls fail.")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default="", help="cases with these words in their name")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each case")
    asked = parser.parse_args(arguments)
    chosen = [one for one in cases() if asked.only in one.name]
    with tempfile.TemporaryDirectory() as folder:
        done = asyncio.run(run(Path(folder), asked.seed, chosen, asked.seconds, _say))
        if not done.verdict.holds:
            print((Path(folder) / "served.log").read_text()[-6000:])
    print(*done.lines(), sep="\n")
    print(f"again: python -m tests.faults.injecting --seed {asked.seed} --only '{asked.only}'")
    return 0 if done.verdict.holds else 1


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
