"""Files of rounds for tests, and ways to change what stands in them."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from riverboat.core.cards import DECK, show_card
from riverboat.evidence.round_file import (
    document_hash,
)
from tests.support.round_files import (
    by_hand,
    eventful,
    forced,
    misread,
    of_programs,
    ordinary,
    text_of,
    voided_after_the_words,
)

Path_: TypeAlias = tuple[str | int, ...]
Document: TypeAlias = dict[str, Any]

CARDS = [show_card(card) for card in DECK]

ROUNDS: dict[str, Callable[[], str]] = {
    "two decks, time, a card face up, a change, a correction": lambda: text_of(eventful(), 2),
    "a commitment was abandoned": lambda: text_of(eventful(), 3),
    "a player's version": lambda: text_of(eventful(), 2, 2),
    "a folded player's version": lambda: text_of(ordinary("maryland-2014"), 2, 5),
    "the dealer cut before the bets": lambda: text_of(ordinary("maryland-2014"), 2),
    "a dealer's hand": lambda: text_of(ordinary("island-stud"), 2),
    "a forced deck": lambda: text_of(forced(), 1),
    "physical cards, misread": lambda: text_of(misread(), 1),
    "physical cards, a player's version": lambda: text_of(misread(), 1, 2),
    "programs at a demo table": lambda: text_of(of_programs(), 1),
    "voided after the words were told": lambda: text_of(voided_after_the_words(), 1),
    "finished by hand": lambda: text_of(by_hand(), 1),
}
QUICK = ("two decks, time, a card face up, a change, a correction", "physical cards, misread")
SLOW = ("a player's version", "the dealer cut before the bets", "programs at a demo table")
EVERY_ROUND = [
    *QUICK,
    *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW),
    *(pytest.param(name, marks=pytest.mark.soak) for name in ROUNDS if name not in (*QUICK, *SLOW)),
]
PHYSICAL = {name for name in ROUNDS if name.startswith(("physical", "finished"))}

ONLY_THE_HASH = {
    "riverboat": "which program wrote it",
    "before.date": "a gaming day's name",
    "before.decks.*.back": "a colour",
    "before.decks.*.design": "a design",
    "before.decks.*.method": "how a deck was shuffled that may be cut anyhow",
    "before.decks.*.first_used_at": "a time",
    "before.decks.*.is_cut": "whether the dealer cut, where the player does so again",
    "before.last_deck": "the deck of the round before",
    "before.rounds_since_count": "rounds before this one",
    "before.configurations": "proposals before this one",
    "before.proposals.*.number": "a proposal that waits",
    "before.proposals.*.by": "who made it",
    "commitment.forced": "who ordered the deck of a test table; what it was is fixed",
    "commitments.each.*.deck": "the name of an abandoned deck",
    "commitments.each.*.root": "the root of an abandoned deck: several files show it",
    "commitments.each.*.entry": "when an abandoned deck was sealed",
    "commitments.each.*.reason": "why it was abandoned",
    "cuts.*.entry": "when the dealer cut before the bets",
    "cuts.*.by": "the name of the dealer who did",
    "entries.*.action.instrument": "what a wager was made with, where all is allowed",
    "entries.*.by.name": "a name that nothing else depends on",
    "entries.*.number": "the place of a correction in the record, after the round",
    "entries.*.at": "the time of a correction",
}
ONLY_THE_HASH_UNCOMMITTED = {
    "table": "a name; without a commitment nothing is bound to it",
    "before.decks.*.depths.*": "a cut of cards that nobody committed to",
    "cuts.*.depth": "the same",
}


# ---------------------------------------------------------------- changing documents


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every number, text, truth and null of a document."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def another(value: Any) -> Any:
    """A value of the same kind that is not the same."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return "Ah"
        case str() if value in CARDS:
            return CARDS[(CARDS.index(value) + 7) % 52]
        case str() if re.fullmatch("[0-9a-f]{64}", value):
            return ("1" if value[0] == "0" else "0") + value[1:]
    return f"{value}x"


def changed(document: Document, path: Path_, value: Any) -> Document:
    """A copy with one value changed."""
    copy: Document = json.loads(json.dumps(document))
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


def forged(document: Document) -> str:
    """The document with its hash written anew."""
    return json.dumps({**document, "sha256": document_hash(document)})


def place(path: Path_) -> str:
    """A place in a document, whichever item of a list it is."""
    return ".".join("*" if isinstance(key, int) else key for key in path)


def lists(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every list of a document that has something in it."""
    if isinstance(value, list) and value and path:
        yield path
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            yield from lists(item, (*path, key))


def inside(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document
