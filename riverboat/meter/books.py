"""A meter's books: postings of every event, the audit identity, the sign."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits, show_percent
from riverboat.meter import events as e
from riverboat.meter.operations import after_pending
from riverboat.meter.state import Link, Totals

Unit: TypeAlias = Literal["cent", "meter_unit"]

HOUSE = "house"
METER = "meter"
RESERVE = "reserve"
METER_CONTRA = "meter_contra"
QUEUE = "queue"
REGISTERED = "registered"


class Posting(NamedTuple):
    """One account, and by how much it changed: above zero it has more."""

    account: str
    unit: Unit
    amount: int


def account(kind: str, link: str) -> str:
    """An account of one meter; that of a table by itself needs no name."""
    return f"{kind}:{link}" if link else kind


def meter_postings(event: e.AnyMeterEvent, before: Link) -> tuple[Posting, ...]:
    """What an event did to a meter's accounts, in meter units, in sum nothing.

    The cents of an award are posted where they change hands: at the table.
    """
    name = event.link if isinstance(event, e.MeterOpened) else before.id
    return tuple(
        posting
        for source, to, units in _movements(event, before)
        for posting in (
            Posting(_named(source, name), "meter_unit", -units),
            Posting(_named(to, name), "meter_unit", units),
        )
        if units
    )


def _named(kind: str, link: str) -> str:
    shared = kind in (HOUSE, REGISTERED) or ":" in kind
    return kind if shared else account(kind, link)


def _movements(event: e.AnyMeterEvent, before: Link) -> Iterator[tuple[str, str, MeterUnits]]:
    match event:
        case e.MeterOpened():
            yield HOUSE, METER, event.initial_cents * METER_UNITS_PER_CENT
        case e.Contributed():
            waits = before.pending is not None
            yield METER_CONTRA, QUEUE if waits else METER, event.units
            yield METER_CONTRA, QUEUE if waits else RESERVE, event.reserve_units
        case e.QueueAdded():
            yield QUEUE, METER, event.units
            yield QUEUE, RESERVE, event.reserve_units
        case e.MeterMoved():
            yield METER, METER_CONTRA, event.cents * METER_UNITS_PER_CENT
            yield HOUSE, METER, event.seed_cents * METER_UNITS_PER_CENT
            yield RESERVE, METER, event.reserve_units
        case e.BackedOut() if event.moved:
            yield METER_CONTRA, METER, event.cents * METER_UNITS_PER_CENT
            yield METER, HOUSE, event.seed_cents * METER_UNITS_PER_CENT
            yield METER, RESERVE, event.reserve_units
        case e.ContributionReversed():
            yield METER, METER_CONTRA, event.units
            yield RESERVE, METER_CONTRA, event.reserve_units
            yield QUEUE, METER_CONTRA, event.queued_units + event.queued_reserve_units
            yield HOUSE, METER_CONTRA, event.shortfall_units
        case e.Adjusted():
            yield HOUSE, METER, event.units
        case e.MovedOut():
            yield METER, account(METER, event.to), event.units
            yield RESERVE, account(RESERVE, event.to), event.reserve_units
        case e.Retired():
            yield METER, REGISTERED, event.units
            yield RESERVE, REGISTERED, event.reserve_units


class Reconciliation(NamedTuple):
    """The audit identity of a meter and of its reserve, in units: both differences are nothing."""

    totals: Totals
    meter: MeterUnits
    reserve: MeterUnits
    queued: MeterUnits
    difference: MeterUnits
    reserve_difference: MeterUnits

    @property
    def balances(self) -> bool:
        return not (self.difference or self.reserve_difference)


def identity(totals: Totals) -> MeterUnits:
    """Contributions - reversed + seeds + reserve transfers - awards + adjustments."""
    came = totals.contributions - totals.reversed + totals.seeds + totals.reserve_transfers
    return came - totals.awards + totals.adjustments


def reserve_identity(totals: Totals) -> MeterUnits:
    """Contributions - reversed - transfers to the meter + adjustments, all of the reserve."""
    came = totals.reserve_contributions - totals.reserve_reversed
    return came - totals.reserve_transfers + totals.reserve_adjustments


def reconcile(link: Link) -> Reconciliation:
    """Whether a meter is what its sums come to."""
    sums = link.totals
    waiting = link.queued
    return Reconciliation(
        totals=sums,
        meter=link.meter.units,
        reserve=link.meter.reserve_units,
        queued=waiting.units + waiting.reserve_units,
        difference=link.meter.units - identity(sums),
        reserve_difference=link.meter.reserve_units - reserve_identity(sums),
    )


class Sign(NamedTuple):
    """What every table's sign shows. An amount is there only when it can be won now; that part of
    the wagers goes to a reserve is said where it does."""

    shows: Literal["jackpot", "pending", "out_of_service"]
    cents: Cents | None = None
    award_cents: Cents | None = None
    table: str = ""
    hand: str = ""
    next_cents: Cents | None = None
    reserve: str = ""


def sign(link: Link | None) -> Sign:
    """The amount; or the award that all wait for, where it was won, and what comes after it; or
    that the meter is out of service. What is not known to be true now is not shown as if it were.
    """
    if link is None or link.status != "in_service":
        return Sign("out_of_service")
    held = link.pending
    if held is None:
        return Sign("jackpot", cents=link.meter.cents, reserve=_reserve_words(link))
    hand = link.awards[held.award].fixed.hand if held.award else ""
    coming = after_pending(link).cents
    return Sign("pending", None, held.share_cents, held.table, hand, coming, _reserve_words(link))


def _reserve_words(link: Link) -> str:
    """What is not on the sign and grows with the wagers all the same."""
    rates = sorted({member.reserve_bp for member in link.members.values()} - {0})
    if not rates:
        return ""
    shares = " or ".join(f"{show_percent(rate)}%" for rate in rates)
    return f"{shares} of each wager goes to a reserve that is added to the next jackpot"
