"""The format of scenario files: what a scenario may say, and reading one."""

import tomllib
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, convert, inspect

from riverboat.errors import NotationError
from riverboat.rulebook.conform import misfits


class IncidentLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that goes wrong, and when."""

    what: str
    when: Literal["betting", "deal", "third", "fourth", "fifth", "settlement"]
    seat: int = 0
    place: Literal["", "community", "six_card_box", "dealer"] = ""
    count: int = 0
    decision: Literal["", "continue", "void"] = ""
    after: int = 0


class RequestLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that somebody asks for out of the ordinary course, and when."""

    when: Literal["betting", "deal", "third", "fourth", "fifth", "settlement"]
    do: Literal["wager", "take_back", "bet", "fold", "turn", "deal", "lock", "close"]
    seat: int = 0
    spot: str = ""
    amount: str = "0"
    player: str = ""


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come out; what is not named is not compared."""

    net: dict[str, str] = {}
    results: dict[str, dict[str, str]] = {}
    tip_box: str = ""
    meter: str = ""
    reserve: str = ""
    void: bool = False
    deck_removed: bool = False
    deal_blocked: bool = False
    suspended: bool = False
    refused: str | bool = False
    log: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    only: tuple[str, ...] = ()


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round, or one refused request."""

    name: Annotated[str, Meta(min_length=1)]
    rulebook: str
    clauses: tuple[str, ...]
    table: dict[str, str | int | bool] = {}
    bets: dict[str, dict[str, str]] = {}
    cards: dict[str, str] = {}
    decisions: dict[str, tuple[str, ...]] = {}
    incidents: tuple[IncidentLine, ...] = ()
    requests: tuple[RequestLine, ...] = ()
    expect: Expect


def read_scenarios(text: str) -> list[tuple[str, Scenario | str]]:
    """Each scenario of a file by its name, or the reason why it cannot be read."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise NotationError("scenario.unreadable", f"no TOML: {problem}") from None
    extra = sorted(set(data) - {"scenario"})
    entries = data.get("scenario")
    if extra or not isinstance(entries, list) or not entries:
        wrong = f"unknown key {extra[0]!r}" if extra else "no [[scenario]]"
        raise NotationError("scenario.unreadable", f"{wrong}; a file holds [[scenario]] tables")
    return [_read(number, entry) for number, entry in enumerate(entries, start=1)]


def _read(number: int, entry: object) -> tuple[str, Scenario | str]:
    named = entry.get("name") if isinstance(entry, Mapping) else None
    name = named if isinstance(named, str) and named else f"scenario {number}"
    found = list(misfits(entry, inspect.type_info(Scenario)))
    if found:
        return name, "; ".join(f"{misfit.where}: {misfit.message}" for misfit in found)
    scenario: Scenario = convert(entry, Scenario)
    return name, scenario
