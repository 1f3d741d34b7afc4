"""Simulated rounds beside the exact figures, and the play that they are played by."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from riverboat.core.cards import DECK
from riverboat.core.errors import NotationError, Refused
from riverboat.exact.questions.advice import Situation, advise_at, known_to
from riverboat.exact.solvers import best_play
from riverboat.round import Round, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.round.setup.choices import every_side_bet
from riverboat.round.streets import deal_out, seat_to_act
from riverboat.rulebooks import load, rulebook_ids
from riverboat.simulate.simulating import (
    MOST_ROUNDS,
    Simulated,
    simulate,
    simulation_document,
)

pytestmark = pytest.mark.slow

ROUNDS = 500_000


@pytest.fixture(scope="module")
def simulated() -> dict[str, Simulated]:
    return {name: simulate(load(name).book, ROUNDS, seed=11) for name in rulebook_ids()}


@pytest.mark.parametrize("name", rulebook_ids())
def test_simulated_and_exact_results_agree(simulated: dict[str, Simulated], name: str) -> None:
    found = simulated[name]
    assert {"base", *(offer.bet for offer in load(name).book.side_bets)} <= {
        one.bet for one in found.bets
    }
    for one in found.bets:
        assert one.z is not None
        assert abs(one.z) < 4, one


def test_a_wrong_exact_figure_would_be_noticed(simulated: dict[str, Simulated]) -> None:
    base = simulated["island-stud"].bets[0]
    assert 0.3 / base.standard_error > 4.5, "thirty points off are seen even in so few rounds"


@pytest.mark.parametrize("strategy", ["never-fold", "compact", "always-most"])
def test_other_ways_to_play_have_their_own_exact_figures(strategy: str) -> None:
    best = simulate(load("maryland-2014").book, ROUNDS, seed=2)
    found = simulate(load("maryland-2014").book, ROUNDS, seed=2, strategy=strategy)
    assert found.strategy == strategy
    for one in found.bets:
        assert one.z is None or abs(one.z) < 4, one
    base, theirs = found.bets[0], best.bets[0]
    assert base.exact is not None
    assert theirs.exact is not None
    assert base.exact < theirs.exact
    three = {one.bet: one for one in found.bets}["three_card_bonus"]
    assert three.exact is not None, "no fold loses it in Maryland"


def test_against_a_dealer_too() -> None:
    found = simulate(load("caribbean-demo").book, ROUNDS, seed=2, strategy="never-fold")
    base = found.bets[0]
    assert base.z is not None
    assert abs(base.z) < 4
    assert base.exact is not None
    assert base.exact < -0.1


OWN = """
def careful(cards, bets):
    ranks = [card[0] for card in cards.split()]
    return 1 if len(set(ranks)) < len(ranks) or ranks[0] in "AKQJ" else 0

def caribbean(cards, up_card):
    return 2 if cards.split()[0][0] in "AK" else 0

def wrong(cards, bets):
    return 7

def broken(cards, bets):
    return cards[99]
"""


def test_a_players_own_way(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    found = simulate(load("house-demo").book, ROUNDS, seed=1, strategy=f"{file}:careful")
    assert found.bets[0].z is not None
    assert abs(found.bets[0].z) < 4
    against = simulate(load("caribbean-demo").book, ROUNDS, seed=1, strategy=f"{file}:caribbean")
    assert against.bets[0].exact is None
    for name, said in (
        ("wrong", "it says 7; 0, 1, 2, 3 is right"),
        ("broken", "IndexError"),
        ("other", "has no function other"),
    ):
        with pytest.raises(NotationError, match=said):
            simulate(load("maryland-2014").book, 10, strategy=f"{file}:{name}")
    for strategy in ("", "clever", "nowhere.py:play", f"{file}", "a:b:c"):
        with pytest.raises(NotationError, match="`strategy`"):
            simulate(load("maryland-2014").book, 10, strategy=strategy)


def test_the_same_seed_plays_the_same_rounds() -> None:
    book = load("house-demo").book
    one, again, other = (simulate(book, 60, seats=2, seed=seed) for seed in (5, 5, 6))
    assert one.bets == again.bets
    assert one.bets != other.bets
    assert (one.seats, one.rounds, one.seed) == (2, 60, 5)


def test_scripts_are_told_what_the_contract_names(simulated: dict[str, Simulated]) -> None:
    document = simulation_document(simulated["maryland-2014"])
    assert document["rounds"] == ROUNDS
    assert document["seats"] == 6
    assert document["rounds_per_second"] == pytest.approx(ROUNDS / document["seconds"])
    base = document["bets"][0]
    assert base["bet"] == "base"
    assert base["exact_ev"] == "-53223/1082900"
    assert base["exact"] == float(Fraction(-53223, 1082900))
    assert base["z"] == pytest.approx((base["mean"] - base["exact"]) / base["standard_error"])


def test_what_cannot_be_simulated_is_said() -> None:
    book = load("maryland-2014").book
    with pytest.raises(NotationError, match="`rounds` 1: at least 2"):
        simulate(book, 1)
    with pytest.raises(NotationError, match="at most 100,000,000,000"):
        simulate(book, MOST_ROUNDS + 1)
    with pytest.raises(Refused, match="seats 7"):
        simulate(book, 10, seats=7)


def dealt(name: str, dice: random.Random) -> Round:
    setup = set_up(load(name).book, {"seats": 1})
    state = open_round(setup)
    ante = setup.limits.ante.minimum_cents
    state = play(play(state, a.Wager(seat=1, spot="ante", cents=ante)), a.CloseBets())
    deck = list(DECK)
    dice.shuffle(deck)
    return play(state, a.Deal(places=deal_out(setup, [1], deck)))


@pytest.mark.parametrize("name", ["maryland-2014", "house-demo", "island-stud"])
def test_what_is_looked_up_is_what_the_adviser_says(name: str) -> None:
    """The look-up by class against every card dealt out: two roads to one decision."""
    dice = random.Random(3)
    decide = best_play(dealt(name, dice).setup, 500)
    seen = 0
    while seen < 25:
        state = dealt(name, dice)
        while state.phase in ("deciding", "turning"):
            if seat_to_act(state) is None:
                state = play(state, a.Turn())
                continue
            action = decide(state, 1)
            assert told(state, action) == advised(state)
            seen += 1
            state = play(state, action)


def told(state: Round, action: a.AnyAction) -> str:
    if isinstance(action, a.Fold):
        return "fold"
    assert isinstance(action, a.Bet)
    times = action.cents // state.seats[1].wagers["ante"]
    return "bet" if state.dealer else f"{times}x"


def advised(state: Round) -> str:
    situation = Situation(
        cards=state.seats[1].cards,
        board=state.community[: state.turned],
        bets=known_to(state, 1).bets,
        up_card=state.dealer[0] if state.dealer else None,
    )
    return advise_at(state.setup, situation, 500).best


def test_every_side_bet_is_on_the_table_unless_another_table_is_named() -> None:
    book = load("maryland-2014").book
    first = every_side_bet(book)
    assert first == {
        "three_card_bonus": "MD-2014-3CB-A",
        "six_card_bonus": "MD-2014-6CB-A",
        "progressive": "MD-2014-PROG",
    }
    other = {"three_card_bonus": "MD-2014-3CB-E"}
    found = simulate(book, 2, seats=4, table=other)
    played = {one.bet: one.paytable for one in found.bets if one.bet in first}
    assert (played, found.seats) == ({**first, **other}, 4)
