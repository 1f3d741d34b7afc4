"""Sixty-four writers in four processes at once, whatever it is that they write.

Run as a program it is one of the processes, with sixteen writers:

    python -m tests.ledger.contention MODULE URL PROCESS SEED

`MODULE.writers(ledger, process, seed, told)` are its writers; each puts into `told` what it was
told. A last line of JSON on standard output is all of that.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from riverboat.ledger import open_ledger
from tests.ledger.crash import in_threads

PROCESSES = 4
THREADS = 16
WRITERS = PROCESSES * THREADS
ROOT = Path(__file__).resolve().parent.parent.parent

Told: TypeAlias = dict[str, list[Any]]


def contend(module: str, url: str, seed: int) -> Told:
    """Let all processes loose at once; what they were told, together."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", __name__, module, url, str(number), str(seed)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    told: Told = defaultdict(list)
    for process in processes:
        said, _ = process.communicate(timeout=180)
        assert process.returncode == 0
        for what, heard in json.loads(said).items():
            told[what] += heard
    return told


def compete(module: str, url: str, process: int, seed: int) -> None:
    """Wait for the word, write, say what was acknowledged."""
    told: Told = defaultdict(list)
    failed: list[BaseException] = []

    def noting(writer: Callable[[], None]) -> Callable[[], None]:
        def write() -> None:
            try:
                writer()
            except BaseException as problem:
                failed.append(problem)
                raise

        return write

    with open_ledger(url, patience_seconds=30) as ledger:
        writers = import_module(module).writers(ledger, process, seed, told)
        assert len(writers) == THREADS
        print("ready", flush=True)
        sys.stdin.readline()
        in_threads(map(noting, writers))
    assert not failed, failed
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    compete(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
