"""What is settled between seats, compiled: shares of the meter, the envy bonus, limits, the sums.

This repeats rules of `meter.operations.share_out`, `dues.envy_dues` and `dues.left_by_limit`;
`tests/simulation` plays the same deals through the engine and holds every cent against this.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.exact.kernels.compiling import compiled_bare, compiled_within

MOST_SEATS: Final = 9
COMMUNITY, OWN, BOX, FIVE = range(4)
"""Which cards decide a side bet: those of all, the seat's two, the box with them, its five."""
SEQUENTIAL, HIGHEST_FIRST, TOGETHER = range(3)
"""In which order several winners get their shares; together, those of one line have equal parts."""
DOWN, HALF_UP, UP = range(3)
FOLDED: Final = 1
BETWEEN_SEATS: Final = 256
"""Added up over the seats: how many folded, and how many have what depends on other seats."""
_UNITS: Final = 10_000
_WHOLE: Final = 100

Cents = NDArray[np.int64]


class Terms(NamedTuple):
    """A table's terms that are single numbers, in cents and meter units."""

    seats: int
    came: int
    came_to_reserve: int
    at_lock: bool
    starts_anew: bool
    start: int
    start_reserve: int
    seed: int
    policy: int
    rounding: int
    awards_from_right: bool
    envy_for_each: bool
    envy_for_own: bool
    unit: int
    breakage_up: bool
    limit: int
    is_shared: bool
    seats_from_right: bool
    share_unit: int


class Owed(NamedTuple):
    """Every ending with what it is owed, and every side bet by the kind of its hand.

    `sums` has for each ending the base game, the progressive and the flags side by side, because
    they are read together. `slots` say which spot is limited in which order: a side bet by its
    number, or -1 for what the ending itself knows.
    """

    sums: Cents
    spots: Cents
    fives: Cents
    percent: Cents
    envy_pays: Cents
    takes_envy: Cents
    limited: Cents
    slots: Cents
    family: Cents
    lost_by_fold: Cents
    stakes: Cents
    side_nets: Cents
    side_limited: Cents


class Felt(NamedTuple):
    """What lies on the felt at the end of a round, and the meter; every round overwrites it.

    `net` is what all seats together won: base game, side bets, progressive with envy, envy.
    `shares` is where shares are worked out.
    """

    ended: NDArray[np.uint16]
    holes: NDArray[np.uint8]
    kinds: Cents
    awards: Cents
    envy: Cents
    cut: Cents
    net: Cents
    meter: Cents
    shares: Cents


def empty_felt(terms: Terms, owed: Owed) -> Felt:
    """Before the first round."""
    sides, slots = len(owed.family), len(owed.slots)
    return Felt(
        ended=np.zeros(MOST_SEATS, np.uint16),
        holes=np.zeros(MOST_SEATS, np.uint8),
        kinds=np.zeros((sides, MOST_SEATS), np.int64),
        awards=np.zeros(MOST_SEATS, np.int64),
        envy=np.zeros(MOST_SEATS, np.int64),
        cut=np.zeros((MOST_SEATS, slots), np.int64),
        net=np.zeros(sides + 3, np.int64),
        meter=np.array([terms.start, terms.start_reserve], np.int64),
        shares=np.zeros((5, max(MOST_SEATS, slots)), np.int64),
    )


@compiled_within
def begin(terms: Terms, felt: Felt) -> None:
    """The meter before the first card."""
    if terms.starts_anew:
        felt.meter[0], felt.meter[1] = terms.start, terms.start_reserve
    if terms.at_lock:
        _contribute(terms, felt)


@compiled_within
def finish(terms: Terms, owed: Owed, felt: Felt, flags: int) -> None:
    """What is left once every seat has its own."""
    felt.net[owed.family.shape[0] + 2] = 0
    if flags >= BETWEEN_SEATS:
        _settle_between_seats(terms, owed, felt)
    if not terms.at_lock:
        _contribute(terms, felt)


@compiled_within
def _contribute(terms: Terms, felt: Felt) -> None:
    """What all wagers of a round put on the meter and behind it."""
    felt.meter[0] += terms.came
    felt.meter[1] += terms.came_to_reserve


@compiled_bare
def payable(terms: Terms, cents: int) -> int:
    """An exact amount in the unit that is paid."""
    if terms.unit == 1:
        return cents
    more = terms.unit - 1 if terms.breakage_up else 0
    return (cents + more) // terms.unit * terms.unit


@compiled_within
def settle_fives(owed: Owed, felt: Felt, side: int, seats: int) -> int:
    """What all seats together win on a side bet that their own five cards decide."""
    net = 0
    for seat in range(seats):
        net += owed.fives[side, felt.ended[seat]]
    return net


@compiled_within
def settle_side(owed: Owed, felt: Felt, side: int, seats: int, folded: int) -> int:
    """What all seats together win on a side bet of which every seat's kind of hand is known."""
    net = 0
    for seat in range(seats):
        ended = felt.ended[seat]
        if folded and owed.lost_by_fold[side] and owed.sums[ended, 2] & FOLDED:
            net -= owed.stakes[side]
        else:
            net += owed.side_nets[side, felt.kinds[side, seat]]
    return net


@compiled_bare
def _settle_between_seats(terms: Terms, owed: Owed, felt: Felt) -> None:
    """Everything of a round that no seat has by itself."""
    award = _pay_awards(terms, owed, felt)
    envy = _pay_envy(terms, owed, felt)
    sides = owed.family.shape[0]
    felt.net[sides + 1] += award + envy
    felt.net[sides + 2] = envy
    if terms.limit >= 0:
        _cut_by_limit(terms, owed, felt)


