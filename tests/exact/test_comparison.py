"""The comparison sheet, its exposures and volatilities, and the commands about risk."""

import json
from fractions import Fraction
from io import StringIO
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

from riverboat.answers.odds import comparison_page
from riverboat.answers.page import print_page
from riverboat.cli import run
from riverboat.core.cards import DECK, parse_cards
from riverboat.core.hand_kinds import kind_of_five
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.base_games.streets import Solution, solve
from riverboat.exact.kernels.holes import BOARDS, PAIRS_OF_HOLES, board_sums
from riverboat.exact.progressive.wager import progressive_setup
from riverboat.exact.protection.knowledge import streets_of
from riverboat.exact.risk.comparison import (
    Sheet,
    Stakes,
    comparison_document,
    covariance,
    sheet_of,
)
from riverboat.exact.risk.exposure import base_exposure, bonus_exposure, progressive_exposure
from riverboat.round import set_up
from riverboat.round.setup.setup import Setup
from riverboat.rulebooks import load
from tests.exact.kept_apart import own_cache
from tests.exact.mississippi_witness import net

pytestmark = pytest.mark.slow


def table(book: str = "maryland-2014", **choices: str) -> Setup:
    return set_up(load(book).book, dict(choices))


def result(solution: Solution, hole: tuple[int, ...], board: tuple[int, ...]) -> Fraction:
    """A round played through, street by street."""
    bets: tuple[int, ...] = ()
    for street in range(3):
        choice = solution.choose((*hole, *board[:street]), bets)
        if not choice:
            return Fraction(solution.payoffs.folded[bets], solution.payoffs.unit)
        bets = (*bets, choice)
    return net(solution.payoffs, bets, kind_of_five((*hole, *board)))


# ---------------------------------------------------------------- volatility


@pytest.mark.slow
def test_hands_of_one_deal_hang_together_as_dealt_out() -> None:
    """Two boards with every two holes on them, in plain Python; and the mean of all boards."""
    setup = table()
    betting, solution = streets_of(setup), solve(setup)
    sums = board_sums(betting.tree)
    whole = sum(sums.total.ravel().tolist()) * betting.part
    assert Fraction(whole, BOARDS * 1176 * solution.payoffs.unit) == solution.value
    for text in ("Js 6c 6d", "9h Kh Qs"):
        board = parse_cards(text)
        holes = list(combinations([card for card in DECK if card not in board], 2))
        won = [result(solution, hole, board) for hole in holes]
        scale = Fraction(solution.payoffs.unit, betting.part)
        whole_numbers = [int(one * scale) for one in won]
        masks = [1 << one | 1 << other for one, other in holes]
        pairs = 0
        together = 0
        for mask, mine in zip(masks, whole_numbers, strict=True):
            for other, theirs in zip(masks, whole_numbers, strict=True):
                if not mask & other:
                    pairs += 1
                    together += mine * theirs
        assert pairs == PAIRS_OF_HOLES
        assert int(sums.together[board]) == together


@pytest.mark.slow
def test_the_covariance_by_simulation() -> None:
    setup = table()
    solution, draw = solve(setup), Random(3)
    products = []
    for _ in range(20_000):
        cards = draw.sample(DECK, 7)
        board = tuple(cards[4:])
        mine, theirs = (result(solution, tuple(cards[at : at + 2]), board) for at in (0, 2))
        products.append(float(mine * theirs))
    mean = sum(products) / len(products)
    spread = sqrt(sum((one - mean) ** 2 for one in products)) / len(products)
    exact = covariance(setup) + solution.value**2
    assert covariance(setup) > 0
    assert abs(mean - float(exact)) < 4 * spread


# ---------------------------------------------------------------- exposure


def test_one_seat_is_exposed_to_a_royal_flush() -> None:
    setup = table("south-dakota-2011")
    found = base_exposure(setup, 1, 2500)
    best = max(map(max, payoffs_of(setup, 2500).rows))
    assert found.cents == best == 500 * 10 * 2500


def test_several_seats_share_the_board() -> None:
    """Three seats by trying every three holes on the board of a royal flush."""
    setup = table("south-dakota-2011")
    found = base_exposure(setup, 3, 2500)
    payoffs = payoffs_of(setup, 2500)
    row = payoffs.rows[payoffs.paid[3, 3, 3]]
    wins = dict(zip([str(kind) for kind in setup.lines["base"]], row, strict=True))
    board = parse_cards("Qc Jc Tc")
    best = sorted(
        (
            (wins[str(kind_of_five((*hole, *board)))], hole)
            for hole in combinations([card for card in DECK if card not in board], 2)
        ),
        reverse=True,
    )[:40]
    most = max(
        sum(win for win, _ in three)
        for three in combinations(best, 3)
        if len({card for _, hole in three for card in hole}) == 6
    )
    assert found.cents == most
    assert found.attained


def test_a_limit_cuts_the_exposure() -> None:
    free, limited = table("south-dakota-2011"), table("maryland-2014")
    assert base_exposure(limited, 6, 2500).cents < base_exposure(free, 6, 2500).cents


