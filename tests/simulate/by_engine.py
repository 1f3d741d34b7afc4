"""The same deals played by the engine itself, seat by seat and spot by spot, beside the compiled
rounds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from riverboat.core.cards import Card
from riverboat.core.money import Cents
from riverboat.exact.solvers import Decide
from riverboat.meter.amounts import Meter
from riverboat.round import Round, Setup, play
from riverboat.round import actions as a
from riverboat.round.engine import before_the_deal
from riverboat.round.streets import seat_to_act
from riverboat.simulate.dealer_rounds import settle_against_dealer
from riverboat.simulate.settling import BETWEEN_SEATS, FIVE, FOLDED, Felt, empty_felt
from riverboat.simulate.simulating import Ready
from riverboat.simulate.street_rounds import Streets, settle_streets

Results = dict[int, dict[str, Cents]]
"""What each seat has from each spot; what brings nothing is not there."""


class Played(NamedTuple):
    """A round's results, and the meter afterwards."""

    results: Results
    meter: tuple[int, int]


def places_of(setup: Setup, deck: Sequence[Card]) -> dict[str, tuple[Card, ...]]:
    """Where a deck's cards lie: seats, community, dealer, box, as the compiled rounds take them."""
    deal, left = setup.book.deal, iter(deck)

    def some(count: int) -> tuple[Card, ...]:
        return tuple(next(left) for _ in range(count))

    places = {str(seat): some(deal.seat_cards) for seat in range(1, setup.seats + 1)}
    places["community"] = some(deal.community_cards)
    places["dealer"] = some(deal.dealer_cards)
    places["box"] = some(deal.box_cards if setup.has_box else 0)
    return {place: cards for place, cards in places.items() if cards}


def by_engine(
    setup: Setup, wagers: Mapping[str, Cents], meter: Meter, decide: Decide, deck: Sequence[Card]
) -> Played:
    """A whole round from the first wager on."""
    state: Round = before_the_deal(setup, range(1, setup.seats + 1), wagers, meter)
    state = play(state, a.Deal(places=places_of(setup, deck)))
    while state.phase in ("deciding", "turning"):
        seat = seat_to_act(state)
        state = play(state, a.Turn() if seat is None else decide(state, seat))
    state = play(play(state, a.SettleAll()), a.Close())
    results = {
        number: {spot: cents for spot, cents in seat.results.items() if cents}
        for number, seat in state.seats.items()
    }
    return Played(results, (state.meter.units, state.meter.reserve_units))


class Compiled:
    """The compiled rounds one at a time, with everything that they know of each seat."""

    def __init__(self, ready: Ready) -> None:
        self.ready, self.job = ready, ready.job
        self.felt: Felt = empty_felt(ready.job.terms, ready.job.owed)

    def __call__(self, deck: Sequence[Card]) -> Played:
        settle: Any = (
            settle_streets if isinstance(self.job.plan, Streets) else settle_against_dealer
        )
        cards = np.array(deck, np.uint8)
        settle(self.job.plan, self.job.terms, self.job.owed, self.felt, cards)
        results = {seat + 1: dict(self._of_seat(seat)) for seat in range(self.job.terms.seats)}
        units, reserve = self.felt.meter.tolist()
        return Played(results, (units, reserve))

    @property
    def nets(self) -> dict[str, Cents]:
        """What the sums are made of."""
        return dict(zip(self.ready.table.bets, self.felt.net.tolist(), strict=True))

    def _of_seat(self, seat: int) -> Iterator[tuple[str, Cents]]:
        owed, felt, table = self.job.owed, self.felt, self.ready.table
        seats = range(self.job.terms.seats)
        flags = sum(int(owed.sums[felt.ended[other], 2]) for other in seats)
        between = flags >= BETWEEN_SEATS
        ended = felt.ended[seat]
        cut: dict[str, Cents] = {}
        if between and self.job.terms.limit >= 0:
            names = [
                name for name in table.setup.book.settlement.spots.order if name != "progressive"
            ]
            cut = dict(zip(names, felt.cut[seat].tolist(), strict=True))
        for place, spot in enumerate(table.setup.base_spots):
            yield from _some(spot, int(owed.spots[ended, place]) + cut.get(spot, 0))
        for side, bet in enumerate(table.sides):
            yield from _some(bet, self._side(side, seat) + cut.get(bet, 0))
        if table.setup.progressive is not None:
            award = int(felt.awards[seat]) if between else 0
            yield from _some("progressive", int(owed.sums[ended, 1]) + award)
            yield from _some("envy", int(felt.envy[seat]) if between else 0)

    def _side(self, side: int, seat: int) -> Cents:
        owed, felt = self.job.owed, self.felt
        ended = felt.ended[seat]
        if owed.family[side] == FIVE:
            return int(owed.fives[side, ended])
        if owed.lost_by_fold[side] and owed.sums[ended, 2] & FOLDED:
            return -int(owed.stakes[side])
        return int(owed.side_nets[side, felt.kinds[side, seat]])


def _some(spot: str, cents: Cents) -> Iterator[tuple[str, Cents]]:
    if cents:
        yield spot, cents
