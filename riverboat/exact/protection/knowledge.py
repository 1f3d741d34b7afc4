"""Game protection: what it is worth to know more than the rules allow and to play perfectly by it.

Exactly: on streets community cards that are known by their place before the first decision, and one
other player's hole; against a dealer one of the covered cards.

By sample: several other hands. Deals are drawn with a fixed seed. For each the perfect play with
the known cards is valued exactly, over everything that can still come, and so is the play without
that knowledge; what is averaged is only the gain, which is never below nothing. Its error is stated
twice: the standard error, and a bound that holds whatever the gains are distributed like (the
better of Hoeffding's and of the empirical Bernstein bound of Maurer and Pontil, at half the risk
each).
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations
from math import comb, log, sqrt
from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK, Card, rank_of, suit_of
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact import kernels as k
from riverboat.exact.base_games import dealer_game
from riverboat.exact.base_games.street_payoffs import KINDS, payoffs_of
from riverboat.exact.base_games.streets import CASES, Solution, hand_chances
from riverboat.exact.solvers import ByShape, house_edge
from riverboat.round.setup.setup import Setup

Method: TypeAlias = Literal["exact", "sampled"]
Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being worked out, how much is done, and of how much."""

PLACES = ("first", "second", "third")
COMMUNITY_KNOWN = [known for cards in (1, 2, 3) for known in combinations(range(3), cards)]
SINGLE_CARDS = ByShape(streets=len(PLACES), dealer=1)
_DEADS = 1225

SAMPLES = 20_000
FEWEST_SAMPLES = 2
SEED = 1
CONFIDENCE = 0.99
_TOLD_EVERY = 500


class Knowledge(Struct, frozen=True, kw_only=True):
    """What somebody knows, and the expectation of perfect play with it, in antes.

    `bound` is for a sample: with the stated confidence the value is no farther away than that,
    whatever the values are distributed like. `holders` is how many players gain it at once.
    """

    what: str
    method: Method = "exact"
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


def streets_of(setup: Setup, ante_cents: Cents | None = None) -> "k.street_plans.Betting":
    """The table's bets as the compiled code has them."""
    betting = k.street_plans.betting_of(payoffs_of(setup, ante_cents))
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
        return Knowledge(what="all three community cards", base=base, value=value / payoffs.unit)
    import numpy as np

    betting, known = streets_of(setup, ante_cents), np.array(places, np.int64)
    total = 0
    for hole, weight in zip(
        k.deck_tables.representatives(2), k.deck_tables.set_counts(2), strict=True
    ):
        tables, live = k.holes.hole_tables(hole, betting.tree), k.holes.live_cards(*hole)
        total += weight * k.holes.sum_knowing(tables, live, betting.tree, known)
    value = Fraction(total * betting.part, CASES * payoffs.unit)
    return Knowledge(what=what, base=base, value=value)


# ---------------------------------------------------------------- another hole


