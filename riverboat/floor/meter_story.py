"""A linked meter's stream beside a round that is told: what it stood at, and what it gave."""

from collections.abc import Iterator

from riverboat.floor.bodies import MeterEntry
from riverboat.floor.floor import METER
from riverboat.floor.opened_rows import MeterRow, Opener
from riverboat.ledger import Ledger
from riverboat.meter import events as le
from riverboat.meter.amounts import Meter
from riverboat.meter.link import Link
from riverboat.meter.link import apply as apply_to_link
from riverboat.meter.operations import Share


class MeterStory:
    """A meter's stream, read once in its order while a round is told."""

    def __init__(self, ledger: Ledger, opener: Opener, name: str) -> None:
        self.name = name
        self.won: dict[int, Share] = {}
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
                    self.won[event.seat] = _share(event)
                case le.MeterMoved() if (seat := link.awards[event.award].fixed.seat) in self.won:
                    self.won[seat] = self.won[seat]._replace(after=after.meter)
            yield event, link, after
            link = after


def _share(fixed: le.AwardFixed) -> Share:
    """What was given to a seat, before the meter has moved."""
    return Share(
        percent=fixed.percent,
        cents=fixed.cents,
        resets=fixed.resets,
        reserve_units=fixed.reserve_units,
        of=fixed.of,
        before=Meter(units=fixed.before_units),
        after=None,
    )
