"""A winner's way from the hand key to the key switch: keyed, called, verified, logged, paid."""

from collections.abc import Iterator
from functools import reduce

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller import winners
from riverboat.controller.sensors import AnyTold
from riverboat.controller.state import Controller, Lamp, apply, keyed, lamp_of
from riverboat.controller.winners import Desk, cites_of, named, require_person, rule_of
from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.meter.operations import fix_award, in_service, move, pay, reached, require_free
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.round.settlement.dues import Due
from riverboat.round.settlement.payment import PAID_FROM, settled
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.loading.progressive_checks import FIXED_AT, MOVES_AT
from riverboat.rulebook.progressive import Progressive
from riverboat.table.people import Actor


def press_hand(desk: Desk, by: Actor, action: a.PressHand) -> Iterator[AnyTold]:
    """The lamp of a seat's hand goes on, or, pressed by mistake, off again."""
    controller, rule = desk.controller, rule_of(desk.round)
    step = named(rule, "press_hand_key")
    assert step is not None
    require_person(by, step)
    keys = winners.hand_keys(desk.round.setup)
    if action.hand not in keys:
        there = ", ".join(key.replace("_", " ") for key in keys)
        text = f"there is no key for {action.hand.replace('_', ' ')!r}; there are {there}"
        raise Refused("hand.no_key", text, cites=rule.keys.cites)
    lamp = keyed(controller, action.seat, action.hand, rule)
    if lamp is not None and lamp.award:
        text = f"the award of seat {lamp.seat} is logged; only a manual adjustment takes it back"
        raise Refused("award.logged", text, cites=rule.back_out.cites)
    if lamp is not None:
        yield e.HandCleared(seat=lamp.seat, hand=lamp.hand, by=by.name)
        return
    _require_not_halted(controller, rule, action.seat)
    winners.require_lit(desk, action.seat)
    fault = winners.fault_of(desk, action.seat, action.hand)
    before = [s.step for s in rule.steps if s.step in ("verify_hand", "verify_light")]
    due = next((due for due in winners.turns(desk) if due.seat == action.seat), None)
    right = fault is None and due is not None
    yield e.HandKeyed(
        seat=action.seat,
        hand=action.hand,
        percent=due.percent if due is not None and right else 0,
        steps=(*(before if right else ()), "press_hand_key"),
        by=by.name,
    )
    if fault is not None:
        yield alike(e.WrongHandNoticed, action, has=fault.has, fault=fault.kind)


def _require_not_halted(controller: Controller, rule: Progressive, seat: int) -> None:
    """While an award is fixed, or the key stands at JPH, no other winner is keyed."""
    other = controller.in_hand
    if other is not None and other.award:
        whose = "its own award" if other.seat == seat else f"the award of seat {other.seat}"
        text = f"a hand key for seat {seat} while {whose} is being handled"
        raise Refused("award.in_hand", text, cites=rule.several_winners.cites)
    if controller.key == "JPH":
        text = "the key stands at JPH and the table is halted"
        raise Refused("key.at_jph", text, cites=cites_of(rule, "turn_key_to_jph"))


def call_supervisor(desk: Desk, by: Actor, action: a.CallSupervisor) -> Iterator[AnyTold]:
    """The dealer calls once for all hands that are keyed and wait for it."""
    rule = rule_of(desk.round)
    step = named(rule, "call_supervisor")
    waiting = [
        lamp.seat
        for lamp in desk.controller.lamps
        if not lamp.wrong
        and (coming := winners.next_step(desk.round.setup, rule, lamp))
        and coming.step == "call_supervisor"
    ]
    if step is None or not waiting:
        winners.refuse_wrong(desk)
        text = "no hand is keyed that somebody has to be called for"
        cites = cites_of(rule, "call_supervisor", "press_hand_key")
        raise Refused("call.not_now", text, cites=cites)
    require_person(by, step)
    yield e.SupervisorCalled(seats=tuple(waiting), by=by.name)


def verify_win(desk: Desk, by: Actor, action: a.VerifyWin) -> Iterator[AnyTold]:
    """The win is verified, in its turn; where the rulebook says so, that fixes the award."""
    lamp = winners.lamp_for(desk, action.seat, "verify_win")
    yield from _in_turn(desk, by, lamp, "verify_win", called=lamp.has("call_supervisor"))


