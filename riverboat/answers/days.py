"""A table's day for people: pit log, prompts, and the configuration that it is played by."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.answers.rulebooks import opening
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.round.table_talk import listed, sentence
from riverboat.rulebook import Rulebook
from riverboat.scripts.day_library import Moment, Played, Summary
from riverboat.table.configuration.configure import Configuration
from riverboat.table.configuration.particulars import particulars
from riverboat.table.task import Task
from riverboat.wording.clauses import in_brackets
from riverboat.wording.pit_log import LogLine
from riverboat.wording.record import show_time


def day_page(
    played: Played, log: Sequence[LogLine], summary: Summary, *, verbose: bool
) -> Iterator[Block]:
    """The log, the summary, and every line of the script that did not hold."""
    book = played.runner.book
    yield from opening(book, f"Pit log: {played.script.title}")
    if any(line.test for line in log):
        yield Words("TEST: a table for a laboratory, never open for play.", loud=True)
    if played.script.demo:
        yield Words("DEMO: dealer, floorperson and supervisor are automatic.", loud=True)
    yield Words(
        f"In brackets the clauses of {book.clause_prefix}, named in full the first time in a line"
        f"{'' if verbose else '; readings of what it leaves open only where it has none'}."
    )
    yield Heading("Log")
    yield Table(("Time", "Who", "What"), list(_log_rows(book, log, verbose=verbose)))
    yield Heading("Summary")
    yield Facts(list(_facts(summary)))
    failed = played.runner.failed
    if failed:
        yield Heading("Not as the script has it")
        for one in failed:
            where = f"{played.file}, line {played.line_of(one)}"
            yield Words(f"{where}: {one.words}: {one.got}", loud=True)
    if not summary.agrees:
        tray, rounds = summary.win_by_tray_cents, summary.win_by_rounds_cents
        text = f"The tray says {format_cents(tray)} and the rounds {format_cents(rounds)}."
        yield Words(text, loud=True)


def _log_rows(
    book: Rulebook, log: Sequence[LogLine], *, verbose: bool
) -> Iterator[tuple[str, str, str]]:
    for line in log:
        if line.what.startswith("ROUND") and line.what.endswith("bets open"):
            yield ("", "", "")
        test = "TEST " if line.test else ""
        why = in_brackets(book, line.cites, verbose=verbose)
        yield (show_time(line.at), line.who, f"{test}{line.what} {why}")


def _facts(summary: Summary) -> Iterator[tuple[str, str]]:
    rounds = f"{summary.rounds_started}: {summary.rounds_played} played"
    yield "Rounds", f"{rounds}, {summary.rounds_void} void"
    yield "Decks used", ", ".join(summary.decks_used) or "none"
    removed = "; ".join(f"{deck} ({reason})" for deck, reason in summary.decks_removed)
    yield "Decks removed", removed or "none"
    yield "Commitments", _commitments(summary)
    yield "Tray opened with", format_cents(summary.opening_cents)
    yield "Fills", format_cents(summary.fills_cents)
    yield "Credits", format_cents(summary.credits_cents)
    yield "Buy-ins", format_cents(summary.bought_in_cents)
    yield "Drop", format_cents(summary.drop_cents)
    counted = "counted" if summary.closed else "by the entries, not counted"
    yield "Tray closed with", f"{format_cents(summary.closing_cents)}, {counted}"
    if summary.paid_off_tray_cents:
        yield "Paid by the cage", format_cents(summary.paid_off_tray_cents)
    yield "Win by the tray", _win(summary.win_by_tray_cents)
    same = "the same" if summary.agrees else "NOT THE SAME"
    yield "Win by the rounds", f"{_win(summary.win_by_rounds_cents)}, {same}"
    yield "Unresolved", "; ".join(summary.unresolved) or "nothing"


def _commitments(summary: Summary) -> str:
    if not summary.committed:
        return "none; physical cards are uncommitted"
    played, left = summary.commitments_played, summary.commitments_abandoned
    return listed([f"{summary.committed} published", f"{played} played", f"{left} abandoned"])


def _win(cents: Cents) -> str:
    return f"{format_cents(-cents)} lost" if cents < 0 else f"{format_cents(cents)} won"


_PROMPT_SHARES = (2, 12, 86)


def prompts_page(book: Rulebook, moments: Sequence[Moment]) -> Iterator[Block]:
    """State by state what is told for the first time; a dot marks what is done."""
    yield from opening(book, f"Prompts: {book.title}")
    yield Words(
        "Three players with every side bet; the second one folds. A dot marks what is done next; "
        "the rest may be done instead."
    )
    shown: set[tuple[str, str]] = set()
    for state, members in groupby(moments, lambda moment: moment.state):
        yield Heading(sentence(state))
        yield Table(("", "Who", "What"), list(_prompt_rows(book, members, shown)), _PROMPT_SHARES)


def _prompt_rows(
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
                "notices": moment.prompt.notices,
            }
            for moment in moments
        ],
    }


def _task(task: Task) -> dict[str, Any]:
    told = ("who", "seat", "words", "say", "how", "optional", "cites", "do")
    return {name: getattr(task, name) for name in told}


_SHARES = (3, 5, 4)


def configuration_page(configuration: Configuration) -> Iterator[Block]:
    """What is played, heading by heading, and the two hashes that every round will carry."""
    book = configuration.book
    yield from opening(book, configuration.name or book.title)
    if configuration.test:
        yield Words("TEST: a table for a laboratory, never open for play.", loud=True)
    if configuration.demo:
        yield Words("DEMO: dealer, floorperson and supervisor are automatic.", loud=True)
    for notice in configuration.notices:
        yield Words(f"Notice: {notice.text} ({', '.join(notice.cites)}).", loud=True)
    for group, members in groupby(particulars(configuration), lambda one: one.group):
        yield Heading(group)
        named = str if group == "Options" else str.capitalize
        rows = [(named(one.what), one.value, ", ".join(one.cites)) for one in members]
        yield Table(("What", "How it is", "Clauses"), rows, _SHARES)
    yield Heading("Hashes")
    hashes = configuration.sha256, configuration.rulebook_sha256
    yield Facts([("Configuration", hashes[0]), ("Rulebook", hashes[1])])


def refused_page(book: Rulebook, name: str, problems: Sequence[Refused]) -> Iterator[Block]:
    """Every problem with its clauses, and what those say in our words."""
    yield from opening(book, name or book.title)
    count = len(problems)
    yield Words(f"Refused: {count} problem{'s' if count > 1 else ''}.", loud=True)
    for number, problem in enumerate(problems, start=1):
        yield Words(f"{number:>2}. {problem} ({', '.join(problem.cites) or 'no clause'})")
    texts = {name: clause.text for name, clause in book.clauses.items()} | book.ambiguities
    cited = dict.fromkeys(cite for problem in problems for cite in problem.cites)
    yield Heading("Clauses")
    yield Table(("Clause", "Says"), [(cite, texts.get(cite, "")) for cite in cited], (2, 8))
