"""Whether what a program hands over has the form that its type promises.

Text from outside is read strictly and cannot come in with a wrong type. A call from Python can: an
amount as a float, a seat as text, a word where an action belongs, text with half a character, which
nobody can store. The engines ask here at their door, before anything is decided, so that such a
call is refused like any other bad request.
"""

from collections.abc import Callable, Collection
from functools import cache
from types import UnionType
from typing import NamedTuple, TypeAlias, get_args

from msgspec import Struct, inspect
from msgspec.structs import astuple

from riverboat.core.errors import Refused
from riverboat.core.visible import is_whole

Check: TypeAlias = Callable[[object], bool]

_PLAIN: dict[type, type] = {
    inspect.IntType: int,
    inspect.StrType: str,
    inspect.BoolType: bool,
    inspect.NoneType: type(None),
}
_RIGHT: dict[type, str] = {
    int: "a whole number",
    str: "text",
    bool: "true or false",
    type(None): "nothing",
}
_LONGEST = 40


class _Form(NamedTuple):
    """The fields of a struct: those of one plain type, the texts among them, and those with a check
    of their own and with words for what is right there."""

    plain: tuple[tuple[str, type], ...]
    texts: tuple[str, ...]
    others: tuple[tuple[str, Check], ...]
    words: dict[str, str]


def require_action(action: object, kinds: Collection[type]) -> None:
    """An action of one of these kinds, with every field of its own type."""
    if type(action) not in kinds:
        raise Refused("action.unknown", f"{_shown(action)} is no action here", cites=())
    _require_fields(action)


def require_kind(value: object, kind: type | UnionType, name: str) -> None:
    """An argument of the type that it says; true and false are no numbers."""
    if type(value) is kind and kind is not str:
        return
    if isinstance(value, str):
        _require_whole(name, value)
    if not isinstance(value, kind) or (kind is int and type(value) is bool):
        kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
        right = " or ".join(_RIGHT.get(one, one.__name__) for one in kinds)
        text = f"{name} is {_shown(value)}; {right} is right"
        raise Refused("argument.bad_type", text, cites=())


def require_texts(**given: object) -> None:
    """Arguments that are text, each by its name."""
    for name, value in given.items():
        require_kind(value, str, name)


def require_struct(value: object, kind: type, name: str) -> None:
    """The same, and every field of it too."""
    require_kind(value, kind, name)
    _require_fields(value)


def _require_fields(struct: object) -> None:
    name = _misfit(struct)
    if name:
        kind: type = type(struct)
        form = _form_of(kind)
        _require_whole(f"{kind.__name__}: {name}", getattr(struct, name))
        right = form.words.get(name) or _RIGHT[dict(form.plain)[name]]
        text = f"{kind.__name__}: {name} is {_shown(getattr(struct, name))}; {right} is right"
        raise Refused("argument.bad_type", text, cites=())


def _require_whole(name: str, value: object) -> None:
    """No text with half a character, nor anything with such a text in it."""
    match value:
        case str() if not value.isascii() and not is_whole(value):
            text = f"{name} has half a character: {_shown(value)}"
            raise Refused("argument.half_character", text, cites=())
        case tuple():
            for one in value:
                _require_whole(name, one)
        case dict():
            _require_whole(name, (*value, *value.values()))
        case Struct():
            _require_whole(name, astuple(value))


def is_well_formed(struct: object) -> bool:
    """Whether every field of a struct is of the type that it says."""
    return not _misfit(struct)


def _misfit(struct: object) -> str:
    """The first field of a wrong type; empty where there is none."""
    kind: type = type(struct)
    form = _form_of(kind)
    for name, wanted in form.plain:
        if type(getattr(struct, name)) is not wanted:
            return name
    for name in form.texts:
        text = getattr(struct, name)
        if not text.isascii() and not is_whole(text):
            return name
    for name, check in form.others:
        if not check(getattr(struct, name)):
            return name
    return ""


@cache
def _form_of(kind: type) -> _Form:
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    plain = {one.name: _PLAIN[type(one.type)] for one in told.fields if type(one.type) in _PLAIN}
    rest = [one for one in told.fields if one.name not in plain]
    others = tuple((one.name, _check(one.type)) for one in rest)
    texts = tuple(name for name, wanted in plain.items() if wanted is str)
    words = {one.name: _words(one.type) for one in rest}
    return _Form(tuple(plain.items()), texts, others, words)


def _words(told: inspect.Type) -> str:
    """What is right for a type, as people say it."""
    if type(told) in _PLAIN:
        return _RIGHT[_PLAIN[type(told)]]
    match told:
        case inspect.LiteralType():
            return " or ".join(map(repr, told.values))
        case inspect.UnionType():
            return " or ".join(map(_words, told.types))
        case inspect.VarTupleType():
            return f"a tuple with {_words(told.item_type)}"
        case inspect.DictType():
            return f"a dict from {_words(told.key_type)} to {_words(told.value_type)}"
        case inspect.StructType() | inspect.CustomType():
            return told.cls.__name__
    return type(told).__name__


def _check(told: inspect.Type) -> Check:
    """Whether a value is of a type; true and false are no numbers, and a list is no tuple."""
    if type(told) in _PLAIN:
        plain = _PLAIN[type(told)]
        if plain is str:
            return lambda value: type(value) is str and (value.isascii() or is_whole(value))
        return lambda value: type(value) is plain
    match told:
        case inspect.LiteralType():
            return lambda value: type(value) in (str, int) and value in told.values
        case inspect.UnionType():
            checks = tuple(map(_check, told.types))
            return lambda value: any(check(value) for check in checks)
        case inspect.Metadata():
            return _check(told.type)
        case inspect.VarTupleType():
            item = _check(told.item_type)
            return lambda value: type(value) is tuple and all(map(item, value))
        case inspect.DictType():
            key, held = _check(told.key_type), _check(told.value_type)
            return lambda value: (
                isinstance(value, dict) and all(map(key, value)) and all(map(held, value.values()))
            )
        case inspect.StructType():
            return lambda value: type(value) is told.cls and is_well_formed(value)
        case inspect.CustomType():
            return lambda value: isinstance(value, told.cls)
    raise AssertionError(f"nobody has said how a {type(told).__name__} is checked")


def _shown(value: object) -> str:
    """What was handed over, as far as it can be said in a line."""
    kind = type(value)
    if kind in (int, float, bool, str):
        shown = ascii(value)
        return f"{shown[:_LONGEST]}{'…' * (len(shown) > _LONGEST)} ({kind.__name__})"
    return f"of type {kind.__name__}"
