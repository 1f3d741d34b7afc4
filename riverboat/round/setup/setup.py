"""A table's setup: what the operator chose within a rulebook, with every option settled.

The engine reads a setup and nothing else. A choice that the rulebook does not allow is refused with
its clauses, and all such choices at once, because an operator mends a submission as a whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.errors import AllRefused, Refused
from riverboat.core.hand_kinds import HANDS, Hand
from riverboat.core.money import Cents, Divide, divide_down, divide_exact, divide_up, format_cents
from riverboat.core.records import alike
from riverboat.core.well_formed import require_kind
from riverboat.round.events import Outcome
from riverboat.round.setup import choices as c
from riverboat.round.setup.choices import Raw, Setting, bet_before
from riverboat.round.setup.limits import Limits, limits_of, unplayable
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import PROGRESSIVE, Stage, stages_of
from riverboat.rulebook.options import AmountName, Choice, ChoiceName, Flag, FlagName
from riverboat.rulebook.paytables import Lines, PayTable, index_lines
from riverboat.rulebook.procedures import DealingMethod
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebook.values import DEALT, Pays
from riverboat.rulebook.vocabulary import EDITION, PLAYED_EDITION, SEQUENCES

Settings: TypeAlias = dict[str, Setting]


class SetupRefused(AllRefused):
    """A setup that the rulebook does not allow, with every reason."""

    def __init__(self, problems: Sequence[Refused]) -> None:
        super().__init__("setup.refused", problems)


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


class SideBet(NamedTuple):
    """A side bet as this table takes it."""

    cites: tuple[str, ...]
    after: tuple[str, ...]
    """The wagers that must lie there before it."""
    places: tuple[str, ...]
    """Whose cards make the hand that decides it."""
    hand: Hand


class Setup(Struct, frozen=True, kw_only=True, dict=True):
    """Everything a round needs to know about its table.

    What follows from the choices is worked out when it is first asked for. A setup never changes,
    and one made from it by `replace` works its own out.
    """

    book: Rulebook
    seats: int
    dealing: DealingMethod
    limits: Limits
    bonuses: dict[str, PayTable]
    progressive: ProgressiveSetup | None
    settings: dict[str, Setting]

    def flag(self, name: FlagName) -> bool:
        """A yes-or-no option; one that the rulebook does not have is off."""
        return self.settings.get(name) is True

    def choice(self, name: ChoiceName) -> str:
        """An option with named values; empty where the rulebook does not have it."""
        return self.named(name)

    def named(self, name: str) -> str:
        """The same for an option that a rule of the file names."""
        value = self.settings.get(name)
        return value if isinstance(value, str) else ""

    def cents(self, name: AmountName) -> Cents | None:
        """An amount; None where there is no limit."""
        value = self.settings.get(name)
        return value if isinstance(value, int) else None

    def offers(self, bet: str) -> bool:
        """Whether this table takes a side bet."""
        return bet in self.side_bets

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The decisions in order."""
        return stages_of(self.book)

    @cached_property
    def base_spots(self) -> tuple[str, ...]:
        """The spots of the base game, in the order in which they are bet on."""
        return self.book.base_spots

    @cached_property
    def tip_spots(self) -> tuple[str, ...]:
        """Where a tip can lie."""
        return tuple(f"tip_{spot}" for spot in self.book.tips.on)

    @cached_property
    def first_tips(self) -> tuple[str, ...]:
        """The tips that are laid with the first wagers: on the ante or a side bet."""
        late = {f"tip_{stage.spot}" for stage in self.stages}
        return tuple(spot for spot in self.tip_spots if spot not in late)

    @cached_property
    def spots(self) -> tuple[str, ...]:
        """Every spot of the rulebook's table that can have a result."""
        side_bets = tuple(offer.bet for offer in self.book.side_bets)
        envy = ("envy",) if PROGRESSIVE in side_bets else ()
        return (*self.base_spots, *side_bets, *envy, *self.tip_spots)

    @cached_property
    def side_bets(self) -> dict[str, SideBet]:
        """The side bets that this table takes."""
        taken = (*self.bonuses, *((PROGRESSIVE,) if self.progressive is not None else ()))
        return {
            offer.bet: SideBet(
                offer.cites,
                bet_before(offer, self.settings),
                offer.decided_by.places,
                HANDS[offer.decided_by.hand],
            )
            for offer in self.book.side_bets
            if offer.bet in taken
        }

    @cached_property
    def box_bets(self) -> tuple[str, ...]:
        """The side bets of this table that a box of cards decides."""
        return tuple(bet for bet in self.book.box_bets if bet in self.bonuses)

    @property
    def has_box(self) -> bool:
        """Whether a box is dealt at this table."""
        return bool(self.box_bets)

    @cached_property
    def lost_by_fold(self) -> frozenset[str]:
        """The side bets, and the envy, that a fold loses: the rulebook says so, or its option."""
        losing = {"forfeited"} | ({"by_option"} if self.flag("fold_forfeits_side_bets") else set())
        rules = self.book.fold.side_bets
        return frozenset(bet for bet, rule in rules.items() if rule.after_fold in losing)

    @cached_property
    def instruments(self) -> tuple[str, ...] | None:
        """What a wager may be made with; None where the rulebook does not say."""
        rule = self.book.instruments
        if rule is None:
            return None
        return (*rule.allowed, *(("verbal_with_cash",) if rule.verbal_with_cash else ()))

    @cached_property
    def base(self) -> PayTable | None:
        """The base game's pay table; a game against the dealer has none."""
        return next((t for t in self.book.paytables if t.bet == "base" and t.playable), None)

    @cached_property
    def lines(self) -> dict[str, Lines]:
        """Every pay table of this table, ready to be looked up by the hand."""
        tables = dict(self.bonuses)
        if self.base is not None:
            tables["base"] = self.base
        if self.progressive is not None:
            tables |= {"progressive": self.progressive.table, "envy": self.progressive.envy}
        return {bet: index_lines(table) for bet, table in tables.items()}

    @cached_property
    def payout_unit_cents(self) -> Cents:
        """What payouts are made in."""
        return self.cents("payout_unit") or 1

    @cached_property
    def breakage(self) -> Divide:
        """How a payout below the unit is rounded: for the player or for the house."""
        return divide_up if self.choice("breakage") == "player" else divide_down

    @cached_property
    def base_results(self) -> dict[Outcome, tuple[Outcome, bool]]:
        """What the rulebook does with base wagers that win, push and lose: how each counts, and
        whether its stake goes back."""
        base = self.book.settlement.base
        return {
            "win": ("win", base.win == "pay_each_wager_and_return_stakes"),
            "push": ("push" if base.push == "return_stakes" else "lose", True),
            "lose": ("lose" if base.lose == "collect" else "push", True),
        }

    def winnings(self, stake_cents: Cents, pays: Pays) -> Cents:
        """What a line pays on a stake, before any limit; below a cent it goes as breakage goes."""
        if pays.kind == "dollars":
            return pays.amount
        if pays.kind not in ("to", "for"):
            return 0
        return self.breakage(stake_cents * pays.amount, pays.per)

    def payable(self, exact_cents: Cents) -> Cents:
        """An exact amount in the payable unit; the rest is breakage."""
        unit = self.payout_unit_cents
        return exact_cents if unit == 1 else self.breakage(exact_cents, unit) * unit

    @cached_property
    def aggregate_limit_cents(self) -> Cents | None:
        """How far the base winnings of a hand, or of a whole round, can go; None for any."""
        rule = self.book.aggregate_limit
        if rule.limit_option:
            return self.cents("aggregate_limit")
        if rule.limit is None or not rule.or_minimum_wager_win:
            return None if rule.limit is None else int(rule.limit)
        return max(int(rule.limit), self.most_at_minimum_cents)

    @cached_property
    def most_at_minimum_cents(self) -> Cents:
        """The most that one player could win in a round with the minimum ante.

        Which street bets that assumes is a reading: the smallest of each ("1"), or the largest.
        """
        assert self.base is not None
        chosen = min if self.choice("cap_second_limb_streets") == "1" else max
        ante = self.limits.ante.minimum_cents
        stakes = (ante, *(ante * chosen(stage.multiples) for stage in self.stages))
        wins = [line.pays for line in self.base.lines if line.pays.kind == "to"]
        won = (sum(self.winnings(stake, pays) for stake in stakes) for pays in wins)
        return max(won, default=0)


