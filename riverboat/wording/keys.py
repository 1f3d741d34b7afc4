"""The next key of a table's controller, as the person who presses it is asked to."""

from typing import Final

from riverboat.controller import actions as p
from riverboat.round.table_talk import held, name_hand
from riverboat.rulebook.progressive import Progressive

_KEYS: Final[dict[type, str]] = {
    p.CoinIn: "Press {lock} to lock the progressive bets",
    p.PlayWithout: "The meter is out of service: give the progressive chips back and play without",
    p.CountChips: "Take the progressive chips, count them in front of the tray: {chips} accepted",
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


def key_words(press: p.AnyPress, rule: Progressive) -> str:
    """What is to be pressed, turned, counted or paid, with the rulebook's own names of its keys."""
    hand = str(getattr(press, "hand", ""))
    return _KEYS[type(press)].format(
        seat=getattr(press, "seat", 0),
        hand=name_hand(hand),
        held=held(hand),
        lock=rule.lock.key,
        over=rule.end_of_round.key,
        to=getattr(press, "to", ""),
        chips=getattr(press, "chips", 0),
        award=getattr(press, "award", ""),
        reason=getattr(press, "reason", ""),
    )
