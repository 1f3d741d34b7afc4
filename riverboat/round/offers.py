"""What an offer is: something that may be asked for now, with the bounds of every argument."""

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK
from riverboat.core.money import divide_down
from riverboat.core.records import Action
from riverboat.core.well_formed import is_well_formed

Party: TypeAlias = int | Literal["dealer", "floor", "supervisor", "player", "system", "lab"]
"""Whose it is: a seat's by its number, or somebody's by the part that they have at the table."""


class Choice(Struct, frozen=True, tag="choice"):
    """One of these values."""

    values: tuple[int | str | None, ...]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        return value in self.values


class Range(Struct, frozen=True, tag="range"):
    """A multiple of the unit between two bounds, both allowed; None where there is no bound."""

    minimum: int | None
    maximum: int | None
    unit: int = 1

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, int):
            return False
        low = self.minimum is not None and value < self.minimum
        high = self.maximum is not None and value > self.maximum
        size = abs(value)
        return not (low or high) and divide_down(size, self.unit) * self.unit == size


class Text(Struct, frozen=True, tag="text"):
    """Free text, as for a player's name or a reason: anything but these; perhaps not nothing, and
    perhaps more than spaces."""

    required: bool = False
    not_these: tuple[str, ...] = ()
    words: bool = False

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, str) or value in self.not_these:
            return False
        return bool(value.strip()) if self.words else bool(value) >= self.required


class Cards(Struct, frozen=True, tag="cards"):
    """Different cards of one deck: so many for each place, and for no other place."""

    counts: dict[str, int]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, dict):
            return False
        if {place: len(cards) for place, cards in value.items()} != self.counts:
            return False
        dealt = [card for cards in value.values() for card in cards]
        return len(set(dealt)) == len(dealt) and set(dealt) <= set(DECK)


class Counts(Struct, frozen=True, tag="counts"):
    """A number of cards, nothing or more, for some of these places."""

    places: tuple[str, ...]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        return (
            isinstance(value, dict)
            and set(value) <= set(self.places)
            and all(isinstance(count, int) and count >= 0 for count in value.values())
        )


class Judged(Struct, frozen=True, tag="judged"):
    """What no list or range can hold, such as a configuration or a deck's order: whatever stands
    the test that the engine itself makes of it."""

    what: str
    stands: Callable[[object], bool]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        return self.stands(value)


Argument: TypeAlias = Choice | Range | Text | Cards | Counts | Judged
WORDS = Text(words=True)


class Offer(Struct, frozen=True):
    """Something that may be asked for now: whose it is, the bounds of every field of the action,
    and the clauses of the step."""

    actor: Party
    kind: type[Action]
    arguments: dict[str, Argument]
    cites: tuple[str, ...] = ()

    def takes(self, action: Action) -> bool:
        """Whether an action is within this offer."""
        return type(action) is self.kind and all(
            bounds.holds(getattr(action, name)) for name, bounds in self.arguments.items()
        )


def allows(offers: Iterable[Offer], action: Action) -> bool:
    """Whether an action is among the offers."""
    return is_well_formed(action) and any(offer.takes(action) for offer in offers)
