"""What may be asked for at a table now: of its day, and of the round that is being played.

Who somebody is says which kinds of requests are theirs at all; whether one would be granted now,
the day's own procedures say, each of which makes all its checks before its first event.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from riverboat.games import actions as g
from riverboat.games.deciding import seat_to_act
from riverboat.games.legal import begins, permits
from riverboat.games.legal import offers_of as offers_of_round
from riverboat.games.offers import WORDS, Argument, Choice, Judged, Offer, Range, Text
from riverboat.table import actions as a
from riverboat.table import legal_cards
from riverboat.table.asking import SILENT, book_of, designation
from riverboat.table.changes import (
    approve,
    assign_dealer,
    close_table,
    designate,
    own_seats,
    propose,
    sit_down,
    stand_up,
)
from riverboat.table.day import Day
from riverboat.table.engine import UNDER_WAY, WAIT_FOR_COUNT, WHILE_INTERRUPTED, is_possible
from riverboat.table.legal_cards import REASON, Offers, offer_of, silent, tried
from riverboat.table.people import Actor
from riverboat.table.permission import kinds_for, require_permission
from riverboat.table.rounds import (
    call_off,
    count_is_due,
    dealt_so_far,
    expire,
    is_dealt,
    start_round,
)
from riverboat.table.tray import buy_in, close_day, credit, drop, fill, open_day
from riverboat.table.trouble import fail_device, mark_device, restore_device, use_method


def legal(day: Day, by: Actor) -> tuple[Offer, ...]:
    """Everything that somebody may ask for at a table now."""
    kinds = kinds_for(day, by)
    if day.interrupted:
        kinds = tuple(kind for kind in kinds if kind in WHILE_INTERRUPTED)
    return tuple(offer for kind in kinds for offer in _offers_of(kind)(day, by))


def _offers_of(kind: type) -> Offers:
    found = _OFFERS.get(kind)
    if found is not None:
        return found
    return lambda day, by: _in_round(day, by, kind)


# ---------------------------------------------------------------- the gaming day and its people


def _tell_time(day: Day, by: Actor) -> Iterator[Offer]:
    yield offer_of("system", a.TellTime, SILENT, at=Range(day.now, None))


def _credits(day: Day, by: Actor) -> Iterator[Offer]:
    if begins(credit, day, by, a.Credit(cents=1)):
        yield offer_of("floor", a.Credit, SILENT, cents=Range(1, day.accounts.tray_cents))


def _buy_ins(day: Day, by: Actor) -> Iterator[Offer]:
    seats = tuple(day.seated)
    if seats and begins(buy_in, day, by, a.BuyIn(seat=seats[0], cents=1)):
        most = Range(1, day.accounts.tray_cents)
        yield offer_of("dealer", a.BuyIn, SILENT, seat=Choice(seats), cents=most)


def _proposing(day: Day, by: Actor) -> Iterator[Offer]:
    def stands(submission: object) -> bool:
        asked = a.Propose(submission=submission)  # type: ignore[arg-type]
        return permits(require_permission, day, by, asked) and begins(propose, day, by, asked)

    filed = Judged("a configuration that the rulebook allows", stands)
    yield offer_of("floor", a.Propose, SILENT, submission=filed)


def _approving(day: Day, by: Actor) -> Iterator[Offer]:
    for number in day.proposals:
        asked = a.Approve(number=number)
        if permits(require_permission, day, by, asked) and begins(approve, day, by, asked):
            yield offer_of("floor", a.Approve, SILENT, number=Choice((number,)))


def _withdrawing(day: Day, by: Actor) -> Iterator[Offer]:
    if day.proposals:
        yield offer_of("floor", a.Withdraw, SILENT, number=Choice(tuple(day.proposals)))


def _assigning(day: Day, by: Actor) -> Iterator[Offer]:
    if begins(assign_dealer, day, by, a.AssignDealer(name=f"{day.dealer}?")):
        name = Text(words=True, not_these=(day.dealer,))
        yield offer_of("floor", a.AssignDealer, SILENT, name=name)


def _sitting_down(day: Day, by: Actor) -> Iterator[Offer]:
    if day.configuration is None:
        return
    free = tuple(n for n in range(1, day.setup.seats + 1) if n not in day.seated)
    if free and begins(sit_down, day, by, a.SitDown(seat=free[0])):
        cites = book_of(day).options["seats"].cites
        yield offer_of("player", a.SitDown, cites, seat=Choice(free))


def _standing_up(day: Day, by: Actor) -> Iterator[Offer]:
    own = own_seats(day, by)
    sitting = tuple(day.seated) if own is None else own
    seats = tuple(n for n in sitting if begins(stand_up, day, by, a.StandUp(seat=n)))
    if seats:
        yield offer_of("player", a.StandUp, SILENT, seat=Choice(seats))


def _expiring(day: Day, by: Actor) -> Iterator[Offer]:
    seat = seat_to_act(day.playing) if day.in_round else None
    if seat is not None and begins(expire, day, by, a.Expire(seat=seat, seconds=1)):
        bounds: dict[str, Argument] = {"seat": Choice((seat,)), "seconds": Range(1, None)}
        yield Offer("floor", a.Expire, bounds, SILENT)


# ---------------------------------------------------------------- trouble


def _methods(day: Day, by: Actor) -> Iterator[Offer]:
    if day.configuration is None or day.device == "working":
        return
    for dealing, shuffle in day.configuration.fallbacks:
        if begins(use_method, day, by, a.UseMethod(dealing=dealing, shuffle=shuffle)):
            bounds: dict[str, Argument] = {
                "dealing": Choice((dealing,)),
                "shuffle": Choice((shuffle,)),
            }
            yield Offer("floor", a.UseMethod, bounds, _device_cites(day))


def _interrupting(day: Day, by: Actor) -> Iterator[Offer]:
    if not day.interrupted:
        yield offer_of("floor", a.Interrupt, SILENT, reason=WORDS)


def _confirming(day: Day, by: Actor) -> Iterator[Offer]:
    if day.interrupted:
        ways = ("resume", "void", "by_hand") if day.in_round else ("resume",)
        signed = Choice((day.interrupted,))
        yield offer_of("floor", a.Confirm, SILENT, statement=signed, decision=Choice(ways))


def _device_cites(day: Day) -> tuple[str, ...]:
    return book_of(day).irregularities.device_out_of_use.cites


# ---------------------------------------------------------------- the round


def _in_round(day: Day, by: Actor, kind: type) -> Iterator[Offer]:
    """What the round offers, as far as the day lets it."""
    if day.round is None or day.phase == "closed" or not (day.in_round or kind is g.Correct):
        return
    if kind is g.Deal and not day.by_hand:
        return
    if kind in WAIT_FOR_COUNT and is_dealt(day) and count_is_due(day):
        return
    state, own = dealt_so_far(day) if kind in UNDER_WAY else day.round, own_seats(day, by)
    for offer in offers_of_round(state, kind, own):
        if kind is g.Wager:
            yield named(day, offer)
        elif kind is not g.Incident or is_possible(day, _only(offer, "what")):
            yield offer


def _only(offer: Offer, name: str) -> Any:
    bounds = offer.arguments[name]
    assert isinstance(bounds, Choice)
    return bounds.values[0]


def named(day: Day, offer: Offer) -> Offer:
    """A wager carries the name of nobody but the one who sits there."""
    sits, bounds = day.seated.get(_only(offer, "seat")), offer.arguments["player"]
    player: Argument
    if sits is not None:
        player = Choice(tuple(name for name in ("", sits) if bounds.holds(name)))
    elif isinstance(bounds, Choice):
        others = tuple(day.seated.values())
        player = Choice(tuple(name for name in bounds.values if name not in others))
    else:
        assert isinstance(bounds, Text)
        player = Text(not_these=(*bounds.not_these, *day.seated.values()))
    return replace(offer, arguments={**offer.arguments, "player": player})


def _ante_cites(day: Day) -> tuple[str, ...]:
    return book_of(day).ante.cites


_OFFERS: dict[type, Offers] = {
    **legal_cards.OFFERS,
    a.TellTime: _tell_time,
    a.OpenDay: tried(
        open_day,
        "floor",
        a.OpenDay(date=REASON, tray_cents=0),
        silent,
        date=WORDS,
        tray_cents=Range(0, None),
    ),
    a.CloseDay: tried(
        close_day, "floor", a.CloseDay(tray_cents=0), silent, tray_cents=Range(0, None)
    ),
    a.Fill: tried(fill, "floor", a.Fill(cents=1), silent, cents=Range(1, None)),
    a.Credit: _credits,
    a.BuyIn: _buy_ins,
    a.Drop: tried(drop, "floor", a.Drop(cents=0), silent, cents=Range(0, None)),
    a.Propose: _proposing,
    a.Approve: _approving,
    a.Withdraw: _withdrawing,
    a.Designate: tried(designate, "floor", a.Designate(), designation),
    a.CloseTable: tried(close_table, "floor", a.CloseTable(), designation),
    a.AssignDealer: _assigning,
    a.SitDown: _sitting_down,
    a.StandUp: _standing_up,
    a.StartRound: tried(start_round, "dealer", a.StartRound(), _ante_cites),
    a.CallOff: tried(call_off, "dealer", a.CallOff(), silent),
    a.Expire: _expiring,
    a.FailDevice: tried(
        fail_device, "floor", a.FailDevice(reason=REASON), _device_cites, reason=WORDS
    ),
    a.MarkDevice: tried(
        mark_device,
        "floor",
        a.MarkDevice(how="covered"),
        _device_cites,
        how=Choice(("covered", "signed")),
    ),
    a.UseMethod: _methods,
    a.RestoreDevice: tried(restore_device, "floor", a.RestoreDevice(), _device_cites),
    a.Interrupt: _interrupting,
    a.Confirm: _confirming,
}
