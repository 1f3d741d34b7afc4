"""The people who keep a meter: opening, tables that join and leave, adjustments, the end of it."""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, NamedTuple, TypeAlias, get_args

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import METER_UNITS_PER_CENT, divide_up, format_cents
from riverboat.core.records import alike
from riverboat.core.well_formed import require_action, require_kind, require_struct
from riverboat.keeping import actions as a
from riverboat.keeping.chances import chance_of_all, require_winnable
from riverboat.meter import events as e
from riverboat.meter.state import Link, apply
from riverboat.round.setup.setup import ProgressiveSetup, Setup
from riverboat.rulebook.progressive import MeterMoves, Progressive
from riverboat.rulebook.values import table_called, with_article
from riverboat.table.people import Actor, Role, require_role, require_two

SILENT: tuple[str, ...] = ()
_FLOOR: tuple[Role, ...] = ("floorperson",)
REASONS: tuple[str, ...] = get_args(e.AdjustmentCode)
"""Why a meter may be changed by hand."""
Told: TypeAlias = Iterator[e.AnyMeterEvent]


class Kept(NamedTuple):
    """What follows for a link, and the link after it."""

    events: tuple[e.AnyMeterEvent, ...]
    link: Link


def keep(link: Link, by: Actor, action: a.AnyMeterAction, *, setup: Setup | None = None) -> Kept:
    """What follows from an action on the meter itself. A table joins with its setup."""
    require_kind(link, Link, "link")
    require_struct(by, Actor, "by")
    if setup is not None:
        require_kind(setup, Setup, "setup")
    require_action(action, _DECIDE)
    events = tuple(_DECIDE[type(action)](link, by, action, setup))
    return Kept(events, reduce(apply, events, link))


def move_meter(source: Link, target: Link, by: Actor, action: a.MoveMeter) -> tuple[Kept, Kept]:
    """What the one meter owes goes onto the other; both sides are recorded together."""
    for link, name in ((source, "source"), (target, "target")):
        require_kind(link, Link, name)
    require_struct(by, Actor, "by")
    require_action(action, (a.MoveMeter,))
    require_two(by, action.second, action.reason, "moving a meter")
    _require_quiet(source)
    _require_open(target)
    if target.id != action.to or target.id == source.id:
        text = f"meter {source.id} to {action.to}; meter {target.id} was found there"
        raise Refused("link.not_found", text, cites=SILENT)
    _require_not_pending(target)
    said = _signed(by, action)
    out = alike(e.MovedOut, source.meter, to=target.id, **said)
    came = alike(e.MovedIn, source.meter, source=source.id, **said)
    return Kept((out,), apply(source, out)), Kept((came,), apply(target, came))


def _signed(by: Actor, action: a.RetireMeter | a.MoveMeter) -> dict[str, str]:
    return {"reason": action.reason, "by": by.name, "second": action.second.name}


def _require_open(link: Link) -> None:
    if link.status in ("not_open", "ended"):
        name = f" {link.id}" if link.id else ""
        raise Refused("link.not_open", f"meter{name} is not open", cites=SILENT)


def _require_not_pending(link: Link, then: str = "wait until it has moved") -> None:
    if link.pending is not None:
        text = f"an award is pending on meter {link.id}; {then}"
        raise Refused("award.pending", text, cites=SILENT)


def _require_quiet(link: Link) -> None:
    """No table plays for it and no award waits."""
    _require_open(link)
    _require_not_pending(link)
    if link.members:
        text = f"{', '.join(link.members)} still plays for meter {link.id}"
        raise Refused("link.has_tables", text, cites=SILENT)


