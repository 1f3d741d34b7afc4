"""A hand against the dealer's, solved: every hand with every up-card, none sampled.

What is paid is asked of the engine once for each kind of hand and each way that the dealer's hand
can stand to it, with its roundings and limits. Counting the dealer's hands takes a second and is
done once; what a table pays only weighs the counts, so that another pay table, ante or limit takes
milliseconds.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK, SUITS, Card, parse_cards, rank_of, suit_of
from riverboat.core.hands import FiveCardHand, Kind, Ranked, rank_five
from riverboat.core.money import Cents
from riverboat.exact import kernels as k
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.table_hands import hands_of
from riverboat.exact.solvers import BaseFigures, BasePlay, best_play_in_words, is_against_dealer
from riverboat.round.settlement.dues import ACE_KING, dues
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.round.streets import allowed_bets
from riverboat.rulebook.play import Comparison

if TYPE_CHECKING:
    from riverboat.exact.kernels.dealer_choices import Tally
    from riverboat.exact.kernels.dealer_hands import Array, DealerCounts

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

DEALS = 2_598_960 * 47
"""The player's hands with the dealer's up-card."""
DEALER_HANDS = 163_185
AT_PAR = 64
"""Added to a choice that is worth exactly as much as a fold."""


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
    for (mine, value), (dealers, against) in product(sample_cards(), repeat=2):
        key = value.hand, situation_of(value, against)
        if key not in found and not set(mine) & set(dealers):
            found[key] = settled(setup, wagers, mine, dealers)
    return found


def sample_cards() -> Iterator[tuple[tuple[Card, ...], Ranked]]:
    """A low and a high hand of each kind, in four turns of the suits so that some are disjoint."""
    for text, turn in product(_LOW_AND_HIGH, range(4)):
        cards = tuple(card - card % 4 + (card + turn) % 4 for card in parse_cards(text))
        yield cards, rank_five(cards)


class Terms(NamedTuple):
    """What a round can cost and bring at this table, in cents, from the engine."""

    setup: Setup
    ante_cents: Cents
    multiples: tuple[int, ...]
    folding_cents: Cents
    paid: tuple[Payouts, ...]


class HandFigures(Struct, frozen=True, kw_only=True):
    """A player's final hand: how often it is dealt, how often it is bet, and how it ends then."""

    hand: str
    probability: Fraction
    bet: Fraction
    wins: Fraction
    pushes: Fraction
    loses: Fraction


class DealerGameFigures(BaseFigures, frozen=True, kw_only=True):
    """A game against the dealer under one way of playing.

    `at_par` is the share of rounds in which betting and folding are worth the same.
    """

    at_par: Fraction
    hands: tuple[HandFigures, ...]


class DealerSolution(NamedTuple):
    """The best choice in every cell, or any other way of playing, and what comes of it."""

    terms: Terms
    counts: "DealerCounts"
    choices: "Array"
    tally: "Tally"

    @property
    def figures(self) -> DealerGameFigures:
        """Where betting and folding are worth the same, it bets."""
        return _figures(self, self.tally.bet + self.tally.at_par, self.tally.folded)

    @property
    def figures_folding_ties(self) -> DealerGameFigures:
        """There it folds."""
        return _figures(self, self.tally.bet, self.tally.folded + self.tally.par_hands)

    @property
    def house_edge(self) -> Fraction:
        """What the house expects, per ante."""
        return self.figures.house_edge

    @property
    def hands_bet(self) -> Mapping[Kind, int]:
        """Of all hands with up-cards those that are bet."""
        return k.dealer_choices.hands_bet(self.counts, self.choices)

    @property
    def base_play(self) -> BasePlay:
        """For bets that are settled beside the base game."""
        unfolded = {kind: Fraction(count, DEALS) for kind, count in self.hands_bet.items()}
        return BasePlay(unfolded, None, best_play_in_words(self.terms.ante_cents), self._beside)

    def _beside(self, kinds: frozenset[Kind]) -> Mapping[Kind, Fraction]:
        """Five cards of the own hand and the up-card, none of them another seat's."""
        hands = hands_of(kinds)
        bets = k.dealer_choices.bets_beside(self.counts, self.choices, [hand for hand, _ in hands])
        sums: Counter[Kind] = Counter()
        for (_, kind), count in zip(hands, bets, strict=True):
            sums[kind] += count
        deals = comb(52, 5) * comb(47, 5) * 42
        return {kind: Fraction(sums[kind], deals) for kind in kinds}

    def multiple_for(self, state: Round, number: int) -> int:
        """What a seat bets whose turn it is, looked up by the class of its cards."""
        masks, up_card = _masks(state.seats[number].cards), state.dealer[0]
        suits = sorted(range(len(SUITS)), key=masks.__getitem__, reverse=True)
        renamed = up_card - suit_of(up_card) + suits.index(suit_of(up_card))
        place = _places()[tuple(masks[suit] for suit in suits)]
        choice = int(self.choices[place, renamed])
        return self.terms.multiples[choice % AT_PAR - 1] if choice else 0


@cache
def _places() -> dict[tuple[int, ...], int]:
    """Where each class of hands stands in the tables: by its suits, the highest mask first."""
    classes = enumerate(dealer_counts().cards.tolist())
    return {tuple(_masks(cards)): place for place, cards in classes}


def _masks(cards: Sequence[Card]) -> list[int]:
    masks = [0] * len(SUITS)
    for card in cards:
        masks[suit_of(card)] |= 1 << rank_of(card)
    return masks


