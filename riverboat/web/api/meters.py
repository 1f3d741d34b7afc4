"""Meters: their signs for everybody; history, awards and reconciliation for who answers for them;
commands of their keepers, two people where it takes two."""

import asyncio
from datetime import UTC, datetime
from functools import reduce
from typing import Annotated, Any

from litestar import Controller, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from riverboat import __version__
from riverboat.answers.house_books import (
    ExplainedAmount,
    FloorFigures,
    MeterAndHistory,
    MeterFigures,
    accounting_document,
    explained_document,
)
from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, MeterUnits
from riverboat.documents.printing import Printing, wall_clock
from riverboat.documents.win_page import win_page_in, win_page_pdf
from riverboat.floor.books.accounting import Floorbook, narrowed
from riverboat.floor.books.meters import explain_cent
from riverboat.floor.codec import METER
from riverboat.floor.keeping import kept, require_keeping
from riverboat.floor.starting import components
from riverboat.keeping.actions import AnyMeterAction, JoinMeter, OpenMeter
from riverboat.keeping.engine import REASONS
from riverboat.meter.operations import back_out
from riverboat.meter.state import Link, Status, apply
from riverboat.web.accounts import Guest
from riverboat.web.api.commands import CommandId, Signature, is_demo, signed
from riverboat.web.api.opening import require_fits
from riverboat.web.auth import EVERYBODY, HOUSE, KEEPERS, READERS, opens_to
from riverboat.web.demo.roles import is_shown
from riverboat.web.house import House
from riverboat.web.screens.frames import SignFrame, sign_frame
from riverboat.web.server.requests import require_known, require_short

MeterName = Annotated[str, Parameter(description="the meter's name", max_length=60)]
MaybeDay = Annotated[str | None, Parameter(max_length=10, description="only this gaming day")]
MaybeTable = Annotated[str | None, Parameter(max_length=60, description="only this table")]
MaybeCents = Annotated[int | None, Parameter(ge=0, le=10**12, description="as it showed it last")]
AwardName = Annotated[str, Parameter(max_length=120, description="TABLE/ROUND/SEAT")]


class Keep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a meter's keeper asks for, once however often it is sent."""

    id: CommandId
    action: dict[str, Any]
    second: Signature | None = None


class Kept(Struct, frozen=True, kw_only=True):
    """It is durable; `repeated` where it had been before."""

    seq: int
    repeated: bool


class MeterSign(SignFrame, frozen=True, kw_only=True, tag_field="kind", tag="sign"):
    """A meter as its sign shows it, with the terms that it is played on and its tables; TEST stands
    over what a laboratory's shows."""

    status: Status
    reason: str
    seed_cents: Cents
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    tables: list[str]
    test: bool


class Signs(Struct, frozen=True, kw_only=True):
    """Every meter as its sign shows it."""

    meters: list[MeterSign]


class AwardLine(Struct, frozen=True, kw_only=True):
    """An award on a meter; `after_units` is what the meter would stand at were it backed out."""

    award: str
    number: int
    table: str
    round: int
    seat: int
    hand: str
    percent: int
    cents: Cents
    paid: bool
    moved: bool
    backed_out: bool
    after_units: MeterUnits


class MeterBooks(MeterAndHistory, frozen=True, kw_only=True):
    """A meter's books: figures, history and awards; its tables, those that may join it, and the
    codes that an adjustment names."""

    head: str
    members: list[str]
    may_join: list[str]
    demo: bool
    codes: tuple[str, ...]
    awards: list[AwardLine]


class MeterAndMembers(MeterFigures, frozen=True, kw_only=True):
    """A meter and the tables that play for it; `private`: a visitor's own, or a test's."""

    members: list[str]
    private: bool


class ManagerBooks(FloorFigures, frozen=True, kw_only=True):
    """The Game Manager's books: meters, tables and the gaming days on record; `private`: the tables
    that visitors opened for themselves."""

    meters: list[MeterAndMembers]
    days: list[str]
    private: list[str]


