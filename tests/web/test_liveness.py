"""After a fault ends everything goes on by itself: faults of real databases, a floor that attends
its tables meanwhile, and what it says of itself."""

import errno
import io
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import websockets.sync.client as sockets

from riverboat.ledger import LedgerUnavailable, OutcomeUnknown
from riverboat.web.auth import ANSWER_SECONDS
from riverboat.web.duties import Duty
from riverboat.web.house import House
from riverboat.web.screens.live import TABLE
from riverboat.web.server import app
from riverboat.web.server.monitoring import Paper, start_logs
from tests.ledger.postgres_server import PostgresServer
from tests.web.running import Client, Server, add_people, new_house, running, sqlite_url

PROGRESS_SECONDS = 10.0
"""By then every table has gone on, once a fault is over."""
AT_ONCE = 1.0
"""Of a busy machine; whoever waits for the database waits longer."""


def entries(house: House) -> dict[str, int]:
    """How far every table's record goes, of those that programs attend."""
    return {one: house.model.station(one).day.entries for one in house.model.attended}


def all_go_on(house: House, seconds: float) -> float:
    """How long it takes until something has happened at every table."""
    began, before = time.monotonic(), entries(house)
    while time.monotonic() - began < seconds:
        now = entries(house)
        if all(now[table] > before[table] for table in before):
            return time.monotonic() - began
        time.sleep(0.05)
    now = entries(house)
    stuck = [table for table in before if now[table] == before[table]]
    raise AssertionError(f"nothing happened at {stuck} for {seconds} seconds")


@contextmanager
def watched(server: Server, client: Client) -> Iterator[Any]:
    """Somebody looks at the lobby, so that the tables are played."""
    address = f"ws://127.0.0.1:{server.port}/live?look=lobby"
    with sockets.connect(address, additional_headers={"Cookie": client.cookie_header}) as screen:
        over = threading.Event()

        def read() -> None:
            while not over.is_set():
                try:
                    screen.recv(timeout=0.2)
                except TimeoutError:
                    continue
                except Exception:
                    return

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield screen
        finally:
            over.set()
            reader.join()


def health(client: Client) -> dict[str, Any]:
    """What the floor says of itself."""
    told: dict[str, Any] = client.get("/health").json()
    return told


def answers_meanwhile(
    server: Server, player: Client, screen: Any, seconds: float
) -> list[dict[str, Any]]:
    """Files, shells and sockets answer while the database does not; what health says then, to
    whoever is signed in too."""
    anybody, said = server.client(), list[dict[str, Any]]()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for path in ("/static/js/seat.js", "/lobby", "/sign-in"):
            began = time.monotonic()
            assert anybody.get(path).status_code == 200
            assert time.monotonic() - began < AT_ONCE, path
        began = time.monotonic()
        assert screen.ping().wait(AT_ONCE)
        said.append(health(anybody))
        assert player.get("/health").status_code == 200
        assert time.monotonic() - began < AT_ONCE
        time.sleep(0.2)
    return said


def lives_through(
    house: House, begin: Callable[[], Any], end: Callable[[], Any], seconds: float
) -> float:
    """A fault of so many seconds while the tables are played; how long after it all go on."""
    add_people(house)
    with running(house) as server:
        player = server.client("player")
        with watched(server, player) as screen:
            all_go_on(house, 30)
            begin()
            try:
                said = answers_meanwhile(server, player, screen, seconds)
                assert not said[-1]["live"], said[-1]
                assert "attend tables" in [one["duty"] for one in said[-1]["behind"]]
                assert all(abs(one["since"] - time.time()) < 60 for one in said[-1]["behind"])
                metrics = server.client().get("/metrics").text
                assert 'riverboat_duty_failures{duty="attend tables"}' in metrics
            finally:
                end()
            taken = all_go_on(house, PROGRESS_SECONDS)
            deadline = time.monotonic() + PROGRESS_SECONDS
            while not health(player)["live"]:
                assert time.monotonic() < deadline, health(player)
                time.sleep(0.1)
    return taken