class Draft(Struct, frozen=True, kw_only=True):
    """What the choices come to, with everything that is wrong with them.

    `offered` are the side bets that were asked for, also where their pay table is not allowed, so
    that one fault does not hide another.
    """

    settings: dict[str, Setting]
    offered: tuple[str, ...]
    bonuses: dict[str, PayTable]
    progressive: ProgressiveSetup | None
    dealing: DealingMethod
    limits: Limits
    problems: tuple[Refused, ...]


def set_up(book: Rulebook, choices: Mapping[str, Raw] = MappingProxyType({})) -> Setup:
    """The table that the choices make, or every reason why the rulebook does not allow it."""
    draft = draft_setup(book, choices)
    if draft.problems:
        raise SetupRefused(draft.problems)
    return finish_setup(book, draft)


def draft_setup(book: Rulebook, choices: Mapping[str, Raw]) -> Draft:
    """The choices read and judged."""
    require_kind(book, Rulebook, "book")
    c.require_choices(choices)
    problems: list[Refused] = []
    settings = c.settings_of(book, choices, problems)
    wanted = c.side_bets_asked_for(book, choices)
    offered = tuple(offer.bet for offer in book.side_bets if offer.bet in wanted)
    bonuses = _bonuses(book, choices, problems)
    progressive = _progressive(book, choices, settings, problems)
    rate_bp = None if progressive is None else progressive.rate_bp
    problems += c.contribution_problems(book, settings, rate_bp)
    dealing, refused = _dealing(book, choices.get(c.DEALING), offered, settings)
    problems += refused
    depending = _conditional_defaults(book, (*offered, dealing.method))
    settings |= {name: value for name, value in depending.items() if name not in choices}
    problems += _unbettable(book, settings, offered)
    problems += _box_problems(book, settings, offered, dealing)
    limits = limits_of(book, settings, offered, problems)
    wager_cents = None if progressive is None else progressive.wager_cents
    problems += unplayable(book, limits, offered, wager_cents)
    return Draft(
        settings=settings,
        offered=offered,
        bonuses=bonuses,
        progressive=progressive,
        dealing=dealing,
        limits=limits,
        problems=tuple(problems),
    )


