"""What tests count is shown at the end of a run, whichever process counted it."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

Report: TypeAlias = Callable[[str], None]


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Report:
    """Says something that belongs into the summary of the run: a count, a table of counts."""

    def say(text: str) -> None:
        record_property("report", text)

    return say


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what the tests reported, before pytest's own closing line."""
    said = [
        text
        for outcome in ("passed", "failed")
        for test in terminalreporter.stats.get(outcome, [])
        for name, text in getattr(test, "user_properties", [])
        if name == "report"
    ]
    if said:
        terminalreporter.section("what the tests counted")
        for text in sorted(said):
            terminalreporter.write_line(text)
