"""The check of finished rounds that were written to files."""

import sys
from typing import Annotated, Any

from cyclopts import Parameter

from riverboat.cli.app import Json, app, print_blocks, print_json
from riverboat.errors import NotationError, Problem, RulebookError
from riverboat.evidence.exporting import Books
from riverboat.evidence.verdicts import Check
from riverboat.evidence.verifying import Verified, verify_round, verify_together
from riverboat.pages.verify_page import verify_page
from riverboat.rulebooks import load_all, load_file, read_bytes

Database = Annotated[str | None, Parameter(help="A ledger's address. Not built yet.")]
OwnRulebooks = Annotated[
    list[str] | None,
    Parameter(name="--rulebook", negative="", help="A house's own rulebook, a .toml file."),
]


@app.command(name="verify")
def verify_command(
    *files: str,
    rulebook: OwnRulebooks = None,
    database: Database = None,
    as_json: Json = False,
) -> int:
    """Check finished rounds: commitment, cut, deal, every entry played again, every cent.

    Several files of one table are also checked for gaps in their numbers. Exit status 0: all that
    can be checked is true; 1: something is not; 2: a file cannot be read.

    Parameters
    ----------
    files
        Rounds that were exported to files.
    """
    if database is not None:
        sys.stderr.write("riverboat verify --database: not built yet\n")
        return 2
    if not files:
        raise NotationError("verify.no_file", "name at least one file with a finished round")
    books = _books(rulebook or [])
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


def _books(own: list[str]) -> Books:
    loaded = [*load_all(), *map(load_file, own)]
    return {one.book.id: (one.book, one.sha256) for one in loaded}


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
