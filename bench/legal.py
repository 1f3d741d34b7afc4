"""What `legal` costs for one person at one table, beside deciding buttons by trial, in one run.

    .venv/bin/python bench/legal.py [--seconds 2]

Tables with a meter are brought to a busy moment and asked what each of the people there may do now.
Beside it stands what a console would otherwise do: decide each action of the list that it may show,
without a trace, and see whether it is refused. CPU time, one process, one row at a time.
"""

import argparse
import time
from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from riverboat.controller import actions as p
from riverboat.core.errors import NotationError, Refused
from riverboat.core.shuffling import fresh_salts, fresh_word, scripted_entropy, shuffle
from riverboat.floor.autopilot import Manners, SealNext, Staff, next_bet, next_command
from riverboat.floor.keeping import opening_of
from riverboat.floor.station import AnyAsked, Station, decide, legal, new_station
from riverboat.keeping.actions import JoinMeter
from riverboat.keeping.engine import keep
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.incidents import KNOWN
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.day import new_day
from riverboat.table.people import Actor

DANA = Actor(name="Dana", role="dealer")
FLO = Actor(name="Flo", role="floorperson")
SUE = Actor(name="Sue", role="supervisor")
STAFF = Staff(dealer=DANA, floorperson=FLO, supervisor=SUE)
SEATS = {seat: Actor(name=f"player {seat}", role="player") for seat in range(1, 7)}
CHOICES: dict[str, str | int | bool] = {
    "three_card_bonus": "MD-2014-3CB-E",
    "progressive_wager": "1",
    "rate": "21",
    "meter_link": "river",
    "seats": 6,
}
MOMENTS = ("betting", "deciding", "settling")
MOST_MICROSECONDS = 300


class Table:
    """A table that plays by itself until it stands as it is wanted."""

    def __init__(self, *, physical: bool) -> None:
        filed = standard_submission(editions()["maryland-2014"][0], CHOICES, name="T")
        filed = replace(filed, cards="physical") if physical else filed
        self.entropy, self.rng = scripted_entropy("bench"), Random("bench")
        self.station: Station = new_station(new_day("T", editions()))
        self.link = Link(id="river")
        self.do(FLO, a.Propose(submission=filed))
        self.do(SUE, a.Approve(number=1))
        self.do(FLO, a.OpenDay(date="2026-11-18", tray_cents=50_000_00))
        self.do(FLO, a.Designate())
        self.do(FLO, a.AssignDealer(name=DANA.name))
        self._join()

    def _join(self) -> None:
        setup = self.station.day.setup
        self.link = keep(self.link, SUE, opening_of(setup, FLO), setup=setup).link
        self.link = keep(self.link, FLO, JoinMeter(table="T"), setup=setup).link

    def do(self, by: Actor, action: AnyAsked) -> None:
        told = decide(self.station, self.link if self.station.link else None, by, action)
        self.station, self.link = told.station, told.link or self.link

    def go_on(self) -> None:
        """The next step of whoever's it is; a real card is told by lot."""
        manners = Manners(seed="bench", fold=0)
        doing = next_bet(self.station, SEATS, manners)
        doing = doing or next_command(self.station, self.link, STAFF)
        if doing is None:
            day = self.station.day
            left = [card for card in range(52) if card not in day.reported]
            self.do(DANA, a.ReportCard(card=self.rng.choice(left)))
        elif isinstance(doing.ask, SealNext):
            order, salts = shuffle(self.entropy), fresh_salts(self.entropy)
            word = fresh_word(self.entropy)
            sealing = a.SealDeck(deck=doing.ask.deck, order=order, salts=salts, word=word)
            self.do(doing.by, sealing)
        else:
            self.do(doing.by, doing.ask)

    def until(self, phase: str) -> None:
        """All six seats have bet, and the round stands there."""
        while not self._stands(phase):
            self.go_on()

    def _stands(self, phase: str) -> bool:
        day = self.station.day
        return day.in_round and day.playing.phase == phase and len(day.playing.seats) == len(SEATS)


def by_trial(table: Table, by: Actor) -> int:
    """How many of the actions that a console shows would be granted, each decided in full."""
    return sum(_is_granted(table, by, action) for action in buttons(table))


def buttons(table: Table) -> list[AnyAsked]:
    """What a console of the house may show at a table in a round."""
    day = table.station.day
    found: list[AnyAsked] = [a.Interrupt(reason="?"), a.FailDevice(reason="?")]
    for deck in day.decks:
        found += [a.JamShuffler(deck=deck), a.OrderShuffle(deck=deck, reason="?")]
        found.append(a.RemoveDeck(deck=deck, reason="?"))
    found += [g.Incident(what=what, seat=1) for what in KNOWN]
    other = Actor(name="?", role="supervisor")
    for seat in day.playing.seats:
        found.append(g.Correct(seat=seat, spot="ante", cents=1, reason="?"))
        found.append(p.OverrideUnlit(seat=seat, reason="?", second=other))
    return found


def _is_granted(table: Table, by: Actor, action: AnyAsked) -> bool:
    try:
        decide(table.station, table.link, by, action)
    except (Refused, NotationError):
        return False
    return True


def microseconds(asked: Callable[[], object], seconds: float) -> float:
    """The CPU time of one call, after a first stretch that fills every cache."""
    for _ in range(20):
        asked()
    count, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(10):
            asked()
        count += 10
    return spent / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time of each row")
    seconds = parser.parse_args().seconds
    print("maryland-2014 with a meter, six seats; µs of CPU time a call\n")
    print(f"{'cards':<12}{'moment':<12}{'who':<14}{'offers':>7}{'legal':>9}{'by trial':>10}")
    worst = 0.0
    for physical in (False, True):
        for moment in MOMENTS:
            table = Table(physical=physical)
            table.until(moment)
            for by in (SUE, DANA, SEATS[1]):
                offers = legal(table.station, table.link, by)
                took = microseconds(lambda: legal(table.station, table.link, by), seconds)  # noqa: B023
                row = f"{'physical' if physical else 'electronic':<12}{moment:<12}{by.role:<14}"
                row += f"{len(offers):>7}{took:>9.0f}"
                if by is SUE:
                    worst = max(worst, took)
                    trial = microseconds(lambda: by_trial(table, by), seconds)  # noqa: B023
                    row += f"{trial:>10.0f}   ({len(buttons(table))} actions)"
                print(row, flush=True)
    verdict = "within" if worst <= MOST_MICROSECONDS else "OVER"
    print(f"\nA supervisor's table: {worst:.0f} µs at most, {verdict} {MOST_MICROSECONDS}.")


if __name__ == "__main__":
    main()