@pytest.mark.slow
def test_another_program_that_keeps_the_file_locked(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    other: list[sqlite3.Connection] = []

    def lock() -> None:
        path = url.removeprefix("sqlite:///")
        other.append(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
        other[0].execute("begin immediate")

    lives_through(new_house(url), lock, lambda: other[0].close(), 8)


@pytest.mark.slow
@pytest.mark.postgres
def test_a_server_that_hangs(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    lives_through(new_house(url), postgres.pause, postgres.resume, 8)


@pytest.mark.slow
@pytest.mark.postgres
def test_a_server_that_is_killed_and_comes_back(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    lives_through(new_house(url), postgres.kill, postgres.start, 6)


@pytest.mark.slow
@pytest.mark.postgres
def test_locked_sessions_keep_nobody_else_waiting(postgres: PostgresServer) -> None:
    """Files and sockets answer; whoever needs a session is told in time that it cannot be seen."""
    url = postgres.new_database()
    house = new_house(url)
    add_people(house)
    with running(house) as server:
        player, second = server.client("player"), server.client("supervisor")
        with watched(server, player) as screen, psycopg.connect(url) as link:
            link.execute("lock table door_session in access exclusive mode")
            asked = threading.Thread(target=lambda: told.append(second.get("/api/tables")))
            told: list[Any] = []
            asked.start()
            answers_meanwhile(server, server.client(), screen, 3)
            all_go_on(house, PROGRESS_SECONDS)
            asked.join(ANSWER_SECONDS + 5)
            assert told
            assert told[0].status_code == 503
            assert told[0].json()["words"].endswith("; try again")
            link.rollback()
            assert second.get("/api/tables").status_code == 200


@pytest.mark.slow
@pytest.mark.postgres
def test_one_cut_connection_at_a_time_stops_nothing(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    house = new_house(url)
    add_people(house)
    cut = (
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
        " and application_name = 'riverboat' order by random() limit 1"
    )
    with running(house) as server, watched(server, server.client("player")):
        with psycopg.connect(url, autocommit=True) as link:
            for _ in range(20):
                link.execute(cut)
                time.sleep(0.1)
        all_go_on(house, PROGRESS_SECONDS)


def failing(times: int, real: Callable[..., Any]) -> Callable[..., Any]:
    """Something that goes wrong so often, as no code of ours expects it to."""
    left = [times]

    def do(*given: Any, **named: Any) -> Any:
        if left[0] > 0:
            left[0] -= 1
            raise RuntimeError("nobody thought of this")
        return real(*given, **named)

    return do


def goes_on(house: House, server: Server) -> None:
    """Every table, while somebody looks; and health is as before."""
    client = server.client("player")
    with watched(server, client):
        all_go_on(house, 20)
        deadline = time.monotonic() + PROGRESS_SECONDS
        while not health(client)["live"]:
            assert time.monotonic() < deadline, health(client)
            time.sleep(0.1)


@pytest.mark.parametrize("place", ["attendants.next_at", "attendants._expire_all", "_watched"])
def test_a_fault_of_our_own_ends_no_attending(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = new_house(sqlite_url(tmp_path))
    add_people(house)
    owner: Any = house.attendants
    name = place.rpartition(".")[2]
    monkeypatch.setattr(owner, name, failing(5, getattr(owner, name)))
    with running(house) as server:
        goes_on(house, server)
    assert house.attendants.attending.failures > 0


def test_a_fault_while_rows_are_taken_in_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows that came with it are read again: nothing is shown that has a hole in it."""
    house = new_house(sqlite_url(tmp_path))
    add_people(house)
    with running(house) as server:
        goes_on(house, server)
        monkeypatch.setattr(house.model, "_take_in", failing(3, house.model._take_in))
        goes_on(house, server)
        assert house.live.following.failures > 0
        house.model.catch_up()
        again = new_house(house.database.name)
        again.model.catch_up()
        for table in again.model.tables:
            known = house.model.station(table)
            if known.day.entries == again.model.station(table).day.entries:
                assert again.model.station(table) == known
        again.close()


def test_a_frame_that_cannot_be_made_keeps_no_other_from_being_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = new_house(sqlite_url(tmp_path))
    add_people(house)
    with running(house) as server:
        real, failed = house.live._frame, list[str]()

        def frame(topic: str, guest: Any) -> Any:
            if topic == f"{TABLE}Table 1" and len(failed) < 3:
                failed.append(topic)
                raise RuntimeError("nobody thought of this")
            return real(topic, guest)

        with watched(server, server.client("player")):
            client = server.client("player", "Spare")
            address = f"ws://127.0.0.1:{server.port}/live?look=table/Table%202&look=table/Table%201"
            cookie = {"Cookie": client.cookie_header}
            with sockets.connect(address, additional_headers=cookie) as screen:
                screen.recv(timeout=10)
                screen.recv(timeout=10)
                monkeypatch.setattr(house.live, "_frame", frame)
                seen: set[str] = set()
                deadline = time.monotonic() + 20
                # What was on its way before is no answer to what fails from here on.
                while (len(failed) < 3 or len(seen) < 2) and time.monotonic() < deadline:
                    text = str(screen.recv(timeout=20))
                    shown = {one for one in ("Table 1", "Table 2") if f'"table":"{one}"' in text}
                    seen |= shown if failed else set()
                assert seen == {"Table 1", "Table 2"}
    assert len(failed) == 3


def test_a_duty_is_told_once_a_minute_and_when_it_goes_on() -> None:
    now = [1000.0]
    duty = Duty("attend tables", clock=lambda: now[0])
    for second in range(5):
        now[0] = 1000.0 + second
        with duty.step("Table 1") as step:
            raise RuntimeError("away")
        assert step.failed
    with duty.step("Table 2"):
        pass
    assert duty.behind_since == 1000.0
    assert duty.failures == 5
    with duty.step("Table 1") as step:
        pass
    assert not step.failed
    assert duty.behind_since is None
    with pytest.raises(KeyboardInterrupt), duty.step("Table 1"):
        raise KeyboardInterrupt


# ---------------------------------------------------------------- what an answer says


@pytest.mark.parametrize(
    ("problem", "status"),
    [
        (LedgerUnavailable("ledger.unavailable", "PostgreSQL: no route to 10.1.2.3"), 503),
        (OutcomeUnknown("ledger.outcome_unknown", "the connection was lost"), 503),
        (RuntimeError("nobody thought of this"), 500),
    ],
)
def test_nobody_is_told_that_nothing_was_changed(
    floor_server: Server, monkeypatch: pytest.MonkeyPatch, problem: Exception, status: int
) -> None:
    """After a fault it is unknown whether a command was carried out; a retry settles it."""

    def fails(*_: Any, **__: Any) -> Any:
        raise problem

    player = floor_server.client("player")
    monkeypatch.setattr(floor_server.house.floor, "ask", fails)
    monkeypatch.setattr(floor_server.house.play_money, "top_up", fails)
    told = player.command("Table 2", do="sit_down", seat=1)
    assert told.status_code == status
    words = told.json()["words"]
    assert words.endswith("unknown whether it was carried out: ask again with the same id")
    assert "10.1.2.3" not in words
    more = player.post("/api/purse", json={"id": "twelve letters", "cents": 100})
    assert more.status_code == status
    assert "ask again with the same id" in more.json()["words"]


def test_a_bet_that_is_durable_is_acknowledged_though_it_cannot_be_read_again(
    floor_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = floor_server.house
    player = floor_server.client("visitor")

    def away(*_: Any) -> Any:
        raise LedgerUnavailable("ledger.unavailable", "away")

    monkeypatch.setattr(house.model, "is_followed", False)
    monkeypatch.setattr(house.model, "catch_up", away)
    told = player.command("Table 2", do="sit_down", seat=3)
    assert told.status_code == 200, told.text


def test_nobody_waits_for_ever_for_an_answer(
    floor_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that takes too long is answered in time, and found when it is sent again."""
    house, over = floor_server.house, threading.Event()
    player = floor_server.client("player")
    real = house.floor.ask

    def late(*given: Any, **named: Any) -> Any:
        answer = real(*given, **named)
        over.wait(20)
        return answer

    monkeypatch.setattr(app, "seconds_for", lambda scope: 1.0)
    monkeypatch.setattr(house.floor, "ask", late)
    body = {"id": "slow but sure", "action": {"do": "sit_down", "seat": 5}}
    began = time.monotonic()
    told = player.post("/api/tables/Table 3/commands", json=body)
    assert time.monotonic() - began < 10
    assert told.status_code == 503
    assert told.json()["words"].endswith("ask again with the same id")
    over.set()
    monkeypatch.undo()
    again = player.post("/api/tables/Table 3/commands", json=body)
    assert again.status_code == 200, again.text
    assert again.json()["repeated"]


class FullDisk(io.StringIO):
    """A log's file that takes nothing."""

    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_stops_nothing(
    floor_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a duty, nor an answer in words; how many lines are missing is told."""

    def away(*_: Any, **__: Any) -> Any:
        raise LedgerUnavailable("ledger.unavailable", "away")

    duty, lost = Duty("to be logged"), Paper.lost
    player = floor_server.client("player")
    monkeypatch.setattr(floor_server.house.floor, "ask", away)
    start_logs("info", FullDisk())
    try:
        with duty.step() as step:
            raise RuntimeError("something went wrong")
        told = player.command("Table 2", do="sit_down", seat=1)
    finally:
        start_logs("error")
    assert step.failed
    assert duty.failures == 1
    assert told.status_code == 503
    assert told.json()["words"].endswith("ask again with the same id")
    assert Paper.lost > lost + 1
    counted = re.search(r"^riverboat_log_lines_lost (\S+)$", player.get("/metrics").text, re.M)
    assert counted is not None
    assert float(counted[1]) > lost + 1
