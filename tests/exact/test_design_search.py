"""The search for pay tables: against every table one by one, at its limits, with planted faults."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from riverboat.core.errors import NotationError
from riverboat.exact.design import search
from riverboat.exact.design.search import Choices, Found, Search, Space, Span, Wish

ANYTHING = Wish()


def one_by_one(space: Space, wish: Wish) -> list[Found]:
    """Every table by itself, and what it comes to by its distribution, the fastest first."""
    found = []
    for picked in product(*(range(len(line.nets)) for line in space.lines)):
        rungs = [line.rungs[i] for line, i in zip(space.lines, picked, strict=True) if line.rungs]
        if rungs != sorted(rungs, reverse=True):
            continue
        results = [(Fraction(line.nets[i], space.scale), line.cases)
                   for line, i in zip(space.lines, picked, strict=True)]  # fmt: skip
        results.append((Fraction(-1), space.lost))
        mean = sum((net * cases for net, cases in results), Fraction(0)) / space.cases
        hit = Fraction(sum(cases for net, cases in results if net > 0), space.cases)
        square = sum((net**2 * cases for net, cases in results), Fraction(0)) / space.cases
        variance = square - mean**2
        if _within(wish.edge, -mean) and _within(wish.hit, hit) and _deviates(wish, variance):
            rounds = variance / mean**2 if mean else Fraction(0)
            found.append(((not mean, rounds, variance, picked), space.found(picked)))
    return [one for _, one in sorted(found)]


def _within(span: Span, value: Fraction) -> bool:
    low, high = span.low, span.high
    return (low is None or value >= low) and (high is None or value <= high)


def _deviates(wish: Wish, variance: Fraction) -> bool:
    low, high = wish.deviation.low, wish.deviation.high
    return (low is None or low < 0 or variance >= low**2) and (high is None or variance <= high**2)


def some_space(chance: Random, largest: int = 30) -> Space:
    """Up to five lines, some of them outside of the order, in halves of a wager."""
    lines = []
    for _ in range(chance.randint(1, 5)):
        rungs = sorted(chance.sample(range(-1, 7), chance.randint(1, 5)), reverse=True)
        ordered = tuple(rungs) if chance.random() < 0.8 else ()
        lines.append(
            Choices(chance.randint(1, largest), tuple(2 * rung for rung in rungs), ordered)
        )
    lost = chance.choice([0, 5])
    return Space(tuple(lines), lost, sum(line.cases for line in lines) + lost, 2)


def some_span(chance: Random, low: int, high: int) -> Span:
    if chance.random() < 0.3:
        return Span()
    ends = sorted(Fraction(chance.randint(low, high), 10) for _ in range(2))
    return Span(*(None if chance.random() < 0.2 else end for end in ends))


def some_wish(chance: Random, edges: Sequence[Fraction]) -> Wish:
    """The ends of the edge are often those of a table."""
    edge = some_span(chance, -30, 10)
    if edges and chance.random() < 0.5:
        edge = Span(*sorted(chance.choices(edges, k=2)))
    return Wish(
        edge=edge,
        hit=some_span(chance, 0, 10),
        deviation=some_span(chance, -2, 30),
    )


def hold_against_each_other(seeds: range) -> int:
    """How many tables were compared; the portions are small, so that there are many."""
    compared = 0
    for seed in seeds:
        chance = Random(seed)
        space = some_space(chance).reduced()
        every = one_by_one(space, ANYTHING)
        edges = [space.edge(one) for one in every]
        wish = some_wish(chance, edges)
        asked, wanted = Search(space), one_by_one(space, wish)
        count = chance.choice([1, 3, 10_000])
        number, listed = asked.best(wish, count)
        assert (number, asked.count(wish)) == (len(wanted), len(wanted)), seed
        assert listed == wanted[:count], seed
        assert asked.size == len(every), seed
        if every:
            assert space.edges() == Span(min(edges), max(edges)), seed
        compared += len(every)
    return compared


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_CHUNK", 7)


@pytest.mark.usefixtures("small_portions")
def test_every_table_one_by_one_and_the_search_agree() -> None:
    assert hold_against_each_other(range(600)) > 8_000


def test_large_counts_are_as_exact() -> None:
    """Where numbers with a point cannot tell sums apart any more."""
    for seed in range(40):
        chance = Random(seed)
        space = some_space(chance, largest=10**13).reduced()
        every = one_by_one(space, ANYTHING)
        middle = every[len(every) // 2] if every else None
        if middle is None:
            continue
        edge, variance = space.edge(middle), space.variance(middle)
        wish = Wish(edge=Span(edge, edge))
        assert Search(space).best(wish, 50)[1] == one_by_one(space, wish)[:50]
        less = Wish(edge=Span(edge + Fraction(1, 10**20), None))
        assert Search(space).count(less) == len(one_by_one(space, less))
        assert space.meets(middle, Wish(deviation=Span(Fraction(0), variance + 1)))


def test_ends_are_inside() -> None:
    """A deviation of exactly two wagers: a table of +2 and -2, as often."""
    space = Space((Choices(1, (3, 2), (3, 2)), Choices(1, (-2,), ())), 0, 2, 1)
    two = Fraction(2)
    assert Search(space).count(Wish(deviation=Span(two, two))) == 1
    little = Fraction(1, 10**9)
    assert Search(space).count(Wish(deviation=Span(None, two - little))) == 0
    assert Search(space).count(Wish(deviation=Span(two, two + little))) == 1
    assert Search(space).count(Wish(deviation=Span(two + little, two + 2 * little))) == 0
    half = Fraction(1, 2)
    assert Search(space).count(Wish(hit=Span(half, half), edge=Span(-half, -half))) == 1
    assert Search(space).count(Wish(edge=Span(-half + little, -little))) == 0
    assert Search(space).count(Wish(edge=Span(None, -half))) == 1


def test_an_edge_of_nothing_comes_last() -> None:
    space = Space((Choices(1, (3, 2, 1), (3, 2, 1)), Choices(1, (-1,), ())), 0, 2, 1)
    _, listed = Search(space).best(ANYTHING, 9)
    assert [space.edge(one) for one in listed] == [Fraction(-1), Fraction(-1, 2), 0]
    assert space.rounds(listed[-1]) is None


def test_no_table_keeps_the_order() -> None:
    space = Space((Choices(1, (1,), (1,)), Choices(2, (5,), (5,))), 0, 3, 1)
    asked = Search(space)
    assert (asked.size, asked.count(ANYTHING), asked.best(ANYTHING, 5)) == (0, 0, (0, []))


@pytest.fixture
def wide() -> Space:
    """Four lines outside of the order, of ten values each: ten thousand tables."""
    nets = tuple(range(10, 0, -1))
    return Space(tuple(Choices(cases, nets, ()) for cases in (1, 2, 3, 4)), 10, 20, 1)


def test_as_many_half_tables_as_there_may_be(wide: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_ROWS", 100)
    assert Search(wide).count(ANYTHING) == 10_000
    monkeypatch.setattr(search, "MOST_ROWS", 99)
    with pytest.raises(NotationError, match="10,000 tables are within the bounds, too many: narr"):
        Search(wide)


def test_as_many_matches_as_may_be_looked_at(wide: Space) -> None:
    asked = Search(wide)
    assert asked.best(ANYTHING, 1, most=10_000)[0] == 10_000
    with pytest.raises(NotationError, match=r"10,000 tables .*too many .*narrow the bounds"):
        asked.best(ANYTHING, 1, most=9_999)
    assert asked.count(ANYTHING, most=1) == 10_000, "counted without a look at each"


def test_sums_beyond_a_machine_word_are_refused() -> None:
    def space(pays: int) -> Space:
        return Space((Choices(1, (pays,), ()), Choices(2, (-1,), ())), 0, 3, 1)

    most = 2**30 - 1
    assert Search(space(most)).count(ANYTHING) == 1
    with pytest.raises(NotationError, match="narrow the bounds"):
        Search(space(most + 1))


def test_progress_is_told_to_the_end(wide: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_CHUNK", 1_000)
    told: list[tuple[int, int]] = []
    Search(wide).best(ANYTHING, 1, lambda done, whole: told.append((done, whole)))
    assert len(told) > 5
    assert told == sorted(told)
    assert told[-1] == (10_000, 10_000)


def _one_more(method: Any) -> Any:
    def wrong(self: Search, wish: Wish) -> tuple[int, int]:
        least, most = method(self, wish)
        return least + 1, most

    return wrong


@pytest.mark.parametrize("fault", ["end left out", "order forgotten", "slack", "ties", "rounding"])
def test_a_planted_fault_is_noticed(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    match fault:
        case "end left out":
            own = Search._wanted_totals
            monkeypatch.setattr(Search, "_wanted_totals", _one_more(own))
        case "order forgotten":
            plain = search._half

            def unordered(lines: Any) -> Any:
                half = plain(lines)
                return half._replace(last=half.last + 10, first=half.first - 10)

            monkeypatch.setattr(search, "_half", unordered)
        case "slack":
            monkeypatch.setattr(search, "_CLOSE", -0.5)
        case "ties":
            monkeypatch.setattr(Space, "variance", lambda self, found: Fraction(0))
        case "rounding":
            monkeypatch.setattr(search, "floor", lambda value: int(value) + 1)
    with pytest.raises(AssertionError):
        hold_against_each_other(range(250))
