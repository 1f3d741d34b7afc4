"""What one person, one address and all together may ask for: at each limit, and one beyond."""

import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.codec import MOST_CENTS
from riverboat.web import auth, house
from riverboat.web.api import mathematics
from riverboat.web.api.mathematics import MOST_TO_ONE, BestPlay
from riverboat.web.api.tables import read_action
from riverboat.web.auth import Budget, Patience
from riverboat.web.demo import room
from riverboat.web.demo.room import Room
from riverboat.web.server.requests import LONGEST_TEXT, MOST_BYTES, MOST_PARTS
from tests.web.running import PASSWORD, Client, Server, running_with_people

FIRST, SECOND = "127.0.0.2", "127.0.0.3"
"""Addresses that are not this machine, as far as the floor knows."""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with somebody for every door."""
    with running_with_people(tmp_path_factory.mktemp("budgets")) as server:
        yield server


@pytest.fixture
def server(floor: Server) -> Iterator[Server]:
    """The same one, on which budgets may be set; afterwards they are as before."""
    one = floor.house
    before = one.commands, one.effort, one.room, one.visits, one._refused
    yield floor
    one.commands, one.effort, one.room, one.visits, one._refused = before


def with_tables(server: Server, most: int) -> None:
    """Room for so many tables of one person."""
    server.house.room = Room(server.house.model, server.house.floor.clock, most)


def visitor_from(server: Server, address: str = "") -> Client:
    """A visitor who comes from somewhere."""
    transport = httpx.HTTPTransport(local_address=address) if address else None
    client = Client(base_url=server.url, timeout=60, transport=transport)
    server.clients.append(client)
    client.get("/api/me")
    assert client.post("/api/visit").status_code == 200
    return client


def new_id() -> dict[str, str]:
    return {"id": str(uuid.uuid4())}


def table(client: Client, body: dict[str, str] | None = None) -> httpx.Response:
    asked = {"name": f"T {uuid.uuid4().hex[:6]}", "rulebook": "house-demo"}
    return client.post("/api/tables", json={**asked, **(body or new_id())})


def lesson(client: Client, body: dict[str, str] | None = None) -> httpx.Response:
    return client.post("/api/lessons", json={"rulebook": "house-demo", **(body or new_id())})


def jackpot(client: Client, body: dict[str, str] | None = None) -> httpx.Response:
    return client.post("/api/jackpot", json=body or new_id())


OPENINGS: tuple[Callable[..., httpx.Response], ...] = (table, lesson, jackpot)


def no_more(answer: httpx.Response, words: str, code: str = "tries.many") -> None:
    """Refused as one too many, in a sentence."""
    assert answer.status_code == 429, f"{answer.status_code} {answer.text[:300]}"
    assert answer.json()["code"] == code
    assert words in answer.json()["words"]


# ---------------------------------------------------------------- tables


def test_a_visitor_opens_so_many_tables_and_no_more(server: Server) -> None:
    with_tables(server, 4)
    visitor = visitor_from(server)
    assert visitor.post("/api/first-hand").status_code == 200
    ids = [new_id() for _ in OPENINGS]
    first = [opening(visitor, one) for opening, one in zip(OPENINGS, ids, strict=True)]
    assert [one.status_code for one in first] == [201] * 3
    head = server.house.floor.ledger.head()
    for opening in OPENINGS:
        no_more(opening(visitor), "you have opened 4 tables", "tables.many")
    assert server.house.floor.ledger.head() == head, "what is refused leaves nothing"
    again = [opening(visitor, one) for opening, one in zip(OPENINGS, ids, strict=True)]
    assert [one.json()["table"] for one in again] == [one.json()["table"] for one in first]
    other = visitor_from(server)
    assert other.post("/api/first-hand").status_code == 200


def test_somebody_with_an_account_opens_so_many_demo_tables_in_an_hour(server: Server) -> None:
    with_tables(server, 3)
    player = server.client("player")
    assert [opening(player).status_code for opening in OPENINGS] == [201] * 3
    for opening in OPENINGS:
        no_more(opening(player), "too many tables opened; again in", "tables.many")
    assert table(server.client("dealer")).status_code == 201
    opened = {"demo": False, "second": {"name": "Second", "password": PASSWORD}}
    asked = {**new_id(), "name": "Live", "rulebook": "house-demo", **opened}
    answer = server.client("supervisor").post("/api/tables", json=asked)
    assert answer.status_code == 201, "two people sign for those of the house"


def test_an_address_opens_as_many_tables_as_several_people(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "PEOPLE_AT_ADDRESS", 2)
    with_tables(server, 2)
    several = [visitor_from(server, FIRST) for _ in range(3)]
    for one in several[:2]:
        assert [lesson(one).status_code for _ in range(2)] == [201] * 2
    no_more(lesson(several[2]), "tables opened from this address", "tables.many")
    no_more(several[2].post("/api/first-hand"), "from this address", "tables.many")
    assert lesson(visitor_from(server, SECOND)).status_code == 201
    assert [lesson(visitor_from(server)).status_code for _ in range(5)] == [201] * 5


def test_all_visitors_have_so_many_tables_that_are_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = sum(1 for one in server.house.model.attended.values() if one.owner)
    monkeypatch.setattr(room, "MOST_TABLES_OF_ALL", used + 3)
    for _ in range(3):
        assert lesson(visitor_from(server)).status_code == 201
    late = visitor_from(server)
    no_more(lesson(late), f"visitors play at {used + 3} tables of their own now", "tables.many")
    no_more(late.post("/api/first-hand"), f"there is room for {used + 3}", "tables.many")
    assert lesson(server.client("player")).status_code == 201
    clock = server.house.floor.clock
    server.house.room._clock = lambda: clock() + room.TABLE_SECONDS
    assert lesson(late).status_code == 201, "where nothing happens nobody is in the way"


# ---------------------------------------------------------------- commands


def changes(client: Client, name: str) -> Iterator[httpx.Response]:
    """Whatever changes something, route after route."""
    while True:
        yield client.post("/api/purse", json={**new_id(), "cents": 1})
        yield client.post(f"/api/tables/{name}/take-over", json={**new_id(), "role": "dealer"})
        yield client.command(name, do="sit_down", seat=99)
        yield client.post("/api/settle", json={})
        yield client.post(f"/api/tables/{name}/ready")


def test_a_person_changes_so_much_in_a_minute_on_whichever_route(server: Server) -> None:
    server.house.commands = Budget(12, 60, "commands")
    visitor = visitor_from(server)
    name = lesson(visitor).json()["table"]
    asked = changes(visitor, name)
    codes = [next(asked).status_code for _ in range(11)]
    assert 429 not in codes
    head = server.house.floor.ledger.head()
    for _ in range(5):
        no_more(next(asked), "too many commands; again in")
    assert server.house.floor.ledger.head() == head
    assert visitor.get(f"/api/tables/{name}").status_code == 200
    assert lesson(visitor_from(server)).status_code == 201


def test_an_address_changes_as_much_as_several_people(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "PEOPLE_AT_ADDRESS", 2)
    server.house.commands = Budget(6, 60, "commands")
    several = [visitor_from(server, FIRST) for _ in range(3)]  # Three commands: they came in.
    cent = {"cents": 1}
    codes = [
        several[number % 3].post("/api/purse", json={**new_id(), **cent}).status_code
        for number in range(9)
    ]
    assert codes == [200] * 9
    answer = several[0].post("/api/purse", json={**new_id(), **cent})
    no_more(answer, "too many commands from this address; again in")
    nobody = Client(
        base_url=server.url, transport=httpx.HTTPTransport(local_address=FIRST), timeout=60
    )
    server.clients.append(nobody)
    nobody.get("/api/me")
    no_more(nobody.post("/api/settle", json={}), "from this address")
    elsewhere = visitor_from(server, SECOND)
    assert elsewhere.post("/api/purse", json={**new_id(), **cent}).status_code == 200


# ---------------------------------------------------------------- mathematics


def test_an_address_asks_as_much_as_several_people(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "PEOPLE_AT_ADDRESS", 2)
    server.house.effort = Budget(3, 60, "questions")
    several = [visitor_from(server, FIRST) for _ in range(3)]
    codes = [several[n % 2].get("/api/odds/none").status_code for n in range(6)]
    assert codes == [404] * 6
    no_more(several[0].get("/api/odds/none"), "too many questions; again in")
    no_more(several[2].get("/api/odds/none"), "too many questions from this address")
    assert several[2].get("/api/tables/none/rounds/1").status_code == 404, "another kind"
    assert visitor_from(server, SECOND).get("/api/odds/none").status_code == 404
    assert visitor_from(server).get("/api/odds/none").status_code == 404


class Slow:
    """A figure that is not ready before somebody says so."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def __call__(self, *asked: object) -> BestPlay:
        assert self.go_on.wait(30)
        return BestPlay(rulebook="house-demo", game="", hands={}, plays=[])


