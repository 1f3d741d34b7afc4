"""A table with its controller: one record, one way in, and the meter's part beside it. Pure.

What a table without a link does by itself, the lock, the count, the end of a round, goes through
the controller's keys here; what is asked in the table's own words is taken for the key it means.

"What may I do now?" has one answer, of the round, the table's day and its controller together:
whatever shows a button, sets a mask or lets a program act asks `legal`. An offer that the table
would refuse and something that it would grant and nobody offers are the same fault.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import NamedTuple, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from riverboat.controller import actions as p
from riverboat.controller import events as c
from riverboat.controller.engine import Pressed, table_postings
from riverboat.controller.engine import advance as press
from riverboat.controller.legal import legal as legal_keys
from riverboat.controller.reversals import lamps_forfeited, voided
from riverboat.controller.sensors import first_card
from riverboat.controller.state import Controller
from riverboat.controller.state import apply as apply_to_controller
from riverboat.controller.winners import Desk
from riverboat.core.errors import Refused
from riverboat.core.money import Cents
from riverboat.core.well_formed import require_action, require_struct
from riverboat.keeping.engine import require_as_joined
from riverboat.meter.events import AnyMeterEvent, MeterEvent
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.legal import Choice, Judged, Offer, allows, begins, permits
from riverboat.round.settlement.dues import Due
from riverboat.round.settlement.payment import remaining
from riverboat.round.state import Round
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Day, posted
from riverboat.table.day import apply as apply_to_day
from riverboat.table.engine import decide as decide_day
from riverboat.table.legal import legal as legal_of_day
from riverboat.table.legal import named
from riverboat.table.people import Actor
from riverboat.table.permission import is_of_table, kinds_for, require_permission, require_presser
from riverboat.table.procedures.checks import SILENT
from riverboat.table.procedures.rounds import dealt_so_far
from riverboat.table.procedures.seats import own_seats, require_named_player
from riverboat.table.sealed_cards import can_happen, require_can_happen

AnyAsked: TypeAlias = a.AnyAction | p.AnyPress

_KINDS = frozenset(get_args(AnyAsked))
AnyHappened: TypeAlias = e.AnyEvent | c.AnyControllerEvent
_PRESSES = (
    p.PlaceChip, p.RemoveChip, p.CoinIn, p.PlayWithout, p.CountChips, p.CancelWager, p.FirstCard,
    p.PressHand, p.CallSupervisor, p.VerifyWin, p.KeyInWinner, p.TurnKey, p.PressJPot,
    p.PrintWinPage, p.PayAward, p.GameOver, p.BackOut, p.OverrideUnlit, p.VoidRound,
)  # fmt: skip
DEALS = (a.DealOut, a.ReportCard, g.Deal)
STAKES = (g.Wager, g.Bet, p.PlaceChip)
"""What puts a player's money on the felt, by their own will."""
PURSE_FIRST = (*STAKES, g.Correct)
"""What is refused where there is less in the purse. Whatever else takes money out of one, such as a
void round, is carried out all the same."""


class StationEntry(Struct, frozen=True, kw_only=True):
    """One line of a station's record: as a table's, with the controller's keys and events too."""

    number: int
    at: int
    by: Actor
    action: AnyAsked
    events: tuple[AnyHappened, ...]
    test: bool = False


class Station(Struct, frozen=True, kw_only=True):
    """A table and its controller."""

    day: Day
    controller: Controller

    @property
    def link(self) -> str:
        """The meter that the table plays for; empty where it has no progressive."""
        configuration = self.day.configuration
        progressive = configuration.setup.progressive if configuration else None
        return progressive.link if progressive is not None else ""


class Decided(NamedTuple):
    """What an action comes to: for the table's stream, and in the same breath for the meter's."""

    entry: StationEntry
    meter_events: tuple[AnyMeterEvent, ...]
    station: Station
    link: Link | None


