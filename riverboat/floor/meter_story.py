"""A linked meter's stream beside a round that is told: what it stood at, and what it gave."""

from collections.abc import Iterator

from riverboat.floor.bodies import MeterEntry
from riverboat.floor.floor import METER
from riverboat.floor.opened_rows import MeterRow, Opener
from riverboat.games.reckoning import Stood
from riverboat.ledger import Ledger
from riverboat.meter import events as le
from riverboat.meter.link import Link
from riverboat.meter.link import apply as apply_to_link


class MeterStory:
    """A meter's stream, read once in its order while a round is told."""

    def __init__(self, ledger: Ledger, opener: Opener, name: str) -> None:
        self.name = name
        self.stood: dict[int, Stood] = {}
        self._opener = opener
        self._rows = iter(ledger.read(METER + name))
        self._ahead = next(self._rows, None)
        self._link = Link()

    def before(self, seq: int) -> Link:
        """The link as it stood before a row; rows are asked for in their order."""
        while self._ahead is not None and self._ahead.seq < seq:
            opened = self._opener.open(self._ahead)
            assert isinstance(opened, MeterRow)
            for event in opened.entry.events:
                self._link = apply_to_link(self._link, event)
            self._ahead = next(self._rows, None)
        return self._link

    def follow(self, seq: int, entry: MeterEntry) -> Iterator[tuple[le.AnyLinkEvent, Link, Link]]:
        """Each event of a row of the round, with the link before and after it."""
        link = self.before(seq)
        for event in entry.events:
            after = apply_to_link(link, event)
            match event:
                case le.AwardFixed():
                    self.stood[event.seat] = (link.meter, None)
                case le.MeterMoved() if (seat := link.awards[event.award].fixed.seat) in self.stood:
                    self.stood[seat] = (self.stood[seat][0], after.meter)
            yield event, link, after
            link = after
