"""A table's setup: what the operator chose within a rulebook, with every option settled.

The engine reads a setup and nothing else. A choice that the rulebook does not allow is refused with
its clauses, and all such choices at once, because an operator mends a submission as a whole.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from riverboat.errors import NotationError, Refused
from riverboat.games.limits import Limits, limits_of
from riverboat.games.pay_lines import Lines, index_lines
from riverboat.games.stages import Stage, stages_of
from riverboat.money import Cents, divide_exact, format_cents
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.procedures import DealingMethod
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebook.values import Dollars, Percent
from riverboat.rulebook.vocabulary import OPTIONS
from riverboat.rulebook.wagers import SideBetOffer

Raw: TypeAlias = str | bool | int
Setting: TypeAlias = str | bool | int | None

BONUSES = ("three_card_bonus", "six_card_bonus", "bonus")
TABLE_KEYS = (*BONUSES, "progressive", "dealing")


class SetupRefused(Refused):
    """A setup that the rulebook does not allow, with every reason."""

    def __init__(self, problems: list[Refused]) -> None:
        cites = tuple(dict.fromkeys(cite for problem in problems for cite in problem.cites))
        super().__init__("setup.refused", "\n".join(map(str, problems)), cites=cites)
        self.problems = tuple(problems)


class ProgressiveSetup(Struct, frozen=True, kw_only=True):
    """The progressive as this table offers it."""

    table: PayTable
    envy: PayTable
    envy_per_cents: Cents
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    seed_cents: Cents
    link: str
    cites: tuple[str, ...]


class Setup(Struct, frozen=True, kw_only=True):
    """Everything a round needs to know about its table."""

    book: Rulebook
    seats: int
    dealing: DealingMethod
    limits: Limits
    bonuses: dict[str, PayTable]
    progressive: ProgressiveSetup | None
    settings: dict[str, Setting]
    lines: dict[str, Lines]
    stages: tuple[Stage, ...]

    def flag(self, name: str) -> bool:
        """A yes-or-no option; one that the rulebook does not have is off."""
        return self.settings.get(name) is True

    def choice(self, name: str) -> str:
        """An option with named values; empty where the rulebook does not have it."""
        value = self.settings.get(name)
        return value if isinstance(value, str) else ""

    def cents(self, name: str) -> Cents | None:
        """An amount; None where there is no limit."""
        value = self.settings.get(name)
        return value if isinstance(value, int) else None

    def offers(self, bet: str) -> bool:
        """Whether this table takes a side bet."""
        return bet in self.bonuses or (bet == "progressive" and self.progressive is not None)

    @property
    def base(self) -> PayTable | None:
        """The base game's pay table; a game against the dealer has none."""
        return next((t for t in self.book.paytables if t.bet == "base" and t.playable), None)


def set_up(book: Rulebook, choices: Mapping[str, Raw]) -> Setup:
    """The table that the choices make, or every reason why the rulebook does not allow it."""
    problems: list[Refused] = []
    settings = _settings(book, choices, problems)
    bonuses = _bonuses(book, choices, settings, problems)
    progressive = _progressive(book, choices, settings, problems)
    dealing = _dealing(book, choices, bonuses, settings, problems)
    _conditional_defaults(book, choices, settings, bonuses, dealing)
    problems += _six_card_problems(book, settings, bonuses, dealing)
    limits = limits_of(book, settings, problems)
    if problems:
        raise SetupRefused(problems)
    return Setup(
        book=book,
        seats=int(settings["seats"] or 0),
        dealing=dealing,
        limits=limits,
        bonuses=bonuses,
        progressive=progressive,
        settings=settings,
        lines=_lines(book, bonuses, progressive),
        stages=stages_of(book),
    )


def _lines(
    book: Rulebook, bonuses: dict[str, PayTable], progressive: ProgressiveSetup | None
) -> dict[str, Lines]:
    """Every pay table of this table, ready to be looked up by the hand."""
    tables = dict(bonuses)
    for table in book.paytables:
        if table.bet == "base" and table.playable:
            tables["base"] = table
    if progressive is not None:
        tables |= {"progressive": progressive.table, "envy": progressive.envy}
    return {bet: index_lines(table) for bet, table in tables.items()}


def _settings(
    book: Rulebook, choices: Mapping[str, Raw], problems: list[Refused]
) -> dict[str, Setting]:
    settings = {name: _default(option) for name, option in book.options.items()}
    for name, raw in choices.items():
        if name in TABLE_KEYS:
            continue
        if name not in OPTIONS:
            raise NotationError("setup.unknown_key", f"there is no option {name!r}")
        option = book.options.get(name)
        if option is None:
            problems.append(
                Refused("option.not_here", f"{book.id} has no option {name!r}", cites=())
            )
            continue
        settings[name] = _chosen(name, option, raw)
        problems += _option_problems(name, option, settings[name])
    return settings


def _default(option: Option) -> Setting:
    match option:
        case Money() | Rate():
            return None if option.default is None else int(option.default)
    return option.default


