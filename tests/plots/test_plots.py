"""Pictures: well-formed, complete, true to the mathematics, and nothing printed over anything."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from riverboat.cli import run
from riverboat.core.cards import RANKS
from riverboat.core.errors import NotationError
from riverboat.exact.base_games.dealer_game import DealerSolution, solve_against_dealer
from riverboat.exact.base_games.streets import Solution, solve, starting_hands
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.wager import progressive_figures, progressive_setup
from riverboat.exact.side_bets import side_bet_figures, table_named
from riverboat.plots.axes import (
    WIDTH,
    Scale,
    Source,
    dollars,
    percent,
    signed,
    width_of,
    wrapped,
)
from riverboat.plots.charts import (
    HandRow,
    bars,
    dealer_chart,
    distribution_chart,
    hand_rows,
    line_chart,
    line_named,
    meter_chart,
    odds_of,
    points_of,
    strategy_chart,
)
from riverboat.round.setup.setup import Setup, set_up
from riverboat.rulebooks import load
from tests.exact.complete_strategy import StrategyRow, strategy_rows

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = Source("a-book", 1, "0123456789abcdef", "9.9")


@pytest.fixture(scope="module")
def setup() -> Setup:
    return set_up(load("maryland-2014").book, {})


@pytest.fixture(scope="module")
def solution(setup: Setup) -> Solution:
    return solve(setup, 100)


@pytest.fixture(scope="module")
def island() -> DealerSolution:
    return solve_against_dealer(set_up(load("island-stud").book, {}), 100)


# ---------------------------------------------------------------- reading a picture


class Box(NamedTuple):
    """Where words stand, about."""

    words: str
    left: float
    right: float
    top: float
    bottom: float


def boxes(svg: str) -> Iterator[Box]:
    for text in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        words, size = text.text or "", float(text.attrib["font-size"])
        x, y, wide = float(text.attrib["x"]), float(text.attrib["y"]), width_of(words, size)
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[text.attrib["text-anchor"]]
        yield Box(words, left, left + wide, y - 0.72 * size, y)


def check(svg: str) -> ElementTree.Element:
    """Well-formed, named, with its source; no words over others or beyond the paper."""
    root = ElementTree.fromstring(svg)
    height = float(root.attrib["viewBox"].split()[3])
    found = list(boxes(svg))
    for box in found:
        assert box.left >= -1, box
        assert box.right <= WIDTH + 1, box
        assert 0 <= box.top <= box.bottom <= height, box
    for a, b in combinations(found, 2):
        apart = a.right <= b.left or b.right <= a.left or a.bottom <= b.top or b.bottom <= a.top
        assert apart, (a, b)
    for x, y in on_curves(root):
        over = [box for box in found if box.left < x < box.right and box.top < y < box.bottom]
        assert not over, over
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    said = " ".join(box.words for box in found)
    assert "Source: a-book, revision 1, sha256 0123456789ab; riverboat 9.9" in said
    return root


def on_curves(root: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Places all along the full lines."""
    for curve in root.iter(f"{SVG}polyline"):
        if curve.get("class") == "curve":
            points = [tuple(map(float, p.split(","))) for p in curve.attrib["points"].split()]
            for (x1, y1), (x2, y2) in pairwise(points):
                for step in range(20):
                    yield x1 + (x2 - x1) * step / 20, y1 + (y2 - y1) * step / 20


def tips(root: ElementTree.Element, name: str) -> list[str]:
    drawn = [rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == name]
    return [rect.findtext(f"{SVG}title") or "" for rect in drawn]


# ---------------------------------------------------------------- strategy


def test_every_starting_hand_has_its_cell_and_its_choice(solution: Solution) -> None:
    svg = strategy_chart(solution, SOURCE, "Mississippi Stud")
    root = check(svg)
    cells = tips(root, "cell")
    hands = starting_hands(solution)
    assert sorted(tip.split(":")[0] for tip in cells) == sorted(hands)
    said = [box.words for box in boxes(svg)]
    for choice, word in ((0, "fold"), (1, "1x"), (3, "3x")):
        assert said.count(word) == sum(found.best == choice for found in hands.values())
    assert "bet 1x, 63.05 %" in said
    assert next(tip for tip in cells if tip.startswith("AA:")).startswith("AA: fold −1, bet 1x +")


