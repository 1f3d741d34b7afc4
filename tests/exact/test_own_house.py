"""A house's own rulebook: other seats, streets, pushes, odds and folds, as exact as any."""

from fractions import Fraction
from random import Random

import pytest

from riverboat.core.cards import parse_cards
from riverboat.exact.base_games import streets as m
from riverboat.exact.base_games.street_payoffs import KINDS, payoffs_of
from riverboat.exact.base_games.street_strategies import costs
from riverboat.exact.kernels.deck_tables import representatives
from riverboat.exact.questions.advice import Situation, advise_at
from riverboat.exact.questions.every_bet import work_out
from riverboat.exact.questions.question import Question
from riverboat.plots.charts import line_named, odds_of, points_of
from riverboat.round import Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.simulate.simulating import simulate
from tests.exact.mississippi_witness import Witness, net
from tests.exact.own_house import (
    FORFEITED,
    ONE_TO_FIVE,
    OTHER_ODDS,
    PUSH_FROM_FIVES,
    SEATS,
    UNLIKE,
    forfeits,
    own_house,
)

pytestmark = pytest.mark.slow

ROYAL = KINDS[0]


def house(*streets: tuple[str, str]) -> Rulebook:
    """Eight seats, pairs of fives to tens push, "1000 to 2" and "5 to 2", folds that forfeit."""
    return own_house(
        "maryland-2014", SEATS, *PUSH_FROM_FIVES, *OTHER_ODDS, *streets, *map(forfeits, FORFEITED)
    )


def table(book: Rulebook, **choices: str) -> Setup:
    return set_up(book, choices)


# ---------------------------------------------------------------- the aggregate limit


@pytest.mark.parametrize(
    ("streets", "minimum", "largest", "smallest"),
    [
        (ONE_TO_FIVE, "10", 80_000_00, 50_000_00),
        (ONE_TO_FIVE, "6.25", 50_000_00, 50_000_00),
        (ONE_TO_FIVE, "6.26", 50_080_00, 50_000_00),
        (ONE_TO_FIVE, "25.01", 200_080_00, 50_020_00),
        (UNLIKE, "10", 65_000_00, 50_000_00),
        (UNLIKE, "20", 130_000_00, 70_000_00),
        ((), "10.01", 50_050_00, 50_000_00),
    ],
)
def test_the_limit_s_second_limb_goes_by_the_house_s_own_streets_and_odds(
    streets: tuple[tuple[str, str], ...], minimum: str, largest: int, smallest: int
) -> None:
    """The minimum ante with all streets at their largest, or smallest, at 1000 to 2."""
    book = house(*streets)
    assert table(book, minimum=minimum).aggregate_limit_cents == largest
    least = table(book, minimum=minimum, cap_second_limb_streets="1")
    assert least.aggregate_limit_cents == smallest


def test_a_royal_flush_is_cut_by_that_limit_from_the_next_cent_on() -> None:
    setup = table(house(*ONE_TO_FIVE), minimum="10")
    at, above = payoffs_of(setup, 10_00), payoffs_of(setup, 10_01)
    assert not at.capped
    assert net(at, (5, 5, 5), ROYAL) == 16 * 500
    assert above.capped
    assert net(above, (5, 5, 5), ROYAL) == Fraction(80_000_00, 10_01)


def test_odds_to_more_than_one_count_as_what_they_are() -> None:
    """A limb from the best line, and not from the largest number: 1000 to 50 is 20 to 1."""
    few = ('printed = "100 to 1", pays = "100 to 1"', 'printed = "1000 to 50", pays = "1000 to 50"')
    none = ('printed = "500 to 1", pays = "500 to 1"', 'printed = "20 to 1", pays = "20 to 1"')
    setup = table(own_house("maryland-2014", few, none), minimum="200")
    assert setup.aggregate_limit_cents == 200_00 * 10 * 40  # four of a kind


# ---------------------------------------------------------------- the base game, twice


@pytest.mark.parametrize("streets", [ONE_TO_FIVE, UNLIKE])
def test_the_whole_game_by_another_reduction(streets: tuple[tuple[str, str], ...]) -> None:
    setup = table(house(*streets))
    assert m.solve(setup, 2_00).value == Witness(setup, 2_00).whole_game()