def _open(link: Link, by: Actor, action: a.OpenMeter, setup: Setup | None) -> Told:
    if link.status != "not_open":
        raise Refused("link.open", f"meter {link.id} is open already", cites=SILENT)
    require_two(by, action.second, "opening", "opening a meter")
    if not action.link.strip():
        raise NotationError("words.missing", "a meter needs a name")
    initial = action.seed_cents if action.initial_cents is None else action.initial_cents
    if action.seed_cents < 0 or initial < action.seed_cents:
        seed = format_cents(action.seed_cents)
        text = f"a meter of {format_cents(initial)}; its seed of {seed} or more is right"
        raise Refused("link.below_seed", text, cites=SILENT)
    if action.wager_cents <= 0 or action.rate_bp < 0 or action.reserve_bp < 0:
        raise Refused("link.bad_rate", "wager and rates are above zero", cites=SILENT)
    yield alike(e.MeterOpened, action, initial_cents=initial, by=by.name, second=action.second.name)


def _join(link: Link, by: Actor, action: a.JoinMeter, setup: Setup | None) -> Told:
    require_role(by, _FLOOR, "joining a meter", SILENT, "system")
    _require_open(link)
    assert setup is not None, "a table joins with its setup"
    progressive, rule = setup.progressive, setup.book.progressive
    if progressive is None or rule is None:
        raise Refused("side_bet.not_offered", "the table has no progressive", cites=SILENT)
    if action.table in link.members:
        text = f"{table_called(action.table)} plays for meter {link.id} already"
        raise Refused("link.joined", text, cites=rule.link.cites)
    if progressive.link != link.id:
        text = f"a table that is set up for meter {progressive.link} on meter {link.id}"
        raise Refused("link.not_this", text, cites=rule.link.cites)
    games = {member.rulebook for member in link.members.values()} - {setup.book.id}
    if games and not rule.link.across_games:
        text = f"meter {link.id} serves other games, which is not allowed here"
        raise Refused("link.other_game", text, cites=rule.link.cites)
    if progressive.seed_cents != link.seed_cents:
        mine, shared = format_cents(progressive.seed_cents), format_cents(link.seed_cents)
        text = f"a table with a seed of {mine} on a meter with a seed of {shared}"
        raise Refused("link.other_seed", text, cites=rule.meter.cites)
    if progressive.wager_cents != link.wager_cents:
        mine, shared = format_cents(progressive.wager_cents), format_cents(link.wager_cents)
        text = f"a table with a wager of {mine} on a meter for wagers of {shared}"
        raise Refused("link.other_wager", text, cites=rule.link.cites)
    _require_floors(link, rule.meter)
    joined = stated(action.table, setup, progressive)
    require_winnable(chance_of_all(setup), rule.winning.cites)
    yield joined
    yield from _warnings(link, joined)


def stated(table: str, setup: Setup, progressive: ProgressiveSetup) -> e.TableJoined:
    """What a table states of itself when it joins, and what then stays as it is."""
    chance = chance_of_all(setup)
    return alike(
        e.TableJoined,
        progressive,
        table=table,
        rulebook=setup.book.id,
        seats=setup.seats,
        chance=str(chance.share),
        fold_forfeits=chance.fold_forfeits,
    )


def require_as_joined(link: Link | None, table: str, setup: Setup, rule: Progressive) -> None:
    """A table that plays for a meter plays on the terms with which it joined: whatever changes one
    of them waits until the table has left."""
    if link is None or table not in link.members:
        return
    member, progressive = link.members[table], setup.progressive
    changed = ["progressive"]
    if progressive is not None and setup.book.progressive is not None:
        now = stated(table, setup, progressive)
        terms = [
            ("meter", progressive.link, link.id),
            ("seed", progressive.seed_cents, link.seed_cents),
            *((name, getattr(now, field), getattr(member, field)) for field, name in _TERMS),
        ]
        changed = [name for name, wanted, stands in terms if wanted != stands]
    if changed:
        text = (
            f"{table_called(table)} plays for meter {link.id}; it leaves the meter before another "
            f"{', '.join(changed)} takes effect"
        )
        cites = (*rule.contribution.cites, *rule.link.cites)
        raise Refused("link.leave_first", text, cites=cites)


