"""What every event does to a table. It never refuses anything; but without its rulebook there is
nothing that a table could go on with."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from riverboat import events as r
from riverboat.games.postings import CAGE, TRAY, postings
from riverboat.games.round import Round
from riverboat.games.round import apply as apply_to_round
from riverboat.meter.accounts import Posting
from riverboat.meter.amounts import meter_of
from riverboat.table import events as e
from riverboat.table.configuration import configure
from riverboat.table.day import Accounts, Day, Deck, Proposal, Stage, edition_among
from riverboat.table.methods import with_method

STAGE_AFTER: dict[str, Stage] = {
    "inspect": "inspected",
    "verify": "verified",
    "spread_face_up": "spread_up",
    "first_player_looks": "player_inspected",
    "turn_face_down": "face_down",
    "wash": "washed",
    "stack": "stacked",
}


def apply(day: Day, event: e.AnyEvent) -> Day:
    """The table after an event."""
    remember = _REMEMBER.get(type(event))
    return remember(day, event) if remember else _in_round(day, event)


def remember_entry(day: Day, entry: e.Entry) -> Day:
    """The table after an entry of its record."""
    return replace(reduce(apply, entry.events, day), entries=entry.number)


def replay(day: Day, entries: Iterable[e.Entry]) -> Day:
    """A table from its record."""
    return reduce(remember_entry, entries, day)


def _in_round(day: Day, event: Any) -> Day:
    """An event of the round that is being played, and what it moved in the tray."""
    if isinstance(event, r.RoundOpened):
        opened = apply_to_round(Round(setup=day.setup), event)
        return replace(day, round=opened, opening_meter=None)
    before = day.playing
    after = replace(day, round=apply_to_round(before, event))
    after = replace(after, accounts=posted(day.accounts, postings(event, before)))
    match event:
        case r.CardsDealt():
            return replace(after, rounds_since_count=day.rounds_since_count + 1)
        case r.DeckRemoved():
            return _without_deck(after, day.round_deck)
        case r.TableSuspended():
            return replace(after, device="failed")
        case r.RoundClosed():
            return _round_over(after)
    return after


def posted(accounts: Accounts, movements: Iterable[Posting]) -> Accounts:
    """The day's accounts after what moved in tray and cage."""
    moved = {TRAY: 0, CAGE: 0}
    for posting in movements:
        if posting.unit == "cent" and posting.account in moved:
            moved[posting.account] += posting.amount
    if not any(moved.values()):
        return accounts
    return replace(
        accounts,
        tray_cents=accounts.tray_cents + moved[TRAY],
        rounds_cents=accounts.rounds_cents + moved[TRAY],
        cage_cents=accounts.cage_cents - moved[CAGE],
    )


def _round_over(day: Day) -> Day:
    decks = dict(day.decks)
    if day.round_deck in decks:
        used = decks[day.round_deck]
        decks[day.round_deck] = replace(used, stage="used", is_cut=False, sealed=None, depths=())
    return replace(
        day,
        phase="open",
        decks=decks,
        by_hand=False,
        stub_counted=False,
    )


def _with_deck(day: Day, name: str, **changes: Any) -> Day:
    return replace(day, decks={**day.decks, name: replace(day.decks[name], **changes)})


def _without_deck(day: Day, name: str) -> Day:
    return replace(day, decks={n: deck for n, deck in day.decks.items() if n != name})


def _accounts(day: Day, **changes: Any) -> Day:
    return replace(day, accounts=replace(day.accounts, **changes))


def _time(day: Day, event: e.TimeTold) -> Day:
    return replace(day, now=event.at)


def _day_opened(day: Day, event: e.DayOpened) -> Day:
    accounts = Accounts(opening_cents=event.tray_cents, tray_cents=event.tray_cents)
    return replace(day, date=event.date, accounts=accounts)


def _day_closed(day: Day, event: e.DayClosed) -> Day:
    return replace(day, date="")


def _filled(day: Day, event: e.ChipsFilled) -> Day:
    accounts = day.accounts
    return _accounts(
        day,
        tray_cents=accounts.tray_cents + event.cents,
        fills_cents=accounts.fills_cents + event.cents,
    )


def _credited(day: Day, event: e.ChipsCredited) -> Day:
    accounts = day.accounts
    return _accounts(
        day,
        tray_cents=accounts.tray_cents - event.cents,
        credits_cents=accounts.credits_cents + event.cents,
    )


def _bought_in(day: Day, event: e.BoughtIn) -> Day:
    accounts = day.accounts
    return _accounts(
        day,
        tray_cents=accounts.tray_cents - event.cents,
        in_box_cents=accounts.in_box_cents + event.cents,
    )


