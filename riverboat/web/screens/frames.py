"""What goes to one person's screen: a table, a sign or the lobby, with nothing that is not theirs.

A frame is the whole of what is shown, never a difference: whoever reconnects, to whichever process,
has missed nothing. What lies printed on the felt is asked for once: `printing`.
"""

from collections.abc import Iterator

from msgspec import to_builtins
from msgspec.structs import asdict

from riverboat.controller.prompting import coming
from riverboat.controller.state import light_of
from riverboat.controller.winners import Desk, toggle_cites
from riverboat.core.money import Cents
from riverboat.floor.codec import TABLE
from riverboat.floor.floor import Floor
from riverboat.floor.station import Station
from riverboat.meter.books import sign
from riverboat.meter.operations import takes_wagers
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.legal import betting_areas, least_of, whole_bets
from riverboat.round.state import Round
from riverboat.round.streets import stage_of
from riverboat.rulebook.progressive import Progressive
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.views import STAFF, table_view
from riverboat.web.demo.takeover import actor_at
from riverboat.web.demo.waiting import Betting, Clock, Waiting, betting_of
from riverboat.web.play_money import Purses
from riverboat.web.roles import Guest
from riverboat.web.screens.console import console_frame
from riverboat.web.screens.offered import Asking, asking
from riverboat.wording.keypad import accident_words
from riverboat.wording.prompts.prompt import prompt

Json = dict[str, object]


def table_frame(
    floor: Floor, purses: Purses, table: str, guest: Guest, waiting: Waiting | None = None
) -> Json:
    """A table as somebody sees it."""
    station = floor.station(table)
    standing = purses.noticed.standing_at(table)
    link = link_of(floor, station)
    actor = actor_at(guest, station.day, standing)
    staff = actor is not None and actor.role in STAFF
    frame: Json = {
        "kind": "table",
        "at": station.day.entries,
        **asdict(table_view(station.day, actor, prompt(station.day))),
        "keys": keys_frame(station, link, staff=staff),
        "sign": None if link is None else _sign(station.link, link),
        "you": own_frame(station, link, purses, guest),
        "clock": clock_frame(waiting.running(station.day)) if waiting is not None else None,
    }
    if actor is not None and staff:
        frame["console"] = console_frame(station, link, actor, standing)
    return frame


def link_of(floor: Floor, station: Station) -> Link | None:
    """The meter that a table plays for, if it plays for one."""
    return floor.link(station.link) if station.link else None


def own_frame(station: Station, link: Link | None, purses: Purses, guest: Guest) -> Json | None:
    """What somebody may do at this table now, with the bounds; what is in hand."""
    if not guest.plays or guest.actor is None:
        return None
    day, ask = station.day, asking(station, link, guest.actor)
    seat = next((seat for seat, name in day.seated.items() if name == guest.name), None)
    own: Json = {
        "name": guest.name,
        "seat": seat,
        "purse_cents": purses.cents(guest.name),
        "sits": ask.values(a.SitDown, "seat"),
        "stands": seat in ask.values(a.StandUp, "seat"),
    }
    if seat is None or day.interrupted:
        return own
    if day.round is None or not day.in_round:
        return {**own, "asked": _asked_of_players(ask)}
    state = day.playing
    own["betting"] = state.phase == "betting"
    if own["betting"]:
        ready = purses.noticed.ready(day.table, day.round_number)
        own["waits"] = waits_in_words(betting_of(day, ready), guest.name)
        own["areas"] = _areas(ask)
    bets = whole_bets(state, ask.offers)
    if bets:
        own["decide"] = {
            "spot": stage_of(state).spot,
            "bets": [bet._asdict() for bet in bets],
            "fold": any(ask.of(g.Fold)),
        }
        own["most_cents"] = _most_to_come(state, seat)
    return own


