"""Who may ask for what: every role against every kind of action, where the action is legal.

The table is led through its day by the prompt. At the first moment at which somebody may do
something of a kind, everybody tries to.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, get_args

import pytest
from msgspec.structs import replace

from riverboat.core.cards import DECK
from riverboat.core.errors import Refused, RiverboatError
from riverboat.core.records import Action
from riverboat.round import actions as g
from riverboat.round.settlement.payment import remaining
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.engine import advance
from riverboat.table.people import SYSTEM, Actor, Role, automatic
from riverboat.table.procedures.decks import fixing
from tests.support.day_player import (
    LAB,
    MARYLAND,
    WHO,
    DayPlayer,
    books,
    permitted,
    submission,
    tables,
)

ROLES: tuple[Role, ...] = get_args(Role)
KINDS = (*get_args(a.DayAction), *get_args(g.AnyAction))
FLO = Actor(name="Flo", role="floorperson")
FRED = Actor(name="Fred", role="floorperson")
SUE = Actor(name="Sue", role="supervisor")
PERSONAL = {"person.may_not", "person.not_theirs", "person.automatic", "table.not_test"}
PERSONAL |= {"table.test", "dealer.not_on_duty", "cut.house", "idle.face_down", "seat.not_yours"}

Finder = Callable[[DayPlayer], Action | None]


class Moment(NamedTuple):
    """A table at a moment at which an action is legal."""

    day: Day
    action: a.AnyAction


def refusal(day: Day, by: Actor, action: a.AnyAction) -> RiverboatError | None:
    """Why somebody may not, if so."""
    try:
        advance(day, by, action)
    except RiverboatError as refused:
        return refused
    return None


def person(day: Day, role: Role, action: a.AnyAction) -> Actor:
    """Somebody of a role: the dealer on duty, the player of the seat; nobody's first half."""
    if role == "dealer":
        return Actor(name=day.dealer or "Dana", role=role)
    if role == "player":
        return Actor(name=day.seated.get(getattr(action, "seat", 1), "Ann"), role=role)
    others: dict[Role, Actor] = {"floorperson": FRED, "supervisor": SUE, "lab": LAB}
    return others.get(role, SYSTEM)


def who_may(moment: Moment) -> set[Role]:
    """Every role that is heard."""
    day, action = moment
    return {r for r in ROLES if refusal(day, person(day, r, action), action) is None}


# ---------------------------------------------------------------- a day that is led to each moment


def _deck(player: DayPlayer) -> str:
    return next(iter(player.day.decks), "red")


def _in_stage(kind: type, stage: str) -> Finder:
    def find(player: DayPlayer) -> Action | None:
        decks = [deck.name for deck in player.day.decks.values() if deck.stage == stage]
        more: dict[str, object] = {}
        if kind in (a.OrderRecut, a.OrderShuffle):
            more["reason"] = "so"
        if kind is a.Cut:
            more["depth"] = 26
        return kind(deck=decks[0], **more) if decks else None

    return find


def _sealing(kind: type) -> Finder:
    def find(player: DayPlayer) -> Action | None:
        sealed = player.seal(_deck(player))
        told = {name: getattr(sealed, name) for name in sealed.__struct_fields__}
        return kind(**told)  # type: ignore[no-any-return]

    return find


def _telling(player: DayPlayer) -> Action | None:
    """Ann's word, which she sealed with her ante."""
    if player.day.in_round and 1 in player.day.untold:
        return a.TellWord(seat=1, word=player.words[1])
    return None


def _settling(player: DayPlayer) -> Action | None:
    day = player.day
    if not day.in_round or day.playing.phase != "settling" or not remaining(day.playing):
        return None
    due = remaining(day.playing)[0]
    return g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents)


def _deal(player: DayPlayer) -> Action | None:
    return g.Deal(places={"1": DECK[:2], "community": DECK[2:5]})


def _fallback(player: DayPlayer) -> Action | None:
    configuration = player.day.configuration
    found = configuration.fallbacks if configuration is not None else ()
    return a.UseMethod(dealing=found[0][0], shuffle=found[0][1]) if found else None


