"""Connections: how many there are, how long nothing or half of something is waited for."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import websockets.sync.client as sockets
from websockets.exceptions import ConnectionClosed

from riverboat.web.server import app, serving
from tests.web.running import Client, Server, running_with_people

FIRST, SECOND, HERE = "127.0.0.2", "127.0.0.3", "127.0.0.1"
ASKS = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor of its own: others would have connections too."""
    with running_with_people(tmp_path_factory.mktemp("lines")) as started:
        yield started


def line(server: Server, address: str) -> socket.socket:
    """A connection from somewhere."""
    return socket.create_connection(
        ("127.0.0.1", server.port), timeout=10, source_address=(address, 0)
    )


def answers(asked: socket.socket) -> bool:
    """Whether a connection is served."""
    try:
        asked.sendall(ASKS)
        return asked.recv(12) == b"HTTP/1.1 200"
    except ConnectionError:
        return False


def test_an_address_has_so_many_connections_screens_among_them(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)
    visitor = server.client("visitor")
    with ExitStack() as open_ones:
        screen = sockets.connect(
            f"ws://127.0.0.1:{server.port}/live?look=lobby",
            additional_headers={"Cookie": visitor.cookie_header},
            source_address=(FIRST, 0),
        )
        open_ones.enter_context(screen)
        assert json.loads(screen.recv(timeout=10))["kind"] == "lobby"
        first, second = (open_ones.enter_context(line(server, FIRST)) for _ in range(2))
        assert answers(first)
        assert answers(second)
        assert not answers(open_ones.enter_context(line(server, FIRST)))
        assert answers(open_ones.enter_context(line(server, SECOND)))
        near = [open_ones.enter_context(line(server, HERE)) for _ in range(6)]
        assert all(map(answers, near)), "a proxy on this machine may stand for everybody"
        first.close()
        deadline = time.monotonic() + 10
        while not answers(open_ones.enter_context(line(server, FIRST))):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_all_connections_leave_files_for_the_ledger(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (serving.FILES_KEPT + 7, 10_000))
    assert serving.most_connections() == 7
    for client in server.clients:
        client.close()
    with ExitStack() as open_ones:
        lines = [open_ones.enter_context(line(server, HERE)) for _ in range(20)]
        served = [answers(one) for one in lines]
        assert served.count(True) <= 7
        assert served[0]
        assert not served[-1]
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, 0))
    assert serving.most_connections() == float("inf")


@pytest.mark.parametrize("begun", [b"", b"GET /hea", ASKS[:-2]])
def test_nobody_is_waited_for_who_sends_half_of_a_request(
    server: Server, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(serving, "HALF_SECONDS", 0.6)
    with line(server, HERE) as slow, line(server, HERE) as late:
        for one in (slow, late):
            one.sendall(begun)
        time.sleep(0.3)
        late.sendall(ASKS.removeprefix(begun))
        assert late.recv(12) == b"HTTP/1.1 200", "in time"
        slow.sendall(ASKS[len(begun) : len(begun) + 1])
        before = time.monotonic()
        while slow.recv(4096):
            pass
        assert time.monotonic() - before < 3, "one more letter wins no time"


def test_nor_for_who_sends_half_of_a_body(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "seconds_for", lambda scope: 0.5)
    visitor = server.client("visitor")
    csrf = visitor.cookies["riverboat-csrf"]
    head = (
        "POST /api/purse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        f"cookie: {visitor.cookie_header}\r\nx-riverboat-csrf: {csrf}\r\ncontent-length: 99\r\n\r\n"
    )
    with line(server, HERE) as slow:
        slow.sendall(head.encode() + b'{"id": ')
        told = b""
        while b"\r\n\r\n" not in told or not told.endswith(b"}"):
            told += slow.recv(65_536)
        assert told.startswith(b"HTTP/1.1 503"), told
        assert b"unknown whether it was carried out" in told


def test_a_screen_looks_at_so_many_things(server: Server) -> None:
    player = server.client("player")
    looks = [f"look=table/Table {number}" for number in range(1, app.MOST_TOPICS + 2)]
    seen = looked_at(server, player, "&".join(looks))
    assert seen == {f"Table {number}" for number in range(1, app.MOST_TOPICS + 1)}


def test_a_page_says_so_much_over_a_screens_line(server: Server) -> None:
    visitor = server.client("visitor")
    address = f"ws://127.0.0.1:{server.port}/live"
    headers = {"Cookie": visitor.cookie_header}
    with sockets.connect(address, additional_headers=headers) as screen:
        screen.send("x" * serving.MOST_SCREEN_BYTES)
        screen.ping().wait(10)
        screen.send("x" * (serving.MOST_SCREEN_BYTES + 1))
        with pytest.raises(ConnectionClosed) as closed:
            screen.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009, "too big"


def looked_at(server: Server, client: Client, looks: str) -> set[str]:
    """The tables of which frames come."""
    address = f"ws://127.0.0.1:{server.port}/live?{looks.replace(' ', '%20')}"
    seen = set()
    headers = {"Cookie": client.cookie_header}
    with sockets.connect(address, additional_headers=headers, close_timeout=0.2) as screen:
        deadline = time.monotonic() + 0.5
        while (left := deadline - time.monotonic()) > 0:
            try:
                seen.add(json.loads(screen.recv(timeout=left))["table"])
            except TimeoutError:
                break
    return seen
