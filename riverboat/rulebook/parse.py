"""From the text of a file to a rulebook, or to every reason why it is none."""

import tomllib
from functools import cache

from msgspec import convert, inspect

from riverboat.errors import Problem, RulebookError
from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.checks import misfits_between_parts
from riverboat.rulebook.conform import Misfit, misfits
from riverboat.rulebook.places import line_of
from riverboat.rulebook.values import Notation


@cache
def _type() -> inspect.Type:
    return inspect.type_info(Rulebook)


def _parse_value(kind: type[Notation], text: str) -> object:
    return kind.parse(text)


def parse_rulebook(text: str, *, path: str) -> Rulebook:
    """A rulebook from its text; `path` is only for messages, the shell opened the file."""
    answer = judge(_parse_toml(text, path))
    if isinstance(answer, list):
        raise RulebookError([_problem(misfit, text, path) for misfit in answer])
    return answer


def judge(data: dict[str, object]) -> Rulebook | list[Misfit]:
    """The rulebook that the data are, or every reason why they are none."""
    found = list(misfits(data, _type()))
    if found:
        return found
    book: Rulebook = convert(data, Rulebook, dec_hook=_parse_value)
    return list(misfits_between_parts(book)) or book


def _parse_toml(text: str, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except ValueError as problem:
        raise RulebookError([Problem(path, "TOML", str(problem))]) from None
    except RecursionError:
        raise RulebookError([Problem(path, "TOML", "is nested too deeply")]) from None


def _problem(misfit: Misfit, text: str, path: str) -> Problem:
    line = line_of(text, misfit.where)
    return Problem(f"{path}:{line}" if line else path, misfit.where or "file", misfit.message)
