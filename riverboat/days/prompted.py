"""The prompts of an opening and of one round, followed to the letter by the people of a table.

Three players sit down and place every side bet of the rulebook; the second one folds at once.
"""

from collections.abc import Iterator
from typing import NamedTuple

from riverboat.days.day_file import DayScript
from riverboat.days.runner import DayRunner
from riverboat.errors import NotationError
from riverboat.games import actions as g
from riverboat.money import Cents
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import PROGRESSIVE
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.prompts import prompt
from riverboat.table.shuffles import depths
from riverboat.table.tasks import Prompt, Task

_TRAY_CENTS = 5_000_000
_SECOND = "Sue"
_SEATS = {1: "Ann", 2: "Ben", 3: "Cal"}
_MOST_STEPS = 200
_MIDDLE = 26


class Moment(NamedTuple):
    """A table that waits: where it stands, what everybody is told, and which task is done next."""

    state: str
    prompt: Prompt
    done: Task


def prompted_day(book: Rulebook, sha256: str) -> list[Moment]:
    """Every moment from a closed table to the end of its first round."""
    script = DayScript(
        title=f"prompts of {book.id}",
        rulebook=book.id,
        begin="nothing",
        people={_SEATS[3]: "player"},
        table=every_bet(book),
    )
    runner = DayRunner(script, {book.id: (book, sha256)})
    return list(_moments(runner))


def every_bet(book: Rulebook) -> dict[str, str | int | bool]:
    """The choices that offer every side bet, each with its first table that can be played."""
    playable = {table.id for table in book.paytables if table.playable}
    choices: dict[str, str | int | bool] = {}
    for offer in book.side_bets:
        tables = [table for table in offer.paytables if table in playable]
        if offer.bet != PROGRESSIVE and tables:
            choices[offer.bet] = tables[0]
    if book.progressive is not None and any(o.bet == "progressive" for o in book.side_bets):
        first = book.progressive.schedules[0]
        choices["progressive"] = first.paytable
        if sum(one.paytable == first.paytable for one in book.progressive.schedules) > 1:
            choices["progressive_wager"] = str(first.wager).lstrip("$")
    return choices


def _moments(runner: DayRunner) -> Iterator[Moment]:
    for _ in range(_MOST_STEPS):
        day = runner.day
        if day.round_number and not day.in_round:
            return
        told = prompt(day)
        task = _chosen(day, told)
        yield Moment(_state(day, told), told, task)
        _follow(runner, task)
    raise NotationError("prompts.stuck", "the table never comes to the end of a round")


def _state(day: Day, told: Prompt) -> str:
    return f"round, {day.playing.phase}" if day.in_round else told.state.replace("_", " ")


def _chosen(day: Day, told: Prompt) -> Task:
    """Antes, then side bets, then what holds the table up; a player cuts where a player may."""
    if day.in_round and day.playing.phase in ("betting", "ready"):
        for task in told.tasks:
            if task.who == "player" and task.optional:
                return task
    return next(task for task in told.tasks if not task.optional)


def _follow(runner: DayRunner, task: Task) -> None:
    if task.who == "player" and not runner.day.seated:
        for seat, name in _SEATS.items():
            runner.do(runner.person(name), a.SitDown(seat=seat))
        if task.do is None:
            return
    action = task.do
    if isinstance(action, g.Bet) and action.seat == 2:
        action = g.Fold(seat=2)
    if action is None:
        action = _given(runner, task)
    if action is None:
        runner.follow(task)
    elif isinstance(action, a.Approve):
        runner.do(runner.person(_SECOND), action)
    else:
        runner.do(runner.who(task), action)


def _given(runner: DayRunner, task: Task) -> a.AnyAction | None:
    """What only people can give: a configuration, a count, a name, a side bet, a cut."""
    day = runner.day
    if day.configuration is None:
        return a.Propose(submission=runner.submission())
    if not day.date:
        return a.OpenDay(date="2026-11-15", tray_cents=_TRAY_CENTS)
    if not day.dealer:
        return a.AssignDealer(name="Dana")
    if task.who == "player" and day.in_round:
        return _players(day, task)
    return None


def _players(day: Day, task: Task) -> a.AnyAction:
    if day.playing.phase == "ready":
        deck = day.deck_in_play
        assert deck is not None
        low, high = depths(day, deck)
        return a.CutByPlayer(depth=min(max(low, _MIDDLE), high))
    placed = day.playing.seats[task.seat].wagers
    offered = (o.bet for o in day.setup.book.side_bets if day.setup.offers(o.bet))
    bet = next(b for b in offered if b not in placed)
    return g.Wager(seat=task.seat, spot=bet, cents=_least(day, bet), player=day.seated[task.seat])


def _least(day: Day, bet: str) -> Cents:
    setup = day.setup
    if bet == "progressive" and setup.progressive is not None:
        return setup.progressive.wager_cents
    return max(setup.limits.bonuses[bet].minimum_cents, setup.limits.unit_cents)
