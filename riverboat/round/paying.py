"""Settlement as it is carried out: by an automatic dealer, or by a human who can be wrong."""

from collections.abc import Iterator
from typing import Literal

from riverboat.core.errors import Refused
from riverboat.core.money import format_cents
from riverboat.round import events as e
from riverboat.round.actions import Close, Correct, Settle, SettleAll
from riverboat.round.awards import share_source
from riverboat.round.betting import contributions
from riverboat.round.dues import Due
from riverboat.round.settlement import dues
from riverboat.round.state import Round, accepted_wagers
from riverboat.round.table_talk import label_of


def key(due: Due) -> tuple[int, str, int]:
    """What tells one due from another."""
    return (due.seat, due.spot, due.for_seat)


def remaining(state: Round) -> list[Due]:
    """What is still owed, in order."""
    if state.phase != "settling":
        return []
    assert state.at_settlement is not None
    done = set(state.settled)
    return [
        due
        for due in dues(state.at_settlement)
        if key(due) not in done and _is_still_owed(state, due)
    ]


def _is_still_owed(state: Round, due: Due) -> bool:
    """A seat that forfeited, or whose stake was given back meanwhile, is owed nothing."""
    seat = state.seats[due.seat]
    if due.for_seat and state.seats[due.for_seat].status == "forfeit":
        return False
    return seat.status != "forfeit" and (not due.stake_cents or due.spot in seat.wagers)


def _require_settling(state: Round) -> None:
    if state.phase != "settling":
        cites = state.setup.book.settlement.seats.cites
        raise Refused("settle.not_now", "there is nothing to settle now", cites=cites)


def settle_all(state: Round, action: SettleAll) -> Iterator[e.AnyEvent]:
    """Exactly what is owed, in order."""
    _require_settling(state)
    shown = _shown(state)
    for due in remaining(state):
        yield from _show(state, due, shown)
        yield settled(state, due, due.given_cents)


def _shown(state: Round) -> set[str]:
    """What was announced or turned already: seats by their number, and the box."""
    seats = {str(ev.seat) for ev in state.history if isinstance(ev, e.HandAnnounced)}
    return seats | ({"box"} if state.box_turned or not state.box else set())


def _show(state: Round, due: Due, shown: set[str]) -> Iterator[e.AnyEvent]:
    """What the dealer shows before a spot is settled."""
    announced = state.setup.book.settlement.base.hand_announced
    if announced and due.spot in state.setup.base_spots and str(due.seat) not in shown:
        shown.add(str(due.seat))
        yield e.HandAnnounced(seat=due.seat, hand=due.hand)
    if due.spot in state.setup.box_bets and "box" not in shown:
        shown.add("box")
        yield e.BoxTurned()


def settled(state: Round, due: Due, given_cents: int) -> e.AnyEvent:
    """The entry for a due that was met with this much."""
    if due.spot == "envy":
        return e.EnvyPaid(seat=due.seat, for_seat=due.for_seat, hand=due.hand, cents=given_cents)
    if due.share is not None:
        progressive = state.setup.progressive
        assert progressive is not None
        return e.MeterAwarded(
            seat=due.seat,
            hand=due.hand,
            percent=due.percent,
            cents=due.exact_cents,
            paid_cents=given_cents,
            resets=due.share.resets,
            seed_cents=progressive.seed_cents if due.share.resets else 0,
            reserve_units=due.share.reserve_units,
        )
    returned = due.given_cents - due.paid_cents
    return e.SpotSettled(
        seat=due.seat,
        spot=due.spot,
        outcome=due.outcome,
        stake_cents=due.stake_cents,
        paid_cents=given_cents - returned,
        breakage_cents=due.exact_cents - due.paid_cents,
        stake_returned=due.stake_returned,
        source=due.source,
        to=due.to,
    )


