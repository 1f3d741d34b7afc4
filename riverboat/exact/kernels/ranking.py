"""Five-card hands by their ranks: which kind of hand, from four masks of thirteen bits.

The masks say which ranks are held at least once, twice, three and four times. Adding a card is four
operations, and the kind of hand follows from them and from whether all cards are of one suit.
A kind is a number in the order of a base pay table's kinds; `tests` hold it against the readable
evaluator for every hand.
"""

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.kernels.compiling import compiled

RANK_COUNT = 13
KIND_COUNT = 22
ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, TRIPS, TWO_PAIR = range(8)
PAIR_OF_TWOS = 8
HIGH_CARD = 21
_ACE_LOW = 0b1_0000_0000_1111
_BROADWAY = 0b1_1111_0000_0000


@compiled
def bit_count(mask: int) -> int:
    """How many ranks are in a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def is_straight(ranks: int) -> bool:
    """Whether a mask holds exactly five ranks in a row; the ace stands at both ends."""
    if ranks == _ACE_LOW:
        return True
    return ranks == 31 * (ranks & -ranks)


@compiled
def with_rank(
    once: int, twice: int, thrice: int, all_four: int, bit: int
) -> tuple[int, int, int, int]:
    """The four masks after one more card of a rank."""
    return once | bit, twice | (once & bit), thrice | (twice & bit), all_four | (thrice & bit)


@compiled
def kind_of(once: int, twice: int, thrice: int, all_four: int, suited: bool) -> int:
    """The kind of a five-card hand."""
    if twice:
        if all_four:
            return QUADS
        if thrice:
            return FULL_HOUSE if twice != thrice else TRIPS
        if twice & (twice - 1):
            return TWO_PAIR
        rank = 0
        while twice > 1:
            twice >>= 1
            rank += 1
        return PAIR_OF_TWOS + rank
    if is_straight(once):
        if not suited:
            return STRAIGHT
        return ROYAL if once == _BROADWAY else STRAIGHT_FLUSH
    return FLUSH if suited else HIGH_CARD


@compiled
def kinds_of_hands(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of each hand of five cards, in rows; for tests and for counting."""
    found = np.empty(hands.shape[0], np.int64)
    for number in range(hands.shape[0]):
        once, twice, thrice, all_four = 0, 0, 0, 0
        suited = True
        for place in range(5):
            card = hands[number, place]
            once, twice, thrice, all_four = with_rank(
                once, twice, thrice, all_four, 1 << (card >> 2)
            )
            suited = suited and (card & 3) == (hands[number, 0] & 3)
        found[number] = kind_of(once, twice, thrice, all_four, suited)
    return found
