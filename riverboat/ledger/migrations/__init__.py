"""Numbered migrations: one file of SQL for each step and database, applied in order, once.

No framework: the ledger's SQL is written for each database by hand anyway (STRICT tables and
triggers here, a function that appends under a lock there), there is nothing to generate and never
a way back, and the program starts without importing one. Each applied step is recorded with the
hash of its file, so that a file that was changed afterwards is noticed, and so is a database that
a newer program has already taken further.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from riverboat.ledger.chain import LedgerMisfit


class Step(NamedTuple):
    """One migration."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """Tells whether it is still the same file."""
        return sha256(self.sql.encode()).hexdigest()


class Applied(NamedTuple):
    """A migration that a database has been through."""

    number: int
    name: str
    sha256: str


@cache
def steps(database: str) -> tuple[Step, ...]:
    """All migrations for `sqlite` or `postgres`, in order."""
    found = sorted(
        (
            file
            for file in files(__name__).joinpath(database).iterdir()
            if file.name.endswith(".sql")
        ),
        key=lambda file: file.name,
    )
    all_steps = tuple(
        Step(int(file.name[:4]), file.name[5:].removesuffix(".sql"), file.read_text("utf-8"))
        for file in found
    )
    assert [step.number for step in all_steps] == list(range(1, len(all_steps) + 1))
    return all_steps


def missing_steps(database: str, applied: Sequence[Applied]) -> tuple[Step, ...]:
    """What a database has still to go through; refuses one that went another way."""
    known = steps(database)
    if len(applied) > len(known):
        raise LedgerMisfit(
            "ledger.schema_too_new",
            f"the ledger's schema is number {applied[-1].number} ({applied[-1].name}), this "
            f"program knows up to {len(known)}: it was written by a newer version; use that one",
        )
    for step, done in zip(known, applied, strict=False):
        if (step.number, step.name, step.sha256) != done:
            raise LedgerMisfit(
                "ledger.schema_differs",
                f"migration {done.number} ({done.name}) is not the one that this program knows as "
                f"{step.number} ({step.name}): the database was not made by a released version",
            )
    return known[len(applied) :]
