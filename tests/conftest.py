"""What tests count is shown at the end of a run, whichever process counted it."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest

Report: TypeAlias = Callable[[str], None]
Tally: TypeAlias = Callable[[str, Mapping[str, float]], None]


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Report:
    """Says something that belongs into the summary of the run: a count, a table of counts."""

    def say(text: str) -> None:
        record_property("report", text)

    return say


@pytest.fixture
def tally(record_property: Callable[[str, object], None]) -> Tally:
    """Counts of one thing by many tests, in whichever processes: the summary has their sums."""

    def count(what: str, counts: Mapping[str, float]) -> None:
        record_property("tally", (what, dict(counts)))

    return count


def _sums(tallies: list[tuple[str, Mapping[str, float]]]) -> list[str]:
    sums: dict[str, Counter[str]] = {}
    for what, counts in tallies:
        sums.setdefault(what, Counter()).update(counts)
    return [
        f"{what}: {', '.join(f'{name} {round(count, 1):,}' for name, count in counts.items())}"
        for what, counts in sums.items()
    ]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what the tests reported, before pytest's own closing line."""
    told = [
        told
        for outcome in ("passed", "failed")
        for test in terminalreporter.stats.get(outcome, [])
        for told in getattr(test, "user_properties", [])
    ]
    said = [text for name, text in told if name == "report"]
    said += _sums([counted for name, counted in told if name == "tally"])
    if said:
        terminalreporter.section("what the tests counted")
        for text in sorted(said):
            terminalreporter.write_line(text)
