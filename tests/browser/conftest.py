"""A served floor and a real Chromium for the tests of this folder; pictures of what failed."""

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import FLAGS, chromium, node_for_playwright
from tests.browser.people import PATIENCE, Person
from tests.browser.served import Served, served

Bring = Callable[..., Person]
expect.set_options(timeout=PATIENCE * 1000)


class Account(NamedTuple):
    """A name and its password."""

    name: str
    password: str


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    """One browser for the run; a machine on which letters have no width is found out here."""
    found = chromium()
    os.environ.update(node_for_playwright())
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=found.program,
            args=list(FLAGS),
            env={**os.environ, **found.environment},
        )
        page = browser.new_page()
        page.set_content("<span id=text>ace of hearts</span>")
        wide = page.evaluate("document.getElementById('text').getBoundingClientRect().width")
        assert wide > 10, "Chromium finds no font on this machine"
        page.close()
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One floor for the run."""
    with served(tmp_path_factory.mktemp("floor"), "--signer-hours", "0") as server:
        yield server


class Staff:
    """An account for every door, made when somebody first comes through it."""

    def __init__(self, chrome: Browser, server: Served) -> None:
        self._chrome, self._server = chrome, server
        self._made: dict[str, Account] = {}

    def __getitem__(self, door: str) -> Account:
        if not self._made:
            first = Person(self._chrome, self._server.url).sign_in("admin", self._server.password)
            self._made["administrator"] = Account("admin", own_password(first))
            first.context.close()
        if door not in self._made:
            self._made[door] = self._make(door)
        return self._made[door]

    def _make(self, door: str) -> Account:
        keeper = Person(self._chrome, self._server.url).sign_in(*self._made["administrator"])
        new = {"name": f"Some {door}", "door": door, "password": f"given to {door} at first"}
        others = [self._made[one] for one in ("supervisor", "manager") if one in self._made]
        if others and door in ("supervisor", "manager"):
            second = {"name": others[0].name, "password": others[0].password}
            keeper.post("/api/accounts", {**new, "second": second})
        else:
            keeper.post("/api/accounts", new)
        keeper.context.close()
        somebody = Person(self._chrome, self._server.url).sign_in(new["name"], new["password"])
        made = Account(new["name"], own_password(somebody))
        somebody.context.close()
        return made


@pytest.fixture(scope="session")
def staff(chrome: Browser, floor: Served) -> Staff:
    """The house's people."""
    return Staff(chrome, floor)


def own_password(person: Person) -> str:
    """Everybody changes the password that was given to them."""
    own = f"{person.name} has chosen this"
    person.post("/api/password", {"old": person.password, "new": own})
    return own


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Let the fixtures know how the test went."""
    report: Any = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def bring(
    chrome: Browser, floor: Served, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Bring]:
    """Brings people to the floor; no page of theirs may complain, and a failure leaves pictures."""
    people: list[Person] = []

    def bring_one(**how: Any) -> Person:
        person = Person(chrome, how.pop("url", floor.url), **how)
        people.append(person)
        return person

    yield bring_one
    failed = request.node.stash.get(FAILED, True)
    if failed:
        for number, person in enumerate(people):
            person.picture(tmp_path, f"person {number}")
        print(f"pictures: {tmp_path}")
    faults = [fault for person in people for fault in person.faults]
    for person in people:
        person.context.close()
    assert failed or not faults, faults
