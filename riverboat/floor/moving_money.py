"""What every event at a table moved, in cents: a round's events, an award's, and those of the tray.

The tray's own traffic with cage and drop box is posted here, because no round knows of it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from riverboat import events as r
from riverboat.floor.station import Station, apply
from riverboat.games.postings import CAGE, TRAY, Posting, player, postings
from riverboat.progressive import events as c
from riverboat.progressive.table_postings import table_postings
from riverboat.table import events as e

DROP_BOX: Final = "drop_box"
COUNT_ROOM: Final = "count_room"
_OF_ROUNDS: Final = tuple(kind for kind in get_args(r.AnyEvent) if kind is not r.RoundOpened)
_AT_TABLES: Final = (*_OF_ROUNDS, c.ControllerEvent)


def money_of(station: Station, events: Sequence[Any]) -> Iterator[tuple[Any, tuple[Posting, ...]]]:
    """Each event that moved money, with its postings, from the table as it stood before them."""
    last = len(events) - 1
    for place, event in enumerate(events):
        if moved := _moved(station, event):
            yield event, moved
        if place < last:
            station = apply(station, event)


def _moved(station: Station, event: Any) -> tuple[Posting, ...]:
    if isinstance(event, _AT_TABLES):
        round_now = station.day.round
        if round_now is None:
            return ()
        if station.link:
            return table_postings(event, station.controller, round_now)
        return () if isinstance(event, c.ControllerEvent) else postings(event, round_now)
    match event:
        case e.ChipsFilled():
            return _pair(CAGE, TRAY, event.cents)
        case e.ChipsCredited():
            return _pair(TRAY, CAGE, event.cents)
        case e.BoughtIn():
            chips = _pair(TRAY, player(event.seat), event.cents)
            return (*chips, *_pair(player(event.seat), DROP_BOX, event.cents))
        case e.BoxDropped():
            return _pair(DROP_BOX, COUNT_ROOM, event.cents)
    return ()


def _pair(source: str, to: str, cents: int) -> tuple[Posting, ...]:
    return (Posting(source, "cent", -cents), Posting(to, "cent", cents))
