"""A jackpot to be seen: a laboratory's test table where a forced deck deals a royal flush.

Only a test table takes a forced deck; it plays for a meter of its own, its record says that the
deck was forced, and TEST stands over everything that it shows.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from riverboat.core.cards import DECK, Card, parse_cards
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.floor.autopilot import DEMO, Doing, Manners, SealNext, next_doing
from riverboat.floor.floor import Floor
from riverboat.round import set_up
from riverboat.round.streets import card_counts, deliveries
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.table.procedures.decks import depths
from riverboat.web.demo.roles import Standing, announce, is_left_to_people
from riverboat.web.demo.tables import DemoTable, demo_tables, join, open_day

LAB: Final = "Lab"
SEATS: Final = (2, 4)
"""Where the laboratory plays: the first of these is dealt the royal flush."""
PLAYED_CENTS: Final = 2_718_28
"""What the meter stands above its seed, as if it had been played for a while."""
_ROYAL: Final = parse_cards("As Ks Qs Js Ts")
_PLAIN: Final = parse_cards("4h 2c")


def jackpot_table(floor: Floor, name: str, owner: str = "") -> DemoTable:
    """A table whose rulebook has a key switch, one in force first."""
    found = []
    for table in demo_tables(floor):
        rule = floor.books[table.rulebook][0].progressive
        if rule is not None and rule.keys.key_switch and "progressive" in str(table.choices):
            found.append(table)
    if not found:
        raise NotationError("jackpot.none", "no rulebook has a progressive with a key switch")
    in_force = [one for one in found if floor.books[one.rulebook][0].status == "in force"]
    return (in_force or found)[0]._replace(name=name, owner=owner)


class Billed(NamedTuple):
    """What stands over such a table before it is opened."""

    title: str
    seats: int
    cents: Cents


def billed(floor: Floor) -> Billed:
    """Its rulebook, its seats, and what its meter begins at."""
    table = jackpot_table(floor, LAB)
    book = floor.books[table.rulebook][0]
    setup = set_up(book, table.choices)
    assert setup.progressive is not None
    return Billed(book.title, setup.seats, setup.progressive.seed_cents + PLAYED_CENTS)


def open_show(floor: Floor, table: DemoTable) -> None:
    """A test table, open, with its own meter; a second time it changes nothing."""
    announce(floor, table.name, 0, table.owner)
    book, name = floor.books[table.rulebook][0], table.name
    if floor.station(name).day.configuration is None:
        filed = standard_submission(book, table.choices, name=name, test=True)
        floor.ask(f"show {name} propose", DEMO.floorperson, name, a.Propose(submission=filed))
        floor.ask(f"show {name} approve", DEMO.supervisor, name, a.Approve(number=1))
    open_day(floor, name)
    join(floor, name, PLAYED_CENTS)


# ---------------------------------------------------------------- what happens at it


def lab_seats() -> Mapping[int, Actor]:
    """The laboratory's players."""
    return {seat: Actor(name=f"{LAB} {seat}", role="lab") for seat in SEATS}


def next_of_show(floor: Floor, table: str, standing: Standing) -> Doing | None:
    """What the laboratory or a program does next; None where it is the visitor's turn, and when
    the round with the royal flush is over."""
    day = floor.station(table).day
    seats = lab_seats()
    lab = seats[SEATS[0]]
    if day.round_number and not day.in_round:
        return None
    doing = next_doing(floor, table, seats, Manners(seed=table, fold=0))
    if doing is None or is_left_to_people(day, standing, doing):
        return None
    if isinstance(doing.ask, SealNext):
        order = tuple(forced_order(day, doing.ask.deck))
        *salts, word = _salts(table)
        forcing = a.ForceDeck(deck=doing.ask.deck, order=order, salts=tuple(salts), word=word)
        return Doing(lab, forcing)
    if isinstance(doing.ask, a.FixCut):
        return Doing(lab, a.ForceCut(depth=_depth(day, day.round_deck)))
    return doing


def _salts(table: str) -> tuple[str, ...]:
    """Those of a deck, and the house's word: the same in every process; a forced deck is no
    secret."""
    places = range(len(DECK) + 1)
    return tuple(hashlib.sha256(f"{table} {place}".encode()).hexdigest() for place in places)


def _depth(day: Day, deck: str) -> int:
    low, high = depths(day, day.decks[deck])
    return (low + high) // 2


def forced_order(day: Day, deck: str) -> Iterator[Card]:
    """The deck that gives the first of the seats the royal flush, after its cut."""
    counts = card_counts(day.setup, list(SEATS))
    wanted = dict(_wanted(counts))
    rest = [card for card in DECK if card not in {c for cards in wanted.values() for c in cards}]
    taken = iter(rest)
    hands = {}
    for place, count in counts.items():
        given = wanted.get(place, ())
        hands[place] = (*given, *(next(taken) for _ in range(count - len(given))))
    top = [card for _, cards in deliveries(day.setup, hands) for card in cards]
    burned = [next(taken) for _ in range(day.setup.book.deal.burn_cards)]
    dealt = (*burned, *top, *taken)
    at = len(dealt) - _depth(day, deck)
    yield from (*dealt[at:], *dealt[:at])


def _wanted(counts: Mapping[str, int]) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """Whose cards make the royal flush: two of the seat's own and three in common, or five."""
    first, second = (str(seat) for seat in SEATS)
    own = counts[first]
    yield first, _ROYAL[:own]
    if own < len(_ROYAL):
        yield "community", _ROYAL[own:]
        yield second, _PLAIN[:own]
