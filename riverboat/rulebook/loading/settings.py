"""Options held against what the house understands, against their own bounds and each other."""

from typing import get_args

from riverboat.core.money import is_multiple
from riverboat.rulebook import vocabulary as v
from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Found
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.procedures import Conduct, Irregularity
from riverboat.rulebook.rules import rules_of
from riverboat.rulebook.values import Dollars, Percent

KINDS = {kind: str(kind.__struct_config__.tag) for kind in get_args(Option)}
WHOLE = Percent(10_000)


def _options(book: Rulebook) -> Found:
    parts, needed, all_known = _parts(book), _needed(book), v.known_options(book)
    for name, option in book.options.items():
        known = all_known.get(name)
        where = f"options.{name}"
        if known is None:
            text = "no such option; the names are those of options.csv, or a side bet's limits"
            yield where, text
        elif KINDS[type(option)] != known.kind:
            yield f"{where}.kind", f"is {KINDS[type(option)]}; {known.kind} is right"
        elif known.needed != v.WHERE_NAMED and known.needed not in parts:
            yield where, f"goes with {known.needed}, which is not played here; remove it"
        elif name not in needed and not _states(book, name, option):
            yield where, "no rule of this rulebook reads it; remove it"
        else:
            yield from _bounds(where, option, known)
            yield from _conditions(book, where, option)
            if getattr(option, "must_be_stated", False) and name not in v.CAN_BE_ASKED_FOR:
                right = " and ".join(v.CAN_BE_ASKED_FOR)
                yield f"{where}.must_be_stated", f"only {right} can be; remove it"
    for name in sorted(needed - book.options.keys()):
        yield f"options.{name}", "missing; a part of this rulebook reads it"


def _states(book: Rulebook, name: str, option: Option) -> bool:
    """Whether an option that no rule reads only says what the document settles."""
    if name == v.EDITION:
        return any(not table.playable for table in book.paytables)
    return name in v.STATEMENTS and option.fixed


def _parts(book: Rulebook) -> set[str]:
    there = {
        v.ALWAYS: True,
        v.COMMUNITY: book.deal.community_cards,
        v.DEALER: book.deal.dealer_cards,
        v.THREE: any(offer.decided_by.hand == "three" for offer in book.side_bets),
        v.BOX: book.box_bets,
        v.PROGRESSIVE: book.progressive is not None,
    }
    return {part for part, is_there in there.items() if is_there}


def _bounds(where: str, option: Option, known: v.Known) -> Found:
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
                yield f"{where}.default", f"{option.default} is more than the whole wager"
            if option.default == "":
                yield f"{where}.default", "is empty; some text is right"


def _derived(where: str, option: Money | Rate | Text, known: v.Known) -> Found:
    """A default comes from one place, and only from where this option can take it."""
    if (option.default is None) == (option.default_from is None):
        yield f"{where}.default", "give either default or default_from"
    if option.default_from is not None and option.default_from != known.derived:
        right = f"{known.derived} is right" if known.derived else "give a default of its own"
        yield f"{where}.default_from", f"{option.default_from!r} is not allowed; {right}"


def _conditions(book: Rulebook, where: str, option: Option) -> Found:
    """Defaults for when something else is chosen, which must be there to be chosen."""
    if not isinstance(option, Choice | Flag):
        return
    there = {offer.bet for offer in book.side_bets} | {method.method for method in book.dealing}
    for condition in option.default_when:
        if condition not in there:
            text = f"{condition!r} is neither a side bet on offer nor a way to deal; remove it"
            yield f"{where}.default_when", text
    if option.fixed and option.default_when:
        yield f"{where}.default_when", "a fixed option has one value; remove it"


def _choice(where: str, option: Choice, known: tuple[str, ...]) -> Found:
    for value in option.choices:
        if value not in known:
            yield f"{where}.choices", f"{value!r} is not allowed; allowed are {', '.join(known)}"
    for value in (option.default, *option.default_when.values()):
        if value not in option.choices:
            allowed = ", ".join(option.choices)
            yield f"{where}.default", f"{value!r} is not allowed; allowed are {allowed}"
    if option.fixed and option.choices != (option.default,):
        yield f"{where}.choices", "a fixed option has one value; its default alone is right"


def _integer(where: str, option: Integer, known: v.Known) -> Found:
    bounds = f"{option.minimum} to {option.maximum}"
    assert known.most is not None
    if not known.least <= option.minimum <= option.maximum <= known.most:
        right = f"a minimum and a maximum from {known.least} to {known.most} are right"
        yield where, f"{bounds} cannot be; {right}"
    if not option.minimum <= option.default <= option.maximum:
        yield f"{where}.default", f"{option.default} is not allowed; {bounds} is"
    if option.fixed and option.minimum != option.maximum:
        yield f"{where}.maximum", "a fixed option has one value; the minimum is right"


