"""What is offered at a table is what the table grants: in its day, its round and at its keys.

Random nights are played at tables with a meter, with winners in most rounds. At every step a few
people are asked what they may do: whatever is offered to them is granted, and of all that is asked
for besides, sensible or not, exactly that is refused which is not offered.
"""

from collections import Counter
from itertools import product
from random import Random
from typing import get_args

import pytest
from msgspec.structs import fields, replace

from riverboat.controller import actions as p
from riverboat.controller.winners import hand_keys
from riverboat.core.cards import DECK
from riverboat.core.errors import RiverboatError
from riverboat.core.fairness import player_seal
from riverboat.core.shuffling import fresh_salts, scripted_entropy
from riverboat.floor.autopilot import (
    Doing,
    Manners,
    SealNext,
    Staff,
    next_bet,
    next_command,
)
from riverboat.floor.keeping import opening_of
from riverboat.floor.station import AnyAsked, Station, decide, is_legal, legal, new_station
from riverboat.keeping.actions import (
    AnyMeterAction,
    BringBack,
    JoinMeter,
    TakeOutOfService,
)
from riverboat.keeping.engine import keep
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.legal import Choice, Judged, Offer
from riverboat.round.legal import legal as legal_in_round
from riverboat.round.settlement.dues import Due
from riverboat.round.settlement.payment import remaining
from riverboat.round.streets import card_counts, order_of
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from riverboat.table.configuration.submission import Submission
from riverboat.table.day import new_day
from riverboat.table.people import SYSTEM, Actor
from tests.conftest import Report
from tests.floor.house import DANA, DATE, FLO, SUE, TRAY, submitted
from tests.support.day_player import DayPlayer, anything, day_request, stacked
from tests.support.round_player import from_offer as sample
from tests.support.round_player import random_places, wild

ANN, BOB, CLEO = (Actor(name=name, role="player") for name in ("Ann", "Bob", "Cleo"))
SEATS = {1: ANN, 2: BOB, 3: CLEO}
OTHERS = (
    Actor(name="Dirk", role="dealer"),
    Actor(name="Sam", role="supervisor"),
    Actor(name="Lena of the lab", role="lab"),
    Actor(name="a program", role="supervisor", automatic=True),
    SYSTEM,
)
PEOPLE = (DANA, DANA, FLO, SUE, SUE, ANN, BOB, *OTHERS)
BOOKS = ("house-demo", "island-stud", "maryland-2014", "south-dakota-2011", "south-dakota-3cb")
HALF = 26
WORD = "cd" * 32
KEYS = tuple(get_args(p.AnyPress))
STEPS = 400
IN_THE_TABLES_WORDS: tuple[g.AnyAction, ...] = (
    g.LockProgressive(),
    *(g.CollectProgressive(chips=chips) for chips in (-1, 0, 3)),
    g.Close(),
    *(g.Wager(seat=seat, spot="progressive", cents=100) for seat in SEATS),
    *(g.TakeBack(seat=seat, spot="progressive") for seat in SEATS),
    *(g.Settle(seat=seat, spot="progressive", given_cents=0) for seat in SEATS),
)


