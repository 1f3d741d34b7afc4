"""Random days at tables of every kind: what must hold after whatever anybody asks for.

What a prompt says can be done, at once. A refusal changes nothing. The record alone gives the same
table again. The tray, the numbers of rounds and commitments, the age of a deck and the cards of a
deal are kept a second time, from the record alone (`day_books.py`). And from wherever a day has
got to, the prompt leads through another round and to the table's close.
"""

from collections import Counter
from functools import reduce
from random import Random
from typing import get_args

import msgspec
import pytest

from riverboat.core.cards import DECK, show_card
from riverboat.core.errors import RiverboatError
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.legal import allows
from riverboat.round.views import view
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Day, apply, new_day, remember_entry
from riverboat.table.engine import advance
from riverboat.table.events import Entry
from riverboat.table.legal import legal
from riverboat.table.people import Actor, has_role
from riverboat.table.task import Task
from riverboat.wording.prompts.prompt import prompt
from tests.conftest import Report
from tests.support.day_player import (
    MARYLAND,
    DayPlayer,
    Done,
    anybody,
    anything,
    books,
    day_request,
    permitted,
    received_preshuffled,
    right_asker,
    right_person,
    round_request,
    somebody,
    tables,
)
from tests.support.open_cards import cards_in
from tests.table.day_books import EVERY_ROUNDS, Books

SHORT_RUN = range(6)
LONG_RUN = range(6, 24)
STEPS = 250
DAY_EVENTS = {kind.__struct_config__.tag for kind in get_args(e.DayEvent)}
ROWS = {f"T{number}" for number in range(2, 31)}

# ---------------------------------------------------------------- what was reached


def rows(done: Done) -> set[str]:
    """The rows of a table's life cycle that an entry went through."""
    before, events = done.before, done.entry.events
    kinds = {type(event) for event in events}
    found = {row for kind, row in _ROW_OF.items() if kind in kinds}
    for event in events:
        match event:
            case e.DeckReceived():
                found.add("T3" if event.preshuffled else "T2")
                if before.round_number:
                    found.add("T27")
            case e.DeckPrepared(defects=""):
                idle = before.decks[event.deck].stage == "idle"
                found.add("T26" if idle else _ROW_OF_STEP[event.step])
            case e.ShuffleFinished():
                found.add("T13" if e.DeckTakenAway in kinds else "T14")
            case e.DeckLoaded():
                found.add("T18" if before.decks[event.deck].is_cut else "T15")
            case e.StubCounted() if before.in_round:
                void = r.RoundVoided in kinds
                found |= {"T21", _COUNTED[(event.total == len(DECK), void)]}
    return found


_ROW_OF: dict[type, str] = {
    e.ShuffleStarted: "T11",
    e.ShuffleJammed: "T12",
    e.DeckCut: "T16",
    e.RecutOrdered: "T17",
    e.RoundStarted: "T19",
    r.RoundClosed: "T20",
    e.WentIdle: "T25",
    e.DeviceFailed: "T28",
    e.MethodChanged: "T29",
    e.TableClosed: "T30",
}
_ROW_OF_STEP = {
    "inspect": "T4",
    "verify": "T5",
    "spread_face_up": "T6",
    "first_player_looks": "T7",
    "turn_face_down": "T8",
    "wash": "T9",
    "stack": "T10",
}
_COUNTED = {(True, False): "T22", (True, True): "T23", (False, True): "T24", (False, False): "T22"}


# ---------------------------------------------------------------- a random day