def _chosen(name: str, option: Option, raw: Raw) -> Setting:
    """A raw choice as the option's own kind of value."""
    match option, raw:
        case (Flag(), bool()):
            return raw
        case (Integer(), int()) if not isinstance(raw, bool):
            return raw
        case (Choice(), str() | int()) if not isinstance(raw, bool):
            return str(raw)
        case (Text(), str()):
            return raw
        case (Money(), "none"):
            return None
        case (Money(), str()):
            return int(Dollars.parse(raw))
        case (Rate(), str()):
            return int(Percent.parse(raw))
    raise NotationError("setup.bad_value", f"{name} = {raw!r} is not readable as an option's value")


def _option_problems(name: str, option: Option, value: Setting) -> Iterator[Refused]:
    """Why a value is not allowed, with the option's own clauses."""

    def refused(allowed: str) -> Refused:
        said = _say(option, value)
        return Refused("option.not_allowed", f"{name} {said}; {allowed}", cites=option.cites)

    match option:
        case _ if option.fixed and value != _default(option):
            yield refused(f"the rulebook fixes it at {_say(option, _default(option))}")
        case Choice() if value not in option.choices:
            yield refused(f"allowed are {', '.join(option.choices)}")
        case Integer() if not option.minimum <= int(value or 0) <= option.maximum:
            yield refused(f"{option.minimum} to {option.maximum} is allowed")
        case Money():
            yield from _money_problems(option, value, refused)
        case Rate() if isinstance(value, int) and value > 10_000:
            yield refused("at most 100 percent is allowed")


def _money_problems(option: Money, value: Setting, refused: object) -> Iterator[Refused]:
    assert callable(refused)
    if value is None:
        if not option.none_allowed:
            yield refused("an amount is needed")
        return
    assert isinstance(value, int)
    if option.choices and value not in option.choices:
        yield refused(f"allowed are {', '.join(map(str, option.choices))}")
    if option.minimum is not None and value < option.minimum:
        yield refused(f"at least {option.minimum} is allowed")
    if option.maximum is not None and value > option.maximum:
        yield refused(f"at most {option.maximum} is allowed")


def _say(option: Option, value: Setting) -> str:
    match option, value:
        case (Money(), int()):
            return format_cents(value)
        case (Rate(), int()):
            return str(Percent(value))
    return "none" if value is None else str(value)


def _offer(book: Rulebook, bet: str) -> SideBetOffer | None:
    return next((offer for offer in book.side_bets if offer.bet == bet), None)


def _bonuses(
    book: Rulebook,
    choices: Mapping[str, Raw],
    settings: dict[str, Setting],
    problems: list[Refused],
) -> dict[str, PayTable]:
    bonuses: dict[str, PayTable] = {}
    tables = {table.id: table for table in book.paytables}
    for bet in BONUSES:
        if bet not in choices:
            continue
        name, offer = str(choices[bet]), _offer(book, bet)
        if offer is None:
            text = f"{book.id} has no {bet.replace('_', ' ')}"
            problems.append(Refused("side_bet.not_offered", text, cites=book.ante.cites))
        elif name not in offer.paytables:
            struck = tables[name].cites if name in tables else ()
            allowed = ", ".join(offer.paytables)
            problems.append(
                Refused(
                    "paytable.not_allowed",
                    f"pay table {name}; allowed are {allowed}",
                    cites=(*offer.cites, *struck),
                )
            )
        else:
            bonuses[bet] = tables[name]
    return bonuses


def _progressive(
    book: Rulebook,
    choices: Mapping[str, Raw],
    settings: dict[str, Setting],
    problems: list[Refused],
) -> ProgressiveSetup | None:
    if "progressive" not in choices and "progressive_wager" not in choices:
        return None
    offer = _offer(book, "progressive")
    if offer is None or book.progressive is None:
        text = f"{book.id} has no progressive"
        problems.append(Refused("side_bet.not_offered", text, cites=book.ante.cites))
        return None
    schedules = book.progressive.schedules
    named = [s for s in schedules if s.paytable == choices.get("progressive", s.paytable)]
    if not named or len({schedule.paytable for schedule in named}) > 1:
        allowed = ", ".join(dict.fromkeys(schedule.paytable for schedule in schedules))
        wanted = choices.get("progressive", "no schedule")
        text = f"progressive {wanted}; name one of {allowed}"
        problems.append(Refused("paytable.not_allowed", text, cites=offer.cites))
        return None
    wager = settings["progressive_wager"]
    wager_cents = wager if isinstance(wager, int) else int(named[0].wager)
    schedule = next((s for s in named if s.wager == wager_cents), named[0])
    problems += _wager_problems(book, schedule, wager_cents, settings)
    return _progressive_setup(book, schedule, wager_cents, settings, offer.cites)


