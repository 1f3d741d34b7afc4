"""Designed pay tables: the documents' own are found, and each has the figures that it is said to.

The other way is by the counts of hands and the lines as they stand, without the search.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from operator import ge, mul
from typing import Any

import pytest
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import HANDS, three_card_counts
from riverboat.exact.design.designs import Design, design, read_asked, table_of
from riverboat.exact.design.search import Span
from riverboat.exact.questions.published import suspicions
from riverboat.exact.questions.question import (
    read_choices,
    read_pays,
    read_question,
    read_span,
)
from riverboat.exact.rule_changes import misprints, mistaken
from riverboat.exact.side_bets import dealt_hands, side_bet_figures
from riverboat.round import set_up
from riverboat.rulebook.paytables import flaws, index_lines
from riverboat.rulebook.values import Dollars, Pays
from riverboat.rulebooks import load

DOCUMENTS = tuple(f"MD-2014-3CB-{letter}" for letter in "ABCDEF")
THREE = ("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair")
HALF_A_POINT = Fraction(1, 200)


def designed(name: str, bet: str, *, table: Iterable[str] = (), **asked: Any) -> Design:
    book = load(name).book
    wager = asked.pop("wager", None)
    question = read_question(book, bet=bet, wager=wager, table=table)
    return design(book, read_asked(question, **asked))


@pytest.fixture(scope="module")
def six() -> Design:
    """Everything from two to eight percent within the bounds of the six documents' tables."""
    return designed("maryland-2014", "three_card_bonus", edge="2%..8%", count=1000)


def test_all_six_tables_of_the_documents_are_answers(six: Design) -> None:
    found = {name for one in six.listed for name in one.same_as}
    assert found >= set(DOCUMENTS)
    assert tuple(one.paytable for one in six.documents) == DOCUMENTS
    assert all(one.answers and not one.why_not for one in six.documents)
    book = load("maryland-2014").book
    for one in six.documents:
        assert one.house_edge == side_bet_figures(book, six.bet, one.paytable).house_edge
        (listed,) = (table for table in six.listed if one.paytable in table.same_as)
        assert listed.house_edge == one.house_edge


IN_STEPS = (range(5, 51, 5), range(5, 41, 5), range(5, 31, 5), range(1, 7), range(1, 5), [1])
BY_ONES = (range(1, 51), range(1, 41), range(1, 31), range(1, 7), range(1, 5), [1])


def edges_by_hand(values: Iterable[Iterable[int]]) -> Counter[Fraction]:
    """Every table of such pays dealt out that keeps the order: so many of each edge."""
    counts = {kind.hand: count for kind, count in three_card_counts(ace_low=True).items()}
    each = [counts[hand] for hand in THREE]
    won = Counter(sum(map(mul, each, pays)) for pays in product(*values)
                  if all(map(ge, pays, pays[1:])))  # fmt: skip
    hands = sum(counts.values())
    return Counter({Fraction(counts["high_card"] - one, hands): n for one, n in won.items()})


def test_they_are_counted_by_hand(six: Design) -> None:
    edges = edges_by_hand(IN_STEPS)
    assert six.tables == edges.total() == 3068
    assert (six.lowest_edge, six.highest_edge) == (min(edges), max(edges))
    wanted = sum(n for edge, n in edges.items() if Fraction(2, 100) <= edge <= Fraction(8, 100))
    assert six.found == len(six.listed) == wanted == 89
    assert [one.others for one in six.documents] == [2, 14, 14, 23, 23, 2]
    assert beside(edges, six) == [2, 14, 14, 23, 23, 2]


def test_others_beside_the_documents_by_ones() -> None:
    lines = [f"{hand}=1..{values[-1]}" for hand, values in zip(THREE, BY_ONES, strict=True)]
    found = designed("maryland-2014", "three_card_bonus", edge="2%..8%", lines=lines)
    edges = edges_by_hand(BY_ONES)
    assert found.tables == edges.total()
    others = [78, 1077, 1002, 1981, 2122, 45]
    assert [one.others for one in found.documents] == beside(edges, found) == others


def beside(edges: Counter[Fraction], found: Design) -> list[int]:
    """How many others are within half a point of each of the rulebook's tables."""
    return [
        sum(n for edge, n in edges.items() if abs(edge - one.house_edge) <= HALF_A_POINT) - 1
        for one in found.documents
    ]


