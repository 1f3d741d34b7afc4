"""How likely a wager wins all of the meter: counted over every hand of five cards, not estimated.

A player who folds may lose the wager, by the rulebook. How often that costs an award is a matter of
how people play, so the count is stated as it is, with the word that a fold forfeits.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import FIVE_CARD, five_card_counts
from riverboat.core.hands import Kind
from riverboat.round.setup.setup import Setup

LEAST: Final = Fraction(1, 100_000_000)
"""Nobody is asked to play for what is won less often."""


class Chance(NamedTuple):
    """What part of all hands wins the whole meter, and whether a fold loses the wager."""

    share: Fraction
    fold_forfeits: bool


def _share(wins: Callable[[Kind], bool]) -> Fraction:
    """What part of all hands of five cards is of these kinds."""
    counts = five_card_counts()
    return Fraction(sum(n for kind, n in counts.items() if wins(kind)), sum(counts.values()))


def chance_of_all(setup: Setup) -> Chance:
    """How likely a wager at a table wins the whole meter."""
    rule, lines = setup.book.progressive, setup.lines["progressive"]
    assert rule is not None, "a table with a progressive"
    lowest = FIVE_CARD.index(rule.winning.lowest)

    def wins_all(kind: Kind) -> bool:
        pays = lines[kind].pays
        all_of_it = pays.kind == "meter" and pays.amount == 100
        return all_of_it and FIVE_CARD.index(kind.hand) <= lowest

    return Chance(_share(wins_all), "progressive" in setup.lost_by_fold)


def require_winnable(chance: Chance, cites: tuple[str, ...]) -> None:
    """A meter that is as good as never won is not played for."""
    if chance.share < LEAST:
        text = f"the whole meter is won with a chance of {chance.share}; at least {LEAST} is right"
        raise Refused("chance.too_small", text, cites=cites)


def chance_of(hand: str) -> Fraction:
    """The chance that five cards are this hand."""
    return _share(lambda kind: kind.hand == hand)


def winning_hands(setup: Setup) -> tuple[str, ...]:
    """The hands that win the progressive wager, from the top."""
    rule = setup.book.progressive
    if setup.progressive is None or rule is None:
        return ()
    lowest = FIVE_CARD.index(rule.winning.lowest)
    named = [hand for li in setup.progressive.table.lines if li.pays.wins for hand in li.hands]
    return tuple(dict.fromkeys(hand for hand in named if FIVE_CARD.index(hand) <= lowest))
