"""Holding data against the types of a rulebook, and naming every misfit, not just the first.

The types say what a file may contain; this says in words where a file departs from them and what
would be right. It knows nothing of rulebooks beyond the kinds of types they are made of.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeAlias, cast

from msgspec import inspect

from riverboat.core.errors import NotationError
from riverboat.rulebook.rules import NAMING_KEYS
from riverboat.rulebook.values import Notation, quoted

# What a terminal obeys instead of printing, and what turns a line of text around or breaks it.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LARGEST = 999_999_999
_LONGEST_NOTATION = 40


class Misfit(NamedTuple):
    """A place in the data and what is wrong there."""

    where: str
    message: str


Found: TypeAlias = Iterator[tuple[str, str]]
"""Places, each with what is wrong there, as the checks between the parts name them."""


def tables_in(text: str, kind: str) -> list[object]:
    """The `[[kind]]` tables of a file that holds nothing else, as they are."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise NotationError(f"{kind}.unreadable", f"no TOML: {problem}") from None
    extra = sorted(set(data) - {kind})
    tables = data.get(kind)
    if extra or not isinstance(tables, list) or not tables:
        wrong = f"unknown key {extra[0]!r}" if extra else f"no [[{kind}]]"
        raise NotationError(f"{kind}.unreadable", f"{wrong}; a file holds [[{kind}]] tables")
    return tables


def misfits(data: object, kind: inspect.Type, where: str = "") -> Iterator[Misfit]:
    """Every way in which `data` is not of this type."""
    match kind:
        case inspect.Metadata():
            right = (kind.extra_json_schema or {}).get("description")
            for misfit in misfits(data, kind.type, where):
                formless = isinstance(kind.type, inspect.StrType) and isinstance(data, str)
                said = f"{_show(data)} is not right here; {right}" if formless else misfit.message
                yield Misfit(misfit.where, said)
        case inspect.UnionType():
            yield from _union(data, kind, where)
        case inspect.StructType() if isinstance(data, Mapping):
            yield from _table(data, kind, where)
        case inspect.VarTupleType() if isinstance(data, list):
            yield from _list(data, kind, where)
        case inspect.DictType() if isinstance(data, Mapping):
            for key, value in data.items():
                yield from misfits(key, kind.key_type, where)
                yield from misfits(value, kind.value_type, _join(where, str(key)))
        case inspect.LiteralType():
            yield from _literal(data, kind.values, where)
        case inspect.CustomType():
            yield from _notation(data, kind, where)
        case _:
            yield from _plain(data, kind, where)


def _union(data: object, kind: inspect.UnionType, where: str) -> Iterator[Misfit]:
    members = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
    tables = [member for member in members if isinstance(member, inspect.StructType)]
    literals = [member for member in members if isinstance(member, inspect.LiteralType)]
    if len(members) == 1:
        yield from misfits(data, members[0], where)
    elif tables:
        yield from _tagged(data, tables, where)
    elif literals == members:
        yield from _literal(data, [value for one in literals for value in one.values], where)
    elif all(any(misfits(data, member, where)) for member in members):
        right = " or ".join(_right(member) for member in members)
        yield Misfit(where, f"is {_sort(data)}; {right} is right")


def _literal(data: object, allowed: Sequence[object], where: str) -> Iterator[Misfit]:
    if data not in allowed or isinstance(data, bool):
        yield Misfit(where, f"{_show(data)} is not allowed; allowed are {_listing(allowed)}")


def _tagged(data: object, tables: list[inspect.StructType], where: str) -> Iterator[Misfit]:
    field = str(tables[0].tag_field)
    by_tag = {table.tag: table for table in tables}
    if not isinstance(data, Mapping):
        yield Misfit(where, f"is {_sort(data)}; a table is right")
    elif field not in data:
        yield Misfit(where, f"missing key {field!r}; one of {_listing(by_tag)}")
    elif not isinstance(data[field], str) or data[field] not in by_tag:
        place = _join(where, field)
        yield Misfit(place, f"{_show(data[field])} is not allowed; allowed are {_listing(by_tag)}")
    else:
        yield from _table(data, by_tag[data[field]], where)


