"""The progressive wager: what one is worth at a meter, where it breaks even, and in the long run.

What a hand is owed is asked of the engine, at that meter and with its roundings. How often a hand
is live goes by the rulebook's rule for a fold. Over the life of a meter every contribution is paid
out, and so is every seed; the house keeps what is left after the fixed prizes and the envy bonuses.

Where a fold forfeits the wager, the base game can be played for both at once: the higher the meter,
the more a hand is worth that can still win it, and the fewer hands are folded.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor, lcm, sqrt
from typing import Literal, NamedTuple, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.hand_counts import five_card_counts
from riverboat.core.hand_kinds import HandName
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, format_cents
from riverboat.exact.base_games.streets import Solution, solve
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.envy import (
    EnvyFigures,
    envy_figures,
    lost_by_own_fold,
    neighbours,
    shared_with_own,
)
from riverboat.exact.progressive.table_hands import dealt_chances
from riverboat.exact.side_bets import LineFigures, folded_line
from riverboat.exact.solvers import (
    BasePlay,
    best_base_play,
    house_edge,
    is_streets,
    nobody_folds,
    staying,
)
from riverboat.meter.amounts import meter_of
from riverboat.round.settlement.dues import Winner, forfeited_by_fold, progressive_dues
from riverboat.round.setup.setup import ProgressiveSetup, Raw, Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import PROGRESSIVE
from riverboat.rulebook.paytables import Line, PayTable, kinds, lines_for
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebook.values import Pays

FoldRule: TypeAlias = Literal["live", "forfeited"]
Dues: TypeAlias = dict[Kind, Cents]

_LOSE = Pays.parse("lose")
_NEAR_CENTS = 1000


class ProgressiveFigures(Struct, frozen=True, kw_only=True):
    """One progressive wager at one meter; all but amounts in units of the wager.

    `ev` is of award and envy bonus together. `hit_frequency` and `distribution` are of the wager's
    own hand. Shares of rounds count every round, folded ones too.
    """

    rulebook: str
    bet: str = "progressive"
    paytable: str
    envy_table: str
    status: str
    wager_cents: Cents
    meter_cents: Cents
    seed_cents: Cents
    rate: Fraction
    reserve_rate: Fraction
    after_fold: FoldRule
    others: int
    bystanders: int
    lines: tuple[LineFigures, ...]
    fixed_prizes: Fraction
    meter_awards: Fraction
    envy: Fraction
    ev: Fraction
    hit_frequency: Fraction
    full_award: Fraction
    meter_share: Fraction
    distribution: Distribution
    variance: Fraction
    break_even_meter: Fraction | None
    break_even_cents: Cents | None
    long_run_house_edge: Fraction
    assumptions: tuple[str, ...]

    @property
    def house_edge(self) -> Fraction:
        """What the house expects of a wager at this meter."""
        return -self.ev

    @property
    def standard_deviation(self) -> float:
        """Of one wager with its envy bonuses, for print."""
        return sqrt(self.variance)

    @property
    def seed_share(self) -> Fraction:
        """What the house puts up for resets, per unit wagered: a full award takes a seed."""
        return self.full_award * self.seed_cents / self.wager_cents

    def long_run_with(
        self, *, rate: Fraction | None = None, reserve_rate: Fraction | None = None,
        seed_cents: Cents | None = None,
    ) -> Fraction:  # fmt: skip
        """The long-run house edge if the meter were fed or reset otherwise."""
        fed = self.rate if rate is None else rate
        kept_back = self.reserve_rate if reserve_rate is None else reserve_rate
        seed = self.seed_cents if seed_cents is None else seed_cents
        seeds = self.full_award * seed / self.wager_cents
        return 1 - self.fixed_prizes - self.envy - fed - kept_back - seeds


# ---------------------------------------------------------------- tables


def progressive_tables(book: Rulebook) -> tuple[PayTable, ...]:
    """Every table that a progressive is or was printed by: schedules, struck ones, placards."""
    return tuple(table for table in book.paytables if table.bet in ("progressive", "placard"))


def progressive_setup(
    book: Rulebook,
    table: PayTable | str,
    *,
    wager_cents: Cents | None = None,
    options: Mapping[str, Raw] | None = None,
) -> Setup:
    """A table that offers a progressive by this pay table.

    A struck table or a placard is no schedule of its own: it stands in for the schedule that shows
    it, or for the first one, with the same wager, envy, rate and seed.
    """
    rule = book.progressive
    assert rule is not None, f"{book.id} has no progressive"
    tables = {one.id: one for one in progressive_tables(book)}
    named = table if isinstance(table, PayTable) else tables[table]
    schedules = rule.schedules
    schedule = next(
        (s for s in schedules if named.id in (s.paytable, s.placard)
         and wager_cents in (None, s.wager)),
        next((s for s in schedules if named.id in (s.paytable, s.placard)), schedules[0]),
    )  # fmt: skip
    wager = format_cents(wager_cents or int(schedule.wager)).removeprefix("$").replace(",", "")
    choices: dict[str, Raw] = {"progressive": schedule.paytable, "progressive_wager": wager}
    setup = set_up(book, {**choices, **(options or {})})
    return setup if named.id == schedule.paytable else _paying_by(setup, named)


def _paying_by(setup: Setup, table: PayTable) -> Setup:
    """The same progressive, paying by another table; a hand that it does not list loses."""
    listed = table
    if table.bet == "placard":
        rest = [kind for kind in kinds(table) if not lines_for(table, kind)]
        hands = tuple(dict.fromkeys(cast(HandName, kind.hand) for kind in rest))
        silent = Line(cites=table.cites, hands=hands, label="any other hand", pays=_LOSE)
        listed = replace(table, bet="progressive", lines=(*table.lines, silent))
    return replace(setup, progressive=replace(progressive_of(setup), table=listed))


def progressive_of(setup: Setup) -> ProgressiveSetup:
    """The progressive of a table that has one."""
    assert setup.progressive is not None, "a table with a progressive"
    return setup.progressive


def under_fold_rule(setup: Setup, after_fold: FoldRule) -> Setup:
    """The same table where a fold keeps or loses the wager, to see what that rule is worth."""
    fold = setup.book.fold
    rule = replace(fold.side_bets[PROGRESSIVE], after_fold=after_fold)
    fold = replace(fold, side_bets={**fold.side_bets, PROGRESSIVE: rule})
    return replace(setup, book=replace(setup.book, fold=fold))


# ---------------------------------------------------------------- one wager


def dues_at(setup: Setup, meter_cents: Cents) -> Dues:
    """What each kind of hand is paid at this meter, by the engine; hands that lose are left out."""
    paid: Dues = {}
    for kind, line in setup.lines["progressive"].items():
        due = progressive_dues(setup, (Winner(1, kind, line),), meter_of(meter_cents))[1]
        if due.paid_cents:
            paid[kind] = due.paid_cents
    return paid


def meter_shares(setup: Setup) -> dict[Kind, int]:
    """The kinds of hand that take a share of the meter, in percent."""
    lines = setup.lines["progressive"].items()
    return {kind: line.pays.amount for kind, line in lines if line.pays.kind == "meter"}


def fold_rule(setup: Setup) -> FoldRule:
    """What a fold does to the wager at this table."""
    return "forfeited" if forfeited_by_fold(setup, "progressive") else "live"


def needs_base_play(setup: Setup, bystanders: int = 0) -> bool:
    """Whether anything here depends on how the base game is played."""
    groups = neighbours(setup, 1, bystanders)
    folds_count = any(group.seats and group.prizes and group.only_unfolded for group in groups)
    return fold_rule(setup) == "forfeited" or folds_count or lost_by_own_fold(setup)


def live_chances(setup: Setup, play: BasePlay) -> Mapping[Kind, Fraction]:
    """How often each kind of hand can win the wager."""
    if fold_rule(setup) == "forfeited":
        return play.unfolded
    return dealt_chances(five_card_counts())


def progressive_figures(
    setup: Setup,
    *,
    meter_cents: Cents | None = None,
    others: int | None = None,
    bystanders: int = 0,
    play: BasePlay | None = None,
) -> ProgressiveFigures:
    """One wager at a meter as it stands when awards are paid (the seed where none is given).

    `others` are the other seats that bet the progressive too (all of a full table where none is
    given), `bystanders` those that do not. `play` is how the base game is played where that counts;
    where it is not given, the best play of the base game alone.
    """
    progressive = progressive_of(setup)
    meter = progressive.seed_cents if meter_cents is None else meter_cents
    company = setup.seats - 1 - bystanders if others is None else others
    counts = needs_base_play(setup, bystanders)
    way = play or (best_base_play(setup) if counts else nobody_folds())
    live, dues = live_chances(setup, way), dues_at(setup, meter)
    envy = envy_figures(setup, way, bettors=company, bystanders=bystanders)
    wager, parts = progressive.wager_cents, _parts(setup, live, dues)
    rate, reserve = Fraction(progressive.rate_bp, 10_000), Fraction(progressive.reserve_bp, 10_000)
    kept = 1 - parts.fixed - envy.expected
    break_even = max(Fraction(0), wager * kept / parts.share) if parts.share else None
    said = _assumptions(setup, way, company, bystanders, counts=counts)
    return ProgressiveFigures(
        rulebook=setup.book.id,
        paytable=progressive.table.id,
        envy_table=progressive.envy.id,
        status=progressive.table.status,
        wager_cents=wager,
        meter_cents=meter,
        seed_cents=progressive.seed_cents,
        rate=rate,
        reserve_rate=reserve,
        after_fold=fold_rule(setup),
        others=company,
        bystanders=bystanders,
        lines=tuple(_lines(setup, live, dues)),
        fixed_prizes=parts.fixed,
        meter_awards=parts.awards,
        envy=envy.expected,
        ev=parts.awards - kept,
        hit_frequency=sum((live[kind] for kind, due in dues.items() if due > wager), Fraction(0)),
        full_award=parts.full,
        meter_share=parts.share,
        distribution=_distribution(live, dues, wager),
        variance=_variance(setup, way, live, dues, envy),
        break_even_meter=break_even,
        break_even_cents=_break_even_cents(setup, live, envy, break_even),
        long_run_house_edge=kept - rate - reserve - parts.full * progressive.seed_cents / wager,
        assumptions=(*said, *envy.assumptions),
    )


class _Parts(NamedTuple):
    """What a wager returns by where the money comes from, and its share of the meter."""

    fixed: Fraction
    awards: Fraction
    share: Fraction
    full: Fraction


def _parts(setup: Setup, live: Mapping[Kind, Fraction], dues: Dues) -> _Parts:
    wager, shares = progressive_of(setup).wager_cents, meter_shares(setup)
    return _Parts(
        _mean(live, {kind: due for kind, due in dues.items() if kind not in shares}) / wager,
        _mean(live, {kind: due for kind, due in dues.items() if kind in shares}) / wager,
        _mean(live, shares) / 100,
        sum((live[kind] for kind, pct in shares.items() if pct == 100), Fraction(0)),
    )


def _mean(live: Mapping[Kind, Fraction], dues: Dues) -> Fraction:
    return sum((live[kind] * due for kind, due in dues.items()), Fraction(0))


def _distribution(live: Mapping[Kind, Fraction], dues: Dues, wager: Cents) -> Distribution:
    """The wager's own results: hands that are not live lose."""
    results: Counter[Fraction] = Counter()
    whole = lcm(*(live[kind].denominator for kind in dues)) if dues else 1
    for kind, due in dues.items():
        results[Fraction(due - wager, wager)] += int(live[kind] * whole)
    results[Fraction(-1)] += whole - results.total()
    return Distribution.of(results)


