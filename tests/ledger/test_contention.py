"""Sixty-four writers in four processes on one meter: nothing lost, nothing doubled."""

import json
from collections import Counter
from pathlib import Path

import pytest

from riverboat.ledger import open_ledger, verify
from tests.conftest import Report
from tests.ledger.contender import AWARDS, CONTRIBUTIONS, METER, jobs
from tests.ledger.contention import PROCESSES, WRITERS, contend
from tests.ledger.postgres_server import PostgresServer


def check_meter(url: str, seed: int) -> str:
    """The meter is the sum of what was acknowledged, and each award was all that was on it."""
    sent = [job for own in jobs(seed) for job in own]
    amounts = {job.name: job.units for job in sent}
    told = contend("tests.ledger.contender", url, seed)
    first_time, repeated = told["first_time"], told["repeated"]
    assert len(first_time) + len(repeated) == len(sent), "somebody was not answered"
    assert Counter(first_time) == Counter(set(amounts)), "lost, or done twice"
    with open_ledger(url, create=False) as ledger:
        verdict = verify(ledger)
        assert verdict.holds, verdict.fault
        rows = ledger.read(METER)
    assert Counter(row.command_id for row in rows) == Counter(set(amounts))
    on_meter = paid = 0
    for row in rows:
        entry = json.loads(row.body)
        if "award" in entry:
            assert entry["award"] == on_meter, f"{row.command_id} did not pay in log order"
            paid += entry["award"]
            on_meter = 0
        else:
            assert entry["units"] == amounts[row.command_id]
            on_meter += entry["units"]
    assert on_meter + paid == sum(units or 0 for units in amounts.values())
    return (
        f"{WRITERS} writers in {PROCESSES} processes, {CONTRIBUTIONS} contributions and"
        f" {AWARDS} awards sent {len(sent)} times: {len(rows)} rows, {len(repeated)} repeats"
        " recognised, 0 lost, 0 doubled"
    )


@pytest.mark.slow
@pytest.mark.postgres
def test_sixty_four_writers_lose_and_double_nothing_on_postgres(
    server: PostgresServer, report: Report
) -> None:
    report(f"contention, PostgreSQL: {check_meter(server.new_database(), seed=64)}")


@pytest.mark.slow
def test_processes_that_share_a_sqlite_file_lose_and_double_nothing(
    tmp_path: Path, report: Report
) -> None:
    report(f"contention, SQLite: {check_meter(str(tmp_path / 'ledger.db'), seed=65)}")
