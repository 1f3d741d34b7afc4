"""Game protection by sample: what it is worth to see several other hands.

Deals are drawn with a fixed seed. For each the perfect play with the known cards is valued exactly,
over everything that can still come, and so is the play without that knowledge; what is averaged is
only the gain, which is never below nothing. Its error is stated twice: the standard error, and a
bound that holds whatever the gains are distributed like (the better of Hoeffding's and of the
empirical Bernstein bound of Maurer and Pontil, at half the risk each).
"""

import random
from fractions import Fraction
from itertools import combinations
from math import comb, log, sqrt
from typing import TYPE_CHECKING

from riverboat.core.cards import DECK, Card, rank_of, suit_of
from riverboat.core.errors import NotationError
from riverboat.core.hands import rank_five
from riverboat.core.money import Cents
from riverboat.exact.island import dealer_counts, island_figures, terms_of
from riverboat.exact.mississippi import Solution
from riverboat.exact.payoffs import payoffs_of
from riverboat.exact.protection import Knowledge, Progress, streets_of
from riverboat.exact.solvers import ByShape
from riverboat.round.setup.setup import Setup

if TYPE_CHECKING:
    from riverboat.exact.kernels.protecting import HoleTables, Path

SAMPLES = 20_000
FEWEST_SAMPLES = 2
SEED = 1
CONFIDENCE = 0.99
_TOLD_EVERY = 500


