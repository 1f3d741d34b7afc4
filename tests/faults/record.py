"""The ledger as somebody sees it who asks neither server: how far it goes, whether every table goes
on, and at the end whether everything that people were told is true."""

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from riverboat.floor.codec import TABLE
from riverboat.floor.floor import Floor
from riverboat.floor.secret import master_secret
from riverboat.ledger import Row, open_ledger
from riverboat.rulebooks import editions
from tests.faults.people import Sent
from tests.faults.served import ROOT
from tests.simulation.checking import UNCHANGED, Told, retell

PROGRESS_SECONDS: Final = 10.0
"""By then every table has gone on, once a fault is over."""
LOOK_SECONDS: Final = 0.1
GIVE_UP_SECONDS: Final = 20.0

Look: TypeAlias = Callable[[], Awaitable[list[tuple[str, int, int]] | None]]
"""Streams of tables with their last version and row; nothing while the database does not say."""
LATEST: Final = (
    "select stream, max(version), max(seq) from entry where stream like 'table/%' group by stream"
)


class Record:
    """Looks again and again."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self.head = 0
        self.versions: dict[str, int] = {}
        self.looked = 0
        self.last: list[str] = []
        """The tables that went on last, lately."""
        self.longest = 0.0
        """Seconds without progress at some table after a fault had ended."""

    async def follow(self) -> None:
        """Until cancelled."""
        while True:
            found = await self._look()
            if found is not None:
                self.versions = {stream: version for stream, version, _ in found}
                self.head = max([self.head, *(seq for _, _, seq in found)])
                self.looked += 1
            await asyncio.sleep(LOOK_SECONDS)

    async def all_go_on(self) -> tuple[list[str], float]:
        """Wait until something has happened at every table: those where nothing did in time, and
        how long it took."""
        began = time.monotonic()
        looked = self.looked
        while self.looked <= looked + 1 and time.monotonic() - began < GIVE_UP_SECONDS:
            await asyncio.sleep(0.02)
        before = dict(self.versions)
        still = self._still(before)
        while still and time.monotonic() - began < PROGRESS_SECONDS:
            await asyncio.sleep(0.02)
            self.last = still or self.last
            still = self._still(before)
        late = still
        while still and time.monotonic() - began < GIVE_UP_SECONDS:
            await asyncio.sleep(0.1)
            still = self._still(before)
        taken = time.monotonic() - began
        self.longest = max(self.longest, taken)
        return late, taken

    async def tables(self) -> list[str]:
        """Their names, once there are any."""
        while not self.versions:
            await asyncio.sleep(0.05)
        return sorted(stream.removeprefix(TABLE) for stream in self.versions)

    def _still(self, before: dict[str, int]) -> list[str]:
        return [one for one in before if self.versions.get(one, 0) <= before[one]]


# ---------------------------------------------------------------- at the end


class Verdict(NamedTuple):
    """What was promised and what came of it."""

    counts: Counter[str]
    problems: list[str]

    @property
    def holds(self) -> bool:
        """Whether every promise was kept."""
        return not self.problems


def judge(url: str, secret: Path, sent: list[Sent], purses: dict[str, list[int | None]]) -> Verdict:
    """Everything that people were told, against the rows; and the rows, decided again."""
    with open_ledger(url, create=False, read_only=True) as ledger:
        floor = Floor(ledger, editions(), master_secret(secret))
        told = retell(floor)
    counts: Counter[str] = Counter(rows=len(told.rows), commands=len(sent))
    problems = [*_of_commands(told, sent, counts), *_of_purses(told, purses)]
    problems += _of_verify(url, secret)
    if not counts["acknowledged"]:
        problems.append("nobody played: nothing was tried out")
    return Verdict(counts, problems)


def _of_commands(told: Told, sent: list[Sent], counts: Counter[str]) -> Iterator[str]:
    by_id: dict[str, list[Row]] = defaultdict(list)
    for row in told.rows:
        by_id[row.command_id].append(row)
    for one in sent:
        rows = by_id.get(one.stored_id, [])
        what = f"{one.guest.name}'s {json.dumps(one.body)}"
        counts["acknowledged"] += one.is_acknowledged
        counts["refused"] += one.is_refused
        counts["sent again"] += len(one.tries) > 1
        counts["without an answer in the end"] += not one.is_acknowledged and not one.is_refused
        firsts = [
            t for t in one.tries if t.status == 200 and not t.repeated and "action" in one.body
        ]
        if len({row.stream for row in rows}) != len(rows) or len(firsts) > 1:
            counts["doubled"] += 1
            yield f"doubled: {what}: {one.tries}"
        if one.is_acknowledged and not rows:
            counts["lost"] += 1
            yield f"lost: {what}: {one.tries}"
        yield from _of_answers(one, rows, what, counts)


def _of_answers(one: Sent, rows: list[Row], what: str, counts: Counter[str]) -> Iterator[str]:
    """Nobody is told that nothing happened when it did; an outage is no fault of the program, and
    costs nobody their session."""
    open_before = False
    for attempt in one.tries:
        counts[f"answers {attempt.status or 'none'}"] += 1
        if attempt.status in (500, 401, 403, 404, 422):
            yield f"answer {attempt.status} to {what}: {attempt.words}"
        if any(text in attempt.words for text in UNCHANGED) and rows:
            yield f"denied: {what} is durable, and the answer was {attempt.words!r}"
        if attempt.status == 503 and "ask again with the same id" not in attempt.words:
            yield f"answer 503 to {what} without what to do: {attempt.words!r}"
        if attempt.status == 409 and rows:
            if rows[0].seq <= attempt.head or not open_before:
                counts["denied"] += 1
                yield f"denied: {what} is row {rows[0].seq}, and was refused: {one.tries}"
            # An earlier sending was still under way, in a process that hung, and came later.
            counts["refused while an earlier sending was under way, which came later"] += 1
        open_before = open_before or not attempt.is_final


def _of_purses(told: Told, purses: dict[str, list[int | None]]) -> Iterator[str]:
    for name, (cents, seq) in sorted(told.lowest.items()):
        if cents < 0:
            yield f"purse: {name} had {cents} cents after row {seq}"
    for name, said in purses.items():
        if any(one != told.purses[name] for one in said):
            yield f"purse: servers say {said} for {name}, the rows come to {told.purses[name]}"


def _of_verify(url: str, secret: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "riverboat", "verify", "--database", url]
    command += ["--secret", str(secret)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"verify: {done.stdout}{done.stderr}"
