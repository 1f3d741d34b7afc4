"""A server that is stopped as an operator stops it leaves its ledger in one file."""

import asyncio
import shutil
from pathlib import Path

import pytest

from riverboat.ledger import open_ledger
from tests.faults.served import Served


@pytest.mark.slow
def test_a_floor_that_is_stopped_has_all_of_its_ledger_in_its_file(tmp_path: Path) -> None:
    """Whoever copies or moves the file of a floor that does not run has everything."""
    server = Served("one", str(tmp_path / "floor.db"), tmp_path)
    server.start()
    asyncio.run(server.answering())
    server.stop()
    shutil.copy(tmp_path / "floor.db", tmp_path / "copy.db")
    assert not (tmp_path / "floor.db-wal").exists()
    with open_ledger(tmp_path / "copy.db", create=False, read_only=True) as copy:
        assert copy.head().seq > 0
