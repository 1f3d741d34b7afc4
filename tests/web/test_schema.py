"""The machine interface holds what its own description says: requests made from it by Schemathesis,
signed in as every role. No server error; every operation succeeds; enough get past the doors."""

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.core.result import Ok

from riverboat.floor.autopilot import SealNext, attend
from riverboat.round import actions as g
from riverboat.web.accounts import Accounts, Guest
from riverboat.web.auth import COOKIE
from riverboat.web.demo.jackpot import jackpot_table, next_of_show, open_show
from riverboat.web.house import House
from tests.web.playing import give_money, people, play, play_until
from tests.web.running import (
    CHEAP,
    EVERY_ROLE,
    NOBODY,
    PASSWORD,
    Client,
    Server,
    add_people,
    add_person,
    forgive,
    new_house,
    running,
    sqlite_url,
)

QUICK_REQUESTS = 4_000
LONG_REQUESTS = 20_000
SHOW = "Show"
DECIDING, SEALING = "Table 2", "Table 3"
"""Where somebody has to decide, and where the machine has to shuffle."""
WAITS = "Patience"
"""Who signs for money and waits to be approved."""
NAMES: dict[str, list[str]] = {
    "table": ["Table 1", DECIDING, SEALING, SHOW],
    "number": ["1", "2"],
    "meter": ["HD-PROG-2", f"test {SHOW} HD-PROG-2"],
    "rulebook": ["house-demo", "iowa-catfish-bend"],
    "other": ["iowa-catfish-bend", "house-demo"],
    "name": ["Spare", WAITS],
    "seat": ["1", "2"],
}
BEFORE_DOORS = (400, 401, 403, 404, 405, 413, 415, 422, 429)
"""Not signed in, not for this role, not readable, or not there."""


def good_bodies(rng: Random) -> dict[str, list[Any]]:
    """What a page would send, by operation."""
    new = str(uuid.UUID(int=rng.getrandbits(128)))
    once = {"id": new}
    return {
        "POST /api/accounts": [{"name": new, "door": "dealer", "password": PASSWORD}],
        "POST /api/accounts/{name}/password": [{"password": PASSWORD}],
        "POST /api/advice": [
            {"rulebook": "house-demo", "cards": "Ah Kd", "board": "Qs", "bets": "3"}
        ],
        "POST /api/jackpot": [once],
        "POST /api/lessons": [{**once, "rulebook": "iowa-catfish-bend"}],
        "POST /api/meters/{meter}/commands": [
            {**once, "action": {"do": "take_link_out", "reason": "a test"}},
            {**once, "action": {"do": "bring_link_back"}},
            {**once, "action": {"do": "adjust_link", "units": 1, "code": "correction",
                                "reason": "a test"}},
        ],
        "POST /api/password": [{"old": PASSWORD, "new": f"{PASSWORD} {new}"}],
        "POST /api/purse": [{**once, "cents": 100}],
        "POST /api/settle": [
            {"rulebook": "iowa-catfish-bend", "ante": "10", "cards": "Ah Ad", "board": "As 2c 3d"}
        ],
        "POST /api/sign-in": [{"name": "Second", "password": PASSWORD}],
        "POST /api/tables": [{**once, "name": f"T{new[:6]}", "rulebook": "iowa-catfish-bend"}],
        "POST /api/tables/preview": [{"rulebook": "iowa-catfish-bend"}],
        "POST /api/tables/{table}/commands": [
            {**once, "action": {"do": "sit_down", "seat": rng.randrange(1, 7)}},
            {**once, "action": {"do": "fill", "cents": 100}},
        ],
        "POST /api/tables/{table}/machine": [once],
        "POST /api/tables/{table}/take-over": [{**once, "role": rng.choice(["dealer", ""])}],
        "POST /api/tables/{table}/rounds/{number}/dispute": [{**once, "reason": "a test"}],
        "POST /api/tables/{table}/rounds/{number}/dispute/notes": [{**once, "words": "a test"}],
        "POST /api/tables/{table}/rounds/{number}/dispute/decision": [
            {**once, "decision": "stands", "reason": "a test",
             "second": {"name": "Second", "password": PASSWORD}}
        ],
    }  # fmt: skip


