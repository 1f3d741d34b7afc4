"""A meter, of one table or of many: what it stands at now, remembered from its events.

It never refuses anything.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits
from riverboat.core.records import alike
from riverboat.meter import amounts as meters
from riverboat.meter import events as e
from riverboat.meter.amounts import Meter

Status: TypeAlias = Literal["not_open", "in_service", "out_of_service", "ended"]


class Award(Struct, frozen=True, kw_only=True):
    """One award on the meter, from the moment when it was fixed."""

    number: int
    fixed: e.AwardFixed
    paid: bool = False
    moved: bool = False
    backed_out: bool = False


class RoundShare(Struct, frozen=True, kw_only=True):
    """What a table's last round contributed, and how many awards had been fixed before."""

    round: int
    units: MeterUnits
    reserve_units: MeterUnits
    awards_before: int
    queued: bool = False


class Pending(Struct, frozen=True, kw_only=True):
    """The award that the meter waits for, or the co-winners whose shares are still to come.

    `award` is empty between two shares. `group` is the meter on which all shares were fixed.
    """

    award: str
    table: str
    round: int
    percent: int
    share_cents: Cents
    shares_left: int
    group: Meter


class Totals(Struct, frozen=True, kw_only=True):
    """Sums of all that has happened, in units; what has come in, was hit and won never falls."""

    contributions: MeterUnits = 0
    reversed: MeterUnits = 0
    seeds: MeterUnits = 0
    reserve_transfers: MeterUnits = 0
    awards: MeterUnits = 0
    adjustments: MeterUnits = 0
    reserve_contributions: MeterUnits = 0
    reserve_reversed: MeterUnits = 0
    reserve_adjustments: MeterUnits = 0
    wagers_cents: Cents = 0
    hits: int = 0
    won_cents: Cents = 0


class Link(Struct, frozen=True, kw_only=True):
    """Everything there is to know about a meter and the tables that play for it."""

    id: str = ""
    status: Status = "not_open"
    reason: str = ""
    seed_cents: Cents = 0
    initial_cents: Cents = 0
    wager_cents: Cents = 0
    rate_bp: int = 0
    reserve_bp: int = 0
    meter: Meter = Meter()
    queue: dict[str, Meter] = {}
    members: dict[str, e.TableJoined] = {}
    """The tables of the link, as they joined."""
    shares: dict[str, RoundShare] = {}
    pending: Pending | None = None
    awards: dict[str, Award] = {}
    totals: Totals = Totals()
    by_table: dict[str, Totals] = {}
    events: int = 0

    @property
    def queued(self) -> Meter:
        """What waits for the pending award, of all tables."""
        return reduce(_together, self.queue.values(), Meter())


def alone(meter: Meter, seed_cents: Cents) -> Link:
    """The meter of one table by itself: neither of them needs a name."""
    one = e.TableJoined(
        table="", rulebook="", seats=0, wager_cents=0, rate_bp=0, reserve_bp=0, chance=""
    )
    return Link(status="in_service", seed_cents=seed_cents, meter=meter, members={"": one})


def apply(link: Link, event: e.AnyMeterEvent) -> Link:
    """The link after an event."""
    return replace(_REMEMBER[type(event)](link, event), events=link.events + 1)


def _together(one: Meter, other: Meter) -> Meter:
    return meters.contribute(one, other.units, other.reserve_units)


def _count(link: Link, table: str = "", **more: int) -> Link:
    """The link with sums that have grown, for all and for the table that it was at."""
    totals = _sum(link.totals, more)
    if not table:
        return replace(link, totals=totals)
    own = _sum(link.by_table.get(table) or Totals(), more)
    return replace(link, totals=totals, by_table={**link.by_table, table: own})


def _sum(totals: Totals, more: dict[str, int]) -> Totals:
    return replace(totals, **{name: getattr(totals, name) + n for name, n in more.items()})


def _opened(link: Link, event: e.MeterOpened) -> Link:
    meter = meters.meter_of(event.initial_cents)
    terms = ("seed_cents", "initial_cents", "wager_cents", "rate_bp", "reserve_bp")
    own = {name: getattr(event, name) for name in terms}
    opened = replace(link, id=event.link, status="in_service", meter=meter, **own)
    return _count(opened, seeds=meter.units)


def _left(link: Link, event: e.TableLeft) -> Link:
    members = {name: member for name, member in link.members.items() if name != event.table}
    return replace(_without_share(link, event.table), members=members)


def _without_share(link: Link, table: str) -> Link:
    shares = {name: share for name, share in link.shares.items() if name != table}
    return replace(link, shares=shares)


def _contributed(link: Link, event: e.Contributed) -> Link:
    waits = link.pending is not None
    share = alike(RoundShare, event, awards_before=len(link.awards), queued=waits)
    link = replace(link, shares={**link.shares, event.table: share})
    wagers = event.wagers * link.members[event.table].wager_cents
    came = alike(Meter, event)
    if not waits:
        return _reach_meter(link, event.table, came, wagers)
    waiting = _together(link.queue.get(event.table, Meter()), came)
    link = replace(link, queue={**link.queue, event.table: waiting})
    return _count(link, event.table, wagers_cents=wagers)


