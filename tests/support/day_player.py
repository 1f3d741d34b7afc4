"""Plays a table's day: tables of every kind, the people at them, and what they ask for.

A right person does what the prompt says, as it says it; or anybody asks for anything. Cards, salts
and words come from scripted entropy, so that a seed plays the same day again.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from random import Random
from typing import NamedTuple, get_args

from msgspec.structs import fields, replace

from riverboat.core.cards import DECK
from riverboat.core.errors import RiverboatError
from riverboat.core.fairness import commit, cut_depth, player_seal
from riverboat.core.records import Action
from riverboat.core.shuffling import fresh_salts, fresh_word, scripted_entropy, shuffle
from riverboat.round import actions as g
from riverboat.round.legal import legal
from riverboat.round.streets import card_counts, seat_to_act
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load, rulebook_ids
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.configuration.submission import Decks, Device, Submission
from riverboat.table.day import Day, new_day
from riverboat.table.engine import advance
from riverboat.table.events import Entry
from riverboat.table.people import SYSTEM, Actor, Role, automatic
from riverboat.table.procedures.decks import depths
from riverboat.table.task import Task
from riverboat.wording.prompts.prompt import prompt
from tests.support.round_player import likely, random_manners, wild

LUCK = "7" * 64
"""A word for cuts."""
LAB = Actor(name="Lena of the lab", role="lab")
PEOPLE: dict[Role, tuple[str, ...]] = {
    "dealer": ("Dana", "Dirk"),
    "floorperson": ("Flo", "Fred"),
    "supervisor": ("Sue", "Sam"),
    "player": ("Ann", "Bob", "Cleo"),
    "lab": (LAB.name,),
    "system": (SYSTEM.name,),
}
OPENING_TRAY = 50_000_00
STEPS = ("inspect", "verify", "spread_face_up", "first_player_looks", "turn_face_down", "wash")


# ---------------------------------------------------------------- tables


CHOICES: dict[str, dict[str, str | int | bool]] = {
    "house-demo": {},
    "iowa-catfish-bend": {"three_card_bonus": "IA-CB-3CB"},
    "island-stud": {"bonus": "IS-01", "progressive": "IS-PROG-PMG-01"},
    "caribbean-demo": {"progressive": "CD-PROG-1"},
    "maryland-2014": {"three_card_bonus": "MD-2014-3CB-E", "progressive_wager": "1"},
    "south-dakota-2011": {"progressive": "SD-2011-PROG-PMG-01"},
    "south-dakota-3cb": {"three_card_bonus": "SD-3CB-3CB-A"},
}
MARYLAND = "maryland-2014"


@cache
def books() -> dict[str, tuple[Rulebook, str]]:
    """Every rulebook with its hash."""
    return {name: (load(name).book, load(name).sha256) for name in rulebook_ids()}


def submission(rulebook: str, **choices: str | int | bool) -> Submission:
    """The standard table of a rulebook, with some side bets, and with these choices."""
    return standard_submission(books()[rulebook][0], {**CHOICES[rulebook], **choices}, name="T")


def _bare(filed: Submission, **changes: object) -> Submission:
    """The table with other cards or another device; what depends on them goes without saying."""
    return replace(filed, **{"decks": Decks(), "shuffle": None, "device": None, **changes})


@cache
def tables() -> dict[str, Submission]:
    """A table of each rulebook, and Maryland's and Iowa's in all their variants."""
    hand = submission(MARYLAND, dealing="hand")
    return {
        **{name: submission(name) for name in rulebook_ids()},
        "two decks by hand": _bare(hand, decks=Decks(count=2), device=Device(shuffler=True)),
        "two decks, counted": _bare(
            hand, decks=Decks(count=2), device=Device(shuffler=True, counts=True)
        ),
        "counting shuffler": _bare(hand, device=Device(shuffler=True, counts=True)),
        "continuous": _bare(
            submission(MARYLAND, dealing="automated"),
            device=Device(shuffler=True, reshuffles=True, approved=True),
        ),
        "shoe behind a shuffler": _bare(
            submission(MARYLAND, dealing="manual_shoe"), device=Device(shuffler=True)
        ),
        "six card bonus": submission(MARYLAND, dealing="automated", six_card_bonus="MD-2014-6CB-A"),
        "physical cards": replace(submission(MARYLAND), cards="physical"),
        "physical cards, cut late": replace(submission("south-dakota-2011"), cards="physical"),
        "demo": replace(submission(MARYLAND), demo=True),
        "test table": replace(hand, test=True),
        "fallback by hand": replace(
            submission("iowa-catfish-bend", device_down="manual"), name="fallback"
        ),
    }


# ---------------------------------------------------------------- people


def somebody(day: Day, role: Role, *, seat: int = 0, other_than: Sequence[str] = ()) -> Actor:
    """A right person for a role: the dealer on duty, the seat's player, a program at a demo."""
    configuration = day.configuration
    if role == "system":
        return SYSTEM
    if role == "player":
        if configuration is not None and configuration.test:
            return LAB
        taken = seat if seat in day.seated else next(iter(day.seated), 0)
        name = day.seated.get(taken, "Ann")
        return Actor(name=name, role="player", automatic=taken in day.programs)
    demo = configuration is not None and configuration.demo
    if role == "dealer":
        program = day.dealer == automatic("dealer").name
        return Actor(name=day.dealer, role="dealer", automatic=program)
    if demo:
        programs = (automatic("floorperson"), automatic("supervisor"))
        stranger = Actor(name="another program", role=role, automatic=True)
        return next((one for one in programs if one.name not in other_than), stranger)
    names = (*PEOPLE[role], f"another {role}")
    return Actor(name=next(name for name in names if name not in other_than), role=role)


