"""What a check of a finished round says: ok, where it failed, or why it could not be made."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from riverboat.core.fairness import Misfit

Result: TypeAlias = Literal["ok", "failed", "not checked"]
Found: TypeAlias = Iterable[tuple[str, str]]


class Check(NamedTuple):
    """One thing that was looked at: what came of it, where it is wrong, and what to know."""

    what: str
    result: Result
    found: tuple[Misfit, ...] = ()
    note: str = ""


def checked(what: str, found: Found, note: str = "") -> Check:
    """A check that was made."""
    misfits = tuple(Misfit(where, message) for where, message in found)
    return Check(what, "failed" if misfits else "ok", misfits, note)


def unchecked(what: str, why: str) -> Check:
    """A check that could not be made."""
    return Check(what, "not checked", note=why)
