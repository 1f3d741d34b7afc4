"""Starting the server, alone on its file: what it rests on, where it listens, what it tells whoever
started it.

One server for a floor in a file: a second one would not see what the first one keeps in mind.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import IO, Final

import h11
from litestar import Litestar
from msgspec import Struct
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from riverboat.core.errors import NotationError, RiverboatError
from riverboat.core.visible import visible
from riverboat.floor.floor import Floor
from riverboat.floor.secret import opening_secret
from riverboat.ledger import HeadKeeper, LedgerError, open_ledger, own_witness, witness_at
from riverboat.rulebooks import editions
from riverboat.web.accounts import LOOPBACK, Place
from riverboat.web.house import House, Manner
from riverboat.web.server.monitoring import log, start_logs

PORT: Final = 8610
HOST: Final = "127.0.0.1"
MASTER: Final = "master.secret"
START_SECONDS: Final = 60.0
HALF_SECONDS: Final = 10.0
"""By then a request has come with all its headers."""
MOST_CONNECTIONS: Final = 200
"""Of one address that is not this machine, where a proxy may stand for everybody."""
FILES_KEPT: Final = 128
"""Of those that the system lets this process open: for the ledger and the pages. All connections
together have the others."""
MOST_SCREEN_BYTES: Final = 65_536
"""Of what a page says over a screen's line, which nobody reads."""
SUFFIX: Final = ".serving"
"""Of the lock's file, beside the ledger. The lock is the system's and ends with the process that
holds it, however that ends; the file itself may stay, and means nothing."""


class Address(Struct, frozen=True, kw_only=True):
    """Where a server listens and what it rests on."""

    host: str = HOST
    port: int = PORT
    database: str = ""
    demo: bool = False
    secure: bool = False
    pace: float = 1.0
    secret: str = ""
    witness: str = ""
    """Where the ledger's heads are kept besides the file on this machine: http://…, or a path."""
    new_floor: bool = False
    decision_seconds: float = 60.0
    signer_hours: int = 24
    log: str = "warning"
    browser: bool = False

    @property
    def near(self) -> str:
        """Where this very machine reaches it."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)

    @property
    def page(self) -> str:
        """The first page's address."""
        host = f"[{self.near}]" if ":" in self.near else self.near
        return f"http://{host}:{self.port}/"


def data_folder() -> Path:
    """Where the floor's own ledger and secrets lie, readable by their owner only."""
    folder = _data_path()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _data_path() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "riverboat"


def require_free(host: str, port: int) -> None:
    """A port that is taken is said before anything is opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as problem:
            text = f"{host}:{port} cannot be used ({problem.strerror}); choose another `port`"
            raise NotationError("serve.port", text) from None


def ledger_of(address: Address) -> str:
    """Where the floor's ledger lies."""
    return address.database or f"sqlite:///{data_folder() / 'floor.db'}"


def secret_of(address: Address) -> Path:
    """Where the floor's secret lies: where it is said to; beside a ledger that is a file of its
    own; or in the floor's own folder."""
    named = address.database.removeprefix("sqlite:///")
    if address.secret:
        return Path(address.secret)
    return Path(f"{named}.secret") if named and "://" not in named else data_folder() / MASTER


def secrets_near(database: str) -> tuple[Path, ...]:
    """Where `serve` would look for the secret of a ledger, whether it was named or is the floor's
    own; nothing is made."""
    named = database.removeprefix("sqlite:///")
    own = _data_path() / MASTER
    return (own,) if "://" in named else (Path(f"{named}.secret"), own)


def house_at(address: Address) -> tuple[House, str]:
    """The house on its database, and the secret of its forms: the same in every process that has
    the floor's secret. Another secret than the ledger knows, or none, ends it here."""
    ledger = open_ledger(ledger_of(address))
    try:
        path, now = secret_of(address), int(time.time())
        floor = Floor(
            ledger, editions(), opening_secret(path, ledger, now, new_floor=address.new_floor)
        )
        own = floor.keys.own
        also = (witness_at(address.witness),) if address.witness else ()
        floor.heads = HeadKeeper(ledger, own.signing_key(), (own_witness(own.floor), *also))
    except BaseException:
        ledger.close()
        raise
    manner = Manner(
        demo=address.demo,
        # With HTTPS a proxy stands here, and whoever it speaks for may look like this machine.
        local_demo=address.host in LOOPBACK and not address.secure,
        secure=address.secure,
        pace=address.pace,
        decision_seconds=address.decision_seconds or None,
        signer_wait_seconds=address.signer_hours * 3600,
    )
    return House(floor, manner), floor.keys.own.mark_of(b"riverboat forms v1")


class Opened(Struct, frozen=True, kw_only=True):
    """A floor that listens: where, on which ledger, whether visitors may come in without an
    account, and, the first time, the administrator's password."""

    address: str
    database: str
    visitors: bool
    administrator: str | None = None
    password: str | None = None


def say_opened(opened: Opened) -> None:
    """The same for whoever started it."""
    if opened.password is not None:
        _say(
            f"administrator: {opened.administrator}, password {opened.password} (shown this once; "
            "you change it when you sign in)"
        )
    _say(f"Riverboat: {opened.address} (play money only); Ctrl-C stops it")
    if not opened.visitors:
        _say("visitors are off; start with --demo to let them in without an account")


def serve(address: Address, tell: Callable[[Opened], object] = say_opened) -> None:
    """Run until stopped; alone, where the ledger is a file. Once it listens, that is told."""
    require_free(address.host, address.port)
    with held_alone(ledger_of(address)):
        _serve(address, tell)


