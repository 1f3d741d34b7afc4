"""What a table asks of its meter: contributions, awards fixed, paid, moved, taken back.

One award at a time: from the moment when it is fixed until the meter has moved, no other one can be
fixed, and what other tables contribute waits. The order is that of the link's events.
"""

from collections.abc import Container, Iterable, Iterator
from functools import reduce
from typing import Literal, NamedTuple

from msgspec.structs import replace

from riverboat.core import money
from riverboat.core.errors import Refused
from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits, format_cents
from riverboat.core.records import alike
from riverboat.meter import amounts as meters
from riverboat.meter import events as e
from riverboat.meter.amounts import Meter
from riverboat.meter.state import Award, Link, apply
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebook.values import table_called


class Share(NamedTuple):
    """One winner's share of a meter: how much it is, on which meter it was reckoned, among how many
    alike, and the meter when all of them have theirs. The last one's share of all of it resets."""

    percent: int
    cents: Cents
    resets: bool
    reserve_units: MeterUnits
    of: int
    before: Meter
    after: Meter


def share_out(
    meter: Meter, seed_cents: Cents, groups: Iterable[tuple[int, int]], rounding: str
) -> Iterator[tuple[Share, ...]]:
    """The shares of winners, group after group, each on the meter that the one before it left.

    A group is so many percent of the meter and how many winners have it in equal parts.
    """
    for percent, of in groups:
        before, cents = meter, meters.award_cents(meter, percent, rounding, of)
        for _ in range(of):
            meter = meters.pay_award(meter, cents)
        full = percent == 100
        meter = meters.reset(meter, seed_cents) if full else meter
        share = Share(percent, cents, False, 0, of, before, meter)
        last = share._replace(resets=full, reserve_units=before.reserve_units if full else 0)
        yield (*[share] * (of - 1), last)


class UnreasonableContribution(Refused):
    """A contribution that cannot be right; the alarm is for the link's own record."""

    def __init__(self, message: str, alarm: e.Alarmed, cites: tuple[str, ...]) -> None:
        super().__init__("contribution.unreasonable", message, cites=cites)
        self.alarm = alarm


def reached(link: Link | None, rule: Progressive) -> Link:
    """The link, if it can be reached."""
    if link is None:
        text = "the meter cannot be reached; the progressive is out of service at this table"
        raise Refused("link.unreachable", text, cites=rule.link.cites)
    return link


def takes_wagers(link: Link | None, table: str) -> bool:
    """Whether a table's wagers can reach the meter."""
    return link is not None and link.status == "in_service" and table in link.members


def in_service(link: Link | None, table: str, rule: Progressive) -> Link:
    """The link, if it takes wagers and the table is one of its tables."""
    link = reached(link, rule)
    if link.status != "in_service":
        why = f": {link.reason}" if link.reason else ""
        text = f"meter {link.id} is {link.status.replace('_', ' ')}{why}"
        raise Refused("link.out_of_service", text, cites=rule.link.cites)
    if table not in link.members:
        text = f"{table_called(table)} has not joined meter {link.id}"
        raise Refused("link.not_joined", text, cites=rule.link.cites)
    return link


def contribute(
    link: Link | None, came: e.Contributed, rule: Progressive
) -> Iterator[e.AnyMeterEvent]:
    """A round's contributions, once; they wait while an award is pending."""
    link = in_service(link, came.table, rule)
    last = link.shares.get(came.table)
    if last is not None and came.round <= last.round:
        text = f"{table_called(came.table)} has contributed for round {last.round} already"
        raise Refused("contribution.twice", text, cites=rule.lock.cites)
    _require_reasonable(link.members[came.table], came, rule)
    yield came


def _require_reasonable(member: e.TableJoined, came: e.Contributed, rule: Progressive) -> None:
    """Exactly what its wagers give on the terms with which the table joined, of no more seats
    than it has."""
    wagers = min(max(came.wagers, 0), member.seats)
    stakes = wagers * member.wager_cents
    shares = (
        ("the meter", came.units, meters.contribution(stakes, member.rate_bp)),
        ("the reserve", came.reserve_units, meters.contribution(stakes, member.reserve_bp)),
    )
    for what, units, due in shares:
        if units != due or wagers != came.wagers:
            text = (
                f"{units} units to {what} for {came.wagers} wagers of {table_called(came.table)}, "
                f"which has {member.seats} seats; {wagers} wagers give {due}"
            )
            alarm = alike(
                e.Alarmed,
                came,
                due_units=meters.contribution(stakes, member.rate_bp),
                due_reserve_units=meters.contribution(stakes, member.reserve_bp),
            )
            raise UnreasonableContribution(text, alarm, rule.contribution.cites)


