"""Sixty-four writers in four processes at tables of one meter: nothing lost, nothing doubled."""

from collections import Counter

import pytest

from riverboat.floor.codec import METER, REFUSED, TABLE, read_meter_body, read_refused_body
from riverboat.ledger import open_ledger
from riverboat.meter.books import reconcile
from riverboat.meter.events import AwardFixed, MeterMoved
from riverboat.meter.state import Link, apply
from tests.conftest import Report
from tests.floor.contender import ROUNDS, TABLES, WINNERS, table_names
from tests.floor.house import House, floor_on, require_true, submitted
from tests.ledger.contention import PROCESSES, WRITERS, contend
from tests.ledger.postgres_server import PostgresServer

LINK = "river"
UNITS_A_CENT = 10_000


def awards_in_log_order(link: Link, events: list[object]) -> list[AwardFixed]:
    """Each award is its share of the meter as it was in the log then, and alone until it moved."""
    fixed: list[AwardFixed] = []
    for event in events:
        if isinstance(event, AwardFixed):
            assert link.pending is None, f"{event.award} was fixed while another one was pending"
            cents = link.meter.units * event.percent // 100 // UNITS_A_CENT
            assert (event.before_units, event.cents) == (link.meter.units, cents)
            fixed.append(event)
        if isinstance(event, MeterMoved):
            assert event.award == fixed[-1].award, "paid out of order"
        link = apply(link, event)  # type: ignore[arg-type]
    return fixed


@pytest.mark.slow
@pytest.mark.postgres
def test_sixty_four_writers_play_on_one_meter_and_lose_and_double_nothing(
    server: PostgresServer, report: Report
) -> None:
    url = server.new_database()
    with open_ledger(url) as ledger:
        house = House(floor_on(ledger))
        for table in table_names():
            house.open_table(table, submitted("maryland-2014", table, LINK))
    told = contend("tests.floor.contender", url, seed=64)
    first_time, repeated = Counter(told["first_time"]), Counter(told["repeated"])
    units = sum(told["units"])
    with open_ledger(url, create=False) as ledger:
        require_true(ledger)
        floor = floor_on(ledger)
        played = [
            row.command_id
            for table in table_names()
            for row in ledger.read(TABLE + table)
            if row.command_id.startswith(f"{table}-")
        ]
        assert first_time == Counter(played), "lost, or done twice"
        assert set(repeated) <= set(first_time)
        for table in table_names():
            assert floor.station(table).day.round_number == ROUNDS
            for row in ledger.read(REFUSED + table):
                assert read_refused_body(row.body).code == "award.pending"
        link = floor.link(LINK)
        rows = ledger.read(METER + LINK)
    events = [event for row in rows for event in read_meter_body(row.body).events]
    awards = awards_in_log_order(Link(), list(events))
    paid = sum(award.cents for award in awards) * UNITS_A_CENT
    seeds = (1 + sum(award.resets for award in awards)) * link.seed_cents * UNITS_A_CENT
    assert link.totals.contributions == units > 0
    assert link.meter.units == seeds + units - paid
    assert reconcile(link).balances
    assert len(awards) >= ROUNDS * len(WINNERS)
    report(
        f"contention of floors, PostgreSQL: {WRITERS} writers in {PROCESSES} processes,"
        f" {TABLES} tables on one meter, {len(played)} commands, {sum(repeated.values())} repeats"
        f" answered, {len(awards)} awards in log order, 0 lost, 0 doubled"
    )
