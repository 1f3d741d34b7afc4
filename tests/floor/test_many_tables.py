"""A gaming day of forty tables on two meters, through the real ledger, to the cent."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, get_args

import pytest

from riverboat.controller import events as c
from riverboat.controller.engine import table_postings
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.floor.codec import METER, TABLE, read_meter_body, read_table_body
from riverboat.floor.floor import Floor
from riverboat.floor.station import Station, apply, new_station
from riverboat.ledger import open_ledger
from riverboat.meter.books import Posting, meter_postings, reconcile
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.round.settlement.postings import postings
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import new_day
from tests.conftest import Report
from tests.floor.house import (
    DANA,
    FLO,
    ROYAL,
    STRAIGHT_FLUSH,
    TRAY,
    House,
    RiggedFloor,
    floor_on,
    folder_ledger,
    require_true,
    submitted,
)

OF_ROUNDS: Final = get_args(r.AnyEvent)
THREADS: Final = 4
ROUNDS: Final = 8
LINKS: Final = ("delta", "river")
BOOKS: Final = (
    "island-stud",
    "maryland-2014",
    "south-dakota-2011",
    "iowa-catfish-bend",
    "south-dakota-3cb",
)
WINNERS: Final = {"T07": STRAIGHT_FLUSH, "T17": ROYAL, "T32": STRAIGHT_FLUSH, "T37": STRAIGHT_FLUSH}
"""Tables of one player who always gets this hand; the royal and a straight flush share a meter."""


def tables() -> dict[str, tuple[str, str]]:
    """Each table's rulebook and meter; one of the rulebooks has no progressive."""
    named = {}
    for number in range(1, 41):
        book = BOOKS[(number - 1) % len(BOOKS)]
        link = LINKS[number % 2] if book != "iowa-catfish-bend" else ""
        named[f"T{number:02}"] = (book, link)
    return named


def open_all(floor: RiggedFloor) -> None:
    """Every table with its meter, its players' buy-ins, a fill and a credit."""
    house = House(floor, (f"opening {number}" for number in count(1)))
    for number, (table, (book, link)) in enumerate(tables().items()):
        house.open_table(table, submitted(book, table, link))
        house.ask(FLO, table, a.Fill(cents=1_000_00 + number))
        house.ask(FLO, table, a.Credit(cents=250_00))


def play_share(floor: RiggedFloor, number: int) -> int:
    """One thread's tables, a step at each in turn, until all their rounds are over."""
    house = House(floor, (f"thread {number} {n}" for n in count(1)))
    own = list(tables())[number::THREADS]
    commands = 0
    while own:
        moved = False
        for table in list(own):
            if house.rounds_over(table) >= ROUNDS:
                own.remove(table)
                continue
            winner = WINNERS.get(table)
            doing = house.next_alone(table, winner) if winner else house.next_at(table)
            if doing is None:
                continue
            try:
                attend(floor, next(house.ids), table, doing)
            except Refused as refusal:
                if refusal.code != "award.pending":
                    raise
                continue
            if isinstance(doing.ask, a.SitDown):
                house.ask(DANA, table, a.BuyIn(seat=doing.ask.seat, cents=500_00))
            moved, commands = True, commands + 1
        if own and not moved:
            sleep(0.001)
    return commands


def money_of(event: Any, before: Station) -> tuple[Posting, ...]:
    """What an event moved at its table, in cents, and at a table without a meter in units too."""
    state = before.day.round
    if state is None:
        return ()
    at_controller = isinstance(event, c.ControllerEvent)
    if before.link:
        moves = at_controller or type(event) in OF_ROUNDS
        return table_postings(event, before.controller, state) if moves else ()
    return postings(event, state) if type(event) in OF_ROUNDS else ()


class Books:
    """What the stored events alone say of a table."""

    def __init__(self) -> None:
        self.cents: Counter[str] = Counter()
        self.units: Counter[str] = Counter()
        self.bought_in = self.events = self.postings = 0
        self.contributed = 0


