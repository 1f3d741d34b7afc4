"""What a running server holds: the floor and everything that stands around it."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from msgspec import Struct

from riverboat.core.errors import Refused
from riverboat.floor.codec import METER, TABLE
from riverboat.floor.floor import Floor
from riverboat.floor.signers import WAIT_SECONDS
from riverboat.ledger import HeadKeeper, LedgerError
from riverboat.web.accounts import Accounts, Guest
from riverboat.web.auth import MANY, Budget, Patience, Sessions
from riverboat.web.demo.attendants import Attendants, Watched
from riverboat.web.demo.roles import may_see
from riverboat.web.demo.room import MOST_TABLES, Room
from riverboat.web.demo.tables import DemoTable, open_demo_floor, open_demo_table
from riverboat.web.demo.waiting import Presence, Waiting, WordsWait
from riverboat.web.duties import Duty
from riverboat.web.play_money import FIRST_CENTS, PlayMoney
from riverboat.web.read_model import ReadModel
from riverboat.web.screens.frames import LobbyFrame, TableLine, lobby_frame
from riverboat.web.screens.live import LOBBY, Live

Found = TypeVar("Found")
EFFORT_SECONDS: Final = 60.0
EFFORT: Final = 120
"""Questions of one kind that take some work, of one person in a minute."""
COMMANDS: Final = 600
"""Whatever changes something, of one person in a minute."""
VISITS: Final = 120
VISIT_SECONDS: Final = 300.0
"""From one address in five minutes: a class behind one door comes in, a flood does not."""
REFUSALS_KEPT: Final = 300
"""Commands of one person in five minutes of which a refusal is put on record; more are counted."""
MOST_FIGURES: Final = 4
"""Exact figures that one person waits for at a time."""
MOST_FIGURES_OF_ADDRESS: Final = 8
MOST_FIGURES_OF_ALL: Final = 64
SIGN_SECONDS: Final = 60.0
"""How often the ledger's head is signed and handed to its witnesses."""
NAME_LETTERS: Final = "23456789BCDFGHJKLMNPQRSTVWXZ"
"""For visitors' names: none that look alike, none that make words."""
NAME_LENGTH: Final = 6
VISITOR: Final = "Guest"
"""What visitors are called, with letters drawn for each."""


class Manner(Struct, frozen=True, kw_only=True):
    """How a server runs."""

    demo: bool = True
    """Whether visitors without an account may come in, wherever they ask from."""
    local_demo: bool = True
    """Whether visitors at this very machine may."""
    secure: bool = False
    """Whether cookies go over HTTPS only."""
    pace: float = 1.0
    decision_seconds: float | None = 60.0
    """How long a seat may think while other people wait; None: as long as it likes."""
    effort_tries: int = EFFORT
    commands: int = COMMANDS
    tables: int = MOST_TABLES
    signer_wait_seconds: int = WAIT_SECONDS
    """How long a new account, or one with a new password that was given, is nobody's second."""


