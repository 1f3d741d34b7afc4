"""What a round of a linked table won on its meter, told with the meter's own amounts.

A round by itself only knows a meter of its own. At a table with a link that one is not the amount
on the sign, so whatever was won is told from what the link fixed and moved.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from riverboat import events as r
from riverboat.floor.bodies import MeterEntry
from riverboat.floor.controller_words import hand_name, show_units
from riverboat.floor.floor import METER
from riverboat.floor.opened_rows import MeterRow, Opener
from riverboat.games.awards import as_given
from riverboat.games.explaining import Explanation, explain
from riverboat.games.paid_from import source_words
from riverboat.games.round import Round
from riverboat.games.settlement import dues
from riverboat.games.table_talk import held
from riverboat.ledger import Ledger
from riverboat.meter import events as le
from riverboat.meter.link import Link
from riverboat.meter.link import apply as apply_to_link
from riverboat.money import MeterUnits, format_cents


class Won(NamedTuple):
    """An award as the link fixed it, and what the meter stood at when it had left."""

    fixed: le.AwardFixed
    after_units: MeterUnits | None = None


class MeterStory:
    """A meter's stream, read once in its order while a round is told."""

    def __init__(self, ledger: Ledger, opener: Opener, name: str) -> None:
        self.name = name
        self.awards: dict[str, Won] = {}
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
                    self.awards[event.award] = Won(event)
                case le.MeterMoved() if event.award in self.awards:
                    won = self.awards[event.award]
                    self.awards[event.award] = won._replace(after_units=after.meter.units)
            yield event, link, after
            link = after


def results_of(state: Round, awards: dict[str, Won]) -> tuple[Explanation, ...]:
    """Every result of a round; shares of the meter with the amounts of the link."""
    waiting: dict[int, list[Won]] = {}
    for won in awards.values():
        waiting.setdefault(won.fixed.seat, []).append(won)
    told = []
    for one in explain(state):
        own = waiting.get(one.seat, [])
        of_meter = one.spots == ("progressive",) and "% of meter" in one.pays
        if of_meter and own:
            won = own.pop(0)
            said = _words(won, one) + _source(state, won)
            one = replace(one, result="win", words=said)
        told.append(one)
    return tuple(told)


def _source(state: Round, won: Won) -> str:
    """From where a seat's award is paid."""
    owed = dues(state.at_settlement) if state.at_settlement is not None else ()
    mine = (due for due in owed if (due.seat, due.spot) == (won.fixed.seat, "progressive"))
    given = (as_given(state.setup, due, won.fixed.cents) for due in mine)
    return "".join(source_words(state.setup, due)[0] for due in given)


def _words(won: Won, one: Explanation) -> str:
    fixed = won.fixed
    share = "the whole meter" if fixed.percent == 100 else f"{fixed.percent}% of the meter"
    if fixed.of > 1:
        share = f"an equal part, {fixed.share} of {fixed.of}, of {share}"
    said = f"{hand_name(fixed.hand).capitalize()} wins {share} {show_units(fixed.before_units)}"
    paid = f"; payable are {format_cents(one.paid_cents)}" * (one.paid_cents != fixed.cents)
    stake = f"; the wager of {format_cents(one.stake_cents)} is not returned"
    if won.after_units is None:
        return f"{said}: {format_cents(fixed.cents)}{paid}{stake}"
    goes = "starts again at" if fixed.resets else "goes on with"
    after = f"; the meter {goes} {show_units(won.after_units)}"
    return f"{said}: {format_cents(fixed.cents)}{paid}{after}{stake}"


def award_said(event: r.MeterAwarded) -> str:
    """A share of the meter that was paid; what the meter shows, its own row says."""
    share = f"{event.percent}% of the meter for {held(event.hand)}"
    return f"Seat {event.seat}: {share}, {format_cents(event.paid_cents)}"
