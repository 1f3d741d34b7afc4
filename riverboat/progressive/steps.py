"""The steps that a rulebook prescribes for a winner: which apply, whose they are, which is next."""

from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.progressive.controller import Lamp
from riverboat.round.setup import Setup
from riverboat.round.state import Round
from riverboat.rulebook.progressive import Progressive, Step
from riverboat.table.people import Actor, Role, has_role, is_a

BY_ITSELF = ("verify_hand", "verify_light", "show_amount", "adjust_meter")
_SPOKEN: dict[str, str] = {
    "verify_hand": "the check of the hand",
    "verify_light": "the check of the light",
    "press_hand_key": "the hand key",
    "call_supervisor": "the call for the supervisor",
    "verify_win": "the verification of the win",
    "key_in_winner": "keying in the winner",
    "turn_key_to_jph": "turning the key to JPH",
    "press_j_pot": "J-pot",
    "show_amount": "showing the amount",
    "print_win_page": "printing the win page",
    "pay": "the payment",
    "turn_key_to_run": "turning the key to Run",
    "adjust_meter": "the adjustment of the meter",
}
_ROLES: dict[str, tuple[Role, ...]] = {"house": ("dealer", "floorperson")}


def rule_of(state: Round) -> Progressive:
    """The rules of the progressive that a round is played with."""
    rule = state.setup.book.progressive
    if rule is None or state.setup.progressive is None:
        raise Refused("side_bet.not_offered", "the table has no progressive", cites=())
    return rule


def applies(setup: Setup, step: Step, hand: str, percent: int) -> bool:
    """Whether a step is for this hand: always for a share of the meter, else from an option's hand
    upwards where the step names one. Whoever turns the key for a hand has been called for it."""
    if percent:
        return True
    if step.awards == "meter":
        return False
    if not step.from_option:
        return True
    lowest = {setup.choice(step.from_option)}
    if step.from_option == "supervisor_from_hand":
        lowest |= {setup.choice("jackpot_key_from") or setup.choice(step.from_option)}
    return any(not one or FIVE_CARD.index(hand) <= FIVE_CARD.index(one) for one in lowest)


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


def toggle_cites(rule: Progressive) -> tuple[str, ...]:
    """What says that a hand key pressed again is off: keypad and back-out both cite it."""
    both = tuple(cite for cite in rule.back_out.cites if cite in rule.keys.cites)
    return both or rule.back_out.cites


def hand_keys(setup: Setup) -> tuple[str, ...]:
    """The hands that the keypad has a key for: those that the progressive pays."""
    progressive = setup.progressive
    lines = progressive.table.lines if progressive is not None else ()
    return tuple(hand for line in lines if line.pays.wins for hand in line.hands)


def require_next(setup: Setup, rule: Progressive, lamp: Lamp, name: str) -> Step:
    """The step is what comes next about a lamp."""
    step = next_step(setup, rule, lamp)
    if step is None or step.step != name:
        wanted = _SPOKEN[step.step] if step is not None else "nothing"
        text = f"{_SPOKEN[name]} for seat {lamp.seat}; {wanted} comes next"
        cites = (*cites_of(rule, name), *(step.cites if step is not None else ()))
        raise Refused("step.not_now", text, cites=cites)
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
        text = f"{is_a(by)}; {_SPOKEN[step.step]} is for the {said}"
        raise Refused("person.may_not", text, cites=step.cites)


def require_dealer(by: Actor, what: str, cites: tuple[str, ...]) -> None:
    """A key of the dealer's."""
    if by.role not in ("dealer", "lab"):
        text = f"{is_a(by)}; {what} is for the dealer"
        raise Refused("person.may_not", text, cites=cites)


def require_floor(by: Actor, what: str, cites: tuple[str, ...]) -> None:
    """Something for the floor."""
    if not (has_role(by, ("floorperson",)) or by.role == "lab"):
        text = f"{is_a(by)}; {what} is for the floorperson"
        raise Refused("person.may_not", text, cites=cites)
