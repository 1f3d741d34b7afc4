"""A round: what is on the table now, remembered from its events, none of which it refuses."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.core.well_formed import require_kind
from riverboat.meter.amounts import Meter
from riverboat.meter.state import Link
from riverboat.round import events as e
from riverboat.round.settlement.own_meter import go_on, own_link
from riverboat.round.setup.setup import Setup

Phase: TypeAlias = Literal[
    "betting", "closed", "locked", "ready", "deciding", "turning", "settling", "settled", "over",
    "void",
]  # fmt: skip
Status: TypeAlias = Literal["in", "folded", "forfeit"]
_BOARD = ("community", "box", "dealer")


class Seat(Struct, frozen=True, kw_only=True):
    """One seat: its chips on the felt, its cards, and how it stands."""

    player: str = ""
    wagers: dict[str, Cents] = {}
    status: Status = "in"
    cards: tuple[int, ...] = ()
    cards_kept: bool = True
    lit: bool = False
    net_cents: Cents = 0
    results: dict[str, Cents] = {}


class Round(Struct, frozen=True, kw_only=True, dict=True):
    """Everything there is to know about a round."""

    setup: Setup
    phase: Phase = "betting"
    seats: dict[int, Seat] = {}
    tip_box_cents: Cents = 0
    community: tuple[int, ...] = ()
    box: tuple[int, ...] = ()
    dealer: tuple[int, ...] = ()
    burned: int = 0
    turned: int = 0
    box_turned: bool = False
    up_cards: int = 0
    dealer_turned: bool = False
    stage: int = 0
    waiting: tuple[int, ...] = ()
    folds: tuple[int, ...] = ()
    settled: tuple[tuple[int, str, int], ...] = ()
    at_settlement: "Round | None" = None
    blocked: bool = False
    suspended: bool = False
    deck_removed: bool = False
    leaving: frozenset[int] = frozenset()
    history: tuple[e.AnyEvent, ...] = ()

    @cached_property
    def link(self) -> Link:
        """The table's own meter, told from the round's events; not open where it has none."""
        before = self.at_settlement
        if before is None:
            return own_link(self.setup, self.history)
        return go_on(before.link, self.history[len(before.history) :])

    @property
    def meter(self) -> Meter:
        """What the table's own meter stands at."""
        return self.link.meter

    @property
    def has_cards(self) -> bool:
        """Whether a card of this round lies at any place."""
        places = (self.community, self.box, self.dealer)
        return any(places) or any(seat.cards for seat in self.seats.values())


def accepted_wagers(state: Round) -> frozenset[int]:
    """The seats whose progressive wagers were accepted, and not cancelled since."""
    locked = [event for event in state.history if isinstance(event, e.ProgressiveLocked)]
    return frozenset(locked[-1].seats if locked else ())


def apply(state: Round, event: e.AnyEvent) -> Round:
    """The round after an event."""
    return apply_all(state, (event,))


def apply_all(state: Round, events: tuple[e.AnyEvent, ...]) -> Round:
    """The round after several events, with its history written once for all of them."""
    after = state
    for place, event in enumerate(events):
        if type(event) is e.SettlementBegun:  # It keeps the round as it stands then.
            after = replace(after, history=state.history + events[:place])
        after = _REMEMBER[type(event)](after, event)
    return replace(after, history=state.history + events)


def replay(setup: Setup, events: Iterable[e.AnyEvent]) -> Round:
    """A round from the beginning, from what are events of a round."""
    require_kind(setup, Setup, "setup")
    require_kind(events, Iterable, "events")
    told = tuple(events)
    if strange := [type(event).__name__ for event in told if type(event) not in _REMEMBER]:
        raise NotationError("event.unknown", f"{strange[0]} is no event of a round")
    return apply_all(Round(setup=setup), told)


def _seat(state: Round, number: int, seat: Seat, **changes: Any) -> Round:
    """The round with this seat in its place, and with what else changes."""
    return replace(state, seats={**state.seats, number: seat}, **changes)


def _moved(seat: Seat, spot: str, to_spot: Cents, to_player: Cents) -> Seat:
    """A seat after chips moved: `to_spot` onto a spot, `to_player` to its player."""
    wagers, results = seat.wagers.copy(), seat.results.copy()
    results[spot] = results.get(spot, 0) + to_player
    if left := wagers.get(spot, 0) + to_spot:
        wagers[spot] = left
    else:
        wagers.pop(spot, None)
    return replace(seat, wagers=wagers, net_cents=seat.net_cents + to_player, results=results)


def _move(state: Round, at: int, spot: str, to_spot: Cents, to_player: Cents, **more: Any) -> Round:
    """The round after chips of a seat moved, and with what else changes."""
    return _seat(state, at, _moved(state.seats[at], spot, to_spot, to_player), **more)


