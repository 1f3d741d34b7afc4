"""What somebody is offered at a table: what the table would grant, as their page is told of it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from riverboat.core.records import Action
from riverboat.floor.legal import is_legal, legal
from riverboat.floor.station import AnyAsked, Station
from riverboat.meter.state import Link
from riverboat.round.legal import Argument, Choice, Offer, Range, Text
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.web.demo.takeover import signing_for

Json = dict[str, Any]


class Asking(NamedTuple):
    """A table as it stands, who asks, and everything that they are offered there."""

    station: Station
    link: Link | None
    by: Actor
    offers: tuple[Offer, ...]

    @property
    def day(self) -> Day:
        """The table's day."""
        return self.station.day

    def is_taken(self, action: AnyAsked) -> bool:
        """Whether the table would do it for them now."""
        return is_legal(self.station, self.offers, action)

    def taking(self, action: AnyAsked) -> Offer | None:
        """The offer that an action is within."""
        found = (one for one in self.offers if is_legal(self.station, (one,), action))
        return next(found, None)

    def of(self, *kinds: type[Action]) -> Iterator[Offer]:
        """The offers of some kinds."""
        return (offer for offer in self.offers if offer.kind in kinds)

    def values(self, kind: type[Action], name: str) -> list[Any]:
        """Every value of an argument that is on offer, in order."""
        found = (offer.arguments[name] for offer in self.of(kind))
        return [value for one in found if isinstance(one, Choice) for value in one.values]


def asking(station: Station, link: Link | None, by: Actor) -> Asking:
    """Somebody at a table. What the table's floorperson does for whoever learns to deal there is
    offered to them too."""
    offers = legal(station, link, by)
    signer, kinds = signing_for(by, station.day)
    if signer != by:
        more = legal(station, link, signer)
        offers = (*offers, *(offer for offer in more if offer.kind in kinds))
    return Asking(station, link, by, offers)


def told(offer: Offer) -> Json:
    """An offer as a page or a program reads it: what to send, with the bounds of what is left open.
    Which cards are still in the deck would tell which lie face down, and is nobody's to read."""
    return {
        "do": tag_of(offer),
        "arguments": {
            name: {"judged": "a card"} if name == "card" else _bounds(bounds)
            for name, bounds in offer.arguments.items()
        },
        "cites": list(offer.cites),
    }


def tag_of(offer: Offer) -> str:
    """The name that an action goes by."""
    return str(offer.kind.__struct_config__.tag)


def _bounds(bounds: Argument) -> Json:
    match bounds:
        case Choice():
            return {"values": list(bounds.values)}
        case Range():
            return {"minimum": bounds.minimum, "maximum": bounds.maximum, "unit": bounds.unit}
        case Text():
            return {"text": True, "required": bounds.required or bounds.words}
    return {"judged": getattr(bounds, "what", "cards")}
