"""The prompts of a whole round in each rulebook, word for word, and what every one of them has.

`RIVERBOAT_WRITE_PROMPTS=1` writes the files of `tests/wording/prompts` anew; read what changed.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.round import actions as g
from riverboat.rulebooks import rulebook_ids
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.table.task import Prompt, Task
from riverboat.wording.prompts.prompt import prompt
from tests.support.day_player import DayPlayer, books, right_person, stacked, tables

FILES = Path(__file__).parent
NO_MORE_BETS = {"maryland-2014", "house-demo"}
NO_RULE = (
    a.Propose, a.Approve, a.Withdraw, a.OpenDay, a.CloseDay, a.Designate, a.CloseTable, a.Drop,
    a.AssignDealer, a.SitDown, a.Confirm, a.CallOff, a.FixCut, a.TellWord,
)  # fmt: skip


def written(shown: Prompt) -> Iterator[str]:
    """A prompt in lines: who must or may do what, what is said and how it is done, and why."""
    for task in (*shown.at_once, *shown.tasks):
        seat = f" of seat {task.seat}" if task.seat and task.who == "player" else ""
        need = "now" if task in shown.at_once else "may" if task.optional else "must"
        yield f"  {need}  {task.who}{seat}: {task.words}"
        if task.say:
            yield f"        says: {task.say}"
        yield from (f"        how: {step}" for step in task.how)
        if task.cites:
            yield f"        {', '.join(task.cites)}"
    for notice in shown.notices:
        yield f"  note  {notice.words}"
        if notice.cites:
            yield f"        {', '.join(notice.cites)}"


def done_next(player: DayPlayer) -> tuple[Actor, a.AnyAction]:
    """Ann, Bob and Cleo bet, Ann on everything that is offered; Bob folds when a card lies open."""
    day = player.day
    tasks = prompt(day).tasks
    if day.in_round and day.playing.phase == "betting":
        missing = [task for task in tasks if isinstance(task.do, g.Wager)]
        if missing:
            return right_person(day, missing[0]), missing[0].do  # type: ignore[return-value]
        for wager in side_bets(day):
            if player.accepts(Actor(name="Ann", role="player"), wager) is None:
                return Actor(name="Ann", role="player"), wager
    for task in tasks:
        action = player.action_of(task)
        if task.optional or action is None:
            continue
        if isinstance(action, g.Bet) and action.seat == 2 and day.playing.turned:
            action = g.Fold(seat=2)
        return right_person(day, task), action
    raise AssertionError(f"nothing to do: {tasks}")


def side_bets(day: Day) -> Iterator[g.Wager]:
    """Ann's wager on every side bet, for what it must be, or for what her ante was."""
    progressive = day.setup.progressive
    for offer in day.setup.book.side_bets:
        cents = day.playing.seats[1].wagers["ante"]
        if offer.bet == "progressive" and progressive is not None:
            cents = progressive.wager_cents
        yield g.Wager(seat=1, spot=offer.bet, cents=cents, player="Ann")


DEPTHS = {
    "caribbean-demo": 38,
    "house-demo": 36,
    "iowa-catfish-bend": 46,
    "island-stud": 4,
    "maryland-2014": 36,
    "south-dakota-2011": 32,
    "south-dakota-3cb": 43,
}
"""Where the deck of each round is cut, so that its hands have something to tell."""


class CutSoDeep(DayPlayer):
    """A table whose decks are cut where the test wants it."""

    depth = 0

    def seal(self, deck: str) -> a.SealDeck:
        fresh = super().seal(deck)
        return stacked(self.day, deck, fresh.order, fresh.salts, self.depth)


def round_prompts(name: str) -> Iterator[tuple[Day, Prompt, Actor, a.AnyAction]]:
    """Every prompt from the first bets to the next, and what was done about it."""
    player = CutSoDeep(tables()[name], f"prompts {name}")
    player.depth = DEPTHS[name]
    player.follow_until(lambda day: bool(day.dealer))
    player.do(Actor(name="Ann", role="player"), a.SitDown(seat=1))
    player.do(Actor(name="Bob", role="player"), a.SitDown(seat=2))
    player.do(Actor(name="Cleo", role="player"), a.SitDown(seat=3))
    player.follow_until(lambda day: prompt(day).state == "ready")
    while player.day.round_number < 1 or prompt(player.day).state != "ready":
        by, action = done_next(player)
        yield player.day, prompt(player.day), by, action
        player.do(by, action)