def right_person(day: Day, task: Task) -> Actor:
    """Somebody who may do a task and did not do its first half."""
    if task.who == "player" and task.seat and task.seat not in day.seated:
        physical = day.configuration is not None and day.configuration.physical
        return somebody(day, "dealer" if physical else "floorperson" if day.by_hand else "player")
    did = []
    if isinstance(task.do, a.Approve):
        did = [day.proposals[task.do.number].by]
    if isinstance(task.do, a.Prepare):
        did = [day.decks[task.do.deck].inspected_by]
    return somebody(day, task.who, seat=task.seat, other_than=did)


def anybody(rng: Random, day: Day) -> Actor:
    """Any person of any role; now and then under another's name, or a program."""
    role = rng.choice(list(PEOPLE))
    if rng.random() < 0.5:
        return somebody(day, role)
    names = PEOPLE[rng.choice(list(PEOPLE))] if rng.random() < 0.2 else PEOPLE[role]
    return Actor(name=rng.choice(names), role=role, automatic=rng.random() < 0.2)


def permitted(day: Day, action: a.AnyAction) -> tuple[Role, ...]:
    """Who may ask for something at a table for play; a supervisor is a floorperson too."""
    roles = WHO[type(action)]
    physical = day.configuration is not None and day.configuration.physical
    if physical and isinstance(action, g.Wager | g.TakeBack | g.Bet | g.Fold):
        roles = (*roles, "dealer")
    if day.by_hand and day.in_round:
        roles = (*roles, "floorperson")
    return roles


WHO: dict[type[Action], tuple[Role, ...]] = {
    a.TellTime: ("system",),
    a.SealDeck: ("system",),
    a.AbandonSealed: ("system",),
    **dict.fromkeys(
        (a.OpenDay, a.CloseDay, a.Fill, a.Credit, a.Drop, a.Propose, a.Approve, a.Withdraw),
        ("floorperson",),
    ),
    **dict.fromkeys(
        (a.Designate, a.CloseTable, a.AssignDealer, a.ReceiveDeck, a.RemoveDeck),
        ("floorperson",),
    ),
    **dict.fromkeys(
        (a.OrderRecut, a.OrderShuffle, a.UseMethod, a.RestoreDevice, a.Confirm),
        ("floorperson",),
    ),
    **dict.fromkeys((g.Correct, g.CorrectCard), ("floorperson",)),
    **dict.fromkeys((a.BuyIn, a.StartShuffle, a.JamShuffler, a.FinishShuffle), ("dealer",)),
    **dict.fromkeys((a.Cut, a.Load, a.StartRound, a.DealOut, a.ReportCard), ("dealer",)),
    **dict.fromkeys((a.CountStub, a.CallOff, g.CloseBets, g.LockProgressive), ("dealer",)),
    **dict.fromkeys((g.CollectProgressive, g.Deal, g.Turn), ("dealer",)),
    **dict.fromkeys((g.Settle, g.SettleAll, g.Close), ("dealer",)),
    **dict.fromkeys((a.FailDevice, a.MarkDevice, g.Incident), ("dealer", "floorperson")),
    a.Interrupt: ("dealer", "floorperson", "system"),
    a.Prepare: ("dealer", "floorperson", "player"),
    a.GoIdle: ("dealer", "player"),
    a.SitDown: ("player",),
    a.StandUp: ("player", "floorperson"),
    a.TellWord: ("player",),
    a.FixCut: ("system",),
    a.Expire: ("floorperson", "system"),
    **dict.fromkeys((g.Wager, g.TakeBack, g.Bet, g.Fold), ("player",)),
    a.ForceDeck: (),
    a.ForceCut: (),
}