@pytest.mark.parametrize("streets", [ONE_TO_FIVE, UNLIKE])
def test_sampled_hands_by_the_plain_witness(streets: tuple[tuple[str, str], ...]) -> None:
    setup = table(house(*streets), minimum="2")
    witness, solution, rng = Witness(setup, 2_00), m.solve(setup, 2_00), Random(5)
    for _ in range(12):
        cards = tuple(rng.sample(range(52), 4))
        for seen in (3, 4):
            bets = tuple(rng.choice(street) for street in witness.multiples[: seen - 2])
            confirmed = witness.choices(cards[:seen], bets)
            assert [*confirmed.values()] == [*solution.worth(cards[:seen], bets).values()]
            situation = Situation(cards=cards[:2], board=cards[2:seen], bets=bets)
            said = advise_at(setup, situation, 2_00)
            assert said.choices == confirmed
            best = solution.choose(cards[:seen], bets)
            assert said.best == (f"{best}x" if best else "fold")


def test_the_best_play_bets_the_least_or_the_most_of_a_street() -> None:
    figures = m.solve(table(house(*ONE_TO_FIVE)), 1_00).figures
    for made in figures.bets.values():
        assert [times for times, share in made.items() if share] == [1, 5]
    assert m.solve(table(house(*UNLIKE)), 1_00).figures.bets["fourth"][2] == 0


def test_simpler_ways_to_play_bet_what_the_streets_take() -> None:
    solution = m.solve(table(house(*ONE_TO_FIVE)), 1_00)
    found = {one.rules.name: one for one in costs(solution.payoffs)}
    assert {"always 1x", "always 5x"} <= set(found)
    assert all(one.cost >= 0 for one in found.values())
    for name, times in (("always 1x", 1), ("always 5x", 5)):
        assert found[name].figures.average_wager == 1 + 3 * times
    assert found["points and draws"].cost < Fraction(2, 100)
    lines = [line for street in found["points and draws"].rules.streets for line in street]
    assert {line.bet for line in lines} == {1, 5}
    assert lines[-1].words == "three middle cards after a bet of 5x"
    unlike = {one.rules.name for one in costs(m.solve(table(house(*UNLIKE)), 1_00).payoffs)}
    assert {"always 2x or 1x or 3x", "always 4x or 5x or 3x"} <= unlike


def test_a_line_that_pays_five_to_two_is_moved_from_there() -> None:
    setup = table(house())
    assert setup.base is not None
    line = line_named(setup.base, "Three-of-a-kind")
    assert odds_of(line) == Fraction(5, 2)
    points = {point.odds: point for point in points_of(setup, setup.base, line, 2_00)}
    assert points[Fraction(5, 2)].edge == points[Fraction(5, 2)].unmoved
    assert points[Fraction(5, 2)].edge == m.solve(setup, 2_00).house_edge
    assert odds_of(line_named(setup.base, "Royal flush")) == 500


# ---------------------------------------------------------------- odds and rounds


@pytest.mark.parametrize("streets", [ONE_TO_FIVE, UNLIKE])
def test_odds_and_simulated_rounds_agree(streets: tuple[tuple[str, str], ...]) -> None:
    book = house(*streets)
    odds, found = work_out(book, Question()), simulate(book, 1500, seed=13)
    assert found.seats == 8
    assert {one.bet for one in found.bets} == {
        "base", "three_card_bonus", "six_card_bonus", "progressive", "envy",
    }  # fmt: skip
    for one in found.bets:
        assert odds.find(one.bet, one.paytable).ev == one.exact
        assert one.z is not None
        assert abs(one.z) < 4, one


def test_a_seat_s_advice_names_every_multiple_of_its_street() -> None:
    setup = table(house(*UNLIKE))
    hole, board = parse_cards("Ah Kd"), parse_cards("Qs 2c")
    names = [
        [*advise_at(setup, Situation(cards=hole, board=board[:seen], bets=bets), 1_00).choices]
        for seen, bets in ((0, ()), (1, (4,)), (2, (2, 5)))
    ]
    assert names == [["fold", "2x", "4x"], ["fold", "1x", "2x", "5x"], ["fold", "3x"]]


def test_every_class_of_starting_hands_is_there() -> None:
    from riverboat.exact.base_games.streets import starting_hands

    solution = m.solve(table(house(*ONE_TO_FIVE)), 1_00)
    assert len(starting_hands(solution)) == len(representatives(2))
    assert {one.best for one in starting_hands(solution).values()} == {0, 1, 5}
