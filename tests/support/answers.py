"""What a command printed, for tests that call commands in their own process."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from riverboat.cli import run


class Answer:
    """What a command printed and how it ended."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def calling(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Calls `riverboat` with arguments."""

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        status = run(list(arguments))
        printed = capsys.readouterr()
        return Answer(status, printed.out, printed.err)

    return call
