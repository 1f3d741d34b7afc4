"""Waiting writers share a sync, each gets its own answer, and the queue does not grow for ever."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from riverboat.ledger import LedgerUnavailable, OutcomeUnknown, Receipt
from riverboat.ledger.store import GroupCommit, Request
from tests.ledger.writing import command, to

DONE = Receipt((), repeated=False)


class Gate:
    """A disk whose syncs end when the test says so."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.entered = threading.Semaphore(0)
        self.leave = threading.Semaphore(0)
        self.act: Callable[[], None] = lambda: None

    def write(self, batch: list[Request]) -> None:
        self.batches.append([request.command.id for request in batch])
        self.entered.release()
        assert self.leave.acquire(timeout=20)
        self.act()
        for request in batch:
            request.answer = DONE


def group(gate: Gate, waiting: int = 1024, batch: int = 256, patience: float = 20.0) -> GroupCommit:
    return GroupCommit(
        gate.write, patience_seconds=patience, waiting_limit=waiting, batch_limit=batch
    )


def submit(pool: ThreadPoolExecutor, to_group: GroupCommit, name: str) -> "Future[Receipt]":
    return pool.submit(to_group.submit, Request(command(name), [to("table:1")]))


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def queue_up(
    pool: ThreadPoolExecutor, to_group: GroupCommit, names: list[str]
) -> "list[Future[Receipt]]":
    """Submit one after the other, so that the order is known."""
    futures = []
    for name in names:
        before = len(to_group._queue)
        futures.append(submit(pool, to_group, name))
        until(lambda before=before: len(to_group._queue) > before)  # type: ignore[misc]
    return futures


def two_whose_sync(
    gate: Gate, commits: GroupCommit, pool: ThreadPoolExecutor, act: Callable[[], None]
) -> "list[Future[Receipt]]":
    """Two who waited for another's sync and share the next one, which ends like this."""
    first = submit(pool, commits, "first")
    assert gate.entered.acquire(timeout=20)
    others = queue_up(pool, commits, ["b", "c"])
    gate.leave.release()
    first.result(20)
    assert gate.entered.acquire(timeout=20)
    gate.act = act
    gate.leave.release()
    return others


def test_whoever_comes_during_a_sync_shares_the_next_one() -> None:
    gate = Gate()
    commits = group(gate)
    with ThreadPoolExecutor(8) as pool:
        first = submit(pool, commits, "first")
        assert gate.entered.acquire(timeout=20)
        others = queue_up(pool, commits, ["b", "c", "d"])
        assert not any(future.done() for future in (first, *others))
        gate.leave.release()
        assert first.result(20) == DONE
        assert gate.entered.acquire(timeout=20)
        assert not any(future.done() for future in others), "answered before the sync was over"
        gate.leave.release()
        assert [future.result(20) for future in others] == [DONE] * 3
    assert gate.batches == [["first"], ["b", "c", "d"]]


def test_a_batch_and_the_queue_have_an_end() -> None:
    gate = Gate()
    commits = group(gate, waiting=3, batch=2, patience=0.2)
    with ThreadPoolExecutor(8) as pool:
        first = submit(pool, commits, "first")
        assert gate.entered.acquire(timeout=20)
        others = queue_up(pool, commits, ["b", "c", "d"])
        with pytest.raises(LedgerUnavailable) as refused:
            commits.submit(Request(command("one too many"), [to("table:1")]))
        assert refused.value.code == "ledger.busy"
        for _ in range(3):
            gate.leave.release()
        assert [future.result(20) for future in (first, *others)] == [DONE] * 4
    assert gate.batches == [["first"], ["b", "c"], ["d"]]


def test_whoever_waits_for_a_place_gets_one_when_there_is_one() -> None:
    gate = Gate()
    commits = group(gate, waiting=1)
    with ThreadPoolExecutor(8) as pool:
        futures = [submit(pool, commits, "first")]
        assert gate.entered.acquire(timeout=20)
        futures += queue_up(pool, commits, ["b"])
        futures += [submit(pool, commits, name) for name in ("c", "d")]
        time.sleep(0.05)
        for _ in range(4):
            gate.leave.release()
        assert [future.result(20) for future in futures] == [DONE] * 4


def test_an_outage_reaches_everyone_who_waited_and_nobody_who_comes_later() -> None:
    gate = Gate()
    commits = group(gate)

    def fail() -> None:
        raise LedgerUnavailable("ledger.unavailable", "gone")

    with ThreadPoolExecutor(8) as pool:
        others = two_whose_sync(gate, commits, pool, fail)
        errors = [future.exception(20) for future in others]
        assert [type(error) for error in errors] == [LedgerUnavailable] * 2
        assert errors[0] is not errors[1]
        gate.act = lambda: None
        gate.leave.release()
        assert submit(pool, commits, "later").result(20) == DONE


def test_a_writer_who_is_interrupted_leaves_the_others_an_answer_and_the_turn() -> None:
    gate = Gate()
    commits = group(gate)

    def interrupt() -> None:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(8) as pool:
        others = two_whose_sync(gate, commits, pool, interrupt)
        kinds = {type(future.exception(20)) for future in others}
        assert kinds == {KeyboardInterrupt, OutcomeUnknown}
        gate.act = lambda: None
        gate.leave.release()
        assert submit(pool, commits, "later").result(20) == DONE


def test_closing_lets_those_finish_who_wait() -> None:
    gate = Gate()
    commits = group(gate)
    with ThreadPoolExecutor(8) as pool:
        first = submit(pool, commits, "first")
        assert gate.entered.acquire(timeout=20)
        others = queue_up(pool, commits, ["b", "c"])
        closing = pool.submit(commits.close)
        until(lambda: commits._closed)
        with pytest.raises(LedgerUnavailable):
            commits.submit(Request(command("late"), [to("table:1")]))
        assert not closing.done()
        for _ in range(2):
            gate.leave.release()
        assert [future.result(20) for future in (first, *others)] == [DONE] * 3
        closing.result(20)


def test_who_decides_in_turn_goes_alone() -> None:
    gate = Gate()
    commits = group(gate)
    with ThreadPoolExecutor(8) as pool:
        futures = [submit(pool, commits, "first")]
        assert gate.entered.acquire(timeout=20)
        futures += queue_up(pool, commits, ["b"])
        futures.append(
            pool.submit(commits.submit, Request(command("turn"), [], lambda reading: []))
        )
        until(lambda: len(commits._queue) == 2)
        futures += queue_up(pool, commits, ["c", "d"])
        for _ in range(4):
            gate.leave.release()
        assert [future.result(20) for future in futures] == [DONE] * 5
    assert gate.batches == [["first"], ["b"], ["turn"], ["c", "d"]]
