"""Mississippi Stud solved: known figures, a second way to each, limits, ties, joint play."""

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.hands import Kind
from riverboat.exact.base_games import streets as m
from riverboat.exact.base_games.street_payoffs import KINDS, payoffs_of, with_extra
from riverboat.exact.base_games.street_strategies import (
    COMPACT,
    PUBLISHED,
    SHORTER,
    as_strategy,
    costs,
)
from riverboat.exact.base_games.streets import situations, starting_hands
from riverboat.exact.kernels.deck_tables import deck_by_classes, deck_in_short
from riverboat.exact.kernels.street_plans import backward, betting_of, forward
from riverboat.exact.questions.every_bet import base_odds
from riverboat.exact.solvers import is_streets
from riverboat.round import Setup, set_up
from riverboat.rulebooks import load, load_all
from tests.exact.mississippi_witness import Witness

BOOKS = [found.book.id for found in load_all() if is_streets(found.book)]
DOLLAR = 100


def table(name: str = "maryland-2014", **choices: str) -> Setup:
    return set_up(load(name).book, choices)


def is_capped(setup: Setup, ante: int) -> bool:
    base = base_odds(setup, ante).base
    return base is not None and base.capped


def test_the_known_figures() -> None:
    solution = m.solve(table(), DOLLAR)
    figures = solution.figures
    assert solution.value == figures.value == Fraction(-53223, 1082900)
    assert figures.average_wager == Fraction(74757, 20825)
    assert round(float(figures.element_of_risk) * 100, 4) == 1.3691
    folding = solution.figures_folding_ties
    assert round(float(folding.element_of_risk) * 100, 4) == 1.4109
    assert folding.value == solution.value
    assert sum(figures.distribution.win_push_loss) == 1


def test_everything_that_happens_adds_up() -> None:
    solution = m.solve(table(), DOLLAR)
    figures = solution.figures
    assert figures.distribution.total == m.CASES
    left = Fraction(1)
    for street in solution.payoffs.spots:
        assert figures.folds[street] + sum(figures.bets[street].values()) == left
        left -= figures.folds[street]
    assert sum(figures.hands_unfolded.values()) == left
    every = m.hand_chances()
    assert all(figures.hands_unfolded[kind] <= every[kind] for kind in KINDS)
    assert figures.hands_unfolded[KINDS[0]] == every[KINDS[0]]  # Nobody folds towards a royal.


@pytest.mark.parametrize("name", BOOKS)
def test_the_value_of_every_rulebook(name: str) -> None:
    """All documents print one base pay table; the made-up house pays a straight 5 to 1."""
    straight = str(table(name).lines["base"][KINDS[5]].pays)
    expected = {"4 to 1": Fraction(-53223, 1082900), "5 to 1": Fraction(-671, 17850)}
    assert m.solve(table(name)).value == expected[straight]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["maryland-2014", "house-demo"])
def test_the_whole_game_by_another_reduction(name: str) -> None:
    setup = table(name)
    ante = max(DOLLAR, setup.limits.ante.minimum_cents)
    assert m.solve(setup, ante).value == Witness(setup, ante).whole_game()


@pytest.mark.parametrize("ante", [DOLLAR, 150_00, 2500_00])
def test_both_decks_have_the_same_best_play(ante: int) -> None:
    payoffs = payoffs_of(table(), ante)
    for ties_bet in (True, False):
        short, full = betting_of(payoffs), betting_of(payoffs, apart=True)
        quick = backward(deck_in_short(), short.tree, ties_bet=ties_bet)
        slow = backward(deck_by_classes(), full.tree, ties_bet=ties_bet)
        assert quick.values[0].tolist() == slow.values[0].tolist()
        assert quick.choices[0].tolist() == slow.choices[0].tolist()
        counted = [
            flow.choices[2].sum(axis=0).tolist()
            for flow in (
                forward(deck_in_short(), short.tree, quick.choices),
                forward(deck_by_classes(), full.tree, slow.choices),
            )
        ]
        assert counted[0] == counted[1]


