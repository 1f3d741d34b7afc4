"""How fast `riverboat verify` is: the chain alone, and with every entry decided again.

    .venv/bin/python bench/verifying.py                     # plays a day of forty tables first
    .venv/bin/python bench/verifying.py --database day.db   # or measures a ledger that is there

All figures are per second of this process' CPU time, so that others on the machine change them
little; the best and the middle of several runs are printed, each beside its goal. "Bare" reads the
same rows and puts their texts through SHA-256, without a chain and without rules: what nobody can
be faster than. A row is what one command did to one stream; it holds one event or more.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from riverboat.floor.audit.auditing import audit
from riverboat.ledger import Ledger, open_ledger, verify
from riverboat.rulebooks import editions
from tests.floor.audit.forty_tables import play_day
from tests.floor.house import SECRET

CHAIN_GOAL: Final = 100_000
REPLAY_GOAL: Final = 10_000


class Speed(NamedTuple):
    """Events a second of CPU time: the best run and the middle one."""

    best: float
    middle: float


def measured(events: int, runs: int, once: Callable[[], None]) -> Speed:
    """So many runs of something that goes through so many events."""
    seconds = []
    for _ in range(runs):
        began = time.process_time()
        once()
        seconds.append(time.process_time() - began)
    return Speed(events / min(seconds), events / median(seconds))


def bare(ledger: Ledger) -> None:
    """The same rows, read and hashed."""
    hashing = sha256()
    for row in ledger.read_all():
        hashing.update(row.body.encode())
        hashing.update(row.command.encode())


def chain(ledger: Ledger) -> None:
    """The chain and its heads."""
    assert verify(ledger).holds


def replay(ledger: Ledger) -> None:
    """Everything."""
    found = audit(ledger, editions(), SECRET)
    assert found.holds, found.wrong


def told(name: str, speed: Speed, goal: int, against: Speed) -> str:
    """A line: figure, goal, and what part of bare it is."""
    beside = f"{speed.best / goal:5.2f} × goal" if goal else " " * 12
    share = f"{speed.best / against.best:7.4f} × bare"
    return f"{name:<32} {speed.best:>10,.0f} {speed.middle:>10,.0f}   {beside}   {share}"


def measure(address: str, runs: int) -> bool:
    """Print every figure; whether the goals are reached."""
    with open_ledger(address, create=False) as ledger:
        counts = audit(ledger, editions(), SECRET).counts
        rows, events = counts["rows"], counts["events"]
        speeds = {
            "bare: read and hashed": (measured(events, runs, lambda: bare(ledger)), 0),
            "the chain alone (--chain-only)": (
                measured(events, runs, lambda: chain(ledger)),
                CHAIN_GOAL,
            ),
            "chain and full replay": (measured(events, runs, lambda: replay(ledger)), REPLAY_GOAL),
        }
    against = speeds["bare: read and hashed"][0]
    print(f"{rows:,} rows, {events:,} events, {counts['rounds']:,} rounds; {runs} runs\n")
    print(f"{'events a CPU-second':<32} {'best':>10} {'middle':>10}")
    for name, (speed, goal) in speeds.items():
        print(told(name, speed, goal, against))
    print(f"rows a CPU-second of the chain: {_rows(speeds, rows, events):,.0f}")
    return all(speed.best >= goal for speed, goal in speeds.values())


def _rows(speeds: dict[str, tuple[Speed, int]], rows: int, events: int) -> float:
    return speeds["the chain alone (--chain-only)"][0].best * rows / events


def main() -> int:
    """0: both goals are reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", help="a ledger that is there, played with the tests' secret")
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    if asked.database:
        return 0 if measure(asked.database, asked.runs) else 1
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/day.db"
        play_day(address)
        return 0 if measure(address, asked.runs) else 1


if __name__ == "__main__":
    sys.exit(main())
