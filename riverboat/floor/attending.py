"""Automatic people at a table of the floor: what the house does next, and how simple players bet.

Staff goes by the controller's next key and by the table's prompt. What needs chance is the
machine's: `SealNext` and `DrawCut` say so, and `attend` lets the floor draw. Players decide by lot,
drawn anew from seed, table, round, seat and street, so that whoever goes on after a crash decides
the same.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from riverboat.errors import Refused
from riverboat.floor.floor import Answer, Floor
from riverboat.floor.station import AnyAsked, Station, decide
from riverboat.games import actions as g
from riverboat.games.betting import wager
from riverboat.games.deciding import seat_to_act, stage_of
from riverboat.games.legal import begins
from riverboat.money import divide_up
from riverboat.progressive import actions as p
from riverboat.progressive.link import Link
from riverboat.progressive.prompting import coming
from riverboat.progressive.winners import Desk
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import SYSTEM, Actor, automatic
from riverboat.table.prompts import prompt
from riverboat.table.rounds import count_is_due
from riverboat.table.shuffles import needs_seal
from riverboat.table.tasks import Task


class SealNext(NamedTuple):
    """The machine shuffles a deck and commits to it."""

    deck: str


class DrawCut(NamedTuple):
    """The machine draws the word that fixes the cut."""


class Doing(NamedTuple):
    """Who does what next."""

    by: Actor
    ask: AnyAsked | SealNext | DrawCut


class Staff(NamedTuple):
    """The house's people at a table. The approver is not the one who proposes."""

    dealer: Actor = automatic("dealer")
    floorperson: Actor = automatic("floorperson")
    supervisor: Actor = automatic("supervisor")

    def of(self, who: str) -> Actor:
        """Somebody for a role; what any of the house may do, the floor does."""
        staff = {"dealer": self.dealer, "supervisor": self.supervisor}
        return staff.get(who, self.floorperson)


class Manners(NamedTuple):
    """How simple players play: in hundredths, how often they fold, and how often each side bet."""

    seed: str
    fold: int = 20
    side_bet: int = 100
    antes: int = 1
    """The ante, in units of the least that the table takes."""


Seats: TypeAlias = Mapping[int, Actor]
DEMO: Staff = Staff()
_DOCUMENT = "payment slip"


def next_command(station: Station, link: Link | None, staff: Staff = DEMO) -> Doing | None:
    """What the house does next at a table; None where it waits for a player or another table."""
    key = _next_key(station, link)
    if key is not None:
        doing = Doing(staff.of(key.by), _documented(station, key.press, staff))
        return None if _has_to_wait(station, link, doing) else doing
    for task in prompt(station.day).tasks:
        if not task.optional:
            return _of_task(station.day, task, staff)
    return None


class _Key(NamedTuple):
    by: str
    press: p.AnyPress


def _next_key(station: Station, link: Link | None) -> _Key | None:
    """The controller's next key. The first card and the end come with the table's own words."""
    day = station.day
    if not station.link or not day.in_round or day.interrupted or day.playing.phase == "void":
        return None
    found = coming(Desk(station.controller, day.playing, link))
    if found is None or isinstance(found.press, p.FirstCard | p.GameOver):
        return None
    return _Key(found.by, found.press)


def _documented(station: Station, press: p.AnyPress, staff: Staff) -> p.AnyPress:
    """A press with what only people can add to it: a document, or a second person."""
    if isinstance(press, p.BackOut):
        return replace(press, second=staff.floorperson)
    if not isinstance(press, p.PayAward):
        return press
    return replace(press, document=f"{_DOCUMENT} {station.day.table}-{station.day.round_number}")


def _has_to_wait(station: Station, link: Link | None, doing: Doing) -> bool:
    """Whether an award of another table is pending, so that this one cannot be fixed yet."""
    if link is None or link.pending is None or isinstance(doing.ask, SealNext | DrawCut):
        return False
    try:
        decide(station, link, doing.by, doing.ask)
    except Refused as refusal:
        return refusal.code == "award.pending"
    return False


def _of_task(day: Day, task: Task, staff: Staff) -> Doing | None:
    if task.who == "system":
        return _by_machine(day)
    if task.who == "player":
        return None
    if not day.dealer and task.do is None and day.date:
        return Doing(staff.floorperson, a.AssignDealer(name=staff.dealer.name))
    if isinstance(task.do, a.Approve):
        proposed = day.proposals[task.do.number].by
        second = staff.floorperson if proposed == staff.supervisor.name else staff.supervisor
        return Doing(second, task.do)
    return Doing(staff.of(task.who), task.do) if task.do is not None else None


