"""Finds cards in what a browser received that it must not know, then or ever."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from riverboat.core.cards import RANKS, SUITS, Card, parse_card, show_card
from tests.browser.people import Received
from tests.browser.truth import Moment, Record

_CODE: Final = re.compile(r"(?<![\w])([2-9TJQKA][cdhs])(?![\w])")
_NAMED: Final = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of "
    r"(clubs|diamonds|hearts|spades)\b",
    re.IGNORECASE,
)
RANK_WORDS: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
)  # fmt: skip
_RANK_OF: Final = dict(zip(RANK_WORDS, RANKS, strict=True))
_PAIRS: Final = re.compile(
    r"\bpairs? of [2-9]s(?:(?:-|, | or | to | through | and )(?:10|[2-9])s)*", re.IGNORECASE
)
"""What rules say of ranks: "a pair of 6s to 10s" is no card."""
_ROUND: Final = re.compile(r"/rounds/(?:[^/]+/)?(\d+)(?:/|$)")
_SALT: Final = re.compile(r"[0-9a-f]{64}")
_CARD_KEYS: Final = frozenset(
    {"card", "cards", "order", "deck_order", "community", "dealer", "box", "hand", "hands"}
)


class Leak(NamedTuple):
    """A card that reached somebody who may not know it."""

    name: str
    address: str
    card: str
    where: str


class Checked(NamedTuple):
    """What was gone through, so that nobody takes an empty search for a clean one."""

    leaks: list[Leak]
    frames: int
    pages: int
    cards: int


def check(name: str, received: list[Received], table: str, record: Record) -> Checked:
    """Go through everything that somebody's browser received before the record was read."""
    bounds = _entries_at(received, table, record)
    assert max(bounds) <= record.last.entry, "programs play on: read the record last"
    leaks: list[Leak] = []
    cards = 0
    for one, bound in zip(received, bounds, strict=True):
        told = _read(one.text)
        moment = _moment(told, one.address, bound, record)
        known = moment.known_to(name)
        found = set(cards_in(told))
        cards += len(found)
        secret = {moment.salts[text] for text in _SALT.findall(one.text) if text in moment.salts}
        for where, cards_found in (("card", found), ("salt", secret)):
            leaks += [
                Leak(name, one.address, show_card(card), f"{where}, {_when(told, moment)}")
                for card in sorted(cards_found - known)
            ]
    frames = sum(one.kind == "frame" for one in received)
    return Checked(leaks, frames, len(received) - frames, cards)


def _when(told: Any, moment: Moment) -> str:
    state = moment.round
    phase = state.phase if state is not None else "no round"
    shown = told.get("round") if isinstance(told, dict) else None
    if isinstance(shown, dict):
        seats = {seat: one["cards"] for seat, one in shown["seats"].items()}
        return f"entry {moment.entry}, {phase}, shown: {shown['phase']} {seats}"
    return f"entry {moment.entry}, {phase}"


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _entries_at(received: list[Received], table: str, record: Record) -> list[int]:
    """For a frame the entry that it shows; for anything else the next frame's, which was not
    there before it."""
    shown: list[tuple[float, int]] = []
    for one in received:
        told = _read(one.text) if one.kind == "frame" else None
        if isinstance(told, dict) and told.get("kind") == "table" and told["table"] == table:
            shown.append((one.at, told["at"]))
    bounds = []
    for one in received:
        told = _read(one.text)
        if one.kind == "frame" and isinstance(told, dict) and "at" in told:
            bounds.append(told["at"])
        else:
            later = [entry for at, entry in shown if at >= one.at]
            bounds.append(min(later, default=record.last.entry))
    return bounds


def _moment(told: Any, address: str, bound: int, record: Record) -> Moment:
    """What was known then of the round that is told of, or that the address names."""
    named = _ROUND.search(address)
    number = int(named[1]) if named else None
    if number is None and isinstance(told, dict):
        number = told.get("round_number", told.get("round"))
    if isinstance(number, int):
        found = record.of_round(number, bound)
        if found is not None:
            return found
    return record.at(bound)


def cards_in(told: Any, key: str = "") -> Iterator[Card]:
    """Every card that is named: by its code, in words, or by its number where cards are."""
    match told:
        case dict():
            for name, value in told.items():
                yield from cards_in(name)
                yield from cards_in(value, str(name))
        case list():
            for value in told:
                yield from cards_in(value, key)
        case bool():
            return
        case int():
            if key in _CARD_KEYS and 0 <= told < len(RANKS) * len(SUITS):
                yield told
        case str():
            yield from (parse_card(code) for code in _CODE.findall(_PAIRS.sub("", told)))
            for rank, suit in _NAMED.findall(told):
                yield parse_card(_RANK_OF[rank.lower()] + suit[0].lower())
