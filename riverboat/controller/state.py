"""A table's controller: sensors, lamps, key switch and wins, remembered from its events.

What it remembers is one round's; awards on the meter are remembered for ever, by the link.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.controller import events as e
from riverboat.rulebook.progressive import Progressive

SensorState: TypeAlias = Literal["EMPTY", "DETECTED", "LOCKED_LIT"]
Light: TypeAlias = Literal["off", "detected", "locked"]
State: TypeAlias = Literal[
    "IDLE_TABLE", "LOCKED", "VERIFIED_COUNT", "IN_PLAY", "HAND_KEYED", "SUPERVISOR_CALLED",
    "WIN_VERIFIED", "JPH", "LOGGED", "PAID", "NORMAL_AFTER",
]  # fmt: skip

IN_HAND = ("verify_win", "key_in_winner", "turn_key_to_jph", "press_j_pot", "pay")


class Lamp(Struct, frozen=True, kw_only=True):
    """A hand that was keyed for a seat, and who has done what about it so far. One that is `wrong`
    was keyed by accident, or its seat has forfeited since: it goes nowhere, and is turned off."""

    seat: int
    hand: str
    percent: int
    done: tuple[tuple[str, str], ...]
    award: str = ""
    wrong: bool = False

    def has(self, *steps: str) -> bool:
        """Whether one of these steps is done."""
        return any(step in steps for step, _ in self.done)


class Win(Struct, frozen=True, kw_only=True):
    """An award with its amount."""

    logged: e.WinLogged
    document: str = ""
    paid: bool = False
    taken_back: bool = False


class Controller(Struct, frozen=True, kw_only=True):
    """Everything that a table's controller knows."""

    table: str
    sensors: dict[int, SensorState] = {}
    round: int = 0
    locked: bool = False
    counted: bool = False
    dealt: bool = False
    key: Literal["RUN", "JPH"] = "RUN"
    lamps: tuple[Lamp, ...] = ()
    wins: dict[str, Win] = {}
    handled: bool = False
    allowed_unlit: frozenset[int] = frozenset()

    @property
    def accepted(self) -> tuple[int, ...]:
        """The seats whose wagers were locked."""
        return tuple(n for n, state in sorted(self.sensors.items()) if state == "LOCKED_LIT")

    @property
    def in_hand(self) -> Lamp | None:
        """The one lamp whose award is being verified, logged or paid."""
        return next((lamp for lamp in self.lamps if lamp.has(*IN_HAND) and not lamp.wrong), None)

    @property
    def state(self) -> State:
        """Where the procedure stands."""
        if not self.locked:
            return "IDLE_TABLE"
        if not self.dealt:
            return "VERIFIED_COUNT" if self.counted else "LOCKED"
        lamp = self.in_hand
        if lamp is None and self.lamps:
            called = any(lamp.has("call_supervisor") for lamp in self.lamps)
            return "SUPERVISOR_CALLED" if called else "HAND_KEYED"
        if lamp is None:
            return "NORMAL_AFTER" if self.handled else "IN_PLAY"
        if lamp.has("pay"):
            return "PAID"
        if lamp.has("press_j_pot", "key_in_winner"):
            return "LOGGED"
        return "JPH" if self.key == "JPH" else "WIN_VERIFIED"


def light_of(controller: Controller, seat: int, rule: Progressive) -> Light:
    """What a seat's sensor shows: a wager that was placed, where the rulebook says so, or one that
    was locked, until the key at the end."""
    match controller.sensors.get(seat, "EMPTY"):
        case "LOCKED_LIT":
            return "locked"
        case "DETECTED" if "placed" in rule.sensor.lights:
            return "detected"
    return "off"


def apply(controller: Controller, event: e.AnyControllerEvent) -> Controller:
    """The controller after an event."""
    return _REMEMBER[type(event)](controller, event)


def lamp_of(controller: Controller, seat: int) -> Lamp | None:
    """The lamp of the hand that a seat wins with, if it is on."""
    mine = (lamp for lamp in controller.lamps if lamp.seat == seat and not lamp.wrong)
    return next(mine, None)


def keyed(controller: Controller, seat: int, hand: str, rule: Progressive) -> Lamp | None:
    """The lamp that a hand key would turn off. Where a key does not toggle seat by seat, it has one
    lamp, and turns that off whichever seat it is for."""
    per_seat = rule.keys.hand_key_toggles_per_seat
    lamps = (lamp for lamp in controller.lamps if lamp.hand == hand)
    return next((lamp for lamp in lamps if lamp.seat == seat or not per_seat), None)


def _sensor(controller: Controller, seat: int, state: SensorState) -> Controller:
    return replace(controller, sensors={**controller.sensors, seat: state})


def _locked(controller: Controller, event: e.BetsLocked) -> Controller:
    sensors: dict[int, SensorState] = dict.fromkeys(controller.sensors, "EMPTY")
    sensors |= dict.fromkeys(event.seats, "LOCKED_LIT")
    return replace(controller, sensors=sensors, round=event.round, locked=True)