def _same(state: Round, event: e.AnyEvent) -> Round:
    return state


def _wager(state: Round, event: e.WagerPlaced) -> Round:
    seat = state.seats.get(event.seat) or Seat()
    if event.player:
        seat = replace(seat, player=event.player)
    return _seat(state, event.seat, _moved(seat, event.spot, event.cents, -event.cents))


def _taken_back(state: Round, event: e.WagerTakenBack) -> Round:
    seat = _moved(state.seats[event.seat], event.spot, -event.cents, event.cents)
    if seat.wagers:
        return _seat(state, event.seat, seat)
    seats = {n: s for n, s in state.seats.items() if n != event.seat}
    return replace(state, seats=seats, leaving=state.leaving - {event.seat})


def _closed(state: Round, event: e.BettingClosed) -> Round:
    return replace(state, phase="closed" if state.setup.progressive else "ready")


def _locked(state: Round, event: e.ProgressiveLocked) -> Round:
    seats = {n: replace(s, lit=n in event.seats) for n, s in state.seats.items()}
    return replace(state, phase="locked", seats=seats)


def _collected(state: Round, event: e.ProgressiveCollected) -> Round:
    taken = {number: _without(state.seats[number], ["progressive"]) for number in event.seats}
    return replace(state, phase="ready", seats=state.seats | taken, blocked=False)


def _without(seat: Seat, spots: Iterable[str], **changes: Any) -> Seat:
    """A seat whose wagers on these spots are gone."""
    wagers = {spot: cents for spot, cents in seat.wagers.items() if spot not in spots}
    return replace(seat, wagers=wagers, **changes)


def _dealt(state: Round, event: e.CardsDealt) -> Round:
    places: dict[str, tuple[int, ...]] = {}
    for place, cards in event.deliveries:
        places[place] = places.get(place, ()) + cards
    seats = {n: replace(s, cards=places.get(str(n), ())) for n, s in state.seats.items()}
    waiting, board = _in_turn(state), {place: places.get(place, ()) for place in _BOARD}
    return replace(state, phase=_phase(waiting), waiting=waiting, seats=seats, **board)


def _card_corrected(state: Round, event: e.CardCorrected) -> Round:
    def put_right(cards: tuple[int, ...]) -> tuple[int, ...]:
        return (*cards[: event.number - 1], event.card, *cards[event.number :])

    if event.place in _BOARD:
        state = replace(state, **{event.place: put_right(getattr(state, event.place))})
    else:
        seat = state.seats[int(event.place)]
        state = _seat(state, int(event.place), replace(seat, cards=put_right(seat.cards)))
    if state.at_settlement is None:
        return state
    return replace(state, at_settlement=_card_corrected(state.at_settlement, event))


def _street_bet(state: Round, event: e.StreetBet) -> Round:
    seat = state.seats[event.seat]
    return _acted(state, event.seat, _moved(seat, event.spot, event.cents, -event.cents))


def _folded(state: Round, event: e.Folded) -> Round:
    seat = replace(state.seats[event.seat], status="folded")
    return _acted(state, event.seat, seat, folds=(*state.folds, event.seat))


def _acted(state: Round, number: int, seat: Seat, **changes: Any) -> Round:
    """The round after a seat's decision."""
    waiting = tuple([n for n in state.waiting if n != number])
    return _seat(state, number, seat, waiting=waiting, phase=_phase(waiting), **changes)


def _phase(waiting: tuple[int, ...]) -> Phase:
    """Seats decide as long as there are some; then cards are turned."""
    return "deciding" if waiting else "turning"


def _in_turn(state: Round) -> tuple[int, ...]:
    """The seats that have a decision to make, in the order in which they act."""
    from_right = state.setup.book.acting.order == "dealers_right_to_left"
    still_in = [number for number, seat in state.seats.items() if seat.status == "in"]
    return tuple(sorted(still_in, reverse=from_right))


def _fold_collected(state: Round, event: e.FoldCollected) -> Round:
    gone = [spot for spot, _ in event.spots]
    seat = _without(state.seats[event.seat], gone, cards_kept=event.cards_kept)
    return _seat(state, event.seat, seat, folds=tuple(n for n in state.folds if n != event.seat))


def _side_bet_lost(state: Round, event: e.SideBetLost) -> Round:
    return _seat(state, event.seat, _without(state.seats[event.seat], [event.spot]))


def _turned(state: Round, event: e.CommunityTurned) -> Round:
    stages = state.setup.stages
    if event.number != stages[state.stage].reveals[-1]:
        return replace(state, turned=event.number)
    stage = state.stage + 1
    waiting = () if stage == len(stages) else _in_turn(state)
    return replace(state, turned=event.number, stage=stage, waiting=waiting, phase=_phase(waiting))


