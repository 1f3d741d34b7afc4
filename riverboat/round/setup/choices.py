"""The operator's choices among a rulebook's options: each read, and held against its bounds."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import format_cents
from riverboat.core.well_formed import require_kind
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import PROGRESSIVE
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.paytables import TABLE_ID
from riverboat.rulebook.play import SideBetOffer
from riverboat.rulebook.values import Dollars, Percent
from riverboat.rulebook.vocabulary import ALWAYS, OPTIONS, known_options

Raw: TypeAlias = str | bool | int
Setting: TypeAlias = str | bool | int | None

DEALING = "dealing"
"""The one choice of a table that is neither an option nor a side bet."""
# What is said of a meter, its seed or its rate where the choices offer no progressive.
NO_PROGRESSIVE = (
    "this table has no progressive; table offers one by progressive or progressive_wager"
)
_WHOLE_BP = 10_000
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
_RIGHT: dict[type, str] = {
    Choice: "text in quotes",
    Flag: "true or false",
    Integer: "a whole number",
    Money: "an amount of dollars in quotes",
    Rate: "a percentage in quotes",
    Text: "text in quotes",
}


def written_choices(entries: Iterable[str], code: str) -> dict[str, Raw]:
    """A table's options as a command line has them, KEY=VALUE, each key once."""
    choices: dict[str, Raw] = {}
    for entry in entries:
        key, equals, value = entry.partition("=")
        if not equals or key in choices or key == "meter":
            why = {"meter": "`meter` says it"}.get(key, "write KEY=VALUE, and each key once")
            raise NotationError(code, f"`table` {entry}: {why}")
        choices[key] = _written(entry, key, value, code)
    return choices


def _written(entry: str, key: str, value: str, code: str) -> Raw:
    kind = {"flag": Flag, "integer": Integer}.get(OPTIONS[key].kind) if key in OPTIONS else None
    if kind is None:
        return value
    if kind is Flag and value in _FLAGS:
        return _FLAGS[value]
    if kind is Integer and re.fullmatch(r"\d{1,6}", value, re.ASCII):
        return int(value)
    raise NotationError(code, f"`table` {entry}: {key} is {_RIGHT[kind]}")


def require_choices(choices: Mapping[str, Raw]) -> None:
    """Names with text, whole numbers, true or false: what any file can say, and nothing else."""
    require_kind(choices, Mapping, "choices")
    for name, raw in choices.items():
        require_kind(name, str, "the name of a choice")
        if type(raw) not in (str, bool, int):
            right = "text, a whole number, true or false is right"
            text = f"{name} is of type {type(raw).__name__}; {right}"
            raise NotationError("setup.bad_value", text)


def settings_of(
    book: Rulebook, choices: Mapping[str, Raw], problems: list[Refused]
) -> dict[str, Setting]:
    """Every option of the rulebook with its value; what is not allowed is added to `problems`."""
    settings = {name: _default(option) for name, option in book.options.items()}
    asked = side_bets_asked_for(book, choices)
    strange = any(book.offer(bet) is None for bet in asked)
    known = known_options(book)
    for name, raw in choices.items():
        if name == DEALING or name in asked:
            continue
        if name not in known:
            raise NotationError("setup.unknown_key", f"there is no option {name!r}")
        option = book.options.get(name)
        if option is None:
            if not strange or known[name].needed == ALWAYS:
                text = f"{book.id} has no option {name!r}"
                problems.append(Refused("option.not_here", text, cites=()))
            continue
        settings[name] = read_choice(name, option, raw)
        problems += option_problems(name, option, settings[name])
    return settings


