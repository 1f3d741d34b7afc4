"""A hand against the dealer's, solved: every hand with every up-card, none sampled.

What is paid is asked of the engine once for each kind of hand and each way that the dealer's hand
can stand to it, with its roundings and limits. Counting the dealer's hands takes a second and is
done once; what a table pays only weighs the counts, so that another pay table, ante or limit takes
milliseconds.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK, Card, parse_cards
from riverboat.core.hands import FiveCardHand, Ranked, rank_five
from riverboat.core.money import Cents
from riverboat.exact.distribution import Distribution
from riverboat.exact.solvers import is_against_dealer
from riverboat.round.settlement.dues import ACE_KING, dues
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.round.streets import allowed_bets
from riverboat.rulebook.play import Comparison

if TYPE_CHECKING:
    from riverboat.exact.kernels.dealer_choices import Tally
    from riverboat.exact.kernels.dealer_hands import Array, DealerCounts


class HandFigures(Struct, frozen=True, kw_only=True):
    """A player's final hand: how often it is dealt, how often it is bet, and how it ends then."""

    hand: str
    probability: Fraction
    bet: Fraction
    wins: Fraction
    pushes: Fraction
    loses: Fraction


class DealerGameFigures(Struct, frozen=True, kw_only=True):
    """A game against the dealer under one way of playing, in antes.

    `ties` says what is done where betting and folding are worth the same; it is empty where the
    way of playing is not the best one.
    """

    rulebook: str
    paytable: str
    wager_cents: Cents
    ties: str
    ev: Fraction
    average_wager: Fraction
    fold_frequency: Fraction
    bet_frequencies: dict[int, Fraction]
    at_par_frequency: Fraction
    hands: tuple[HandFigures, ...]
    distribution: Distribution
    capped: bool
    assumptions: tuple[str, ...]

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of an ante."""
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        """What the house keeps of all that is bet."""
        return -self.ev / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """The share of rounds that the player wins."""
        return self.distribution.win_push_loss[0]

    @property
    def standard_deviation(self) -> float:
        """Of one round, for print."""
        return self.distribution.standard_deviation

    @property
    def skewness(self) -> float:
        """Of one round, for print."""
        return self.distribution.skewness


Situation: TypeAlias = int
SITUATIONS = range(6)

_LOW_AND_HIGH = (
    "7c 5d 4h 3s 2c",
    "Qc Jd 9h 7s 5c",
    "Ac Kd 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 5h 4s 3c",
    "Ac Ad Kh Qs Jc",
    "3c 3d 2c 2d 4h",
    "Ac Ad Kc Kd Qh",
    "2c 2d 2h 4s 3c",
    "Ac Ad Ah Ks Qc",
    "5c 4d 3h 2s Ac",
    "Ac Kd Qh Js Tc",
    "7c 5c 4c 3c 2c",
    "Ac Kc Qc Jc 9c",
    "2c 2d 2h 3c 3d",
    "Ac Ad Ah Kc Kd",
    "2c 2d 2h 2s 3c",
    "Ac Ad Ah As Kc",
    "5c 4c 3c 2c Ac",
    "Kc Qc Jc Tc 9c",
    "Ac Kc Qc Jc Tc",
)


class Paid(NamedTuple):
    """What a round brings its player, and whether a limit cut it."""

    net_cents: Cents
    capped: bool


Payouts: TypeAlias = dict[tuple[FiveCardHand, Situation], Paid]


def situation_of(mine: Ranked, dealers: Ranked) -> Situation:
    """Below the threshold or not (0 or 3), and lower than mine, equal or higher (0, 1 or 2)."""
    relation = 0 if dealers < mine else 1 if dealers == mine else 2
    return relation + (0 if dealers < ACE_KING else 3)


def settled(
    setup: Setup,
    wagers: Mapping[str, Cents],
    mine: tuple[Card, ...],
    dealers: tuple[Card, ...],
) -> Paid:
    """What the engine makes of a hand that stays in, alone at the table."""
    seat = Seat(wagers=dict(wagers), cards=mine)
    owed = dues(Round(setup=setup, seats={1: seat}, dealer=dealers))
    given = sum(due.given_cents for due in owed)
    return Paid(given - sum(wagers.values()), any(due.capped for due in owed))


def payouts(
    setup: Setup, wagers: Mapping[str, Cents]
) -> dict[tuple[FiveCardHand, Situation], Paid]:
    """For each kind of hand and situation what it brings; what cannot happen is not there."""
    found: Payouts = {}
    for (mine, value), (dealers, against) in product(_examples(), repeat=2):
        key = value.hand, situation_of(value, against)
        if key not in found and not set(mine) & set(dealers):
            found[key] = settled(setup, wagers, mine, dealers)
    return found


def _examples() -> Iterator[tuple[tuple[Card, ...], Ranked]]:
    """A low and a high hand of each kind, in four turns of the suits so that some are disjoint."""
    for text, turn in product(_LOW_AND_HIGH, range(4)):
        cards = tuple(card - card % 4 + (card + turn) % 4 for card in parse_cards(text))
        yield cards, rank_five(cards)


DEALS = 2_598_960 * 47
"""The player's hands with the dealer's up-card."""
DEALER_HANDS = 163_185

Ties: TypeAlias = Literal["bet", "fold"]
Play: TypeAlias = Callable[[tuple[Card, ...], Card], bool]
"""A way of playing: whether to bet with this hand against this up-card."""


class Terms(NamedTuple):
    """What a round can cost and bring at this table, in cents, from the engine."""

    setup: Setup
    ante_cents: Cents
    multiples: tuple[int, ...]
    folding_cents: Cents
    paid: tuple[Payouts, ...]

    @property
    def capped(self) -> bool:
        """Whether a limit cuts any payout."""
        return any(one.capped for table in self.paid for one in table.values())


class DealerSolution(NamedTuple):
    """The best choice in every cell, and what comes of it."""

    terms: Terms
    counts: "DealerCounts"
    choices: "Array"
    tally: "Tally"


def comparison_of(setup: Setup) -> Comparison:
    """The showdown of a table for this game; any other is a mistake of the caller's."""
    found = setup.book.comparison if is_against_dealer(setup.book) else None
    assert found is not None, f"{setup.book.id} is not played against a dealer"
    return found


