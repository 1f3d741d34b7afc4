"""A cache of its own for a test, with the compiled kernels left where they are."""

from pathlib import Path

import pytest

from riverboat.exact.caching import keep_compiled_code


def own_cache(monkeypatch: pytest.MonkeyPatch, directory: Path) -> Path:
    """Results go here; compiling once more would only cost time."""
    keep_compiled_code()
    monkeypatch.setenv("XDG_CACHE_HOME", str(directory))
    return directory / "riverboat"