def test_side_bets_are_exposed_by_what_seats_can_hold_at_once() -> None:
    shared = bonus_exposure(table(), "three_card_bonus", "MD-2014-3CB-A", 6, 500)
    assert shared.attained
    assert shared.cents == 6 * 40 * 500
    six = bonus_exposure(table(), "six_card_bonus", "MD-2014-6CB-A", 6, 500)
    assert not six.attained
    assert six.cents < 6 * 1_000_000_00
    progressive = progressive_exposure(progressive_setup(load("house-demo").book, "HD-PROG-2"), 7)
    assert progressive.cents > 0


# ---------------------------------------------------------------- the sheet


@pytest.fixture(scope="module")
def sheets() -> tuple[Sheet, ...]:
    books = [load(name).book for name in ("south-dakota-3cb", "house-demo", "island-stud")]
    return tuple(sheet_of(book, Stakes(seats=5, hours=Fraction(4))) for book in books)


def test_every_bet_of_every_rulebook_is_there(sheets: tuple[Sheet, ...]) -> None:
    for sheet in sheets:
        book = load(sheet.rulebook).book
        offered = [name for offer in book.side_bets for name in offer.paytables]
        listed = [one.paytable for one in sheet.bets]
        assert set(offered) <= set(listed)
        assert sheet.bets[0].bet == "base"
        assert sheet.seats == 5


def test_amounts_follow_from_the_edge(sheets: tuple[Sheet, ...]) -> None:
    for sheet in sheets:
        for one in sheet.bets:
            assert one.win_an_hour_cents == 5 * 45 * one.edge * one.wager_cents
            assert one.rating_cents == 4 * 45 * one.edge * one.wager_cents
            alone = sqrt(45 * 5) * one.deviation * one.wager_cents
            assert one.deviation_an_hour_cents >= alone * (1 - 1e-9)
            assert (one.liability_cents is None) == (one.bet != "progressive")


def test_a_table_gets_the_nearest_ante_that_it_takes() -> None:
    book = load("south-dakota-2011").book
    sheet = sheet_of(book, Stakes(ante_cents=100_00, seats=1), bet="base")
    assert [one.wager_cents for one in sheet.bets] == [2500]
    assert any("nearest" in note for note in sheet.bets[0].notes)


@pytest.mark.parametrize("width", [80, 140])
def test_the_page_fits(sheets: tuple[Sheet, ...], width: int) -> None:
    out = StringIO()
    print_page(Console(file=out, width=width, highlight=False), comparison_page(sheets))
    assert max(map(len, out.getvalue().splitlines())) <= width
    assert "House" not in out.getvalue() or "Worst round" in out.getvalue()


def test_the_sheet_for_scripts(sheets: tuple[Sheet, ...]) -> None:
    document = json.loads(json.dumps(comparison_document(sheets)))
    first = document["sheets"][0]["bets"][0]
    assert Fraction(first["house_edge"]) == Fraction(53223, 1082900)
    assert first["exposure"]["attained"]


# ---------------------------------------------------------------- commands


@pytest.fixture
def riverboat(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Any:
    own_cache(monkeypatch, tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = run(list(arguments))
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return call


def test_risk_on_the_command_line(riverboat: Any) -> None:
    asked = ("risk", "maryland-2014", "--rounds", "300", "--bankroll", "100", "--buy-in", "50",
             "--won=-40")  # fmt: skip
    status, words, err = riverboat(*asked)
    assert (status, err) == (0, "")
    assert "Is it luck?" in words
    assert "ruin is certain" in words
    assert "Win over drop" in words
    status, text, _ = riverboat(*asked, "--json")
    document = json.loads(text)
    assert Fraction(document["house_edge"]) == Fraction(53223, 1082900)
    assert document["luck"]["win_cents"] == -4000
    assert document["two_sided"] == 2 * min(document["luck"]["as_low"], document["luck"]["as_high"])
    assert 0 < document["ruin"]["ruined"] < 1
    assert document["sessions"][0]["percentiles"]["50"].startswith("-")


@pytest.mark.parametrize(
    "wrong",
    [
        ("risk", "maryland-2014", "--won=5"),
        ("risk", "maryland-2014", "--bet", "bonus"),
        ("risk", "maryland-2014", "--bet", "three_card_bonus", "--paytable", "X"),
        ("risk", "maryland-2014", "--wager", "0"),
        ("protect", "maryland-2014", "--pace", "0"),
        ("protect", "maryland-2014", "--hands", "-1"),
        ("protect", "maryland-2014", "--samples", "1"),
    ],
)
def test_what_cannot_be_asked(riverboat: Any, wrong: tuple[str, ...]) -> None:
    status, out, err = riverboat(*wrong)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_a_refused_table_says_why(riverboat: Any) -> None:
    status, out, _ = riverboat("risk", "maryland-2014", "--table", "seats=99")
    assert status == 1
    assert "seats" in out


def test_protection_on_the_command_line(riverboat: Any) -> None:
    asked = ("protect", "house-demo", "--wager", "10", "--hands", "0")
    status, words, err = riverboat(*asked)
    assert (status, err) == (0, "")
    assert "all three community cards" in words
    assert "floor decides" in words
    status, text, _ = riverboat(*asked, "--json")
    document = json.loads(text)
    assert [one["method"] for one in document["knowledge"]] == ["exact"] * 7
    first = document["knowledge"][0]
    assert first["gain_an_hour"] == pytest.approx(float(Fraction(first["gain"])) * 10 * 45)