def terms_of(setup: Setup, ante_cents: Cents = 100) -> Terms:
    """Fold and bet at this table for this ante."""
    comparison_of(setup)
    stage = setup.stages[0]
    bets = allowed_bets(setup, stage, ante_cents)
    wagers = {"ante": ante_cents}
    paid = tuple(payouts(setup, {**wagers, stage.spot: bet}) for bet in bets)
    folding = -sum(cents for spot, cents in wagers.items() if spot in stage.forfeits)
    return Terms(setup, ante_cents, stage.multiples, folding, paid)


@cache
def dealer_counts() -> "DealerCounts":
    """The counts behind every hand and up-card, made once in a process."""
    from riverboat.exact.kernels.dealer_hands import count_dealer_hands

    return count_dealer_hands(threshold())


def threshold() -> int:
    """The value from which the dealer's hand qualifies where ace-king does."""
    from riverboat.exact.kernels.hand_values import hand_values

    return bisect_left(hand_values().ranked, ACE_KING)


@cache
def kinds_of_classes() -> "Array":
    """The kind of hand of each class that is counted."""
    from riverboat.exact.kernels.dealer_choices import kinds_by_class

    return kinds_by_class(dealer_counts())


def nets_of(terms: Terms) -> "Array":
    """What the engine pays, for compiled code: by multiple, kind of hand and situation."""
    import numpy as np

    nets = np.zeros((len(terms.multiples), len(FiveCardHand), len(SITUATIONS)), np.int64)
    for multiple, table in enumerate(terms.paid):
        for (hand, situation), paid in table.items():
            nets[multiple, hand, situation] = paid.net_cents
    return nets


def solve_against_dealer(setup: Setup, ante_cents: Cents = 100) -> DealerSolution:
    """The best play at this table."""
    from riverboat.exact.kernels.dealer_choices import best_choices, tally

    terms, counts = terms_of(setup, ante_cents), dealer_counts()
    choices = best_choices(counts, kinds_of_classes(), nets_of(terms), terms.folding_cents)
    return DealerSolution(
        terms, counts, choices, tally(counts, kinds_of_classes(), choices, len(terms.multiples))
    )


def dealer_game_figures(
    setup: Setup, ante_cents: Cents = 100, *, ties: Ties = "bet"
) -> DealerGameFigures:
    """The game's figures under the best play; `ties` is what is done where both are worth equal."""
    return figures_of(solve_against_dealer(setup, ante_cents), ties=ties)


