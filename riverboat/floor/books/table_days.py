"""A table's gaming days in figures, from its entries: tray, drop, win, coin-in, awards and hits.

The Game Manager, the close slip and the day report all rest on these.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol

from msgspec import Struct

from riverboat.controller import events as c
from riverboat.core.money import Cents
from riverboat.floor.books.meters import moved_by
from riverboat.floor.station import Station, apply, new_station
from riverboat.keeping.chances import chance_of, winning_hands
from riverboat.meter.books import Posting
from riverboat.round import events as r
from riverboat.round.settlement.postings import BREAKAGE, CAGE, TIP_BOX, TRAY
from riverboat.round.setup.setup import Setup
from riverboat.table import events as e
from riverboat.table.day import Accounts, Books, new_day
from riverboat.table.people import SYSTEM, Actor

NO_DAY: Final = "before the first day"


class HandHits(Struct, frozen=True, kw_only=True):
    """How often a hand was hit in so many wagers, and its exact chance in one, where known."""

    hand: str
    hits: int
    wagers: int
    chance: Fraction | None = None

    @property
    def expected(self) -> Fraction | None:
        """How often the chance lets expect it."""
        return None if self.chance is None else self.chance * self.wagers


class Borne(Struct, frozen=True, kw_only=True):
    """What the house bore of a round: money taken back from a player who had it no more."""

    name: str
    round: int
    cents: Cents
    reason: str


class TableFigures(Struct, frozen=True, kw_only=True):
    """One table's gaming day, in cents. `closed`: the tray was counted at the end.

    `expected_cents` is the tray by the entries, `rounds_cents` what the rounds' postings moved into
    it, `lost_cents` what postings left over: nothing, or a fault.
    """

    table: str
    day: str
    game: str
    rulebook: str
    link: str
    closed: bool
    rounds: int
    void_rounds: int
    decided_void_rounds: int
    """Of these, by no rule and after the cards: by the word of two people."""
    coin_in_cents: Cents
    progressive_coin_in_cents: Cents
    opening_cents: Cents
    fills: tuple[Cents, ...]
    credits: tuple[Cents, ...]
    bought_in_cents: Cents
    drop_cents: Cents
    closing_cents: Cents
    expected_cents: Cents
    rounds_cents: Cents
    tray_awards_cents: Cents = 0
    meter_awards_cents: Cents = 0
    off_tray_cents: Cents = 0
    envy: int = 0
    envy_cents: Cents = 0
    breakage_cents: Cents = 0
    tips_cents: Cents = 0
    lost_cents: Cents = 0
    borne: tuple[Borne, ...] = ()
    configurations: tuple[tuple[str, str], ...] = ()
    """Under which configurations its rounds were played, and by which rulebook: their hashes."""
    opened_at: int = 0
    opened_by: Actor = SYSTEM
    closed_at: int = 0
    closed_by: Actor = SYSTEM
    test: bool = False


class TableDay(TableFigures, frozen=True, kw_only=True):
    """A table's gaming day with what was hit, and its sums."""

    hits: tuple[HandHits, ...] = ()

    @property
    def fills_cents(self) -> Cents:
        """Chips that came from the cage."""
        return sum(self.fills)

    @property
    def credits_cents(self) -> Cents:
        """Chips that went to the cage."""
        return sum(self.credits)

    @property
    def win_cents(self) -> Cents:
        """Chips and cash at the end over the start."""
        end = self.closing_cents + self.credits_cents + self.drop_cents
        return end - self.opening_cents - self.fills_cents

    @property
    def tray_difference_cents(self) -> Cents:
        """What was counted over what the entries say."""
        return self.closing_cents - self.expected_cents

    @property
    def drop_difference_cents(self) -> Cents:
        """What the box held over what was bought in."""
        return self.drop_cents - self.bought_in_cents

    @property
    def entries_difference_cents(self) -> Cents:
        """What the entries' tray has over opening, chips in and out, and the rounds' postings."""
        chips = self.fills_cents - self.credits_cents - self.bought_in_cents
        return self.expected_cents - (self.opening_cents + chips + self.rounds_cents)

    @property
    def balances(self) -> bool:
        """Whether tray, drop and entries agree to the cent, and no posting lost one."""
        differences = (self.tray_difference_cents, self.drop_difference_cents)
        return not (any(differences) or self.entries_difference_cents or self.lost_cents)

    @property
    def wagers(self) -> int:
        """Progressive wagers that could win."""
        return self.hits[0].wagers if self.hits else 0

    @property
    def all_hits(self) -> int:
        """Progressive wagers that won."""
        return sum(one.hits for one in self.hits)

    @property
    def expected_hits(self) -> Fraction:
        """How many were to be expected."""
        return sum((one.expected or Fraction(0) for one in self.hits), Fraction(0))