def _areas(ask: Asking) -> Json:
    """What can be laid where in this betting; no chip on a sensor while its meter is out."""
    shut = ask.link is not None and not takes_wagers(ask.link, ask.day.table)
    return {
        spot: {
            "minimum_cents": least_of(amounts),
            "maximum_cents": getattr(amounts, "maximum", least_of(amounts)),
        }
        for spot, amounts in betting_areas(ask.day.setup).items()
        if not (shut and spot == "progressive")
    }


def _asked_of_players(ask: Asking) -> list[Json]:
    """What the procedure asks of whoever plays, between rounds: a look at the spread cards."""
    tasks = (task for task in prompt(ask.day).tasks if task.who == "player" and not task.optional)
    ready = (task for task in tasks if task.do is not None and ask.is_taken(task.do))
    return [{"words": task.words, "do": to_builtins(task.do)} for task in ready]


def clock_frame(clock: Clock | None) -> Json | None:
    """Whose time runs, and the seconds that are left of it when the frame is made."""
    if clock is None:
        return None
    return {"seat": clock.seat, "left": round(clock.left, 1), "of": clock.of}


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


def keys_frame(station: Station, link: Link | None, *, staff: bool) -> Json | None:
    """Lights for all; for the house also lamps, the key and the press that comes next."""
    rule = station.day.setup.book.progressive if station.link else None
    if rule is None:
        return None
    controller = station.controller
    seats = station.day.setup.seats
    shown: Json = {
        "lights": {seat: light_of(controller, seat, rule) for seat in range(1, seats + 1)},
        "locked": controller.locked,
    }
    if not staff:
        return shown
    shown["state"] = controller.state
    shown["key"] = controller.key
    shown["lamps"] = [
        {"seat": lamp.seat, "hand": lamp.hand, "done": list(lamp.done)}
        for lamp in controller.lamps
        if not lamp.wrong
    ]
    shown["by_accident"] = []
    day = station.day
    if day.round is not None and day.in_round and not day.interrupted:
        desk = Desk(controller, day.playing, link)
        shown["by_accident"] = _accidents(desk, rule)
        found = coming(desk)
        if found is not None:
            tag = str(found.press.__struct_config__.tag)
            shown["next"] = {"by": found.by, "press": tag, "cites": list(found.cites)}
    return shown


def _accidents(desk: Desk, rule: Progressive) -> list[Json]:
    """Hands that were keyed for seats that do not win with them."""
    return [
        {
            "seat": lamp.seat,
            "hand": lamp.hand,
            "words": accident_words(desk, lamp),
            "cites": list(toggle_cites(rule)),
        }
        for lamp in desk.controller.lamps
        if lamp.wrong
    ]


def sign_frame(floor: Floor, link: str) -> Json:
    """A meter's sign: an amount only where it can be won now."""
    return _sign(link, floor.link(link))


def _sign(name: str, link: Link) -> Json:
    return {"kind": "sign", "link": name, **sign(link)._asdict()}


def lobby_frame(floor: Floor, tables: Iterator[str]) -> Json:
    """The floor from its entrance."""
    return {"kind": "lobby", "tables": [_lobby_line(floor.station(name).day) for name in tables]}


def _lobby_line(day: Day) -> Json:
    configuration = day.configuration
    if configuration is None:
        return {"table": day.table, "state": "not set up"}
    setup = configuration.setup
    ante = setup.limits.ante
    return {
        "table": day.table,
        "rulebook": configuration.book.id,
        "title": configuration.book.title,
        "game": configuration.book.game,
        "demo": configuration.demo,
        "test": configuration.test,
        "open": bool(day.date) and day.phase != "closed",
        "minimum_cents": ante.minimum_cents,
        "maximum_cents": ante.maximum_cents,
        "seats": setup.seats,
        "seated": len(day.seated),
        "side_bets": [o.bet for o in configuration.book.side_bets if setup.offers(o.bet)],
        "link": setup.progressive.link if setup.progressive else None,
        "round": day.round_number,
    }


def table_names(floor: Floor, streams: Iterator[str]) -> Iterator[str]:
    """The tables among the ledger's streams."""
    return (name.removeprefix(TABLE) for name in streams if name.startswith(TABLE))
