"""The way of one figure, from the command to the page: how many modules it passes."""

import sys
from functools import _lru_cache_wrapper
from types import FrameType
from typing import Any

import pytest

from riverboat.cli import run

MOST_MODULES = 30
ODDS = ["odds", "maryland-2014", "--bet", "base"]


def forget_everything() -> None:
    """As in a new process: the rulebook is read again from its file, the answer from the disk."""
    for name in [name for name in sys.modules if name.startswith("riverboat.")]:
        for kept in vars(sys.modules[name]).values():
            if isinstance(kept, _lru_cache_wrapper) and kept.__module__.startswith("riverboat"):
                kept.cache_clear()


def test_a_figure_that_was_worked_out_passes_few_modules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith("riverboat"):
            entered.add(name)

    assert run(ODDS) == 0
    forget_everything()
    sys.setprofile(note)
    try:
        assert run(ODDS) == 0
    finally:
        sys.setprofile(None)
    assert "4.9149 %" in capsys.readouterr().out
    assert "riverboat.rulebook.loading.parse" in entered, "the rulebook was read again"
    assert len(entered) <= MOST_MODULES, sorted(entered)
