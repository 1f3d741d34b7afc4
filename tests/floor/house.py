"""A floor for tests: tables of every rulebook, opened by people and played by automatic ones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import SystemRandom

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.shuffling import fresh_salts
from riverboat.floor.audit.auditing import audit
from riverboat.floor.autopilot import (
    Doing,
    Manners,
    SealNext,
    Seats,
    Staff,
    attend,
    next_doing,
)
from riverboat.floor.floor import Answer, Floor
from riverboat.floor.secret import MasterSecret
from riverboat.floor.starting import PACKAGE
from riverboat.floor.station import decide
from riverboat.keeping.actions import JoinMeter, OpenMeter
from riverboat.ledger import Ledger, open_ledger
from riverboat.meter.events import AwardFixed
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.configuration.submission import Submission
from riverboat.table.people import SYSTEM, Actor
from riverboat.table.procedures.decks import cuts_before_bets, depths, needs_cut
from tests.support.day_player import stacked

DANA = Actor(name="Dana", role="dealer")
FLO = Actor(name="Flo", role="floorperson")
SUE = Actor(name="Sue", role="supervisor")
STAFF = Staff(dealer=DANA, floorperson=FLO, supervisor=SUE)
ANN = Actor(name="Ann", role="player")
BEN = Actor(name="Ben", role="player")
SEATS = {1: ANN, 2: BEN}
MANNERS = Manners(seed="a usual night")
BOLD = Manners(seed="nobody folds", fold=0)
HALF = 26
ROYAL = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h"
SECRET = MasterSecret(bytes(range(32)))
TRAY = 50_000_00
DATE = "2026-11-16"
NOON = 1_794_830_400

CHOICES: dict[str, dict[str, str | int | bool]] = {
    "house-demo": {"three_card_bonus": "HD-3CB", "progressive": "HD-PROG-2"},
    "iowa-catfish-bend": {"three_card_bonus": "IA-CB-3CB"},
    "island-stud": {"bonus": "IS-01", "progressive": "IS-PROG-PMG-01"},
    "caribbean-demo": {"progressive": "CD-PROG-1"},
    "maryland-2014": {"three_card_bonus": "MD-2014-3CB-E", "progressive_wager": "1"},
    "south-dakota-2011": {"progressive": "SD-2011-PROG-PMG-01"},
    "south-dakota-3cb": {
        "three_card_bonus": "SD-3CB-3CB-A",
        "progressive": "SD-3CB-PROG-PMG-01",
    },
}


class TestClock:
    """Time that moves when a test says so."""

    __test__ = False

    def __init__(self, now: int = NOON) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class RiggedFloor(Floor):
    """A floor that shuffles as it should, except at tables where a test wants a certain hand.

    Of the program it checks the rulebooks only, so that tests of several processes can be run while
    somebody works on the code.
    """

    def __init__(self, ledger: Ledger, clock: TestClock) -> None:
        super().__init__(ledger, editions(), SECRET, clock=clock, package=PACKAGE / "rulebooks")
        self.hands: dict[str, str] = {}
        self.orders: dict[str, tuple[int, ...]] = {}

    def seal_deck(self, command_id: str, table: str, deck: str) -> Answer:
        if table not in self.hands and table not in self.orders:
            return super().seal_deck(command_id, table, deck)
        command = self._command(command_id, SYSTEM, {"table": table, "seal": deck})
        day, salts, depth = self.station(table).day, fresh_salts(self.entropy), HALF
        if table in self.orders:
            order = self.orders[table]
        else:
            # By lot, for `verify` looks at how deep decks are cut too; where the dealer cuts as
            # well, before the bets, in half.
            depth = SystemRandom().randint(*depths(day, day.decks[deck]))
            by_hand = cuts_before_bets(day) and needs_cut(day, day.decks[deck])
            order = rigged(self.hands[table], (depth + by_hand * HALF) % len(DECK))
        return self._once(command, SYSTEM, table, stacked(day, deck, order, salts, depth))


def floor_on(ledger: Ledger, clock: TestClock | None = None) -> RiggedFloor:
    """A floor on a ledger, as a process has one."""
    return RiggedFloor(ledger, clock or TestClock())


@cache
def submitted(rulebook: str, name: str, link: str = "", **more: str) -> Submission:
    """The standard table of a rulebook; with a link it has a progressive."""
    choices = {**CHOICES[rulebook], **more}
    if link:
        choices["meter_link"] = link
    return standard_submission(editions()[rulebook][0], choices, name=name)


class House:
    """One floor, and the ids of what is asked on it."""

    def __init__(self, floor: RiggedFloor, ids: Iterator[str] | None = None) -> None:
        self.floor = floor
        self.ids = ids or (f"c{number}" for number in count(1))

    def ask(self, by: Actor, table: str, action: object) -> Answer:
        return self.floor.ask(next(self.ids), by, table, action)  # type: ignore[arg-type]

    def open_table(self, table: str, filed: Submission) -> None:
        """From a submission to a table with its dealer, on its meter where it has one."""
        self.ask(FLO, table, a.Propose(submission=filed))
        self.ask(SUE, table, a.Approve(number=1))
        self.ask(FLO, table, a.OpenDay(date=DATE, tray_cents=TRAY))
        self.ask(FLO, table, a.Designate())
        self.ask(FLO, table, a.AssignDealer(name=DANA.name))
        self._join(table)

    def _join(self, table: str) -> None:
        station = self.floor.station(table)
        progressive = station.day.setup.progressive
        if progressive is None:
            return
        name = station.link
        if self.floor.link(name).status == "not_open":
            opening = OpenMeter(
                link=name,
                seed_cents=progressive.seed_cents,
                wager_cents=progressive.wager_cents,
                rate_bp=progressive.rate_bp,
                reserve_bp=progressive.reserve_bp,
                second=FLO,
            )
            self.floor.keep(next(self.ids), SUE, name, opening)
        self.floor.keep(next(self.ids), FLO, name, JoinMeter(table=table))

    def next_at(self, table: str, manners: Manners = MANNERS, seats: Seats = SEATS) -> Doing | None:
        """What comes next at a table; None where it waits for another one."""
        return next_doing(self.floor, table, seats, manners, STAFF)

    def step(
        self, table: str, manners: Manners = MANNERS, seats: Seats = SEATS
    ) -> tuple[Doing, Answer] | None:
        """Do what comes next at a table."""
        doing = self.next_at(table, manners, seats)
        if doing is None:
            return None
        return doing, attend(self.floor, next(self.ids), table, doing)

    def win_alone(self, table: str, hand: str, until: Callable[[str, Doing], bool]) -> Doing:
        """Ann alone at a table is dealt the five cards, and play stops before a certain step."""
        while True:
            doing = self.next_alone(table, hand)
            assert doing is not None, f"{table} waits"
            if until(table, doing):
                return doing
            attend(self.floor, next(self.ids), table, doing)

    def next_alone(self, table: str, hand: str) -> Doing | None:
        """What comes next where Ann plays alone and always gets this hand."""
        self.floor.hands[table] = hand
        return self.next_at(table, BOLD, {1: ANN})

    def fixes_award(self, table: str, doing: Doing) -> bool:
        """Whether a step fixes what somebody gets of the meter."""
        if isinstance(doing.ask, SealNext):
            return False
        station = self.floor.station(table)
        told = decide(station, self.floor.link(station.link), doing.by, doing.ask).meter_events
        return any(isinstance(event, AwardFixed) for event in told)

    def finish_alone(self, table: str) -> None:
        """The rest of Ann's round."""
        while self.floor.station(table).day.in_round:
            assert self.step(table, BOLD, {1: ANN}) is not None, f"{table} waits"

    def play(self, table: str, rounds: int, manners: Manners = MANNERS) -> int:
        """So many rounds to their end; how many commands they took."""
        last = self.rounds_over(table) + rounds
        there = self.floor.station(table).day.setup.seats
        seats = {seat: who for seat, who in SEATS.items() if seat <= there}
        steps = 0
        while self.rounds_over(table) < last:
            assert self.step(table, manners, seats) is not None, f"{table} waits for nobody"
            steps += 1
        return steps

    def rounds_over(self, table: str) -> int:
        day = self.floor.station(table).day
        return day.round_number - day.in_round


