"""A table's keypad in words: the next key, as whoever presses it is asked to, and what happened.

Sensors, keys and lamps are told as what the person at the table saw, in the replay of a round and
on the win page of an award alike.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from riverboat.controller import actions as p
from riverboat.controller import events as c
from riverboat.controller.state import Lamp
from riverboat.controller.winners import Desk, cites_of, fault_of, toggle_cites
from riverboat.core.money import format_cents
from riverboat.round.state import Round
from riverboat.round.table_talk import held, name_hand, number_of, sentence
from riverboat.rulebook.progressive import Progressive

_KEYS: Final[dict[type, str]] = {
    p.CoinIn: "Press {lock} to lock the progressive bets",
    p.PlayWithout: "The meter is out of service: give the progressive chips back and play without",
    p.CountChips: "Collect {chips} before any card is dealt",
    p.PressHand: "Seat {seat} has {held}: check hand and light, then press {hand}",
    p.CallSupervisor: "Call the supervisor for the hand that is keyed",
    p.VerifyWin: "Verify the win of seat {seat}: the hand, the light, the wager",
    p.KeyInWinner: "Key in the winner at seat {seat}",
    p.TurnKey: "Turn the key to {to}",
    p.PressJPot: "Press J-pot: the win is recorded and its amount fixed",
    p.PrintWinPage: "Print the win page, for signing",
    p.PayAward: "Pay the award of seat {seat}",
    p.GameOver: "Press {over}: the lights go off and the round is over",
    p.BackOut: "Back out award {award} with a second person, at its meter: {reason}",
}


class Step(NamedTuple):
    """A step of an award: what somebody is asked for, and that it was done."""

    do: str
    done: str


STEPS: Final = {
    "verify_hand": Step("check the hand", "hand checked"),
    "verify_light": Step("check the light", "light checked"),
    "press_hand_key": Step("press the hand key", "hand key pressed"),
    "call_supervisor": Step("call the supervisor", "supervisor called"),
    "verify_win": Step("verify", "win verified"),
    "key_in_winner": Step("key in the winner", "winner keyed in"),
    "turn_key_to_jph": Step("turn the key to JPH", "key turned to JPH"),
    "press_j_pot": Step("press J-pot", "J-pot pressed"),
    "show_amount": Step("read the amount", "amount shown"),
    "print_win_page": Step("print the win page", "win page printed"),
    "pay": Step("pay the award", "award paid"),
    "adjust_meter": Step("adjust the meter", "meter adjusted"),
    "turn_key_to_run": Step("turn the key to RUN", "key turned to RUN"),
}
_STEP_OF: Final[dict[type, str]] = {
    p.CallSupervisor: "call_supervisor",
    p.VerifyWin: "verify_win",
    p.KeyInWinner: "key_in_winner",
    p.PressJPot: "press_j_pot",
    p.PrintWinPage: "print_win_page",
    p.PayAward: "pay",
}


def award_words(press: p.AnyPress, hand: str = "", seat: int = 0) -> str:
    """The next key of an award where many tables are listed: "Royal flush, seat 2: verify"."""
    step = _STEP_OF.get(type(press))
    if isinstance(press, p.TurnKey):
        step = f"turn_key_to_{press.to.lower()}"
    does = STEPS[step].do if step else "back out"
    return sentence(f"{name_hand(hand)}, seat {seat}: {does}" if hand else does)


def key_words(press: p.AnyPress, rule: Progressive) -> str:
    """What is to be pressed, turned, counted or paid, with the rulebook's own names of its keys."""
    if press == p.CountChips(chips=0):
        return "No light is on: see that no chip lies on a sensor before any card is dealt"
    hand = str(getattr(press, "hand", ""))
    return _KEYS[type(press)].format(
        seat=getattr(press, "seat", 0),
        hand=name_hand(hand),
        held=held(hand),
        lock=rule.lock.key,
        over=rule.end_of_round.key,
        to=getattr(press, "to", ""),
        chips=number_of(getattr(press, "chips", 0), "progressive chip"),
        award=getattr(press, "award", ""),
        reason=getattr(press, "reason", ""),
    )


def done_words(lamp: Lamp) -> tuple[str, ...]:
    """What was done about a hand that is keyed, and by whom."""
    return tuple(sentence(f"{STEPS[step].done} by {by}") for step, by in lamp.done)


def accident_words(desk: Desk, lamp: Lamp) -> str:
    """What is wrong with a hand that was keyed by accident, and what turns it off."""
    fault = fault_of(desk, lamp.seat, lamp.hand)
    why = str(fault.refusal) if fault is not None else f"seat {lamp.seat} was keyed too early"
    return sentence(f"{why}: press {name_hand(lamp.hand)} again to turn it off")


# ---------------------------------------------------------------- what happened

Kind: TypeAlias = Literal["sensor", "key"]


class Said(NamedTuple):
    """A controller's event: a sensor's edge or a key, in words, and by which clauses."""

    kind: Kind
    words: str
    cites: tuple[str, ...]


