"""What the compiled tables say about the deck, against the readable evaluator and counting."""

from collections import Counter
from math import comb
from random import Random

import numpy as np

from riverboat.core.cards import DECK, Card
from riverboat.core.hand_kinds import kind_of_five
from riverboat.exact.base_games.street_payoffs import KINDS, sample_hands
from riverboat.exact.base_games.streets import hand_chances
from riverboat.exact.kernels.deck_tables import (
    FOURS,
    Cards,
    class_of,
    deck_by_classes,
    deck_in_short,
    number_in_short,
    representatives,
    set_counts,
)
from riverboat.exact.kernels.hand_values import kinds_of_hands
from tests.support.orbits import rename_suits, suit_classes


def test_all_hands_have_the_kind_that_the_readable_evaluator_finds() -> None:
    hands, weights = zip(*suit_classes(5), strict=True)
    found = kinds_of_hands(np.array(hands, np.int64))
    assert sum(weights) == comb(52, 5)
    numbers = {kind: number for number, kind in enumerate(KINDS)}
    expected = [numbers[kind_of_five(hand)] for hand in hands]
    assert found.tolist() == expected


def test_the_classes_are_those_that_renaming_suits_gives() -> None:
    for size, count in ((2, 169), (3, 1755), (4, 16432)):
        others = {class_of(cards): weight for cards, weight in suit_classes(size)}
        assert len(others) == count
        assert [others[number] for number in range(count)] == list(set_counts(size))
        assert [class_of(cards) for cards in representatives(size)] == list(range(count))


def test_a_class_does_not_change_with_order_or_names_of_suits() -> None:
    rng = Random(6)
    for _ in range(500):
        size = rng.choice((2, 3, 4))
        cards = rng.sample(DECK, size)
        renamed = rename_suits(cards, rng.sample(range(4), 4))
        rng.shuffle(renamed)
        assert class_of(renamed) == class_of(cards)
        if size == 4:
            assert number_in_short(renamed) == number_in_short(cards)


def _ways(deck: Cards, size: int, number: int) -> Counter[int]:
    start, to, ways = deck.ways[size - 2]
    entries = slice(int(start[number]), int(start[number + 1]))
    found: Counter[int] = Counter()
    for target, times in zip(to[entries].tolist(), ways[entries].tolist(), strict=True):
        found[target] += times
    return found


def _dealt(cards: tuple[Card, ...], short: bool) -> Counter[int]:
    """The same by dealing each card that is left."""
    more = [(*cards, card) for card in DECK if card not in cards]
    if len(cards) == 4:
        return Counter(KINDS.index(kind_of_five(hand)) for hand in more)
    if len(cards) == 3 and short:
        return Counter(map(number_in_short, more))
    return Counter(map(class_of, more))


def test_every_way_on_is_what_dealing_gives() -> None:
    rng = Random(7)
    for size in (2, 3, 4):
        classes = representatives(size)
        for number in rng.sample(range(len(classes)), min(len(classes), 400)):
            cards = classes[number]
            assert _ways(deck_by_classes(), size, number) == _dealt(cards, short=False)
            place = number_in_short(cards) if size == 4 else number
            assert _ways(deck_in_short(), size, place) == _dealt(cards, short=True)


def test_four_cards_in_short_are_as_many_as_there_are() -> None:
    found = {number_in_short(cards) for cards in representatives(4)}
    assert found <= set(range(1820 + 715))
    assert len(found) == 1820 + 715
    assert deck_in_short().ways[2].start.size == FOURS + 1 == 1820 + 715 + 1


def test_the_kinds_of_hand_come_as_often_as_combinatorics_says() -> None:
    chances = hand_chances()
    counts = {str(kind): chance * comb(52, 5) for kind, chance in chances.items()}
    assert counts["royal flush"] == 4
    assert counts["straight flush"] == 36
    assert counts["four of a kind"] == 13 * 48
    assert counts["full house"] == 13 * 4 * 12 * 6
    assert counts["flush"] == 4 * comb(13, 5) - 40
    assert counts["straight"] == 10 * 4**5 - 40
    assert counts["three of a kind"] == 13 * 4 * comb(12, 2) * 16
    assert counts["two pair"] == comb(13, 2) * 36 * 44
    assert counts["high card"] == (comb(13, 5) - 10) * (4**5 - 4)
    pairs = [count for name, count in counts.items() if name.startswith("pair")]
    assert pairs == [6 * comb(12, 3) * 64] * 13


def test_there_is_a_sample_of_each_kind() -> None:
    assert [kind_of_five(hand) for hand in sample_hands().values()] == list(KINDS)
