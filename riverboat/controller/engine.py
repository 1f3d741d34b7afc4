"""A table's controller: `advance` decides and may refuse; it changes table and meter together."""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller import keypad, reversals, sensors
from riverboat.controller.sensors import AnyTold
from riverboat.controller.state import Controller, apply
from riverboat.controller.winners import Desk
from riverboat.core.well_formed import require_action, require_kind, require_struct
from riverboat.meter.books import Posting
from riverboat.meter.events import AnyMeterEvent, MeterEvent
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.round.settlement.postings import BREAKAGE, postings
from riverboat.round.state import Round
from riverboat.round.state import apply as apply_to_round
from riverboat.table.people import Actor

AnyTableEvent: TypeAlias = r.AnyEvent | e.AnyControllerEvent

DECIDE: dict[type, Callable[[Desk, Actor, Any], Iterator[AnyTold]]] = {
    a.PlaceChip: sensors.place_chip,
    a.RemoveChip: sensors.remove_chip,
    a.CoinIn: sensors.coin_in,
    a.PlayWithout: sensors.play_without,
    a.CountChips: sensors.count_chips,
    a.CancelWager: sensors.cancel_wager,
    a.FirstCard: sensors.first_card,
    a.PressHand: keypad.press_hand,
    a.CallSupervisor: keypad.call_supervisor,
    a.VerifyWin: keypad.verify_win,
    a.KeyInWinner: keypad.key_in_winner,
    a.TurnKey: keypad.turn_key,
    a.PressJPot: keypad.press_j_pot,
    a.PrintWinPage: keypad.print_win_page,
    a.PayAward: keypad.pay_award,
    a.GameOver: reversals.game_over,
    a.BackOut: reversals.back_out,
    a.OverrideUnlit: reversals.override_unlit,
    a.VoidRound: reversals.void_round,
}


class Pressed(NamedTuple):
    """What follows from a press: for the table's stream and, in the same breath, for the link's."""

    events: tuple[AnyTableEvent, ...]
    meter_events: tuple[AnyMeterEvent, ...]
    controller: Controller
    round: Round
    link: Link | None


def advance(
    controller: Controller, by: Actor, action: a.AnyPress, *, round: Round, link: Link | None
) -> Pressed:
    """What follows from an action at the controller, or a refusal that changes nothing.

    `link` is the meter's as it stands now, or None when it cannot be reached.
    """
    require_kind(controller, Controller, "controller")
    require_struct(by, Actor, "by")
    require_kind(round, Round, "round")
    if link is not None:
        require_kind(link, Link, "link")
    require_action(action, DECIDE)
    told = tuple(DECIDE[type(action)](Desk(controller, round, link), by, action))
    events = tuple(event for event in told if not isinstance(event, MeterEvent))
    meter_events = tuple(event for event in told if isinstance(event, MeterEvent))
    for event in events:
        controller, round = follow(controller, round, event)
    if link is not None:
        link = reduce(apply_to_meter, meter_events, link)
    return Pressed(events, meter_events, controller, round, link)


def follow(controller: Controller, round: Round, event: AnyTableEvent) -> tuple[Controller, Round]:
    """Controller and round after an event of the table's stream."""
    if isinstance(event, e.ControllerEvent):
        return apply(controller, event), round
    return controller, apply_to_round(round, event)


def table_postings(
    event: AnyTableEvent, controller: Controller, before: Round
) -> tuple[Posting, ...]:
    """What an event did to the table's accounts in cents, given controller and round as they were.

    That is what the round posts. Of an award that two people decided on, the round has the payment
    as a correction, and only the controller knows what rounding left of it.
    """
    if not isinstance(event, e.ControllerEvent):
        return postings(event, before)
    win = controller.wins.get(event.award) if isinstance(event, _OF_AWARDS) else None
    if win is None or not win.logged.percent or win.logged.seat not in controller.allowed_unlit:
        return ()
    given, broken = isinstance(event, e.AwardGiven), win.logged.cents - win.logged.paid_cents
    if not broken or not (given or win.paid):
        return ()
    amount = broken if given else -broken
    return (Posting(win.logged.source, "cent", -amount), Posting(BREAKAGE, "cent", amount))


_OF_AWARDS = (e.AwardGiven, e.AwardTakenBack)
