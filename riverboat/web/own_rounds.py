"""A finished round again, as it stood at its end."""

from riverboat.floor.codec import TABLE, read_table_body
from riverboat.floor.floor import Floor
from riverboat.floor.station import new_station, remember
from riverboat.round.state import Round
from riverboat.table.day import new_day


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