class RandomDay:
    """One day: what is asked for, and what is checked after each answer."""

    def __init__(self, name: str, seed: int, counts: Counter[str]) -> None:
        self.player = DayPlayer(tables()[name], f"{name} {seed}")
        self.rng = Random(f"{name} {seed} asks")
        self.calm = self.rng.choice((0.25, 0.5, 0.8, 0.95))
        self.counts = counts
        self.books = Books()
        self.twin = new_day("T", books())
        self.asked: list[tuple[str, str, a.AnyAction]] = []

    def run(self, steps: int = STEPS) -> None:
        for number in range(steps):
            self.check_prompt()
            self.check_temptations()
            by, action = self.request()
            self.ask(by, action)
            if number % 40 == 39:
                self.check_never_stuck()
        self.check_never_stuck()
        again = reduce(remember_entry, self.player.record, new_day("T", books()))
        assert again == self.player.day

    def request(self) -> tuple[Actor, a.AnyAction]:
        player, rng = self.player, self.rng
        day = player.day
        task = rng.choice(self.likely_tasks())
        asked = player.action_of(task) or a.TellTime(at=day.now)
        if rng.random() < self.calm:
            return right_person(day, task), asked
        odd = rng.choice(("wild", "wild", "around", "around", "around", "deck", "round", "person"))
        if odd == "person":
            return anybody(rng, day), asked
        if odd == "wild":
            asked = anything(player)
            if rng.random() < 0.3:
                return anybody(rng, day), asked
        elif odd == "deck" and not day.in_round:
            asked = received_preshuffled(rng, day)
        elif odd == "round" and day.in_round:
            asked = round_request(player) or asked
        else:
            asked = day_request(player)
        return right_asker(rng, day, asked), asked

    def likely_tasks(self) -> list[Task]:
        tasks = list(prompt(self.player.day).tasks)
        if self.rng.random() < 0.9:
            tasks = [task for task in tasks if not isinstance(task.do, a.CloseTable)]
        must = [task for task in tasks if not task.optional]
        return must if must and self.rng.random() < 0.7 else tasks

    # ------------------------------------------------------------ after every answer

    def ask(self, by: Actor, action: a.AnyAction) -> None:
        player = self.player
        self.counts["requests"] += 1
        self.check_offered(by, action)
        try:
            done = player.do(by, action)
        except RiverboatError as refusal:
            self.check_refused(refusal)
        else:
            self.asked.append((by.role, by.name, action))
            self.check_done(done)

    def check_offered(self, by: Actor, action: a.AnyAction) -> None:
        """What is offered is granted, and what is granted is offered."""
        refusal = self.player.accepts(by, action)
        offered = allows(legal(self.player.day, by), action)
        assert offered is (refusal is None), f"{by}, {refusal}: {action}"

    def check_refused(self, refusal: RiverboatError) -> None:
        assert refusal.code
        assert str(refusal)
        assert self.player.day == self.twin, "a refusal changed the table"
        self.counts["refused"] += 1

    def check_done(self, done: Done) -> None:
        entry = done.entry
        self.check_person(done)
        stored = msgspec.json.decode(msgspec.json.encode(entry), type=Entry)
        assert stored == entry
        assert entry.number == done.before.entries + 1
        assert entry.at == done.after.now >= done.before.now
        self.twin = remember_entry(self.twin, stored)
        assert self.twin == done.after, "the record does not give the same table"
        day = done.before
        for event in entry.events:
            self.books.see(day, event)
            day = apply(day, event)
            self.counts[f"event {event.__struct_config__.tag}"] += 1
        self.books.check(done.after)
        self.check_views(done.after)
        for row in rows(done):
            self.counts[f"row {row}"] += 1

    def check_person(self, done: Done) -> None:
        """Only who may ask is heard; a test table says so in every line; programs only at demos."""
        by, configuration = done.entry.by, done.before.configuration
        test = configuration is not None and configuration.test
        if by.role == "lab":
            assert test or configuration is None
        else:
            assert has_role(by, permitted(done.before, done.entry.action))
        if by.role == "dealer":
            assert by.name == done.before.dealer
        if test:
            assert done.entry.test
            assert by.role != "player"
        if by.automatic and by.role not in ("system", "player") and configuration is not None:
            assert configuration.demo or test

    def check_views(self, day: Day) -> None:
        """Nobody sees a card before its time, whatever the day knows of the order."""
        if day.round is None or not day.in_round or self.rng.random() > 0.4:
            return
        for viewer in (None, *day.playing.seats):
            known = {show_card(card) for card in self.books.felt.allowed(day.playing, viewer)}
            assert cards_in(view(day.playing, viewer)) <= known

    def check_prompt(self) -> None:
        """Whatever must be done can be done now, by a right person, and something can be done."""
        player = self.player
        tasks = prompt(player.day).tasks
        possible = 0
        for task in tasks:
            assert task.words
            action = player.action_of(task)
            if action is None:
                assert task.optional, f"nothing does {task.words!r}"
                continue
            by = right_person(player.day, task)
            refusal = player.accepts(by, action)
            if task.do is not None or not task.optional:
                assert refusal is None, f"{task.words!r} by {by.name}: {refusal}"
            possible += refusal is None
        assert possible, f"nothing in the prompt can be done: {tasks}"
        self.counts["prompts"] += 1

    def check_temptations(self) -> None:
        """Whether or not the prompt speaks of it: cards go out only when they may."""
        day = self.player.day
        if not day.dealer:
            return
        by = somebody(day, "dealer")
        tempting: list[a.AnyAction] = [a.StartRound(), a.DealOut()]
        tempting += [a.Load(deck=name) for name in day.decks]
        for action in tempting:
            if self.player.accepts(by, action) is None:
                entry, _ = advance(day, by, action)
                for event in entry.events[:1]:
                    self.books.guard(day, event)

    def check_never_stuck(self) -> None:
        """By the prompt alone: to the end of the round, through another one, and to the close."""
        player = DayPlayer(self.player.filed, f"{self.player.filed.name} on")
        player.day = self.player.day
        steps = player.follow_until(lambda day: day.phase == "open" and bool(day.date))
        before = player.day.round_number
        steps += player.follow_until(lambda day: day.round_number > before and not day.in_round)
        self.counts["steps to another round"] = max(self.counts["steps to another round"], steps)
        player.close()
        assert not player.day.date


