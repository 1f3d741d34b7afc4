"""Betting until it closes, and the progressive's lock and collection."""

from collections.abc import Iterator

from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents, is_multiple
from riverboat.core.records import alike
from riverboat.meter.amounts import Meter, contribution
from riverboat.round import events as e
from riverboat.round.actions import CloseBets, CollectProgressive, LockProgressive, TakeBack, Wager
from riverboat.round.setup.limits import Limit
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.round.table_talk import number_of


def wager(state: Round, action: Wager) -> Iterator[e.AnyEvent]:
    """Chips on a spot, if the rulebook and the table's limits let them lie there."""
    require_betting(state)
    _require_seat(state.setup, action.seat)
    _require_unit(state.setup, action)
    _require_instrument(state.setup, action.instrument)
    seat = state.seats.get(action.seat) or Seat()
    _require_welcome(state, seat, action)
    if action.spot in seat.wagers:
        text = f"seat {action.seat} already has a wager on {action.spot}"
        raise Refused("bet.already_placed", text, cites=())
    if action.spot == "ante":
        _require_limit("ante", action.cents, state.setup.limits.ante)
    elif action.spot in state.setup.side_bets:
        _side_bet(state.setup, seat, action)
    elif is_first_tip(state.setup, action.spot):
        _tip(state, seat, action)
    elif action.spot.removeprefix("tip_") in state.setup.base_spots:
        raise Refused("spot.unknown", f"there is no spot {action.spot!r} to bet on now", cites=())
    else:
        rule = state.setup.book.offer(action.spot) or state.setup.book.ante
        text = f"no {action.spot.replace('_', ' ')} is offered at this table"
        raise Refused("side_bet.not_offered", text, cites=rule.cites)
    yield alike(e.WagerPlaced, action)


def is_first_tip(setup: Setup, spot: str) -> bool:
    """Whether a spot is for a tip that is laid with the first wagers: on the ante or a side bet."""
    tipped = spot.removeprefix("tip_")
    return tipped != spot and (tipped == "ante" or tipped not in setup.base_spots)


def betting_is_open(state: Round) -> bool:
    """Until the dealer closes it; where the deal does, until its first card is out."""
    if state.setup.book.betting_closes.at == "deal" and state.setup.progressive is None:
        return state.phase in ("betting", "ready") and not state.has_cards
    return state.phase == "betting"


def require_betting(state: Round) -> None:
    """Betting is open, or the clause that closed it."""
    if not betting_is_open(state):
        closing = state.setup.book.betting_closes
        raise Refused("bet.closed", "betting is closed for this round", cites=closing.cites)


def _require_seat(setup: Setup, number: int) -> None:
    if not 1 <= number <= setup.seats:
        seated = (r.cites for r in setup.book.conduct if r.rule == "seated_players_only")
        cites = (*setup.book.options["seats"].cites, *next(seated, ()))
        text = f"seat {number}; the table has seats 1 to {setup.seats}"
        raise Refused("seat.unknown", text, cites=cites)


def _require_unit(setup: Setup, action: Wager) -> None:
    unit, cents = setup.limits.unit_cents, action.cents
    if cents <= 0 or not is_multiple(cents, unit):
        text = f"a wager of {format_cents(cents)}; multiples of {format_cents(unit)} are allowed"
        of_tips = setup.book.tips.cites if is_first_tip(setup, action.spot) else ()
        raise Refused("bet.bad_unit", text, cites=(*setup.limits.unit_cites, *of_tips))


def _require_instrument(setup: Setup, instrument: str) -> None:
    rule, taken = setup.book.instruments, setup.instruments
    if rule is None or taken is None or instrument in taken:
        return
    allowed = ", ".join(rule.allowed).replace("_", " ")
    text = f"a wager by {instrument.replace('_', ' ')}; {allowed} is allowed"
    raise Refused("bet.bad_instrument", text, cites=rule.cites)


