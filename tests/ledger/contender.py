"""What sixty-four writers write at once: contributions to one meter, and awards of all on it.

Which commands there are, and who sends them how often, follows from the seed, so that the same
command is sent by several writers, in several processes, at about the same time.
"""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from riverboat.ledger import Command, Ledger, Reading, StaleVersion, Write
from tests.ledger.contention import THREADS, WRITERS, Told

CONTRIBUTIONS = 640
AWARDS = 48
METER = "meter:1"
OPTIMISTIC_TRIES = 3


class Job(NamedTuple):
    """A command, and how much it contributes; an award has no amount of its own."""

    name: str
    units: int | None


def jobs(seed: int) -> list[list[Job]]:
    """What each writer sends, in its order. Each command is sent once, twice or three times."""
    rng = random.Random(seed)
    of_writer: list[list[Job]] = [[] for _ in range(WRITERS)]
    contributions = [Job(f"c{n}", rng.randint(1, 9_999)) for n in range(CONTRIBUTIONS)]
    for job in (*contributions, *(Job(f"a{n}", None) for n in range(AWARDS))):
        for writer in rng.choices(range(WRITERS), k=rng.randint(1, 3)):
            of_writer[writer].append(job)
    for own in of_writer:
        rng.shuffle(own)
    return of_writer


def contribute(ledger: Ledger, job: Job) -> bool:
    """What a table does: it does not matter what came before."""
    body = json.dumps({"units": job.units})
    return ledger.append(asked(job), Write(stream=METER, expected_version=None, body=body)).repeated


def award(ledger: Ledger, job: Job) -> bool:
    """Everything that is on the meter. Tried optimistically first, then in turn."""

    def decide(reading: Reading) -> list[Write]:
        rows = reading.read(METER, 0, 100_000)
        on_meter = 0
        for row in rows:
            entry = json.loads(row.body)
            on_meter += entry.get("units", 0) - entry.get("award", 0)
        body = json.dumps({"award": on_meter})
        return [Write(stream=METER, expected_version=len(rows), body=body)]

    for _ in range(OPTIMISTIC_TRIES):
        if ledger.recall(asked(job)):
            return True
        try:
            return ledger.append(asked(job), *decide(ledger.store)).repeated
        except StaleVersion:
            continue
    return ledger.append_in_turn(asked(job), decide).repeated


def asked(job: Job) -> Command:
    """The same from whoever sends it, except for the time."""
    now = random.randint(1, 10**9)
    return Command(id=job.name, actor="link", recorded_at=now, text=json.dumps(job._asdict()))


def writers(ledger: Ledger, process: int, seed: int, told: Told) -> list[Callable[[], None]]:
    """The writers of one process."""

    def write(own: list[Job]) -> None:
        for job in own:
            act = award if job.units is None else contribute
            told["repeated" if act(ledger, job) else "first_time"].append(job.name)

    return [partial(write, own) for own in jobs(seed)[process * THREADS : (process + 1) * THREADS]]
