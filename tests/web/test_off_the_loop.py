"""The event loop never waits for the database: not for a route, a session, a frame or a program."""

import asyncio
import inspect
import json
import re
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as sockets
from websockets.exceptions import ConnectionClosed

from riverboat.ledger.sqlite import SqliteStore
from riverboat.web.accounts import Guest
from riverboat.web.auth import FRESH_SECONDS, Sessions
from riverboat.web.server.app import SESSION_SECONDS
from tests.support.apart import run_apart
from tests.web.running import (
    PASSWORD,
    Client,
    Server,
    add_people,
    frames_until,
    new_house,
    running,
    sqlite_url,
)
from tests.web.test_doors import DOORS, NAMES

OUT_SECONDS = 2.0
"""Whoever signed out, or whose account was closed, has no screen after that."""
NOT_WATCHED = ("close",)
"""At the end of a server, when nobody is served any more."""


def _is_on_a_loop() -> bool:
    """Whether a loop waits meanwhile; one that a browser's driver left in the tests' own thread
    serves nobody."""
    if threading.current_thread() is threading.main_thread():
        return False
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Watch:
    """Everything that a store can be asked, and where it was asked on an event loop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: type) -> None:
        self.asked: set[str] = set()
        self.on_the_loop: list[str] = []
        for name, method in inspect.getmembers(store, inspect.isfunction):
            if not name.startswith("_") and name not in NOT_WATCHED:
                monkeypatch.setattr(store, name, self._watched(name, method))

    def _watched(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def watched(*args: Any, **more: Any) -> Any:
            self.asked.add(name)
            if not _is_on_a_loop():
                return method(*args, **more)
            own = [line for line in traceback.format_stack() if "/riverboat/" in line]
            self.on_the_loop.append(f"{name}:\n{''.join(own[-6:])}")
            return method(*args, **more)

        return watched


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Of the database that carries the ledger and the accounts."""
    return Watch(monkeypatch, SqliteStore)


@pytest.fixture
def server(watch: Watch, tmp_path: Path) -> Iterator[Server]:
    """A running server whose database is watched from before its start."""
    house = new_house(sqlite_url(tmp_path))
    add_people(house)
    house.play_money.top_up("a purse", "Player", 50_000_00)
    with running(house) as server:
        yield server


def once() -> str:
    """An id for a command."""
    return str(uuid.uuid4())


def looking(server: Server, client: Client, *topics: str) -> Any:
    """A screen."""
    query = "&".join(f"look={topic.replace(' ', '%20')}" for topic in topics)
    address = f"{server.url.replace('http', 'ws')}/live?{query}"
    return sockets.connect(address, additional_headers={"Cookie": client.cookie_header})


def play_a_round(server: Server, client: Client, table: str, seat: int) -> None:
    """Somebody sits down at a demo table and plays a round to its end, which a screen shows."""
    with looking(server, client, f"table/{table}", "lobby") as screen:
        while client.command(table, do="sit_down", seat=seat).status_code != 200:
            time.sleep(0.05)
        frames_until(screen, lambda one: (one.get("you") or {}).get("betting"))
        ante = {"do": "wager", "seat": seat, "spot": "ante", "cents": 1000}
        command = {"id": once(), "action": ante}
        for _ in range(2):  # A retry is recognised.
            told = client.post(f"/api/tables/{table}/commands", json=command)
            assert told.status_code == 200, told.text
        assert told.json()["repeated"]
        assert client.command(table, **ante | {"cents": 10**9}).status_code == 409
        assert client.post(f"/api/tables/{table}/ready").status_code == 200
        frames_until(screen, lambda one: (one.get("you") or {}).get("decide"))
        assert client.get(f"/api/tables/{table}/advice").status_code == 200
        assert client.command(table, do="fold", seat=seat).status_code == 200
    deadline = time.monotonic() + 30
    while not (rounds := client.get("/api/rounds").json()["rounds"]):
        assert time.monotonic() < deadline
        with looking(server, client, f"table/{table}") as screen:
            screen.recv(timeout=10)
            time.sleep(0.1)
    place = f"/api/tables/{table}/rounds/{rounds[0]['round']}"
    for path in ("", "/pictures", "/coach", "/evidence"):
        assert client.get(place + path).status_code < 500
    complaint = {"id": once(), "reason": "the last card"}
    assert client.post(f"{place}/dispute", json=complaint).status_code == 200
    assert client.get(f"/api/tables/{table}/explain").status_code == 200


