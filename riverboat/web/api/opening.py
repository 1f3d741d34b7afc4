"""Opening a table: what a choice comes to before it is made, then the table, ready for bets, on the
meter that it plays for.

A table that is set up for a meter and does not play for it takes chips that go nowhere. So whoever
opens a table opens and joins its meter too, and every step is decided before the first is put down.
"""

import hashlib
from functools import lru_cache
from typing import Annotated, Final

from litestar.exceptions import PermissionDeniedException
from msgspec import Meta, Struct
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.money import format_cents, show_dollars, show_percent
from riverboat.floor.codec import METER, read_meter_body
from riverboat.floor.floor import Floor
from riverboat.floor.keeping import opening_of
from riverboat.floor.signers import folded_name, require_readable
from riverboat.keeping.actions import JoinMeter
from riverboat.keeping.engine import keep
from riverboat.round.setup.choices import Raw
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.values import table_called
from riverboat.rulebooks import Loaded
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.configuration.configure import (
    Configuration,
    ConfigurationRefused,
    configure,
    standard_submission,
)
from riverboat.table.engine import advance
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.api.commands import CommandId, Signature, second_person
from riverboat.web.api.rulebooks import RulebookId, rulebook_named
from riverboat.web.auth import KEEPERS, need_words
from riverboat.web.demo.tables import DemoTable
from riverboat.web.house import House

Value = Annotated[str, Meta(max_length=60)] | int | bool
TableName = Annotated[str, Meta(min_length=1, max_length=40)]
TEST: Final = "test "
"""How a test table's configuration begins the name of its meter."""


class Chosen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rulebook and what an operator chooses among its options, side bets by their pay tables."""

    rulebook: RulebookId
    choices: dict[str, Value] = {}


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be opened. At a demo table programs do the house's part; at any other, people do,
    and a second one approves what was chosen; it plays for its meter from the first round on."""

    id: CommandId
    name: TableName
    rulebook: RulebookId
    choices: dict[str, Value] = {}
    demo: bool = True
    physical: bool = False
    bots: Annotated[int, Meta(ge=0, le=5)] = 2
    second: Signature | None = None


class ChoiceProblem(Struct, frozen=True, kw_only=True):
    """One reason why a table may not be set up so."""

    code: str
    words: str
    cites: tuple[str, ...]


class Edge(Struct, frozen=True, kw_only=True):
    """A bet of the table as it would be: what the house keeps of it in the long run."""

    bet: str
    paytable: str
    house_edge: float
    ev: str
    hit_frequency: str
    element_of_risk: float | None = None
    at_wager: str = ""


class Preview(Struct, frozen=True, kw_only=True):
    """What a choice comes to: every problem, or the edge of every bet."""

    rulebook: str
    problems: list[ChoiceProblem]
    notices: list[ChoiceProblem]
    edges: list[Edge]


class Opened(Struct, frozen=True, kw_only=True):
    """The table as it was opened."""

    table: str
    demo: bool


# ---------------------------------------------------------------- before


@lru_cache(maxsize=256)
def previewed(rulebook: str, chosen: tuple[tuple[str, Raw], ...]) -> Preview:
    """Problems or edges, worked out once for a choice."""
    loaded = rulebook_named(rulebook)
    try:
        configuration = _configured(loaded, dict(chosen), "preview", demo=True)
    except Refused as refusal:
        return Preview(rulebook=rulebook, problems=problems_of(refusal), notices=[], edges=[])
    notices = [
        ChoiceProblem(code="notice", words=one.text, cites=tuple(one.cites))
        for one in configuration.notices
    ]
    return Preview(
        rulebook=rulebook, problems=[], notices=notices, edges=edges_of(loaded, configuration)
    )


def problems_of(refusal: Refused) -> list[ChoiceProblem]:
    """Every reason, each with its clauses."""
    every = refusal.problems if isinstance(refusal, ConfigurationRefused) else (refusal,)
    return [ChoiceProblem(code=x.code, words=str(x), cites=tuple(x.cites)) for x in every]


