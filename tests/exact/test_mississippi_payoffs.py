"""Every cent of the payoffs is what a round at the table pays, for random tables and rounds."""

from random import Random

import pytest

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import kind_of_five
from riverboat.exact.base_games.street_payoffs import (
    KINDS,
    Payoffs,
    payoffs_of,
    sample_hands,
)
from riverboat.exact.rule_changes import without_limit
from riverboat.exact.solvers import is_streets
from riverboat.round import Setup, SetupRefused, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load, load_all

BOOKS = [found.book.id for found in load_all() if is_streets(found.book)]


def random_table(rng: Random, book: Rulebook) -> tuple[Setup, int]:
    """A table with odd units of payment and an ante that its limits allow."""
    while True:
        choices: dict[str, str | int | bool] = {
            "payout_unit": rng.choice(("0.01", "0.25", "1", "5")),
            "breakage": rng.choice(("house", "player")),
            "cap_scope": rng.choice(("player_hand", "table_round")),
            "pro_rata_unit": rng.choice(("0.01", "3")),
            "wager_unit": "0.01",
            "minimum": rng.choice(("1", "5")),
        }
        allowed = {
            name: value
            for name, value in choices.items()
            if name in book.options and not book.options[name].fixed
        }
        try:
            setup = set_up(book, allowed)
        except SetupRefused:
            continue
        low, high = setup.limits.ante.minimum_cents, setup.limits.ante.maximum_cents or 900_000
        unit = setup.limits.unit_cents
        ante = rng.choice((low, high, rng.randint(low, min(high, 9_999)), rng.randint(low, high)))
        return setup, max(low, ante // unit * unit)


def net_of_round(setup: Setup, ante: int, hand: tuple[int, ...], bets: tuple[int, ...]) -> int:
    """A whole round of one seat, to the close; fewer than three bets end in a fold."""
    actions: list[a.AnyAction] = [
        a.Wager(seat=1, spot="ante", cents=ante),
        a.CloseBets(),
        a.Deal(places={"1": hand[:2], "community": hand[2:]}),
    ]
    for bet in bets:
        actions += [a.Bet(seat=1, cents=bet * ante), a.Turn()]
    if len(bets) < 3:
        actions += [a.Fold(seat=1), a.Turn()]
    state = open_round(setup)
    for action in (*actions, a.SettleAll(), a.Close()):
        state = play(state, action)
    return state.seats[1].net_cents


def expected(payoffs: Payoffs, hand: tuple[int, ...], bets: tuple[int, ...]) -> int:
    if len(bets) < 3:
        return payoffs.folded[bets]
    return payoffs.rows[payoffs.paid[bets]][KINDS.index(kind_of_five(hand))]


@pytest.mark.parametrize("name", BOOKS)
def test_random_rounds_pay_to_the_cent(name: str) -> None:
    rng = Random(name)
    book = load(name).book
    cut = 0
    for _ in range(25):
        setup, ante = random_table(rng, book)
        payoffs = payoffs_of(setup, ante)
        cut += payoffs.capped
        samples = [*sample_hands().values()]
        for _ in range(24):
            hand = tuple(rng.choice((rng.sample(DECK, 5), list(rng.choice(samples)))))
            bets = tuple(rng.choice((1, 2, 3)) for _ in range(rng.choice((0, 1, 2, 3, 3, 3, 3))))
            assert net_of_round(setup, ante, hand, bets) == expected(payoffs, hand, bets)
        for hand in samples[:3]:
            bets = rng.choice(((3, 3, 3), (1, 3, 2), (2, 1, 1)))
            assert net_of_round(setup, ante, hand, bets) == expected(payoffs, hand, bets)
    limit = set_up(book, {}).aggregate_limit_cents
    assert bool(cut) == (limit is not None)


def test_odds_that_leave_parts_of_a_chip() -> None:
    """With payment in $5 it matters how a total is spread over the wagers."""
    setup = set_up(load("maryland-2014").book, {"payout_unit": "5"})
    payoffs = payoffs_of(setup, 7_00)
    hand = parse_cards("As Ad Kc 7h 2d")
    for bets in payoffs.paid:
        assert net_of_round(setup, 7_00, hand, bets) == expected(payoffs, hand, bets)
    assert len(payoffs.rows) > 7


def test_a_table_without_its_limit() -> None:
    setup = set_up(load("maryland-2014").book, {})
    assert setup.aggregate_limit_cents is not None
    assert without_limit(setup).aggregate_limit_cents is None
    assert not payoffs_of(without_limit(setup), 900_000).capped


def test_another_game_is_refused() -> None:
    with pytest.raises(NotationError):
        payoffs_of(set_up(load("island-stud").book, {}))