class Night:
    """A table with a meter, as it stands; what is asked for at it by lot."""

    def __init__(self, filed: Submission, seed: str) -> None:
        self.rng, self.entropy = Random(seed), scripted_entropy(seed)
        self.filed, self.kinds = filed, Counter[str]()
        self.station: Station = new_station(new_day("T", editions()))
        self.link = Link(id="river")
        self.trouble = self.rng.choice((0.12, 0.15, 0.3))
        self.manners = Manners(seed=seed, fold=self.rng.choice((0, 20)))
        for by, action in (
            (FLO, a.Propose(submission=filed)),
            (SUE, a.Approve(number=1)),
            (FLO, a.OpenDay(date=DATE, tray_cents=TRAY)),
            (FLO, a.Designate()),
            (FLO, a.AssignDealer(name=DANA.name)),
        ):
            self.do(by, action)
        self.keep(SUE, opening_of(self.station.day.setup, FLO))
        self.keep(FLO, JoinMeter(table="T"))

    def keep(self, by: Actor, action: AnyMeterAction) -> None:
        self.link = keep(self.link, by, action, setup=self.station.day.setup).link

    def do(self, by: Actor, action: AnyAsked) -> None:
        link = self.link if self.station.link else None
        told = decide(self.station, link, by, action)
        self.station, self.link = told.station, told.link or self.link

    def refusal(self, by: Actor, action: AnyAsked) -> RiverboatError | None:
        try:
            decide(self.station, self.link if self.station.link else None, by, action)
        except RiverboatError as refusal:
            return refusal
        return None

    def offers(self, by: Actor) -> tuple[Offer, ...]:
        return legal(self.station, self.link if self.station.link else None, by)

    # ------------------------------------------------------------ what is checked

    def check(self, by: Actor, offers: tuple[Offer, ...], action: AnyAsked) -> None:
        refusal = self.refusal(by, action)
        offered = is_legal(self.station, offers, action)
        assert offered is (refusal is None), f"{by}, {refusal}: {action}"
        self.kinds[type(action).__name__] += offered
        self.kinds["offered" if offered else "refused"] += 1

    def check_person(self, by: Actor) -> None:
        """One of everything that is offered, then what comes to anybody's mind."""
        offers = self.offers(by)
        self.check_keyed(offers)
        for offer in offers:
            assert set(offer.arguments) == {field.name for field in fields(offer.kind)}
            if offer.kind not in (a.Propose, a.SealDeck, a.ForceDeck):
                self.check(by, offers, self.within(offer, by))
        for _ in range(3):
            self.check(by, offers, self.anything(offers, by))

    def check_keyed(self, offers: tuple[Offer, ...]) -> None:
        """What a sensor or a key does is offered as that alone; no win is just paid."""
        if not self.station.link:
            return
        state = self.station.day.round
        won = state is not None and [d for d in remaining(state) if _is_progressive_win(d)]
        seats = {due.seat for due in won or ()}
        for offer in offers:
            assert offer.kind not in (g.LockProgressive, g.CollectProgressive)
            chips = offer.kind in (g.Wager, g.TakeBack)
            chips |= offer.kind is g.Settle and any(map(offer.arguments["seat"].holds, seats))
            assert not (chips and offer.arguments["spot"].holds("progressive")), offer
            assert not (offer.kind is g.SettleAll and won)

    def within(self, offer: Offer, by: Actor) -> AnyAsked:
        judged = {
            name: self.judged(name, bounds, by)
            for name, bounds in offer.arguments.items()
            if isinstance(bounds, Judged)
        }
        plain = {n: b for n, b in offer.arguments.items() if n not in judged}
        likewise = Offer(offer.actor, offer.kind, {**plain, **judged})
        return sample(self.rng, likewise)  # type: ignore[return-value]

    def judged(self, name: str, bounds: Judged, by: Actor) -> Choice:
        """Values that stand the test, or where there are none, some that do not."""
        known: dict[str, tuple[object, ...]] = {
            "card": DECK,
            "award": (*self.link.awards, *self.station.controller.wins, "nothing"),
            "second": (FLO, SUE, DANA, *OTHERS),
            "incident": (g.Incident(what="shuffler_jam"), g.Incident(what="deck_count", count=51)),
            "seal": ("", "", "", self.seal_of_a_word(), "AB" * 32, "ab"),
            "word": (WORD, "x"),
            "places": ({}, {"1": 2}, {"1": 3}),
            "without": (self.station.day.untold if self.station.day.in_round else (), (9,)),
        }
        good = tuple(value for value in known[name] if bounds.holds(value))
        return Choice(good or known[name])  # type: ignore[arg-type]

    def seal_of_a_word(self) -> str:
        """Of the first seat's, for the deck that is in play."""
        deck = self.station.day.deck_in_play
        sealed = None if deck is None else deck.sealed
        return WORD if sealed is None else player_seal(sealed.root, 1, WORD)

    def anything(self, offers: tuple[Offer, ...], by: Actor) -> AnyAsked:
        rng, day = self.rng, self.station.day
        luck = rng.random()
        if luck < 0.05:
            return rng.choice(IN_THE_TABLES_WORDS)
        if luck < 0.4:
            return self.key()
        if luck < 0.6 and day.round is not None:
            return wild(rng, day.round, legal_in_round(day.round))  # type: ignore[return-value]
        player = DayPlayer(self.filed, "any")
        player.day, player.rng = day, rng
        return day_request(player) if luck < 0.8 else anything(player)

    def key(self) -> p.AnyPress:
        """Any press at all, most of them wrong."""
        rng, kind = self.rng, self.rng.choice(KEYS)
        hands = (*hand_keys(self.station.day.setup), "royal_flush", "pair")
        people = (FLO, SUE, ANN, Actor(name=" ", role="dealer"))
        faults = (None, g.Incident(what="shuffler_jam"), g.Incident(what="earthquake"))
        values: dict[str, tuple[object, ...]] = {
            "seat": tuple(range(-1, 5)),
            "cents": (100, 500, 1),
            "player": ("", "Ann", "Bob", "Zoe"),
            "round": (0, 1, 7),
            "chips": (-1, 0, 1, 3),
            "reason": ("", " ", "misread"),
            "hand": hands,
            "to": ("JPH", "RUN"),
            "document": ("", " ", "slip 7"),
            "award": (*self.link.awards, *self.station.controller.wins, "nothing"),
            "second": people,
            "incident": faults,
        }
        names = (field.name for field in fields(kind))
        return kind(**{name: rng.choice(values[name]) for name in names})  # type: ignore[no-any-return]

    # ------------------------------------------------------------ how a night goes on

    def go_on(self) -> None:
        staff = Staff(dealer=DANA, floorperson=FLO, supervisor=SUE)
        doing = next_bet(self.station, SEATS, self.manners)
        doing = doing or next_command(self.station, self.link, staff)
        asked = None if doing is None else self.drawn(doing)
        if doing is None or asked is None or self.refusal(doing.by, asked) is not None:
            self.go_on_somehow()
        else:
            self.do(doing.by, asked)

    def drawn(self, doing: Doing) -> AnyAsked:
        if isinstance(doing.ask, SealNext):
            salts = fresh_salts(self.entropy)
            return stacked(self.station.day, doing.ask.deck, self.order(), salts, HALF)
        first = isinstance(doing.ask, g.Wager) and doing.ask.seat == 1 and doing.by == ANN
        if first and self.has_sealed_deck() and self.rng.random() < 0.5:
            return replace(doing.ask, seal=self.seal_of_a_word())
        return doing.ask

    def has_sealed_deck(self) -> bool:
        deck = self.station.day.deck_in_play
        return deck is not None and deck.sealed is not None

    def places(self) -> dict[str, tuple[int, ...]]:
        return random_places(self.rng, card_counts(self.station.day.setup, sorted(SEATS)))

    def order(self) -> tuple[int, ...]:
        """A deck that gives winners to the three seats once it is cut in half."""
        setup, places = self.station.day.setup, self.places()
        wanted: list[int] = []
        for place, count in order_of(setup, sorted(SEATS)):
            wanted += places[place][:count]
            places[place] = places[place][count:]
        rest = [card for card in DECK if card not in wanted]
        burned = setup.book.deal.burn_cards
        deck = (*rest[:burned], *wanted, *rest[burned:])
        return (*deck[-HALF:], *deck[:-HALF])

    def go_on_somehow(self) -> None:
        """Where only people can: cards of a real deck are told, a meter comes back."""
        day = self.station.day
        left = [card for card in DECK if card not in (*day.reported, *day.left_out)]
        told = a.ReportCard(card=self.rng.choice(left))
        if self.refusal(DANA, told) is None:
            self.do(DANA, told)
        elif self.link.status == "out_of_service":
            self.keep(FLO, BringBack())

    def disturb(self) -> None:
        """Something out of order that is granted: what a few people are offered, by lot."""
        by = self.rng.choice((DANA, FLO, SUE))
        if by is FLO and self.rng.random() < 0.3:
            asked = a.Propose(submission=self.rng.choice((self.filed, self.otherwise())))
            if self.refusal(FLO, asked) is None:
                self.do(FLO, asked)
            return
        odd = (a.CloseTable, a.Interrupt, a.RemoveDeck, p.VoidRound, a.FailDevice, a.GoIdle)
        offers = [o for o in self.offers(by) if o.kind not in _NEVER]
        offers = [o for o in offers if o.kind not in odd or self.rng.random() < 0.2]
        if offers:
            drawn = self.within(self.rng.choice(offers), by)
            if self.refusal(by, drawn) is None:
                self.do(by, drawn)

    def otherwise(self) -> Submission:
        """The same table on other terms than those with which it joined its meter."""
        return replace(self.filed, table={**self.filed.table, "seats": 4})

    def is_seldom(self) -> bool:
        """Whether it stands as it seldom does and not for long, so that it is asked about."""
        return bool(self.station.controller.lamps) or self.station.day.phase == "closed"

    def step(self) -> None:
        luck = self.rng.random()
        if luck < 0.02 and self.link.status == "in_service" and self.link.pending is None:
            self.keep(FLO, TakeOutOfService(reason="cable"))
        elif luck < 0.1 and self.link.status == "out_of_service":
            self.keep(FLO, BringBack())
        elif luck < self.trouble:
            self.disturb()
        else:
            self.go_on()


