"""The house's own days, and what a day came to."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from riverboat import rulebooks
from riverboat.core.errors import NotationError, Reading
from riverboat.core.money import Cents, format_cents, show_dollars
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.setup.choices import every_side_bet
from riverboat.round.setup.setup import set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import PROGRESSIVE
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_runner import DayRunner, Failed
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Day
from riverboat.table.procedures.tray import table_win
from riverboat.table.task import Prompt, Task
from riverboat.wording.pit_log import LogLine
from riverboat.wording.prompts.prompt import prompt
from riverboat.wording.record import Happened, show_time
from riverboat.wording.table_events import off_by

_PLAYERS = ("Ann", "Ben")


def ordinary_day(book: Rulebook) -> DayScript:
    """The day that a rulebook without a script of its own is shown with."""
    return DayScript(
        title=f"An ordinary day at {book.title}",
        rulebook=book.id,
        begin="open",
        script="\n".join(ordinary_script(book)),
    )


def ordinary_script(book: Rulebook) -> list[str]:
    """Its lines: everybody antes the least, and bets the least or folds."""
    setup = set_up(book, {})
    people = _PLAYERS[: setup.seats]
    smallest = min(setup.stages[0].multiples)
    return [
        *(f"{name} sit {seat}" for seat, name in enumerate(people, start=1)),
        "house until ready",
        f"play 1 {smallest}x",
        "play 1 fold",
        *(f"{name} stand {seat}" for seat, name in enumerate(people, start=1)),
        "expect rounds 2",
    ]


_HERE = files("riverboat.scripts").joinpath("days")
_SCRIPT = re.compile(r"\s*script\s*=\s*(\"\"\"|''')")


class Played(NamedTuple):
    """A day that was played: its file, and the line of that file before its script."""

    file: str
    script: DayScript
    before_script: int
    runner: DayRunner

    def line_of(self, failed: Failed) -> int:
        """Where in the file a line of the script stands."""
        return self.before_script + failed.line


@cache
def day_ids() -> tuple[str, ...]:
    """The rulebooks that a scripted day comes with."""
    return tuple(sorted(f.name[:-5] for f in _HERE.iterdir() if f.name.endswith(".toml")))


def fullest_day() -> str:
    """The day in which the most happens."""
    return max(day_ids(), key=lambda name: len(_text(name)))


def _text(name: str) -> str:
    return _HERE.joinpath(f"{name}.toml").read_text("utf-8")


def play_days(name: str) -> Iterator[Played]:
    """Every day of a rulebook's script, or of a file, played from beginning to end."""
    is_file = name.endswith(".toml") or "/" in name or Path(name).is_file()
    if name not in (*day_ids(), *rulebooks.rulebook_ids()) and not is_file:
        known = ", ".join(rulebooks.rulebook_ids())
        raise NotationError("day.unknown", f"there is no day {name!r}; there are {known}")
    if name not in day_ids() and (name in rulebooks.rulebook_ids() or rulebooks.is_rulebook(name)):
        loaded = rulebooks.load_either(name)
        runner = DayRunner(ordinary_day(loaded.book), rulebooks.editions(loaded))
        runner.run()
        yield Played(loaded.path, runner.script, 0, runner)
        return
    text = _text(name) if name in day_ids() else rulebooks.read_text(name)
    file = f"{name}.toml" if name in day_ids() else name
    starts = [n for n, line in enumerate(text.splitlines(), start=1) if _SCRIPT.match(line)]
    with Reading(file):
        scripts = read_days(text)
    for number, (title, script) in enumerate(scripts):
        if isinstance(script, str):
            raise NotationError("day.unreadable", f"{file}: {title}: {script}")
        before = starts[number] if number < len(starts) else 0
        with Reading(f"{file}: {title}"):
            rulebook, books = rulebooks.rulebook_in(file, script.rulebook)
            script = replace(script, rulebook=rulebook)
            runner = DayRunner(script, books)
            runner.run()
        yield Played(file, script, before, runner)


_TRAY_CENTS = 5_000_000
_SECOND = "Sue"
_SEATS = {1: "Ann", 2: "Ben", 3: "Cal"}
_MOST_STEPS = 200


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
    return list(_moments(DayRunner(script, {book.id: (book, sha256)})))


def every_bet(book: Rulebook) -> dict[str, str | int | bool]:
    """The choices that offer every side bet, and the progressive's wager where its table is printed
    for several."""
    choices = every_side_bet(book)
    schedules = book.progressive.schedules if book.progressive is not None else ()
    if sum(one.paytable == choices.get(PROGRESSIVE) for one in schedules) > 1:
        choices["progressive_wager"] = str(schedules[0].wager).lstrip("$")
    return choices


def _moments(runner: DayRunner) -> Iterator[Moment]:
    for _ in range(_MOST_STEPS):
        day = runner.day
        if day.round_number and not day.in_round:
            return
        told = prompt(day)
        task = _chosen(day, told)
        state = f"round, {day.playing.phase}" if day.in_round else told.state.replace("_", " ")
        yield Moment(state, told, task)
        _follow(runner, task)
    raise NotationError("prompts.stuck", "the table never comes to the end of a round")


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
    action = task.do or _given(runner, task)
    if isinstance(action, g.Bet) and action.seat == 2:
        action = g.Fold(seat=2)
    if action is None:
        runner.follow(task)
        return
    by = runner.person(_SECOND) if isinstance(action, a.Approve) else runner.who(task)
    runner.do(by, action)


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
    placed = day.playing.seats[task.seat].wagers
    offered = (o.bet for o in day.setup.book.side_bets if day.setup.offers(o.bet))
    bet, setup = next(b for b in offered if b not in placed), day.setup
    if bet == "progressive" and setup.progressive is not None:
        least = setup.progressive.wager_cents
    else:
        least = max(setup.limits.bonuses[bet].minimum_cents, setup.limits.unit_cents)
    return g.Wager(seat=task.seat, spot=bet, cents=least, player=day.seated[task.seat])