def edges_of(loaded: Loaded, configuration: Configuration) -> list[Edge]:
    """The bets that this very table would offer, under its own pay tables."""
    from riverboat.exact.questions.every_bet import odds_of
    from riverboat.exact.questions.question import Question

    setup = configuration.setup
    question = Question(table=tuple(sorted(configuration.choices.items())))
    offered = {bet: table.id for bet, table in setup.bonuses.items() if setup.offers(bet)}
    progressive = setup.progressive
    edges = []
    for one in odds_of(loaded, question).bets:
        mine = one.bet == "base" or offered.get(one.bet) == one.paytable
        if progressive is not None and one.bet == "progressive":
            same = one.paytable == progressive.table.id
            mine = same and one.wager_cents == progressive.wager_cents
        if mine:
            risk = one.element_of_risk
            edges.append(
                Edge(
                    bet=one.bet,
                    paytable=one.paytable,
                    house_edge=float(one.house_edge),
                    ev=str(one.ev),
                    hit_frequency=str(one.hit_frequency),
                    element_of_risk=None if risk is None else float(risk),
                    at_wager=show_dollars(one.wager_cents),
                )
            )
    return edges


def _configured(
    loaded: Loaded, choices: dict[str, Raw], name: str, *, demo: bool, physical: bool = False
) -> Configuration:
    filed = standard_submission(loaded.book, choices, name=name, demo=demo, physical=physical)
    return configure(loaded.book, filed, rulebook_sha256=loaded.sha256)


# ---------------------------------------------------------------- the table itself


def opened(house: House, guest: Guest, address: str, asked: NewTable) -> Opened:
    """A table with everything that the rulebook asks for, or every reason why not. A visitor's own
    table plays for a meter of its own: nobody else's business stands on the floor's."""
    if asked.demo and asked.physical:
        text = (
            "a demo table with real cards has nobody to deal them; take a lesson with a real deck"
        )
        raise Refused("table.real_cards", text, cites=())
    loaded = rulebook_named(asked.rulebook)
    name = table_name(guest, asked)
    if guest.door != "visitor":
        _require_own_look(house, name)
    wanted = _configured(
        loaded, dict(asked.choices), name, demo=asked.demo, physical=asked.physical
    )
    if guest.door == "visitor" and wanted.setup.progressive is not None:
        own = {**asked.choices, "meter_link": f"{name} meter"}
        asked, wanted = replace(asked, choices=own), _configured(loaded, own, name, demo=True)
    if name in house.model.tables and house.model.owner(name) not in ("", guest.owns):
        raise Refused("table.taken", f"there is {table_called(name, 'a table')} already", cites=())
    there = house.floor.station(name).day.configuration
    if there is not None and there.sha256 != wanted.sha256:
        raise Refused("table.taken", f"there is {table_called(name, 'a table')} already", cites=())
    left_open = there is not None and not asked.demo and not joined(house.floor, name, there.setup)
    if there is None or left_open:
        require_fits(house.floor, name, wanted.setup, shown=asked.demo)
        _require_nobody_elses(house, guest, wanted.setup)
        if asked.demo:
            table = DemoTable(name, asked.rulebook, asked.choices, asked.bots, guest.owns)
            with house.room.taken(guest, address, name):
                house.open_demo(table)
        else:
            _open_real(house, guest, name, asked)
    house.model.refresh()
    return Opened(table=name, demo=asked.demo)


def _require_nobody_elses(house: House, guest: Guest, setup: Setup) -> None:
    """No other table plays for the meter of a visitor's own: not even one of the house."""
    if setup.progressive is None:
        return
    link = setup.progressive.link
    owners = {house.model.owner(member) for member in house.floor.link(link).members}
    if owners - {guest.owns, ""}:
        text = f"meter {link} is of somebody's own table: choose another meter_link"
        raise Refused("meter.taken", text, cites=())


def _require_own_look(house: House, name: str) -> None:
    """What people call a table can be read, and looks like no other table's name; those that are on
    record are called as they are."""
    if name in house.model.tables:
        return
    require_readable(name)
    if folded_name(name) in map(folded_name, house.model.tables):
        text = f"there is a table already whose name looks like {name!r}"
        raise Refused("table.taken", text, cites=())


