"""One server for a floor in a file: a second one would not see what the first one keeps in mind.

The lock is the system's, on a file beside the ledger: it ends with the process that holds it,
however that ends. The file itself may stay; it means nothing.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from riverboat.core.errors import NotationError

SUFFIX: Final = ".serving"


@contextmanager
def held_alone(url: str) -> Iterator[None]:
    """Hold a ledger's file against a second server; a database with a server of its own is for as
    many as like, and what is no address is said where it is opened."""
    named = url.removeprefix("sqlite:///")
    if not named or "://" in named:
        yield
        return
    path = Path(os.path.realpath(named))
    beside = path.with_name(path.name + SUFFIX)
    try:
        file = beside.open("a+", encoding="utf-8")
    except OSError as problem:
        text = f"{beside} cannot be written ({problem.strerror}); choose another `database`"
        raise NotationError("serve.file", text) from None
    with file:
        if not _lock(file):
            raise NotationError("serve.taken", _taken(path, file))
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _taken(path: Path, file: IO[str]) -> str:
    file.seek(0)
    process = file.read(20).strip()
    who = f" (process {process})" if process.isdigit() else ""
    return (
        f"{path} is served already{who}: stop that server first, or start several on one "
        "`database` postgresql://… and the same `secret`"
    )


def _lock(file: IO[str]) -> bool:
    """Whether it is ours now; nobody waits for it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