class Summary(NamedTuple):
    """The figures at the end of a day. The win by the tray is what was counted, not computed."""

    rounds_started: int
    rounds_played: int
    rounds_void: int
    decks_used: tuple[str, ...]
    decks_removed: tuple[tuple[str, str], ...]
    committed: int
    commitments_played: int
    commitments_abandoned: int
    opening_cents: Cents
    closing_cents: Cents
    closed: bool
    fills_cents: Cents
    credits_cents: Cents
    bought_in_cents: Cents
    drop_cents: Cents
    win_by_tray_cents: Cents
    win_by_rounds_cents: Cents
    paid_off_tray_cents: Cents
    unresolved: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the tray says what the rounds say."""
        return self.win_by_tray_cents == self.win_by_rounds_cents


def summarize(happened: Sequence[Happened], day: Day) -> Summary:
    """The figures of everything that happened, and of the table as it stands after it."""
    events = [event for one in happened for event in one.entry.events]
    started = [event for event in events if isinstance(event, e.RoundStarted)]
    over = sum(isinstance(event, r.RoundClosed) for event in events)
    void = sum(isinstance(event, r.RoundVoided) for event in events)
    closed = [event for event in events if isinstance(event, e.DayClosed)]
    accounts = day.accounts
    closing = closed[-1].tray_cents if closed else accounts.tray_cents
    return Summary(
        rounds_started=len(started),
        rounds_played=over - void,
        rounds_void=void,
        decks_used=tuple(dict.fromkeys(event.deck for event in started)),
        decks_removed=tuple(_removed(happened)),
        committed=sum(isinstance(event, e.DeckSealed) for event in events),
        commitments_played=sum(bool(event.commitment) for event in started),
        commitments_abandoned=sum(isinstance(event, e.CommitmentAbandoned) for event in events),
        opening_cents=accounts.opening_cents,
        closing_cents=closing,
        closed=bool(closed),
        fills_cents=accounts.fills_cents,
        credits_cents=accounts.credits_cents,
        bought_in_cents=sum(event.cents for event in events if isinstance(event, e.BoughtIn)),
        drop_cents=accounts.drop_cents,
        win_by_tray_cents=table_win(accounts, closing),
        win_by_rounds_cents=accounts.rounds_cents,
        paid_off_tray_cents=accounts.cage_cents,
        unresolved=tuple(_unresolved(day, closed)),
    )


def _removed(happened: Sequence[Happened]) -> Iterator[tuple[str, str]]:
    for one in happened:
        for event in one.entry.events:
            match event:
                case e.DeckTakenAway():
                    yield event.deck, event.reason
                case r.DeckRemoved():
                    yield one.before.round_deck, f"wrong count in round {one.before.round_number}"


def _unresolved(day: Day, closed: Sequence[e.DayClosed]) -> Iterator[str]:
    """Whatever somebody still has to see to."""
    if day.in_round:
        yield f"round {day.round_number} is not over"
    if day.interrupted:
        yield "play is interrupted and nobody has signed"
    yield from (f"proposal {number} waits" for number in sorted(day.proposals))
    yield from (
        f"commitment no. {deck.sealed.number} is neither played nor abandoned"
        for deck in day.decks.values()
        if deck.sealed is not None
    )
    if day.device != "working":
        yield "the device is out of use"
    if day.accounts.in_box_cents:
        yield f"the drop box still holds {format_cents(day.accounts.in_box_cents)}"
    if day.date:
        yield f"gaming day {day.date} is not closed"
    for one in closed:
        if one.tray_cents != one.expected_cents:
            yield f"the tray was {off_by(one.tray_cents - one.expected_cents, 'the entries')}"


def day_document(played: Played, log: Sequence[LogLine], summary: Summary) -> dict[str, Any]:
    """Everything that the page shows, with every clause in full."""
    runner = played.runner
    failed = [
        {"file": played.file, "line": played.line_of(one), "words": one.words, "got": one.got}
        for one in runner.failed
    ]
    return {
        "title": played.script.title,
        "table": runner.day.table,
        "rulebook": runner.book.id,
        "holds": not failed and summary.agrees,
        "log": [_line(line) for line in log],
        "summary": _summary(summary),
        "failed": failed,
    }


def _line(line: LogLine) -> dict[str, Any]:
    return {
        "entry": line.entry,
        "time": show_time(line.at),
        "who": line.who,
        "kind": line.kind,
        "what": line.what,
        "cites": line.cites,
        "silent": not line.cites,
        "test": line.test,
    }


def _summary(summary: Summary) -> dict[str, Any]:
    """The figures, amounts as files write them."""
    figures: dict[str, Any] = {
        name.removesuffix("_cents"): show_dollars(value) if name.endswith("_cents") else value
        for name, value in summary._asdict().items()
    }
    figures["decks_removed"] = [
        {"deck": deck, "reason": reason} for deck, reason in summary.decks_removed
    ]
    figures["win_agrees"] = summary.agrees
    return figures
