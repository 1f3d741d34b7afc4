"""What goes to one person's screen: a table, a sign or the lobby, with nothing that is not theirs.

A frame is the whole of what is shown, never a difference: whoever reconnects, to whichever process,
has missed nothing. What lies printed on the felt is asked for once: `layout`.
"""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.json import schema as msgspec_schema
from msgspec.structs import asdict, replace

from riverboat.controller.legal import coming
from riverboat.controller.state import Light, State, light_of
from riverboat.controller.winners import Desk, toggle_cites
from riverboat.core.money import Cents
from riverboat.floor.station import Station
from riverboat.meter.books import sign
from riverboat.meter.operations import takes_wagers
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.legal import WholeBet, betting_areas, least_of, whole_bets
from riverboat.round.state import Round
from riverboat.round.streets import stage_of
from riverboat.rulebook.progressive import Progressive
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import STAFF
from riverboat.table.views import TableView, table_view
from riverboat.web.accounts import Guest
from riverboat.web.demo.roles import actor_at
from riverboat.web.demo.waiting import Betting, Clock, Waiting, betting_of
from riverboat.web.read_model import ReadModel
from riverboat.web.screens.console import Console, ReadyAction, console_frame
from riverboat.web.screens.offered import Asking, asking
from riverboat.wording.key_words import accident_words, done_words
from riverboat.wording.prompts.prompt import prompt


class SignFrame(Struct, frozen=True, kw_only=True, tag_field="kind", tag="sign"):
    """What a meter's sign shows: an amount only where it can be won now, else the award that all
    wait for and what comes after it, or that the meter is out of service."""

    link: str
    shows: Literal["jackpot", "pending", "out_of_service"]
    cents: Cents | None
    award_cents: Cents | None
    table: str
    hand: str
    next_cents: Cents | None
    reserve: str


class TableLine(Struct, frozen=True, kw_only=True):
    """A table from the entrance; one that is not set up has nothing but that to say."""

    table: str
    state: Literal["not set up"] | UnsetType = UNSET
    rulebook: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    demo: bool | UnsetType = UNSET
    test: bool | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    minimum_cents: Cents | UnsetType | None = UNSET
    maximum_cents: Cents | UnsetType | None = UNSET
    seats: int | UnsetType = UNSET
    seated: int | UnsetType = UNSET
    side_bets: list[str] | UnsetType = UNSET
    link: str | UnsetType | None = UNSET
    round: int | UnsetType = UNSET
    slow: bool | UnsetType = UNSET
    """Whether nobody plays there, so that programs deal only now and then."""


class LobbyFrame(Struct, frozen=True, kw_only=True, tag_field="kind", tag="lobby"):
    """The floor from its entrance."""

    tables: list[TableLine]


class LostFrame(Struct, frozen=True, kw_only=True, tag_field="kind", tag="lost"):
    """The ledger cannot be reached: what is shown of this topic is not live."""

    topic: str


class Area(Struct, frozen=True, kw_only=True):
    """What can be laid on a spot."""

    minimum_cents: Cents
    maximum_cents: Cents | None


class Decide(Struct, frozen=True, kw_only=True):
    """A decision of yours: its spot, the bets that stay in, whether you may fold."""

    spot: str
    bets: tuple[WholeBet, ...]
    fold: bool


class AskedOfYou(Struct, frozen=True, kw_only=True):
    """What the procedure asks of whoever plays, between rounds, and the action that does it."""

    words: str
    do: ReadyAction


class You(Struct, frozen=True, kw_only=True):
    """What you may do at this table now, with the bounds; what is in your purse."""

    name: str
    seat: int | None
    purse_cents: Cents
    sits: list[int]
    stands: bool
    asked: list[AskedOfYou] | UnsetType = UNSET
    betting: bool | UnsetType = UNSET
    waits: str | UnsetType = UNSET
    areas: dict[str, Area] | UnsetType = UNSET
    decide: Decide | UnsetType = UNSET
    most_cents: Cents | UnsetType = UNSET


class RunningClock(Struct, frozen=True, kw_only=True):
    """Whose time runs, how many seconds were left when the frame was made, and of how many."""

    seat: int
    left: float
    of: float