_TERMS = (
    ("rulebook", "rulebook"),
    ("seats", "number of seats"),
    ("wager_cents", "wager"),
    ("rate_bp", "rate"),
    ("reserve_bp", "reserve rate"),
    ("chance", "chance of winning"),
    ("fold_forfeits", "rule for a fold"),
)


def _warnings(link: Link, joined: e.TableJoined) -> Iterator[e.ChancesDiffer]:
    """One warning for each chance that differs, with both."""
    told = {(joined.chance, joined.fold_forfeits)}
    for table, member in link.members.items():
        other = (member.chance, member.fold_forfeits)
        if other not in told:
            told.add(other)
            yield alike(
                e.ChancesDiffer,
                joined,
                other_table=table,
                other_rulebook=member.rulebook,
                other_chance=member.chance,
                other_fold_forfeits=member.fold_forfeits,
            )


def _require_floors(link: Link, rule: MeterMoves) -> None:
    for what, least, stands in (
        ("initial", rule.minimum_initial, link.initial_cents),
        ("reset", rule.minimum_reset, link.seed_cents),
    ):
        if least is not None and stands < least:
            text = f"{with_article(what)} amount of {format_cents(stands)}"
            text += f"; at least {format_cents(least)} is allowed"
            raise Refused("link.below_floor", text, cites=rule.cites)


def _leave(link: Link, by: Actor, action: a.LeaveMeter, setup: Setup | None) -> Told:
    require_role(by, _FLOOR, "leaving a meter", SILENT, "system")
    if action.table not in link.members:
        text = f"{table_called(action.table)} does not play for meter {link.id}"
        raise Refused("link.not_joined", text, cites=SILENT)
    if link.pending is not None and link.pending.table == action.table:
        text = f"{table_called(action.table)} has an award pending on meter {link.id}"
        raise Refused("award.pending", text, cites=SILENT)
    yield e.TableLeft(table=action.table)


def _adjust(link: Link, by: Actor, action: a.Adjust, setup: Setup | None) -> Told:
    require_two(by, action.second, action.reason, "an adjustment of a meter")
    _require_open(link)
    _require_not_pending(link, "adjust it when it has moved")
    if not action.units:
        raise Refused("adjustment.empty", "an adjustment of nothing", cites=SILENT)
    if link.meter.units + action.units < 0:
        off = format_cents(divide_up(-action.units, METER_UNITS_PER_CENT))
        text = f"{off} off a meter of {format_cents(link.meter.cents)}; it does not go below zero"
        raise Refused("adjustment.too_much", text, cites=SILENT)
    yield alike(e.Adjusted, action, by=by.name, second=action.second.name)


def _take_out(link: Link, by: Actor, action: a.TakeOutOfService, setup: Setup | None) -> Told:
    require_role(by, _FLOOR, "taking a meter out of service", SILENT, "system")
    _require_open(link)
    if link.status != "in_service":
        raise Refused("link.out_of_service", f"meter {link.id} is out of service", cites=SILENT)
    yield e.WentOutOfService(reason=action.reason)


def _bring_back(link: Link, by: Actor, action: a.BringBack, setup: Setup | None) -> Told:
    require_role(by, _FLOOR, "bringing a meter back", SILENT, "system")
    if link.status != "out_of_service":
        raise Refused("link.in_service", f"meter {link.id} is not out of service", cites=SILENT)
    yield e.CameBackInService(by=by.name)


def _retire(link: Link, by: Actor, action: a.RetireMeter, setup: Setup | None) -> Told:
    require_two(by, action.second, action.reason, "retiring a meter")
    _require_quiet(link)
    yield alike(e.Retired, link.meter, **_signed(by, action))


_DECIDE: dict[type, Callable[[Link, Actor, Any, Setup | None], Told]] = {
    a.OpenMeter: _open,
    a.JoinMeter: _join,
    a.LeaveMeter: _leave,
    a.Adjust: _adjust,
    a.TakeOutOfService: _take_out,
    a.BringBack: _bring_back,
    a.RetireMeter: _retire,
}
