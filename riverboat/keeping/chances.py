"""How likely a wager wins all of the meter: counted over every hand of five cards, not estimated.

A player who folds may lose the wager, by the rulebook. How often that costs an award is a matter of
how people play, so the count is stated as it is, with the word that a fold forfeits.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from riverboat.core.cards import RANKS, SUITS, Card, parse_cards
from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import FIVE_CARD, kind_of_five
from riverboat.core.hands import Kind
from riverboat.round.settlement.dues import forfeited_by_fold
from riverboat.round.setup.setup import Setup

ALL_HANDS: Final = 2_598_960
LEAST: Final = Fraction(1, 100_000_000)
"""Nobody is asked to play for what is won less often."""

_WAYS: Final = (1, 4, 6, 4, 1)
"""In how many ways so many cards of one rank can be had."""


class Chance(NamedTuple):
    """What part of all hands wins the whole meter, and whether a fold loses the wager."""

    share: Fraction
    fold_forfeits: bool


@cache
def five_card_counts() -> dict[Kind, int]:
    """How many of all five-card hands there are of each kind that a pay table tells apart."""
    counts: Counter[Kind] = Counter()
    for ranks in combinations_with_replacement(range(len(RANKS)), 5):
        held = Counter(ranks)
        if max(held.values()) > len(SUITS):
            continue
        ways = 1
        for number in held.values():
            ways *= _WAYS[number]
        suited = len(SUITS) if len(held) == len(ranks) else 0
        if suited:
            counts[kind_of_five(_cards(ranks, suited=True))] += suited
        counts[kind_of_five(_cards(ranks, suited=False))] += ways - suited
    return dict(counts)


def _cards(ranks: tuple[int, ...], *, suited: bool) -> tuple[Card, ...]:
    """Five cards of these ranks, in one suit or not; the last one of equal ranks is out of it."""
    texts = []
    for place, rank in enumerate(ranks):
        same = ranks[:place].count(rank)
        other = not suited and place == len(ranks) - 1 and not same
        texts.append(RANKS[rank] + SUITS[same + other])
    return parse_cards(" ".join(texts))


def chance_of_all(setup: Setup) -> Chance:
    """How likely a wager at a table wins the whole meter."""
    rule = setup.book.progressive
    assert rule is not None, "a table with a progressive"
    lowest = FIVE_CARD.index(rule.winning.lowest)
    lines = setup.lines["progressive"]
    winning = sum(
        count
        for kind, count in five_card_counts().items()
        if lines[kind].pays.kind == "meter"
        and lines[kind].pays.amount == 100
        and FIVE_CARD.index(kind.hand) <= lowest
    )
    return Chance(Fraction(winning, ALL_HANDS), forfeited_by_fold(setup, "progressive"))


def require_winnable(chance: Chance, cites: tuple[str, ...]) -> None:
    """A meter that is as good as never won is not played for."""
    if chance.share < LEAST:
        text = f"the whole meter is won with a chance of {chance.share}; at least {LEAST} is right"
        raise Refused("chance.too_small", text, cites=cites)


@cache
def chance_of(hand: str) -> Fraction:
    """The chance that five cards are this hand."""
    count = sum(ways for kind, ways in five_card_counts().items() if kind.hand == hand)
    return Fraction(count, ALL_HANDS)


def winning_hands(setup: Setup) -> tuple[str, ...]:
    """The hands that win the progressive wager, from the top."""
    rule = setup.book.progressive
    if setup.progressive is None or rule is None:
        return ()
    lowest = FIVE_CARD.index(rule.winning.lowest)
    named = [hand for li in setup.progressive.table.lines if li.pays.wins for hand in li.hands]
    return tuple(dict.fromkeys(hand for hand in named if FIVE_CARD.index(hand) <= lowest))