def purse_changes(before: Station, after: Station) -> dict[str, Cents]:
    """What happened to the purses of the people at a table: the sum of what a round's events post
    to them, which the round itself keeps for every seat. What a laboratory bets is nobody's."""
    day, found = after.day, dict[str, Cents]()
    if day.round is None or (day.configuration is not None and day.configuration.test):
        return found
    same = before.day.round is not None and before.day.round_number == day.round_number
    had = before.day.playing.seats if same else {}
    has = day.round.seats
    # Whoever takes back all of their bets is in the round no longer, and has their money again.
    for seat in sorted((has.keys() | had.keys()) - day.programs):
        cents = sum(s[seat].net_cents * sign for s, sign in ((has, 1), (had, -1)) if seat in s)
        name = day.seated.get(seat) or (has.get(seat) or had[seat]).player
        if cents and name:
            found[name] = found.get(name, 0) + cents
    return found


def reason_of(entry: StationEntry) -> str:
    """Why an entry undid something, in the words of whoever asked or of the rulebook's rule."""
    said = (getattr(told, "reason", "") for told in (*entry.events, entry.action))
    return next(filter(None, said), str(entry.action.__struct_config__.tag).replace("_", " "))


def new_station(day: Day) -> Station:
    """A table before anything happened at it."""
    return Station(day=replace(day, linked=True), controller=Controller(table=day.table))


def apply(station: Station, event: AnyHappened) -> Station:
    """The station after an event."""
    day, controller = station.day, station.controller
    if isinstance(event, c.ControllerEvent):
        moved = table_postings(event, controller, day.playing)
        day = replace(day, accounts=posted(day.accounts, moved))
        return Station(day=day, controller=apply_to_controller(controller, event))
    return replace(station, day=apply_to_day(day, event))


def remember(station: Station, entry: StationEntry) -> Station:
    """The station after an entry of its record."""
    after = reduce(apply, entry.events, station)
    return replace(after, day=replace(after.day, entries=entry.number))


def require_asked(by: Actor, action: AnyAsked) -> None:
    """Somebody, and something that can be asked for at a table, with every field of its own type.

    A floor asks before it words or notes anything: what nobody could read again is not even on
    record as refused.
    """
    require_struct(by, Actor, "by")
    require_action(action, _KINDS)


def decide(station: Station, link: Link | None, by: Actor, action: AnyAsked) -> Decided:
    """What follows from an action at a table, or a refusal that changes nothing."""
    require_asked(by, action)
    told = tuple(_told(station, link, by, action))
    events = tuple(event for event in told if not isinstance(event, MeterEvent))
    meter_events = tuple(event for event in told if isinstance(event, MeterEvent))
    _require_terms(station, link, events)
    after = reduce(apply, events, station)
    entry = StationEntry(
        number=station.day.entries + 1,
        at=after.day.now,
        by=by,
        action=action,
        events=events,
        test=after.day.configuration is not None and after.day.configuration.test,
    )
    after = replace(after, day=replace(after.day, entries=entry.number))
    if link is not None:
        link = reduce(apply_to_meter, meter_events, link)
    return Decided(entry, meter_events, after, link)


def _require_terms(station: Station, link: Link | None, events: tuple[AnyHappened, ...]) -> None:
    """What is approved leaves the terms of a joined table as they are."""
    rule = station.day.setup.book.progressive if station.link else None
    for event in events:
        if isinstance(event, e.ConfigurationApproved) and rule is not None:
            chosen = station.day.proposals[event.number].configuration
            require_as_joined(link, station.day.table, chosen.setup, rule)


def _told(
    station: Station, link: Link | None, by: Actor, action: AnyAsked
) -> Iterator[AnyHappened | AnyMeterEvent]:
    action = as_key(station, action)
    if isinstance(action, _PRESSES):
        done = _pressed(station, link, by, action)
        yield from (*done.events, *done.meter_events)
        return
    if not station.link or not station.day.in_round:
        yield from decide_day(station.day, by, action)
        return
    if isinstance(action, DEALS) and requires_first_card(station):
        first = _pressed(station, link, by, p.FirstCard())
        yield from first.events
        station = reduce(apply, first.events, station)
    yield from _in_linked_round(station, link, by, action)