class MetersController(Controller):
    """The progressive meters."""

    path = "/api"
    tags = ("meters",)

    @get("/meters", opt=opens_to(*EVERYBODY), sync_to_thread=False, summary="List the meters")
    def signs(self, house: House) -> Signs:
        """Every meter as its sign shows it, with the tables that play for it."""
        names = (name for name in house.model.meters if not is_private(house, name))
        return Signs(meters=[sign_of(house, name) for name in names])

    @get(
        "/meters/{meter:str}/sign",
        opt=opens_to(*EVERYBODY),
        sync_to_thread=False,
        summary="See a meter's sign",
    )
    def sign(self, house: House, guest: Guest, meter: MeterName) -> MeterSign:
        """One meter's sign."""
        require_meter(house, meter, guest)
        return sign_of(house, meter)

    @get("/meters/{meter:str}", opt=opens_to(*READERS), summary="Read a meter's books")
    async def one(
        self,
        house: House,
        guest: Guest,
        meter: MeterName,
        table: MaybeTable = None,
        day: MaybeDay = None,
    ) -> MeterBooks:
        """A meter's books: history, awards, adjustments, and whether it balances."""
        require_meter(house, meter, guest)
        return await asyncio.to_thread(meter_document, house, meter, table, day)

    @get("/meters/{meter:str}/cent", opt=opens_to(*READERS), summary="Explain an amount")
    async def cent(
        self, house: House, guest: Guest, meter: MeterName, cents: MaybeCents = None
    ) -> ExplainedAmount:
        """Where an amount that the meter showed comes from, entry by entry."""
        require_meter(house, meter, guest)
        return await asyncio.to_thread(explained, house, meter, cents)

    @post(
        "/meters/{meter:str}/commands",
        opt=opens_to(*KEEPERS),
        status_code=200,
        summary="Command something at a meter",
    )
    async def keep(self, house: House, guest: Guest, meter: MeterName, data: Keep) -> Kept:
        """Set up a meter, join or leave a table, adjust, take out of service, retire, move."""
        return await asyncio.to_thread(carry_out, house, guest, meter, data)

    @get("/books", opt=opens_to(*READERS), summary="Read the Game Manager's books")
    async def books(
        self, house: House, table: MaybeTable = None, day: MaybeDay = None
    ) -> ManagerBooks:
        """The Game Manager's books: meters, tables and days, and whether it all balances."""
        return await asyncio.to_thread(book_document, house, table, day)

    @get(
        "/win-page",
        opt=opens_to(*HOUSE, "auditor"),
        media_type="application/pdf",
        summary="Print a win page",
    )
    async def win_page(self, house: House, guest: Guest, award: AwardName) -> Response[bytes]:
        """The win page of an award, for signing."""
        made = await asyncio.to_thread(printed, house, guest, award)
        return Response(made, media_type="application/pdf")


# ---------------------------------------------------------------- what is shown


def is_private(house: House, meter: str) -> bool:
    """Whether it is the meter of a visitor's own table or of a test: nobody else's business. So is
    one that a program has opened for a table that is to come."""
    members = house.model.link(meter).members
    if not members:
        return bool(house.model.is_opened_by_program(meter))
    return is_visitors(house, meter) or any(is_test(house, table) for table in members)


def is_visitors(house: House, meter: str) -> bool:
    """Whether a visitor's own table plays for it."""
    return any(house.model.owner(table) for table in house.model.link(meter).members)


def require_meter(house: House, meter: str, guest: Guest | None) -> None:
    """A meter that was opened; asking for another does not make it. Nor is it there for somebody
    who may not see the table that plays for it."""
    if meter not in house.model.meters or not house.may_look(guest, METER + meter):
        raise NotFoundException(f"there is no meter {meter!r}")


def sign_of(house: House, meter: str) -> MeterSign:
    """A meter's sign, with what stays the same about it."""
    link = house.model.link(meter)
    return MeterSign(
        **asdict(sign_frame(house.model, meter)),
        status=link.status,
        reason=link.reason,
        seed_cents=link.seed_cents,
        wager_cents=link.wager_cents,
        rate_bp=link.rate_bp,
        reserve_bp=link.reserve_bp,
        tables=list(link.members),
        test=any(is_test(house, table) for table in link.members),
    )


def is_test(house: House, table: str) -> bool:
    """Whether it is a laboratory's: then TEST stands over what its sign shows."""
    configuration = house.model.station(table).day.configuration
    return configuration is not None and configuration.test


def meter_document(house: House, meter: str, table: str | None, day: str | None) -> MeterBooks:
    """One meter's books; a part of its history where a table or a day is named."""
    book = house.model.books()
    shown = accounting_document(narrowed(book, meter=meter, table=table, day=day))
    link = book.meters[meter].link
    return MeterBooks(
        **asdict(shown.meters[0]),
        head=shown.head,
        members=list(link.members),
        may_join=may_join(house, meter, link),
        demo=is_demo_meter(house, meter),
        codes=REASONS,
        awards=awards_of(link),
    )


def may_join(house: House, meter: str, link: Link) -> list[str]:
    """The floor's tables that are set up for a meter and do not play for it."""
    others = (name for name in house.table_names() if name not in link.members)
    return [name for name in others if house.model.station(name).link == meter]