def require_free(link: Link, table: str, number: int, percent: int, rule: Progressive) -> None:
    """No other award is pending; between the shares of co-winners only theirs can be fixed."""
    held = link.pending
    if held is None:
        return
    same = (held.table, held.round, held.percent) == (table, number, percent)
    if held.award or not same:
        text = (
            f"an award of {format_cents(held.share_cents)} at {table_called(held.table)} is "
            f"pending on meter {link.id}; the next one is fixed when the meter has moved"
        )
        raise Refused("award.pending", text, cites=rule.link.cites)


def fix_award(
    link: Link, name: str, table: str, number: int, seat: int, hand: str, won: Share
) -> Iterator[e.AnyMeterEvent]:
    """A share of the meter, as it was reckoned on it, belongs to a seat."""
    yield alike(
        e.AwardFixed,
        won,
        award=name,
        table=table,
        round=number,
        seat=seat,
        hand=hand,
        before_units=link.meter.units,
        seed_cents=link.seed_cents if won.resets else 0,
        share=won.of - link.pending.shares_left + 1 if link.pending is not None else 1,
    )


def pay(
    link: Link, name: str, paid_cents: int, source: Literal["tray", "cage"]
) -> Iterator[e.AnyMeterEvent]:
    """The award is paid, from there, in the payable unit; what that leaves of it is breakage."""
    breakage = link.awards[name].fixed.cents - paid_cents
    yield e.AwardPaid(award=name, paid_cents=paid_cents, source=source, breakage_cents=breakage)


def move(link: Link, name: str) -> Iterator[e.AnyMeterEvent]:
    """The meter gives the award, is reset if that was all of it, and then gets what waited."""
    moved = alike(e.MeterMoved, link.awards[name].fixed)
    yield moved
    yield from _add_queue(apply(link, moved))


def end_hold(link: Link, table: str) -> Iterator[e.AnyMeterEvent]:
    """Shares that nobody takes any more are no reason to wait."""
    if link.pending is not None and not link.pending.award and link.pending.table == table:
        ended = e.HoldEnded(table=table)
        yield ended
        yield from _add_queue(apply(link, ended))


def _add_queue(link: Link) -> Iterator[e.AnyMeterEvent]:
    waiting = link.queued
    if link.pending is None and (waiting.units or waiting.reserve_units):
        yield e.QueueAdded(units=waiting.units, reserve_units=waiting.reserve_units)


def back_out(link: Link, name: str, reason: str, by: str, second: str) -> Iterator[e.AnyMeterEvent]:
    """An award is reversed exactly; of the seed, no more goes back than the meter can give."""
    award = link.awards[name]
    fixed, seed, reserve = award.fixed, 0, 0
    if award.moved:
        room = link.meter.units + fixed.cents * METER_UNITS_PER_CENT - _committed(link)
        reserve = min(fixed.reserve_units, room)
        seed = min(fixed.seed_cents, money.divide_down(room - reserve, METER_UNITS_PER_CENT))
    said = {"moved": award.moved, "reason": reason, "by": by, "second": second}
    backed = alike(e.BackedOut, fixed, seed_cents=seed, reserve_units=reserve, **said)
    yield backed
    after = apply(link, backed)
    yield from _add_queue(after)
    if after.pending is not None and after.pending.round == fixed.round:
        yield from end_hold(after, fixed.table)


def _committed(link: Link) -> MeterUnits:
    """What the meter owes to awards that were fixed and have not left it yet."""
    held = link.pending
    if held is None:
        return 0
    shares = held.shares_left + (1 if held.award else 0)
    return shares * held.share_cents * METER_UNITS_PER_CENT


