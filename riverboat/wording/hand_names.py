"""What cards make, as people at a table say it, and which cards decide a bet."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from riverboat.core.cards import RANKS, Card, rank_of
from riverboat.core.hands import FiveCardHand, Kind, Ranked, rank_five
from riverboat.round.table_talk import name_hand, name_kind, rank_name, rank_names, sentence
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.play import SideBetOffer

_BRIEF = {
    FiveCardHand.HIGH_CARD: "no pair",
    FiveCardHand.PAIR: "pair",
    FiveCardHand.TWO_PAIR: "two pair",
    FiveCardHand.THREE_OF_A_KIND: "3 kind",
    FiveCardHand.STRAIGHT: "straight",
    FiveCardHand.FLUSH: "flush",
    FiveCardHand.FULL_HOUSE: "full",
    FiveCardHand.FOUR_OF_A_KIND: "4 kind",
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


def name_paid_kind(kind: Kind, line: Line) -> str:
    """The same, and the line that pays it where the table has none of its own for it."""
    name = name_kind(kind)
    if line.pays.wins and len(line.hands) > 1 and kind.hand != "super_royal":
        paid_as = name_line(line).lower()
        name += f" (paid as {paid_as})" if paid_as != name else ""
    if line.suspect:
        name += f" (printed {line.printed or 'blank'}, and not played as printed)"
    return name


_SPELLED: Final = (
    (re.compile(r"(?<=[0-9])'s\b"), "s"),
    (re.compile(r"-of-a-"), " of a "),
    (re.compile(r"^a (?=pair)"), ""),
    (re.compile(r"^3 "), "three "),
    (re.compile(r"^4 "), "four "),
    (re.compile(r"^mini-"), "mini "),
)


def name_line(line: Line) -> str:
    """A line of a pay table in one style, however its document spells it: "Four of a kind"."""
    if not line.pays.wins and line.pays.kind != "push" and not line.printed:
        return "No paying hand"
    return plain_label(line.label or " or ".join(map(name_hand, line.hands)))


def plain_label(label: str) -> str:
    """What a document calls a line of its pay table, in the house's one style."""
    name = label.lower()
    for spelling, plain in _SPELLED:
        name = spelling.sub(plain, name)
    return sentence(name)


def name_against(mine: Ranked, dealers: Ranked) -> tuple[str, str]:
    """Two hands that were compared; hands of one kind with their ranks, for these decided."""
    names = name_ranked(mine), name_ranked(dealers)
    if mine.hand is not dealers.hand or names[0] != names[1] or mine == dealers:
        return names
    return f"{names[0]} ({_ranks(mine)})", f"{names[1]} ({_ranks(dealers)})"


def name_ranked(ranked: Ranked) -> str:
    """A hand of five as finely as people tell it: "king high", "pair of kings", "two pair"."""
    ranks = [RANKS[rank] for rank in ranked.ranks]
    match ranked.hand:
        case FiveCardHand.HIGH_CARD:
            return f"{rank_name(ranks[0])} high"
        case FiveCardHand.PAIR:
            return f"pair of {rank_names(ranks[0])}"
    return ranked.hand.label.replace("_", " ")


def _ranks(ranked: Ranked) -> str:
    return " ".join(RANKS[rank].replace("T", "10") for rank in ranked.ranks)


def what_decides(offer: SideBetOffer) -> str:
    """The cards that a side bet goes by, with their verb."""
    places = offer.decided_by.places
    if "seat" not in places:
        return "the community cards decide"
    return "box and hole cards decide" if "box" in places else "the hand that is kept decides"


def where_it_lies(book: Rulebook, bet: str) -> str:
    """Where the hand lies that decides a side bet, if it is not the base game's hand."""
    offer = book.offer(bet)
    places = offer.decided_by.places if offer is not None else book.hands.five.made_of
    if places == book.hands.five.made_of:
        return ""
    if "seat" not in places:
        return " on the board"
    return " in box and hole cards" if "box" in places else " in the hole"