@pytest.mark.slow
def test_short_days_reach_every_row_and_every_event(report: Report) -> None:
    """And in all of them the properties hold."""
    counts: Counter[str] = Counter()
    for name in tables():
        for seed in SHORT_RUN:
            run_day(name, seed, counts)
    missed = sorted(ROWS - {key.removeprefix("row ") for key in counts if counts[key]})
    assert not missed, f"no day went through {missed}"
    unseen = sorted(DAY_EVENTS - {key.removeprefix("event ") for key in counts if counts[key]})
    assert not unseen, f"no day had {unseen}"
    reached = {key: n for key, n in counts.items() if key.startswith("row ")}
    text = ", ".join(f"{row} {counts[f'row {row}']}" for row in sorted(ROWS, key=_by_number))
    report(f"day properties: all {len(reached)} rows reached: {text}")
    events = ", ".join(f"{tag} {counts[f'event {tag}']}" for tag in sorted(DAY_EVENTS))
    report(f"day properties: all {len(DAY_EVENTS)} kinds of events: {events}")


def _by_number(row: str) -> int:
    return int(row.removeprefix("T"))


@pytest.mark.slow
@pytest.mark.parametrize("name", tables())
def test_whatever_is_asked_in_a_day_its_properties_hold(name: str, report: Report) -> None:
    counts: Counter[str] = Counter()
    for seed in LONG_RUN:
        run_day(name, seed, counts)
    report(summary(name, counts))


def run_day(name: str, seed: int, counts: Counter[str], steps: int = STEPS) -> None:
    """One random day; what went before a fault is told with it."""
    day = RandomDay(name, seed, counts)
    try:
        day.run(steps)
    except Exception as problem:
        problem.add_note(f"{name}, seed {seed}")
        problem.add_note("after " + "\n      ".join(str(asked)[:300] for asked in day.asked[-14:]))
        raise


def summary(name: str, counts: Counter[str]) -> str:
    """What a run came to, in a line."""
    return (
        f"day properties: {name}: {counts['requests']:,} requests, {counts['refused']:,} refused; "
        f"{counts['event round_started']} rounds; from anywhere through another round in at most "
        f"{counts['steps to another round']} steps"
    )


def test_a_count_that_a_void_round_skipped_is_made_up_for_before_the_next() -> None:
    player = DayPlayer(tables()[MARYLAND], "an overdue count")
    player.follow_until(lambda day: day.round_number == EVERY_ROUNDS)
    player.follow_until(lambda day: day.playing.phase == "deciding")
    dealer = somebody(player.day, "dealer")
    player.do(dealer, g.Incident(what="wrong_card_count", place="community"))
    player.do(dealer, g.Close())
    player.follow_until(lambda day: any(deck.stage == "ready" for deck in day.decks.values()))
    refusal = player.accepts(dealer, a.StartRound())
    assert refusal is not None
    assert refusal.code == "stub.not_counted"
    tasks = [task.do for task in prompt(player.day).tasks if not task.optional]
    assert tasks == [a.CountStub(cards=len(DECK))]
    player.follow()
    assert player.accepts(dealer, a.StartRound()) is None
