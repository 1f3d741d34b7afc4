"""A table's day: how the table stands now, and the only way that it changes.

It holds its decks, each with its own stage, the round that is being played, and its accounts.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.meter.amounts import Meter
from riverboat.meter.books import Posting
from riverboat.round import events as r
from riverboat.round.settlement.postings import CAGE, TRAY, postings
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.round.state import apply as apply_to_round
from riverboat.rulebook import Rulebook
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration, configure, with_method
from riverboat.table.people import Actor, automatic

Stage: TypeAlias = Literal[
    "received", "inspected", "verified", "spread_up", "player_inspected", "face_down", "washed",
    "stacked", "shuffling", "shuffled", "ready", "in_play", "used", "idle",
]  # fmt: skip
Books: TypeAlias = Mapping[str, tuple[Rulebook, str]]
"""Rulebooks by their ids, each with the hash of its file."""
Phase: TypeAlias = Literal["closed", "open", "round", "idle"]


class Deck(Struct, frozen=True, kw_only=True):
    """A deck at the table, and how far it has come."""

    name: str
    back: str
    design: str
    stage: Stage
    method: str = ""
    inspected_by: str = ""
    defects: str = ""
    first_used_at: int | None = None
    is_cut: bool = False
    sealed: e.DeckSealed | None = None
    depths: tuple[int, ...] = ()


class Accounts(Struct, frozen=True, kw_only=True):
    """A gaming day's money, in cents: chips in the tray, and cash in the drop box."""

    opening_cents: Cents = 0
    tray_cents: Cents = 0
    fills_cents: Cents = 0
    credits_cents: Cents = 0
    drop_cents: Cents = 0
    in_box_cents: Cents = 0
    rounds_cents: Cents = 0
    cage_cents: Cents = 0


class Proposal(Struct, frozen=True, kw_only=True):
    """A configuration that waits for a second person, or for the end of the round."""

    number: int
    by: str
    configuration: Configuration
    approved_by: str = ""


class Day(Struct, frozen=True, kw_only=True):
    """Everything there is to know about a table.

    `opening_meter` is what a meter of its own begins with, until a round has been opened on it;
    `linked`, that a floor keeps the table: whatever meter it plays for is not its own, and nobody
    finds fault with cards that its machine deals.
    """

    table: str
    books: Books
    now: int = 0
    date: str = ""
    phase: Phase = "closed"
    configuration: Configuration | None = None
    configurations: int = 0
    proposals: dict[int, Proposal] = {}
    dealer: str = ""
    seated: dict[int, str] = {}
    programs: frozenset[int] = frozenset()
    """The seats where a program sits; it may have the name of a person."""
    decks: dict[str, Deck] = {}
    last_deck: str = ""
    idle_face_up: bool = False
    round: Round | None = None
    round_number: int = 0
    round_deck: str = ""
    commitments: int = 0
    rounds_since_count: int = 0
    stub_counted: bool = False
    seals: dict[int, str] = {}
    """The words that players sealed with their bets, by seat."""
    words: dict[int, str] = {}
    """Those that they have told since."""
    cut_fixed: bool = False
    reported: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()
    opening_meter: Meter | None = None
    linked: bool = False
    device: Literal["working", "failed", "marked"] = "working"
    method: tuple[str, str] | None = None
    interrupted: str = ""
    by_hand: bool = False
    accounts: Accounts = Accounts()
    entries: int = 0

    @property
    def people(self) -> dict[int, str]:
        """Who sits where, without programs."""
        return {seat: name for seat, name in self.seated.items() if seat not in self.programs}

    def seats_of(self, who: Actor) -> tuple[int, ...]:
        """Where somebody sits: a program's seat is not that of a person of its name."""
        own = (seat for seat, name in self.seated.items() if name == who.name)
        return tuple(seat for seat in own if (seat in self.programs) == who.automatic)

    @property
    def setup(self) -> Setup:
        """How the table is played now, a fallback method included."""
        assert self.configuration is not None
        return self.configuration.setup

    @property
    def meter(self) -> Meter:
        """Where the table's own meter stands: as it is opened, or as the last round left it."""
        if self.opening_meter is not None:
            return self.opening_meter
        return self.round.meter if self.round is not None else Meter()

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.phase == "round"

    @property
    def playing(self) -> Round:
        """The round that is being played."""
        assert self.round is not None
        return self.round

    @property
    def cut_known(self) -> bool:
        """Whether somebody may know where the committed deck is cut: whoever knows the house's word
        does with the last word that is told."""
        return self.cut_fixed or bool(self.words)

    @property
    def untold(self) -> tuple[int, ...]:
        """The seats of the round that sealed a word and have not told it."""
        return tuple(
            n for n in sorted(self.seals) if n in self.playing.seats and n not in self.words
        )

    @property
    def deck_in_play(self) -> Deck | None:
        """The deck of the round that is being played."""
        return self.decks.get(self.round_deck) if self.in_round else None


