"""Every movement of money as double entry: for each event the accounts it changes, in sum nothing.

Chips are in cents. What a meter owes is a debt of the house in meter units, which the meter's own
accounts post, whether one table plays for it or many. An award is paid in cents from tray or cage.
"""

from collections.abc import Iterator

from riverboat.core.money import Cents
from riverboat.meter.books import Posting, meter_postings
from riverboat.meter.state import apply
from riverboat.round import events as e
from riverboat.round.settlement.dues import dues, share_source
from riverboat.round.settlement.own_meter import OF_THE_METER, told_to
from riverboat.round.settlement.payment import key
from riverboat.round.settlement.voids import standing_seats
from riverboat.round.state import Round

TRAY = "tray"
CAGE = "cage"
TIP_BOX = "tip_box"
BREAKAGE = "breakage"


def player(seat: int) -> str:
    """The chips of whoever plays at a seat."""
    return f"player:{seat}"


def spot_of(seat: int, spot: str) -> str:
    """The chips that lie on a spot; the progressive's lie on the seat's sensor."""
    return f"sensor:{seat}" if spot == "progressive" else f"spot:{seat}:{spot}"


def postings(event: e.AnyEvent, before: Round) -> tuple[Posting, ...]:
    """What an event did to the accounts, given the round as it was before."""
    moved = (*_movements(event, before), *_of_own_meter(event, before))
    return tuple(posting for posting in moved if posting.amount)


def _of_own_meter(event: e.AnyEvent, before: Round) -> Iterator[Posting]:
    """What the table's own meter posts for it; a meter of several tables has its own books."""
    if not isinstance(event, OF_THE_METER):
        return
    link = before.link
    for told in told_to(link, event):
        yield from meter_postings(told, link)
        link = apply(link, told)


def _chips(source: str, to: str, cents: Cents) -> Iterator[Posting]:
    yield Posting(source, "cent", -cents)
    yield Posting(to, "cent", cents)


def _movements(event: e.AnyEvent, before: Round) -> Iterator[Posting]:
    match event:
        case e.OnSpot():
            yield from _chips(*_from_and_to(event), event.cents)
        case e.ProgressiveCollected():
            for seat in event.seats:
                yield from _chips(spot_of(seat, "progressive"), TRAY, event.cents_each)
        case e.FoldCollected() | e.SeatForfeited():
            for spot, cents in event.spots:
                yield from _chips(spot_of(event.seat, spot), TRAY, cents)
        case _:
            yield from _payments(event, before)


def _payments(event: e.AnyEvent, before: Round) -> Iterator[Posting]:
    match event:
        case e.SpotSettled():
            yield from _settled(event, before)
        case e.MeterAwarded():
            yield from _awarded(event, before)
        case e.EnvyPaid():
            yield from _chips(TRAY, player(event.seat), event.cents)
            yield from _breakage(event, before)
        case e.DealerErred() if event.error == "wrong_spot":
            yield from _chips(TRAY, player(event.seat), event.given_cents)
        case e.RoundVoided():
            yield from _breakage_undone(before)
        case e.AwardBackedOut():
            yield from _backed_out(event, before)


def _from_and_to(event: e.OnSpot) -> tuple[str, str]:
    """Between which accounts an amount on a spot moved."""
    spot, owner = spot_of(event.seat, event.spot), player(event.seat)
    match event:
        case e.WagerPlaced() | e.StreetBet():
            return owner, spot
        case e.SideBetLost():
            return spot, TRAY
        case e.PayoutReversed():
            return (TIP_BOX, TRAY) if event.source == "tip_box" else (owner, event.source)
        case e.PayoutCorrected():
            return event.source, owner
        case e.WagerReturned(source="tray"):
            return TRAY, owner
    return spot, owner


def _settled(event: e.SpotSettled, before: Round) -> Iterator[Posting]:
    """The stake goes to its owner, to the tip box or to the tray; the winnings come on top."""
    owner = TIP_BOX if event.to == "tip_box" else player(event.seat)
    yield from _chips(event.source, owner, event.paid_cents)
    yield from _breakage(event, before)
    if event.to != "stays":
        stake = before.seats[event.seat].wagers.get(event.spot, 0)
        back = event.outcome != "lose" and event.stake_returned
        yield from _chips(spot_of(event.seat, event.spot), owner if back else TRAY, stake)


def _awarded(event: e.MeterAwarded, before: Round) -> Iterator[Posting]:
    source = share_source(before.setup, event.percent, event.cents)
    yield from _chips(source, player(event.seat), event.paid_cents)
    yield from _chips(source, BREAKAGE, event.cents - before.setup.payable(event.cents))


def _backed_out(event: e.AwardBackedOut, before: Round) -> Iterator[Posting]:
    """The award that a seat was given goes back to where it came from, its breakage too."""
    awards = [ev for ev in before.history if isinstance(ev, e.MeterAwarded)]
    given = next(award for award in reversed(awards) if award.seat == event.seat)
    for account, unit, amount in _awarded(given, before):
        yield Posting(account, unit, -amount)


def _breakage(event: e.AnyEvent, before: Round) -> Iterator[Posting]:
    """What an exact amount has more than the payable one, taken from where that was paid."""
    match event:
        case e.SpotSettled():
            yield from _chips(event.source, BREAKAGE, event.breakage_cents)
        case e.EnvyPaid():
            assert before.at_settlement is not None
            owed, paid = dues(before.at_settlement), (event.seat, "envy", event.for_seat)
            due = next(due for due in owed if key(due) == paid)
            yield from _chips(due.source, BREAKAGE, due.exact_cents - due.paid_cents)


def _breakage_undone(before: Round) -> Iterator[Posting]:
    """A void round has no exact amounts, except those of seats that stand."""
    stand = standing_seats(before)
    for event in before.history:
        if getattr(event, "seat", 0) not in stand:
            for account, unit, amount in _breakage(event, before):
                yield Posting(account, unit, -amount)
