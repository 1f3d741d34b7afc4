"""What keepers of a meter ask for, decided with the tables that it concerns. Pure.

The floor decides with it while nobody else writes, and whoever verifies decides with it again.
"""

from collections.abc import Callable
from typing import get_args

from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.core.well_formed import require_action, require_struct
from riverboat.floor.station import Station
from riverboat.keeping import actions as a
from riverboat.keeping.engine import keep, move_meter, require_as_joined
from riverboat.meter.events import AnyMeterEvent
from riverboat.meter.state import Link
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.values import table_called
from riverboat.table.people import Actor

_KINDS = frozenset(get_args(a.AnyMeterAction))
Links = Callable[[str], Link]
Stations = Callable[[str], Station]


def require_keeping(by: Actor, action: a.AnyMeterAction) -> None:
    """Somebody, and something that keepers of a meter can ask for; a floor asks before it notes
    anything."""
    require_struct(by, Actor, "by")
    require_action(action, _KINDS)


def kept(
    name: str, by: Actor, action: a.AnyMeterAction, links: Links, stations: Stations
) -> dict[str, tuple[AnyMeterEvent, ...]]:
    """What follows, meter by meter; a table joins as it is set up now, and leaves between two
    rounds that the meter knows of."""
    require_keeping(by, action)
    if isinstance(action, a.OpenMeter) and action.link != name:
        text = f"meter {action.link} cannot be opened as {name}"
        raise Refused("link.other_name", text, cites=())
    link = links(name)
    _require_no_lab(by, action, link, stations)
    if isinstance(action, a.MoveMeter):
        out, came = move_meter(link, links(action.to), by, action)
        return {name: out.events, action.to: came.events}
    setup = None
    if isinstance(action, a.JoinMeter):
        station = stations(action.table)
        if station.link != name:
            other = station.link or "no meter"
            text = f"{table_called(action.table)} plays for {other}, not for {name}"
            raise Refused("link.other", text, cites=())
        setup = station.day.setup
    if isinstance(action, a.LeaveMeter):
        station = stations(action.table)
        if station.link == name and station.day.in_round and station.controller.locked:
            text = (
                f"{table_called(action.table)} leaves when its round is over; its wagers are locked"
            )
            raise Refused("round.in_progress", text, cites=())
    done = keep(link, by, action, setup=setup)
    if isinstance(action, a.JoinMeter):
        _require_no_change_coming(done.link, stations(action.table))
    return {name: done.events}


def _require_no_lab(by: Actor, action: a.AnyMeterAction, link: Link, stations: Stations) -> None:
    """A lab has no business at a meter that people play for."""
    for table in link.members if has_lab(by, action) else ():
        configuration = stations(table).day.configuration
        if configuration is None or not configuration.test:
            text = f"a lab asks; {table_called(table)} of meter {link.id} is open for play"
            raise Refused("table.not_test", text, cites=())


def has_lab(by: Actor, action: a.AnyMeterAction) -> bool:
    """Whether one of those who ask is a lab."""
    people = (by, getattr(action, "second", None))
    return any(one is not None and one.role == "lab" for one in people)


def _require_no_change_coming(after: Link, station: Station) -> None:
    """What was approved in a round takes effect at its end: it too leaves the terms as they are."""
    rule = station.day.setup.book.progressive
    assert rule is not None, "a table that joined has a progressive"
    for proposal in station.day.proposals.values():
        if proposal.approved_by:
            require_as_joined(after, station.day.table, proposal.configuration.setup, rule)


def tables_to_ask_again(action: a.AnyMeterAction, link: Link) -> tuple[str, ...]:
    """The tables whose next entry depends on what happened to the meter.

    Contributions and approvals expect no version of the meter. So the streams of these tables are
    written too, and what was about to be written there is decided again.
    """
    match action:
        case a.JoinMeter() | a.LeaveMeter():
            return (action.table,)
        case a.TakeOutOfService():
            return tuple(link.members)
    return ()


def opening_of(setup: Setup, second: Actor) -> a.OpenMeter:
    """A meter on the terms of the table that is the first to play for it."""
    own = setup.progressive
    assert own is not None
    return alike(a.OpenMeter, own, second=second)