def _variance(
    setup: Setup, play: BasePlay, live: Mapping[Kind, Fraction], dues: Dues, envy: EnvyFigures
) -> Fraction:
    """Of award and envy bonuses together: hands of one round are not independent."""
    wager = progressive_of(setup).wager_cents
    mean = _mean(live, dues)
    own = _mean(live, {kind: due**2 for kind, due in dues.items()}) - mean**2
    in_play = fold_rule(setup) == "forfeited" or lost_by_own_fold(setup)
    stays = play.stays if in_play else None
    both = shared_with_own(setup, play, dues, stays, envy) - mean * envy.expected * wager
    return envy.variance + (own + 2 * both) / wager**2


def _break_even_cents(
    setup: Setup, live: Mapping[Kind, Fraction], envy: EnvyFigures, near: Fraction | None
) -> Cents | None:
    """The lowest whole cents at which the wager does not lose, with the engine's roundings."""
    if near is None:
        return None
    wager = progressive_of(setup).wager_cents
    wanted = wager * (1 - envy.expected)
    low, high = max(0, floor(near) - _NEAR_CENTS), floor(near) + _NEAR_CENTS
    while low < high:
        middle = (low + high) // 2
        if _mean(live, dues_at(setup, middle)) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def _lines(setup: Setup, live: Mapping[Kind, Fraction], dues: Dues) -> Iterator[LineFigures]:
    progressive, dealt = progressive_of(setup), five_card_counts()
    lines, wager = setup.lines["progressive"], progressive.wager_cents
    for line in progressive.table.lines:
        own = [kind for kind, found in lines.items() if found is line]
        chance = sum((live[kind] for kind in own), Fraction(0))
        net = Fraction(dues.get(own[0], 0), wager) - 1 if own else Fraction(0)
        yield LineFigures(
            label=line.label or ", ".join(hand.replace("_", " ") for hand in line.hands),
            kinds=tuple(map(str, own)),
            combinations=sum(dealt[kind] for kind in own),
            probability=chance,
            pays=line.pays.words,
            net=net,
            returns=chance * net,
        )
    yield from folded_line(1 - sum(live.values(), Fraction(0)))