# ---------------------------------------------------------------- a day


class Done(NamedTuple):
    """One thing that was asked for and done."""

    before: Day
    entry: Entry
    after: Day


class DayPlayer:
    """A table, its record, and what its people draw by lot."""

    def __init__(self, filed: Submission, seed: str) -> None:
        self.rng = Random(seed)
        self.entropy = scripted_entropy(seed)
        self.filed = filed
        self.day = new_day("T", books())
        self.record: list[Entry] = []
        self.manners = random_manners(self.rng)
        self.words: dict[int, str] = {}

    def do(self, by: Actor, action: a.AnyAction) -> Done:
        """Ask for something; whoever asks hears a refusal."""
        before = self.day
        entry, self.day = advance(before, by, action)
        self.record.append(entry)
        return Done(before, entry, self.day)

    def accepts(self, by: Actor, action: a.AnyAction) -> RiverboatError | None:
        """Why something would be refused, if it would."""
        try:
            advance(self.day, by, action)
        except RiverboatError as refusal:
            return refusal
        return None

    def action_of(self, task: Task) -> a.AnyAction | None:
        """A task's ready action, or one with what only a person, a deck or a clock can give."""
        if isinstance(task.do, g.Wager) and self._may_seal(task.do):
            return self.sealing(task.do)
        return task.do if task.do is not None else self._suitable(task)

    def _may_seal(self, wager: g.Wager) -> bool:
        """Who sits first seals a word with the ante; whether it is told is another matter."""
        deck, person = self.day.deck_in_play, wager.seat not in self.day.programs
        sealed = deck is not None and deck.sealed is not None
        return sealed and person and wager.seat == 1 and self.day.playing.phase == "betting"

    def _suitable(self, task: Task) -> a.AnyAction | None:
        day = self.day
        if day.configuration is None:
            return a.Propose(submission=self.filed)
        if not day.date:
            return a.OpenDay(date="2026-11-15", tray_cents=OPENING_TRAY)
        if not day.in_round and not day.dealer:
            name = automatic("dealer").name if day.configuration.demo else PEOPLE["dealer"][0]
            return a.AssignDealer(name=name)
        if task.who == "system":
            return self._by_system()
        if task.who == "player":
            return self._by_player(task)
        return self._next_card() if day.in_round and task.who == "dealer" else None

    def _by_system(self) -> a.AnyAction | None:
        day = self.day
        shuffled = [d for d in day.decks.values() if d.stage == "shuffled" and d.sealed is None]
        return self.seal(shuffled[0].name) if shuffled else None

    def _by_player(self, task: Task) -> a.AnyAction | None:
        day = self.day
        if not day.seated:
            return a.SitDown(seat=1)
        word = self.words.get(task.seat, "") if day.in_round else ""
        return a.TellWord(seat=task.seat, word=word) if word and task.seat in day.untold else None

    def sealing(self, wager: g.Wager) -> g.Wager:
        """A wager with the seal of a fresh word, which is kept for later; one word a seat."""
        if wager.seat in self.day.seals:
            return replace(wager, seal=self.day.seals[wager.seat])
        deck = self.day.deck_in_play
        assert deck is not None
        assert deck.sealed is not None
        self.words[wager.seat] = fresh_word(self.entropy)
        seal = player_seal(deck.sealed.root, wager.seat, self.words[wager.seat])
        return replace(wager, seal=seal)

    def seal(self, deck: str) -> a.SealDeck:
        """A fresh order for a deck."""
        order, salts = shuffle(self.entropy), fresh_salts(self.entropy)
        return a.SealDeck(deck=deck, order=order, salts=salts, word=fresh_word(self.entropy))

    def _next_card(self) -> a.AnyAction:
        day = self.day
        left = [card for card in DECK if card not in (*day.reported, *day.left_out)]
        return a.ReportCard(card=self.rng.choice(left))

    def follow(self) -> Done:
        """Do what the prompt says: the first thing that must be done, or else that may be done."""
        tasks = prompt(self.day).tasks
        must = [task for task in tasks if not task.optional]
        for task in (*must, *tasks):
            action = self.action_of(task)
            if action is not None:
                return self.do(right_person(self.day, task), action)
        raise AssertionError(f"nothing can be done: {tasks}")

    def follow_until(self, arrived: Callable[[Day], bool], most: int = 300) -> int:
        """Follow the prompt until the table stands so; how many steps it took."""
        for steps in range(most):
            if arrived(self.day):
                return steps
            self.follow()
        raise AssertionError(f"after {most} steps still at: {prompt(self.day)}")

    def close(self) -> None:
        """By the prompt: close the table, take the drop box away and close the gaming day."""
        while self.day.date:
            closing = (a.CloseTable, a.Drop, a.CloseDay)
            task = next(t for t in prompt(self.day).tasks if isinstance(t.do, closing))
            assert task.do is not None
            self.do(right_person(self.day, task), task.do)


