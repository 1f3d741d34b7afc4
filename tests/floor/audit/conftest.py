"""One floor that was played, for all tests that only read it."""

from pathlib import Path

import pytest

from tests.floor.audit.played import play_floor


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of its ledger."""
    return play_floor(tmp_path_factory.mktemp("played"))


@pytest.fixture(scope="session")
def secret_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where that floor's secret is."""
    path = tmp_path_factory.mktemp("secret") / "secret"
    path.write_bytes(bytes(range(32)))
    return path
