"""The way of one bet, from the request to the frame on a screen: what it asks for and passes."""

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import websockets.sync.client as sockets

from riverboat.answers.house_books import accounting_document
from riverboat.floor.books.accounting import keep_books
from riverboat.floor.codec import TABLE
from riverboat.floor.floor import Floor
from riverboat.round import actions as g
from riverboat.web.demo.tables import demo_tables
from riverboat.web.house import House
from tests.web.playing import give_money, people, play, play_until
from tests.web.running import add_people, frames_until, new_house, running, sqlite_url

MOST_MODULES = 54
"""From the request to the frame, rules and words of the next step included."""
MOST_DECIDING = 34
"""In the thread that carries the bet out, to whose purse, whose signature and which sealed cards it
looks too."""
ASKING = "asyncio_"
"""How the threads are called in which commands are carried out."""
RULEBOOK = "iowa-catfish-bend"


class Way:
    """Which functions of the program were called, and in which threads, while it is looked at."""

    def __init__(self) -> None:
        self.looks = False
        self.called: Counter[tuple[str, str, str]] = Counter()

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """As `sys.setprofile` calls it."""
        if self.looks and event == "call":
            module = frame.f_globals.get("__name__", "")
            if module.startswith("riverboat."):
                thread = threading.current_thread().name
                self.called[module, frame.f_code.co_qualname, thread] += 1

    def times(self, name: str, *, thread: str = "") -> int:
        """How often functions that end so were called, in threads that are called so."""
        return sum(
            times
            for (module, function, where), times in self.called.items()
            if f"{module}.{function}".endswith(name) and where.startswith(thread)
        )

    @property
    def modules(self) -> set[str]:
        """All that were entered."""
        return {module for module, _, _ in self.called}


@pytest.fixture
def way() -> Iterator[Way]:
    """Noted in every thread that begins from now on."""
    found = Way()
    threading.setprofile(found.note)
    try:
        yield found
    finally:
        threading.setprofile(None)


async def nobody_attends() -> None:
    """The programs of the table leave it as it is."""


def at_betting(house: House) -> str:
    """A table where Player may bet."""
    table = next(one for one in demo_tables(house.floor) if one.rulebook == RULEBOOK)
    house.open_demo(table)
    house.play_money.top_up("a purse", "Player", 50_000_00)
    play_until(house, table.name, people("Player"), lambda doing: isinstance(doing.ask, g.Wager))
    return table.name


def make_one_bet(house: House, way: Way) -> None:
    """Player's ante, from the request to the frame in which it lies on the felt."""
    table = at_betting(house)
    house.attendants.start = nobody_attends  # type: ignore[method-assign]
    with running(house) as server:
        client = server.client("player")
        address = f"ws://127.0.0.1:{server.port}/live?look=table/{table.replace(' ', '%20')}"
        cookie = {"Cookie": client.cookie_header}
        client.command(table, do="wager", seat=1, spot="ante", cents=500)
        client.command(table, do="take_back", seat=1, spot="ante")
        with sockets.connect(address, additional_headers=cookie) as screen:
            frames_until(screen, lambda one: one["you"]["betting"])
            way.looks = True
            told = client.command(table, do="wager", seat=1, spot="ante", cents=1_000)
            frames_until(screen, lambda one: one["at"] >= told.json()["at"])
            way.looks = False
            assert told.status_code == 200, told.text


def test_a_bet_is_looked_up_read_decided_and_folded_once(tmp_path: Path, way: Way) -> None:
    house = new_house(sqlite_url(tmp_path))
    add_people(house)
    make_one_bet(house, way)
    assert way.times("Ledger.append") == 1
    assert way.times("SqliteReading.known_commands") == 1, "its id is looked up where it is written"
    assert way.times("Ledger.recall") == way.times(".of_command") == 0
    assert way.times("Reading.read", thread=ASKING) == 0
    assert way.times("Reading.read_all", thread=ASKING) == 0, "its purse is known by its version"
    assert way.times("station.decide") == 1
    assert way.times("station.apply") == 1, "one event, applied by whoever decided it"
    assert way.times("ReadModel._table") == 1
    assert way.times(".read_table_body") == 0


def test_a_bet_passes_few_modules(tmp_path: Path, way: Way) -> None:
    """Those that decide what follows from it and what can be asked for next are the rules' own."""
    house = new_house(sqlite_url(tmp_path))
    add_people(house)
    make_one_bet(house, way)
    deciding = {module for module, _, thread in way.called if thread.startswith(ASKING)}
    assert len(deciding) <= MOST_DECIDING, sorted(deciding)
    assert len(way.modules) <= MOST_MODULES, sorted(way.modules)


def test_what_the_floor_decides_on_is_what_the_ledger_says(tmp_path: Path) -> None:
    """A table that nobody folded again is the one that is folded from its rows."""
    house = new_house(sqlite_url(tmp_path))
    names = ("Ann", "Ben")
    give_money(house, names, 50_000_00)
    for table in demo_tables(house.floor):
        house.open_demo(table)
        play(house, table.name, people(*names), 2, "the same twice")
        house.model.catch_up()
        known = house.floor.tables.known(TABLE + table.name).state
        assert house.model.station(table.name) is known
        fresh = Floor(house.floor.ledger, house.floor.books, house.floor.secret)
        assert fresh.station(table.name) == known
    house.close()


def test_the_books_are_written_from_the_rows_that_were_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More rows than may wait for them, and then some; asking for them reads nothing."""
    monkeypatch.setattr("riverboat.web.read_model.MOST_UNBOOKED", 50)
    house = new_house(sqlite_url(tmp_path))
    names = ("Ann", "Ben")
    give_money(house, names, 50_000_00)
    for table in demo_tables(house.floor):
        house.open_demo(table)
        play(house, table.name, people(*names), 1, "for the books")
    house.model.catch_up()
    house.model.is_followed = True
    ledger = house.floor.ledger
    right = keep_books(ledger, house.floor.books, house.floor.secret)
    with monkeypatch.context() as silent:
        for name in ("read", "read_all", "head"):
            silent.delattr(type(ledger), name)
        shown = house.model.books()
    assert shown.head == right.head
    assert accounting_document(shown) == accounting_document(right)
    house.close()
