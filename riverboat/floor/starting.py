"""What a floor checks of itself before it takes a command: program, rulebooks, ledger.

The program is all of its package's files, code and data. It is held against the list of hashes that
an installed wheel brings with it, where there is one, and against what the ledger has on record for
the same version: two programs of one version that differ are not one program. A checkout, which its
programmers change every day, is put on record anew instead.

Python does not run the source where it finds bytecode that fits it. So what it would run is held
against what the source compiles to, and so is that of the packages that are loaded by then, each of
which is also held against its own list and put on record. Compiling takes a second; bytecode whose
hash the ledger has from an earlier start was compiled then.

Whoever can change the files and the ledger's head can deceive this check; a printed hash kept
elsewhere shows that. What it does not see: Python itself, its own library, and packages that are
loaded later, for mathematics and printing.
"""

import base64
import csv
import hashlib
import importlib.util
import marshal
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

import riverboat
from riverboat.floor.codec import decoded
from riverboat.ledger import Command, Ledger, LedgerMisfit, Row, SelfCheck, Write, self_check
from riverboat.table.day import Books
from riverboat.table.people import SYSTEM, Actor, require_two

PACKAGE: Final = Path(riverboat.__file__).parent
PROGRAM: Final = "program/"
_LEFT_OUT: Final = ("__pycache__",)
_HEADER: Final = 16
"""Bytes before the code in a file of bytecode: a magic number, flags, and what source it fits."""
_HASHED, _CHECKED = 1, 2
_KEPT: Final = 200
"""So many hashes of bytecode an entry carries on."""
_OF_NO_PACKAGE: Final = "of no package: "


class Program(NamedTuple):
    """All files of a package as one hash, and each by itself."""

    sha256: str
    files: Mapping[str, str]


class Components(NamedTuple):
    """What runs: the program's version and hash, its list of hashes if it has one, rulebooks."""

    version: str
    program_sha256: str
    files: int
    listed: bool
    rulebooks: dict[str, str]


class Started(NamedTuple):
    """A floor that may take commands: what runs, with which packages, on which ledger."""

    components: Components
    ledger: SelfCheck
    dependencies: dict[str, str]

    def __str__(self) -> str:
        what = self.components
        listed = "as its wheel lists them" if what.listed else "without a wheel's list"
        books = ", ".join(f"{name} {sha[:12]}" for name, sha in what.rulebooks.items())
        program = f"program {what.program_sha256[:12]}, {what.files} files {listed}"
        packages = f"{len(self.dependencies)} packages as installed"
        return f"Riverboat {what.version}, {program}; {packages}; rulebooks {books}; {self.ledger}"


class ProgramEntry(Struct, frozen=True, kw_only=True):
    """A program that works on this ledger; a changed one of the same version is let in by two."""

    version: str
    program_sha256: str
    rulebooks: dict[str, str]
    by: Actor
    second: Actor | None = None
    reason: str = ""
    dependencies: dict[str, str] = {}
    """The packages that it runs with: name, version and platform, each with the hash of its list
    of files."""
    bytecode: tuple[str, ...] = ()
    """Hashes of bytecode that was held against its source."""


_entries: msgspec.json.Decoder[ProgramEntry] = msgspec.json.Decoder(ProgramEntry)


@cache
def program_in(package: Path) -> Program:
    """The files of a package, hashed when a process first asks."""
    files = {
        file.relative_to(package).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(package.rglob("*"))
        if file.is_file() and not set(file.parts) & set(_LEFT_OUT)
    }
    lines = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(files.items()))
    return Program(hashlib.sha256(lines.encode()).hexdigest(), files)


def components(books: Books, package: Path = PACKAGE) -> Components:
    """What runs here, for whoever wants to compare it."""
    program = program_in(package)
    return Components(
        version=riverboat.__version__,
        program_sha256=program.sha256,
        files=len(program.files),
        listed=_listed(package) is not None,
        rulebooks={name: sha256 for name, (_, sha256) in sorted(books.items())},
    )


