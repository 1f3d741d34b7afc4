"""Other people: names that pass for somebody else's, tables that are one visitor's own, seats of
people who went away, and questions that would keep everybody waiting."""

import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import to_builtins

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.autopilot import attend
from riverboat.ledger import open_ledger
from riverboat.round import actions as g
from riverboat.table import actions as a
from riverboat.table.people import Actor
from riverboat.web.accounts import Accounts, Guest, Place
from riverboat.web.demo.roles import may_see
from riverboat.web.demo.tables import demo_tables
from riverboat.web.demo.waiting import Presence
from riverboat.web.house import House, Manner
from riverboat.web.screens.frames import table_frame
from riverboat.web.server.serving import Address, house_at
from tests.web.playing import give_money, play, play_until
from tests.web.running import (
    ADMINISTRATOR,
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


class Clock:
    """A clock that is set."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


# ---------------------------------------------------------------- names


def accounts_at(folder: Path) -> Accounts:
    """Accounts with an administrator, who makes others."""
    accounts = Accounts(open_ledger(folder / "doors.db"), hasher=CHEAP)
    add_person(accounts, ADMINISTRATOR.name, "administrator")
    return accounts


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ann", "Ａnn"])
def test_a_name_that_passes_for_another_is_refused(tmp_path: Path, name: str) -> None:
    accounts = accounts_at(tmp_path)
    accounts.add("  Ann ", "dealer", PASSWORD, by=ADMINISTRATOR)
    with pytest.raises(Refused) as refused:
        accounts.add(name, "player", PASSWORD, by=ADMINISTRATOR)
    assert refused.value.code == "account.exists"
    assert [one.name for one in accounts.all()] == ["Administrator", "Ann"]


@pytest.mark.parametrize("name", ["a/b", "a\nb", "a\x00b", "a\u202eb", " ", "x" * 41])
def test_a_name_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    accounts = accounts_at(tmp_path)
    with pytest.raises(NotationError):
        accounts.add(name, "player", PASSWORD, by=ADMINISTRATOR)


def test_whoever_types_the_name_otherwise_signs_in_all_the_same(tmp_path: Path) -> None:
    accounts = accounts_at(tmp_path)
    accounts.add("Zoe\u0301", "player", PASSWORD, by=ADMINISTRATOR)
    assert accounts.sign_in(" Zo\u00e9 ", PASSWORD)[1].name == "Zo\u00e9"


def test_a_new_player_begins_with_play_money(floor_server: Server) -> None:
    administrator = floor_server.client("administrator")
    asked = {"name": "Nora", "door": "player", "password": PASSWORD}
    assert administrator.post("/api/accounts", json=asked).status_code == 201
    assert floor_server.house.model.cents("Nora") == 1_000_00


# ---------------------------------------------------------------- a visitor's own table


def test_a_visitors_own_table_is_for_the_visitor_and_the_house() -> None:
    visitor = Guest(name="Guest BC", door="visitor", demo=True)
    assert may_see(visitor, "Guest BC")
    assert not may_see(visitor, "Guest BCD")
    assert may_see(visitor, "")
    assert may_see(Guest(name="Sue", door="supervisor"), "Guest BCD")
    assert not may_see(Guest(name="Pat", door="player"), "Guest BCD")


@pytest.mark.parametrize("name", ["Ada", "Guest", "Guest of honour", "Lab 2", "Automatic Ann"])
def test_a_person_may_be_called_like_a_computer_player_or_a_visitor(
    tmp_path: Path, name: str
) -> None:
    accounts = accounts_at(tmp_path)
    accounts.add(name, "player", PASSWORD, by=ADMINISTRATOR)
    assert accounts.sign_in(name, PASSWORD)[1].name == name


def test_a_program_of_the_same_name_is_somebody_else(tmp_path: Path) -> None:
    """Its cards, its seat and its winnings are not those of the person who is called like it."""
    house = new_house(sqlite_url(tmp_path))
    table = next(one for one in demo_tables(house.floor) if one.rulebook == "house-demo")
    house.open_demo(table)
    name = "Ada"
    bot, ada = (Actor(name=name, role="player", automatic=program) for program in (True, False))
    give_money(house, (name,), 5_000_00)
    play(house, table.name, {1: bot}, 2, "the program alone")
    house.model.catch_up()
    assert house.model.cents(name) == 5_000_00
    guest = Guest(name=name, door="player")
    assert house.model.rounds.of(name, 10) == []
    seats = {1: bot, 4: ada}
    play_until(house, table.name, seats, lambda doing: isinstance(doing.ask, g.Bet | g.Fold))
    house.model.catch_up()
    frame = table_frame(house.model, table.name, guest)
    assert frame.you is not None
    assert frame.you.seat == 4
    shown = to_builtins(frame)["round"]["seats"]
    assert all(shown[4]["cards"])
    assert not any(shown[1]["cards"])
    with pytest.raises(Refused, match="does not sit at seat 1"):
        house.floor.ask("as the program", ada, table.name, g.Fold(seat=1))
    play(house, table.name, seats, 1, "both")
    house.model.catch_up()
    (line, *_) = house.model.rounds.of(name, 10)
    assert line.seats_of(name) == (4,)
    nets = [one.net_cents for line in house.model.rounds.of(name, 10) for one in line.seats]
    own = [one for line in house.model.rounds.of(name, 10) for one in line.seats if one.seat == 4]
    assert len(nets) > len(own)
    assert house.model.cents(name) == 5_000_00 + sum(one.net_cents for one in own)
    house.close()


def test_an_account_does_not_take_over_a_visitors_play_money(floor_server: Server) -> None:
    visitor = floor_server.client("visitor").get("/api/me").json()["name"]
    administrator = floor_server.client("administrator")
    asked = {"name": visitor, "door": "player", "password": PASSWORD}
    answer = administrator.post("/api/accounts", json=asked)
    assert answer.status_code == 409
    assert answer.json()["code"] == "account.name"


def test_visitors_never_share_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house(sqlite_url(tmp_path))
    drawn = iter("BBBBBBBBBBBBCCCCCC")
    monkeypatch.setattr("riverboat.web.house.secrets.choice", lambda letters: next(drawn))
    assert house.visitor()[1].name == "Guest BBBBBB"
    assert house.visitor()[1].name == "Guest CCCCCC"
    house.close()


def opened(client: Client, path: str, **more: Any) -> dict[str, Any]:
    """A table of one's own."""
    answer = client.post(path, json={"id": str(uuid.uuid4()), **more})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_a_visitors_table_is_not_there_for_others(floor_server: Server) -> None:
    table = opened(floor_server.client("visitor"), "/api/lessons", rulebook="house-demo")["table"]
    for role in ("visitor", "player"):
        other = floor_server.client(role)
        asked = {"id": str(uuid.uuid4()), "role": "supervisor"}
        assert other.post(f"/api/tables/{table}/take-over", json=asked).status_code == 404
        for path in (f"/api/tables/{table}/explain", f"/tables/{table}", f"/dealer/{table}"):
            assert other.get(path).status_code == 404


@pytest.mark.parametrize("role", ["visitor", "dealer", "manager"])
def test_a_jackpot_asked_for_twice_is_one_table(floor_server: Server, role: str) -> None:
    client = floor_server.client(role)
    asked = {"id": str(uuid.uuid4())}
    first, second = (client.post("/api/jackpot", json=asked) for _ in range(2))
    assert first.status_code == second.status_code == 201, second.text
    assert first.json() == second.json()
    assert opened(client, "/api/jackpot")["table"] != first.json()["table"]
    frame = client.get(f"/api/tables/{first.json()['table']}").json()
    assert "console" in frame


# ---------------------------------------------------------------- who is there


def seated(house: House, *names: str) -> str:
    """A demo table without programs, with people on its first seats, that takes bets."""
    table = next(one for one in demo_tables(house.floor) if one.rulebook == "house-demo")
    house.open_demo(table._replace(bots=0))
    for seat, name in enumerate(names, start=1):
        actor = Actor(name=name, role="player")
        house.floor.ask(f"sit {name}", actor, table.name, a.SitDown(seat=seat))
    give_money(house, names, 1_000_00)
    return table.name


def test_somebody_without_a_screen_is_stood_up_by_the_floor(tmp_path: Path) -> None:
    house, clock, there = new_house(sqlite_url(tmp_path)), Clock(), {"Ann"}
    table = seated(house, "Ann", "Ben")
    presence = Presence(house.database, lambda _, name: name in there, clock)
    day = house.floor.station(table).day
    for seconds in (0, 100, 79):
        clock.now += seconds
        assert presence.absent(day) == frozenset()
    clock.now += 16
    assert presence.absent(day) == {"Ben"}
    house.attendants._presence = presence
    doing = house.attendants.next_at(table)
    assert doing is not None
    assert doing.ask == a.StandUp(seat=2)
    assert (doing.by.role, doing.by.automatic) == ("floorperson", True)
    house.floor.ask("stand up Ben", doing.by, table, doing.ask)
    assert list(house.floor.station(table).day.seated.values()) == ["Ann"]
    house.attendants._note_left(table, doing)
    again = house.floor.station(table).day
    assert presence.absent(again) == frozenset()
    house.close()


def test_a_screen_of_another_process_counts(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    day = house.floor.station(seated(house, "Ann")).day
    here = Presence(house.database, lambda *_: False, clock)
    elsewhere = Presence(house.database, lambda *_: True, clock)
    for _ in range(40):
        clock.now += 20
        assert elsewhere.absent(day) == here.absent(day) == frozenset()
    house.close()


def test_the_round_waits_ten_seconds_for_a_bet_and_says_for_whom(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    table = seated(house, "Ann", "Ben")
    attendants = house.attendants
    attendants._clock = clock
    bet_for(house, table, "Ann", 1)
    day = house.floor.station(table).day
    assert not attendants._may_close(table, day)
    attendants.ready(table, "Ann")
    assert not attendants._may_close(table, day)
    told = table_frame(house.model, table, Guest(name="Ann", door="player")).you
    assert told is not None
    assert told.waits == "waits for Ben"
    clock.now += 10
    assert attendants._may_close(table, day)
    house.close()


def bet_for(house: House, table: str, name: str, seat: int) -> None:
    """Up to the betting, and an ante."""
    while not (
        house.floor.station(table).day.in_round
        and house.floor.station(table).day.playing.phase == "betting"
    ):
        doing = house.attendants.next_at(table)
        assert doing is not None
        attend(house.floor, f"auto {house.floor.station(table).day.entries}", table, doing)
    least = house.floor.station(table).day.setup.limits.ante.minimum_cents or 100
    ante = g.Wager(seat=seat, spot="ante", cents=least)
    house.floor.ask(f"ante {name}", Actor(name=name, role="player"), table, ante)
    house.model.catch_up()


# ---------------------------------------------------------------- too much at once


def test_figures_are_so_many_a_minute(tmp_path: Path) -> None:
    with running(new_house(sqlite_url(tmp_path), Manner(pace=0.02, effort_tries=3))) as server:
        visitor = server.client("visitor")
        paths = ("/api/strategy/none", "/api/odds/none", "/api/odds/none/what-if?line=1&to_one=1")
        codes = [visitor.get(path).status_code for path in paths]
        assert 429 not in codes
        situation = {"rulebook": "house-demo", "cards": "Ah Kd"}
        assert visitor.post("/api/advice", json=situation).status_code == 429
        assert server.client("visitor").get("/api/odds/none").status_code == 404


def test_nobody_is_locked_out_from_elsewhere(floor_server: Server) -> None:
    house, client = floor_server.house, floor_server.client()
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    other = Client(base_url=floor_server.url, timeout=60, transport=elsewhere)
    other.get("/api/me")
    for _ in range(8):
        house.accounts.tries.spend("dealer", Place("203.0.113.9"))
    assert floor_server.client("dealer").get("/api/me").json()["name"] == "Dealer"
    forgive(house)
    codes, here = [], []
    for number in range(61):
        wrong = {"name": f"Nobody {number}", "password": "wrong password"}
        codes.append(other.post("/api/sign-in", json=wrong))
        here.append(client.post("/api/sign-in", json={**wrong, "name": f"Proxied {number}"}))
    forgive(house)
    other.close()
    assert [code.status_code for code in codes] == [409] * 60 + [429]
    assert "too many tries from this address" in codes[-1].json()["words"]
    assert [code.status_code for code in here] == [409] * 61


@pytest.mark.parametrize(
    "header",
    [
        {"x-forwarded-proto": ""},
        {"x-forwarded-for": ""},
        {"cf-connecting-ip": "203.0.113.9"},
        {"true-client-ip": "203.0.113.9"},
        {"x-client-ip": ""},
        {"host": "floor.example"},
        {"host": "127.0.0.1.example:8610"},
    ],
)
def test_what_came_through_a_proxy_is_not_from_here(
    floor_server: Server, header: dict[str, str]
) -> None:
    assert floor_server.client().get("/metrics", headers=header).status_code == 403
    assert floor_server.client().get("/metrics", headers={"host": "localhost"}).status_code == 200


def test_where_visitors_are_off_it_says_what_lets_them_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    house, _ = house_at(Address(host="0.0.0.0"))
    with running(house) as server:
        answer = server.client().post("/api/visit")
        assert answer.status_code == 403
        assert "visitors are off on this floor; sign in" in answer.text
