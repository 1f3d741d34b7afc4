"""The cards of a round of streets as classes that differ only by the names of their suits.

A class is four masks of ranks, one for each suit, in falling order of size and value. Which cards
are in the hole and which on the board does not matter to the hand, so a street's situations are
the classes of two, three and four cards: 169, 1,755 and 16,432. The numbering is by the sizes of
the suits and then by the masks; `card_classes` has the same in plain Python. Of four
cards only 2,535 differ in what the fifth can make of them, which is enough to find the best play.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.kernels.compiling import compiled
from riverboat.exact.kernels.hand_values import (
    KIND_COUNT,
    RANK_COUNT,
    bit_count,
    kind_of,
    with_rank,
)

Ints = NDArray[np.int64]
CLASSES = {2: 169, 3: 1755, 4: 16432}
_MASKS = 1 << RANK_COUNT
_DECK = 52  # More ways on than any class has.


_Tables = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]


class Cards(NamedTuple):
    """What the deck alone decides, whatever a pay table says: built once.

    Three lists of ways on, each as offsets, targets and multiplicities: from two cards to three,
    from three to four, and from four to the kinds of hand that the fifth card makes.
    """

    weight: Ints
    start_2: Ints
    to_3: Ints
    ways_3: Ints
    start_3: Ints
    to_4: Ints
    ways_4: Ints
    start_4: Ints
    kind: Ints
    ways_5: Ints


@compiled
def _places() -> tuple[Ints, Ints]:
    """For each mask its place among those with as many ranks, and back."""
    place = np.zeros(_MASKS, np.int64)
    mask_at = np.zeros((5, 715), np.int64)
    count = np.zeros(RANK_COUNT + 1, np.int64)
    for mask in range(_MASKS):
        size = bit_count(mask)
        place[mask] = count[size]
        if size < 5:
            mask_at[size, count[size]] = mask
        count[size] += 1
    return place, mask_at


@compiled
def _key(mask: int) -> int:
    return (bit_count(mask) << RANK_COUNT) | mask


@compiled
def _in_order(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """The keys of four suits, the highest first."""
    p, q, r, s = _key(a), _key(b), _key(c), _key(d)
    p, q = max(p, q), min(p, q)
    r, s = max(r, s), min(r, s)
    p, r = max(p, r), min(p, r)
    q, s = max(q, s), min(q, s)
    return p, max(q, r), min(q, r), s


@compiled
def _of_four(w: int, x: int, y: int, z: int, first: int, second: int) -> int:
    """The number of a class of four cards that are not all of one suit."""
    if first == 3:
        return 715 + w * 13 + x
    if second == 2:
        return 4433 + (w * (w + 1)) // 2 + x
    if first == 2:
        return 7514 + w * 91 + (x * (x + 1)) // 2 + y
    quadruples = (w * (w + 1) * (w + 2) * (w + 3)) // 24
    return 14612 + quadruples + (x * (x + 1) * (x + 2)) // 6 + (y * (y + 1)) // 2 + z


@compiled
def class_number(a: int, b: int, c: int, d: int, place: Ints) -> int:
    """The number of the class of these four suits, among the classes of as many cards."""
    p, q, r, s = _in_order(a, b, c, d)
    low = _MASKS - 1
    w: int = place[p & low]
    x: int = place[q & low]
    y: int = place[r & low]
    z: int = place[s & low]
    first, second = p >> RANK_COUNT, q >> RANK_COUNT
    size = first + second + (r >> RANK_COUNT) + (s >> RANK_COUNT)
    if size == first:
        return w
    if size == 2:
        return 78 + (w * (w + 1)) // 2 + x
    if size == 4:
        return _of_four(w, x, y, z, first, second)
    if first == 2:
        return 286 + w * 13 + x
    return 1300 + (w * (w + 1) * (w + 2)) // 6 + (x * (x + 1)) // 2 + y


@compiled
def _ways_on(suits: Ints, place: Ints, grown: Ints) -> tuple[Ints, Ints, Ints]:
    """From every class to those with one card more; `grown` takes the suits of the latter."""
    size = suits.shape[0]
    start = np.zeros(size + 1, np.int64)
    to = np.empty(size * _DECK, np.int64)
    ways = np.empty(size * _DECK, np.int64)
    masks = np.empty(4, np.int64)
    end = 0
    for number in range(size):
        for suit in range(4):
            masks[suit] = suits[number, suit]
        for suit in range(4):
            mask = masks[suit]
            if suit and mask == masks[suit - 1]:
                continue
            alike = 0
            for other in range(4):
                alike += masks[other] == mask
            for rank in range(RANK_COUNT):
                if mask >> rank & 1:
                    continue
                masks[suit] = mask | (1 << rank)
                target = class_number(masks[0], masks[1], masks[2], masks[3], place)
                to[end], ways[end] = target, alike
                end += 1
                if grown[target, 0] == 0:
                    _put_in_order(masks, grown, target)
            masks[suit] = mask
        start[number + 1] = end
    return start, to[:end].copy(), ways[:end].copy()


@compiled
def _put_in_order(masks: Ints, suits: Ints, target: int) -> None:
    """The suits of a class, in falling order: equal ones stand together."""
    for suit in range(4):
        suits[target, suit] = masks[suit]
    for end in range(3, 0, -1):
        for suit in range(end):
            if _key(suits[target, suit]) < _key(suits[target, suit + 1]):
                higher = suits[target, suit + 1]
                suits[target, suit + 1] = suits[target, suit]
                suits[target, suit] = higher


@compiled
def _fifth_cards(suits: Ints) -> tuple[Ints, Ints, Ints]:
    """For every class of four cards the kinds of hand that the 48 fifth cards make."""
    size = suits.shape[0]
    start = np.zeros(size + 1, np.int64)
    kinds = np.empty(size * RANK_COUNT, np.int64)
    ways = np.empty(size * RANK_COUNT, np.int64)
    count = np.zeros(KIND_COUNT, np.int64)
    end = 0
    for number in range(size):
        a, b, c, d = 0, 0, 0, 0
        for suit in range(4):
            mask = suits[number, suit]
            a, b, c, d = a | mask, b | (a & mask), c | (b & mask), d | (c & mask)
        one_suit = suits[number, 1] == 0
        for rank in range(RANK_COUNT):
            bit = 1 << rank
            left = 4 - (a >> rank & 1) - (b >> rank & 1) - (c >> rank & 1) - (d >> rank & 1)
            if left == 0:
                continue
            e, f, g, h = with_rank(a, b, c, d, bit)
            if one_suit and not a & bit:
                count[kind_of(e, f, g, h, True)] += 1
                left -= 1
            count[kind_of(e, f, g, h, False)] += left
        for kind in range(KIND_COUNT):
            if count[kind]:
                kinds[end], ways[end] = kind, count[kind]
                count[kind] = 0
                end += 1
        start[number + 1] = end
    return start, kinds[:end].copy(), ways[:end].copy()


@compiled
def _pairs_of_cards(mask_at: Ints) -> tuple[Ints, Ints]:
    """The suits of the 169 classes of two cards, and how many hands each has of 1,326."""
    suits = np.zeros((169, 4), np.int64)
    weight = np.empty(169, np.int64)
    for number in range(78):
        suits[number, 0] = mask_at[2, number]
        weight[number] = 4
    number = 78
    for high in range(RANK_COUNT):
        for low in range(high + 1):
            suits[number, 0], suits[number, 1] = 1 << high, 1 << low
            weight[number] = 6 if high == low else 12
            number += 1
    return suits, weight


@compiled
def _fours(place: Ints, mask_at: Ints) -> Ints:
    """Suits for each four cards that the fifth can tell apart: ranks, and whether of one suit."""
    suits = np.zeros((1820 + 715, 4), np.int64)
    number = 0
    ranks = np.empty(4, np.int64)
    for w in range(RANK_COUNT):
        for x in range(w + 1):
            for y in range(x + 1):
                for z in range(y + 1):
                    ranks[0], ranks[1], ranks[2], ranks[3] = w, x, y, z
                    suits[number, 1] = 1 << z
                    for held in range(3):
                        suit = 0
                        while suits[number, suit] >> ranks[held] & 1:
                            suit += 1
                        suits[number, suit] |= 1 << ranks[held]
                    number += 1
    for flush in range(715):
        suits[number, 0] = mask_at[4, flush]
        number += 1
    return suits


@compiled
def _multiset(w: int, x: int, y: int, z: int) -> int:
    """The number of four ranks in falling order."""
    return (
        (w * (w + 1) * (w + 2) * (w + 3)) // 24
        + (x * (x + 1) * (x + 2)) // 6
        + (y * (y + 1)) // 2
        + z
    )


@compiled
def _four_with(ranks: Ints, rank: int) -> int:
    """The number of three ranks, in falling order, with one more."""
    x, y, z = ranks[0], ranks[1], ranks[2]
    if rank >= x:
        return _multiset(rank, x, y, z)
    if rank >= y:
        return _multiset(x, rank, y, z)
    if rank >= z:
        return _multiset(x, y, rank, z)
    return _multiset(x, y, z, rank)


@compiled
def four_number(suits: Ints, place: Ints) -> int:
    """The number of four cards, given by their suits, where only what the fifth can make of them
    counts: their ranks, and whether they are of one suit."""
    ranks = np.empty(4, np.int64)
    held = 0
    for rank in range(RANK_COUNT - 1, -1, -1):
        for suit in range(4):
            if suits[suit] >> rank & 1:
                ranks[held] = rank
                held += 1
    for suit in range(4):
        if bit_count(suits[suit]) == 4:
            of_one_suit: int = 1820 + place[suits[suit]]
            return of_one_suit
    return _multiset(ranks[0], ranks[1], ranks[2], ranks[3])


@compiled
def _ways_to_fours(suits: Ints, place: Ints) -> tuple[Ints, Ints, Ints]:
    """From every class of three cards to the fours."""
    size = suits.shape[0]
    start = np.zeros(size + 1, np.int64)
    to = np.empty(size * 2 * RANK_COUNT, np.int64)
    ways = np.empty(size * 2 * RANK_COUNT, np.int64)
    ranks = np.empty(3, np.int64)
    end = 0
    for number in range(size):
        held = 0
        for rank in range(RANK_COUNT - 1, -1, -1):
            for suit in range(3):
                if suits[number, suit] >> rank & 1:
                    ranks[held] = rank
                    held += 1
        for rank in range(RANK_COUNT):
            left = 4 - (ranks[0] == rank) - (ranks[1] == rank) - (ranks[2] == rank)
            if suits[number, 1] == 0 and left == 4:
                to[end], ways[end] = 1820 + place[suits[number, 0] | 1 << rank], 1
                end += 1
                left = 3
            to[end], ways[end] = _four_with(ranks, rank), left
            end += 1
        start[number + 1] = end
    return start, to[:end].copy(), ways[:end].copy()


@compiled
def _by_classes() -> _Tables:
    place, mask_at = _places()
    two, weight = _pairs_of_cards(mask_at)
    three = np.zeros((1755, 4), np.int64)
    four = np.zeros((16432, 4), np.int64)
    start_2, to_3, ways_3 = _ways_on(two, place, three)
    start_3, to_4, ways_4 = _ways_on(three, place, four)
    start_4, kind, ways_5 = _fifth_cards(four)
    return weight, start_2, to_3, ways_3, start_3, to_4, ways_4, start_4, kind, ways_5


@compiled
def _in_short() -> _Tables:
    place, mask_at = _places()
    two, weight = _pairs_of_cards(mask_at)
    three = np.zeros((1755, 4), np.int64)
    start_2, to_3, ways_3 = _ways_on(two, place, three)
    start_3, to_4, ways_4 = _ways_to_fours(three, place)
    start_4, kind, ways_5 = _fifth_cards(_fours(place, mask_at))
    return weight, start_2, to_3, ways_3, start_3, to_4, ways_4, start_4, kind, ways_5


def places_of_masks() -> Ints:
    """For each mask its place among those with as many ranks, as `class_number` wants it."""
    return _places()[0]


@cache
def deck_by_classes() -> Cards:
    """Each of the 16,432 classes of four cards for itself; built once."""
    return Cards(*_by_classes())


@cache
def deck_in_short() -> Cards:
    """Four cards only as finely as the fifth can tell them apart: 1,820 sets of ranks, and 715 sets
    of one suit. All that is best play is the same. Built once."""
    return Cards(*_in_short())
