"""What lies printed on a table's felt: seats, betting areas, limits and pay tables.

It changes only with the table's configuration, so that a page asks for it once.
"""

import re
from collections.abc import Iterator
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from riverboat.core.money import Cents
from riverboat.core.records import alike
from riverboat.round.setup.setup import Setup
from riverboat.round.table_talk import label_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.play import NOT_QUALIFIED, ComparisonLine
from riverboat.table.day import Day


class Street(Struct, frozen=True, kw_only=True):
    """A decision of the game: its spot, and the multiples of the ante that may be bet there."""

    spot: str
    multiples: tuple[int, ...]


class Limit(Struct, frozen=True, kw_only=True):
    """What a spot takes; None where there is no bound."""

    minimum_cents: Cents | None
    maximum_cents: Cents | None


Limits: TypeAlias = Annotated[
    dict[str, Limit | Cents],
    Meta(
        description="The limits of the ante and of each side bet by its name; and the least chip",
        extra_json_schema={
            "required": ["ante", "unit_cents"],
            "properties": {
                "ante": {"$ref": "#/components/schemas/Limit"},
                "unit_cents": {"type": "integer"},
            },
        },
    ),
]


class PrintedLine(Struct, frozen=True, kw_only=True):
    """A line of a pay table, in words."""

    hand: str
    pays: str


class PrintedTable(Struct, frozen=True, kw_only=True):
    """A pay table as it is printed, of a side bet or of the base game."""

    id: str
    bet: str
    lines: list[PrintedLine]


class Felt(Struct, frozen=True, kw_only=True):
    """What a table's layout says; `spots` are a seat's betting areas as they lie, by their names,
    each with its label. Nothing is printed for a table that nobody has set up yet."""

    rulebook: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    sha256: str | UnsetType = UNSET
    demo: bool | UnsetType = UNSET
    seats: int | UnsetType = UNSET
    streets: list[Street] | UnsetType = UNSET
    spots: dict[str, str] | UnsetType = UNSET
    dealer_hand: bool | UnsetType = UNSET
    limits: Limits | UnsetType = UNSET
    paytables: list[PrintedTable] | UnsetType = UNSET
    progressive_cents: Cents | UnsetType | None = UNSET


def felt(day: Day) -> Felt:
    """What a table's layout says: it changes only with its configuration."""
    configuration = day.configuration
    if configuration is None:
        return Felt()
    setup, book = configuration.setup, configuration.book
    return alike(
        Felt,
        book,
        rulebook=book.id,
        sha256=configuration.rulebook_sha256,
        demo=configuration.demo,
        seats=setup.seats,
        streets=[Street(spot=stage.spot, multiples=stage.multiples) for stage in setup.stages],
        spots={spot: label_of(book, spot) for spot in _spots(setup)},
        dealer_hand=book.dealers_hand is not None,
        limits=_limits(setup),
        paytables=[*_against_dealer(book), *(_printed(table) for table in _tables(setup))],
        progressive_cents=setup.progressive.wager_cents if setup.progressive else None,
    )


def _spots(setup: Setup) -> Iterator[str]:
    """The betting areas of a seat, as they lie: side bets, ante, streets, sensor."""
    yield from setup.bonuses
    yield "ante"
    yield from (stage.spot for stage in setup.stages)
    if setup.progressive is not None:
        yield "progressive"


def _limits(setup: Setup) -> Limits:
    each = {"ante": setup.limits.ante, **setup.limits.bonuses}
    own: Limits = {bet: alike(Limit, limit) for bet, limit in each.items()}
    return {**own, "unit_cents": setup.limits.unit_cents}


def _tables(setup: Setup) -> Iterator[PayTable]:
    if setup.base is not None:
        yield setup.base
    yield from setup.bonuses.values()
    if setup.progressive is not None:
        yield setup.progressive.table


def _printed(table: PayTable) -> PrintedTable:
    lines = [(line.label or " or ".join(line.hands), line.pays.words) for line in table.lines]
    return _table(table.id, table.bet, lines)


def _table(name: str, bet: str, lines: list[tuple[str, str]]) -> PrintedTable:
    """Large numbers have commas."""
    shown = [(hand, re.sub(r"\d{4,}", lambda n: f"{int(n[0]):,}", pays)) for hand, pays in lines]
    printed = [PrintedLine(hand=hand, pays=pays) for hand, pays in shown]
    return PrintedTable(id=name, bet=bet, lines=printed)


# ---------------------------------------------------------------- a game against the dealer


def _against_dealer(book: Rulebook) -> Iterator[PrintedTable]:
    """Where the base game has no pay table of hands: what each outcome pays."""
    if book.comparison is None:
        return
    played = [line for line in book.comparison.lines if line.outcome != "fold"]
    yield _table(
        book.comparison.id, "base", [(_outcome(book, line), _both(line)) for line in played]
    )


def _outcome(book: Rulebook, line: ComparisonLine) -> str:
    if line.outcome == NOT_QUALIFIED:
        return "The dealer does not qualify"
    if line.outcome == "tie":
        return "A tie"
    if line.outcome == "dealer_wins":
        return "The dealer wins"
    if not line.hands:
        return "You win"
    order = book.hands.five.order
    with_top, with_bottom = order[0] in line.hands, order[-1] in line.hands
    edge = line.hands[-1] if with_top else line.hands[0]
    words = "a pair" if edge == "pair" else edge.replace("_", " ")
    if len(line.hands) == 1 and not with_bottom:
        return f"You win with {words}"
    return f"You win with {words} or {'better' if with_top else 'less'}"


def _both(line: ComparisonLine) -> str:
    paid = {spot: pays.words for spot, pays in line.pays.items()}
    if len(set(paid.values())) == 1:
        return next(iter(paid.values()))
    return ", ".join(f"{spot} {words}" for spot, words in paid.items())
