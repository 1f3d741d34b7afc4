"""A second account of a day, kept from the record: decks, money, counts and what is due."""

from collections import Counter
from typing import get_args

from riverboat.core.cards import DECK
from riverboat.round import events as r
from riverboat.round.settlement.postings import postings
from riverboat.round.state import apply as apply_to_round
from riverboat.table import events as e
from riverboat.table.day import Day
from riverboat.table.procedures.tray import table_win
from tests.support.day_player import (
    MARYLAND,
    books,
)
from tests.support.open_cards import Open

HOURS = {"hand": 4, "manual_shoe": 8, "automated": 8}
EVERY_ROUNDS = 5


class DeckBook:
    """What the record says about one deck since it came to the table."""

    def __init__(self, back: str, *, preshuffled: bool) -> None:
        self.back = back
        self.method = "preshuffled" if preshuffled else ""
        self.cut = False
        self.order: tuple[int, ...] = ()
        self.first_used_at: int | None = None
        self.inspected_by = ""

    def shuffled(self) -> None:
        self.cut = False
        self.order = ()


class Books:
    """The table's books, kept from the record a second time, and held against the table's own."""

    def __init__(self) -> None:
        self.decks: dict[str, DeckBook] = {}
        self.proposed: dict[int, str] = {}
        self.waiting: dict[int, str] = {}
        self.ended: dict[int, str] = {}
        self.in_play = 0
        self.last_deck = ""
        self.dealt_since_count = 0
        self.left_out = 0
        self.reported: list[int] = []
        self.money: Counter[str] = Counter()
        self.players: Counter[int] = Counter()
        self.felt = Open()

    def see(self, before: Day, event: e.AnyEvent) -> None:
        """Take an event down, and notice what may not be."""
        self.guard(before, event)
        if isinstance(event, get_args(e.DayEvent)):
            self._day(before, event)
        else:
            self._round(before, event)  # type: ignore[arg-type]

    def guard(self, before: Day, event: e.AnyEvent) -> None:
        """What must be so before a deck is loaded, a round starts, or cards are dealt."""
        match event:
            case e.DeckLoaded():
                self._require_cut(before, event.deck)
            case e.RoundStarted():
                self._may_start(before, event)
            case r.CardsDealt():
                self._dealt(before, event)

    # ------------------------------------------------------------ around the rounds

    def _day(self, before: Day, event: e.AnyEvent) -> None:
        match event:
            case e.DayOpened():
                self.money = Counter(tray=event.tray_cents, opening=event.tray_cents)
            case e.ChipsFilled():
                self.money.update(tray=event.cents, fills=event.cents)
            case e.ChipsCredited():
                self.money.update(tray=-event.cents, credits=event.cents)
            case e.BoughtIn():
                self.money.update(tray=-event.cents, box=event.cents)
            case e.BoxDropped():
                assert event.expected_cents == self.money["box"]
                self.money.update(surplus=event.cents - self.money["box"])
                self.money["box"] = 0
            case e.DayClosed():
                assert event.expected_cents == self.money["tray"]
                found = event.tray_cents - event.expected_cents
                assert event.win_cents == self.win() + found
            case e.RoundStarted():
                self._started(event, before.now)
            case _:
                self._people(event)
                self._deck(event)
                self._cards(event)

    def _people(self, event: e.AnyEvent) -> None:
        """Whoever did the first half of a step for two people does not do the second."""
        match event:
            case e.ConfigurationProposed():
                assert event.number == len(self.proposed) + 1
                self.proposed[event.number] = event.by
            case e.ConfigurationApproved():
                assert event.by != self.proposed[event.number], "one person proposed and approved"
            case e.DeckPrepared(step="inspect"):
                self.decks[event.deck].inspected_by = event.by
            case e.DeckPrepared(step="verify"):
                assert event.by != self.decks[event.deck].inspected_by, "inspected and verified"

    def win(self) -> int:
        return self.money["rounds"] + self.money["surplus"]

    def _deck(self, event: e.AnyEvent) -> None:
        match event:
            case e.TableClosed():
                self.decks = {}
                self.last_deck = ""
            case e.DeckReceived():
                assert event.deck not in self.decks
                self.decks[event.deck] = DeckBook(event.back, preshuffled=event.preshuffled)
            case e.DeckTakenAway():
                del self.decks[event.deck]
            case e.ShuffleStarted():
                self.decks[event.deck].method = event.method
                self.decks[event.deck].shuffled()
            case e.ShuffleOrdered():
                self.decks[event.deck].method = ""
                self.decks[event.deck].shuffled()
            case e.WentIdle():
                for deck in self.decks.values():
                    deck.method = ""
                    deck.shuffled()

    def _cards(self, event: e.AnyEvent) -> None:
        match event:
            case e.RecutOrdered():
                self.decks[event.deck].cut = False
            case e.DeckCut():
                deck = self.decks[event.deck]
                deck.cut = True
                deck.order = deck.order[event.depth :] + deck.order[: event.depth]
            case e.DeckSealed() | e.CommitmentAbandoned():
                self._commitment(event)
            case e.CardReported(left_out=True):
                pass
            case e.CardReported():
                self.reported.append(event.card)
            case e.CardAmended():
                self.reported[event.index] = event.card
            case e.StubCounted():
                self.dealt_since_count = 0

    def _commitment(self, event: e.DeckSealed | e.CommitmentAbandoned) -> None:
        if isinstance(event, e.DeckSealed):
            assert event.number == len(self.waiting) + len(self.ended) + bool(self.in_play) + 1
            assert sorted(event.order) == list(DECK)
            self.waiting[event.number] = event.deck
            self.decks[event.deck].order = event.order
        else:
            self._abandoned(event)

    def _abandoned(self, event: e.CommitmentAbandoned) -> None:
        """Before its round, or in it where the deal was made by hand; never after."""
        if event.number == self.in_play:
            self.in_play = 0
        else:
            assert self.waiting.pop(event.number) == event.deck
        self.ended[event.number] = "abandoned"
        self.decks[event.deck].order = ()

    def _require_cut(self, before: Day, name: str) -> None:
        """In Maryland cards shuffled by hand, or before they came, are cut before the bets."""
        assert before.configuration is not None
        deck = self.decks[name]
        assert deck.method or before.configuration.book.id != MARYLAND, "the deck is not shuffled"
        if before.configuration.book.id == MARYLAND and deck.method in ("manual", "preshuffled"):
            assert deck.cut, "the deck is not cut"

    def _may_start(self, before: Day, event: e.RoundStarted) -> None:
        """A round starts only with the right deck: young, cut, counted, committed to."""
        configuration = before.configuration
        assert configuration is not None
        assert before.date
        assert before.phase == "open"
        assert not before.interrupted
        assert event.number == before.round_number + 1
        assert event.dealer == before.dealer != ""
        assert event.rulebook_sha256 == books()[configuration.book.id][1]
        deck = self.decks[event.deck]
        if configuration.book.id == MARYLAND:
            self._maryland_guards(before, event, deck)
        assert bool(event.commitment) != configuration.physical

    def _started(self, event: e.RoundStarted, now: int) -> None:
        deck = self.decks[event.deck]
        if deck.first_used_at is None:
            deck.first_used_at = now
        if event.commitment:
            assert self.waiting.pop(event.commitment) == event.deck
            self.in_play = event.commitment
        self.last_deck = event.deck
        self.left_out = 0
        self.reported = []
        self.felt = Open()
        self.players.clear()

    def _maryland_guards(self, before: Day, event: e.RoundStarted, deck: DeckBook) -> None:
        configuration = before.configuration
        assert configuration is not None
        hours = HOURS[configuration.setup.dealing.method]
        if deck.first_used_at is not None:
            assert before.now - deck.first_used_at < hours * 3600, "the deck is too old"
        self._require_cut(before, event.deck)
        if not configuration.counts_cards and self.last_deck in self.decks:
            assert self.dealt_since_count < EVERY_ROUNDS, "the count is overdue"
        if configuration.decks == 2:
            assert event.deck != self.last_deck, "the same deck of a pair again"
            assert len({one.back for one in self.decks.values()}) == 2
        if deck.method in ("automated", "continuous"):
            assert "automated_device" not in configuration.setup.dealing.needs or (
                before.device == "working"
            )

    # ------------------------------------------------------------ in a round

    def _round(self, before: Day, event: r.AnyEvent) -> None:
        if isinstance(event, r.RoundOpened):
            return
        self._post(before, event)
        if isinstance(event, r.CardsDealt):
            self.dealt_since_count += 1
        if isinstance(event, r.IncidentNoted) and event.consequence == "leave_card_out":
            self.left_out += 1
        self.felt.see(event)
        if isinstance(event, r.DeckRemoved):
            del self.decks[before.round_deck]
        if isinstance(event, r.RoundClosed):
            if self.in_play:
                self.ended[self.in_play] = "played"
            self.in_play = 0
            if before.round_deck in self.decks:
                self.decks[before.round_deck].method = ""
                self.decks[before.round_deck].shuffled()

    def _post(self, before: Day, event: r.AnyEvent) -> None:
        """Money comes from somewhere; what the rounds moved is the table's win."""
        sums: Counter[str] = Counter()
        for account, unit, amount in postings(event, before.playing):
            sums[unit] += amount
            if account == "tray":
                self.money.update(tray=amount, rounds=amount)
            if account.startswith("player:"):
                self.players[int(account.removeprefix("player:"))] += amount
        assert not any(sums.values()), f"{event} leaves {dict(sums)}"
        after = apply_to_round(before.playing, event)
        for number, seat in after.seats.items():
            assert self.players[number] == seat.net_cents

    def _dealt(self, before: Day, event: r.CardsDealt) -> None:
        """From the committed order after every cut, or as the cards were reported."""
        if before.by_hand and not self.in_play:
            return
        came = [card for _, cards in event.deliveries for card in cards]
        deck = self.decks[before.round_deck]
        assert deck.cut or not before.setup.book.cut or not needs_cut(before, deck)
        source = list(deck.order[self.left_out :]) if self.in_play else self.reported
        assert came == source[: len(came)]

    def check(self, day: Day) -> None:
        """The table's own sums and numbers are these."""
        accounts = day.accounts
        assert accounts.tray_cents == self.money["tray"]
        assert accounts.rounds_cents == self.money["rounds"]
        assert accounts.in_box_cents == self.money["box"]
        assert table_win(accounts, accounts.tray_cents) == self.win()
        assert set(day.decks) == set(self.decks)
        assert day.rounds_since_count == self.dealt_since_count
        sealed = {deck.sealed.number for deck in day.decks.values() if deck.sealed is not None}
        assert sealed - {self.in_play} == set(self.waiting)
        assert day.commitments == len(self.waiting) + len(self.ended) + bool(self.in_play)


def needs_cut(day: Day, deck: DeckBook) -> bool:
    """Whether a rulebook's words ask for a cut after this shuffle."""
    assert day.configuration is not None
    return day.configuration.cut_required(deck.method)
