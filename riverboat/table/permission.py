"""Who may ask for what. What a clause gives to a person is checked where that clause is."""

from functools import cache
from typing import get_args

from riverboat.core.errors import Refused
from riverboat.core.records import Action
from riverboat.round import actions as g
from riverboat.round.legal import permits
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import SYSTEM, Actor, Role, automatic, has_role, require_role
from riverboat.table.procedures.checks import SILENT, require_not_interrupted
from riverboat.table.procedures.seats import require_own_seat

_OF_FLOOR = (
    a.OpenDay, a.CloseDay, a.Fill, a.Credit, a.Drop, a.Propose, a.Approve, a.Withdraw, a.Designate,
    a.CloseTable, a.AssignDealer, a.ReceiveDeck, a.OrderRecut, a.OrderShuffle, a.RemoveDeck,
    a.UseMethod, a.RestoreDevice, a.Confirm, g.Correct, g.CorrectCard,
)  # fmt: skip
_PLAYS = (g.Wager, g.TakeBack, g.Bet, g.Fold)
_WHO: dict[type, tuple[Role, ...]] = {
    **dict.fromkeys(_OF_FLOOR, ("floorperson",)),
    **dict.fromkeys((a.SitDown, a.TellWord, *_PLAYS), ("player",)),
    **dict.fromkeys((a.FailDevice, a.MarkDevice, g.Incident), ("dealer", "floorperson")),
    **dict.fromkeys((a.TellTime, a.SealDeck, a.AbandonSealed, a.FixCut), ("system",)),
    **dict.fromkeys((a.ForceDeck, a.ForceCut), ()),
    a.StandUp: ("player", "floorperson"),
    a.Prepare: ("dealer", "floorperson", "player"),
    a.GoIdle: ("dealer", "player"),
    a.Expire: ("floorperson", "system"),
    a.Interrupt: ("dealer", "floorperson", "system"),
}
"""Whose each request is; whatever is not named here is the dealer's."""
PROGRAMS = (SYSTEM.name, *(automatic(role).name for role in get_args(Role)))
"""So that whoever reads a record knows from the name whether a program did it."""
_OF_ROUNDS = frozenset(get_args(g.AnyAction))
_BY_HAND = frozenset((*_OF_ROUNDS, a.ReportCard, a.CountStub))
_KINDS = tuple(get_args(a.DayAction)) + tuple(get_args(g.AnyAction))


def require_permission(day: Day, by: Actor, action: a.AnyAction) -> None:
    """The person is one who may do it, in person or as the program of a demo table."""
    require_kind_of_table(by, *kinds_of_table(day, action))
    if by.role == "lab":
        return
    require_role(by, roles_for(type(action), *_circumstances(day)), "this", SILENT)
    _require_on_duty(day, by)
    if isinstance(action, (*_PLAYS, a.TellWord)) and by.role == "player":
        require_own_seat(day, by, action)


def require_presser(day: Day, by: Actor, key: Action) -> None:
    """A key of the table's controller is pressed by people of this table; whose key it is, the
    controller knows."""
    require_kind_of_table(by, *kinds_of_table(day, key))
    require_not_interrupted(day)
    _require_on_duty(day, by)
    seat = getattr(key, "seat", 0)
    if by.role == "player" and seat not in day.seats_of(by):
        raise Refused("seat.not_yours", f"{by.name} does not sit at seat {seat}", cites=SILENT)


def kinds_for(day: Day, by: Actor) -> tuple[type, ...]:
    """What somebody may ask for at a table, as far as that is a matter of who they are."""
    if not is_of_table(day, by):
        return ()
    return _kinds_of(by.role, *_circumstances(day))


def is_of_table(day: Day, by: Actor) -> bool:
    """Whether somebody has a part at such a table now; a dealer, when it is theirs to deal."""
    of_kind = permits(require_kind_of_table, by, *_kind_now(day))
    return of_kind and permits(_require_on_duty, day, by)


def roles_for(kind: type, physical: bool, by_hand: bool) -> tuple[Role, ...]:
    """The roles that may ask for something.

    At a table with physical cards the dealer enters what players do with their chips. What was
    finished by hand while play was interrupted is entered by the floor.
    """
    roles = _WHO.get(kind, ("dealer",))
    if kind in _PLAYS and physical:
        roles = (*roles, "dealer")
    if by_hand and kind in _BY_HAND:
        roles = (*roles, "floorperson")
    return roles


def _circumstances(day: Day) -> tuple[bool, bool]:
    """Whether the cards are physical, and whether a round is being finished by hand."""
    physical = day.configuration is not None and day.configuration.physical
    return physical, day.by_hand and day.in_round


@cache
def _kinds_of(role: Role, physical: bool, by_hand: bool) -> tuple[type, ...]:
    if role == "lab":
        return _KINDS
    somebody = Actor(name="", role=role)
    return tuple(k for k in _KINDS if has_role(somebody, roles_for(k, physical, by_hand)))


def _kind_now(day: Day) -> tuple[bool, bool]:
    """Whether a table is a test table or a demo; until it is set up, it may become either."""
    if day.configuration is None:
        return True, True
    return day.configuration.test, day.configuration.demo


def kinds_of_table(day: Day, action: Action) -> tuple[bool, bool]:
    """The same, and of one that is not set up, whether it is to be by what is proposed for it."""
    proposed = None
    if isinstance(action, a.Propose):
        proposed = action.submission
    elif isinstance(action, a.Approve) and action.number in day.proposals:
        proposed = day.proposals[action.number].configuration.submission
    if proposed is None or day.configuration is not None:
        return _kind_now(day)
    return proposed.test, proposed.demo


def require_kind_of_table(by: Actor, test: bool, demo: bool) -> None:
    """Labs only at test tables, players only at others; programs only where a table is a demo."""
    if by.role == "lab" and not test:
        text = f"{by.name} is a lab; this table is open for play and takes no test"
        raise Refused("table.not_test", text, cites=SILENT)
    if by.role == "player" and test:
        raise Refused("table.test", "this is a test table; it is not open for play", cites=SILENT)
    if by.automatic and by.role not in ("system", "player") and not (demo or test):
        text = f"{by.name} is a computer; at this table people do it"
        raise Refused("person.automatic", text, cites=SILENT)
    if by.role != "player" and by.automatic != (by.name in PROGRAMS):
        text = f"{by.name}: programs of the house go by {', '.join(PROGRAMS)}, and nobody else"
        raise Refused("person.program", text, cites=SILENT)


def _require_on_duty(day: Day, by: Actor) -> None:
    if by.role == "dealer" and by.name != day.dealer:
        text = f"{by.name} does not deal here now; {day.dealer or 'nobody'} does"
        raise Refused("dealer.not_on_duty", text, cites=SILENT)
