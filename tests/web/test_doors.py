"""Every route with every door, held against the table in docs/web.md."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import websockets.sync.client as sockets
from litestar.routes import HTTPRoute, WebSocketRoute
from websockets.exceptions import InvalidStatus

from riverboat.web.server.app import make_app
from tests.web.running import EVERY_ROLE, NOBODY, Client, Server, new_house, sqlite_url

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "web.md"
NAMES = {
    "table": "Table 1",
    "number": "1",
    "meter": "HD-PROG-2",
    "rulebook": "house-demo",
    "other": "island-stud",
    "name": "Spare",
    "file_path": "wheel.svg",
    "path": "anything",
    "seat": "1",
}
ENDS_SESSION = ("POST /api/sign-out",)


class Door(NamedTuple):
    """A route and whether it opens to each role."""

    route: str
    opens: dict[str, bool]


def documented() -> Iterator[Door]:
    """The table, line by line."""
    for line in DOCUMENT.read_text("utf-8").splitlines():
        found = re.match(r"\| `((?:GET|POST|WS) [^`]+)` \|(.*)\|$", line)
        if found:
            cells = [cell.strip() for cell in found[2].split("|")]
            assert set(cells) <= {"yes", "–"}, line
            yield Door(found[1], dict(zip(EVERY_ROLE, (c == "yes" for c in cells), strict=True)))


DOORS = list(documented())


def test_the_table_has_every_route_and_no_other(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    there = []
    for route in make_app(house, "long enough for a secret of forms").routes:
        if isinstance(route, HTTPRoute):
            methods = set(route.methods) - {"OPTIONS", "HEAD"}
            there += [f"{method} {route.path_format}" for method in methods]
        elif isinstance(route, WebSocketRoute):
            there.append(f"WS {route.path_format}")
    house.close()
    assert sorted(there) == sorted(door.route for door in DOORS)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.route)
def test_a_route_opens_to_those_whom_the_table_names(floor_server: Server, door: Door) -> None:
    method, _, path = door.route.partition(" ")
    address = re.sub(r"\{(\w+)\}", lambda found: NAMES[found[1]], path)
    for role, opens in door.opens.items():
        fresh = door.route in ENDS_SESSION
        client = floor_server.client(role) if fresh else signed_in(floor_server, role)
        if method == "WS":
            assert looks(floor_server, client) == opens, role
            continue
        answer = client.request(method, address, json={} if method == "POST" else None)
        assert answer.status_code < 500, (role, answer.text)
        refused = answer.status_code == 401 or "you are signed in as" in answer.text
        assert refused != opens, (role, answer.status_code, answer.text[:200])
        if role == NOBODY and not opens:
            assert answer.status_code == 401


SIGNED: dict[tuple[int, str], Client] = {}


def signed_in(server: Server, role: str) -> Client:
    """One session for each role: signing in takes its time."""
    key = (server.port, role)
    if key not in SIGNED:
        SIGNED[key] = server.client(role)
    if role == NOBODY:
        SIGNED[key].hold(None)
    return SIGNED[key]


def looks(server: Server, client: Client) -> bool:
    """Whether frames are shown."""
    address = server.url.replace("http", "ws") + "/live?look=lobby"
    try:
        with sockets.connect(address, additional_headers={"Cookie": client.cookie_header}) as found:
            return bool(found.recv(timeout=10))
    except InvalidStatus:
        return False
