"""Two server processes on one PostgreSQL show one floor; one of them is killed in a round."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets.sync.client as sockets

from riverboat.floor.audit.auditing import audit
from riverboat.floor.secret import master_secret
from riverboat.ledger import open_ledger
from riverboat.rulebooks import editions
from tests.ledger.postgres_server import PostgresServer
from tests.web.running import Client, frames_until

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 90


class Process:
    """A server of its own."""

    def __init__(self, url: str, folder: Path, secret: str = "floor.secret") -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        command = [sys.executable, "-m", "riverboat", "serve", "--database", url, "--no-browser"]
        command += ["--port", str(self.port), "--pace", "0.05"]
        command += ["--secret", str(folder / secret)]
        self.log = (folder / f"{self.port}.log").open("w+")
        self.runs = subprocess.Popen(
            command, cwd=ROOT, stderr=self.log, env={**os.environ, "XDG_DATA_HOME": str(folder)}
        )

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def wait(self) -> None:
        """Until it answers."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                httpx.get(f"{self.url}/health", timeout=5)
                return
            except httpx.TransportError:
                assert self.runs.poll() is None, Path(self.log.name).read_text()
                assert time.monotonic() < deadline
                time.sleep(0.1)

    def end(self, how: int = signal.SIGTERM) -> None:
        """Stop it."""
        if self.runs.poll() is None:
            self.runs.send_signal(how)
        self.runs.wait(20)
        self.log.close()


@contextmanager
def two_processes(url: str, folder: Path) -> Iterator[tuple[Process, Process]]:
    """One after the other, so that the second finds the demo floor opened."""
    first = Process(url, folder)
    second: Process | None = None
    try:
        first.wait()
        second = Process(url, folder)
        second.wait()
        yield first, second
    finally:
        for one in (first, second):
            if one is not None:
                one.end()


@contextmanager
def looking(process: Process, client: Client, table: str) -> Iterator[Any]:
    """A screen at a table, through one of the processes."""
    address = f"ws://127.0.0.1:{process.port}/live?look=table/{table.replace(' ', '%20')}"
    with sockets.connect(address, additional_headers={"Cookie": client.cookie_header}) as screen:
        yield screen


@pytest.mark.postgres
@pytest.mark.slow
def test_players_go_on_through_the_other_process(postgres: PostgresServer, tmp_path: Path) -> None:
    url, table = postgres.new_database(), "Table 2"
    with (
        two_processes(url, tmp_path) as (first, second),
        Client(base_url=first.url, timeout=30) as ann,
        Client(base_url=second.url, timeout=30) as ben,
    ):
        for client in (ann, ben):
            client.get("/api/me")
            assert client.post("/api/visit").status_code == 200
        with looking(first, ann, table) as at_first, looking(second, ben, table) as at_second:
            until_decision(ann, table, at_first, at_second)
            first.end(signal.SIGKILL)
            ann.base_url = second.url
            finish(ann, second, table, at_second)
    with open_ledger(url, create=False, read_only=True) as ledger:
        found = audit(ledger, editions(), master_secret(tmp_path / "floor.secret"))
    assert found.holds, found.wrong
    assert found.counts["rounds"] >= 1


@pytest.mark.postgres
@pytest.mark.slow
def test_of_two_secrets_on_one_new_database_one_serves(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """Started together; the other one is refused in words, leaves nothing, and destroys nothing."""
    url = postgres.new_database()
    both = [Process(url, tmp_path, f"{name}.secret") for name in ("red", "blue")]
    try:
        deadline = time.monotonic() + START_SECONDS
        while all(one.runs.poll() is None for one in both):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        refused = next(one for one in both if one.runs.poll() is not None)
        serves = next(one for one in both if one is not refused)
        assert refused.runs.returncode == 2
        words = Path(refused.log.name).read_text()
        # Whether it had written its own secret down before the other was quicker.
        assert "this is another floor's secret" in words or "secret is not there" in words
        serves.wait()
        with Client(base_url=serves.url, timeout=30) as ann:
            ann.get("/api/me")
            assert ann.post("/api/visit").status_code == 200
            while ann.command("Table 2", do="sit_down", seat=2).status_code != 200:
                assert time.monotonic() < deadline
                time.sleep(0.1)
    finally:
        for one in both:
            one.end()
    (secret,) = tmp_path.glob("*.secret*")
    with open_ledger(url, create=False, read_only=True) as ledger:
        found = audit(ledger, editions(), master_secret(secret))
    assert found.holds, found.wrong


def until_decision(ann: Client, table: str, at_first: Any, at_second: Any) -> None:
    """Ann sits down and bets; Ben, through the other process, sees it; Ann has to decide."""
    frames_until(at_first, lambda frame: frame["kind"] == "table")
    while ann.command(table, do="sit_down", seat=2).status_code != 200:
        time.sleep(0.1)
    name = ann.get("/api/me").json()["name"]
    frames_until(at_second, lambda frame: name in str(frame.get("seats", frame)))
    frames_until(at_first, lambda frame: (frame["you"] or {}).get("betting"))
    assert ann.command(table, do="wager", seat=2, spot="ante", cents=1000).status_code == 200
    assert ann.post(f"/api/tables/{table}/ready").status_code == 200
    frames_until(at_first, lambda frame: (frame["you"] or {}).get("decide"))


def finish(ann: Client, second: Process, table: str, at_second: Any) -> None:
    """The same session, seat and cards at the other process; the round is played to its end."""
    with looking(second, ann, table) as screen:
        frame = frames_until(screen, lambda one: (one["you"] or {}).get("decide"))
        assert frame["you"]["seat"] == 2
        assert all(frame["round"]["seats"]["2"]["cards"])
        number = ann.get(f"/api/tables/{table}").json()["round_number"]
        assert ann.command(table, do="fold", seat=2).status_code == 200
        frames_until(at_second, lambda one: one["round_number"] > number or not one["round"])
    deadline = time.monotonic() + 20
    while not ann.get("/api/rounds").json()["rounds"]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
