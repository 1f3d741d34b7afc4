"""What may be pressed at a table's controller now: chips on sensors, keys, the key switch.

As everywhere, one step into a key's own procedure tells whether it would be refused.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from riverboat.controller import actions as a
from riverboat.controller.keypad import (
    call_supervisor,
    key_in_winner,
    pay_award,
    press_hand,
    press_j_pot,
    print_win_page,
    turn_key,
    verify_win,
)
from riverboat.controller.reversals import back_out, game_over, override_unlit, void_round
from riverboat.controller.sensors import (
    cancel_wager,
    coin_in,
    count_chips,
    first_card,
    play_without,
    remove_chip,
    takes_chips,
)
from riverboat.controller.state import keyed
from riverboat.controller.winners import Desk, cites_of, hand_keys, rule_of
from riverboat.core.records import Action
from riverboat.round import actions as g
from riverboat.round.incidents import incident
from riverboat.round.legal import (
    WORDS,
    Argument,
    Choice,
    Judged,
    Offer,
    Party,
    Range,
    Seats,
    Text,
    begins,
    wagers_on,
)
from riverboat.rulebook.progressive import Progressive
from riverboat.table.people import Actor, may_be_second

Offers: TypeAlias = Callable[[Desk, Actor, Progressive], Iterator[Offer]]
Cited: TypeAlias = Callable[[Progressive], tuple[str, ...]]
Procedure: TypeAlias = Callable[..., Iterator[Any]]
_ANY = Range(None, None)
_REASON = "?"


def legal(desk: Desk, by: Actor, seats: Seats = None) -> tuple[Offer, ...]:
    """Everything that somebody of the table may press now; players only move chips, those of their
    own seats."""
    rule = rule_of(desk.round)
    chips = (*_chips(desk, rule, seats), *_chips_off(desk, by, rule, seats))
    if by.role == "player":
        return chips
    return (*chips, *(offer for offers in _KEYS for offer in offers(desk, by, rule)))


def _tried(
    procedure: Procedure, actor: Party, press: Action, cites: Cited, **bounds: Argument
) -> Offers:
    """One press, or those that differ from it by these bounds only."""

    def offers(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
        if begins(procedure, desk, by, press):
            yield Offer(actor, type(press), bounds, cites(rule))

    return offers


def _steps(*names: str) -> Cited:
    return lambda rule: cites_of(rule, *names)


# ---------------------------------------------------------------- sensors


def _chips(desk: Desk, rule: Progressive, seats: Seats) -> Iterator[Offer]:
    """A chip on a sensor is the wager on that spot, as the round offers it."""
    if not takes_chips(desk):
        return
    for offer in wagers_on(desk.round, ("progressive",), seats):
        chip = {name: offer.arguments[name] for name in ("seat", "cents", "player")}
        yield Offer(offer.actor, a.PlaceChip, chip, rule.sensor.cites)


def _chips_off(desk: Desk, by: Actor, rule: Progressive, seats: Seats) -> Iterator[Offer]:
    for number, seat in sorted(desk.round.seats.items()):
        on = "progressive" in seat.wagers and (seats is None or number in seats)
        if on and begins(remove_chip, desk, by, a.RemoveChip(seat=number)):
            yield Offer(number, a.RemoveChip, {"seat": Choice((number,))}, rule.sensor.cites)


def _cancelling(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    seats = desk.controller.accepted
    asked = (a.CancelWager(seat=seat, reason=_REASON) for seat in seats[:1])
    if any(begins(cancel_wager, desk, by, one) for one in asked):
        bounds: dict[str, Argument] = {"seat": Choice(seats), "reason": WORDS}
        yield Offer("floor", a.CancelWager, bounds, rule.collection.cites)


# ---------------------------------------------------------------- winners


def _hands(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    """A key that is on goes off; where keys do not toggle seat by seat, whichever seat is named."""
    keys, cites = hand_keys(desk.round.setup), cites_of(rule, "press_hand_key")
    each = rule.keys.hand_key_toggles_per_seat
    for lamp in desk.controller.lamps:
        if begins(press_hand, desk, by, a.PressHand(seat=lamp.seat, hand=lamp.hand)):
            seat: Argument = Choice((lamp.seat,)) if each else _ANY
            yield Offer("dealer", a.PressHand, {"seat": seat, "hand": Choice((lamp.hand,))}, cites)
    if desk.round.phase != "settling":
        return
    for number in sorted(desk.round.seats):
        off = tuple(key for key in keys if keyed(desk.controller, number, key, rule) is None)
        if off and begins(press_hand, desk, by, a.PressHand(seat=number, hand=off[0])):
            bounds: dict[str, Argument] = {"seat": Choice((number,)), "hand": Choice(off)}
            yield Offer("dealer", a.PressHand, bounds, cites)


def _of_lamps(
    procedure: Procedure, kind: type[a.VerifyWin] | type[a.KeyInWinner], step: str
) -> Offers:
    def offers(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
        for seat in dict.fromkeys(lamp.seat for lamp in desk.controller.lamps):
            if begins(procedure, desk, by, kind(seat=seat)):
                yield Offer("supervisor", kind, {"seat": Choice((seat,))}, cites_of(rule, step))

    return offers


def _turning(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    if not rule.keys.key_switch:
        return
    for to, step in (("JPH", "turn_key_to_jph"), ("RUN", "turn_key_to_run")):
        if begins(turn_key, desk, by, a.TurnKey(to=to)):  # type: ignore[arg-type]
            yield Offer("supervisor", a.TurnKey, {"to": Choice((to,))}, cites_of(rule, step))


def _paying(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    for seat in dict.fromkeys(lamp.seat for lamp in desk.controller.lamps):
        if begins(pay_award, desk, by, a.PayAward(seat=seat, document=_REASON)):
            without = begins(pay_award, desk, by, a.PayAward(seat=seat))
            bounds: dict[str, Argument] = {
                "seat": Choice((seat,)),
                "document": Text() if without else WORDS,
            }
            yield Offer("dealer", a.PayAward, bounds, cites_of(rule, "pay"))


# ---------------------------------------------------------------- what takes two people, and voids


def _second(by: Actor) -> Judged:
    return Judged("somebody else of the house", lambda one: may_be_second(by, one))


def _backing_out(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    """Awards are remembered for ever, so that none is looked at before somebody names it."""
    if not desk.controller.wins and (desk.link is None or not desk.link.awards):
        return
    other = Actor(name=f"{by.name}?", role="supervisor")
    if not may_be_second(by, other):
        return

    def stands(award: object) -> bool:
        asked = a.BackOut(award=award, reason=_REASON, second=other)  # type: ignore[arg-type]
        return begins(back_out, desk, by, asked)

    bounds: dict[str, Argument] = {
        "award": Judged("an award that is logged and not backed out", stands),
        "reason": WORDS,
        "second": _second(by),
    }
    yield Offer("supervisor", a.BackOut, bounds, rule.back_out.cites)


def _overriding(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    if desk.round.phase != "settling":
        return
    other = Actor(name=f"{by.name}?", role="supervisor")
    for seat in sorted(desk.round.seats):
        asked = a.OverrideUnlit(seat=seat, reason=_REASON, second=other)
        if begins(override_unlit, desk, by, asked):
            bounds: dict[str, Argument] = {
                "seat": Choice((seat,)),
                "reason": WORDS,
                "second": _second(by),
            }
            yield Offer("supervisor", a.OverrideUnlit, bounds, rule.sensor.cites)


def _voiding(desk: Desk, by: Actor, rule: Progressive) -> Iterator[Offer]:
    """By the floor's word, or by an incident, which a dealer may report too."""
    if begins(void_round, desk, by, a.VoidRound(reason=_REASON)):
        bounds: dict[str, Argument] = {"reason": WORDS, "incident": Choice((None,))}
        yield Offer("floor", a.VoidRound, bounds, rule.void.cites)
    noted = g.Incident(what="deck_count", count=desk.round.setup.book.cards.cards)
    if begins(void_round, desk, by, a.VoidRound(incident=noted)):

        def stands(reported: object) -> bool:
            return isinstance(reported, g.Incident) and begins(incident, desk.round, reported)

        bounds = {"reason": Text(), "incident": Judged("what went wrong", stands)}
        yield Offer("floor", a.VoidRound, bounds, rule.void.cites)


_KEYS: tuple[Offers, ...] = (
    _tried(coin_in, "dealer", a.CoinIn(), lambda rule: rule.lock.cites, round=_ANY),
    _tried(play_without, "dealer", a.PlayWithout(), lambda rule: rule.lock.cites, round=_ANY),
    _tried(
        count_chips,
        "dealer",
        a.CountChips(chips=0),
        lambda rule: rule.collection.cites,
        chips=Range(0, None),
    ),
    _cancelling,
    _tried(first_card, "dealer", a.FirstCard(), lambda rule: rule.lock.cites),
    _hands,
    _tried(call_supervisor, "dealer", a.CallSupervisor(), _steps("call_supervisor")),
    _of_lamps(verify_win, a.VerifyWin, "verify_win"),
    _of_lamps(key_in_winner, a.KeyInWinner, "key_in_winner"),
    _turning,
    _tried(press_j_pot, "supervisor", a.PressJPot(), _steps("press_j_pot")),
    _tried(print_win_page, "supervisor", a.PrintWinPage(), _steps("print_win_page")),
    _paying,
    _tried(game_over, "dealer", a.GameOver(), lambda rule: rule.end_of_round.cites),
    _backing_out,
    _overriding,
    _voiding,
)
