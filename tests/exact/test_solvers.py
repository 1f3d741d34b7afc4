"""A base game's solver is found by the game's shape; a shape without one is refused in words."""

import io
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.documents.par.base_sheet import base_sheet
from riverboat.documents.par.par_file import par_file_of
from riverboat.exact.base_games.dealer_game import comparison_of
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.progressive.wager import joint_figures, progressive_figures, progressive_setup
from riverboat.exact.protection.knowledge import cards_known
from riverboat.exact.questions.advice import advise_in, read_situation
from riverboat.exact.questions.bet_odds import Odds
from riverboat.exact.questions.every_bet import work_out
from riverboat.exact.questions.question import Question
from riverboat.exact.risk.comparison import Stakes, sheet_of
from riverboat.exact.risk.exposure import base_exposure
from riverboat.exact.risk.sessions import base_wager
from riverboat.exact.rule_changes import base_lines_moved
from riverboat.exact.solvers import ByShape, base_table, best_play, is_solved, least_ante
from riverboat.plots.axes import Source
from riverboat.plots.charts import base_chart
from riverboat.round import Round, Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load, load_all
from riverboat.simulate.simulating import simulate
from riverboat.terminal.sitting import play_sitting
from riverboat.web.rounds.coaching import costs

CARIBBEAN = load("caribbean-demo").book
EDGE = Fraction(142031221, 2718662100)
"""Of Caribbean Stud, as published: 5.224 %."""
SOURCE = Source("test", 1, "0" * 64, "1")


def two_decisions() -> Rulebook:
    """The demo house where the last two community cards are turned together."""
    book = load("house-demo").book
    third, fourth, fifth = book.decisions
    flop = replace(fourth, reveal=replace(fourth.reveal, cards=2))
    assert fifth.spot in book.tips.on
    tips = replace(book.tips, on=tuple(spot for spot in book.tips.on if spot != fifth.spot))
    return replace(book, id="two-decisions", decisions=(third, flop), tips=tips)


UNSOLVED = two_decisions()


# ---------------------------------------------------------------- shapes


def test_every_rulebook_of_the_house_has_its_solver() -> None:
    shapes = {one.book.id: ByShape("streets", "dealer").of(one.book) for one in load_all()}
    for name, shape in shapes.items():
        book = load(name).book
        assert is_solved(book)
        assert (shape == "dealer") == (book.comparison is not None)
        assert base_table(book) in (
            {one.id for one in book.paytables} | {book.comparison.id if book.comparison else ""}
        )
    assert set(shapes.values()) == {"streets", "dealer"}


def test_the_shape_is_not_the_game() -> None:
    """Names, odds, multiples and folds are values; cards and what is seen are the shape."""
    book = load("maryland-2014").book
    third, *rest = book.decisions
    named = replace(book, game="prairie_stud", id="prairie")
    wider = replace(third, bet=replace(third.bet, multiples=(1, 9)))
    for same in (named, replace(named, decisions=(wider, *rest))):
        assert ByShape("streets", "dealer").of(same) == "streets"
    assert ByShape("streets", "dealer").of(CARIBBEAN) == "dealer"
    island = load("island-stud").book
    for other in (
        UNSOLVED,
        replace(book, deal=replace(book.deal, seat_cards=3, community_cards=2)),
        replace(island, deal=replace(island.deal, dealer_cards=7)),
        replace(island, dealers_hand=None),
    ):
        assert not is_solved(other)


