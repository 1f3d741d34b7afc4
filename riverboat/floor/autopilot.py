"""Automatic people at a table of the floor: what the house does next, and how simple players bet.

Staff goes by the controller's next key and by the table's prompt, players by what they are offered;
nobody asks for what the table would not grant. What needs chance is the machine's: `SealNext` says
so, and `attend` lets the floor draw. Programs have no word in a cut. Players decide by lot, drawn
anew from seed, table, round, seat and street, so that whoever goes on after a crash decides the
same.
"""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from riverboat.controller import actions as p
from riverboat.controller.legal import Coming, coming
from riverboat.controller.winners import Desk
from riverboat.floor.floor import Answer, Floor
from riverboat.floor.station import AnyAsked, Station, is_legal, legal
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.legal import Argument, Choice, Offer, Range, allows, least_of, whole_bets
from riverboat.round.streets import stage_of
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.legal import legal as legal_of_day
from riverboat.table.people import SYSTEM, Actor, automatic
from riverboat.table.procedures.decks import needs_seal
from riverboat.table.task import Task
from riverboat.wording.prompts.prompt import prompt


class SealNext(NamedTuple):
    """The machine shuffles a deck and commits to it."""

    deck: str


class Doing(NamedTuple):
    """Who does what next."""

    by: Actor
    ask: AnyAsked | SealNext


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
    """What the house does next at a table; None where it waits for a player, another table or a
    meter."""
    key = next_key(station, link)
    task = next((task for task in prompt(station.day).tasks if not task.optional), None)
    doing: Doing | None = None
    if key is not None:
        doing = Doing(staff.of(key.by), _documented(station, key.press, staff))
    elif task is not None:
        doing = _of_task(station.day, task, staff)
    return doing if doing is not None and _is_granted(station, link, doing) else None


def next_key(station: Station, link: Link | None) -> Coming | None:
    """The controller's next key. The first card and the end come with the table's own words."""
    day = station.day
    if not station.link or not day.in_round or day.interrupted or day.playing.phase == "void":
        return None
    found = coming(Desk(station.controller, day.playing, link))
    if found is None or isinstance(found.press, p.FirstCard | p.GameOver):
        return None
    return found


def _is_granted(station: Station, link: Link | None, doing: Doing) -> bool:
    """Whether it can be done now: an award waits while another table's is pending."""
    if isinstance(doing.ask, SealNext):
        return True
    return is_legal(station, legal(station, link, doing.by), doing.ask)


def _documented(station: Station, press: p.AnyPress, staff: Staff) -> p.AnyPress:
    """A press with what only people can add to it: a document, or a second person."""
    if isinstance(press, p.BackOut):
        return replace(press, second=staff.floorperson)
    if not isinstance(press, p.PayAward):
        return press
    return replace(press, document=f"{_DOCUMENT} {station.day.table}-{station.day.round_number}")


def _of_task(day: Day, task: Task, staff: Staff) -> Doing | None:
    if task.who == "system":
        return _by_machine(day) if task.do is None else Doing(SYSTEM, task.do)
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
    for deck in day.decks.values():
        if deck.stage == "shuffled" and needs_seal(day, deck):
            return Doing(SYSTEM, SealNext(deck.name))
    return None


# ---------------------------------------------------------------- players


def next_bet(station: Station, seats: Seats, manners: Manners) -> Doing | None:
    """What a player does next: sits down, bets, decides, looks at the spread cards. None where it
    is nobody's turn."""
    day = station.day
    offered = {seat: legal_of_day(day, who) for seat, who in sorted(seats.items())}
    for seat, offers in offered.items():
        sits, seated = a.SitDown(seat=seat), seat in day.seats_of(seats[seat])
        if not seated and not day.in_round and allows(offers, sits):
            return Doing(seats[seat], sits)
    for seat, offers in offered.items():
        own = tuple(offer for offer in offers if offer.actor in (seat, "player"))
        asked: AnyAsked | None = _wager(day, seat, seats[seat], manners, own)
        asked = asked or _decision(day, seat, manners, own) or _look(own)
        if asked is not None:
            return Doing(seats[seat], asked)
    return None


def _look(offers: tuple[Offer, ...]) -> a.Prepare | None:
    """Where the first player looks at the spread cards."""
    found = (one.arguments for one in offers if one.kind is a.Prepare)
    return next((a.Prepare(deck=_one(of["deck"]), step=_one(of["step"])) for of in found), None)


def _one(bounds: Argument) -> str:
    assert isinstance(bounds, Choice)
    return str(bounds.values[0])


def _wager(
    day: Day, seat: int, who: Actor, manners: Manners, offers: tuple[Offer, ...]
) -> g.Wager | None:
    """The next bet still wanted of those on offer: one bonus may ask for another first."""
    for offer in offers:
        if offer.kind is not g.Wager:
            continue
        spot, amounts = _one(offer.arguments["spot"]), offer.arguments["cents"]
        if spot.startswith("tip_") or (
            spot != "ante" and _lot(day, manners, seat, spot) >= manners.side_bet
        ):
            continue
        assert isinstance(amounts, Choice | Range)
        cents = least_of(amounts) * (manners.antes if spot == "ante" else 1)
        if amounts.holds(cents):
            # A person of the program's name sits elsewhere: that is not one player with two seats.
            shared = who.automatic and who.name in day.people.values()
            name = "" if shared else who.name
            return g.Wager(seat=seat, spot=spot, cents=cents, player=name)
    return None


def _decision(
    day: Day, seat: int, manners: Manners, offers: tuple[Offer, ...]
) -> g.Bet | g.Fold | None:
    bets = whole_bets(day.playing, offers) if day.in_round else ()
    if not bets:
        return None
    lot = _lot(day, manners, seat, stage_of(day.playing).spot)
    if lot < manners.fold:
        return g.Fold(seat=seat)
    return g.Bet(seat=seat, cents=(bets[-1] if lot >= _BOLD else bets[0]).cents)


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
