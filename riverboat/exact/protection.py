"""Game protection: what knowing more than the rules allow is worth, exactly.

On streets: community cards that are known by their place before the first decision, and one other
player's hole. Against a dealer: one of the covered cards. More hands than that are sampled, in
`protection_sampling`. Whoever knows plays perfectly with what is known.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK, Card
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.classes import representatives, set_counts
from riverboat.exact.island import (
    dealer_counts,
    island_figures,
    kinds_of_classes,
    nets_of,
    terms_of,
)
from riverboat.exact.mississippi import CASES, Solution, hand_chances
from riverboat.exact.payoffs import KINDS, payoffs_of
from riverboat.exact.solvers import ByShape
from riverboat.round.setup.setup import Setup

if TYPE_CHECKING:
    from riverboat.exact.kernels.trees import Betting

Method: TypeAlias = Literal["exact", "sampled"]
Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being worked out, how much is done, and of how much."""

PLACES = ("first", "second", "third")
COMMUNITY_KNOWN: tuple[tuple[int, ...], ...] = (
    (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2),
)  # fmt: skip
SINGLE_CARDS = ByShape(streets=len(PLACES), dealer=1)
_DEADS = 1225


class Knowledge(Struct, frozen=True, kw_only=True):
    """What somebody knows, and the expectation of perfect play with it, in antes.

    `bound` is for a sample: with the stated confidence the value is no farther away than that,
    whatever the values are distributed like. `holders` is how many players gain it at once.
    """

    what: str
    method: Method
    base: Fraction
    value: Fraction
    holders: int = 1
    samples: int = 0
    standard_error: float = 0.0
    bound: float = 0.0
    confidence: float = 1.0

    @property
    def gain(self) -> Fraction:
        """What the knowledge is worth to one player, per ante."""
        return self.value - self.base

    def cents_an_hour(self, ante_cents: Cents, rounds_an_hour: int) -> Fraction:
        """What all who know it take from the house in an hour, beyond what they would lose."""
        return self.gain * self.holders * ante_cents * rounds_an_hour

    def win_an_hour(self, ante_cents: Cents, rounds_an_hour: int) -> Fraction:
        """What one player with the knowledge wins in an hour."""
        return self.value * ante_cents * rounds_an_hour


def streets_of(setup: Setup, ante_cents: Cents | None = None) -> "Betting":
    """The table's bets as the compiled code has them."""
    from riverboat.exact.kernels.trees import betting_of

    betting = betting_of(payoffs_of(setup, ante_cents))
    if betting.tree.results.dtype == object:
        raise NotationError("protect.too_big", "payouts too big for the machine's integers")
    return betting


# ---------------------------------------------------------------- community cards


def community_known(
    setup: Setup, places: tuple[int, ...], ante_cents: Cents | None = None
) -> Knowledge:
    """The cards in these places (0 is the first turned) are known before the first decision."""
    payoffs = payoffs_of(setup, ante_cents)
    base = Solution(payoffs).value
    named = " and ".join(PLACES[place] for place in places)
    what = f"the {named} community card" + ("s" if len(places) > 1 else "")
    if len(places) == len(PLACES):
        best = {
            kind: max(payoffs.folded[()], *(row[number] for row in payoffs.rows))
            for number, kind in enumerate(KINDS)
        }
        value = sum((best[kind] * chance for kind, chance in hand_chances().items()), Fraction(0))
        return Knowledge(
            what="all three community cards", method="exact", base=base, value=value / payoffs.unit
        )
    from riverboat.exact.kernels.protecting import hole_tables, sum_knowing

    betting = streets_of(setup, ante_cents)
    total = 0
    for (one, other), weight in zip(representatives(2), set_counts(2), strict=True):
        tables = hole_tables((one, other), betting.tree)
        total += weight * sum_knowing((one, other), tables, betting.tree, places)
    value = Fraction(total * betting.part, CASES * payoffs.unit)
    return Knowledge(what=what, method="exact", base=base, value=value)


