"""Options held against what the house understands, against their own bounds and each other."""

from collections.abc import Iterator

from riverboat.core.money import divide_down, round_to_unit
from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Misfit
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.procedures import Conduct, Irregularity
from riverboat.rulebook.rules import rules_of
from riverboat.rulebook.values import Dollars, Percent
from riverboat.rulebook.vocabulary import (
    ALWAYS,
    BOX,
    CAN_BE_ASKED_FOR,
    COMMUNITY,
    DEALER,
    EDITION,
    OPTIONS,
    PLAYED_EDITION,
    PROGRESSIVE,
    STATEMENTS,
    THREE,
    WHERE_NAMED,
    Known,
    known_options,
)

KINDS: dict[type, str] = {
    Choice: "choice",
    Flag: "flag",
    Integer: "integer",
    Money: "money",
    Rate: "percent",
    Text: "text",
}
WHOLE = Percent(10_000)


def option_misfits(book: Rulebook) -> Iterator[Misfit]:
    """Options that are unknown, missing, out of place, or that cannot be what they say."""
    parts, needed, all_known = _parts(book), _needed(book), known_options(book)
    for name, option in book.options.items():
        known = all_known.get(name)
        where = f"options.{name}"
        if known is None:
            yield Misfit(
                where, "no such option; the names are those of options.csv, or a side bet's limits"
            )
        elif KINDS[type(option)] != known.kind:
            yield Misfit(f"{where}.kind", f"is {KINDS[type(option)]}; {known.kind} is right")
        elif known.needed != WHERE_NAMED and known.needed not in parts:
            yield Misfit(where, f"goes with {known.needed}, which is not played here; remove it")
        elif name not in needed and not _states(book, name, option):
            yield Misfit(where, "no rule of this rulebook reads it; remove it")
        else:
            yield from _bounds(where, option, known)
            yield from _conditions(book, where, option)
            if getattr(option, "must_be_stated", False) and name not in CAN_BE_ASKED_FOR:
                right = " and ".join(CAN_BE_ASKED_FOR)
                yield Misfit(f"{where}.must_be_stated", f"only {right} can be; remove it")
    for name in sorted(needed - book.options.keys()):
        yield Misfit(f"options.{name}", "missing; a part of this rulebook reads it")
    yield from _wager_limits(book)
    yield from _contributions(book)
    yield from _playable_defaults(book)


def _states(book: Rulebook, name: str, option: Option) -> bool:
    """Whether an option that no rule reads only says what the document settles."""
    if name == EDITION:
        return any(not table.playable for table in book.paytables)
    return name in STATEMENTS and option.fixed


def _parts(book: Rulebook) -> set[str]:
    there = {
        ALWAYS: True,
        COMMUNITY: book.deal.community_cards,
        DEALER: book.deal.dealer_cards,
        THREE: any(offer.decided_by.hand == "three" for offer in book.side_bets),
        BOX: book.box_bets,
        PROGRESSIVE: book.progressive is not None,
    }
    return {part for part, is_there in there.items() if is_there}


def _bounds(where: str, option: Option, known: Known) -> Iterator[Misfit]:
    match option:
        case Choice():
            yield from _choice(where, option, known.choices)
        case Integer():
            yield from _integer(where, option, known)
        case Money():
            yield from _money(where, option, known)
        case Rate() | Text():
            yield from _derived(where, option, known)
            if isinstance(option.default, Percent) and option.default > WHOLE:
                yield Misfit(f"{where}.default", f"{option.default} is more than the whole wager")
            if option.default == "":
                yield Misfit(f"{where}.default", "is empty; some text is right")


def _derived(where: str, option: Money | Rate | Text, known: Known) -> Iterator[Misfit]:
    """A default comes from one place, and only from where this option can take it."""
    if (option.default is None) == (option.default_from is None):
        yield Misfit(f"{where}.default", "give either default or default_from")
    if option.default_from is not None and option.default_from != known.derived:
        right = f"{known.derived} is right" if known.derived else "give a default of its own"
        yield Misfit(f"{where}.default_from", f"{option.default_from!r} is not allowed; {right}")