def test_the_fastest_come_first(six: Design) -> None:
    rounds = [(one.standard_deviation / float(one.house_edge)) ** 2 for one in six.listed]
    assert rounds == pytest.approx([float(one.rounds or 0) for one in six.listed])
    assert rounds == sorted(rounds)
    few = designed("maryland-2014", "three_card_bonus", edge="2%..8%", count=3)
    assert (few.found, few.listed) == (six.found, six.listed[:3])


DESIGNS = [
    ("maryland-2014", "three_card_bonus", {"edge": "2%..3%", "any_order": True}),
    ("maryland-2014", "three_card_bonus", {"lines": ["pair=push..2", "flush=lose..3"]}),
    ("maryland-2014", "three_card_bonus", {"edge": "5%", "table": ["three_card_ace_low=false"]}),
    ("maryland-2014", "six_card_bonus", {"edge": "10%..12%"}),
    ("maryland-2014", "six_card_bonus", {"edge": "10%..12%", "wager": "25"}),
    ("maryland-2014", "six_card_bonus", {"edge": "14%..15%", "wager": "10000"}),
    ("maryland-2014", "six_card_bonus", {"lines": ["two_pair=push..1"], "edge": "3%"}),
    ("island-stud", "bonus", {"edge": "3%..5%", "deviation": "4..4.5"}),
    ("island-stud", "bonus", {"edge": "9%..12%", "lines": ["pair_QKA=1", "pair_2=push..1"]}),
    ("house-demo", "three_card_bonus", {"hit": "25%..26%"}),
    pytest.param("house-demo", "pocket_bonus", {"edge": "4%..9%", "any_order": True},
                 marks=pytest.mark.slow),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bet", "asked"), DESIGNS)
def test_every_listed_table_has_its_figures(name: str, bet: str, asked: dict[str, Any]) -> None:
    found = designed(name, bet, **asked)
    book = load(name).book
    choices = read_choices(asked.get("table", ()))
    assert found.listed
    for one in found.listed:
        table = table_of(book, bet, one.pays)
        assert not list(flaws(table))
        figures = side_bet_figures(set_up(book, choices), bet, table, found.wager_cents)
        assert figures.ev == one.ev
        assert figures.hit_frequency == one.hit_frequency
        assert figures.distribution.variance == one.variance
        assert found.wish.edge == Span() or one.house_edge in found.wish.edge
        assert one.hit_frequency in found.wish.hit
        assert one.variance in found.wish.variance


@pytest.mark.parametrize(("name", "bet", "asked"), DESIGNS[:3])
def test_slips_have_the_edges_that_they_are_said_to(
    name: str, bet: str, asked: dict[str, Any]
) -> None:
    found, book = designed(name, bet, **asked, count=5), load(name).book
    choices = read_choices(asked.get("table", ()))
    for one in found.listed:
        edges = []
        for line, pays in one.pays.items():
            for slip in misprints(Pays.parse(pays)):
                table = table_of(book, bet, {**one.pays, line: str(slip)})
                edges.append(side_bet_figures(set_up(book, choices), bet, table).house_edge)
        assert one.to_player == sum(edge < 0 for edge in edges)
        assert one.worst is not None
        farthest = max(abs(edge - one.house_edge) for edge in edges)
        assert abs(one.worst.house_edge - one.house_edge) == farthest
        quiet = [abs(edge - one.house_edge) for edge in edges if 0 <= edge <= found.alarm_above]
        if one.unnoticed is None:
            assert not quiet
        else:
            assert abs(one.unnoticed.house_edge - one.house_edge) == max(quiet)


def test_the_alarm_is_the_one_that_suspects_printed_tables(six: Design) -> None:
    """A slip is planted in the rulebook: the alarm rings for the worst, not for the unnoticed."""
    book = load("maryland-2014").book
    own = next(table for table in book.paytables if table.id == DOCUMENTS[1])
    (one,) = (one for one in six.listed if own.id in one.same_as)
    for slip, rings in ((one.worst, True), (one.unnoticed, False)):
        assert slip is not None
        planted = table_of(book, six.bet, {**one.pays, slip.line: slip.printed})
        tables = tuple(
            replace(planted, id=own.id) if table is own else table for table in book.paytables
        )
        found = suspicions([replace(book, paytables=tables)])
        assert [each.paytable for each in found] == ([own.id] if rings else [])


def test_what_a_table_can_be_taken_for(six: Design) -> None:
    (one,) = (one for one in six.listed if DOCUMENTS[5] in one.same_as)
    near = {(name, each.as_printed): each for each in one.near for name in each.paytables}
    assert near[DOCUMENTS[2], False].lines == {"straight": ("6 to 1", "5 to 1")}
    assert near[DOCUMENTS[2], False].how == "one digit"
    printed = near["SD-3CB-3CB-D", True]
    assert (printed.how, printed.lines) == ("one line", {"pair": ("1 to 1", "25 to 1")})
    assert ("SD-3CB-3CB-D", False) not in near, "it is that table"
    book = load("maryland-2014").book
    for each in one.near:
        if each.as_printed or each.paytables[0] not in DOCUMENTS:
            continue
        other = next(table for table in book.paytables if table.id == each.paytables[0])
        mine, theirs = index_lines(table_of(book, six.bet, one.pays)), index_lines(other)
        assert {kind.hand for kind in mine if mine[kind].pays != theirs[kind].pays} == set(
            each.lines
        )


@pytest.mark.parametrize(
    ("differ", "how"),
    [
        ([("40 to 1", "50 to 1")], "one digit"),
        ([("4 to 1", "40 to 1")], "one digit"),
        ([("4 to 1", "44 to 1")], "one digit"),
        ([("40 to 1", "4 to 1")], "one digit"),
        ([("25 to 1", "52 to 1")], "one digit"),
        ([("100 to 1", "200 to 1")], "one digit"),
        ([("$100000", "$10000")], "one digit"),
        ([("9 to 1", "10 to 1")], "one line"),
        ([("1 to 1", "push")], "one line"),
        ([("1 to 1", "25 to 1")], "one line"),
        ([("6 to 1", "4 to 1"), ("4 to 1", "6 to 1")], "two lines exchanged"),
        ([("6 to 1", "4 to 1"), ("4 to 1", "5 to 1")], None),
        ([], None),
    ],
)
def test_how_tables_are_taken_for_each_other(
    differ: list[tuple[str, str]], how: str | None
) -> None:
    said = mistaken([(Pays.parse(here), Pays.parse(there)) for here, there in differ])
    assert said == how


def test_a_limit_on_payouts_cuts_designed_pays_too() -> None:
    """A house whose limit of $1,000 is for its bonus as well: 60 to 1 on $50 is cut, 15 is not."""
    house = load("house-demo").book
    limit = replace(house.aggregate_limit, limit=Dollars(1000_00), from_odds=1,
                    counts=("base", "three_card_bonus"))  # fmt: skip
    book = replace(house, aggregate_limit=limit)
    words = "the limit on payouts is this bet's alone"
    for wager, limited in (("5", False), ("50", True)):
        asked = read_asked(read_question(book, bet="three_card_bonus", wager=wager), edge="5%..20%")
        found = design(book, asked)
        assert (words in found.assumptions) == limited
        assert found.listed
        for one in found.listed:
            table = table_of(book, found.bet, one.pays)
            figures = side_bet_figures(book, found.bet, table, found.wager_cents)
            assert (figures.ev, figures.distribution.variance) == (one.ev, one.variance)


def test_slips_of_one_digit() -> None:
    assert list(map(str, misprints(Pays.parse("lose")))) == []
    one = {str(pays) for pays in misprints(Pays.parse("4 to 1"))}
    assert one == {f"{odds} to 1" for odds in (1, 2, 3, 5, 6, 7, 8, 9, 44)}
    two = {pays.amount for pays in misprints(Pays.parse("20 to 1"))}
    assert two == {*range(10, 100, 10), *range(20, 30), 2, 220, 200} - {20}
    prize = {str(pays) for pays in misprints(Pays.parse("$1000"))}
    assert {"$100", "$10000", "$9000"} <= prize
    assert all(len(str(pays.amount)) <= 9 for pays in misprints(Pays.parse("999999999 to 1")))


# ---------------------------------------------------------------- lines and bounds


def bounds(found: Design) -> dict[str, str]:
    return {line.line: line.bounds for line in found.lines}


def test_lines_and_bounds_are_the_rulebooks_own() -> None:
    assert bounds(designed("island-stud", "bonus", edge="3%..3.1%")) == {
        "royal_flush": "100..1000/100",
        "straight_flush": "10..200/10",
        "four_of_a_kind": "10..100/10",
        "full_house": "5..50/5",
        "flush": "5..40/5",
        "straight": "1..25",
        "three_of_a_kind": "1..7",
        "two_pair": "1..3",
        "pair_TJQKA": "1",
        "pair_23456789+high_card": "lose",
    }
    prizes = bounds(designed("maryland-2014", "six_card_bonus", edge="12%..12.1%"))
    assert prizes["super_royal_d"] == "$100000,$1000000,1000"
    assert prizes["two_pair+pair+high_card"] == "lose"


def test_named_hands_become_one_line() -> None:
    found = designed("iowa-catfish-bend", "three_card_bonus", lines=["mini_royal=50..60/10"])
    assert [line.line for line in found.lines][:2] == ["mini_royal", "straight_flush"]
    assert [line.given for line in found.lines][:2] == [True, False]
    merged = ["Straight-Flush+mini_royal=40"]
    lines = designed("maryland-2014", "three_card_bonus", lines=merged).lines
    assert lines[0].line == "mini_royal+straight_flush"
    assert (lines[0].combinations, lines[0].label) == (48, "Straight flush")
    ranks = designed("island-stud", "bonus", lines=["10s or better=push"], edge="8%..8.1%").lines
    assert ranks[-2].line == "pair_TJQKA"
    hands = dealt_hands(set_up(load("island-stud").book, {}),
                        load("island-stud").book.paytables[0])  # fmt: skip
    assert sum(line.combinations for line in ranks) == sum(hands.values())


def test_why_a_table_of_the_rulebook_is_no_answer() -> None:
    def why(name: str, bet: str, **asked: Any) -> list[str]:
        return [one.why_not for one in designed(name, bet, **asked).documents]

    three = ("maryland-2014", "three_card_bonus")
    assert why(*three, edge="2%..2.2%")[0] == "house edge 2.3167%"
    assert why(*three, hit="30%..")[0] == "hits 25.6109%"
    assert why(*three, deviation="3..")[0] == "deviation 2.9106"
    assert why(*three, lines=["flush=1..3"])[0] == "pays 4 to 1 for flush, bounds 1..3"
    merged = why(*three, lines=["mini_royal+straight_flush=40"])
    assert merged[2] == "pays the hands of mini_royal+straight_flush differently"
    assert why(*three, lines=["flush=4..6", "straight=4..6", "pair=1..2"]) == [""] * 3 + [
        "pays 3 to 1 for flush, bounds 4..6", "pays 3 to 1 for flush, bounds 4..6", ""
    ]  # fmt: skip


@pytest.mark.slow
def test_pays_that_rise_are_found_in_any_order_only() -> None:
    (ordered,) = designed("house-demo", "pocket_bonus", edge="4%..9%").documents
    assert ordered.why_not == "pays more for hands that are commoner"
    (found,) = designed("house-demo", "pocket_bonus", edge="4%..9%", any_order=True).documents
    assert found.answers


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5", ["5 to 1"]),
        ("lose..1", ["lose", "push", "1 to 1"]),
        ("push..20/10", ["push", "10 to 1", "20 to 1"]),
        ("7..21/10", ["10 to 1", "20 to 1"]),
        ("lose, 3..4", ["lose", "3 to 1", "4 to 1"]),
        ("1000000", ["1000000 to 1"]),
        ("$100000, 50", ["$100000", "50 to 1"]),
    ],
)
def test_what_a_line_may_pay(text: str, values: list[str]) -> None:
    assert list(map(str, read_pays("flush", text, fixed_prizes=True))) == values


