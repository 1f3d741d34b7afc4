"""The floor's contract on both databases."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from riverboat.ledger import Ledger
from tests.floor.contract import FloorContract
from tests.floor.house import folder_ledger
from tests.ledger.postgres_server import PostgresServer


class TestOnSqlite(FloorContract):
    """A file; it cannot be reached any more once the ledger is closed."""

    @pytest.fixture
    def place(self, tmp_path: Path) -> str:
        return folder_ledger(tmp_path)

    @pytest.fixture
    def outage(self) -> Callable[[Ledger], None]:
        return lambda ledger: ledger.close()


@pytest.mark.slow
@pytest.mark.postgres
class TestOnPostgres(FloorContract):
    """A server, which a test may kill."""

    stopped: PostgresServer | None = None

    @pytest.fixture
    def place(self, server: PostgresServer) -> str:
        return server.new_place()

    @pytest.fixture
    def outage(self, server: PostgresServer) -> Iterator[Callable[[Ledger], None]]:
        def kill(ledger: Ledger) -> None:
            server.kill()
            self.stopped = server

        yield kill
        self.bring_back()

    def bring_back(self) -> None:
        if self.stopped is not None:
            self.stopped.start()
            self.stopped = None