def _conditions(book: Rulebook, where: str, option: Option) -> Iterator[Misfit]:
    """Defaults for when something else is chosen, which must be there to be chosen."""
    if not isinstance(option, Choice | Flag):
        return
    there = {offer.bet for offer in book.side_bets} | {method.method for method in book.dealing}
    for condition in option.default_when:
        if condition not in there:
            yield Misfit(
                f"{where}.default_when",
                f"{condition!r} is neither a side bet on offer nor a way to deal; remove it",
            )
    if option.fixed and option.default_when:
        yield Misfit(f"{where}.default_when", "a fixed option has one value; remove it")


def _choice(where: str, option: Choice, known: tuple[str, ...]) -> Iterator[Misfit]:
    for value in option.choices:
        if value not in known:
            yield Misfit(
                f"{where}.choices", f"{value!r} is not allowed; allowed are {', '.join(known)}"
            )
    for value in (option.default, *option.default_when.values()):
        if value not in option.choices:
            yield Misfit(
                f"{where}.default",
                f"{value!r} is not allowed; allowed are {', '.join(option.choices)}",
            )
    if option.fixed and option.choices != (option.default,):
        yield Misfit(f"{where}.choices", "a fixed option has one value; its default alone is right")


def _integer(where: str, option: Integer, known: Known) -> Iterator[Misfit]:
    assert known.most is not None
    if not known.least <= option.minimum <= option.maximum <= known.most:
        yield Misfit(
            where,
            f"{option.minimum} to {option.maximum} cannot be; a minimum and a maximum from "
            f"{known.least} to {known.most} are right",
        )
    if not option.minimum <= option.default <= option.maximum:
        yield Misfit(
            f"{where}.default",
            f"{option.default} is not allowed; {option.minimum} to {option.maximum} is",
        )
    if option.fixed and option.minimum != option.maximum:
        yield Misfit(f"{where}.maximum", "a fixed option has one value; the minimum is right")


def _money(where: str, option: Money, known: Known) -> Iterator[Misfit]:
    if option.none_allowed and not known.none:
        yield Misfit(f"{where}.none_allowed", "this cannot be none; an amount is needed")
    if option.none_allowed and option.default is None:
        if option.default_from is not None:
            yield Misfit(f"{where}.default", "give a default, default_from, or none_allowed = true")
    else:
        yield from _derived(where, option, known)
    yield from _amounts(where, option, known)
    if option.fixed and (option.choices or option.minimum or option.maximum):
        yield Misfit(where, "a fixed option has one value; remove its choices and bounds")


def _amounts(where: str, option: Money, known: Known) -> Iterator[Misfit]:
    """Bounds, choices and default, each held against what comes before it."""
    named = {"minimum": option.minimum, "maximum": option.maximum, "default": option.default}
    amounts = [(f"{where}.{key}", amount) for key, amount in named.items() if amount is not None]
    amounts += [(f"{where}.choices", amount) for amount in option.choices]
    for place, amount in amounts:
        if amount < known.least:
            yield Misfit(place, f"{amount} is no amount to play for; more is right")
        elif option.minimum is not None and amount < option.minimum:
            yield Misfit(place, f"{amount} is less than {option.minimum}")
        elif option.maximum is not None and amount > option.maximum:
            yield Misfit(place, f"{amount} is more than {option.maximum}")
    if option.choices and option.default is not None and option.default not in option.choices:
        allowed = ", ".join(map(str, option.choices))
        yield Misfit(f"{where}.default", f"{option.default} is not allowed; allowed are {allowed}")


