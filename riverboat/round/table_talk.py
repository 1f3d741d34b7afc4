"""How people at the table say it: spots by their labels, stakes together, hands by name."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from riverboat.core.cards import RANKS
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, format_cents
from riverboat.round.streets import Pass, passes
from riverboat.rulebook import Rulebook
from riverboat.rulebook.values import with_article

_NAMES = "two three four five six seven eight nine ten jack queen king ace"
_RANK_NAMES = dict(zip(RANKS, _NAMES.split(), strict=True))
_TWICE = 2
STANDING = {
    "in force": "in force",
    "draft": "draft: not law",
    "superseded": "superseded: no longer law",
    "vendor's": "vendor's rules: not law",
    "house's": "house rules",
}
"""A rulebook's status, said so that nobody takes a draft for law."""
_UNCOUNTED = ("four of", "three of", "two pair", "no ")
_PLACES = {"community": "the community area", "box": "the six card box", "dealer": "the dealer"}
_SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def label(book: Rulebook, spot: str) -> str:
    """A spot as the rulebook's own table prints it."""
    if spot.startswith("tip_"):
        return f"Tip on {label_of(book, spot.removeprefix('tip_'))}"
    labels = {"ante": book.ante.label}
    labels |= {decision.spot: decision.label for decision in book.decisions}
    labels |= {offer.bet: offer.label for offer in book.side_bets}
    return labels.get(spot, spot.replace("_", " ").capitalize())


def label_of(book: Rulebook, spot: str) -> str:
    """The same within a sentence."""
    return label(book, spot).lower()


def spots_together(book: Rulebook, spots: Iterable[str]) -> str:
    """Several spots in one breath: "ante, 3rd, 4th, 5th street"."""
    labels = [label_of(book, spot).split() for spot in spots]
    for label, following in pairwise(labels):
        if len(label) > 1 and label[-1] == following[-1]:
            label.pop()
    return ", ".join(" ".join(label) for label in labels)


def stakes_together(book: Rulebook, stakes: Iterable[tuple[str, Cents]]) -> str:
    """Wagers with equal ones together: "ante $10 and 3rd, 4th, 5th street $30 each"."""
    groups: dict[tuple[str, Cents], list[str]] = {}
    for spot, cents in stakes:
        tip = "tip on " if spot.startswith("tip_") else ""
        groups.setdefault((tip, cents), []).append(spot.removeprefix("tip_"))
    return listed(
        [
            f"{tip}{spots_together(book, spots)} {format_cents(cents)}" + " each" * (len(spots) > 1)
            for (tip, cents), spots in sorted(groups.items(), key=lambda group: group[0][0])
        ]
    )


def named_seats(seats: Sequence[int | str]) -> str:
    """One seat, or several: "seat 3", "seats 1, 2 and 5"."""
    return f"seat{'s' * (len(seats) > 1)} {listed([str(seat) for seat in seats])}"


def number_of(count: int, thing: str) -> str:
    """So many of something: "1 card", "3 cards"."""
    return f"{count} {thing}{'s' * (count != 1)}"


def name_hand(hand: str) -> str:
    """A hand by its name alone: "full house", "no pair"."""
    return "no pair" if hand == "high_card" else hand.replace("_", " ")


def held(hand: str) -> str:
    """A hand that somebody has, as one says it: "a royal flush", "four of a kind", "no pair"."""
    words = name_hand(hand)
    return words if words.startswith(_UNCOUNTED) or words.endswith(" high") else with_article(words)


def place_name(place: str) -> str:
    """Where cards are dealt to, seats by their number."""
    return f"seat {place}" if place.isdecimal() else _PLACES.get(place, f"the {place}")


def deal_words(order: Iterable[tuple[str, int]]) -> str:
    """A deal in its own order: "4 cards to the six card box, then 2 to each of seats 1 and 2"."""
    return ", then ".join(_pass_words(one) for one in passes(order))


def _pass_words(one: Pass) -> str:
    to = named_seats(one.places) if one.places[0].isdecimal() else place_name(one.places[0])
    cards = number_of(one.cards, "card")
    if one.times > 1:
        around = "twice" if one.times == _TWICE else f"{one.times} times"
        return f"{cards} at a time to {to}, {around} around"
    return f"{cards} to {'each of ' * (len(one.places) > 1)}{to}"


def listed(parts: Sequence[str]) -> str:
    """Commas, and `and` before the last."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def sentence(text: str) -> str:
    """The same with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def rank_name(rank: str) -> str:
    """A rank by its name: "king"."""
    return _RANK_NAMES[rank]


def rank_names(rank: str) -> str:
    """Several of a rank: "sixes"."""
    name = rank_name(rank)
    return f"{name}es" if name.endswith("x") else f"{name}s"


def name_kind(kind: Kind) -> str:
    """A hand as finely as a pay table tells it apart: "pair of kings", "no pair"."""
    if kind.rank:
        return f"pair of {rank_names(kind.rank)}"
    if kind.suit:
        return f"super royal of {_SUIT_NAMES[kind.suit]}"
    return name_hand(kind.hand)


def name_share(percent: int) -> str:
    """How much of the meter a hand wins."""
    return "the whole meter" if percent == 100 else f"{percent}% of the meter"
