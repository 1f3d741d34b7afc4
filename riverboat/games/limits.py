"""Wager limits of a table in cents: smallest, largest, and the unit of every wager."""

from collections.abc import Mapping

from msgspec import Struct

from riverboat.errors import Refused
from riverboat.money import Cents, format_cents
from riverboat.rulebook import Rulebook

_PREFIX = {"three_card_bonus": "three_card", "six_card_bonus": "six_card", "bonus": "bonus"}


class Limit(Struct, frozen=True, kw_only=True):
    """Between which amounts a wager must lie, and why."""

    minimum_cents: Cents
    maximum_cents: Cents | None
    cites: tuple[str, ...]

    def __str__(self) -> str:
        if self.maximum_cents is None:
            return f"at least {format_cents(self.minimum_cents)}"
        return f"{format_cents(self.minimum_cents)} to {format_cents(self.maximum_cents)}"


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of every spot that has its own."""

    ante: Limit
    bonuses: dict[str, Limit]
    unit_cents: Cents
    unit_cites: tuple[str, ...]


def limits_of(book: Rulebook, settings: Mapping[str, object], problems: list[Refused]) -> Limits:
    """The limits that the settled options make; an empty range is a problem."""
    ante = _limit(book, settings, "minimum", "maximum", None, problems)
    highest = None if _is_empty(ante) else ante.maximum_cents
    bonuses: dict[str, Limit] = {
        offer.bet: _limit(
            book,
            settings,
            f"{_PREFIX[offer.bet]}_minimum",
            f"{_PREFIX[offer.bet]}_maximum",
            highest,
            problems,
        )
        for offer in book.side_bets
        if offer.bet in _PREFIX
    }
    unit = settings["wager_unit"]
    cites = book.options["wager_unit"].cites
    if not isinstance(unit, int) or unit <= 0:
        problems.append(Refused("option.not_allowed", "a wager unit of nothing", cites=cites))
        unit = 1
    return Limits(ante=ante, bonuses=bonuses, unit_cents=unit, unit_cites=cites)


def _is_empty(limit: Limit) -> bool:
    """An ante range that is refused already says nothing more about the side bets."""
    return limit.maximum_cents is not None and limit.minimum_cents > limit.maximum_cents


def _limit(
    book: Rulebook,
    settings: Mapping[str, object],
    lowest: str,
    highest: str,
    otherwise: Cents | None,
    problems: list[Refused],
) -> Limit:
    minimum, maximum = settings[lowest], settings[highest]
    top = maximum if isinstance(maximum, int) else otherwise
    cites = (*book.options[lowest].cites, *book.options[highest].cites)
    bottom = minimum if isinstance(minimum, int) else 0
    if top is not None and bottom > top:
        text = f"{lowest} {format_cents(bottom)} is more than {highest} {format_cents(top)}"
        problems.append(Refused("option.not_allowed", text, cites=cites))
    return Limit(minimum_cents=bottom, maximum_cents=top, cites=tuple(dict.fromkeys(cites)))