def bet_before(offer: SideBetOffer, settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """The wagers that must lie there before a side bet; an option may waive one of them."""
    asked = (spot for spot, name in offer.after_if.items() if settings.get(name) is not False)
    return (*offer.after, *asked)


def side_bets_asked_for(book: Rulebook, choices: Mapping[str, Raw]) -> set[str]:
    """The side bets that the choices name: those of the rulebook, and whatever else is given a pay
    table, which is refused whole because the rulebook does not have it."""
    options = known_options(book)
    wanted = {bet for bet in choices if book.offer(bet) is not None}
    wanted |= {bet for bet, raw in choices.items() if bet not in options and is_pay_table(raw)}
    return wanted | ({PROGRESSIVE} if asks_for_progressive(choices) else set())


def every_side_bet(book: Rulebook) -> dict[str, Raw]:
    """The choices that offer every side bet, each with its first table that can be played."""
    playable = {table.id for table in book.paytables if table.playable}
    tables = {
        offer.bet: [name for name in offer.paytables if name in playable]
        for offer in book.side_bets
    }
    return {bet: named[0] for bet, named in tables.items() if named}


def asks_for_progressive(choices: Mapping[str, object]) -> bool:
    """Whether the choices offer a progressive: by its schedule, or by its wager where there is one
    schedule."""
    return PROGRESSIVE in choices or "progressive_wager" in choices


def is_pay_table(raw: object) -> bool:
    """Whether a choice is a pay table's id."""
    return isinstance(raw, str) and TABLE_ID.fullmatch(raw) is not None


def _default(option: Option) -> Setting:
    match option:
        case Money() | Rate():
            return None if option.default is None else int(option.default)
    return option.default


def read_choice(name: str, option: Option, raw: Raw) -> Setting:
    """A raw choice as the option's own kind of value."""
    match option, raw:
        case (Flag(), bool()) | (Text(), str()):
            return raw
        case (Integer(), int()) if not isinstance(raw, bool):
            return raw
        case (Choice(), str() | int()) if not isinstance(raw, bool):
            return str(raw)
        case (Money(), "none"):
            return None
        case (Money(), str()):
            return int(Dollars.parse(raw))
        case (Rate(), str()):
            return int(Percent.parse(raw))
    right = _RIGHT[type(option)]
    raise NotationError("setup.bad_value", f"{name} = {raw!r} is not readable; {right} is right")


def option_problems(name: str, option: Option, value: Setting) -> Iterator[Refused]:
    """Why a value is not allowed, with the option's own clauses."""

    def refused(allowed: str) -> Refused:
        said = say_setting(option, value)
        return Refused("option.not_allowed", f"{name} {said}; {allowed}", cites=option.cites)

    match option:
        case _ if option.fixed and value != _default(option):
            yield refused(f"the rulebook fixes it at {say_setting(option, _default(option))}")
        case Choice() if value not in option.choices:
            yield refused(f"allowed are {', '.join(option.choices)}")
        case Integer() if not option.minimum <= int(value or 0) <= option.maximum:
            yield refused(f"{option.minimum} to {option.maximum} is allowed")
        case Money():
            yield from _money_problems(option, value, refused)
        case Rate() if isinstance(value, int) and value > _WHOLE_BP:
            yield refused("at most 100 percent is allowed")


def contribution_problems(
    book: Rulebook, settings: Mapping[str, Setting], rate_bp: int | None
) -> Iterator[Refused]:
    """Meter and reserve together cannot get more than the wager.

    Without a progressive on offer its rate is the one that was chosen, or the least of a schedule.
    """
    reserve, chosen = settings.get("reserve_rate"), settings.get("rate")
    if book.progressive is None or not isinstance(reserve, int):
        return
    least = min(int(schedule.rate) for schedule in book.progressive.schedules)
    rate = rate_bp if rate_bp is not None else chosen if isinstance(chosen, int) else least
    if max(rate, reserve) <= _WHOLE_BP < rate + reserve:
        cites = (*book.options["reserve_rate"].cites, *book.options["rate"].cites)
        said = f"reserve_rate {Percent(reserve)} with a rate of {Percent(rate)}"
        text = f"{said}; together at most 100 percent of a wager is allowed"
        yield Refused("option.not_allowed", text, cites=cites)


def _money_problems(
    option: Money, value: Setting, refused: Callable[[str], Refused]
) -> Iterator[Refused]:
    if not isinstance(value, int):
        if not option.none_allowed:
            yield refused("an amount is needed")
        return
    if option.choices and value not in option.choices:
        yield refused(f"allowed are {', '.join(map(str, option.choices))}")
    if option.minimum is not None and value < option.minimum:
        yield refused(f"at least {option.minimum} is allowed")
    if option.maximum is not None and value > option.maximum:
        yield refused(f"at most {option.maximum} is allowed")


def say_setting(option: Option, value: Setting) -> str:
    """An option's value as people write it."""
    match option, value:
        case (Money(), int()):
            return format_cents(value)
        case (Rate(), int()):
            return str(Percent(value))
    return "none" if value is None else str(value)
