"""A call from Python with a wrong type is refused like any other request, and changes nothing.

Which values are wrong for a field is worked out here from its annotation, a second time and another
way than the engines do it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import fields, replace

from riverboat.answers.payout_checker import Request, settle
from riverboat.controller.actions import AnyPress
from riverboat.controller.engine import advance as press
from riverboat.controller.state import Controller
from riverboat.core.cards import DECK
from riverboat.core.errors import FouledDeck, NotationError, Refused, RiverboatError
from riverboat.core.records import Action
from riverboat.floor.audit.auditing import audit
from riverboat.floor.disputes import decide_dispute, dispute_of, note_dispute, open_dispute
from riverboat.floor.floor import Floor
from riverboat.floor.replaying import replay_round
from riverboat.floor.starting import PACKAGE
from riverboat.floor.station import AnyAsked, Station
from riverboat.floor.station import decide as decide_station
from riverboat.keeping import actions as la
from riverboat.keeping.engine import keep, move_meter
from riverboat.ledger import open_ledger
from riverboat.meter.amounts import Meter
from riverboat.round import Round, open_round, play, replay, set_up, step
from riverboat.round import actions as g
from riverboat.round.legal import allows, legal
from riverboat.round.streets import deal_out
from riverboat.rulebooks import editions, load, load_all
from riverboat.table import actions as a
from riverboat.table.configuration.configure import configure, standard_submission
from riverboat.table.configuration.submission import Submission
from riverboat.table.engine import advance
from riverboat.table.people import Actor
from riverboat.wording.explaining import explain
from tests.floor.house import DATE, NOON, SECRET, TRAY
from tests.support.day_player import DayPlayer, tables
from tests.support.hall import FLO, SUE
from tests.support.meters import opened, stud
from tests.support.round_player import likely, random_manners, random_round, random_setup

ANYTHING: tuple[object, ...] = (
    *(1.0, 1000.0, float("nan"), True, False, None, "1", "fold", "", b"1", Decimal(1)),
    *(Fraction(1), [0, 1], (1.0,), ("1",), {}, {"1": [0, 1]}, {"1": (0.0,)}, {1: (0, 1)}, object()),
)
HALF = "\ud800"
ROUND_ACTIONS: tuple[type, ...] = get_args(g.AnyAction)
TABLE_ACTIONS: tuple[type, ...] = get_args(a.AnyAction)
PRESSES: tuple[type, ...] = get_args(AnyPress)
METER_ACTIONS: tuple[type, ...] = get_args(la.AnyMeterAction)


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of an annotated type, taken at its word."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in inside
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inside)
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, inside[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(
            fits(key, inside[0]) and fits(held, inside[1]) for key, held in value.items()
        )
    return type(value) is hint


def right(hint: Any) -> object:
    """Some value of an annotated type."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Literal or origin in (Union, UnionType):
        return inside[0] if origin is Literal else right(inside[0])
    if origin is tuple:
        return (right(inside[0]),)
    if origin is dict:
        return {right(inside[0]): right(inside[1])}
    if hint is Submission:
        return next(iter(tables().values()))
    plain: dict[type, object] = {int: 1, str: "ante", bool: False, Actor: FLO, NoneType: None}
    return plain[hint] if hint in plain else example(hint)


def example(kind: type) -> Any:
    """A well-formed action of a kind."""
    return kind(**{name: right(hint) for name, hint in hints(kind).items()})


def hints(kind: type) -> dict[str, Any]:
    told = get_type_hints(kind)
    return {field.name: told[field.name] for field in fields(kind)}


def wrong_calls(kinds: tuple[type, ...]) -> Iterator[Any]:
    """Every action with every one of its fields replaced by everything that it cannot be."""
    for kind in kinds:
        for name, hint in hints(kind).items():
            for value in ANYTHING:
                if not fits(value, hint):
                    yield replace(example(kind), **{name: value})
    yield from ("fold", None, 1, object(), g.Wager, {"do": "fold", "seat": 1}, FLO)


def with_half_a_character(kinds: tuple[type, ...]) -> Iterator[Any]:
    """Every action with half a character in every one of its texts, however deep it stands."""
    for kind in kinds:
        for name, hint in hints(kind).items():
            for value in (HALF, (HALF,), {HALF: (1,)}, replace(FLO, name=HALF)):
                if fits(value, hint):
                    yield replace(example(kind), **{name: value})


