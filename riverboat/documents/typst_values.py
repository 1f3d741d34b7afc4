"""Values as typst writes them. Every text goes through here, as a string and never as markup."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from riverboat.documents.printable import printable

Value: TypeAlias = "str | bool | int | Sequence[Value] | Mapping[str, Value]"


def literal(value: Value) -> str:
    """A value in typst's own notation; nothing that anybody typed can end a string."""
    match value:
        case str():
            return _string(printable(value))
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Mapping():
            pairs = "".join(f"{_string(key)}: {literal(held)}, " for key, held in value.items())
            return f"({pairs})" if pairs else "(:)"
    return f"({''.join(f'{literal(held)}, ' for held in value)})"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
