"""One seed is one simulation, whoever plays it: one process, several, a cluster that loses a
worker, a run that is stopped and goes on."""

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from riverboat.core.errors import NotationError, Refused
from riverboat.round import set_up
from riverboat.rulebooks import load
from riverboat.simulate import workers
from riverboat.simulate.blocks import NOTHING, ROUNDS, Job, Sums, play_block
from riverboat.simulate.simulating import every_bet, prepared, simulate, wagers_of
from riverboat.simulate.workers import Checkpoint, Where, blocks_of, played

pytestmark = pytest.mark.slow

BLOCKS = 6
SOME = BLOCKS * ROUNDS - 1_234


@pytest.fixture(scope="module")
def job() -> Job:
    book = load("south-dakota-3cb").book
    setup = set_up(book, every_bet(book, {}, 6))
    return prepared(setup, wagers_of(setup), 7).job


@pytest.fixture(scope="module")
def right(job: Job) -> Sums:
    return played(job, SOME, where=Where(1))


def test_blocks_are_all_rounds_once() -> None:
    assert list(blocks_of(ROUNDS)) == [(0, ROUNDS)]
    assert list(blocks_of(2 * ROUNDS + 1)) == [(0, ROUNDS), (1, ROUNDS), (2, 1)]
    assert sum(rounds for _, rounds in blocks_of(SOME)) == SOME


def test_blocks_add_up_in_any_order(job: Job, right: Sums) -> None:
    found = NOTHING
    for block, rounds in sorted(blocks_of(SOME), reverse=True):
        found += play_block(job, block, rounds)
    assert found == right
    assert found.rounds == SOME


def test_processes_play_the_same(job: Job, right: Sums) -> None:
    told: list[int] = []
    assert played(job, SOME, where=Where(2), progress=told.append) == right
    assert told == sorted(told)
    assert told[-1] == SOME


def test_a_process_that_is_killed_is_made_up_for(job: Job, right: Sums) -> None:
    killed: list[int] = []

    def kill(done: int) -> None:
        if not killed:
            children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
            names = {int(one): Path(f"/proc/{one}/cmdline").read_text() for one in children}
            workers = [pid for pid, name in names.items() if "spawn_main" in name]
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    assert played(job, SOME, where=Where(2), progress=kill) == right
    assert killed


class Enough(Exception):
    """Somebody stops the run."""


def test_a_run_that_is_stopped_goes_on(job: Job, right: Sums, tmp_path: Path) -> None:
    path, question = tmp_path / "so far.json", {"seed": 7}

    def stop(done: int) -> None:
        if done >= 4 * ROUNDS:
            raise Enough

    with pytest.raises(Enough):
        played(job, SOME, where=Where(1), checkpoint=Checkpoint(path, question), progress=stop)
    again = Checkpoint(path, question)
    assert sorted(again.done) == [0, 1, 2, 3]
    assert again.sums.rounds == 4 * ROUNDS
    assert played(job, SOME, where=Where(1), checkpoint=again) == right
    assert played(job, SOME, where=Where(1), checkpoint=Checkpoint(path, question)) == right


def test_a_checkpoint_is_for_one_question(tmp_path: Path) -> None:
    path = tmp_path / "so far.json"
    Checkpoint(path, {"seed": 7, "rounds": 5}).write()
    with pytest.raises(NotationError, match="of another simulation: its seed differ"):
        Checkpoint(path, {"seed": 8, "rounds": 5})
    for text in ("", "{", "[]", '{"question": 1}', json.dumps({"question": {}, "blocks": [[0]]})):
        path.write_text(text)
        with pytest.raises(NotationError, match="no checkpoint of a simulation"):
            Checkpoint(path, {"seed": 7})


def test_from_the_question_to_the_answer(tmp_path: Path) -> None:
    book = load("house-demo").book
    one = simulate(book, 600_000, seed=3, where=Where(2, None, tmp_path / "kept"))
    kept = simulate(book, 600_000, seed=3, where=Where(1, None, tmp_path / "kept"))
    assert one.bets == kept.bets
    with pytest.raises(NotationError, match="strategy"):
        simulate(
            book, 600_000, seed=3, strategy="never-fold", where=Where(1, None, tmp_path / "kept")
        )


def test_a_cluster_that_loses_a_worker_plays_the_same(job: Job, right: Sums) -> None:
    from distributed import LocalCluster

    made: type = LocalCluster
    with made(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        lost: list[int] = []

        def lose(done: int) -> None:
            if not lost:
                worker = next(iter(cluster.workers.values()))
                lost.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

        where = Where(2, cluster.scheduler_address)
        assert played(job, SOME, where=where, progress=lose) == right
        assert lost


def test_a_cluster_that_is_not_there_is_said() -> None:
    job: Job = Job(None, None, None, 0, 0)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="no Dask scheduler answers there"):
        played(job, ROUNDS, where=Where(1, "tcp://127.0.0.1:9"))


def test_workers_that_are_lost_again_and_again_are_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "_TRIES", 2)
    began = time.monotonic()
    bad: Job = Job(Fatal(), None, None, 0, 0)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="lost 2 times"):
        played(bad, 2 * ROUNDS, where=Where(2))
    assert time.monotonic() - began < 60
    assert threading.active_count() < 50


class Fatal:
    """What no process survives that is given it."""

    def __setstate__(self, state: object) -> None:
        os._exit(9)

    def __getstate__(self) -> dict[str, int]:
        return {"a": 1}
