"""What happened to a meter, in words, with what it stood at before and after."""

from collections.abc import Callable
from typing import Any, Final

from riverboat.core.money import format_cents, format_units, show_percent
from riverboat.meter import events as le
from riverboat.meter.state import Link
from riverboat.round.table_talk import name_hand, number_of
from riverboat.rulebook.values import table_called


def meter_words(event: le.AnyMeterEvent) -> str:
    """What happened to a meter."""
    return _METER_WORDS[type(event)](event)


def meter_said(event: le.AnyMeterEvent, before: Link, after: Link) -> str:
    """The same, and what the meter stood at where it changed."""
    words = meter_words(event)
    if before.meter.units == after.meter.units:
        return words
    return f"{words}; meter {format_units(before.meter.units)} to {format_units(after.meter.units)}"


def _contributed(event: le.Contributed) -> str:
    reserve = f", {format_units(event.reserve_units)} to the reserve" if event.reserve_units else ""
    came = f"{format_units(event.units)} of {number_of(event.wagers, 'wager')}{reserve}"
    return f"Contribution of {event.table}, round {event.round}: {came}"


def _fixed(event: le.AwardFixed) -> str:
    share = f", share {event.share} of {event.of}" if event.of > 1 else ""
    won = f"{name_hand(event.hand)}, {event.percent} %{share}: {format_cents(event.cents)}"
    return f"Award {event.award} fixed for seat {event.seat} of {event.table}, {won}"


def _moved(event: le.MeterMoved) -> str:
    left = f"Award {event.award} of {format_cents(event.cents)} left the meter"
    reserve = f" and {format_units(event.reserve_units)} of the reserve" * bool(event.reserve_units)
    seed = f"; reset with a seed of {format_cents(event.seed_cents)}{reserve}"
    return left + (seed if event.seed_cents else "")


def _backed_out(event: le.BackedOut) -> str:
    moved = "the meter went back" if event.moved else "the meter had not moved"
    award = f"Award {event.award} of {format_cents(event.cents)}"
    return f"{_two(f'{award} backed out', event)}; {moved}"


def _reversed(event: le.ContributionReversed) -> str:
    short = f"; the house bears {format_units(event.shortfall_units)}" * bool(event.shortfall_units)
    units = event.units + event.queued_units
    return f"Contribution of {event.table}, round {event.round}, back: {format_units(units)}{short}"


def _chance(chance: str, fold_forfeits: bool) -> str:
    return f"{chance} unless a fold loses it" if fold_forfeits else chance


def _two(what: str, event: Any) -> str:
    return f"{what} by {event.by} and {event.second}: {event.reason}"


def _alarmed(event: le.Alarmed) -> str:
    units, reserve = format_units(event.units), format_units(event.reserve_units)
    due, due_reserve = format_units(event.due_units), format_units(event.due_reserve_units)
    return (
        f"ALARM: {event.table} offered {units}, and {reserve} to the reserve, for "
        f"{number_of(event.wagers, 'wager')}; {due} and {due_reserve} are right"
    )


_METER_WORDS: Final[dict[type, Callable[[Any], str]]] = {
    le.MeterOpened: lambda ev: (
        f"Meter opened at {format_cents(ev.initial_cents)} by {ev.by} and {ev.second}, "
        f"seed {format_cents(ev.seed_cents)}, wager {format_cents(ev.wager_cents)}, "
        f"{show_percent(ev.rate_bp)}% to the meter and {show_percent(ev.reserve_bp)}% to the "
        "reserve"
    ),
    le.TableJoined: lambda ev: (
        f"{table_called(ev.table, 'Table')} joined ({ev.rulebook}, {ev.seats} seats, "
        f"wins it with {_chance(ev.chance, ev.fold_forfeits)})"
    ),
    le.ChancesDiffer: lambda ev: (
        f"WARNING: {ev.table} wins it with {_chance(ev.chance, ev.fold_forfeits)}, "
        f"{ev.other_table} with {_chance(ev.other_chance, ev.other_fold_forfeits)}"
    ),
    le.TableLeft: lambda ev: f"{table_called(ev.table, 'Table')} left",
    le.Contributed: _contributed,
    le.QueueAdded: lambda ev: (
        f"What waited for the pending award was added: {format_units(ev.units)}"
    ),
    le.AwardFixed: _fixed,
    le.AwardPaid: lambda ev: f"Award {ev.award} paid: {format_cents(ev.paid_cents)}",
    le.MeterMoved: _moved,
    le.HoldEnded: lambda ev: f"The shares that {ev.table} still held are not taken",
    le.BackedOut: _backed_out,
    le.ContributionReversed: _reversed,
    le.Adjusted: lambda ev: _two(f"Adjusted ({ev.code}) by {format_units(ev.units)}", ev),
    le.MovedOut: lambda ev: _two(f"{format_units(ev.units)} moved to meter {ev.to}", ev),
    le.MovedIn: lambda ev: _two(f"{format_units(ev.units)} came from meter {ev.source}", ev),
    le.Retired: lambda ev: _two(f"Retired; {format_units(ev.units)} registered as owed", ev),
    le.WentOutOfService: lambda ev: f"Out of service: {ev.reason}",
    le.CameBackInService: lambda ev: f"In service again, by {ev.by}",
    le.Alarmed: _alarmed,
}
