"""Books that go on where they were: each row is read once, the figures are those of all rows."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from riverboat.answers.house_books import HouseBooks, accounting_document
from riverboat.core.errors import NotationError
from riverboat.floor.books.accounting import Bookkeeper, keep_books
from riverboat.floor.books.meters import MeterBook
from riverboat.ledger import Head, Ledger, Row, open_ledger
from riverboat.rulebooks import editions
from tests.floor.house import SECRET


class Growing:
    """A ledger of which only so many rows are written yet; counts those that are read."""

    def __init__(self, whole: Ledger) -> None:
        self.rows = list(whole.read_all())
        self.written = 0
        self.read = 0
        self.store = whole.store

    def head(self) -> Head:
        last = self.rows[self.written - 1] if self.written else None
        return Head(last.seq, last.hash) if last else Head(0, b"")

    def read_all(self, after_seq: int = 0) -> Iterator[Row]:
        for row in self.rows[after_seq:]:
            self.read += 1
            yield row


@pytest.fixture
def growing(played: str) -> Iterator[Growing]:
    with open_ledger(played, create=False) as ledger:
        yield Growing(ledger)


def keeper_of(growing: Growing) -> Bookkeeper:
    return Bookkeeper(cast("Any", growing), editions(), SECRET)


def whole(played: str) -> HouseBooks:
    with open_ledger(played, create=False) as ledger:
        return accounting_document(keep_books(ledger, editions(), SECRET))


def test_books_kept_in_steps_are_the_books_of_the_whole_ledger(
    growing: Growing, played: str
) -> None:
    keeper = keeper_of(growing)
    told = []
    for written in range(0, len(growing.rows) + 1, 7):
        growing.written = written
        book = keeper.books()
        told.append((book, accounting_document(book)))
    growing.written = len(growing.rows)
    assert accounting_document(keeper.books()) == whole(played)
    for book, document in told:
        assert accounting_document(book) == document, "what was handed out has changed since"


def test_no_row_is_read_twice(growing: Growing) -> None:
    keeper = keeper_of(growing)
    growing.written = len(growing.rows) - 1
    keeper.books()
    growing.read = 0
    keeper.books()
    growing.written += 1
    keeper.books()
    assert growing.read <= 3


def test_a_ledger_that_was_put_back_is_read_again(growing: Growing) -> None:
    place = max(p for p, row in enumerate(growing.rows) if row.stream.startswith("meter/"))
    growing.written = place + 1
    right = growing.rows[place]
    keeper = keeper_of(growing)
    growing.rows[place] = right._replace(stream="elsewhere", hash=b"as it stood before")
    before = accounting_document(keeper.books())
    growing.rows[place] = right
    after = accounting_document(keeper.books())
    assert after == accounting_document(keeper_of(growing).books())
    assert after.meters != before.meters


def test_a_row_that_was_read_by_half_is_not_counted_twice(
    growing: Growing, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = MeterBook.tell

    def tell_and_fail(book: MeterBook, *told: Any) -> None:
        tell(book, *told)
        raise NotationError("row.unreadable", "the rest of it cannot be read")

    keeper = keeper_of(growing)
    growing.written = len(growing.rows)
    with monkeypatch.context() as failing:
        failing.setattr(MeterBook, "tell", tell_and_fail)
        with pytest.raises(NotationError):
            keeper.books()
    assert accounting_document(keeper.books()) == whole(played)