def test_streets_are_called_as_the_rulebook_calls_them() -> None:
    """Other names of spots change no figure."""
    book, names = load("house-demo").book, {"third": "one", "fourth": "two", "fifth": "three"}

    def renamed(spots: Iterable[str]) -> tuple[str, ...]:
        return tuple(names.get(spot, spot) for spot in spots)

    decisions = tuple(
        replace(
            one, spot=names[one.spot], fold=replace(one.fold, forfeits=renamed(one.fold.forfeits))
        )
        for one in book.decisions
    )
    spots = replace(book.settlement.spots, order=renamed(book.settlement.spots.order))
    other = replace(
        book,
        decisions=decisions,
        tips=replace(book.tips, on=renamed(book.tips.on)),
        settlement=replace(book.settlement, spots=spots),
    )
    ours, theirs = (work_out(one, Question(bet="base")).find("base") for one in (book, other))
    assert ours.base is not None
    assert theirs.base is not None
    assert ours.ev == theirs.ev
    assert {names[spot]: share for spot, share in ours.base.folds.items()} == theirs.base.folds
    assert list(theirs.base.raises) == ["one", "two", "three"]
    drawn = base_chart(set_up(other, {}), 100, SOURCE, "")
    assert drawn == base_chart(set_up(book, {}), 100, SOURCE, "")
    assert base_sheet(set_up(other, {}), 100, SOURCE).grids == (
        base_sheet(set_up(book, {}), 100, SOURCE).grids
    )


def test_a_shape_without_a_solver_says_what_it_is_and_cites_the_deal() -> None:
    with pytest.raises(Refused) as refusal:
        ByShape(1, 2).of(UNSOLVED)
    assert refusal.value.code == "exact.no_solver"
    assert str(refusal.value) == (
        "two-decisions: this game's shape has no exact solver yet: 2 of the player, "
        "3 of the community; 2 decisions, against a pay table"
    )
    assert set(UNSOLVED.deal.cites) <= set(refusal.value.cites)


# ---------------------------------------------------------------- without a solver


def test_every_question_about_a_base_game_without_a_solver_is_refused_so() -> None:
    setup = set_up(UNSOLVED, {})
    situation = read_situation(UNSOLVED, "Ah Kd")
    questions: tuple[Callable[[], object], ...] = (
        lambda: work_out(UNSOLVED, Question(bet="base")),
        lambda: advise_in(UNSOLVED, situation),
        lambda: best_play(setup, 100),
        lambda: base_wager(setup, 100),
        lambda: base_exposure(setup, 3, 100),
        lambda: list(base_lines_moved(setup, 100)),
        lambda: list(cards_known(setup, 100)),
        lambda: sheet_of(UNSOLVED, Stakes(), bet="base"),
        lambda: simulate(UNSOLVED, 10),
        lambda: base_chart(setup, 100, SOURCE, ""),
        lambda: base_sheet(setup, 100, SOURCE),
        lambda: payoffs_of(setup, 100),
    )
    for number, question in enumerate(questions):
        with pytest.raises(Refused) as refusal:
            question()
        assert refusal.value.code == "exact.no_solver", number


LOST = [bet for bet, rule in UNSOLVED.fold.side_bets.items() if rule.after_fold == "forfeited"]
"""Bets that a fold loses: their figures need to know what is folded."""


def test_its_other_bets_have_their_figures() -> None:
    """What goes by cards alone is the same as where the base game is solved."""
    told, solved = (work_out(book, Question()) for book in (UNSOLVED, load("house-demo").book))
    assert [(one.bet, one.refused.code) for one in told.not_offered if one.bet == "base"] == [
        ("base", "exact.no_solver")
    ]
    by_cards = {key: edge for key, edge in _edges(solved).items() if key[0] not in ("base", *LOST)}
    assert _edges(told) == by_cards
    unsolved = {one.bet for one in told.not_offered if one.refused.code == "exact.no_solver"}
    assert unsolved == {"base", *LOST}


def _edges(odds: Odds) -> dict[tuple[str, str], Fraction]:
    return {(one.bet, one.paytable): one.ev for one in odds.bets}


def test_its_sheets_are_those_of_its_other_bets() -> None:
    loaded = load("house-demo")._replace(book=UNSOLVED)
    bets = {sheet.bet for sheet in par_file_of(loaded).sheets}
    assert bets == {offer.bet for offer in UNSOLVED.side_bets} - set(LOST)
    with pytest.raises(Refused, match="no exact solver"):
        par_file_of(loaded, Question(bet="base"))


