"""Playing the base game and a progressive that a fold forfeits for both at once.

The higher the meter, the more a hand is worth that can still win it, and the fewer hands are
folded. Both ways are stated: the best play of the base game alone with a progressive wager beside
it, and the best play of the two together. Against a dealer the best base game folds no hand that
the progressive pays, so that there is nothing to play otherwise: both ways are one.
"""

from fractions import Fraction
from math import floor

from msgspec import Struct

from riverboat.core.hand_counts import five_card_counts
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact.base_play import BasePlay, best_base_play, staying
from riverboat.exact.mississippi import Solution, solve
from riverboat.exact.progressive import (
    Dues,
    dues_at,
    fold_rule,
    live_chances,
    meter_shares,
    progressive_figures,
    progressive_of,
)
from riverboat.exact.solvers import house_edge, is_streets
from riverboat.exact.table_hands import dealt_chances
from riverboat.round.setup.setup import Setup

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
    chances = _live(setup, both)
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
    chances = _live(setup, both)
    slope = sum((chances[kind] * Fraction(pct, 100) for kind, pct in meter_shares(setup).items()),
                Fraction(0))  # fmt: skip
    worth = both.value * both.payoffs.ante_cents
    if fold_rule(setup) != "forfeited":
        worth += sum((chances[kind] * due for kind, due in dues.items()), Fraction(0))
    return worth, slope


def _solved(setup: Setup, dues: Dues, ante_cents: Cents | None) -> Solution:
    extra = dues if fold_rule(setup) == "forfeited" else None
    return solve(setup, ante_cents, extra_cents=extra)


def _live(setup: Setup, solution: Solution) -> dict[Kind, Fraction]:
    play = BasePlay(solution.figures.hands_unfolded, None, "")
    return dict(live_chances(setup, play))
