"""What the procedure wants pressed next, and by whom."""

from typing import NamedTuple

from riverboat.controller import actions as a
from riverboat.controller.state import Lamp, lamp_of
from riverboat.controller.winners import (
    Desk,
    cites_of,
    forfeit_words,
    next_step,
    require_win,
    rule_of,
    toggle_cites,
    turns,
)
from riverboat.meter.operations import takes_wagers
from riverboat.round.legal import permits
from riverboat.round.settlement.payment import remaining
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
            if not permits(require_win, desk, first.seat, first.hand):
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
