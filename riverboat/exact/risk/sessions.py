"""Sessions, months and bankrolls, from the exact distribution of a round.

Chances here are the machine's numbers, each with a bound on its error; nothing is taken for normal.
Rounds are independent and all alike: one wager, one way of playing. Hands of one deal share cards,
so that the rounds of several seats at a table swing together a little more than this says.

A bankroll is followed round by round on the lattice of the results; without an end of play by the
exponent that makes the results a fair game (Lundberg), which bounds the chance on both sides.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.core.records import alike
from riverboat.exact import distribution as d
from riverboat.exact.side_bets import side_bet_figures
from riverboat.exact.solvers import base_table, least_ante, solved
from riverboat.round.setup.setup import Setup

if TYPE_CHECKING:
    import numpy as np

LEVELS = (5, 25, 50, 75, 95)
MOST_ROUNDS_STEPPED = 20_000
Horizon: TypeAlias = Literal["certain", "bounded", "exact"]


class Wagered(Struct, frozen=True, kw_only=True):
    """One bet as it is made round after round; results are in units of its first wager."""

    rulebook: str
    bet: str
    paytable: str
    wager_cents: Cents
    average_wager: Fraction
    distribution: d.Distribution
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
    ante = ante_cents or least_ante(setup)
    found = solved(setup, ante).figures
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
    added = d.sum_of_rounds(wagered.distribution, rounds)
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
    added = d.sum_of_rounds(wagered.distribution, rounds)
    handle = rounds * wagered.average_wager
    return HandleBands(
        rounds=rounds,
        percentiles={level: -added.quantile(1 - level / 100) / handle for level in levels},
        mean=wagered.edge / wagered.average_wager,
        house_loses=max(0.0, 1 - added.at_most(Fraction(0))),
        error=added.error,
    )


def luck(wagered: Wagered, rounds: int, win_cents: Cents) -> Luck:
    """Whether a month is luck: the house won this much in so many rounds."""
    wager = wagered.wager_cents
    added = d.sum_of_rounds(wagered.distribution, rounds)
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


# ---------------------------------------------------------------- bankrolls


class Ruin(Struct, frozen=True, kw_only=True):
    """A bankroll after so many rounds; amounts are in first wagers.

    A player is ruined who has less than `needed`, and so cannot play the next round to its end.
    """

    bankroll: Fraction
    needed: Fraction
    target: Fraction | None
    rounds: int
    ruined: float
    reached: float
    still_playing: float
    mean_rounds: float
    mean_result: float
    error: float


class LongRun(Struct, frozen=True, kw_only=True):
    """Ruin without an end of play: certain against an edge, else between two bounds.

    `root` is the exponent at which the mean of e^(-root × result) is one. The bounds meet, and the
    chance is exact, where a round cannot lose more than one step of the results.
    """

    horizon: Horizon
    lowest: float
    highest: float
    root: float


class Hold(Struct, frozen=True, kw_only=True):
    """Win over drop for players who buy in once and play until broke, ahead enough, or tired."""

    buy_in: Fraction
    target: Fraction | None
    rounds: int
    hold: float
    mean_rounds: float
    ruined: float
    reached: float
    error: float


def largest_loss(distribution: d.Distribution) -> Fraction:
    """The most that one round can cost, in first wagers."""
    return max(-distribution.outcomes[0][0], Fraction(0))


def ruin(
    wagered: Wagered,
    bankroll: Fraction | int,
    rounds: int,
    *,
    target: Fraction | int | None = None,
    needed: Fraction | int | None = None,
) -> Ruin:
    """A bankroll over so many rounds, left when it is ruined or has reached the target.

    Round by round on the lattice. Without a target, a bankroll from which ruin in the rounds left
    has less than a stated chance is safe; that chance is part of the error.
    """
    if not 1 <= rounds <= MOST_ROUNDS_STEPPED:
        text = f"{rounds} rounds; from 1 to {MOST_ROUNDS_STEPPED:,} are gone through one by one"
        raise NotationError("risk.bad_rounds", text)
    lattice = d.lattice_of(wagered.distribution)
    least = largest_loss(wagered.distribution) if needed is None else Fraction(needed)
    floor_step = -(-least // lattice.unit)
    start = Fraction(bankroll) // lattice.unit
    if target is None:
        top = max(floor_step, start) + d.fall_within(lattice, rounds)
    else:
        top = -(-Fraction(target) // lattice.unit)
    if start < floor_step:
        text = f"a bankroll of {bankroll} first wagers; one round can cost {least}"
        raise NotationError("risk.bad_bankroll", text)
    if target is not None and top <= start:
        text = f"a target of {target} first wagers is not above the bankroll of {bankroll}"
        raise NotationError("risk.bad_target", text)
    start, top = int(start - floor_step), int(top - floor_step)
    ruined, reached, playing, played, moved = _walk(
        lattice, start, top, rounds, play_on=target is None
    )
    error = 2 * rounds * (len(lattice.steps) + 3) * d.ROUNDOFF + (d.TAIL if target is None else 0.0)
    return Ruin(
        bankroll=Fraction(bankroll),
        needed=least,
        target=None if target is None else Fraction(target),
        rounds=rounds,
        ruined=ruined,
        reached=0.0 if target is None else reached,
        still_playing=playing + (reached if target is None else 0.0),
        mean_rounds=played,
        mean_result=moved * float(lattice.unit),
        error=error,
    )


def _walk(
    lattice: d.Lattice, start: int, top: int, rounds: int, *, play_on: bool
) -> tuple[float, ...]:
    """Where the chance goes, round by round, between nothing and the top: ruined, past the top and
    still playing; and the mean of the rounds that are played and of the steps that are moved.

    Whoever passes the top leaves; with `play_on` they are safe and play the rounds that are left.
    """
    import numpy as np

    steps = [(step, weight / lattice.total) for step, weight in lattice.steps]
    mean = sum(step * chance for step, chance in steps)
    here = np.zeros(top)
    here[start] = 1.0
    places = np.arange(top, dtype=np.float64) - start
    ruined = reached = played = moved = 0.0
    for left in range(rounds - 1, -1, -1):
        played += float(here.sum())
        new = np.zeros(top)
        for step, chance in steps:
            leave = _moved(here, step, chance, new)
            mass = chance * float(here[leave].sum())
            moved += chance * float((here[leave] * (places[leave] + step)).sum())
            if step < 0:
                ruined += mass
                continue
            reached += mass
            if play_on:
                played += left * mass
                moved += left * mass * mean
        here = new
    moved += float((here * places).sum())
    return ruined, reached, float(here.sum()), played, moved


def _moved(
    here: "np.ndarray[Any, Any]", step: int, chance: float, new: "np.ndarray[Any, Any]"
) -> slice:
    """Add what stays between the ends to `new`; the slice is what leaves."""
    top = len(here)
    reach = min(abs(step), top)
    if step < 0:
        new[: top - reach] += chance * here[reach:]
        return slice(0, reach)
    new[reach:] += chance * here[: top - reach]
    return slice(top - reach, top)


def long_run(
    distribution: d.Distribution, bankroll: Fraction | int, needed: Fraction | int = 0
) -> LongRun:
    """Ruin of whoever gets these results, without an end: turn the signs round for the house."""
    if distribution.mean <= 0:
        return LongRun(horizon="certain", lowest=1.0, highest=1.0, root=0.0)
    lattice = d.lattice_of(distribution)
    if lattice.lowest >= 0:
        return LongRun(horizon="exact", lowest=0.0, highest=0.0, root=0.0)
    root = _root(lattice)
    least = max(-(-Fraction(needed) // lattice.unit), 1)
    above = int(Fraction(bankroll) // lattice.unit - least + 1)
    highest = exp(-root * above)
    lowest = exp(-root * (above - lattice.lowest - 1))
    horizon: Horizon = "exact" if lattice.lowest == -1 else "bounded"
    return LongRun(horizon=horizon, lowest=lowest, highest=highest, root=root)


def _root(lattice: d.Lattice) -> float:
    """The positive exponent at which the mean of e^(-t × result) is one again."""
    mean_power = d.log_mean_power(lattice)
    low, high = 0.0, 1.0
    while mean_power(-high) < 0:
        low, high = high, 2 * high
    if low == 0.0:
        low = high
        while mean_power(-low) >= 0 and low > 1e-300:
            low, high = low / 2, low
    for _ in range(200):
        middle = (low + high) / 2
        if mean_power(-middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def hold(
    wagered: Wagered, buy_in: Fraction | int, rounds: int, *, target: Fraction | int | None = None
) -> Hold:
    """Win over drop when each player buys in once for so many first wagers.

    A player leaves when the next round could not be played out, when the target is reached, or
    after so many rounds; whatever is left is carried away.
    """
    found = ruin(wagered, buy_in, rounds, target=target)
    share = -found.mean_result / float(buy_in)
    return alike(Hold, found, buy_in=found.bankroll, hold=share, error=found.error * rounds)