def _serve(address: Address, tell: Callable[[Opened], object]) -> None:
    import uvicorn

    from riverboat.web.server.app import make_app

    start_logs(address.log)
    house, forms = house_at(address)
    _look_over(house)
    password = None
    if house.floor.takes_commands:
        password = house.accounts.first_administrator()
    opened = Opened(
        address=address.page,
        database=house.floor.ledger.store.name,
        visitors=house.manner.demo or house.manner.local_demo,
        administrator=None if password is None else "admin",
        password=password,
    )
    threading.Thread(target=_once_listening, args=(address, opened, tell), daemon=True).start()
    # Once all is answered uvicorn raises the signal that ended it again: without a handler of our
    # own that ends the process, and the log beside a ledger's file never comes into it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        uvicorn.Server(listening(make_app(house, forms), address.host, address.port)).run()
    finally:
        house.close()


def listening(app: Litestar, host: str, port: int) -> Config:
    """How requests are taken."""
    return Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        http=Line,
        ws="websockets-sansio",
        ws_max_size=MOST_SCREEN_BYTES,
        timeout_graceful_shutdown=3,
    )


def most_connections() -> float:
    """Of all together: a process that has no file left could not even write to its ledger."""
    if sys.platform == "win32":
        return inf
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return inf if most == resource.RLIM_INFINITY else max(1, most - FILES_KEPT)


class Line(H11Protocol):
    """One connection. Whoever sends nothing, or half of a request, is not waited for, and one
    address has so many connections at a time."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > most_connections() or self._has_too_many():
            transport.close()
        self._wait()

    def _has_too_many(self) -> bool:
        """Whether this address has all its connections already, screens among them."""
        own = Place(self.client[0] if self.client else "").network
        if not own:
            return False
        others = [getattr(one, "client", None) for one in self.connections]
        same = sum(1 for client in others if client and Place(client[0]).network == own)
        return same > MOST_CONNECTIONS

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait()

    def _wait(self) -> None:
        """For the rest of what was begun, from its first byte on."""
        if self.conn.their_state is not h11.IDLE:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None
        elif self._waiting is None and self.timeout_keep_alive_task is None:
            self._waiting = self.loop.call_later(HALF_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._waiting = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()


def _look_over(house: House) -> None:
    """Before anybody comes in: a rulebook that a table plays by and that is not here ends it, and
    what lets the floor take no command is said."""
    try:
        house.model.catch_up()
    except RiverboatError:
        house.close()
        raise
    try:
        house.floor.start()
        for problem in house.floor.unasked:
            log.warning("witness not asked at the start, and asked again later", problem=problem)
    except LedgerError as wrong:
        if house.floor.takes_commands:
            house.commanding.failed("", wrong)
        _say(f"this floor can be looked at and takes no command: {wrong}")


def _once_listening(address: Address, opened: Opened, tell: Callable[[Opened], object]) -> None:
    """Tell that it listens; a first password is told even where it takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while not answers(address) and time.monotonic() < deadline:
        time.sleep(0.1)
    tell(opened)
    if address.browser:
        show_in_browser(address)


def show_in_browser(address: Address) -> None:
    """Open the page of a server that answers; where that cannot be, say so: the address is
    there."""
    if not has_display():
        _say(f"no display here; open {address.page} in a browser")
        return
    try:
        opened = webbrowser.open(address.page)
    except webbrowser.Error:
        opened = False
    if not opened:
        _say(f"no browser could be started; open {address.page} in one")


def answers(address: Address) -> bool:
    """Whether somebody listens there."""
    try:
        socket.create_connection((address.near, address.port), timeout=1).close()
    except OSError:
        return False
    return True


def has_display() -> bool:
    """Whether a window could be shown."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _say(line: str) -> None:
    sys.stderr.write(f"{visible(line)}\n")
    sys.stderr.flush()


# ---------------------------------------------------------------- alone on a file


@contextmanager
def held_alone(url: str) -> Iterator[None]:
    """Hold a ledger's file against a second server; a database with a server of its own is for as
    many as like, and what is no address is said where it is opened."""
    named = url.removeprefix("sqlite:///")
    if not named or "://" in named:
        yield
        return
    path = Path(os.path.realpath(named))
    beside = path.with_name(path.name + SUFFIX)
    try:
        file = beside.open("a+", encoding="utf-8")
    except OSError as problem:
        raise _unwritten(beside, problem) from None
    with file:
        if not _lock(file):
            raise NotationError("serve.taken", _taken(path, file))
        try:
            # Past the file's own buffer, which would be tried again when it is closed.
            os.ftruncate(file.fileno(), 0)
            os.write(file.fileno(), f"{os.getpid()}\n".encode())
        except OSError as problem:
            raise _unwritten(beside, problem) from None
        yield


def _unwritten(beside: Path, problem: OSError) -> NotationError:
    text = f"{beside} cannot be written ({problem.strerror}); choose another `database`"
    return NotationError("serve.file", text)


def _taken(path: Path, file: IO[str]) -> str:
    file.seek(0)
    process = file.read(20).strip()
    who = f" (process {process})" if process.isdigit() else ""
    return (
        f"{path} is served already{who}: stop that server first, or start several on one "
        "`database` postgresql://… and the same `secret`"
    )


def _lock(file: IO[str]) -> bool:
    """Whether it is ours now; nobody waits for it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
