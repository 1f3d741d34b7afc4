"""Playing rule tests of files under the rulebooks of the house: rounds, days and configurations."""

import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from riverboat.core.errors import NotationError, RiverboatError, RulebookError
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import Editions, read_text, rulebook_in
from riverboat.scripts.day_file import read_days
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import Difference, check_scenario, read_scenarios, require_known
from riverboat.table.configuration.cases import check_configuration, read_cases


class Checked(NamedTuple):
    """One rule test: whether it holds, where it differs, or why it cannot be read."""

    file: str
    name: str
    clauses: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    error: str = ""

    @property
    def holds(self) -> bool:
        return not self.error and not self.differences


def check_file(path: str) -> list[Checked]:
    """Every rule test of a file; one that cannot be read does not hide the others."""
    try:
        text = read_text(path)
    except RulebookError as problem:
        return [Checked(path, "file", error="\n".join(one.message for one in problem.problems))]
    try:
        return list(_CHECKS[_kind(text)](path, text))
    except RiverboatError as problem:
        return [Checked(path, "file", error=str(problem))]


def _kind(text: str) -> str:
    """What a file holds; one that holds nothing known is read as one of scenarios."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return "scenario"
    return next((kind for kind in _CHECKS if kind in data), "scenario")


def _scenarios(path: str, text: str) -> Iterator[Checked]:
    for name, scenario in read_scenarios(text):
        if isinstance(scenario, str):
            yield Checked(path, name, error=scenario)
            continue
        try:
            rulebook, known = rulebook_in(path, scenario.rulebook)
            named = replace(scenario, rulebook=rulebook)
            found = tuple(check_scenario(named, _books(known)))
            yield Checked(path, name, scenario.clauses, found)
        except RiverboatError as problem:
            yield Checked(path, name, scenario.clauses, error=str(problem))


def _days(path: str, text: str) -> Iterator[Checked]:
    for name, script in read_days(text):
        if isinstance(script, str):
            yield Checked(path, name, error=script)
            continue
        try:
            rulebook, known = rulebook_in(path, script.rulebook)
            require_known(script.clauses, _books(known))
            runner = DayRunner(replace(script, rulebook=rulebook), known)
            runner.run()
            if script.expects_nothing:
                text = "script: expects nothing; write a line that begins with expect or refused"
                raise NotationError("day.expects_nothing", text)
        except RiverboatError as problem:
            yield Checked(path, name, script.clauses, error=str(problem))
            continue
        found = tuple(
            Difference(f"line {failed.line}", failed.words, failed.got, failed.cites)
            for failed in runner.failed
        )
        yield Checked(path, name, script.clauses, found)


def _configurations(path: str, text: str) -> Iterator[Checked]:
    for name, case in read_cases(text):
        if isinstance(case, str):
            yield Checked(path, name, error=case)
            continue
        try:
            rulebook, known = rulebook_in(path, case.rulebook)
            require_known(case.clauses, _books(known))
            unmet = check_configuration(replace(case, rulebook=rulebook), _books(known))
        except RiverboatError as problem:
            yield Checked(path, name, case.clauses, error=str(problem))
            continue
        found = tuple(Difference(*one[:3], case.clauses) for one in unmet)
        yield Checked(path, name, case.clauses, found)


def _books(known: Editions) -> dict[str, Rulebook]:
    return {name: book for name, (book, _) in known.items()}


_CHECKS = {"scenario": _scenarios, "day": _days, "configuration": _configurations}