def controller_said(event: Any, state: Round | None) -> Said:
    """One event of a table's controller; what a key did, with the key's own name."""
    rule = state.setup.book.progressive if state is not None else None
    words, key = _WORDS[type(event)](event), ""
    if rule is not None and isinstance(event, c.BetsLocked):
        key = rule.lock.key
    elif rule is not None and isinstance(event, c.SystemReset) and event.cause == "game_over":
        key = rule.end_of_round.key
    words = f"{key}: {words[:1].lower()}{words[1:]}" if key else words
    kind: Kind = "sensor" if isinstance(event, c.ChipDetected | c.ChipRemoved) else "key"
    return Said(kind, words, _cites(event, rule) if rule is not None else ())


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
    return f"WARNING: {name_hand(event.hand)} is on for seat {event.seat} {how}: {why}"


def _logged(event: c.WinLogged) -> str:
    """What a share it is, and from where it is paid, the meter and the settlement say."""
    paid = f", payable {format_cents(event.paid_cents)}" if event.paid_cents != event.cents else ""
    return f"Award {event.award} logged: {format_cents(event.cents)}{paid}"


def _keyed(event: c.HandKeyed) -> str:
    checked = [step.removeprefix("verify_") for step in event.steps if step.startswith("verify_")]
    looked = f"{' and '.join(checked)} verified; " if checked else ""
    key = f"key {name_hand(event.hand)} for seat {event.seat}: lamp on"
    return sentence(f"{looked}{key}")


def _turned(event: c.KeyTurned) -> str:
    seat = f" for seat {event.seat}" if event.seat else ""
    return f"Key turned to {event.to}{seat}{': table halted' if event.to == 'JPH' else ''}"


_WORDS: Final[dict[type, Callable[[Any], str]]] = {
    c.ChipDetected: lambda ev: f"Sensor of seat {ev.seat}: chip detected",
    c.ChipRemoved: lambda ev: f"Sensor of seat {ev.seat}: chip gone",
    c.BetsLocked: lambda ev: f"Locked and lit: {_seats(ev.seats)}",
    c.PlayedWithout: lambda ev: "Played without the progressive: its meter is out of service",
    c.ChipsCounted: _counted,
    c.WagerCancelled: lambda ev: (
        f"The accepted wager of seat {ev.seat} is cancelled by {ev.by}: {ev.reason}"
    ),
    c.FirstCardDealt: lambda ev: "First card: the wagers are locked and counted",
    c.HandKeyed: _keyed,
    c.WrongHandNoticed: _wrong,
    c.HandCleared: lambda ev: f"Key {name_hand(ev.hand)} for seat {ev.seat} again: lamp off",
    c.SupervisorCalled: lambda ev: f"Supervisor called for {_seats(ev.seats)}",
    c.WinVerified: lambda ev: f"Hand, light and wager of seat {ev.seat} verified",
    c.WinnerKeyedIn: lambda ev: f"Winner at seat {ev.seat} keyed in",
    c.KeyTurned: _turned,
    c.JPotPressed: lambda ev: f"J-pot pressed for seat {ev.seat}",
    c.WinLogged: _logged,
    c.WinPagePrinted: lambda ev: f"Win page of award {ev.award} printed",
    c.AwardGiven: lambda ev: (
        f"Award {ev.award} paid{f' under {ev.document}' if ev.document else ''}"
    ),
    c.LampCleared: lambda ev: f"Lamp of seat {ev.seat} is off: its {name_hand(ev.hand)} is done",
    c.AwardTakenBack: lambda ev: (
        f"AWARD {ev.award} TAKEN BACK by {' and '.join(filter(None, (ev.by, ev.second)))}: "
        f"{ev.reason}"
    ),
    c.UnlitClaimAllowed: lambda ev: (
        f"Unlit claim of seat {ev.seat} allowed by {ev.by} and {ev.second}: {ev.reason}"
    ),
    c.SystemReset: lambda ev: (
        "Lights and lamps cleared" if ev.cause == "game_over" else "Reset after a void"
    ),
}
_RULES: Final[dict[type, str]] = {
    **dict.fromkeys((c.ChipDetected, c.ChipRemoved, c.UnlitClaimAllowed), "sensor"),
    **dict.fromkeys((c.BetsLocked, c.FirstCardDealt), "lock"),
    **dict.fromkeys((c.ChipsCounted, c.WagerCancelled), "collection"),
    c.PlayedWithout: "link",
    c.AwardTakenBack: "back_out",
    c.SystemReset: "keys",
}
_STEPS: Final[dict[type, tuple[str, ...]]] = {
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
        case c.KeyTurned():
            return cites_of(rule, f"turn_key_to_{event.to.lower()}")
        case c.WrongHandNoticed() | c.HandCleared():
            return (*cites_of(rule, "press_hand_key"), *toggle_cites(rule))
        case c.HandKeyed():
            return cites_of(rule, *(event.steps or ("press_hand_key",)))
    if type(event) in _STEPS:
        return cites_of(rule, *_STEPS[type(event)])
    cites: tuple[str, ...] = getattr(rule, _RULES[type(event)]).cites
    return cites
