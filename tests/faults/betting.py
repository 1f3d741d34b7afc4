"""What is done while servers are killed: people bet with purses that are nearly empty, at two
tables each, through one house as a server has it; programs deal. Every command of theirs has an id
of its own, and what could not be acknowledged is sent again.

A person's words for the ledger are those of the web: the action is read, decided and written as a
request to a server would be.
"""

import time
from collections.abc import Callable
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any, Final
from unittest.mock import patch

from msgspec import to_builtins

from riverboat.core.errors import Refused
from riverboat.floor.autopilot import Manners, attend, next_doing
from riverboat.floor.floor import Floor
from riverboat.ledger import LedgerError, LedgerUnavailable, open_ledger
from riverboat.round import actions as g
from riverboat.round.legal import Choice, Offer, Range
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from riverboat.web import accounts
from riverboat.web.accounts import Guest
from riverboat.web.api.tables import Asked, carry_out
from riverboat.web.demo.tables import demo_tables
from riverboat.web.house import House, Manner
from riverboat.web.play_money import SHORT
from riverboat.web.screens.offered import asking, tag_of
from tests.ledger.crash import in_threads
from tests.web.running import CHEAP, SECRET

TABLES: Final = 3
PEOPLE: Final = ("Ann", "Ben", "Cleo")
FIRST_CENTS: Final = 100_00
TOP_UP_CENTS: Final = 60_00
LIKED: Final[dict[type, float]] = {
    a.SitDown: 1.0,
    g.Wager: 0.9,
    g.Bet: 1.0,
    g.Fold: 0.15,
    g.TakeBack: 0.06,
}

editions()  # Read once, before any house is a fork of this program.


def house_on(url: str) -> House:
    """As a server has it, without its door."""
    manner = Manner(decision_seconds=None, signer_wait_seconds=0)
    # Half a second for a hash that nobody asks for, at each start.
    with patch.object(accounts, "PasswordHasher", lambda: CHEAP):
        return House(Floor(open_ledger(url, patience_seconds=2.0), editions(), SECRET), manner)


def begin(url: str) -> list[str]:
    """A new floor with some tables; their names."""
    house = house_on(url)
    house.floor.start()
    tables = list(islice(demo_tables(house.floor), TABLES))
    for table in tables:
        house.open_demo(table)
    for name in PEOPLE:
        house.play_money.top_up(f"first {name}", name, FIRST_CENTS)
    house.close()
    return [table.name for table in tables]


def write_for_ever(run: str, url: str, say: Callable[[str], None]) -> None:
    """Play until killed."""
    while True:
        try:
            house = house_on(url)
            house.floor.start()
            house.model.catch_up()
            break
        except LedgerUnavailable:
            continue
    tables = sorted(house.model.attended)
    people = [
        partial(Better(house, name, run, say).play, tables[(number + k) % len(tables)])
        for number, name in enumerate(PEOPLE)
        for k in (0, 1)
    ]
    in_threads([*people, *(partial(_deal, house, table) for table in tables)])


def _deal(house: House, table: str) -> None:
    """The table's programs; nobody is waited for once somebody has bet."""
    while True:
        try:
            house.model.catch_up()
            doing = next_doing(house.floor, table, {}, Manners(seed=table))
            day = house.floor.station(table).day
            waits = isinstance(doing and doing.ask, g.CloseBets) and not day.playing.seats
            if doing is None or waits:
                time.sleep(0.002)
                continue
            attend(house.floor, f"auto {table} {day.entries}", table, doing)
        except (Refused, LedgerError):
            time.sleep(0.002)


class Better:
    """Somebody who bets."""

    def __init__(self, house: House, name: str, run: str, say: Callable[[str], None]) -> None:
        self._house, self._say = house, say
        self._guest = Guest(name=name, door="player")
        self._run, self._chance = run, Random(f"{run} {name}")

    def play(self, table: str) -> None:
        """For ever."""
        for number in count(1):
            try:
                self._house.model.catch_up()
                wanted = self._wanted(table)
            except LedgerError:
                continue
            if wanted is None:
                time.sleep(0.002)
            else:
                self._send(f"{self._run}-{table}-{number}", table, wanted)

    def _wanted(self, table: str) -> dict[str, Any] | None:
        house, actor = self._house, self._guest.actor
        station = house.model.station(table)
        assert actor is not None
        seated = bool(station.day.seats_of(actor))
        offers = [
            offer
            for offer in asking(station, house.model.link_of(station), actor).offers
            if self._chance.random() < LIKED.get(offer.kind, 0.0)
            and not (offer.kind is a.SitDown and seated)
        ]
        return self._action(self._chance.choice(offers)) if offers else None

    def _action(self, offer: Offer) -> dict[str, Any] | None:
        raw: dict[str, Any] = {"do": tag_of(offer)}
        purse = self._house.model.cents(self._guest.name)
        for name, bounds in offer.arguments.items():
            if name == "player":
                continue
            if isinstance(bounds, Choice):
                raw[name] = to_builtins(self._chance.choice(bounds.values))
            elif isinstance(bounds, Range):
                low = bounds.minimum or 0
                steps = max(0, (min(bounds.maximum or purse, purse) - low) // bounds.unit)
                few = self._chance.randint(0, min(3, steps))
                raw[name] = low + bounds.unit * self._chance.choice((few, steps))
        return None if str(raw.get("spot", "")).startswith("tip_") else raw

    def _send(self, name: str, table: str, action: dict[str, Any]) -> None:
        """Until it is known what became of it."""
        while True:
            try:
                carry_out(self._house, self._guest, table, Asked(id=name, action=action))
                self._say(f"ack {self._guest.own(name)}")
            except LedgerUnavailable:
                continue
            except LedgerError as wrong:
                self._say(f"refused {name}: {wrong}")
            except Refused as refusal:
                if refusal.code == SHORT:
                    self._top_up(f"{name}-more")
            return

    def _top_up(self, name: str) -> None:
        own = self._guest.own(name)
        while True:
            try:
                self._house.play_money.top_up(own, self._guest.name, TOP_UP_CENTS)
                self._say(f"ack {own}")
            except LedgerUnavailable:
                continue
            return
