"""What the procedure wants pressed next and by whom; and what is left to the keys alone."""

from typing import NamedTuple

from riverboat.errors import Refused
from riverboat.games import actions as g
from riverboat.games.paying import remaining
from riverboat.games.round import Round
from riverboat.games.table_talk import sentence
from riverboat.meter.operations import takes_wagers
from riverboat.progressive import actions as a
from riverboat.progressive.controller import Controller, Lamp, lamp_of
from riverboat.progressive.steps import cites_of, named, next_step, rule_of, toggle_cites
from riverboat.progressive.winners import Desk, fault_of, forfeit_words, require_win, turns
from riverboat.rulebook.values import Person
from riverboat.table.people import Actor


class Coming(NamedTuple):
    """The next press, whose it is, and the clauses behind it.

    A payment still wants its document, and a back-out the name of its second person.
    """

    by: Person
    press: a.AnyPress
    cites: tuple[str, ...]


def coming(desk: Desk) -> Coming | None:
    """The press that comes next; None while the round itself has to go on first."""
    controller, state, rule = desk.controller, desk.round, rule_of(desk.round)
    if not controller.locked:
        if state.phase != "closed":
            return None
        if controller.key == "JPH":
            return Coming("supervisor", a.TurnKey(to="RUN"), cites_of(rule, "turn_key_to_run"))
        down = not takes_wagers(desk.link, controller.table)
        chips = any("progressive" in seat.wagers for seat in state.seats.values())
        press = a.PlayWithout() if down and chips else a.CoinIn()
        return Coming("dealer", press, rule.lock.cites)
    if not controller.counted:
        count = a.CountChips(chips=len(controller.accepted))
        return Coming("dealer", count, rule.collection.cites)
    if not controller.dealt:
        return Coming("dealer", a.FirstCard(), rule.lock.cites)
    return _at_settlement(desk) if state.phase == "settling" else None


def _at_settlement(desk: Desk) -> Coming | None:
    controller, rule = desk.controller, rule_of(desk.round)
    off = next((lamp for lamp in controller.lamps if lamp.wrong), None)
    if off is not None:
        return Coming("dealer", a.PressHand(seat=off.seat, hand=off.hand), toggle_cites(rule))
    lamp = controller.in_hand
    waiting = turns(desk)
    if lamp is None and controller.key == "JPH":
        return Coming("supervisor", a.TurnKey(to="RUN"), cites_of(rule, "turn_key_to_run"))
    if lamp is None and waiting:
        first = waiting[0]
        lamp = lamp_of(controller, first.seat)
        if lamp is None:
            if not _may_be_keyed(desk, first.seat, first.hand):
                return None
            press = a.PressHand(seat=first.seat, hand=first.hand)
            return Coming("dealer", press, cites_of(rule, "press_hand_key"))
    if lamp is not None and lamp.award and _is_lost(desk, lamp):
        return _back_out(desk, lamp)
    if lamp is not None:
        return _about(desk, lamp)
    if remaining(desk.round) or controller.lamps:
        return None
    return Coming("dealer", a.GameOver(), rule.end_of_round.cites)


def _is_lost(desk: Desk, lamp: Lamp) -> bool:
    """Whether the seat of a logged award has forfeited before it was paid."""
    return (
        desk.round.seats[lamp.seat].status == "forfeit"
        and not desk.controller.wins[lamp.award].paid
    )


def _back_out(desk: Desk, lamp: Lamp) -> Coming:
    """Only a back-out takes a logged award away; the second person still has to give a name."""
    second = Actor(name="", role="floorperson")
    press = a.BackOut(award=lamp.award, reason=forfeit_words(lamp.seat), second=second)
    return Coming("supervisor", press, rule_of(desk.round).back_out.cites)


def accident_words(desk: Desk, lamp: Lamp) -> str:
    """What is wrong with a hand that was keyed by accident, and what turns it off."""
    fault = fault_of(desk, lamp.seat, lamp.hand)
    why = str(fault.refusal) if fault is not None else f"seat {lamp.seat} was keyed too early"
    return sentence(f"{why}: press {lamp.hand.replace('_', ' ')} again to turn it off")


def _may_be_keyed(desk: Desk, seat: int, hand: str) -> bool:
    try:
        require_win(desk, seat, hand)
    except Refused:
        return False
    return True


def _about(desk: Desk, lamp: Lamp) -> Coming | None:
    step = next_step(desk.round.setup, rule_of(desk.round), lamp)
    if step is None:
        return None
    by: Person = step.by
    if step.step == "verify_win" and step.by == "house":
        by = "floorperson" if lamp.has("call_supervisor") else "dealer"
    return Coming(by, _press(step.step, lamp.seat), step.cites)


def _press(step: str, seat: int) -> a.AnyPress:
    match step:
        case "call_supervisor":
            return a.CallSupervisor()
        case "verify_win":
            return a.VerifyWin(seat=seat)
        case "key_in_winner":
            return a.KeyInWinner(seat=seat)
        case "turn_key_to_jph":
            return a.TurnKey(to="JPH")
        case "press_j_pot":
            return a.PressJPot()
        case "print_win_page":
            return a.PrintWinPage()
        case "pay":
            return a.PayAward(seat=seat)
    return a.TurnKey(to="RUN")


def require_not_keyed(controller: Controller, state: Round, action: g.AnyAction) -> None:
    """At a table with a controller, what a sensor or a key does is not asked of the round itself.

    Incidents go through the controller too, because one that voids the round concerns the meter.
    """
    if state.setup.progressive is None or state.phase == "void":
        return
    rule = rule_of(state)
    match action:
        case g.Wager(spot="progressive") | g.TakeBack(spot="progressive"):
            _refuse("a progressive wager is made on the sensor", rule.sensor.cites)
        case g.TakeBack(seat=seat, spot="ante") if controller.sensors.get(seat) == "DETECTED":
            _refuse(f"seat {seat} takes its chip off the sensor first", rule.sensor.cites)
        case g.LockProgressive():
            _refuse(f"the wagers are locked by {rule.lock.key}", rule.lock.cites)
        case g.CollectProgressive():
            _refuse("the chips are counted at the controller", rule.collection.cites)
        case g.Deal() if not controller.dealt:
            _refuse("the controller is told of the first card first", rule.lock.cites)
        case g.Close():
            _refuse(f"the round ends by {rule.end_of_round.key}", rule.end_of_round.cites)
        case g.Incident():
            _refuse("an incident is reported at the controller", rule.void.cites)
        case g.SettleAll() | g.Settle(spot="progressive"):
            _require_no_winner(state, action)


def _require_no_winner(state: Round, action: g.SettleAll | g.Settle) -> None:
    step = named(rule_of(state), "press_hand_key")
    assert step is not None
    for due in remaining(state):
        won = due.spot == "progressive" and due.outcome == "win"
        if won and (isinstance(action, g.SettleAll) or due.seat == action.seat):
            _refuse(f"the progressive win of seat {due.seat} is keyed", step.cites)


def _refuse(text: str, cites: tuple[str, ...]) -> None:
    raise Refused("controller.keyed", text, cites=cites)