def _step(player: DayPlayer) -> Action | None:
    return a.Prepare(deck=_deck(player), step="inspect")


FINDERS: dict[type, Finder] = {
    a.TellTime: lambda p: a.TellTime(at=p.day.now),
    a.AbandonSealed: lambda p: a.AbandonSealed(reason="its key is lost", first="Sue", second="Flo"),
    a.OpenDay: lambda p: a.OpenDay(date="2026-11-15", tray_cents=1),
    a.CloseDay: lambda p: a.CloseDay(tray_cents=1),
    a.Fill: lambda p: a.Fill(cents=1),
    a.Credit: lambda p: a.Credit(cents=1),
    a.BuyIn: lambda p: a.BuyIn(seat=1, cents=1),
    a.Drop: lambda p: a.Drop(cents=0),
    a.Propose: lambda p: a.Propose(submission=p.filed),
    a.Approve: lambda p: a.Approve(number=max(p.day.proposals, default=0)),
    a.Withdraw: lambda p: a.Withdraw(number=max(p.day.proposals, default=0)),
    a.Designate: lambda p: a.Designate(),
    a.CloseTable: lambda p: a.CloseTable(),
    a.AssignDealer: lambda p: a.AssignDealer(name="Dirk"),
    a.SitDown: lambda p: a.SitDown(seat=2) if not p.day.seated else None,
    a.StandUp: lambda p: a.StandUp(seat=1),
    a.ReceiveDeck: lambda p: a.ReceiveDeck(deck="red", back="red"),
    a.Prepare: _step,
    a.StartShuffle: _in_stage(a.StartShuffle, "stacked"),
    a.JamShuffler: _in_stage(a.JamShuffler, "shuffling"),
    a.FinishShuffle: _in_stage(a.FinishShuffle, "shuffling"),
    a.SealDeck: _sealing(a.SealDeck),
    a.ForceDeck: _sealing(a.ForceDeck),
    a.Cut: _in_stage(a.Cut, "shuffled"),
    a.TellWord: _telling,
    a.FixCut: lambda p: fixing(p.day) if p.day.in_round else None,
    a.ForceCut: lambda p: a.ForceCut(depth=26),
    a.OrderRecut: _in_stage(a.OrderRecut, "shuffled"),
    a.OrderShuffle: _in_stage(a.OrderShuffle, "ready"),
    a.Load: _in_stage(a.Load, "shuffled"),
    a.RemoveDeck: lambda p: a.RemoveDeck(deck=_deck(p), reason="worn"),
    a.GoIdle: lambda p: a.GoIdle(),
    a.StartRound: lambda p: a.StartRound(),
    a.CallOff: lambda p: a.CallOff(),
    a.DealOut: lambda p: a.DealOut(),
    a.ReportCard: lambda p: a.ReportCard(card=0),
    a.CountStub: lambda p: a.CountStub(cards=47) if p.day.in_round else None,
    a.Expire: lambda p: a.Expire(seat=1, seconds=60),
    a.FailDevice: lambda p: a.FailDevice(reason="smoke") if p.day.dealer else None,
    a.MarkDevice: lambda p: a.MarkDevice(how="signed"),
    a.UseMethod: _fallback,
    a.RestoreDevice: lambda p: a.RestoreDevice(),
    a.Interrupt: lambda p: a.Interrupt(reason="no power") if p.day.dealer else None,
    a.Confirm: lambda p: a.Confirm(statement=p.day.interrupted, decision="resume"),
    g.Wager: lambda p: g.Wager(seat=1, spot="ante", cents=10_00, player=p.day.seated.get(1, "")),
    g.TakeBack: lambda p: g.TakeBack(seat=1, spot="ante"),
    g.CloseBets: lambda p: g.CloseBets(),
    g.LockProgressive: lambda p: g.LockProgressive(),
    g.CollectProgressive: lambda p: g.CollectProgressive(chips=0),
    g.Deal: _deal,
    g.Bet: lambda p: g.Bet(seat=1, cents=_ante(p)),
    g.Fold: lambda p: g.Fold(seat=1),
    g.Turn: lambda p: g.Turn(),
    g.Settle: _settling,
    g.SettleAll: lambda p: g.SettleAll() if _settling(p) else None,
    g.Correct: lambda p: g.Correct(seat=1, spot="ante", cents=100, reason="miscount"),
    g.Incident: lambda p: g.Incident(what="shoe_jam"),
    g.CorrectCard: lambda p: _correction(p),
    g.Close: lambda p: g.Close(),
}


