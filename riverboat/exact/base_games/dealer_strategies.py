"""How to play against a dealer: rules of thumb, a strategy to remember, and what each costs.

Every strategy goes by three things: the value of the own hand, the rank of the up-card, and
whether the own hand has a card of that rank. Suits matter only in a narrow band of hands.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.cards import RANKS
from riverboat.core.hands import FiveCardHand, Ranked
from riverboat.exact import kernels as k
from riverboat.exact.base_games import dealer_game as g
from riverboat.round.settlement.dues import ACE_KING

RankPlay: TypeAlias = Callable[[Ranked, int], bool]
"""Whether to bet with a hand of this value against an up-card of this rank."""

_HIGH = FiveCardHand.HIGH_CARD
_TEN, _JACK, _QUEEN, _KING, _ACE = range(8, 13)


class CostedStrategy(Struct, frozen=True, kw_only=True):
    """A way of playing and what it costs: the part of an ante lost to the best play."""

    name: str
    words: tuple[str, ...]
    figures: g.DealerGameFigures
    cost: Fraction


class Rung(NamedTuple):
    """A threshold of a compact strategy: for these up-cards, bet from this hand on."""

    ranks: range
    matches: bool
    bet_from: Ranked

    def __str__(self) -> str:
        first, last = RANKS[self.ranks[0]], RANKS[self.ranks[-1]]
        cards = first if first == last else f"{first} to {last}"
        match = "in your hand" if self.matches else "not in your hand"
        return f"up-card {cards}, {match}: bet {say_value(self.bet_from)} or better"


def say_value(value: Ranked) -> str:
    """A hand's value, or the first cards of it, as players say it."""
    ranks = "-".join(RANKS[rank] for rank in value.ranks)
    if value.hand is _HIGH:
        return ranks or "any hand"
    name = value.hand.label.replace("_", " ")
    return f"{name} {ranks}" if ranks else f"any {name}"


def _ranked() -> tuple[Ranked, ...]:
    return k.hand_values.hand_values().ranked


def relations_of(solution: g.DealerSolution) -> "k.dealer_choices.Relations":
    """The solution's cells summed up by what a strategy goes by."""
    terms = solution.terms
    return k.dealer_choices.relations(
        solution.counts,
        g.kinds_of_classes(),
        solution.choices,
        g.nets_of(terms),
        terms.folding_cents,
    )


# ---------------------------------------------------------------- rules of thumb


def from_value(lowest: Ranked) -> RankPlay:
    """Bet from one hand on, whatever the up-card."""
    return lambda mine, up_rank: mine >= lowest


def ace_king_by_up_card(mine: Ranked, up_rank: int) -> bool:
    """The rule well known from Caribbean Stud: pairs bet, and ace-king by the up-card."""
    if mine.hand is not _HIGH or mine < ACE_KING:
        return mine.hand is not _HIGH
    if up_rank >= _KING:
        return _QUEEN in mine.ranks or _JACK in mine.ranks
    if up_rank in mine.ranks:
        return True
    return _QUEEN in mine.ranks and up_rank < mine.ranks[3]


RULES_OF_THUMB: dict[str, RankPlay] = {
    "bet every hand": from_value(Ranked(_HIGH, ())),
    "bet any pair or better": from_value(Ranked(FiveCardHand.PAIR, ())),
    "bet any pair or A-K": from_value(ACE_KING),
    "bet A-K-J-8-3 or better": from_value(Ranked(_HIGH, (_ACE, _KING, _JACK, 6, 1))),
    "bet any ace or better": from_value(Ranked(_HIGH, (_ACE,))),
    "bet A-J or better": from_value(Ranked(_HIGH, (_ACE, _JACK))),
    "pairs, and A-K by the up-card as in Caribbean Stud": ace_king_by_up_card,
}


def evaluate_by_rank(solution: g.DealerSolution, play: RankPlay) -> g.DealerGameFigures:
    """A way of playing that goes by ranks alone, at the solution's table, exactly and at once."""
    import numpy as np

    plays = np.array(
        [[play(mine, up_rank) for up_rank in range(len(RANKS))] for mine in _ranked()], np.int8
    )
    return g.played_by(solution.terms, k.dealer_choices.spread(solution.counts, plays)).figures


def rules_of_thumb(solution: g.DealerSolution) -> tuple[CostedStrategy, ...]:
    """What simple rules cost at this table, cheapest first."""
    found = (costed(solution, name, play) for name, play in RULES_OF_THUMB.items())
    return tuple(sorted(found, key=lambda one: one.cost))