def comparison_of(setup: Setup) -> Comparison:
    """The showdown of a table for this game; any other is a mistake of the caller's."""
    found = setup.book.comparison if is_against_dealer(setup.book) else None
    assert found is not None, f"{setup.book.id} is not played against a dealer"
    return found


def terms_of(setup: Setup, ante_cents: Cents = 100) -> Terms:
    """Fold and bet at this table for this ante."""
    comparison_of(setup)
    stage = setup.stages[0]
    bets = allowed_bets(stage, ante_cents)
    wagers = {"ante": ante_cents}
    paid = tuple(payouts(setup, {**wagers, stage.spot: bet}) for bet in bets)
    folding = -sum(cents for spot, cents in wagers.items() if spot in stage.forfeits)
    return Terms(setup, ante_cents, stage.multiples, folding, paid)


def worths(
    terms: Terms, mine: Sequence[Card], up_card: Card, out: Collection[Card] = ()
) -> tuple[list[Cents], int]:
    """Folding and each bet, summed over every hand that the dealer can still make, and how many
    those are. `out` are further cards that the dealer cannot have."""
    import numpy as np

    live = [card for card in DECK if card not in (*mine, up_card, *out)]
    ranked = rank_five(mine)
    value = k.hand_values.hand_values().value_of[ranked]
    dealt = k.dealer_choices.against_dealer(np.array(live, np.int64), up_card, value, threshold())
    happens = [(situation, hands) for situation, hands in enumerate(dealt) if hands]
    bets = [
        sum(table[ranked.hand, situation].net_cents * hands for situation, hands in happens)
        for table in terms.paid
    ]
    return [terms.folding_cents * sum(dealt), *bets], sum(dealt)


@cache
def dealer_counts() -> "DealerCounts":
    """The counts behind every hand and up-card, made once in a process."""
    return k.dealer_hands.count_dealer_hands(threshold())


def threshold() -> int:
    """The value from which the dealer's hand qualifies where ace-king does."""
    return bisect_left(k.hand_values.hand_values().ranked, ACE_KING)


def nets_of(terms: Terms) -> "Array":
    """What the engine pays, for compiled code: by multiple, kind of hand and situation."""
    import numpy as np

    nets = np.zeros((len(terms.multiples), len(FiveCardHand), len(SITUATIONS)), np.int64)
    for multiple, table in enumerate(terms.paid):
        for (hand, situation), paid in table.items():
            nets[multiple, hand, situation] = paid.net_cents
    return nets


@cache
def kinds_of_classes() -> "Array":
    """The kind of hand of each class that is counted."""
    import numpy as np

    kinds: Array = np.array([one.hand for one in k.hand_values.hand_values().ranked], np.int64)
    return kinds[dealer_counts().values]


def solve_against_dealer(setup: Setup, ante_cents: Cents = 100) -> DealerSolution:
    """The best play at this table."""
    terms = terms_of(setup, ante_cents)
    choices = k.dealer_choices.best_choices(
        dealer_counts(), kinds_of_classes(), nets_of(terms), terms.folding_cents
    )
    return played_by(terms, choices)


def played_by(terms: Terms, choices: "Array") -> DealerSolution:
    """Any way of playing, exactly: a choice for every class of hands and every up-card."""
    counts = dealer_counts()
    found = k.dealer_choices.tally(counts, kinds_of_classes(), choices, len(terms.multiples))
    return DealerSolution(terms, counts, choices, found)


def _figures(solution: DealerSolution, dealt: "Array", folded_hands: "Array") -> DealerGameFigures:
    """From the deals that are bet, by choice, hand and situation, and the hands that are folded."""
    terms, whole = solution.terms, DEALS * DEALER_HANDS
    folded = [int(hands) for hands in folded_hands]
    results = Counter({Fraction(terms.folding_cents, terms.ante_cents): sum(folded) * DEALER_HANDS})
    ends: dict[FiveCardHand, Counter[int]] = {hand: Counter() for hand in FiveCardHand}
    made: Counter[int] = Counter()
    for place, hand, situation in product(range(len(terms.multiples)), FiveCardHand, SITUATIONS):
        if deals := int(dealt[place, hand, situation]):
            net = terms.paid[place][hand, situation].net_cents
            results[Fraction(net, terms.ante_cents)] += deals
            made[terms.multiples[place]] += deals
            ends[hand][(net > 0) - (net < 0)] += deals
    distribution = Distribution.of(results)
    assert distribution.total == whole
    bets, spot = {m: Fraction(made[m], whole) for m in terms.multiples}, terms.setup.stages[0].spot
    return DealerGameFigures(
        capped=any(one.capped for table in terms.paid for one in table.values()),
        average_wager=1 + sum((m * share for m, share in bets.items()), Fraction(0)),
        folds={spot: Fraction(sum(folded), DEALS)},
        bets={spot: bets},
        at_par=Fraction(int(solution.tally.par_hands.sum()), DEALS),
        hands=tuple(
            HandFigures(
                hand=hand.label,
                probability=Fraction(ends[hand].total() + folded[hand] * DEALER_HANDS, whole),
                bet=Fraction(ends[hand].total(), whole),
                wins=Fraction(ends[hand][1], whole),
                pushes=Fraction(ends[hand][0], whole),
                loses=Fraction(ends[hand][-1], whole),
            )
            for hand in reversed(FiveCardHand)
        ),
        distribution=distribution,
    )
