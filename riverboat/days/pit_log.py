"""A table's day as a pit log: when, who, what happened in the words of the felt, and the clauses.

The short log has one line for what belongs together: a seat's bets, a street, what a seat won or
lost. The verbose one has a line for every event.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from riverboat import events as r
from riverboat.days.grounds import Cites, Told, grounds, relevant
from riverboat.days.record import Happened, Tried
from riverboat.days.round_log import Condenser
from riverboat.days.together import Note, words_of
from riverboat.table import events as e
from riverboat.table.day import Day
from riverboat.table.people import SYSTEM, Actor
from riverboat.table.prompts import prompt

SILENT_WORDS = "house procedure; the document is silent"


class LogLine(NamedTuple):
    """One line of a pit log. Without clauses it is a procedure of the house."""

    entry: int
    at: int
    who: str
    what: str
    cites: Cites
    test: bool
    kind: Literal["done", "refused", "notice"] = "done"


def pit_log(
    happened: Sequence[Happened], tried: Sequence[Tried] = (), *, verbose: bool = False
) -> Iterator[LogLine]:
    """Every line of a day, refusals and what fell due among them."""
    condenser = Condenser()
    noticed: set[str] = set()
    for place, one in enumerate(happened):
        if any(t.entries == place for t in tried):
            yield from _lines(condenser.close())
        yield from (_refused(t) for t in tried if t.entries == place)
        if verbose:
            yield from _lines(_every_event(one))
        else:
            yield from _lines(condenser.tell(one))
        yield from _lines(condenser.notice(list(_noticed(one, noticed))))
    yield from _lines(condenser.close())
    yield from (_refused(t) for t in tried if t.entries == len(happened))


def _lines(notes: Iterator[Note]) -> Iterator[LogLine]:
    for note in notes:
        entry = note.one.entry
        yield LogLine(
            entry.number,
            entry.at,
            who(note.by or entry.by),
            note.words,
            note.cites,
            entry.test,
            "notice" if note.is_notice else "done",
        )


def who(actor: Actor) -> str:
    """A person with the role, or that it was no person."""
    if actor == SYSTEM:
        return "automatic"
    return actor.name if actor.automatic else f"{actor.name}, {actor.role}"


def _every_event(one: Happened) -> Iterator[Note]:
    for event in one.entry.events:
        told = Told(event, one.entry.by, one.before, one.after)
        yield Note(one, words_of(told), grounds(told), told.doer)


def _refused(tried: Tried) -> LogLine:
    day = tried.day
    cites = relevant(day, tried.refusal.cites)
    asked = tried.words.replace("_", " ").replace("=", " ")
    text = f"REFUSED ({asked}): {'; '.join(str(tried.refusal).splitlines())}"
    return LogLine(day.entries, day.now, who(tried.by), text, cites, _is_test(day), "refused")


def _is_test(day: Day) -> bool:
    return day.configuration is not None and day.configuration.test


def _noticed(one: Happened, before: set[str]) -> Iterator[Note]:
    """What is due, once when it comes up and once when it is overdue."""
    if not any(isinstance(event, e.TimeTold | r.RoundClosed) for event in one.entry.events):
        return
    day, found = one.after, set()
    for notice in prompt(day).notices:
        key = f"{notice.words.split(':')[0]} {notice.overdue} {notice.cites}"
        found.add(key)
        if key not in before and notice.cites:
            words, cites = f"NOTICE to the floor: {notice.words}", relevant(day, notice.cites)
            yield Note(one, words, cites, SYSTEM, is_notice=True)
    before.clear()
    before.update(found)
