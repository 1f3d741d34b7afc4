"""What may be pressed at a table's controller now, and what the procedure wants pressed next.

As everywhere, one step into a key's own procedure tells whether it would be refused.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

from riverboat.controller import actions as a
from riverboat.controller import winners
from riverboat.controller.engine import DECIDE
from riverboat.controller.sensors import takes_chips
from riverboat.controller.state import Lamp, keyed, lamp_of
from riverboat.controller.winners import Desk, cites_of, rule_of
from riverboat.core.records import Action
from riverboat.meter.operations import takes_wagers
from riverboat.round import actions as g
from riverboat.round import legal as o
from riverboat.round.incidents import floor_decides, incident
from riverboat.round.settlement.payment import remaining
from riverboat.round.settlement.voids import cards_seen
from riverboat.round.state import Round
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebook.values import Person
from riverboat.table.people import Actor, may_be_second, may_sign_void

Offers: TypeAlias = Callable[[Desk, Actor, Progressive], Iterator[o.Offer]]
Cited: TypeAlias = Callable[[Progressive], tuple[str, ...]]
_ANY = o.Range(None, None)
_REASON = "?"


def legal(desk: Desk, by: Actor, seats: o.Seats = None) -> tuple[o.Offer, ...]:
    """Everything that somebody of the table may press now; players only move chips, those of their
    own seats."""
    rule = rule_of(desk.round)
    chips = tuple(_chips(desk, by, rule, seats))
    if by.role == "player":
        return chips
    return (*chips, *(offer for offers in _KEYS for offer in offers(desk, by, rule)))


def granted(desk: Desk, by: Actor, press: Action) -> bool:
    """Whether the controller would do what is pressed."""
    return o.begins(DECIDE[type(press)], desk, by, press)


def _tried(actor: o.Party, press: Action, cites: Cited, **bounds: o.Argument) -> Offers:
    """One press, or those that differ from it by these bounds only."""

    def offers(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
        if granted(desk, by, press):
            yield o.Offer(actor, type(press), bounds, cites(rule))

    return offers


def _steps(*names: str) -> Cited:
    return lambda rule: cites_of(rule, *names)


# ---------------------------------------------------------------- sensors


def _chips(desk: Desk, by: Actor, rule: Progressive, seats: o.Seats) -> Iterator[o.Offer]:
    """A chip on a sensor is the wager on that spot, as the round offers it; and off it again."""
    if not takes_chips(desk):
        return
    for offer in o.wagers_on(desk.round, ("progressive",), seats):
        chip = {name: offer.arguments[name] for name in ("seat", "cents", "player")}
        yield o.Offer(offer.actor, a.PlaceChip, chip, rule.sensor.cites)
    for number, seat in sorted(desk.round.seats.items()):
        on = "progressive" in seat.wagers and (seats is None or number in seats)
        if on and granted(desk, by, a.RemoveChip(seat=number)):
            yield o.offer_of(number, a.RemoveChip, rule.sensor.cites, seat=o.Choice((number,)))


def _cancelling(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    seats = desk.controller.accepted
    asked = (a.CancelWager(seat=seat, reason=_REASON) for seat in seats[:1])
    if any(granted(desk, by, one) for one in asked):
        cites = rule.collection.cites
        yield o.offer_of("floor", a.CancelWager, cites, seat=o.Choice(seats), reason=o.WORDS)


# ---------------------------------------------------------------- winners


def _hands(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    """A key that is on goes off; where keys do not toggle seat by seat, whichever seat is named."""
    keys, cites = winners.hand_keys(desk.round.setup), cites_of(rule, "press_hand_key")
    each = rule.keys.hand_key_toggles_per_seat
    for lamp in desk.controller.lamps:
        if granted(desk, by, a.PressHand(seat=lamp.seat, hand=lamp.hand)):
            seat: o.Argument = o.Choice((lamp.seat,)) if each else _ANY
            yield o.offer_of("dealer", a.PressHand, cites, seat=seat, hand=o.Choice((lamp.hand,)))
    if desk.round.phase != "settling":
        return
    for number in sorted(desk.round.seats):
        off = tuple(key for key in keys if keyed(desk.controller, number, key, rule) is None)
        if off and granted(desk, by, a.PressHand(seat=number, hand=off[0])):
            one, hands = o.Choice((number,)), o.Choice(off)
            yield o.offer_of("dealer", a.PressHand, cites, seat=one, hand=hands)


def _of_lamps(kind: type[a.VerifyWin] | type[a.KeyInWinner], step: str) -> Offers:
    def offers(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
        for seat in dict.fromkeys(lamp.seat for lamp in desk.controller.lamps):
            if granted(desk, by, kind(seat=seat)):
                yield o.offer_of("supervisor", kind, cites_of(rule, step), seat=o.Choice((seat,)))

    return offers


def _turning(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    if not rule.keys.key_switch:
        return
    for to, step in (("JPH", "turn_key_to_jph"), ("RUN", "turn_key_to_run")):
        if granted(desk, by, a.TurnKey(to=to)):  # type: ignore[arg-type]
            yield o.offer_of("supervisor", a.TurnKey, cites_of(rule, step), to=o.Choice((to,)))


def _paying(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    for seat in dict.fromkeys(lamp.seat for lamp in desk.controller.lamps):
        if granted(desk, by, a.PayAward(seat=seat, document=_REASON)):
            without = granted(desk, by, a.PayAward(seat=seat))
            one, document = o.Choice((seat,)), o.Text() if without else o.WORDS
            cites = cites_of(rule, "pay")
            yield o.offer_of("dealer", a.PayAward, cites, seat=one, document=document)


# ---------------------------------------------------------------- what takes two people, and voids


def _second(by: Actor) -> o.Judged:
    return o.Judged("somebody else of the house", lambda one: may_be_second(by, one))


def _backing_out(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    """Awards are remembered for ever, so that none is looked at before somebody names it."""
    if not desk.controller.wins and (desk.link is None or not desk.link.awards):
        return
    other = Actor(name=f"{by.name}?", role="supervisor")
    if not may_be_second(by, other):
        return

    def stands(award: object) -> bool:
        asked = a.BackOut(award=award, reason=_REASON, second=other)  # type: ignore[arg-type]
        return granted(desk, by, asked)

    award, second = o.Judged("an award that is logged and not backed out", stands), _second(by)
    cites = rule.back_out.cites
    yield o.offer_of("supervisor", a.BackOut, cites, award=award, reason=o.WORDS, second=second)


def _overriding(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    if desk.round.phase != "settling":
        return
    other = Actor(name=f"{by.name}?", role="supervisor")
    for seat in sorted(desk.round.seats):
        asked = a.OverrideUnlit(seat=seat, reason=_REASON, second=other)
        if granted(desk, by, asked):
            one, second, cites = o.Choice((seat,)), _second(by), rule.sensor.cites
            yield o.offer_of(
                "supervisor", a.OverrideUnlit, cites, seat=one, reason=o.WORDS, second=second
            )


def _voiding(desk: Desk, by: Actor, rule: Progressive) -> Iterator[o.Offer]:
    """By the floor's word, or by an incident, which a dealer may report too."""
    nobody, cites, seen = o.Choice((None,)), rule.void.cites, cards_seen(desk.round)
    other = Actor(name=f"{by.name}?", role="supervisor")
    agrees = o.Judged("somebody else of the floor", lambda one: may_sign_void(desk.round, by, one))
    second: o.Argument = agrees if seen else nobody
    if granted(desk, by, a.VoidRound(reason=_REASON, second=other if seen else None)):
        yield o.offer_of(
            "floor", a.VoidRound, cites, reason=o.WORDS, incident=nobody, second=second
        )
    noted = g.Incident(what="deck_count", count=desk.round.setup.book.cards.cards)
    if granted(desk, by, a.VoidRound(incident=noted)):
        for decided in (False, True):
            wrong = o.Judged("what went wrong", partial(_stands, desk.round, decided))
            signs = second if decided else nobody
            yield o.offer_of(
                "floor", a.VoidRound, cites, reason=o.Text(), incident=wrong, second=signs
            )


