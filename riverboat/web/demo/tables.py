"""A floor that is open when the visitor comes: demo tables of every rulebook on linked meters.

Everything goes through the floor as people would do it, by the programs of a demo table, and under
command ids that every process mints alike: whoever comes second finds it done.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.money import Cents
from riverboat.floor.autopilot import DEMO, Manners, Seats, next_bet
from riverboat.floor.floor import Floor
from riverboat.floor.keeping import opening_of
from riverboat.floor.station import Station
from riverboat.keeping.actions import JoinMeter
from riverboat.round.setup.choices import Raw
from riverboat.rulebooks import ids_that_come_along
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.web.demo.roles import announce

TRAY_CENTS: Final = 50_000_00
BOTS: Final = ("Ada", "Bruno", "Clara", "Diego", "Edda", "Felix", "Greta", "Hugo", "Iris")


class DemoTable(NamedTuple):
    """A table of the demo floor."""

    name: str
    rulebook: str
    choices: Mapping[str, Raw]
    bots: int = 2
    owner: str = ""
    """The visitor for whom, and for the house, alone it is."""
    physical: bool = False
    """Somebody has a real deck in their hands and tells its cards; no program can deal it."""


def demo_tables(floor: Floor) -> Iterator[DemoTable]:
    """One table for each rulebook, with every side bet that it has, in the books' order.

    Those that come with the program are numbered, first the games that a document describes. A
    table of a house's own rulebook is called by it and has a meter of its own: it stays the same
    whatever else the house plays, and plays for its own terms.
    """
    books = [floor.books[name][0] for name in ids_that_come_along() if name in floor.books]
    described = {book.game for book in books if book.source.sha256}
    numbered = [book.id for book in sorted(books, key=lambda book: book.game not in described)]
    own = sorted(set(floor.books) - set(numbered))
    for number, rulebook in enumerate((*numbered, *own), start=1):
        book, _ = floor.books[rulebook]
        choices: dict[str, Raw] = {}
        for offer in book.side_bets:
            if offer.bet == "progressive":
                choices |= _progressive(offer.paytables)
            elif offer.bet not in book.box_bets:
                choices[offer.bet] = offer.paytables[0]
        if rulebook in numbered:
            yield DemoTable(f"Table {number}", rulebook, choices)
        else:
            if any("progressive" in choice for choice in choices):
                choices["meter_link"] = f"{rulebook} meter"
            yield DemoTable(f"Table {rulebook}", rulebook, choices)


def _progressive(schedules: tuple[str, ...]) -> dict[str, Raw]:
    if len(schedules) > 1:
        return {"progressive": schedules[0]}
    return {"progressive_wager": "1"}


def open_demo_table(floor: Floor, table: DemoTable) -> None:
    """From nothing to a table that waits for bets, and whose programs attend it; a second time it
    changes nothing."""
    announce(floor, table.name, table.bots, table.owner)
    book = floor.books[table.rulebook][0]
    filed = standard_submission(
        book, table.choices, name=table.name, demo=True, physical=table.physical
    )
    if floor.station(table.name).day.configuration is None:
        for step, by, asked in (
            ("propose", DEMO.floorperson, a.Propose(submission=filed)),
            ("approve", DEMO.supervisor, a.Approve(number=1)),
        ):
            floor.ask(f"demo {table.name} {step}", by, table.name, asked)
    open_day(floor, table.name)
    join(floor, table.name)


def open_day(floor: Floor, table: str) -> None:
    """Programs open the gaming day; a second time it changes nothing."""
    today = datetime.fromtimestamp(floor.clock(), UTC).date().isoformat()
    steps: tuple[tuple[str, a.AnyAction], ...] = (
        ("open", a.OpenDay(date=today, tray_cents=TRAY_CENTS)),
        ("designate", a.Designate()),
        ("dealer", a.AssignDealer(name=DEMO.dealer.name)),
    )
    if floor.station(table).day.date:
        return
    for step, asked in steps:
        floor.ask(f"demo {table} {today} {step}", DEMO.floorperson, table, asked)


def join(floor: Floor, table: str, played_cents: Cents = 0) -> None:
    """A table plays for its meter, which is opened with it, so much above its seed; a second time
    it changes nothing."""
    station = floor.station(table)
    progressive, name = station.day.setup.progressive, station.link
    if progressive is None:
        return
    if floor.link(name).status == "not_open":
        opening = opening_of(station.day.setup, DEMO.floorperson)
        if played_cents:
            opening = replace(opening, initial_cents=progressive.seed_cents + played_cents)
        floor.keep(f"demo open {name}", DEMO.supervisor, name, opening)
    if table not in floor.link(name).members:
        floor.keep(f"demo join {name} {table}", DEMO.floorperson, name, JoinMeter(table=table))


def bots_of(day: Day, bots: int) -> Seats:
    """Programs on the seats that people leave free, from the dealer's right. Those that sit there
    stay: somebody who comes and goes must not leave a hand that nobody plays."""
    free = [seat for seat in range(day.setup.seats, 0, -1) if seat not in day.people]
    seats = sorted(free, key=lambda seat: seat not in day.programs)
    seats = seats[: max(bots, len(day.programs))]
    return {seat: Actor(name=BOTS[seat - 1], role="player", automatic=True) for seat in seats}


def open_demo_floor(floor: Floor) -> list[DemoTable]:
    """Every demo table that can be opened; what cannot is left out and named by its refusal."""
    opened = []
    for table in demo_tables(floor):
        try:
            open_demo_table(floor, table)
        except Refused as refusal:
            raise Refused(refusal.code, f"{table.name}: {refusal}", cites=refusal.cites) from None
        opened.append(table)
    return opened


def manners_at(table: str) -> Manners:
    """How programs play there; in every process alike."""
    return Manners(seed=table, side_bet=35)


def still_bets(station: Station) -> bool:
    """Whether a program that sits at a table has a bet to make yet: no dealer closes before."""
    day = station.day
    bots = {
        seat: Actor(name=day.seated[seat], role="player", automatic=True) for seat in day.programs
    }
    return next_bet(station, bots, manners_at(day.table)) is not None
