"""Two servers on a real PostgreSQL while processes, connections, locks and the network fail."""

import asyncio
from pathlib import Path

import pytest

from tests.conftest import Report
from tests.faults.nemesis import Nemesis, run
from tests.faults.record import PROGRESS_SECONDS
from tests.ledger.postgres_server import PostgresServer

KINDS = 12


def survive(folder: Path, report: Report, seed: int, faults: int, longest: float) -> None:
    """Every promise was kept; what was counted goes to the summary."""
    with PostgresServer.started() as postgres:
        coming = run(postgres, folder, seed, faults, seconds=1_800, longest=longest)
        done = asyncio.run(coming)
    report("\n".join(done.lines()))
    assert done.verdict.holds, "\n".join(done.lines())
    assert done.longest <= PROGRESS_SECONDS


def test_a_seed_repeats_the_schedule_and_every_kind_comes_as_often(tmp_path: Path) -> None:
    nemesis = Nemesis(PostgresServer(tmp_path, tmp_path), "")
    groups = nemesis.schedule(5, 4 * KINDS, 3.0)
    assert groups == nemesis.schedule(5, 4 * KINDS, 3.0)
    assert groups != nemesis.schedule(6, 4 * KINDS, 3.0)
    drawn = [fault.kind for group in groups for fault in group]
    assert {kind: drawn.count(kind) for kind in drawn} == dict.fromkeys(nemesis.kinds, 4)
    assert len(nemesis.kinds) == KINDS
    assert {len(group) for group in groups} == {1, 2}


@pytest.mark.slow
@pytest.mark.postgres
def test_two_servers_live_through_each_fault(tmp_path: Path, report: Report) -> None:
    survive(tmp_path, report, seed=11, faults=KINDS, longest=0.8)


@pytest.mark.soak
@pytest.mark.postgres
def test_two_servers_live_through_half_an_hour_of_faults(tmp_path: Path, report: Report) -> None:
    survive(tmp_path, report, seed=16, faults=400, longest=6.0)