# ---------------------------------------------------------------- what people ask for


def right_asker(rng: Random, day: Day, action: a.AnyAction) -> Actor:
    """Somebody who may ask for an action."""
    roles = permitted(day, action) or ("lab",)
    step = getattr(action, "step", "")
    wanted: dict[str, Role] = {"verify": "floorperson", "first_player_looks": "player"}
    role: Role = wanted.get(step, "dealer") if step else rng.choice(roles)
    if role == "lab":
        return LAB
    if role == "floorperson" and rng.random() < 0.3:
        role = "supervisor"
    proposal = day.proposals.get(action.number) if isinstance(action, a.Approve) else None
    did = [proposal.by] if proposal is not None else []
    return somebody(day, role, seat=getattr(action, "seat", 0), other_than=did)


def round_request(player: DayPlayer) -> a.AnyAction | None:
    """Something that a round allows: side bets, folds, raises, mistakes, incidents."""
    state, rng = player.day.playing, player.rng
    asked = likely(rng, state, legal(state), player.manners)
    if isinstance(asked, g.Wager):
        seat = rng.choice([*player.day.seated, asked.seat])
        return replace(asked, seat=seat, player=player.day.seated.get(seat, ""))
    return asked  # type: ignore[return-value]


def day_request(player: DayPlayer) -> a.AnyAction:
    """Something that happens at a table around its rounds, with arguments that make sense."""
    rng, day = player.rng, player.day
    requests = list(_floor_requests(player))
    requests += _time_and_people(rng, day)
    requests += _device_requests(rng, day)
    for deck in day.decks.values():
        requests += _deck_requests(rng, day, deck.name, deck.stage)
    if day.in_round:
        requests += _count_requests(rng, day)
        requests += _card_requests(rng, day)
        requests += _turn_requests(day)
    return rng.choice(requests)