class House:
    """One process of the floor's server."""

    def __init__(self, floor: Floor, manner: Manner) -> None:
        self.floor, self.manner = floor, manner
        self.database = database = floor.ledger.store
        self.accounts = Accounts(floor.ledger, wait_seconds=manner.signer_wait_seconds)
        self.sessions = Sessions(lambda token: self.accounts.guest(token))
        self.model = ReadModel(floor)
        self.play_money = PlayMoney(floor, self.model)
        self.waiting = Waiting(manner.decision_seconds)
        self.words = WordsWait()
        self.live = Live(floor.ledger, self.model, self.lobby, self.waiting)
        self.presence = Presence(database, self._sees)
        self.attendants = Attendants(
            floor,
            self.model,
            self._watched,
            pace=manner.pace,
            waiting=self.waiting,
            words=self.words,
            presence=self.presence,
        )
        self.visits = Patience(VISITS, VISIT_SECONDS)
        self.effort = Budget(manner.effort_tries, EFFORT_SECONDS, "questions")
        """What is worked out for somebody: so much a minute."""
        self.commands = Budget(manner.commands, EFFORT_SECONDS, "commands")
        self.room = Room(self.model, floor.clock, manner.tables)
        self._refused = Patience(REFUSALS_KEPT, VISIT_SECONDS)
        self._working: Counter[str] = Counter()
        self.signing = Duty("sign heads")
        self.commanding = Duty("take commands")
        """Fails for good where the start, or the floor later, found something wrong."""
        floor.on_wrong = self._take_no_command
        self._signer: asyncio.Task[None] | None = None
        self._mathematics = ThreadPoolExecutor(1, thread_name_prefix="mathematics")

    def _take_no_command(self, wrong: LedgerError) -> None:
        """Nothing is written by this process any more, whoever asks; looking goes on."""
        self.commanding.failed("", wrong)
        self.floor.ledger.refuse(wrong)

    @property
    def duties(self) -> tuple[Duty, ...]:
        """What goes on here until the process ends, and whether it is well."""
        attendants, live = self.attendants, self.live
        return (
            *(attendants.attending, attendants.expiring, live.following, live.showing),
            *(self.signing, self.commanding),
        )

    async def start(self) -> None:
        """Open the demo floor, then follow the ledger and attend."""
        shows = self.manner.demo or self.manner.local_demo
        if shows and self.floor.takes_commands:
            await asyncio.to_thread(open_demo_floor, self.floor)
        await self.live.start()
        await self.attendants.start()
        if self.floor.heads is not None:
            self._signer = asyncio.create_task(self._sign_heads(self.floor.heads))

    async def _sign_heads(self, heads: HeadKeeper) -> None:
        """Witnesses hear every minute how far the ledger goes."""
        while True:
            with self.signing.step():
                await asyncio.to_thread(self.floor.ask_witnesses_again)
                await asyncio.to_thread(heads.sign, self.floor.clock())
            await asyncio.sleep(SIGN_SECONDS)

    async def stop(self) -> None:
        """Leave everything as the ledger has it, and its witnesses know how far that is."""
        await self.attendants.stop()
        await self.live.stop()
        if self._signer is not None and self.floor.heads is not None:
            self._signer.cancel()
            with self.signing.step():
                await asyncio.to_thread(self.floor.heads.sign, self.floor.clock())

    def close(self) -> None:
        """Let go of the ledger; what is still being worked out is for nobody."""
        self._mathematics.shutdown(wait=False, cancel_futures=True)
        self.sessions.close()
        self.floor.ledger.close()

    async def work_out(
        self, guest: Guest, address: str, exact: Callable[..., Found], *asked: object
    ) -> Found:
        """An exact figure for somebody: a few that wait, one at a time, and never in the way of
        what is asked for at a table."""
        mine, theirs, every = f"person {guest.name}", f"address {address}", "everybody"
        self._require_few(mine, MOST_FIGURES, "for you")
        if address:
            self._require_few(theirs, MOST_FIGURES_OF_ADDRESS, "for your address")
        self._require_few(every, MOST_FIGURES_OF_ALL, "for others")
        counted = (mine, theirs, every)
        self._working.update(counted)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._mathematics, exact, *asked)
        finally:
            self._working.subtract(counted)
            self._working += Counter()

    def _require_few(self, key: str, most: int, whom: str) -> None:
        if self._working[key] >= most:
            text = (
                f"{self._working[key]} figures are being worked out {whom} already; ask again when "
                "they are here"
            )
            raise Refused(MANY, text, cites=())

    def keeps_refusals_of(self, guest: Guest) -> bool:
        """Whether what is refused to somebody goes on record: of a visitor it is only counted, of
        anybody else so many in a while."""
        if guest.demo:
            return False
        try:
            self._refused.spend(guest.name)
        except Refused:
            return False
        return True

    def table_names(self, owner: str = "") -> list[str]:
        """The floor's tables, or those that a visitor has opened."""
        return sorted(name for name in self.model.tables if self.model.owner(name) == owner)

    def has(self, topic: str) -> bool:
        """Whether there is such a thing to look at; looking makes none."""
        if topic.startswith(TABLE):
            return topic.removeprefix(TABLE) in self.model.tables
        if topic.startswith(METER):
            return topic.removeprefix(METER) in self.model.meters
        return topic == LOBBY

    def may_look(self, guest: Guest | None, topic: str) -> bool:
        """Whether somebody may look at a table or a meter: a visitor's own table, and the meter
        that it plays for, are nobody else's business."""
        tables: tuple[str, ...] = ()
        if topic.startswith(TABLE):
            tables = (topic.removeprefix(TABLE),)
        elif topic.startswith(METER):
            tables = tuple(self.model.link(topic.removeprefix(METER)).members)
        owners = {self.model.owner(table) for table in tables} - {""}
        return not owners or (guest is not None and any(may_see(guest, one) for one in owners))

    def lobby(self) -> LobbyFrame:
        """The floor from its entrance; a visitor's own table is nobody else's business."""
        return lobby_frame(self.model, self.table_names())

    def own_tables(self, guest: Guest) -> list[TableLine]:
        """The tables that a visitor has opened, as the lobby shows tables; the newest last."""
        return lobby_frame(self.model, self.table_names(guest.name)).tables

    def visitor(self) -> tuple[str, Guest]:
        """Somebody without an account, with some play money."""
        name = self._new_name()
        guest = Guest(name=name, door="visitor", demo=True)
        self.play_money.top_up(f"welcome {name}", name, FIRST_CENTS)
        return self.accounts.let_in(guest), guest

    def _new_name(self) -> str:
        """One that nobody has had: whoever had it before would share purse and table."""
        self.model.catch_up()
        while True:
            drawn = "".join(secrets.choice(NAME_LETTERS) for _ in range(NAME_LENGTH))
            name = f"{VISITOR} {drawn}"
            taken = self.model.knows(name) or name in self.model.tables
            if not taken and not self.accounts.has_like(name):
                return name

    def open_demo(self, table: DemoTable) -> None:
        """A demo table that every process attends from now on; whether there is room for it, is
        for whom it is opened for."""
        open_demo_table(self.floor, table)
        self.model.catch_up()

    def _sees(self, table: str, name: str) -> bool:
        """Whether somebody has the table on a screen of this process."""
        return self.live.sees(TABLE + table, name)

    def _watched(self, table: str) -> Watched | None:
        """Nobody deals to an empty room: somebody looks at the table, or, for the floor's own
        tables, at the lobby."""
        if self.live.watches(TABLE + table):
            return "table"
        return "lobby" if not self.model.owner(table) and self.live.watches(LOBBY) else None
