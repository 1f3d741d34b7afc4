"""From the first chip on a sensor to the first card: sensors, the lock, the count."""

from collections.abc import Iterator

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller import winners
from riverboat.controller.winners import Desk, rule_of
from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.meter.events import AnyMeterEvent, Contributed, ContributionReversed
from riverboat.meter.operations import contribute, in_service, reached, reverse, takes_wagers
from riverboat.round import actions as g
from riverboat.round import betting
from riverboat.round import events as r
from riverboat.round.settlement.own_meter import in_the_round
from riverboat.table.people import Actor, require_role

AnyTold = r.AnyEvent | e.AnyControllerEvent | AnyMeterEvent


def place_chip(desk: Desk, by: Actor, action: a.PlaceChip) -> Iterator[AnyTold]:
    """A chip counts while bets are open, with an ante beside it and of the right amount."""
    rule = rule_of(desk.round)
    if not takes_chips(desk):
        text = f"a chip on the sensor of seat {action.seat} after the bets were closed"
        cites = (*rule.sensor.cites, *rule.lock.cites)
        raise Refused("sensor.late", text, cites=cites)
    bet = g.Wager(seat=action.seat, spot="progressive", cents=action.cents, player=action.player)
    yield from betting.wager(desk.round, bet)
    yield e.ChipDetected(seat=action.seat)


def takes_chips(desk: Desk) -> bool:
    """Whether a chip that is put on a sensor, or taken off it, still counts."""
    return betting.betting_is_open(desk.round) and not desk.controller.locked


def remove_chip(desk: Desk, by: Actor, action: a.RemoveChip) -> Iterator[AnyTold]:
    """A player changes his mind while bets are open; afterwards the list stays as it is."""
    rule = rule_of(desk.round)
    if not takes_chips(desk):
        text = f"the chip of seat {action.seat} is taken off after the bets were closed"
        raise Refused("sensor.locked", text, cites=rule.lock.cites)
    yield from betting.take_back(desk.round, g.TakeBack(seat=action.seat, spot="progressive"))
    yield e.ChipRemoved(seat=action.seat)


def coin_in(desk: Desk, by: Actor, action: a.CoinIn) -> Iterator[AnyTold]:
    """The accepted wagers are frozen, their lights go on, and the meter gets its share."""
    controller, rule = desk.controller, rule_of(desk.round)
    require_role(by, winners.DEALER, rule.lock.key, rule.lock.cites)
    _require_not_locked(desk)
    if controller.key != "RUN":
        text = "the key stands at JPH; turn it to Run first"
        raise Refused("key.at_jph", text, cites=rule.keys.cites)
    number = _number(desk, action.round)
    told = list(betting.lock_progressive(desk.round, g.LockProgressive()))
    locked = next(event for event in told if isinstance(event, r.ProgressiveLocked))
    if locked.seats:
        in_service(desk.link, controller.table, rule)
    given = tuple(contributed(desk, told, number, len(locked.seats)))
    yield e.BetsLocked(round=number, seats=locked.seats, by=by.name)
    yield from told
    yield from given


def _number(desk: Desk, wanted: int) -> int:
    number = wanted or desk.controller.round + 1
    if number <= desk.controller.round:
        text = f"round {number} after round {desk.controller.round}"
        raise Refused("round.not_new", text, cites=rule_of(desk.round).lock.cites)
    return number


def _require_not_locked(desk: Desk) -> None:
    if desk.controller.locked:
        text = f"the wagers of round {desk.controller.round} are locked already"
        raise Refused("bets.locked", text, cites=rule_of(desk.round).lock.cites)


def contributed(
    desk: Desk, told: list[r.AnyEvent], number: int, wagers: int
) -> Iterator[AnyMeterEvent]:
    """What the round gives to its meter goes to the linked one."""
    for event in told:
        if isinstance(event, r.MeterContributed):
            table = desk.controller.table
            came = alike(Contributed, event, table=table, round=number, wagers=wagers)
            yield from contribute(desk.link, came, rule_of(desk.round))


