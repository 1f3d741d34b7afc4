"""A floor that is really served: a process of its own, a free port, an empty data folder."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PACE: Final = 0.15
"""The automatic dealer's; programs need no pause to be followed by a test."""
START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 15.0
_PASSWORD: Final = re.compile(r"administrator: admin, password (\S+) ")


class Served:
    """A running server: where it is, and what it keeps."""

    def __init__(self, port: int, folder: Path, log: Path) -> None:
        self.port, self.folder, self.log = port, folder, log

    @property
    def url(self) -> str:
        """Its address, without a path."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def ledger(self) -> str:
        """Its ledger's address."""
        return f"sqlite:///{self.folder / 'riverboat' / 'floor.db'}"

    @property
    def secret(self) -> Path:
        """The floor's secret."""
        return self.folder / "riverboat" / "master.secret"

    @property
    def password(self) -> str:
        """The administrator's first, as it was told once at the start."""
        found = _PASSWORD.search(self.log.read_text(encoding="utf-8"))
        assert found is not None, "the first start did not tell the administrator's password"
        return found[1]


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """`riverboat serve` until it is not needed any more."""
    server = Served(free_port(), folder, folder / "log.txt")
    command = [
        sys.executable, "-m", "riverboat", "serve", "--no-browser", "--port", str(server.port),
        "--pace", str(PACE), *options,
    ]  # fmt: skip
    around = {**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    with server.log.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, env=around, stdout=log, stderr=log)
    try:
        wait_for(server, process)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(server: Served, process: "subprocess.Popen[bytes]") -> None:
    """Until it answers; a server that does not come up says why."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{server.url}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"the server did not come up: {server.log.read_text()[-2000:]}")


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
