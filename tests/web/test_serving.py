"""Starting the server: what it says when something is in the way."""

import errno
import json
import os
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import websockets.sync.client as sockets
from websockets.exceptions import ConnectionClosed

from riverboat.cli import run
from riverboat.core.errors import NotationError
from riverboat.web.server import app, serving
from riverboat.web.server.serving import Address, held_alone
from tests.web.running import Server


def test_a_port_that_is_taken_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"127.0.0.1:{port} cannot be used (Address already in use)")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["--port", "0"], ["--port", "70000"], ["--pace", "-1"]])
def test_what_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(["serve", *arguments]) == 2
    assert arguments[0] in capsys.readouterr().err


def test_without_display_or_browser_the_address_is_printed(
    capsys: pytest.CaptureFixture[str], floor_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = Address(port=floor_server.port)
    monkeypatch.setattr(serving, "has_display", lambda: False)
    serving.show_in_browser(address)
    assert capsys.readouterr().err == f"no display here; open {address.page} in a browser\n"
    monkeypatch.setattr(serving, "has_display", lambda: True)
    monkeypatch.setattr(webbrowser, "open", lambda page: False)
    serving.show_in_browser(address)
    assert capsys.readouterr().err == f"no browser could be started; open {address.page} in one\n"


def test_an_address_for_everybody_is_shown_as_this_machines() -> None:
    assert Address(host="0.0.0.0", port=8000).page == "http://127.0.0.1:8000/"
    assert Address(host="::1", port=8000).page == "http://[::1]:8000/"


def test_frames_end_with_the_session(floor_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SESSION_SECONDS", 0.0)
    client = floor_server.client("player")
    address = floor_server.url.replace("http", "ws") + "/live?look=table/Table%205"
    with sockets.connect(address, additional_headers={"Cookie": client.cookie_header}) as screen:
        assert json.loads(screen.recv(timeout=10))["kind"] == "table"
        client.post("/api/sign-out")
        house = floor_server.house
        house.play_money.top_up(f"after the session {time.time()}", "Player", 100)
        frames = iter(lambda: screen.recv(timeout=10), None)
        with pytest.raises(ConnectionClosed):
            list(frames)


@contextmanager
def started(port: int, folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A server of its own process; at the end it is not asked to stop, it is killed."""
    command = [sys.executable, "-m", "riverboat", "serve", "--port", str(port), "--no-browser"]
    own = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen([*command, *more], env=own, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.kill()


def free_port() -> int:
    """One that nobody has now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def until_it_answers(server: subprocess.Popen[str], port: int) -> None:
    """It listens, or says why not."""
    deadline = time.monotonic() + 60
    while not serving.answers(Address(port=port)):
        assert server.poll() is None, server.stderr and server.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_a_script_is_told_where_it_listens_and_the_first_password(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "riverboat", "serve", "--port", str(port), "--json"]
    own = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(command, env=own, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            document = json.loads("".join(iter(server.stdout.readline, "}\n")) + "}")
            assert serving.answers(Address(port=port)), "it is told once it listens"
        finally:
            server.kill()
    assert document["address"] == f"http://127.0.0.1:{port}/"
    assert document["database"] == f"sqlite:///{tmp_path / 'riverboat' / 'floor.db'}"
    assert document["visitors"] is True
    assert document["administrator"] == "admin"
    assert len(document["password"]) > 8


@pytest.mark.slow
def test_a_second_server_on_the_same_file_is_refused_before_anything_is_opened(
    tmp_path: Path,
) -> None:
    file, link = tmp_path / "riverboat" / "floor.db", tmp_path / "another name.db"
    first_port, second_port = free_port(), free_port()
    with started(first_port, tmp_path) as first:
        until_it_answers(first, first_port)
        link.symlink_to(file)
        before = sorted(tmp_path.rglob("*"))
        for more in ((), ("--database", str(file)), ("--database", f"sqlite:///{link}")):
            with started(second_port, tmp_path, *more) as second:
                _, said = second.communicate(timeout=30)
                assert second.returncode == 2
            assert f"{file} is served already (process {first.pid})" in said
            assert "stop that server first" in said
            assert "postgresql://" in said
        assert sorted(tmp_path.rglob("*")) == before
    with started(first_port, tmp_path) as again:
        until_it_answers(again, first_port)


def test_a_ledger_where_nothing_can_be_written_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["serve", "--port", str(free_port()), "--database", "/proc/floor.db"]) == 2
    assert "/proc/floor.db.serving cannot be written" in capsys.readouterr().err


def test_servers_on_postgresql_do_not_wait_for_one_another() -> None:
    with held_alone("postgresql://here/floor"), held_alone("postgresql://here/floor"):
        pass


def test_a_lock_that_cannot_be_written_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the file is there, empty, and nothing goes into it."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with (
        pytest.raises(NotationError, match=r"floor\.db\.serving cannot be written \(No space"),
        held_alone(str(tmp_path / "floor.db")),
    ):
        pass