def _require_spot(state: Round, seat: int, spot: str) -> None:
    if seat not in state.seats:
        raise Refused("seat.unknown", f"nobody plays at seat {seat}", cites=())
    if spot not in state.setup.spots:
        text = f"there is no spot {spot!r}; there are {', '.join(state.setup.spots)}"
        raise Refused("spot.unknown", text, cites=())


def settle(state: Round, action: Settle) -> Iterator[e.AnyEvent]:
    """One spot by hand: done, and noticed where it is not what was owed."""
    _require_settling(state)
    _require_spot(state, action.seat, action.spot)
    if action.given_cents < 0:
        text = f"{format_cents(action.given_cents)} given; a dealer gives nothing or more"
        raise Refused("settle.below_zero", text, cites=())
    left = remaining(state)
    due = next((d for d in left if (d.seat, d.spot) == (action.seat, action.spot)), None)
    if due is None:
        yield _erred("wrong_spot", action, 0)
        return
    if due is not left[0]:
        yield _erred("out_of_order", action, due.given_cents)
    if action.given_cents != due.given_cents:
        error = "over" if action.given_cents > due.given_cents else "under"
        yield _erred(error, action, due.given_cents)
    yield from _show(state, due, _shown(state))
    yield settled(state, due, action.given_cents)


def _erred(error: str, action: Settle, owed_cents: int) -> e.DealerErred:
    return e.DealerErred(
        error=error,  # type: ignore[arg-type]
        seat=action.seat,
        spot=action.spot,
        owed_cents=owed_cents,
        given_cents=action.given_cents,
    )


def correct(state: Round, action: Correct) -> Iterator[e.AnyEvent]:
    """A wrong payout is made good by a further entry, also after the round."""
    if state.phase not in ("settling", "over"):
        raise Refused("correct.not_now", "there is no payout to correct", cites=())
    _require_spot(state, action.seat, action.spot)
    if not action.cents or not action.reason:
        raise Refused("correct.empty", "a correction needs an amount and a reason", cites=())
    yield e.PayoutCorrected(
        seat=action.seat,
        spot=action.spot,
        cents=action.cents,
        reason=action.reason,
        source=_pays(state, action.seat, action.spot),
    )


def _pays(state: Round, seat: int, spot: str) -> Literal["tray", "cage"]:
    """From where a spot is paid: as it is owed; the tray, where nothing was."""
    for given in state.history if spot == "progressive" else ():
        if isinstance(given, e.MeterAwarded) and given.seat == seat:
            return share_source(state.setup, given.percent, given.cents)
    assert state.at_settlement is not None
    owed = (due for due in dues(state.at_settlement) if (due.seat, due.spot) == (seat, spot))
    return next((due.source for due in owed), "tray")


def close(state: Round, action: Close) -> Iterator[e.AnyEvent]:
    """The round is over when nothing is owed any more."""
    if state.phase == "over" or isinstance(state.history[-1], e.RoundClosed):
        raise Refused("close.closed", "the round is closed", cites=_end_cites(state))
    if state.phase not in ("settling", "void"):
        raise Refused("close.not_now", "the round is still being played", cites=_end_cites(state))
    if state.phase == "settling" and remaining(state):
        due = remaining(state)[0]
        text = unsettled_words(state, due)
        cites = (*state.setup.book.settlement.cards.cites, *_end_cites(state))
        raise Refused("close.unsettled", text, cites=cites)
    if state.phase == "settling" and state.setup.choice("contribute_at") == "game_over":
        yield from contributions(state.setup, len(accepted_wagers(state)))
    yield e.RoundClosed()


def _end_cites(state: Round) -> tuple[str, ...]:
    rule = state.setup.book.progressive
    return rule.end_of_round.cites if rule is not None else ()


def unsettled_words(state: Round, due: Due) -> str:
    """That something has to wait for a wager."""
    return f"not yet: seat {due.seat}'s {label_of(state.setup.book, due.spot)} is still unsettled"
