"""Rounds at demo tables by people who decide by lot, and what became known at every moment."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from riverboat.core.cards import Card
from riverboat.core.errors import Refused
from riverboat.floor.autopilot import Doing, Manners, attend, next_doing
from riverboat.floor.codec import TABLE, read_table_body
from riverboat.floor.floor import Floor, ShortPurse
from riverboat.floor.station import Station, new_station, remember
from riverboat.meter.state import Link
from riverboat.round import events as r
from riverboat.table.day import new_day
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.house import House
from riverboat.web.screens.live import Screen

MOST_STEPS = 20_000
EVENING_CENTS = 50_000_00
OVER = ("settling", "settled", "over")


def people(*names: str) -> dict[int, Actor]:
    """Players on the first seats."""
    return {seat: Actor(name=name, role="player") for seat, name in enumerate(names, start=1)}


def play(house: House, table: str, seats: dict[int, Actor], rounds: int, seed: str) -> None:
    """So many rounds at a demo table, from beginning to end."""
    floor = house.floor
    last = floor.station(table).day.round_number + rounds
    for step in range(MOST_STEPS):
        day = floor.station(table).day
        if day.round_number >= last and not day.in_round:
            return
        doing = next_doing(floor, table, seats, Manners(seed=seed, side_bet=60, fold=25))
        assert doing is not None, f"{table} waits for nobody at entry {day.entries}"
        _attend(house, f"{seed} {table} {day.entries} {step}", table, doing)
    raise AssertionError("the rounds do not end")


def _attend(house: House, command: str, table: str, doing: Doing) -> None:
    """Somebody's turn; whoever has too little gets enough for an evening."""
    try:
        attend(house.floor, command, table, doing)
    except ShortPurse:
        give_money(house, (doing.by.name,), EVENING_CENTS)
        attend(house.floor, command, table, doing)


def play_until(
    house: House, table: str, seats: dict[int, Actor], wanted: Callable[[Doing], bool]
) -> None:
    """Up to the moment before something is done."""
    for step in range(MOST_STEPS):
        doing = next_doing(house.floor, table, seats, Manners(seed="until"))
        assert doing is not None
        if wanted(doing):
            return
        entries = house.floor.station(table).day.entries
        _attend(house, f"until {table} {entries} {step}", table, doing)
    raise AssertionError("it never comes")


def link_of(floor: Floor, station: Station) -> Link | None:
    """The meter that a table plays for, as the ledger has it."""
    return floor.link(station.link) if station.link else None


class Moment(NamedTuple):
    """A table after an entry: the round's cards by place, and what lies open to all."""

    entry: int
    round: int
    hands: dict[int, tuple[Card, ...]]
    open: frozenset[Card]

    def known_to(self, seat: int | None) -> frozenset[Card]:
        """What a seat, or (None) somebody who plays in no seat, may know."""
        own = self.hands.get(seat, ()) if seat is not None else ()
        return self.open | frozenset(own)


def moments(floor: Floor, table: str) -> Iterator[Moment]:
    """What may be known after each entry, told from the events and not from any view."""
    station = new_station(new_day(table, floor.books))
    dealt: dict[str, list[Card]] = {}
    open_: set[Card] = set()
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.keys):
            station = remember(station, entry)
            for event in entry.events:
                _turn(event, dealt, open_)
            state = station.day.round
            hands = {int(p): tuple(cards) for p, cards in dealt.items() if p.isdigit()}
            shown = set(open_)
            if state is not None and state.phase in OVER:
                for number, cards in hands.items():
                    seat = state.seats[number]
                    if seat.status != "folded" or seat.cards_kept:
                        shown |= set(cards)
            yield Moment(entry.number, station.day.round_number, hands, frozenset(shown))


def _turn(event: object, dealt: dict[str, list[Card]], open_: set[Card]) -> None:
    match event:
        case r.RoundOpened():
            dealt.clear()
            open_.clear()
        case r.CardsDealt():
            for place, cards in event.deliveries:
                dealt.setdefault(place, []).extend(cards)
        case r.CommunityTurned():
            open_ |= set(dealt["community"][: event.number])
        case r.BoxTurned():
            open_ |= set(dealt["box"])
        case r.UpCardsTurned():
            open_ |= set(dealt["dealer"][: event.count])
        case r.DealersHandTurned():
            open_ |= set(dealt["dealer"])


def give_money(house: House, names: Iterator[str] | tuple[str, ...], cents: int) -> None:
    """Play money for people who bet by lot."""
    for name in names:
        try:
            house.play_money.top_up(f"gift for {name}", name, cents)
        except Refused as refusal:
            raise AssertionError(str(refusal)) from None


class Eye:
    """Somebody who looks at a table, and every frame that was made for them."""

    def __init__(self, house: House, guest: Guest, topic: str) -> None:
        self.guest, self.frames = guest, list[bytes]()
        self.screen: Screen = house.live.look(guest, frozenset((topic,)))
        self._show: Callable[[str, bytes], None] = self.screen.show
        self.screen.show = self._note  # type: ignore[method-assign]

    def _note(self, topic: str, frame: bytes) -> None:
        self.frames.append(frame)
        self._show(topic, frame)
