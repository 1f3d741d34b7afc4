"""The check of finished rounds that were written to files, and of a whole ledger."""

import sys
import time
from re import fullmatch
from typing import Annotated, Any

from cyclopts import Parameter

from riverboat.cli.app import Json, app, print_blocks, print_json
from riverboat.cli.databases import Secret, existing_ledger, secret_in
from riverboat.core.errors import NotationError, Problem, RulebookError
from riverboat.evidence.exporting import Books
from riverboat.evidence.verdicts import Check
from riverboat.evidence.verifying import Verified, verify_round, verify_together
from riverboat.floor.audit.auditing import Audit, audit
from riverboat.ledger import Head, SignedHead, parse_signed_head, verify
from riverboat.pages.audit_page import audit_document, audit_page, chain_document, chain_page
from riverboat.pages.verify_page import verify_page
from riverboat.rulebooks import editions, read_bytes

MaybeDatabase = Annotated[
    str | None, Parameter(name="--database", help="A ledger's address: all of it is verified.")
]
Heads = Annotated[
    list[str] | None,
    Parameter(name="--head", negative="", help="A printed head, SEQ:HASH, or a signed one."),
]
PublicKey = Annotated[
    str | None, Parameter(name="--key", help="The public key that must have signed every head.")
]
ChainOnly = Annotated[
    bool,
    Parameter(name="--chain-only", negative="", help="Only the chain and its heads: much faster."),
]
_SECONDS_BETWEEN = 2.0


@app.command(name="verify")
def verify_command(
    *files: str,
    database: MaybeDatabase = None,
    secret: Secret = None,
    head: Heads = None,
    key: PublicKey = None,
    chain_only: ChainOnly = False,
    as_json: Json = False,
) -> int:
    """Check finished rounds, or with --database a whole ledger: every entry decided again.

    Files: commitment, cut, deal, every entry played again, every cent; several files of one table
    also for gaps in their numbers. A ledger: its chain and signed heads, every entry decided again
    under the configuration of its time, postings, meters, numbers and keys; the first thing that
    is wrong is named. With --chain-only nothing is decided again. Exit status 0: all that can be
    checked is true; 1: something is not; 2: a file or the database cannot be read.

    Parameters
    ----------
    files
        Rounds that were exported to files.
    """
    if database is not None:
        if files:
            raise NotationError("verify.both", "name files with rounds or a --database, not both")
        given, public_key = [_head(text) for text in head or []], _public_key(key)
        if chain_only:
            return _verify_chain(database, given, public_key, as_json=as_json)
        master, books = secret_in(secret), editions()
        with existing_ledger(database) as ledger:
            found = audit(
                ledger, books, master, heads=given, public_key=public_key, progress=_Progress()
            )
        return _say(found, as_json=as_json)
    if chain_only:
        raise NotationError("verify.no_ledger", "--chain-only is about a --database")
    if not files:
        raise NotationError(
            "verify.no_file", "name at least one file with a finished round, or a --database"
        )
    books = editions()
    results = [_verified(file, books) for file in files]
    together = list(verify_together([one.file for one in results if one.file is not None]))
    for result in results:
        if result.error:
            sys.stderr.write(f"{Problem(result.path, 'round', result.error)}\n")
    if as_json:
        print_json(_document(results, together))
    else:
        print_blocks(verify_page(results, together))
    if any(result.error for result in results):
        return 2
    true = all(result.holds for result in results)
    return 0 if true and all(check.result != "failed" for check in together) else 1


def _verified(path: str, books: Books) -> Verified:
    """One file; one that is not there does not hide the others."""
    try:
        return verify_round(path, read_bytes(path), books)
    except RulebookError as missing:
        return Verified(path, None, error=missing.problems[0].message)


def _verify_chain(
    database: str, heads: list[Head | SignedHead], key: bytes | None, *, as_json: bool
) -> int:
    """The chain and its heads, without deciding anything again."""
    told = _Progress()
    with existing_ledger(database) as ledger:
        began = time.perf_counter()
        verdict = verify(ledger, heads, public_key=key, progress=lambda seq: told("chain", seq))
        seconds = time.perf_counter() - began
    if as_json:
        print_json(chain_document(verdict, seconds))
    else:
        print_blocks(chain_page(verdict, seconds))
    return 0 if verdict.holds else 1


def _say(found: Audit, *, as_json: bool) -> int:
    if as_json:
        print_json(audit_document(found))
    else:
        print_blocks(audit_page(found))
    return 0 if found.holds else 1


def _head(text: str) -> Head | SignedHead:
    return parse_signed_head(text) if text.lstrip().startswith("{") else Head.read(text)


def _public_key(text: str | None) -> bytes | None:
    if text is None:
        return None
    if not fullmatch(r"[0-9a-f]{64}", text):
        raise NotationError("ledger.public_key", f"--key {text!r}: 64 digits of 0-9 a-f are a key")
    return bytes.fromhex(text)


class _Progress:
    """Says on standard error how far it has come, every few seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SECONDS_BETWEEN

    def __call__(self, part: str, done: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_BETWEEN
            sys.stderr.write(f"riverboat verify: {part}, row {done:,}\n")


def _document(results: list[Verified], together: list[Check]) -> dict[str, Any]:
    return {
        "files": [
            {
                "file": result.path,
                "table": result.file.table if result.file else None,
                "round": result.file.round if result.file else None,
                "holds": result.holds,
                "checks": [_check(check) for check in result.checks],
                **({"error": result.error} if result.error else {}),
            }
            for result in results
        ],
        "together": [_check(check) for check in together],
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "check": check.what,
        "result": check.result,
        "found": [misfit._asdict() for misfit in check.found],
        "note": check.note,
    }
