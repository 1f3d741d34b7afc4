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
from math import floor, lcm
from typing import Literal, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.hand_kinds import HandName, five_card_counts
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, show_dollars
from riverboat.exact import solvers
from riverboat.exact.base_games.streets import solve
from riverboat.exact.distribution import Distribution, Expected
from riverboat.exact.progressive import envy as n
from riverboat.exact.progressive.table_hands import dealt_chances
from riverboat.exact.side_bets import LineFigures, line_figures
from riverboat.meter.amounts import meter_of
from riverboat.round.settlement.dues import Winner, progressive_dues
from riverboat.round.setup.choices import Raw
from riverboat.round.setup.setup import ProgressiveSetup, Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable, kinds, lines_for
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebook.values import Pays

FoldRule: TypeAlias = Literal["live", "forfeited"]
Dues: TypeAlias = dict[Kind, Cents]

_LOSE = Pays.parse("lose")
_NEAR_CENTS = 1000
_MOST_STEPS = 100


class ProgressiveFigures(Expected, frozen=True, kw_only=True):
    """One progressive wager at one meter; all but amounts in units of the wager.

    `ev` and `variance` are of award and envy bonus together, `hit_frequency` and `distribution` of
    the wager's own hand. Shares of rounds count every round, folded ones too.
    """

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
    lines: tuple[LineFigures, ...]
    fixed_prizes: Fraction
    meter_awards: Fraction
    envy: Fraction
    hit_frequency: Fraction
    full_award: Fraction
    meter_share: Fraction
    distribution: Distribution
    break_even_meter: Fraction | None
    break_even_cents: Cents | None
    long_run_house_edge: Fraction
    assumptions: tuple[str, ...]

    @property
    def seed_share(self) -> Fraction:
        """What the house puts up for resets, per unit wagered: a full award takes a seed."""
        return self.full_award * self.seed_cents / self.wager_cents


# ---------------------------------------------------------------- tables


def progressive_tables(book: Rulebook) -> tuple[PayTable, ...]:
    """Every table that a progressive is or was printed by: schedules, struck ones, placards."""
    return tuple(table for table in book.paytables if table.bet in ("progressive", "placard"))


def schedules_of(book: Rulebook, name: str) -> list[Schedule]:
    """The schedules that a table is printed for: as pay table, envy or placard; else the first."""
    assert book.progressive is not None, f"{book.id} has no progressive"
    schedules = book.progressive.schedules
    return [s for s in schedules if name in (s.paytable, s.envy, s.placard)] or [schedules[0]]


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
    tables = {one.id: one for one in progressive_tables(book)}
    named = table if isinstance(table, PayTable) else tables[table]
    own = schedules_of(book, named.id)
    schedule = next((s for s in own if wager_cents in (None, s.wager)), own[0])
    wager = show_dollars(wager_cents or int(schedule.wager))
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
    return "forfeited" if "progressive" in setup.lost_by_fold else "live"


def needs_base_play(setup: Setup) -> bool:
    """Whether anything here depends on how the base game is played."""
    others = n.neighbours(setup, 1)
    folds_count = bool(others.prizes) and others.only_unfolded
    return fold_rule(setup) == "forfeited" or folds_count or n.lost_by_own_fold(setup)


def play_that_counts(setup: Setup) -> solvers.BasePlay:
    """The best play of the base game alone, where it makes a difference here."""
    return solvers.best_base_play(setup) if needs_base_play(setup) else solvers.nobody_folds()


def live_chances(setup: Setup, play: solvers.BasePlay) -> Mapping[Kind, Fraction]:
    """How often each kind of hand can win the wager."""
    if fold_rule(setup) == "forfeited":
        return play.unfolded
    return dealt_chances(five_card_counts())


