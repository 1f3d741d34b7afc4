"""What can be asked of a linked meter itself, by the people who keep it."""

from typing import TypeAlias

from riverboat.core.money import Cents, MeterUnits
from riverboat.core.records import Action
from riverboat.meter.events import AdjustmentCode
from riverboat.table.people import Actor


class OpenMeter(Action, frozen=True, kw_only=True, tag="open_link"):
    """Set up a meter; it begins at its seed, or higher."""

    link: str
    seed_cents: Cents
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    initial_cents: Cents | None = None
    second: Actor


class JoinMeter(Action, frozen=True, kw_only=True, tag="join_link"):
    """A table, set up under its rulebook, plays for this meter from now on."""

    table: str


class LeaveMeter(Action, frozen=True, kw_only=True, tag="leave_link"):
    """A table plays for this meter no longer."""

    table: str


class Adjust(Action, frozen=True, kw_only=True, tag="adjust_link"):
    """Change the amount by hand, up or down."""

    units: MeterUnits
    code: AdjustmentCode
    reason: str
    second: Actor


class TakeOutOfService(Action, frozen=True, kw_only=True, tag="take_link_out"):
    """Take no wagers for this meter."""

    reason: str


class BringBack(Action, frozen=True, kw_only=True, tag="bring_link_back"):
    """Take wagers again."""


class RetireMeter(Action, frozen=True, kw_only=True, tag="retire_link"):
    """End the meter, and register what it owes."""

    reason: str
    second: Actor


class MoveMeter(Action, frozen=True, kw_only=True, tag="move_link"):
    """End the meter, and put what it owes onto another one."""

    to: str
    reason: str
    second: Actor


AnyMeterAction: TypeAlias = (
    OpenMeter | JoinMeter | LeaveMeter | Adjust | TakeOutOfService | BringBack | RetireMeter
    | MoveMeter
)  # fmt: skip
