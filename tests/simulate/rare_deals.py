"""Decks in which something rare happens: nobody would see it in a few thousand rounds."""

from collections.abc import Callable, Iterator
from random import Random

from riverboat.core.cards import DECK, Card, parse_cards
from riverboat.round import Setup


def decks(setup: Setup, dice: Random) -> Iterator[list[Card]]:
    """For ever: a shuffled deck, then one with something rare at the top, in turns."""
    rare = _STREETS if setup.book.deal.community_cards else _DEALER
    while True:
        deck = list(DECK)
        dice.shuffle(deck)
        yield deck
        if setup.book.deal.seat_cards not in (2, 5):
            continue
        yield dice.choice(rare)(setup, dice)


def _with(dice: Random, placed: dict[int, Card]) -> list[Card]:
    """A shuffled deck with these cards at these places, in suits by lot."""
    suits = list(range(4))
    dice.shuffle(suits)
    renamed = {at: card - card % 4 + suits[card % 4] for at, card in placed.items()}
    rest = [card for card in DECK if card not in renamed.values()]
    dice.shuffle(rest)
    return [renamed[at] if at in renamed else rest.pop() for at in range(len(DECK))]


def _streets(board: str, *holes: str, box: str = "") -> Callable[[Setup, Random], list[Card]]:
    def made(setup: Setup, dice: Random) -> list[Card]:
        community, placed = list(parse_cards(board)), dict[int, Card]()
        dice.shuffle(community)
        seats = list(range(setup.seats))
        dice.shuffle(seats)
        for seat, hole in zip(seats, holes, strict=False):
            cards = list(parse_cards(hole))
            dice.shuffle(cards)
            placed |= {2 * seat: cards[0], 2 * seat + 1: cards[1]}
        first = 2 * setup.seats
        placed |= {first + place: card for place, card in enumerate(community)}
        if box and setup.has_box:
            placed |= {first + 3 + place: card for place, card in enumerate(parse_cards(box))}
        return _with(dice, placed)

    return made


def _dealer(dealers: str, *hands: str) -> Callable[[Setup, Random], list[Card]]:
    def made(setup: Setup, dice: Random) -> list[Card]:
        placed, seats = dict[int, Card](), list(range(setup.seats))
        dice.shuffle(seats)
        dice.shuffle(seats)
        for seat, hand in zip(seats, hands, strict=False):
            cards = list(parse_cards(hand))
            dice.shuffle(cards)
            placed |= {5 * seat + place: card for place, card in enumerate(cards)}
        last = list(parse_cards(dealers))
        dice.shuffle(last)
        placed |= {5 * setup.seats + place: card for place, card in enumerate(last)}
        return _with(dice, placed)

    return made


_STREETS = (
    _streets("Qh Jh Th", "Ah Kh"),
    _streets("Qh Jh Th", "Ah Kh", "9h 8h"),
    _streets("Qh Jh Th", "9h 8h", "Kd Kc"),
    _streets("9h 8h 7h", "Jh Th", "6h 5h"),
    _streets("9h 8h 7h", "Th 6h", "Kh 2h", "9c 9d"),
    _streets("3h 4h 5h", "Ah 2h", "6h 7h"),
    _streets("9h 9d 9c", "9s Kd", "Ah Ad"),
    _streets("9h 9d 4c", "9s 9c", "4h 4d", "Ah As"),
    _streets("9h 9d 9c", "4h 4d", "Th Td", "Jh Js", "Qc Qs"),
    _streets("Ah Kh 2h", "3h 4h", "Qh 9h", "8h 7h"),
    _streets("9s 8d 7c", "Jh Td", "Ts 6c", "6h 5h"),
    _streets("2c 7d Jd", "Ah Kh", "Ac 9c", box="Qh Jh Th 9h"),
    _streets("2c 7d 3s", "Ah Kh", "Ac 8s", "8h 7h", box="Qh Jh Th 9h"),
    _streets("2c 7d 3s", "Ah 9h", "4h 4s", "Kc Kd", box="Kh Qh Jh Th"),
    _streets("2c 7d 3s", "5h 4h", "As Ad", "8c 9s", box="3h 2h Ah 7c"),
    _streets("2c 7d 3s", "9h 9d", "8c 8d", "Kc 8h", box="9c 9s 8s Kd"),
    _streets("Ah Kh Qh", "Ad Ac", "Kd Kc"),
    _streets("Ah Kh Kd", "Kc Ks", "Ad Ac"),
)
_DEALER = (
    _dealer("Ac Kd 4h 3s 2c", "Ah Kh Qh Jh Th"),
    _dealer("Ac Kd 4h 3s 2c", "Ah Kh Qh Jh Th", "9s 8s 7s 6s 5s", "9d 8d 7d 6d 5d"),
    _dealer("Ac Kd 9h 7s 3c", "Ad Kc 9c 7c 3d", "Ah Kh 9d 7d 2s"),
    _dealer("Ac Kd 4h 3s 2c", "Ad Kc 4c 3d 2h"),
    _dealer("Ac Qd Jh 9s 2c", "Kd Kc 4c 3d 2h", "Ad Qc 9h 3h 2s"),
    _dealer("Kc Kd 4h 3s 2c", "Kh Ks 4c 3d 2h", "7h 7d 7s 7c 2s"),
    _dealer("9c 9d 9h 4c 4d", "8c 8d 8h 4h 4s", "Tc Td Th 3c 3d", "2c 2d 2h 2s Kc"),
    _dealer("9c 8c 7c 6c 5c", "9d 8d 7d 6d 5d", "Ts 9s 8s 7s 6s", "Kc Qc Jc 9h 2c"),
    _dealer("Ac Kd Qh Js Tc", "As Ks Qs Jd Td", "5c 4d 3h 2s Ad", "9c 8d 7h 6s 5d"),
    _dealer("Ac Kd Jh 8s 3c", "Ad Kc Js 8c 2d", "Ah Kh Jd 8d 4s", "As Ks Jc 7s 6d"),
    _dealer("Qc Jd 9h 7s 5c", "Ac Kd 9s 7d 2h", "As Kc Qh 4d 3d", "7c 5d 4h 3s 2c"),
)