def test_figures_wait_so_many_at_a_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr(mathematics, "chart", slow)
    monkeypatch.setattr(house, "MOST_FIGURES_OF_ALL", 11)
    with ThreadPoolExecutor(16) as asking:
        here = [visitor_from(server, FIRST) for _ in range(3)]
        there = visitor_from(server, SECOND)
        near = visitor_from(server)

        def ask(client: Client) -> Any:
            count = server.house._working["everybody"]
            told = asking.submit(client.get, "/api/strategy/house-demo")
            for _ in range(500):
                if told.done() or server.house._working["everybody"] > count:
                    return told
                threading.Event().wait(0.01)
            raise AssertionError("nobody works it out")

        waiting = [ask(here[0]) for _ in range(house.MOST_FIGURES)]
        no_more(ask(here[0]).result(), "4 figures are being worked out for you already")
        waiting += [ask(here[1]) for _ in range(house.MOST_FIGURES)]
        assert len(waiting) == house.MOST_FIGURES_OF_ADDRESS
        no_more(ask(here[2]).result(), "8 figures are being worked out for your address")
        waiting += [ask(there), ask(there), ask(near)]
        no_more(ask(near).result(), "11 figures are being worked out for others")
        slow.go_on.set()
        assert [one.result().status_code for one in waiting] == [200] * 11
        assert ask(here[2]).result().status_code == 200
        assert not server.house._working


