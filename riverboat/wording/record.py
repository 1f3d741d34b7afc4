"""What happened at a table: events with who asked for them and the table before and after."""

from typing import Any, NamedTuple

from riverboat.core.errors import Refused
from riverboat.core.money import divide_down
from riverboat.round import events as r
from riverboat.rulebook import Rulebook
from riverboat.table.day import Day
from riverboat.table.events import Entry
from riverboat.table.people import SYSTEM, Actor, automatic


class Told(NamedTuple):
    """Something that happened, who asked for it, and the table before and after."""

    event: Any
    by: Actor
    before: Day
    after: Day

    @property
    def doer(self) -> Actor:
        """Who did it. A fold is the player's; taking what it lost is the dealer's, though one
        request did both."""
        takes = isinstance(self.event, r.FoldCollected | r.SideBetLost)
        if not takes or self.by.role != "player" or not self.before.dealer:
            return self.by
        program = automatic("dealer")
        dealer = self.before.dealer
        return program if dealer == program.name else Actor(name=dealer, role="dealer")

    @property
    def day(self) -> Day:
        """The table under whose configuration it happened."""
        return self.before if self.before.configuration is not None else self.after

    @property
    def book(self) -> Rulebook:
        """The rulebook that it happened under."""
        return self.day.setup.book


class Happened(NamedTuple):
    """One entry of a table's day, with the table before and after it."""

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


def refused_words(asked: str, why: str) -> str:
    """Something that was asked for and refused; the reasons in one line."""
    return f"REFUSED{f' ({asked})' if asked else ''}: {'; '.join(why.splitlines())}"


def who(actor: Actor) -> str:
    """A person with the role, or that it was no person."""
    if actor == SYSTEM:
        return "automatic"
    return actor.name if actor.automatic else f"{actor.name}, {actor.role}"


def show_time(seconds: int) -> str:
    """Seconds as a time of day."""
    minutes = divide_down(seconds, 60)
    hours, rest = divide_down(minutes, 60), seconds - 60 * minutes
    return f"{hours:02}:{minutes - 60 * hours:02}" + (f":{rest:02}" if rest else "")
