"""Playing the scenarios of files under the rulebooks of the house."""

from functools import cache
from typing import NamedTuple

from riverboat.errors import RiverboatError
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_all, read_text
from riverboat.scenario import Difference, check_scenario, read_scenarios


class Checked(NamedTuple):
    """One scenario: whether it holds, where it differs, or why it cannot be read."""

    file: str
    name: str
    clauses: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    error: str = ""

    @property
    def holds(self) -> bool:
        return not self.error and not self.differences


@cache
def _books() -> dict[str, Rulebook]:
    return {loaded.book.id: loaded.book for loaded in load_all()}


def check_file(path: str) -> list[Checked]:
    """Every scenario of a file; one that cannot be read does not hide the others."""
    try:
        scenarios = read_scenarios(read_text(path))
    except RiverboatError as problem:
        return [Checked(path, "file", error=str(problem))]
    results = []
    for name, scenario in scenarios:
        if isinstance(scenario, str):
            results.append(Checked(path, name, error=scenario))
            continue
        try:
            found = tuple(check_scenario(scenario, _books()))
            results.append(Checked(path, name, scenario.clauses, found))
        except RiverboatError as problem:
            results.append(Checked(path, name, scenario.clauses, error=str(problem)))
    return results
