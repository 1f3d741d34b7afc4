"""Misprints are found from figures and siblings alone: the rulebook's own flags are taken away."""

from msgspec.structs import replace

from riverboat.exact.questions.published import suspicions
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load, load_all


def unflagged(book: Rulebook) -> Rulebook:
    """The rulebook where nothing says which line is suspect."""
    tables = tuple(
        replace(
            table,
            status="final",
            lines=tuple(replace(line, suspect=False) for line in table.lines),
        )
        for table in book.paytables
    )
    return replace(book, paytables=tables)


def test_the_pair_row_is_found() -> None:
    found = {one.paytable[-1]: one for one in suspicions([loaded.book for loaded in load_all()])}
    assert sorted(found) == ["B", "C", "D", "E", "F"]
    assert {one.label for one in found.values()} == {"Pair"}
    assert {one.siblings_pay for one in found.values()} == {"1 to 1"}
    assert found["C"].words.startswith(
        "player edge 399 %: almost certainly a misprint; every sibling table pays 1 to 1"
    )
    assert found["E"].words.startswith("house edge 39 %: almost certainly a misprint")
    assert f"{float(found['B'].mended_edge or 0):.4%}" == "5.5747%"


def test_the_flag_is_not_what_finds_it() -> None:
    book = load("south-dakota-3cb").book
    assert suspicions([unflagged(book)]) == suspicions([book])
    assert suspicions([load("maryland-2014").book]) == ()


def _with_line(table: PayTable, label: str, cell: str) -> PayTable:
    lines = tuple(
        replace(line, printed=cell, pays=Pays.parse(cell)) if line.label == label else line
        for line in table.lines
    )
    return replace(table, lines=lines)


def test_a_misprint_of_a_house_is_found_too() -> None:
    book = load("island-stud").book
    first, *rest = book.paytables
    wrong = replace(book, paytables=(_with_line(first, "Two pair", "30 to 1"), *rest))
    (found,) = suspicions([wrong])
    assert (found.paytable, found.label, found.siblings_pay) == (first.id, "Two pair", "3 to 1")


def test_a_table_without_a_single_wrong_line() -> None:
    book = load("island-stud").book
    first, *rest = book.paytables
    wrong = _with_line(_with_line(first, "Two pair", "30 to 1"), "Flush", "4000 to 1")
    (found,) = suspicions([replace(book, paytables=(wrong, *rest))])
    assert found.label == ""
    assert "no single line explains it" in found.words