def after_pending(link: Link) -> Meter:
    """The meter as it will stand when the pending award has left it, without what waits."""
    held = link.pending
    if held is None:
        return link.meter
    meter = meters.pay_award(link.meter, money.divide_exact(_committed(link), METER_UNITS_PER_CENT))
    if held.percent < 100:
        return meter
    return meters.reset(meter, link.seed_cents, min(held.group.reserve_units, meter.reserve_units))


class VoidRound(NamedTuple):
    """What a meter has to know of a round that is void: the seats that give their awards back, how
    many of how many accepted wagers are void, and whether contributions stay where they are."""

    table: str
    number: int
    giving_back: Container[int]
    void: int
    accepted: int
    keep: bool


def void_round(link: Link, round: VoidRound, reason: str, by: str) -> Iterator[e.AnyMeterEvent]:
    """Awards that were not paid, or go back, are backed out, and those that stand leave the meter;
    then the void wagers' contributions go back as far as they can."""
    table, number = round.table, round.number
    mine = [
        award
        for award in link.awards.values()
        if (award.fixed.table, award.fixed.round) == (table, number) and not award.backed_out
    ]
    for award in mine:
        name = award.fixed.award
        if not award.paid or award.fixed.seat in round.giving_back:
            done = tuple(back_out(link, name, reason, by, ""))
        else:
            done = () if award.moved else tuple(move(link, name))
        yield from done
        link = reduce(apply, done, link)
    ended = tuple(end_hold(link, table))
    yield from ended
    if not round.keep:
        link = reduce(apply, ended, link)
        yield from reverse(link, table, number, round.void, round.accepted)


def reverse(
    link: Link, table: str, number: int, void: int, accepted: int, *, rest: bool = False
) -> Iterator[e.ContributionReversed]:
    """A void round's contributions go back, for so many of the accepted wagers; with `rest` the
    round goes on, and those of the others can go back later.

    Only what no award has paid out since, and never below the reset amount; the house bears the
    rest. What still waits in the queue goes back whole.
    """
    share = link.shares.get(table)
    if share is None or share.round != number or not void:
        return
    if not (share.units or share.reserve_units):
        return
    owed = money.divide_exact(share.units * void, accepted)
    reserve = money.divide_exact(share.reserve_units * void, accepted)
    gone = e.ContributionReversed(
        table=table,
        round=number,
        units=0,
        reserve_units=0,
        left_units=share.units - owed if rest else 0,
        left_reserve_units=share.reserve_units - reserve if rest else 0,
    )
    if share.queued:
        yield replace(gone, queued_units=owed, queued_reserve_units=reserve)
        return
    since = [award for award in link.awards.values() if award.number > share.awards_before]
    kept = _left_by_shares_to_come(link, reduce(_not_paid_out, since, owed))
    units = meters.reversible(after_pending(link), kept, link.seed_cents)
    in_reserve = min(reserve, _reserve_left(link, since))
    short = owed - units + reserve - in_reserve
    yield replace(gone, units=units, reserve_units=in_reserve, shortfall_units=short)


def _left_by_shares_to_come(link: Link, units: MeterUnits) -> MeterUnits:
    """What the shares that co-winners still get will leave of a contribution."""
    held = link.pending
    if held is None:
        return units
    if held.percent == 100:
        return 0
    share = held.share_cents * METER_UNITS_PER_CENT
    meter = link.meter.units - (share if held.award else 0)
    for _ in range(held.shares_left):
        units = money.divide_down(units * (meter - share), meter)
        meter -= share
    return units


def _reserve_left(link: Link, since: list[Award]) -> MeterUnits:
    """What of the reserve is not on the meter yet, and not promised to it by a pending award."""
    if any(award.fixed.resets and not award.backed_out for award in since):
        return 0
    held = link.pending
    promised = held.group.reserve_units if held is not None and held.percent == 100 else 0
    return max(0, link.meter.reserve_units - promised)


def _not_paid_out(units: MeterUnits, award: Award) -> MeterUnits:
    """What an award has left of a contribution: after A on a meter M, the share M - A."""
    fixed = award.fixed
    if award.backed_out:
        return units
    if fixed.resets:
        return 0
    left = fixed.before_units - fixed.cents * METER_UNITS_PER_CENT
    return money.divide_down(units * left, fixed.before_units) if fixed.before_units else 0
