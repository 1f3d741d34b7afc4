"""A table as the compiled rounds need it: its terms, and what the engine says of every ending."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from riverboat.core.cards import Card
from riverboat.core.errors import Refused
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, divide_up
from riverboat.meter.amounts import Meter
from riverboat.round.betting import contributions
from riverboat.round.settlement.dues import is_shared_limit
from riverboat.round.setup.setup import Setup
from riverboat.simulate import settling as s
from riverboat.simulate.endings import (
    Asking,
    Bets,
    Ending,
    SideEnding,
    Wagers,
    of_each_line,
    told_apart,
    ways_to_bet,
)

_FAMILIES: Final[Mapping[tuple[frozenset[str], str], int]] = {
    (frozenset(("community",)), "three"): s.COMMUNITY,
    (frozenset(("seat",)), "two"): s.OWN,
    (frozenset(("box", "seat")), "six"): s.BOX,
    (frozenset(("seat", "community")), "five"): s.FIVE,
    (frozenset(("seat",)), "five"): s.FIVE,
}
_POLICIES: Final = {"sequential": s.SEQUENTIAL, "highest_first": s.HIGHEST_FIRST}
_ROUNDINGS: Final = {"down": s.DOWN, "half_up": s.HALF_UP, "up": s.UP}
_NONE: Final = (0, 0)


class Table(NamedTuple):
    """A table ready for compiled rounds. `numbers` has the number of each ending by how it was bet,
    by the kind of hand, and, against a dealer, by the situation."""

    setup: Setup
    wagers: Wagers
    sides: tuple[str, ...]
    ways: tuple[Bets, ...]
    terms: s.Terms
    owed: s.Owed
    numbers: NDArray[Any]

    @property
    def bets(self) -> tuple[str, ...]:
        """What results are told of, in order."""
        return ("base", *self.sides, "progressive", "envy")


def family_of(setup: Setup, bet: str) -> int:
    """Which cards decide a side bet; a house's own that no compiled round knows is refused."""
    side = setup.side_bets[bet]
    for (places, size), family in _FAMILIES.items():
        if frozenset(side.places) == places and side.hand.cards == _CARDS[size]:
            return family
    where = " and ".join(side.places)
    text = f"{setup.book.id}: {bet} goes by {side.hand.cards} cards of {where}"
    raise Refused("simulate.no_such_side_bet", f"{text}; no compiled round has that", cites=())


_CARDS: Final = {"two": 2, "three": 3, "five": 5, "six": 6}


class Meters(NamedTuple):
    """How the meter goes on: put back before each round to stand at `at` when awards are paid, or
    left to run from there."""

    at: Meter
    runs: bool = False


def prepare(setup: Setup, wagers: Wagers, meters: Meters, examples: "Examples") -> Table:
    """Everything asked of the engine, once."""
    sides = tuple(setup.bonuses)
    families = [family_of(setup, bet) for bet in sides]
    fives = [bet for bet, family in zip(sides, families, strict=True) if family == s.FIVE]
    asking = Asking(setup, wagers, fives)
    numbered, numbers = _endings(asking, examples, told_apart(setup, fives))
    terms = _terms(setup, wagers, meters)
    owed = _owed(asking, sides, families, list(numbered), terms)
    return Table(setup, wagers, sides, tuple(ways_to_bet(setup)), terms, owed, numbers)


class Examples(NamedTuple):
    """Cards for every kind of five cards, and how many situations there are at the showdown; cards
    for a kind in a situation are missing where that cannot happen."""

    kinds: tuple[Kind, ...]
    situations: int
    cards: Mapping[tuple[Kind, int], Mapping[str, tuple[Card, ...]]]


def _endings(
    asking: Asking, examples: Examples, alike: Mapping[Kind, Kind]
) -> tuple[dict[Ending, int], NDArray[Any]]:
    """Every ending with its number, and which is reached how."""
    numbered: dict[Ending, int] = {}
    asked: dict[tuple[Bets, Kind, int], int] = {}
    ways = ways_to_bet(asking.setup)
    shape = (len(ways), len(examples.kinds), examples.situations)
    numbers = np.zeros(shape, np.uint16)
    for (w, bets), (k, kind), situation in product(
        enumerate(ways), enumerate(examples.kinds), range(examples.situations)
    ):
        key = bets, alike[kind], situation
        cards = examples.cards.get((alike[kind], situation))
        if cards is None:
            continue
        if key not in asked:
            asked[key] = numbered.setdefault(asking.ending(cards, bets), len(numbered))
        numbers[w, k, situation] = asked[key]
    return numbered, numbers


