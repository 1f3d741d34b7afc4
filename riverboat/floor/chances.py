"""Which hands win a progressive wager, and how likely each is: counted over all hands, not typed.

Where a fold forfeits the wager a folded hand wins nothing; the chance is that of being dealt it.
"""

from fractions import Fraction
from functools import cache

from riverboat.games.setup import Setup
from riverboat.hand_kinds import FIVE_CARD
from riverboat.progressive.chances import ALL_HANDS, five_card_counts


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