def _dropped(day: Day, event: e.BoxDropped) -> Day:
    dropped = day.accounts.drop_cents + event.cents
    return _accounts(day, drop_cents=dropped, in_box_cents=0)


def _proposed(day: Day, event: e.ConfigurationProposed) -> Day:
    book, sha256 = edition_among(day.books, event.submission.rulebook)
    proposal = Proposal(
        number=event.number,
        by=event.by,
        configuration=configure(book, event.submission, rulebook_sha256=sha256),
    )
    proposals = {**day.proposals, event.number: proposal}
    return replace(day, proposals=proposals, configurations=event.number)


def _approved(day: Day, event: e.ConfigurationApproved) -> Day:
    proposal = replace(day.proposals[event.number], approved_by=event.by)
    return replace(day, proposals={**day.proposals, event.number: proposal})


def _withdrawn(day: Day, event: e.ConfigurationWithdrawn) -> Day:
    return replace(day, proposals=_others(day, event.number))


def _took_effect(day: Day, event: e.ConfigurationTookEffect) -> Day:
    """The meter goes on where it stands, unless another schedule or link begins here."""
    chosen = day.proposals[event.number].configuration
    before = day.configuration.setup.progressive if day.configuration else None
    now = chosen.setup.progressive
    after = replace(day, configuration=chosen, proposals=_others(day, event.number), method=None)
    if now is None or day.linked or (before is not None and before.link == now.link):
        return after
    begins = meter_of(chosen.initial_meter_cents, chosen.initial_reserve_cents)
    return replace(after, opening_meter=begins)


def _others(day: Day, number: int) -> dict[int, Proposal]:
    return {n: proposal for n, proposal in day.proposals.items() if n != number}


def _designated(day: Day, event: e.TableDesignated) -> Day:
    return replace(day, phase="open")


def _table_closed(day: Day, event: e.TableClosed) -> Day:
    return replace(day, phase="closed", decks={}, dealer="", seated={}, last_deck="")


def _dealer(day: Day, event: e.DealerAssigned) -> Day:
    return replace(day, dealer=event.name)


def _sat(day: Day, event: e.SeatTaken) -> Day:
    return replace(day, seated={**day.seated, event.seat: event.player})


def _left(day: Day, event: e.SeatLeft) -> Day:
    seated = {seat: name for seat, name in day.seated.items() if seat != event.seat}
    return replace(day, seated=seated)


def _received(day: Day, event: e.DeckReceived) -> Day:
    opened_by_steps = day.setup.book.opening is not None
    stage: Stage = "received" if opened_by_steps else "stacked"
    deck = Deck(name=event.deck, back=event.back, design=event.design, stage=stage)
    if event.preshuffled:
        deck = replace(deck, stage="shuffled", method="preshuffled")
    return replace(day, decks={**day.decks, event.deck: deck})


def _prepared(day: Day, event: e.DeckPrepared) -> Day:
    """A defect leaves the deck where it was, until it is taken away."""
    if event.step == "inspect":
        day = _with_deck(day, event.deck, inspected_by=event.by, defects=event.defects)
    if event.defects:
        return day
    day = replace(day, phase="open" if day.phase == "idle" else day.phase)
    return _with_deck(day, event.deck, stage=STAGE_AFTER[event.step])


def _shuffle_started(day: Day, event: e.ShuffleStarted) -> Day:
    return _with_deck(day, event.deck, stage="shuffling", method=event.method)


def _same(day: Day, event: Any) -> Day:
    return day


def _shuffled(day: Day, event: e.ShuffleFinished) -> Day:
    return _with_deck(day, event.deck, stage="shuffled", is_cut=False, depths=())


def _sealed(day: Day, event: e.DeckSealed) -> Day:
    day = replace(day, commitments=event.number)
    return _with_deck(day, event.deck, sealed=event, depths=())


def _abandoned(day: Day, event: e.CommitmentAbandoned) -> Day:
    if event.deck not in day.decks:
        return day
    return _with_deck(day, event.deck, sealed=None, depths=())


def _cut(day: Day, event: e.DeckCut) -> Day:
    depths = (*day.decks[event.deck].depths, event.depth)
    day = replace(day, cut_fixed=day.cut_fixed or event.by_player)
    return _with_deck(day, event.deck, is_cut=True, depths=depths)


def _recut(day: Day, event: e.RecutOrdered) -> Day:
    stage = day.decks[event.deck].stage
    back = "in_play" if stage == "in_play" else "shuffled"
    return _with_deck(day, event.deck, stage=back, is_cut=False)


