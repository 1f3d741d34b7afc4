"""Small things to write, for tests that do not care what."""

import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from riverboat.ledger import Command, Ledger, Receipt, Write
from riverboat.ledger.store import Request


def command(name: str = "", *, actor: str = '{"dealer":"D-1"}', text: str = "{}") -> Command:
    """A command with a new id, or with this one."""
    return Command(id=name or str(uuid.uuid4()), actor=actor, recorded_at=1_700_000_000, text=text)


def to(stream: str, body: str = "[]", at: int | None = None) -> Write:
    """A write to a stream, at a version if one is given."""
    return Write(stream=stream, expected_version=at, body=body)


def fill(ledger: Ledger, count: int, streams: int = 3) -> list[Receipt]:
    """Commands that write to two streams each."""
    return [
        ledger.append(
            command(f"fill-{number}", text=f'{{"number":{number}}}'),
            to(f"table:{number % streams}", f'[{{"event":{number}}}]'),
            to("meter:1", f'[{{"units":{number}}}]'),
        )
        for number in range(count)
    ]


@contextmanager
def others_writing(ledger: Ledger, count: int = 4) -> Iterator[None]:
    """Further writers, each of commands that write to two streams, until this is left."""
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            ledger.append(command(), to("table:1"), to("meter:1"))

    writers = [threading.Thread(target=write) for _ in range(count)]
    for writer in writers:
        writer.start()
    try:
        yield
    finally:
        stop.set()
        for writer in writers:
            writer.join()


def requests(*asked: tuple[Command, Sequence[Write]]) -> list[Request]:
    """A batch as the writer gets it."""
    return [Request(one, writes) for one, writes in asked]
