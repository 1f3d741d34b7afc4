"""Who has won, which steps the rulebook prescribes for it, in whose turn, and what it comes to."""

from typing import Any, Literal, NamedTuple

from riverboat.controller.state import Controller, Lamp, lamp_of
from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.meter.amounts import Meter
from riverboat.meter.state import Link
from riverboat.round import events as r
from riverboat.round.incidents import cites_of as incident_cites
from riverboat.round.settlement.dues import Due, Winner, dues, hand_kinds, is_live, progressive_dues
from riverboat.round.settlement.payment import remaining, unsettled_words
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.round.table_talk import held, name_kind
from riverboat.rulebook.progressive import Progressive, Step
from riverboat.table.people import Actor, Role, require_role

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


def next_step(setup: Setup, rule: Progressive, lamp: Lamp) -> Step | None:
    """What somebody has to do next about a lamp; None when all is done."""
    waiting = (
        step
        for step in rule.steps
        if applies(setup, step, lamp.hand, lamp.percent)
        and not (step.step in BY_ITSELF or step.optional or lamp.has(step.step))
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
    roles: tuple[Any, ...] = (step.by,)
    if step.by == "house":
        roles = FLOOR if called else ("dealer", *FLOOR)
    require_role(by, roles, _SPOKEN[step.step], step.cites)


DEALER: tuple[Role, ...] = ("dealer",)
FLOOR: tuple[Role, ...] = ("floorperson",)
AFTERWARDS = ("progressive", "envy")


class Desk(NamedTuple):
    """What a press is judged by: the controller, the round at its table, and the meter's link, or
    None when it cannot be reached."""

    controller: Controller
    round: Round
    link: Link | None


def require_settling(desk: Desk) -> Round:
    """The hands lie open: the round as it was when settlement began."""
    rule = rule_of(desk.round)
    if desk.round.phase != "settling" or desk.round.at_settlement is None:
        text = "no hand is settled now"
        raise Refused("hand.not_now", text, cites=cites_of(rule, "press_hand_key"))
    return desk.round.at_settlement


def turns(desk: Desk) -> list[Due]:
    """The winners that are not paid yet, in the order in which they are handled."""
    state = desk.round
    found = [d for d in remaining(state) if d.spot == "progressive" and d.outcome == "win"]
    found += [due for due in _disputed(desk) if due.outcome == "win"]
    from_right = rule_of(state).several_winners.order == "dealers_right_to_left"
    found.sort(key=lambda due: -due.seat if from_right else due.seat)
    if state.setup.choice("multi_winner_policy") not in ("", "sequential"):
        found.sort(key=lambda due: -due.percent)
    return found


def _disputed(desk: Desk) -> list[Due]:
    """What seats win whose light was off and whose claim was allowed."""
    at_settlement = desk.round.at_settlement
    if at_settlement is None:
        return []
    paid = {
        win.logged.seat for win in desk.controller.wins.values() if win.paid and not win.taken_back
    }
    return [
        progressive_dues(desk.round.setup, [winner], Meter())[winner.seat]
        for seat in sorted(desk.controller.allowed_unlit - paid)
        if desk.round.seats[seat].status != "forfeit"
        and (winner := winner_at(at_settlement, seat)) is not None
    ]


def winner_at(state: Round, seat: int) -> Winner | None:
    """A seat with its hand and the line that it meets, if its cards are there."""
    kind = hand_kinds(state).get(seat)
    if kind is None:
        return None
    return Winner(seat, kind, state.setup.lines["progressive"][kind])


def due_now(desk: Desk, lamp: Lamp) -> Due:
    """What a lamp's award comes to: a share of the meter is reckoned on the link's meter now, or,
    for co-winners, on the meter that the first of them was fixed on."""
    due = next(due for due in turns(desk) if due.seat == lamp.seat)
    if not due.percent:
        return due
    assert desk.link is not None
    at_settlement = desk.round.at_settlement
    assert at_settlement is not None
    held = desk.link.pending
    meter = held.group if held is not None else desk.link.meter
    found = (winner_at(at_settlement, seat) for seat in group_of(desk, due))
    winners = [winner for winner in found if winner is not None]
    return progressive_dues(at_settlement.setup, winners, meter)[lamp.seat]


def group_of(desk: Desk, due: Due) -> list[int]:
    """The seats that share one award, in the order of their turns; alone, unless winners split."""
    state = desk.round
    if state.setup.choice("multi_winner_policy") != "equal_split":
        return [due.seat]
    assert state.at_settlement is not None
    plan = [d for d in dues(state.at_settlement) if d.percent == due.percent]
    seats = {d.seat for d in plan if state.seats[d.seat].status != "forfeit"}
    seats |= {d.seat for d in _disputed(desk) if d.percent == due.percent}
    return sorted(seats, reverse=rule_of(state).several_winners.order == "dealers_right_to_left")


def require_turn(desk: Desk, lamp: Lamp) -> None:
    """No other award is in hand, and nobody comes before this seat."""
    rule = rule_of(desk.round)
    other = desk.controller.in_hand
    if other is not None and other.seat != lamp.seat:
        text = f"seat {lamp.seat} while the award of seat {other.seat} is being handled"
        raise Refused("award.in_hand", text, cites=rule.several_winners.cites)
    if other is None:
        first = turns(desk)[0]
        if first.seat != lamp.seat:
            text = f"seat {lamp.seat} before seat {first.seat}, which comes first"
            raise Refused("award.not_in_turn", text, cites=rule.several_winners.cites)


class Fault(NamedTuple):
    """Why a hand that is keyed for a seat wins nothing there."""

    kind: Literal["other_hand", "no_wager", "paid", "forfeited"]
    has: str
    refusal: Refused


def fault_of(desk: Desk, seat: int, hand: str) -> Fault | None:
    """What is wrong with a hand that is keyed for a seat, if anything is."""
    state, rule = require_settling(desk), rule_of(desk.round)
    again = toggle_cites(rule)
    lost = desk.round.setup.book.fold.side_bets.get("progressive")
    allowed = seat in desk.controller.allowed_unlit
    if desk.round.seats[seat].status == "forfeit":
        return Fault("forfeited", "", _forfeited(desk, seat))
    if not allowed and not is_live(desk.round.setup, desk.round.seats[seat]):
        text = f"seat {seat} lost its wager by the fold"
        cites = (*(lost.cites if lost is not None else rule.winning.cites), *again)
        return Fault("no_wager", "", Refused("wager.forfeited", text, cites=cites))
    winner = winner_at(state, seat)
    has = winner.kind.hand if winner is not None else ""
    named = "no hand that counts" if winner is None else held(name_kind(winner.kind))
    cites = (*cites_of(rule, "verify_hand", "press_hand_key"), *again)
    if has != hand:
        text = f"seat {seat} has {named}, not {held(hand)}"
        return Fault("other_hand", has, Refused("hand.not_that", text, cites=cites))
    if not any(due.seat == seat for due in turns(desk)):
        text = f"seat {seat} was paid for its {hand.replace('_', ' ')} already"
        return Fault("paid", has, Refused("hand.paid", text, cites=cites))
    return None


def _forfeited(desk: Desk, seat: int) -> Refused:
    """No hand counts any more at a seat that has forfeited, by the clauses of what it did."""
    noted = [
        cite
        for event in desk.round.history
        if isinstance(event, r.IncidentNoted)
        and (event.seat, event.consequence) == (seat, "forfeits_all_wagers")
        for cite in incident_cites(desk.round, event)
    ]
    cites = (*noted, *toggle_cites(rule_of(desk.round)))
    return Refused("wager.forfeited", forfeit_words(seat), cites=cites)


def forfeit_words(seat: int) -> str:
    """Why the hand of a seat is not paid any more."""
    return f"seat {seat} has forfeited its wagers"


def require_lit(desk: Desk, seat: int) -> None:
    """A seat whose hand may be keyed: its light is on, and its base wagers are settled."""
    require_settling(desk)
    rule, sitting = rule_of(desk.round), desk.round.seats.get(seat)
    if sitting is None:
        raise Refused("seat.unknown", f"nobody plays at seat {seat}", cites=rule.sensor.cites)
    if not sitting.lit and seat not in desk.controller.allowed_unlit:
        text = f"the light of seat {seat} is off; a claim without it is denied"
        step = named(rule, "verify_light")
        cites = (*rule.sensor.cites, *(step.cites if step is not None else ()))
        raise Refused("seat.unlit", text, cites=cites)
    _require_base_settled(desk, seat)


def require_win(desk: Desk, seat: int, hand: str) -> Due:
    """A seat's hand wins: the light is on, the wager still live, the hand is that hand."""
    sitting = desk.round.seats.get(seat)
    if sitting is not None and sitting.status == "forfeit":
        raise _forfeited(desk, seat)
    require_lit(desk, seat)
    fault = fault_of(desk, seat, hand)
    if fault is not None:
        raise fault.refusal
    return next(due for due in turns(desk) if due.seat == seat)


def lamp_for(desk: Desk, seat: int, step: str) -> Lamp:
    """The lamp of the hand that a seat wins with; one that was keyed by accident goes nowhere."""
    lamp = lamp_of(desk.controller, seat)
    if lamp is None:
        refuse_wrong(desk, seat)
        text = f"no hand is keyed for seat {seat}; a winner is keyed first"
        cites = cites_of(rule_of(desk.round), step, "press_hand_key")
        raise Refused("hand.not_keyed", text, cites=cites)
    return lamp


def refuse_wrong(desk: Desk, seat: int = 0) -> None:
    """Where a hand was keyed by accident, for a seat or any, nothing else is done about it."""
    for lamp in desk.controller.lamps:
        if lamp.wrong and seat in (0, lamp.seat):
            fault = fault_of(desk, lamp.seat, lamp.hand)
            if fault is not None:
                raise fault.refusal


def _require_base_settled(desk: Desk, seat: int) -> None:
    """The wagers that come before the award are settled: in the round's own order, and for a seat
    whose claim was allowed, or whose wager is settled, its base wagers."""
    book = desk.round.setup.book
    rule, left = book.settlement.progressive, remaining(desk.round)
    at_the_end = rule is not None and rule.when == "completion_of_round"
    own = all((due.seat, due.spot) != (seat, "progressive") for due in left)
    own = own and not (seat in desk.controller.allowed_unlit and at_the_end)
    for due in left:
        if (due.seat, due.spot) == (seat, "progressive"):
            return
        waits = due.spot not in AFTERWARDS
        if own:
            waits = due.seat == seat and due.spot in desk.round.setup.base_spots
        if waits:
            key = cites_of(rule_of(desk.round), "press_hand_key")
            cites = (*key, *(rule.cites if rule else ()))
            raise Refused("hand.too_early", unsettled_words(desk.round, due), cites=cites)