def _shuffle_ordered(day: Day, event: e.ShuffleOrdered) -> Day:
    return _with_deck(day, event.deck, stage="stacked", is_cut=False, method="")


def _loaded(day: Day, event: e.DeckLoaded) -> Day:
    return _with_deck(day, event.deck, stage="ready")


def _taken_away(day: Day, event: e.DeckTakenAway) -> Day:
    """With the last deck that lay spread the table is no longer idle."""
    day = _without_deck(day, event.deck)
    lies_spread = any(deck.stage == "idle" for deck in day.decks.values())
    return day if day.phase != "idle" or lies_spread else replace(day, phase="open")


def _idle(day: Day, event: e.WentIdle) -> Day:
    decks = {
        name: replace(deck, stage="idle", is_cut=False, sealed=None, depths=())
        for name, deck in day.decks.items()
    }
    return replace(day, phase="idle", decks=decks, idle_face_up=event.face_up)


def _round_started(day: Day, event: e.RoundStarted) -> Day:
    deck = day.decks[event.deck]
    first = day.now if deck.first_used_at is None else deck.first_used_at
    day = _with_deck(day, event.deck, stage="in_play", first_used_at=first)
    return replace(
        day,
        phase="round",
        round_number=event.number,
        round_deck=event.deck,
        last_deck=event.deck,
        stub_counted=False,
        cut_fixed=False,
        reported=(),
        left_out=(),
    )


def _reported(day: Day, event: e.CardReported) -> Day:
    if event.left_out:
        return replace(day, left_out=(*day.left_out, event.card))
    return replace(day, reported=(*day.reported, event.card))


def _amended(day: Day, event: e.CardAmended) -> Day:
    cards = list(day.reported)
    cards[event.index] = event.card
    return replace(day, reported=tuple(cards))


def _counted(day: Day, event: e.StubCounted) -> Day:
    return replace(day, stub_counted=True, rounds_since_count=0)


def _failed(day: Day, event: e.DeviceFailed) -> Day:
    return replace(day, device="failed")


def _marked(day: Day, event: e.DeviceMarked) -> Day:
    return replace(day, device="marked")


def _method(day: Day, event: e.MethodChanged) -> Day:
    assert day.configuration is not None
    chosen = with_method(day.configuration, event.dealing, event.shuffle)
    return replace(day, configuration=chosen, method=(event.dealing, event.shuffle))


def _restored(day: Day, event: e.DeviceRestored) -> Day:
    assert day.configuration is not None
    restored = with_method(day.configuration, "", "") if day.method else day.configuration
    return replace(day, device="working", method=None, configuration=restored)


def _interrupted(day: Day, event: e.PlayInterrupted) -> Day:
    return replace(day, interrupted=event.statement)


def _confirmed(day: Day, event: e.PlayConfirmed) -> Day:
    by_hand = event.decision == "by_hand" or (day.by_hand and event.decision == "resume")
    return replace(day, interrupted="", by_hand=by_hand)


_REMEMBER: dict[type, Callable[[Day, Any], Day]] = {
    e.TimeTold: _time,
    e.DayOpened: _day_opened,
    e.DayClosed: _day_closed,
    e.ChipsFilled: _filled,
    e.ChipsCredited: _credited,
    e.BoughtIn: _bought_in,
    e.BoxDropped: _dropped,
    e.ConfigurationProposed: _proposed,
    e.ConfigurationApproved: _approved,
    e.ConfigurationWithdrawn: _withdrawn,
    e.ConfigurationTookEffect: _took_effect,
    e.TableDesignated: _designated,
    e.TableClosed: _table_closed,
    e.DealerAssigned: _dealer,
    e.SeatTaken: _sat,
    e.SeatLeft: _left,
    e.DeckReceived: _received,
    e.DeckPrepared: _prepared,
    e.ShuffleStarted: _shuffle_started,
    e.ShuffleJammed: _same,
    e.ShuffleFinished: _shuffled,
    e.DeckSealed: _sealed,
    e.CommitmentAbandoned: _abandoned,
    e.DeckCut: _cut,
    e.RecutOrdered: _recut,
    e.ShuffleOrdered: _shuffle_ordered,
    e.DeckLoaded: _loaded,
    e.DeckTakenAway: _taken_away,
    e.WentIdle: _idle,
    e.RoundStarted: _round_started,
    e.CardReported: _reported,
    e.CardAmended: _amended,
    e.StubCounted: _counted,
    e.DecisionExpired: _same,
    e.DeviceFailed: _failed,
    e.DeviceMarked: _marked,
    e.MethodChanged: _method,
    e.DeviceRestored: _restored,
    e.PlayInterrupted: _interrupted,
    e.PlayConfirmed: _confirmed,
}
