"""What every rule has: the clauses it comes from. One table of a file is one rule, and every rule
has a path at which it stands in the file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import asdict

from riverboat.rulebook.values import Natural, Sha256, Status, Words

Cites = Annotated[
    tuple[Words, ...],
    Meta(
        min_length=1,
        description="The clauses this rule carries out, or the ambiguity whose default it is.",
    ),
]

CarriedOutBy: TypeAlias = Literal[
    "engine", "table_procedure", "progressive_system", "config_validation", "document_output",
    "math_check", "informational",
]  # fmt: skip

NAMING_KEYS = (
    "spot", "id", "outcome", "figure", "bet", "method", "feature", "item", "step", "rule", "shows",
    "paytable",
)  # fmt: skip


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


_NOT_VALUES = ("cites", "note")
T = TypeVar("T")


def rules_of(part: object, path: str = "") -> Iterator[tuple[str, Rule]]:
    """Every rule below `part` with its path, in the order of the file's types."""
    inner: Iterable[tuple[str, object]]
    match part:
        case Struct():
            if isinstance(part, Rule):
                yield path, part
            inner = ((name, getattr(part, name)) for name in part.__struct_fields__)
        case dict():
            inner = part.items()
        case tuple() if any(isinstance(item, Struct | tuple) for item in part):
            inner = named(part)
        case _:
            return
    for name, value in inner:
        if isinstance(value, Struct | dict | tuple) and not isinstance(value, Clause):
            yield from rules_of(value, f"{path}.{name}" if path else name)


def named(items: tuple[T, ...]) -> Iterator[tuple[str, T]]:
    """List entries under their own names; a name that comes again gets a number."""
    seen: Counter[str] = Counter()
    for number, item in enumerate(items, start=1):
        name = _name(item) or str(number)
        seen[name] += 1
        yield (name if seen[name] == 1 else f"{name}-{seen[name]}"), item


def _name(item: object) -> str:
    for field in NAMING_KEYS:
        value = getattr(item, field, None)
        if isinstance(value, str) and value:
            return value
    return "+".join(getattr(item, "hands", ()))


def values_of(rule: Rule) -> dict[str, object]:
    """What a rule says, apart from where it comes from and from the rules inside it."""
    values = {name: value for name, value in asdict(rule).items() if name not in _NOT_VALUES}
    return {name: value for name, value in values.items() if not _holds_rules(value)}


def _holds_rules(value: object) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return any(isinstance(item, Rule) for item in items)


def cited_in(book: Struct) -> dict[str, list[str]]:
    """Each citation with the paths of the rules that make it."""
    places: dict[str, list[str]] = {}
    for path, rule in rules_of(book):
        for citation in rule.cites:
            places.setdefault(citation, []).append(path)
    return places