# ---------------------------------------------------------------- another hole


def one_other_hand(
    setup: Setup, ante_cents: Cents | None = None, progress: Progress | None = None
) -> Knowledge:
    """One other player's two cards are known: every hole with every other hole."""
    import numpy as np

    from riverboat.exact.kernels.protecting import hole_tables, sum_with_dead

    payoffs = payoffs_of(setup, ante_cents)
    betting = streets_of(setup, ante_cents)
    total = 0
    classes = representatives(2)
    for number, (hole, weight) in enumerate(zip(classes, set_counts(2), strict=True)):
        if progress:
            progress("one other hand", number, len(classes))
        deads = dead_pairs(hole)
        pairs = np.array(list(deads), np.int64)
        times = np.array(list(deads.values()), np.int64)
        one, other = hole
        tables = hole_tables((one, other), betting.tree)
        total += weight * sum_with_dead((one, other), tables, betting.tree, pairs, times)
    cases = 1326 * _DEADS * 48 * 47 * 46
    return Knowledge(
        what="1 other hand",
        method="exact",
        base=Solution(payoffs).value,
        value=Fraction(total * betting.part, cases * payoffs.unit),
        holders=2,
    )


def dead_pairs(hole: tuple[Card, ...]) -> Counter[tuple[Card, ...]]:
    """The pairs that another player can hold, those alike but for the names of suits as one."""
    keep = [
        turn
        for turn in permutations(range(4))
        if {_turned(card, turn) for card in hole} == set(hole)
    ]
    found: Counter[tuple[Card, ...]] = Counter()
    for pair in combinations([card for card in DECK if card not in hole], 2):
        found[min(tuple(sorted(_turned(card, turn) for card in pair)) for turn in keep)] += 1
    return found


def _turned(card: Card, turn: tuple[int, ...]) -> Card:
    return card - card % 4 + turn[card % 4]


# ---------------------------------------------------------------- the dealer's cards


def flashed_card(setup: Setup, ante_cents: Cents = 100) -> Knowledge:
    """One covered card of the dealer's is known beside the up-card: every hand with every pair."""
    from riverboat.exact.kernels.flashing import DEALER_HANDS, PAIRS_LEFT, play_flashed

    terms, counts = terms_of(setup, ante_cents), dealer_counts()
    nets = nets_of(terms)
    played = play_flashed(counts, kinds_of_classes(), nets, terms.folding_cents)
    cents = sum(played.folded.tolist()) * DEALER_HANDS * terms.folding_cents
    for deals, net in zip(played.bet.ravel().tolist(), nets.ravel().tolist(), strict=True):
        cents += deals * net
    cases = 2_598_960 * PAIRS_LEFT * DEALER_HANDS
    return Knowledge(
        what="one of the dealer's covered cards",
        method="exact",
        base=island_figures(setup, ante_cents).ev,
        value=Fraction(cents, cases * ante_cents),
    )


# ---------------------------------------------------------------- whatever the game has


def cards_known(
    setup: Setup, ante_cents: Cents, progress: Progress | None = None
) -> Iterator[Knowledge]:
    """Everything that lies covered and can be known by itself; `SINGLE_CARDS` come first."""
    return ByShape(_community_cards, _covered_card).at(setup)(setup, ante_cents, progress)


def _community_cards(
    setup: Setup, ante_cents: Cents, progress: Progress | None
) -> Iterator[Knowledge]:
    for number, places in enumerate(COMMUNITY_KNOWN):
        if progress:
            progress("community cards", number, len(COMMUNITY_KNOWN))
        yield community_known(setup, places, ante_cents)


def _covered_card(
    setup: Setup, ante_cents: Cents, progress: Progress | None
) -> Iterator[Knowledge]:
    if progress:
        progress("a covered card", 0, 1)
    yield flashed_card(setup, ante_cents)