GOOD_QUERIES: dict[str, dict[str, str]] = {
    "GET /api/rounds": {"table": "Table 1"},
    "GET /api/win-page": {"award": f"{SHOW}/1/2"},
    "GET /api/odds/{rulebook}": {"bet": "base"},
}


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with finished rounds and a paid jackpot; what one test does to its people no other
    finds."""
    house = new_house(sqlite_url(tmp_path_factory.mktemp("schema")))
    add_people(house)
    add_person(Accounts(house.floor.ledger, hasher=CHEAP, wait_seconds=86_400), WAITS, "supervisor")
    with running(house) as started:
        pay_a_jackpot(house)
        give_money(house, ("Player", "Guest 000001"), 90_000_00)
        seats = people("Player", "Guest 000001")
        for table in ("Table 1", DECIDING, SEALING):
            play(house, table, seats, 2, "schema")
        play_until(house, DECIDING, seats, lambda doing: isinstance(doing.ask, g.Bet | g.Fold))
        play_until(house, SEALING, seats, lambda doing: isinstance(doing.ask, SealNext))
        house.model.catch_up()
        yield started


def pay_a_jackpot(house: House) -> None:
    """A forced royal flush at a test table, through key and J-pot."""
    open_show(house.floor, jackpot_table(house.floor, SHOW))
    house.model.catch_up()
    standing = house.model.standing_at(SHOW)
    for step in range(200):
        doing = next_of_show(house.floor, SHOW, standing)
        if doing is None:
            break
        attend(house.floor, f"show {step}", SHOW, doing)
    house.model.catch_up()
    assert house.model.rounds.one(SHOW, 1) is not None


class Asking:
    """Requests as one role, and what came of them."""

    def __init__(self, server: Server, role: str, counts: Counter[str]) -> None:
        self.server, self.role, self.counts = server, role, counts
        self.client: Client = server.client()

    def sign_in(self) -> None:
        """Without the time that a password takes: a session of this role's person."""
        if self.role == NOBODY:
            self.client.hold(None)
            return
        name = "Guest 000001" if self.role == "visitor" else self.role.capitalize()
        guest = Guest(name=name, door=self.role, demo=self.role == "visitor")  # type: ignore[arg-type]
        self.client.hold(self.server.house.accounts.let_in(guest))

    def send(self, case: Any, rng: Random) -> None:
        """One request: as it was made up, or with names that are there, or as a page sends it."""
        label = f"{case.method.upper()} {case.path}"
        path, query, body = self._filled(case, label, rng)
        answer = self.client.request(
            case.method, path, params=query, **({} if body is None else {"json": body})
        )
        told = f"{self.role}: {label} {path} {query} {json.dumps(body)[:500]}"
        assert answer.status_code < 500, f"{told}: {answer.text}"
        self.counts["requests"] += 1
        self.counts["past the doors"] += answer.status_code not in BEFORE_DOORS
        self.counts[label] += 200 <= answer.status_code < 300
        if COOKIE in str(answer.headers.get("set-cookie", "")) or "sign" in label:
            self.sign_in()

    def _filled(self, case: Any, label: str, rng: Random) -> tuple[str, Any, Any]:
        made_up = rng.random() < 0.2
        path = case.path
        for name, value in (case.path_parameters or {}).items():
            known = NAMES.get(name)
            chosen = rng.choice(known) if known and not made_up else str(value)
            path = path.replace(f"{{{name}}}", quote(chosen, safe=""))
        query = {k: v for k, v in (case.query or {}).items() if v is not None}
        body = case.body if label.startswith("POST") and _is_json(case.body) else None
        good = good_bodies(rng).get(label)
        if good and rng.random() < 0.6:
            body = rng.choice(good)
        if label in GOOD_QUERIES and rng.random() < 0.6:
            query = GOOD_QUERIES[label]
        return path, query, body


def _is_json(body: object) -> bool:
    try:
        json.dumps(body)
    except TypeError:
        return False
    return True


def ask_everything(server: Server, requests: int, counts: Counter[str]) -> None:
    """Every operation as every role, alike often; a dispute is decided after it was noted."""
    description = server.client().get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    operations: list[Any] = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    operations.sort(key=lambda one: str(one.path).endswith("/decision"))
    each = -(-requests // (len(operations) * len(EVERY_ROLE)))
    quiet = settings(
        max_examples=each,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        derandomize=False,
    )
    for role in EVERY_ROLE:
        asking = Asking(server, role, counts)
        for place, operation in enumerate(operations):
            asking.sign_in()
            forgive(server.house)
            ask_one(asking, operation, Random(f"{role} {place}"), quiet, each)


def ask_one(asking: Asking, operation: Any, rng: Random, quiet: settings, each: int) -> None:
    """One operation, so many times; what has few different requests is asked again the same way."""
    asked = 0

    def one(case: Any) -> None:
        nonlocal asked
        asked += 1
        asking.send(case, rng)

    seed(rng.random())(quiet(given(case=operation.as_strategy())(one)))()
    for _ in range(each - asked):
        asking.send(operation.Case(path_parameters=_names(operation)), rng)


def _names(operation: Any) -> dict[str, str]:
    return {one.name: NAMES[one.name][0] for one in operation.path_parameters}


def check(server: Server, requests: int, report: Callable[[str], None]) -> None:
    """All of it."""
    counts: Counter[str] = Counter()
    ask_everything(server, requests, counts)
    never = [label for label, done in counts.items() if " /" in label and not done]
    assert not never, f"never succeeded: {never}"
    assert counts["requests"] >= requests
    share = counts["past the doors"] / counts["requests"]
    assert share >= 0.25, f"{share:.0%} pass sign-in and validation"
    report(f"schemathesis: {counts['requests']} requests, {share:.0%} past the doors, no error")


@pytest.mark.slow
def test_no_request_that_the_description_allows_breaks_the_server(
    server: Server, report: Callable[[str], None]
) -> None:
    check(server, QUICK_REQUESTS, report)


@pytest.mark.soak
def test_no_request_breaks_the_server_for_long(
    server: Server, report: Callable[[str], None]
) -> None:
    check(server, LONG_REQUESTS, report)


def test_the_description_needs_nothing_from_elsewhere(server: Server) -> None:
    client = server.client()
    answer = client.get("/api/openapi.json")
    text = answer.text
    assert "http://" not in text.replace("http://json-schema", "")
    assert "https://" not in text
    assert client.get("/schema/swagger").status_code in (401, 404)
    paths = answer.json()["paths"]
    assert len(paths) > 35
    for path, item in paths.items():
        for method, operation in item.items():
            assert operation["summary"], (path, method)
            assert "409" in operation["responses"]