@pytest.mark.slow
def test_a_limit_bites_from_some_ante_on() -> None:
    """Ten antes at 500 to 1 pass $50,000 above $10; the best play never has ten on a royal."""
    setup = table(minimum="1")
    assert not payoffs_of(setup, 10_00).capped
    assert payoffs_of(setup, 10_01).capped
    assert not is_capped(setup, 10_01)
    assert is_capped(setup, 50_00)
    witness = Witness(setup, 150_00, limit=50_000_00)
    assert m.solve(setup, 150_00).value == witness.whole_game()


def test_twice_the_ante_is_best_under_a_low_limit() -> None:
    """With four of a kind after two bets of 3x, 2x wins all that the limit allows at $150."""
    setup = table(minimum="1")
    ante = 150_00
    solution = m.solve(setup, ante)
    assert solution.figures.bets["fifth"][2] == Fraction(13 * 4 * 3 * 2, 52 * 51 * 50 * 49)
    cards, bets = parse_cards("9s 9h 9d 9c"), (3, 3)
    assert solution.choose(cards, bets) == 2
    found = Witness(setup, ante, limit=50_000_00).choices(cards, bets)
    assert [*found.values()] == [*solution.worth(cards, bets).values()]


def test_twice_the_ante_is_strictly_best_somewhere() -> None:
    setup = table("house-demo")
    ante = 150_00
    solution = m.solve(setup, ante)
    witness = Witness(setup, ante, limit=100_000_00, from_odds=100)
    every = [(found, list(found.choices.values())) for found in situations(solution, "fourth")]
    best = [found for found, worths in every if found.best == 2 and worths.count(max(worths)) == 1]
    assert best
    for found in best[:3]:
        confirmed = witness.choices(found.cards, found.bets)
        assert [*confirmed.values()] == [*found.choices.values()]
        assert max(confirmed, key=lambda name: confirmed[name]) == "2x"


def test_results_beyond_the_machine_s_integers() -> None:
    """An award in such fine parts of a cent that sums pass 64 bits is still added exactly."""
    payoffs = payoffs_of(table("south-dakota-2011"), DOLLAR)
    odd = with_extra(payoffs, {KINDS[0]: Fraction(1, 3**30)})
    assert betting_of(odd).tree.results.dtype == object
    solution = m.Solution(odd)
    assert solution.value > m.Solution(payoffs).value
    chance = solution.figures.hands_unfolded[KINDS[0]]
    added = chance * Fraction(1, 3**30 * DOLLAR)
    assert solution.value - m.Solution(payoffs).value == added


def test_any_multiples_that_a_rulebook_allows() -> None:
    book = load("maryland-2014").book
    third, fourth, fifth = book.decisions
    wide = replace(fifth, bet=replace(fifth.bet, multiples=(1, 5)))
    narrow = replace(third, bet=replace(third.bet, multiples=(2,)))
    setup = set_up(replace(book, decisions=(narrow, fourth, wide)), {})
    solution = m.solve(setup, DOLLAR)
    figures = solution.figures
    assert solution.value == figures.value
    assert set(figures.bets["third"]) == {2}
    assert set(figures.bets["fifth"]) == {1, 5}
    assert m.evaluate(solution.payoffs, solution.choose).value == solution.value


@pytest.mark.slow
@pytest.mark.parametrize("ante", [DOLLAR, 150_00])
def test_a_solution_played_as_a_strategy_is_worth_its_value(ante: int) -> None:
    for ties in ("bet", "fold"):
        solution = m.solve(table(), ante, ties=ties)
        played = m.evaluate(solution.payoffs, solution.choose)
        assert played == solution.figures