# ---------------------------------------------------------------- visitors, refusals, what is kept


def test_so_many_visitors_come_from_an_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.house.visits = Patience(3, 300)
    for _ in range(3):
        visitor_from(server, FIRST)
    one_more = Client(
        base_url=server.url, transport=httpx.HTTPTransport(local_address=FIRST), timeout=60
    )
    server.clients.append(one_more)
    one_more.get("/api/me")
    head = server.house.floor.ledger.head()
    for path in ("/api/visit", "/api/first-hand"):
        no_more(one_more.post(path), "too many tries; again in")
    assert server.house.floor.ledger.head() == head
    visitor_from(server, SECOND)


def test_a_proxy_on_this_machine_lets_everybody_in(server: Server) -> None:
    server.house.visits = Patience(3, 300)
    for _ in range(3):
        visitor_from(server, FIRST)
    for _ in range(4):
        visitor_from(server)


def test_refusals_are_on_record_so_often_and_a_visitors_never(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.house._refused = Patience(3, 300)
    ledger = server.house.floor.ledger
    visitor, player = server.client("visitor"), server.client("player")
    before = ledger.head().seq
    for _ in range(10):
        assert visitor.command("Table 1", do="wager", seat=1, spot="ante", cents=1) is not None
    assert ledger.head().seq == before, "a visitor's refusals are only counted"
    refused = [player.command("Table 1", do="sit_down", seat=99) for _ in range(5)]
    assert {one.status_code for one in refused} == {409}
    assert ledger.head().seq == before + 3


def test_only_so_many_who_tried_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "MOST_KNOWN", 3)
    patience = Patience(1, 60, lambda: 1_000.0)
    for key in ("a", "b", "c"):
        patience.spend(key)
    with pytest.raises(Refused):
        patience.spend("a")
    patience.spend("d")
    assert list(patience._tried) == ["b", "c", "d"]


# ---------------------------------------------------------------- how much is read


