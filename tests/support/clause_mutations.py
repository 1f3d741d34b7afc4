"""Changing what a clause's rule says, one value at a time: do its scenarios notice?"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, inspect
from msgspec.structs import replace

from riverboat.core.errors import RiverboatError
from riverboat.rulebook import Rulebook
from riverboat.rulebook.rules import Clause, Rule
from riverboat.rulebook.values import Dollars, Pays, Percent
from riverboat.scripts.scenario import check_scenario
from riverboat.scripts.scenario_file import Scenario

Path = tuple[str | int, ...]
CRASHES = (
    RiverboatError,
    LookupError,
    AssertionError,
    TypeError,
    ValueError,
    RuntimeError,
    StopIteration,
)
WORDS = {"cites", "note", "meaning", "label", "number", "printed", "id", "envy", "marks", "equals"}


def citing(part: Any, clause: str, path: Path = ()) -> Iterator[Path]:
    """Where the rules stand that cite a clause."""
    match part:
        case Clause():
            return
        case Struct():
            if isinstance(part, Rule) and clause in part.cites:
                yield path
            for name in part.__struct_fields__:
                yield from citing(getattr(part, name), clause, (*path, name))
        case dict():
            for key, value in part.items():
                yield from citing(value, clause, (*path, key))
        case tuple():
            for place, value in enumerate(part):
                yield from citing(value, clause, (*path, place))


def at(part: Any, path: Path) -> Any:
    for key in path:
        held: Any = part
        part = held[key] if isinstance(part, dict | tuple) else getattr(part, str(key))
    return part


def rebuilt(part: Any, path: Path, value: Any) -> Any:
    """The same rulebook with one value replaced."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    match part:
        case dict():
            return {**part, key: rebuilt(part[key], rest, value)}
        case tuple():
            assert isinstance(key, int)
            return (*part[:key], rebuilt(part[key], rest, value), *part[key + 1 :])
    name = str(key)
    return replace(part, **{name: rebuilt(getattr(part, name), rest, value)})


def changed_rules(rule: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every other value that a field of a rule could have, with its path inside the rule."""
    for field in inspect.type_info(type(rule)).fields:  # type: ignore[attr-defined]
        if field.name in WORDS:
            continue
        value = getattr(rule, field.name)
        if isinstance(value, tuple) and value and isinstance(value[0], Struct):
            for place, inner in enumerate(value):
                yield from changed_rules(inner, (*path, field.name, place))
        else:
            for other in other_values(value, field.type):
                yield (*path, field.name), other


def other_values(value: Any, kind: inspect.Type) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case Dollars():
            yield Dollars(value + 1)
            yield Dollars(max(0, value - 1))
        case Percent():
            yield Percent(value + 100)
        case Pays():
            yield from map(Pays.parse, _other_pays(value))
        case int():
            yield value + 1
            yield value - 1
        case str():
            yield from (word for word in _literals(kind) if word != value)
        case tuple():
            yield from _other_tuples(value)
        case None:
            yield from ()


def _other_pays(pays: Pays) -> Iterator[str]:
    match pays.kind:
        case "to" | "for":
            yield f"{pays.amount + 1} {pays.kind} {pays.per}"
        case "meter":
            yield f"{pays.amount - 1}% of meter"
        case "dollars":
            yield f"${(pays.amount + 100) // 100}"
        case "push":
            yield "lose"
        case _:
            yield "1 to 1"


def _other_tuples(value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if len(value) > 1:
        yield value[::-1]
    if value:
        yield value[:-1]
        yield value[1:]
        last = value[-1]
        if isinstance(last, int):
            yield (*value, last + 1)


def _literals(kind: inspect.Type) -> tuple[Any, ...]:
    match kind:
        case inspect.LiteralType():
            return tuple(kind.values)
        case inspect.Metadata():
            return _literals(kind.type)
        case inspect.UnionType():
            return tuple(word for member in kind.types for word in _literals(member))
    return ()


def option_values(rule: Any) -> Iterator[tuple[Path, Any]]:
    """An option's other defaults: what the engine would do had the rulebook said otherwise."""
    choices = getattr(rule, "choices", ())
    default = getattr(rule, "default", None)
    if isinstance(default, str):
        known = ("continue", "void", "reverse", "keep", "fold", "lose_all", *choices)
        yield from ((("default",), other) for other in known if other != default)


def is_noticed(
    clause: str, book: Rulebook, scenarios: list[Scenario], books: Mapping[str, Rulebook]
) -> bool:
    """Whether some change of some rule that cites the clause makes one of its scenarios fail."""
    for path in citing(book, clause):
        rule = at(book, path)
        for inner, value in (*changed_rules(rule), *option_values(rule)):
            changed = rebuilt(book, (*path, *inner), value)
            if any(fails(scenario, {**books, book.id: changed}) for scenario in scenarios):
                return True
    return False


def fails(scenario: Scenario, books: Mapping[str, Rulebook]) -> bool:
    try:
        return bool(check_scenario(scenario, books))
    except CRASHES:
        return True
