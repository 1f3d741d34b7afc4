"""A finished round again: as it lay on the felt after each step, for one person's eyes at that
time, and as it stood at its end."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from riverboat.controller.state import Light, light_of
from riverboat.floor.codec import TABLE, read_table_body
from riverboat.floor.floor import Floor
from riverboat.floor.station import Station, StationEntry, new_station, remember
from riverboat.round.state import Round
from riverboat.round.views import RoundView, view
from riverboat.table import events as e
from riverboat.table.day import new_day
from riverboat.web.rounds.story import Eyes


class Picture(Struct, frozen=True, kw_only=True):
    """The felt after an entry: the round, the controller's key, and each seat's light."""

    entry: int
    round: RoundView
    key: Literal["RUN", "JPH"]
    lights: dict[int, Light]


def pictures(floor: Floor, table: str, number: int, eyes: Eyes) -> list[Picture]:
    """The felt after each entry of a round, from its first to its last."""
    station = new_station(new_day(table, floor.books))
    found: list[Picture] = []
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.secret):
            station = remember(station, entry)
            day = station.day
            if day.round_number > number:
                return found
            if day.round_number == number and day.round is not None:
                found.append(_picture(station, entry, eyes))
                if _is_last(station, entry):
                    return found
    return found


def _is_last(station: Station, entry: StationEntry) -> bool:
    """Whether the deck of the round is used again: nothing of it lies on the felt any more."""
    return not station.day.in_round and any(
        isinstance(event, e.ShuffleFinished | e.DeckTakenAway) for event in entry.events
    )


def _picture(station: Station, entry: StationEntry, eyes: Eyes) -> Picture:
    day = station.day
    rule = day.setup.book.progressive if station.link else None
    seats = range(1, day.setup.seats + 1) if rule is not None else ()
    return Picture(
        entry=entry.number,
        round=seen_by(day.playing, eyes),
        key=station.controller.key,
        lights={seat: light_of(station.controller, seat, rule) for seat in seats if rule},
    )


def seen_by(state: Round, eyes: Eyes) -> RoundView:
    """A round as somebody who has these seats saw it; as the rail did, for the house."""
    seats = eyes.seats or ()
    shown = view(state, seats[0] if seats else None)
    own = {seat: view(state, seat).seats[seat] for seat in seats[1:] if seat in state.seats}
    return replace(shown, seats={**shown.seats, **own})


def finished_round(floor: Floor, table: str, number: int) -> Round | None:
    """A table's round by its number; None where there is none, or it is not over.

    The last one is at hand; for an older one the table's record is gone through.
    """
    day = floor.station(table).day
    if day.round_number == number:
        return None if day.in_round else day.round
    station, found = new_station(new_day(table, floor.books)), None
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.secret):
            station = remember(station, entry)
        if station.day.round_number > number:
            return found
        if station.day.round_number == number:
            found = station.day.round
    return None
