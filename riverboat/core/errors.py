"""Every deliberate error, in one tree.

RiverboatError                 has a stable `code`; the message is prose and may change
├── NotationError              text cannot be read (a card, an amount, an id)
│   ├── FouledDeck             cards that cannot come from one deck: twice, unknown, miscounted
│   └── BrokenSeal             what was sealed cannot be opened: another key, another place, changed
├── EntropyFailed              the machine's source of chance gives too little, or always the same
├── Refused                    the rules, or the form of a request, say no; `cites` says why
└── RulebookError              a rulebook cannot be used; `problems` names every place that is wrong
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from riverboat.core.visible import visible

_FIELD: Final = re.compile(r"`([a-z][a-z0-9_]*)`")


def with_fields(text: str, called: Callable[[str], str]) -> str:
    """An error's words for somebody who knows its fields by other names.

    An error writes the field or the parameter that it is about as `wager`; a command line calls
    that --wager, and a page the wager.
    """
    return _FIELD.sub(lambda found: called(found[1]), text)


class RiverboatError(Exception):
    """Whatever Riverboat raises on purpose."""

    code: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotationError(RiverboatError):
    """Text that cannot be read."""


class Reading:
    """What cannot be read meanwhile says where it stands: in which field, file or line."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, problem: object, _traceback: object) -> None:
        if isinstance(problem, NotationError):
            raise type(problem)(problem.code, f"{self._where}: {problem}") from None


class FouledDeck(NotationError):
    """Cards that cannot all come from one deck of fifty-two."""


class Refused(RiverboatError):
    """The rules, or the form of a request, say no. A clause is named once."""

    def __init__(self, code: str, message: str, *, cites: Sequence[str]) -> None:
        super().__init__(code, message)
        self.cites = tuple(dict.fromkeys(cites))


class AllRefused(Refused):
    """Several things are refused at once, because whoever asked mends them as a whole."""

    def __init__(self, code: str, problems: Sequence[Refused]) -> None:
        cites = [cite for problem in problems for cite in problem.cites]
        super().__init__(code, "\n".join(map(str, problems)), cites=cites)
        self.problems = tuple(problems)


class Problem(Struct, frozen=True):
    """One thing that is wrong with a file: where, and what would be right."""

    path: str
    where: str
    message: str

    def __str__(self) -> str:
        return visible(f"{self.path}: {self.where}: {self.message}", kept="")


class RulebookError(RiverboatError):
    """A rulebook cannot be used; every problem is named, not just the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        assert problems
        super().__init__("rulebook.unusable", "\n".join(map(str, problems)))
        self.problems = tuple(problems)
