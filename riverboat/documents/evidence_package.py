"""The evidence package: a ledger, and everything that somebody else needs to check it.

A zip file: the ledger's own export, every rulebook's text and every configuration by its hash, the
verification's and the books' findings, and a list of all files with their hashes. Equal ledgers
give equal bytes: no clock and no order of a file system has a part in it.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from riverboat import __version__
from riverboat.floor.audit.auditing import Audit, audit
from riverboat.floor.books.accounting import Floorbook, keep_books
from riverboat.floor.secret import MasterSecret
from riverboat.keeping.chances import chance_of, winning_hands
from riverboat.ledger import Ledger, export_ledger
from riverboat.rulebooks import load_all
from riverboat.table.day import Books

LIST: Final = "SHA256SUMS"
_OF_A_TABLE: Final = ("table", "day", "win_cents", "drop_cents", "balances")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def evidence_package(ledger: Ledger, books: Books, secret: MasterSecret | None = None) -> bytes:
    """The package as the bytes of a zip file."""
    found, book = audit(ledger, books, secret), keep_books(ledger, books, secret)
    exported = BytesIO()
    export_ledger(ledger, exported)
    files = {
        "ledger.jsonl": exported.getvalue(),
        "verification.json": _json(_verification(found)),
        "books.json": _json(_books(book)),
        "chances.json": _json(_chances(book)),
        **_configurations(book),
        **_rulebooks(book),
    }
    listed = "".join(
        f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())
    )
    return _zipped({**files, LIST: listed.encode()})


def _verification(found: Audit) -> dict[str, Any]:
    return {
        "program": f"riverboat {__version__}",
        "program_sha256": found.components.program_sha256,
        "rulebooks": found.components.rulebooks,
        "head": str(found.verdict.head),
        "holds": found.holds,
        "wrong": str(found.wrong) if found.wrong is not None else None,
        "counts": dict(sorted(found.counts.items())),
        "not_checked_sealed": dict(sorted(found.sealed.items())),
    }


def _books(book: Floorbook) -> dict[str, Any]:
    return {
        "head": str(book.head),
        "balances": book.balances,
        "meters": {
            name: {
                "units": one.link.meter.units,
                "liability_units": one.owed.liability,
                "balances": one.balances,
                "totals": msgspec.to_builtins(one.link.totals),
            }
            for name, one in sorted(book.meters.items())
        },
        "tables": [
            {name: getattr(one, name) for name in _OF_A_TABLE} for one in book.tables.values()
        ],
    }


def _chances(book: Floorbook) -> dict[str, Any]:
    """The mathematics of every progressive schedule that a table plays by."""
    setups = [one.setup for one in book.configurations.values()]
    return {
        setup.progressive.table.id: {hand: str(chance_of(hand)) for hand in winning_hands(setup)}
        for setup in setups
        if setup.progressive is not None
    }


def _configurations(book: Floorbook) -> dict[str, bytes]:
    return {
        f"configurations/{_named(table)}.json": _json(
            {
                "sha256": one.sha256,
                "rulebook": one.book.id,
                "rulebook_sha256": one.rulebook_sha256,
                "submission": msgspec.to_builtins(one.submission),
            }
        )
        for table, one in book.configurations.items()
    }


def _rulebooks(book: Floorbook) -> dict[str, bytes]:
    """The texts of the house's own rulebooks as they are here, where a table plays by them."""
    played = {one.rulebook_sha256 for one in book.configurations.values()}
    return {
        f"rulebooks/{one.book.id}.toml": one.text.encode()
        for one in load_all()
        if one.sha256 in played
    }


def _named(table: str) -> str:
    """A table's name as a file's; what a file's name cannot hold stands as its code."""
    return "".join(x if x.isalnum() or x in "-_" else f"%{ord(x):x}" for x in table)


def _json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    whole = BytesIO()
    with ZipFile(whole, "w", ZIP_DEFLATED) as out:
        for name, data in sorted(files.items()):
            member = ZipInfo(name, _EPOCH)
            member.compress_type = ZIP_DEFLATED
            out.writestr(member, data)
    return whole.getvalue()