def edition_among(books: Books, name: str) -> tuple[Rulebook, str]:
    """A rulebook that a table names, with its hash; one that is not here is missed by its name."""
    if name not in books:
        text = (
            f"there is no rulebook {name[:80]!r} here; there are {', '.join(books)}; a house's own "
            "is given by its file, as `own_rulebooks`"
        )
        raise NotationError("rulebook.unknown", text)
    return books[name]


def new_day(table: str, books: Books) -> Day:
    """A table before anything happened at it; `books` are the rulebooks and their hashes."""
    return Day(table=table, books=books)


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
STAGE_AFTER: dict[str, Stage] = {
    "inspect": "inspected",
    "verify": "verified",
    "spread_face_up": "spread_up",
    "first_player_looks": "player_inspected",
    "turn_face_down": "face_down",
    "wash": "washed",
    "stack": "stacked",
}


def apply(day: Day, event: e.AnyEvent) -> Day:
    """The table after an event."""
    return _around_rounds(day, event) if type(event) in _OF_THE_DAY else _in_round(day, event)


_OF_THE_DAY = frozenset(get_args(e.DayEvent))


def remember_entry(day: Day, entry: e.Entry) -> Day:
    """The table after an entry of its record."""
    return replace(reduce(apply, entry.events, day), entries=entry.number)


# ------------------------------------------------------------------ the round


def _in_round(day: Day, event: Any) -> Day:
    """An event of the round that is being played, and what it moved in the tray."""
    if isinstance(event, r.RoundOpened):
        return replace(day, round=apply_to_round(Round(setup=day.setup), event), opening_meter=None)
    before = day.playing
    after = replace(day, round=apply_to_round(before, event))
    after = replace(after, accounts=posted(day.accounts, postings(event, before)))
    match event:
        case r.CardsDealt():
            return replace(after, rounds_since_count=day.rounds_since_count + 1)
        case r.DeckRemoved():
            return _without_deck(after, day.round_deck)
        case r.TableSuspended():
            return replace(after, device="failed")
        case r.RoundClosed():
            if day.round_deck in day.decks:
                clear = {"is_cut": False, "sealed": None, "depths": ()}
                after = _with_deck(after, day.round_deck, stage="used", **clear)
            return replace(after, phase="open", by_hand=False, stub_counted=False)
    return after


def posted(accounts: Accounts, movements: Iterable[Posting]) -> Accounts:
    """The day's accounts after what moved in tray and cage."""
    moved = {TRAY: 0, CAGE: 0}
    for posting in movements:
        if posting.unit == "cent" and posting.account in moved:
            moved[posting.account] += posting.amount
    if not any(moved.values()):
        return accounts
    tray, cage = moved[TRAY], moved[CAGE]
    return _moved(accounts, tray_cents=tray, rounds_cents=tray, cage_cents=-cage)


def _moved(accounts: Accounts, **cents: Cents) -> Accounts:
    """The accounts with so much more, or less, on each that is named."""
    stand = {name: getattr(accounts, name) + moved for name, moved in cents.items()}
    return replace(accounts, **stand)


# ------------------------------------------------------------------ the gaming day and its people


