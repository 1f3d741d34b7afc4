"""A floor's server for tests: a real one, on a port of this machine, and clients with cookies."""

import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from argon2 import PasswordHasher

from riverboat.floor.floor import Floor
from riverboat.floor.secret import MasterSecret
from riverboat.floor.signers import Person
from riverboat.ledger import open_ledger
from riverboat.rulebooks import editions
from riverboat.web.accounts import DOORS, SIGNED_IN, Accounts
from riverboat.web.auth import COOKIE, CSRF_COOKIE, CSRF_HEADER
from riverboat.web.house import House, Manner
from riverboat.web.server.app import make_app
from riverboat.web.server.monitoring import start_logs
from riverboat.web.server.serving import listening

NOBODY = "nobody"
EVERY_ROLE = (NOBODY, *DOORS)
PASSWORD = "a long enough password"
GIVEN = "handed over by somebody"
QUICK = Manner(
    pace=0.02,
    effort_tries=1_000_000,
    commands=1_000_000,
    tables=1_000_000,
    decision_seconds=None,
    signer_wait_seconds=0,
)
ADMINISTRATOR = Person(name="Administrator", door="administrator")
CHEAP = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
SECRET = MasterSecret(b"web tests' own secret, 32 bytes!")


start_logs("error")


def new_house(url: str, manner: Manner = QUICK) -> House:
    """A house on an empty or a used database; hashing its passwords takes no time."""
    house = House(Floor(open_ledger(url), editions(), SECRET), manner)
    wait = manner.signer_wait_seconds
    house.accounts = Accounts(house.floor.ledger, hasher=CHEAP, wait_seconds=wait)
    return house


def add_person(accounts: Accounts, name: str, door: str) -> None:
    """Somebody with a password of their own, made as it takes: the first one by the floor itself,
    as an administrator; who signs for money by two, where there are two."""
    given = accounts.first_administrator(name if door == "administrator" else "First")
    if given is not None:
        first = name if door == "administrator" else "First"
        accounts.change_password(first, given, PASSWORD)
        if first == name:
            return
    counting = [one for one in accounts.signers() if one.counts]
    maker = next(one for one in counting if one.door == "administrator")
    second = next((one.person for one in counting if one.name != maker.name), None)
    signs = door in ("supervisor", "manager", "administrator")
    accounts.add(name, door, GIVEN, by=maker.person, second=second if signs else None)
    accounts.change_password(name, GIVEN, PASSWORD)


def forgive(house: House) -> None:
    """Nobody has tried a wrong password here."""
    house.database.run("delete from door_try")


def add_people(house: House) -> None:
    """Somebody for every door, with a password of their own; two supervisors, who sign for one
    another."""
    for door in reversed(SIGNED_IN):
        add_person(house.accounts, door.capitalize(), door)
    add_person(house.accounts, "Second", "supervisor")
    add_person(house.accounts, "Spare", "player")


class Client(httpx.Client):
    """Somebody's browser."""

    def post(self, url: Any, **more: Any) -> httpx.Response:
        """With the header that a page of the floor would send."""
        return self.request("POST", url, **more)

    def request(self, method: str, url: Any, **more: Any) -> httpx.Response:
        """Any request, with the CSRF header where there is a cookie."""
        headers = dict(more.pop("headers", None) or {})
        if token := self.cookies.get(CSRF_COOKIE):
            headers.setdefault(CSRF_HEADER, token)
        return super().request(method, url, headers=headers, **more)

    def command(self, table: str, **action: Any) -> httpx.Response:
        """Ask for something at a table."""
        body = {"id": str(uuid.uuid4()), "action": action}
        return self.post(f"/api/tables/{table}/commands", json=body)

    def hold(self, token: str | None) -> None:
        """Another session, or none; the token of forms stays."""
        for cookie in [one for one in self.cookies.jar if one.name == COOKIE]:
            self.cookies.jar.clear(cookie.domain, cookie.path, cookie.name)
        if token is not None:
            self.cookies.set(COOKIE, token, path="/")

    @property
    def cookie_header(self) -> str:
        """For a WebSocket."""
        return "; ".join(f"{one.name}={one.value}" for one in self.cookies.jar)


class Server:
    """A running server."""

    def __init__(self, house: House, port: int) -> None:
        self.house, self.port = house, port
        self.clients: list[Client] = []
        self.app = make_app(house, "forms of the tests, which are long enough")

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def client(self, role: str = NOBODY, name: str | None = None) -> Client:
        """Somebody who came in by a door; a visitor without an account."""
        client = Client(base_url=self.url, timeout=60)
        self.clients.append(client)
        client.get("/api/me")
        if role == "visitor":
            assert client.post("/api/visit").status_code == 200
        elif role != NOBODY:
            asked = {"name": name or role.capitalize(), "password": PASSWORD}
            answer = client.post("/api/sign-in", json=asked)
            assert answer.status_code == 200, answer.text
        return client


@contextmanager
def running(house: House) -> Iterator[Server]:
    """A server until the end."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    server = Server(house, port)
    runner = uvicorn.Server(listening(server.app, "127.0.0.1", port))
    thread = threading.Thread(target=runner.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not runner.started:
        assert time.monotonic() < deadline
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.02)
    try:
        yield server
    finally:
        for client in server.clients:
            client.close()
        runner.should_exit = True
        thread.join(20)
        house.close()


def sqlite_url(folder: Path) -> str:
    """A new file."""
    return f"sqlite:///{folder / f'{os.urandom(4).hex()}.db'}"


def frames_until(socket_: Any, wanted: Any, seconds: float = 30) -> dict[str, Any]:
    """Read frames until one is as wanted."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        frame: dict[str, Any] = json.loads(socket_.recv(timeout=seconds))
        if wanted(frame):
            return frame
    raise AssertionError("no such frame came")


@contextmanager
def running_with_people(folder: Path) -> Iterator[Server]:
    """A server on a database of its own, with somebody for every door."""
    house = new_house(sqlite_url(folder))
    add_people(house)
    with running(house) as server:
        yield server