def costed(
    solution: g.DealerSolution, name: str, play: RankPlay, words: Sequence[str] = ()
) -> CostedStrategy:
    """A way of playing with its exact cost beside the best play."""
    figures = evaluate_by_rank(solution, play)
    cost = solution.figures.value - figures.value
    return CostedStrategy(name=name, words=tuple(words) or (name,), figures=figures, cost=cost)


# ---------------------------------------------------------------- a strategy to remember


def compact_strategy(
    solution: g.DealerSolution,
    *,
    rungs: int | None = None,
    costs_at_most: Fraction = Fraction(1, 5000),
) -> CostedStrategy:
    """The best strategy of so few thresholds, or the shortest that costs no more than said.

    Up-cards next to each other share a threshold, and a threshold is one that can be remembered:
    the two highest cards, a pair, or a kind of hand. It is searched for, not guessed: of all such
    strategies none of that length is better.
    """
    unmatched, matched = (_ladders(solution, matches) for matches in (False, True))
    by_length: dict[int, tuple[int, tuple[Rung, ...]]] = {}
    for gain, ladder in unmatched.values():
        for more, other in matched.values():
            rows = (*ladder, *other)
            if len(rows) not in by_length or gain + more > by_length[len(rows)][0]:
                by_length[len(rows)] = gain + more, rows
    best = solution.figures.value
    length = rungs or min(
        (n for n, (gain, _) in by_length.items() if best - _worth(solution, gain) <= costs_at_most),
        default=max(by_length, key=lambda n: (by_length[n][0], -n)),
    )
    chosen = by_length[length][1]
    return costed(solution, f"{length} thresholds", _by_rungs(chosen), tuple(map(str, chosen)))


def _worth(solution: g.DealerSolution, gain: int) -> Fraction:
    terms = solution.terms
    whole = g.DEALS * g.DEALER_HANDS
    return Fraction(terms.folding_cents * whole + gain, whole * terms.ante_cents)


def _by_rungs(rungs: Sequence[Rung]) -> RankPlay:
    bet_from = {(rank, rung.matches): rung.bet_from for rung in rungs for rank in rung.ranks}
    return lambda mine, up_rank: mine >= bet_from[up_rank, up_rank in mine.ranks]


def _memorable() -> Iterator[Ranked]:
    yield Ranked(_HIGH, ())
    for first in range(len(RANKS)):
        yield Ranked(_HIGH, (first,))
        yield from (Ranked(_HIGH, (first, second)) for second in range(first))
    yield from (Ranked(_HIGH, three) for three in combinations(range(_ACE, -1, -1), 3))
    yield from (Ranked(FiveCardHand.PAIR, (rank,)) for rank in range(len(RANKS)))
    yield from (Ranked(hand, ()) for hand in FiveCardHand if hand is not _HIGH)


def _ladders(solution: g.DealerSolution, matches: bool) -> dict[int, tuple[int, tuple[Rung, ...]]]:
    """For each number of thresholds the best gain over folding everything, and the thresholds."""
    gains = relations_of(solution).gains[:, :, int(matches)]
    from_on = gains[::-1].cumsum(axis=0)[::-1]
    ranked, memorable = _ranked(), tuple(_memorable())
    plainest = sorted(
        range(len(memorable)),
        key=lambda place: (-len(memorable[place].ranks), memorable[place]),
        reverse=True,
    )
    at = [bisect_left(ranked, value) for value in memorable]
    by_rank = [
        [int(from_on[v, rank]) if v < len(ranked) else 0 for v in at] for rank in range(len(RANKS))
    ]
    best: dict[int, dict[int, tuple[int, tuple[Rung, ...]]]] = {0: {0: (0, ())}}
    for end in range(1, len(RANKS) + 1):
        best[end] = {}
        totals = [0] * len(memorable)
        for start in range(end - 1, -1, -1):
            totals = [total + more for total, more in zip(totals, by_rank[start], strict=True)]
            place = max(plainest, key=totals.__getitem__)
            gain = totals[place]
            rung = Rung(range(start, end), matches, memorable[place])
            for count, (before, rungs) in best[start].items():
                option = (before + gain, (*rungs, rung))
                if count + 1 not in best[end] or option[0] > best[end][count + 1][0]:
                    best[end][count + 1] = option
    return best[len(RANKS)]
