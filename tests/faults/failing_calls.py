"""System calls that fail when a test says so: a library that is put before libc, made by the
system's C compiler, and the switches of it that both processes have mapped."""

import errno
import mmap
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).with_suffix(".c")
KINDS: Final = (
    "write",
    "read",
    "sync",
    "truncate",
    "open",
    "map",
    "unlink",
    "rename",
    "stat",
    "lock",
)
"""As in the library, in its order."""
SHORT: Final = -1
"""Half of what was to be written is."""
ALL: Final = 1 << 30
_RULE: Final = struct.Struct("=iiii")
_BEGIN: Final = 4


class Rule(NamedTuple):
    """Which calls fail, and with what."""

    call: str
    error: int
    after: int = 0
    times: int = ALL

    @property
    def name(self) -> str:
        """For people."""
        wrong = "half written" if self.error == SHORT else errno.errorcode[self.error]
        return f"{self.call} {wrong}"


class NoCompiler(RuntimeError):
    """The library cannot be made here."""


def made_in(folder: Path) -> Path:
    """The library. A missing compiler is never a skipped test."""
    names = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    compiler = next((found for name in names if name and (found := shutil.which(name))), None)
    if compiler is None:
        raise NoCompiler("no C compiler: looked for $CC, cc, gcc, clang; install gcc")
    library = folder / "failing_calls.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise NoCompiler(made.stderr)
    return library


class Switches:
    """What fails in another process, from now on."""

    def __init__(self, folder: Path, failing_in: Path) -> None:
        path = folder / "switches"
        path.write_bytes(bytes(_BEGIN + _RULE.size * len(KINDS)))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self.environment = {
            "LD_PRELOAD": str(made_in(folder)),
            "RIVERBOAT_FAILING": str(path),
            "RIVERBOAT_FAILING_IN": str(failing_in),
        }

    def fail(self, *rules: Rule, log_too: bool = False) -> None:
        """These calls, until `heal`; those on the log too, where it says so."""
        struct.pack_into("=i", self._map, 0, int(log_too))
        for rule in rules:
            # The error last: it is what switches a rule on.
            at = self._place(rule.call)
            struct.pack_into("=iii", self._map, at + 4, rule.after, rule.times, 0)
            struct.pack_into("=i", self._map, at, rule.error)

    def heal(self) -> dict[str, int]:
        """Nothing fails any more; how many calls of each kind did."""
        failed = {}
        for kind in KINDS:
            *_, count = _RULE.unpack_from(self._map, self._place(kind))
            struct.pack_into("=i", self._map, self._place(kind), 0)
            failed[kind] = count
            struct.pack_into("=i", self._map, self._place(kind) + 12, 0)
        return failed

    @staticmethod
    def _place(kind: str) -> int:
        return _BEGIN + _RULE.size * KINDS.index(kind)
