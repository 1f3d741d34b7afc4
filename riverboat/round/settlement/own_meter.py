"""A table's own meter: a link with one table, told from the events of the round played for it.

A round says what was wagered and what was won; it keeps no balance. Where its table alone plays for
a meter, that stands where the round's events leave it. Where others play for it too, it is not open
here, and its own stream says where it stands.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any, Final

from riverboat.core.records import alike
from riverboat.meter import events as e
from riverboat.meter.amounts import Meter
from riverboat.meter.operations import move, pay
from riverboat.meter.state import Link, alone, apply
from riverboat.round import events as r
from riverboat.round.setup.setup import Setup

TABLE: Final = ""
ROUND: Final = 1


def own_link(setup: Setup, history: Sequence[r.AnyEvent]) -> Link:
    """The meter as a round's events leave it."""
    opened, progressive = history[0] if history else None, setup.progressive
    if not isinstance(opened, r.RoundOpened) or opened.meter_units is None or progressive is None:
        return Link()
    meter = Meter(units=opened.meter_units, reserve_units=opened.reserve_units)
    return go_on(alone(meter, progressive.seed_cents), history)


def go_on(link: Link, events: Sequence[r.AnyEvent]) -> Link:
    """The table's own meter after some more events of the round."""
    return reduce(follow, [event for event in events if type(event) in _TOLD], link)


def told_to(link: Link, event: r.AnyEvent) -> tuple[e.AnyMeterEvent, ...]:
    """What an event of the round is to the table's own meter."""
    told = _TOLD.get(type(event))
    return tuple(told(link, event)) if told is not None and link.status != "not_open" else ()


def follow(link: Link, event: r.AnyEvent) -> Link:
    """The table's own meter after an event of the round."""
    return reduce(apply, told_to(link, event), link)


def in_the_round(reversal: e.ContributionReversed) -> r.ContributionReversed:
    """What went back from a meter or its queue, as the round tells it."""
    return r.ContributionReversed(
        units=reversal.units + reversal.queued_units,
        reserve_units=reversal.reserve_units + reversal.queued_reserve_units,
        shortfall_units=reversal.shortfall_units,
    )


def _contributed(link: Link, event: r.MeterContributed) -> Iterator[e.AnyMeterEvent]:
    yield alike(e.Contributed, event, table=TABLE, round=ROUND, wagers=0)


def _awarded(link: Link, event: r.MeterAwarded) -> Iterator[e.AnyMeterEvent]:
    place = {"award": str(event.seat), "table": TABLE, "round": ROUND}
    fixed = alike(e.AwardFixed, event, before_units=link.meter.units, **place)
    yield fixed
    link = apply(link, fixed)
    # From where it was paid is for the round to say: no other table asks this meter.
    yield from pay(link, fixed.award, event.paid_cents, "cage")
    yield from move(link, fixed.award)


def _backed_out(link: Link, event: r.AwardBackedOut) -> Iterator[e.AnyMeterEvent]:
    nobody = {"reason": "", "by": "", "second": ""}
    yield alike(e.BackedOut, event, award=str(event.seat), moved=True, **nobody)


def _reversed(link: Link, event: r.ContributionReversed) -> Iterator[e.AnyMeterEvent]:
    yield alike(e.ContributionReversed, event, table=TABLE, round=ROUND)


_TOLD: dict[type, Callable[[Link, Any], Iterator[e.AnyMeterEvent]]] = {
    r.MeterContributed: _contributed,
    r.MeterAwarded: _awarded,
    r.AwardBackedOut: _backed_out,
    r.ContributionReversed: _reversed,
}
OF_THE_METER: Final = tuple(_TOLD)
"""The round's events that are about a meter."""