@pytest.mark.slow
def test_no_route_asks_the_database_on_the_loop(server: Server, watch: Watch) -> None:
    visitor = server.client()
    assert visitor.post("/api/first-hand").status_code == 200
    clients = {role: server.client(role) for role in ("player", "supervisor", "administrator")}
    clients["visitor"] = visitor
    for door in DOORS:
        method, _, path = door.route.partition(" ")
        if method == "WS" or path == "/api/sign-out":
            continue
        address = re.sub(r"\{(\w+)\}", lambda found: NAMES[found[1]], path)
        for role in (role for role in clients if door.opens[role]):
            body: dict[str, str] | None = {} if method == "POST" else None
            answer = clients[role].request(method, address, json=body)
            assert answer.status_code < 500, (door.route, role, answer.text)
    assert not watch.on_the_loop, "\n".join(watch.on_the_loop)


@pytest.mark.slow
def test_nor_does_a_round_with_all_that_people_do_around_it(server: Server, watch: Watch) -> None:
    player = server.client("player")
    play_a_round(server, player, "Table 2", 3)
    assert player.post("/api/purse", json={"id": once(), "cents": 500}).status_code == 200
    visitor = server.client("visitor")
    for path, more in (("lessons", {"rulebook": "house-demo"}), ("jackpot", {})):
        opened = visitor.post(f"/api/{path}", json={"id": once(), **more})
        assert opened.status_code == 201, opened.text
        table = opened.json()["table"]
        with looking(server, visitor, f"table/{table}") as screen:
            frame = json.loads(screen.recv(timeout=10))
            assert frame["console"]
        assert visitor.post(f"/api/tables/{table}/machine", json={"id": once()}).status_code < 500
        given_back = {"id": once(), "role": ""}
        assert visitor.post(f"/api/tables/{table}/take-over", json=given_back).status_code < 500
    supervisor = server.client("supervisor")
    second = {"name": "Second", "password": PASSWORD}
    real = {"id": once(), "name": "Real", "rulebook": "house-demo", "demo": False}
    assert supervisor.post("/api/tables", json={**real, "second": second}).status_code == 201
    opening = {"do": "open_day", "date": "2026-11-18", "tray_cents": 5_000_000}
    assert supervisor.command("Real", **opening).status_code == 200
    assert not watch.on_the_loop, "\n".join(watch.on_the_loop)
    assert {"append", "read", "read_all", "run", "of_command"} <= watch.asked


def test_nor_does_coming_in_and_going_out(server: Server, watch: Watch) -> None:
    administrator = server.client("administrator")
    new = {"name": "Nora", "door": "player", "password": PASSWORD}
    assert administrator.post("/api/accounts", json=new).status_code == 201
    nora = server.client("player", "Nora")
    changed = {"old": PASSWORD, "new": f"{PASSWORD} of her own"}
    assert nora.post("/api/password", json=changed).status_code == 200
    assert nora.get("/api/tables").status_code == 200
    with looking(server, nora, "lobby") as screen:
        assert screen.recv(timeout=10)
        assert nora.post("/api/sign-out").status_code == 200
        assert nora.get("/api/tables").status_code == 401
        began = time.monotonic()
        frames = iter(lambda: screen.recv(timeout=10), None)
        with pytest.raises(ConnectionClosed):
            list(frames)
        assert time.monotonic() - began < OUT_SECONDS
    nora.hold(None)
    signed = {"name": "Nora", "password": changed["new"]}
    assert nora.post("/api/sign-in", json=signed).status_code == 200
    assert administrator.post("/api/accounts/Nora/close").status_code == 200
    assert nora.get("/api/tables").status_code == 401
    assert not watch.on_the_loop, "\n".join(watch.on_the_loop)


def test_whoever_asks_on_a_loop_is_found(server: Server, watch: Watch) -> None:
    async def asks() -> None:
        server.house.floor.station("Table 1")
        server.house.accounts.guest("a token")

    assert not watch.on_the_loop
    run_apart(asks())
    assert {one.partition(":")[0] for one in watch.on_the_loop} == {"read", "run"}


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_that_ended_elsewhere_is_over_here_within_a_second() -> None:
    clock, ann = Clock(), Guest(name="Ann", door="player")
    there: dict[str, Guest] = {"token": ann}
    asked: list[str] = []

    def find(token: str) -> Guest | None:
        asked.append(token)
        return there.get(token)

    async def signed_in() -> None:
        sessions = Sessions(find, clock)
        many = await asyncio.gather(*(sessions.guest("token") for _ in range(20)))
        assert many == [ann] * 20
        assert asked == ["token"]
        there.clear()
        clock.now = FRESH_SECONDS - 0.01
        assert await sessions.guest("token") == ann
        clock.now = FRESH_SECONDS
        assert await sessions.guest("token") is None
        there["token"] = ann
        sessions.forget()
        assert await sessions.guest("token") == ann
        sessions.close()

    run_apart(signed_in())
    assert FRESH_SECONDS + SESSION_SECONDS <= OUT_SECONDS