def _ante(player: DayPlayer) -> int:
    day = player.day
    return day.playing.seats[1].wagers.get("ante", 0) if day.in_round and day.playing.seats else 0


def _correction(player: DayPlayer) -> Action | None:
    day = player.day
    free = [card for card in DECK if card not in day.reported]
    return g.CorrectCard(place="community", number=1, card=free[0], reason="misread")


def _journey(player: DayPlayer) -> Iterator[DayPlayer]:
    """A table through a day by the prompt, and on a branch through every kind of trouble."""
    yield player
    for _ in range(90):
        player.follow()
        yield player
        if _is_empty_test_table(player.day):
            player.do(LAB, a.SitDown(seat=1))
        if player.day.round_number == 2 and not player.day.in_round:
            break
    for trouble in (_change, _device_trouble, _interruption, _close):
        yield from trouble(_branch(player))


def _is_empty_test_table(day: Day) -> bool:
    test = day.configuration is not None and day.configuration.test
    return test and day.phase == "open" and not day.seated


def _branch(player: DayPlayer) -> DayPlayer:
    other = DayPlayer(player.filed, "on a branch")
    other.day = player.day
    return other


def _by(player: DayPlayer, role: Role) -> Actor:
    configuration = player.day.configuration
    assert configuration is not None
    if configuration.test:
        return LAB
    return automatic(role) if configuration.demo else Actor(name="Fred", role=role)


def _change(player: DayPlayer) -> Iterator[DayPlayer]:
    by = _by(player, "supervisor")
    player.do(by if by.automatic else replace(by, name="Pat"), a.Propose(submission=player.filed))
    yield player


def _device_trouble(player: DayPlayer) -> Iterator[DayPlayer]:
    if refusal(player.day, _by(player, "floorperson"), a.FailDevice(reason="smoke")) is None:
        player.do(_by(player, "floorperson"), a.FailDevice(reason="smoke"))
        yield player
        player.do(_by(player, "floorperson"), a.MarkDevice(how="covered"))
        yield player


def _interruption(player: DayPlayer) -> Iterator[DayPlayer]:
    """Before the deal of the next round, which is then entered by hand."""
    player.follow_until(lambda day: day.in_round and day.playing.phase == "ready")
    player.do(SYSTEM, a.Interrupt(reason="no power"))
    yield player
    words = player.day.interrupted
    player.do(_by(player, "floorperson"), a.Confirm(statement=words, decision="by_hand"))
    yield player


def _close(player: DayPlayer) -> Iterator[DayPlayer]:
    player.do(_by(player, "floorperson"), a.CloseTable())
    yield player


FORCED = (a.ForceDeck, a.ForceCut)
TABLES = (MARYLAND, "two decks by hand", "physical cards")


@cache
def moments(table: str, *, configured: bool = False) -> dict[type, Moment]:
    """For every kind of action the first moment at a table at which somebody may do it."""
    found: dict[type, Moment] = {}
    for player in _journey(DayPlayer(tables()[table], f"permissions {table}")):
        if configured and player.day.configuration is None:
            continue
        for kind, find in FINDERS.items():
            action = None if kind in found else find(player)
            if action is None:
                continue
            moment = Moment(player.day, action)  # type: ignore[arg-type]
            if who_may(moment):
                found[kind] = moment
    return found


def where(kind: type, *, configured: bool = False) -> Moment:
    """The moment for a kind of action, at the first table that knows it."""
    found = [moments(table, configured=configured) for table in TABLES]
    return next(kinds[kind] for kinds in found if kind in kinds)