def _around_rounds(day: Day, event: Any) -> Day:
    match event:
        case e.TimeTold():
            return replace(day, now=event.at)
        case e.DayOpened(tray_cents=tray):
            accounts = Accounts(opening_cents=tray, tray_cents=tray)
            return replace(day, date=event.date, accounts=accounts)
        case e.DayClosed():
            return replace(day, date="")
        case e.TableDesignated():
            return replace(day, phase="open")
        case e.TableClosed():
            empty = replace(day, decks={}, dealer="", seated={}, programs=frozenset())
            return replace(empty, phase="closed", last_deck="")
        case e.DealerAssigned():
            return replace(day, dealer=event.name)
        case e.SeatTaken():
            programs = day.programs | {event.seat} if event.automatic else day.programs
            return replace(day, seated={**day.seated, event.seat: event.player}, programs=programs)
        case e.SeatLeft():
            programs = day.programs - {event.seat}
            bets = day.round is not None and event.seat in day.round.seats
            # Whoever sits down here without a bet of theirs seals a word of their own.
            seals = day.seals if bets else _without(day.seals, event.seat)
            seated = _without(day.seated, event.seat)
            return replace(day, seated=seated, programs=programs, seals=seals)
    return _trouble(day, event)


def _trouble(day: Day, event: Any) -> Day:
    match event:
        case e.DeviceFailed():
            return replace(day, device="failed")
        case e.DeviceMarked():
            return replace(day, device="marked")
        case e.MethodChanged(dealing=dealing, shuffle=shuffle):
            chosen = with_method(_configuration(day), dealing, shuffle)
            return replace(day, configuration=chosen, method=(dealing, shuffle))
        case e.DeviceRestored():
            chosen = _configuration(day)
            restored = with_method(chosen, "", "") if day.method else chosen
            return replace(day, device="working", method=None, configuration=restored)
        case e.PlayInterrupted():
            return replace(day, interrupted=event.statement)
        case e.PlayConfirmed(decision=decision):
            by_hand = decision == "by_hand" or (day.by_hand and decision == "resume")
            return replace(day, interrupted="", by_hand=by_hand)
    return _money(day, event)


def _configuration(day: Day) -> Configuration:
    assert day.configuration is not None
    return day.configuration


def _without(some: dict[_Key, _Value], key: _Key) -> dict[_Key, _Value]:
    return {one: value for one, value in some.items() if one != key}


def _money(day: Day, event: Any) -> Day:
    match event:
        case e.ChipsFilled(cents=cents):
            moved = _moved(day.accounts, tray_cents=cents, fills_cents=cents)
        case e.ChipsCredited(cents=cents):
            moved = _moved(day.accounts, tray_cents=-cents, credits_cents=cents)
        case e.BoughtIn(cents=cents):
            moved = _moved(day.accounts, tray_cents=-cents, in_box_cents=cents)
        case e.BoxDropped(cents=cents):
            held = day.accounts.in_box_cents
            moved = _moved(day.accounts, drop_cents=cents, in_box_cents=-held)
        case _:
            return _setup(day, event)
    return replace(day, accounts=moved)


def _setup(day: Day, event: Any) -> Day:
    match event:
        case e.ConfigurationProposed(number=number):
            book, sha256 = edition_among(day.books, event.submission.rulebook)
            chosen = configure(book, event.submission, rulebook_sha256=sha256)
            proposal = Proposal(number=number, by=event.by, configuration=chosen)
            proposals = {**day.proposals, number: proposal}
            return replace(day, proposals=proposals, configurations=number)
        case e.ConfigurationApproved(number=number):
            proposal = replace(day.proposals[number], approved_by=event.by)
            return replace(day, proposals={**day.proposals, number: proposal})
        case e.ConfigurationWithdrawn():
            return replace(day, proposals=_without(day.proposals, event.number))
        case e.ConfigurationTookEffect():
            return _took_effect(day, event)
    return _preparing(day, event)


def _took_effect(day: Day, event: e.ConfigurationTookEffect) -> Day:
    """The meter goes on where it stands, unless another schedule or link begins here."""
    chosen = day.proposals[event.number].configuration
    before = day.configuration.setup.progressive if day.configuration else None
    now, others = chosen.setup.progressive, _without(day.proposals, event.number)
    # The program that dealt a demo goes with it: at tables of people somebody deals.
    stays = day.dealer != automatic("dealer").name or chosen.demo or chosen.test
    dealer = day.dealer if stays else ""
    after = replace(day, configuration=chosen, proposals=others, method=None, dealer=dealer)
    if now is None or day.linked or (before is not None and before.link == now.link):
        return after
    return replace(after, opening_meter=chosen.initial_meter)


# ------------------------------------------------------------------ decks, and the cards of a round


def _with_deck(day: Day, name: str, **changes: Any) -> Day:
    return replace(day, decks={**day.decks, name: replace(day.decks[name], **changes)})