def _floor_requests(player: DayPlayer) -> Iterator[a.AnyAction]:
    rng, day = player.rng, player.day
    yield a.Fill(cents=rng.choice((1, 500_00, 0)))
    yield a.Credit(cents=rng.choice((1, 200_00, day.accounts.tray_cents, 10**9)))
    yield a.BuyIn(seat=rng.choice([*day.seated, 1]), cents=rng.choice((100_00, 25, -5)))
    yield a.Drop(cents=rng.choice((day.accounts.in_box_cents, 0, 7)))
    if rng.random() < 0.3:
        yield a.CloseTable()
    filed = [s for s in tables().values() if s.test == player.filed.test]
    same = [s for s in filed if s.rulebook == player.filed.rulebook]
    yield a.Propose(submission=rng.choice(same if rng.random() < 0.8 else filed))
    for number in day.proposals:
        yield rng.choice((a.Approve(number=number), a.Withdraw(number=number)))
    yield a.Interrupt(reason="no power")
    if day.interrupted:
        yield a.Confirm(statement=day.interrupted, decision="resume")
        yield a.Confirm(statement=day.interrupted, decision="void")
        yield a.Confirm(statement=day.interrupted, decision="by_hand")


def _time_and_people(rng: Random, day: Day) -> Iterator[a.AnyAction]:
    yield a.TellTime(at=day.now + rng.choice((0, 60, 1800, 4 * 3600, 8 * 3600)))
    yield a.AssignDealer(name=rng.choice(PEOPLE["dealer"]))
    free = [seat for seat in range(1, 7) if seat not in day.seated]
    yield from (a.SitDown(seat=seat) for seat in free[:1])
    yield from (a.StandUp(seat=seat) for seat in list(day.seated)[:1])
    yield a.GoIdle(face_up=rng.random() < 0.3)


def _device_requests(rng: Random, day: Day) -> Iterator[a.AnyAction]:
    if day.device == "working":
        yield a.FailDevice(reason="smoke")
        return
    yield a.MarkDevice(how=rng.choice(("covered", "signed")))
    yield a.RestoreDevice()
    if day.configuration is not None:
        for dealing, by in day.configuration.fallbacks:
            yield a.UseMethod(dealing=dealing, shuffle=by)


def _deck_requests(rng: Random, day: Day, deck: str, stage: str) -> Iterator[a.AnyAction]:
    yield a.RemoveDeck(deck=deck, reason="worn")
    match stage:
        case "received":
            yield a.Prepare(deck=deck, step="inspect", defects=rng.choice(("", "a crimp")))
            yield a.RemoveDeck(deck=deck, reason="pre-shuffled ones are used instead")
        case "shuffling":
            yield a.JamShuffler(deck=deck)
            yield a.FinishShuffle(deck=deck, count=rng.choice((0, 51, 52, 53)))
            if day.configuration is not None and day.configuration.counts_cards:
                yield from [a.FinishShuffle(deck=deck, count=51)] * 3
        case "shuffled" | "ready" | "in_play":
            yield a.OrderRecut(deck=deck, reason="a shallow cut")
            yield a.OrderShuffle(deck=deck, reason="the floor wants it")
            yield a.Cut(deck=deck, depth=rng.choice((9, 10, 26, 51, 52)))


def _count_requests(rng: Random, day: Day) -> Iterator[a.AnyAction]:
    counts = card_counts(day.setup, sorted(day.playing.seats))
    stub = 52 - sum(counts.values()) - len(day.left_out)
    place = rng.choice([*counts, "ceiling"])
    more = {place: counts.get(place, 0) + 1}
    yield a.CountStub(cards=stub)
    yield a.CountStub(cards=stub - 1)
    yield a.CountStub(cards=stub - 1, places=more)


def _turn_requests(day: Day) -> Iterator[a.AnyAction]:
    turn = seat_to_act(day.playing)
    if turn is not None:
        yield a.Expire(seat=turn, seconds=60)


def _card_requests(rng: Random, day: Day) -> Iterator[a.AnyAction]:
    card = rng.choice(DECK)
    yield a.ForceCut(depth=rng.randint(0, 55))
    yield a.FixCut(without=day.untold, seconds=rng.randint(0, 1))
    yield from (a.TellWord(seat=seat, word=LUCK) for seat in day.untold)
    if day.configuration is not None and day.configuration.physical:
        yield a.ReportCard(card=card, how=rng.choice(("dealt", "face_up", "drawn_in_error")))
        places = [*map(str, day.playing.seats), "community"]
        for place in places:
            yield g.CorrectCard(place=place, number=rng.randint(1, 3), card=card, reason="misread")
        if day.reported:
            yield from [
                g.CorrectCard(place=p, number=1, card=card, reason="smudged") for p in places
            ]


