"""A PostgreSQL for those tests that ask for one, once for each process that runs tests."""

from collections.abc import Iterator

import pytest

from tests.ledger.postgres_server import PostgresServer


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    """A real server. That none can be started is a failure."""
    with PostgresServer.started() as started:
        yield started
