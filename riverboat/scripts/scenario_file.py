"""The format of scenario files: what a scenario may say, and reading one."""

import tomllib
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, convert, inspect

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents, parse_dollars
from riverboat.round.actions import Incident
from riverboat.rulebook.loading.conform import misfits

When: TypeAlias = Literal["betting", "deal", "third", "fourth", "fifth", "settlement"]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=1)]
Text: TypeAlias = Annotated[str, Meta(min_length=1)]


class IncidentLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that goes wrong, and when."""

    what: str
    when: When
    seat: SeatNumber | None = None
    place: Literal["community", "six_card_box", "dealer"] | None = None
    count: Annotated[int, Meta(ge=0)] | None = None
    decision: Literal["continue", "void"] | None = None
    after: SeatNumber | None = None


class RequestLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that somebody asks for out of the ordinary course, and when."""

    when: When
    do: Literal["wager", "take_back", "bet", "fold", "turn", "deal", "lock", "close"]
    seat: SeatNumber | None = None
    spot: Text | None = None
    amount: Text | None = None
    player: Text | None = None


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come out; what is not named is not compared, save what ends a round early."""

    net: dict[str, str] = {}
    results: dict[str, dict[str, str]] = {}
    tip_box: str | None = None
    meter: str | None = None
    reserve: str | None = None
    void: bool | None = None
    deck_removed: bool | None = None
    deal_blocked: bool | None = None
    suspended: bool | None = None
    refused: str | bool | None = None
    log: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether no key says what must come out."""
        return not any(getattr(self, key) not in (None, {}, ()) for key in self.__struct_fields__)

    @property
    def ends_early(self) -> bool:
        """Whether the round must stop before its end."""
        return bool(self.refused or self.void or self.deal_blocked or self.suspended)


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
        return name, "\n".join(f"{misfit.where}: {misfit.message}" for misfit in found)
    scenario: Scenario = convert(entry, Scenario)
    return name, scenario


def incident_of(line: IncidentLine) -> Incident:
    """What a line reports to the table."""
    return Incident(
        what=line.what,
        seat=line.seat or 0,
        place=line.place or "",
        count=line.count or 0,
        decision=line.decision or "",
    )


def signed_cents(text: str) -> Cents:
    """An amount that may be below zero: one sign at most."""
    sign = -1 if text.startswith("-") else 1
    try:
        return sign * parse_dollars(text[1:] if text[:1] in ("+", "-") else text)
    except NotationError:
        raise NotationError(
            "money.unreadable",
            f"{text!r} is no amount: write dollars as 10, -0.5 or +45000.38, with one sign at most "
            "and without blanks, $ or thousands separators",
        ) from None