def test_a_text_on_record_has_an_end(server: Server) -> None:
    fits = read_action({"do": "interrupt", "reason": "x" * LONGEST_TEXT})
    assert len(fits.reason) == LONGEST_TEXT  # type: ignore[union-attr]
    supervisor = server.client("supervisor")
    long = "x" * (LONGEST_TEXT + 1)
    answer = supervisor.command("Table 1", do="interrupt", reason=long)
    assert answer.status_code == 400
    assert answer.json()["code"] == "text.long"
    assert "at most 1,000 are taken" in answer.json()["words"]
    many: dict[str, Any] = {"do": "count_stub", "cards": 1}
    with pytest.raises(NotationError, match=f"at most {MOST_PARTS} are taken"):
        read_action(many | {"places": {str(n): 1 for n in range(MOST_PARTS + 1)}})
    assert read_action(many | {"places": {str(n): 1 for n in range(MOST_PARTS)}})


def test_a_body_has_an_end(server: Server) -> None:
    player = server.client("player")
    media = {"content-type": "application/json"}
    fits = b'{"id": "' + b"x" * (MOST_BYTES - 10) + b'"}'
    assert len(fits) == MOST_BYTES
    assert player.post("/api/purse", content=fits, headers=media).status_code == 400
    beyond = player.post("/api/purse", content=fits + b" ", headers=media)
    assert beyond.status_code == 413
    assert "at most 256 kB" in beyond.json()["words"]


def test_a_purse_is_filled_by_so_much_at_a_time(server: Server) -> None:
    player = server.client("player")
    fits = player.post("/api/purse", json={**new_id(), "cents": MOST_CENTS})
    assert fits.status_code == 200
    assert player.post("/api/purse", json={**new_id(), "cents": MOST_CENTS + 1}).status_code == 400


def test_odds_that_are_asked_for_have_an_end(server: Server) -> None:
    visitor = server.client("visitor")
    asked = "/api/odds/none/what-if?line=1&to_one={}&per={}"
    assert visitor.get(asked.format(MOST_TO_ONE, MOST_TO_ONE)).status_code == 404
    assert visitor.get(asked.format(MOST_TO_ONE + 1, 1)).status_code == 400
    assert visitor.get(asked.format(1, MOST_TO_ONE + 1)).status_code == 400


def test_a_list_of_rounds_has_an_end(server: Server) -> None:
    player = server.client("player")
    assert player.get("/api/rounds?most=200").status_code == 200
    assert player.get("/api/rounds?most=201").status_code == 400
    assert player.get("/api/tables/Table 1/rounds?most=200").status_code == 200
    assert player.get("/api/tables/Table 1/rounds?most=201").status_code == 400


ENDS = {"maxLength", "enum", "const"}


def unbounded(shape: Any, schemas: dict[str, Any], place: str, seen: tuple[str, ...]) -> list[str]:
    """Where a text or a list without an end could be sent; actions are bounded as a whole."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        return [] if name in seen else unbounded(schemas[name], schemas, place, (*seen, name))
    found = []
    for key in ("anyOf", "oneOf", "allOf"):
        for one in shape.get(key, []):
            above = {name: shape[name] for name in ("maxLength", "maxItems") if name in shape}
            found += unbounded({**above, **one}, schemas, place, seen)
    for name, one in shape.get("properties", {}).items():
        if name != "action":
            found += unbounded(one, schemas, f"{place}.{name}", seen)
    more = shape.get("additionalProperties")
    if isinstance(more, dict):
        found += unbounded(more, schemas, f"{place}.*", seen)
    if shape.get("type") == "array":
        found += [] if "maxItems" in shape else [f"{place}[]"]
        found += unbounded(shape.get("items", {}), schemas, f"{place}[]", seen)
    if shape.get("type") == "string" and not shape.keys() & ENDS:
        found.append(place)
    return found


def test_every_text_that_is_sent_has_an_end(server: Server) -> None:
    told = server.client().get("/api/openapi.json").json()
    schemas, found = told["components"]["schemas"], []
    for path, item in told["paths"].items():
        for method, one in item.items():
            for parameter in one.get("parameters", []):
                place = f"{method} {path} {parameter['name']}"
                found += unbounded(parameter["schema"], schemas, place, ())
            for media in one.get("requestBody", {}).get("content", {}).values():
                found += unbounded(media["schema"], schemas, f"{method} {path}", ())
    assert found == []
    visitor = server.client("visitor")
    odds = [visitor.get(f"/api/odds/house-demo?set={'x' * n}") for n in (100, 101)]
    assert "length <= 100" not in odds[0].text
    assert "length <= 100" in odds[1].text