def awards_of(link: Link) -> list[AwardLine]:
    """Every award on a meter, newest first."""
    return [
        AwardLine(
            award=name,
            number=one.number,
            table=one.fixed.table,
            round=one.fixed.round,
            seat=one.fixed.seat,
            hand=one.fixed.hand,
            percent=one.fixed.percent,
            cents=one.fixed.cents,
            paid=one.paid,
            moved=one.moved,
            backed_out=one.backed_out,
            after_units=_without(link, name).meter.units,
        )
        for name, one in reversed(list(link.awards.items()))
    ]


def _without(link: Link, award: str) -> Link:
    """The meter as it would stand were an award backed out now."""
    if link.awards[award].backed_out:
        return link
    return reduce(apply, back_out(link, award, "", "", ""), link)


def explained(house: House, meter: str, cents: Cents | None) -> ExplainedAmount:
    """The way back from an amount to what made it."""
    book = house.model.books()
    return explained_document(explain_cent(book.meters[meter], cents))


def book_document(house: House, table: str | None, day: str | None) -> ManagerBooks:
    """The whole books; each meter's history is at the meter."""
    book = narrowed(house.model.books(), meter=None, table=table, day=day)
    shown = asdict(accounting_document(book))
    meters = [_with_members(house, one, book) for one in shown.pop("meters")]
    private = [name for name in sorted(house.model.tables) if house.model.owner(name)]
    return ManagerBooks(**shown, meters=meters, days=book.days, private=private)


def _with_members(house: House, one: MeterAndHistory, book: Floorbook) -> MeterAndMembers:
    own = {name: getattr(one, name) for name in MeterFigures.__struct_fields__}
    members = list(book.meters[one.meter].link.members)
    return MeterAndMembers(**own, members=members, private=is_private(house, one.meter))


def printed(house: House, guest: Guest, award: str) -> bytes:
    """A win page as PDF, printed by whoever asks."""
    floor, now = house.floor, house.floor.clock()
    printing = Printing(
        printed_by=guest.name,
        printed_at=f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d %H:%M:%S} UTC",
        printed_seconds=now,
        version=__version__,
        program_sha256=components(floor.books).program_sha256,
        head=str(floor.ledger.head()),
    )
    page = win_page_in(
        floor.ledger, floor.books, floor.secret, award, printing=printing, clock=wall_clock()
    )
    return win_page_pdf(page)


# ---------------------------------------------------------------- what keepers ask for


def carry_out(house: House, guest: Guest, meter: str, asked: Keep) -> Kept:
    """Read what is asked, let the second person sign, and let the floor decide."""
    by, floor = guest.actor, house.floor
    assert by is not None

    def try_out(raw: dict[str, Any]) -> None:
        action = _read(house, guest, meter, raw)
        require_keeping(by, action)
        kept(meter, by, action, floor.link, floor.station)

    demo = is_demo_meter(house, meter)
    raw = signed(house, guest, asked.id, asked.action, asked.second, try_out, demo=demo)
    answer = floor.keep(guest.own(asked.id), by, meter, _read(house, guest, meter, raw))
    house.model.refresh()
    return Kept(seq=answer.seq, repeated=answer.repeated)


def _read(house: House, guest: Guest, meter: str, raw: dict[str, Any]) -> AnyMeterAction:
    """An action as it is written down, for a meter that it fits; what cannot be read says where."""
    try:
        action: AnyMeterAction = convert(raw, AnyMeterAction, strict=True)
    except ValidationError as problem:
        raise NotationError("action.unreadable", f"action: {problem}") from None
    require_known(raw, action)
    require_short(raw, "action")
    if isinstance(action, OpenMeter):
        _require_name(meter, action)
    else:
        require_meter(house, meter, guest)
    if isinstance(action, JoinMeter):
        _require_fits(house, meter, action)
    return action


def _require_fits(house: House, meter: str, action: JoinMeter) -> None:
    """As at the table's opening; a table that is set up for another meter is the floor's matter."""
    station = house.model.station(action.table)
    if station.link == meter:
        shown = is_shown(station.day)
        require_fits(house.floor, action.table, station.day.setup, shown=shown)


def _require_name(meter: str, action: OpenMeter) -> None:
    good = meter.strip() == meter and meter.isprintable() and "/" not in meter
    if action.link != meter or not good:
        text = f"action.link: a meter is opened under its own plain name, {meter!r}"
        raise Refused("meter.name", text, cites=())


def is_demo_meter(house: House, meter: str) -> bool:
    """A meter for which only demo tables play."""
    members = house.model.link(meter).members
    return bool(members) and all(is_demo(house, table) for table in members)
