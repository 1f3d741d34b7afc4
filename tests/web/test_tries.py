"""Wrong passwords, look-alike names and passwords that everybody guesses, on either database."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.signers import (
    GuessingStopped,
    SignedIn,
    folded_name,
    read_account_body,
    require_name,
)
from riverboat.ledger import open_ledger
from riverboat.web.accounts import (
    ADDRESS,
    BROWSER_SECONDS,
    HERE,
    MOST_BROWSERS,
    NAME,
    Accounts,
    Place,
    is_guessed_first,
    require_password,
)
from tests.ledger.postgres_server import PostgresServer
from tests.web.running import CHEAP, PASSWORD, add_person, sqlite_url

WRONG = "not the password"


class Clock:
    """A clock that is set."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Counting(Accounts):
    """Accounts that count how often a password is looked at."""

    looked = 0

    def _goes_with(self, kept: str, password: str) -> bool:
        self.looked += 1
        return super()._goes_with(kept, password)


def accounts_at(url: str, clock: Clock) -> Counting:
    """Accounts with an administrator and a dealer."""
    accounts = Counting(open_ledger(url), clock, CHEAP)
    add_person(accounts, "Ann", "dealer")
    accounts.looked = 0
    return accounts


def code_of(work: Callable[[], object]) -> str:
    """What somebody is told."""
    try:
        work()
    except Refused as refusal:
        return refusal.code
    return ""


def test_eight_tries_for_a_name_from_an_address_and_no_ninth(tmp_path: Path) -> None:
    clock = Clock()
    accounts = accounts_at(sqlite_url(tmp_path), clock)
    spelt = ("Ann", "ann", "ANN", " Ann", "\uff21nn", "\u00c1nn", "a nn".replace(" ", ""), "ANn")
    codes = [code_of(lambda x=x: accounts.sign_in(x, WRONG, "198.51.100.7")) for x in spelt]  # type: ignore[misc]
    assert codes == ["sign_in.wrong"] * HERE.tries
    assert code_of(lambda: accounts.sign_in("Ann", PASSWORD, "198.51.100.7")) == "tries.many"
    assert accounts.looked == HERE.tries, "a ninth password is not even looked at"
    clock.now += HERE.seconds
    assert accounts.sign_in("Ann", PASSWORD, "198.51.100.7").guest.name == "Ann"
    (visit,) = (read_account_body(row.body) for row in accounts._ledger.read("visit/Ann"))
    assert isinstance(visit, SignedIn)
    assert visit.wrong_tries == HERE.tries


def test_a_name_that_nobody_has_is_counted_alike(tmp_path: Path) -> None:
    accounts = accounts_at(sqlite_url(tmp_path), Clock())
    codes = [code_of(lambda: accounts.sign_in("Nobody", WRONG, "::1")) for _ in range(9)]
    assert codes == ["sign_in.wrong"] * 8 + ["tries.many"]
    assert accounts.looked == 8


def test_an_ipv6_household_is_one_address_and_another_is_not(tmp_path: Path) -> None:
    accounts = accounts_at(sqlite_url(tmp_path), Clock())
    for number in range(8):
        assert code_of(lambda n=number: accounts.sign_in("Ann", WRONG, f"2001:db8::{n}"))  # type: ignore[misc]
    assert code_of(lambda: accounts.sign_in("Ann", WRONG, "2001:db8::ffff")) == "tries.many"
    assert not code_of(lambda: accounts.sign_in("Ann", PASSWORD, "2001:db8:0:1::1"))


def test_wrong_tries_from_everywhere_lock_nobody_out_where_they_work(tmp_path: Path) -> None:
    clock = Clock()
    accounts = accounts_at(sqlite_url(tmp_path), clock)
    browser = accounts.sign_in("Ann", PASSWORD, "192.0.2.1").browser
    clock.now += 61
    for number in range(NAME.tries):
        code = code_of(lambda n=number: accounts.sign_in("Ann", WRONG, f"203.0.113.{n}"))  # type: ignore[misc]
        assert code == "sign_in.wrong", number
    assert code_of(lambda: accounts.sign_in("Ann", PASSWORD, "198.51.100.1")) == "tries.many"
    assert code_of(lambda: accounts.sign_in("Ann", PASSWORD, "192.0.2.1")) == "tries.many"
    assert not code_of(lambda: accounts.sign_in("Ann", PASSWORD, "203.0.113.9", browser))
    assert not code_of(lambda: accounts.confirm("Ann", PASSWORD, Place("", "the side of Sue")))
    kinds = [read_account_body(row.body) for row in accounts._ledger.read("visit/Ann")]
    assert sum(isinstance(one, GuessingStopped) for one in kinds) == 1, "bounded: one an hour"