def _stands(state: Round, decided: bool, reported: object) -> bool:
    """Whether something may be reported that is void by decision, or that is not."""
    if not isinstance(reported, g.Incident) or reported.second is not None:
        return False
    if not o.begins(incident, state, reported):
        return False
    return decided == (reported.decision == "void" and floor_decides(state, reported))


_KEYS: tuple[Offers, ...] = (
    _tried("dealer", a.CoinIn(), lambda rule: rule.lock.cites, round=_ANY),
    _tried("dealer", a.PlayWithout(), lambda rule: rule.lock.cites, round=_ANY),
    _tried(
        "dealer", a.CountChips(chips=0), lambda rule: rule.collection.cites, chips=o.Range(0, None)
    ),
    _cancelling,
    _tried("dealer", a.FirstCard(), lambda rule: rule.lock.cites),
    _hands,
    _tried("dealer", a.CallSupervisor(), _steps("call_supervisor")),
    _of_lamps(a.VerifyWin, "verify_win"),
    _of_lamps(a.KeyInWinner, "key_in_winner"),
    _turning,
    _tried("supervisor", a.PressJPot(), _steps("press_j_pot")),
    _tried("supervisor", a.PrintWinPage(), _steps("print_win_page")),
    _paying,
    _tried("dealer", a.GameOver(), lambda rule: rule.end_of_round.cites),
    _backing_out,
    _overriding,
    _voiding,
)