def _listed(package: Path) -> dict[str, str] | None:
    """The hashes that an installed wheel has on record; None where the program is no wheel."""
    for record in sorted(package.parent.glob(f"{package.name}-*.dist-info/RECORD")):
        own = {name: sha for name, sha in _recorded(record) if name.startswith(f"{package.name}/")}
        if own:
            return {name.partition("/")[2]: sha for name, sha in own.items()}
    return None


def _recorded(record: Path) -> Iterator[tuple[str, str]]:
    """The files of an installed package with their hashes; those without one are left out."""
    for row in csv.reader(record.read_text("utf-8").splitlines()):
        kind, _, digest = row[1].partition("=") if len(row) > 1 else ("", "", "")
        if digest:
            sha256 = base64.urlsafe_b64decode(digest + "==").hex() if kind == "sha256" else ""
            yield row[0], sha256


def _faults(package: Path) -> Iterator[str]:
    listed, found = _listed(package), program_in(package).files
    yield from (f"{name} has no source" for name in found if name.endswith(".pyc"))
    if listed is None:
        return
    for name in sorted({*listed, *found}):
        if name not in found:
            yield f"{name} is missing"
        elif name not in listed:
            yield f"{name} is not the program's"
        elif listed[name] != found[name]:
            yield f"{name} was changed"


# ---------------------------------------------------------------- what Python runs


class Running(NamedTuple):
    """Sources that belong together, and what is wrong with them, if anything."""

    name: str
    sha256: str
    sources: tuple[Path, ...]
    fault: str = ""


def bytecode_of(source: Path) -> bytes | None:
    """What Python runs instead of a source: bytecode that says it fits. None where there is none,
    or where Python would notice that it does not, and compile the source."""
    try:
        data = Path(importlib.util.cache_from_source(str(source))).read_bytes()
        text, stands = source.read_bytes(), source.stat()
    except (OSError, NotImplementedError):
        return None
    if len(data) < _HEADER or data[:4] != importlib.util.MAGIC_NUMBER:
        return None
    flags = int.from_bytes(data[4:8], "little")
    stamp = (int(stands.st_mtime) & 0xFFFFFFFF).to_bytes(4, "little")
    size = (stands.st_size & 0xFFFFFFFF).to_bytes(4, "little")
    if flags & _HASHED:
        unchecked = not flags & _CHECKED
        return data if unchecked or data[8:_HEADER] == importlib.util.source_hash(text) else None
    return data if data[8:_HEADER] == stamp + size else None


