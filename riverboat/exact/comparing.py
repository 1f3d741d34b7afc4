"""What is to be compared, as it is written: rulebooks, or single pay tables of them."""

from collections.abc import Sequence

from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.exact.asking import bets_of, tables_of
from riverboat.exact.comparison import Sheet, Stakes, compare
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either


def compared(names: Sequence[str], stakes: Stakes, bet: str = "") -> tuple[Sheet, ...]:
    """Each named rulebook, or the one pay table of it that is named, at the same stakes."""
    if not names:
        raise NotationError("compare.nothing", "name a rulebook, or two: ID, or ID:TABLE")
    asked = [_read(name) for name in names]
    wanted: dict[str, tuple[Rulebook, list[str]]] = {}
    for book, table in asked:
        if bet and bet not in bets_of(book):
            text = f"--bet {bet}: {book.id} has {', '.join(bets_of(book))}"
            raise NotationError("compare.unknown_bet", text)
        wanted.setdefault(book.id, (book, []))[1].append(table)
    return tuple(
        _only(sheet, tables)
        for book, tables in wanted.values()
        for sheet in compare([book], stakes, bet=bet or _bet_of(book, tables))
    )


def _read(name: str) -> tuple[Rulebook, str]:
    rulebook, colon, table = name.partition(":")
    book = load_either(rulebook).book
    if colon and not table:
        text = f"{name}: name a pay table after the colon, or leave it out"
        raise NotationError("compare.unknown_paytable", text)
    if table and table not in dict((name, bet) for bet, name in tables_of(book)):
        known = ", ".join(name for _, name in tables_of(book))
        raise NotationError("compare.unknown_paytable", f"{name}: {book.id} has {known}")
    return book, table


def _bet_of(book: Rulebook, tables: list[str]) -> str:
    """The one bet that all named tables are for; empty where they are for several, or for all."""
    bets = {bet for bet, name in tables_of(book) if name in tables}
    return bets.pop() if len(bets) == 1 and "" not in tables else ""


def _only(sheet: Sheet, tables: list[str]) -> Sheet:
    if "" in tables:
        return sheet
    bets = tuple(one for one in sheet.bets if one.paytable in tables)
    if not bets:
        text = f"{', '.join(tables)}: cannot be played, and so not be compared"
        raise NotationError("compare.not_playable", text)
    return replace(sheet, bets=bets)
