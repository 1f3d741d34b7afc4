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

_HERE = Path(__file__).parent
_KERNEL = re.compile(r"riverboat\.exact\.kernels\.(\w+)")


def compiled(function: F) -> F:
    """The same function as machine code."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(Path(before) / fingerprint(Path(function.__code__.co_filename)))
    try:
        return cast(F, njit(cache=True)(function))
    finally:
        config.CACHE_DIR = before


@cache
def fingerprint(file: Path) -> str:
    """A name for the text of a file together with that of every kernel behind it."""
    texts: dict[Path, str] = {}
    waiting = [file]
    while waiting:
        found = waiting.pop()
        if found not in texts and found.is_file():
            texts[found] = found.read_text("utf-8")
            waiting += [_HERE / f"{name}.py" for name in _KERNEL.findall(texts[found])]
    together = "\0".join(f"{path.name}\0{texts[path]}" for path in sorted(texts))
    return sha256(together.encode()).hexdigest()[:16]
