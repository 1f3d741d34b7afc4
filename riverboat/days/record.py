"""What happened on a scripted day."""

from typing import NamedTuple

from riverboat.errors import Refused
from riverboat.table.day import Day
from riverboat.table.events import Entry
from riverboat.table.people import Actor


class Happened(NamedTuple):
    """One entry of a scripted day, with the table before and after it."""

    entry: Entry
    before: Day
    after: Day


class Tried(NamedTuple):
    """Something that somebody wanted and that was refused, after so many entries."""

    entries: int
    day: Day
    by: Actor
    words: str
    refusal: Refused
