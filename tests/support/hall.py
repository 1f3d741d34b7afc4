"""Tables on one meter, for tests: whatever is pressed is posted, replayed and held to its sums.

The hall keeps every stream and every account, and checks after each step that nothing was lost or
made: postings sum to zero, the meter equals its postings and its audit identity, and the events
alone, read back from their text, give the same controllers, rounds and link.
"""

from collections import Counter
from collections.abc import Callable
from functools import reduce

from msgspec import json
from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller.engine import Pressed, advance, follow, table_postings
from riverboat.controller.state import Controller
from riverboat.controller.state import apply as apply_to_controller
from riverboat.core.errors import Refused
from riverboat.keeping import actions as la
from riverboat.keeping.engine import keep
from riverboat.meter import events as le
from riverboat.meter.books import meter_postings, reconcile
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import Round, Setup, open_round
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round import replay as replay_round
from riverboat.round.engine import advance as advance_round
from riverboat.round.settlement.payment import remaining
from riverboat.table.people import Actor

DANA = Actor(name="Dana", role="dealer")
FLO = Actor(name="Flo", role="floorperson")
SUE = Actor(name="Sue", role="supervisor")
PEOPLE = {
    "Dana": DANA,
    "Flo": FLO,
    "Fred": Actor(name="Fred", role="floorperson"),
    "Sue": SUE,
    "Sol": Actor(name="Sol", role="supervisor"),
    "Ann": Actor(name="Ann", role="player"),
    "Lab": Actor(name="Lab", role="lab"),
}

_controller_text = json.Decoder(e.AnyControllerEvent)
_link_text = json.Decoder(le.AnyMeterEvent)


class Table:
    """One table of the hall: its setup, its controller, its round, and what has happened here."""

    def __init__(self, name: str, setup: Setup) -> None:
        self.name = name
        self.setup = setup
        self.controller = Controller(table=name)
        self.round: Round = open_round(setup, None)
        self.controller_events: list[e.AnyControllerEvent] = []
        self.round_events: list[r.AnyEvent] = list(self.round.history)
        self.events: list[r.AnyEvent | e.AnyControllerEvent] = []
        self.cents: Counter[str] = Counter()

    def accounts(self) -> dict[str, int]:
        """What every account of the table came to since the round began."""
        return {account: amount for account, amount in self.cents.items() if amount}


