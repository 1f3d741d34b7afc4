"""Compiled rounds of three streets: two cards each, three of all turned one by one, a pay table.

What a seat does and has follows from the three community cards in their order, from the hole, and
from how long those cards follow the suit of a suited hole. So all of it is one look-up, in a row
that all seats of a round share.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.base_games.street_payoffs import sample_hands
from riverboat.exact.base_games.streets import Strategy
from riverboat.exact.kernels.compiling import compiled_within
from riverboat.round.setup.setup import Setup
from riverboat.simulate import card_tables as c
from riverboat.simulate.endings import Wagers
from riverboat.simulate.settling import (
    BETWEEN_SEATS,
    BOX,
    COMMUNITY,
    OWN,
    Felt,
    Owed,
    Terms,
    begin,
    finish,
    settle_fives,
    settle_side,
)
from riverboat.simulate.table import Examples, Meters, Table, prepare

_RANKS = 13


class Streets(NamedTuple):
    """How every seat's round ends. `ended[way]` is by the ranks of the board in their order, and by
    the hole; `following[way]` for a suited hole whose suit the first one, two or three follow.
    `ways` has the way to play of each seat."""

    ended: NDArray[Any]
    following: NDArray[Any]
    ways: NDArray[np.uint8]
    hole: NDArray[np.uint8]
    hole_ranks: NDArray[np.uint8]
    pair_of: NDArray[np.uint8]
    four_of: NDArray[np.uint16]
    three: NDArray[np.uint8]
    two: NDArray[np.uint8]
    six: NDArray[np.uint8]
    six_suited: NDArray[np.uint8]


def examples() -> Examples:
    """A hand for each kind: two cards of the seat's, three of all."""
    cards = {
        (kind, 0): {"1": hand[:2], "community": hand[2:]} for kind, hand in sample_hands().items()
    }
    return Examples(c.FIVE, 1, cards)


def table_of_streets(setup: Setup, wagers: Wagers, meters: Meters) -> Table:
    """A table of this shape, asked of the engine."""
    return prepare(setup, wagers, meters, examples())


def streets_of(table: Table, ways: Sequence[Strategy], by_seat: Sequence[int]) -> Streets:
    """The look-ups for seats that each play one of some ways."""
    ended = [_ended(table, way) for way in ways]
    kind = np.uint8 if table.numbers.max() < 256 else np.uint16
    pairs = c.rank_sets().more[1].astype(np.uint8)
    return Streets(
        ended=np.stack([plain for plain, _ in ended]).astype(kind),
        following=np.stack([following for _, following in ended]).astype(kind),
        ways=np.array(by_seat, np.uint8),
        hole=c.hole_numbers(),
        hole_ranks=c.hole_ranks(),
        pair_of=pairs,
        four_of=_fours(),
        three=c.kinds_of_three(table.setup.flag("three_card_ace_low")),
        two=c.kinds_of_two(),
        six=c.kinds_of_six(),
        six_suited=c.kinds_of_six_suited(),
    )


def _fours() -> NDArray[Any]:
    """The set that two sets of two are."""
    more, sets = c.rank_sets().more, c.rank_sets().sets[2]
    low, high = np.array(sets).T
    pairs = np.arange(c.PAIRS)[:, None]
    found: NDArray[Any] = more[3][more[2][pairs, low[None, :]], high[None, :]]
    return found


class _Decisions:
    """A way to play as numbers: which bet is made, by the set of ranks held and seen, by whether
    all are of one suit, and by the bets before."""

    def __init__(self, table: Table, way: Strategy) -> None:
        stages = table.setup.stages
        self.multiples = [(0, *sorted(set(stage.multiples))) for stage in stages]
        self.number = {bets: place for place, bets in enumerate(table.ways)}
        sizes = [len(multiples) for multiples in self.multiples]
        self.first = np.zeros((2, len(c.rank_sets().sets[2])), np.int64)
        self.second = np.zeros((sizes[0], 2, len(c.rank_sets().sets[3])), np.int64)
        self.third = np.zeros((sizes[0], sizes[1], 2, len(c.rank_sets().sets[4])), np.int64)
        self._ask(way, 2, (), self.first)
        for one, bet in enumerate(self.multiples[0][1:], start=1):
            if (self.first == one).any():
                self._ask(way, 3, (bet,), self.second[one])
            for two, more in enumerate(self.multiples[1][1:], start=1):
                if (self.second[one] == two).any():
                    self._ask(way, 4, (bet, more), self.third[one, two])

    def _ask(self, way: Strategy, cards: int, bets: tuple[int, ...], into: NDArray[Any]) -> None:
        choices = self.multiples[cards - 2]
        for place, ranks in enumerate(c.rank_sets().sets[cards]):
            distinct = len(set(ranks)) == cards
            into[0, place] = choices.index(way(c.cards_of(ranks, suited=False), bets))
            if distinct:
                into[1, place] = choices.index(way(c.cards_of(ranks, suited=True), bets))

    def ways(self) -> NDArray[Any]:
        """The number of each way to bet by the three choices; a fold ends it."""
        one, two, three = self.multiples
        found = np.zeros((len(one), len(two), len(three)), np.int64)
        for i, first in enumerate(one):
            for j, second in enumerate(two):
                for k, last in enumerate(three):
                    made = (first, second, last)
                    end = made.index(0) + 1 if 0 in made else len(made)
                    found[i, j, k] = self.number[made[:end]]
        return found


