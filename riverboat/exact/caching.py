"""Results kept on disk, so that what was worked out once is only read the next time.

An entry is named by a hash of everything that it depends on: the rulebook, the question, and the
code that answers it. So an entry is never out of date, only unused. Whatever is wrong with the
directory or an entry, the answer is worked out again; a cache is never a reason to fail.
"""

import atexit
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec

Document: TypeAlias = dict[str, Any]
Answer = TypeVar("Answer")

_PACKAGE = Path(__file__).resolve().parent.parent
_DECIDES = ("exact", "round", "meter", "rulebook", "rulebooks", "core")
"""What an answer depends on besides the question: code, and the rulebooks of the house."""
_KEPT_NAME = "answers"
_COMPILED_NAME = "compiled"


def user_directory() -> Path:
    """Where this user's programs keep what can be made again."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    if named and Path(named).is_absolute():
        return Path(named) / "riverboat"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "riverboat" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "riverboat"
    return Path.home() / ".cache" / "riverboat"


def kept(question: Document, work_out: Callable[[], Document], *, fresh: bool = False) -> Document:
    """The answer to a question: from the disk if it is there, else worked out and kept.

    `fresh` works it out in any case. Both ways give the document as JSON would read it.
    """
    place = _place(question)
    if not fresh and place is not None:
        found = _read(place, question)
        if found is not None:
            return found
    answer: Document = json.loads(json.dumps(work_out()))
    if place is not None:
        _write(place, question, answer)
    return answer


def kept_as(
    kind: type[Answer], question: Document, work_out: Callable[[], Answer], *, fresh: bool = False
) -> Answer:
    """The same for an answer of a type of its own; a fraction is text in the document."""
    answer = kept(question, lambda: msgspec.to_builtins(work_out(), enc_hook=str), fresh=fresh)
    return msgspec.convert(answer, kind, dec_hook=lambda kind, text: kind(text))


def in_json(one: object, *fields: str) -> Document:
    """These fields of an answer as its document has them: a fraction is text."""
    return {name: msgspec.to_builtins(getattr(one, name), enc_hook=str) for name in fields}


def is_kept(question: Document) -> bool:
    """Whether the answer is there already."""
    place = _place(question)
    return place is not None and _read(place, question) is not None


@cache
def code_hash() -> str:
    """One hash of all source that answers depend on."""
    digest = hashlib.sha256()
    for file in (file for part in _DECIDES for file in sorted((_PACKAGE / part).rglob("*"))):
        if file.suffix not in (".py", ".toml"):
            continue
        digest.update(f"{file.relative_to(_PACKAGE).as_posix()}\n".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _place(question: Document) -> Path | None:
    """Where an answer belongs; None where not even the code or the user's directory is known."""
    try:
        text = _as_text([question, code_hash(), sys.version_info[:2]])
        name = hashlib.sha256(text.encode()).hexdigest()
        return user_directory() / _KEPT_NAME / f"{name}.json"
    except (OSError, RuntimeError):
        return None


def _read(place: Path, question: Document) -> Document | None:
    """An entry, if it is whole and answers this very question."""
    try:
        entry = json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or _as_text(entry.get("question")) != _as_text(question):
        return None
    answer = entry.get("answer")
    if not isinstance(answer, dict) or entry.get("sha256") != _seal(answer):
        return None
    return answer


def _as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _seal(answer: Document) -> str:
    return hashlib.sha256(_as_text(answer).encode()).hexdigest()


def _write(place: Path, question: Document, answer: Document) -> None:
    """All of an entry or nothing: others may be reading or writing it at this moment."""
    entry = {"question": question, "sha256": _seal(answer), "answer": answer}
    temporary = None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(entry, file)
        Path(temporary).replace(place)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()


def keep_compiled_code() -> None:
    """Tell the compiler where to keep machine code: where the user says, or beside the answers.

    Where neither can be written, in a directory that lasts as long as this process, so that a
    read-only package works too.
    """
    asked = os.environ.get("NUMBA_CACHE_DIR")
    directory = _writable(Path(asked)) if asked else None
    if directory is None:
        with suppress(RuntimeError):
            directory = _writable(user_directory() / _COMPILED_NAME)
    if directory is None:
        directory = Path(tempfile.mkdtemp(prefix="riverboat-"))
        atexit.register(shutil.rmtree, directory, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(directory)
    loaded = sys.modules.get("numba")
    if loaded is not None:
        loaded.config.CACHE_DIR = str(directory)


def _writable(directory: Path) -> Path | None:
    """The directory, made if need be; None where it cannot be written."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError:
        return None