def received_preshuffled(rng: Random, day: Day) -> a.AnyAction:
    """A deck that skips the opening steps, where the rulebook lets it."""
    back = rng.choice(("red", "blue"))
    design = next((deck.design for deck in day.decks.values()), "house")
    return a.ReceiveDeck(deck=back, back=back, design=design, preshuffled=True)


KINDS = tuple(get_args(a.DayAction))


def anything(player: DayPlayer) -> a.AnyAction:
    """Any action of any kind with any arguments that can be written down."""
    rng, day = player.rng, player.day
    if day.in_round and rng.random() < 0.5:
        return wild(rng, day.playing, legal(day.playing))  # type: ignore[return-value]
    kind = rng.choice(KINDS)
    if kind is a.Propose:
        filed = rng.choice(list(tables().values()))
        broken = replace(filed, rulebook=rng.choice((filed.rulebook, "atlantis")), signs=())
        return a.Propose(submission=broken)
    if kind in (a.SealDeck, a.ForceDeck):
        deck = rng.choice((*day.decks, "red"))
        sealed = player.seal(deck)
        order = rng.choice((sealed.order, sealed.order[:51], DECK))
        word = rng.choice((sealed.word, "luck"))
        return kind(deck=deck, order=order, salts=sealed.salts, word=word)  # type: ignore[no-any-return]
    arguments = {field.name: _any_value(rng, day, field.name) for field in fields(kind)}
    if kind in (a.Cut, a.ForceCut):
        arguments["depth"] = rng.randint(0, 60)
    if kind in _HOW:
        arguments["how"] = rng.choice(_HOW[kind])
    return kind(**arguments)  # type: ignore[no-any-return]


_HOW: dict[type, tuple[str, ...]] = {
    a.MarkDevice: ("covered", "signed"),
    a.ReportCard: ("dealt", "face_up", "drawn_in_error"),
}


def _any_value(rng: Random, day: Day, name: str) -> object:
    methods = ("manual", "automated", "continuous")
    values: dict[str, Sequence[object]] = {
        "at": (day.now, day.now - 1, day.now + 3600, -1),
        "date": ("2026-11-15", "", " "),
        "tray_cents": (0, -1, OPENING_TRAY),
        "cents": (0, -1, 1, 100_00, 10**9),
        "seat": range(-1, 9),
        "seconds": (-1, 0, 60),
        "number": range(-1, 6),
        "name": ("", *PEOPLE["dealer"], *PEOPLE["floorperson"]),
        "deck": ("", "red", "blue", "green", *day.decks),
        "back": ("", "red", "blue", "green"),
        "design": ("standard", "house"),
        "preshuffled": (True, False),
        "step": (*STEPS, "stack", "shuffle", "juggle"),
        "defects": ("", "a crimp"),
        "count": (0, -1, *range(40, 55)),
        "word": ("", "for luck", LUCK),
        "without": ((), (1,), (2, 5)),
        "reason": ("", "because"),
        "face_up": (True, False),
        "card": range(-1, 53),
        "cards": (-1, *range(40, 55)),
        "places": ({}, {"1": 3}, {"community": 2}, {"1": -1}, {"ceiling": 1}),
        "dealing": ("manual_shoe", "hand", "automated", "rotation", ""),
        "shuffle": (*methods, ""),
        "statement": (day.interrupted, "all was well"),
        "decision": ("resume", "void", "by_hand"),
    }
    return rng.choice(values.get(name, (None,)))


def stacked(
    day: Day, deck: str, order: tuple[int, ...], salts: tuple[str, ...], depth: int
) -> a.SealDeck:
    """A deck that is cut so deep where no player has a word in it: the house tries words of its own
    until one does so. That is why a cut by the house's word alone proves nothing."""
    low, high = depths(day, day.decks[deck])
    words = (f"{tried:064x}" for tried in count())
    for word in words:
        root = commit(day.table, day.commitments + 1, order, salts, word).root
        if cut_depth(root, word, {}, low, high) == depth:
            return a.SealDeck(deck=deck, order=order, salts=salts, word=word)
    raise AssertionError