# ---------------------------------------------------------------- tests


def test_every_kind_of_action_is_tried() -> None:
    assert set(FINDERS) == set(KINDS) == set(WHO)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in FORCED])
def test_exactly_the_right_roles_may(kind: type) -> None:
    day, action = where(kind)
    expected: set[Role] = set(permitted(day, action))
    if kind is a.Prepare:
        expected = {"dealer"}
    if kind is a.GoIdle:
        expected = {"dealer"}
    if "floorperson" in expected:
        expected.add("supervisor")
    if day.configuration is None and kind not in (a.Propose, a.Approve):
        expected.add("lab")

    assert who_may(Moment(day, action)) == expected
    for role in set(ROLES) - expected:
        refused = refusal(day, person(day, role, action), action)
        assert refused is not None
        assert refused.code in PERSONAL, refused


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "dealer" in WHO[kind]])
def test_a_dealer_who_is_not_on_duty_may_not(kind: type) -> None:
    day, action = where(kind)
    refused = refusal(day, Actor(name="Dora", role="dealer"), action)
    assert refused is not None
    assert refused.code == "dealer.not_on_duty"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (a.OpenDay, *FORCED)])
def test_a_program_may_do_nothing_for_people_where_the_table_is_no_demo(kind: type) -> None:
    day, action = where(kind, configured=True)
    staff: tuple[Role, ...] = ("dealer", "floorperson", "supervisor")
    for role in staff:
        program = replace(person(day, role, action), automatic=True)
        refused = refusal(day, program, action)
        assert refused is not None
        assert refused.code == "person.automatic"


def test_at_a_demo_table_programs_do_whatever_people_would() -> None:
    done = 0
    for kind, (day, action) in moments("demo", configured=True).items():
        for role in permitted(day, action):
            by = person(day, role, action)
            if kind is a.Prepare and role != "dealer":
                continue
            if kind is a.GoIdle and role == "player":
                continue
            program = (
                replace(by, automatic=True) if role in ("player", "system") else automatic(role)
            )
            if role == "player" and action.__struct_fields__[:1] == ("seat",) and day.seats_of(by):
                assert refusal(day, program, action) is not None, "a person sits there"
            seats = replace(day, programs=frozenset(day.seated)) if role == "player" else day
            assert refusal(seats, program, action) is None, (kind, role)
            done += 1
    assert done > 40


def test_at_a_test_table_a_lab_may_do_everything_and_a_player_nothing() -> None:
    found = moments("test table")
    for day, action in found.values():
        assert refusal(day, LAB, action) is None, action
        if day.configuration is not None:
            refused = refusal(day, Actor(name="Ann", role="player"), action)
            assert refused is not None
            assert refused.code == "table.test"
    assert a.ForceDeck in found
    missing = set(KINDS) - set(found)
    elsewhere = {a.Cut, a.OrderRecut, a.ReportCard, g.CorrectCard, g.Deal}
    assert missing <= elsewhere, missing - elsewhere


def test_no_table_for_play_takes_a_forced_deck() -> None:
    day, sealing = where(a.SealDeck)
    assert isinstance(sealing, a.SealDeck)
    order, salts, word = sealing.order, sealing.salts, sealing.word
    forced = a.ForceDeck(deck=sealing.deck, order=order, salts=salts, word=word)
    for role in ROLES:
        refused = refusal(day, person(day, role, forced), forced)
        assert refused is not None
        assert refused.code in ("person.may_not", "table.not_test")


@pytest.mark.parametrize(
    ("step", "by"),
    [
        ("inspect", {"dealer"}),
        ("verify", {"floorperson", "supervisor"}),
        ("spread_face_up", {"dealer"}),
        ("first_player_looks", {"player"}),
        ("turn_face_down", {"dealer"}),
        ("wash", {"dealer"}),
        ("stack", {"dealer"}),
    ],
)
def test_each_opening_step_belongs_to_somebody(step: str, by: set[Role]) -> None:
    player = DayPlayer(tables()[MARYLAND], "steps")
    action = a.Prepare(deck="red", step=step)
    player.follow_until(lambda day: bool(who_may(Moment(day, action))))
    assert who_may(Moment(player.day, action)) == by


