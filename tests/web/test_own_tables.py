"""A visitor's table is nobody else's, on every route; what visitors are refused leaves nothing; and
what stands before a proxy is not this machine."""

import json
import re
import shutil
import socket
import subprocess
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import websockets.sync.client as sockets
from litestar.connection import ASGIConnection
from litestar.routes import HTTPRoute

from riverboat.web.auth import is_local
from riverboat.web.house import Manner
from riverboat.web.server.serving import Address, house_at
from tests.web.running import Client, Server, new_house, running, running_with_people, sqlite_url

NAMES = {"number": "1", "seat": "1"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor of its own, on which nothing else is asked for."""
    with running_with_people(tmp_path_factory.mktemp("own")) as started:
        yield started


class Own(NamedTuple):
    """What is a visitor's own."""

    visitor: Client
    table: str
    meter: str


@pytest.fixture(scope="module")
def own(server: Server) -> Own:
    visitor = server.client("visitor")
    asked = {"id": str(uuid.uuid4()), "rulebook": "house-demo"}
    table = visitor.post("/api/lessons", json=asked).json()["table"]
    return Own(visitor, table, server.house.floor.station(table).link)


def routes(server: Server, own: Own) -> Iterator[tuple[str, str]]:
    """Every route that names a table or a meter."""
    names = {**NAMES, "table": own.table, "meter": own.meter}
    for route in server.app.routes:
        if isinstance(route, HTTPRoute) and re.search(r"\{(table|meter)\}", route.path_format):
            for method in sorted(set(route.methods) - {"OPTIONS", "HEAD"}):
                yield method, route.path_format.format(**names)


def good(path: str) -> dict[str, Any]:
    """A body that the route would read."""
    once = {"id": str(uuid.uuid4())}
    more: dict[str, dict[str, Any]] = {
        "commands": {"action": {"do": "sit_down", "seat": 1}},
        "take-over": {"role": "supervisor"},
        "dispute": {"reason": "mine"},
        "notes": {"words": "mine"},
        "decision": {"decision": "stands", "reason": "mine"},
    }
    return {**once, **more.get(path.rpartition("/")[2], {})}


def test_on_every_route_it_is_not_there_for_others(server: Server, own: Own) -> None:
    others = {role: server.client(role) for role in ("nobody", "visitor", "player")}
    head = server.house.floor.ledger.head()
    tried = 0
    for method, path in routes(server, own):
        for role, other in others.items():
            more = {"json": good(path)} if method == "POST" else {}
            answer = other.request(method, path, **more)
            doors = (401, 403) if "you are signed in as" in answer.text or role == "nobody" else ()
            assert answer.status_code in (404, *doors), (role, method, path, answer.text[:200])
            tried += 1
    assert tried > 60
    assert server.house.floor.ledger.head() == head
    assert own.visitor.get(f"/api/tables/{own.table}").status_code == 200
    assert own.visitor.get(f"/api/meters/{own.meter}/sign").status_code == 200
    assert own.visitor.get(f"/sign/{own.meter}").status_code == 200
    assert server.client("supervisor").get(f"/api/tables/{own.table}").status_code == 200


def frames(server: Server, client: Client, looks: str) -> set[str]:
    """The kinds of frames that come in a moment."""
    address = f"ws://127.0.0.1:{server.port}/live?{looks.replace(' ', '%20')}"
    headers, seen = {"Cookie": client.cookie_header}, set()
    with sockets.connect(address, additional_headers=headers, close_timeout=0.2) as screen:
        try:
            for _ in range(3):
                seen.add(json.loads(screen.recv(timeout=0.7))["kind"])
        except TimeoutError:
            pass
    return seen


def test_no_screen_shows_it_to_others(server: Server, own: Own) -> None:
    looks = f"look=table/{own.table}&look=meter/{own.meter}"
    assert frames(server, own.visitor, looks) == {"table", "sign"}
    for role in ("visitor", "player"):
        assert frames(server, server.client(role), looks) == set(), role


def test_nobody_else_opens_it_again_or_plays_for_its_meter(server: Server, own: Own) -> None:
    jackpot = {"progressive": "HD-PROG-2"}

    def opened(by: Client, name: str, **more: str) -> tuple[int, str]:
        asked = {"id": str(uuid.uuid4()), "name": name, "rulebook": "house-demo", "bots": 0}
        answer = by.post("/api/tables", json={**asked, "choices": {**jackpot, **more}})
        return answer.status_code, answer.json().get("code") or answer.json()["table"]

    status, mine = opened(own.visitor, "mine")
    assert status == 201
    meter = server.house.floor.station(mine).link
    assert list(server.house.floor.link(meter).members) == [mine]
    for role in ("player", "supervisor"):
        other = server.client(role)
        assert opened(other, mine, meter_link=f"{role}s own") == (409, "table.taken")
        assert opened(other, f"of {role}", meter_link=meter) == (409, "meter.taken")
    assert list(server.house.floor.link(meter).members) == [mine]


def test_nor_does_any_list(server: Server, own: Own) -> None:
    lists = ("/api/tables", "/api/meters", "/api/rounds", "/lobby", "/sign", "/rounds")
    for role in ("visitor", "player"):
        other = server.client(role)
        for path in lists:
            assert own.table not in other.get(path).text, (role, path)


# ---------------------------------------------------------------- what is refused to visitors


def test_what_visitors_are_refused_leaves_nothing(server: Server, own: Own) -> None:
    other = server.client("visitor")
    head, refused = server.house.floor.ledger.head(), 0
    actions: tuple[dict[str, Any], ...] = (
        {"do": "sit_down", "seat": 99},
        {"do": "wager", "seat": 1, "spot": "ante", "cents": 1},
        {"do": "fill", "cents": 100},
        {"do": "interrupt", "reason": "x" * 1_000},
        {"do": "void_round", "reason": "x"},
        {"do": "report_card", "card": 52},
        {"do": "open_day", "date": "2026-01-01", "tray_cents": 1},
    )
    posts: list[tuple[str, dict[str, Any]]] = [
        *(("/api/tables/Table 1/commands", {"action": action}) for action in actions),
        ("/api/tables/Table 1/take-over", {"role": "supervisor"}),
        ("/api/tables/Table 1/machine", {}),
        ("/api/tables/Table 1/rounds/1/dispute", {"reason": "mine"}),
        ("/api/purse", {"cents": 0}),
        ("/api/tables", {"name": "a/b", "rulebook": "house-demo"}),
        ("/api/tables", {"name": "T", "rulebook": "house-demo", "demo": False}),
        ("/api/lessons", {"rulebook": "none"}),
        ("/api/meters/HD-PROG-2/commands", {"action": {"do": "take_link_out", "reason": "x"}}),
        ("/api/accounts", {"name": "Eve", "door": "manager", "password": "x" * 20}),
    ]
    for path, more in posts * 3:
        answer = other.post(path, json={"id": str(uuid.uuid4()), **more})
        assert 400 <= answer.status_code < 500, (path, answer.text[:200])
        refused += 1
    assert server.house.floor.ledger.head() == head, f"{refused} were refused"


# ---------------------------------------------------------------- behind a proxy


def asked(server: Server, version: str, *headers: str) -> int:
    """The status of /metrics, which is for this machine, over a line that says so much."""
    said = "".join(f"{one}\r\n" for one in headers)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        text = f"GET /metrics HTTP/{version}\r\n{said}connection: close\r\n\r\n"
        raw.sendall(text.encode())
        return int(raw.recv(100).split()[1])


@pytest.mark.parametrize(
    ("version", "headers", "status"),
    [
        ("1.1", ("host: localhost:8610",), 200),
        ("1.1", ("host: 127.0.0.1:8610",), 200),
        ("1.0", ("host: 127.0.0.1:8610",), 403),  # As nginx asks unless it is told otherwise.
        ("1.1", ("host: floor.example",), 403),
        ("1.1", ("host: localhost", "origin: https://floor.example"), 403),
        ("1.1", ("host: localhost", "referer: https://floor.example/lobby"), 403),
        ("1.1", ("host: localhost", "via: 1.1 apache"), 403),
        ("1.1", ("host: localhost", "forwarded: for=203.0.113.9"), 403),
        ("1.1", ("host: localhost", "x-real-ip: 203.0.113.9"), 403),
        ("1.1", ("host: localhost", "x-forwarded-host: floor.example"), 403),
        ("1.1", ("host: localhost", "x-cluster-client-ip: 203.0.113.9"), 403),
        ("1.1", ("host: localhost", "cf-ray: 1"), 403),
        ("1.1", ("host: localhost", "x-amzn-trace-id: Root=1"), 403),
        ("1.1", ("host: localhost", "x-request-id: 1"), 403),
        ("1.1", ("host: localhost", "traceparent: 00-1-1-01"), 403),
        ("1.1", ("host: localhost", "sec-fetch-site: cross-site"), 403),
        ("1.1", ("host: localhost", "sec-fetch-site: none", "dnt: 1", "accept: */*"), 200),
    ],
)
def test_a_proxy_on_this_machine_is_not_whoever_sits_here(
    server: Server, version: str, headers: tuple[str, ...], status: int
) -> None:
    assert asked(server, version, *headers) == status


CHROMIUM = """host: localhost:8610
upgrade-insecure-requests: 1
user-agent: Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0
accept: text/html,application/xhtml+xml
accept-encoding: gzip, deflate, br, zstd
accept-language: en-US
sec-ch-ua: "Chromium";v="140"
sec-ch-ua-mobile: ?0
sec-ch-ua-platform: "Linux"
sec-fetch-dest: document
sec-fetch-mode: navigate
sec-fetch-site: none
sec-fetch-user: ?1
sec-gpc: 1
sec-purpose: prefetch
priority: u=0, i
cookie: riverboat=x"""
FIREFOX = """host: localhost:8610
user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0
accept: */*
accept-language: en-US,en;q=0.5
accept-encoding: gzip, deflate, br, zstd
referer: http://localhost:8610/lobby
origin: http://localhost:8610
dnt: 1
alt-used: localhost
x-moz: prefetch
te: trailers
pragma: no-cache
cache-control: no-cache"""
PROMETHEUS = """host: 127.0.0.1:8610
user-agent: Prometheus/3.5.0
accept: application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2
accept-encoding: gzip
authorization: Bearer x
x-prometheus-scrape-timeout-seconds: 10"""
JAVA = """host: localhost:8610
connection: Upgrade, HTTP2-Settings
http2-settings: AAEAAEAAAAIAAAAB
upgrade: h2c
user-agent: Java-http-client/21"""
SOCKET = """host: localhost:8610
upgrade: websocket
connection: Upgrade
sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==
sec-websocket-version: 13
sec-websocket-extensions: permessage-deflate; client_max_window_bits
sec-websocket-protocol: x
origin: http://localhost:8610
user-agent: Python/3.11 websockets/17.4"""
REQUESTS = """host: localhost:8610
user-agent: python-requests/2.34.2
accept-encoding: gzip, deflate, br, zstd
accept: */*
connection: keep-alive
content-length: 2
content-type: application/json"""
UNDICI = """host: localhost:8610
accept: */*
accept-language: *
sec-fetch-mode: cors
user-agent: node
accept-encoding: br, gzip, deflate"""
POSTMAN = """host: localhost:8610
user-agent: PostmanRuntime/7.45
accept: */*
postman-token: 0d1f6a52
accept-encoding: gzip
x-requested-with: XMLHttpRequest"""


@pytest.mark.parametrize(
    "said",
    [CHROMIUM, FIREFOX, PROMETHEUS, JAVA, SOCKET, REQUESTS, UNDICI, POSTMAN],
    ids=["Chromium", "Firefox", "Prometheus", "Java", "a WebSocket", "requests", "Node", "Postman"],
)
def test_what_ordinary_programs_say_of_themselves_is_from_here(said: str) -> None:
    headers = [tuple(line.encode().split(b": ", 1)) for line in said.splitlines()]
    scope = {"type": "http", "client": ("127.0.0.1", 5), "http_version": "1.1", "headers": headers}
    assert is_local(ASGIConnection(scope))  # type: ignore[arg-type]


def test_programs_at_this_machine_are_from_here(server: Server) -> None:
    address = f"{server.url}/metrics"
    assert httpx.get(address).status_code == 200
    assert httpx.get(address, headers={"cache-control": "no-cache"}).status_code == 200
    with urllib.request.urlopen(address) as answer:
        assert answer.status == 200
    for program in (["curl", "-sf", "--compressed"], ["wget", "-q", "-O", "-"]):
        if shutil.which(program[0]):
            told = subprocess.run([*program, address], capture_output=True, timeout=30, check=False)
            assert told.returncode == 0, program


def test_with_https_nobody_visits_as_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy that says nothing of itself cannot be told from a person; but then there is one."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    manners: list[Manner] = []
    for secure in (False, True):
        house, _ = house_at(Address(secure=secure, new_floor=not secure))
        manners.append(house.manner)
        house.close()
    assert [(one.demo, one.local_demo) for one in manners] == [(False, True), (False, False)]
    own = new_house(sqlite_url(tmp_path), manners[1])
    with running(own) as closed:
        client = closed.client()
        assert client.post("/api/visit").status_code == 403
        assert client.post("/api/first-hand").status_code == 403