def finish_setup(book: Rulebook, draft: Draft) -> Setup:
    """The setup of a draft that has no problems."""
    return alike(Setup, draft, book=book, seats=int(draft.settings["seats"] or 0))


def _bonuses(
    book: Rulebook, choices: Mapping[str, Raw], problems: list[Refused]
) -> dict[str, PayTable]:
    bonuses: dict[str, PayTable] = {}
    wanted = c.side_bets_asked_for(book, choices) - {PROGRESSIVE}
    for bet in [bet for bet in choices if bet in wanted]:
        name, offer = str(choices[bet]), book.offer(bet)
        if offer is None:
            problems.append(_no_such_bet(book, bet))
        elif name not in offer.paytables:
            struck = book.tables[name].cites if name in book.tables else ()
            text = f"pay table {name}; allowed are {', '.join(offer.paytables)}"
            problems.append(Refused("paytable.not_allowed", text, cites=(*offer.cites, *struck)))
        else:
            bonuses[bet] = book.tables[name]
    return {offer.bet: bonuses[offer.bet] for offer in book.side_bets if offer.bet in bonuses}


def _no_such_bet(book: Rulebook, bet: str) -> Refused:
    text = f"{book.id} has no {bet.replace('_', ' ')}"
    return Refused("side_bet.not_offered", text, cites=book.ante.cites)


def _progressive(
    book: Rulebook, choices: Mapping[str, Raw], settings: Settings, problems: list[Refused]
) -> ProgressiveSetup | None:
    if PROGRESSIVE not in c.side_bets_asked_for(book, choices):
        return None
    offer = book.offer(PROGRESSIVE)
    if offer is None or book.progressive is None:
        problems.append(_no_such_bet(book, PROGRESSIVE))
        return None
    schedules = book.progressive.schedules
    named = [s for s in schedules if s.paytable == choices.get("progressive", s.paytable)]
    if not named or len({schedule.paytable for schedule in named}) > 1:
        allowed = ", ".join(dict.fromkeys(schedule.paytable for schedule in schedules))
        text = f"progressive {choices.get('progressive', 'no schedule')}; name one of {allowed}"
        problems.append(Refused("paytable.not_allowed", text, cites=offer.cites))
        return None
    wager = settings["progressive_wager"]
    wager_cents = wager if isinstance(wager, int) else int(named[0].wager)
    schedule = next((s for s in named if s.wager == wager_cents), named[0])
    option = book.options["progressive_wager"]
    if wager is None or not any(c.option_problems("progressive_wager", option, wager)):
        problems += _wager_problems(book, schedule, wager_cents, settings)
    return _progressive_setup(book, schedule, wager_cents, settings)


def _wager_problems(
    book: Rulebook, schedule: Schedule, wager_cents: Cents, settings: Settings
) -> Iterator[Refused]:
    assert book.progressive is not None
    scaling = book.progressive.scaling
    strict = scaling.strict_wager if settings.get("strict_dollar_wager") is True else None
    said, bad = f"a progressive wager of {format_cents(wager_cents)}", "progressive.bad_wager"
    if strict is not None and wager_cents != strict:
        cites = book.options["strict_dollar_wager"].cites
        yield Refused(bad, f"{said}; only {strict} is allowed", cites=cites)
    if wager_cents != schedule.wager and not scaling.allowed:
        yield Refused(bad, f"{said}; no schedule has it", cites=scaling.cites)
    if wager_cents <= 0:
        cites = book.options["progressive_wager"].cites
        yield Refused(bad, "a progressive wager of nothing", cites=cites)


