"""People who do a program's part: a lesson dealt by a visitor, a jackpot with the visitor's key."""

import json
import time
import uuid
from typing import Any
from urllib.parse import quote

import pytest
import websockets.sync.client as sockets

from riverboat.rulebooks import rulebook_ids
from tests.web.running import Client, Server

pytestmark = pytest.mark.slow

SECONDS = 60


def look(server: Server, client: Client, table: str) -> sockets.ClientConnection:
    """A screen at a table, so that its programs attend."""
    address = f"ws://127.0.0.1:{server.port}/live?look={quote(f'table/{table}')}"
    return sockets.connect(address, additional_headers={"Cookie": client.cookie_header})


def opened(client: Client, path: str, **more: Any) -> str:
    """A table of one's own."""
    answer = client.post(path, json={"id": str(uuid.uuid4()), **more})
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table


def go_on(client: Client, table: str, step: dict[str, Any]) -> None:
    """Do what the console's button does."""
    if step["machine"]:
        client.post(f"/api/tables/{table}/machine", json={"id": str(uuid.uuid4())})
    elif step["do"] is not None:
        client.command(table, **step["do"])


def until_over(server: Server, client: Client, table: str) -> list[dict[str, Any]]:
    """Press the big button whenever it is there, until the round is over; every step done."""
    done: list[dict[str, Any]] = []
    deadline = time.monotonic() + SECONDS
    with look(server, client, table) as screen:
        while time.monotonic() < deadline:
            frame = json.loads(screen.recv(timeout=SECONDS))
            if frame["round_number"] and frame["round"]["phase"] == "over":
                return done
            step = frame["console"]["step"]
            if step is not None and step["yours"]:
                done.append(step)
                go_on(client, table, step)
    raise AssertionError(f"{table} stands at {done[-1:]}")


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_visitor_deals_a_round_by_the_button_alone(floor_server: Server, rulebook: str) -> None:
    visitor = floor_server.client("visitor")
    table = opened(visitor, "/api/lessons", rulebook=rulebook)
    done = until_over(floor_server, visitor, table)
    pressed = {step["do"]["do"] for step in done if step["do"] is not None}
    assert {"start_round", "close_bets", "deal_out"} <= pressed
    assert all(step["words"] for step in done)
    day = floor_server.house.floor.station(table).day
    assert day.dealer == visitor.get("/api/me").json()["name"]


def test_the_program_deals_again_when_the_part_is_given_back(floor_server: Server) -> None:
    visitor = floor_server.client("visitor")
    table = opened(visitor, "/api/lessons", rulebook="house-demo")
    answer = visitor.post(f"/api/tables/{table}/take-over", json={"id": "give back 1", "role": ""})
    assert answer.status_code == 200
    frame = visitor.get(f"/api/tables/{table}").json()
    assert frame["dealer"] == "automatic dealer"
    assert "console" not in frame
    assert visitor.command(table, do="start_round").status_code == 409


@pytest.mark.parametrize("role", ["dealer", "supervisor"])
def test_a_visitor_takes_over_no_table_but_their_own(floor_server: Server, role: str) -> None:
    visitor = floor_server.client("visitor")
    asked = {"id": str(uuid.uuid4()), "role": role}
    answer = visitor.post("/api/tables/Table 1/take-over", json=asked)
    assert answer.status_code == 409
    assert answer.json()["code"] == "standing_in.not_yours"


def test_whoever_plays_does_not_deal(floor_server: Server) -> None:
    visitor = floor_server.client("visitor")
    table = opened(
        visitor, "/api/tables/", name="mine", rulebook="house-demo", choices={}, demo=True
    )
    assert visitor.command(table, do="sit_down", seat=1).status_code == 200
    asked = {"id": str(uuid.uuid4()), "role": "dealer"}
    answer = visitor.post(f"/api/tables/{table}/take-over", json=asked)
    assert answer.json()["code"] == "standing_in.seated"


def test_a_visitor_pays_a_royal_flush_with_the_key(floor_server: Server) -> None:
    visitor = floor_server.client("visitor")
    table = opened(visitor, "/api/jackpot")
    house = floor_server.house
    link = house.floor.station(table).link
    before = house.floor.link(link)
    done = until_over(floor_server, visitor, table)
    pressed = [step["do"]["do"] for step in done]
    keys = [tag for tag in pressed if tag in ("verify_win", "turn_key", "press_j_pot")]
    assert keys[:3] == ["verify_win", "turn_key", "press_j_pot"]
    after = house.floor.link(link)
    (award,) = after.awards.values()
    assert award.paid
    assert award.fixed.hand == "royal_flush"
    assert award.fixed.cents > before.seed_cents
    assert after.meter.cents < award.fixed.cents
    assert visitor.get(f"/api/tables/{table}").json()["test"]
    paper = visitor.get(f"/api/tables/{table}/rounds/1/seats/{award.fixed.seat}/win-page")
    assert paper.content.startswith(b"%PDF")


def test_a_visitors_meters_are_on_no_wall(floor_server: Server) -> None:
    visitor = floor_server.client("visitor")
    opened(visitor, "/api/jackpot")
    opened(visitor, "/api/lessons", rulebook="house-demo")
    shown = visitor.get("/api/meters").json()["meters"]
    floors = [one["table"] for one in visitor.get("/api/tables").json()["tables"]]
    assert shown
    for one in shown:
        assert set(one["tables"]) <= set(floors)
        assert not one["test"]


def test_the_win_page_is_for_who_supervises(floor_server: Server) -> None:
    player = floor_server.client("player")
    assert player.get("/api/tables/Table 1/rounds/1/seats/1/win-page").status_code == 403
