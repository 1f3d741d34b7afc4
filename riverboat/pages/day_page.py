"""A day for people: the pit log, what the day came to, and what did not come out as it must."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from riverboat.core.money import Cents, format_cents
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.pages.rulebook_page import status_blocks
from riverboat.round.table_talk import listed
from riverboat.rulebook import Rulebook
from riverboat.scripts.day_library import Played
from riverboat.scripts.day_summary import Summary
from riverboat.wording.pit_log import SILENT_WORDS, LogLine
from riverboat.wording.record import show_time

_LAST_PART = re.compile(r"(.*[.-])([0-9]+|[a-z])")
_SHORTEST_RUN = 3


def day_page(
    played: Played, log: Sequence[LogLine], summary: Summary, *, verbose: bool
) -> Iterator[Block]:
    """The log, the summary, and every line of the script that did not hold."""
    book = played.runner.book
    yield Heading(f"Pit log: {played.script.title}", level=1)
    yield from status_blocks(book)
    if any(line.test for line in log):
        yield Words("TEST: a table for a laboratory, never open for play.", loud=True)
    if played.script.demo:
        yield Words("DEMO: dealer, floorperson and supervisor are automatic.", loud=True)
    yield Words(
        f"In brackets the clauses of {book.clause_prefix}, named in full the first time in a line"
        f"{'' if verbose else '; readings of what it leaves open only where it has none'}."
    )
    yield Heading("Log")
    yield Table(("Time", "Who", "What"), list(_rows(book, log, verbose=verbose)))
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


def _rows(
    book: Rulebook, log: Sequence[LogLine], *, verbose: bool
) -> Iterator[tuple[str, str, str]]:
    for line in log:
        if line.what.startswith("ROUND") and line.what.endswith("bets open"):
            yield ("", "", "")
        test = "TEST " if line.test else ""
        why = in_brackets(book, line.cites, verbose=verbose)
        yield (show_time(line.at), line.who, f"{test}{line.what} {why}")


def in_brackets(book: Rulebook, cites: Sequence[str], *, verbose: bool = False) -> str:
    """Clauses as short as they can be written: one prefix, runs from first to last."""
    if not cites:
        return f"[{SILENT_WORDS}]"
    clauses = [cite for cite in cites if cite in book.clauses]
    chosen = list(cites) if verbose or not clauses else clauses
    prefix = f"{book.clause_prefix}."
    runs = (list(run) for _, run in groupby(enumerate(chosen), _key))
    said = [text for run in runs for text in _run([cite for _, cite in run])]
    first = next((text for text in said if text.startswith(prefix)), "")
    shown = [text if text is first else _short(text, prefix) for text in said]
    return f"[{', '.join(shown)}]"


def _short(cite: str, prefix: str) -> str:
    """Without the document's name, where what is left is more than a bare number."""
    short = cite.removeprefix(prefix)
    return cite if short.isdecimal() else short


def _parts(cite: str) -> tuple[str, int]:
    """A clause's stem, and the place of its last part among its brothers."""
    found = _LAST_PART.fullmatch(cite)
    if found is None:
        return cite, 0
    stem, last = found.groups()
    return stem, int(last) if last.isdecimal() else ord(last)


def _key(numbered: tuple[int, str]) -> tuple[str, int]:
    place, cite = numbered
    stem, last = _parts(cite)
    return stem, last - place


def _run(cites: list[str]) -> list[str]:
    found = _LAST_PART.fullmatch(cites[-1])
    if found is None or len(cites) < _SHORTEST_RUN:
        return cites
    return [f"{cites[0]}–{found.group(2)}"]


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
    parts = [
        f"{summary.committed} published",
        f"{summary.commitments_played} played",
        f"{summary.commitments_abandoned} abandoned",
    ]
    return listed(parts)


def _win(cents: Cents) -> str:
    return f"{format_cents(-cents)} lost" if cents < 0 else f"{format_cents(cents)} won"