def _wager_problems(
    book: Rulebook, schedule: Schedule, wager_cents: Cents, settings: dict[str, Setting]
) -> Iterator[Refused]:
    assert book.progressive is not None
    scaling = book.progressive.scaling
    strict = scaling.strict_wager if settings.get("strict_dollar_wager") is True else None
    if strict is not None and wager_cents != strict:
        text = f"a progressive wager of {format_cents(wager_cents)}; only {strict} is allowed"
        cites = book.options["strict_dollar_wager"].cites
        yield Refused("progressive.bad_wager", text, cites=cites)
    if wager_cents != schedule.wager and not scaling.allowed:
        text = f"a progressive wager of {format_cents(wager_cents)}; no schedule has it"
        yield Refused("progressive.bad_wager", text, cites=scaling.cites)
    if wager_cents <= 0:
        cites = book.options["progressive_wager"].cites
        yield Refused("progressive.bad_wager", "a progressive wager of nothing", cites=cites)


def _progressive_setup(
    book: Rulebook,
    schedule: Schedule,
    wager_cents: Cents,
    settings: dict[str, Setting],
    cites: tuple[str, ...],
) -> ProgressiveSetup:
    """Rate and seed go by the wager: a printed one as printed, any other in proportion."""
    assert book.progressive is not None
    scaling = book.progressive.scaling
    same_wager = (s for s in book.progressive.schedules if s.wager == wager_cents)
    printed = schedule if schedule.wager == wager_cents else next(same_wager, None)
    basis = next(s for s in book.progressive.schedules if s.wager == scaling.basis_wager)
    if printed is not None:
        rate, seed = int(printed.rate), int(printed.seed)
    else:
        rate = int(scaling.rate)
        seed = divide_exact(basis.seed * wager_cents, scaling.basis_wager)
    chosen_rate, chosen_seed, link = settings["rate"], settings["seed"], settings["meter_link"]
    tables = {table.id: table for table in book.paytables}
    return ProgressiveSetup(
        table=tables[schedule.paytable],
        envy=tables[schedule.envy],
        envy_per_cents=int(schedule.wager),
        wager_cents=wager_cents,
        rate_bp=chosen_rate if isinstance(chosen_rate, int) else rate,
        reserve_bp=int(settings["reserve_rate"] or 0),
        seed_cents=chosen_seed if isinstance(chosen_seed, int) else seed,
        link=link if isinstance(link, str) else schedule.paytable,
        cites=(*schedule.cites, *cites),
    )


def _dealing(
    book: Rulebook,
    choices: Mapping[str, Raw],
    bonuses: dict[str, PayTable],
    settings: dict[str, Setting],
    problems: list[Refused],
) -> DealingMethod:
    default = next(
        (method for method in book.dealing if method.default_with in bonuses),
        next(method for method in book.dealing if method.default),
    )
    wanted = choices.get("dealing", default.method)
    usable = [m for m in book.dealing if not m.only_when or settings.get("device_down") == "manual"]
    for method in usable:
        if method.method == wanted:
            return method
    allowed = ", ".join(method.method for method in usable)
    cites = tuple(dict.fromkeys(cite for method in book.dealing for cite in method.cites))
    text = f"dealing by {wanted}; allowed are {allowed}"
    problems.append(Refused("dealing.not_allowed", text, cites=cites))
    return default


def _conditional_defaults(
    book: Rulebook,
    choices: Mapping[str, Raw],
    settings: dict[str, Setting],
    bonuses: dict[str, PayTable],
    dealing: DealingMethod,
) -> None:
    """Defaults that depend on what else was chosen."""
    for name, option in book.options.items():
        if isinstance(option, Choice | Flag) and name not in choices:
            for condition, value in option.default_when.items():
                if condition in bonuses or condition == dealing.method:
                    settings[name] = value


def _six_card_problems(
    book: Rulebook,
    settings: dict[str, Setting],
    bonuses: dict[str, PayTable],
    dealing: DealingMethod,
) -> Iterator[Refused]:
    sequence = book.options.get("shoe_sequence")
    if sequence is not None:
        with_box = str(settings["shoe_sequence"]).startswith("4")
        if with_box != ("six_card_bonus" in bonuses) and dealing.sequence_option == "shoe_sequence":
            text = f"shoe_sequence {settings['shoe_sequence']} does not fit the side bets on offer"
            yield Refused("option.not_allowed", text, cites=sequence.cites)
    if "six_card_bonus" not in bonuses:
        return
    by_device = "automated_device" in dealing.needs
    if not by_device and settings["six_card_dealing"] == "automated_only":
        cites = book.options["six_card_dealing"].cites
        text = f"the six card bonus with {dealing.method} dealing; only a device deals its box"
        yield Refused("six_card_bonus.bad_dealing", text, cites=cites)
    needs_three = settings["six_card_requires_three_card"] is True
    if needs_three and "three_card_bonus" not in bonuses:
        cites = book.options["six_card_requires_three_card"].cites
        text = "the six card bonus without the three card bonus, which must be bet before it"
        yield Refused("six_card_bonus.needs_three_card_bonus", text, cites=cites)
    edition = book.options.get("edition")
    if edition is not None and settings["edition"] != "final":
        text = "the six card bonus of the earlier text cannot be played"
        yield Refused("six_card_bonus.not_playable", text, cites=edition.cites)
