"""A player's own seat: a hand dealt at once, what it is worth now, why it was paid as it was."""

import asyncio
from typing import Annotated, Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import QueryParameter
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.floor.autopilot import attend
from riverboat.round import actions as g
from riverboat.round.state import Round
from riverboat.round.streets import seat_to_act
from riverboat.round.views import RoundView, view
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.web.accounts import Guest
from riverboat.web.api.accounts import may_visit, no_visitors, spend_visit
from riverboat.web.api.rounds import Number, eyes_for
from riverboat.web.api.tables import TableName, require_table
from riverboat.web.auth import (
    ANYBODY,
    FIGURE_SECONDS,
    address_of,
    is_local,
    opens_to,
    session_cookie,
)
from riverboat.web.demo.tables import DemoTable, demo_tables
from riverboat.web.house import House
from riverboat.web.rounds.coaching import Coached, SeatAdvice, advised, costs
from riverboat.web.rounds.story import finished_round
from riverboat.wording.clauses import CitedClause, clause_texts
from riverboat.wording.explaining import Explanation, explain

FIRST_ANTE_CENTS: Final = 10_00
_MOST_STEPS: Final = 40
_PLAYERS: Final = ("visitor", "player")
Earlier = Annotated[
    int | None,
    QueryParameter(name="round", ge=1, le=10_000_000, description="a finished round of your own"),
]


class FirstHand(Struct, frozen=True, kw_only=True):
    """A visitor's own table, and the visitor's name."""

    table: str
    name: str


class Why(Struct, frozen=True, kw_only=True):
    """The results of your seat in a round, in words, and what the clauses that decided them say; of
    an earlier round also which seat, and the felt as you saw it last."""

    round: int
    results: tuple[Explanation, ...] = ()
    clauses: dict[str, CitedClause] = {}
    seat: int | UnsetType = UNSET
    seen: RoundView | UnsetType = UNSET


class SeatController(Controller):
    """What only the one who sits there is told."""

    path = "/api"
    tags = ("seat",)

    @post("/first-hand", opt=opens_to(ANYBODY), status_code=200, summary="Be dealt a first hand")
    async def first_hand(
        self, house: House, request: Request[Guest | None, Any, Any]
    ) -> Response[FirstHand]:
        """Come in as a visitor, at a demo table of one's own, with an ante on it to be dealt to."""
        guest, cookies = await let_in(house, request)
        if guest.door != "visitor":
            raise PermissionDeniedException("a first hand is for visitors; see the lobby")
        await asyncio.to_thread(seat_visitor, house, guest, address_of(request))
        return Response(FirstHand(table=guest.name, name=guest.name), cookies=cookies)

    @get(
        "/tables/{table:str}/explain",
        opt=opens_to(*_PLAYERS, effort="rounds"),
        sync_to_thread=True,
        summary="Explain your results",
    )
    def explain(self, house: House, guest: Guest, table: TableName, earlier: Earlier = None) -> Why:
        """Why your seat has what it has: words, arithmetic, clauses. So far in this round, or in
        an earlier one of your own, then with the felt as you saw it last."""
        require_table(house, table, guest)
        day = house.model.station(table).day
        if earlier is not None:
            state, seats = own_round(house, guest, table, earlier)
            return told_again(state, earlier, seats)
        seat = seat_of(day, guest)
        if seat is None or day.round is None:
            return Why(round=day.round_number)
        return why(day.round, day.round_number, (seat,))

    @get(
        "/tables/{table:str}/advice",
        opt=opens_to(*_PLAYERS, seconds=FIGURE_SECONDS, effort="advice"),
        summary="Be advised at your seat",
    )
    async def advice(self, house: House, guest: Guest, table: TableName) -> SeatAdvice:
        """What each of your choices is worth now, from what your seat knows and nothing else."""
        require_table(house, table, guest)
        day = house.model.station(table).day
        seat = seat_of(day, guest)
        if seat is None or day.round is None or seat_to_act(day.round) != seat:
            raise Refused("advise.not_now", "there is nothing for you to decide now", cites=())
        return await asyncio.to_thread(advised, day.round, seat)

    @get(
        "/tables/{table:str}/rounds/{number:int}/coach",
        opt=opens_to(*_PLAYERS, seconds=FIGURE_SECONDS, effort="advice"),
        summary="Learn what your decisions cost",
    )
    async def coach(self, house: House, guest: Guest, table: TableName, number: Number) -> Coached:
        """What each of your decisions in a finished round cost against the best, from what your
        seat knew at that decision and nothing else."""
        return await asyncio.to_thread(coached, house, guest, table, number)