def test_hands_of_one_suit_stand_right_of_the_diagonal(solution: Solution) -> None:
    root = check(strategy_chart(solution, SOURCE, "Mississippi Stud"))
    drawn = [rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == "cell"]
    columns = sorted({float(rect.attrib["x"]) for rect in drawn})
    lines = sorted({float(rect.attrib["y"]) for rect in drawn})
    hands, fills = starting_hands(solution), dict[int, set[str]]()
    for rect in drawn:
        name = (rect.findtext(f"{SVG}title") or "").split(":")[0]
        column = columns.index(float(rect.attrib["x"]))
        line = lines.index(float(rect.attrib["y"]))
        fills.setdefault(hands[name].best, set()).add(rect.attrib["fill"])
        assert name[2:] == ("s" if column > line else "o" if column < line else "")
        assert name[:2] == f"{RANKS[12 - min(line, column)]}{RANKS[12 - max(line, column)]}"
    assert sorted(len(used) for used in fills.values()) == [1, 1, 1]
    assert len(set.union(*fills.values())) == 3, "a colour for each choice"


@pytest.mark.slow
def test_every_up_card_has_its_cells(island: DealerSolution) -> None:
    root = check(dealer_chart(island, SOURCE, "Island Stud"))
    rows = [row for matches in (False, True) for row in hand_rows(island, matches)]
    shares = [share for row in rows for share in row.shares if share is not None]
    assert len(tips(root, "cell")) == len(shares)
    for matches in (False, True):
        _agrees(
            hand_rows(island, matches), [r for r in strategy_rows(island) if r.matches == matches]
        )


def _agrees(rows: tuple[HandRow, ...], complete: list[StrategyRow]) -> None:
    """Ace-high hands clearly below the band of the complete strategy fold, those above it bet."""
    second = {row.label[2]: row.shares for row in rows if re.fullmatch("A-[2-9TJQK]", row.label)}
    assert second
    for place, one in enumerate(complete):
        for rank, shares in second.items():
            if one.fold_up_to.startswith("A-") and below(rank, one.fold_up_to[2]):
                assert shares[place] in (0, None), (one, rank)
            if one.bet_from.startswith("A-") and below(one.bet_from[2], rank):
                assert shares[place] in (1, None), (one, rank)


def below(rank: str, other: str) -> bool:
    return RANKS.index(rank) < RANKS.index(other)


# ---------------------------------------------------------------- distribution


def test_the_bars_are_the_whole_distribution(solution: Solution) -> None:
    spread = solution.figures.distribution
    drawn = bars(spread)
    assert sum(bar.chance for bar in drawn) == 1
    assert (drawn[0].low, drawn[-1].high) == (spread.outcomes[0][0], spread.outcomes[-1][0])
    assert all(a.high < b.low for a, b in pairwise(drawn))
    root = check(distribution_chart(spread, SOURCE, "Mississippi Stud, best play"))
    assert len(tips(root, "bar")) == len(drawn)


def test_few_results_have_a_bar_each(setup: Setup) -> None:
    table = table_named(setup.book, "three_card_bonus", "MD-2014-3CB-A")
    spread = side_bet_figures(setup, table.bet, table).distribution
    assert [bar.label for bar in bars(spread)] == ["−1", "+1", "+4", "+6", "+30", "+40"]
    root = check(distribution_chart(spread, SOURCE, "Three Card Bonus", "wagers"))
    assert tips(root, "bar")[1] == "+1: 16.94 %"


def test_many_results_are_put_together_without_losing_any() -> None:
    spread = Distribution.of({Fraction(n): 1 for n in (*range(-30, 31), 999, 123_456)})
    drawn = bars(spread)
    assert len(drawn) < 40
    assert sum(bar.chance for bar in drawn) == 1
    assert [bar.label for bar in drawn[-3:]] == ["+21 to +30", "+999", "+123,456"]
    check(distribution_chart(spread, SOURCE, "Anything"))


# ---------------------------------------------------------------- edges


@pytest.mark.parametrize(
    ("name", "paytable"), [("maryland-2014", "MD-2014-PROG"), ("house-demo", "HD-PROG-2")]
)
def test_the_meter_chart_marks_seed_and_break_even(name: str, paytable: str) -> None:
    table = progressive_setup(load(name).book, paytable)
    found = progressive_figures(table)
    assert found.break_even_cents is not None
    svg = meter_chart(table, SOURCE, "Progressive")
    root = check(svg)
    words = [box.words for box in boxes(svg)]
    assert f"even at ${found.break_even_cents / 100:,.2f}" in words
    assert f"seed ${found.seed_cents / 100:,.0f}: {percent(found.house_edge)}" in words
    curve = next(line for line in root.iter(f"{SVG}polyline"))
    heights = [float(point.split(",")[1]) for point in curve.attrib["points"].split()]
    assert heights == sorted(heights), "more meter, less edge"


