"""Side bets: hands counted one by one against formulas, payouts against the payout checker."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace

from riverboat.answers.payout_checker import Request, settle
from riverboat.core.cards import DECK, show_cards
from riverboat.core.hand_kinds import (
    HANDS,
    HandSize,
    five_card_counts,
    five_card_kind,
    six_card_counts,
    three_card_counts,
)
from riverboat.core.hands import Kind, rank_five
from riverboat.exact.side_bets import (
    dealt_to_places,
    edge_by_stake,
    side_bet_figures,
    side_bet_tables,
    table_as_printed,
)
from riverboat.round import set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable, kinds, lines_for
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load, load_all
from tests.support.orbits import suit_classes

EVERY_TABLE = [
    pytest.param(loaded.book, table, id=table.id)
    for loaded in load_all()
    for table in side_bet_tables(loaded.book)
]
# A bet that a fold loses goes by more than its hands: test_live_bonuses counts it.
TABLES = [
    param
    for param in EVERY_TABLE
    if param.values[1].bet not in set_up(param.values[0], {}).lost_by_fold  # type: ignore[arg-type, union-attr]
]
PLAYABLE = [param for param in TABLES if param.values[1].playable]  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def maryland() -> Rulebook:
    return load("maryland-2014").book


@pytest.mark.parametrize("ace_low", [True, False])
def test_hands_of_three_one_by_one(ace_low: bool) -> None:
    from tests.exact.hands_counted import count_three

    assert count_three(ace_low=ace_low) == three_card_counts(ace_low=ace_low)


@pytest.mark.slow
def test_hands_of_five_one_by_one() -> None:
    from tests.exact.hands_counted import count_five

    assert count_five() == five_card_counts()
    readable: Counter[Kind] = Counter()
    for cards, weight in suit_classes(5):
        readable[five_card_kind(rank_five(cards))] += weight
    assert readable == five_card_counts()


def test_hands_of_six_one_by_one() -> None:
    from tests.exact.hands_counted import count_six

    assert count_six() == six_card_counts()
    assert sum(six_card_counts().values()) == 20_358_520


def test_hands_of_two_one_by_one() -> None:
    two = HANDS["two"]
    assert Counter(two.kind_of(cards, True) for cards in combinations(DECK, 2)) == two.counts(True)


@pytest.mark.parametrize("size", HANDS)
def test_every_kind_has_its_example_and_its_count(size: HandSize) -> None:
    hand = HANDS[size]
    for kind in hand.kinds():
        cards = hand.example(kind)
        assert len(set(cards)) == hand.cards
        assert hand.kind_of(cards, False) == kind
    assert set(hand.counts(True)) == set(hand.kinds())


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_a_deal_has_the_hand_where_the_rulebook_says(book: Rulebook, table: PayTable) -> None:
    offer = book.offer(table.bet)
    assert offer is not None
    for kind in kinds(table):
        dealt = dealt_to_places(book, table, kind)
        assert len({card for cards in dealt.values() for card in cards}) == sum(
            map(len, dealt.values())
        )
        cards = tuple(card for place in offer.decided_by.places for card in dealt[place])
        assert HANDS[table.hand].kind_of(cards, True) == kind


@pytest.mark.parametrize(("book", "table"), TABLES)
def test_the_value_by_the_plain_reading_of_the_table(book: Rulebook, table: PayTable) -> None:
    """The other way: hands times odds, straight from the lines, without the engine."""
    wager = 500
    hands = HANDS[table.hand].counts(True)
    value = Fraction(0)
    for kind, count in hands.items():
        (line,) = lines_for(table, kind)
        match line.pays.kind:
            case "to":
                value += count * Fraction(line.pays.amount, line.pays.per)
            case "dollars":
                value += count * Fraction(line.pays.amount, wager)
            case "lose":
                value -= count
    found = side_bet_figures(book, table.bet, table, wager)
    assert found.ev == value / sum(hands.values())
    assert found.ev == sum(line.returns for line in found.lines) == found.distribution.mean
    assert sum(line.combinations for line in found.lines) == sum(hands.values())
    wins = sum(n for kind, n in hands.items() if lines_for(table, kind)[0].pays.wins)
    assert found.hit_frequency == Fraction(wins, sum(hands.values()))


@pytest.mark.parametrize(("book", "table"), PLAYABLE)
def test_each_line_as_the_payout_checker_has_it(book: Rulebook, table: PayTable) -> None:
    found = side_bet_figures(book, table.bet, table, 500)
    lines = iter(found.lines)
    for line in lines:
        kind = next(kind for kind in kinds(table) if str(kind) == line.kinds[0])
        assert _by_checker(book, table, kind) == line.net * 500, line.label


def _by_checker(book: Rulebook, table: PayTable, kind: Kind) -> int:
    dealt, offer = dealt_to_places(book, table, kind), book.offer(table.bet)
    assert offer is not None
    if "box" not in offer.decided_by.places:
        dealt["box"] = ()
    request = Request(
        ante="5",
        side_bets={table.bet: "5"},
        table=(f"{table.bet}={table.id}", *(f"{flag}=false" for flag in offer.after_if.values())),
        cards=show_cards(dealt["seat"]),
        board=show_cards(dealt["community"]),
        box=show_cards(dealt["box"]),
        dealer=show_cards(dealt["dealer"]),
    )
    return next(one.net_cents for one in settle(book, request).lines if one.spots == (table.bet,))


def test_known_figures() -> None:
    edges = {
        table.id: side_bet_figures(loaded.book, table.bet, table)
        for loaded in load_all()
        for table in side_bet_tables(loaded.book)
    }
    assert edges["MD-2014-3CB-A"].house_edge == Fraction(128, 5525)
    assert {
        name[-1]: f"{float(figures.house_edge):.4%}"
        for name, figures in edges.items()
        if name.startswith("SD-3CB")
    } == {"A": "2.3167%", "B": "5.5747%", "C": "7.2760%", "D": "2.1357%", "E": "5.3937%",
          "F": "7.0950%"}  # fmt: skip
    bonus = [edges[f"IS-0{number}"] for number in (1, 2, 3)]
    assert [f"{float(one.house_edge):.1%}" for one in bonus] == ["3.1%", "5.2%", "7.2%"]
    assert {f"{float(one.hit_frequency):.1%}" for one in bonus} == {"23.9%"}
    assert f"{float(edges['MD-2014-6CB-A'].hit_frequency):.4%}" == "7.2798%"
    assert len(edges) == len(EVERY_TABLE)


@pytest.mark.parametrize(
    ("table", "edges"),
    [
        ("MD-2014-6CB-A", ("12.99%", "18.10%", "18.74%", "19.12%")),
        ("MD-2014-6CB-B", ("17.41%", "18.98%", "19.18%", "19.30%")),
    ],
)
def test_fixed_prizes_are_worth_less_to_a_larger_stake(
    maryland: Rulebook, table: str, edges: tuple[str, ...]
) -> None:
    limit, fixed = edge_by_stake(maryland, "six_card_bonus", table)
    for dollars, edge in zip((1, 5, 10, 25), edges, strict=True):
        found = side_bet_figures(maryland, "six_card_bonus", table, dollars * 100).house_edge
        assert f"{float(found):.2%}" == edge
        assert found == limit - fixed / (dollars * 100)


def test_options_act(maryland: Rulebook) -> None:
    high = set_up(maryland, {"three_card_ace_low": False})
    edges = [
        side_bet_figures(high, "three_card_bonus", f"MD-2014-3CB-{letter}").house_edge
        for letter in "AE"
    ]
    assert [f"{float(edge):.2%}" for edge in edges] == ["4.87%", "9.85%"]
    kept = set_up(maryland, {"six_card_stake_returned": False})
    back, gone = (
        side_bet_figures(where, "six_card_bonus", "MD-2014-6CB-B").ev for where in (maryland, kept)
    )
    assert back - gone == Fraction(4, 20_358_520)


LIMITED = "the limit on payouts is this bet's alone"


def test_a_limit_on_the_island_bonus() -> None:
    book = load("island-stud").book
    limited = set_up(book, {"aggregate_limit": "500"})
    found = side_bet_figures(limited, "bonus", "IS-01", 100)
    assert LIMITED in found.assumptions
    assert found.lines[0].net == 500
    assert found.lines[1].net == 200
    assert LIMITED not in side_bet_figures(book, "bonus", "IS-01", 100).assumptions


def test_a_bonus_that_a_fold_loses_says_so() -> None:
    book = load("island-stud").book
    strict = set_up(book, {"fold_forfeits_side_bets": True})
    assert any("fold" in said for said in side_bet_figures(strict, "bonus", "IS-01").assumptions)


def test_printed_is_what_the_cells_say() -> None:
    book = load("south-dakota-3cb").book
    tables = {table.id[-1]: table for table in side_bet_tables(book)}
    printed = {
        letter: float(side_bet_figures(book, t.bet, t, reading="printed").house_edge)
        for letter, t in tables.items()
    }
    assert {letter: f"{edge:.1%}" for letter, edge in printed.items()} == {
        "A": "2.3%", "B": "-401.0%", "C": "-399.3%", "D": "-404.5%", "E": "39.3%", "F": "41.0%",
    }  # fmt: skip
    blank = replace(tables["A"], lines=tuple(replace(x, printed="") for x in tables["A"].lines))
    assert table_as_printed(blank) == blank


def test_one_wrong_cell_is_noticed(maryland: Rulebook) -> None:
    """Any payout one higher changes the value by just its share of the hands."""
    (table, *_) = side_bet_tables(maryland)
    before = side_bet_figures(maryland, table.bet, table)
    for place, line in enumerate(table.lines[:-1]):
        dearer = Pays.parse(f"{line.pays.amount + 1} to 1")
        lines = (*table.lines[:place], replace(line, pays=dearer), *table.lines[place + 1 :])
        after = side_bet_figures(maryland, table.bet, replace(table, lines=lines))
        assert after.ev - before.ev == before.lines[place].probability
