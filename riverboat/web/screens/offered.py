"""What somebody is offered at a table: what the table would grant, as their page is told of it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from riverboat.core.records import Action
from riverboat.floor.station import AnyAsked, Station, is_legal, legal
from riverboat.meter.state import Link
from riverboat.round.legal import Argument, Choice, Offer, Range, Text
from riverboat.table.day import Day
from riverboat.table.people import Actor
from riverboat.web.demo.roles import signing_for


class Bounds(Struct, frozen=True, kw_only=True):
    """What an argument may be: one of some values; from a minimum to a maximum in steps of a unit;
    text; or what the table judges when it comes."""

    values: tuple[int | str | bool | None, ...] | UnsetType = UNSET
    minimum: int | UnsetType | None = UNSET
    maximum: int | UnsetType | None = UNSET
    unit: int | UnsetType = UNSET
    text: bool | UnsetType = UNSET
    required: bool | UnsetType = UNSET
    judged: str | UnsetType = UNSET


class Offered(Struct, frozen=True, kw_only=True):
    """An action that would be granted now, the bounds of its arguments, the clauses of the step."""

    do: str
    arguments: dict[str, Bounds]
    cites: tuple[str, ...]


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


def told(offer: Offer) -> Offered:
    """An offer as a page or a program reads it: what to send, with the bounds of what is left open.
    Which cards are still in the deck would tell which lie face down, and is nobody's to read."""
    return Offered(
        do=tag_of(offer),
        arguments={
            name: Bounds(judged="a card") if name == "card" else _bounds(bounds)
            for name, bounds in offer.arguments.items()
        },
        cites=offer.cites,
    )


def tag_of(offer: Offer) -> str:
    """The name that an action goes by."""
    return str(offer.kind.__struct_config__.tag)


def _bounds(bounds: Argument) -> Bounds:
    match bounds:
        case Choice():
            return Bounds(values=bounds.values)
        case Range():
            return Bounds(minimum=bounds.minimum, maximum=bounds.maximum, unit=bounds.unit)
        case Text():
            return Bounds(text=True, required=bounds.required or bounds.words)
    return Bounds(judged=getattr(bounds, "what", "cards"))
