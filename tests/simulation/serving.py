"""A process of the floor's server in the simulation: a real floor, house and application on a
simulated disk, reached as a browser reaches it but without a socket."""

import json
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from litestar import Litestar
from litestar.middleware.csrf import generate_csrf_token

from riverboat.core.errors import RiverboatError
from riverboat.floor.floor import Floor
from riverboat.floor.secret import MasterSecret
from riverboat.ledger import ChainBroken, Head, HeadKeeper, Ledger, SignedHead
from riverboat.ledger.witness import require_not_back
from riverboat.table.day import Books
from riverboat.web.accounts import Guest
from riverboat.web.auth import COOKIE, CSRF_COOKIE, CSRF_HEADER
from riverboat.web.house import House, Manner
from riverboat.web.server.app import make_app
from riverboat.web.server.monitoring import Counts
from tests.simulation.disk import PATIENCE_SECONDS, Disk, SimulatedStore
from tests.simulation.pretending import EPOCH, Process, SimLoop
from tests.simulation.scheduling import Scheduler, Task, World

SECRET: Final = MasterSecret(b"the hunter's own secret: 32 byte")
FORMS: Final = "forms of the simulation, long enough"
MANNER: Final = Manner(
    pace=6.0,
    effort_tries=10**9,
    commands=10**9,
    tables=10**9,
    decision_seconds=45.0,
    signer_wait_seconds=0,
)
HEARD_SECONDS: Final = 20.0
"""How long a client waits for an answer."""
RESTART_SECONDS: Final = 1.0


class Reply(NamedTuple):
    """What a client was told; status 0 where it heard nothing."""

    status: int
    told: Any

    @property
    def words(self) -> str:
        """What it says, where it says something."""
        return str(self.told.get("words", "")) if isinstance(self.told, dict) else ""


NOTHING_HEARD: Final = Reply(0, None)


@cache
def application(slot: int) -> Litestar:
    """The application of a slot's processes, made once: only the house in it changes."""
    return make_app(SimpleNamespace(manner=MANNER), FORMS)  # type: ignore[arg-type]


@cache
def form_token() -> str:
    """For every form: whose session it is says another cookie."""
    return generate_csrf_token(FORMS)


class Exchange:
    """A request that is under way, and who waits for its answer."""

    def __init__(self, waiting: Task | None) -> None:
        self.waiting = waiting
        self.reply: Reply | None = None

    def answer(self, reply: Reply) -> None:
        """Heard, once."""
        if self.reply is None:
            self.reply = reply
            if self.waiting is not None:
                World.running().wake(self.waiting)


class Seen(NamedTuple):
    """Something that somebody was shown, and how many rows were durable by then."""

    guest: Guest
    document: bytes
    head: int


class SecondPlace:
    """Another machine's disk, which remembers how far the ledger went."""

    name = "the second place"

    def __init__(self) -> None:
        self.kept: SignedHead | None = None
        self.noted: Head | None = None

    def keep(self, signed: SignedHead) -> None:
        if self.kept is not None:
            require_not_back(self.kept, signed, self.name)
        self.kept = signed

    def note(self, head: Head) -> None:
        """After every commit, before anybody hears of it; of two processes, the later row."""
        if self.noted is None or head.seq > self.noted.seq:
            self.noted = head

    def seen(self, public_key: bytes) -> list[Head]:
        kept = () if self.kept is None else (self.kept.head,)
        return [*kept, *(() if self.noted is None else (self.noted,))]


def new_house(disk: Disk, process: Process, books: Books, place: SecondPlace) -> House:
    """As `serve` makes it, on this disk."""
    ledger = Ledger(SimulatedStore(disk, process), PATIENCE_SECONDS)
    scheduler = disk.scheduler
    floor = Floor(
        ledger,
        books,
        SECRET,
        clock=lambda: int(EPOCH + scheduler.now + process.skew),
        entropy=World.chance.randbytes,
    )
    floor.heads = HeadKeeper(ledger, floor.keys.own.signing_key(), (place,))
    ledger.on_durable = place.note
    return House(floor, MANNER)


