"""Cards, the deck of fifty-two, and their text ("Ah Td").

A card is a small number, because a deck is then a plain tuple and millions of hands can be counted;
whoever types or reads a card uses text. Cards that cannot all come from one deck are refused here,
at the boundary, so that no hand is ever ranked from a fouled deck.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from riverboat.core.errors import FouledDeck, NotationError

Card: TypeAlias = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

_TEXTS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)

DECK: Final[tuple[Card, ...]] = tuple(range(len(_TEXTS)))

# Dictionaries rather than tuples: a tuple would read card -1 as the ace of spades.
_TEXT_OF: Final = dict(zip(DECK, _TEXTS, strict=True))
_CARD_OF: Final = dict(zip(_TEXTS, DECK, strict=True))
_RANK_OF: Final = {card: RANKS.index(text[0]) for card, text in _TEXT_OF.items()}
_SUIT_OF: Final = {card: SUITS.index(text[1]) for card, text in _TEXT_OF.items()}
_KNOWN: Final = frozenset(DECK)
_INTEGERS: Final = frozenset({int})


def rank_of(card: Card) -> int:
    """The place of a card's rank in `RANKS`, from 0 for a two to 12 for an ace."""
    return _RANK_OF[card]


def suit_of(card: Card) -> int:
    """The place of a card's suit in `SUITS`: only a name, for no suit beats another."""
    return _SUIT_OF[card]


def ranks_of(cards: Iterable[Card]) -> list[int]:
    """The ranks of several cards, each as `rank_of` has it."""
    return [_RANK_OF[card] for card in cards]


def suits_of(cards: Iterable[Card]) -> list[int]:
    """The suits of several cards, each as `suit_of` has it."""
    return [_SUIT_OF[card] for card in cards]


def parse_card(text: str) -> Card:
    """Read one card; rank in upper case and suit in lower case, so that each has one spelling."""
    _require_text(text)
    card = _CARD_OF.get(text)
    if card is None:
        raise NotationError("card.unknown", f"{text!r} is no card: {_hint(text)}")
    return card


def show_card(card: Card) -> str:
    """Write a card as `parse_card` reads it."""
    return _TEXT_OF[card]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards with blanks between them, in the order given; the same card twice is refused."""
    _require_text(text)
    cards = tuple(parse_card(word) for word in text.split())
    check_distinct(cards)
    return cards


def show_cards(cards: Sequence[Card]) -> str:
    """Write cards as `parse_cards` reads them, in the order given."""
    return " ".join(map(show_card, cards))


def with_the_rest(
    counts: Mapping[str, int], named: Mapping[str, Sequence[Card]], deck: Iterable[Card] = DECK
) -> dict[str, tuple[Card, ...]]:
    """Every place with all its cards; those that are not named are the rest of the deck."""
    taken = {card for cards in named.values() for card in cards}
    rest = iter([card for card in deck if card not in taken])
    given = {place: tuple(named.get(place, ())) for place in counts}
    return {p: (*given[p], *islice(rest, count - len(given[p]))) for p, count in counts.items()}


def check_distinct(cards: Collection[Card]) -> None:
    """Refuse cards that cannot lie on the table together: unknown ones, or one of them twice."""
    if _INTEGERS.issuperset(map(type, cards)) and _KNOWN.issuperset(cards):
        if len(set(cards)) == len(cards):
            return
    else:
        unknown = [card for card in cards if type(card) is not int or card not in _KNOWN]
        raise FouledDeck("deck.unknown_card", f"no such cards: {unknown}; a card is 0 to 51")
    twice = [show_card(card) for card in DECK if list(cards).count(card) > 1]
    raise FouledDeck(
        "deck.card_twice", f"more than once: {' '.join(twice)}; a deck has one of each"
    )


def check_deck(cards: Collection[Card]) -> None:
    """Refuse anything but the fifty-two cards, in any order: the count before a deck is used."""
    check_distinct(cards)
    if len(cards) != len(DECK):
        raise FouledDeck("deck.wrong_count", f"{len(cards)} cards, and a deck has {len(DECK)}")


def _require_text(text: object) -> None:
    if not isinstance(text, str):
        said = f"{type(text).__name__} instead of text is no card: {_hint('')}"
        raise NotationError("card.unknown", said)


def _hint(text: str) -> str:
    if text.startswith("10"):
        return "write T for ten, as in Th"
    return f"write a rank of {RANKS} and a suit of {SUITS}, as in Ah or Td"