class KeyedHand(Struct, frozen=True, kw_only=True):
    """A hand that was keyed for a seat; who has done what about it."""

    seat: int
    hand: str
    done: tuple[tuple[str, str], ...]
    said: tuple[str, ...]
    """What was done, in words."""


class Accident(Struct, frozen=True, kw_only=True):
    """A hand that was keyed for a seat that does not win with it, and what is done about that."""

    seat: int
    hand: str
    words: str
    cites: tuple[str, ...]


class NextPress(Struct, frozen=True, kw_only=True):
    """The key that comes next, and whose it is."""

    by: str
    press: str
    cites: tuple[str, ...]


class Keys(Struct, frozen=True, kw_only=True):
    """Lights for all; for the house also lamps, the key and the press that comes next."""

    lights: dict[int, Light]
    locked: bool
    state: State | UnsetType = UNSET
    key: Literal["RUN", "JPH"] | UnsetType = UNSET
    lamps: list[KeyedHand] | UnsetType = UNSET
    by_accident: list[Accident] | UnsetType = UNSET
    next: NextPress | UnsetType = UNSET


class TableFrame(TableView, frozen=True, kw_only=True, tag_field="kind", tag="table"):
    """A table as you see it; `at` counts its entries, and `console` is there for the house."""

    at: int
    keys: Keys | None
    sign: SignFrame | None
    you: You | None
    clock: RunningClock | None
    console: Console | UnsetType = UNSET


Frame: TypeAlias = TableFrame | SignFrame | LobbyFrame | LostFrame


