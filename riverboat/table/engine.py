"""A table's day: `advance` decides and may refuse; what it decided is an entry of the record.

Every action goes through the same door: play is not interrupted, the person may do it, the rules of
the day allow it, and in a round the round's own engine does too.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, TypeAlias, get_args

from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.well_formed import require_action, require_kind, require_struct
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.engine import step as step_round
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Day, apply
from riverboat.table.people import Actor
from riverboat.table.permission import require_permission
from riverboat.table.procedures.checks import SILENT, in_use, require_open
from riverboat.table.procedures.decks import (
    abandoned,
    cut,
    cut_by_player,
    finish_shuffle,
    go_idle,
    jam_shuffler,
    load,
    order_recut,
    order_shuffle,
    prepare,
    receive_deck,
    remove_deck,
    seal_deck,
    start_shuffle,
)
from riverboat.table.procedures.devices import (
    confirm,
    fail_device,
    interrupt,
    mark_device,
    restore_device,
    use_method,
)
from riverboat.table.procedures.rounds import (
    call_off,
    correct_card,
    count_stub,
    deal_from_deck,
    dealt_so_far,
    expire,
    report_card,
    require_count_done,
    start_round,
)
from riverboat.table.procedures.seats import (
    approve,
    approved_meanwhile,
    assign_dealer,
    close_table,
    designate,
    propose,
    require_named_player,
    sit_down,
    stand_up,
    withdraw,
)
from riverboat.table.procedures.tray import buy_in, close_day, credit, drop, fill, open_day

Procedure: TypeAlias = Callable[[Day, Actor, Any], Iterator[e.AnyEvent]]


def tell_time(day: Day, by: Actor, action: a.TellTime) -> Iterator[e.AnyEvent]:
    """Time only goes on."""
    if action.at < day.now:
        raise Refused("time.backwards", "time does not go back", cites=SILENT)
    yield e.TimeTold(at=action.at)


def in_round(day: Day, by: Actor, action: Any) -> Iterator[e.AnyEvent]:
    """An action of the round; no decision before a count that is due, no deal past the deck."""
    require_open(day)
    if day.round is None or not (day.in_round or isinstance(action, g.Correct)):
        raise Refused("round.none", "no round is being played", cites=SILENT)
    if isinstance(action, g.Wager):
        require_named_player(day, action)
    if isinstance(action, g.Deal):
        _require_by_hand(day)
    if isinstance(action, g.Incident):
        _require_possible(day, action)
    if isinstance(action, WAIT_FOR_COUNT):
        require_count_done(day)
    told = step_round(dealt_so_far(day) if isinstance(action, UNDER_WAY) else day.round, action)
    if isinstance(action, g.Deal) and day.deck_in_play is not None:
        yield from abandoned(day.deck_in_play, "the round was dealt by hand")
    yield from told


UNDER_WAY = (g.Wager, g.TakeBack, g.Incident)
"""What is judged by the cards that have come so far of a deal that is under way."""
WAIT_FOR_COUNT = (g.Bet, g.Fold, g.Turn)
_OF_PHYSICAL_CARDS = ("face_up_cards", "card_drawn_in_error", "deck_count")


def is_possible(day: Day, what: str) -> bool:
    """Once the cut of a committed deck is fixed, nobody moves its cards by finding one face up."""
    test = day.configuration is not None and day.configuration.test
    return test or not day.cut_fixed or what not in _OF_PHYSICAL_CARDS


def _require_possible(day: Day, action: g.Incident) -> None:
    if not is_possible(day, action.what):
        text = "the cut of this committed deck is fixed; its cards come out as they were sealed"
        raise Refused("incident.committed", text, cites=SILENT)


def _require_by_hand(day: Day) -> None:
    """A deal that was made by hand while play was interrupted is entered as a whole.

    A deck that was committed to was then not dealt from, and its commitment is abandoned.
    """
    if not day.by_hand:
        text = "a whole deal at once; cards come from the committed deck or are reported one by one"
        raise Refused("deal.not_by_hand", text, cites=SILENT)


_DECIDE: dict[type, Procedure] = {
    a.TellTime: tell_time,
    a.OpenDay: open_day,
    a.CloseDay: close_day,
    a.Fill: fill,
    a.Credit: credit,
    a.BuyIn: buy_in,
    a.Drop: drop,
    a.Propose: propose,
    a.Approve: approve,
    a.Withdraw: withdraw,
    a.Designate: designate,
    a.CloseTable: close_table,
    a.AssignDealer: assign_dealer,
    a.SitDown: sit_down,
    a.StandUp: stand_up,
    a.ReceiveDeck: receive_deck,
    a.Prepare: prepare,
    a.StartShuffle: start_shuffle,
    a.JamShuffler: jam_shuffler,
    a.FinishShuffle: finish_shuffle,
    a.SealDeck: seal_deck,
    a.ForceDeck: seal_deck,
    a.Cut: cut,
    a.CutByPlayer: cut_by_player,
    a.OrderRecut: order_recut,
    a.OrderShuffle: order_shuffle,
    a.Load: load,
    a.RemoveDeck: remove_deck,
    a.GoIdle: go_idle,
    a.StartRound: start_round,
    a.CallOff: call_off,
    a.DealOut: deal_from_deck,
    a.ReportCard: report_card,
    a.CountStub: count_stub,
    a.Expire: expire,
    a.FailDevice: fail_device,
    a.MarkDevice: mark_device,
    a.UseMethod: use_method,
    a.RestoreDevice: restore_device,
    a.Interrupt: interrupt,
    a.Confirm: confirm,
    g.CorrectCard: correct_card,
}
_KINDS = frozenset((*_DECIDE, *get_args(g.AnyAction)))
WHILE_INTERRUPTED = (a.Confirm, a.TellTime, a.Fill, a.Credit)


def _decided(day: Day, by: Actor, action: a.AnyAction) -> list[e.AnyEvent]:
    """What follows from an action; a refusal names the clauses on the way to deal that is used."""
    try:
        return list(_DECIDE.get(type(action), in_round)(day, by, action))
    except Refused as refusal:
        if day.configuration is not None and not isinstance(action, a.Propose):
            refusal.cites = in_use(day, refusal.cites)
        raise


def decide(day: Day, by: Actor, action: a.AnyAction) -> tuple[e.AnyEvent, ...]:
    """What follows from an action, or a refusal; the table after it is for others to remember."""
    require_kind(day, Day, "day")
    require_struct(by, Actor, "by")
    require_action(action, _KINDS)
    require_permission(day, by, action)
    if day.interrupted and not isinstance(action, WHILE_INTERRUPTED):
        text = f"play is interrupted until the floor has signed: {day.interrupted}"
        raise Refused("play.interrupted", text, cites=SILENT)
    events = _decided(day, by, action)
    if any(isinstance(event, r.RoundClosed) for event in events):
        events += approved_meanwhile(reduce(apply, events, day))
    return tuple(events)


def advance(day: Day, by: Actor, action: a.AnyAction) -> tuple[e.Entry, Day]:
    """What follows from an action as an entry of the record, and the table after it."""
    events = decide(day, by, action)
    after = reduce(apply, events, day)
    entry = e.Entry(
        number=day.entries + 1,
        at=after.now,
        by=by,
        action=action,
        events=events,
        test=after.configuration is not None and after.configuration.test,
    )
    return entry, replace(after, entries=entry.number)