class Coming(NamedTuple):
    """The next press, whose it is, and the clauses behind it.

    A payment still wants its document, and a back-out the name of its second person.
    """

    by: Person
    press: a.AnyPress
    cites: tuple[str, ...]


def coming(desk: Desk) -> Coming | None:
    """The press that comes next; None while the round itself has to go on first."""
    controller, state, rule = desk.controller, desk.round, rule_of(desk.round)
    if not controller.locked:
        if state.phase != "closed":
            return None
        if controller.key == "JPH":
            return Coming("supervisor", a.TurnKey(to="RUN"), cites_of(rule, "turn_key_to_run"))
        down = not takes_wagers(desk.link, controller.table)
        chips = any("progressive" in seat.wagers for seat in state.seats.values())
        return Coming("dealer", a.PlayWithout() if down and chips else a.CoinIn(), rule.lock.cites)
    if not controller.counted:
        return Coming("dealer", a.CountChips(chips=len(controller.accepted)), rule.collection.cites)
    if not controller.dealt:
        return Coming("dealer", a.FirstCard(), rule.lock.cites)
    return _at_settlement(desk) if state.phase == "settling" else None


def _at_settlement(desk: Desk) -> Coming | None:
    controller, rule = desk.controller, rule_of(desk.round)
    off = next((lamp for lamp in controller.lamps if lamp.wrong), None)
    if off is not None:
        return Coming(
            "dealer", a.PressHand(seat=off.seat, hand=off.hand), winners.toggle_cites(rule)
        )
    lamp = controller.in_hand
    waiting = winners.turns(desk)
    if lamp is None and controller.key == "JPH":
        return Coming("supervisor", a.TurnKey(to="RUN"), cites_of(rule, "turn_key_to_run"))
    if lamp is None and waiting:
        first = waiting[0]
        lamp = lamp_of(controller, first.seat)
        if lamp is None:
            if not o.permits(winners.require_win, desk, first.seat, first.hand):
                return None
            press = a.PressHand(seat=first.seat, hand=first.hand)
            return Coming("dealer", press, cites_of(rule, "press_hand_key"))
    if lamp is not None:
        return _about(desk, lamp)
    if remaining(desk.round) or controller.lamps:
        return None
    return Coming("dealer", a.GameOver(), rule.end_of_round.cites)


def _about(desk: Desk, lamp: Lamp) -> Coming | None:
    """The next step of an award. Only a back-out takes away a logged one whose seat has forfeited
    before it was paid; the second person still has to give a name."""
    rule, award = rule_of(desk.round), desk.controller.wins.get(lamp.award)
    if award is not None and not award.paid and desk.round.seats[lamp.seat].status == "forfeit":
        second = Actor(name="", role="floorperson")
        press = a.BackOut(award=lamp.award, reason=winners.forfeit_words(lamp.seat), second=second)
        return Coming("supervisor", press, rule.back_out.cites)
    step = winners.next_step(desk.round.setup, rule, lamp)
    if step is None:
        return None
    by: Person = step.by
    if step.step == "verify_win" and step.by == "house":
        by = "floorperson" if lamp.has("call_supervisor") else "dealer"
    return Coming(by, _PRESS[step.step](lamp.seat), step.cites)


_PRESS: dict[str, Callable[[int], a.AnyPress]] = {
    "call_supervisor": lambda seat: a.CallSupervisor(),
    "verify_win": lambda seat: a.VerifyWin(seat=seat),
    "key_in_winner": lambda seat: a.KeyInWinner(seat=seat),
    "turn_key_to_jph": lambda seat: a.TurnKey(to="JPH"),
    "press_j_pot": lambda seat: a.PressJPot(),
    "print_win_page": lambda seat: a.PrintWinPage(),
    "pay": lambda seat: a.PayAward(seat=seat),
    "turn_key_to_run": lambda seat: a.TurnKey(to="RUN"),
}
