"""Thousands of random rounds under every rulebook and option: what must hold after every event.

A request is refused if and only if it is not offered. No cent comes from nowhere. Nobody sees a
card that is hidden from him, and nothing that he sees depends on one. Events are the whole truth:
played again, or written down and read, they give the same round. Every round can be finished.
"""

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from riverboat.core.cards import DECK, show_card
from riverboat.core.errors import RiverboatError
from riverboat.core.records import Action
from riverboat.round import Round, Setup, apply, play, replay, step
from riverboat.round import actions as a
from riverboat.round import events as e
from riverboat.round.events import AnyEvent
from riverboat.round.legal import Offer, allows, legal
from riverboat.round.settlement.payment import remaining
from riverboat.round.settlement.postings import postings
from riverboat.round.views import Viewer, view
from riverboat.rulebooks import load, rulebook_ids
from tests.conftest import Report
from tests.support.open_cards import Open, cards_in
from tests.support.round_player import (
    automatic,
    likely,
    random_book,
    random_manners,
    random_round,
    random_setup,
    wild,
)

ROUNDS_EACH = 400

STEPS = 45

WILD_REQUESTS = 2


class Books:
    """Every account of a round, kept from postings alone, and held against the round's own sums."""

    def __init__(self, opening: Round) -> None:
        self.opening = opening
        self.sums: Counter[str] = Counter()

    def post(self, event: e.AnyEvent, before: Round) -> None:
        if isinstance(event, e.SpotSettled):
            assert event.stake_cents == before.seats[event.seat].wagers.get(event.spot, 0)
        units: Counter[str] = Counter()
        for account, unit, amount in postings(event, before):
            units[unit] += amount
            self.sums[account] += amount
        assert not any(units.values()), f"{event} leaves {dict(units)}"

    def check(self, state: Round) -> None:
        sums = self.sums
        for number, seat in state.seats.items():
            assert sums[f"player:{number}"] == seat.net_cents == sum(seat.results.values())
            for spot, cents in seat.wagers.items():
                assert cents > 0
                where = f"sensor:{number}" if spot == "progressive" else f"spot:{number}:{spot}"
                assert sums[where] == cents, where
        on_felt = sum(c for account, c in sums.items() if account.startswith(("spot:", "sensor:")))
        assert on_felt == sum(sum(seat.wagers.values()) for seat in state.seats.values())
        assert sums["tip_box"] == state.tip_box_cents
        assert sums["meter"] == state.meter.units - self.opening.meter.units
        assert sums["reserve"] == state.meter.reserve_units - self.opening.meter.reserve_units
        assert state.meter.units >= 0
        assert state.meter.reserve_units >= 0

    def check_end(self, state: Round) -> None:
        """Nothing is left on the felt but a tip that stays; a void round never happened."""
        for number, seat in state.seats.items():
            left = [spot for spot in seat.wagers if not spot.startswith("tip_")]
            assert not left, f"seat {number} still has {left} on the felt"
        if state.phase != "void":
            return
        setup = state.setup
        if setup.choice("void_after_payment") == "settled_seats_stand":
            settled = {number for number, _, _ in state.settled}
            assert all(s.net_cents == 0 for n, s in state.seats.items() if n not in settled)
            return
        in_units = ("meter", "reserve", "meter_contra", "house")
        cents = {account: n for account, n in self.sums.items() if n and account not in in_units}
        assert not cents, f"a void round left {cents}"
        if setup.choice("void_contributions") != "keep":
            assert self.sums["meter_contra"] == 0
            assert self.sums["meter"] == -self.sums["house"]


def check_players(before: Round, after: Round) -> None:
    """Nobody plays at more seats than is allowed, and nobody takes another's seat."""
    held = Counter(seat.player for seat in after.seats.values() if seat.player)
    most = after.setup.settings["max_positions_per_player"]
    assert isinstance(most, int)
    assert all(count <= most for count in held.values()), held
    for number, seat in before.seats.items():
        if seat.player and number in after.seats:
            assert after.seats[number].player == seat.player


def check_view(rng: Random, state: Round, felt: Open, viewer: Viewer) -> set[str]:
    """No hidden card is in a view, nothing in it depends on one, and no open card is missing."""
    seen = view(state, viewer)
    known = felt.allowed(state, viewer)
    texts = cards_in(seen)
    assert texts <= {show_card(card) for card in known}, f"{viewer} sees {texts}"
    must = felt.public | (set(felt.places.get(str(viewer), ())) if viewer in state.seats else set())
    assert {show_card(card) for card in must} <= texts, f"{viewer} sees only {texts}"
    if felt.places and rng.random() < 0.15:
        visible = {card for card in DECK if show_card(card) in texts}
        assert view(with_other_hidden_cards(rng, state, visible), viewer) == seen
    return texts


def with_other_hidden_cards(rng: Random, state: Round, visible: set[int]) -> Round:
    """The same events, but every card outside of `visible` is another one."""
    hidden = [card for card in DECK if card not in visible]
    swapped = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return replay(state.setup, [with_cards(event, swapped) for event in state.history])


