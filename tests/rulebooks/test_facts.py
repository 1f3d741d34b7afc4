"""Every fact typed from the documents stands in the rulebooks."""

import pytest

from riverboat.rulebooks import load
from tests.rulebooks.facts_table import Fact, facts, holds, value_at

FACTS = tuple(facts())


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact.rulebook}:{fact.path}")
def test_the_rulebook_says_what_the_document_says(fact: Fact) -> None:
    book = load(fact.rulebook).book
    assert holds(fact, book), f"{fact.path} is {value_at(book, fact.path)!r}, not {fact.value!r}"


def test_every_fact_names_clauses_that_exist() -> None:
    for fact in FACTS:
        book = load(fact.rulebook).book
        assert fact.clauses, fact.path
        assert set(fact.clauses) <= book.clauses.keys() | book.ambiguities.keys(), fact.path


def test_no_fact_is_stated_twice() -> None:
    places = [(fact.rulebook, fact.path) for fact in FACTS]
    assert len(places) == len(set(places))