class Server:
    """A slot in which one process after another serves: it is killed, and started again."""

    def __init__(
        self,
        slot: int,
        disk: Disk,
        books: Books,
        screens: Mapping[str, frozenset[str]],
        place: SecondPlace,
    ) -> None:
        self.slot, self.disk, self.books, self.screens = slot, disk, books, screens
        self.place = place
        self.starts = 0
        self.process = Process(f"p{slot}")
        self.house: House | None = None
        self.loop: SimLoop | None = None
        self.under_way: dict[Exchange, None] = {}
        self.seen: list[Seen] = []
        self.last_words = ""
        self.noticed = ""
        """What it says is wrong with the ledger, so that it does not start."""

    @property
    def scheduler(self) -> Scheduler:
        """The simulation's."""
        return self.disk.scheduler

    @property
    def is_up(self) -> bool:
        """Whether it takes requests."""
        return self.loop is not None and self.house is not None

    @property
    def store(self) -> SimulatedStore | None:
        """Its way to the disk."""
        if self.house is None:
            return None
        store = self.house.floor.ledger.store
        assert isinstance(store, SimulatedStore)
        return store

    # ---------------------------------------------------------------- a process

    def start(self, after: float = 0.0) -> None:
        """A new process in this slot; everything that the one before had in mind is gone."""
        self.starts += 1
        self.process = process = Process(f"p{self.slot}.{self.starts}")
        self.scheduler.spawn(f"{process} main", lambda: self._main(process), process, after)

    def kill(self) -> None:
        """As `kill -9` does it."""
        process, self.house = self.process, None
        loop, self.loop = self.loop, None
        self.scheduler.kill(process)
        self.disk.stores[:] = [one for one in self.disk.stores if one.owner is not process]
        self.disk.cut(lambda connection: connection.owner is process)
        for exchange in list(self.under_way):
            exchange.answer(NOTHING_HEARD)
        self.under_way.clear()
        del loop

    @property
    def says_it_lost(self) -> bool:
        """Whether it did not start on what is left, or takes no command since it saw it."""
        return bool(self.noticed) or (
            self.house is not None and not self.house.floor.takes_commands
        )

    def _main(self, process: Process) -> None:
        loop = SimLoop()
        try:
            loop.run_until_complete(self._serve(loop, process))
        except ChainBroken as problem:
            self.scheduler.note("notices:", problem)
            self.noticed = str(problem)
            self.kill()
        except RiverboatError as problem:
            self.last_words = str(problem)
            self.scheduler.note("does not start:", problem.code)
            self.scheduler.spawn("start again", self.start, None, RESTART_SECONDS)
            self.kill()
        finally:
            loop.abandon()

    async def _serve(self, loop: SimLoop, process: Process) -> None:
        house = new_house(self.disk, process, self.books, self.place)
        house.floor.start()
        await house.start()
        app = application(self.slot)
        app.state.house = house
        app.state.counts = Counts(house)
        self._watch(house)
        self.house, self.loop = house, loop
        self.scheduler.note("is up")
        await loop.create_future()

    def _watch(self, house: House) -> None:
        """Screens, as people of this process have them; every frame is kept."""
        for name, topics in self.screens.items():
            door = "player" if name != "Otto" else "auditor"
            guest = Guest(name=name, door=door)  # type: ignore[arg-type]
            screen = house.live.look(guest, topics)
            screen.show = self._keep(guest)  # type: ignore[method-assign]

    def _keep(self, guest: Guest) -> Any:
        def show(topic: str, frame: bytes) -> None:
            if topic.startswith("table/"):
                self.seen.append(Seen(guest, frame, self.disk.head()))

        return show

    # ---------------------------------------------------------------- a request

    def ask(self, method: str, path: str, token: str, body: object = None) -> Reply:
        """By a client, who waits for the answer; nothing heard where the process dies, is not
        there, or takes too long."""
        if self.loop is None:
            return NOTHING_HEARD
        exchange = Exchange(self.scheduler.current)
        self.under_way[exchange] = None
        self.loop.call_soon_threadsafe(self._begin, self.loop, exchange, method, path, token, body)
        if exchange.reply is None:
            self.scheduler.block(HEARD_SECONDS)
        self.under_way.pop(exchange, None)
        exchange.waiting = None
        return exchange.reply or NOTHING_HEARD

    def _begin(
        self, loop: SimLoop, exchange: Exchange, method: str, path: str, token: str, body: object
    ) -> None:
        loop.create_task(self._answered(exchange, method, path, token, body))

    async def _answered(
        self, exchange: Exchange, method: str, path: str, token: str, body: object
    ) -> None:
        sent = b"" if body is None else json.dumps(body).encode()
        cookie = f"{COOKIE}={token}; {CSRF_COOKIE}={form_token()}"
        headers = {
            "host": "floor.example",
            "cookie": cookie,
            CSRF_HEADER: form_token(),
            "content-type": "application/json",
            "content-length": str(len(sent)),
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path).encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("192.0.2.7", 50_000),
            "server": ("floor.example", 80),
        }
        status, parts = 0, []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                parts.append(message.get("body", b""))

        await application(self.slot)(scope, receive, send)  # type: ignore[arg-type]
        text = b"".join(parts)
        exchange.answer(Reply(status, json.loads(text) if text else None))
