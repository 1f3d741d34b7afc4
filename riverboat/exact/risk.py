"""Sessions and months, from the exact distribution of a round.

Chances here are the machine's numbers, each with a bound on its error; nothing is taken for normal.
Rounds are independent and all alike: one wager, one way of playing. Hands of one deal share cards,
so that the rounds of several seats at a table swing together a little more than this says.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from riverboat.core.money import Cents
from riverboat.exact.convolving import sum_of_rounds
from riverboat.exact.distribution import Distribution
from riverboat.exact.side_bets import side_bet_figures
from riverboat.exact.solvers import base_figures, base_table
from riverboat.round.setup.setup import Setup

LEVELS = (5, 25, 50, 75, 95)


class Wagered(Struct, frozen=True, kw_only=True):
    """One bet as it is made round after round; results are in units of its first wager."""

    rulebook: str
    bet: str
    paytable: str
    wager_cents: Cents
    average_wager: Fraction
    distribution: Distribution
    assumptions: tuple[str, ...] = ()

    @property
    def edge(self) -> Fraction:
        """What the house keeps of a first wager."""
        return -self.distribution.mean


class Bands(Struct, frozen=True, kw_only=True):
    """What a session comes to after so many rounds, in first wagers: results by percentile."""

    rounds: int
    percentiles: dict[int, Fraction]
    ahead: float
    even: float
    behind: float
    mean: Fraction
    standard_deviation: float
    error: float


class HandleBands(Struct, frozen=True, kw_only=True):
    """The house's win over the handle after so many rounds, by percentile.

    The handle is taken at its mean, the rounds times the average wager.
    """

    rounds: int
    percentiles: dict[int, Fraction]
    mean: Fraction
    house_loses: float
    error: float


class Luck(Struct, frozen=True, kw_only=True):
    """A result held against the exact distribution: how often chance alone goes so far.

    `as_low` and `as_high` are the chances that the house wins no more, or no less, than it did;
    `two_sided` is twice the smaller of them.
    """

    rounds: int
    wager_cents: Cents
    win_cents: Cents
    expected_cents: Fraction
    standard_deviations: float
    as_low: float
    as_high: float
    error: float

    @property
    def two_sided(self) -> float:
        """How often a result at least so unusual, on either side, is luck."""
        return min(1.0, 2 * min(self.as_low, self.as_high))


# ---------------------------------------------------------------- what is bet


def base_wager(setup: Setup, ante_cents: Cents | None = None) -> Wagered:
    """The base game under its best play, for the table's smallest ante unless one is named."""
    ante = ante_cents or setup.limits.ante.minimum_cents or 100
    found = base_figures(setup, ante)
    return Wagered(
        rulebook=setup.book.id,
        bet="base",
        paytable=base_table(setup.book),
        wager_cents=ante,
        average_wager=found.average_wager,
        distribution=found.distribution,
        assumptions=("best play, ties bet",),
    )


def side_wager(
    setup: Setup,
    bet: str,
    paytable: str,
    wager_cents: Cents = 100,
    ante_cents: Cents | None = None,
) -> Wagered:
    """A bonus under one of its pay tables; the ante counts where a fold forfeits it."""
    found = side_bet_figures(setup, bet, paytable, wager_cents, ante_cents=ante_cents)
    return Wagered(
        rulebook=setup.book.id,
        bet=bet,
        paytable=paytable,
        wager_cents=wager_cents,
        average_wager=Fraction(1),
        distribution=found.distribution,
        assumptions=found.assumptions,
    )


# ---------------------------------------------------------------- sessions and months


def session_bands(wagered: Wagered, rounds: int, levels: Sequence[int] = LEVELS) -> Bands:
    """The player's result after so many rounds."""
    added = sum_of_rounds(wagered.distribution, rounds)
    nothing = Fraction(0)
    not_ahead, not_behind = added.at_most(nothing), added.at_least(nothing)
    return Bands(
        rounds=rounds,
        percentiles={level: added.quantile(level / 100) for level in levels},
        ahead=max(0.0, 1 - not_ahead),
        even=max(0.0, not_ahead + not_behind - 1),
        behind=max(0.0, 1 - not_behind),
        mean=rounds * wagered.distribution.mean,
        standard_deviation=sqrt(rounds) * wagered.distribution.standard_deviation,
        error=added.error,
    )


def handle_bands(wagered: Wagered, rounds: int, levels: Sequence[int] = LEVELS) -> HandleBands:
    """The house's win over the handle; its low percentiles are the player's high ones."""
    added = sum_of_rounds(wagered.distribution, rounds)
    handle = rounds * wagered.average_wager
    return HandleBands(
        rounds=rounds,
        percentiles={level: -added.quantile(1 - level / 100) / handle for level in levels},
        mean=wagered.edge / wagered.average_wager,
        house_loses=max(0.0, 1 - added.at_most(Fraction(0))),
        error=added.error,
    )


def luck(wagered: Wagered, rounds: int, win_cents: Cents, wager_cents: Cents | None = None) -> Luck:
    """Whether a month is luck: the house won this much in so many rounds at this average wager."""
    wager = wager_cents or wagered.wager_cents
    added = sum_of_rounds(wagered.distribution, rounds)
    players = Fraction(-win_cents, wager)
    mean = rounds * wagered.distribution.mean
    spread = sqrt(rounds) * wagered.distribution.standard_deviation
    return Luck(
        rounds=rounds,
        wager_cents=wager,
        win_cents=win_cents,
        expected_cents=-mean * wager,
        standard_deviations=float(mean - players) / spread,
        as_low=added.at_least(players),
        as_high=added.at_most(players),
        error=added.error,
    )
