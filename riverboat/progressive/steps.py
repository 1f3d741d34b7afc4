"""The steps that a rulebook prescribes for a winner: which apply, whose they are, which is next."""

from riverboat.errors import Refused
from riverboat.games.round import Round
from riverboat.games.setup import Setup
from riverboat.progressive.controller import Lamp
from riverboat.rulebook.paytables import FIVE_CARD
from riverboat.rulebook.progressive import Progressive, Step
from riverboat.table.people import Actor, Role, has_role

BY_ITSELF = ("verify_hand", "verify_light", "show_amount", "adjust_meter")
_ROLES: dict[str, tuple[Role, ...]] = {"house": ("dealer", "floorperson")}


def rule_of(state: Round) -> Progressive:
    """The rules of the progressive that a round is played with."""
    rule = state.setup.book.progressive
    if rule is None or state.setup.progressive is None:
        raise Refused("side_bet.not_offered", "the table has no progressive", cites=())
    return rule


def applies(setup: Setup, step: Step, hand: str, percent: int) -> bool:
    """Whether a step is for this hand: always for a share of the meter, else from an option's hand
    upwards where the step names one."""
    if percent:
        return True
    if step.awards == "meter":
        return False
    if not step.from_option:
        return True
    lowest = setup.choice(step.from_option)
    return not lowest or FIVE_CARD.index(hand) <= FIVE_CARD.index(lowest)


def steps_for(setup: Setup, rule: Progressive, lamp: Lamp) -> tuple[Step, ...]:
    """The steps for a lamp's hand, in order."""
    return tuple(step for step in rule.steps if applies(setup, step, lamp.hand, lamp.percent))


def next_step(setup: Setup, rule: Progressive, lamp: Lamp) -> Step | None:
    """What somebody has to do next about a lamp; None when all is done."""
    waiting = (
        step
        for step in steps_for(setup, rule, lamp)
        if not (step.step in BY_ITSELF or step.optional or lamp.has(step.step))
    )
    return next(waiting, None)


def named(rule: Progressive, name: str) -> Step | None:
    """A step by its name, where the rulebook has it."""
    return next((step for step in rule.steps if step.step == name), None)


def cites_of(rule: Progressive, *names: str) -> tuple[str, ...]:
    """The clauses of these steps; where the rulebook has none of them, those of its keys."""
    cited = [cite for step in rule.steps if step.step in names for cite in step.cites]
    return tuple(dict.fromkeys(cited)) or rule.keys.cites


def require_next(setup: Setup, rule: Progressive, lamp: Lamp, name: str) -> Step:
    """The step is what comes next about a lamp."""
    step = next_step(setup, rule, lamp)
    if step is None or step.step != name:
        wanted = step.step.replace("_", " ") if step is not None else "nothing"
        text = f"{name.replace('_', ' ')} for seat {lamp.seat}; {wanted} comes next"
        cites = (*cites_of(rule, name), *(step.cites if step is not None else ()))
        raise Refused("step.not_now", text, cites=tuple(dict.fromkeys(cites)))
    return step


def require_person(by: Actor, step: Step, *, called: bool = False) -> None:
    """The person whose step it is. Where somebody was called, the house is not the dealer."""
    if by.role == "lab":
        return
    roles = _ROLES.get(step.by) or (step.by,)
    if called and step.by == "house":
        roles = ("floorperson",)
    if not has_role(by, roles):  # type: ignore[arg-type]
        said = " or ".join(roles)
        text = f"{by.name} is {by.role}; {step.step.replace('_', ' ')} is for the {said}"
        raise Refused("person.may_not", text, cites=step.cites)


def require_dealer(by: Actor, what: str, cites: tuple[str, ...]) -> None:
    """A key of the dealer's."""
    if by.role not in ("dealer", "lab"):
        text = f"{by.name} is {by.role}; {what} is for the dealer"
        raise Refused("person.may_not", text, cites=cites)


def require_floor(by: Actor, what: str, cites: tuple[str, ...]) -> None:
    """Something for the floor."""
    if not (has_role(by, ("floorperson",)) or by.role == "lab"):
        text = f"{by.name} is {by.role}; {what} is for the floorperson"
        raise Refused("person.may_not", text, cites=cites)