def half_refused(call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Said in words that can be printed, for the text that cannot."""
    with pytest.raises(Refused) as said:
        call(*arguments, **named)
    assert said.value.code == "argument.half_character"
    assert "has half a character" in str(said.value).encode().decode()


def refused(call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Said by our own error, with a code; never by an error that nobody meant."""
    with pytest.raises(RiverboatError) as said:
        call(*arguments, **named)
    assert said.value.code in ("action.unknown", "argument.bad_type", "setup.bad_value")


def some_round(seed: int) -> Round:
    """A round of some rulebook, some way on."""
    rng = Random(f"bad calls {seed}")
    book = rng.choice([one.book for one in load_all()])
    setup, _ = random_setup(rng, book)
    state, manners = random_round(rng, setup), random_manners(rng)
    for _ in range(rng.randint(0, 40)):
        action: Any = likely(rng, state, legal(state), manners)
        if action is None:
            break
        state = play(state, action)
    return state


@pytest.mark.parametrize("seed", range(8))
def test_a_round_refuses_every_wrong_type_and_stays_as_it_was(seed: int) -> None:
    state = some_round(seed)
    before, offers = repr(state), legal(state)
    for action in wrong_calls(ROUND_ACTIONS):
        refused(step, state, action)
        if isinstance(action, Action):
            assert not allows(offers, action)
    assert repr(state) == before


def test_a_round_is_made_again_told_and_dealt_from_what_it_is_made_of_only() -> None:
    state = some_round(1)
    setup, history = state.setup, state.history
    assert replay(setup, iter(history)) == state
    for wrong in (*ANYTHING, FLO):
        refused(replay, wrong, history)
        refused(explain, wrong)
        refused(deal_out, wrong, (1,), DECK)
        if not isinstance(wrong, Iterable):
            refused(replay, setup, wrong)
        if not isinstance(wrong, Sequence):
            refused(deal_out, setup, wrong, DECK)
            refused(deal_out, setup, (1,), wrong)
        with pytest.raises(NotationError, match="no event of a round") as said:
            replay(setup, (*history, wrong))  # type: ignore[arg-type]
        assert said.value.code == "event.unknown"
        with pytest.raises(FouledDeck, match="no such cards"):
            deal_out(setup, (1,), (wrong, *DECK[1:]))  # type: ignore[arg-type]
    for deck, code in (((0,) * 52, "deck.card_twice"), ((52, *DECK[1:]), "deck.unknown_card")):
        with pytest.raises(FouledDeck) as fouled:
            deal_out(setup, (1,), deck)
        assert fouled.value.code == code


def test_what_used_to_be_taken_is_refused_in_words() -> None:
    state = open_round(set_up(load("maryland-2014").book, {}))
    for action, said in (
        ("fold", "'fold' (str) is no action here"),
        (
            g.Wager(seat=1, spot="ante", cents=1000.0),  # type: ignore[arg-type]
            "Wager: cents is 1000.0 (float); a whole number is right",
        ),
        (
            g.Wager(seat="1", spot="ante", cents=1000),  # type: ignore[arg-type]
            "Wager: seat is '1' (str); a whole number is right",
        ),
        (
            g.Wager(seat=True, spot="ante", cents=1000),
            "Wager: seat is True (bool); a whole number is right",
        ),
    ):
        with pytest.raises(Refused) as refusal:
            play(state, action)  # type: ignore[arg-type]
        assert str(refusal.value) == said


def test_a_round_is_opened_with_a_setup_and_a_meter_only() -> None:
    setup = set_up(load("maryland-2014").book, {"progressive_wager": "1"})
    for wrong in (*ANYTHING, load("maryland-2014").book):
        refused(open_round, wrong)
        refused(step, wrong, g.Turn())
        if wrong is not None:
            refused(open_round, setup, wrong)
        for field in ("units", "reserve_units"):
            bad = replace(Meter(), **{field: wrong})
            refused(open_round, setup, bad)


def test_a_round_is_opened_with_a_meter_of_zero_or_more() -> None:
    setup = set_up(load("maryland-2014").book, {"progressive_wager": "1"})
    for below in (Meter(units=-1), Meter(reserve_units=-1), Meter(units=5, reserve_units=-5)):
        with pytest.raises(Refused) as said:
            open_round(setup, below)
        assert said.value.code == "meter.below_zero"
    assert open_round(setup, Meter()).meter == Meter()


@pytest.mark.parametrize("name", [one.book.id for one in load_all()])
def test_a_configuration_is_made_of_a_rulebook_and_its_own_submission_only(name: str) -> None:
    book = load(name).book
    filed = standard_submission(book, {}, name="T")
    for field, hint in get_type_hints(Submission).items():
        for value in ANYTHING:
            good = isinstance(value, dict) and not value if field == "table" else fits(value, hint)
            if not good:
                refused(configure, book, replace(filed, **{field: value}), rulebook_sha256="")
    for wrong in ANYTHING:
        refused(configure, wrong, filed, rulebook_sha256="")
        refused(configure, book, wrong, rulebook_sha256="")
        refused(standard_submission, wrong, {})
        if not isinstance(wrong, dict):
            refused(standard_submission, book, wrong)
        for argument, right in (("name", str), ("decks", int), ("physical", bool), ("demo", bool)):
            if wrong is not None and type(wrong) is not right:
                refused(standard_submission, book, {}, **{argument: wrong})
        if wrong is not None:
            refused(standard_submission, book, {}, shuffle=wrong)
        if not isinstance(wrong, str):
            refused(configure, book, filed, rulebook_sha256=wrong)
    with pytest.raises(Refused) as said:
        configure(book, replace(filed, rulebook="another"), rulebook_sha256="")
    assert said.value.code == "submission.other_rulebook"


@pytest.mark.parametrize("name", [one.book.id for one in load_all()])
def test_a_table_is_set_up_with_text_numbers_true_and_false_only(name: str) -> None:
    book = load(name).book
    keys = [*book.options, "three_card_bonus", "progressive", "bonus", "dealing", "meter", ""]
    for wrong in (*ANYTHING, [("seats", 1)]):
        if not isinstance(wrong, dict):
            refused(set_up, book, wrong)
        refused(set_up, wrong, {})
        if type(wrong) not in (str, bool, int):
            for key in keys:
                refused(set_up, book, {key: wrong})
    for name_of_key in (1, None, 1.5, ("seats",)):
        refused(set_up, book, {name_of_key: 1})
    with pytest.raises((Refused, NotationError)):
        set_up(book, {"seats": True})


def test_the_payout_checker_takes_text_only() -> None:
    book = load("maryland-2014").book
    request = Request(ante="10", cards="Ks Kd", board="Qc 7h 2d")
    assert settle(book, request).net_cents == 4000
    for name, hint in get_type_hints(Request).items():
        for value in ANYTHING:
            good = isinstance(value, dict) if name == "side_bets" else fits(value, hint)
            if not good:
                bad = replace(request, **{name: value})
                refused(settle, book, bad)
    refused(settle, "maryland-2014", request)
    refused(settle, book, "10")


# ---------------------------------------------------------------- the table's day and the meter


def wrong_people() -> Iterator[Any]:
    yield from ("Flo", None, 1, FLO.role)
    for name, hint in hints(Actor).items():
        for value in ANYTHING:
            if not fits(value, hint):
                yield replace(FLO, **{name: value})


@pytest.mark.parametrize("standing", ["new", "deciding", "settling"])
def test_a_table_refuses_every_wrong_type_and_stays_as_it_was(standing: str) -> None:
    player = DayPlayer(next(iter(tables().values())), "bad calls")
    if standing != "new":
        player.follow_until(lambda day: day.round is not None and day.round.phase == standing)
    day = player.day
    before = repr(day)
    station = Station(day=day, controller=Controller(table="T"))
    for action in wrong_calls(TABLE_ACTIONS):
        refused(advance, day, FLO, action)
    for action in wrong_calls(get_args(AnyAsked)):
        refused(decide_station, station, None, FLO, action)
    for by in wrong_people():
        refused(advance, day, by, a.StartRound())
        refused(decide_station, station, None, by, a.StartRound())
    refused(advance, "T", FLO, a.StartRound())
    assert repr(day) == before


def test_a_controller_and_a_meter_refuse_every_wrong_type_and_stay_as_they_were() -> None:
    hall = opened()
    table = hall.add("T1", stud())
    before = repr((table.controller, table.round, hall.link))
    controller, state, link = table.controller, table.round, hall.link
    for action in wrong_calls(PRESSES):
        refused(press, controller, FLO, action, round=state, link=link)
    for action in wrong_calls(METER_ACTIONS):
        refused(keep, link, SUE, action)
    for action in wrong_calls((la.MoveMeter,)):
        refused(move_meter, link, link, SUE, action)
    turn = example(la.TakeOutOfService)
    for by in wrong_people():
        refused(keep, link, by, turn)
        refused(press, controller, by, example(PRESSES[0]), round=state, link=link)
    for wrong in ("x", 1, object()):
        refused(keep, wrong, SUE, turn)
        refused(keep, link, SUE, turn, setup=wrong)
        refused(press, controller, FLO, example(PRESSES[0]), round=wrong, link=link)
    assert repr((table.controller, table.round, hall.link)) == before


def test_a_floor_refuses_every_wrong_type_and_writes_nothing_down(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "floor.db") as ledger:
        floor = Floor(ledger, editions(), SECRET, clock=lambda: NOON, package=PACKAGE / "rulebooks")
        opening = a.OpenDay(date=DATE, tray_cents=TRAY)
        floor.start()
        begun = ledger.head()
        for action in wrong_calls(get_args(AnyAsked)):
            refused(floor.ask, "c", FLO, "T", action)
        for action in wrong_calls(METER_ACTIONS):
            refused(floor.keep, "c", SUE, "M", action)
        for by in wrong_people():
            refused(floor.ask, "c", by, "T", opening)
            refused(floor.keep, "c", by, "M", example(la.JoinMeter))
        for wrong in (one for one in ANYTHING if not isinstance(one, str)):
            for call in ((wrong, FLO, "T", opening), ("c", FLO, wrong, opening)):
                refused(floor.ask, *call)
            for keeping in ((wrong, SUE, "M"), ("c", SUE, wrong)):
                refused(floor.keep, *keeping, example(la.JoinMeter))
            for sealing in ((wrong, "T", "A"), ("c", wrong, "A"), ("c", "T", wrong)):
                refused(floor.seal_deck, *sealing)
        assert ledger.head() == begun
        floor.ask("c", FLO, "T", opening)
        assert audit(ledger, editions(), SECRET).holds


def test_half_a_character_is_refused_at_every_door_and_nothing_is_written(tmp_path: Path) -> None:
    state = open_round(set_up(load("maryland-2014").book, {}))
    day = DayPlayer(next(iter(tables().values())), "half a character").day
    for action in with_half_a_character(ROUND_ACTIONS):
        half_refused(step, state, action)
        assert not allows(legal(state), action)
    for action in with_half_a_character(TABLE_ACTIONS):
        half_refused(advance, day, FLO, action)
    half_refused(open_ledger, tmp_path / HALF)
    nobody, opening = replace(FLO, name=HALF), a.OpenDay(date=DATE, tray_cents=TRAY)
    with open_ledger(tmp_path / "floor.db") as ledger:
        floor = Floor(ledger, editions(), SECRET, clock=lambda: NOON, package=PACKAGE / "rulebooks")
        floor.start()
        begun = ledger.head()
        for action in with_half_a_character(get_args(AnyAsked)):
            half_refused(floor.ask, "c", FLO, "T", action)
        for call in ((HALF, FLO, "T"), ("c", nobody, "T"), ("c", FLO, HALF)):
            half_refused(floor.ask, *call, opening)
        half_refused(floor.station, HALF)
        half_refused(floor.link, HALF)
        half_refused(dispute_of, ledger, HALF, 1)
        half_refused(replay_round, ledger, editions(), SECRET, HALF, 1)
        for asked in ((HALF, FLO, "T", 1, "x"), ("c", nobody, "T", 1, "x")):
            half_refused(open_dispute, floor, *asked)
            half_refused(note_dispute, floor, *asked)
        for asked in (("c", FLO, HALF, 1, "x"), ("c", FLO, "T", 1, HALF)):
            half_refused(open_dispute, floor, *asked)
            half_refused(note_dispute, floor, *asked)
        half_refused(decide_dispute, floor, "c", (SUE, nobody), "T", 1, "x", "x")
        for words in ((HALF, "x"), ("x", HALF)):
            half_refused(decide_dispute, floor, "c", (SUE, FLO), "T", 1, *words)
        assert ledger.head() == begun
    assert all(file.name.startswith("floor.db") for file in tmp_path.iterdir())
