"""What a floor checks of itself before it takes a command: program, rulebooks, ledger.

The program is all of its package's files, code and data. It is held against the list of hashes that
an installed wheel brings with it, where there is one, and against what the ledger has on record for
the same version: two programs of one version that differ are not one program. A checkout, which its
programmers change every day, is put on record anew instead. Whoever can change the files and the
ledger's head can deceive this check; a printed hash kept elsewhere shows that.
"""

import base64
import csv
import hashlib
from collections.abc import Iterator, Mapping
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
    """A floor that may take commands: what runs, on which ledger."""

    components: Components
    ledger: SelfCheck

    def __str__(self) -> str:
        what = self.components
        listed = "as its wheel lists them" if what.listed else "without a wheel's list"
        books = ", ".join(f"{name} {sha[:12]}" for name, sha in what.rulebooks.items())
        program = f"program {what.program_sha256[:12]}, {what.files} files {listed}"
        return f"Riverboat {what.version}, {program}; rulebooks {books}; {self.ledger}"


class ProgramEntry(Struct, frozen=True, kw_only=True):
    """A program that works on this ledger; a changed one of the same version is let in by two."""

    version: str
    program_sha256: str
    rulebooks: dict[str, str]
    by: Actor
    second: Actor | None = None
    reason: str = ""


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
        rows = list(csv.reader(record.read_text("utf-8").splitlines()))
        own = [row for row in rows if row[0].startswith(f"{package.name}/") and row[1]]
        if own:
            return {row[0].partition("/")[2]: _hexadecimal(row[1]) for row in own}
    return None


def _hexadecimal(written: str) -> str:
    kind, _, digest = written.partition("=")
    return base64.urlsafe_b64decode(digest + "==").hex() if kind == "sha256" else ""


def _faults(package: Path) -> Iterator[str]:
    listed, found = _listed(package), program_in(package).files
    if listed is None:
        return
    for name in sorted({*listed, *found}):
        if name not in found:
            yield f"{name} is missing"
        elif name not in listed:
            yield f"{name} is not the program's"
        elif listed[name] != found[name]:
            yield f"{name} was changed"


def start(ledger: Ledger, books: Books, at: int, package: Path = PACKAGE) -> Started:
    """Everything that can be seen in a moment; raises where something is wrong."""
    if fault := next(_faults(package), ""):
        raise LedgerMisfit("program.changed", f"the program is not as it was installed: {fault}")
    found, what = self_check(ledger), components(books, package)
    entries = admitted(ledger, what.version)
    last = entries[-1] if entries else None
    if last is not None:
        _require_same(last, what, is_checkout=_is_checkout(package))
    if last is None or not _is_on_record(last, what):
        _record(ledger, at, _entry(what, last.rulebooks if last else {}, SYSTEM))
    return Started(what, found)


def _is_checkout(package: Path) -> bool:
    return (package.parent / ".git").exists()


def _is_on_record(last: ProgramEntry, what: Components) -> bool:
    same = last.program_sha256 == what.program_sha256
    return same and what.rulebooks.items() <= last.rulebooks.items()


def admitted(ledger: Ledger, version: str) -> list[ProgramEntry]:
    """What the ledger has on record of a version."""
    return [read_program(row) for row in ledger.read(PROGRAM + version)]


def read_program(row: Row) -> ProgramEntry:
    """A program's entry from its row."""
    return decoded(_entries, row.body)


def _require_same(last: ProgramEntry, what: Components, *, is_checkout: bool) -> None:
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


def admit(
    ledger: Ledger, books: Books, at: int, by: Actor, second: Actor, reason: str,
    package: Path = PACKAGE,
) -> ProgramEntry:  # fmt: skip
    """Two people let a changed program, or changed rulebooks, work on this ledger."""
    require_two(by, second, reason, "admitting a changed program")
    self_check(ledger)
    what = components(books, package)
    entry = _entry(what, {}, by)
    entry = msgspec.structs.replace(entry, second=second, reason=reason)
    _record(ledger, at, entry)
    return entry


def _entry(what: Components, known: Mapping[str, str], by: Actor) -> ProgramEntry:
    rulebooks = {**known, **what.rulebooks}
    sha256 = what.program_sha256
    return ProgramEntry(version=what.version, program_sha256=sha256, rulebooks=rulebooks, by=by)


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