def _require_limit(spot: str, cents: Cents, limit: Limit) -> None:
    over = limit.maximum_cents is not None and cents > limit.maximum_cents
    if cents < limit.minimum_cents or over:
        text = f"{spot.replace('_', ' ')} of {format_cents(cents)}; {limit} is allowed"
        raise Refused("bet.outside_limits", text, cites=limit.cites)


def _require_welcome(state: Round, seat: Seat, action: Wager) -> None:
    """Nobody else plays at the seat, and its player not elsewhere."""
    if not action.player or action.player == seat.player:
        return
    conduct = {rule.rule: rule.cites for rule in state.setup.book.conduct}
    if seat.player:
        text = f"{action.player} at seat {action.seat}, where {seat.player} plays"
        raise Refused("seat.taken", text, cites=conduct.get("one_player_per_position", ()))
    held = seated_out(state).get(action.player)
    if held is not None:
        most = state.setup.settings["max_positions_per_player"]
        text = f"{action.player} already plays at seat {held}; {most} position is allowed"
        raise Refused("seat.one_position", text, cites=conduct["one_position_per_player"])


def seated_out(state: Round) -> dict[str, int]:
    """Players who have as many seats as one may play, each with the first of them."""
    most = state.setup.settings["max_positions_per_player"]
    assert isinstance(most, int)
    held: dict[str, list[int]] = {}
    for number, seat in state.seats.items():
        held.setdefault(seat.player, []).append(number)
    return {name: seats[0] for name, seats in held.items() if name and len(seats) >= most}


def _side_bet(setup: Setup, seat: Seat, action: Wager) -> None:
    spot, taken = action.spot, setup.side_bets[action.spot]
    for earlier in taken.after:
        if earlier not in seat.wagers:
            missing = earlier.replace("_", " ")
            text = f"{spot.replace('_', ' ')} before the {missing}; bet the {missing} first"
            raise Refused("side_bet.needs_earlier_bet", text, cites=taken.cites)
    if spot != "progressive":
        _require_limit(spot, action.cents, setup.limits.bonuses[spot])
    elif setup.progressive is not None and action.cents != setup.progressive.wager_cents:
        wanted = format_cents(setup.progressive.wager_cents)
        text = f"a progressive wager of {format_cents(action.cents)}; exactly {wanted} is allowed"
        raise Refused("progressive.bad_wager", text, cites=setup.progressive.cites)


def _tip(state: Round, seat: Seat, action: Wager) -> None:
    setup, spot = state.setup, action.spot.removeprefix("tip_")
    if not setup.flag("tip_wagers"):
        cites = setup.book.options["tip_wagers"].cites
        raise Refused("tip.not_allowed", "tips are not taken as wagers here", cites=cites)
    tips = setup.book.tips
    if spot not in tips.on or spot not in seat.wagers:
        text = f"a tip on {spot.replace('_', ' ')} needs a wager of the player's own there"
        raise Refused("tip.needs_own_wager", text, cites=tips.cites)
    limit = tip_limit(setup, seat, spot)
    if limit.maximum_cents is not None and action.cents > limit.maximum_cents:
        text = f"a tip of {format_cents(action.cents)} on the {spot.replace('_', ' ')}"
        if _tip_counts(setup, spot):
            text += f" of {format_cents(seat.wagers[spot])}"
        text += f"; at most {format_cents(limit.maximum_cents)} is allowed"
        raise Refused("bet.outside_limits", text, cites=limit.cites)


def tip_limit(setup: Setup, seat: Seat, spot: str) -> Limit:
    """How large a tip beside a seat's own wager may be: as large as the wager itself may be, or
    what that leaves of its limit where both count together."""
    own = setup.limits.ante if spot == "ante" else setup.limits.bonuses[spot]
    cites, most = (*own.cites, *setup.book.tips.cites), own.maximum_cents
    if _tip_counts(setup, spot):
        cites += setup.book.options["tip_counts_in_ante_limit"].cites
        most = None if most is None else most - seat.wagers[spot]
    cites = tuple(dict.fromkeys(cites))
    return Limit(minimum_cents=setup.limits.unit_cents, maximum_cents=most, cites=cites)