def _without_deck(day: Day, name: str) -> Day:
    return replace(day, decks=_without(day.decks, name))


def _preparing(day: Day, event: Any) -> Day:
    match event:
        case e.DeckReceived():
            stage: Stage = "received" if day.setup.book.opening is not None else "stacked"
            came = Deck(name=event.deck, back=event.back, design=event.design, stage=stage)
            if event.preshuffled:
                came = replace(came, stage="shuffled", method="preshuffled")
            return replace(day, decks={**day.decks, event.deck: came})
        case e.DeckPrepared():
            return _prepared(day, event)
        case e.DeckLoaded(deck=deck):
            return _with_deck(day, deck, stage="ready")
        case e.DeckTakenAway(deck=deck):
            return _taken_away(day, deck)
        case e.WentIdle():
            for deck in day.decks:
                day = _with_deck(day, deck, stage="idle", is_cut=False, sealed=None, depths=())
            return replace(day, phase="idle", idle_face_up=event.face_up)
    return _shuffling(day, event)


def _shuffling(day: Day, event: Any) -> Day:
    match event:
        case e.ShuffleStarted(deck=deck):
            return _with_deck(day, deck, stage="shuffling", method=event.method)
        case e.ShuffleFinished(deck=deck):
            return _with_deck(day, deck, stage="shuffled", is_cut=False, depths=())
        case e.DeckSealed(deck=deck):
            return replace(_with_deck(day, deck, sealed=event, depths=()), commitments=event.number)
        case e.CommitmentAbandoned(deck=deck):
            here = deck in day.decks
            return _with_deck(day, deck, sealed=None, depths=()) if here else day
        case e.DeckCut(deck=deck):
            depths = (*day.decks[deck].depths, event.depth)
            day = replace(day, cut_fixed=day.cut_fixed or event.fixed)
            return _with_deck(day, deck, is_cut=True, depths=depths)
        case e.WordSealed():
            return replace(day, seals={**day.seals, event.seat: event.seal})
        case e.WordTold():
            return replace(day, words={**day.words, event.seat: event.word})
        case e.RecutOrdered(deck=deck):
            back = "in_play" if day.decks[deck].stage == "in_play" else "shuffled"
            return _with_deck(day, deck, stage=back, is_cut=False)
        case e.ShuffleOrdered(deck=deck):
            return _with_deck(day, deck, stage="stacked", is_cut=False, method="")
    return _dealing(day, event)


def _prepared(day: Day, event: e.DeckPrepared) -> Day:
    """A defect leaves the deck where it was, until it is taken away."""
    if event.step == "inspect":
        day = _with_deck(day, event.deck, inspected_by=event.by, defects=event.defects)
    if event.defects:
        return day
    day = replace(day, phase="open" if day.phase == "idle" else day.phase)
    return _with_deck(day, event.deck, stage=STAGE_AFTER[event.step])


def _taken_away(day: Day, name: str) -> Day:
    """With the last deck that lay spread the table is no longer idle."""
    day = _without_deck(day, name)
    lies_spread = any(deck.stage == "idle" for deck in day.decks.values())
    return day if day.phase != "idle" or lies_spread else replace(day, phase="open")


def _dealing(day: Day, event: Any) -> Day:
    """The cards of a round; a jam, and a decision that took too long, change nothing."""
    match event:
        case e.RoundStarted():
            return _round_started(day, event)
        case e.CardReported(card=card) if event.left_out:
            return replace(day, left_out=(*day.left_out, card))
        case e.CardReported(card=card):
            return replace(day, reported=(*day.reported, card))
        case e.CardAmended(index=index):
            told = day.reported
            return replace(day, reported=(*told[:index], event.card, *told[index + 1 :]))
        case e.StubCounted():
            return replace(day, stub_counted=True, rounds_since_count=0)
    assert isinstance(event, e.ShuffleJammed | e.DecisionExpired)
    return day


def _round_started(day: Day, event: e.RoundStarted) -> Day:
    deck = day.decks[event.deck]
    first = day.now if deck.first_used_at is None else deck.first_used_at
    day = _with_deck(day, event.deck, stage="in_play", first_used_at=first)
    return replace(
        day,
        phase="round",
        round_number=event.number,
        round_deck=event.deck,
        last_deck=event.deck,
        stub_counted=False,
        seals={},
        words={},
        cut_fixed=False,
        reported=(),
        left_out=(),
    )
