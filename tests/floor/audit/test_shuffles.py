"""Whether opened decks look shuffled: stacked ones are named, and honest ones are left alone."""

from collections import Counter
from fractions import Fraction
from math import comb, exp, factorial
from pathlib import Path

import pytest

from riverboat.core.cards import DECK
from riverboat.core.fairness import cut_order
from riverboat.core.shuffling import scripted_entropy, shuffle
from riverboat.floor.audit.auditing import audit
from riverboat.floor.audit.shuffles import (
    FALSE_ALARM,
    TESTS,
    Shuffles,
    agreement,
    at_least,
    at_most,
)
from riverboat.rulebooks import editions
from tests.floor.house import SECRET, open_house, submitted

EACH = FALSE_ALARM / 2 / TESTS
"""What one test of one table may do by chance, where there is one table."""


def told(shuffles: Shuffles) -> str:
    found = shuffles.unlikely()
    return "" if found is None else str(found)


def decks(count: int, seed: str = "honest") -> list[tuple[int, ...]]:
    entropy = scripted_entropy(seed)
    return [shuffle(entropy) for _ in range(count)]


# ---------------------------------------------------------------- what is found


def test_54_decks_in_one_order_are_loud() -> None:
    """As they were found; and already two."""
    for count in (54, 2):
        shuffles = Shuffles()
        for _ in range(count):
            shuffles.sealed("T", DECK)
        assert f"{count} have one order, which begins 2c 2d 2h 2s 3c" in told(shuffles)


def test_one_order_turned_by_every_cut_is_found_as_it_was_sealed() -> None:
    shuffles = Shuffles()
    for number in range(20):
        shuffles.deal("T", cut_order(DECK, (number,)))
    assert told(shuffles) == "", "as dealt they are 20 orders that agree nowhere"
    for _ in range(20):
        shuffles.sealed("T", DECK)
    assert "of 20 decks as sealed" in told(shuffles)


def test_the_first_card_that_is_often_the_same_is_found_at_its_limit() -> None:
    """An ace on top of one deck in four, among 200: by the number at which chance is too rare."""
    cells, count = 52 * 52, 200
    limit = next(n for n in range(count) if 2 * cells * at_least(n, count, 52) < EACH)
    for aces, alarm in ((limit - 1, False), (limit, True)):
        shuffles = Shuffles()
        for number, deck in enumerate(decks(count)):
            rest = [card for card in deck if card != DECK[-1]]
            place = 0 if number < aces else 1 + number % 51
            shuffles.sealed("T", (*rest[:place], DECK[-1], *rest[place:]))
        assert bool(told(shuffles)) is alarm, told(shuffles)
    assert f"As lies at position 0 in {limit}" in told(shuffles)


def test_decks_that_are_alike_without_being_the_same_are_found() -> None:
    """Half of each deck is where it was in the one before."""
    shuffles = Shuffles()
    for deck in decks(12):
        lower = [card for card in deck if card >= 26]
        shuffles.sealed("T", (*DECK[:26], *lower))
    assert "two agree in" in told(shuffles)
    assert "positions on the average" in told(shuffles)


def test_a_depth_that_comes_too_often_is_found() -> None:
    shuffles = Shuffles()
    for number in range(60):
        shuffles.cut("T", 10 + number % 42, 10, 51)
    assert told(shuffles) == ""
    for _ in range(20):
        shuffles.cut("T", 26, 10, 51)
    assert "of 80 cuts between 10 and 51" in told(shuffles)
    assert "are 26 deep" in told(shuffles)


def test_one_table_of_many_is_named() -> None:
    shuffles = Shuffles()
    for number, deck in enumerate(decks(300)):
        shuffles.sealed(f"T{number % 30}", deck)
    assert told(shuffles) == ""
    for deck in decks(12, "others"):
        shuffles.sealed("T7", (DECK[0], *(card for card in deck if card)))
    found = shuffles.unlikely()
    assert found is not None
    assert found.table == "T7"


def test_a_floor_that_stacks_its_decks_is_not_true(tmp_path: Path) -> None:
    """Everything else about it is: chain, decisions, money, keys, openings."""
    with open_house(tmp_path) as house:
        house.open_table("T", submitted("iowa-catfish-bend", "T"))
        house.play("T", 2)
        assert audit(house.floor.ledger, editions(), SECRET).holds
        house.floor.orders["T"] = DECK
        house.play("T", 3)
        for secret in (SECRET, None):
            found = audit(house.floor.ledger, editions(), secret)
            assert not found.holds
            assert "have one order" in str(found.wrong)
            assert "table T" in str(found.wrong)


# ---------------------------------------------------------------- and what is not


@pytest.mark.parametrize("count", [1, 2, 3, 54, 3_000])
def test_honest_decks_are_left_alone(count: int) -> None:
    shuffles = Shuffles()
    for deck in decks(count, f"honest {count}"):
        shuffles.sealed("T", deck)
        shuffles.deal("T", cut_order(deck, (17,)))
    assert told(shuffles) == ""
    assert shuffles.tested == count


def test_tails_are_those_of_the_binomial_numbers() -> None:
    for trials, sides in ((1, 52), (7, 3), (54, 52), (200, 52)):
        p = Fraction(1, sides)
        exact = [comb(trials, n) * p**n * (1 - p) ** (trials - n) for n in range(trials + 1)]
        for n in range(trials + 1):
            above, below = float(sum(exact[n:])), float(sum(exact[: n + 1]))
            high, low = at_least(n, trials, sides), at_most(n, trials, sides)
            assert high == pytest.approx(above, rel=1e-9) or (high == 1.0 and n * sides <= trials)
            assert low == pytest.approx(below, rel=1e-9) or (low == 1.0 and n * sides >= trials)
            assert high >= above * (1 - 1e-9)
            assert low >= below * (1 - 1e-9)


def test_agreement_is_what_a_chi_square_measures() -> None:
    some = decks(40)
    places = Counter(cell for deck in some for cell in enumerate(deck))
    even = Fraction(40, 52)
    square = sum((places[n, card] - even) ** 2 / even for n in DECK for card in DECK)
    assert float(square) == pytest.approx(52 * 51 + 52 * 39 * (agreement(40, places.values()) - 1))


def test_positions_in_which_two_decks_agree_are_bounded_as_is_said() -> None:
    """E (1 + u)^M is at most e^u for the fixed points M of a permutation of 52: all are counted."""
    derangements = [1, 0]
    for n in range(2, 53):
        derangements.append((n - 1) * (derangements[-1] + derangements[-2]))
    chance = [Fraction(comb(52, m) * derangements[52 - m], factorial(52)) for m in range(53)]
    assert sum(chance) == 1
    for u in (Fraction(1, 10), Fraction(1), Fraction(10), Fraction(51)):
        mean = sum(share * (1 + u) ** m for m, share in enumerate(chance))
        assert float(mean) <= exp(u) * (1 + 1e-12)