class Telling(Protocol):
    """An entry of a table's record: who, when, and what came of it."""

    @property
    def by(self) -> Actor: ...
    @property
    def at(self) -> int: ...
    @property
    def events(self) -> Sequence[Any]: ...
    @property
    def test(self) -> bool: ...


class TableBook:
    """A table's record read entry by entry, and every gaming day of it in figures."""

    def __init__(self, table: str, books: Books) -> None:
        self.station = new_station(new_day(table, books))
        self._days: dict[str, _Running] = {}
        self._now = _Running(table, NO_DAY)

    @property
    def date(self) -> str:
        """The gaming day that is open, or was last."""
        return self._now.day

    @property
    def days(self) -> dict[str, TableDay]:
        """Every gaming day so far; what happened before the first is no day of play."""
        return {date: running.told() for date, running in self._days.items()}

    def tell(self, entry: Telling, after: Station | None = None) -> None:
        """One more entry of the record; and the table after it, where somebody has it already."""
        last = len(entry.events) - 1
        for place, event in enumerate(entry.events):
            if isinstance(event, e.DayOpened):
                self._open(event.date)
            self._now.add(event, moved_by(self.station, event))
            self._now.sign(event, entry)
            known = after if place == last else None
            self.station = known or apply(self.station, event)
            self._now.stand(self.station)

    def bear(self, borne: Borne) -> None:
        """Something that the house bore of a round; of the day that is open."""
        self._now.borne.append(borne)

    def _open(self, date: str) -> None:
        """A date that is opened a second time is another gaming day, with books of its own."""
        same = sum(one.date == date for one in self._days.values())
        self._now = _Running(self._now.table, f"{date} ({same + 1})" if same else date, date)
        self._days[self._now.day] = self._now