@compiled_bare
def _pay_awards(terms: Terms, owed: Owed, felt: Felt) -> int:
    """Shares of the meter, each on the meter that the one before it left."""
    seats, paid = terms.seats, 0
    for seat in range(seats):
        felt.awards[seat] = -1 if owed.percent[felt.ended[seat]] else 0
    while True:
        chosen, alike = _next_winner(terms, owed, felt)
        if chosen < 0:
            return paid
        percent = owed.percent[felt.ended[chosen]]
        sharing = alike if terms.policy == TOGETHER else 1
        cents = _share(terms, felt.meter[0], percent, sharing)
        felt.meter[0] -= cents * sharing * _UNITS
        if percent == _WHOLE:
            felt.meter[0] += terms.seed * _UNITS + felt.meter[1]
            felt.meter[1] = 0
        for seat in range(seats):
            own = owed.percent[felt.ended[seat]]
            if seat == chosen or (sharing > 1 and own == percent and felt.awards[seat] < 0):
                felt.awards[seat] = payable(terms, cents)
                paid += felt.awards[seat]


@compiled_bare
def _next_winner(terms: Terms, owed: Owed, felt: Felt) -> Any:
    """Who has not got a share yet and is next, and how many have as large a one; -1 for nobody."""
    chosen, percent, alike = -1, 0, 0
    for place in range(terms.seats):
        seat = terms.seats - 1 - place if terms.awards_from_right else place
        own = owed.percent[felt.ended[seat]]
        if felt.awards[seat] >= 0:
            continue
        if chosen < 0 or (terms.policy != SEQUENTIAL and own > percent):
            chosen, percent, alike = seat, own, 1
        elif own == percent:
            alike += 1
    return chosen, alike


@compiled_bare
def _share(terms: Terms, units: int, percent: int, sharing: int) -> int:
    """A share of the meter in whole cents, never more than there are."""
    parts = _WHOLE * _UNITS * sharing
    whole = units * percent
    cents = whole // parts
    if percent != _WHOLE:
        if terms.rounding == UP:
            cents = (whole + parts - 1) // parts
        elif terms.rounding == HALF_UP:
            cents = (2 * whole + parts) // (2 * parts)
    return min(cents, units // _UNITS // sharing)


@compiled_bare
def _pay_envy(terms: Terms, owed: Owed, felt: Felt) -> int:
    """What every bettor is paid for other seats' hands."""
    paid = 0
    for seat in range(terms.seats):
        felt.envy[seat] = 0
        if owed.takes_envy[felt.ended[seat]]:
            for holder in range(terms.seats):
                if holder == seat and not terms.envy_for_own:
                    continue
                pays = owed.envy_pays[felt.ended[holder]]
                felt.envy[seat] += pays
                if pays and not terms.envy_for_each:
                    break
        paid += felt.envy[seat]
    return paid


@compiled_bare
def _cut_by_limit(terms: Terms, owed: Owed, felt: Felt) -> None:
    """What a limit takes off the winnings that it counts, of each seat and each of its spots."""
    seats, slots, whole = terms.seats, owed.slots.shape[0], 0
    won, left, rest = felt.shares[0], felt.shares[1], felt.shares[2]
    for place in range(seats):
        seat = seats - 1 - place if terms.seats_from_right else place
        won[place] = 0
        for slot in range(slots):
            felt.cut[seat, slot] = 0
            won[place] += _limited(owed, felt, seat, slot, 0)
        left[place] = min(won[place], terms.limit)
        whole += won[place]
    if terms.is_shared:
        if whole <= terms.limit:
            return
        _share_out(terms.limit // terms.share_unit, won, whole, seats, left, rest)
        for place in range(seats):
            left[place] *= terms.share_unit
    for place in range(seats):
        if won[place] and (terms.is_shared or won[place] > terms.limit):
            seat = seats - 1 - place if terms.seats_from_right else place
            _cut_seat(terms, owed, felt, seat, won[place], left[place])


@compiled_bare
def _cut_seat(terms: Terms, owed: Owed, felt: Felt, seat: int, won: int, left: int) -> None:
    slots = owed.slots.shape[0]
    exact, parts, rest = felt.shares[2], felt.shares[3], felt.shares[4]
    for slot in range(slots):
        exact[slot] = _limited(owed, felt, seat, slot, 0)
    _share_out(left // terms.unit, exact, won, slots, parts, rest)
    for slot in range(slots):
        if exact[slot]:
            cut = parts[slot] * terms.unit - _limited(owed, felt, seat, slot, 1)
            felt.cut[seat, slot] = cut
            felt.net[1 + owed.slots[slot] if owed.slots[slot] >= 0 else 0] += cut


@compiled_bare
def _limited(owed: Owed, felt: Felt, seat: int, slot: int, paid: int) -> int:
    """What of a spot falls under the limit: exactly, or as it was paid."""
    side, ended = owed.slots[slot], felt.ended[seat]
    if side < 0 or owed.family[side] == FIVE:
        return int(owed.limited[ended, slot, paid])
    if owed.lost_by_fold[side] and owed.sums[ended, 2] & FOLDED:
        return 0
    return int(owed.side_limited[side, felt.kinds[side, seat], paid])


@compiled_bare
def _share_out(
    units: int, weights: Cents, whole: int, many: int, parts: Cents, rest: Cents
) -> None:
    """Units by weight; those that do not come out even go one each to the largest remainders, of
    equal ones to the first."""
    left = units
    for place in range(many):
        parts[place] = units * weights[place] // whole
        rest[place] = units * weights[place] % whole
        left -= parts[place]
    for _ in range(left):
        most = 0
        for place in range(1, many):
            if rest[place] > rest[most]:
                most = place
        parts[most] += 1
        rest[most] = -1