def _progressive_setup(
    book: Rulebook, schedule: Schedule, wager_cents: Cents, settings: Settings
) -> ProgressiveSetup:
    """Rate and seed go by the wager: a printed one as printed, any other in proportion."""
    offer, rule = book.offer(PROGRESSIVE), book.progressive
    assert offer is not None
    assert rule is not None
    printed = next((s for s in (schedule, *rule.schedules) if s.wager == wager_cents), None)
    basis = next(s for s in rule.schedules if s.wager == rule.scaling.basis_wager)
    if printed is not None:
        rate, seed = int(printed.rate), int(printed.seed)
    else:
        rate = int(rule.scaling.rate)
        seed = divide_exact(basis.seed * wager_cents, basis.wager)
    chosen_rate, chosen_seed, link = settings["rate"], settings["seed"], settings["meter_link"]
    return ProgressiveSetup(
        table=book.tables[schedule.paytable],
        envy=book.tables[schedule.envy],
        envy_per_cents=int(schedule.wager),
        wager_cents=wager_cents,
        rate_bp=chosen_rate if isinstance(chosen_rate, int) else rate,
        reserve_bp=int(settings["reserve_rate"] or 0),
        seed_cents=chosen_seed if isinstance(chosen_seed, int) else seed,
        link=link if isinstance(link, str) else schedule.paytable,
        cites=(*schedule.cites, *offer.cites),
    )


def _dealing(
    book: Rulebook, wanted: Raw | None, offered: tuple[str, ...], settings: Settings
) -> tuple[DealingMethod, list[Refused]]:
    """The way to deal that was chosen, or the default; and why the chosen one is not allowed."""
    default = next(
        (method for method in book.dealing if method.default_with in offered),
        next(method for method in book.dealing if method.default),
    )
    wanted = default.method if wanted is None else wanted
    usable = [m for m in book.dealing if not m.only_when or settings.get("device_down") == "manual"]
    for method in usable:
        if method.method == wanted:
            return method, []
    allowed = " or ".join(DEALT[method.method] for method in usable)
    cites = [cite for method in book.dealing for cite in method.cites]
    text = f"dealing {DEALT.get(str(wanted), f'by {wanted}')}; dealing {allowed} is allowed"
    return default, [Refused("dealing.not_allowed", text, cites=cites)]


def _conditional_defaults(book: Rulebook, chosen: tuple[str, ...]) -> Settings:
    """Defaults that depend on what else was chosen."""
    return {
        name: value
        for name, option in book.options.items()
        if isinstance(option, Choice | Flag)
        for condition, value in option.default_when.items()
        if condition in chosen
    }


def _unbettable(book: Rulebook, settings: Settings, offered: tuple[str, ...]) -> Iterator[Refused]:
    """A side bet is no offer where another that must be bet before it is not taken."""
    for offer in book.side_bets:
        missing = [bet for bet in bet_before(offer, settings) if bet not in ("ante", *offered)]
        if offer.bet in offered and missing:
            mine, other = (bet.replace("_", " ") for bet in (offer.bet, missing[0]))
            text = f"the {mine} without the {other}, which must be bet before it"
            yield Refused("side_bet.needs_earlier_bet", text, cites=offer.cites)


def _box_problems(
    book: Rulebook, settings: Settings, offered: tuple[str, ...], dealing: DealingMethod
) -> Iterator[Refused]:
    sequence = book.options.get("shoe_sequence")
    box_bet = next((bet for bet in offered if bet in book.box_bets), None)
    if isinstance(sequence, Choice) and settings["shoe_sequence"] in sequence.choices:
        with_box = "box" in SEQUENCES[str(settings["shoe_sequence"])]
        if with_box != (box_bet is not None) and dealing.sequence_option == "shoe_sequence":
            text = f"shoe_sequence {settings['shoe_sequence']} does not fit the side bets on offer"
            yield Refused("option.not_allowed", text, cites=sequence.cites)
    if box_bet is None:
        return
    named = box_bet.replace("_", " ")
    by_device = "automated_device" in dealing.needs
    if not by_device and settings["six_card_dealing"] == "automated_only":
        cites = book.options["six_card_dealing"].cites
        text = f"the {named} with {dealing.method} dealing; only a device deals its box"
        yield Refused("box.bad_dealing", text, cites=cites)
    edition = book.options.get(EDITION)
    if edition is not None and settings[EDITION] != PLAYED_EDITION:
        text = f"the {named} of the earlier text cannot be played"
        yield Refused("box.not_playable", text, cites=edition.cites)
