"""What every rule has: the clauses it comes from. One table of a file is one rule."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from riverboat.rulebook.values import Natural, Sha256, Status, Words

Cites = Annotated[
    tuple[Words, ...],
    Meta(
        min_length=1,
        description="The clauses this rule carries out, or the ambiguity whose default it is.",
    ),
]


CarriedOutBy: TypeAlias = Literal[
    "engine",
    "table_procedure",
    "progressive_system",
    "config_validation",
    "document_output",
    "math_check",
    "informational",
]


class Rule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule and where it comes from."""

    cites: Cites
    note: str = ""


class Source(Rule, frozen=True, kw_only=True):
    """The document: what it is, where its status comes from, and how to recognise a copy."""

    title: Words
    issuer: Words
    citation: str = ""
    dated: str = ""
    standing: Words
    sha256: Sha256 = ""
    excludes: tuple[str, ...] = ()
    line_numbers: bool = False
    page_footers: tuple[str, ...] = ()
    based_on: str = ""
    based_on_sha256: Sha256 = ""
    based_on_status: Status | None = None


class Clause(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One atomic requirement of the document, in our words, and where to find its own."""

    number: Words
    text: Words
    by: Annotated[CarriedOutBy, Meta(description="The part of the house that carries it out.")]
    lines: Annotated[tuple[Natural, ...], Meta(min_length=2, max_length=2)] | None = None
    sentence: Natural | None = None
