"""A progressive filing: what a regulator is told of a meter, from the configuration in force.

Amounts, rates and equipment come from the meter's own entries and the tables' configurations,
chances from a count over all hands. Nothing on it is typed for the occasion.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from riverboat.documents.telling import Clock, Printing
from riverboat.errors import NotationError
from riverboat.floor.accounting import Floorbook
from riverboat.floor.chances import chance_of, winning_hands
from riverboat.floor.meter_books import MeterBook
from riverboat.games.awards import forfeited_by_fold
from riverboat.meter.link import Link
from riverboat.money import Cents
from riverboat.table.configuration import Configuration


class FiledHand(Struct, frozen=True, kw_only=True):
    """A hand that wins: what it pays, its chance, and by which clauses."""

    hand: str
    pays: str
    chance: Fraction
    cites: tuple[str, ...]


class FiledTable(Struct, frozen=True, kw_only=True):
    """A table that plays for the meter, and by what."""

    table: str
    game: str
    rulebook: str
    seats: int
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    schedule: str
    fold_forfeits: bool
    equipment: tuple[str, ...]
    rulebook_sha256: str
    configuration_sha256: str
    hands: tuple[FiledHand, ...]


class ProgressiveFiling(Struct, frozen=True, kw_only=True):
    """Everything that a filing prints. A meter has no limit: no rulebook knows one."""

    printing: Printing
    link: Link
    opened: str
    tables: tuple[FiledTable, ...]
    test: bool = False


def filing_of(book: Floorbook, link: str, *, printing: Printing, clock: Clock) -> ProgressiveFiling:
    """The filing of a meter as it is run now."""
    meter = book.meters.get(link)
    if meter is None:
        there = ", ".join(sorted(book.meters)) or "none"
        raise NotationError("link.unknown", f"no meter {link!r} here; there are: {there}")
    tables = tuple(_tables(book, meter.link))
    return ProgressiveFiling(
        printing=printing,
        link=meter.link,
        opened=_opened(meter, clock),
        tables=tables,
        test=any(book.configurations[one.table].test for one in tables),
    )


def _opened(meter: MeterBook, clock: Clock) -> str:
    first = next((line for line in meter.history if line.kind == "link_opened"), None)
    return f"{clock(first.at)}, {first.who}, row {first.seq}" if first is not None else ""


def _tables(book: Floorbook, link: Link) -> Iterator[FiledTable]:
    for name, member in sorted(link.members.items()):
        configuration = book.configurations.get(name)
        if configuration is None or configuration.setup.progressive is None:
            continue
        setup = configuration.setup
        yield FiledTable(
            table=name,
            game=configuration.book.title,
            rulebook=configuration.book.id,
            seats=member.seats,
            wager_cents=member.wager_cents,
            rate_bp=member.rate_bp,
            reserve_bp=member.reserve_bp,
            schedule=configuration.setup.progressive.table.id,
            fold_forfeits=forfeited_by_fold(setup, "progressive"),
            equipment=tuple(_equipment(configuration)),
            rulebook_sha256=configuration.rulebook_sha256,
            configuration_sha256=configuration.sha256,
            hands=tuple(_hands(configuration)),
        )


def _equipment(configuration: Configuration) -> Iterator[str]:
    filed = configuration.submission
    for one in filed.equipment or ():
        place = f" ({one.place.replace('_', ' ')})" if one.place else ""
        yield f"{one.item.replace('_', ' ')}{place}"
    yield f"{configuration.shuffle} shuffle, {filed.cards} cards"


def _hands(configuration: Configuration) -> Iterator[FiledHand]:
    setup = configuration.setup
    assert setup.progressive is not None
    lines = {str(hand): line for line in setup.progressive.table.lines for hand in line.hands}
    for hand in winning_hands(setup):
        line = lines[hand]
        yield FiledHand(
            hand=hand, pays=line.pays.words, chance=chance_of(hand), cites=tuple(line.cites)
        )
