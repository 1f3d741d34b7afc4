"""What happened at a controller and at a meter in the words of the felt, with the clauses.

Sensors, keys and lamps are told as what the person at the table saw; a meter's part with what it
stood at before and after.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from riverboat.games.paid_from import PAID_FROM
from riverboat.games.round import Round
from riverboat.games.table_talk import held, number_of
from riverboat.meter import events as le
from riverboat.meter.link import Link
from riverboat.money import METER_UNITS_PER_CENT, MeterUnits, format_cents, show_percent
from riverboat.naming import table_called
from riverboat.progressive import events as c
from riverboat.progressive.steps import cites_of, toggle_cites
from riverboat.rulebook.progressive import Progressive

Kind: TypeAlias = Literal["sensor", "key"]


class Said(NamedTuple):
    """A controller's event: a sensor's edge or a key, in words, and by which clauses."""

    kind: Kind
    words: str
    cites: tuple[str, ...]


def controller_said(event: Any, state: Round | None) -> Said:
    """One event of a table's controller."""
    rule = state.setup.book.progressive if state is not None else None
    words = _WORDS[type(event)](event)
    if rule is not None and isinstance(event, c.BetsLocked | c.SystemReset):
        words = _by_key(event, rule)
    kind: Kind = "sensor" if isinstance(event, c.ChipDetected | c.ChipRemoved) else "key"
    return Said(kind, words, _cites(event, rule) if rule is not None else ())


def hand_name(hand: str) -> str:
    """A hand as people say it."""
    return hand.replace("_", " ")


def _seats(seats: tuple[int, ...]) -> str:
    numbers = ", ".join(map(str, seats))
    return f"seat{'s' * (len(seats) > 1)} {numbers}" if seats else "no seat"


def _counted(event: c.ChipsCounted) -> str:
    found = {"equal": "they agree", "warning": "WARNING", "blocked": "the deal is BLOCKED"}
    chips, wagers = number_of(event.chips, "chip"), number_of(event.accepted, "wager")
    return f"{chips} counted for {wagers}: {found[event.result]}"


_FAULTS: Final = {
    "other_hand": "seat {seat} has {has}",
    "no_wager": "seat {seat} lost its wager by the fold",
    "paid": "seat {seat} was paid for it already",
    "forfeited": "seat {seat} has forfeited its wagers",
}


def _wrong(event: c.WrongHandNoticed) -> str:
    has = held(event.has) if event.has else "no hand that counts"
    why = _FAULTS[event.fault].format(seat=event.seat, has=has)
    how = "and counts no more" if event.fault == "forfeited" else "by accident"
    return f"WARNING: {hand_name(event.hand)} is on for seat {event.seat} {how}: {why}"


def _logged(event: c.WinLogged) -> str:
    of = f", {event.percent} % of the meter" if event.percent else ""
    paid = f", payable {format_cents(event.paid_cents)}" if event.paid_cents != event.cents else ""
    where = f"paid {PAID_FROM[event.source]}"
    amount = f"{format_cents(event.cents)}{paid}{of}"
    return f"Award {event.award} of seat {event.seat}, {hand_name(event.hand)}: {amount}, {where}"


def _given(event: c.AwardGiven) -> str:
    under = f" under {event.document}" if event.document else ""
    return f"Award {event.award} paid{under}"


def _by_key(event: c.BetsLocked | c.SystemReset, rule: Progressive) -> str:
    """What a key did, with the key's own name."""
    words = _WORDS[type(event)](event)
    if isinstance(event, c.SystemReset) and event.cause != "game_over":
        return words
    key = rule.lock.key if isinstance(event, c.BetsLocked) else rule.end_of_round.key
    return f"{key}: {words[:1].lower()}{words[1:]}"