def is_compiled_from(data: bytes, source: Path) -> bool:
    """Whether bytecode is what a source compiles to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
    if data[_HEADER:] == marshal.dumps(made):
        return True
    try:
        return bool(marshal.loads(data[_HEADER:]) == made)
    except Exception:  # What is no code fails in any way that it likes.
        return False


def _bytecode_hash(name: str, sources: Iterable[Path]) -> str:
    """One hash over everything that Python runs instead of these sources."""
    whole = hashlib.sha256(name.encode())
    for source in sources:
        if (data := bytecode_of(source)) is not None:
            whole.update(f"{source.name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return whole.hexdigest()


def _require_compiled(runs: Iterable[Running], known: Iterable[str]) -> tuple[str, ...]:
    """Whatever Python runs is what its source compiles to; the hashes of it."""
    before, found = {*known, *_COMPILED}, list[str]()
    for one in runs:
        sha256 = _bytecode_hash(one.name, one.sources)
        found.append(sha256)
        for source in one.sources if sha256 not in before else ():
            data = bytecode_of(source)
            if data is not None and not is_compiled_from(data, source):
                cached = importlib.util.cache_from_source(str(source))
                text = f"{cached} is not what {source} compiles to: remove it, and find out who put"
                raise LedgerMisfit("program.bytecode", f"{text} it there")
        _COMPILED.add(sha256)
    return tuple(found)


_COMPILED: Final[set[str]] = set()
"""Hashes of bytecode that this process has held against its source."""


@cache
def packages_loaded() -> tuple[Running, ...]:
    """The packages that this process has loaded when it first asks, and how each stands."""
    files = {
        os.path.normpath(file)
        for module in tuple(sys.modules.values())
        if isinstance(file := getattr(module, "__file__", None), str)
    }
    found: list[Running] = []
    for folder in dict.fromkeys(os.path.normpath(path) for path in sys.path if path):
        records = sorted(Path(folder).glob("*.dist-info/RECORD"))
        here = {file[len(folder) + 1 :] for file in files if file.startswith(folder + os.sep)}
        if records and here:
            found += _packages_in(Path(folder), records, here)
    return tuple(found)


def _packages_in(folder: Path, records: Iterable[Path], loaded: set[str]) -> Iterator[Running]:
    left = {name for name in loaded if not name.startswith(f"{PACKAGE.name}{os.sep}")}
    for record in records:
        listed = dict(_recorded(record))
        own = sorted(left & {os.path.normpath(name) for name in listed})
        if own:
            left -= set(own)
            yield _package(folder, record, listed, own)
    for name in sorted(left):
        sha256 = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        yield Running(_OF_NO_PACKAGE + name, sha256, ())


def _package(folder: Path, record: Path, listed: Mapping[str, str], own: list[str]) -> Running:
    name, _, version = record.parent.name.removesuffix(".dist-info").rpartition("-")
    wheel = record.with_name("WHEEL")
    tags = wheel.read_text("utf-8").splitlines() if wheel.exists() else []
    tag = next((line.removeprefix("Tag: ") for line in tags if line.startswith("Tag: ")), "")
    part = (f"{sha}  {name}\n" for name, sha in sorted(listed.items()) if _is_of_wheel(name))
    whole = hashlib.sha256("".join(part).encode()).hexdigest()
    changed = (
        f"{file} of {name} {version} is not as it was installed; install {name} anew"
        for file in own
        if hashlib.sha256((folder / file).read_bytes()).hexdigest()
        != listed.get(Path(file).as_posix())
    )
    sources = tuple(folder / file for file in own if file.endswith(".py"))
    return Running(f"{name} {version} {tag}".strip(), whole, sources, next(changed, ""))


def _is_of_wheel(name: str) -> bool:
    """Whether the wheel brought a file, and not the installer."""
    return not name.startswith("..") and ".dist-info/" not in name


def start(
    ledger: Ledger,
    books: Books,
    at: int,
    package: Path = PACKAGE,
    begin: Callable[[int], object] = lambda at: None,
) -> Started:
    """Everything that can be seen in a moment; raises where something is wrong. `begin` is done
    when nothing is, and before anything is put on record."""
    what, entry, last = require_program(ledger, books, package)
    found = self_check(ledger)
    begin(at)
    if last is None or not _is_on_record(last, entry):
        _record(ledger, at, entry)
    return Started(what, found, _packages(package))


class Fitting(NamedTuple):
    """A program that may work on a ledger: its entry, and the last one on record."""

    components: Components
    entry: ProgramEntry
    last: ProgramEntry | None


def require_program(ledger: Ledger, books: Books, package: Path = PACKAGE) -> Fitting:
    """What runs is as it was installed, compiled from its sources, and what the ledger knows under
    the same version; nothing is put on record."""
    _require_as_installed(package)
    what, packages = components(books, package), _packages(package)
    entries = admitted(ledger, what.version)
    last = entries[-1] if entries else None
    if last is not None:
        _require_same(last, what, packages, is_checkout=_is_checkout(package))
    compiled = _require_compiled(_runs(package), last.bytecode if last else ())
    return Fitting(what, _entry(what, packages, compiled, last, SYSTEM), last)


def _require_as_installed(package: Path) -> None:
    if fault := next(_faults(package), ""):
        raise LedgerMisfit("program.changed", f"the program is not as it was installed: {fault}")
    if fault := next((one.fault for one in _runs(package) if one.fault), ""):
        raise LedgerMisfit("dependency.changed", fault)


def _runs(package: Path) -> tuple[Running, ...]:
    """The program, and, where it is the one that runs here, the packages it runs with."""
    files = program_in(package).files
    sources = tuple(package / name for name in files if name.endswith(".py"))
    program = Running(package.name, "", sources)
    return (program, *packages_loaded()) if package == PACKAGE else (program,)


def _packages(package: Path) -> dict[str, str]:
    return {one.name: one.sha256 for one in _runs(package)[1:]}


def _is_checkout(package: Path) -> bool:
    return (package.parent / ".git").exists()


def _is_on_record(last: ProgramEntry, now: ProgramEntry) -> bool:
    """Whether an entry would say nothing new."""
    return (
        last.program_sha256 == now.program_sha256
        and now.rulebooks.items() <= last.rulebooks.items()
        and now.dependencies.items() <= last.dependencies.items()
        and set(now.bytecode) <= set(last.bytecode)
    )


def admitted(ledger: Ledger, version: str) -> list[ProgramEntry]:
    """What the ledger has on record of a version."""
    return [read_program(row) for row in ledger.read(PROGRAM + version)]


def read_program(row: Row) -> ProgramEntry:
    """A program's entry from its row."""
    return decoded(_entries, row.body)


