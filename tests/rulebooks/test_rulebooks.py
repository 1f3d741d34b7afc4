"""The rulebooks agree with every table they come from, and account for every clause."""

import pytest

from riverboat.rulebooks import clause_rows, load, load_all, rulebook_ids
from riverboat.scripts.checking import coverage
from tests.conftest import Report
from tests.rulebooks.witnesses import (
    against_options,
    against_pay_tables,
    disagreements,
    options_csv,
    paytables_json,
)

PREFIXES = {row.rulebook for row in clause_rows()}
DOCUMENTS = [name for name in rulebook_ids() if load(name).book.clause_prefix in PREFIXES]


def test_there_are_five_documents_and_two_demo_houses() -> None:
    assert len(DOCUMENTS) == 5
    assert len(rulebook_ids()) == 7


@pytest.mark.parametrize("name", DOCUMENTS)
def test_pay_tables_are_those_of_the_table_of_pay_tables(name: str) -> None:
    assert list(against_pay_tables(load(name).book)) == []


def test_no_pay_table_is_left_out() -> None:
    held = {table.id for one in load_all() for table in one.book.paytables}
    held |= {one.book.comparison.id for one in load_all() if one.book.comparison is not None}
    assert {table["id"] for table in paytables_json()["paytables"]} <= held


@pytest.mark.parametrize("name", DOCUMENTS)
def test_options_are_those_of_the_table_of_options(name: str) -> None:
    assert list(against_options(load(name).book)) == []


def test_no_option_is_left_out() -> None:
    held = {option for one in load_all() for option in one.book.options}
    assert {row["name"] for row in options_csv()} == held


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_witness_agrees(name: str) -> None:
    assert list(disagreements(load(name).book)) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_clauses_are_those_of_the_table_of_clauses(name: str) -> None:
    book = load(name).book
    rows = [row for row in clause_rows() if row.rulebook == book.clause_prefix]
    assert [row.id for row in rows] == list(book.clauses)
    for row in rows:
        clause = book.clauses[row.id]
        assert (clause.number, clause.text, clause.by) == (
            row.clause,
            row.requirement,
            row.enforceable_by,
        )
        assert clause.lines is not None


def test_every_clause_is_accounted_for(report: Report) -> None:
    found = coverage(None)
    report(
        f"coverage: {len(found.clauses)} clauses, {len(found.missing)} missing, "
        f"{len(found.unknown)} unknown"
    )
    assert len(found.clauses) == 837
    assert found.complete


def test_every_ambiguity_is_decided_by_some_rulebook() -> None:
    from importlib.resources import files
    from re import findall

    text = files("riverboat.rulebooks").joinpath("ambiguities.md").read_text("utf-8")
    listed = set(findall(r"(?m)^\*\*([A-F]-\d\d) ", text))
    held = {ambiguity for one in load_all() for ambiguity in one.book.ambiguities}
    assert len(listed) == 127
    assert held == listed


def test_statuses_are_said_plainly() -> None:
    statuses = {one.book.id: one.book.status for one in load_all()}
    assert statuses == {
        "caribbean-demo": "house's",
        "house-demo": "house's",
        "iowa-catfish-bend": "house's",
        "island-stud": "vendor's",
        "maryland-2014": "draft",
        "south-dakota-2011": "superseded",
        "south-dakota-3cb": "in force",
    }


def test_the_misprinted_pair_row_is_kept_flagged_and_not_played() -> None:
    tables = {table.id: table for table in load("south-dakota-3cb").book.paytables}
    printed = {"A": "1 to 1", "B": "25 to 1", "C": "25 to 1", "D": "25 to 1", "E": "", "F": ""}
    for letter, cell in printed.items():
        table = tables[f"SD-3CB-3CB-{letter}"]
        pair = next(line for line in table.lines if line.hands == ("pair",))
        assert (pair.printed, pair.pays, pair.suspect) == (cell, "1 to 1", cell != "1 to 1")
        assert table.status == ("final" if letter == "A" else "as_printed_suspect")


def test_struck_tables_are_kept_and_not_offered() -> None:
    book = load("maryland-2014").book
    struck = {table.id for table in book.paytables if not table.playable}
    assert struck == {f"MD-2014-6CB-OLD-{letter}" for letter in "ABCDE"}
    assert not struck & {name for offer in book.side_bets for name in offer.paytables}


def test_the_demo_house_makes_choices_no_document_makes() -> None:
    demo = load("house-demo").book
    base = next(table for table in demo.paytables if table.bet == "base")
    straight = next(line for line in base.lines if line.hands == ("straight",))
    assert straight.pays == "5 to 1"
    assert demo.options["seats"].default == 7
    assert demo.progressive is not None
    (schedule,) = demo.progressive.schedules
    assert (schedule.wager, schedule.seed) == (200, 2_000_000)
    assert all(clause.startswith("HD.") for clause in demo.clauses)