_WORDS: Final[dict[type, Callable[[Any], str]]] = {
    c.ChipDetected: lambda ev: f"Sensor of seat {ev.seat}: chip detected",
    c.ChipRemoved: lambda ev: f"Sensor of seat {ev.seat}: chip gone",
    c.BetsLocked: lambda ev: f"Wagers of {_seats(ev.seats)} are locked and lit",
    c.PlayedWithout: lambda ev: "Played without the progressive: its meter is out of service",
    c.ChipsCounted: _counted,
    c.WagerCancelled: lambda ev: (
        f"The accepted wager of seat {ev.seat} is cancelled by {ev.by}: {ev.reason}"
    ),
    c.FirstCardDealt: lambda ev: "First card: the wagers are locked and counted",
    c.HandKeyed: lambda ev: f"Key {hand_name(ev.hand)} for seat {ev.seat}: its lamp is on",
    c.WrongHandNoticed: _wrong,
    c.HandCleared: lambda ev: f"Key {hand_name(ev.hand)} for seat {ev.seat} again: its lamp is off",
    c.SupervisorCalled: lambda ev: f"Supervisor called for {_seats(ev.seats)}",
    c.WinVerified: lambda ev: f"Hand, light and wager of seat {ev.seat} verified",
    c.WinnerKeyedIn: lambda ev: f"Winner at seat {ev.seat} keyed in",
    c.KeyTurned: lambda ev: f"Key switch to {ev.to}{f' for seat {ev.seat}' * bool(ev.seat)}",
    c.JPotPressed: lambda ev: f"J-pot for seat {ev.seat}",
    c.WinLogged: _logged,
    c.WinPagePrinted: lambda ev: f"Win page of award {ev.award} printed",
    c.AwardGiven: _given,
    c.LampCleared: lambda ev: f"Lamp of seat {ev.seat} is off: its {hand_name(ev.hand)} is done",
    c.AwardTakenBack: lambda ev: (
        f"Award {ev.award} taken back by {ev.by} and {ev.second}: {ev.reason}"
    ),
    c.UnlitClaimAllowed: lambda ev: (
        f"Unlit claim of seat {ev.seat} allowed by {ev.by} and {ev.second}: {ev.reason}"
    ),
    c.SystemReset: lambda ev: (
        "Lights and lamps cleared" if ev.cause == "game_over" else "Reset after a void"
    ),
    c.PressRefused: lambda ev: f"A key was refused ({ev.code})",
}
_STEPS: Final[dict[type, tuple[str, ...]]] = {
    c.HandKeyed: ("press_hand_key",),
    c.SupervisorCalled: ("call_supervisor",),
    c.WinVerified: ("verify_win", "verify_hand", "verify_light"),
    c.WinnerKeyedIn: ("key_in_winner",),
    c.JPotPressed: ("press_j_pot",),
    c.WinLogged: ("show_amount",),
    c.WinPagePrinted: ("print_win_page",),
    c.AwardGiven: ("pay",),
    c.LampCleared: ("turn_key_to_run",),
}


def _cites(event: Any, rule: Progressive) -> tuple[str, ...]:
    """The rule that an event carries out."""
    match event:
        case c.ChipDetected() | c.ChipRemoved() | c.UnlitClaimAllowed():
            return rule.sensor.cites
        case c.BetsLocked() | c.FirstCardDealt():
            return rule.lock.cites
        case c.ChipsCounted() | c.WagerCancelled():
            return rule.collection.cites
        case c.PlayedWithout():
            return rule.link.cites
        case c.KeyTurned():
            return cites_of(rule, f"turn_key_to_{event.to.lower()}")
        case c.WrongHandNoticed() | c.HandCleared():
            return (*cites_of(rule, "press_hand_key"), *toggle_cites(rule))
        case c.SystemReset() | c.PressRefused() | c.AwardTakenBack():
            return rule.keys.cites
    steps = _STEPS.get(type(event))
    return cites_of(rule, *steps) if steps else rule.keys.cites


def show_units(units: MeterUnits) -> str:
    """Units of a meter as dollars: always with cents, and finer where there is more."""
    sign = "-" if units < 0 else ""
    cents, rest = divmod(abs(units), METER_UNITS_PER_CENT)
    dollars, hundredths = divmod(cents, 100)
    fine = f"{rest:04}".rstrip("0") if rest else ""
    return f"{sign}${dollars:,}.{hundredths:02}{fine}"


def meter_said(event: le.AnyLinkEvent, before: Link, after: Link) -> str:
    """What happened to a meter, and what it stood at."""
    words = _METER_WORDS[type(event)](event)
    if before.meter.units == after.meter.units:
        return words
    return f"{words}; meter {show_units(before.meter.units)} to {show_units(after.meter.units)}"


def _contributed(event: le.Contributed) -> str:
    reserve = f", {show_units(event.reserve_units)} to the reserve" if event.reserve_units else ""
    wagers = number_of(event.wagers, "wager")
    came = f"{show_units(event.units)} of {wagers}{reserve}"
    return f"Contribution of {event.table}, round {event.round}: {came}"


