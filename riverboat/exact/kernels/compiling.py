"""One place where the compiler is called: serial, kept on disk, and typed as what it compiles.

The compiler keeps machine code by the file that a function stands in, and does not notice when a
function that it calls changed in another file. So each file's machine code is kept in a folder
that is named by the text of that file and of all kernels that it uses.
"""

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config as numba_config
from numba import njit

from riverboat.exact.caching import keep_compiled_code

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba_config
keep_compiled_code()

_PACKAGE = Path(__file__).parents[2]
_KERNEL = re.compile(r"riverboat\.(exact\.kernels|simulate)(?:\.| import )(\w+)")


def compiled(function: F, **options: Any) -> F:
    """The same function as machine code."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(Path(before) / fingerprint(Path(function.__code__.co_filename)))
    try:
        return cast(F, njit(cache=True, **options)(function))
    finally:
        config.CACHE_DIR = before


def compiled_bare(function: F) -> F:
    """The same for a function that makes no array and keeps none: nobody counts who holds those
    that it is given, which in a short loop takes longer than all its work."""
    return compiled(function, _nrt=False)


def compiled_within(function: F) -> F:
    """The same, written out wherever it is called: passing many tables takes longer than that."""
    return compiled(function, _nrt=False, forceinline=True)


@cache
def fingerprint(file: Path) -> str:
    """A name for the text of a file together with that of every kernel behind it."""
    texts: dict[Path, str] = {}
    waiting = [file]
    while waiting:
        found = waiting.pop()
        if found not in texts and found.is_file():
            texts[found] = found.read_text("utf-8")
            waiting += [
                _PACKAGE / folder.replace(".", "/") / f"{name}.py"
                for folder, name in _KERNEL.findall(texts[found])
            ]
    together = "\0".join(f"{path.name}\0{texts[path]}" for path in sorted(texts))
    return sha256(together.encode()).hexdigest()[:16]
