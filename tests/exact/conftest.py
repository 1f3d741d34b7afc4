"""The commands of the mathematics as a test asks them, with a cache of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from riverboat.cli import run
from tests.exact.kept_apart import own_cache


class Answer:
    """What a command printed and how it ended."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def riverboat(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Any:
    own_cache(monkeypatch, tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments: str) -> Answer:
        capsys.readouterr()
        status = run(list(arguments))
        printed = capsys.readouterr()
        return Answer(status, printed.out, printed.err)

    return call
