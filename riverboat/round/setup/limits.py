"""Wager limits of a table in cents: smallest, largest, and the unit of every wager."""

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from riverboat.core.errors import Refused
from riverboat.core.money import Cents, divide_up, format_cents, is_multiple, round_to_unit
from riverboat.rulebook import Rulebook


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


def limits_of(
    book: Rulebook,
    settings: Mapping[str, object],
    offered: Collection[str],
    problems: list[Refused],
) -> Limits:
    """The limits that the settled options make; an empty range is a problem.

    It is none for a bonus that is not offered and of whose limits nobody spoke.
    """
    ante = _limit(book, settings, "minimum", "maximum", None, problems)
    highest = None if _is_empty(ante) else ante.maximum_cents
    bonuses: dict[str, Limit] = {}
    for offer in book.bonuses:
        keys = (offer.minimum_option, offer.maximum_option)
        chosen = any(settings[key] != book.options[key].default for key in keys)
        told = problems if chosen or offer.bet in offered else []
        bonuses[offer.bet] = _limit(book, settings, *keys, highest, told)
    unit = settings["wager_unit"]
    cites = book.options["wager_unit"].cites
    if not isinstance(unit, int) or unit <= 0:
        problems.append(Refused("option.not_allowed", "a wager unit of nothing", cites=cites))
        unit = 1
    return Limits(ante=ante, bonuses=bonuses, unit_cents=unit, unit_cites=cites)


def unplayable(
    book: Rulebook, limits: Limits, offered: Collection[str], progressive_cents: Cents | None
) -> Iterator[Refused]:
    """Bets that are on offer and that nobody can make: no whole number of units lies between the
    limits, or the progressive's one amount is none."""
    unit, said = limits.unit_cents, format_cents(limits.unit_cents)
    taken = [offer for offer in book.bonuses if offer.bet in offered]
    spots = [(book.ante.label, limits.ante)]
    spots += [(offer.label, limits.bonuses[offer.bet]) for offer in taken]
    for label, limit in spots:
        least = max(unit, round_to_unit(limit.minimum_cents, unit, divide_up))
        if _is_empty(limit) or limit.maximum_cents is None or least <= limit.maximum_cents:
            continue
        text = f"{label} takes {limit} in multiples of {said}: there is no such bet"
        yield Refused("table.unplayable", text, cites=(*limit.cites, *limits.unit_cites))
    wager = progressive_cents
    if wager is not None and not is_multiple(wager, unit):
        text = f"a progressive wager of {format_cents(wager)} at a table that takes multiples of"
        cites = (*book.options["progressive_wager"].cites, *limits.unit_cites)
        yield Refused("table.unplayable", f"{text} {said}: nobody could bet it", cites=cites)


def _is_empty(limit: Limit) -> bool:
    """A range that is refused already says nothing more: not about itself, not of side bets."""
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
    cites = tuple(dict.fromkeys((*book.options[lowest].cites, *book.options[highest].cites)))
    bottom = minimum if isinstance(minimum, int) else 0
    if top is not None and bottom > top:
        text = f"{lowest} {format_cents(bottom)} is more than {highest} {format_cents(top)}"
        problems.append(Refused("option.not_allowed", text, cites=cites))
    return Limit(minimum_cents=bottom, maximum_cents=top, cites=cites)