def progressive_figures(
    setup: Setup,
    *,
    meter_cents: Cents | None = None,
    others: int | None = None,
    play: solvers.BasePlay | None = None,
) -> ProgressiveFigures:
    """One wager at a meter as it stands when awards are paid (the seed where none is given).

    `others` are the other seats that bet the progressive too (all of a full table where none is
    given). `play` is how the base game is played where that counts; where it is not given, the best
    play of the base game alone.
    """
    progressive = progressive_of(setup)
    meter = progressive.seed_cents if meter_cents is None else meter_cents
    company = setup.seats - 1 if others is None else others
    way = play or play_that_counts(setup)
    live, dues = live_chances(setup, way), dues_at(setup, meter)
    envy = n.envy_figures(setup, way, bettors=company)
    wager, shares = progressive.wager_cents, meter_shares(setup)
    net = {kind: Fraction(dues.get(kind, 0), wager) - 1 for kind in live}
    fixed = _mean(live, {kind: due for kind, due in dues.items() if kind not in shares}) / wager
    awards, share = _mean(live, dues) / wager - fixed, _mean(live, shares) / 100
    full = sum((live[kind] for kind, percent in shares.items() if percent == 100), Fraction(0))
    rate, reserve = Fraction(progressive.rate_bp, 10_000), Fraction(progressive.reserve_bp, 10_000)
    kept = 1 - fixed - envy.expected
    break_even = max(Fraction(0), wager * kept / share) if share else None
    return ProgressiveFigures(
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
        lines=tuple(line_figures(progressive.table, five_card_counts(), live, net)),
        fixed_prizes=fixed,
        meter_awards=awards,
        envy=envy.expected,
        ev=awards - kept,
        hit_frequency=sum((live[kind] for kind, due in dues.items() if due > wager), Fraction(0)),
        full_award=full,
        meter_share=share,
        distribution=_distribution(live, dues, wager),
        variance=_variance(setup, way, live, dues, envy),
        break_even_meter=break_even,
        break_even_cents=_break_even_cents(setup, live, envy, break_even),
        long_run_house_edge=kept - rate - reserve - full * progressive.seed_cents / wager,
        assumptions=(*_assumptions(setup, way, company), *envy.assumptions),
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
    setup: Setup,
    play: solvers.BasePlay,
    live: Mapping[Kind, Fraction],
    dues: Dues,
    envy: n.EnvyFigures,
) -> Fraction:
    """Of award and envy bonuses together: hands of one round are not independent."""
    wager = progressive_of(setup).wager_cents
    mean = _mean(live, dues)
    own = _mean(live, {kind: due**2 for kind, due in dues.items()}) - mean**2
    in_play = fold_rule(setup) == "forfeited" or n.lost_by_own_fold(setup)
    stays = play.stays if in_play else None
    both = n.shared_with_own(setup, play, dues, stays, envy) - mean * envy.expected * wager
    return envy.variance + (own + 2 * both) / wager**2


