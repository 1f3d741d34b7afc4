"""A gaming day's figures from the records of its tables and meters."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, get_args

from msgspec.structs import asdict

from riverboat import events as r
from riverboat.documents.close_slip import CloseSlip
from riverboat.documents.day_report import HandHits, MeterDay, TableDay, TableShare
from riverboat.documents.telling import Clock, Printing, Record, Told, who
from riverboat.errors import NotationError
from riverboat.games.postings import BREAKAGE, CAGE, TIP_BOX, TRAY, Posting, postings
from riverboat.games.round import Round
from riverboat.games.setup import Setup
from riverboat.progressive import events as e
from riverboat.progressive.controller import Controller
from riverboat.progressive.engine import follow
from riverboat.progressive.link import Link, Totals
from riverboat.progressive.table_postings import table_postings
from riverboat.table import events as t

_AT_A_TABLE: tuple[Any, ...] = (*get_args(r.AnyEvent), e.ControllerEvent)


# ---------------------------------------------------------------- a meter


def meter_day_of(before: Link, after: Link) -> MeterDay:
    """A meter's movements between its state at the day's opening and at its end."""
    moved = _between(before.totals, after.totals)
    waiting = after.queued
    fields = ("contributions", "reversed", "seeds", "reserve_transfers", "awards", "adjustments")
    reserve = ("reserve_contributions", "reserve_reversed", "reserve_adjustments")
    return MeterDay(
        link=after.id,
        status=after.status.replace("_", " "),
        opening=before.meter.units,
        closing=after.meter.units,
        reserve_opening=before.meter.reserve_units,
        reserve_closing=after.meter.reserve_units,
        queued=waiting.units + waiting.reserve_units,
        unpaid_cents=sum(
            award.fixed.cents
            for award in after.awards.values()
            if award.moved and not (award.paid or award.backed_out)
        ),
        wagers_cents=moved["wagers_cents"],
        hits=moved["hits"],
        tables=tuple(
            _share(name, _between(before.by_table.get(name, Totals()), totals))
            for name, totals in sorted(after.by_table.items())
        ),
        **{name: moved[name] for name in (*fields, *reserve)},
    )


def _between(before: Totals, after: Totals) -> dict[str, int]:
    then = asdict(before)
    return {name: amount - then[name] for name, amount in asdict(after).items()}


def _share(table: str, moved: Mapping[str, int]) -> TableShare:
    return TableShare(
        table=table,
        wagers_cents=moved["wagers_cents"],
        contributions=moved["contributions"],
        reversed=moved["reversed"],
        awards=moved["awards"],
        hits=moved["hits"],
    )


# ---------------------------------------------------------------- a table


class _Books:
    """A table's record read once, from the opening of its day to the end of what is there."""

    def __init__(self, table: str, setups: Mapping[str, Setup], record: Record) -> None:
        self.keyed = any(isinstance(one.event, e.ControllerEvent) for one in record)
        self.setups = setups
        self.setup = next(iter(setups.values()))
        self.controller = Controller(table=table)
        self.round: Round | None = None
        self.cents: Counter[str] = Counter()
        self.accounts: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self.wagers = 0
        self.logged: dict[str, e.WinLogged] = {}
        self.fills: list[int] = []
        self.credits: list[int] = []
        self.opened: Told | None = None
        self.closed: Told | None = None
        self.read(record)

    def read(self, record: Record) -> None:
        for one in record:
            if isinstance(one.event, t.DayOpened):
                self.opened = one
            self.of_the_day(one)
            event: Any = one.event
            if isinstance(event, _AT_A_TABLE):
                self.post(event)
                self.of_the_round(event)

    def of_the_day(self, one: Told) -> None:
        match one.event:
            case t.DayClosed():
                self.closed = one
            case t.ChipsFilled(cents=cents):
                self.fills.append(cents)
            case t.ChipsCredited(cents=cents):
                self.credits.append(cents)
            case t.BoughtIn(cents=cents):
                self.cents["bought_in"] += cents
            case t.BoxDropped(cents=cents):
                self.cents["drop"] += cents
            case t.RoundStarted(configuration_sha256=sha256):
                self.setup = self.setups.get(sha256, self.setup)

    def post(self, event: r.AnyEvent | e.AnyControllerEvent) -> None:
        """Where the event's cents went."""
        if isinstance(event, r.RoundOpened):
            self.round = Round(setup=self.setup)
        if self.round is None:
            return
        for account, unit, amount in self.postings(event, self.round):
            if unit == "cent":
                self.accounts[account] += amount
        self.controller, self.round = follow(self.controller, self.round, event)

    def postings(
        self, event: r.AnyEvent | e.AnyControllerEvent, before: Round
    ) -> tuple[Posting, ...]:
        """With a controller an award's cents are posted by its events, without by the round's."""
        if self.keyed or isinstance(event, e.ControllerEvent):
            return table_postings(event, self.controller, before)
        return postings(event, before)

    def of_the_round(self, event: r.AnyEvent | e.AnyControllerEvent) -> None:
        cents = self.cents
        match event:
            case r.RoundOpened():
                cents["rounds"] += 1
            case r.RoundVoided():
                cents["void"] += 1
            case r.WagerPlaced() | r.StreetBet():
                self.wagered(event.spot, event.cents)
            case r.WagerTakenBack() | r.WagerReturned():
                self.wagered(event.spot, -event.cents)
            case r.ProgressiveLocked():
                self.wagers += len(event.seats)
            case r.MeterAwarded():
                cents["meter_awards"] += event.paid_cents
            case r.AwardBackedOut():
                cents["meter_awards"] -= event.paid_cents
            case r.EnvyPaid():
                cents["envy"] += event.cents
            case _:
                self.of_an_award(event)

    def of_an_award(self, event: r.AnyEvent | e.AnyControllerEvent) -> None:
        match event:
            case r.SpotSettled(spot="progressive") | r.PayoutCorrected(spot="progressive"):
                paid = event.paid_cents if isinstance(event, r.SpotSettled) else event.cents
                self.cents["tray_awards"] += paid
            case r.PayoutReversed(spot="progressive"):
                self.cents["tray_awards"] -= event.cents
            case r.PayoutReversed(spot="envy"):
                self.cents["envy"] -= event.cents
            case e.WinLogged():
                self.logged[event.award] = event
                self.hits[event.hand] += 1
            case e.AwardTakenBack() if event.award in self.logged:
                self.hits[self.logged[event.award].hand] -= 1

    def wagered(self, spot: str, cents: int) -> None:
        self.cents["coin_in"] += cents
        if spot == "progressive":
            self.cents["progressive_coin_in"] += cents

    def opening(self) -> tuple[Told, t.DayOpened]:
        if self.opened is None:
            raise NotationError("day.not_opened", "no gaming day is opened on this record")
        return self.opened, self.opened.event

    def expected_cents(self) -> int:
        """What the tray holds by the entries; a closed day has it on record."""
        if self.closed is not None:
            return int(self.closed.event.expected_cents)
        chips = sum(self.fills) - sum(self.credits) - self.cents["bought_in"]
        return int(self.opening()[1].tray_cents + chips + self.accounts[TRAY])