class Hall:
    """Several tables and their meter."""

    def __init__(self, link: str, seed_cents: int, initial_cents: int, wager_cents: int) -> None:
        self.link = Link()
        self.meter_events: list[le.AnyMeterEvent] = []
        self.units: Counter[str] = Counter()
        self.tables: dict[str, Table] = {}
        self.reachable = True
        opening = la.OpenMeter(
            link=link,
            seed_cents=seed_cents,
            wager_cents=wager_cents,
            rate_bp=2100,
            reserve_bp=0,
            initial_cents=initial_cents,
            second=FLO,
        )
        self.keep(SUE, opening)

    def keep(self, by: Actor, action: la.AnyMeterAction, setup: Setup | None = None) -> None:
        """Somebody does something to the meter itself."""
        kept = keep(self.link, by, action, setup=setup)
        self.link_happened(kept.events)
        assert self.link == kept.link

    def add(self, name: str, setup: Setup) -> Table:
        """Another table joins, set up for this meter."""
        assert setup.progressive is not None
        setup = replace(setup, progressive=replace(setup.progressive, link=self.link.id))
        self.keep(FLO, la.JoinMeter(table=name), setup)
        self.tables[name] = Table(name, setup)
        self.begin(self.tables[name])
        return self.tables[name]

    def begin(self, table: Table) -> None:
        """The next round of a table; the link has the meter."""
        table.round = open_round(table.setup, None)
        table.round_events = list(table.round.history)
        table.cents = Counter()

    def press(self, table: Table, by: Actor, action: a.AnyPress) -> Pressed:
        """A press at a table's controller; a refusal has changed nothing."""
        link = self.link if self.reachable else None
        pressed = advance(table.controller, by, action, round=table.round, link=link)
        controller, state = table.controller, table.round
        for event in pressed.events:
            self._post(table, event, controller, state)
            controller, state = follow(controller, state, event)
        table.controller, table.round = pressed.controller, pressed.round
        assert (controller, state) == (table.controller, table.round)
        self.link_happened(pressed.meter_events)
        assert pressed.link == (self.link if self.reachable else None)
        assert self.reachable or not pressed.meter_events
        return pressed

    def play(self, table: Table, action: g.AnyAction) -> None:
        """An action of the round itself."""
        events, after = advance_round(table.round, action)
        state = table.round
        for event in events:
            self._post(table, event, table.controller, state)
            _, state = follow(table.controller, state, event)
        table.round = after

    def _post(
        self,
        table: Table,
        event: r.AnyEvent | e.AnyControllerEvent,
        controller: Controller,
        state: Round,
    ) -> None:
        sums: Counter[str] = Counter()
        for account, unit, amount in table_postings(event, controller, state):
            assert unit == "cent", event
            sums[unit] += amount
            table.cents[account] += amount
        assert not any(sums.values()), f"{event} leaves {dict(sums)}"
        table.events.append(event)
        if isinstance(event, e.ControllerEvent):
            table.controller_events.append(event)
        else:
            table.round_events.append(event)

    def link_happened(self, events: tuple[le.AnyMeterEvent, ...]) -> None:
        """Events of the meter, posted one by one."""
        for event in events:
            sums = 0
            for account, unit, amount in meter_postings(event, self.link):
                assert unit == "meter_unit"
                sums += amount
                self.units[account] += amount
            assert sums == 0, f"{event} leaves {sums}"
            before, self.link = self.link, apply_to_meter(self.link, event)
            require_only_more(before, self.link)
            self.meter_events.append(event)
            self.check_link()
        assert self.link.pending is not None or not reconcile(self.link).queued

    def check_link(self) -> None:
        """The meter is its postings and its audit identity, and never below zero."""
        link, name = self.link, self.link.id
        found = reconcile(link)
        assert found.balances, found
        assert self.units[f"meter:{name}"] == link.meter.units >= 0
        assert self.units[f"reserve:{name}"] == link.meter.reserve_units >= 0
        assert self.units[f"queue:{name}"] == found.queued >= 0
        assert sum(self.units.values()) == 0
        if link.pending is not None:
            shares = link.pending.shares_left + bool(link.pending.award)
            assert link.meter.units >= shares * link.pending.share_cents * 10_000

    def fingerprint(self) -> bytes:
        """Everything that a refusal must leave as it is, written out."""
        texts = [json.encode(self.link)]
        for table in self.tables.values():
            texts += [json.encode(table.controller), json.encode(table.round.seats)]
            texts.append(json.encode((len(table.events), len(table.round.history), table.cents)))
        return b"".join(texts)

    def check_replay(self) -> None:
        """The events, written down and read again, are the whole truth."""
        texts = [json.encode(event) for event in self.meter_events]
        assert reduce(apply_to_meter, map(_link_text.decode, texts), Link()) == self.link
        for table in self.tables.values():
            told = [json.encode(event) for event in table.controller_events]
            events, empty = map(_controller_text.decode, told), Controller(table=table.name)
            assert reduce(apply_to_controller, events, empty) == table.controller
            state = replay_round(table.setup, table.round_events)
            assert state == table.round


def require_only_more(before: Link, after: Link) -> None:
    """What came in, was hit and was won is counted on and never back, in all and by table."""
    pairs = [(before.totals, after.totals)]
    pairs += [(one, after.by_table[name]) for name, one in before.by_table.items()]
    for one, other in pairs:
        for name in ("wagers_cents", "hits", "won_cents"):
            assert getattr(one, name) <= getattr(other, name), name


def refusal_of(ask: Callable[[], object]) -> Refused | None:
    """Why something is refused, or None when it is not."""
    try:
        ask()
    except Refused as refusal:
        return refusal
    return None


def settle_others(hall: Hall, table: Table, *, envy: bool = True) -> None:
    """The dealer settles, in order, whatever is not a progressive win."""
    for due in remaining(table.round):
        keyed = due.spot == "progressive" and due.outcome == "win"
        if not keyed and (envy or due.spot != "envy"):
            hall.play(table, g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents))