def key_in_winner(desk: Desk, by: Actor, action: a.KeyInWinner) -> Iterator[AnyTold]:
    """Without a key switch the verified winner is keyed in: that fixes the award."""
    rule = rule_of(desk.round)
    if named(rule, "key_in_winner") is None:
        text = "winners are not keyed in here"
        raise Refused("key.not_there", text, cites=cites_of(rule, "press_j_pot", "verify_win"))
    lamp = winners.lamp_for(desk, action.seat, "key_in_winner")
    yield from _in_turn(desk, by, lamp, "key_in_winner")


def _in_turn(
    desk: Desk, by: Actor, lamp: Lamp, name: str, *, called: bool = False
) -> Iterator[AnyTold]:
    step = winners.require_next(desk.round.setup, rule_of(desk.round), lamp, name)
    require_person(by, step, called=called)
    winners.require_win(desk, lamp.seat, lamp.hand)
    winners.require_turn(desk, lamp)
    fixed = tuple(at_step(desk, lamp, name))
    kind = e.WinVerified if name == "verify_win" else e.WinnerKeyedIn
    yield kind(seat=lamp.seat, by=by.name)
    yield from fixed


def _require_switch(rule: Progressive, step: str) -> None:
    if not rule.keys.key_switch:
        text = "there is no key switch and no J-pot at this table"
        raise Refused("key.not_there", text, cites=cites_of(rule, step, "key_in_winner"))


def _in_hand(desk: Desk, step: str) -> Lamp:
    """The lamp that the supervisor's keys act on."""
    lamp = desk.controller.in_hand
    if lamp is None:
        winners.refuse_wrong(desk)
        text = "no win is verified"
        cites = cites_of(rule_of(desk.round), step, "press_hand_key", "verify_win")
        raise Refused("win.not_verified", text, cites=cites)
    return lamp


def turn_key(desk: Desk, by: Actor, action: a.TurnKey) -> Iterator[AnyTold]:
    """To JPH for a verified win; back to Run when it is paid, and then the meter moves."""
    rule = rule_of(desk.round)
    name = "turn_key_to_jph" if action.to == "JPH" else "turn_key_to_run"
    _require_switch(rule, name)
    if desk.controller.key == action.to:
        raise Refused("key.there", f"the key stands at {action.to}", cites=cites_of(rule, name))
    step = named(rule, name)
    assert step is not None
    require_person(by, step)
    if action.to == "RUN" and desk.controller.in_hand is None:
        yield e.KeyTurned(to="RUN", seat=0, by=by.name)
        return
    lamp = _in_hand(desk, name)
    winners.require_next(desk.round.setup, rule, lamp, name)
    turned = e.KeyTurned(to=action.to, seat=lamp.seat, by=by.name)
    moved = tuple(at_step(desk, lamp, name))
    yield turned
    yield from moved
    yield from cleared(desk.round.setup, apply(desk.controller, turned), lamp.seat)


def press_j_pot(desk: Desk, by: Actor, action: a.PressJPot) -> Iterator[AnyTold]:
    """The win goes on record; for a share of the meter that fixes the award."""
    rule = rule_of(desk.round)
    _require_switch(rule, "press_j_pot")
    step = named(rule, "press_j_pot")
    assert step is not None
    if desk.controller.in_hand is None:
        winners.refuse_wrong(desk)
    if desk.controller.key != "JPH":
        text = "J-pot with the key at Run; it works at JPH"
        raise Refused("key.at_run", text, cites=cites_of(rule, "turn_key_to_jph", "press_j_pot"))
    lamp = _in_hand(desk, "press_j_pot")
    winners.require_next(desk.round.setup, rule, lamp, "press_j_pot")
    require_person(by, step)
    winners.require_win(desk, lamp.seat, lamp.hand)
    fixed = tuple(at_step(desk, lamp, "press_j_pot"))
    yield e.JPotPressed(seat=lamp.seat, by=by.name)
    yield from fixed
    if not lamp.percent:
        yield _logged(desk, winners.due_now(desk, lamp))


def print_win_page(desk: Desk, by: Actor, action: a.PrintWinPage) -> Iterator[AnyTold]:
    """The money bag prints the page of an award that is logged."""
    rule = rule_of(desk.round)
    step = named(rule, "print_win_page")
    if step is None:
        raise Refused("key.not_there", "there is no money bag at this table", cites=rule.keys.cites)
    lamp = desk.controller.in_hand
    if lamp is None or not lamp.has("press_j_pot"):
        text = "a win page is there once J-pot is pressed"
        raise Refused("award.not_logged", text, cites=step.cites)
    require_person(by, step)
    yield e.WinPagePrinted(award=lamp.award, by=by.name)


