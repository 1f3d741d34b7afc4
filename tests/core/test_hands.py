"""The evaluator names every hand rightly and puts all hands in one order.

Counting tests rank one hand of every suit class and weigh it; a run ends with what they counted.
Two further accounts of the five-card hands, written without the evaluator, must agree with it:
closed formulas for the counts, and a second evaluator that works on text.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations, pairwise, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.core.cards import DECK, SUITS, Card, parse_cards, show_card
from riverboat.core.errors import FouledDeck
from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.hands import (
    FiveCardHand,
    Ranked,
    RankedThree,
    ThreeCardHand,
    best_five_of_six,
    rank_five,
    rank_three,
    super_royal_suit,
)
from tests.conftest import Report
from tests.support.orbits import rename_suits, suit_classes, table

FIVE_CARD_COUNTS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pair": 123_552,
    "pair": 1_098_240,
    "high_card": 1_302_540,
}
SIX_CARD_COUNTS = {
    "super_royal": 4,
    "royal_flush": 184,
    "straight_flush": 1_656,
    "four_of_a_kind": 14_664,
    "full_house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three_of_a_kind": 732_160,
    "two_pair": 2_532_816,
    "pair": 9_730_740,
    "high_card": 6_612_900,
}
THREE_CARD_COUNTS = {
    "mini_royal": 4,
    "straight_flush": 44,
    "three_of_a_kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high_card": 16_440,
}

five_cards = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)
six_cards = st.lists(st.sampled_from(DECK), min_size=6, max_size=6, unique=True)
three_cards = st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True)
suit_renamings = st.permutations(range(len(SUITS)))


@cache
def five_card_classes() -> tuple[tuple[tuple[Card, ...], int], ...]:
    return tuple(suit_classes(5))


def five(text: str) -> Ranked:
    return rank_five(parse_cards(text))


def in_order_of(expected: Mapping[str, int], counted: Counter[str]) -> dict[str, int]:
    """The counts as the table lists them, with anything the table lacks at the end."""
    return {label: counted[label] for label in [*expected, *sorted(set(counted) - set(expected))]}


# Five cards.


def test_five_cards_fall_into_134459_suit_classes() -> None:
    assert len(five_card_classes()) == 134_459
    assert sum(weight for _, weight in five_card_classes()) == comb(52, 5) == 2_598_960
    assert len({frozenset(cards) for cards, _ in five_card_classes()}) == 134_459


def test_five_card_hands_are_as_many_of_each_kind_as_everybody_knows(report: Report) -> None:
    counted: Counter[str] = Counter()
    for cards, weight in five_card_classes():
        counted[rank_five(cards).hand.label] += weight
    report(table("five cards", in_order_of(FIVE_CARD_COUNTS, counted)))
    assert counted == FIVE_CARD_COUNTS


def test_the_known_counts_of_five_card_hands_follow_from_closed_formulas(report: Report) -> None:
    suits, ranks, straights = 4, 13, 10
    rank_sets = comb(ranks, 5) - straights
    formulas = {
        "royal_flush": suits,
        "straight_flush": (straights - 1) * suits,
        "four_of_a_kind": ranks * (52 - 4),
        "full_house": ranks * comb(4, 3) * (ranks - 1) * comb(4, 2),
        "flush": rank_sets * suits,
        "straight": straights * (suits**5 - suits),
        "three_of_a_kind": ranks * comb(4, 3) * comb(ranks - 1, 2) * suits**2,
        "two_pair": comb(ranks, 2) * comb(4, 2) ** 2 * (52 - 8),
        "pair": ranks * comb(4, 2) * comb(ranks - 1, 3) * suits**3,
        "high_card": rank_sets * (suits**5 - suits),
    }
    report(table("five cards by formula", formulas))
    assert formulas == FIVE_CARD_COUNTS
    assert sum(formulas.values()) == comb(52, 5)


def test_five_card_hands_have_exactly_7462_values(report: Report) -> None:
    values = {rank_five(cards) for cards, _ in five_card_classes()}
    report(table("five-card values", Counter(value.hand.label for value in sorted(values))))
    assert len(values) == 7_462


def text_value(cards: tuple[Card, ...]) -> tuple[str, str]:
    """A five-card hand's value by another road: text, patterns, and letters that sort as hands do.

    The first letter says what the hand is, from a (the lowest) to j; the rest are its cards in the
    order in which they are compared, each a letter from a (a two) to m (an ace).
    """
    texts = [show_card(card) for card in cards]
    held = Counter("abcdefghijklm"["23456789TJQKA".index(text[0])] for text in texts)
    groups = sorted(((count, letter) for letter, count in held.items()), reverse=True)
    grouped = "".join(letter * count for count, letter in groups)
    shape = "".join(str(count) for count, _ in groups)
    flush = "".join(text[1] for text in texts) in ("ccccc", "ddddd", "hhhhh", "sssss")
    if grouped == "mdcba":
        return ("i" if flush else "e", "dcba")
    if grouped in "mlkjihgfedcba":
        return ("j" if flush and grouped[0] == "m" else "i" if flush else "e", grouped)
    if flush:
        return ("f", grouped)
    return (
        {"41": "h", "32": "g", "311": "d", "221": "c", "2111": "b", "11111": "a"}[shape],
        grouped,
    )


def test_two_evaluators_agree_on_the_kind_and_the_order_of_every_hand() -> None:
    value_of_text: dict[tuple[str, str], Ranked] = {}
    for cards, _ in five_card_classes():
        text, value = text_value(cards), rank_five(cards)
        assert value_of_text.setdefault(text, value) == value
        assert "abcdefghij".index(text[0]) == value.hand
    in_text_order = [value_of_text[text] for text in sorted(value_of_text)]
    assert len(in_text_order) == 7_462
    assert all(lower < higher for lower, higher in pairwise(in_text_order))


@pytest.mark.parametrize(
    ("text", "hand", "ranks"),
    [
        ("Ah Kh Qh Jh Th", FiveCardHand.ROYAL_FLUSH, (12, 11, 10, 9, 8)),
        ("9s Ks Qs Js Ts", FiveCardHand.STRAIGHT_FLUSH, (11, 10, 9, 8, 7)),
        ("Ac 2c 3c 4c 5c", FiveCardHand.STRAIGHT_FLUSH, (3, 2, 1, 0, 12)),
        ("2c 2d 2h 2s Ad", FiveCardHand.FOUR_OF_A_KIND, (0, 12)),
        ("3c 3d 3h Ks Kd", FiveCardHand.FULL_HOUSE, (1, 11)),
        ("2h 4h 6h 8h Th", FiveCardHand.FLUSH, (8, 6, 4, 2, 0)),
        ("Ac 2d 3h 4s 5c", FiveCardHand.STRAIGHT, (3, 2, 1, 0, 12)),
        ("Ac Kd Qh Js Tc", FiveCardHand.STRAIGHT, (12, 11, 10, 9, 8)),
        ("2c 2d 2h As Kc", FiveCardHand.THREE_OF_A_KIND, (0, 12, 11)),
        ("2c 2d 3h 3s Ac", FiveCardHand.TWO_PAIR, (1, 0, 12)),
        ("6c 6d Ah 7s 2c", FiveCardHand.PAIR, (4, 12, 5, 0)),
        ("Qc Kd Ah 2s 3c", FiveCardHand.HIGH_CARD, (12, 11, 10, 1, 0)),
        ("2c 3d 4h 5s 7c", FiveCardHand.HIGH_CARD, (5, 3, 2, 1, 0)),
    ],
)
def test_five_cards_are_named_and_their_ranks_put_in_order(
    text: str, hand: FiveCardHand, ranks: tuple[int, ...]
) -> None:
    assert five(text) == (hand, ranks)


@pytest.mark.parametrize(
    "ascending",
    [
        ("Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c", "9c Td Jh Qs Kc", "Ac Kd Qh Js Tc"),
        ("Ac 2c 3c 4c 5c", "2c 3c 4c 5c 6c", "9c Tc Jc Qc Kc", "Ac Kc Qc Jc Tc"),
        ("2c 3c 4c 5c 7c", "Ac 2c 3c 4c 6c", "Ac Kc Qc Jc 9c"),
        ("2c 2d 2h 3s 3c", "2c 2d 2h As Ac", "3c 3d 3h 2s 2c"),
        ("3c 3d 2h 2s Ac", "4c 4d 2h 2s 3c", "4c 4d 3h 3s 2c"),
        ("Tc Td 9h 8s 7c", "Jc Jd 2h 3s 4c", "Jc Jd Kh 3s 2c", "Jc Jd Kh 4s 2c"),
        ("2c 3d 4h 5s 7c", "2c 2d 3h 4s 5c", "2c 2d 3h 3s 4c", "2c 2d 2h 3s 4c", "Ac 2d 3h 4s 5c"),
    ],
)
def test_these_hands_stand_in_this_order(ascending: tuple[str, ...]) -> None:
    assert all(five(lower) < five(higher) for lower, higher in pairwise(ascending))


@given(five_cards, suit_renamings, st.permutations(range(5)))
def test_neither_names_of_suits_nor_order_of_cards_change_a_hand(
    cards: list[Card], names: list[int], order: list[int]
) -> None:
    renamed = rename_suits(cards, names)
    assert rank_five([renamed[index] for index in order]) == rank_five(cards)


@given(five_cards, five_cards)
def test_of_two_hands_exactly_one_wins_or_they_tie(one: list[Card], other: list[Card]) -> None:
    mine, yours = rank_five(one), rank_five(other)
    assert (mine < yours) + (mine == yours) + (mine > yours) == 1
    assert (mine < yours) == (yours > mine)
    assert (mine.hand < yours.hand) <= (mine < yours)


# Three cards.


def three_card_counts(*, ace_low: bool) -> Counter[str]:
    return Counter(rank_three(cards, ace_low=ace_low).hand.label for cards in combinations(DECK, 3))


def test_three_card_hands_are_as_many_of_each_kind_as_everybody_knows(report: Report) -> None:
    counted = three_card_counts(ace_low=True)
    report(table("three cards", in_order_of(THREE_CARD_COUNTS, counted)))
    assert counted == THREE_CARD_COUNTS
    assert counted["mini_royal"] + counted["straight_flush"] == 48
    assert counted.total() == comb(52, 3) == 22_100


def test_without_a_low_ace_the_ace_two_three_hands_become_flushes_and_nothing(
    report: Report,
) -> None:
    suited, mixed = 4, 4**3 - 4
    expected = THREE_CARD_COUNTS | {
        "straight_flush": 40,
        "straight": 660,
        "flush": THREE_CARD_COUNTS["flush"] + suited,
        "high_card": THREE_CARD_COUNTS["high_card"] + mixed,
    }
    counted = three_card_counts(ace_low=False)
    report(table("three cards, ace high only", in_order_of(expected, counted)))
    assert counted == expected
    assert counted["mini_royal"] + counted["straight_flush"] == 44


def test_the_known_counts_of_three_card_hands_follow_from_closed_formulas() -> None:
    straights = 12
    rank_sets = comb(13, 3) - straights
    formulas = {
        "mini_royal": 4,
        "straight_flush": (straights - 1) * 4,
        "three_of_a_kind": 13 * comb(4, 3),
        "straight": straights * (4**3 - 4),
        "flush": rank_sets * 4,
        "pair": 13 * comb(4, 2) * (52 - 4),
        "high_card": rank_sets * (4**3 - 4),
    }
    assert formulas == THREE_CARD_COUNTS


@pytest.mark.parametrize("ace_low", [True, False])
def test_three_card_hands_have_exactly_741_values(ace_low: bool) -> None:
    values = {rank_three(cards, ace_low=ace_low) for cards in combinations(DECK, 3)}
    one_rank, two_ranks, three_ranks = 13, 13 * 12, comb(13, 3)
    assert len(values) == one_rank + two_ranks + 2 * three_ranks == 741


@pytest.mark.parametrize(
    ("text", "ace_low", "hand", "ranks"),
    [
        ("Qh Ah Kh", True, ThreeCardHand.MINI_ROYAL, (12, 11, 10)),
        ("Qh Ah Kh", False, ThreeCardHand.MINI_ROYAL, (12, 11, 10)),
        ("Jh Qh Kh", True, ThreeCardHand.STRAIGHT_FLUSH, (11, 10, 9)),
        ("Ah 2h 3h", True, ThreeCardHand.STRAIGHT_FLUSH, (1, 0, 12)),
        ("Ah 2h 3h", False, ThreeCardHand.FLUSH, (12, 1, 0)),
        ("2h 3h 4h", False, ThreeCardHand.STRAIGHT_FLUSH, (2, 1, 0)),
        ("9c 9d 9h", True, ThreeCardHand.THREE_OF_A_KIND, (7,)),
        ("Ac 2d 3h", True, ThreeCardHand.STRAIGHT, (1, 0, 12)),
        ("Ac 2d 3h", False, ThreeCardHand.HIGH_CARD, (12, 1, 0)),
        ("Ac Kd Qh", True, ThreeCardHand.STRAIGHT, (12, 11, 10)),
        ("Ac Kd Qh", False, ThreeCardHand.STRAIGHT, (12, 11, 10)),
        ("Kc Ad 2h", True, ThreeCardHand.HIGH_CARD, (12, 11, 0)),
        ("Kc Ac 2c", True, ThreeCardHand.FLUSH, (12, 11, 0)),
        ("Kc 2d 2h", True, ThreeCardHand.PAIR, (0, 11)),
    ],
)
def test_three_cards_are_named_and_their_ranks_put_in_order(
    text: str, ace_low: bool, hand: ThreeCardHand, ranks: tuple[int, ...]
) -> None:
    assert rank_three(parse_cards(text), ace_low=ace_low) == RankedThree(hand, ranks)


def test_with_three_cards_a_straight_beats_a_flush_and_ace_two_three_is_the_lowest() -> None:
    ascending = ["Ac Kc Jc", "Ac 2d 3h", "2c 3d 4h", "Ac Kd Qh", "2c 2d 2h", "Ac 2c 3c", "Ac Kc Qc"]
    values = [rank_three(parse_cards(text)) for text in ascending]
    assert all(lower < higher for lower, higher in pairwise(values))


@given(three_cards, suit_renamings, st.permutations(range(3)), st.booleans())
def test_neither_names_of_suits_nor_order_of_cards_change_a_hand_of_three(
    cards: list[Card], names: list[int], order: list[int], ace_low: bool
) -> None:
    renamed = rename_suits(cards, names)
    again = [renamed[index] for index in order]
    assert rank_three(again, ace_low=ace_low) == rank_three(cards, ace_low=ace_low)


# Six cards.


@pytest.mark.slow
def test_six_card_hands_are_as_many_of_each_kind_as_everybody_knows(report: Report) -> None:
    counted: Counter[str] = Counter()
    class_count = 0
    for cards, weight in suit_classes(6):
        class_count += 1
        super_royal = super_royal_suit(cards) is not None
        counted["super_royal" if super_royal else best_five_of_six(cards).hand.label] += weight
    report(table("six cards", in_order_of(SIX_CARD_COUNTS, counted)))
    less = counted["two_pair"] + counted["pair"] + counted["high_card"]
    report(f"six cards: two pair and less {less:,}; {class_count:,} suit classes")
    assert counted == SIX_CARD_COUNTS
    assert less == 18_876_456
    assert class_count == 962_988
    assert counted.total() == comb(52, 6) == 20_358_520


@given(six_cards)
def test_the_best_of_six_is_one_of_the_six_hands_of_five_and_no_other_beats_it(
    cards: list[Card],
) -> None:
    best = best_five_of_six(cards)
    fives = [rank_five([card for card in cards if card != left_out]) for left_out in cards]
    assert best in fives
    assert not any(value > best for value in fives)


@pytest.mark.parametrize("suit", range(4))
def test_nine_to_ace_in_one_suit_is_that_suits_super_royal_in_any_order(suit: int) -> None:
    name = SUITS[suit]
    cards = parse_cards(" ".join(rank + name for rank in "9TJQKA"))
    assert {super_royal_suit(order) for order in permutations(cards)} == {suit}
    assert best_five_of_six(cards).hand is FiveCardHand.ROYAL_FLUSH


@pytest.mark.parametrize(
    "text", ["Ah Kh Qh Jh Th 9d", "Ah Kh Qh Jh Th 8h", "Kh Qh Jh Th 9h 8h", "Ah Kd Qh Jh Th 9h"]
)
def test_one_wrong_card_makes_no_super_royal(text: str) -> None:
    assert super_royal_suit(parse_cards(text)) is None


# What every evaluator refuses, and what hands are called.

EVALUATORS = [(rank_three, 3), (rank_five, 5), (best_five_of_six, 6), (super_royal_suit, 6)]
Evaluator = Callable[[tuple[Card, ...]], object]


@pytest.mark.parametrize(("evaluate", "card_count"), EVALUATORS)
def test_a_wrong_number_of_cards_is_refused(evaluate: Evaluator, card_count: int) -> None:
    for wrong_count in {0, card_count - 1, card_count + 1, 52}:
        with pytest.raises(FouledDeck, match=f"{wrong_count} cards where {card_count}") as refusal:
            evaluate(DECK[:wrong_count])
        assert refusal.value.code == "hand.wrong_count"


@pytest.mark.parametrize(("evaluate", "card_count"), EVALUATORS)
def test_a_repeated_card_is_refused(evaluate: Evaluator, card_count: int) -> None:
    for place in range(1, card_count):
        cards = (*DECK[:place], DECK[0], *DECK[place + 1 : card_count])
        with pytest.raises(FouledDeck, match="more than once: 2c") as refusal:
            evaluate(cards)
        assert refusal.value.code == "deck.card_twice"


@pytest.mark.parametrize(("evaluate", "card_count"), EVALUATORS)
@pytest.mark.parametrize("number", [-1, 52])
def test_a_number_that_is_no_card_is_refused(
    evaluate: Evaluator, card_count: int, number: int
) -> None:
    with pytest.raises(FouledDeck, match="no such card") as refusal:
        evaluate((*DECK[: card_count - 1], number))
    assert refusal.value.code == "deck.unknown_card"


def test_hands_are_named_from_the_lowest_to_the_highest() -> None:
    assert [hand.label for hand in sorted(FiveCardHand)] == list(FIVE_CARD_COUNTS)[::-1]
    assert [hand.label for hand in sorted(ThreeCardHand)] == list(THREE_CARD_COUNTS)[::-1]


def test_hands_are_counted_and_not_estimated() -> None:
    counts: Counter[str] = Counter()
    for kind, count in five_card_counts().items():
        counts[kind.hand] += count
    assert counts == FIVE_CARD_COUNTS