def _is_progressive_win(due: Due) -> bool:
    return due.spot == "progressive" and due.outcome == "win"


_ELSEWHERE = (a.ForceDeck, a.ForceCut, a.SealDeck, a.OpenDay, g.Deal)
# In the random days without a meter.
_NEVER = (a.Propose, a.SealDeck, a.ForceDeck, a.CloseDay, a.AssignDealer, a.Drop)


def filed_at(book: str, kind: str) -> Submission:
    more = {"rate": "21"} if book == "maryland-2014" else {}
    filed = submitted(book, "T", "river", **more)
    return replace(filed, cards="physical") if kind == "physical" else filed


@pytest.mark.slow
def test_what_is_offered_is_granted_and_what_is_not_is_refused(report: Report) -> None:
    """Under every rulebook with a progressive, and every kind of action somewhere."""
    kinds = Counter[str]()
    for book, kind, seed in product(BOOKS, ("electronic", "physical"), range(4)):
        night = Night(filed_at(book, kind), f"{book} {kind} {seed}")
        for _ in range(STEPS):
            night.check_person(night.rng.choice(PEOPLE))
            if night.is_seldom():
                night.check_person(SUE)
                night.check_person(DANA)
            night.step()
        kinds += night.kinds
    offered, refused = kinds.pop("offered"), kinds.pop("refused")
    missed = {kind.__name__ for kind in get_args(AnyAsked)} - set(kinds)
    assert missed <= {kind.__name__ for kind in _ELSEWHERE}, missed
    keys = {kind.__name__: kinds[kind.__name__] for kind in KEYS}
    report(f"legal at tables with a meter: {offered:,} offered and granted, {refused:,} refused")
    report(f"legal at tables with a meter: keys offered, {keys}")


@pytest.mark.parametrize("kind", ["electronic", "physical"])
def test_chips_on_sensors_are_moved_by_who_may_bet_at_that_seat(kind: str) -> None:
    """A player at a seat of their own; with real cards the dealer, who enters what players do."""
    night = Night(filed_at("maryland-2014", kind), f"chips {kind}")
    on = p.PlaceChip(seat=1, cents=100)
    while night.refusal(ANN, on) is not None:
        night.go_on()
    off = p.RemoveChip(seat=1)
    for key, words in (
        (on, g.Wager(seat=1, spot="progressive", cents=100)),
        (off, g.TakeBack(seat=1, spot="progressive")),
    ):
        dealer = "" if kind == "physical" else "person.may_not"
        wanted = {ANN: "", BOB: "seat.not_yours", DANA: dealer, SYSTEM: "person.may_not"}
        for by, code in {**wanted, FLO: "person.may_not", SUE: "person.may_not"}.items():
            for asked in (key, words):
                refusal = night.refusal(by, asked)
                assert (refusal.code if refusal else "") == code, (by, asked)
                assert is_legal(night.station, night.offers(by), asked) is (not code)
        if key is on:
            night.do(ANN, on)
