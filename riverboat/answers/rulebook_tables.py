"""Tables about rulebooks: what differs between two, statements, and when and where what goes wrong
counts, one row for each irregularity."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.answers.rulebooks import status_blocks
from riverboat.core.records import alike
from riverboat.rulebook import Rulebook
from riverboat.rulebook.differences import Difference, Side, differences
from riverboat.rulebook.loading.statements import STATEMENTS
from riverboat.rulebook.procedures import Conduct, Counts, DealingMethod, Irregularity
from riverboat.scripts.scenario_words import moments_of


class DifferenceText(Struct, frozen=True, kw_only=True):
    """One thing that two rulebooks do differently, with what each says and its clauses."""

    what: str
    title: str
    one: Side
    other: Side


class Differences(Struct, frozen=True, kw_only=True):
    """What differs between two rulebooks."""

    one: str
    other: str
    status: dict[Literal["one", "other"], str]
    title: dict[Literal["one", "other"], str]
    differences: tuple[DifferenceText, ...]


def differences_between(one: Rulebook, other: Rulebook) -> Differences:
    """Everything that is played, posted or paid differently under the two."""
    return Differences(
        one=one.id,
        other=other.id,
        status={"one": one.status, "other": other.status},
        title={"one": one.title, "other": other.title},
        differences=tuple(alike(DifferenceText, found) for found in differences(one, other)),
    )


_HEADINGS = {
    "options": "Limits and options",
    "fold": "Folding",
    "settlement": "Settlement",
    "aggregate_limit": "Aggregate limit",
    "progressive": "Progressive",
    "paytables": "Pay tables",
    "irregularities": "Irregularities",
}


def difference_page(one: Rulebook, other: Rulebook) -> Iterator[Block]:
    """Every difference, by section, with both sides' clauses."""
    yield Heading(f"{one.id} and {other.id}: what differs", level=1)
    yield Facts([(book.id, f"{book.title} ({book.status})") for book in (one, other)])
    for book in (one, other):
        yield from status_blocks(book)
    sections: dict[str, list[list[Difference]]] = {"options": []}
    for rule, found in groupby(differences(one, other), key=lambda difference: difference.rule):
        sections.setdefault(rule.partition(".")[0], []).append(list(found))
    for name, rules in sections.items():
        if not rules:
            continue
        yield Heading(_HEADINGS.get(name, name.replace("_", " ").capitalize()))
        yield Table(("What", one.id, other.id), [_differing(rule) for rule in rules], (3, 5, 5))


def _differing(fields: list[Difference]) -> tuple[str, str, str]:
    """One rule, with those of its fields that differ."""
    first = fields[0]
    top, _, rest = first.rule.partition(".")
    name = (rest or top).replace("_", " ").replace(".", " / ")
    if top == "options":
        name = f"{name}: {first.title}"
    return (
        name,
        _said(fields, [f.one for f in fields]),
        _said(fields, [f.other for f in fields]),
    )


def _said(fields: list[Difference], sides: list[Side]) -> str:
    says = [
        side.says
        if difference.field in ("", "default", "order", "after_fold") and len(fields) == 1
        else f"{difference.field.replace('_', ' ')}: {side.says}"
        for difference, side in zip(fields, sides, strict=True)
    ]
    cites = sides[0].cites
    return "; ".join(says) + (f"  [{', '.join(cites)}]" if cites else "")


def statements_page() -> Iterator[Block]:
    """Each statement and why nothing follows from it."""
    yield Heading("Fields that state something", level=1)
    yield Words(
        "What a rulebook file says, the system does, or the loader refuses it. These fields are "
        "the exceptions: they are kept and shown, and nothing follows. `[]` stands for the "
        "entries of a list, `{}` for those of a table with names of its own, `*` for every rule."
    )
    rows = [(f"`{path}`", reason) for path, reason in STATEMENTS.items()]
    yield Table(("Field", "Why nothing follows"), rows, (4, 8))


_MOMENTS = {
    "betting": "Bets open",
    "deal": "Deal",
    "third": "Before 3rd",
    "fourth": "Before 4th",
    "fifth": "Before 5th",
    "settlement": "Settlement",
}


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


def incidents_page(books: Sequence[Rulebook]) -> Iterator[Block]:
    """Each irregularity and each rule of conduct, moment by moment, for every way to deal."""
    yield Heading("When and where an irregularity counts", level=1)
    yield Words(
        "A mark says that it counts when it is reported at that moment; with a way to deal, only "
        "where cards are dealt so. Everywhere else a report is recorded and nothing follows, and "
        "the explanation names the clause. What follows is what the rulebook says unless a table "
        "is set up otherwise. A hand that is settled is over for its own faults, a fault of no "
        "seat in particular counts until the round is over; conduct begins with a player's first "
        "card; a shuffler's jam counts while a device shuffles, which is "
        "between rounds."
    )
    for book in books:
        yield Heading(book.title)
        columns = ["Reported", "Follows", *(_MOMENTS[one] for one in moments_of(book)), "Clauses"]
        rows = [
            (
                *(one.rule.replace("_", " "), one.follows.replace("_", " ")),
                *(_moment_cell(book, one, moment) for moment in moments_of(book)),
                ", ".join(one.cites),
            )
            for one in reported(book)
        ]
        yield Table(columns, rows, (4, 4, *(2 for _ in moments_of(book)), 6))


def _moment_cell(book: Rulebook, one: Reported, moment: str) -> str:
    methods = counting_methods(book, one, moment)
    if len(methods) == len(book.dealing):
        return "✓"
    return ", ".join(method.method.replace("_", " ") for method in methods) or "–"


def counting_methods(book: Rulebook, one: Reported, moment: str) -> list[DealingMethod]:
    """The ways to deal under which it counts at this moment."""
    ways = book.dealing if moment in one.moments else ()
    return [method for method in ways if not one.device or one.device in method.needs]


def incidents_document(book: Rulebook) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "rulebook": book.id,
        "incidents": [
            {
                **{name: getattr(one, name) for name in ("what", "place", "rule", "follows")},
                "counts": {
                    moment: [method.method for method in counting_methods(book, one, moment)]
                    for moment in moments_of(book)
                },
                "cites": list(one.cites),
            }
            for one in reported(book)
        ],
    }