def _tip_counts(setup: Setup, spot: str) -> bool:
    return spot == "ante" and setup.flag("tip_counts_in_ante_limit")


def take_back(state: Round, action: TakeBack) -> Iterator[e.AnyEvent]:
    """A player changes his mind before betting closes; what needs the bet goes back with it."""
    require_betting(state)
    seat = state.seats.get(action.seat)
    if seat is None or action.spot not in seat.wagers:
        text = f"seat {action.seat} has nothing on {action.spot}"
        raise Refused("bet.not_there", text, cites=())
    side_bets, taken = state.setup.side_bets, action.spot
    resting = {taken, f"tip_{taken}", *(bet for bet in side_bets if taken in side_bets[bet].after)}
    for spot in reversed(seat.wagers):
        if taken == "ante" or spot in resting:
            yield e.WagerTakenBack(seat=action.seat, spot=spot, cents=seat.wagers[spot])


def close_bets(state: Round, action: CloseBets) -> Iterator[e.AnyEvent]:
    """No more bets, once somebody has an ante."""
    require_betting(state)
    if not state.seats:
        cites = state.setup.book.ante.cites
        raise Refused("bets.none", "nobody has placed an ante", cites=cites)
    yield e.BettingClosed()


def lock_progressive(state: Round, action: LockProgressive) -> Iterator[e.AnyEvent]:
    """The accepted wagers are frozen and the meter gets its share."""
    rule = state.setup.book.progressive
    if state.phase != "closed" or state.setup.progressive is None or rule is None:
        cites = rule.lock.cites if rule is not None else ()
        raise Refused("progressive.cannot_lock", "there is nothing to lock now", cites=cites)
    seats = tuple(n for n, seat in sorted(state.seats.items()) if "progressive" in seat.wagers)
    yield e.ProgressiveLocked(seats=seats)
    if state.setup.choice("contribute_at") == "lock":
        yield from contributions(state.setup, len(seats))


def contributions(setup: Setup, wager_count: int) -> Iterator[e.MeterContributed]:
    """What so many accepted wagers give to meter and reserve."""
    progressive = setup.progressive
    if progressive is not None and wager_count:
        stake = progressive.wager_cents * wager_count
        yield e.MeterContributed(
            units=contribution(stake, progressive.rate_bp),
            reserve_units=contribution(stake, progressive.reserve_bp),
        )


def given_at_lock(setup: Setup, wager_count: int) -> Meter:
    """What so many accepted wagers have put on meter and reserve by the time awards are paid."""
    at_lock = setup.choice("contribute_at") == "lock"
    came = next(contributions(setup, wager_count), None) if at_lock else None
    return Meter() if came is None else alike(Meter, came)


def collect_progressive(state: Round, action: CollectProgressive) -> Iterator[e.AnyEvent]:
    """The chips go to the tray; a wrong count blocks the deal or is noted, as the option says."""
    rule, progressive = state.setup.book.progressive, state.setup.progressive
    if state.phase != "locked" or rule is None or progressive is None:
        cites = rule.collection.cites if rule is not None else ()
        raise Refused("progressive.cannot_collect", "there is nothing to collect now", cites=cites)
    if action.chips < 0:
        text = f"{number_of(action.chips, 'chip')}; a count is nothing or more"
        raise Refused("progressive.bad_count", text, cites=rule.collection.cites)
    seats = tuple(n for n, seat in sorted(state.seats.items()) if seat.lit)
    if action.chips != len(seats):
        blocked = state.setup.choice("chip_mismatch") == "block"
        yield e.IncidentNoted(
            what="progressive_chip_mismatch",
            consequence="deal_blocked" if blocked else "warning",
            count=action.chips,
        )
        if blocked:
            chips = number_of(action.chips, "chip")
            yield e.DealBlocked(reason=f"{chips} for {number_of(len(seats), 'accepted wager')}")
            return
    yield e.ProgressiveCollected(seats=seats, cents_each=progressive.wager_cents)
