"""Whatever is thrown at the loader, it answers with a rulebook or with reasons, never otherwise."""

import copy
import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from riverboat.core.errors import RulebookError
from riverboat.rulebook import parse_rulebook
from riverboat.rulebook.loading.parse import judge
from riverboat.rulebooks import load, rulebook_ids

PLAIN = st.one_of(
    st.none().map(lambda _: "none"),
    st.booleans(),
    st.integers(-5, 2**40),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=8),
    st.dates(),
    st.sampled_from(
        ["by_option", "push", "5 to 1", "0 to 0", "101% of meter", "$0", "25", "HD.1.1"]
    ),
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=5,
)
BOOKS = {name: tomllib.loads(load(name).text) for name in rulebook_ids()}


def answer(text: str) -> str:
    """What the loader makes of a text; anything but a rulebook or its reasons is a crash."""
    try:
        parse_rulebook(text, path="fuzzed.toml")
    except RulebookError as refused:
        problems = refused.problems
    else:
        return "usable"
    assert all(problem.path.startswith("fuzzed.toml") for problem in problems)
    assert all(problem.where and problem.message for problem in problems)
    return "refused"


@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    assert answer(text) == "refused"


@given(st.integers(0, 30_000), st.text(max_size=3))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_rulebook_with_a_character_changed_is_answered(place: int, put: str) -> None:
    text = load("house-demo").text
    answer(text[:place] + put + text[place + 1 :])


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document that can be changed."""
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    found = [path] if path else []
    for key, value in inner:
        if isinstance(value, dict | list):
            found += spots(value, (*path, key))
        else:
            found.append((*path, key))
    return found


SPOTS = {
    name: spots({k: v for k, v in data.items() if k != "clauses"}) for name, data in BOOKS.items()
}


@pytest.mark.slow
@given(st.data())
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_rulebook_with_a_part_changed_is_answered(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(BOOKS)))
    path = data.draw(st.sampled_from(SPOTS[name]))
    book = copy.deepcopy(BOOKS[name])
    parent = book
    for key in path[:-1]:
        parent = parent[key]
    match data.draw(st.sampled_from(["remove", "replace", "rename"])):
        case "remove":
            del parent[path[-1]]
        case "replace":
            parent[path[-1]] = data.draw(ANYTHING)
        case "rename" if isinstance(parent, dict):
            parent[data.draw(st.text(min_size=1, max_size=5))] = parent.pop(path[-1])
    judged = judge(book)
    assert not isinstance(judged, list) or all(misfit.message for misfit in judged)


@pytest.mark.parametrize(
    "text", ["a=" + "[" * 5000, "[" + "a." * 5000 + "b]", "a = 1" + "0" * 5000]
)
def test_monstrous_nesting_and_numbers_are_answered(text: str) -> None:
    assert answer(text) == "refused"
