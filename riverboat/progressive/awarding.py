"""An award's money: its name and amount when it is fixed, its payment, the meter that moves."""

from collections.abc import Iterator
from functools import reduce

from riverboat.core.errors import Refused
from riverboat.meter.link import apply as apply_to_link
from riverboat.meter.operations import fix_award, in_service, move, pay, reached, require_free
from riverboat.progressive import actions as a
from riverboat.progressive import events as e
from riverboat.progressive.controller import Controller, Lamp, apply, lamp_of
from riverboat.progressive.sensing import AnyTold
from riverboat.progressive.steps import next_step, require_next, require_person, rule_of
from riverboat.progressive.winners import (
    Desk,
    due_now,
    lamp_for,
    require_turn,
    require_win,
)
from riverboat.round import events as r
from riverboat.round.dues import Due
from riverboat.round.paid_from import PAID_FROM
from riverboat.round.paying import settled
from riverboat.round.setup import Setup
from riverboat.rulebook.loading.progressive_checks import FIXED_AT, MOVES_AT
from riverboat.table.people import Actor


def at_step(desk: Desk, lamp: Lamp, step: str) -> Iterator[AnyTold]:
    """What a step does to a share of the meter: at one it is fixed, at one the meter moves."""
    rule, table, number = rule_of(desk.round), desk.controller.table, desk.controller.round
    if not lamp.percent:
        return
    link, award = desk.link, lamp.award
    if FIXED_AT[rule.meter.award_fixed_at] == step:
        link = in_service(link, table, rule)
        require_free(link, table, number, lamp.percent, rule)
        due = due_now(desk, lamp)
        logged = _logged(desk, due)
        award = logged.award
        assert due.share is not None
        fixed = tuple(fix_award(link, award, table, number, due.seat, due.hand, due.share))
        yield logged
        yield from fixed
        link = reduce(apply_to_link, fixed, link)
    if MOVES_AT[rule.meter.moves_at] == step:
        yield from move(reached(link, rule), award)


def log_tray_award(desk: Desk, lamp: Lamp) -> e.WinLogged:
    """The record of an award that the tray pays."""
    return _logged(desk, due_now(desk, lamp))


def _logged(desk: Desk, due: Due) -> e.WinLogged:
    resets = due.share is not None and due.share.resets
    return e.WinLogged(
        award=_name(desk.controller, due.seat),
        seat=due.seat,
        hand=due.hand,
        percent=due.percent,
        cents=due.exact_cents,
        paid_cents=due.paid_cents,
        source=due.source,
        resets=resets,
        seed_cents=desk.link.seed_cents if resets and desk.link is not None else 0,
        reserve_units=due.share.reserve_units if due.share is not None else 0,
    )


def _name(controller: Controller, seat: int) -> str:
    """Table, round and seat; a seat whose award was backed out is counted on."""
    earlier = sum(win.logged.seat == seat for win in controller.wins.values())
    again = f"/{earlier + 1}" if earlier else ""
    return f"{controller.table}/{controller.round}/{seat}{again}"


def pay_award(desk: Desk, by: Actor, action: a.PayAward) -> Iterator[AnyTold]:
    """The seat is paid, from the tray or off it, and the round has its entry."""
    rule = rule_of(desk.round)
    lamp = lamp_for(desk, action.seat, "pay")
    step = require_next(desk.round.setup, rule, lamp, "pay")
    require_person(by, step)
    require_turn(desk, lamp)
    require_win(desk, lamp.seat, lamp.hand)
    controller = desk.controller
    logged = controller.wins[lamp.award].logged if lamp.award else log_tray_award(desk, lamp)
    if logged.source == "cage" and not action.document.strip():
        text = (
            f"seat {lamp.seat} is paid {PAID_FROM[logged.source]}; name the document of the payment"
        )
        cites = tuple(dict.fromkeys((*rule.payment.cites, *step.cites)))
        raise Refused("payment.no_document", text, cites=cites)
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
        after = desk._replace(link=reduce(apply_to_link, told, link))
        yield from at_step(after, lamp, "pay")


def _entry(desk: Desk, lamp: Lamp, logged: e.WinLogged) -> r.AnyEvent:
    """A share of the meter, a payout of the tray, or, for a claim that was allowed with the light
    off and that the round knows no wager for, a payment by decision."""
    if logged.seat in desk.controller.allowed_unlit:
        reason = "a claim with the light off, allowed by two people"
        return r.PayoutCorrected(
            seat=logged.seat,
            spot="progressive",
            cents=logged.paid_cents,
            reason=reason,
            source=logged.source,
        )
    if not logged.percent:
        due = due_now(desk, lamp)
        return settled(desk.round, due, due.given_cents)
    return r.MeterAwarded(
        seat=logged.seat,
        hand=logged.hand,
        percent=logged.percent,
        cents=logged.cents,
        paid_cents=logged.paid_cents,
        resets=logged.resets,
        seed_cents=logged.seed_cents,
        reserve_units=logged.reserve_units,
    )


def cleared(setup: Setup, controller: Controller, seat: int) -> Iterator[e.LampCleared]:
    """When nothing is left to do about a hand, its lamp goes off."""
    lamp, rule = lamp_of(controller, seat), setup.book.progressive
    if lamp is not None and rule is not None and next_step(setup, rule, lamp) is None:
        yield e.LampCleared(seat=seat, hand=lamp.hand)
