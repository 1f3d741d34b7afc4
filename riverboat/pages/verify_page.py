"""The check of finished rounds for people: a line a check, and where exactly one failed."""

from collections.abc import Iterator, Sequence

from riverboat.core.naming import table_called
from riverboat.evidence.verdicts import Check
from riverboat.evidence.verifying import Verified
from riverboat.pages.page import Block, Facts, Heading, Table, Words

_SHOWN = {"ok": "ok", "failed": "FAILED", "not checked": "not checked"}
_SHARES = (2, 2, 9)


def verify_page(results: Sequence[Verified], together: Sequence[Check]) -> Iterator[Block]:
    """Each file with its checks, what the files are together, and the sum."""
    for result in results:
        yield Heading(_title(result), level=3)
        if result.error:
            yield Words(f"cannot be read: {result.error}", loud=True)
            continue
        if result.file is not None and result.file.test:
            yield Words("TEST: a round of a test table.", loud=True)
        yield Table(("Check", "Result", "Where, or what to know"), _rows(result.checks), _SHARES)
    if together:
        yield Heading("Together", level=3)
        yield Table(("Check", "Result", "Where, or what to know"), _rows(together), _SHARES)
    yield Words("")
    yield Facts([("Files", _sum(results))])


def _title(result: Verified) -> str:
    if result.file is None:
        return result.path
    return f"{result.path}: {table_called(result.file.table)}, round {result.file.round}"


def _rows(checks: Sequence[Check]) -> list[tuple[str, str, str]]:
    rows = []
    for check in checks:
        said = [f"{where}: {message}" for where, message in check.found] or [check.note]
        rows.append((check.what, _SHOWN[check.result], said[0]))
        rows += [("", "", more) for more in said[1:]]
    return [(what, shown, _printable(text)) for what, shown, text in rows]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _sum(results: Sequence[Verified]) -> str:
    true = sum(result.holds for result in results)
    unread = sum(bool(result.error) for result in results)
    wrong = len(results) - true - unread
    return f"{len(results)}: {true} true, {wrong} not true, {unread} unreadable"