def _money(where: str, option: Money, known: v.Known) -> Found:
    if option.none_allowed and not known.none:
        yield f"{where}.none_allowed", "this cannot be none; an amount is needed"
    if option.none_allowed and option.default is None:
        if option.default_from is not None:
            yield f"{where}.default", "give a default, default_from, or none_allowed = true"
    else:
        yield from _derived(where, option, known)
    yield from _amounts(where, option, known)
    if option.fixed and (option.choices or option.minimum or option.maximum):
        yield where, "a fixed option has one value; remove its choices and bounds"


def _amounts(where: str, option: Money, known: v.Known) -> Found:
    """Bounds, choices and default, each held against what comes before it."""
    named = {"minimum": option.minimum, "maximum": option.maximum, "default": option.default}
    amounts = [(f"{where}.{key}", amount) for key, amount in named.items() if amount is not None]
    amounts += [(f"{where}.choices", amount) for amount in option.choices]
    for place, amount in amounts:
        if amount < known.least:
            yield place, f"{amount} is no amount to play for; more is right"
        elif option.minimum is not None and amount < option.minimum:
            yield place, f"{amount} is less than {option.minimum}"
        elif option.maximum is not None and amount > option.maximum:
            yield place, f"{amount} is more than {option.maximum}"
    if option.choices and option.default is not None and option.default not in option.choices:
        allowed = ", ".join(map(str, option.choices))
        yield f"{where}.default", f"{option.default} is not allowed; allowed are {allowed}"


def _wager_limits(book: Rulebook) -> Found:
    """A bet can be made at all: the smallest is not above the largest, both are whole units."""
    ante_top = _amount(book, "maximum")
    pairs = [("minimum", "maximum")]
    pairs += [(offer.minimum_option, offer.maximum_option) for offer in book.bonuses]
    unit = _amount(book, "wager_unit")
    for lowest, highest in pairs:
        bottom, own_top = _amount(book, lowest), _amount(book, highest)
        top = ante_top if own_top is None else own_top
        if bottom is not None and top is not None and bottom > top:
            yield f"options.{lowest}.default", f"{bottom} is more than {highest}, {top}"
        for name, amount in ((lowest, bottom), (highest, own_top)):
            if amount and unit and not is_multiple(amount, unit):
                yield f"options.{name}.default", f"{amount} is no multiple of wager_unit, {unit}"
    for schedule in book.progressive.schedules if book.progressive is not None else ():
        if unit and not is_multiple(schedule.wager, unit):
            where = f"progressive.schedules.{schedule.paytable}.wager"
            yield where, f"{schedule.wager} is no multiple of wager_unit, {unit}"


def _amount(book: Rulebook, name: str) -> Dollars | None:
    option = book.options.get(name)
    return option.default if isinstance(option, Money) else None


def _contributions(book: Rulebook) -> Found:
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
            yield place, f"{share} and the reserve's {reserve} are more than the whole wager"


def _playable_defaults(book: Rulebook) -> Found:
    """Defaults that every table would have to change before it can open."""
    edition = book.options.get(v.EDITION)
    if isinstance(edition, Choice) and edition.default != v.PLAYED_EDITION:
        yield "options.edition.default", "only the final text is played; final is right"
    seats, most = book.options.get("seats"), book.options.get("max_positions_per_player")
    if isinstance(seats, Integer) and isinstance(most, Integer) and most.default > seats.default:
        text = f"{most.default} positions at a table of {seats.default} seats; at most as many"
        yield "options.max_positions_per_player.default", f"{text} positions as seats are right"


def _needed(book: Rulebook) -> set[str]:
    """Options that the parts of this rulebook cannot do without."""
    parts, limit, progressive = _parts(book), book.aggregate_limit, book.progressive
    rules = [rule for _, rule in rules_of(book) if isinstance(rule, Irregularity | Conduct)]
    folds = book.fold.side_bets.values()
    named = (
        *(name for offer in book.bonuses for name in (offer.minimum_option, offer.maximum_option)),
        *(name for offer in book.side_bets for name in offer.after_if.values()),
        *(rule.option for rule in rules),
        *(method.sequence_option for method in book.dealing),
        *(step.from_option for step in (progressive.steps if progressive else ())),
        limit.limit_option,
    )
    asked_for = {
        "device_down": any("suspend_table" in getattr(rule, "then", ()) for rule in rules),
        "two_card_method": any(method.seat_cards == "by_option" for method in book.dealing),
        "strict_dollar_wager": progressive and progressive.scaling.strict_wager is not None,
        "fold_forfeits_side_bets": any(part.after_fold == "by_option" for part in folds),
        "deck_hours_hand": book.deck_age,
        "deck_hours_shoe": book.deck_age,
        "cap_scope": limit.scope == "hand",
        "pro_rata_unit": limit.scope != "none",
        "cap_second_limb_streets": limit.or_minimum_wager_win,
        "cut_bottom_margin": book.cut,
    }
    of_parts = {name for name, known in v.OPTIONS.items() if known.needed in parts}
    return {*of_parts, *named, *(name for name, asked in asked_for.items() if asked)} - {""}


SETTINGS = (_options, _wager_limits, _contributions, _playable_defaults)
"""Options that are unknown, missing, out of place, or that cannot be what they say."""
