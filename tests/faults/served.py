"""Servers as an operator starts them: `riverboat serve`, each a process of its own that is paused,
killed and started again at the same place."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx

ROOT: Final = Path(__file__).resolve().parent.parent.parent
START_SECONDS: Final = 120.0
PACE: Final = 0.05
"""Of the programs: at a table that is only looked at from the lobby too, much less than ten seconds
lie between two steps."""


class Served:
    """One server, whichever process it is just now."""

    def __init__(
        self, name: str, url: str, folder: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port: int = found.getsockname()[1]
        self.name = name
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"{name}.log"
        self._command = [sys.executable, "-m", "riverboat", "serve", "--database", url]
        self._command += ["--no-browser", "--port", str(self.port), "--pace", str(PACE)]
        self._command += ["--secret", str(folder / "floor.secret")]
        places = {"XDG_DATA_HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
        self._environment = {**os.environ, **places, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """A new process; the log goes on."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, stdout=log, stderr=log, env=self._environment
            )

    async def answering(self) -> None:
        """Until it answers."""
        async with asyncio.timeout(START_SECONDS), httpx.AsyncClient(timeout=2) as client:
            while not await self._answers(client):
                assert self._process is not None
                ended = self._process.poll()
                assert ended is None, f"{self.name} ended ({ended}): {self.log_text()[-2000:]}"
                await asyncio.sleep(0.1)

    async def ended(self, seconds: float) -> int | None:
        """How it ended; nothing where it answers, or still tries to after so long."""
        assert self._process is not None
        async with httpx.AsyncClient(timeout=2) as client:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while self._process.poll() is None and not await self._answers(client):
                        await asyncio.sleep(0.1)
        return self._process.poll()

    async def _answers(self, client: httpx.AsyncClient) -> bool:
        with suppress(httpx.TransportError):
            return (await client.get(f"{self.address}/health")).status_code == 200
        return False

    async def health(self) -> dict[str, Any]:
        """What it says of itself; nothing where it does not answer."""
        async with httpx.AsyncClient(timeout=2) as client:
            with suppress(httpx.TransportError):
                told: dict[str, Any] = (await client.get(f"{self.address}/health")).json()
                return told
        return {}

    def log_text(self) -> str:
        """Everything that it has logged."""
        return self.log.read_text(errors="replace")

    def signal(self, number: int) -> None:
        """Pause it, let it go on."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """As if it had lost its power."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """As an operator stops it."""
        if self._process is None:
            return
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