def _assumptions(
    setup: Setup, play: BasePlay, others: int, bystanders: int, *, counts: bool
) -> Iterator[str]:
    yield "the meter as it stands when this hand is paid; no other award of the round before it"
    yield "what it expects counts envy bonuses; how often it hits goes by its own hand alone"
    said = f"{others} other players who bet the progressive"
    yield said + (f", and {bystanders} who do not" if bystanders else "")
    if fold_rule(setup) == "forfeited":
        yield f"a fold loses the wager; {play.words}"
    elif counts:
        yield f"a fold keeps the wager; the others play {play.words}"
    else:
        yield "a fold keeps the wager, so that the play of the base game does not matter"
    if setup.choice("multi_winner_policy") == "equal_split":
        yield "in the long run, hands that share a full award in one round are taken as single"


def every_progressive(book: Rulebook) -> tuple[ProgressiveFigures, ...]:
    """Every schedule, struck table and placard of a rulebook, at its seed and a full table."""
    if book.progressive is None:
        return ()
    wanted = [
        (table, None if schedule is None else int(schedule.wager))
        for table in progressive_tables(book)
        for schedule in (_schedules(book, table) or (None,))
    ]
    setups = [progressive_setup(book, table, wager_cents=wager) for table, wager in wanted]
    play = best_base_play(setups[0]) if any(map(needs_base_play, setups)) else None
    return tuple(progressive_figures(setup, play=play) for setup in setups)


