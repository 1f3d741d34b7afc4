"""What every event at a table moved, in cents: a round's events, an award's, and those of the tray.

The tray's own traffic with cage and drop box is posted here, because no round knows of it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from riverboat import events as r
from riverboat.floor.station import Station, apply
from riverboat.games.postings import CAGE, TRAY, player
from riverboat.meter.accounts import Posting
from riverboat.progressive import events as c
from riverboat.progressive.engine import table_postings
from riverboat.table import events as e

DROP_BOX: Final = "drop_box"
COUNT_ROOM: Final = "count_room"
_OF_ROUNDS: Final = frozenset(kind for kind in get_args(r.AnyEvent) if kind is not r.RoundOpened)
_OF_AWARDS: Final = frozenset((c.AwardGiven, c.AwardTakenBack))
_OF_TRAYS: Final = frozenset((e.ChipsFilled, e.ChipsCredited, e.BoughtIn, e.BoxDropped))
_MOVING: Final = _OF_ROUNDS | _OF_AWARDS | _OF_TRAYS
"""The only kinds of events that can move money; looked up, because most move none."""


def money_of(station: Station, events: Sequence[Any]) -> Iterator[tuple[Any, tuple[Posting, ...]]]:
    """Each event that moved money, with its postings, from the table as it stood before them."""
    if _MOVING.isdisjoint(map(type, events)):
        return
    last = len(events) - 1
    for place, event in enumerate(events):
        if moved := moved_by(station, event):
            yield event, moved
        if place < last:
            station = apply(station, event)


def moved_by(station: Station, event: Any) -> tuple[Posting, ...]:
    """What one event moved at a table, as it stood before it."""
    kind = type(event)
    if kind in _OF_TRAYS:
        return _traffic(event)
    state = station.day.round
    if state is None or kind not in _MOVING:
        return ()
    return table_postings(event, station.controller, state)


def _traffic(event: Any) -> tuple[Posting, ...]:
    match event:
        case e.ChipsFilled():
            return _pair(CAGE, TRAY, event.cents)
        case e.ChipsCredited():
            return _pair(TRAY, CAGE, event.cents)
        case e.BoughtIn():
            chips = _pair(TRAY, player(event.seat), event.cents)
            return (*chips, *_pair(player(event.seat), DROP_BOX, event.cents))
    return _pair(DROP_BOX, COUNT_ROOM, event.cents)


def _pair(source: str, to: str, cents: int) -> tuple[Posting, ...]:
    return (Posting(source, "cent", -cents), Posting(to, "cent", cents))
