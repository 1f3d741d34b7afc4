"""The scenario library: every rule test holds, and none cites more than a reader can follow."""

from pathlib import Path

import pytest

from riverboat.rulebooks import rulebook_ids
from riverboat.scripts.checking import check_file
from riverboat.scripts.scenario_file import read_scenarios
from tests.support.places import TESTS

FOLDER = TESTS / "rules"
FILES = sorted(FOLDER.rglob("*.toml"))
SWEEP = "sweep"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_every_scenario_holds(file: Path) -> None:
    for result in check_file(str(file)):
        assert not result.error, f"{result.name}: {result.error}"
        assert result.differences == (), result.name


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_a_scenario_cites_at_most_six_clauses_and_stands_with_its_rulebook(file: Path) -> None:
    for name, scenario in read_scenarios(file.read_text("utf-8")):
        assert not isinstance(scenario, str), name
        assert scenario.rulebook == file.parent.name
        assert 1 <= len(scenario.clauses) <= 6 or SWEEP in file.stem, name


def test_every_rulebook_has_scenarios() -> None:
    assert {file.parent.name for file in FILES} <= set(rulebook_ids())