def test_an_address_that_goes_through_names_is_stopped(tmp_path: Path) -> None:
    accounts = accounts_at(sqlite_url(tmp_path), Clock())
    browser = accounts.sign_in("Ann", PASSWORD, "192.0.2.1").browser
    codes = [
        code_of(lambda n=number: accounts.sign_in(f"N {n}", WRONG, "192.0.2.1"))  # type: ignore[misc]
        for number in range(ADDRESS.tries + 1)
    ]
    assert codes == ["sign_in.wrong"] * ADDRESS.tries + ["tries.many"]
    assert not code_of(lambda: accounts.sign_in("Ann", PASSWORD, "192.0.2.1", browser))


@pytest.mark.parametrize("here", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_has_no_budget_of_an_address(tmp_path: Path, here: str) -> None:
    accounts = accounts_at(sqlite_url(tmp_path), Clock())
    for number in range(ADDRESS.tries + 1):
        assert code_of(lambda n=number: accounts.sign_in(f"N {n}", WRONG, here)) == "sign_in.wrong"  # type: ignore[misc]
    assert not code_of(lambda: accounts.sign_in("Ann", PASSWORD, here))
    codes = [code_of(lambda: accounts.sign_in("Ann", WRONG, here)) for _ in range(HERE.tries + 1)]
    assert codes == ["sign_in.wrong"] * HERE.tries + ["tries.many"]


def test_a_made_up_browser_is_nobodys_and_a_known_one_has_eight_tries(tmp_path: Path) -> None:
    accounts = accounts_at(sqlite_url(tmp_path), Clock())
    own = accounts.sign_in("Ann", PASSWORD, "192.0.2.1").browser
    for number in range(8):
        code_of(lambda n=number: accounts.sign_in("Ann", WRONG, "198.51.100.1", f"made up {n}"))  # type: ignore[misc]
    assert code_of(lambda: accounts.sign_in("Ann", PASSWORD, "198.51.100.1", "x")) == "tries.many"
    codes = [code_of(lambda: accounts.sign_in("Ann", WRONG, "192.0.2.1", own)) for _ in range(9)]
    assert codes == ["sign_in.wrong"] * 8 + ["tries.many"]


def test_counts_and_browsers_are_bounded_and_cleaned(tmp_path: Path) -> None:
    clock = Clock()
    accounts = accounts_at(sqlite_url(tmp_path), clock)
    for _ in range(MOST_BROWSERS + 1):
        accounts.sign_in("Ann", PASSWORD, "192.0.2.1")
        clock.now += 1
    database = accounts._ledger.store
    assert database.run("select count(*) from door_browser") == [(MOST_BROWSERS,)]
    for number in range(50):
        code_of(lambda n=number: accounts.sign_in(f"N {n}", WRONG, "192.0.2.1"))  # type: ignore[misc]
    clock.now += BROWSER_SECONDS
    accounts.sign_in("Ann", PASSWORD, "192.0.2.1")
    assert database.run("select count(*) from door_browser") == [(1,)]
    ((left,),) = database.run("select count(*) from door_try")
    assert left <= 3


def tried_at_once(url: str) -> None:
    """Two processes and sixteen threads try at once: eight passwords are looked at."""
    clock = Clock()
    houses = [accounts_at(url, clock), Counting(open_ledger(url), clock, CHEAP)]
    barrier = Barrier(16)

    def guess(number: int) -> str:
        barrier.wait(20)
        return code_of(lambda: houses[number % 2].sign_in("Ann", WRONG, "198.51.100.1"))

    with ThreadPoolExecutor(16) as pool:
        codes = sorted(pool.map(guess, range(16)))
    assert codes == ["sign_in.wrong"] * 8 + ["tries.many"] * 8
    assert sum(one.looked for one in houses) == 8
    for one in houses:
        one._ledger.close()


def test_tries_hold_over_processes_on_sqlite(tmp_path: Path) -> None:
    tried_at_once(sqlite_url(tmp_path))


@pytest.mark.slow
@pytest.mark.postgres
def test_tries_hold_over_processes_on_postgres(postgres: PostgresServer) -> None:
    tried_at_once(postgres.new_database())


# ---------------------------------------------------------------- passwords and names


@pytest.mark.parametrize(
    "password",
    [
        *("1234567890", "password123", "qwertyuiop", "1q2w3e4r5t", "iloveyou123", "aaaaaaaaaa"),
        *("Riverboat2026", "administrator", "abcabcabcabc", "supervisor1", "P@ssw0rd123"),
        *("ｐａｓｓｗｏｒｄ１２３", "correct horse battery staple", "!QAZ2wsx#EDC", "1qaz@WSX3edc"),
        *("йцукенгшщз", "пароль12345", "contraseña1", "thisismypassword"),
        *("Annabella99", "annabella annabella", "football2024", "0123456789", "zxcvbnm,./"),
        *("winter2025winter", "Summer 2024 summer!", "april2024april", "to be or not to be"),
        *("the quick brown fox", "The-Quick-Brown-Fox!", "walrus walrus walrus"),
    ],
)
def test_passwords_that_are_guessed_first_are_refused(password: str) -> None:
    with pytest.raises(Refused) as refused:
        require_password(password, "Annabella")
    assert refused.value.code == "password.common"


@pytest.mark.parametrize(
    "password", [PASSWORD, "tin oboe walrus dusk", "x7Kq-92mf-Lw3t", "é" * 3 + "9vjK2#pl!q"]
)
def test_other_passwords_are_taken(password: str) -> None:
    require_password(password, "Annabella")


def test_no_password_takes_long_to_judge() -> None:
    began = time.process_time()
    is_guessed_first("a4@b8c({[<e3g69i1!|l7o0s$5t+x%z2" * 6, "Annabella")
    assert time.process_time() - began < 4


def test_a_name_with_a_zero_is_nobodys(tmp_path: Path) -> None:
    assert code_of(lambda: accounts_at(sqlite_url(tmp_path), Clock()).sign_in("A\0", WRONG)) == (
        "sign_in.wrong"
    )


@pytest.mark.slow
@pytest.mark.postgres
def test_a_name_with_a_zero_is_nobodys_on_postgres(postgres: PostgresServer) -> None:
    accounts = accounts_at(postgres.new_database(), Clock())
    assert code_of(lambda: accounts.sign_in("A\0", WRONG)) == "sign_in.wrong"
    accounts._ledger.close()


@pytest.mark.parametrize("length", [9, 201])
def test_a_password_has_a_length(length: int) -> None:
    with pytest.raises(Refused) as refused:
        require_password(("tin oboe walrus dusk " * 10)[:length], "Ann")
    assert refused.value.code == "password.length"
    require_password(("tin oboe walrus dusk " * 10)[:200], "Ann")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Bill", "BiII"), ("Bob", "B0b"), ("Zoe", "Zo\u00e9"), ("Al 1", "al  l"), ("Lia", "\u0131ia")],
)
def test_names_that_look_alike_are_one_name(one: str, other: str) -> None:
    assert folded_name(one) == folded_name(other)


