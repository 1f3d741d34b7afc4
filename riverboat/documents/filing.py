"""A progressive filing: what a regulator is told of a meter, from the configuration in force.

Amounts, rates and equipment come from the meter's own entries and the tables' configurations,
chances from a count over all hands. Nothing on it is typed for the occasion.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.documents import printing as p
from riverboat.floor.books.accounting import Floorbook
from riverboat.keeping.chances import chance_of, winning_hands
from riverboat.meter.events import TableJoined
from riverboat.meter.state import Link
from riverboat.rulebook.paytables import PayTable
from riverboat.table.configuration.configure import Configuration


class FiledTable(NamedTuple):
    """A table that plays for the meter: what it joined with, and what it is filed with."""

    name: str
    member: TableJoined
    configuration: Configuration

    @property
    def schedule(self) -> PayTable:
        """What its progressive pays by."""
        assert self.configuration.setup.progressive is not None
        return self.configuration.setup.progressive.table


class ProgressiveFiling(Struct, frozen=True, kw_only=True):
    """Everything that a filing prints. A meter has no limit: no rulebook knows one."""

    printing: p.Printing
    link: Link
    opened: str
    tables: tuple[FiledTable, ...]
    test: bool = False


def filing_of(
    book: Floorbook, link: str, *, printing: p.Printing, clock: p.Clock
) -> ProgressiveFiling:
    """The filing of a meter as it is run now."""
    meter = book.meters.get(link)
    if meter is None:
        there = ", ".join(sorted(book.meters)) or "none"
        raise NotationError("link.unknown", f"no meter {link!r} here; there are: {there}")
    tables = tuple(_tables(book, meter.link))
    first = next((line for line in meter.history if line.kind == "link_opened"), None)
    return ProgressiveFiling(
        printing=printing,
        link=meter.link,
        opened=f"{clock(first.at)}, {first.who}, row {first.seq}" if first is not None else "",
        tables=tables,
        test=any(one.configuration.test for one in tables),
    )


def _tables(book: Floorbook, link: Link) -> Iterator[FiledTable]:
    for name, member in sorted(link.members.items()):
        configuration = book.configurations.get(name)
        if configuration is not None and configuration.setup.progressive is not None:
            yield FiledTable(name, member, configuration)


_HANDS: Final = ("Hand", "Pays", "Chance in one wager", "Exactly", "Clauses")
_TABLES: Final = ("Table", "Rulebook", "Schedule", "Seats", "Wager", "Rate", "Reserve rate")


def filing_pdf(filing: ProgressiveFiling, paper: p.Paper = "us-letter") -> bytes:
    """A progressive filing."""
    title = f"Progressive meter {filing.link.id}"
    document: dict[str, p.Value] = {
        **p.frame(filing.printing, "Progressive filing", title, title, paper, test=filing.test),
        "terms": _terms(filing),
        "tables_head": list(_TABLES),
        "tables": [
            [
                *(one.name, one.configuration.book.id, one.schedule.id, str(one.member.seats)),
                p.money(one.member.wager_cents),
                *map(p.percent, (one.member.rate_bp, one.member.reserve_bp)),
            ]
            for one in filing.tables
        ],
        "hands_head": list(_HANDS),
        "hands": _hand_rows(filing.tables),
        "note": (
            "Chances are counted over all 2,598,960 hands of five cards. Where a fold forfeits "
            "the wager, a folded hand wins nothing."
        ),
        "equipment": _equipment_rows(filing.tables),
        "signatures": ["For the operator", "For the regulator"],
        "versions": [*_hashes(filing.tables), *p.printed_rows(filing.printing)],
    }
    return p.pdf("progressive_filing", document, printed_seconds=filing.printing.printed_seconds)


def _terms(filing: ProgressiveFiling) -> p.Rows:
    link = filing.link
    return [
        ["Opened", filing.opened],
        ["First amount", p.money(link.initial_cents)],
        ["Reset amount (seed)", p.money(link.seed_cents)],
        ["Wager", p.money(link.wager_cents)],
        ["Rate of progression", f"{p.percent(link.rate_bp)} of each accepted wager"],
        ["Reserve rate", f"{p.percent(link.reserve_bp)} of each accepted wager"],
        ["Limit", "none"],
        ["Link", f"one meter, {len(filing.tables)} tables, shown to the cent at each of them"],
    ]


def _hand_rows(tables: tuple[FiledTable, ...]) -> p.Rows:
    """Once for each schedule, because tables of one schedule win equally."""
    schedules = {one.schedule.id: one for one in tables}
    return [
        {
            "title": f"{schedule} ({one.configuration.book.title})",
            "fold": "A fold forfeits the wager."
            if "progressive" in one.configuration.setup.lost_by_fold
            else "",
            "rows": list(_hands(one)),
        }
        for schedule, one in schedules.items()
    ]


def _hands(one: FiledTable) -> Iterator[list[p.Value]]:
    lines = {str(hand): line for line in one.schedule.lines for hand in line.hands}
    for hand in winning_hands(one.configuration.setup):
        line, chance = lines[hand], chance_of(hand)
        pays, cites = line.pays.words, ", ".join(line.cites)
        yield [p.hand_name(hand), pays, p.one_in(chance), str(chance), cites]


def _equipment_rows(tables: tuple[FiledTable, ...]) -> p.Rows:
    """Tables with the same equipment are one line."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for one in tables:
        groups.setdefault(tuple(_equipment(one.configuration)), []).append(one.name)
    return [[", ".join(names), "; ".join(items)] for items, names in groups.items()]


def _equipment(configuration: Configuration) -> Iterator[str]:
    filed = configuration.submission
    for one in filed.equipment or ():
        place = f" ({one.place.replace('_', ' ')})" if one.place else ""
        yield f"{one.item.replace('_', ' ')}{place}"
    yield f"{configuration.shuffle} shuffle, {filed.cards} cards"


def _hashes(tables: tuple[FiledTable, ...]) -> p.Rows:
    filed = [(one.name, one.configuration) for one in tables]
    books = dict.fromkeys((held.book.id, held.rulebook_sha256) for _, held in filed)
    return [
        *([f"Rulebook {name}", sha256] for name, sha256 in books),
        *([f"Configuration {name}", held.sha256] for name, held in filed),
    ]
