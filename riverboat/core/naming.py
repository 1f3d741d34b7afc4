"""How a table is called in a sentence: a table that is called `Table 1` is not `table Table 1`."""

from typing import Final

_SAYS_IT: Final = "table"


def table_called(name: str, before: str = "table") -> str:
    """`table T4`, or `Table 4` as it is called; `before` is the word where one is needed."""
    says_it = name.casefold().split(" ")[0] == _SAYS_IT
    return name if says_it else f"{before} {name}"