def require_true(ledger: Ledger, secret: MasterSecret | None = SECRET) -> None:
    """Everything that can be recomputed of a floor is as it is stored."""
    found = audit(ledger, editions(), secret)
    assert found.holds, found.wrong


def rigged(hand: str, depth: int) -> tuple[int, ...]:
    """An order in which these five come first once it is cut so deep. Suits, turns and all others
    are drawn: nobody who looks at the decks of a table sees that they are."""
    drawn = dict(zip("hsdc", SystemRandom().sample("hsdc", 4), strict=True))
    cards = [card[0] + drawn[card[1]] for card in SystemRandom().sample(hand.split(), 5)]
    first = parse_cards(" ".join(cards))
    rest = SystemRandom().sample([card for card in DECK if card not in first], 47)
    cut = (*first, *rest)
    return (*cut[len(cut) - depth :], *cut[: len(cut) - depth])


@contextmanager
def open_house(folder: Path, clock: TestClock | None = None) -> Iterator[House]:
    """A house with a floor on a SQLite ledger of its own."""
    with open_ledger(folder_ledger(folder)) as ledger:
        yield House(floor_on(ledger, clock))


def folder_ledger(folder: Path) -> str:
    """Where a SQLite ledger of a test lies."""
    return f"sqlite:///{folder}/floor.db"