def _spot_settled(state: Round, event: e.SpotSettled) -> Round:
    on_spot = 0 if event.to == "stays" else state.seats[event.seat].wagers.get(event.spot, 0)
    returned = on_spot if event.outcome != "lose" and event.stake_returned else 0
    back, tips = event.paid_cents + returned, state.tip_box_cents
    if event.to == "tip_box":
        back, tips = 0, tips + back
    done = (*state.settled, (event.seat, event.spot, 0))
    return _move(state, event.seat, event.spot, -on_spot, back, settled=done, tip_box_cents=tips)


def _awarded(state: Round, event: e.MeterAwarded) -> Round:
    done = (*state.settled, (event.seat, "progressive", 0))
    return _move(state, event.seat, "progressive", 0, event.paid_cents, settled=done)


def _envy(state: Round, event: e.EnvyPaid) -> Round:
    done = (*state.settled, (event.seat, "envy", event.for_seat))
    return _move(state, event.seat, "envy", 0, event.cents, settled=done)


def _forfeited(state: Round, event: e.SeatForfeited) -> Round:
    lost = {"status": "forfeit", "wagers": {}, "lit": False}
    seat = replace(state.seats[event.seat], **lost)
    visited = any(number == event.seat for number, _, _ in state.settled)
    if state.at_settlement is not None and not visited:
        planned = replace(state.at_settlement.seats[event.seat], **lost)
        at_settlement = _seat(state.at_settlement, event.seat, planned)
        return _seat(state, event.seat, seat, at_settlement=at_settlement)
    remember = _acted if state.phase == "deciding" else _seat
    return remember(state, event.seat, seat)


def _noted(state: Round, event: e.IncidentNoted) -> Round:
    if event.consequence == "leaves":
        return replace(state, leaving=state.leaving | {event.seat})
    return state


def _returned(state: Round, event: e.WagerReturned) -> Round:
    from_spot = -event.cents if event.source == "spot" else 0
    return _move(state, event.seat, event.spot, from_spot, event.cents)


def _reversed(state: Round, event: e.PayoutReversed) -> Round:
    if event.source == "tip_box":
        return replace(state, tip_box_cents=state.tip_box_cents - event.cents)
    return _move(state, event.seat, event.spot, 0, -event.cents)


def _erred(state: Round, event: e.DealerErred) -> Round:
    if event.error != "wrong_spot":
        return state
    seat = state.seats.get(event.seat, Seat())
    return _seat(state, event.seat, _moved(seat, event.spot, 0, event.given_cents))


_REMEMBER: dict[type, Callable[[Round, Any], Round]] = {
    e.RoundOpened: _same,
    e.WagerPlaced: _wager,
    e.WagerTakenBack: _taken_back,
    e.BettingClosed: _closed,
    e.ProgressiveLocked: _locked,
    e.MeterContributed: _same,
    e.ProgressiveCollected: _collected,
    e.CardsBurned: lambda state, event: replace(state, burned=event.count),
    e.CardsDealt: _dealt,
    e.CardCorrected: _card_corrected,
    e.StreetBet: _street_bet,
    e.Folded: _folded,
    e.FoldCollected: _fold_collected,
    e.SideBetLost: _side_bet_lost,
    e.CommunityTurned: _turned,
    e.BoxTurned: lambda state, event: replace(state, box_turned=True),
    e.UpCardsTurned: lambda state, event: replace(state, up_cards=event.count),
    e.DealersHandTurned: lambda state, event: replace(
        state, dealer_turned=True, stage=len(state.setup.stages)
    ),
    e.HandAnnounced: _same,
    e.SettlementBegun: lambda state, event: replace(state, phase="settling", at_settlement=state),
    e.SpotSettled: _spot_settled,
    e.MeterAwarded: _awarded,
    e.EnvyPaid: _envy,
    e.SeatForfeited: _forfeited,
    e.IncidentNoted: _noted,
    e.DealBlocked: lambda state, event: replace(state, blocked=True),
    e.TableSuspended: lambda state, event: replace(state, suspended=True),
    e.DeckRemoved: lambda state, event: replace(state, deck_removed=True),
    e.RoundVoided: lambda state, event: replace(state, phase="void"),
    e.WagerReturned: _returned,
    e.PayoutReversed: _reversed,
    e.AwardBackedOut: lambda state, event: _move(
        state, event.seat, "progressive", 0, -event.paid_cents
    ),
    e.ContributionReversed: _same,
    e.DealerErred: _erred,
    e.PayoutCorrected: lambda state, event: _move(state, event.seat, event.spot, 0, event.cents),
    e.RoundClosed: lambda state, event: (
        state if state.phase == "void" else replace(state, phase="over")
    ),
}
