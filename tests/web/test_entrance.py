"""The doors: passwords, sessions, forged requests, visitors, and what a log never has."""

import io
import json
import re
from pathlib import Path

import httpx
import pytest
import websockets.sync.client as sockets
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from riverboat.core.errors import Refused
from riverboat.floor.signers import Person
from riverboat.ledger import open_ledger
from riverboat.web.accounts import SESSION_SECONDS, Accounts, Guest
from riverboat.web.auth import COOKIE, Patience
from riverboat.web.house import Manner
from riverboat.web.server.monitoring import KEPT_BACK, log, start_logs
from tests.web.running import (
    CHEAP,
    PASSWORD,
    Client,
    Server,
    add_person,
    forgive,
    new_house,
    running,
    sqlite_url,
)

ELSEWHERE = Origin("http://elsewhere.example")


class Clock:
    """A clock that is set."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_session_cookie_is_not_for_scripts_nor_for_other_sites(floor_server: Server) -> None:
    client = floor_server.client()
    answer = client.post("/api/sign-in", json={"name": "Auditor", "password": PASSWORD})
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith(f"{COOKIE}="))
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy


def test_a_post_without_the_form_token_is_refused(floor_server: Server) -> None:
    client = floor_server.client("player")
    with httpx.Client(base_url=floor_server.url, cookies=client.cookies) as bare:
        answer = bare.post("/api/purse", json={"id": "a long id", "cents": 100})
    assert answer.status_code == 403
    assert client.post("/api/purse", json={"id": "a long id", "cents": 100}).status_code == 200


def test_frames_go_to_pages_of_this_floor_only(floor_server: Server) -> None:
    client = floor_server.client("player")
    address = floor_server.url.replace("http", "ws") + "/live?look=lobby"
    cookie = {"Cookie": client.cookie_header}
    with sockets.connect(address, additional_headers=cookie) as socket:
        assert json.loads(socket.recv(timeout=10))["kind"] == "lobby"
    with pytest.raises(InvalidStatus):
        sockets.connect(address, additional_headers=cookie, origin=ELSEWHERE)
    with pytest.raises(InvalidStatus):
        sockets.connect(address)


def test_the_first_administrator_changes_the_password_before_anything_else(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path), Manner(demo=False, local_demo=False))
    password = house.accounts.first_administrator()
    assert password
    assert house.accounts.first_administrator() is None
    with running(house) as server:
        client = server.client()
        signed = client.post("/api/sign-in", json={"name": "admin", "password": password})
        assert signed.json()["must_change"] is True
        assert client.get("/api/accounts").status_code == 403
        changed = client.post("/api/password", json={"old": password, "new": PASSWORD})
        assert changed.json()["must_change"] is False
        assert client.get("/api/accounts").status_code == 200
        assert password not in client.get("/api/accounts").text
        assert server.client().post("/api/visit").status_code == 403


def test_visitors_come_in_at_this_machine_only(tmp_path: Path) -> None:
    with running(new_house(sqlite_url(tmp_path), Manner(demo=False))) as server:
        client = server.client()
        forwarded = {"x-forwarded-for": "203.0.113.9"}
        assert client.post("/api/visit", headers=forwarded).status_code == 403
        assert client.get("/metrics", headers=forwarded).status_code == 403
        assert client.get("/metrics").status_code == 200
        assert client.post("/api/visit").json()["door"] == "visitor"


def test_tries_are_counted_and_forgiven() -> None:
    clock = Clock()
    patience = Patience(3, 60, clock)
    for _ in range(3):
        patience.spend("name ann")
    with pytest.raises(Refused, match="again in 61 seconds"):
        patience.spend("name ann")
    patience.spend("name bob")
    clock.now += 61
    patience.spend("name ann")


def test_too_many_wrong_passwords_are_refused_even_when_one_is_right(floor_server: Server) -> None:
    client = floor_server.client()
    wrong = {"name": "Nobody Here", "password": "wrong password"}
    codes = [client.post("/api/sign-in", json=wrong).status_code for _ in range(9)]
    forgive(floor_server.house)
    assert codes == [409] * 8 + [429]


def test_sessions_end(tmp_path: Path) -> None:
    clock = Clock()
    accounts = Accounts(open_ledger(tmp_path / "doors.db"), clock, CHEAP)
    add_person(accounts, "Ann", "dealer")
    token, guest, _ = accounts.sign_in("Ann", PASSWORD)
    assert accounts.guest(token) == guest == Guest(name="Ann", door="dealer")
    assert accounts.guest("made up") is None
    clock.now += SESSION_SECONDS + 1
    assert accounts.guest(token) is None
    again, *_ = accounts.sign_in("Ann", PASSWORD)
    accounts.sign_out(again)
    assert accounts.guest(again) is None
    once_more, *_ = accounts.sign_in("Ann", PASSWORD)
    accounts.close_account("Ann", by=Person(name="First", door="administrator"))
    assert accounts.guest(once_more) is None
    with pytest.raises(Refused, match="do not go together"):
        accounts.sign_in("Ann", PASSWORD)


def test_secrets_are_kept_as_hashes_only(tmp_path: Path) -> None:
    file = tmp_path / "doors.db"
    with open_ledger(file) as ledger:
        accounts = Accounts(ledger)
        add_person(accounts, "Ann", "dealer")
        token, *_ = accounts.sign_in("Ann", PASSWORD)
    stored = file.read_bytes()
    assert PASSWORD.encode() not in stored
    assert token.encode() not in stored
    assert b"$argon2id$" in stored


def test_the_log_keeps_secrets_back(tmp_path: Path) -> None:
    written = io.StringIO()
    start_logs("info", written)
    try:
        house = new_house(sqlite_url(tmp_path))
        add_person(house.accounts, "Ann", "dealer")
        with running(house) as server:
            client: Client = server.client()
            client.post("/api/sign-in", json={"name": "Ann", "password": PASSWORD})
            client.get("/api/worklist")
            token = client.cookies[COOKIE]
            log.info("careless", password=PASSWORD, deeper={"token": token, "list": [{"old": 1}]})
    finally:
        start_logs("error")
    text = written.getvalue()
    assert PASSWORD not in text
    assert token not in text
    lines = [json.loads(line) for line in text.splitlines()]
    asked = [line for line in lines if line["event"] == "request"]
    assert {"POST", "GET"} <= {line["method"] for line in asked}
    assert asked[-1]["who"] == "Ann"
    careless = next(line for line in lines if line["event"] == "careless")
    assert careless["password"] == careless["deeper"]["token"] == KEPT_BACK
    assert not re.search(r"argon2", text)


def test_metrics_count_requests_by_route(floor_server: Server) -> None:
    client = floor_server.client("player")
    client.get("/api/tables/Table%201")
    text = client.get("/metrics").text
    assert 'riverboat_requests_total{method="GET",route="/api/tables/{table}",status="200"}' in text
    assert "riverboat_ledger_head" in text
    assert "riverboat_seconds_behind 0.0" in text
    assert "Player" not in text