def requires_first_card(station: Station) -> bool:
    """Whether the controller is told of a deal before its first card: at a table with a meter."""
    return bool(station.link) and station.day.in_round and not station.controller.dealt


def _pressed(station: Station, link: Link | None, by: Actor, key: p.AnyPress) -> Pressed:
    """A key, by somebody who may press it; chips are moved by whoever may bet at that seat."""
    day = station.day
    require_presser(day, by, key)
    if not station.link or day.round is None:
        raise Refused("round.none", "no round with a progressive is being played", cites=SILENT)
    if isinstance(key, p.PlaceChip):
        chip = g.Wager(seat=key.seat, spot="progressive", cents=key.cents, player=key.player)
        require_permission(day, by, chip)
        require_named_player(day, chip)
    if isinstance(key, p.RemoveChip):
        require_permission(day, by, g.TakeBack(seat=key.seat, spot="progressive"))
    if isinstance(key, p.CoinIn):
        key = p.CoinIn(round=day.round_number)
    if isinstance(key, p.PlayWithout):
        key = p.PlayWithout(round=day.round_number)
    # Cards that are still being dealt by hand have been seen by whoever deals.
    state = dealt_so_far(day) if isinstance(key, p.VoidRound) else day.round
    if isinstance(key, p.VoidRound) and key.incident is not None:
        require_can_happen(day, state, key.incident)
    return press(station.controller, by, key, round=state, link=link)


def _in_linked_round(
    station: Station, link: Link | None, by: Actor, action: a.AnyAction
) -> Iterator[AnyHappened | AnyMeterEvent]:
    """The round's own part; what it does to the meter is for the link to say."""
    told = list(decide_day(station.day, by, action))
    desk = Desk(station.controller, station.day.playing, link)
    if any(isinstance(event, r.RoundVoided) for event in told):
        yield from voided(desk, told, _reason(told), by.name)
        return
    for event in told:
        yield event
        if isinstance(event, r.WagerTakenBack) and event.spot == "progressive":
            yield c.ChipRemoved(seat=event.seat)
    yield from lamps_forfeited(desk, told)


def _reason(told: list[e.AnyEvent]) -> str:
    return next(event.reason for event in told if isinstance(event, r.RoundVoided))


def as_key(station: Station, action: AnyAsked) -> AnyAsked:
    """What is asked in the table's words, as the key that it means at a table with a link."""
    if not station.link:
        return action
    match action:
        case g.Wager(spot="progressive") if action.seal:
            text = "a chip on a sensor carries no seal of a word; the ante can"
            raise Refused("word.sensor", text, cites=SILENT)
        case g.Wager(spot="progressive"):
            return p.PlaceChip(seat=action.seat, cents=action.cents, player=action.player)
        case g.TakeBack(spot="progressive"):
            return p.RemoveChip(seat=action.seat)
        case g.LockProgressive():
            return p.CoinIn()
        case g.CollectProgressive():
            return p.CountChips(chips=action.chips)
        case g.Close() if station.controller.locked:
            return p.GameOver() if station.day.playing.phase != "void" else action
        case g.SettleAll():
            _refuse_award(station, 0)
        case g.Settle(spot="progressive"):
            _refuse_award(station, action.seat)
    return action


def _refuse_award(station: Station, seat: int) -> None:
    """A progressive win, of a seat or of any, is keyed, not just paid."""
    wins = [due for due in progressive_wins(station) if seat in (0, due.seat)]
    rule = station.day.setup.book.progressive
    if wins and rule is not None:
        text = f"seat {wins[0].seat} has won the progressive; its hand is keyed and verified first"
        raise Refused("award.not_keyed", text, cites=rule.steps[0].cites)


def progressive_wins(station: Station) -> list[Due]:
    """What the progressive of the round still owes."""
    state = station.day.round
    if state is None:
        return []
    return [d for d in remaining(state) if d.spot == "progressive" and d.outcome == "win"]