def _wager_limits(book: Rulebook) -> Iterator[Misfit]:
    """A bet can be made at all: the smallest is not above the largest, both are whole units."""
    ante_top = _amount(book, "maximum")
    pairs = [("minimum", "maximum")]
    pairs += [(offer.minimum_option, offer.maximum_option) for offer in book.bonuses]
    unit = _amount(book, "wager_unit")
    for lowest, highest in pairs:
        bottom, own_top = _amount(book, lowest), _amount(book, highest)
        top = ante_top if own_top is None else own_top
        if bottom is not None and top is not None and bottom > top:
            yield Misfit(f"options.{lowest}.default", f"{bottom} is more than {highest}, {top}")
        for name, amount in ((lowest, bottom), (highest, own_top)):
            if amount and unit and round_to_unit(amount, unit, divide_down) != amount:
                yield Misfit(
                    f"options.{name}.default", f"{amount} is no multiple of wager_unit, {unit}"
                )
    if book.progressive is not None and unit:
        for schedule in book.progressive.schedules:
            if round_to_unit(schedule.wager, unit, divide_down) != schedule.wager:
                yield Misfit(
                    f"progressive.schedules.{schedule.paytable}.wager",
                    f"{schedule.wager} is no multiple of wager_unit, {unit}",
                )


def _amount(book: Rulebook, name: str) -> Dollars | None:
    option = book.options.get(name)
    return option.default if isinstance(option, Money) else None


def _contributions(book: Rulebook) -> Iterator[Misfit]:
    """Meter and reserve together cannot get more than the wager."""
    if book.progressive is None:
        return
    option, rate = book.options.get("reserve_rate"), book.options.get("rate")
    reserve = (option.default if isinstance(option, Rate) else None) or Percent(0)
    rates = [("progressive.scaling.rate", book.progressive.scaling.rate)]
    rates += [
        (f"progressive.schedules.{schedule.paytable}.rate", schedule.rate)
        for schedule in book.progressive.schedules
    ]
    if isinstance(rate, Rate) and rate.default is not None:
        rates.append(("options.rate.default", rate.default))
    for place, share in rates:
        if share + reserve > WHOLE:
            yield Misfit(
                place, f"{share} and the reserve's {reserve} are more than the whole wager"
            )


def _playable_defaults(book: Rulebook) -> Iterator[Misfit]:
    """Defaults that every table would have to change before it can open."""
    edition = book.options.get(EDITION)
    if isinstance(edition, Choice) and edition.default != PLAYED_EDITION:
        yield Misfit("options.edition.default", "only the final text is played; final is right")
    seats, most = book.options.get("seats"), book.options.get("max_positions_per_player")
    if isinstance(seats, Integer) and isinstance(most, Integer) and most.default > seats.default:
        yield Misfit(
            "options.max_positions_per_player.default",
            f"{most.default} positions at a table of {seats.default} seats; at most as many "
            "positions as seats are right",
        )


def _needed(book: Rulebook) -> set[str]:
    """Options that the parts of this rulebook cannot do without."""
    parts = _parts(book)
    needed = {name for name, known in OPTIONS.items() if known.needed in parts}
    for offer in book.bonuses:
        needed |= {offer.minimum_option, offer.maximum_option}
    for offer in book.side_bets:
        needed |= set(offer.after_if.values())
    for _, rule in rules_of(book):
        if isinstance(rule, Irregularity | Conduct) and rule.option:
            needed.add(rule.option)
        if isinstance(rule, Irregularity) and "suspend_table" in rule.then:
            needed.add("device_down")
    needed |= {method.sequence_option for method in book.dealing} - {""}
    if any(method.seat_cards == "by_option" for method in book.dealing):
        needed.add("two_card_method")
    if book.progressive is not None:
        needed |= {step.from_option for step in book.progressive.steps} - {""}
        if book.progressive.scaling.strict_wager is not None:
            needed.add("strict_dollar_wager")
    needed |= {
        "fold_forfeits_side_bets"
        for part in book.fold.side_bets.values()
        if part.after_fold == "by_option"
    }
    return needed | _limits_needed(book)


def _limits_needed(book: Rulebook) -> set[str]:
    needed = {"deck_hours_hand", "deck_hours_shoe"} if book.deck_age is not None else set()
    if book.aggregate_limit.limit_option:
        needed.add(book.aggregate_limit.limit_option)
    match book.aggregate_limit.scope:
        case "hand":
            needed |= {"cap_scope", "pro_rata_unit"}
        case "round":
            needed.add("pro_rata_unit")
    if book.aggregate_limit.or_minimum_wager_win:
        needed.add("cap_second_limb_streets")
    return needed | ({"cut_bottom_margin"} if book.cut is not None else set())
