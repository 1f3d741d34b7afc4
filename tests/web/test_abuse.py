"""What no page would send: it is refused in words, it is no fault, and it changes nothing."""

import json
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
import websockets.sync.client as sockets
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from riverboat.floor.autopilot import Manners, attend, next_doing
from riverboat.round import actions as g
from riverboat.round.streets import seat_to_act
from riverboat.web.demo.tables import DemoTable, demo_tables
from riverboat.web.house import Manner
from riverboat.web.read_model import Purse
from riverboat.web.server import app
from riverboat.web.server.requests import same_origin
from tests.web.playing import people, play_until
from tests.web.running import (
    PASSWORD,
    Client,
    Server,
    add_people,
    new_house,
    running,
    running_with_people,
    sqlite_url,
)

pytestmark = pytest.mark.slow

DEEP = 20_000
ODD_BODIES = {
    "lists in lists": b"[" * DEEP + b"]" * DEEP,
    "lists without an end": b"[" * 5 * DEEP,
    "fields in fields": b'{"id":' + b'{"id":' * DEEP + b"1" + b"}" * (DEEP + 1),
    "deep in a field": b'{"id":"12345678","action":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "no UTF-8": b'{"id":"12345678\xff\xfe"}',
    "UTF-16": '{"id":"12345678"}'.encode("utf-16"),
    "half a letter": b'{"id":"1234567\\ud800"}',
    "a zero": b'{"id":"1234567\\u0000","cents":5}',
    "not a number": b'{"id":"12345678","cents":NaN}',
    "no end of a number": b'{"id":"12345678","cents":Infinity}',
    "a very long number": b'{"id":"12345678","cents":' + b"9" * 5000 + b"}",
    "a large number": b'{"id":"12345678","cents":1e400}',
    "one field twice": b'{"id":"12345678","cents":5,"cents":6}',
    "one field twice inside": b'{"id":"12345678","action":{"do":"sit_down","do":"fill","seat":1}}',
    "nothing": b"",
    "null": b"null",
    "two documents": b"{} {}",
    "a text": b'"12345678"',
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor that nobody attends to: whatever changes, somebody here has changed it."""
    with running_with_people(tmp_path_factory.mktemp("abuse")) as started:
        yield started


def reads_a_body(server: Server) -> list[str]:
    """Every address that takes one, with names that are there."""
    paths: dict[str, Any] = server.client().get("/api/openapi.json").json()["paths"]
    names = {"table": "Table 1", "meter": "HD-PROG-2", "number": "1", "name": "Spare"}
    return [
        path.format(**names)
        for path, item in paths.items()
        if "requestBody" in item.get("post", {})
    ]


def refused(answer: Any, *statuses: int) -> dict[str, Any]:
    """What was said, in the one form that refusals have."""
    assert answer.status_code in statuses, f"{answer.status_code} {answer.text[:300]}"
    told: dict[str, Any] = answer.json()
    assert told.keys() == {"code", "words", "cites"}
    assert told["words"]
    return told


@pytest.mark.parametrize("body", ODD_BODIES.values(), ids=ODD_BODIES)
def test_a_body_that_cannot_be_read_is_said_to_be(server: Server, body: bytes) -> None:
    before = server.house.floor.ledger.head()
    for role in ("visitor", "administrator"):
        client = server.client(role)
        before = max(before, server.house.floor.ledger.head())
        for path in reads_a_body(server):
            answer = client.post(path, content=body, headers={"content-type": "application/json"})
            refused(answer, 400, 403, 404)
    assert server.house.floor.ledger.head() == before


@pytest.mark.parametrize("cents", ["5", 5.0, True, None, [5], 5.5, -5, 0, 2**63, 2**70])
def test_money_is_a_whole_number_or_nothing(server: Server, cents: Any) -> None:
    player = server.client("player")
    before = player.get("/api/me").json()["purse_cents"]
    body = {"id": str(uuid.uuid4()), "cents": cents}
    told = refused(player.post("/api/purse", json=body), 400)
    assert told["words"].startswith("cents: Expected `int`")
    assert player.get("/api/me").json()["purse_cents"] == before


LAX: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/tables", {"name": "X", "rulebook": "house-demo", "bots": "2"}),
    ("/api/tables", {"name": "X", "rulebook": "house-demo", "demo": "true"}),
    ("/api/tables", {"name": "X", "rulebook": "house-demo", "physical": 0}),
    ("/api/tables/Table 1/commands", {"action": {"do": "sit_down", "seat": "1"}}),
    ("/api/tables/Table 1/commands", {"action": {"do": "sit_down", "seat": 1.0}}),
    ("/api/meters/HD-PROG-2/commands", {"action": {"do": "adjust_link", "units": "1"}}),
    ("/api/purse", {"cents": 5, "more": 1}),
    ("/api/tables/Table 1/commands", {"action": {"do": "fill", "cents": 100, "by": "Second"}}),
    ("/api/meters/HD-PROG-2/commands", {"action": {"do": "bring_link_back", "at": 1}}),
)


@pytest.mark.parametrize(("path", "body"), LAX)
def test_no_field_is_read_as_something_else(
    server: Server, path: str, body: dict[str, Any]
) -> None:
    client = server.client("player" if path == "/api/purse" else "supervisor")
    before = server.house.floor.ledger.head()
    refused(client.post(path, json={"id": str(uuid.uuid4()), **body}), 400)
    assert server.house.floor.ledger.head() == before


@pytest.mark.parametrize(
    "media",
    [
        *("", "text/plain", "application/xml", "application/msgpack", "multipart/form-data"),
        *("multipart/form-data; boundary=x", "application/x-www-form-urlencoded"),
        *("application/json; charset=utf-16", "application/jsonp", "application/json, text/plain"),
    ],
)
def test_what_does_not_say_that_it_is_json_is_not_read(server: Server, media: str) -> None:
    player = server.client("player")
    before = server.house.floor.ledger.head()
    body = json.dumps({"id": str(uuid.uuid4()), "cents": 5}).encode()
    told = refused(player.post("/api/purse", content=body, headers={"content-type": media}), 415)
    assert "application/json" in told["words"]
    assert server.house.floor.ledger.head() == before


@pytest.mark.parametrize("media", ["application/json", 'Application/JSON; charset="UTF-8"'])
def test_json_is_read_however_it_is_spelled(server: Server, media: str) -> None:
    body = json.dumps({"id": str(uuid.uuid4()), "cents": 5}).encode()
    answer = server.client("player").post(
        "/api/purse", content=body, headers={"content-type": media}
    )
    assert answer.status_code == 200, answer.text


def test_a_body_without_a_length_has_the_same_limit(server: Server) -> None:
    player = server.client("player")
    pieces = (b"x" * 65_536 for _ in range(20))
    answer = player.post("/api/purse", content=pieces, headers={"content-type": "application/json"})
    assert "256 kB" in refused(answer, 413)["words"]


FORMS: tuple[dict[str, Any], ...] = (
    {"files": {"_csrf_token": ("a file", b"x")}},
    {"data": {"_csrf_token": "x"}},
    {"content": b"--x\r\nbroken", "headers": {"content-type": "multipart/form-data; boundary=x"}},
    {"content": b"no boundary", "headers": {"content-type": "multipart/form-data"}},
    {"content": b"a=%ff&" * 9, "headers": {"content-type": "application/x-www-form-urlencoded"}},
    {"json": {}, "headers": {"x-riverboat-csrf": b"\xff" * 128}},
    {"json": {}, "headers": {"x-riverboat-csrf": "\u00e9".encode() * 64}},
)


@pytest.mark.parametrize("sent", FORMS)
def test_a_form_of_another_page_is_not_even_read(server: Server, sent: dict[str, Any]) -> None:
    player = server.client("player")
    headers = {"cookie": player.cookie_header, **sent.get("headers", {})}
    own = {**sent, "headers": headers}
    for path in ("/api/purse", "/api/tables/Table 1/commands", "/api/sign-out"):
        refused(httpx.post(f"{server.url}{path}", **own), 403)
    headers = {"cookie": player.cookie_header, "content-type": "multipart/form-data"}
    assert httpx.get(f"{server.url}/api/me", headers=headers).status_code == 200
    twice = "; ".join(x for x in player.cookie_header.split("; ") if not x.startswith("riverboat-"))
    word = "\u00e9".encode() * 64
    odd = {b"cookie": twice.encode() + b"; riverboat-csrf=" + word, b"x-riverboat-csrf": word}
    refused(httpx.post(f"{server.url}/api/purse", headers=odd, json={}), 403)


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "OPTIONS", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/api/me", "/", "/static/css/base.css", "/api/tables", "/health"])
def test_odd_methods_are_not_for_any_address(server: Server, method: str, path: str) -> None:
    for role in ("nobody", "player"):
        answer = server.client(role).request(method, path)
        refused(answer, 403, 405)


ODD_NAMES = (
    *("%2F", "Table%2F1", "..%2F..%2Fetc%2Fpasswd", "%00", "%FF", "%ED%A0%80", "%0A", "a" * 6000),
    *("Table 1%2F..", "%F0%9F%82%A1", "Guest%20", "Table%201%00"),
)
GETS = (
    *("/api/tables/{}", "/api/tables/{}/felt", "/api/tables/{}/rounds", "/api/tables/{}/rounds/1"),
    *("/api/meters/{}", "/api/odds/{}", "/api/rulebooks/{}", "/api/strategy/{}", "/static/{}"),
    *("/static/js/{}", "/static/js/seat.js/{}", "/tables/{}", "/dealer/{}", "/rounds/{}/1"),
    *("/sign/{}", "/odds/{}", "/settle/{}/clauses", "/lobby/choices/{}", "/rounds/Table 1/{}"),
    *("/api/rounds?table={}", "/api/rounds?most={}", "/api/win-page?award={}", "/live?look={}"),
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_that_nothing_has_are_of_nothing(server: Server, name: str) -> None:
    clients = [server.client(role) for role in ("player", "supervisor")]
    before = server.house.floor.ledger.head()  # Signing in is on record.
    for client in clients:
        for path in GETS:
            for accept in ("application/json", "text/html"):
                answer = client.get(path.format(name), headers={"accept": accept})
                assert answer.status_code < 500, f"{path.format(name)[:100]}: {answer.text[:200]}"
        for path in ("commands", "take-over", "machine", "ready", "rounds/1/dispute"):
            answer = client.post(f"/api/tables/{name}/{path}", json={"id": "12345678"})
            assert 400 <= answer.status_code < 500
    assert server.house.floor.ledger.head() == before


@pytest.mark.parametrize(
    "ranges",
    ["bytes=-1", "bytes=5-1", "bytes=a-b", "x=1", "bytes=99999999999-", "bytes=" + "0-," * 1500],
)
def test_odd_ranges_of_a_file_are_no_fault(server: Server, ranges: str) -> None:
    answer = server.client().get("/static/js/seat.js", headers={"range": ranges})
    assert answer.status_code in (200, 206, 416)


ODD_HEADERS = (
    *(b"cookie: riverboat=\xff\xfe;;;==;", b"cookie: riverboat=" + b"x" * 6000, b"host: \xff"),
    *(b"host: [::1", b"host: a@b:c:d", b"accept: \xff;q=zz", b"if-modified-since: \xff"),
    *(b"x-riverboat-csrf: \xff", b"x-long: " + b"x" * 30_000, b"content-length: 1, 2"),
    *(b"transfer-encoding: chunked, chunked", b"expect: 200-ok"),
)


@pytest.mark.parametrize("header", ODD_HEADERS, ids=[h[:12].decode("latin1") for h in ODD_HEADERS])
@pytest.mark.parametrize("first", [b"GET /lobby", b"GET /api/me", b"GET /static/js/seat.js"])
def test_odd_headers_are_no_fault(server: Server, header: bytes, first: bytes) -> None:
    host = b"" if header.startswith(b"host") else b"host: 127.0.0.1\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        raw.sendall(first + b" HTTP/1.1\r\n" + host + header + b"\r\nconnection: close\r\n\r\n")
        answer = raw.recv(4096)
    assert not answer.startswith(b"HTTP/1.1 5"), answer[:300]


# ---------------------------------------------------------------- pages of other places


@pytest.mark.parametrize(
    ("origin", "host", "secure", "own"),
    [
        (None, "floor.example", False, True),
        ("http://floor.example", "floor.example", False, True),
        ("http://floor.example:80", "floor.example", False, True),
        ("http://Floor.Example:8610", "floor.example:8610", False, True),
        ("https://floor.example", "floor.example", False, False),
        ("https://floor.example", "floor.example", True, True),
        ("https://floor.example", "floor.example:443", True, True),
        ("http://floor.example", "floor.example", True, False),
        ("http://floor.example:8611", "floor.example:8610", False, False),
        ("http://floor.example.elsewhere", "floor.example", False, False),
        ("http://[::1]:8610", "[::1]:8610", False, True),
        ("http://[::1", "[::1]:8610", False, False),
        ("http://floor.example:port", "floor.example", False, False),
        ("null", "floor.example", False, False),
        ("", "floor.example", False, False),
        ("file://", "", False, False),
    ],
)
def test_a_page_of_the_floor_has_its_scheme_host_and_port(
    origin: str | None, host: str, secure: bool, own: bool
) -> None:
    assert same_origin(origin, host, secure=secure) is own


def looks(server: Server, client: Client, origin: str) -> bool:
    """Whether a page of that origin gets frames."""
    headers = {"Cookie": client.cookie_header}
    address = f"ws://127.0.0.1:{server.port}/live?look=lobby"
    try:
        with sockets.connect(address, additional_headers=headers, origin=Origin(origin)) as screen:
            return bool(json.loads(screen.recv(timeout=10)))
    except InvalidStatus:
        return False


def test_nobody_takes_all_the_screens(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MOST_SCREENS", 3)
    greedy, other = server.client("visitor"), server.client("visitor")
    with ExitStack() as screens:
        headers = {"Cookie": greedy.cookie_header}
        for look in ("lobby", "nothing", "lobby"):
            address = f"ws://127.0.0.1:{server.port}/live?look={look}"
            screens.enter_context(sockets.connect(address, additional_headers=headers))
        deadline = time.monotonic() + 10
        while looks(server, greedy, server.url):
            assert time.monotonic() < deadline
        assert looks(server, other, server.url)
    deadline = time.monotonic() + 10
    while not looks(server, greedy, server.url):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_only_a_page_with_the_floors_scheme_may_look(
    server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    player = server.client("player")
    assert looks(server, player, server.url)
    assert not looks(server, player, server.url.replace("http", "https"))
    assert not looks(server, player, "http://[::1")


def test_behind_a_proxy_with_https_the_page_is_https(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    secure = Manner(pace=0.02, secure=True)
    house = new_house(sqlite_url(tmp_path_factory.mktemp("secure")), secure)
    add_people(house)
    with running(house) as server:
        client = Client(base_url=server.url.replace("127.0.0.1", "localhost"), timeout=60)
        server.clients.append(client)
        token, *_ = house.accounts.sign_in("Player", PASSWORD)
        client.hold(token)
        assert looks(server, client, server.url.replace("http", "https"))
        assert not looks(server, client, server.url)


# ---------------------------------------------------------------- other people's names and money


def betting(server: Server, table: str) -> tuple[Client, Client]:
    """Two people at a table that takes bets, with a hundred dollars each."""
    house = server.house
    names = ("Player", "Spare")
    for name in names:
        missing = 100_00 - house.model.cents(name)
        house.play_money.top_up(f"a hundred {table} {name}", name, max(1, missing))
    first, second = (server.client("player", name) for name in names)
    house.open_demo(DemoTable(table, "house-demo", dict(next(demo_tables(house.floor)).choices), 0))
    for seat, client in enumerate((first, second), start=1):
        assert client.command(table, do="sit_down", seat=seat).status_code == 200
    play_until(house, table, people(*names), lambda doing: isinstance(doing.ask, g.Wager))
    assert first.command(table, do="wager", seat=1, spot="ante", cents=1000).status_code == 200
    return first, second


def test_a_chip_bears_nobody_elses_name(server: Server) -> None:
    first, second = betting(server, "Names")
    told = first.command("Names", do="place_chip", seat=1, cents=100, player="Spare")
    assert refused(told, 409)["code"] == "seat.not_yours"
    assert first.command("Names", do="place_chip", seat=1, cents=100).status_code == 200
    assert server.house.floor.station("Names").day.playing.seats[1].player in ("", "Player")
    own = second.command("Names", do="wager", seat=2, spot="ante", cents=1000, player="Spare")
    assert own.status_code == 200, own.text


def test_a_tip_comes_out_of_the_purse_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = betting(server, "Tips")
    house = server.house
    assert first.command("Tips", do="wager", seat=1, spot="tip_ante", cents=1000).status_code == 200
    assert second.command("Tips", do="wager", seat=2, spot="ante", cents=1000).status_code == 200
    for step in range(50):
        doing = next_doing(house.floor, "Tips", people("Player", "Spare"), Manners(seed="tips"))
        assert doing is not None
        if isinstance(doing.ask, g.Bet | g.Fold):
            break
        attend(house.floor, f"tips {step}", "Tips", doing)
    house.model.catch_up()
    turn = seat_to_act(house.floor.station("Tips").day.playing)
    if turn == 2:
        assert second.command("Tips", do="fold", seat=2).status_code == 200
    monkeypatch.setattr(house.model, "purse", lambda name: Purse(10_00, 1))
    told = first.command("Tips", do="bet", seat=1, cents=1000, tip_cents=1000)
    assert refused(told, 409)["code"] == "purse.short"
    assert "$20 is more than the $10 in hand" in told.json()["words"]