def test_a_moved_line_is_played_anew_and_never_worse_for_the_player(
    setup: Setup, solution: Solution
) -> None:
    assert setup.base is not None
    line = line_named(setup.base, "straight")
    points = points_of(setup, setup.base, line, 100)
    here = next(point for point in points if point.odds == 4)
    assert here.edge == here.unmoved == solution.house_edge
    assert all(point.edge <= point.unmoved for point in points)
    slopes = [(b.edge - a.edge) / (b.odds - a.odds) for a, b in pairwise(points)]
    assert slopes == sorted(slopes, reverse=True), "the best of straight lines bends one way"
    assert len(set(slopes)) > 3, "the play changes on the way"
    root = check(line_chart(setup, setup.base, line, 100, SOURCE, "Mississippi Stud"))
    assert {one.get("class") for one in root.iter(f"{SVG}polyline")} == {"curve", "unmoved"}


def test_the_edge_of_a_bonus_goes_straight_down(setup: Setup) -> None:
    table = table_named(setup.book, "three_card_bonus", "MD-2014-3CB-A")
    line = line_named(table, "Flush")
    points = points_of(setup, table, line, 100)
    slopes = {(b.edge - a.edge) / (b.odds - a.odds) for a, b in pairwise(points)}
    assert slopes == {-side_bet_figures(setup, table.bet, table).lines[3].probability}
    check(line_chart(setup, table, line, 100, SOURCE, "Three Card Bonus"))


def test_lines_are_found_by_label_or_hand(setup: Setup) -> None:
    table = setup.base
    assert table is not None
    assert line_named(table, "four_of_a_kind") is line_named(table, "Four-of-a-kind")
    assert odds_of(line_named(table, "Pair of 6s to 10s")) == 0
    assert odds_of(line_named(table, "any other hand")) == -1
    with pytest.raises(NotationError, match="no line 'five'; there are: Royal flush"):
        line_named(table, "five")


# ---------------------------------------------------------------- paper and pens


def test_ticks_are_round_and_words_fit() -> None:
    assert list(Scale(0, 300_000, 0, 1).ticks(5)) == [0, 100_000, 200_000, 300_000]
    assert [round(tick, 6) for tick in Scale(-0.02, 0.05, 0, 1).ticks(5)] == [
        -0.02, 0.0, 0.02, 0.04,
    ]  # fmt: skip
    assert Scale(0, 10, 100, 300)(5) == 200
    assert [dollars(x) for x in (0, 500, 25_000, 1_500_000)] == ["$0", "$500", "$25k", "$1.5M"]
    assert [signed(x) for x in (0, 3, Fraction(-1, 2))] == ["0", "+3", "−0.50"]
    words = "a long line of words that does not fit into the width of a phone in one piece at all"
    assert " ".join(wrapped(words, 11, 200)) == words
    assert all(width_of(line, 11) <= 200 for line in wrapped(words, 11, 200))


def test_markup_in_a_name_stays_text(solution: Solution) -> None:
    svg = distribution_chart(solution.figures.distribution, SOURCE, '<script>&"')
    assert "<script>" not in svg
    check(svg)


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    "arguments",
    [
        ("strategy", "maryland-2014"),
        ("distribution", "house-demo"),
        ("distribution", "maryland-2014", "--paytable", "MD-2014-6CB-A"),
        ("distribution", "south-dakota-2011", "--bet", "progressive"),
        ("edge-by-meter", "island-stud"),
        ("edge-by-line", "house-demo", "--line", "straight"),
        ("edge-by-line", "island-stud", "--bet", "bonus", "--line", "flush"),
    ],
)
def test_the_command_writes_a_picture(arguments: tuple[str, ...], tmp_path: Path) -> None:
    targets = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for target in targets:
        assert run(["plot", *arguments, "--output", str(target)]) == 0
    first, second = (target.read_text("utf-8") for target in targets)
    assert first == second
    assert re.search(rf"{arguments[1]}, revision \d+, sha256 [0-9a-f]{{12}}; riverboat", first)
    ElementTree.fromstring(first)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pie", "house-demo"), "no plot 'pie'; there are: strategy, distribution"),
        (("strategy", "house-demo", "--bet", "progressive"), "only the base game has a strategy"),
        (("edge-by-meter", "iowa-catfish-bend"), "has no progressive"),
        (("edge-by-line", "house-demo"), "name a --line of HD-BASE"),
        (("edge-by-line", "house-demo", "--bet", "progressive"), "goes with the meter"),
        (("edge-by-line", "maryland-2014", "--paytable", "MD-2014-6CB-A", "--line",
          "Super Royal of diamonds"), "has no odds"),
        (("edge-by-line", "island-stud", "--line", "pair"), "no pay table for base"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_one_line(
    arguments: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new.svg"
    assert run(["plot", *arguments, "--output", str(target)]) == 2
    assert said in capsys.readouterr().err
    assert not target.exists()


@pytest.mark.slow
def test_a_game_against_the_dealer_has_few_results(island: DealerSolution) -> None:
    spread = island.figures.distribution
    assert [bar.label for bar in bars(spread)] == ["−3", "−1", "0", "+2", "+3"]
    check(distribution_chart(spread, SOURCE, "Island Stud"))
