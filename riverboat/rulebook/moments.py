"""When and where what goes wrong counts, read off a rulebook: one row for each irregularity."""

from collections.abc import Iterator
from typing import NamedTuple

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.procedures import Conduct, Counts, DealingMethod, Irregularity

# What scenario files call the decisions of a round, in order, whatever their spots are.
STREETS = ("third", "fourth", "fifth")
# The first and the last moment of each bound.
_FIRST = {"bets_open": "betting", "bets_closed": "deal", "first_card": "deal", "own_cards": "deal"}
_LAST = {
    "chips_collected": "deal",
    "last_card_dealt": "deal",
    "hand_settled": "settlement",
    "round_over": "settlement",
}
# What is reported, of which place, and the rule that it falls under.
_REPORTS = (
    ("wrong_card_count", "", "wrong_card_count"),
    ("wrong_card_count", "six_card_box", "wrong_box_count"),
    ("exposed_player_card", "", "exposed_player_card"),
    ("exposed_community_card", "community", "exposed_community_card"),
    ("exposed_player_card", "dealer", "exposed_dealer_card"),
    ("exposed_community_card", "six_card_box", "exposed_box_card"),
    ("face_up_cards", "", "face_up_card"),
    ("face_up_cards", "", "face_up_cards"),
    ("card_drawn_in_error", "", "card_drawn_in_error"),
    ("shuffler_jam", "", "shuffler_jam"),
    ("shoe_jam", "", "shoe_jam"),
    ("deck_count", "", "deck_count"),
    ("late_progressive_chip", "", "late_progressive_chip"),
    ("progressive_chip_mismatch", "", "progressive_chip_mismatch"),
    ("shares_hand", "", "sharing_hand_information"),
    ("leaves_table", "", "leaving_the_table"),
    ("touches_cards", "", "only_own_cards_touched"),
    ("cards_out_of_view", "", "cards_in_view"),
)


class Reported(NamedTuple):
    """One thing that can be reported: the rule's name, what follows, and when it counts."""

    what: str
    place: str
    rule: str
    follows: str
    moments: tuple[str, ...]
    device: str
    cites: tuple[str, ...]

    def counts(self, when: str, method: DealingMethod) -> bool:
        """Whether it counts at a moment, at a table that deals in this way."""
        return when in self.moments and (not self.device or self.device in method.needs)


def moments_of(book: Rulebook) -> tuple[str, ...]:
    """The moments of a round, in order: a game with one decision has the first street's."""
    return ("betting", "deal", *STREETS[: len(book.decisions)], "settlement")


def reported(book: Rulebook) -> Iterator[Reported]:
    """Everything that can be reported of a round under this rulebook."""
    conduct: dict[str, Conduct] = {rule.rule: rule for rule in book.conduct}
    for what, place, name in _REPORTS:
        rule = getattr(book.irregularities, name, None) or conduct.get(name)
        if rule is None or rule.counts is None:
            continue
        yield Reported(
            what,
            place,
            name,
            _follows(book, rule),
            _between(book, rule.counts),
            rule.counts.device,
            tuple(dict.fromkeys((*rule.cites, *rule.counts.cites))),
        )


def _follows(book: Rulebook, rule: Irregularity | Conduct) -> str:
    """The consequence; where an option decides, what the option says unless set otherwise."""
    if rule.consequence != "by_option":
        return rule.consequence
    return str(getattr(book.options[rule.option], "default", ""))


def _between(book: Rulebook, counts: Counts) -> tuple[str, ...]:
    moments = moments_of(book)
    if counts.begins not in _FIRST:
        return ()
    last = _LAST.get(counts.ends, moments[-2])
    return moments[moments.index(_FIRST[counts.begins]) : moments.index(last) + 1]
