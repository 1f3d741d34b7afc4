"""When and where what goes wrong counts: one table for each rulebook."""

from collections.abc import Iterator, Sequence
from typing import Any

from riverboat.pages.page import Block, Heading, Table, Words
from riverboat.rulebook import Rulebook
from riverboat.rulebook.moments import Reported, moments_of, reported
from riverboat.rulebook.procedures import DealingMethod

_MOMENTS = {
    "betting": "Bets open",
    "deal": "Deal",
    "third": "Before 3rd",
    "fourth": "Before 4th",
    "fifth": "Before 5th",
    "settlement": "Settlement",
}


def incidents_page(books: Sequence[Rulebook]) -> Iterator[Block]:
    """Each irregularity and each rule of conduct, moment by moment, for every way to deal."""
    yield Heading("When and where an irregularity counts", level=1)
    yield Words(
        "A mark says that it counts when it is reported at that moment; with a way to deal, only "
        "where cards are dealt so. Everywhere else a report is recorded and nothing follows, and "
        "the explanation names the clause. What follows is what the rulebook says unless a table "
        "is set up otherwise. A hand that is settled is over for its own faults, a fault of no "
        "seat in particular counts until the round is over; conduct begins with a player's first "
        "card; a shuffler's jam counts while a device shuffles, which is "
        "between rounds."
    )
    for book in books:
        yield Heading(book.title)
        columns = ["Reported", "Follows", *(_MOMENTS[one] for one in moments_of(book)), "Clauses"]
        rows = [_row(book, one) for one in reported(book)]
        yield Table(columns, rows, (4, 4, *(2 for _ in moments_of(book)), 6))


def _row(book: Rulebook, one: Reported) -> tuple[str, ...]:
    name = one.rule.replace("_", " ")
    cells = (_cell(book, one, moment) for moment in moments_of(book))
    return (name, one.follows.replace("_", " "), *cells, ", ".join(one.cites))


def _cell(book: Rulebook, one: Reported, moment: str) -> str:
    methods = counting_methods(book, one, moment)
    if len(methods) == len(book.dealing):
        return "✓"
    return ", ".join(method.method.replace("_", " ") for method in methods) or "–"


def counting_methods(book: Rulebook, one: Reported, moment: str) -> list[DealingMethod]:
    """The ways to deal under which it counts at this moment."""
    return [method for method in book.dealing if one.counts(moment, method)]


def incidents_document(book: Rulebook) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "rulebook": book.id,
        "incidents": [
            {
                "what": one.what,
                "place": one.place,
                "rule": one.rule,
                "follows": one.follows,
                "counts": {
                    moment: [method.method for method in counting_methods(book, one, moment)]
                    for moment in moments_of(book)
                },
                "cites": list(one.cites),
            }
            for one in reported(book)
        ],
    }
