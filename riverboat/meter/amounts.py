"""The pure meter of a progressive jackpot: contributions, awards, resets, reversals.

Amounts are meter units, ten thousand to the cent, so that a rate in basis points times a wager in
cents is exact. What is paid is whole cents; the fraction stays on the meter, through a reset too.
"""

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core import money
from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits, divide_down

_ROUNDINGS = {"down": divide_down, "half_up": money.divide_half_up, "up": money.divide_up}


class Meter(Struct, frozen=True, kw_only=True):
    """What a meter shows, and the reserve behind it."""

    units: MeterUnits = 0
    reserve_units: MeterUnits = 0

    @property
    def cents(self) -> Cents:
        """The whole cents that the sign shows."""
        return divide_down(self.units, METER_UNITS_PER_CENT)


def meter_of(cents: Cents, reserve_cents: Cents = 0) -> Meter:
    """A meter that stands at these amounts."""
    return Meter(
        units=cents * METER_UNITS_PER_CENT, reserve_units=reserve_cents * METER_UNITS_PER_CENT
    )


def contribution(wager_cents: Cents, rate_bp: int) -> MeterUnits:
    """The share of a wager, exactly."""
    return wager_cents * rate_bp


def contribute(meter: Meter, units: MeterUnits, reserve_units: MeterUnits) -> Meter:
    """A meter after contributions."""
    return Meter(units=meter.units + units, reserve_units=meter.reserve_units + reserve_units)


def before_contributions(meter: Meter, came: Meter) -> Meter:
    """The meter that contributions brought to where it stands. It was not below zero: where a meter
    or its reserve stands at less than went onto it, it was empty."""
    return Meter(
        units=max(0, meter.units - came.units),
        reserve_units=max(0, meter.reserve_units - came.reserve_units),
    )


def award_cents(meter: Meter, percent: int, rounding: str, shared_by: int = 1) -> Cents:
    """A share of the meter in whole cents, never more than there are; the whole of it is always
    rounded down."""
    rounds = divide_down if percent == 100 else _ROUNDINGS[rounding]
    share = rounds(meter.units * percent, 100 * METER_UNITS_PER_CENT * shared_by)
    return min(share, divide_down(meter.cents, shared_by))


def pay_award(meter: Meter, cents: Cents) -> Meter:
    """A meter that an award was taken from."""
    return replace(meter, units=meter.units - cents * METER_UNITS_PER_CENT)


def reset(meter: Meter, seed_cents: Cents, reserve_units: MeterUnits | None = None) -> Meter:
    """A meter after the whole of it was paid: seed and reserve (all of it, unless said otherwise)
    go on top of what was left."""
    moved = meter.reserve_units if reserve_units is None else reserve_units
    units = meter.units + seed_cents * METER_UNITS_PER_CENT + moved
    return Meter(units=units, reserve_units=meter.reserve_units - moved)


def back_out(meter: Meter, cents: Cents, seed_cents: Cents, reserve_units: MeterUnits) -> Meter:
    """A meter after an award, and the reset that it caused, was reversed exactly."""
    units = meter.units + (cents - seed_cents) * METER_UNITS_PER_CENT - reserve_units
    return Meter(units=units, reserve_units=meter.reserve_units + reserve_units)


def reversible(meter: Meter, units: MeterUnits, reset_cents: Cents) -> MeterUnits:
    """How much of a contribution can be taken back without falling below the reset amount."""
    return min(units, max(0, meter.units - reset_cents * METER_UNITS_PER_CENT))
