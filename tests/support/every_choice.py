"""Every choice that a rulebook leaves to a table, packed into as few tables as take them all."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate

Refusals: TypeAlias = Callable[[Rulebook, list[str]], set[str]]
"""The codes with which a table of these choices is refused; none where it is taken."""
NOT_ALLOWED: Final = {
    "option.not_allowed",
    "dealing.not_allowed",
    "edition.not_played",
    "table.unplayable",
    "tip_push.not_played",
}


def values(option: Option) -> list[str]:
    """Every named value, and the ends of a range."""
    match option:
        case Choice():
            found = list(option.choices)
        case Flag():
            found = ["true", "false"]
        case Integer():
            found = [str(option.minimum), str(option.maximum)]
        case Money():
            named = [*option.choices, option.minimum, option.maximum, option.default]
            amounts = [f"{int(one) / 100:.2f}" for one in named if one is not None]
            found = [*amounts, "5", *(["none"] if option.none_allowed else [])]
        case Rate():
            found = ["0", "15.5", "79", "100"]
        case _:
            found = ["a name"]
    return list(dict.fromkeys(found))


def choices(book: Rulebook) -> Iterator[str]:
    """Every choice that there is at a table of this rulebook, as it is written."""
    for name, option in book.options.items():
        yield from (f"{name}={value}" for value in values(option))
    for offer in book.side_bets:
        yield from (f"{offer.bet}={table}" for table in offer.paytables)
    yield from (f"dealing={method.method}" for method in book.dealing)


def allowed_together(book: Rulebook, refusals: Refusals) -> list[list[str]]:
    """Every choice that is allowed, in as few tables as take them all. What needs another choice
    beside it is tried again when that one has its table."""
    tables: list[list[str]] = []
    left = [choice for choice in choices(book) if not _placed(book, choice, tables, refusals)]
    for choice in left:
        if not _placed(book, choice, tables, refusals):
            assert refusals(book, [choice]) <= NOT_ALLOWED, choice
    return tables


def _placed(book: Rulebook, choice: str, tables: list[list[str]], refusals: Refusals) -> bool:
    key = choice.partition("=")[0]
    for table in tables:
        taken = any(key == other.partition("=")[0] for other in table)
        if not taken and not refusals(book, [*table, choice]):
            table.append(choice)
            return True
    if refusals(book, [choice]):
        return False
    tables.append([choice])
    return True