def test_bots_and_coaches_say_so_and_the_table_plays_on() -> None:
    """In the terminal and on the web: words instead of figures, and no crash."""
    sat, report = _sitting(coached=True)
    assert "The coach has no figures: two-decisions: this game's shape has no exact solver" in sat
    assert len(report["rounds"]) == 1
    refused, report = _sitting(best=True)
    assert "no exact solver" in refused
    assert report["refused"]["code"] == "exact.no_solver"
    state = Round(setup=set_up(UNSOLVED, {}))
    assert costs(state, 1).words.startswith("two-decisions: this game's shape has no exact solver")


def _sitting(**asked: bool) -> tuple[str, dict[str, Any]]:
    output, script = io.StringIO(), io.StringIO("\nc\n1\n1\nq\n")
    _, report = play_sitting(
        UNSOLVED, seats=3, seat=2, seed=7, input=script, output=output, **asked
    )  # fmt: skip
    return " ".join(output.getvalue().split()), report


def test_a_game_is_not_asked_by_the_other_shape() -> None:
    with pytest.raises(NotationError, match="no game of three streets"):
        payoffs_of(set_up(CARIBBEAN, {}), 100)
    with pytest.raises(AssertionError, match="not played against a dealer"):
        comparison_of(set_up(load("house-demo").book, {}))


# ---------------------------------------------------------------- Caribbean Stud, every question


@pytest.fixture(scope="module")
def caribbean() -> Setup:
    return set_up(CARIBBEAN, {})


def test_every_question_about_caribbean_stud(caribbean: Setup) -> None:
    base = work_out(CARIBBEAN, Question(bet="base")).find("base")
    assert base.ev == -EDGE
    assert base.base is not None
    assert any(
        "Caribbean" in one.name and one.cost < Fraction(1, 1000) for one in base.base.simpler
    )
    assert base_wager(caribbean, 100).edge == EDGE
    assert sheet_of(CARIBBEAN, Stakes(), bet="base").bets[0].edge == EDGE
    royal = 100 + 100 * 200
    assert base_exposure(caribbean, 3, 100).cents == 3 * royal
    situation = read_situation(CARIBBEAN, "Ac Kd Qh Js 9c", upcard="2h")
    assert advise_in(CARIBBEAN, situation)[0].best == "bet"
    sheet = base_sheet(caribbean, 100, SOURCE)
    assert sheet.house_edge == EDGE
    paid = sheet.grids[0]
    assert paid.head == ("Outcome", "With", "Ante", "Bet", "Clauses")
    assert paid.rows[0][:4] == ("Dealer does not qualify", "any hand", "1 to 1", "push")
    assert "Bet or fold" in base_chart(caribbean, 100, SOURCE, "Caribbean")


@pytest.mark.slow
def test_what_moves_and_what_is_known_in_caribbean_stud(caribbean: Setup) -> None:
    moved = {one.line: one for one in base_lines_moved(caribbean, 100)}
    push = moved["dealer does not qualify: bet"]
    assert push.house_edge == EDGE
    assert push.one_more is not None
    assert push.one_more < EDGE < (push.one_less or EDGE + 1)
    (known,) = cards_known(caribbean, 100)
    assert known.base == -EDGE
    assert known.gain > Fraction(4, 100)


def test_the_progressive_beside_caribbean_stud() -> None:
    """A fold keeps or loses it, as the option says; the paying hands are never folded."""
    table = next(one.id for one in CARIBBEAN.paytables if one.bet == "progressive")
    kept, lost = (
        progressive_setup(CARIBBEAN, table, options={"fold_forfeits_side_bets": flag})
        for flag in (False, True)
    )
    assert progressive_figures(kept).ev == progressive_figures(lost).ev
    joint = joint_figures(lost)
    assert joint.base == -EDGE * least_ante(lost)
