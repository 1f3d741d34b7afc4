"""The meter that a table plays for: opened with the table where it is not open, and joined at once.

A table that is set up for a meter and does not play for it takes chips that go nowhere. So whoever
opens a table opens and joins its meter too, and every step is decided before the first is put down.
"""

from typing import Final

from riverboat.core.errors import Refused
from riverboat.core.money import format_cents, show_percent
from riverboat.core.naming import table_called
from riverboat.floor.codec import METER, read_meter_body
from riverboat.floor.floor import Floor
from riverboat.progressive.link_actions import JoinLink, OpenLink
from riverboat.progressive.link_keeping import keep
from riverboat.round.setup import Setup
from riverboat.table.people import Actor

PRIVATE: Final = ("Guest ", "test ")
"""How the meters of visitors' own tables and of tests begin."""


def require_fits(floor: Floor, table: str, setup: Setup, *, shown: bool) -> None:
    """A table may play for the meter that it is set up for: programs for theirs, people for the
    house's, each on the meter's own terms."""
    if setup.progressive is None:
        return
    name = setup.progressive.link
    if not name.strip() or name.strip() != name or not name.isprintable() or "/" in name:
        text = f"meter {name!r}: a meter has a plain name, without a slash"
        raise Refused("meter.name", text, cites=())
    programs = is_programs(floor, name)
    if not shown and programs is not False:
        _require_houses(floor, table, name, programs=bool(programs))
    if shown and programs is False:
        text = (
            f"meter {name} is the house's own; {table_called(table)} is for show, where programs "
            "and visitors play: choose another meter_link"
        )
        raise Refused("meter.other_kind", text, cites=())
    if programs is not None:
        _require_terms(floor, table, setup)


def is_programs(floor: Floor, meter: str) -> bool | None:
    """Whether a program opened a meter, for tables that are for show; None: it is not open."""
    if floor.link(meter).status == "not_open":
        return None
    (first,) = floor.ledger.store.read(METER + meter, 0, 1)
    return read_meter_body(first.body).by.automatic


def _require_houses(floor: Floor, table: str, name: str, *, programs: bool) -> None:
    """Nor may people take the name that a demo floor gives its meters: a schedule's own."""
    offers = [offer for book, _ in floor.books.values() for offer in book.side_bets]
    schedules = {one for x in offers if x.bet == "progressive" for one in x.paytables}
    if programs or name in schedules or name.startswith(PRIVATE):
        text = (
            f"meter {name} is for demo and test tables, where programs and visitors play; "
            f"{table_called(table)} plays for one of the house's: choose another meter_link"
        )
        raise Refused("meter.other_kind", text, cites=())


def _require_terms(floor: Floor, table: str, setup: Setup) -> None:
    """What a table contributes is what the meter's books say that it does."""
    assert setup.progressive is not None
    link, own, rule = floor.link(setup.progressive.link), setup.progressive, setup.book.progressive
    assert rule is not None
    terms = (
        ("a wager", format_cents(own.wager_cents), format_cents(link.wager_cents)),
        ("a seed", format_cents(own.seed_cents), format_cents(link.seed_cents)),
        ("a rate", f"{show_percent(own.rate_bp)}%", f"{show_percent(link.rate_bp)}%"),
        ("a reserve", f"{show_percent(own.reserve_bp)}%", f"{show_percent(link.reserve_bp)}%"),
    )
    differ = [f"{what} of {mine}, the meter's is {its}" for what, mine, its in terms if mine != its]
    if differ:
        text = f"{table_called(table)} does not fit meter {link.id}: {'; '.join(differ)}"
        raise Refused("meter.other_terms", text, cites=rule.link.cites)


def opening_of(setup: Setup, second: Actor) -> OpenLink:
    """A meter on the terms of the table that is the first to play for it."""
    own = setup.progressive
    assert own is not None
    return OpenLink(
        link=own.link,
        seed_cents=own.seed_cents,
        wager_cents=own.wager_cents,
        rate_bp=own.rate_bp,
        reserve_bp=own.reserve_bp,
        second=second,
    )


def require_can_join(floor: Floor, table: str, setup: Setup, people: tuple[Actor, Actor]) -> None:
    """Decide what `join` will ask for, and put nothing down."""
    if setup.progressive is None:
        return
    by, second = people
    link = floor.link(setup.progressive.link)
    if link.status == "not_open":
        link = keep(link, by, opening_of(setup, second)).link
    if table not in link.members:
        keep(link, by, JoinLink(table=table), setup=setup)


def join(
    floor: Floor, command_id: str, table: str, setup: Setup, people: tuple[Actor, Actor]
) -> None:
    """Open the meter where it is not open, and let the table play for it; done again, nothing."""
    if setup.progressive is None:
        return
    by, second = people
    name = setup.progressive.link
    if floor.link(name).status == "not_open":
        floor.keep(f"{command_id} meter", by, name, opening_of(setup, second))
    if table not in floor.link(name).members:
        floor.keep(f"{command_id} join", by, name, JoinLink(table=table))


def joined(floor: Floor, table: str, setup: Setup) -> bool:
    """Whether a table plays for the meter that it is set up for, or needs none."""
    own = setup.progressive
    return own is None or table in floor.link(own.link).members