def _table(data: Mapping[str, Any], kind: inspect.StructType, where: str) -> Iterator[Misfit]:
    fields = {field.encode_name: field for field in kind.fields}
    for key in [key for key in data if key not in fields and key != kind.tag_field]:
        close = get_close_matches(key, fields, n=1)
        guess = f"did you mean {close[0]!r}? " if close else ""
        hint = f"{guess}known keys are {_listing(fields)}"
        yield Misfit(where or _clean(key), f"unknown key {quoted(key)}; {hint}")
    for name, field in fields.items():
        if name in data:
            yield from misfits(data[name], field.type, _join(where, name))
        elif field.required:
            yield Misfit(where or name, f"missing key {name!r}; {_right(field.type)} is right")


def _list(data: list[object], kind: inspect.VarTupleType, where: str) -> Iterator[Misfit]:
    if kind.min_length and len(data) < kind.min_length:
        text = f"has {len(data)} entries; at least {kind.min_length} are right"
        if where.endswith("cites"):
            text = "cites nothing; name the clause, or the ambiguity, that this rule comes from"
        yield Misfit(where, text)
    if kind.max_length is not None and len(data) > kind.max_length:
        yield Misfit(where, f"has {len(data)} entries; at most {kind.max_length} are right")
    for number, item in enumerate(data, start=1):
        yield from misfits(item, kind.item_type, _name_item(where, number, item))


def _notation(data: object, kind: inspect.CustomType, where: str) -> Iterator[Misfit]:
    if not isinstance(data, str):
        yield Misfit(where, f"is {_sort(data)}; text in quotes is right")
    elif len(data) > _LONGEST_NOTATION:
        right = f"{_right(kind)} has at most {_LONGEST_NOTATION}"
        yield Misfit(where, f"{quoted(data)} has {len(data)} characters; {right}")
    else:
        try:
            cast(type[Notation], kind.cls).parse(data)
        except NotationError as problem:
            yield Misfit(where, str(problem))


def _plain(data: object, kind: inspect.Type, where: str) -> Iterator[Misfit]:
    match kind, data:
        case (inspect.BoolType(), bool()):
            return
        case (inspect.IntType(), int()) if not isinstance(data, bool):
            if abs(data) > _LARGEST:
                yield Misfit(where, f"is {_number(data)}; at most nine digits are right")
            elif kind.ge is not None and data < kind.ge:
                yield Misfit(where, f"is {data}; at least {kind.ge} is right")
        case (inspect.StrType(), str()):
            if kind.min_length and not data.strip():
                yield Misfit(where, "is empty; some text is right")
            elif kind.pattern and not re.fullmatch(kind.pattern, data):
                yield Misfit(where, f"{quoted(data)} does not have the form {kind.pattern}")
            elif _CONTROL.search(data):
                said = f"{quoted(data)} has a control character or a line break"
                yield Misfit(where, f"{said}; plain text on one line is right")
        case _:
            yield Misfit(where, f"is {_sort(data)}; {_right(kind)} is right")


def _name_item(where: str, number: int, item: object) -> str:
    """An entry of a list by its own name where it has one, for people who count no brackets."""
    if isinstance(item, Mapping):
        for key in NAMING_KEYS:
            if isinstance(item.get(key), str):
                return f"{where}.{_clean(item[key])}"
    return f"{where}[{number}]"


def _join(where: str, key: str) -> str:
    return f"{where}.{_clean(key)}" if where else _clean(key)


def _clean(key: str) -> str:
    """A name that stands in a file, fit to stand in a message."""
    return _CONTROL.sub("?", key)


def _listing(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values if value != "")


def _show(data: object) -> str:
    match data:
        case str():
            return quoted(data)
        case int():
            return _number(data)
    return _sort(data)


def _number(data: int) -> str:
    """A number in digits, as long as anybody would read them."""
    return str(data) if abs(data) <= _LARGEST else "a number of more than nine digits"


def _sort(data: object) -> str:
    match data:
        case bool():
            return f"true or false ({str(data).lower()})"
        case int():
            return f"a whole number ({_number(data)})"
        case float():
            return f"a decimal number ({data})"
        case str():
            return f"text ({quoted(data)})"
        case list():
            return "a list"
        case Mapping():
            return "a table"
    return f"a {type(data).__name__}"


def _right(kind: inspect.Type) -> str:
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number"
        case inspect.StructType() | inspect.DictType():
            return "a table"
        case inspect.VarTupleType():
            return "a list"
        case inspect.LiteralType():
            return f"one of {_listing(kind.values)}"
        case inspect.CustomType():
            return "an amount, rate or payout in quotes"
        case inspect.UnionType():
            return _right(kind.types[0])
        case inspect.Metadata():
            return _right(kind.type)
    return "text"
