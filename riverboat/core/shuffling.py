"""The shuffle, and everything else at a table that must be drawn by lot, from the system's entropy.

This module is of the shell: the pure core takes a card order as it takes an action. Nothing is kept
from one draw to the next, so that a copied process cannot deal the same deck twice.
"""

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from math import factorial
from typing import Final, TypeAlias

from riverboat.core.cards import DECK, Card
from riverboat.core.errors import RiverboatError
from riverboat.core.fairness import Salt, Word, framed

Entropy: TypeAlias = Callable[[int], bytes]
"""Gives so many bytes, each uniform and independent of all others."""

SALT_BYTES: Final = 32
WORD_BYTES: Final = 32
MOST_TRIES: Final = 64
SCRIPT_TAG: Final = b"riverboat scripted entropy, not for play, v1"


class EntropyFailed(RiverboatError):
    """The source of entropy gives too few bytes, or always the same ones."""


def shuffle(entropy: Entropy = os.urandom) -> tuple[Card, ...]:
    """A deck in an order that is exactly as likely as each of the 52! others.

    1. `_lot` gives a number whose remainder by 52! is uniform on 0 to 52! - 1, if the bytes are
       uniform.
    2. Such a remainder has exactly one spelling in digits of base 52, 51, … 2 (the factorial number
       system), so each digit is uniform on its range and independent of the others.
    3. Fisher–Yates swaps the last card that has no place yet with the one that the digit names,
       itself among them. Different digits lead to different orders, and there are as many rows of
       digits as orders, so each order comes from exactly one number.
    """
    return _shuffled(DECK, entropy)


def _shuffled(cards: tuple[Card, ...], entropy: Entropy) -> tuple[Card, ...]:
    """The shuffle for a deck of any size, so that a small one can be checked exhaustively."""
    order = list(cards)
    lot = _lot(len(order), entropy)
    for last in range(len(order) - 1, 0, -1):
        lot, chosen = divmod(lot, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _lot(size: int, entropy: Entropy) -> int:
    """A number below a multiple of the count of a deck's orders, each equally likely.

    All numbers of `width` bytes are equally likely; those from the limit on are thrown away and
    drawn anew, which leaves the others equally likely. The order is read from the remainder by the
    count of orders, and below a multiple of it every remainder occurs equally often.
    """
    width, limit = _range_of(size)
    for _ in range(MOST_TRIES):
        lot = int.from_bytes(_draw(width, entropy), "big")
        if lot < limit:
            return lot
    raise EntropyFailed("entropy.stuck", f"{MOST_TRIES} draws in a row were of no use")


@cache
def _range_of(size: int) -> tuple[int, int]:
    """How many bytes to draw for a deck of this size, and the limit from which to draw anew."""
    orders = factorial(size)
    width = (orders.bit_length() + 7) // 8
    return width, 256**width // orders * orders


def fresh_salts(entropy: Entropy = os.urandom) -> tuple[Salt, ...]:
    """A salt for every position, so long that no leaf can be found out by trying the cards."""
    return tuple(_draw(SALT_BYTES, entropy).hex() for _ in DECK)


def fresh_word(entropy: Entropy = os.urandom) -> Word:
    """The house's word for the cut of a deck, drawn and committed to with it."""
    return _draw(WORD_BYTES, entropy).hex()


def _draw(count: int, entropy: Entropy) -> bytes:
    drawn = entropy(count)
    if len(drawn) != count:
        raise EntropyFailed("entropy.short", f"{len(drawn)} bytes were given, not {count}")
    return drawn


def scripted_entropy(seed_text: str) -> Entropy:
    """The same bytes for the same text, for tests and scripted days. NOT FOR PLAY.

    Whoever knows the text knows every card.
    """
    stream = bytearray()
    blocks = 0

    def give(count: int) -> bytes:
        nonlocal blocks
        while len(stream) < count:
            stream.extend(sha256(framed(SCRIPT_TAG, seed_text.encode(), b"%d" % blocks)).digest())
            blocks += 1
        given = bytes(stream[:count])
        del stream[:count]
        return given

    return give
