"""A coach at your shoulder: what each choice is worth now, and what your decisions cost.

It sees what you see and nothing else. The mathematics is loaded when it is asked first.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from riverboat.core.errors import NotationError
from riverboat.round import Round, Setup
from riverboat.round import actions as a
from riverboat.round.streets import stage_of

if TYPE_CHECKING:
    from riverboat.exact.questions.advice import Advice

NO_ADVICE = "The coach knows only bets in whole multiples of the ante."


class Decided(NamedTuple):
    """A decision of yours, and the round as it was before it."""

    state: Round
    action: a.Bet | a.Fold


def advice_for(state: Round, you: int) -> "Advice | None":
    """What each of your choices is worth now; None for bets that the mathematics does not know."""
    from riverboat.exact.questions.advice import advise_at, known_to

    situation = known_to(state, you)
    if any(bet.denominator > 1 for bet in situation.bets):
        return None
    ante = state.seats[you].wagers["ante"]
    try:
        return advise_at(state.setup, situation, ante)
    except NotationError:
        return None


def no_play_known(setup: Setup) -> str:
    """Why there is no advice at this table at all; nothing where there is."""
    from riverboat.exact.solvers import is_solved, no_solver

    return "" if is_solved(setup.book) else f"The coach has no figures: {no_solver(setup.book)}."


def hint(state: Round, you: int) -> str:
    """Every choice with its value in antes, the best one marked."""
    if nothing := no_play_known(state.setup):
        return nothing
    advice = advice_for(state, you)
    if advice is None:
        return NO_ADVICE
    choices = [
        f"{name} {float(value):+.4f}{' (best)' if name == advice.best else ''}"
        for name, value in advice.choices.items()
    ]
    return f"Coach, in antes: {', '.join(choices)}."


def review(decided: list[Decided], you: int) -> str:
    """What the decisions of a round cost against the best play, once it is over."""
    if nothing := no_play_known(decided[0].state.setup):
        return nothing
    said, lost, ante = [], Fraction(0), 0
    for one in decided:
        advice, choice = advice_for(one.state, you), _choice(one, you)
        ante = one.state.seats[you].wagers["ante"]
        several = len(one.state.setup.stages) > 1
        label = f"{stage_of(one.state).label}: " if several else "your "
        if advice is None or choice not in advice.choices:
            return NO_ADVICE
        cost = advice.cost(choice)
        lost += cost
        if cost:
            said.append(f"{label}{choice} cost {float(cost):.4f}, {advice.best} was best")
        else:
            said.append(f"{label}{choice} was right")
    total = f"; on average ${float(lost * ante / 100):,.2f}" if lost else ""
    return f"Coach, in antes: {'; '.join(said)}{total}."


def _choice(one: Decided, you: int) -> str:
    if isinstance(one.action, a.Fold):
        return "fold"
    stage, ante = stage_of(one.state), one.state.seats[you].wagers["ante"]
    if one.action.cents % ante:
        return ""
    against_dealer = bool(one.state.dealer) and len(stage.multiples) == 1
    return "bet" if against_dealer else f"{one.action.cents // ante}x"
