"""The coach: what each choice is worth now, and after the round what each decision cost."""

from fractions import Fraction

from msgspec import Struct

from riverboat.core.money import Cents, format_cents
from riverboat.exact.questions.advice import FOLD, Advice, Decision, advice_to, decisions_of
from riverboat.exact.solvers import is_solved, no_solver
from riverboat.round import events as e
from riverboat.round.state import Round
from riverboat.round.streets import stage_of
from riverboat.round.table_talk import label_of, listed


class Worth(Struct, frozen=True, kw_only=True):
    """A value: exactly, in antes, and for showing, to a hundredth of a cent."""

    antes: str
    cents: float


class SeatAdvice(Struct, frozen=True, kw_only=True):
    """Every choice with what it is worth over the whole round, best play after it."""

    spot: str
    best: str
    choices: dict[str, Worth]


class Cost(Struct, frozen=True, kw_only=True):
    """A decision as it was made; `cost` is None for a bet that advice has no figure for."""

    spot: str
    choice: str
    best: str
    choices: dict[str, Worth]
    cost: Worth | None
    words: str


class SeatCosts(Struct, frozen=True, kw_only=True):
    """What a seat's decisions cost against the best play, one by one and together."""

    seat: int
    decisions: list[Cost]
    cost: Worth | None
    words: str


class Coached(Struct, frozen=True, kw_only=True):
    """A finished round's decisions, for whoever made them."""

    table: str
    round: int
    seats: list[SeatCosts]


def advised(state: Round, seat: int) -> SeatAdvice:
    """For the seat that has to decide."""
    ante = state.seats[seat].wagers["ante"]
    advice = advice_to(state, seat)
    return SeatAdvice(spot=stage_of(state).spot, best=advice.best, choices=_worths(advice, ante))


def costs(state: Round, seat: int) -> SeatCosts:
    """What each decision of a seat in a finished round cost, from what the seat knew then."""
    if any(isinstance(event, e.RoundVoided) for event in state.history):
        text = "the round is void: every bet came back, and no decision cost anything"
        return SeatCosts(seat=seat, decisions=[], cost=_worth(Fraction(0), 1), words=text)
    if not is_solved(state.setup.book):
        return SeatCosts(seat=seat, decisions=[], cost=None, words=str(no_solver(state.setup.book)))
    made = [(decision, advice_to(decision.before, seat)) for decision in decisions_of(state, seat)]
    lost = [_cost(decision, advice) for decision, advice in made]
    known = [antes for antes in lost if antes is not None]
    ante = made[0][0].ante_cents if made else 1
    return SeatCosts(
        seat=seat,
        decisions=[_told(*one, antes) for one, antes in zip(made, lost, strict=True)],
        cost=_worth(sum(known, Fraction(0)), ante) if len(known) == len(lost) else None,
        words=_together(lost, ante),
    )


def _cost(decision: Decision, advice: Advice) -> Fraction | None:
    return advice.cost(decision.choice) if decision.choice in advice.choices else None


def _worths(advice: Advice, ante_cents: Cents) -> dict[str, Worth]:
    return {choice: _worth(value, ante_cents) for choice, value in advice.choices.items()}


def _worth(antes: Fraction, ante_cents: Cents) -> Worth:
    return Worth(antes=str(antes), cents=round(float(antes * ante_cents), 2))


# ---------------------------------------------------------------- in words


def _told(decision: Decision, advice: Advice, cost: Fraction | None) -> Cost:
    ante = decision.ante_cents
    return Cost(
        spot=decision.stage.spot,
        choice=decision.choice,
        best=advice.best,
        choices=_worths(advice, ante),
        cost=None if cost is None else _worth(cost, ante),
        words=_street(decision) + _judged(decision, advice, cost),
    )


def _street(decision: Decision) -> str:
    setup = decision.before.setup
    several = len(setup.stages) > 1
    return f"{label_of(setup.book, decision.stage.spot)}: " if several else ""


def _judged(decision: Decision, advice: Advice, cost: Fraction | None) -> str:
    if cost is None:
        whole = listed([choice for choice in advice.choices if choice != FOLD])
        bet = format_cents(decision.cents or 0)
        return f"you bet {bet}, between the multiples; the coach has figures for {whole} only"
    done = "you folded" if decision.cents is None else f"you bet {decision.choice}"
    if not cost:
        return f"{done}, the best choice"
    better = "folding" if advice.best == FOLD else f"betting {advice.best}"
    return f"{done}; {better} was better by {_about(cost * decision.ante_cents)}"


def _about(cents: Fraction) -> str:
    """An average in whole cents; what is less than half of one is not called nothing."""
    return format_cents(round(cents)) if round(cents) else "less than a cent"


def _together(lost: list[Fraction | None], ante_cents: Cents) -> str:
    if not lost:
        return "there was nothing to decide"
    known = [antes for antes in lost if antes is not None]
    if len(known) < len(lost):
        return "the coach has no figure for every bet of this round"
    one = len(lost) == 1
    total = sum(known, Fraction(0))
    if not total:
        return "your decision was the best one" if one else "every decision was the best one"
    cost = "decision" if one else "decisions"
    return f"your {cost} cost {_about(total * ante_cents)} on average against the best play"
