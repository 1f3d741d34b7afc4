"""How a round ends at the controller: the end key, a void; and what two people take back."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller import winners
from riverboat.controller.sensors import AnyTold, contributed
from riverboat.controller.winners import Desk, rule_of
from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.meter.events import AnyMeterEvent, BackedOut, ContributionReversed
from riverboat.meter.operations import VoidRound, end_hold, reached
from riverboat.meter.operations import back_out as back_out_of_meter
from riverboat.meter.operations import void_round as void_on_meter
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.incidents import floor_decides, incident
from riverboat.round.settlement.own_meter import in_the_round
from riverboat.round.settlement.payment import close, remaining, unsettled_words
from riverboat.round.settlement.voids import void
from riverboat.round.state import Round, accepted_wagers
from riverboat.table.people import Actor, require_alone, require_role, require_two, signed_by


def game_over(desk: Desk, by: Actor, action: a.GameOver) -> Iterator[AnyTold]:
    """With everything settled and paid, the system is cleared for the next round."""
    controller, rule = desk.controller, rule_of(desk.round)
    cites = rule.end_of_round.cites
    require_role(by, winners.DEALER, rule.end_of_round.key, cites)
    if not controller.dealt:
        text = f"{rule.end_of_round.key} before a round is played"
        raise Refused("game_over.not_now", text, cites=cites)
    if controller.key != "RUN":
        raise Refused("key.at_jph", f"{rule.end_of_round.key} with the key at JPH", cites=cites)
    if controller.lamps:
        lamp = controller.lamps[0]
        text = f"not yet: {lamp.hand.replace('_', ' ')} is on for seat {lamp.seat}"
        off = winners.toggle_cites(rule) if lamp.wrong else ()
        text = f"{text}; press it again to turn it off" if lamp.wrong else text
        raise Refused("award.pending", text, cites=(*cites, *off))
    if desk.round.phase == "settling" and (left := remaining(desk.round)):
        raise Refused("close.unsettled", unsettled_words(desk.round, left[0]), cites=cites)
    accepted = len(controller.accepted)
    told = list(close(desk.round, g.Close()))
    ended = tuple(end_hold(desk.link, controller.table)) if desk.link is not None else ()
    after = (
        desk if desk.link is None else desk._replace(link=reduce(apply_to_meter, ended, desk.link))
    )
    given = tuple(contributed(after, told, controller.round, accepted))
    yield e.SystemReset(cause="game_over", by=by.name)
    yield from (*told, *ended, *given)


def void_round(desk: Desk, by: Actor, action: a.VoidRound) -> Iterator[AnyTold]:
    """Everything goes back: awards first, then contributions as far as they can."""
    cites = rule_of(desk.round).void.cites
    if action.incident is None or by.role != "dealer":
        require_role(by, winners.FLOOR, "a void round", cites)
    if desk.round.phase in ("over", "void"):
        text = "the round is over; only a manual adjustment is left"
        raise Refused("void.too_late", text, cites=cites)
    told = _void_events(desk.round, by, action, cites)
    if not any(isinstance(event, r.RoundVoided) for event in told):
        yield from told
        yield from lamps_forfeited(desk, told)
        return
    yield from voided(desk, told, action.reason or "the round is void", by.name)


def lamps_forfeited(desk: Desk, told: list[Any]) -> Iterator[e.WrongHandNoticed]:
    """A hand that is keyed wins nothing once its seat has forfeited: its lamp is to be turned off.
    An award that is logged already is backed out, which takes two people."""
    seats = {event.seat for event in told if isinstance(event, r.SeatForfeited)}
    for lamp in desk.controller.lamps:
        if lamp.seat in seats and not lamp.wrong and not lamp.award:
            yield alike(e.WrongHandNoticed, lamp, has=lamp.hand, fault="forfeited")


def voided(desk: Desk, told: list[Any], reason: str, by: str) -> Iterator[Any]:
    """A void round as its table tells it, without its contributions, and what the link gives back.

    Awards come first, then contributions as far as they can.
    """
    reversals = tuple(_give_back(desk, told, reason, by))
    for reversal in reversals:
        if isinstance(reversal, BackedOut):
            yield e.AwardTakenBack(award=reversal.award, reason=reason, by=by, second="")
    yield from told
    for reversal in reversals:
        yield reversal
        if isinstance(reversal, ContributionReversed):
            yield in_the_round(reversal)
    yield e.SystemReset(cause="void", by=by)


def _void_events(
    state: Round, by: Actor, action: a.VoidRound, cites: tuple[str, ...]
) -> list[r.AnyEvent]:
    """What the round itself gives back; its contributions are the link's to reverse."""
    reported = action.incident
    if reported is not None:
        require_alone(reported.second, "an incident whose void is signed for beside it", cites)
        decided = reported.decision == "void" and floor_decides(state, reported)
        if not decided:
            require_alone(action.second, "what the rulebook prescribes", cites)
        signed = signed_by(state, by, action.second, cites) if decided else ()
        return [
            replace(event, signed_by=signed) if isinstance(event, r.RoundVoided) else event
            for event in incident(state, reported)
        ]
    if not action.reason.strip():
        raise Refused("reason.missing", "a void round needs a reason", cites=cites)
    return list(void(state, action.reason, signed_by(state, by, action.second, cites)))