def legal(station: Station, link: Link | None, by: Actor) -> tuple[Offer, ...]:
    """Everything that somebody may ask for at a table now.

    `link` is the meter that the table plays for. At such a table what a sensor or a key does is
    offered as that key: `is_legal` knows the table's own words for it too.
    """
    offers = legal_of_day(station.day, by)
    if not station.link:
        return offers
    return (*_beside_keys(station, link, by, offers), *_keys(station, link, by))


def is_legal(station: Station, offers: Iterable[Offer], action: AnyAsked) -> bool:
    """Whether an action is among the offers, by whichever of its names it is called."""
    try:
        return allows(offers, as_key(station, action))
    except Refused:
        return False


def _beside_keys(
    station: Station, link: Link | None, by: Actor, offers: tuple[Offer, ...]
) -> Iterator[Offer]:
    """The day's offers without what the controller does there, each as far as it lets them."""
    wins = {due.seat for due in progressive_wins(station)}
    for offer in offers:
        if _is_keyed(station, offer, bool(wins)):
            continue
        if offer.kind is a.Approve and not _keeps_terms(station, link, offer):
            continue
        if offer.kind in DEALS and not _may_deal(station, link, by):
            continue
        chips = offer.kind in (g.Wager, g.TakeBack)
        if chips or (offer.kind is g.Settle and any(map(offer.arguments["seat"].holds, wins))):
            yield from _without(offer, "progressive")
        else:
            yield offer


def _is_keyed(station: Station, offer: Offer, won: bool) -> bool:
    """Whether the controller's keys do it: the lock, the count, the end, and a win's payment."""
    if offer.kind is g.Close:
        return station.controller.locked and station.day.playing.phase != "void"
    keys = (g.LockProgressive, g.CollectProgressive)
    return offer.kind in keys or (offer.kind is g.SettleAll and won)


def _without(offer: Offer, spot: str) -> Iterator[Offer]:
    """An offer for its other spots, if there are any."""
    bounds = offer.arguments["spot"]
    assert isinstance(bounds, Choice)
    spots = tuple(value for value in bounds.values if value != spot)
    if spots:
        yield replace(offer, arguments={**offer.arguments, "spot": Choice(spots)})


def _may_deal(station: Station, link: Link | None, by: Actor) -> bool:
    if not requires_first_card(station):
        return True
    desk = Desk(station.controller, station.day.playing, link)
    return begins(first_card, desk, by, p.FirstCard())


def _keeps_terms(station: Station, link: Link | None, offer: Offer) -> bool:
    """Whether a proposal leaves the terms of a joined table as they are."""
    day, number = station.day, offer.arguments["number"]
    rule = day.setup.book.progressive
    assert rule is not None
    assert isinstance(number, Choice)
    chosen = day.proposals[int(number.values[0] or 0)].configuration
    return permits(require_as_joined, link, day.table, chosen.setup, rule)


def _keys(station: Station, link: Link | None, by: Actor) -> Iterator[Offer]:
    """The controller's keys, for people of this table; its sensors, for who may bet there."""
    day = station.day
    if day.round is None or day.interrupted or not is_of_table(day, by):
        return
    state = dealt_so_far(day)
    desk = Desk(station.controller, state, link)
    seats = own_seats(day, by) if g.Wager in kinds_for(day, by) else ()
    for offer in legal_keys(desk, by, seats):
        if offer.kind is p.VoidRound:
            yield _as_sealed(day, state, offer)
        else:
            yield named(day, offer) if offer.kind is p.PlaceChip else offer


def _as_sealed(day: Day, state: Round, offer: Offer) -> Offer:
    """A void by an incident is one by something that can have happened."""
    wrong = offer.arguments["incident"]
    if not isinstance(wrong, Judged):
        return offer

    def stands(reported: object) -> bool:
        stood = wrong.holds(reported)
        return stood and isinstance(reported, g.Incident) and can_happen(day, state, reported)

    return replace(offer, arguments={**offer.arguments, "incident": Judged(wrong.what, stands)})
