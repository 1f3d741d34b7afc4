"""The vocabulary of options: code, rulebooks and loader know the same names, kinds and bounds."""

import tomllib
from typing import get_args

import pytest

from riverboat.rulebook.loading.parse import judge
from riverboat.rulebook.options import AmountName, ChoiceName, FlagName, Integer, Money
from riverboat.rulebook.vocabulary import OPTIONS, STATEMENTS, WHERE_NAMED, known_options
from riverboat.rulebooks import load, rulebook_ids
from tests.rulebook.loading.breaking import HD, IA, IS, MD, SD11, shipped


def test_the_names_that_code_reads_are_those_of_the_vocabulary() -> None:
    by_kind = {
        kind: {n for n, o in OPTIONS.items() if o.kind == kind}
        for kind in ("flag", "choice", "money")
    }
    assert set(get_args(FlagName)) == by_kind["flag"]
    assert set(get_args(ChoiceName)) == by_kind["choice"]
    assert set(get_args(AmountName)) <= by_kind["money"]


def test_the_vocabulary_bounds_every_number_and_has_room_for_every_rulebook() -> None:
    for name, known in OPTIONS.items():
        assert (known.most is not None) == (known.kind == "integer"), name
        assert bool(known.choices) == (known.kind == "choice"), name
    for name in STATEMENTS:
        assert OPTIONS[name].needed == WHERE_NAMED
    for book in map(load, rulebook_ids()):
        for name, held in book.book.options.items():
            known = known_options(book.book)[name]
            if isinstance(held, Integer):
                assert known.most is not None
                assert known.least <= held.minimum <= held.maximum <= known.most
            if isinstance(held, Money) and held.default is not None:
                assert held.default >= known.least


BOOKS = {book: tomllib.loads(shipped(book)) for book in (SD11, IA, MD, IS, HD)}
OPTION_OF = {name: book for book, data in BOOKS.items() for name in data["options"]}
MAY_BE_MISSING = {"edition", *STATEMENTS}


@pytest.mark.parametrize("name", sorted(OPTION_OF))
def test_an_option_of_another_kind_is_refused_and_nothing_else_stumbles(name: str) -> None:
    data = BOOKS[OPTION_OF[name]]
    rest = {key: option for key, option in data["options"].items() if key != name}
    held = data["options"][name]
    said = judge({**data, "options": rest})
    missing = (f"options.{name}", "missing; a part of this rulebook reads it")
    assert name in MAY_BE_MISSING or (isinstance(said, list) and missing in said)
    kind = "flag" if held["kind"] == "text" else "text"
    default = True if kind == "flag" else "x"
    other = {"kind": kind, "default": default, "meaning": "x", "cites": held["cites"]}
    said = judge({**data, "options": {**rest, name: other}})
    assert isinstance(said, list)
    assert (f"options.{name}.kind", f"is {kind}; {held['kind']} is right") in said