def _schedules(book: Rulebook, table: PayTable) -> tuple[Schedule, ...]:
    assert book.progressive is not None
    return tuple(s for s in book.progressive.schedules if table.id in (s.paytable, s.placard))


def edge_by_meter(
    setup: Setup, meters_cents: Iterable[Cents], *, others: int | None = None,
    bystanders: int = 0, play: BasePlay | None = None,
) -> list[tuple[Cents, Fraction]]:  # fmt: skip
    """The house edge of one wager at each of these meters: the points of a plot."""
    way = play or (best_base_play(setup) if needs_base_play(setup, bystanders) else nobody_folds())
    company = setup.seats - 1 - bystanders if others is None else others
    live, wager = live_chances(setup, way), progressive_of(setup).wager_cents
    envy = envy_figures(setup, way, bettors=company, bystanders=bystanders).expected
    return [(meter, 1 - envy - _mean(live, dues_at(setup, meter)) / wager)
            for meter in meters_cents]  # fmt: skip


_MOST_STEPS = 100
_DEFAULT_CENTS: Cents = 100


class JointFigures(Struct, frozen=True, kw_only=True):
    """One ante and one progressive wager at a meter, in cents of expectation.

    `separate` plays the base game as if alone, `joint` for both; both count the wager's cost and
    its envy bonus. `base` is the base game alone, without a progressive wager.
    """

    ante_cents: Cents
    wager_cents: Cents
    meter_cents: Cents
    others: int
    base: Fraction
    separate: Fraction
    joint: Fraction
    base_played_jointly: Fraction
    unfolded: Fraction
    unfolded_jointly: Fraction

    @property
    def gain(self) -> Fraction:
        """What playing for both is worth in a round."""
        return self.joint - self.separate

    @property
    def wager_ev(self) -> Fraction:
        """What making the wager adds to the base game, per unit of it, played for both."""
        return (self.joint - self.base) / self.wager_cents

    @property
    def wager_ev_separate(self) -> Fraction:
        """The same with the base game played as if alone: the wager's own expectation."""
        return (self.separate - self.base) / self.wager_cents


def is_solved_jointly(setup: Setup, ante_cents: Cents | None = None) -> bool:
    """Whether the best play of both is known: solved, or the same as that of the base game alone.

    Against a dealer it is not where a house lets its progressive pay hands that are folded.
    """
    if is_streets(setup.book):
        return True
    play, dealt = best_base_play(setup, ante_cents), dealt_chances(five_card_counts())
    paying = {*dues_at(setup, 0), *meter_shares(setup)}
    return all(play.unfolded[kind] == dealt[kind] for kind in paying)


