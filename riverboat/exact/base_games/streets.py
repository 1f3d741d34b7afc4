"""Three streets solved exactly: the best choice in every situation, and what it comes to.

The solver works on classes of cards and on what was bet so far, in whole numbers; every figure is
a fraction. Where folding and betting are worth the same, `ties` says which is done ("bet" is the
house's convention, and of two bets the smaller); the value is the same, the average wager is not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.core.cards import RANKS, Card, rank_of, suit_of
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact import kernels as k
from riverboat.exact.base_games.street_payoffs import KINDS, Bets, Payoffs, payoffs_of, with_extra
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.table_hands import Stays
from riverboat.exact.solvers import BaseFigures, BasePlay, best_play_in_words
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round

Ties: TypeAlias = Literal["bet", "fold"]
Strategy: TypeAlias = Callable[[tuple[Card, ...], Bets], int]
Extra: TypeAlias = Mapping[Kind, Fraction | int]

FOLD = 0
CASES = 1326 * 50 * 49 * 48
_CASES_AFTER = (48 * 49 * 50, 48 * 49, 48)


class Figures(BaseFigures, frozen=True, kw_only=True):
    """What a way of playing three streets comes to."""

    hands_unfolded: dict[Kind, Fraction]


class Solution:
    """The best play of one table. Figures and values are worked out when they are asked for."""

    def __init__(self, payoffs: Payoffs, ties: Ties = "bet") -> None:
        self.payoffs = payoffs
        self._chosen = cache(self.choose)
        self._deck = k.deck_tables.deck_in_short()
        self._betting = k.street_plans.betting_of(payoffs)
        self._plan = k.street_plans.backward(self._deck, self._betting.tree, ties_bet=ties == "bet")

    @cached_property
    def value(self) -> Fraction:
        """What the best play expects, in antes."""
        weights = self._deck.weight.tolist()
        values = self._plan.values[0][:, 0].tolist()
        total = sum(weight * value for weight, value in zip(weights, values, strict=True))
        return Fraction(total * self._betting.part, CASES * self.payoffs.unit)

    @property
    def house_edge(self) -> Fraction:
        """What the house expects of it, per ante."""
        return -self.value

    @cached_property
    def figures(self) -> Figures:
        """Wagers, frequencies, hands and the distribution of the result."""
        flow = k.street_plans.forward(self._deck, self._betting.tree, self._plan.choices)
        return _figures(self.payoffs, self._betting, flow)

    @cached_property
    def stays(self) -> "k.stayers.Staying":
        """Which hole cards are played to the end, by their class and the first two community cards;
        for counting hands that other bets go by."""
        import numpy as np

        return np.array([self.path(hole).fifth > 0 for hole in k.deck_tables.representatives(2)])

    def path(self, hole: tuple[Card, ...]) -> "k.street_plans.Path":
        """What it does with a hole, by the community cards in their order."""
        return k.street_plans.path_of(hole, self._betting.tree, self._plan)

    @property
    def figures_folding_ties(self) -> Figures:
        """The same table with ties folded."""
        return Solution(self.payoffs, "fold").figures

    @property
    def base_play(self) -> BasePlay:
        """For bets that are settled beside the base game."""
        words = best_play_in_words(self.payoffs.ante_cents)
        return BasePlay(self.figures.hands_unfolded, staying(self.choose), words)

    def multiple_for(self, state: Round, number: int) -> int:
        """What a seat bets whose turn it is."""
        seat = state.seats[number]
        made = (seat.wagers.get(stage.spot, 0) for stage in state.setup.stages[: state.stage])
        bets = tuple(cents // seat.wagers["ante"] for cents in made)
        cards = tuple(sorted((*seat.cards, *state.community[: state.turned])))
        return self._chosen(cards, bets)

    def choose(self, cards: Sequence[Card], bets: Bets) -> int:
        """What to do with these cards after these bets: a multiple of the ante, 0 for a fold."""
        number, state = k.deck_tables.number_in_short(cards), self._betting.states[bets]
        choice = int(self._plan.choices[len(bets)][number, state])
        return self.payoffs.multiples[len(bets)][choice - 1] if choice else FOLD

    def worth(self, cards: Sequence[Card], bets: Bets) -> dict[int, Fraction]:
        """Every choice with its value in antes, best play after it; 0 is the fold."""
        number, street = k.deck_tables.number_in_short(cards), len(bets)
        after = self._sums(number, street)
        cases = _CASES_AFTER[street] * self.payoffs.unit
        values = {FOLD: Fraction(self.payoffs.folded[bets], self.payoffs.unit)}
        for multiple in self.payoffs.multiples[street]:
            reached = (*bets, multiple)
            place = self.payoffs.paid[reached] if street == 2 else self._betting.states[reached]
            values[multiple] = Fraction(after[place] * self._betting.part, cases)
        return values

    def _sums(self, number: int, street: int) -> list[int]:
        """For each state (or row of results) after a bet the sum over all cards to come."""
        start, target, ways = self._deck.ways[street]
        later = (*self._plan.values[1:], self._betting.tree.results)[street]
        entries = slice(int(start[number]), int(start[number + 1]))
        reached = later[target[entries]].tolist()
        times = ways[entries].tolist()
        return [
            sum(time * row[state] for time, row in zip(times, reached, strict=True))
            for state in range(later.shape[1])
        ]


def staying(strategy: Strategy) -> Stays:
    """Whether a way of playing takes hole cards to the end on a board in its order."""
    choice = cache(strategy)

    def stays(hole: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
        bets: Bets = ()
        for seen in range(len(board)):
            multiple = choice(tuple(sorted((*hole, *board[:seen]))), bets)
            if not multiple:
                return False
            bets = (*bets, multiple)
        return True

    return stays


def solve(
    setup: Setup,
    ante_cents: Cents | None = None,
    *,
    ties: Ties = "bet",
    extra_cents: Extra | None = None,
) -> Solution:
    """The best play at a table, for an ante (its minimum where none is named).

    `extra_cents` is what a kind of hand earns besides if it is not folded, such as an award that a
    fold forfeits; the play is then the best for both together.
    """
    payoffs = payoffs_of(setup, ante_cents)
    return Solution(with_extra(payoffs, extra_cents) if extra_cents else payoffs, ties)


def evaluate(payoffs: Payoffs, strategy: Strategy) -> Figures:
    """What any way of playing comes to, if it goes by the cards held and seen and by the bets.

    The strategy is shown one set of cards of each class, hole and community cards together, the
    highest first; only situations that it gets into are asked.
    """
    import numpy as np

    deck, betting = k.deck_tables.deck_by_classes(), k.street_plans.betting_of(payoffs, apart=True)
    reached: set[tuple[int, Bets]] = {(number, ()) for number in range(len(deck.weight))}
    plans = []
    for street, (start, to, _) in enumerate(deck.ways):
        held = k.deck_tables.representatives(street + 2)
        multiples = payoffs.multiples[street]
        states = len({s for bets, s in betting.states.items() if len(bets) == street})
        plan = np.zeros((len(held), states), np.int8)
        onward: set[tuple[int, Bets]] = set()
        for number, bets in reached:
            multiple = strategy(held[number], bets)
            if multiple == FOLD:
                continue
            plan[number, betting.states[bets]] = multiples.index(multiple) + 1
            if street < 2:
                targets = to[start[number] : start[number + 1]].tolist()
                onward.update((target, (*bets, multiple)) for target in targets)
        plans.append(plan)
        reached = onward
    return _figures(payoffs, betting, k.street_plans.forward(deck, betting.tree, plans))


def hand_chances() -> dict[Kind, Fraction]:
    """The chances of the kinds of hand over all rounds, folded or not."""
    import numpy as np

    start, kind, ways = k.deck_tables.deck_by_classes().ways[2]
    sums = np.zeros(len(KINDS), np.int64)
    np.add.at(sums, kind, np.repeat(k.deck_tables.set_counts(4), np.diff(start)) * ways)
    counts = sums.tolist()
    return {kind: Fraction(n, sum(counts)) for kind, n in zip(KINDS, counts, strict=True)}


def _figures(
    payoffs: Payoffs, betting: "k.street_plans.Betting", flow: "k.street_plans.Flow"
) -> Figures:
    """Counts of cases as shares, and every case with its result."""
    states: list[dict[int, Bets]] = [{}, {}, {}]
    for bets, state in betting.states.items():
        states[len(bets)].setdefault(state, bets)
    weights: list[tuple[Fraction, int]] = []
    folds: dict[str, Fraction] = {}
    made: dict[str, dict[int, Fraction]] = {}
    wagered = Fraction(1)
    for street, done in enumerate(flow.choices):
        rows, spot = done.tolist(), payoffs.spots[street]
        for state, bets in states[street].items():
            weights.append((Fraction(payoffs.folded[bets], payoffs.unit), rows[state][0]))
        folds[spot] = Fraction(sum(row[0] for row in rows), CASES)
        made[spot] = {
            multiple: Fraction(sum(row[place] for row in rows), CASES)
            for place, multiple in enumerate(payoffs.multiples[street], start=1)
        }
        wagered += sum(m * share for m, share in made[spot].items())
    hands = [0] * len(KINDS)
    for state, by_bet in enumerate(flow.results.tolist()):
        for multiple, counts in zip(payoffs.multiples[2], by_bet, strict=True):
            row = payoffs.rows[payoffs.paid[(*states[2][state], multiple)]]
            for place, count in enumerate(counts):
                if count:
                    hands[place] += count
                    weights.append((Fraction(row[place], payoffs.unit), count))
    return Figures(
        capped=payoffs.capped,
        average_wager=wagered,
        folds=folds,
        bets=made,
        hands_unfolded={kind: Fraction(n, CASES) for kind, n in zip(KINDS, hands, strict=True)},
        distribution=Distribution.of(weights),
    )


class Situation(Struct, frozen=True, kw_only=True):
    """Cards held and seen, bets made, and what each choice is then worth, in antes.

    `cards` stand for `card_sets` sets that differ only by the names of their suits; which of them
    are in the hole does not matter. A choice is a multiple of the ante, 0 the fold.
    """

    cards: tuple[Card, ...]
    card_sets: int
    bets: Bets
    choices: dict[int, Fraction]
    best: int


def situations(solution: Solution, street: str, bets: Bets | None = None) -> Iterator[Situation]:
    """Every situation of a street, for these bets so far or for all that there can be."""
    made = solution.payoffs.spots.index(street)
    every = list(product(*solution.payoffs.multiples[:made])) if bets is None else [bets]
    sizes = made + 2
    for cards, count in zip(
        k.deck_tables.representatives(sizes), k.deck_tables.set_counts(sizes), strict=True
    ):
        for so_far in every:
            yield Situation(
                cards=cards,
                card_sets=count,
                bets=so_far,
                choices=solution.worth(cards, so_far),
                best=solution.choose(cards, so_far),
            )


def starting_hands(solution: Solution) -> dict[str, Situation]:
    """The 169 starting hands by their names: "AKs" of one suit, "AKo" of two, "AA"."""
    found: dict[str, Situation] = {}
    for one in situations(solution, solution.payoffs.spots[0]):
        high, low = (RANKS[rank_of(card)] for card in one.cards)
        suited = len(set(map(suit_of, one.cards))) == 1
        found[high + low + ("" if high == low else "s" if suited else "o")] = one
    return found