def _terms(setup: Setup, wagers: Wagers, meters: Meters) -> s.Terms:
    seats, progressive, rule = setup.seats, setup.progressive, setup.book.progressive
    came = next(contributions(setup, seats), None) if progressive is not None else None
    units, reserve = (0, 0) if came is None else (came.units, came.reserve_units)
    at_lock = setup.choice("contribute_at") == "lock"
    before = (units, reserve) if at_lock and not meters.runs else (0, 0)
    settlement, limit = setup.book.settlement, setup.aggregate_limit_cents
    with_hand = settlement.envy is not None and settlement.envy.when == "with_the_qualifying_hand"
    return s.Terms(
        seats=seats,
        came=units,
        came_to_reserve=reserve,
        at_lock=at_lock,
        starts_anew=not meters.runs,
        start=max(0, meters.at.units - before[0]),
        start_reserve=max(0, meters.at.reserve_units - before[1]),
        seed=0 if progressive is None else progressive.seed_cents,
        policy=_POLICIES.get(setup.choice("multi_winner_policy"), s.TOGETHER),
        rounding=_ROUNDINGS.get(setup.choice("rounding_mode"), s.DOWN),
        awards_from_right=_from_right(rule.several_winners.order) if rule is not None else False,
        envy_for_each=with_hand or (rule is not None and rule.envy.per_qualifying_hand),
        envy_for_own=rule is not None and rule.envy.for_own_hand,
        unit=setup.payout_unit_cents,
        breakage_up=setup.breakage is divide_up,
        limit=-1 if limit is None else limit,
        is_shared=limit is not None and is_shared_limit(setup, setup.choice("cap_scope")),
        seats_from_right=_from_right(settlement.seats.order),
        share_unit=setup.cents("pro_rata_unit") or 1,
    )


def _from_right(order: str) -> bool:
    return order == "dealers_right_to_left"


def _owed(
    asking: Asking,
    sides: Sequence[str],
    families: Sequence[int],
    endings: Sequence[Ending],
    terms: s.Terms,
) -> s.Owed:
    setup = asking.setup
    by_kind = {
        bet: list(_of_a_side(asking, bet, family))
        for bet, family in zip(sides, families, strict=True)
        if family != s.FIVE
    }
    width = max((len(of_kind) for of_kind in by_kind.values()), default=1)
    nets = np.zeros((len(sides), width), np.int64)
    limited = np.zeros((len(sides), width, 2), np.int64)
    for number, bet in enumerate(sides):
        for kind, found in enumerate(by_kind.get(bet, ())):
            nets[number, kind], limited[number, kind] = found.net, found.limited
    most = int(limited[:, :, 0].max(axis=1, initial=0).sum())
    fives = np.zeros((len(sides), len(endings)), np.int64)
    for place, bet in enumerate(asking.fives):
        fives[sides.index(bet)] = [ending.fives[place] for ending in endings]
    return s.Owed(
        sums=np.array([[*_sums(one, terms, most), 0] for one in endings], np.int64),
        spots=np.array([one.spots for one in endings], np.int64),
        fives=fives,
        percent=np.array([one.percent for one in endings], np.int64),
        envy_pays=np.array([one.envy_pays for one in endings], np.int64),
        takes_envy=np.array([one.takes_envy for one in endings], np.int64),
        limited=np.array([one.limited for one in endings], np.int64),
        slots=np.array([_side_at(slot, sides) for slot in asking.slots], np.int64),
        family=np.array(families, np.int64),
        lost_by_fold=np.array([bet in setup.lost_by_fold for bet in sides], np.int64),
        stakes=np.array([asking.wagers[bet] for bet in sides], np.int64),
        side_nets=nets,
        side_limited=limited,
    )


def _side_at(slot: str, sides: Sequence[str]) -> int:
    return sides.index(slot) if slot in sides else -1


def _sums(ending: Ending, terms: s.Terms, most_of_sides: Cents) -> tuple[int, int, int]:
    """Base game, progressive, and the flags. A limit can only be passed where some seat has its
    even part of it."""
    most = sum(exact for exact, _ in ending.limited) + most_of_sides
    sharing = terms.seats if terms.is_shared else 1
    may_be_cut = terms.limit >= 0 and most * sharing > terms.limit
    between = bool(ending.percent or ending.envy_pays or may_be_cut)
    flags = s.FOLDED * ending.folded + s.BETWEEN_SEATS * between
    return sum(ending.spots), ending.progressive, flags


def _of_a_side(asking: Asking, bet: str, family: int) -> Iterator[SideEnding]:
    """What each kind of hand brings."""
    setup, known = asking.setup, dict[Kind, SideEnding]()
    for _, kind in of_each_line(setup, bet):
        if kind not in known:
            known[kind] = asking.side(bet, _example(setup, bet, family, kind))
        yield known[kind]


def _example(setup: Setup, bet: str, family: int, kind: Kind) -> dict[str, tuple[Card, ...]]:
    """Cards at their places that make a kind of a side bet's hand."""
    hand = setup.side_bets[bet].hand
    ace_low = setup.flag("three_card_ace_low")
    examples = (cards for cards in hand.examples(kind) if hand.kind_of(cards, ace_low) == kind)
    cards = next(examples)
    if family == s.COMMUNITY:
        return {"community": cards}
    if family == s.OWN:
        return {"1": cards}
    box = setup.book.deal.box_cards
    return {"box": cards[:box], "1": cards[box:]}
