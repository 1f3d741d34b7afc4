"""A played day for scripts: one dictionary with the log, the summary and what did not hold."""

from collections.abc import Sequence
from typing import Any

from riverboat.days.day_file import show_time
from riverboat.days.library import Played
from riverboat.days.pit_log import LogLine
from riverboat.days.summary import Summary
from riverboat.money import show_dollars


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
    figures: dict[str, Any] = {}
    for name, value in summary._asdict().items():
        if name.endswith("_cents"):
            figures[name.removesuffix("_cents")] = show_dollars(value)
        else:
            figures[name] = value
    figures["decks_removed"] = [
        {"deck": deck, "reason": reason} for deck, reason in summary.decks_removed
    ]
    figures["win_agrees"] = summary.agrees
    return figures