@pytest.mark.slow
def test_what_simpler_ways_cost() -> None:
    found = {cost.rules.name: cost for cost in costs(payoffs_of(table(), DOLLAR))}
    assert found[PUBLISHED.name].cost == 0
    assert found[COMPACT.name].cost == Fraction(1583, 1624350)
    assert found[SHORTER.name].cost == Fraction(15601, 3248700)
    assert all(cost.cost >= 0 for cost in found.values())
    chances, row = m.hand_chances(), payoffs_of(table(), DOLLAR).rows[0]
    plain = sum(chances[kind] * net for kind, net in zip(KINDS, row, strict=True))
    for name, bets in (("always 1x", 1), ("always 3x", 3)):
        figures = found[name].figures
        assert figures.average_wager == 1 + 3 * bets
        assert not any(figures.folds.values())
        assert figures.value == plain / 400 * (1 + 3 * bets)


@pytest.mark.slow
def test_a_way_to_play_is_worth_what_playing_it_brings() -> None:
    """The compact lines on 40,000 random rounds, hand by hand: within five standard errors."""
    payoffs = payoffs_of(table(), DOLLAR)
    figures = m.evaluate(payoffs, as_strategy(COMPACT, payoffs))
    play, rng, witness = as_strategy(COMPACT, payoffs), Random(8), Witness(table(), DOLLAR)
    rounds, total = 40_000, 0
    for _ in range(rounds):
        cards = tuple(rng.sample(DECK, 5))
        bets: tuple[int, ...] = ()
        while len(bets) < 3 and (bet := play(cards[: len(bets) + 2], bets)):
            bets = (*bets, bet)
        stakes = DOLLAR * (1 + sum(bets))
        total += witness.net(bets, witness.kind(cards)) if len(bets) == 3 else -stakes
    error = figures.distribution.standard_deviation / rounds**0.5
    assert abs(total / DOLLAR / rounds - float(figures.value)) < 5 * error


def test_joint_play_is_never_worse_and_sometimes_better() -> None:
    setup = table()
    extra = {KINDS[0]: 300 * 1000_00, KINDS[1]: 30 * 1000_00, KINDS[2]: 300_00, KINDS[3]: 50_00}
    alone, both = m.solve(setup, 500), m.solve(setup, 500, extra_cents=extra)
    paid, paid_for_both = alone.payoffs, both.payoffs
    separate = m.evaluate(paid_for_both, alone.choose).value
    assert both.value > separate
    assert m.evaluate(paid, both.choose).value < alone.value == Fraction(-53223, 1082900)
    chances = alone.figures.hands_unfolded
    apart = sum(chances[kind] * cents for kind, cents in extra.items())
    assert separate == alone.value + Fraction(apart) / 500
    assert m.solve(setup, 500, extra_cents={}).value == alone.value


def test_joint_play_against_the_witness() -> None:
    """The same situations with the award added to what the pay table says, card by card."""
    setup = table()
    extra = {KINDS[0]: 100_000_00, KINDS[1]: 10_000_00, KINDS[4]: 25_00}
    solution = m.solve(setup, 500, extra_cents=extra)

    class WithAward(Witness):
        def reckon(self, bets: tuple[int, ...], kind: Kind) -> int:
            return super().reckon(bets, kind) + extra.get(kind, 0)

    witness = WithAward(setup, 500)
    for text, bets in (("9s 8s 7s", (1,)), ("Ts 4h 3s 2s", (1, 1)), ("As Ks Qs 2s", (1, 3))):
        cards = parse_cards(text)
        assert [*witness.choices(cards, bets).values()] == [*solution.worth(cards, bets).values()]


@pytest.mark.slow
def test_the_chart_of_starting_hands() -> None:
    chart = starting_hands(m.solve(table(), DOLLAR))
    assert len(chart) == 169
    assert sum(found.card_sets for found in chart.values()) == 1326
    assert {name for name, found in chart.items() if found.best == 3} == {
        rank * 2 for rank in "23456789TJQKA"
    }
    assert chart["65s"].best == 1
    assert chart["65o"].best == chart["T5s"].best == 0
    fifth = list(situations(m.solve(table(), DOLLAR), "fifth", (1, 1)))
    assert len(fifth) == 16432
    assert all(len(found.choices) == 4 for found in fifth)
