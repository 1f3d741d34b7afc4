"""Commands about a ledger itself: its check at start, its head, signatures, copies and backups."""

import sys
import time
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from riverboat import __version__
from riverboat.cli.app import Json, app, print_blocks, print_json, print_refusal
from riverboat.cli.databases import (
    By,
    Database,
    Second,
    existing_ledger,
    person,
)
from riverboat.core.errors import NotationError, Refused
from riverboat.floor.starting import admit as let_in
from riverboat.ledger import (
    ChainBroken,
    SigningKey,
    backup_ledger,
    copy_ledger,
    export_ledger,
    import_ledger,
    open_ledger,
    self_check,
    show_signed_head,
    sign_head,
)
from riverboat.pages.page import Block, Facts, Heading, Table
from riverboat.rulebooks import editions, load_all

ledger = App(name="ledger", help="Check, sign, export, copy and back up a ledger.")
app.command(ledger)

KeyFile = Annotated[
    str, Parameter(name="--key", help="The signing key's file, outside the database.")
]


@ledger.command
def check(*, database: Database, as_json: Json = False) -> int:
    """The check at start: this program's version, its rulebooks' hashes, the chain's tail.

    Exit status 0: all is well; 1: the tail or the newest signed head is wrong; 2: no ledger there.
    """
    books = [(one.book.id, one.sha256) for one in load_all()]
    with existing_ledger(database) as opened:
        try:
            found, wrong = self_check(opened), ""
        except ChainBroken as broken:
            found, wrong = None, str(broken)
    document: dict[str, Any] = {
        "version": __version__,
        "rulebooks": dict(books),
        "holds": not wrong,
    }
    if found is not None:
        document |= {
            "database": found.place,
            "schema": found.schema,
            "head": str(found.head),
            "rows": found.head.seq,
            "tail_verified": found.tail,
            "signed_heads": found.signed_heads,
        }
    else:
        document["wrong"] = wrong
    if as_json:
        print_json(document)
    else:
        print_blocks(_check_page(document, wrong))
    return 1 if wrong else 0


def _check_page(document: dict[str, Any], wrong: str) -> list[Block]:
    facts = [("Riverboat", document["version"])]
    if wrong:
        facts.append(("WRONG", wrong))
    else:
        facts += [
            ("Database", f"{document['database']}, schema {document['schema']}"),
            ("Rows", f"{document['rows']}, the last {document['tail_verified']} verified"),
            ("Signed heads", str(document["signed_heads"])),
            ("Head", document["head"]),
        ]
    books = [(name, sha256) for name, sha256 in document["rulebooks"].items()]
    return [Heading("Self check", 1), Facts(facts), Table(("Rulebook", "Hash of its file"), books)]


@ledger.command
def admit(
    *,
    by: By,
    second: Second,
    reason: str,
    database: Database,
    as_json: Json = False,
) -> int:
    """Two people let a changed program, or changed rulebooks, work on a ledger.

    A floor takes no command while the program or a rulebook is another than the ledger knows under
    the same version. Exit status 1: refused.

    Parameters
    ----------
    reason
        Why the change is right.
    """
    people = person(by), person(second)
    with existing_ledger(database, read_only=False) as opened:
        try:
            entry = let_in(opened, editions(), int(time.time()), *people, reason)
        except Refused as refusal:
            return print_refusal(refusal, as_json=as_json)
    if as_json:
        return print_json({"version": entry.version, "program_sha256": entry.program_sha256})
    sys.stdout.write(f"{entry.version}, program {entry.program_sha256}, works on {database} now\n")
    return 0


@ledger.command
def head(*, database: Database, as_json: Json = False) -> int:
    """Print where the ledger ends: the number of its last row and its hash."""
    with existing_ledger(database) as opened:
        found = opened.head()
    if as_json:
        return print_json({"head": str(found), "seq": found.seq, "hash": found.hash.hex()})
    sys.stdout.write(f"{found}\n")
    return 0


@ledger.command
def sign(*, database: Database, key: KeyFile, as_json: Json = False) -> int:
    """Sign where the ledger ends now, with a key that is kept outside the database.

    The key is made the first time. Print or mail what this prints: only a head that is somewhere
    else shows that an end was cut off.
    """
    signer = SigningKey.kept_in(Path(key))
    with existing_ledger(database, read_only=False) as opened:
        signed = sign_head(opened, signer, at=int(time.time()))
    if as_json:
        return print_json(
            {
                "number": signed.number,
                "head": str(signed.head),
                "signed_at": signed.signed_at,
                "public_key": signed.public_key.hex(),
                "signature": signed.signature.hex(),
            }
        )
    sys.stdout.write(f"{show_signed_head(signed)}\n")
    return 0


@ledger.command(name="export")
def export_command(file: str, *, database: Database, as_json: Json = False) -> int:
    """Write everything as JSON lines into a new file; the chain is checked on the way.

    Parameters
    ----------
    file
        The file to make; one that is there is not overwritten.
    """
    with existing_ledger(database) as opened:
        try:
            with Path(file).open("xb") as out:
                found = export_ledger(opened, out)
        except OSError as problem:
            raise NotationError("export.file", f"{file}: {problem.strerror}") from None
        except ChainBroken as broken:
            Path(file).unlink(missing_ok=True)
            return _not_true(broken, as_json=as_json)
    return _done(f"{found.seq} rows written to {file}", str(found), as_json=as_json)


@ledger.command(name="import")
def import_command(file: str, *, database: Database, as_json: Json = False) -> int:
    """Fill an empty ledger from an export: all of it, or nothing and the line that is wrong.

    Parameters
    ----------
    file
        A file that `riverboat ledger export` wrote.
    """
    try:
        with Path(file).open("rb") as source, open_ledger(database) as opened:
            found = import_ledger(opened, source)
    except ChainBroken as broken:
        return _not_true(broken, as_json=as_json)
    except OSError as problem:
        raise NotationError("import.file", f"{file}: {problem.strerror}") from None
    return _done(f"{found.seq} rows read from {file}", str(found), as_json=as_json)


@ledger.command
def copy(target: str, *, database: Database, as_json: Json = False) -> int:
    """Copy everything into an empty ledger, on either database, and see that both are equal.

    Parameters
    ----------
    target
        The other ledger's address: a path, sqlite:///path or postgresql://…
    """
    with existing_ledger(database) as opened, open_ledger(target) as other:
        try:
            found = copy_ledger(opened, other)
        except ChainBroken as broken:
            return _not_true(broken, as_json=as_json)
    return _done(f"{found.seq} rows copied to {target}, equal", str(found), as_json=as_json)


@ledger.command
def backup(file: str, *, database: Database, as_json: Json = False) -> int:
    """Make a verified copy as a SQLite file while others go on writing.

    Parameters
    ----------
    file
        The file to make; one that is there is not overwritten.
    """
    with existing_ledger(database) as opened:
        try:
            found = backup_ledger(opened, Path(file)).head
        except ChainBroken as broken:
            return _not_true(broken, as_json=as_json)
    return _done(f"{found.seq} rows in {file}, verified", str(found), as_json=as_json)


def _done(words: str, head: str, *, as_json: bool) -> int:
    if as_json:
        return print_json({"holds": True, "done": words, "head": head})
    sys.stdout.write(f"{words}\nhead {head}\n")
    return 0


def _not_true(broken: ChainBroken, *, as_json: bool) -> int:
    if as_json:
        print_json({"holds": False, "wrong": str(broken)})
    else:
        sys.stdout.write(f"NOT TRUE: {broken}\n")
    return 1