def _break_even_cents(
    setup: Setup, live: Mapping[Kind, Fraction], envy: n.EnvyFigures, near: Fraction | None
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


def _assumptions(setup: Setup, play: solvers.BasePlay, others: int) -> Iterator[str]:
    yield "the meter as it stands when this hand is paid; no other award of the round before it"
    yield "what it expects counts envy bonuses; how often it hits goes by its own hand alone"
    yield f"{others} other players who bet the progressive"
    if fold_rule(setup) == "forfeited":
        yield f"a fold loses the wager; {play.words}"
    elif needs_base_play(setup):
        yield f"a fold keeps the wager; the others play {play.words}"
    else:
        yield "a fold keeps the wager, so that the play of the base game does not matter"
    if setup.choice("multi_winner_policy") == "equal_split":
        yield "in the long run, hands that share a full award in one round are taken as single"


def edge_by_meter(
    setup: Setup, meters_cents: Iterable[Cents], play: solvers.BasePlay | None = None
) -> list[tuple[Cents, Fraction]]:
    """The house edge of one wager at each of these meters: the points of a plot."""
    way = play or play_that_counts(setup)
    live, wager = live_chances(setup, way), progressive_of(setup).wager_cents
    kept = 1 - n.envy_figures(setup, way, bettors=setup.seats - 1).expected
    return [(meter, kept - _mean(live, dues_at(setup, meter)) / wager) for meter in meters_cents]


# ---------------------------------------------------------------- played for both


class JointFigures(Struct, frozen=True, kw_only=True):
    """One ante and one progressive wager at a meter, in cents of expectation.

    `separate` plays the base game as if alone, `joint` for both; both count the wager's cost and
    its envy bonus. `base` is the base game alone, without a progressive wager.
    """

    wager_cents: Cents
    base: Fraction
    separate: Fraction
    joint: Fraction

    @property
    def wager_ev(self) -> Fraction:
        """What making the wager adds to the base game, per unit of it, played for both."""
        return (self.joint - self.base) / self.wager_cents


def is_solved_jointly(setup: Setup, ante_cents: Cents | None = None) -> bool:
    """Whether the best play of both is known: solved, or the same as that of the base game alone.

    Against a dealer the best base game folds no hand that the progressive pays, so that there is
    nothing to play otherwise, unless a house lets its progressive pay hands that are folded.
    """
    if solvers.is_streets(setup.book):
        return True
    play, dealt = solvers.best_base_play(setup, ante_cents), dealt_chances(five_card_counts())
    paying = {*dues_at(setup, 0), *meter_shares(setup)}
    return all(play.unfolded[kind] == dealt[kind] for kind in paying)


def joint_figures(
    setup: Setup,
    *,
    meter_cents: Cents | None = None,
    others: int | None = None,
    ante_cents: Cents | None = None,
) -> JointFigures:
    """Both ways of playing at a meter (the seed); the others play the base game alone."""
    ante = ante_cents or solvers.least_ante(setup)
    play = solvers.best_base_play(setup, ante)
    figures = progressive_figures(setup, meter_cents=meter_cents, others=others, play=play)
    base = -solvers.house_edge(setup, ante) * ante
    separate = joint = base + figures.wager_cents * figures.ev
    if solvers.is_streets(setup.book):
        worth, _ = _best_of_both(setup, figures.meter_cents, ante)
        joint = worth + figures.wager_cents * (figures.envy - 1)
    return JointFigures(wager_cents=figures.wager_cents, base=base, separate=separate, joint=joint)


def joint_break_even(
    setup: Setup, *, others: int | None = None, ante_cents: Cents | None = None
) -> Cents | None:
    """The meter, in whole cents, from which the wager does not lose when played for both.

    None where nothing is paid from the meter.

    Any play makes the two together a straight line in the meter, and the best play the highest of
    those lines: from above, each line's own crossing is a better meter, until it is the last.
    """
    ante = ante_cents or solvers.least_ante(setup)
    figures = progressive_figures(setup, others=others, play=solvers.best_base_play(setup, ante))
    meter = figures.break_even_cents
    if meter is None or not solvers.is_streets(setup.book):
        return meter
    wanted = figures.wager_cents * (1 - figures.envy) - solvers.house_edge(setup, ante) * ante
    for _ in range(_MOST_STEPS):
        worth, slope = _best_of_both(setup, meter, ante)
        lower = meter - floor((worth - wanted) / slope)
        if lower >= meter:
            break
        meter = lower
    # Awards are whole cents, so that the line has small steps: the last cents one by one.
    while _best_of_both(setup, meter, ante)[0] < wanted:
        meter += 1
    while _best_of_both(setup, meter - 1, ante)[0] >= wanted:
        meter -= 1
    return meter


def _best_of_both(setup: Setup, meter: Cents, ante: Cents) -> tuple[Fraction, Fraction]:
    """What the best play of both expects in cents before the wager's cost, and its slope here."""
    dues, forfeited = dues_at(setup, meter), fold_rule(setup) == "forfeited"
    both = solve(setup, ante, extra_cents=dues if forfeited else None)
    chances = live_chances(setup, both.base_play)
    worth = both.value * ante + (0 if forfeited else _mean(chances, dues))
    return worth, _mean(chances, meter_shares(setup)) / 100
