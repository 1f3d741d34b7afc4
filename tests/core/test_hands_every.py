"""Every hand there is, ranked one by one: the suit classes hide nothing.

The quick tests rank one hand of each suit class. These rank all 2,598,960 hands of five cards and
all 20,358,520 of six, in two processes, and must find every value exactly as often. Of fewer cards
the classes themselves are compared with what renaming the suits of every hand gives.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations, permutations
from math import comb
from multiprocessing import get_context

import pytest

from riverboat.core.cards import DECK, SUITS, Card
from riverboat.core.hands import Ranked, best_five_of_six, rank_five, super_royal_suit
from tests.conftest import Report
from tests.support.orbits import rename_suits, suit_classes, table

Value = tuple[Ranked, bool]
Evaluate = Callable[[tuple[Card, ...]], Value]
Values = Counter[Value]

PROCESS_COUNT = 2


def value_of_five(cards: tuple[Card, ...]) -> Value:
    return rank_five(cards), False


def value_of_six(cards: tuple[Card, ...]) -> Value:
    """The best five, and whether all six make a super royal."""
    return best_five_of_six(cards), super_royal_suit(cards) is not None


def values_behind(evaluate: Evaluate, first: Card, second: Card, card_count: int) -> Values:
    """The values of all hands whose two lowest cards are these."""
    higher = combinations(DECK[second + 1 :], card_count - 2)
    return Counter(evaluate((first, second, *others)) for others in higher)


def values_of_classes(evaluate: Evaluate, card_count: int) -> Values:
    values: Values = Counter()
    for cards, weight in suit_classes(card_count):
        values[evaluate(cards)] += weight
    return values


def add_up(parts: Iterable[Values], hand_count: int) -> Values:
    """The parts together, with a line of progress every ten seconds."""
    values: Values = Counter()
    began = said = time.monotonic()
    for part in parts:
        values.update(part)
        now = time.monotonic()
        if now - said >= 10:
            said = now
            print(
                f"{values.total():,} of {hand_count:,} hands in {now - began:.0f} s",
                file=sys.stderr,
            )
    return values


def values_of_every_hand(evaluate: Evaluate, card_count: int) -> Values:
    with ProcessPoolExecutor(PROCESS_COUNT, mp_context=get_context("spawn")) as processes:
        parts = [
            processes.submit(values_behind, evaluate, first, second, card_count)
            for first, second in combinations(DECK, 2)
        ]
        return add_up((part.result() for part in as_completed(parts)), comb(52, card_count))


@pytest.mark.parametrize("card_count", [1, 2, 3, 4])
def test_suit_classes_are_the_orbits_found_by_renaming_suits_of_every_hand(card_count: int) -> None:
    renamings = list(permutations(range(len(SUITS))))

    def orbit_name(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return min(tuple(sorted(rename_suits(cards, names))) for names in renamings)

    # Four cards come from the seven lowest ranks only: all thirteen would take several seconds.
    deck = DECK if card_count < 4 else DECK[:28]
    by_hand = Counter(map(orbit_name, combinations(deck, card_count)))
    by_class = {
        orbit_name(cards): weight
        for cards, weight in suit_classes(card_count)
        if max(cards) < len(deck)
    }
    assert by_class == by_hand


@pytest.mark.soak
@pytest.mark.parametrize(
    ("evaluate", "card_count", "hand_count", "value_count"),
    [(value_of_five, 5, 2_598_960, 7_462), (value_of_six, 6, 20_358_520, 6_076)],
)
def test_every_hand_has_the_value_of_its_suit_class(
    evaluate: Evaluate,
    card_count: int,
    hand_count: int,
    value_count: int,
    capsys: pytest.CaptureFixture[str],
    report: Report,
) -> None:
    with capsys.disabled():
        values = values_of_every_hand(evaluate, card_count)
    counted: Counter[str] = Counter()
    for (ranked, super_royal), count in sorted(values.items(), reverse=True):
        counted["super_royal" if super_royal else ranked.hand.label] += count
    report(table(f"every hand of {card_count} cards", counted))
    assert values.total() == hand_count
    assert len(values) == value_count
    assert values == values_of_classes(evaluate, card_count)