def _fixed(event: le.AwardFixed) -> str:
    share = f", share {event.share} of {event.of}" if event.of > 1 else ""
    won = f"{hand_name(event.hand)}, {event.percent} %{share}: {format_cents(event.cents)}"
    return f"Award {event.award} fixed for seat {event.seat} of {event.table}, {won}"


def _moved(event: le.MeterMoved) -> str:
    reserve = f" and {show_units(event.reserve_units)} of the reserve" * bool(event.reserve_units)
    seed = f"; reset with a seed of {format_cents(event.seed_cents)}{reserve}"
    return f"Award {event.award} of {format_cents(event.cents)} left the meter" + (
        seed if event.seed_cents else ""
    )


def _backed_out(event: le.BackedOut) -> str:
    moved = "the meter went back" if event.moved else "the meter had not moved"
    return (
        f"Award {event.award} of {format_cents(event.cents)} backed out by {event.by} and "
        f"{event.second}: {event.reason}; {moved}"
    )


def _reversed(event: le.ContributionReversed) -> str:
    short = f"; the house bears {show_units(event.shortfall_units)}" * bool(event.shortfall_units)
    units = event.units + event.queued_units
    return f"Contribution of {event.table}, round {event.round}, back: {show_units(units)}{short}"


def _opened(event: le.LinkOpened) -> str:
    return (
        f"Meter opened at {format_cents(event.initial_cents)} by {event.by} and {event.second}, "
        f"seed {format_cents(event.seed_cents)}, wager {format_cents(event.wager_cents)}, "
        f"{show_percent(event.rate_bp)}% to the meter and {show_percent(event.reserve_bp)}% to the "
        "reserve"
    )


def _joined(event: le.TableJoined) -> str:
    chance = _chance(event.chance, event.fold_forfeits)
    return (
        f"{table_called(event.table, 'Table')} joined "
        f"({event.rulebook}, {event.seats} seats, wins it with {chance})"
    )


def _chance(chance: str, fold_forfeits: bool) -> str:
    return f"{chance} unless a fold loses it" if fold_forfeits else chance


def _two(what: str, event: Any) -> str:
    return f"{what} by {event.by} and {event.second}: {event.reason}"


_METER_WORDS: Final[dict[type, Callable[[Any], str]]] = {
    le.LinkOpened: _opened,
    le.TableJoined: _joined,
    le.ChancesDiffer: lambda ev: (
        f"WARNING: {ev.table} wins it with {_chance(ev.chance, ev.fold_forfeits)}, "
        f"{ev.other_table} with {_chance(ev.other_chance, ev.other_fold_forfeits)}"
    ),
    le.TableLeft: lambda ev: f"{table_called(ev.table, 'Table')} left",
    le.Contributed: _contributed,
    le.QueueAdded: lambda ev: (
        f"What waited for the pending award was added: {show_units(ev.units)}"
    ),
    le.AwardFixed: _fixed,
    le.AwardPaid: lambda ev: f"Award {ev.award} paid: {format_cents(ev.paid_cents)}",
    le.MeterMoved: _moved,
    le.HoldEnded: lambda ev: f"The shares that {ev.table} still held are not taken",
    le.BackedOut: _backed_out,
    le.ContributionReversed: _reversed,
    le.Adjusted: lambda ev: _two(f"Adjusted ({ev.code}) by {show_units(ev.units)}", ev),
    le.MovedOut: lambda ev: _two(f"{show_units(ev.units)} moved to meter {ev.to}", ev),
    le.MovedIn: lambda ev: _two(f"{show_units(ev.units)} came from meter {ev.source}", ev),
    le.Retired: lambda ev: _two(f"Retired; {show_units(ev.units)} registered as owed", ev),
    le.WentOutOfService: lambda ev: f"Out of service: {ev.reason}",
    le.CameBackInService: lambda ev: f"In service again, by {ev.by}",
    le.Alarmed: lambda ev: (
        f"ALARM: {ev.table} offered {show_units(ev.units)}, and {show_units(ev.reserve_units)} to "
        f"the reserve, for {number_of(ev.wagers, 'wager')}; {show_units(ev.due_units)} and "
        f"{show_units(ev.due_reserve_units)} are right"
    ),
}
