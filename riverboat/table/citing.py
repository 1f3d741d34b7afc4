"""Which of a rule's clauses an answer to a submission names."""

from msgspec import Struct

from riverboat.rulebook import Rulebook


class Notice(Struct, frozen=True, kw_only=True):
    """Something that is allowed and that a document advises against."""

    text: str
    cites: tuple[str, ...]


def about_configuration(book: Rulebook, cites: tuple[str, ...]) -> tuple[str, ...]:
    """Those that speak of how a table is configured, where a rule carries out others besides."""
    chosen = [
        cite for cite in cites if cite in book.clauses and _is_checked_here(book.clauses[cite].by)
    ]
    return tuple(chosen) or cites


def _is_checked_here(by: str) -> bool:
    return by == "config_validation"