def _without(controller: Controller, event: e.PlayedWithout) -> Controller:
    empty: dict[int, SensorState] = dict.fromkeys(controller.sensors, "EMPTY")
    return replace(controller, sensors=empty, round=event.round, locked=True, counted=True)


def _keyed(controller: Controller, event: e.HandKeyed) -> Controller:
    done = tuple((step, event.by) for step in event.steps)
    lamp = Lamp(seat=event.seat, hand=event.hand, percent=event.percent, done=done)
    return replace(controller, lamps=(*controller.lamps, lamp))


def _with_lamp(controller: Controller, changed: Lamp | None, **changes: Any) -> Controller:
    lamps = (replace(one, **changes) if one is changed else one for one in controller.lamps)
    return replace(controller, lamps=tuple(lamps))


def _noticed(controller: Controller, event: e.WrongHandNoticed) -> Controller:
    pair = (event.seat, event.hand)
    keyed = (lamp for lamp in controller.lamps if (lamp.seat, lamp.hand) == pair)
    return _with_lamp(controller, next(keyed, None), wrong=True)


def _lamp_off(controller: Controller, seat: int, hand: str) -> Controller:
    lamps = tuple(lamp for lamp in controller.lamps if (lamp.seat, lamp.hand) != (seat, hand))
    return replace(controller, lamps=lamps)


def _lamp_cleared(controller: Controller, event: e.LampCleared) -> Controller:
    return replace(_lamp_off(controller, event.seat, event.hand), handled=True)


def _step(controller: Controller, seat: int, step: str, by: str) -> Controller:
    """The controller with one more step done about a seat's hand."""
    lamp = lamp_of(controller, seat)
    return _with_lamp(controller, lamp, done=(*lamp.done, (step, by)) if lamp is not None else ())


def _called(controller: Controller, event: e.SupervisorCalled) -> Controller:
    for seat in event.seats:
        controller = _step(controller, seat, "call_supervisor", event.by)
    return controller


def _key(controller: Controller, event: e.KeyTurned) -> Controller:
    step = f"turn_key_to_{event.to.lower()}"
    return replace(_step(controller, event.seat, step, event.by), key=event.to)


def _logged(controller: Controller, event: e.WinLogged) -> Controller:
    wins = {**controller.wins, event.award: Win(logged=event)}
    lamp = lamp_of(controller, event.seat)
    return replace(_with_lamp(controller, lamp, award=event.award), wins=wins)


def _given(controller: Controller, event: e.AwardGiven) -> Controller:
    win = controller.wins[event.award]
    controller = _step(controller, win.logged.seat, "pay", event.by)
    paid = replace(win, paid=True, document=event.document)
    return replace(controller, wins={**controller.wins, event.award: paid})


def _taken_back(controller: Controller, event: e.AwardTakenBack) -> Controller:
    win = controller.wins.get(event.award)
    if win is None:
        return controller
    wins = {**controller.wins, event.award: replace(win, taken_back=True)}
    lamp = lamp_of(controller, win.logged.seat)
    if lamp is not None and lamp.award == event.award:
        controller = _lamp_off(controller, lamp.seat, lamp.hand)
    return replace(controller, wins=wins, handled=True)


_REMEMBER: dict[type, Callable[[Controller, Any], Controller]] = {
    e.ChipDetected: lambda old, event: _sensor(old, event.seat, "DETECTED"),
    e.ChipRemoved: lambda old, event: _sensor(old, event.seat, "EMPTY"),
    e.BetsLocked: _locked,
    e.PlayedWithout: _without,
    e.ChipsCounted: lambda old, event: replace(old, counted=event.result != "blocked"),
    e.WagerCancelled: lambda old, event: _sensor(old, event.seat, "EMPTY"),
    e.FirstCardDealt: lambda old, event: replace(old, dealt=True),
    e.HandKeyed: _keyed,
    e.WrongHandNoticed: _noticed,
    e.HandCleared: lambda old, event: _lamp_off(old, event.seat, event.hand),
    e.SupervisorCalled: _called,
    e.WinVerified: lambda old, event: _step(old, event.seat, "verify_win", event.by),
    e.WinnerKeyedIn: lambda old, event: _step(old, event.seat, "key_in_winner", event.by),
    e.KeyTurned: _key,
    e.JPotPressed: lambda old, event: _step(old, event.seat, "press_j_pot", event.by),
    e.WinLogged: _logged,
    e.WinPagePrinted: lambda old, event: _step(
        old, old.wins[event.award].logged.seat, "print_win_page", event.by
    ),
    e.AwardGiven: _given,
    e.LampCleared: _lamp_cleared,
    e.AwardTakenBack: _taken_back,
    e.UnlitClaimAllowed: lambda old, event: replace(
        old, allowed_unlit=old.allowed_unlit | {event.seat}
    ),
    e.SystemReset: lambda old, event: Controller(table=old.table, round=old.round, key=old.key),
}