@pytest.mark.parametrize(
    "name",
    [
        *("\u0410nn", "S\u03c5e", "\u0421\u043e\u0435", "\u0391\u039d\u039d\u0391", "\u13da\u13ac"),
        *(
            "J\u1d0fhn",
            "\ua731ue",
            "Bi\u01c0l",
            "\u0237ohn",
            "\u15ea\u15e9\u142f\u15f4",
            "\U0001030f",
        ),
        *(
            "Bi\u2223l",
            "P\u237aul",
            "J\u0c66hn",
            "J\u0966hn",
            "A\u2212B",
            "A\u2010B",
            "O\u2019Neil",
            "\U0001f600",
        ),
        *("Sue\u115f", "Sue\u2800", "Sue\u200b", "\u0555\u057d"),
    ],
)
def test_names_that_pass_for_others_are_refused(name: str) -> None:
    with pytest.raises(NotationError) as refused:
        require_name(name)
    assert refused.value.code in ("account.script", "account.name")


@pytest.mark.parametrize(
    "name",
    ["Ирина", "Ελένη Παππά", "山田 太郎", "佐々木", "김 Kim", "Åsa", "O'Neil-2", "Łódź", "Əli"],
)
def test_names_of_any_script_are_names(name: str) -> None:
    require_name(name)


@pytest.mark.parametrize(
    "name",
    ["system", "System", "SYSTEM ", "automatic floorperson", "Automatic  Dealer", "aut0matic lab"],
)
def test_nobody_signs_as_the_floors_own_programs_do(tmp_path: Path, name: str) -> None:
    accounts = accounts_at(sqlite_url(tmp_path), Clock())
    administrator = next(one for one in accounts.all() if one.door == "administrator")
    with pytest.raises(Refused) as refused:
        accounts.add(name, "player", PASSWORD, by=administrator.person)
    assert refused.value.code == "account.exists"
    require_name("Automatic Ann")
