"""Rare hands of several seats: counted one way by the house, another way here."""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.hand_kinds import five_card_counts, kind_of_five
from riverboat.core.hands import Kind
from riverboat.exact.progressive.table_hands import (
    hands_of,
    kinds_without,
    own_and_other_apart,
    own_and_other_on_board,
    separate_hands,
    shared_board,
)

pytestmark = pytest.mark.slow

ROYAL, STRAIGHT_FLUSH = Kind("royal_flush"), Kind("straight_flush")
RARE = frozenset({ROYAL, STRAIGHT_FLUSH})
EVERY = frozenset(five_card_counts())


def test_hands_of_a_kind_are_as_many_as_the_formulas_say() -> None:
    for kind in (ROYAL, STRAIGHT_FLUSH, Kind("four_of_a_kind"), Kind("full_house")):
        hands = hands_of(frozenset({kind}))
        assert len({frozenset(hand) for hand, _ in hands}) == five_card_counts()[kind]


def test_kinds_of_a_whole_deck_and_of_what_is_left_of_one() -> None:
    assert kinds_without((), EVERY) == five_card_counts()
    held = parse_cards("As Ks Qs Js Ts 9s 9h 9d 8h 7h 6h 5h 4h 2c 2d 2h 2s")
    gone = [card for card in DECK if card not in held]
    counted: dict[Kind, int] = {}
    for hand in combinations(held, 5):
        kind = kind_of_five(hand)
        counted[kind] = counted.get(kind, 0) + 1
    assert kinds_without(gone, EVERY) == counted


def test_two_and_three_separate_hands_one_by_one() -> None:
    hands = [(frozenset(hand), kind) for hand, kind in hands_of(RARE)]
    seen: dict[tuple[Kind, ...], int] = {}
    for (a, first), (b, second) in permutations(hands, 2):
        if not a & b:
            seen[first, second] = seen.get((first, second), 0) + 1
    company = separate_hands(RARE, 7)
    for kinds, count in seen.items():
        assert company.together(kinds) == Fraction(count, comb(52, 5) * comb(47, 5))
    royals = 4 * 3 * 2
    three = Fraction(royals, comb(52, 5) * comb(47, 5) * comb(42, 5))
    assert company.together((ROYAL, ROYAL, ROYAL)) == three


def test_two_hands_on_one_board_share_exactly_three_cards() -> None:
    """Both use the whole board, so that the board is what the two straight flushes share."""
    hands = [(frozenset(hand), kind) for hand, kind in hands_of(RARE)]
    seen: dict[tuple[Kind, ...], int] = {}
    for (a, first), (b, second) in permutations(hands, 2):
        if len(a & b) == 3:
            kinds = tuple(sorted((first, second)))
            seen[kinds] = seen.get(kinds, 0) + (1 if first == second else 0)
            if (first, second) == (ROYAL, STRAIGHT_FLUSH):
                seen[kinds] += 1
    deals = comb(52, 3) * comb(49, 2) * comb(47, 2)
    company = shared_board(RARE, 6)
    for kinds, count in seen.items():
        assert company.together(kinds) == Fraction(count, deals)
    assert company.together((ROYAL,)) == Fraction(4, 2_598_960)
    assert company.together((ROYAL, ROYAL)) == 0
    assert max(map(len, company.chances)) == 2


@pytest.mark.parametrize("seats", [1, 2, 6, 7])
def test_rounds_are_all_there_is(seats: int) -> None:
    for company in (separate_hands(RARE, seats), shared_board(RARE, seats)):
        rounds = list(company.rounds(seats))
        assert sum(chance for _, chance in rounds) == 1
        for kind in RARE:
            mean = sum(order.count(kind) * chance for order, chance in rounds)
            assert mean == seats * company.together((kind,))


def test_ones_own_hand_beside_anothers() -> None:
    other = Fraction(40, 2_598_960)
    apart, shared = own_and_other_apart(EVERY, RARE), own_and_other_on_board(EVERY, RARE)
    assert sum(apart.values()) == sum(shared.values()) == other
    for pairs in (apart, shared):
        assert pairs[ROYAL, STRAIGHT_FLUSH] == pairs[STRAIGHT_FLUSH, ROYAL]
    assert shared[STRAIGHT_FLUSH, ROYAL] == shared_board(RARE, 2).together(RARE)
    # On a board of three ranks in one suit, three of a kind is a pocket pair of one of them.
    trips = sum(chance for (own, _), chance in shared.items() if own == Kind("three_of_a_kind"))
    assert trips == other * Fraction(9, 1081)
    # Apart: four of a kind needs a rank that the straight flush has no card of.
    fours = sum(chance for (own, _), chance in apart.items() if own == Kind("four_of_a_kind"))
    assert fours == other * Fraction(8 * 43, comb(47, 5))
