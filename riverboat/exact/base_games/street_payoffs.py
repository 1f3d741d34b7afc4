"""What a round of three streets pays, cent by cent, for every way to bet and every kind of hand.

The engine itself is asked: a finished round with one seat is settled for each kind of hand and each
combination of street bets, so limits, rounding, pushes and kept stakes are those of the table.

Two assumptions. Street bets that are still to come are whole multiples of the ante, also where a
house allows others. And where a limit is for all hands of a deal together, this player's is the
only one that it counts.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.cards import Card
from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import HANDS
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact.solvers import ByShape, least_ante
from riverboat.round.settlement.dues import Due, dues
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat

KINDS: tuple[Kind, ...] = tuple(HANDS["five"].kinds())
Bets = tuple[int, ...]
Stakes = dict[int, Cents]
Row = tuple[int, ...]


class Payoffs(Struct, frozen=True, kw_only=True):
    """The player's net results in whole parts of a cent, `per_cent` of them to one.

    `rows` are the different rows of results by kind of hand, in the order of `KINDS`. `paid` says
    which row goes with which three bets; `folded` what a fold is worth after these bets. `spots`
    are the streets, as the rulebook calls them.
    """

    ante_cents: Cents
    spots: tuple[str, ...]
    multiples: tuple[Bets, Bets, Bets]
    rows: tuple[Row, ...]
    paid: dict[Bets, int]
    folded: dict[Bets, int]
    per_cent: int = 1
    capped: bool = False

    def __hash__(self) -> int:
        return hash((self.ante_cents, self.multiples, self.rows, self.per_cent))

    @property
    def unit(self) -> int:
        """One ante, in the parts that the results are in."""
        return self.ante_cents * self.per_cent

    @property
    def biggest(self) -> int:
        """No result is farther from nothing."""
        return max(max(map(abs, row)) for row in (*self.rows, tuple(self.folded.values())))


def payoffs_of(
    setup: Setup, ante_cents: Cents | None = None, made: Sequence[Cents] = ()
) -> Payoffs:
    """Everything that this table pays on an ante; the table's minimum where none is named.

    `made` are bets of the first streets that lie between whole multiples. Nothing else is bet
    there: each of those streets has this one bet, by the number 1.
    """
    if not ByShape(streets=True, dealer=False).at(setup):
        text = f"{setup.book.id} is no game of three streets; its mathematics are elsewhere"
        raise NotationError("exact.other_game", text)
    ante = ante_cents or least_ante(setup)
    stakes = [{m: m * ante for m in sorted(set(stage.multiples))} for stage in setup.stages]
    stakes[: len(made)] = [{1: cents} for cents in made]
    third, fourth, fifth = map(tuple, stakes)
    table = _Table(setup, ante, stakes)
    lines = setup.lines["base"]
    hand_for = {id(lines[kind]): hand for kind, hand in sample_hands().items()}
    by_line = {line: table.results(hand) for line, hand in hand_for.items()}
    numbers: dict[Row, int] = {}
    paid: dict[Bets, int] = {}
    for bets in product(third, fourth, fifth):
        row = tuple([by_line[id(lines[kind])][bets] for kind in KINDS])
        paid[bets] = numbers.setdefault(row, len(numbers))
    so_far = (*product(third, fourth), *product(third), ())
    return Payoffs(
        ante_cents=ante,
        spots=tuple(stage.spot for stage in setup.stages),
        multiples=(third, fourth, fifth),
        rows=tuple(numbers),
        paid=paid,
        folded={bets: table.folded(bets) for bets in so_far},
        capped=table.capped,
    )


def with_extra(payoffs: Payoffs, extra_cents: Mapping[Kind, Fraction | int]) -> Payoffs:
    """The same with what each kind of hand earns besides, if it is not folded.

    A share of a meter need not be whole cents: then everything is counted in finer parts.
    """
    extra = [Fraction(extra_cents.get(kind, 0)) for kind in KINDS]
    finer = lcm(*(part.denominator for part in extra))
    scale = payoffs.per_cent * finer
    added = [int(part * scale) for part in extra]
    rows = tuple(
        tuple(cell * finer + more for cell, more in zip(row, added, strict=True))
        for row in payoffs.rows
    )
    folded = {bets: loss * finer for bets, loss in payoffs.folded.items()}
    return replace(payoffs, rows=rows, folded=folded, per_cent=scale)


@cache
def sample_hands() -> dict[Kind, tuple[Card, ...]]:
    """One hand of each kind."""
    return {kind: HANDS["five"].example(kind) for kind in KINDS}


class _Table:
    """Settles rounds of one player."""

    def __init__(self, setup: Setup, ante: Cents, stakes: Sequence[Stakes]) -> None:
        self.setup = setup
        self.ante = ante
        self.stakes = stakes
        self.multiples = [tuple(street) for street in stakes]
        self.capped = False

    def laid(self, bets: Bets) -> dict[str, Cents]:
        """The wagers as they lie on the table after these bets."""
        streets = zip(self.setup.stages, self.stakes, bets, strict=False)
        return {"ante": self.ante, **{stage.spot: street[bet] for stage, street, bet in streets}}

    def results(self, hand: tuple[Card, ...]) -> dict[Bets, int]:
        """What a hand wins or loses, for each way to bet.

        Unless the limit cuts the largest bets, each wager is settled for itself, and a few rounds
        have every wager there can be. All wagers go by one line of the pay table, so that it does
        not matter which street a bet was made on.
        """
        ways = list(product(*self.multiples))
        most = max(map(len, self.multiples))
        alone: dict[tuple[str, int], int] = {}
        for place in reversed(range(most)):
            owed = self._dues(hand, tuple(m[min(place, len(m) - 1)] for m in self.multiples))
            if place == most - 1 and any(due.capped for due in owed):
                self.capped = True
                stakes = {bets: tuple(sorted(self.laid(bets).values())) for bets in ways}
                alike = {laid: bets for bets, laid in stakes.items()}
                nets = {laid: self._net(hand, bets) for laid, bets in alike.items()}
                return {bets: nets[laid] for bets, laid in stakes.items()}
            for due in owed:
                alone[due.spot, due.stake_cents] = due.given_cents - due.stake_cents
        return {bets: sum([alone[one] for one in self.laid(bets).items()]) for bets in ways}

    def folded(self, bets: Bets) -> int:
        """What a fold after these bets loses: the wagers that the rulebook says it forfeits."""
        forfeits = self.setup.stages[len(bets)].forfeits
        return -sum(cents for spot, cents in self.laid(bets).items() if spot in forfeits)

    def _net(self, hand: tuple[Card, ...], bets: Bets) -> int:
        given = sum(due.given_cents for due in self._dues(hand, bets))
        return given - sum(self.laid(bets).values())

    def _dues(self, hand: tuple[Card, ...], bets: Bets) -> tuple[Due, ...]:
        seat = Seat(wagers=self.laid(bets), cards=hand[:2])
        return dues(Round(setup=self.setup, seats={1: seat}, community=hand[2:], turned=3))
