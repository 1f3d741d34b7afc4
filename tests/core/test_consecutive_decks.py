"""A deck tells nothing about the next one: consecutive decks are tested for dependence.

Each test compares a deck with the one before it. Under independence its mean and its variance are
known exactly, and the sums over many pairs are uncorrelated, so that each gives a standard normal
score. The rule was fixed before the first run: one percent for the five tests together, so 0.2
percent for each, on both sides. The shuffle that must be caught swaps 26 pairs of the last deck:
each of its decks by itself is as random as can be.
"""

import random
from collections.abc import Iterator
from itertools import islice
from math import isclose, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from riverboat.core.cards import DECK
from riverboat.core.shuffling import scripted_entropy, shuffle
from tests.conftest import Report

DECKS = 20_000
LIMIT = 3.09
SIZE = len(DECK)
CENTRE = (SIZE - 1) / 2
SQUARES = SIZE * (SIZE**2 - 1) / 12
"""The sum of the squares of the cards' numbers around their middle."""

Decks = NDArray[np.int64]
Order = tuple[int, ...]


def fair() -> Iterator[Order]:
    entropy = scripted_entropy("consecutive decks")
    while True:
        yield shuffle(entropy)


def swapped() -> Iterator[Order]:
    """Every deck is the last one with 26 pairs swapped."""
    drawn = random.Random("a shuffle that remembers")
    deck = list(DECK)
    drawn.shuffle(deck)
    while True:
        yield tuple(deck)
        for _ in range(SIZE // 2):
            one, other = drawn.randrange(SIZE), drawn.randrange(SIZE)
            deck[one], deck[other] = deck[other], deck[one]


def taken(decks: Iterator[Order], count: int = DECKS) -> Decks:
    return np.array(list(islice(decks, count)))


def score(values: NDArray[np.float64] | Decks, mean: float, variance: float) -> float:
    return float((values.sum() - len(values) * mean) / sqrt(len(values) * variance))


def serial_correlation(decks: Decks) -> float:
    """The numbers of the cards that lie at the same place in two decks, multiplied."""
    around = decks - CENTRE
    return score((around[:-1] * around[1:]).sum(axis=1), 0, SQUARES**2 / (SIZE - 1))


def cards_that_stayed(decks: Decks) -> float:
    """How many cards lie where they lay: one is to be expected."""
    return score((decks[:-1] == decks[1:]).sum(axis=1), 1, 1)


def neighbours_that_stayed(decks: Decks) -> float:
    """How many cards are still followed by the card that followed them."""
    places = np.argsort(decks, axis=1)[1:]
    before = np.take_along_axis(places, decks[:-1, :-1], axis=1)
    after = np.take_along_axis(places, decks[:-1, 1:], axis=1)
    mean, twice = (SIZE - 1) / SIZE, (SIZE - 2) / SIZE
    return score((after == before + 1).sum(axis=1), mean, twice + mean - mean**2)


def runs(decks: Decks, place: int) -> float:
    """How often the card at a place goes from the lower half of the cards to the upper one or
    back, over all decks: as often as not, given how many there are of each."""
    high = decks[:, place] > CENTRE
    ups, count = int(high.sum()), len(high)
    found = 1 + int((high[:-1] != high[1:]).sum())
    mean = 1 + 2 * ups * (count - ups) / count
    variance = (mean - 1) * (mean - 2) / (count - 1)
    return (found - mean) / sqrt(variance)


def scores(decks: Decks) -> dict[str, float]:
    return {
        "serial correlation": serial_correlation(decks),
        "cards that stayed": cards_that_stayed(decks),
        "neighbours that stayed": neighbours_that_stayed(decks),
        "runs of the first card": runs(decks, 0),
        "runs of the last card": runs(decks, SIZE - 1),
    }


@pytest.mark.slow
def test_consecutive_decks_are_independent_and_a_shuffle_that_remembers_is_caught(
    report: Report,
) -> None:
    found, caught = scores(taken(fair())), scores(taken(swapped()))
    assert {name: value for name, value in found.items() if abs(value) > LIMIT} == {}
    assert {name for name, value in caught.items() if abs(value) > LIMIT} == set(caught)
    said = ", ".join(f"{name} {value:+.2f}" for name, value in found.items())
    report(f"{DECKS:,} consecutive decks, normal scores: {said}")


def test_the_scores_of_a_few_decks_are_as_reckoned_by_hand() -> None:
    up, down = tuple(DECK), tuple(reversed(DECK))
    same = np.array([up] * 3)
    assert isclose(serial_correlation(same), sqrt(2 * (SIZE - 1)))
    assert isclose(cards_that_stayed(same), sqrt(2) * (SIZE - 1))
    back = np.array([up, down])
    assert isclose(serial_correlation(back), -sqrt(SIZE - 1))
    assert neighbours_that_stayed(back) < 0 < neighbours_that_stayed(same)
    assert runs(np.array([up, down] * 50), 0) > LIMIT
    assert runs(np.array([up] * 50 + [down] * 50), 0) < -LIMIT
