"""A hand against the dealer's, solved: every hand with every up-card, none sampled.

Counting the dealer's hands takes a second and is done once; what a table pays only weighs the
counts, so that another pay table, ante or limit takes milliseconds.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from riverboat.core.cards import DECK, Card, check_distinct
from riverboat.core.errors import FouledDeck
from riverboat.core.hands import FiveCardHand, rank_five
from riverboat.core.money import Cents
from riverboat.exact.distribution import Distribution
from riverboat.exact.figures import DealerGameFigures, HandFigures
from riverboat.exact.showdowns import SITUATIONS, Payouts, payouts
from riverboat.exact.solvers import is_against_dealer
from riverboat.round.settlement.dues import ACE_KING
from riverboat.round.setup.setup import Setup
from riverboat.round.streets import allowed_bets
from riverboat.rulebook.play import Comparison

if TYPE_CHECKING:
    from riverboat.exact.kernels.dealer_hands import Array, DealerCounts
    from riverboat.exact.kernels.deciding import Tally

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


class Solution(NamedTuple):
    """The best choice in every cell, and what comes of it."""

    terms: Terms
    counts: "DealerCounts"
    choices: "Array"
    tally: "Tally"


class Advice(NamedTuple):
    """What each choice is worth in antes, and the best of them."""

    choices: dict[str, Fraction]
    best: str


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

    return count_dealer_hands(_threshold())


def _threshold() -> int:
    from riverboat.exact.kernels.values import hand_values

    return bisect_left(hand_values().ranked, ACE_KING)


@cache
def kinds_of_classes() -> "Array":
    """The kind of hand of each class that is counted."""
    from riverboat.exact.kernels.deciding import kinds_by_class

    return kinds_by_class(dealer_counts())


def nets_of(terms: Terms) -> "Array":
    """What the engine pays, for compiled code: by multiple, kind of hand and situation."""
    import numpy as np

    nets = np.zeros((len(terms.multiples), len(FiveCardHand), len(SITUATIONS)), np.int64)
    for multiple, table in enumerate(terms.paid):
        for (hand, situation), paid in table.items():
            nets[multiple, hand, situation] = paid.net_cents
    return nets


def solve_island(setup: Setup, ante_cents: Cents = 100) -> Solution:
    """The best play at this table."""
    from riverboat.exact.kernels.deciding import best_choices, tally

    terms, counts = terms_of(setup, ante_cents), dealer_counts()
    choices = best_choices(counts, kinds_of_classes(), nets_of(terms), terms.folding_cents)
    return Solution(
        terms, counts, choices, tally(counts, kinds_of_classes(), choices, len(terms.multiples))
    )


def island_figures(
    setup: Setup, ante_cents: Cents = 100, *, ties: Ties = "bet"
) -> DealerGameFigures:
    """The game's figures under the best play; `ties` is what is done where both are worth equal."""
    return figures_of(solve_island(setup, ante_cents), ties=ties)


def figures_of(solution: Solution, *, ties: Ties | Literal[""] = "bet") -> DealerGameFigures:
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
    An array of choices, as `Solution.choices` is, is taken as it stands.
    """
    from riverboat.exact.kernels.deciding import tally

    terms, counts = terms_of(setup, ante_cents), dealer_counts()
    choices = _asked(play, counts) if callable(play) else play
    found = tally(counts, kinds_of_classes(), choices, len(terms.multiples))
    return figures_of(Solution(terms, counts, choices, found), ties="")


def _asked(play: Play, counts: "DealerCounts") -> "Array":
    import numpy as np

    choices = np.full(counts.lower.shape, -1, np.int8)
    for place, row in enumerate(counts.cards):
        cards = tuple(map(int, row))
        for up_card in DECK:
            if up_card not in cards:
                choices[place, up_card] = bool(play(cards, up_card))
    return choices


def advise(
    setup: Setup,
    cards: Sequence[Card],
    up_card: Card,
    know: Iterable[Card] = (),
    ante_cents: Cents = 100,
) -> Advice:
    """What folding and betting are worth with this hand, further known cards out of the deck."""
    import numpy as np

    from riverboat.exact.kernels.deciding import against_dealer
    from riverboat.exact.kernels.values import hand_values

    out = (*cards, up_card, *know)
    check_distinct(out)
    live = [card for card in DECK if card not in out]
    if len(live) < 4:
        raise FouledDeck("hand.wrong_count", "fewer than four cards are left for the dealer")
    mine = rank_five(cards)
    value = hand_values().value_of[mine]
    dealt = against_dealer(np.array(live, np.int64), up_card, value, _threshold())
    return _advice(terms_of(setup, ante_cents), mine.hand, [int(hands) for hands in dealt])


def _advice(terms: Terms, hand: FiveCardHand, dealt: Sequence[int]) -> Advice:
    choices = {"fold": Fraction(terms.folding_cents, terms.ante_cents)}
    for multiple, table in zip(terms.multiples, terms.paid, strict=True):
        name = "bet" if len(terms.multiples) == 1 else f"{multiple}x"
        cents = sum(table[hand, s].net_cents * hands for s, hands in enumerate(dealt) if hands)
        choices[name] = Fraction(cents, sum(dealt) * terms.ante_cents)
    best = max((name for name in choices if name != "fold"), key=choices.__getitem__)
    return Advice(choices, best if choices[best] >= choices["fold"] else "fold")


__all__ = [
    "DEALER_HANDS",
    "DEALS",
    "Advice",
    "Play",
    "Solution",
    "Terms",
    "Ties",
    "advise",
    "comparison_of",
    "dealer_counts",
    "evaluate",
    "figures_of",
    "island_figures",
    "kinds_of_classes",
    "nets_of",
    "solve_island",
    "terms_of",
]
