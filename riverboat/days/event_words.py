"""The values that an expected event can have: `incident-noted what=shoe_jam seat=1`.

A value that no event can have would be expected in vain, or be missed for ever by `no-event`. Where
what stands there is anybody's own words, as a reason is, every word is right.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

from riverboat import events as r
from riverboat.days.round_words import CONSEQUENCES, REASONS
from riverboat.days.verbs import CONFIRMED, MARKS, STEPS, spots_of
from riverboat.errors import NotationError
from riverboat.games.incidents import KNOWN, PLACES
from riverboat.hands import FiveCardHand
from riverboat.rulebook.wording import DEALT
from riverboat.scenario_names import SEATS
from riverboat.table.day import Day
from riverboat.table.submission import ShuffleMethod

_NUMBER: Final = re.compile("-?[0-9]{1,15}", re.ASCII)
_A_NUMBER: Final = ("0", "1", "2", "…")
_OF_SEATS: Final = ("seat", "for_seat")
_OF_PEOPLE: Final = ("by", "player", "name", "relieved", "dealer")
# What the words of a field are, in every event that has it.
_WORDS: Final[Mapping[str, Collection[str]]] = {
    "what": KNOWN,
    "consequence": tuple(CONSEQUENCES),
    "step": tuple(STEPS.values()),
    "decision": tuple(CONFIRMED.values()),
    "how": MARKS,
    "hand": tuple(hand.label for hand in FiveCardHand),
    "dealing": tuple(DEALT),
    "shuffle": get_args(ShuffleMethod),
    "method": (*get_args(ShuffleMethod), "preshuffled"),
}
_OWN: Final[Mapping[tuple[type[Struct], str], Collection[str]]] = {
    (r.RoundVoided, "reason"): (*KNOWN, *(word for word in REASONS if " " not in word)),
    (r.IncidentNoted, "place"): PLACES[1:],
    (r.IncidentNoted, "seat"): ("0", *SEATS),
    (r.CardCorrected, "place"): (*SEATS, "community", "box", "dealer"),
}


def require_values(
    day: Day, kind: type[Struct], wanted: Mapping[str, str], people: Collection[str]
) -> None:
    """Values that an event of this kind can have at this table."""
    for key, value in wanted.items():
        known = _known(day, kind, key, people)
        if known is None or value.lower() in {word.lower() for word in known}:
            continue
        if known == _A_NUMBER and _NUMBER.fullmatch(value):
            continue
        text = f"{key}={value} is never said; {key} is one of {', '.join(known)}"
        raise NotationError("script.bad_word", text)


def _known(
    day: Day, kind: type[Struct], key: str, people: Collection[str]
) -> Collection[str] | None:
    """What a field of an event can be; None where any word is right."""
    hint = get_type_hints(kind)[key]
    if get_origin(hint) is Literal:
        return tuple(map(str, get_args(hint)))
    if hint is bool:
        return ("true", "false")
    if (kind, key) in _OWN:
        return _OWN[kind, key]
    if key in _OF_SEATS:
        count = day.setup.seats if day.configuration is not None else len(SEATS)
        return tuple(SEATS[:count])
    if hint is int:
        return _A_NUMBER
    if key in _OF_PEOPLE:
        return (*people, "system")
    if key == "spot":
        return spots_of(day)
    if key == "rulebook":
        return tuple(day.books)
    return _WORDS.get(key)
