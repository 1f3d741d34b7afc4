"""What really lay on a table, entry by entry of its record, and whose eyes it lay open to.

Written down from the rules of the game, not with the program's own `view`: a card is known to the
seat that holds it; to everybody once it is turned, and a hand once wagers on it are settled.
"""

from collections.abc import Iterator
from typing import NamedTuple

from riverboat.core.cards import Card
from riverboat.floor.codec import TABLE, Opener, TableRow
from riverboat.floor.secret import master_secret
from riverboat.floor.station import new_station, remember
from riverboat.ledger import open_ledger
from riverboat.round.state import Round, Seat
from riverboat.rulebooks import editions
from riverboat.table import events as e
from riverboat.table.day import new_day
from tests.browser.served import Served


class Moment(NamedTuple):
    """A table after an entry of its record."""

    entry: int
    number: int
    seated: dict[int, str]
    round: Round | None
    salts: dict[str, Card]
    """The deck's secrets so far: whoever has a card's salt can find the card in the commitment."""

    def known_to(self, name: str) -> frozenset[Card]:
        """The cards that somebody may know now."""
        if self.round is None:
            return frozenset()
        own = [seat for seat, sitting in self.seated.items() if sitting == name]
        return frozenset(_open_cards(self.round, own))


def _open_cards(state: Round, own: list[int]) -> Iterator[Card]:
    yield from state.community[: state.turned]
    yield from state.box if state.box_turned else ()
    yield from state.dealer if state.dealer_turned else state.dealer[: state.up_cards]
    begun = state.at_settlement
    for number, seat in state.seats.items():
        if number in own or (begun is not None and _is_turned_over(begun.seats[number])):
            yield from seat.cards


def _is_turned_over(seat: Seat) -> bool:
    """Whether anything on the felt still depends on a seat's own hand when bets are settled."""
    return bool(seat.wagers) or seat.lit


class Record:
    """A table's whole record, opened with the floor's secret."""

    def __init__(self, moments: list[Moment]) -> None:
        self.moments = moments

    def at(self, entry: int) -> Moment:
        """The table after so many entries."""
        return max((m for m in self.moments if m.entry <= entry), key=lambda m: m.entry)

    def of_round(self, number: int, entry: int) -> Moment | None:
        """The last that was known of a round by then."""
        found = [m for m in self.moments if m.number == number and m.entry <= entry]
        return found[-1] if found else None

    @property
    def last(self) -> Moment:
        """The table now."""
        return self.moments[-1]


def record_of(server: Served, table: str) -> Record:
    """Read it from the ledger that the server writes."""
    ledger = open_ledger(server.ledger, create=False, read_only=True)
    try:
        opener = Opener.of_table(ledger, master_secret(server.secret), table)
        station = new_station(new_day(table, editions()))
        moments: list[Moment] = []
        salts: dict[str, Card] = {}
        for row in ledger.read(TABLE + table):
            opened = opener.open(row)
            assert isinstance(opened, TableRow)
            assert not opened.sealed
            for entry in opened.entries:
                station = remember(station, entry)
                for event in entry.events:
                    if isinstance(event, e.DeckSealed):
                        salts = {**salts, **dict(zip(event.salts, event.order, strict=True))}
                day = station.day
                moments.append(
                    Moment(entry.number, day.round_number, dict(day.seated), day.round, salts)
                )
        return Record(moments)
    finally:
        ledger.close()
