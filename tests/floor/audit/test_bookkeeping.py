"""Books that are told a ledger's rows as they come: the figures are those of all rows."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from riverboat.answers.house_books import HouseBooks, accounting_document
from riverboat.core.errors import NotationError
from riverboat.floor.books import meters, table_days
from riverboat.floor.books.accounting import Bookkeeper, keep_books
from riverboat.floor.books.meters import MeterBook
from riverboat.floor.codec import METER, TABLE, EntryRow, MeterEntry, Opener, TableRow
from riverboat.floor.floor import Floor
from riverboat.floor.station import Station, apply
from riverboat.ledger import Folded, Row, open_ledger
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.rulebooks import editions
from tests.floor.house import SECRET


@pytest.fixture
def rows(played: str) -> list[Row]:
    with open_ledger(played, create=False) as ledger:
        return list(ledger.read_all())


@pytest.fixture
def keeper(played: str) -> Iterator[Bookkeeper]:
    with open_ledger(played, create=False) as ledger:
        yield Bookkeeper(Opener(ledger, SECRET, 0), editions())


def whole(played: str) -> HouseBooks:
    with open_ledger(played, create=False) as ledger:
        return accounting_document(keep_books(ledger, editions(), SECRET))


def test_books_kept_in_steps_are_the_books_of_the_whole_ledger(
    keeper: Bookkeeper, rows: list[Row], played: str
) -> None:
    told = []
    for place, row in enumerate(rows):
        if place % 7 == 0:
            book = keeper.books()
            told.append((book, accounting_document(book)))
        keeper.tell(row)
    assert accounting_document(keeper.books()) == whole(played)
    for book, document in told:
        assert accounting_document(book) == document, "what was handed out has changed since"


def states_after(played: str, rows: list[Row]) -> list[Station | Link | None]:
    """Each row's table or meter as a floor folds it."""
    found: list[Station | Link | None] = []
    with open_ledger(played, create=False) as ledger:
        floor = Floor(ledger, editions(), SECRET)
        for row in rows:
            streams: Any = {TABLE: floor.tables, METER: floor.links}.get(
                row.stream.partition("/")[0] + "/"
            )
            known = streams.known(row.stream) if streams else Folded(None, 0)
            found.append(streams.remember(row.stream, known, [row]).state if streams else None)
    return found


def test_what_was_folded_for_the_floor_is_not_folded_for_the_books(
    keeper: Bookkeeper, rows: list[Row], played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the steps inside a row are taken again: what it came to is known."""
    applied: Counter[str] = Counter()

    def counted(name: str, own: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def counting(state: Any, event: Any) -> Any:
            applied[name] += 1
            return own(state, event)

        return counting

    monkeypatch.setattr(table_days, "apply", counted("table", apply))
    monkeypatch.setattr(meters, "apply_to_meter", counted("meter", apply_to_meter))
    inside: Counter[str] = Counter()
    with open_ledger(played, create=False) as ledger:
        opener = Opener(ledger, SECRET, 0)
        for row, after in zip(rows, states_after(played, rows), strict=True):
            keeper.tell(row, after)
            match opener.open(row):
                case TableRow(entries=entries) if entries:
                    told = sum(len(entry.events) for entry in entries)
                    inside["table"] += told - bool(entries[-1].events)
                case EntryRow(entry=MeterEntry(events=events)):
                    inside["meter"] += len(events) - 1
    assert applied == inside
    assert accounting_document(keeper.books()) == whole(played)


def test_a_row_that_was_read_by_half_is_not_counted(
    keeper: Bookkeeper, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is shown figures that lack a part of a row, or count it twice."""
    tell = MeterBook.tell

    def tell_and_fail(book: MeterBook, *told: Any) -> None:
        tell(book, *told)
        raise NotationError("row.unreadable", "the rest of it cannot be read")

    with monkeypatch.context() as failing:
        failing.setattr(MeterBook, "tell", tell_and_fail)
        for row in rows:
            keeper.tell(row)
    for _ in range(2):
        with pytest.raises(NotationError, match="the rest of it"):
            keeper.books()
