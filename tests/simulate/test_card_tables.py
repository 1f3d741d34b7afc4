"""Every look-up table against the readable evaluator."""

from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from riverboat.core.cards import DECK, rank_of, suit_of
from riverboat.core.hand_kinds import HANDS, kind_of_five, kind_of_six, kind_of_three, kind_of_two
from riverboat.core.hands import rank_five
from riverboat.exact.kernels.hand_values import hand_values
from riverboat.simulate import card_tables as c


def set_of(ranks: list[int]) -> int:
    """By its definition, without the table that adds cards."""
    return c.rank_sets().sets[len(ranks)].index(tuple(sorted(ranks)))


def test_every_hole_has_its_number_and_its_kind() -> None:
    seen: dict[int, tuple[tuple[int, ...], bool]] = {}
    kinds = list(HANDS["two"].kinds())
    for one, other in combinations(DECK, 2):
        number = int(c.hole_numbers()[one, other])
        assert number == c.hole_numbers()[other, one]
        ranks = tuple(sorted((rank_of(one), rank_of(other))))
        suited = suit_of(one) == suit_of(other)
        assert seen.setdefault(number, (ranks, suited)) == (ranks, suited)
        assert (number >= c.PAIRS) == suited
        assert c.rank_sets().sets[2][int(c.hole_ranks()[number])] == ranks
        assert kinds[int(c.kinds_of_two()[number])] == kind_of_two((one, other))
    assert len(seen) == c.HOLES


@pytest.mark.parametrize("ace_low", [False, True])
def test_every_three_cards(ace_low: bool) -> None:
    kinds, table = list(HANDS["three"].kinds()), c.kinds_of_three(ace_low)
    for cards in combinations(DECK, 3):
        one, two, three = map(rank_of, cards)
        suited = len(set(map(suit_of, cards))) == 1
        found = kinds[int(table[int(suited), (one * 13 + two) * 13 + three])]
        assert found == kind_of_three(cards, ace_low=ace_low)


@pytest.mark.slow
def test_five_cards_by_set_and_suit() -> None:
    dice, more, sets = Random(1), c.rank_sets().more, c.rank_sets().sets[5]
    values, kinds = c.values_of_five(), c.kinds_of_five()
    for _ in range(60_000):
        suit = dice.randrange(4) if dice.random() < 0.3 else None
        pool = [card for card in DECK if suit is None or suit_of(card) == suit]
        cards = tuple(dice.sample(pool, 5))
        ranks = list(map(rank_of, cards))
        number = ranks[0]
        for count, rank in enumerate(ranks[1:], start=1):
            number = int(more[count][number, rank])
        assert sets[number] == tuple(sorted(ranks))
        suited = len(set(map(suit_of, cards))) == 1
        assert c.FIVE[int(kinds[int(suited), number])] == kind_of_five(cards)
        if not suited:
            assert hand_values().ranked[int(values[number])] == rank_five(cards)
            parted = c.values_of_three_and_two()[set_of(ranks[:3]), set_of(ranks[3:])]
            assert parted == values[number]


def test_every_value_has_cards() -> None:
    examples = c.fives_by_value()
    assert set(examples) == set(hand_values().ranked)
    assert all(rank_five(cards) == value for value, cards in examples.items())


@pytest.mark.slow
def test_six_cards() -> None:
    """Those that are not of one suit by their sets, every one; those that are by their ranks."""
    table = c.kinds_of_six()
    fours, twos = c.rank_sets().sets[4], c.rank_sets().sets[2]
    dice = Random(2)
    for four, ranks in enumerate(fours):
        for two in dice.sample(range(len(twos)), 12):
            six = (*ranks, *twos[two])
            if max(six.count(rank) for rank in six) < 5:
                cards = _mixed(six)
                assert c.SIX[int(table[four, two])] == kind_of_six(cards), six
    for suit in range(4):
        for ranks in combinations(range(13), 6):
            mask = sum(1 << rank for rank in ranks)
            cards = tuple(rank * 4 + suit for rank in ranks)
            assert c.SIX[int(c.kinds_of_six_suited()[suit, mask])] == kind_of_six(cards)
        for ranks in combinations(range(13), 5):
            mask = sum(1 << rank for rank in ranks)
            other = dice.randrange(13) * 4 + (suit + dice.randrange(1, 4)) % 4
            cards = (*(rank * 4 + suit for rank in ranks), other)
            assert c.SIX[int(c.kinds_of_six_suited()[suit, mask])] == kind_of_six(cards)


def _mixed(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of these ranks of which no five are of one suit."""
    cards: list[int] = []
    for place, rank in enumerate(ranks):
        free = [suit for suit in range(4) if rank * 4 + suit not in cards]
        cards.append(rank * 4 + free[place % len(free)])
    for suits in combinations_with_replacement(range(4), 1):
        assert sum(suit_of(card) == suits[0] for card in cards) < 5
    return tuple(cards)
