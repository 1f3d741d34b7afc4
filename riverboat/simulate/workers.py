"""Who plays the blocks: this process, several on this machine, or a Dask cluster.

Blocks are independent, so that it does not matter who plays which, when, or how often one has to be
played again because its worker was lost: the sums are the same to the cent. A simulation that is
stopped goes on from its checkpoint.
"""

import json
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from riverboat.core.errors import NotationError, Refused
from riverboat.simulate.blocks import NOTHING, ROUNDS, Job, Sums, play_blocks

Progress: TypeAlias = Callable[[int], None]
"""Told now and then how many rounds are done."""
Blocks: TypeAlias = tuple[tuple[int, int], ...]
"""Numbers of blocks, each with its rounds."""
_TOGETHER: Final = 8
_WORTH_A_PROCESS: Final = 20_000_000
"""Rounds that take longer than starting a process."""
_MOST_PROCESSES: Final = 256
_AHEAD: Final = 3
"""Tasks for each worker that are handed out at a time."""
_TRIES: Final = 5
_KEPT_EVERY: Final = 5.0
_CONNECT_SECONDS: Final = 5
_HERE: dict[str, Job] = {}


class Where(NamedTuple):
    """Who plays the blocks, and where what is done is kept: so many processes of this machine, by
    default one for each core where that is worth their start, or a cluster."""

    processes: int | None = None
    cluster: str | None = None
    checkpoint: Path | None = None

    def processes_for(self, rounds: int) -> int:
        """How many there are for so many rounds."""
        cores = os.cpu_count() or 1
        return self.processes or (cores if rounds >= _WORTH_A_PROCESS * cores else 1)


def blocks_of(rounds: int) -> Iterator[tuple[int, int]]:
    """The blocks of so many rounds."""
    for block, begun in enumerate(range(0, rounds, ROUNDS)):
        yield block, min(ROUNDS, rounds - begun)


class Checkpoint:
    """A file with what is done so far, replaced whole each time; for one question only."""

    def __init__(self, path: Path, question: dict[str, Any]) -> None:
        self.path, self.question = path, json.loads(json.dumps(question))
        self.done: set[int] = set()
        self.sums = NOTHING
        self._written = time.monotonic()
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            kept = json.loads(self.path.read_bytes())
            question, done = kept["question"], kept["blocks"]
            self.sums = msgspec.convert(kept["sums"], Sums)
            self.done = {block for first, last in done for block in range(first, last + 1)}
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
            text = f"{self.path}: no checkpoint of a simulation: {problem}"
            raise NotationError("simulate.bad_checkpoint", text) from problem
        if question != self.question:
            differs = [key for key in self.question if question.get(key) != self.question[key]]
            text = f"{self.path}: of another simulation: its {', '.join(differs)} differ"
            raise NotationError("simulate.other_checkpoint", text)

    def add(self, blocks: Blocks, sums: Sums) -> None:
        """These are done."""
        self.done.update(block for block, _ in blocks)
        self.sums += sums
        if time.monotonic() > self._written + _KEPT_EVERY:
            self.write()

    def write(self) -> None:
        """On the disk, whole or not at all."""
        ranges: list[list[int]] = []
        for block in sorted(self.done):
            if ranges and ranges[-1][1] == block - 1:
                ranges[-1][1] = block
            else:
                ranges.append([block, block])
        kept = {"question": self.question, "blocks": ranges, "sums": self.sums}
        new = self.path.with_name(f"{self.path.name}.new")
        new.write_text(json.dumps(kept))
        new.replace(self.path)
        self._written = time.monotonic()


def played(
    job: Job,
    rounds: int,
    *,
    where: Where,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> Sums:
    """The sums of all blocks, whoever played them."""
    processes = where.processes_for(rounds)
    sums, done = (NOTHING, set()) if checkpoint is None else (checkpoint.sums, checkpoint.done)
    left = [one for one in blocks_of(rounds) if one[0] not in done]
    size = max(1, min(_TOGETHER, len(left) // (2 * processes)))
    if where.cluster is not None:
        tasks = _on_cluster(job, _tasks(left, size), where.cluster)
    elif processes > 1 and len(left) > 1:
        tasks = _in_processes(job, _tasks(left, size), processes)
    else:
        tasks = _here(job, _tasks(left, 1))
    try:
        for task, found in tasks:
            sums += found
            if checkpoint is not None:
                checkpoint.add(task, found)
            if progress is not None:
                progress(sums.rounds)
    finally:
        tasks.close()
        if checkpoint is not None:
            checkpoint.write()
    return sums


def _tasks(left: Sequence[tuple[int, int]], size: int) -> list[Blocks]:
    return [tuple(left[at : at + size]) for at in range(0, len(left), size)]


def _here(job: Job, tasks: list[Blocks]) -> Generator[tuple[Blocks, Sums]]:
    for task in tasks:
        yield task, play_blocks(job, task)


# ---------------------------------------------------------------- processes on this machine


def _take(job: Job) -> None:
    with suppress(OSError, AttributeError):
        os.nice(5)
    _HERE["job"] = job


def _play_here(task: Blocks) -> Sums:
    return play_blocks(_HERE["job"], task)


def _in_processes(job: Job, tasks: list[Blocks], processes: int) -> Generator[tuple[Blocks, Sums]]:
    """A worker that is lost takes its pool with it: what was not done goes to a new one."""
    waiting = tasks
    for _ in range(_TRIES):
        pool = ProcessPoolExecutor(
            processes, mp_context=get_context("spawn"), initializer=_take, initargs=(job,)
        )
        lost: list[Blocks] = []
        try:
            for task, future in _ahead(pool, waiting, processes * _AHEAD):
                try:
                    yield task, future.result()
                except BrokenProcessPool:
                    lost.append(task)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        if not lost:
            return
        waiting = lost
    text = f"workers of this machine were lost {_TRIES} times; there may be too little memory"
    raise Refused("simulate.workers_lost", text, cites=())


def _ahead(
    pool: ProcessPoolExecutor, tasks: list[Blocks], most: int
) -> Iterator[tuple[Blocks, "Future[Sums]"]]:
    """Tasks as they are done; only so many are handed out at a time."""
    coming = iter(tasks)
    running: dict[Future[Sums], Blocks] = {}
    while True:
        for task in islice(coming, most - len(running)):
            try:
                running[pool.submit(_play_here, task)] = task
            except BrokenProcessPool as problem:
                broken: Future[Sums] = Future()
                broken.set_exception(problem)
                yield task, broken
        if not running:
            return
        ready, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in ready:
            yield running.pop(future), future


# ---------------------------------------------------------------- a Dask cluster


def _itself(job: Job) -> Job:
    return job


def _on_cluster(job: Job, tasks: list[Blocks], address: str) -> Generator[tuple[Blocks, Sums]]:
    """Dask plays a lost worker's tasks again; the tables are a task too, so they are made again."""
    try:
        import distributed
    except ImportError as problem:
        text = "--cluster needs dask.distributed: pip install 'riverboat[cluster]'"
        raise Refused("simulate.no_dask", text, cites=()) from problem
    connect: Any = distributed.Client
    as_completed: Any = distributed.as_completed
    try:
        client = connect(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as problem:
        text = f"--cluster {address}: no Dask scheduler answers there"
        raise Refused("simulate.no_cluster", text, cites=()) from problem
    with client:
        tables = client.submit(_itself, job, pure=False)
        futures = {
            client.submit(play_blocks, tables, task, pure=False, retries=_TRIES): task
            for task in tasks
        }
        for future in as_completed(list(futures)):
            yield futures[future], future.result()
            future.release()
