"""A floor's server on SQLite, shared by tests that leave it usable, and a PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ledger.conftest import server as postgres
from tests.web.running import (
    Server,
    running_with_people,
)

__all__ = ["postgres"]

HERE = Path(__file__).parent
NEXT_MAJOR = "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
"""What the next major version of Litestar wants written otherwise is no error before it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """For the tests of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings(NEXT_MAJOR))


@pytest.fixture(scope="session")
def floor_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server with somebody for every door."""
    with running_with_people(tmp_path_factory.mktemp("web")) as server:
        yield server
