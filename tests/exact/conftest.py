"""The commands of the mathematics as a test asks them, with a cache of its own."""

from pathlib import Path
from typing import Any

import pytest

from tests.exact.kept_apart import own_cache
from tests.support.answers import calling


@pytest.fixture
def riverboat(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Any:
    own_cache(monkeypatch, tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    return calling(capsys)