def one_other_hand(
    setup: Setup, ante_cents: Cents | None = None, progress: Progress | None = None
) -> Knowledge:
    """One other player's two cards are known: every hole with every other hole."""
    import numpy as np

    payoffs = payoffs_of(setup, ante_cents)
    betting = streets_of(setup, ante_cents)
    total = 0
    classes = k.deck_tables.representatives(2)
    for number, (hole, weight) in enumerate(zip(classes, k.deck_tables.set_counts(2), strict=True)):
        if progress:
            progress("one other hand", number, len(classes))
        deads = dead_pairs(hole)
        pairs = np.array(list(deads), np.int64)
        times = np.array(list(deads.values()), np.int64)
        tables, live = k.holes.hole_tables(hole, betting.tree), k.holes.live_cards(*hole)
        total += weight * k.holes.sum_with_dead(tables, live, betting.tree, pairs, times)
    cases = 1326 * _DEADS * 48 * 47 * 46
    return Knowledge(
        what="1 other hand",
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
    terms, counts = dealer_game.terms_of(setup, ante_cents), dealer_game.dealer_counts()
    nets = dealer_game.nets_of(terms)
    played = k.dealer_choices.play_flashed(
        counts, dealer_game.kinds_of_classes(), nets, terms.folding_cents
    )
    cents = sum(played.folded.tolist()) * k.dealer_choices.HANDS_LEFT * terms.folding_cents
    for deals, net in zip(played.bet.ravel().tolist(), nets.ravel().tolist(), strict=True):
        cents += deals * net
    cases = 2_598_960 * k.dealer_choices.PAIRS_LEFT * k.dealer_choices.HANDS_LEFT
    return Knowledge(
        what="one of the dealer's covered cards",
        base=-house_edge(setup, ante_cents),
        value=Fraction(cents, cases * ante_cents),
    )


# ---------------------------------------------------------------- whatever the game has


def cards_known(
    setup: Setup, ante_cents: Cents, progress: Progress | None = None
) -> Iterator[Knowledge]:
    """Everything that lies covered and can be known by itself; `SINGLE_CARDS` come first."""
    known = partial(community_known, setup, ante_cents=ante_cents)
    covered = ByShape(
        ("community cards", [partial(known, places) for places in COMMUNITY_KNOWN]),
        ("a covered card", [partial(flashed_card, setup, ante_cents)]),
    )
    what, every = covered.at(setup)
    for number, worked_out in enumerate(every):
        if progress:
            progress(what, number, len(every))
        yield worked_out()


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
    if not 1 <= others < setup.seats or samples < FEWEST_SAMPLES:
        text = f"{others} other hands at a table of {setup.seats} seats, in {samples} samples"
        raise NotationError("protect.bad_hands", f"{text}; at least {FEWEST_SAMPLES} are needed")
    deals: ByShape[type[_Streets] | type[_Dealers]] = ByShape(_Streets, _Dealers)
    sampler = deals.at(setup)(setup, others, ante_cents)
    draw, added, squares = random.Random(seed), 0, 0
    what = f"{others} other hand" + ("s" if others > 1 else "")
    for number in range(samples):
        if progress and number % _TOLD_EVERY == 0:
            progress(what, number, samples)
        gain = sampler.gain(tuple(draw.sample(DECK, sampler.cards)))
        added, squares = added + gain, squares + gain * gain
    spread = (squares - Fraction(added * added, samples)) / (samples - 1)
    variance, most = float(spread * sampler.scale * sampler.scale), float(sampler.most)
    risk = log(4 / (1 - CONFIDENCE))
    hoeffding = most * sqrt(risk / (2 * samples))
    bernstein = sqrt(2 * variance * risk / samples) + 7 * most * risk / (3 * (samples - 1))
    return Knowledge(
        what=what,
        method="sampled",
        base=sampler.base,
        value=sampler.base + Fraction(added, samples) * sampler.scale,
        holders=others + 1,
        samples=samples,
        standard_error=sqrt(variance / samples),
        bound=min(hoeffding, bernstein),
        confidence=CONFIDENCE,
    )


class _Streets:
    """On streets: two own cards, and two of each other player."""

    def __init__(self, setup: Setup, others: int, ante_cents: Cents | None) -> None:
        self.solution = Solution(payoffs_of(setup, ante_cents))
        left = 50 - 2 * others
        betting = streets_of(setup, ante_cents)
        self.tree = betting.tree
        self.part = Fraction(betting.part, self.solution.payoffs.unit)
        self.cards = 2 + 2 * others
        self.base = self.solution.value
        self._hole = cache(self._prepared)
        self.scale = self.part / (left * (left - 1) * (left - 2))
        self.most = self._most(Fraction(comb(left, 3), comb(50, 3)))

    def _most(self, clear: Fraction) -> Fraction:
        """No gain is larger.

        Results counted from the worst one up are never negative, so that taking boards away can at
        most divide their mean by the share of boards that is left; the best hole's mean is known.
        """
        worst = min(int(self.tree.results.min()), int(self.tree.fold_fifth.min()))
        holes = {_first_suits(pair) for pair in combinations(DECK, 2)}
        none = k.holes.live_cards(*DECK)
        best = max(
            k.holes.value_with_dead(
                self._hole(one, other)[0], k.holes.live_cards(one, other), none, self.tree
            )
            for one, other in holes
        )
        return (Fraction(best, 50 * 49 * 48) - worst) * self.part / clear

    def _prepared(self, *hole: Card) -> "tuple[k.holes.HoleTables, k.street_plans.Path]":
        return k.holes.hole_tables(hole, self.tree), self.solution.path(hole)

    def gain(self, cards: tuple[Card, ...]) -> int:
        """What perfect play gains in one deal, summed over the boards that can come."""
        import numpy as np

        one, other, *seen = _first_suits(cards)
        tables, path = self._hole(one, other)
        live, dead = k.holes.live_cards(one, other, *seen), np.array(seen, np.int64)
        best = k.holes.value_with_dead(tables, live, dead, self.tree)
        return best - k.holes.value_played(tables, live, dead, self.tree, path)


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
        self.terms = dealer_game.terms_of(setup, ante)
        self.cards = 6 + 5 * others
        self.base = -house_edge(setup, ante)
        self.scale = Fraction(1, comb(52 - self.cards, 4) * ante)
        nets = [paid.net_cents for table in self.terms.paid for paid in table.values()]
        folding = self.terms.folding_cents
        self.most = Fraction(max(max(nets) - folding, folding - min(nets)), ante)

    def gain(self, cards: tuple[Card, ...]) -> int:
        """What perfect play gains in one deal, summed over the dealer's hands."""
        mine, up_card, seen = cards[:5], cards[5], cards[6:]
        unaware, _ = dealer_game.worths(self.terms, mine, up_card)
        aware, _ = dealer_game.worths(self.terms, mine, up_card, seen)
        choice = max(range(len(unaware)), key=lambda place: (unaware[place], place != 0))
        return max(aware) - aware[choice]
