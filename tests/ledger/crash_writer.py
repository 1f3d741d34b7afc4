"""What is written while writers are killed: to a stream of one's own and to a meter, from four
threads."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from riverboat.ledger import Command, LedgerUnavailable, Write, open_ledger
from tests.ledger.crash import in_threads

THREADS = 4


def write_for_ever(run: str, url: str, say: Callable[[str], None]) -> None:
    """Append until killed. What could not be acknowledged is sent again, with the same id."""
    while True:
        with suppress(LedgerUnavailable):
            ledger = open_ledger(url, patience_seconds=2.0)
            break

    def write(thread: int) -> None:
        number = 0
        while True:
            number += 1
            name = f"{run}-{thread}-{number}"
            asked = Command(id=name, actor="writer", recorded_at=number, text=name)
            writes = (
                Write(stream=f"table:{run}:{thread}", expected_version=number - 1, body=name),
                Write(stream="meter:1", expected_version=None, body=name),
            )
            while True:
                with suppress(LedgerUnavailable):
                    ledger.append(asked, *writes)
                    break
            say(f"ack {name}")

    in_threads(partial(write, number) for number in range(THREADS))
