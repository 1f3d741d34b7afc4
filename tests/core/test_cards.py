"""Cards have one spelling each, and a fouled deck is always refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.core.cards import (
    DECK,
    RANKS,
    SUITS,
    Card,
    check_deck,
    check_distinct,
    parse_card,
    parse_cards,
    rank_of,
    show_card,
    show_cards,
    suit_of,
)
from riverboat.core.errors import FouledDeck, NotationError

some_cards = st.lists(st.sampled_from(DECK), unique=True)


def test_the_deck_has_every_rank_in_every_suit_once() -> None:
    assert len(DECK) == 52
    assert {(RANKS[rank_of(card)], SUITS[suit_of(card)]) for card in DECK} == {
        (rank, suit) for rank in "23456789TJQKA" for suit in "cdhs"
    }


def test_a_card_is_four_times_its_rank_and_its_suit() -> None:
    assert [rank_of(card) * 4 + suit_of(card) for card in DECK] == list(DECK)


@pytest.mark.parametrize(
    ("text", "card"),
    [("2c", 0), ("2d", 1), ("2h", 2), ("2s", 3), ("3c", 4), ("Ah", 50), ("As", 51)],
)
def test_a_card_keeps_its_number(text: str, card: Card) -> None:
    assert parse_card(text) == card
    assert show_card(card) == text


def test_every_card_is_read_as_it_is_shown() -> None:
    assert [parse_card(show_card(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize(
    "text",
    ["", "A", "h", "ah", "AH", "aH", "hA", "1h", "Ax", "Ahh", " Ah", "Ah ", "A h", "A♥", "51"],
)
def test_any_other_spelling_of_a_card_is_refused_and_named(text: str) -> None:
    with pytest.raises(NotationError, match="23456789TJQKA and a suit of cdhs") as refusal:
        parse_card(text)
    assert refusal.value.code == "card.unknown"
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize("value", [51, 5.0, True, None, b"Ah", ["Ah"], {"Ah": 1}])
def test_only_text_is_read_as_cards(value: Any) -> None:
    for read in (parse_card, parse_cards):
        with pytest.raises(NotationError, match="instead of text is no card") as refusal:
            read(value)
        assert refusal.value.code == "card.unknown"


def test_a_ten_written_with_two_digits_is_refused_with_a_hint() -> None:
    with pytest.raises(
        NotationError, match="'10h' is no card: write T for ten, as in Th"
    ) as refusal:
        parse_card("10h")
    assert refusal.value.code == "card.unknown"


@given(st.text(max_size=3))
def test_whatever_text_is_read_is_the_one_spelling_of_its_card(text: str) -> None:
    try:
        card = parse_card(text)
    except NotationError:
        return
    assert show_card(card) == text


def test_cards_are_read_in_the_order_given_with_any_blanks_between() -> None:
    assert parse_cards("Ah Td") == (50, 33)
    assert parse_cards("  Td\tAh\n") == (33, 50)
    assert parse_cards("") == ()


@given(some_cards)
def test_cards_are_read_as_they_are_shown(cards: list[Card]) -> None:
    assert parse_cards(show_cards(cards)) == tuple(cards)


def test_a_card_written_twice_is_refused_and_named() -> None:
    with pytest.raises(FouledDeck, match="more than once: Ah;") as refusal:
        parse_cards("Ah Td Ah")
    assert refusal.value.code == "deck.card_twice"


@given(some_cards)
def test_different_cards_may_lie_on_the_table_together(cards: list[Card]) -> None:
    check_distinct(cards)


@given(st.lists(st.sampled_from(DECK), min_size=1, unique=True), st.data())
def test_a_repeated_card_is_refused_wherever_it_lies(
    cards: list[Card], data: st.DataObject
) -> None:
    repeated = data.draw(st.sampled_from(cards))
    place = data.draw(st.integers(0, len(cards)))
    with pytest.raises(FouledDeck, match=show_card(repeated)) as refusal:
        check_distinct([*cards[:place], repeated, *cards[place:]])
    assert refusal.value.code == "deck.card_twice"


@given(st.permutations(DECK))
def test_a_deck_is_whole_in_any_order(cards: list[Card]) -> None:
    check_deck(cards)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ((), "deck.wrong_count"),
        (DECK[:51], "deck.wrong_count"),
        ((*DECK[:51], 0), "deck.card_twice"),
        ((*DECK, 0), "deck.card_twice"),
        ((*DECK[:51], 52), "deck.unknown_card"),
        ((*DECK[:51], -1), "deck.unknown_card"),
        ((*DECK, 52), "deck.unknown_card"),
    ],
)
def test_a_deck_with_anything_wrong_is_refused_by_what_is_wrong(
    cards: tuple[Card, ...], code: str
) -> None:
    with pytest.raises(FouledDeck) as refusal:
        check_deck(cards)
    assert refusal.value.code == code


@pytest.mark.parametrize("number", [-1, 52])
def test_a_number_that_is_no_card_has_no_rank_suit_or_text(number: int) -> None:
    for read in (rank_of, suit_of, show_card):
        with pytest.raises(KeyError):
            read(number)
