"""One answer to "what may I do now?": of the round, the table's day and its controller together.

Whatever shows a button, sets a mask or lets a program act asks here. An offer that the table would
refuse and something that it would grant and nobody offers are the same fault.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from riverboat.controller import actions as p
from riverboat.controller.legal import legal as legal_keys
from riverboat.controller.sensors import first_card
from riverboat.controller.winners import Desk
from riverboat.core.errors import Refused
from riverboat.floor.station import (
    DEALS,
    AnyAsked,
    Station,
    as_key,
    progressive_wins,
    requires_first_card,
)
from riverboat.keeping.engine import require_as_joined
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.legal import Choice, Offer, allows, begins, permits
from riverboat.table import actions as a
from riverboat.table.legal import legal as legal_of_day
from riverboat.table.legal import named
from riverboat.table.people import Actor
from riverboat.table.permission import is_of_table, kinds_for
from riverboat.table.procedures.seats import own_seats


def legal(station: Station, link: Link | None, by: Actor) -> tuple[Offer, ...]:
    """Everything that somebody may ask for at a table now.

    `link` is the meter that the table plays for. At such a table what a sensor or a key does is
    offered as that key: `is_legal` knows the table's own words for it too.
    """
    offers = legal_of_day(station.day, by)
    if not station.link:
        return offers
    return (*_beside_keys(station, link, by, offers), *_keys(station, link, by))


def is_legal(station: Station, offers: Iterable[Offer], action: AnyAsked) -> bool:
    """Whether an action is among the offers, by whichever of its names it is called."""
    try:
        return allows(offers, as_key(station, action))
    except Refused:
        return False


def _beside_keys(
    station: Station, link: Link | None, by: Actor, offers: tuple[Offer, ...]
) -> Iterator[Offer]:
    """The day's offers without what the controller does there, each as far as it lets them."""
    wins = {due.seat for due in progressive_wins(station)}
    for offer in offers:
        if _is_keyed(station, offer, bool(wins)):
            continue
        if offer.kind is a.Approve and not _keeps_terms(station, link, offer):
            continue
        if offer.kind in DEALS and not _may_deal(station, link, by):
            continue
        chips = offer.kind in (g.Wager, g.TakeBack)
        if chips or (offer.kind is g.Settle and any(map(offer.arguments["seat"].holds, wins))):
            yield from _without(offer, "progressive")
        else:
            yield offer


def _is_keyed(station: Station, offer: Offer, won: bool) -> bool:
    """Whether the controller's keys do it: the lock, the count, the end, and a win's payment."""
    if offer.kind is g.Close:
        return station.controller.locked and station.day.playing.phase != "void"
    keys = (g.LockProgressive, g.CollectProgressive)
    return offer.kind in keys or (offer.kind is g.SettleAll and won)


def _without(offer: Offer, spot: str) -> Iterator[Offer]:
    """An offer for its other spots, if there are any."""
    bounds = offer.arguments["spot"]
    assert isinstance(bounds, Choice)
    spots = tuple(value for value in bounds.values if value != spot)
    if spots:
        yield replace(offer, arguments={**offer.arguments, "spot": Choice(spots)})


def _may_deal(station: Station, link: Link | None, by: Actor) -> bool:
    if not requires_first_card(station):
        return True
    desk = Desk(station.controller, station.day.playing, link)
    return begins(first_card, desk, by, p.FirstCard())


def _keeps_terms(station: Station, link: Link | None, offer: Offer) -> bool:
    """Whether a proposal leaves the terms of a joined table as they are."""
    day, number = station.day, offer.arguments["number"]
    rule = day.setup.book.progressive
    assert rule is not None
    assert isinstance(number, Choice)
    chosen = day.proposals[int(number.values[0] or 0)].configuration
    return permits(require_as_joined, link, day.table, chosen.setup, rule)


def _keys(station: Station, link: Link | None, by: Actor) -> Iterator[Offer]:
    """The controller's keys, for people of this table; its sensors, for who may bet there."""
    day = station.day
    if day.round is None or day.interrupted or not is_of_table(day, by):
        return
    desk = Desk(station.controller, day.round, link)
    seats = own_seats(day, by) if g.Wager in kinds_for(day, by) else ()
    for offer in legal_keys(desk, by, seats):
        yield named(day, offer) if offer.kind is p.PlaceChip else offer
