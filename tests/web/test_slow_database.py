"""A database that takes two seconds for every answer: nobody waits but those who write to it."""

import json
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as sockets

from tests.ledger.postgres_server import PostgresServer
from tests.web.running import Client, Server, add_people, frames_until, new_house, running

SECONDS = 2.0
AT_ONCE = 0.1
LATEST = 1.0
"""Of a busy machine; whoever waits for the database waits twice as long."""
TABLE = "Table 2"
SHELLS = ("/lobby", "/sign-in", "/odds/house-demo", "/settle", "/dealer", "/sign")
FILES = ("/static/js/seat.js", "/static/wheel.svg")


class SlowDoor:
    """A socket in front of a server's own, through which its answers come late, or not."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.late = False
        self._server = str(server / ".s.PGSQL.5432")
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / ".s.PGSQL.5432"))
        self._door.listen(64)
        threading.Thread(target=self._open, daemon=True).start()

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                for come, go, answers in ((client, server, False), (server, client, True)):
                    threading.Thread(
                        target=self._pass_on, args=(come, go, answers), daemon=True
                    ).start()

    def _pass_on(self, come: socket.socket, go: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := come.recv(65_536):
                if answers and self.late:
                    time.sleep(SECONDS)
                go.sendall(data)
        for one in (come, go):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        come.close()

    def close(self) -> None:
        """Nobody new comes through."""
        self._door.close()


@contextmanager
def slow_door(postgres: PostgresServer) -> Iterator[tuple[SlowDoor, str]]:
    """A door, and the address of a new database behind it."""
    url = postgres.new_database()
    folder = Path(tempfile.mkdtemp(prefix="rbslow", dir="/tmp"))
    door = SlowDoor(postgres.folder, folder)
    try:
        yield door, url.replace(str(postgres.folder), str(folder))
    finally:
        door.close()
        shutil.rmtree(folder)


def seconds_of(answers: Any) -> float:
    """How long an answer takes."""
    began = time.monotonic()
    answers()
    return time.monotonic() - began


def require_at_once(taken: list[float]) -> None:
    """Nearly all within a tenth of a second, and none that could have waited for the database."""
    late = [one for one in taken if one > AT_ONCE]
    assert len(late) <= len(taken) // 10, sorted(taken)[-10:]
    assert max(taken) < LATEST, max(taken)


def opens(client: Client, path: str) -> None:
    """A page or a file comes whole."""
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.text)


def asking(player: Client) -> list[threading.Thread]:
    """Commands that wait for the database, in every thread that there is."""
    asked = [{"table": TABLE, "do": "sit_down", "seat": 1 + number % 5} for number in range(8)]
    threads = [threading.Thread(target=player.command, kwargs=one) for one in asked]
    for thread in threads:
        thread.start()
    return threads


def answers_meanwhile(server: Server, player: Client, screen: Any) -> None:
    """Pages, files and sockets are as quick as ever."""
    anybody = server.client()
    taken: list[float] = []
    until = time.monotonic() + 4 * SECONDS
    while time.monotonic() < until:
        taken += [seconds_of(lambda path=path: opens(anybody, path)) for path in SHELLS]
        taken += [seconds_of(lambda path=path: opens(player, path)) for path in FILES]
        taken.append(seconds_of(screen.ping().wait))
    require_at_once(taken)


@pytest.mark.postgres
@pytest.mark.slow
def test_pages_and_sockets_answer_and_frames_say_that_they_are_behind(
    postgres: PostgresServer,
) -> None:
    with slow_door(postgres) as (door, url):
        house = new_house(url)
        add_people(house)
        with running(house) as server:
            player = server.client("player")
            for path in SHELLS:
                opens(player, path)
            address = f"ws://127.0.0.1:{server.port}/live?look=table/{TABLE.replace(' ', '%20')}"
            cookie = {"Cookie": player.cookie_header}
            with sockets.connect(address, additional_headers=cookie) as screen:
                assert json.loads(screen.recv(timeout=20))["kind"] == "table"
                door.late = True
                frames_until(screen, lambda one: one["kind"] == "lost", 10)
                others = asking(player)
                answers_meanwhile(server, player, screen)
                door.late = False
                for one in others:
                    one.join()
                frames_until(screen, lambda one: one["kind"] == "table", 30)
