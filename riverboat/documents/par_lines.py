"""The base games line by line: how often each hand is bet to the end, and what it brings.

The figures of a solved game are for the whole of it. To tell the hands apart, each kind of hand is
paid a prize of its own that is far beyond every result, and the distribution is read by it.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from riverboat.exact.island import DEALER_HANDS, DEALS
from riverboat.exact.island import Solution as IslandSolution
from riverboat.exact.mississippi import Solution, evaluate
from riverboat.exact.payoffs import KINDS, with_extra
from riverboat.exact.showdowns import SITUATIONS
from riverboat.hands import FiveCardHand, Kind

FOLDED = Kind("folded")


class Brought(NamedTuple):
    """A kind of hand: the share of rounds that end with it, and its part of the expectation."""

    chance: Fraction
    returns: Fraction


def brought_by_kind(solution: Solution) -> Mapping[Kind, Brought]:
    """Every kind of hand under the solution's own play, and the folds, in antes."""
    payoffs = solution.payoffs
    apart = Fraction(4 * payoffs.biggest, payoffs.per_cent)
    marks = {kind: apart * place for place, kind in enumerate(KINDS, start=1)}
    marked = evaluate(with_extra(payoffs, marks), solution.choose).distribution
    step = apart / payoffs.ante_cents
    chances: Counter[Kind] = Counter()
    sums: dict[Kind, Fraction] = dict.fromkeys((FOLDED, *KINDS), Fraction(0))
    for result, weight in marked.outcomes:
        place = round(result / step)
        kind = KINDS[place - 1] if place else FOLDED
        chances[kind] += weight
        sums[kind] += weight * (result - place * step)
    total = marked.total
    return {
        kind: Brought(Fraction(chances[kind], total), sums[kind] / total)
        for kind in (FOLDED, *KINDS)
    }


def returns_by_hand(solution: IslandSolution) -> Mapping[FiveCardHand, Fraction]:
    """Against a dealer: what each hand that is bet adds to the expectation, in antes; ties bet."""
    terms, tally = solution.terms, solution.tally
    dealt = tally.bet + tally.at_par
    cases = DEALS * DEALER_HANDS * terms.ante_cents
    return {
        hand: Fraction(
            sum(
                int(dealt[place, hand, situation]) * table[hand, situation].net_cents
                for place, table in enumerate(terms.paid)
                for situation in SITUATIONS
                if (hand, situation) in table
            ),
            cases,
        )
        for hand in FiveCardHand
    }