class _Running:
    """The sums of a day that is going on."""

    def __init__(self, table: str, day: str, date: str = "") -> None:
        self.table, self.day, self.date = table, day, date
        self.setup: Setup | None = None
        self.accounts = Accounts()
        self.closed: e.DayClosed | None = None
        self.opened_at, self.opened_by = 0, SYSTEM
        self.closed_at, self.closed_by = 0, SYSTEM
        self.test = False
        self.fills: list[Cents] = []
        self.credits: list[Cents] = []
        self.borne: list[Borne] = []
        self.sums: Counter[str] = Counter()
        self.posted: Counter[str] = Counter()
        self.hits: Counter[str] = Counter()
        self.logged: dict[str, c.WinLogged] = {}
        self.given: set[str] = set()
        self.configurations: dict[tuple[str, str], None] = {}

    def stand(self, station: Station) -> None:
        """Tray and drop as they stand; a day that is closed keeps what it was closed with."""
        if station.day.date:
            self.accounts = station.day.accounts
        if station.day.configuration is not None:
            self.setup = station.day.configuration.setup

    def sign(self, event: Any, entry: Telling) -> None:
        """Who opened and who counted."""
        self.test = self.test or entry.test
        match event:
            case e.DayOpened():
                self.opened_at, self.opened_by = entry.at, entry.by
            case e.DayClosed():
                self.closed, self.closed_at, self.closed_by = event, entry.at, entry.by

    def add(self, event: Any, postings: tuple[Posting, ...]) -> None:
        """What an event moved, and what it was."""
        self._post(event, postings)
        match event:
            case e.RoundStarted():
                self.sums["rounds"] += 1
                self.configurations[event.configuration_sha256, event.rulebook_sha256] = None
            case r.RoundVoided():
                self.sums["void"] += 1
                self.sums["decided_void"] += bool(event.signed_by)
            case e.ChipsFilled():
                self.fills.append(event.cents)
            case e.ChipsCredited():
                self.credits.append(event.cents)
            case e.BoughtIn():
                self.sums["bought_in"] += event.cents
            case _:
                self._wager(event)
                self._award(event)

    def _post(self, event: Any, postings: tuple[Posting, ...]) -> None:
        of_round = not isinstance(event, _TRAFFIC)
        for account, unit, amount in postings:
            if unit == "cent":
                self.sums["lost"] += amount
                if of_round:
                    self.posted[account] += amount

    def _wager(self, event: Any) -> None:
        match event:
            case r.WagerPlaced() | r.StreetBet():
                sign = 1
            case r.WagerTakenBack() | r.WagerReturned():
                sign = -1
            case _:
                return
        self.sums["coin_in"] += sign * event.cents
        if event.spot == "progressive":
            self.sums["progressive_coin_in"] += sign * event.cents
            self.sums["wagers"] += sign

    def _award(self, event: Any) -> None:
        sums = self.sums
        match event:
            case r.SpotSettled(spot="progressive"):
                sums["tray_awards"] += event.paid_cents
            case r.PayoutCorrected(spot="progressive"):
                sums["tray_awards"] += event.cents
            case r.PayoutReversed(spot="progressive"):
                sums["tray_awards"] -= event.cents
            case r.EnvyPaid():
                sums["envy"] += 1
                sums["envy_cents"] += event.cents
            case r.PayoutReversed(spot="envy"):
                sums["envy"] -= 1
                sums["envy_cents"] -= event.cents
            case c.WinLogged():
                self.logged[event.award] = event
                self.hits[event.hand] += 1
            case c.AwardGiven() if event.award in self.logged:
                self.given.add(event.award)
            case c.AwardTakenBack() if event.award in self.logged:
                self.hits[self.logged[event.award].hand] -= 1
                self.given.discard(event.award)

    def _expected(self) -> Cents:
        return self.accounts.tray_cents if self.closed is None else self.closed.expected_cents

    def told(self) -> TableDay:
        """The day in figures, as far as it has come."""
        sums, setup, accounts = self.sums, self.setup, self.accounts
        progressive = setup.progressive if setup is not None else None
        expected = self._expected()
        return TableDay(
            table=self.table,
            day=self.day,
            game=setup.book.title if setup is not None else "",
            rulebook=setup.book.id if setup is not None else "",
            link=progressive.link if progressive is not None else "",
            closed=self.closed is not None,
            rounds=sums["rounds"],
            void_rounds=sums["void"],
            decided_void_rounds=sums["decided_void"],
            coin_in_cents=sums["coin_in"],
            progressive_coin_in_cents=sums["progressive_coin_in"],
            opening_cents=accounts.opening_cents,
            fills=tuple(self.fills),
            credits=tuple(self.credits),
            bought_in_cents=sums["bought_in"],
            drop_cents=accounts.drop_cents + accounts.in_box_cents,
            closing_cents=expected if self.closed is None else self.closed.tray_cents,
            expected_cents=expected,
            rounds_cents=self.posted[TRAY],
            tray_awards_cents=sums["tray_awards"],
            meter_awards_cents=sum(
                win.paid_cents for win in map(self.logged.__getitem__, self.given) if win.percent
            ),
            off_tray_cents=-self.posted[CAGE],
            envy=sums["envy"],
            envy_cents=sums["envy_cents"],
            breakage_cents=self.posted[BREAKAGE],
            tips_cents=self.posted[TIP_BOX],
            lost_cents=sums["lost"],
            borne=tuple(self.borne),
            hits=tuple(self._hits(setup)),
            configurations=tuple(self.configurations),
            opened_at=self.opened_at,
            opened_by=self.opened_by,
            closed_at=self.closed_at,
            closed_by=self.closed_by,
            test=self.test,
        )

    def _hits(self, setup: Setup | None) -> list[HandHits]:
        hands = winning_hands(setup) if setup is not None else ()
        others = sorted(set(self.hits) - set(hands))
        wagers = self.sums["wagers"]
        return [
            HandHits(hand=hand, hits=self.hits[hand], wagers=wagers, chance=chance_of(hand))
            for hand in (*hands, *others)
        ]


_TRAFFIC: Final = (e.ChipsFilled, e.ChipsCredited, e.BoughtIn, e.BoxDropped)
"""What moves chips and cash between tray, cage and box, and is no round's."""


def hits_by_hand(days: Sequence[TableDay]) -> Mapping[str, HandHits]:
    """The hits of several tables or days together, by hand."""
    together: dict[str, HandHits] = {}
    for day in days:
        for one in day.hits:
            was = together.get(one.hand, HandHits(hand=one.hand, hits=0, wagers=0))
            together[one.hand] = HandHits(
                hand=one.hand,
                hits=was.hits + one.hits,
                wagers=was.wagers + one.wagers,
                chance=one.chance,
            )
    return together