def at_step(desk: Desk, lamp: Lamp, step: str) -> Iterator[AnyTold]:
    """What a step does to a share of the meter: at one it is fixed, at one the meter moves."""
    rule, table, number = rule_of(desk.round), desk.controller.table, desk.controller.round
    if not lamp.percent:
        return
    link, award = desk.link, lamp.award
    if FIXED_AT[rule.meter.award_fixed_at] == step:
        link = in_service(link, table, rule)
        require_free(link, table, number, lamp.percent, rule)
        due = winners.due_now(desk, lamp)
        logged = _logged(desk, due)
        award = logged.award
        assert due.share is not None
        fixed = tuple(fix_award(link, award, table, number, due.seat, due.hand, due.share))
        yield logged
        yield from fixed
        link = reduce(apply_to_meter, fixed, link)
    if MOVES_AT[rule.meter.moves_at] == step:
        yield from move(reached(link, rule), award)


def _logged(desk: Desk, due: Due) -> e.WinLogged:
    """An award is named by table, round and seat; a seat that was backed out is counted on."""
    at, resets = desk.controller, due.share is not None and due.share.resets
    earlier = sum(win.logged.seat == due.seat for win in at.wins.values())
    again = f"/{earlier + 1}" if earlier else ""
    return alike(
        e.WinLogged,
        due,
        award=f"{at.table}/{at.round}/{due.seat}{again}",
        cents=due.exact_cents,
        resets=resets,
        seed_cents=desk.link.seed_cents if resets and desk.link is not None else 0,
        reserve_units=due.share.reserve_units if due.share is not None else 0,
    )


def pay_award(desk: Desk, by: Actor, action: a.PayAward) -> Iterator[AnyTold]:
    """The seat is paid, from the tray or off it, and the round has its entry."""
    rule = rule_of(desk.round)
    lamp = winners.lamp_for(desk, action.seat, "pay")
    step = winners.require_next(desk.round.setup, rule, lamp, "pay")
    require_person(by, step)
    winners.require_turn(desk, lamp)
    winners.require_win(desk, lamp.seat, lamp.hand)
    controller = desk.controller
    win = controller.wins.get(lamp.award)
    logged = win.logged if win is not None else _logged(desk, winners.due_now(desk, lamp))
    if logged.source == "cage" and not action.document.strip():
        paid_from = PAID_FROM[logged.source]
        text = f"seat {lamp.seat} is paid {paid_from}; name the document of the payment"
        raise Refused("payment.no_document", text, cites=(*rule.payment.cites, *step.cites))
    paid = tuple(_paid(desk, lamp, logged))
    if not lamp.award:
        yield logged
        controller = apply(controller, logged)
    given = e.AwardGiven(award=logged.award, document=action.document, by=by.name)
    yield given
    yield from paid
    yield from cleared(desk.round.setup, apply(controller, given), lamp.seat)


def _paid(desk: Desk, lamp: Lamp, logged: e.WinLogged) -> Iterator[AnyTold]:
    """The round's entry, and for a share of the meter the link's."""
    yield _entry(desk, lamp, logged)
    if logged.percent:
        link = reached(desk.link, rule_of(desk.round))
        told = tuple(pay(link, logged.award, logged.paid_cents, logged.source))
        yield from told
        yield from at_step(desk._replace(link=reduce(apply_to_meter, told, link)), lamp, "pay")


def _entry(desk: Desk, lamp: Lamp, logged: e.WinLogged) -> r.AnyEvent:
    """A share of the meter, a payout of the tray, or, for a claim that was allowed with the light
    off and that the round knows no wager for, a payment by decision."""
    if logged.seat in desk.controller.allowed_unlit:
        why = "a claim with the light off, allowed by two people"
        paid = logged.paid_cents
        return alike(r.PayoutCorrected, logged, spot="progressive", cents=paid, reason=why)
    if not logged.percent:
        due = winners.due_now(desk, lamp)
        return settled(desk.round, due, due.given_cents)
    return alike(r.MeterAwarded, logged)


def cleared(setup: Setup, controller: Controller, seat: int) -> Iterator[e.LampCleared]:
    """When nothing is left to do about a hand, its lamp goes off."""
    lamp, rule = lamp_of(controller, seat), setup.book.progressive
    if lamp is not None and rule is not None and winners.next_step(setup, rule, lamp) is None:
        yield e.LampCleared(seat=seat, hand=lamp.hand)