def other_hands(
    setup: Setup,
    others: int,
    ante_cents: Cents | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Knowledge:
    """So many other hands are known, and played against perfectly."""
    if not 1 <= others < setup.seats:
        text = f"{others} other hands at a table of {setup.seats} seats"
        raise NotationError("protect.bad_hands", text)
    if samples < FEWEST_SAMPLES:
        text = f"at least {FEWEST_SAMPLES} samples are needed"
        raise NotationError("protect.bad_samples", text)
    deals: ByShape[type[_Streets] | type[_Dealers]] = ByShape(_Streets, _Dealers)
    sampler = deals.at(setup)(setup, others, ante_cents)
    draw = random.Random(seed)
    gains: list[int] = []
    for number in range(samples):
        if progress and number % _TOLD_EVERY == 0:
            progress(_named(others), number, samples)
        gains.append(sampler.gain(tuple(draw.sample(DECK, sampler.cards))))
    return _averaged(sampler.base, sampler.scale, sampler.most, gains, others)


def _named(others: int) -> str:
    return f"{others} other hand" + ("s" if others > 1 else "")


def _averaged(
    base: Fraction, scale: Fraction, most: Fraction, gains: list[int], others: int
) -> Knowledge:
    count, added = len(gains), sum(gains)
    squares = sum(gain * gain for gain in gains)
    mean = Fraction(added, count) * scale
    variance = float((squares - Fraction(added * added, count)) / (count - 1) * scale * scale)
    risk = log(4 / (1 - CONFIDENCE))
    hoeffding = float(most) * sqrt(risk / (2 * count))
    bernstein = sqrt(2 * variance * risk / count) + 7 * float(most) * risk / (3 * (count - 1))
    return Knowledge(
        what=_named(others),
        method="sampled",
        base=base,
        value=base + mean,
        holders=others + 1,
        samples=count,
        standard_error=sqrt(variance / count),
        bound=min(hoeffding, bernstein),
        confidence=CONFIDENCE,
    )


class _Streets:
    """On streets: two own cards, and two of each other player."""

    def __init__(self, setup: Setup, others: int, ante_cents: Cents | None) -> None:
        payoffs = payoffs_of(setup, ante_cents)
        left = 50 - 2 * others
        self.tree = streets_of(setup, ante_cents).tree
        self.part = Fraction(streets_of(setup, ante_cents).part, payoffs.unit)
        self.prepared: dict[tuple[Card, Card], tuple[HoleTables, Path]] = {}
        self.cards = 2 + 2 * others
        self.base = Solution(payoffs).value
        self.scale = self.part / (left * (left - 1) * (left - 2))
        self.most = self._most(Fraction(comb(left, 3), comb(50, 3)))

    def _most(self, clear: Fraction) -> Fraction:
        """No gain is larger.

        Results counted from the worst one up are never negative, so that taking boards away can at
        most divide their mean by the share of boards that is left; the best hole's mean is known.
        """
        from riverboat.exact.kernels.protecting import live_cards, value_with_dead

        worst = min(int(self.tree.results.min()), int(self.tree.fold_fifth.min()))
        holes = {_first_suits(pair) for pair in combinations(DECK, 2)}
        none = live_cards(*DECK)
        best = max(
            value_with_dead(self._hole(one, other)[0], live_cards(one, other), none, self.tree)
            for one, other in holes
        )
        return (Fraction(best, 50 * 49 * 48) - worst) * self.part / clear

    def _hole(self, one: Card, other: Card) -> "tuple[HoleTables, Path]":
        from riverboat.exact.kernels.protecting import hole_tables, path_of

        if (one, other) not in self.prepared:
            tables = hole_tables((one, other), self.tree)
            self.prepared[one, other] = tables, path_of((one, other), tables, self.tree)
        return self.prepared[one, other]

    def gain(self, cards: tuple[Card, ...]) -> int:
        """What perfect play gains in one deal, summed over the boards that can come."""
        import numpy as np

        from riverboat.exact.kernels.protecting import live_cards, value_played, value_with_dead

        one, other, *seen = _first_suits(cards)
        tables, path = self._hole(one, other)
        live, dead = live_cards(one, other, *seen), np.array(seen, np.int64)
        best = value_with_dead(tables, live, dead, self.tree)
        return best - value_played(tables, live, dead, self.tree, path)


def _first_suits(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The same cards with the suits renamed so that the first two are one of 169 holes."""
    ordered = (*sorted(cards[:2], key=lambda card: (rank_of(card), card)), *cards[2:])
    names: dict[int, int] = {}
    for card in ordered:
        names.setdefault(suit_of(card), len(names))
    return tuple(card - suit_of(card) + names[suit_of(card)] for card in ordered)


class _Dealers:
    """Against a dealer: five own cards, the up-card, and five of each other player."""

    def __init__(self, setup: Setup, others: int, ante_cents: Cents | None) -> None:
        ante = ante_cents or 100
        self.terms = terms_of(setup, ante)
        self.threshold = dealer_counts().threshold
        self.cards = 6 + 5 * others
        self.base = island_figures(setup, ante).ev
        self.scale = Fraction(1, comb(52 - self.cards, 4) * ante)
        nets = [paid.net_cents for table in self.terms.paid for paid in table.values()]
        folding = self.terms.folding_cents
        self.most = Fraction(max(max(nets) - folding, folding - min(nets)), ante)

    def gain(self, cards: tuple[Card, ...]) -> int:
        """What perfect play gains in one deal, summed over the dealer's hands."""
        mine, up_card, seen = cards[:5], cards[5], cards[6:]
        unaware = self._worths(mine, up_card, ())
        aware = self._worths(mine, up_card, seen)
        choice = max(range(len(unaware)), key=lambda place: (unaware[place], place != 0))
        return max(aware) - aware[choice]

    def _worths(self, mine: tuple[Card, ...], up_card: Card, seen: tuple[Card, ...]) -> list[int]:
        """Folding and each bet, in cents summed over the dealer's hands."""
        import numpy as np

        from riverboat.exact.kernels.deciding import against_dealer
        from riverboat.exact.kernels.values import hand_values

        live = [card for card in DECK if card not in (*mine, up_card, *seen)]
        ranked = rank_five(mine)
        value = hand_values().value_of[ranked]
        dealt = against_dealer(np.array(live, np.int64), up_card, value, self.threshold).tolist()
        worths = [self.terms.folding_cents * sum(dealt)]
        for table in self.terms.paid:
            happens = ((s, hands) for s, hands in enumerate(dealt) if hands)
            worths.append(sum(table[ranked.hand, s].net_cents * hands for s, hands in happens))
        return worths