def table_name(guest: Guest, asked: NewTable) -> str:
    """A plain name; a visitor's table bears the visitor's, and the same for the same command."""
    name = " ".join(asked.name.split())
    if not name.isprintable() or "/" in name or not name:
        raise Refused("table.name", "a table has a plain name, without a slash", cites=())
    if guest.door == "visitor":
        if not asked.demo:
            raise PermissionDeniedException("visitors open demo tables only")
        return f"{guest.name} {hashlib.sha256(asked.id.encode()).hexdigest()[:4]}"
    return name


def _open_real(house: House, guest: Guest, name: str, asked: NewTable) -> None:
    """Proposed by one, approved by the other, who sign for its meter too; tray, dealer and cards
    are theirs to bring. What was begun and not ended is taken up where it stands."""
    if guest.door not in KEEPERS or guest.actor is None:
        raise PermissionDeniedException(f"{need_words(KEEPERS)}; open a demo table")
    absent = Actor(name=f"{guest.name} and another", role="supervisor")
    filed = _proposal(house.floor, name, asked)
    if filed is not None:
        _require_can_approve(house.floor, (guest.actor, absent), name, filed)
    else:
        setup = house.floor.station(name).day.setup
        require_can_join(house.floor, name, setup, (guest.actor, absent))
    second = second_person(house, guest, asked.second, "opening a table", demo=False)
    people = (guest.actor, second)
    floor, command_id = house.floor, guest.own(asked.id)
    if filed is not None:
        _approve(floor, command_id, people, name, filed)
    join(floor, command_id, name, floor.station(name).day.setup, people)


def _proposal(floor: Floor, name: str, asked: NewTable) -> a.Propose | None:
    """What is to be proposed; nothing where it was approved already."""
    if floor.station(name).day.configuration is not None:
        return None
    book = rulebook_named(asked.rulebook).book
    filed = standard_submission(book, asked.choices, name=name, physical=asked.physical)
    return a.Propose(submission=filed)


def _require_can_approve(
    floor: Floor, people: tuple[Actor, Actor], name: str, asked: a.Propose
) -> None:
    """Nothing is proposed that the second person, or the meter, would be refused, and nobody signs
    for it: all steps are decided before the first is put down."""
    by, second = people
    _, after = advance(floor.station(name).day, by, asked)
    _, ready = advance(after, second, a.Approve(number=after.configurations))
    require_can_join(floor, name, ready.setup, people)


def _approve(
    floor: Floor, command_id: str, people: tuple[Actor, Actor], name: str, asked: a.Propose
) -> None:
    """Where somebody is quicker, what was proposed is withdrawn."""
    by, second = people
    _require_can_approve(floor, people, name, asked)
    answer = floor.ask(f"{command_id} propose", by, name, asked)
    (number,) = (
        event.number
        for entry in answer.entries
        for event in entry.events
        if isinstance(event, e.ConfigurationProposed)
    )
    try:
        floor.ask(f"{command_id} approve", second, name, a.Approve(number=number))
    except Refused:
        floor.ask(f"{command_id} withdraw", by, name, a.Withdraw(number=number))
        raise


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
            f"meter {name} is the house's own; {table_called(table)} is for show, where computer "
            "players and visitors play: choose another meter_link"
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
    if programs or name in schedules or name.startswith(TEST):
        text = (
            f"meter {name} is for demo and test tables, where computer players and visitors play; "
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


def require_can_join(floor: Floor, table: str, setup: Setup, people: tuple[Actor, Actor]) -> None:
    """Decide what `join` will ask for, and put nothing down."""
    if setup.progressive is None:
        return
    by, second = people
    link = floor.link(setup.progressive.link)
    if link.status == "not_open":
        link = keep(link, by, opening_of(setup, second)).link
    if table not in link.members:
        keep(link, by, JoinMeter(table=table), setup=setup)


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
        floor.keep(f"{command_id} join", by, name, JoinMeter(table=table))


def joined(floor: Floor, table: str, setup: Setup) -> bool:
    """Whether a table plays for the meter that it is set up for, or needs none."""
    own = setup.progressive
    return own is None or table in floor.link(own.link).members