def own_round(house: House, guest: Guest, table: str, number: int) -> tuple[Round, tuple[int, ...]]:
    """A finished round and where somebody sat in it; refused where it is not theirs."""
    house.model.catch_up()
    seats = eyes_for(house, guest, table, number).seats
    state = finished_round(house.floor, table, number)
    if state is None or not seats:
        raise NotFoundException(f"{table} has no finished round {number}")
    return state, seats


def coached(house: House, guest: Guest, table: str, number: int) -> Coached:
    """The decisions of somebody's seats."""
    state, seats = own_round(house, guest, table, number)
    return Coached(table=table, round=number, seats=[costs(state, seat) for seat in seats])


def told_again(state: Round, number: int, seats: tuple[int, ...]) -> Why:
    """A finished round for a screen that was not there when it ended."""
    return replace(why(state, number, seats), seat=seats[0], seen=view(state, seats[0]))


def why(state: Round, number: int, seats: tuple[int, ...]) -> Why:
    """The results of seats, in words, and what the clauses that decided them say."""
    own = tuple(told for told in explain(state) if told.seat in seats)
    cited = (cite for told in own for cite in told.cites)
    return Why(round=number, results=own, clauses=clause_texts(state.setup.book, cited))


async def let_in(
    house: House, request: Request[Guest | None, Any, Any]
) -> tuple[Guest, list[Cookie]]:
    """Whoever asks, or a new visitor where visitors may come in, with the cookie that says so."""
    if request.user is not None:
        return request.user, []
    if not may_visit(house, request):
        raise PermissionDeniedException(no_visitors(house))
    if not is_local(request):
        spend_visit(house, request)
    token, guest = await asyncio.to_thread(house.visitor)
    return guest, [session_cookie(token, secure=house.manner.secure)]


def seat_of(day: Day, guest: Guest) -> int | None:
    """Where somebody sits."""
    return next(iter(day.seats_of(guest.actor)), None) if guest.actor else None


# ---------------------------------------------------------------- the first hand


def first_table(house: House, name: str) -> DemoTable:
    """A game against a pay table, under the rulebook that is in force, else the first; no meter,
    which would tie a visitor's own table to everybody else's."""
    tables = [
        table
        for table in demo_tables(house.floor)
        if house.floor.books[table.rulebook][0].comparison is None
    ]
    in_force = (t for t in tables if house.floor.books[t.rulebook][0].status == "in force")
    chosen = next(in_force, tables[0])
    choices = {bet: choice for bet, choice in chosen.choices.items() if "progressive" not in bet}
    return chosen._replace(name=name, choices=choices, owner=name)


def seat_visitor(house: House, guest: Guest, address: str) -> None:
    """Open the table, sit down, ante, and be ready; a second time nothing is done twice."""
    name, actor = guest.name, guest.actor
    assert actor is not None
    if house.floor.station(name).day.configuration is None:
        with house.room.taken(guest, address, name):
            house.open_demo(first_table(house, name))
        middle = (house.floor.station(name).day.setup.seats + 1) // 2
        house.floor.ask(f"first seat {name}", actor, name, a.SitDown(seat=middle))
        _until_betting(house, name)
        limits = house.floor.station(name).day.setup.limits.ante
        cents = max(FIRST_ANTE_CENTS, limits.minimum_cents or 0)
        ante = g.Wager(seat=middle, spot="ante", cents=cents)
        house.floor.ask(f"first ante {name}", actor, name, ante)
        house.model.catch_up()
        house.attendants.ready(name, name)


def _until_betting(house: House, table: str) -> None:
    """The automatic dealer brings and shuffles the first deck without making anybody wait."""
    for _ in range(_MOST_STEPS):
        day = house.floor.station(table).day
        if day.in_round and day.playing.phase == "betting":
            return
        doing = house.attendants.next_at(table)
        if doing is None:
            return
        attend(house.floor, f"auto {table} {day.entries}", table, doing)