def figures_of(solution: DealerSolution, *, ties: Ties | Literal[""] = "bet") -> DealerGameFigures:
    """A solution's figures."""
    terms, tally = solution.terms, solution.tally
    folded = [int(hands) for hands in tally.folded]
    dealt = tally.bet + tally.at_par if ties != "fold" else tally.bet
    par = [int(hands) for hands in tally.par_hands]
    if ties == "fold":
        folded = [hands + more for hands, more in zip(folded, par, strict=True)]
    results = Counter({Fraction(terms.folding_cents, terms.ante_cents): sum(folded) * DEALER_HANDS})
    by_hand: dict[FiveCardHand, Counter[int]] = {hand: Counter() for hand in FiveCardHand}
    bets: Counter[int] = Counter()
    for multiple, hand, net, deals in _outcomes(terms, dealt):
        results[Fraction(net, terms.ante_cents)] += deals
        bets[multiple] += deals
        by_hand[hand][(net > 0) - (net < 0)] += deals
    distribution = Distribution.of(results)
    assert distribution.total == DEALS * DEALER_HANDS
    frequencies = {m: Fraction(bets[m], DEALS * DEALER_HANDS) for m in terms.multiples}
    return DealerGameFigures(
        rulebook=terms.setup.book.id,
        paytable=comparison_of(terms.setup).id,
        wager_cents=terms.ante_cents,
        ties=ties,
        ev=distribution.mean,
        average_wager=1 + sum((m * f for m, f in frequencies.items()), Fraction(0)),
        fold_frequency=Fraction(sum(folded), DEALS),
        bet_frequencies=frequencies,
        at_par_frequency=Fraction(sum(par), DEALS),
        hands=tuple(_hand_figures(by_hand, folded)),
        distribution=distribution,
        capped=terms.capped,
        assumptions=_assumptions(terms, ties),
    )


def _outcomes(terms: Terms, dealt: "Array") -> Iterator[tuple[int, FiveCardHand, Cents, int]]:
    """Each multiple, hand and situation that happens: its result and how many deals bring it."""
    for place, multiple in enumerate(terms.multiples):
        for hand in FiveCardHand:
            for situation in SITUATIONS:
                deals = int(dealt[place, hand, situation])
                if deals:
                    yield multiple, hand, terms.paid[place][hand, situation].net_cents, deals


def _hand_figures(
    by_hand: dict[FiveCardHand, Counter[int]], folded: Sequence[int]
) -> Iterator[HandFigures]:
    whole = DEALS * DEALER_HANDS
    for hand in reversed(FiveCardHand):
        ends = by_hand[hand]
        stayed = ends.total()
        yield HandFigures(
            hand=hand.label,
            probability=Fraction(stayed + folded[hand] * DEALER_HANDS, whole),
            bet=Fraction(stayed, whole),
            wins=Fraction(ends[1], whole),
            pushes=Fraction(ends[0], whole),
            loses=Fraction(ends[-1], whole),
        )


def _assumptions(terms: Terms, ties: str) -> tuple[str, ...]:
    said = ["one player, who sees the own hand and the dealer's up-card"]
    if ties:
        said.append(f"where betting and folding are worth the same: {ties}")
    if terms.capped:
        said.append("the limit on payouts is this hand's alone")
    return tuple(said)


def evaluate(setup: Setup, play: "Play | Array", ante_cents: Cents = 100) -> DealerGameFigures:
    """Any way of playing, exactly: asked once for every class of hands and every up-card.

    A function bets the smallest multiple where it says so. It must not go by the names of suits.
    An array of choices, as `DealerSolution.choices` is, is taken as it stands.
    """
    from riverboat.exact.kernels.dealer_choices import tally

    terms, counts = terms_of(setup, ante_cents), dealer_counts()
    choices = _asked(play, counts) if callable(play) else play
    found = tally(counts, kinds_of_classes(), choices, len(terms.multiples))
    return figures_of(DealerSolution(terms, counts, choices, found), ties="")


def _asked(play: Play, counts: "DealerCounts") -> "Array":
    import numpy as np

    choices = np.full(counts.lower.shape, -1, np.int8)
    for place, row in enumerate(counts.cards):
        cards = tuple(map(int, row))
        for up_card in DECK:
            if up_card not in cards:
                choices[place, up_card] = bool(play(cards, up_card))
    return choices