def _last_day(record: Record) -> Record:
    opened = [place for place, one in enumerate(record) if isinstance(one.event, t.DayOpened)]
    return record[opened[-1] :] if opened else record


def table_day_of(
    record: Record,
    *,
    table: str,
    setups: Mapping[str, Setup],
    chances: Mapping[str, Fraction] | None = None,
) -> TableDay:
    """A table's last gaming day on record, as far as it has come.

    `setups` are the table's, by configuration hash; `chances` of each winning hand in one
    progressive wager, where they are known. Hits are counted where a controller has them logged.
    """
    books = _Books(table, setups, _last_day(record))
    _, opened = books.opening()
    known, cents, setup = chances or {}, books.cents, books.setup
    hands = [*setup_hands(setup), *sorted(set(books.hits) - set(setup_hands(setup)))]
    expected = books.expected_cents()
    return TableDay(
        table=table,
        game=setup.book.title,
        rulebook=setup.book.id,
        link=setup.progressive.link if setup.progressive is not None else "",
        closed=books.closed is not None,
        rounds=cents["rounds"],
        void_rounds=cents["void"],
        coin_in_cents=cents["coin_in"],
        progressive_coin_in_cents=cents["progressive_coin_in"],
        opening_cents=opened.tray_cents,
        fills_cents=sum(books.fills),
        credits_cents=sum(books.credits),
        bought_in_cents=cents["bought_in"],
        drop_cents=cents["drop"],
        closing_cents=books.closed.event.tray_cents if books.closed is not None else expected,
        expected_cents=expected,
        tray_awards_cents=cents["tray_awards"],
        meter_awards_cents=cents["meter_awards"],
        off_tray_cents=-books.accounts[CAGE],
        envy_cents=cents["envy"],
        breakage_cents=books.accounts[BREAKAGE],
        tips_cents=books.accounts[TIP_BOX],
        hits=tuple(
            HandHits(hand=hand, hits=books.hits[hand], wagers=books.wagers, chance=known.get(hand))
            for hand in hands
            if books.keyed
        ),
    )


def setup_hands(setup: Setup) -> tuple[str, ...]:
    """The hands that win the progressive wager, from the top."""
    if setup.progressive is None:
        return ()
    lines = setup.progressive.table.lines
    return tuple(dict.fromkeys(hand for li in lines if li.pays.wins for hand in li.hands))


def close_slip_of(
    record: Record,
    *,
    table: str,
    setups: Mapping[str, Setup],
    printing: Printing,
    clock: Clock,
) -> CloseSlip:
    """The slip of a table's last gaming day on record, which is closed."""
    books = _Books(table, setups, _last_day(record))
    told, opened = books.opening()
    if books.closed is None:
        raise NotationError("day.not_closed", f"gaming day {opened.date} is not closed yet")
    closing: t.DayClosed = books.closed.event
    return CloseSlip(
        printing=printing,
        table=table,
        game=books.setup.book.title,
        rulebook=books.setup.book.id,
        day=opened.date,
        opened_at=clock(told.at),
        opened_by=told.by.name,
        opening_cents=opened.tray_cents,
        fills=tuple(books.fills),
        credits=tuple(books.credits),
        bought_in_cents=books.cents["bought_in"],
        drop_cents=books.cents["drop"],
        drop_expected_cents=books.cents["bought_in"],
        rounds=books.cents["rounds"],
        void_rounds=books.cents["void"],
        counted_cents=closing.tray_cents,
        expected_cents=closing.expected_cents,
        win_cents=closing.win_cents,
        counted_at=clock(books.closed.at),
        counted_by=books.closed.by.name,
        counted_role=who(books.closed.by),
        test=told.test or books.closed.test,
    )
