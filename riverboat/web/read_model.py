"""What else the ledger's rows tell a server: meters, disputes, who attends where; the books."""

import threading
from typing import Final

from msgspec import Struct, json

from riverboat.floor.books.accounting import Bookkeeper, Floorbook
from riverboat.floor.codec import METER
from riverboat.floor.disputes import DISPUTE, DisputeRecord, follow_dispute, read_dispute_body
from riverboat.floor.floor import Floor
from riverboat.ledger import Command, Row, Write
from riverboat.table.people import SYSTEM
from riverboat.web.demo.takeover import STANDING, Standing, StoodIn, follow
from riverboat.web.rounds.lines import RoundLines

ATTENDANCE: Final = "attendance/"
READY: Final = "ready/"


class Attended(Struct, frozen=True, kw_only=True, tag="attended"):
    """Programs attend a demo table, so many of them as players."""

    bots: int
    v: int = 1


class Readied(Struct, frozen=True, kw_only=True, tag="readied"):
    """Somebody has bet what they want to bet in a round."""

    name: str
    round: int
    v: int = 1


class Noticed:
    """All of it, as far as the ledger was read."""

    def __init__(self) -> None:
        self.rounds = RoundLines()
        self.meters: dict[str, None] = {}
        self.disputes: dict[str, DisputeRecord] = {}
        self.bots: dict[str, int] = {}
        self.standing: dict[str, Standing] = {}
        self._ready: dict[str, tuple[int, frozenset[str]]] = {}

    def note(self, row: Row) -> None:
        """One more row."""
        if row.stream.startswith(METER):
            self.meters[row.stream.removeprefix(METER)] = None
        elif row.stream.startswith(DISPUTE):
            place, event = row.stream.removeprefix(DISPUTE), read_dispute_body(row.body)
            self.disputes[place] = follow_dispute(self.disputes.get(place, DisputeRecord()), event)
        elif row.stream.startswith(ATTENDANCE):
            told = json.decode(row.body, type=Attended)
            self.bots[row.stream.removeprefix(ATTENDANCE)] = told.bots
        elif row.stream.startswith(STANDING):
            table, told_of = row.stream.removeprefix(STANDING), json.decode(row.body, type=StoodIn)
            self.standing[table] = follow(self.standing_at(table), told_of)
        elif row.stream.startswith(READY):
            self._readied(row.stream.removeprefix(READY), json.decode(row.body, type=Readied))

    def _readied(self, table: str, told: Readied) -> None:
        names = self.ready(table, told.round)
        self._ready[table] = (told.round, names | {told.name})

    def standing_at(self, table: str) -> Standing:
        """Who does a program's part at a table."""
        return self.standing.get(table, {})

    def ready(self, table: str, round_number: int) -> frozenset[str]:
        """Who has bet what they want to bet in a round."""
        number, names = self._ready.get(table, (0, frozenset()))
        return names if number == round_number else frozenset()


def announce(floor: Floor, table: str, bots: int) -> None:
    """On record, so that every process attends a table alike."""
    asked = json.encode({"attend": table, "bots": bots}).decode()
    told = json.encode(Attended(bots=bots)).decode()
    _put_down(floor, f"attend {table} {bots}", ATTENDANCE + table, asked, told)


def announce_ready(floor: Floor, table: str, round_number: int, name: str) -> None:
    """On record, so that the dealer of any process need not wait for somebody."""
    asked = json.encode({"ready": table, "round": round_number, "name": name}).decode()
    told = json.encode(Readied(name=name, round=round_number)).decode()
    _put_down(floor, f"ready {table} {round_number} {name}", READY + table, asked, told)


def _put_down(floor: Floor, command_id: str, stream: str, asked: str, told: str) -> None:
    command = Command(
        id=command_id,
        actor=json.encode(SYSTEM).decode(),
        recorded_at=floor.clock(),
        text=asked,
    )
    if floor.ledger.recall(command) is None:
        floor.ledger.append(command, Write(stream=stream, expected_version=None, body=told))


class Bookkeeping:
    """Books as of now, whoever asks; the first to ask waits until the whole ledger was read."""

    def __init__(self, floor: Floor) -> None:
        self._lock = threading.Lock()
        self._keeper = Bookkeeper(floor.ledger, floor.books, floor.secret)

    def books(self) -> Floorbook:
        """The books with everything that is durable."""
        with self._lock:
            return self._keeper.books()