def play_without(desk: Desk, by: Actor, action: a.PlayWithout) -> Iterator[AnyTold]:
    """With the meter out of service nobody's wager is taken, and the game itself goes on."""
    rule = rule_of(desk.round)
    require_role(by, winners.DEALER, "going on without the progressive", rule.lock.cites)
    _require_not_locked(desk)
    if desk.link is not None and takes_wagers(desk.link, desk.controller.table):
        text = f"meter {desk.link.id} is in service; press {rule.lock.key}"
        raise Refused("link.in_service", text, cites=rule.lock.cites)
    if desk.round.phase != "closed":
        raise Refused("progressive.cannot_lock", "bets are not closed", cites=rule.lock.cites)
    number = _number(desk, action.round)
    for place, seat in sorted(desk.round.seats.items()):
        if "progressive" in seat.wagers:
            yield r.WagerTakenBack(seat=place, spot="progressive", cents=seat.wagers["progressive"])
    yield e.PlayedWithout(round=number, by=by.name)
    yield r.ProgressiveLocked(seats=())
    yield r.ProgressiveCollected(seats=(), cents_each=0)


def count_chips(desk: Desk, by: Actor, action: a.CountChips) -> Iterator[AnyTold]:
    """The chips are counted against the accepted wagers; a difference blocks or warns."""
    require_role(by, winners.DEALER, "collecting the chips", rule_of(desk.round).collection.cites)
    told = list(betting.collect_progressive(desk.round, g.CollectProgressive(chips=action.chips)))
    accepted = len(desk.controller.accepted)
    equal = action.chips == accepted
    blocked = any(isinstance(event, r.DealBlocked) for event in told)
    result = "equal" if equal else "blocked" if blocked else "warning"
    yield alike(e.ChipsCounted, action, accepted=accepted, result=result, by=by.name)
    yield from told


def cancel_wager(desk: Desk, by: Actor, action: a.CancelWager) -> Iterator[AnyTold]:
    """A wager that was accepted and whose chip is not there is cancelled by the floor before the
    chips are taken: its light goes off, and the meter gives its share back."""
    controller, rule = desk.controller, rule_of(desk.round)
    cites = rule.collection.cites
    require_role(by, winners.FLOOR, "cancelling an accepted wager", cites)
    if not controller.locked or controller.counted:
        text = f"the wager of seat {action.seat} is cancelled between {rule.lock.key} and the count"
        raise Refused("wager.not_now", text, cites=cites)
    if action.seat not in controller.accepted:
        raise Refused("seat.unlit", f"seat {action.seat} has no accepted wager", cites=cites)
    if not action.reason.strip():
        raise Refused("reason.missing", "a cancelled wager needs a reason", cites=cites)
    cents = desk.round.seats[action.seat].wagers["progressive"]
    left = tuple(seat for seat in sorted(controller.accepted) if seat != action.seat)
    back: tuple[ContributionReversed, ...] = ()
    if desk.round.setup.choice("contribute_at") == "lock":
        link, accepted = reached(desk.link, rule), len(controller.accepted)
        back = tuple(reverse(link, controller.table, controller.round, 1, accepted, rest=True))
    yield e.WagerCancelled(seat=action.seat, reason=action.reason, by=by.name)
    yield r.WagerTakenBack(seat=action.seat, spot="progressive", cents=cents)
    yield r.ProgressiveLocked(seats=left)
    for reversal in back:
        yield reversal
        yield in_the_round(reversal)


def first_card(desk: Desk, by: Actor, action: a.FirstCard) -> Iterator[AnyTold]:
    """Nothing is dealt before the wagers are locked and collected."""
    controller, rule = desk.controller, rule_of(desk.round)
    require_role(by, winners.DEALER, "the deal", rule.lock.cites)
    if not controller.locked:
        text = f"a card before {rule.lock.key}; the wagers are locked before the first card"
        raise Refused("deal.not_locked", text, cites=rule.lock.cites)
    if not controller.counted:
        text = "a card before the progressive chips are collected and counted"
        raise Refused("deal.not_counted", text, cites=rule.collection.cites)
    if controller.dealt:
        raise Refused("deal.done", "the cards are dealt already", cites=rule.lock.cites)
    yield e.FirstCardDealt(by=by.name)
