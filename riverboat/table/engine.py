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
from riverboat.round.incidents import floor_decides
from riverboat.round.state import Round
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Day, apply
from riverboat.table.people import Actor, require_alone, signed_by
from riverboat.table.permission import require_permission
from riverboat.table.procedures import decks, devices, rounds, seats, tray
from riverboat.table.procedures.checks import (
    SILENT,
    configured,
    in_use,
    require_not_interrupted,
    require_open,
)
from riverboat.table.sealed_cards import require_can_happen

Procedure: TypeAlias = Callable[[Day, Actor, Any], Iterator[e.AnyEvent]]


def tell_time(day: Day, by: Actor, action: a.TellTime) -> Iterator[e.AnyEvent]:
    """Time only goes on."""
    if action.at < day.now:
        raise Refused("time.backwards", "time does not go back", cites=SILENT)
    yield e.TimeTold(at=action.at)


def in_round(day: Day, by: Actor, action: Any) -> Iterator[e.AnyEvent]:
    """An action of the round; no decision before a count that is due, no deal past the deck.

    A deal that was made by hand while play was interrupted is entered as a whole; a deck that was
    committed to was then not dealt from, and its commitment is abandoned.
    """
    require_open(day)
    if day.round is None or not (day.in_round or isinstance(action, g.Correct)):
        raise Refused("round.none", "no round is being played", cites=SILENT)
    if isinstance(action, g.Wager | g.TakeBack) and day.cut_known:
        text = "words for the cut of this committed deck have been told; the bets are down"
        raise Refused("bet.cut_known", text, cites=configured(day).book.betting_closes.cites)
    if isinstance(action, g.Wager):
        seats.require_named_player(day, action)
    if isinstance(action, g.Deal) and not day.by_hand:
        text = "a whole deal at once; cards come from the committed deck or are reported one by one"
        raise Refused("deal.not_by_hand", text, cites=SILENT)
    if isinstance(action, WAIT_FOR_COUNT):
        rounds.require_count_done(day)
    state = rounds.dealt_so_far(day) if isinstance(action, UNDER_WAY) else day.round
    signed: tuple[str, ...] = ()
    if isinstance(action, g.Incident):
        require_can_happen(day, state, action)
        signed = _signed_by(state, by, action)
    told = [_marked(event, signed) for event in step_round(state, action)]
    words = tuple(decks.seal_word(day, by, action)) if isinstance(action, g.Wager) else ()
    if isinstance(action, g.Deal) and day.deck_in_play is not None:
        yield from decks.abandoned(day.deck_in_play, "the round was dealt by hand")
    yield from (*told, *words)


def _signed_by(state: Round, by: Actor, action: g.Incident) -> tuple[str, ...]:
    """Who signs for what is made of an incident; what the rulebook prescribes takes nobody more."""
    if action.decision == "void" and floor_decides(state, action):
        return signed_by(state, by, action.second, SILENT)
    require_alone(action.second, "what the rulebook prescribes", SILENT)
    return ()


def _marked(event: r.AnyEvent, signed: tuple[str, ...]) -> r.AnyEvent:
    """A void that two people decided says so."""
    return replace(event, signed_by=signed) if isinstance(event, r.RoundVoided) else event


UNDER_WAY = (g.Wager, g.TakeBack, g.Incident)
"""What is judged by the cards that have come so far of a deal that is under way."""
WAIT_FOR_COUNT = (g.Bet, g.Fold, g.Turn)


DECIDE: dict[type, Procedure] = {
    a.TellTime: tell_time,
    a.OpenDay: tray.open_day,
    a.CloseDay: tray.close_day,
    a.Fill: tray.fill,
    a.Credit: tray.credit,
    a.BuyIn: tray.buy_in,
    a.Drop: tray.drop,
    a.Propose: seats.propose,
    a.Approve: seats.approve,
    a.Withdraw: seats.withdraw,
    a.Designate: seats.designate,
    a.CloseTable: seats.close_table,
    a.AssignDealer: seats.assign_dealer,
    a.SitDown: seats.sit_down,
    a.StandUp: seats.stand_up,
    a.ReceiveDeck: decks.receive_deck,
    a.Prepare: decks.prepare,
    a.StartShuffle: decks.start_shuffle,
    a.JamShuffler: decks.jam_shuffler,
    a.FinishShuffle: decks.finish_shuffle,
    a.SealDeck: decks.seal_deck,
    a.ForceDeck: decks.seal_deck,
    a.Cut: decks.cut,
    a.TellWord: decks.tell_word,
    a.FixCut: decks.fix_cut,
    a.ForceCut: decks.force_cut,
    a.OrderRecut: decks.order_recut,
    a.OrderShuffle: decks.order_shuffle,
    a.Load: decks.load,
    a.RemoveDeck: decks.remove_deck,
    a.GoIdle: decks.go_idle,
    a.StartRound: rounds.start_round,
    a.CallOff: rounds.call_off,
    a.DealOut: rounds.deal_from_deck,
    a.ReportCard: rounds.report_card,
    a.CountStub: rounds.count_stub,
    a.Expire: rounds.expire,
    a.FailDevice: devices.fail_device,
    a.MarkDevice: devices.mark_device,
    a.UseMethod: devices.use_method,
    a.RestoreDevice: devices.restore_device,
    a.Interrupt: devices.interrupt,
    a.Confirm: devices.confirm,
    a.AbandonSealed: devices.abandon_sealed,
    g.CorrectCard: rounds.correct_card,
}
_KINDS = frozenset((*DECIDE, *get_args(g.AnyAction)))
WHILE_INTERRUPTED = (a.Confirm, a.AbandonSealed, a.TellTime, a.Fill, a.Credit)


def decide(day: Day, by: Actor, action: a.AnyAction) -> tuple[e.AnyEvent, ...]:
    """What follows from an action, or a refusal, which names the clauses on the way to deal that is
    used; the table after it is for others to remember."""
    require_kind(day, Day, "day")
    require_struct(by, Actor, "by")
    require_action(action, _KINDS)
    require_permission(day, by, action)
    if not isinstance(action, WHILE_INTERRUPTED):
        require_not_interrupted(day)
    try:
        events = list(DECIDE.get(type(action), in_round)(day, by, action))
    except Refused as refusal:
        if day.configuration is not None and not isinstance(action, a.Propose):
            refusal.cites = in_use(day, refusal.cites)
        raise
    if any(isinstance(event, r.RoundClosed) for event in events):
        events += seats.approved_meanwhile(reduce(apply, events, day))
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