def frames_schema() -> dict[str, Any]:
    """The published JSON Schema of every frame."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of a Riverboat floor",
        **msgspec_schema(Frame),
    }


def table_frame(
    model: ReadModel, table: str, guest: Guest, waiting: Waiting | None = None
) -> TableFrame:
    """A table as somebody sees it."""
    station, standing = model.station(table), model.standing_at(table)
    link = model.link_of(station)
    actor = actor_at(guest, station.day, standing)
    staff = actor is not None and actor.role in STAFF
    return TableFrame(
        **asdict(table_view(station.day, actor, prompt(station.day))),
        at=station.day.entries,
        keys=keys_frame(station, link, staff=staff),
        sign=None if link is None else _sign(station.link, link),
        you=own_frame(model, station, link, guest),
        clock=clock_frame(waiting.running(station.day)) if waiting is not None else None,
        console=console_frame(station, link, actor, standing) if actor and staff else UNSET,
    )


def own_frame(model: ReadModel, station: Station, link: Link | None, guest: Guest) -> You | None:
    """What somebody may do at this table now, with the bounds; what is in hand."""
    if not guest.plays or guest.actor is None:
        return None
    day, ask = station.day, asking(station, link, guest.actor)
    seat = next(iter(day.seats_of(guest.actor)), None)
    own = You(
        name=guest.name,
        seat=seat,
        purse_cents=model.cents(guest.name),
        sits=ask.values(a.SitDown, "seat"),
        stands=seat in ask.values(a.StandUp, "seat"),
    )
    if seat is None or day.interrupted:
        return own
    if day.round is None or not day.in_round:
        return replace(own, asked=_asked_of_players(ask))
    state = day.playing
    own = replace(own, betting=state.phase == "betting")
    if own.betting:
        ready = model.ready(day.table, day.round_number)
        waits = waits_in_words(betting_of(day, ready), guest.name)
        own = replace(own, waits=waits, areas=_areas(ask))
    bets = whole_bets(state, ask.offers)
    if bets:
        decide = Decide(spot=stage_of(state).spot, bets=bets, fold=any(ask.of(g.Fold)))
        own = replace(own, decide=decide, most_cents=_most_to_come(state, seat))
    return own


def _areas(ask: Asking) -> dict[str, Area]:
    """What can be laid where in this betting; no chip on a sensor while its meter is out."""
    shut = ask.link is not None and not takes_wagers(ask.link, ask.day.table)
    return {
        spot: Area(
            minimum_cents=least_of(amounts),
            maximum_cents=getattr(amounts, "maximum", least_of(amounts)),
        )
        for spot, amounts in betting_areas(ask.day.setup).items()
        if not (shut and spot == "progressive")
    }


def _asked_of_players(ask: Asking) -> list[AskedOfYou]:
    """What the procedure asks of whoever plays, between rounds: a look at the spread cards."""
    tasks = (task for task in prompt(ask.day).tasks if task.who == "player" and not task.optional)
    ready = (task for task in tasks if task.do is not None and ask.is_taken(task.do))
    return [AskedOfYou(words=task.words, do=to_builtins(task.do)) for task in ready]


def clock_frame(clock: Clock | None) -> RunningClock | None:
    """Whose time runs, and the seconds that are left of it when the frame is made."""
    if clock is None:
        return None
    return RunningClock(seat=clock.seat, left=round(clock.left, 1), of=clock.of)


def waits_in_words(betting: Betting, name: str) -> str:
    """Whom the dealer waits for, once somebody is ready; nothing before."""
    others = [other for other in betting.names if other != name]
    if not betting.anybody or not betting.names:
        return ""
    own = ["you"] if len(others) < len(betting.names) else []
    return f"waits for {' and '.join([*others, *own])}"


def _most_to_come(state: Round, seat: int) -> Cents:
    """What the largest bets from here to the end of the round would take."""
    ante = state.seats[seat].wagers["ante"]
    now = stage_of(state)
    stages = state.setup.stages
    left = stages[[stage.spot for stage in stages].index(now.spot) :]
    return sum(ante * max(stage.multiples) for stage in left)


def keys_frame(station: Station, link: Link | None, *, staff: bool) -> Keys | None:
    """Lights for all; for the house also lamps, the key and the press that comes next."""
    rule = station.day.setup.book.progressive if station.link else None
    if rule is None:
        return None
    controller, day = station.controller, station.day
    seats = range(1, day.setup.seats + 1)
    shown = Keys(
        lights={seat: light_of(controller, seat, rule) for seat in seats}, locked=controller.locked
    )
    if not staff:
        return shown
    lamps = [
        KeyedHand(seat=lamp.seat, hand=lamp.hand, done=lamp.done, said=done_words(lamp))
        for lamp in controller.lamps
        if not lamp.wrong
    ]
    shown = replace(shown, state=controller.state, key=controller.key, lamps=lamps, by_accident=[])
    if day.round is None or not day.in_round or day.interrupted:
        return shown
    desk = Desk(controller, day.playing, link)
    return replace(shown, by_accident=_accidents(desk, rule), next=_next_press(desk))


def _next_press(desk: Desk) -> NextPress | UnsetType:
    found = coming(desk)
    if found is None:
        return UNSET
    tag = str(found.press.__struct_config__.tag)
    return NextPress(by=found.by, press=tag, cites=found.cites)


def _accidents(desk: Desk, rule: Progressive) -> list[Accident]:
    """Hands that were keyed for seats that do not win with them."""
    return [
        Accident(
            seat=lamp.seat,
            hand=lamp.hand,
            words=accident_words(desk, lamp),
            cites=toggle_cites(rule),
        )
        for lamp in desk.controller.lamps
        if lamp.wrong
    ]


def sign_frame(model: ReadModel, link: str) -> SignFrame:
    """A meter's sign: an amount only where it can be won now."""
    return _sign(link, model.link(link))


def _sign(name: str, link: Link) -> SignFrame:
    return SignFrame(link=name, **sign(link)._asdict())


def lobby_frame(model: ReadModel, tables: Iterable[str]) -> LobbyFrame:
    """The floor from its entrance."""
    return LobbyFrame(tables=[_lobby_line(model.station(name).day) for name in tables])


def _lobby_line(day: Day) -> TableLine:
    configuration = day.configuration
    if configuration is None:
        return TableLine(table=day.table, state="not set up")
    setup = configuration.setup
    ante = setup.limits.ante
    return TableLine(
        table=day.table,
        rulebook=configuration.book.id,
        title=configuration.book.title,
        game=configuration.book.game,
        demo=configuration.demo,
        test=configuration.test,
        open=bool(day.date) and day.phase != "closed",
        minimum_cents=ante.minimum_cents,
        maximum_cents=ante.maximum_cents,
        seats=setup.seats,
        seated=len(day.seated),
        side_bets=[o.bet for o in configuration.book.side_bets if setup.offers(o.bet)],
        link=setup.progressive.link if setup.progressive else None,
        round=day.round_number,
        slow=configuration.demo and not day.people,
    )