def test_as_many_values_as_a_line_may_have() -> None:
    assert len(read_pays("flush", "1..1000", fixed_prizes=False)) == 1000
    for text in ("1..1001", "1..1000,1001", "lose..1000"):
        with pytest.raises(NotationError, match="at most 1,000: give steps"):
            read_pays("flush", text, fixed_prizes=False)


@pytest.mark.parametrize(
    ("field", "text", "low", "high"),
    [
        ("edge", "2%..3%", "1/50", "3/100"),
        ("edge", "-1%..128/5525", "-1/100", "128/5525"),
        ("edge", "2.3%", "9/400", "47/2000"),
        ("edge", "128/5525", "128/5525", "128/5525"),
        ("edge", "..3%", None, "3/100"),
        ("hit", "20%..", "1/5", None),
        ("deviation", "3..4.25", "3", "17/4"),
        ("deviation", "4", "7/2", "9/2"),
    ],
)
def test_what_is_wanted(field: str, text: str, low: str | None, high: str | None) -> None:
    ends = (None if end is None else Fraction(end) for end in (low, high))
    assert read_span(field, text) == Span(*ends)


def test_every_size_of_hand_can_be_designed() -> None:
    sizes = {offer.decided_by.hand for name in ("house-demo", "island-stud", "maryland-2014")
             for offer in load(name).book.bonuses}  # fmt: skip
    assert sizes == set(HANDS)