def with_cards(event: e.AnyEvent, swapped: dict[int, int]) -> e.AnyEvent:
    """An event with other cards in it."""
    match event:
        case e.CardsDealt():
            deliveries = tuple(
                (place, tuple(swapped.get(card, card) for card in cards))
                for place, cards in event.deliveries
            )
            return e.CardsDealt(deliveries=deliveries)
        case e.CardCorrected():
            return replace(event, card=swapped.get(event.card, event.card))
    return event


def check_by_hand(state: Round) -> None:
    """A dealer who does what is owed, spot by spot, does what the automatic one does."""
    automatic = play(state, a.SettleAll())
    while left := remaining(state):
        due = left[0]
        given = due.given_cents
        state = play(state, a.Settle(seat=due.seat, spot=due.spot, given_cents=given))
    assert state == automatic


def answer(
    state: Round, request: Action
) -> tuple[tuple[e.AnyEvent, ...] | None, RiverboatError | None]:
    """What the engine does, or why it refuses."""
    try:
        return step(state, request), None  # type: ignore[arg-type]
    except RiverboatError as refusal:
        return None, refusal


class RandomRound:
    """One round: its requests, and what is checked after each."""

    def __init__(self, rng: Random, setup: Setup, counts: Counter[str]) -> None:
        self.rng = rng
        self.state = random_round(rng, setup)
        self.books = Books(self.state)
        self.felt = Open()
        self.counts = counts
        self.requests: list[Action] = []
        self.rail_has_seen: set[str] = set()
        self.manners = random_manners(rng)

    def run(self) -> None:
        for _ in range(STEPS):
            offers = legal(self.state)
            for _ in range(WILD_REQUESTS):
                self.ask(wild(self.rng, self.state, offers), offers)
            asked = likely(self.rng, self.state, offers, self.manners)
            if asked is None:
                break
            self.do(asked, offers)
        while (coming := automatic(self.rng, self.state)) is not None:
            self.do(coming, legal(self.state))
        self.books.check_end(self.state)
        assert replay(self.state.setup, self.state.history) == self.state
        written = msgspec.json.encode(self.state.history)
        assert msgspec.json.decode(written, type=tuple[AnyEvent, ...]) == self.state.history
        self.counts[self.state.phase] += 1

    def ask(self, request: Action, offers: tuple[Offer, ...]) -> tuple[e.AnyEvent, ...] | None:
        """The engine's answer, which must be the one that the offers give."""
        self.counts["requests"] += 1
        events, refusal = answer(self.state, request)
        offered = allows(offers, request)
        assert offered or events is None, f"{request} is done and not offered"
        assert events is not None or not offered, f"{request} is offered and refused: {refusal}"
        self.counts["refused"] += events is None
        return events

    def do(self, request: Action, offers: tuple[Offer, ...]) -> None:
        """What must be possible, and what is true after each of its events."""
        events = self.ask(request, offers)
        assert events is not None, f"stuck in {self.state.phase}: {request} is refused"
        self.requests.append(request)
        for event in events:
            before = self.state
            self.state = apply(before, event)
            self.books.post(event, before)
            self.books.check(self.state)
            self.felt.see(event)
            self.counts["events"] += 1
            check_players(before, self.state)
            viewers: list[Viewer] = [*self.state.seats, "dealer"]
            check_view(self.rng, self.state, self.felt, self.rng.choice(viewers))
            seen = check_view(self.rng, self.state, self.felt, None)
            lost = [s.cards for s in self.state.seats.values() if s.status == "forfeit"]
            gone = {show_card(card) for cards in lost for card in cards}
            if isinstance(event, e.CardCorrected):
                gone |= cards_in(view(before, None))
            assert self.rail_has_seen - gone <= seen, "a card that lay open was hidden again"
            self.rail_has_seen = seen
        if e.SettlementBegun() in events and self.rng.random() < 0.3:
            check_by_hand(self.state)
        if self.rng.random() < 0.1:
            assert replay(self.state.setup, self.state.history) == self.state


@pytest.mark.slow
@pytest.mark.parametrize("name", rulebook_ids())
def test_whatever_is_asked_in_a_round_its_properties_hold(name: str, report: Report) -> None:
    counts: Counter[str] = Counter()
    for seed in range(ROUNDS_EACH):
        rng = Random(f"{name} {seed}")
        setup, choices = random_setup(rng, random_book(rng, load(name).book))
        played = RandomRound(rng, setup, counts)
        try:
            played.run()
        except Exception as problem:
            problem.add_note(f"{name}, seed {seed}, table {choices}")
            problem.add_note("after " + "\n      ".join(map(str, played.requests[-12:])))
            raise
    total = ROUNDS_EACH * len(rulebook_ids())
    report(
        f"round properties: {ROUNDS_EACH} of {total:,} random rounds under {name}: "
        f"{counts['over']} settled, {counts['void']} void; {counts['requests']:,} requests, "
        f"{counts['refused']:,} refused; {counts['events']:,} events"
    )
