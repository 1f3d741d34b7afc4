"""Every field that a rulebook file may have, by its path, and every other value that it could have.

A path names tables and keys as a file has them: `deal.burn_cards`, `paytables[].lines[].pays` for
the entries of a list, `options{money}.default` for those of a table with names of their own. What
every rule has, `cites` and `note`, is one field each.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from msgspec import inspect

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Pays, Percent

Place: TypeAlias = tuple[str | int, ...]
Value: TypeAlias = Any
EVERY_RULE = tuple(Rule.__struct_fields__)
NONSENSE = "something else"
MOST_PLACES = 8
ANY = "any other value"


class Gone:
    """The key is left out."""

    def __repr__(self) -> str:
        return "left out"


GONE = Gone()


class Field(NamedTuple):
    """A key of a table: its path, what it may hold, and whether it may be left out."""

    path: str
    kind: inspect.Type
    required: bool
    default: Value

    @property
    def is_table(self) -> bool:
        """Whether it is nothing but the fields inside it."""
        return isinstance(self.kind, inspect.StructType) and self.required


class Change(NamedTuple):
    """One other value at one place of a file.

    Each named value, and each entry of a list of them, has to matter for itself: `target` says
    which. Where any value will do, one that matters is enough.
    """

    place: Place
    value: Value
    target: str = ANY


# ---------------------------------------------------------------- the fields


def schema_fields() -> dict[str, Field]:
    """Every field of the schema by its path."""
    found: dict[str, Field] = {}
    for field in _fields(inspect.type_info(Rulebook), ""):
        found.setdefault(field.path, field)
    return found


def _fields(kind: inspect.Type, path: str) -> Iterator[Field]:
    match kind:
        case inspect.StructType():
            yield from _of_struct(kind, path)
        case inspect.Metadata():
            yield from _fields(kind.type, path)
        case inspect.UnionType():
            for member in kind.types:
                tag = member.tag if isinstance(member, inspect.StructType) else None
                named = path.endswith("{}") and tag
                yield from _fields(member, f"{path[:-2]}{{{tag}}}" if named else path)
        case inspect.VarTupleType():
            yield from _fields(kind.item_type, f"{path}[]")
        case inspect.DictType():
            yield from _fields(kind.value_type, f"{path}{{}}")


def _of_struct(kind: inspect.StructType, path: str) -> Iterator[Field]:
    for field in kind.fields:
        common = issubclass(kind.cls, Rule) and field.name in EVERY_RULE
        here = f"*.{field.name}" if common else f"{path}.{field.name}".lstrip(".")
        factory = field.default_factory
        default = factory() if factory in (dict, tuple) else field.default
        yield Field(here, field.type, field.required, default)
        if not common:
            yield from _fields(field.type, here)


# ---------------------------------------------------------------- the places


def places(data: Any, path: str) -> list[Place]:
    """Tables all over a document in which this field stands or could stand, with its key."""
    found = list(
        _every_rule(data, path[2:], ()) if path[0] == "*" else _places(data, path.split("."), ())
    )
    return found[:: max(1, len(found) // MOST_PLACES)]


def _places(part: Any, keys: list[str], place: Place) -> Iterator[Place]:
    key, rest = keys[0], keys[1:]
    listed, named = "[" in key, "{" in key
    name = key.split("[")[0].split("{")[0]
    if not rest:
        yield (*place, name)
    elif name in part and listed:
        for number, item in enumerate(part[name]):
            yield from _places(item, rest, (*place, name, number))
    elif name in part and named:
        kind = key.partition("{")[2].rstrip("}")
        for called, item in part[name].items():
            if not kind or item["kind"] == kind:
                yield from _places(item, rest, (*place, name, called))
    elif name in part:
        yield from _places(part[name], rest, (*place, name))


def _every_rule(part: Any, key: str, place: Place) -> Iterator[Place]:
    inner: Any = part.items() if isinstance(part, dict) else enumerate(part)
    if isinstance(part, dict) and "cites" in part:
        yield (*place, key)
    for name, value in inner:
        if isinstance(value, dict | list):
            yield from _every_rule(value, key, (*place, name))


def at(data: Any, place: Place) -> Value:
    """What stands at a place, or that nothing does."""
    part = data
    for key in place[:-1]:
        part = part[key]
    return part.get(place[-1], GONE)


def put(data: dict[str, Any], change: Change) -> dict[str, Any]:
    """The document with one value changed."""
    first = change.place[0]
    document: dict[Any, Any] = (
        {**data, first: copy.deepcopy(data[first])} if first in data else {**data}
    )
    part: Any = document
    for key in change.place[:-1]:
        part = part[key]
    if change.value is GONE:
        part.pop(change.place[-1], None)
    else:
        part[change.place[-1]] = change.value
    return document


# ---------------------------------------------------------------- the values


def changes(data: dict[str, Any], field: Field) -> Iterator[Change]:
    """Every other value of a field, at every place where the document has or could have it."""
    for place in places(data, field.path):
        now = at(data, place)
        current = field.default if now is GONE else now
        if now is not GONE and not field.required:
            yield Change(place, GONE, _unsaid(field, now))
        elif now is GONE and (made := _sample(field.kind, data)) is not None:
            yield Change(place, made)
        for value, target in _others(field.kind, current):
            if value != current or type(value) is not type(current):
                yield Change(place, value, target)


def is_named(kind: inspect.Type) -> bool:
    """Whether a field holds one of some named values, each of which says something else."""
    match kind:
        case inspect.LiteralType() | inspect.BoolType():
            return True
        case inspect.UnionType():
            members = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
            return all(map(is_named, members))
        case inspect.Metadata():
            return is_named(kind.type)
    return False


def named_values(kind: inspect.Type) -> tuple[Value, ...]:
    """The values that a field may hold, where they have names."""
    match kind:
        case inspect.LiteralType():
            return tuple(kind.values)
        case inspect.BoolType():
            return (True, False)
        case inspect.UnionType():
            return tuple(value for member in kind.types for value in named_values(member))
    return ()


def is_number(kind: inspect.Type) -> bool:
    """Whether a field holds a number or an amount, which other parts of a file may have to fit."""
    match kind:
        case inspect.UnionType():
            return any(map(is_number, kind.types))
        case inspect.Metadata():
            return is_number(kind.type)
        case inspect.CustomType():
            return kind.cls is not Pays
    return isinstance(kind, inspect.IntType)


def _unsaid(field: Field, now: Value) -> str:
    """What it comes to where a key is left out: its default, or a list without its one entry."""
    if is_named(field.kind):
        return repr(field.default)
    named = isinstance(field.kind, inspect.VarTupleType) and is_named(field.kind.item_type)
    return f"{now[0]!r} in it" if named and now else ANY


def _sample(kind: inspect.Type, data: dict[str, Any]) -> Value:
    """A table that could stand where none does, with the first of everything that it needs."""
    match kind:
        case inspect.UnionType():
            made = [_sample(member, data) for member in kind.types]
            return next((one for one in made if one is not None), None)
        case inspect.StructType():
            return {
                field.name: [next(iter(data["clauses"]))]
                if field.name == "cites"
                else _first(field.type, data)
                for field in kind.fields
                if field.required
            }
    return None


def _first(kind: inspect.Type, data: dict[str, Any]) -> Value:
    made = _sample(kind, data)
    if made is not None:
        return made
    if isinstance(kind, inspect.VarTupleType):
        return [_first(kind.item_type, data)]
    return next((value for value, _ in _others(kind, "")), NONSENSE)


Others: TypeAlias = Iterator[tuple[Value, str]]


def _others(kind: inspect.Type, now: Value) -> Others:
    match kind:
        case inspect.Metadata():
            yield from _others(kind.type, now)
        case inspect.UnionType():
            for member in kind.types:
                yield from _others(member, now)
        case _:
            find = _VALUES.get(type(kind))
            if find is not None:
                yield from find(kind, now)


def _literals(kind: inspect.LiteralType, now: Value) -> Others:
    yield from ((value, repr(value)) for value in (*kind.values, NONSENSE))


def _flags(kind: inspect.BoolType, now: Value) -> Others:
    yield from ((value, repr(value)) for value in (True, False))


def _numbers(kind: inspect.IntType, now: Value) -> Others:
    numbers = (now + 1, now - 1) if isinstance(now, int) else (1, 2)
    yield from ((number, ANY) for number in numbers)


def _texts(kind: inspect.StrType, now: Value) -> Others:
    yield (f"{now} (changed)" if isinstance(now, str) else NONSENSE), ANY


def _notations(kind: inspect.CustomType, now: Value) -> Others:
    values: tuple[str, ...] = ()
    if kind.cls is Percent:
        values = ("50", "1", "0")
    elif kind.cls is Dollars:
        whole = int(now.split(".")[0]) if isinstance(now, str) and now else 0
        values = (str(whole * 2 or 1), str(whole + 1), str(whole // 2))
    elif kind.cls is Pays:
        values = ("7 to 1", "7 for 1", "7% of meter", "$700", "push", "lose", "nothing")
    yield from ((value, ANY) for value in values)


def _lists(kind: inspect.VarTupleType, now: Value) -> Others:
    """One entry fewer, one more, another one, another order."""
    entries = list(now) if isinstance(now, list | tuple) else []
    named = is_named(kind.item_type)
    for number, entry in enumerate(entries):
        target = f"{entry!r} in it" if named else ANY
        yield [*entries[:number], *entries[number + 1 :]], target
    for value, said in _others(kind.item_type, entries[-1] if entries else ""):
        if value not in entries:
            yield [*entries, value], f"{said} in it" if named else ANY
            if not named:
                yield [*entries[:-1], value], ANY
    if len(entries) > 1 and not named and not isinstance(entries[0], dict):
        yield entries[::-1], ANY


def _tables(kind: inspect.DictType, now: Value) -> Others:
    """One name fewer; one name's value changed; one name more."""
    entries: dict[str, Value] = now if isinstance(now, dict) else {}
    names = list(entries)[:: max(1, len(entries) // MOST_PLACES)]
    for name in names:
        yield {key: value for key, value in entries.items() if key != name}, ANY
        for other, _ in _others(kind.value_type, entries[name]):
            yield {**entries, name: other}, ANY
    if isinstance(kind.key_type, inspect.LiteralType):
        for key in kind.key_type.values:
            for value in (True, False, "void", "4-3-2"):
                yield {**entries, str(key): value}, ANY


_VALUES: dict[type, Callable[[Any, Value], Others]] = {
    inspect.LiteralType: _literals,
    inspect.BoolType: _flags,
    inspect.IntType: _numbers,
    inspect.StrType: _texts,
    inspect.CustomType: _notations,
    inspect.VarTupleType: _lists,
    inspect.DictType: _tables,
}