def page(name: str) -> str:
    """The prompts of a round as a text."""
    lines = [f"The prompts of a round: {books()[name][0].title}", ""]
    for day, shown, by, action in round_prompts(name):
        phase = f", {day.playing.phase}" if day.in_round else ""
        lines += [f"{shown.state}{phase}", *written(shown)]
        lines += [f"  done by {by.name}: {type(action).__struct_config__.tag}", ""]
    return "\n".join(lines)


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_prompts_of_a_whole_round_are_as_written(name: str) -> None:
    fresh, file = page(name), FILES / f"{name}.txt"
    if os.environ.get("RIVERBOAT_WRITE_PROMPTS"):
        file.write_text(fresh, "utf-8")
    assert fresh == file.read_text("utf-8")


@pytest.mark.parametrize("name", rulebook_ids())
def test_no_more_bets_is_said_where_the_rulebook_prints_it_and_nowhere_else(name: str) -> None:
    said = [
        type(task.do)
        for _, shown, _, action in round_prompts(name)
        for task in shown.tasks
        if task.say == "no more bets" and task.do == action
    ]
    assert said == ([g.CloseBets] if name in NO_MORE_BETS else [])


@pytest.mark.parametrize("name", rulebook_ids())
def test_nobody_is_told_to_say_it_before_the_first_wager(name: str) -> None:
    for day, shown, _, _ in round_prompts(name):
        if day.in_round and not day.playing.seats:
            assert not any(task.say for task in shown.tasks)


def every_task(name: str) -> Iterator[tuple[DayPlayer, Task]]:
    """The tasks of a day at a table: opened, played for six rounds, its device lost and found."""
    player = DayPlayer(tables()[name], f"every task {name}")
    lost = False
    for _ in range(220):
        yield from ((player, task) for task in prompt(player.day).tasks)
        if player.day.round_number == 2 and not lost:
            lost = True
            by = Actor(name="Flo", role="floorperson")
            failing = a.FailDevice(reason="smoke")
            if player.accepts(by, failing) is None and not player.filed.test:
                player.do(by, failing)
        else:
            player.follow()


@pytest.mark.parametrize("name", tables())
def test_every_task_has_words_and_a_regulated_one_its_clause(name: str) -> None:
    book = books()[tables()[name].rulebook][0]
    known = {*book.clauses, *book.ambiguities}
    seen = 0
    for player, task in every_task(name):
        assert task.words[0].isupper()
        assert not task.words.endswith(".")
        assert set(task.cites) <= known, task
        action = player.action_of(task)
        if task.who == "system" or (action is not None and isinstance(action, NO_RULE)):
            continue
        assert task.cites, f"{task.words!r} cites nothing"
        seen += 1
    assert seen > 100


@pytest.mark.parametrize("name", tables())
def test_a_prompt_never_repeats_a_task_or_a_clause(name: str) -> None:
    for player, task in every_task(name):
        tasks = prompt(player.day).tasks
        assert tasks.count(task) == 1, task
        assert len(set(task.cites)) == len(task.cites), task


def test_a_suspended_table_without_a_fallback_says_what_the_floor_can_do() -> None:
    player = DayPlayer(tables()["iowa-catfish-bend"], "suspended")
    player.follow_until(lambda day: day.in_round and day.playing.phase == "ready")
    dealer = Actor(name=player.day.dealer, role="dealer")
    player.do(dealer, g.Incident(what="shoe_jam"))
    player.do(dealer, g.Close())
    shown = prompt(player.day)
    assert shown.state == "device_down"
    assert [(t.who, type(t.do)) for t in shown.tasks if not t.optional] == [
        ("dealer", a.MarkDevice)
    ]
    player.follow()
    shown = prompt(player.day)
    assert ("floorperson", a.RestoreDevice) in [(t.who, type(t.do)) for t in shown.tasks]
    assert any(notice.overdue for notice in shown.notices)
    assert player.accepts(dealer, a.StartRound()) is not None


def test_what_is_overdue_is_noticed_in_time() -> None:
    player = DayPlayer(tables()["maryland-2014"], "old cards")
    player.follow_until(lambda day: day.round_number == 1 and not day.in_round)
    system = right_person(player.day, Task(who="system", words="Tell the time"))
    noticed = {}
    for minutes in (0, 449, 451, 460, 480):
        player.do(system, a.TellTime(at=minutes * 60))
        noticed[minutes] = [(n.seconds_left, n.overdue) for n in prompt(player.day).notices]
    assert noticed[0] == noticed[449] == []
    assert noticed[451] == [(29 * 60, False)]
    assert noticed[460] == [(20 * 60, False)]
    assert noticed[480] == [(0, True)]
    removal = next(t.do for t in prompt(player.day).tasks if not t.optional)
    assert isinstance(removal, a.RemoveDeck)