def _require_same(
    last: ProgramEntry, what: Components, packages: Mapping[str, str], *, is_checkout: bool
) -> None:
    if last.program_sha256 != what.program_sha256 and not is_checkout:
        text = (
            f"version {what.version} is {last.program_sha256} on this ledger; this program is "
            f"{what.program_sha256}. Install that one, or let two people admit this one"
        )
        raise LedgerMisfit("program.changed", text)
    for name, sha256 in what.rulebooks.items():
        known = last.rulebooks.get(name, sha256)
        if known != sha256:
            text = f"rulebook {name} is {known} on this ledger; the one given is {sha256}"
            raise LedgerMisfit("rulebook.changed", text)
    for name, sha256 in packages.items():
        known = last.dependencies.get(name, sha256)
        if known != sha256:
            text = (
                f"{name} is {known} on this ledger; the one installed here is {sha256}. Install "
                "that one, or let two people admit this one"
            )
            raise LedgerMisfit("dependency.changed", text)


def admit(
    ledger: Ledger, books: Books, at: int, by: Actor, second: Actor, reason: str,
    package: Path = PACKAGE,
) -> ProgramEntry:  # fmt: skip
    """Two people let a changed program, or changed rulebooks, work on this ledger."""
    require_two(by, second, reason, "admitting a changed program")
    _require_as_installed(package)
    self_check(ledger)
    compiled = _require_compiled(_runs(package), ())
    entry = _entry(components(books, package), _packages(package), compiled, None, by)
    entry = msgspec.structs.replace(entry, second=second, reason=reason)
    _record(ledger, at, entry)
    return entry


def _entry(
    what: Components,
    packages: Mapping[str, str],
    compiled: tuple[str, ...],
    last: ProgramEntry | None,
    by: Actor,
) -> ProgramEntry:
    """What runs now, with what the last entry knew beside it."""
    before = last.bytecode if last else ()
    return ProgramEntry(
        version=what.version,
        program_sha256=what.program_sha256,
        rulebooks={**(last.rulebooks if last else {}), **what.rulebooks},
        by=by,
        dependencies={**(last.dependencies if last else {}), **packages},
        bytecode=tuple(dict.fromkeys((*compiled, *before)))[:_KEPT],
    )


def _record(ledger: Ledger, at: int, entry: ProgramEntry) -> None:
    """Programs that start together record the same once."""
    body = msgspec.json.encode(entry).decode()
    number = ledger.version(PROGRAM + entry.version)
    mark = hashlib.sha256(body.encode()).hexdigest()[:32]
    command = Command(
        id=f"program {number} {mark}",
        actor=msgspec.json.encode(entry.by).decode(),
        recorded_at=at,
        text=msgspec.json.encode({"program": entry.version}).decode(),
    )
    ledger.append(command, Write(stream=PROGRAM + entry.version, expected_version=None, body=body))