def _by_machine(day: Day) -> Doing | None:
    if day.in_round and day.playing.phase == "ready" and not day.cut_fixed:
        return Doing(SYSTEM, DrawCut())
    for deck in day.decks.values():
        if deck.stage == "shuffled" and needs_seal(day, deck):
            return Doing(SYSTEM, SealNext(deck.name))
    return None


# ---------------------------------------------------------------- players


def next_bet(station: Station, seats: Seats, manners: Manners) -> Doing | None:
    """What a player does next: sits down, bets, decides. None where it is nobody's turn."""
    day = station.day
    if day.phase == "closed" or day.interrupted:
        return None
    for seat, who in sorted(seats.items()):
        if day.seated.get(seat) != who.name and not day.in_round:
            return Doing(who, a.SitDown(seat=seat))
    if not day.in_round:
        return _looks(day, seats)
    if day.playing.phase == "betting":
        return next(_wagers(station, seats, manners), None)
    if day.playing.phase == "deciding" and not count_is_due(day):
        return _decision(day, seats, manners)
    return None


def _looks(day: Day, seats: Seats) -> Doing | None:
    """Where the first player looks at the spread cards."""
    tasks = (task for task in prompt(day).tasks if not task.optional)
    task = next(tasks, None)
    if task is None or task.who != "player" or task.do is None:
        return None
    return Doing(seats[min(seats)], task.do)


def _wagers(station: Station, seats: Seats, manners: Manners) -> Iterator[Doing]:
    """The bets still wanted that the table takes now: one bonus may ask for another first."""
    day = station.day
    for seat, who in sorted(seats.items()):
        if day.seated.get(seat) != who.name:
            continue
        placed = day.playing.seats[seat].wagers if seat in day.playing.seats else {}
        wanted = [("ante", True), *((bet, False) for bet in _side_bets(day))]
        for spot, always in wanted:
            lot = _lot(day, manners, seat, spot)
            if spot not in placed and (always or lot < manners.side_bet):
                cents = _least(day, spot) * (manners.antes if spot == "ante" else 1)
                asked = g.Wager(seat=seat, spot=spot, cents=cents, player=who.name)
                if begins(wager, day.playing, asked):
                    yield Doing(who, asked)


def _side_bets(day: Day) -> list[str]:
    return [offer.bet for offer in day.setup.book.side_bets if day.setup.offers(offer.bet)]


def _least(day: Day, spot: str) -> int:
    setup = day.setup
    if spot == "progressive" and setup.progressive is not None:
        return setup.progressive.wager_cents
    limit = setup.limits.ante if spot == "ante" else setup.limits.bonuses[spot]
    unit = setup.limits.unit_cents
    return max(unit, divide_up(limit.minimum_cents, unit) * unit)


def _decision(day: Day, seats: Seats, manners: Manners) -> Doing | None:
    seat = seat_to_act(day.playing)
    if seat is None or seat not in seats:
        return None
    stage = stage_of(day.playing)
    lot = _lot(day, manners, seat, stage.spot)
    if lot < manners.fold:
        return Doing(seats[seat], g.Fold(seat=seat))
    multiple = stage.multiples[-1] if lot >= _BOLD else stage.multiples[0]
    ante = day.playing.seats[seat].wagers["ante"]
    return Doing(seats[seat], g.Bet(seat=seat, cents=ante * multiple))


_BOLD = 80


def _lot(day: Day, manners: Manners, seat: int, what: str) -> int:
    place = f"{manners.seed}/{day.table}/{day.round_number}/{seat}/{what}"
    return Random(place).randrange(100)


# ---------------------------------------------------------------- doing it


def attend(floor: Floor, command_id: str, table: str, doing: Doing) -> Answer:
    """Do what comes next; what needs chance, the floor draws."""
    match doing.ask:
        case SealNext():
            return floor.seal_deck(command_id, table, doing.ask.deck)
        case DrawCut():
            return floor.draw_cut(command_id, table)
        case asked:
            return floor.ask(command_id, doing.by, table, asked)


def next_doing(
    floor: Floor, table: str, seats: Seats, manners: Manners, staff: Staff = DEMO
) -> Doing | None:
    """Whatever comes next at a table where both players and staff are automatic."""
    station = floor.station(table)
    bet = next_bet(station, seats, manners)
    if bet is not None:
        return bet
    return next_command(station, floor.link(station.link) if station.link else None, staff)
