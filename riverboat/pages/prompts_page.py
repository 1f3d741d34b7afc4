"""The prompts of an opening and a round for people: state, who, what, the words, how, clauses."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec import to_builtins

from riverboat.pages.day_page import in_brackets
from riverboat.pages.page import Block, Heading, Table, Words
from riverboat.pages.rulebook_page import status_blocks
from riverboat.rulebook import Rulebook
from riverboat.scripts.day_library import Moment
from riverboat.table.prompts.task import Task

_SHARES = (2, 12, 86)


def prompts_page(book: Rulebook, moments: Sequence[Moment]) -> Iterator[Block]:
    """State by state what is told for the first time; a dot marks what is done."""
    yield Heading(f"Prompts: {book.title}", level=1)
    yield from status_blocks(book)
    yield Words(
        "Three players with every side bet; the second one folds. A dot marks what is done next; "
        "the rest may be done instead."
    )
    shown: set[tuple[str, str]] = set()
    for state, members in groupby(moments, lambda moment: moment.state):
        yield Heading(state[:1].upper() + state[1:])
        yield Table(("", "Who", "What"), list(_rows(book, members, shown)), _SHARES)


def _rows(
    book: Rulebook, moments: Iterator[Moment], shown: set[tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    for moment in moments:
        for task in (*moment.prompt.at_once, *moment.prompt.tasks):
            key, done = (task.who, task.words), task == moment.done
            if key in shown and not done:
                continue
            shown.add(key)
            mark = "•" if done or task in moment.prompt.at_once else ""
            yield (mark, task.who, _words(book, task))
        for notice in moment.prompt.notices:
            if ("", notice.words) not in shown:
                shown.add(("", notice.words))
                yield ("!", "all", f"{notice.words} {in_brackets(book, notice.cites)}")


def _words(book: Rulebook, task: Task) -> str:
    say = f" Say: “{task.say}”." if task.say and task.say not in task.words else ""
    how = f" How: {'; '.join(task.how)}." if task.how else ""
    return f"{task.words}.{say}{how} {in_brackets(book, task.cites)}"


def prompts_document(book: Rulebook, moments: Sequence[Moment]) -> dict[str, Any]:
    """The same for scripts, every moment in full."""
    return {
        "rulebook": book.id,
        "moments": [
            {
                "state": moment.state,
                "done": moment.prompt.tasks.index(moment.done),
                "at_once": [_task(task) for task in moment.prompt.at_once],
                "tasks": [_task(task) for task in moment.prompt.tasks],
                "notices": [to_builtins(notice) for notice in moment.prompt.notices],
            }
            for moment in moments
        ],
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "who": task.who,
        "seat": task.seat,
        "words": task.words,
        "say": task.say,
        "how": task.how,
        "optional": task.optional,
        "cites": task.cites,
        "do": to_builtins(task.do) if task.do is not None else None,
    }