def _one_and_the_same(
    setup: Setup, meter: Cents, others: int | None, ante_cents: Cents | None
) -> JointFigures:
    """Against a dealer: the base game as if alone, with the wager beside it."""
    ante = ante_cents or setup.limits.ante.minimum_cents or _DEFAULT_CENTS
    play = best_base_play(setup, ante)
    figures = progressive_figures(setup, meter_cents=meter, others=others, play=play)
    base = -house_edge(setup, ante) * ante
    both = base + figures.wager_cents * figures.ev
    unfolded = sum(play.unfolded.values(), Fraction(0))
    return JointFigures(
        ante_cents=ante,
        wager_cents=figures.wager_cents,
        meter_cents=meter,
        others=figures.others,
        base=base,
        separate=both,
        joint=both,
        base_played_jointly=base,
        unfolded=unfolded,
        unfolded_jointly=unfolded,
    )


def joint_figures(
    setup: Setup,
    *,
    meter_cents: Cents | None = None,
    others: int | None = None,
    ante_cents: Cents | None = None,
) -> JointFigures:
    """Both ways of playing at a meter (the seed); the others play the base game alone."""
    progressive = progressive_of(setup)
    meter = progressive.seed_cents if meter_cents is None else meter_cents
    if not is_streets(setup.book):
        return _one_and_the_same(setup, meter, others, ante_cents)
    dues = dues_at(setup, meter)
    alone, both = solve(setup, ante_cents), _solved(setup, dues, ante_cents)
    ante = alone.payoffs.ante_cents
    play = BasePlay(alone.figures.hands_unfolded, staying(alone), "the best play of the base game")
    figures = progressive_figures(setup, meter_cents=meter, others=others, play=play)
    base = alone.value * ante
    chances = _live_jointly(setup, both)
    awards = sum((chances[kind] * due for kind, due in dues.items()), Fraction(0))
    base_jointly = both.value * ante
    if fold_rule(setup) == "forfeited":
        base_jointly -= awards
    rest = figures.wager_cents * (figures.envy - 1)
    return JointFigures(
        ante_cents=ante,
        wager_cents=figures.wager_cents,
        meter_cents=meter,
        others=figures.others,
        base=base,
        separate=base + figures.wager_cents * figures.ev,
        joint=base_jointly + awards + rest,
        base_played_jointly=base_jointly,
        unfolded=sum(alone.figures.hands_unfolded.values(), Fraction(0)),
        unfolded_jointly=sum(both.figures.hands_unfolded.values(), Fraction(0)),
    )


def joint_break_even(
    setup: Setup, *, others: int | None = None, ante_cents: Cents | None = None
) -> Cents | None:
    """The meter, in whole cents, from which the wager does not lose when played for both.

    None where nothing is paid from the meter.

    Any play makes the two together a straight line in the meter, and the best play the highest of
    those lines: from above, each line's own crossing is a better meter, until it is the last.
    """
    if not is_streets(setup.book):
        way = best_base_play(setup, ante_cents)
        return progressive_figures(setup, others=others, play=way).break_even_cents
    play_alone = solve(setup, ante_cents)
    base = play_alone.value * play_alone.payoffs.ante_cents
    play = BasePlay(play_alone.figures.hands_unfolded, staying(play_alone), "")
    figures = progressive_figures(setup, others=others, play=play)
    meter = figures.break_even_cents
    if meter is None:
        return None
    owed = figures.wager_cents * (1 - figures.envy)
    for _ in range(_MOST_STEPS):
        surplus, slope = _surplus(setup, meter, ante_cents)
        lower = meter - floor((surplus - base - owed) / slope)
        if lower >= meter:
            break
        meter = lower
    # Awards are whole cents, so that the line has small steps: the last cents one by one.
    while _surplus(setup, meter, ante_cents)[0] < base + owed:
        meter += 1
    while _surplus(setup, meter - 1, ante_cents)[0] >= base + owed:
        meter -= 1
    return meter


def _surplus(setup: Setup, meter: Cents, ante_cents: Cents | None) -> tuple[Fraction, Fraction]:
    """What the best play of both expects in cents before the wager's cost, and its slope here."""
    dues = dues_at(setup, meter)
    both = _solved(setup, dues, ante_cents)
    chances = _live_jointly(setup, both)
    slope = sum((chances[kind] * Fraction(pct, 100) for kind, pct in meter_shares(setup).items()),
                Fraction(0))  # fmt: skip
    worth = both.value * both.payoffs.ante_cents
    if fold_rule(setup) != "forfeited":
        worth += sum((chances[kind] * due for kind, due in dues.items()), Fraction(0))
    return worth, slope


def _solved(setup: Setup, dues: Dues, ante_cents: Cents | None) -> Solution:
    extra = dues if fold_rule(setup) == "forfeited" else None
    return solve(setup, ante_cents, extra_cents=extra)


def _live_jointly(setup: Setup, solution: Solution) -> dict[Kind, Fraction]:
    play = BasePlay(solution.figures.hands_unfolded, None, "")
    return dict(live_chances(setup, play))
