"""Accounts on either database: two names that look alike are never two people."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from riverboat.core.errors import Refused
from riverboat.ledger import open_ledger
from riverboat.web.accounts import Accounts
from tests.ledger.postgres_server import PostgresServer
from tests.web.running import ADMINISTRATOR, CHEAP, PASSWORD, add_person, sqlite_url

ALIKE = (
    "Racer {}",
    "racer {}",
    "RACER {}",
    "\uff32acer {}",
    " rAcer {} ",
    "racer\u00a0{}",
    "RaceR {}",
    "raCer {}",
)


def raced(place: Callable[[], str], races: int) -> None:
    """In every race eight threads of two houses ask at once, each for a name like the others'."""
    url = place()
    with open_ledger(url) as one, open_ledger(url) as another, ThreadPoolExecutor(8) as pool:
        houses = [Accounts(ledger, hasher=CHEAP) for ledger in (one, another)]
        add_person(houses[0], ADMINISTRATOR.name, "administrator")
        for race in range(races):
            barrier = Barrier(len(ALIKE))

            def ask(number: int, race: int = race, barrier: Barrier = barrier) -> str:
                barrier.wait(20)
                try:
                    houses[number % 2].add(
                        ALIKE[number].format(race), "player", PASSWORD, by=ADMINISTRATOR
                    )
                except Refused as refused:
                    return refused.code
                return "made"

            answers = sorted(pool.map(ask, range(len(ALIKE))))
            assert answers == ["account.exists"] * (len(ALIKE) - 1) + ["made"]
        made = [account.name.strip().casefold() for account in houses[0].all()]
        assert sorted(made) == sorted(set(made))
        assert len(made) == races + 1


def test_a_race_for_one_name_makes_one_account_on_sqlite(tmp_path: Path) -> None:
    raced(lambda: sqlite_url(tmp_path), races=10)


@pytest.mark.slow
@pytest.mark.postgres
def test_a_race_for_one_name_makes_one_account_on_postgres(postgres: PostgresServer) -> None:
    raced(postgres.new_database, races=10)


@pytest.mark.slow
@pytest.mark.postgres
def test_accounts_and_sessions_are_the_same_on_postgres(postgres: PostgresServer) -> None:
    with open_ledger(postgres.new_database()) as ledger:
        accounts = Accounts(ledger, hasher=CHEAP)
        password = accounts.first_administrator()
        assert password is not None
        assert accounts.first_administrator() is None
        token, guest, _ = accounts.sign_in("admin", password)
        assert accounts.guest(token) == guest
        assert guest.must_change
        accounts.change_password("admin", password, PASSWORD)
        assert accounts.guest(token) is None
        token, guest, _ = accounts.sign_in("admin", PASSWORD)
        assert not guest.must_change
        accounts.close_account("admin", by=guest.person)
        assert accounts.guest(token) is None
        assert [account.closed for account in accounts.all()] == [True]
