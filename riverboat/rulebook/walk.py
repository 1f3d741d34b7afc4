"""Every rule of a rulebook with the path at which it stands in the file."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from riverboat.rulebook.conform import NAMING_KEYS
from riverboat.rulebook.rules import Clause, Rule

_NOT_VALUES = ("cites", "note")


class Placed(NamedTuple):
    """A rule and where it stands."""

    path: str
    rule: Rule


def rules_of(part: object, path: str = "") -> Iterator[Placed]:
    """Every rule below `part`, in the order of the file's types."""
    match part:
        case Clause():
            return
        case Struct():
            if isinstance(part, Rule):
                yield Placed(path, part)
            for name in part.__struct_fields__:
                yield from rules_of(getattr(part, name), f"{path}.{name}" if path else name)
        case dict():
            for name, value in part.items():
                yield from rules_of(value, f"{path}.{name}")
        case tuple():
            for name, item in named(part):
                yield from rules_of(item, f"{path}.{name}")


def named(items: tuple[object, ...]) -> Iterator[tuple[str, object]]:
    """List entries under their own names; a name that comes again gets a number."""
    seen: dict[str, int] = {}
    for number, item in enumerate(items, start=1):
        name = _name(item) or str(number)
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name}-{seen[name]}"), item


def _name(item: object) -> str:
    if isinstance(item, Struct):
        for field in NAMING_KEYS:
            value = getattr(item, field, None)
            if isinstance(value, str) and value:
                return value
        hands = getattr(item, "hands", None)
        if hands:
            return "+".join(hands)
    return ""


def values_of(rule: Rule) -> dict[str, object]:
    """What a rule says, apart from where it comes from and from the rules inside it."""
    return {
        name: value
        for name in rule.__struct_fields__
        if name not in _NOT_VALUES and not _holds_rules(value := getattr(rule, name))
    }


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