def _reach_meter(link: Link, table: str, came: Meter, wagers_cents: Cents = 0) -> Link:
    return _count(
        replace(link, meter=_together(link.meter, came)),
        table,
        contributions=came.units,
        reserve_contributions=came.reserve_units,
        wagers_cents=wagers_cents,
    )


def _queue_added(link: Link, event: e.QueueAdded) -> Link:
    shares = dict(link.shares)
    for table, share in link.shares.items():
        if share.queued:
            shares[table] = replace(share, queued=False, awards_before=len(link.awards))
    for table, came in link.queue.items():
        link = _reach_meter(link, table, came)
    return replace(link, queue={}, shares=shares)


def _fixed(link: Link, event: e.AwardFixed) -> Link:
    award = Award(number=len(link.awards) + 1, fixed=event)
    group = link.pending.group if link.pending is not None else link.meter
    left = event.of - event.share
    pending = alike(Pending, event, share_cents=event.cents, shares_left=left, group=group)
    return replace(link, pending=pending, awards={**link.awards, event.award: award})


def _award(link: Link, name: str, **changes: Any) -> Link:
    return replace(link, awards={**link.awards, name: replace(link.awards[name], **changes)})


def _moved(link: Link, event: e.MeterMoved) -> Link:
    fixed = link.awards[event.award].fixed
    meter = meters.pay_award(link.meter, event.cents)
    if fixed.resets:
        meter = meters.reset(meter, event.seed_cents, event.reserve_units)
    pending = link.pending
    if pending is not None and pending.award == event.award:
        pending = replace(pending, award="") if pending.shares_left else None
    link = replace(_award(link, event.award, moved=True), meter=meter, pending=pending)
    return _count(
        link,
        fixed.table,
        awards=event.cents * METER_UNITS_PER_CENT,
        seeds=event.seed_cents * METER_UNITS_PER_CENT,
        reserve_transfers=event.reserve_units,
        hits=1,
        won_cents=event.cents,
    )


def _backed_out(link: Link, event: e.BackedOut) -> Link:
    fixed = link.awards[event.award].fixed
    link = _award(link, event.award, backed_out=True)
    if link.pending is not None and link.pending.award == event.award:
        link = replace(link, pending=None)
    if not event.moved:
        return link
    back = (event.cents - event.seed_cents) * METER_UNITS_PER_CENT - event.reserve_units
    meter = meters.back_out(link.meter, event.cents, event.seed_cents, event.reserve_units)
    link, reserve = replace(link, meter=meter), event.reserve_units
    return _count(link, fixed.table, adjustments=back, reserve_adjustments=reserve)


def _reversed(link: Link, event: e.ContributionReversed) -> Link:
    meter = meters.contribute(link.meter, -event.units, -event.reserve_units)
    queue = dict(link.queue)
    if waits := queue.get(event.table):
        back = (-event.queued_units, -event.queued_reserve_units)
        queue[event.table] = meters.contribute(waits, *back)
    link = replace(link, meter=meter, queue=queue)
    if event.left_units or event.left_reserve_units:
        left = {"units": event.left_units, "reserve_units": event.left_reserve_units}
        share = replace(link.shares[event.table], **left)
        link = replace(link, shares={**link.shares, event.table: share})
    else:
        link = _without_share(link, event.table)
    return _count(link, event.table, reversed=event.units, reserve_reversed=event.reserve_units)


def _ended(link: Link, event: e.MovedOut | e.Retired) -> Link:
    return replace(_transfer(link, -event.units, -event.reserve_units), status="ended")


def _transfer(link: Link, units: MeterUnits, reserve_units: MeterUnits) -> Link:
    meter = meters.contribute(link.meter, units, reserve_units)
    return _count(replace(link, meter=meter), adjustments=units, reserve_adjustments=reserve_units)


_REMEMBER: dict[type, Callable[[Link, Any], Link]] = {
    e.MeterOpened: _opened,
    e.TableJoined: lambda link, event: replace(link, members={**link.members, event.table: event}),
    e.ChancesDiffer: lambda link, event: link,
    e.TableLeft: _left,
    e.Contributed: _contributed,
    e.QueueAdded: _queue_added,
    e.AwardFixed: _fixed,
    e.AwardPaid: lambda link, event: _award(link, event.award, paid=True),
    e.MeterMoved: _moved,
    e.HoldEnded: lambda link, event: replace(link, pending=None),
    e.BackedOut: _backed_out,
    e.ContributionReversed: _reversed,
    e.Adjusted: lambda link, event: _transfer(link, event.units, 0),
    e.MovedOut: _ended,
    e.MovedIn: lambda link, event: _transfer(link, event.units, event.reserve_units),
    e.Retired: _ended,
    e.WentOutOfService: lambda link, event: replace(
        link, status="out_of_service", reason=event.reason
    ),
    e.CameBackInService: lambda link, event: replace(link, status="in_service", reason=""),
    e.Alarmed: lambda link, event: link,
}
