"""How a seat's round can end, and what the engine then does with every chip.

The engine itself plays a round of one seat for each way to bet and each hand that a pay line tells
apart. So what is paid, pushed, kept, rounded or lost by a fold is said in one place. What depends
on more than one seat, a share of the meter, the envy bonus, a limit, is noted for `settling`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from msgspec.structs import replace

from riverboat.core.cards import DECK, Card
from riverboat.core.hand_kinds import HANDS
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.meter.amounts import Meter, meter_of
from riverboat.round import Round, Setup, play
from riverboat.round import actions as a
from riverboat.round.engine import before_the_deal
from riverboat.round.settlement.dues import (
    Due,
    dues,
    envy_dues,
    falls_under_limit,
    hand_kinds,
    triggers_envy,
)
from riverboat.round.state import Seat
from riverboat.round.streets import card_counts, seat_to_act

Bets = tuple[int, ...]
"""What was decided, street by street: a multiple of the ante, 0 for the fold that ends it."""
Wagers = Mapping[str, Cents]
_ENOUGH: Final = 1_000_000_00


class Ending(NamedTuple):
    """What a seat has of its round, by itself and before any limit.

    `spots` are the base game's in order, `fives` the side bets that the seat's own five cards
    decide. A share of the meter is `percent` and not yet in `progressive`. `envy_pays` is what
    every other bettor is paid for this hand. `limited` says for each spot what of it falls under
    the limit, exactly and as it was paid.
    """

    spots: tuple[Cents, ...]
    fives: tuple[Cents, ...]
    progressive: Cents
    percent: int
    envy_pays: Cents
    takes_envy: bool
    folded: bool
    limited: tuple[tuple[Cents, Cents], ...]


class SideEnding(NamedTuple):
    """What one kind of hand brings a side bet, and what of it falls under the limit."""

    net: Cents
    limited: tuple[Cents, Cents]


def ways_to_bet(setup: Setup) -> list[Bets]:
    """Every way to bet, the folds among them, in order."""
    streets = [tuple(sorted(set(stage.multiples))) for stage in setup.stages]
    ways: list[Bets] = []
    for made in range(len(streets)):
        ways += [(*bets, 0) for bets in product(*streets[:made])]
    return [*ways, *product(*streets)]


def without_limit(setup: Setup) -> Setup:
    """The same table with no limit on what a hand or a round can win."""
    rule = replace(setup.book.aggregate_limit, limit=None, limit_option="")
    return replace(setup, book=replace(setup.book, aggregate_limit=rule))


class Asking:
    """A table of one seat, asked how its rounds end."""

    def __init__(self, setup: Setup, wagers: Wagers, fives: Sequence[str]) -> None:
        self.setup, self.wagers, self.fives = without_limit(setup), wagers, fives
        self.slots = [spot for spot in setup.book.settlement.spots.order if spot != "progressive"]
        self._before = before_the_deal(self.setup, [1], wagers, _meter(self.setup))

    def ending(self, places: Mapping[str, tuple[Card, ...]], bets: Bets) -> Ending:
        """How a round with these cards and bets ends."""
        settling = self._play(places, bets)
        seat, owed = settling.seats[1], {due.spot: due for due in dues(settling)}
        closed = play(play(settling, a.SettleAll()), a.Close()).seats[1].results
        award = owed.get("progressive")
        share = award.paid_cents if award is not None and award.share is not None else 0
        return Ending(
            spots=tuple(closed.get(spot, 0) for spot in self.setup.base_spots),
            fives=tuple(closed.get(bet, 0) for bet in self.fives),
            progressive=closed.get("progressive", 0) - share,
            percent=award.percent if award is not None else 0,
            envy_pays=self._envy_pays(settling),
            takes_envy=self._takes_envy(settling),
            folded=seat.status == "folded",
            limited=tuple(self._limited(owed.get(spot)) for spot in self.slots),
        )

    def side(self, bet: str, places: Mapping[str, tuple[Card, ...]]) -> SideEnding:
        """What a side bet comes to with these cards, played to the end."""
        settling = self._play(places, tuple(min(stage.multiples) for stage in self.setup.stages))
        owed = {due.spot: due for due in dues(settling)}
        closed = play(play(settling, a.SettleAll()), a.Close()).seats[1].results
        return SideEnding(closed[bet], self._limited(owed[bet]))

    def _play(self, places: Mapping[str, tuple[Card, ...]], bets: Bets) -> Round:
        """A round up to its settlement."""
        state = play(self._before, a.Deal(places=filled(self.setup, places)))
        left = list(bets)
        while state.phase in ("deciding", "turning"):
            if seat_to_act(state) is None:
                state = play(state, a.Turn())
            elif multiple := left.pop(0):
                state = play(state, a.Bet(seat=1, cents=multiple * self.wagers["ante"]))
            else:
                state = play(state, a.Fold(seat=1))
        return state

    def _limited(self, due: Due | None) -> tuple[Cents, Cents]:
        if due is None or not falls_under_limit(self.setup, due):
            return 0, 0
        return due.exact_cents, due.paid_cents

    def _envy_pays(self, state: Round) -> Cents:
        """What a second bettor is paid for the hand of the first."""
        kinds = hand_kinds(state)
        if self.setup.progressive is None or not triggers_envy(state, 1, kinds):
            return 0
        both = replace(state, seats={1: state.seats[1], 2: Seat(lit=True)})
        return sum(due.paid_cents for due in envy_dues(both, kinds, [1]) if due.seat == 2)

    def _takes_envy(self, state: Round) -> bool:
        """Whether the seat is paid for the best hand of another."""
        rule = self.setup.book.progressive
        if self.setup.progressive is None or rule is None or not rule.envy.hands:
            return False
        best = Kind(rule.envy.hands[0])
        both = replace(state, seats={1: state.seats[1], 2: Seat(lit=True, cards=state.dealer)})
        return any(due.seat == 1 for due in envy_dues(both, {2: best}, [2]))


def _meter(setup: Setup) -> Meter:
    """A meter that can pay any share of it."""
    return Meter() if setup.progressive is None else meter_of(_ENOUGH)


def filled(setup: Setup, places: Mapping[str, tuple[Card, ...]]) -> dict[str, tuple[Card, ...]]:
    """These cards at their places, and any others where none are named."""
    named = {card for cards in places.values() for card in cards}
    left = iter(card for card in DECK if card not in named)
    counts = card_counts(setup, [1])
    return {
        place: places.get(place) or tuple(next(left) for _ in range(count))
        for place, count in counts.items()
    }


def told_apart(setup: Setup, fives: Sequence[str]) -> dict[Kind, Kind]:
    """For each kind of five cards one that every pay line treats alike; so few have to be asked."""
    found: dict[tuple[object, ...], Kind] = {}
    rule = setup.book.progressive
    alike = {}
    for kind in HANDS["five"].kinds():
        names = [name for name in ("base", "progressive", "envy", *fives) if name in setup.lines]
        lines = tuple(id(setup.lines[name][kind]) for name in names)
        others: tuple[object, ...] = (rule is not None and kind.hand in rule.envy.hands,)
        if setup.book.comparison is not None:
            others += (kind.hand,)
        alike[kind] = found.setdefault((*lines, *others), kind)
    return alike


def of_each_line(setup: Setup, bet: str) -> Iterator[tuple[int, Kind]]:
    """The kinds of a side bet's hand in order, each as one that has the same line."""
    first: dict[int, Kind] = {}
    for number, kind in enumerate(setup.side_bets[bet].hand.kinds()):
        yield number, first.setdefault(id(setup.lines[bet][kind]), kind)