def _ended(table: Table, way: Strategy) -> tuple[NDArray[Any], NDArray[Any]]:
    """The ending of every hole on every board: where suits do not matter, and where they do."""
    chosen, more = _Decisions(table, way), c.rank_sets().more
    numbers, bet, kinds = table.numbers[:, :, 0], chosen.ways(), c.kinds_of_five()
    holes = c.hole_ranks().astype(np.int64)[None, :]
    suited = (np.arange(c.HOLES) >= c.PAIRS).astype(np.int64)[None, :]
    board = [ranks.reshape(-1, 1) for ranks in np.indices((_RANKS,) * 3)]
    three = more[2][holes, board[0]].astype(np.int64)
    four = more[3][three, board[1]].astype(np.int64)
    five = more[4][four, board[2]].astype(np.int64)

    def end(follows: int, columns: slice) -> NDArray[Any]:
        """With so many community cards in the suit of the hole."""
        own, in_suit = suited[:, columns], [int(follows > n) for n in range(3)]
        first = chosen.first[own, holes[:, columns]]
        second = chosen.second[first, in_suit[0] * own, three[:, columns]]
        last = chosen.third[first, second, in_suit[1] * own, four[:, columns]]
        kind = kinds[in_suit[2] * own, five[:, columns]]
        found: NDArray[Any] = numbers[bet[first, second, last], kind]
        return found

    following = [end(n, slice(c.PAIRS, None)) for n in (1, 2, 3)]
    return end(0, slice(None)), np.stack(following)


# ---------------------------------------------------------------- compiled


_R, _S, _ONE = np.uint8(2), np.uint8(3), np.int64(1)


@compiled_within
def settle_streets(
    streets: Streets, terms: Terms, owed: Owed, felt: Felt, deck: NDArray[np.uint8]
) -> None:
    """A round from its cards: two for each seat, three of all, then the box."""
    begin(terms, felt)
    seats = terms.seats
    first, second, third = deck[2 * seats], deck[2 * seats + 1], deck[2 * seats + 2]
    board = (np.uint32(first >> _R) * np.uint32(13) + np.uint32(second >> _R)) * np.uint32(
        13
    ) + np.uint32(third >> _R)
    suit, follows = first & _S, np.uint8(0)
    if (second & _S) == suit:
        follows = np.uint8(1)
        if (third & _S) == suit:
            follows = np.uint8(2)
    base, progressive, flags = 0, 0, 0
    for seat in range(seats):
        card = deck[2 * seat]
        hole = streets.hole[card, deck[2 * seat + 1]]
        way = streets.ways[seat]
        if hole >= 91 and (card & _S) == suit:
            ended = streets.following[way, follows, board, hole - np.uint8(91)]
        else:
            ended = streets.ended[way, board, hole]
        felt.ended[seat] = ended
        felt.holes[seat] = hole
        base += owed.sums[ended, 0]
        progressive += owed.sums[ended, 1]
        flags += owed.sums[ended, 2]
    sides = owed.family.shape[0]
    felt.net[0] = base
    felt.net[sides + 1] = progressive
    for side in range(sides):
        felt.net[1 + side] = _side(streets, terms, owed, felt, deck, side, board, follows, flags)
    finish(terms, owed, felt, flags)


@compiled_within
def _side(
    streets: Streets,
    terms: Terms,
    owed: Owed,
    felt: Felt,
    deck: NDArray[np.uint8],
    side: int,
    board: Any,
    follows: Any,
    flags: int,
) -> Any:
    """What all seats together win on a side bet."""
    seats, folded = terms.seats, flags & (BETWEEN_SEATS - 1)
    family = owed.family[side]
    if family == COMMUNITY:
        kind = streets.three[np.uint8(follows == 2), board]
        lost = folded if owed.lost_by_fold[side] else 0
        for seat in range(seats):
            felt.kinds[side, seat] = kind
        return owed.side_nets[side, kind] * (seats - lost) - owed.stakes[side] * lost
    if family == OWN:
        for seat in range(seats):
            felt.kinds[side, seat] = streets.two[felt.holes[seat]]
    elif family == BOX:
        _six_cards(streets, felt, deck, side, seats)
    else:
        return settle_fives(owed, felt, side, seats)
    return settle_side(owed, felt, side, seats, folded)


@compiled_within
def _six_cards(
    streets: Streets, felt: Felt, deck: NDArray[np.uint8], side: int, seats: int
) -> None:
    """The kind of every seat's six cards with the box."""
    place = 2 * seats + 3
    a, b, c, d = deck[place], deck[place + 1], deck[place + 2], deck[place + 3]
    box = streets.four_of[streets.pair_of[a >> _R, b >> _R], streets.pair_of[c >> _R, d >> _R]]
    for seat in range(seats):
        hole = streets.hole_ranks[felt.holes[seat]]
        felt.kinds[side, seat] = streets.six[box, hole]
    suit = _suit_of_three(a & _S, b & _S, c & _S, d & _S)
    if suit > 3:
        return
    for seat in range(seats):
        count, ranks = 0, 0
        for card in (a, b, c, d, deck[2 * seat], deck[2 * seat + 1]):
            if (card & _S) == suit:
                count += 1
                ranks |= int(_ONE << (card >> _R))
        if count >= 5:
            felt.kinds[side, seat] = streets.six_suited[suit, ranks]


@compiled_within
def _suit_of_three(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The suit that at least three of four have; four where there is none."""
    if a == b:
        return a if a in (c, d) else np.uint8(4)
    if c == d and c in (a, b):
        return c
    return np.uint8(4)
