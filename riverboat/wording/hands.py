"""What cards make, as people at a table say it."""

from collections import Counter
from collections.abc import Sequence

from riverboat.core.cards import RANKS, Card, rank_of
from riverboat.core.hands import FiveCardHand, Kind, rank_five
from riverboat.round.table_talk import name_hand, name_kind, name_ranked, rank_name

_BRIEF = {
    FiveCardHand.HIGH_CARD: "no pair",
    FiveCardHand.PAIR: "pair",
    FiveCardHand.TWO_PAIR: "two pair",
    FiveCardHand.THREE_OF_A_KIND: "trips",
    FiveCardHand.STRAIGHT: "straight",
    FiveCardHand.FLUSH: "flush",
    FiveCardHand.FULL_HOUSE: "full",
    FiveCardHand.FOUR_OF_A_KIND: "quads",
    FiveCardHand.STRAIGHT_FLUSH: "st.flush",
    FiveCardHand.ROYAL_FLUSH: "royal",
}
_FULL = 5
_ALIKE = {(4,): "four_of_a_kind", (3, 1): "three_of_a_kind", (3,): "three_of_a_kind"}
_ALIKE |= {(2, 2): "two_pair"}


def hand_words(cards: Sequence[Card]) -> str:
    """What two to five cards make so far, as a player says it."""
    if len(cards) == _FULL:
        return name_ranked(rank_five(cards))
    counts = Counter(RANKS[rank_of(card)] for card in cards)
    top, count = max(counts.items(), key=lambda one: (one[1], RANKS.index(one[0])))
    alike = _ALIKE.get(tuple(sorted(counts.values(), reverse=True)), "")
    if alike:
        return name_hand(alike)
    return name_kind(Kind("pair", top)) if count > 1 else f"{rank_name(top)} high"


def brief_hand(cards: Sequence[Card], width: int) -> str:
    """The same for five cards where there is little room."""
    words = hand_words(cards)
    if len(words) <= width:
        return words
    shorter = words.removeprefix("pair of ")
    return shorter if len(shorter) <= width else _BRIEF[rank_five(cards).hand]