def read_books(floor: Floor, table: str) -> Books:
    """Every event of a table, with postings that leave nothing over."""
    books, station = Books(), new_station(new_day(table, floor.books))
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.keys):
            for event in entry.events:
                sums: Counter[str] = Counter()
                for account, unit, amount in money_of(event, station):
                    sums[unit] += amount
                    books.postings += 1
                    if unit == "cent":
                        books.cents[account] += amount
                assert not any(sums.values()), f"{table}: {event} leaves {dict(sums)}"
                if isinstance(event, r.MeterContributed):
                    books.contributed += event.units
                station = apply(station, event)
                books.events += 1
    accounts = station.day.accounts
    assert accounts == floor.station(table).day.accounts
    books.bought_in = accounts.in_box_cents + accounts.drop_cents
    return books


def check_table(floor: Floor, table: str) -> Books:
    """The tray is what came and went, and what the rounds moved is what their postings say."""
    books, accounts = read_books(floor, table), floor.station(table).day.accounts
    assert accounts.opening_cents == TRAY
    assert accounts.fills_cents > accounts.credits_cents > 0
    assert books.bought_in == (500_00 if table in WINNERS else 1_000_00)
    assert accounts.tray_cents == (
        accounts.opening_cents
        + accounts.fills_cents
        - accounts.credits_cents
        - books.bought_in
        + accounts.rounds_cents
    )
    assert accounts.rounds_cents == books.cents["tray"]
    assert sum(books.cents.values()) == 0
    return books


def check_link(floor: Floor, name: str, books: dict[str, Books]) -> Link:
    """The meter is its postings, its audit identity, and the sum of what its tables gave."""
    link, units = Link(), Counter[str]()
    for row in floor.ledger.read(METER + name):
        for event in read_meter_body(row.body).events:
            moved = meter_postings(event, link)
            assert sum(posting.amount for posting in moved) == 0, event
            for account, unit, amount in moved:
                assert unit == "meter_unit"
                units[account] += amount
            link = apply_to_meter(link, event)
    assert link == floor.link(name)
    assert reconcile(link).balances, reconcile(link)
    assert reconcile(link).queued == 0
    assert units[f"meter:{name}"] == link.meter.units
    own = [table for table, (_, its) in tables().items() if its == name]
    assert {t: link.by_table[t].contributions for t in own} == {
        t: books[t].contributed for t in own
    }
    assert link.totals.contributions == sum(books[table].contributed for table in own) > 0
    return link


def close_day(floor: RiggedFloor, table: str) -> int:
    """Table, drop box and gaming day are closed; what the table has won."""
    house = House(floor, (f"closing {table} {number}" for number in count(1)))
    rounds = floor.station(table).day.accounts.rounds_cents
    house.ask(FLO, table, a.CloseTable())
    house.ask(FLO, table, a.Drop(cents=floor.station(table).day.accounts.in_box_cents))
    tray = floor.station(table).day.accounts.tray_cents
    told = house.ask(FLO, table, a.CloseDay(tray_cents=tray)).entries[-1].events
    closed = next(event for event in told if isinstance(event, e.DayClosed))
    assert (closed.expected_cents, closed.win_cents) == (tray, rounds)
    return closed.win_cents


@pytest.mark.slow
def test_a_day_of_forty_tables_on_two_meters_balances_to_the_cent(
    tmp_path: Path, report: Report
) -> None:
    began = monotonic()
    with open_ledger(folder_ledger(tmp_path)) as ledger:
        floor = floor_on(ledger)
        open_all(floor)
        with ThreadPoolExecutor(THREADS) as pool:
            commands = sum(pool.map(lambda n: play_share(floor, n), range(THREADS)))
        played = monotonic() - began
        fresh = floor_on(ledger)
        books = {table: check_table(fresh, table) for table in tables()}
        links = [check_link(fresh, name, books) for name in LINKS]
        awards = [award for link in links for award in link.awards.values()]
        assert all(award.moved and award.paid for award in awards)
        assert len(awards) >= ROUNDS * len(WINNERS)
        won = sum(close_day(fresh, table) for table in tables())
        assert won == sum(book.cents["tray"] for book in books.values())
        rows = ledger.head().seq
        require_true(ledger)
    report(
        f"a day of {len(books)} tables on {len(links)} meters: {ROUNDS * len(books)} rounds,"
        f" {commands} commands, {rows} rows, {sum(b.events for b in books.values())} events,"
        f" {sum(b.postings for b in books.values())} postings, {len(awards)} awards of a meter,"
        f" both meters and every tray exact; played in {played:.0f} s"
    )