def test_cards_go_face_up_only_for_a_player() -> None:
    day, _ = where(a.GoIdle)
    assert who_may(Moment(day, a.GoIdle(face_up=True))) == set()
    assert who_may(Moment(day, a.GoIdle())) == {"dealer"}
    dealer = Actor(name=day.dealer, role="dealer")
    _, spread = advance(day, dealer, a.GoIdle())
    assert who_may(Moment(spread, a.GoIdle(face_up=True))) == {"player"}


def test_nobody_chooses_the_depth_of_a_committed_cut() -> None:
    day, _ = where(a.FixCut)
    assert who_may(Moment(day, a.ForceCut(depth=26))) == set()


def test_a_player_without_a_sealed_word_tells_none() -> None:
    day, telling = where(a.TellWord)
    assert isinstance(telling, a.TellWord)
    refused = refusal(day, Actor(name="Zoe", role="player"), telling)
    assert refused is not None
    assert refused.code == "seat.not_yours"
    lone = replace(day, seals={})
    refused = refusal(lone, Actor(name="Ann", role="player"), telling)
    assert refused is not None
    assert refused.code == "word.none"


@pytest.mark.parametrize("kind", [g.Wager, g.TakeBack, g.Bet, g.Fold, a.StandUp])
def test_nobody_plays_anothers_seat(kind: type) -> None:
    day, action = where(kind)
    refused = refusal(day, Actor(name="Zoe", role="player"), action)
    assert refused is not None
    assert refused.code == "seat.not_yours"


@pytest.mark.parametrize("kind", [g.TakeBack, g.Bet, g.Fold])
def test_where_cards_are_physical_the_dealer_enters_what_players_do(kind: type) -> None:
    moment = moments("physical cards")[kind]
    assert who_may(moment) == {"player", "dealer"}


def test_a_round_that_is_finished_by_hand_is_entered_by_the_floor() -> None:
    day, deal = where(g.Deal)
    assert day.by_hand
    assert who_may(Moment(day, deal)) == {"dealer", "floorperson", "supervisor"}


def test_who_inspected_a_deck_does_not_verify_it() -> None:
    player = DayPlayer(tables()[MARYLAND], "two people")
    player.follow_until(lambda day: any(d.stage == "inspected" for d in day.decks.values()))
    day = player.day
    opening = books()[MARYLAND][0].opening
    assert opening is not None
    verify = next(step for step in opening.steps if step.step == "verify")
    floor: tuple[Role, ...] = ("floorperson", "supervisor")
    for role in floor:
        same = Actor(name=day.dealer, role=role)
        refused = refusal(day, same, a.Prepare(deck="red", step="verify"))
        assert isinstance(refused, Refused)
        assert refused.code == "person.same"
        assert refused.cites == verify.cites
    assert refusal(day, FLO, a.Prepare(deck="red", step="verify")) is None


@pytest.mark.parametrize("role", ["floorperson", "supervisor"])
def test_who_proposed_a_configuration_does_not_approve_it(role: Role) -> None:
    player = DayPlayer(submission(MARYLAND), "two people")
    player.do(FLO, a.Propose(submission=player.filed))
    refused = refusal(player.day, Actor(name="Flo", role=role), a.Approve(number=1))
    assert refused is not None
    assert refused.code == "person.same"
    assert refusal(player.day, FRED, a.Approve(number=1)) is None


def test_a_lab_may_set_up_a_test_table_and_nothing_at_a_table_for_play() -> None:
    player = DayPlayer(tables()[MARYLAND], "lab")
    player.follow_until(lambda day: day.configuration is not None)
    for find in FINDERS.values():
        action = find(player)
        if action is not None:
            refused = refusal(player.day, LAB, action)  # type: ignore[arg-type]
            assert refused is not None
            assert refused.code == "table.not_test"