def _give_back(desk: Desk, told: list[r.AnyEvent], reason: str, by: str) -> Iterator[AnyMeterEvent]:
    """The link's part of a void, where there is one."""
    controller = desk.controller
    accepted = accepted_wagers(desk.round)
    returned = {
        event.seat
        for event in told
        if isinstance(event, r.WagerReturned) and event.spot == "progressive"
    }
    # One by decision goes back as a payout of the tray.
    giving_back = {
        event.seat
        for event in told
        if isinstance(event, r.AwardBackedOut)
        or (isinstance(event, r.PayoutReversed) and event.spot == "progressive")
    }
    keep = desk.round.setup.choice("void_contributions") == "keep"
    awarded = any(win.logged.percent and not win.taken_back for win in controller.wins.values())
    if awarded or not (keep or accepted.isdisjoint(returned)):
        round = VoidRound(
            table=controller.table,
            number=controller.round,
            giving_back=giving_back,
            void=len(accepted & returned),
            accepted=len(accepted),
            keep=keep,
        )
        yield from void_on_meter(reached(desk.link, rule_of(desk.round)), round, reason, by)


def back_out(desk: Desk, by: Actor, action: a.BackOut) -> Iterator[AnyTold]:
    """A logged award is taken back by a supervisor and a second person; both records stay."""
    rule = rule_of(desk.round)
    cites = rule.back_out.cites
    require_two(by, action.second, action.reason, "a back-out", cites)
    win = desk.controller.wins.get(action.award)
    logged_by_link = desk.link is not None and action.award in desk.link.awards
    if win is None and not logged_by_link:
        raise Refused("award.unknown", f"no award {action.award} is logged", cites=cites)
    if win is not None and not win.logged.percent:
        known = win.taken_back
    else:
        link = reached(desk.link, rule)
        if link.status == "ended":
            text = f"meter {link.id} has ended: what it owed is accounted for elsewhere"
            raise Refused("link.ended", text, cites=cites)
        known = link.awards[action.award].backed_out
        if link.awards[action.award].fixed.table != desk.controller.table:
            raise Refused("award.unknown", f"award {action.award} is another table's", cites=cites)
    if known:
        text = f"award {action.award} was backed out already"
        raise Refused("award.backed_out", text, cites=cites)
    yield alike(e.AwardTakenBack, action, by=by.name, second=action.second.name)
    yield from _paid_back(desk, action)
    if win is None or win.logged.percent:
        link = reached(desk.link, rule)
        yield from back_out_of_meter(link, action.award, action.reason, by.name, action.second.name)


def _paid_back(desk: Desk, action: a.BackOut) -> Iterator[AnyTold]:
    """The round's entry, while it is this round's award and was paid."""
    win = desk.controller.wins.get(action.award)
    if win is None or not win.paid:
        return
    logged = win.logged
    if not logged.percent or logged.seat in desk.controller.allowed_unlit:
        own = {"spot": "progressive", "cents": -logged.paid_cents, "reason": action.reason}
        yield alike(r.PayoutCorrected, logged, **own)
    else:
        yield alike(r.AwardBackedOut, logged)


def override_unlit(desk: Desk, by: Actor, action: a.OverrideUnlit) -> Iterator[AnyTold]:
    """A claim with the light off is denied, unless two people decide otherwise and say why."""
    cites = rule_of(desk.round).sensor.cites
    require_two(by, action.second, action.reason, "a claim with the light off", cites)
    winners.require_settling(desk)
    seat = desk.round.seats.get(action.seat)
    if seat is None or seat.status == "forfeit":
        raise Refused("seat.unknown", f"no hand counts at seat {action.seat}", cites=cites)
    if seat.lit or action.seat in desk.controller.allowed_unlit:
        raise Refused("seat.lit", f"the claim of seat {action.seat} needs no decision", cites=cites)
    yield alike(e.UnlitClaimAllowed, action, by=by.name, second=action.second.name)
