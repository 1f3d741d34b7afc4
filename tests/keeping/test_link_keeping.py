"""Who keeps a meter: tables that join and leave, adjustments, the end, the sign, each cent."""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import get_args

import pytest
from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.controller.state import light_of
from riverboat.core.errors import Refused
from riverboat.keeping import actions as la
from riverboat.keeping.chances import LEAST, Chance, chance_of_all, require_winnable
from riverboat.keeping.engine import keep, move_meter, require_as_joined
from riverboat.meter import events as le
from riverboat.meter.books import meter_postings, reconcile, sign
from riverboat.meter.operations import back_out, contribute, move
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import Setup, set_up
from riverboat.round import actions as g
from riverboat.round import events as round_events
from riverboat.rulebooks import load
from riverboat.table import events as table_events
from riverboat.table.people import SYSTEM, Actor
from tests.support.hall import DANA, FLO, PEOPLE, SUE, Hall, refusal_of
from tests.support.keyed_player import win_alone
from tests.support.keyed_rounds import BOOKS
from tests.support.meters import (
    CENT,
    SEED,
    awarded,
    came,
    fix_royal,
    island,
    maryland,
    opened,
    rule_in,
    stud,
)

# ---------------------------------------------------------------- who joins, and who may not


def test_linking_rulebooks_whose_chance_differs_warns_with_both_chances() -> None:
    """All win it with a royal, 4 of 2,598,960 hands; in one of them a fold loses the wager."""
    hall = opened()
    hall.add("T1", island())
    hall.add("T2", stud())
    assert not any(isinstance(event, le.ChancesDiffer) for event in hall.meter_events)
    hall.add("T3", maryland())
    hall.add("T4", with_wins(stud(), "straight_flush"))
    hall.add("T5", maryland())
    warnings = [event for event in hall.meter_events if isinstance(event, le.ChancesDiffer)]
    royals, flushes = ("1/649740", False), ("1/64974", False)
    folds = ("1/649740", True)
    assert [
        (
            w.table,
            (w.chance, w.fold_forfeits),
            w.other_table,
            (w.other_chance, w.other_fold_forfeits),
        )
        for w in warnings
    ] == [
        ("T3", folds, "T1", royals),
        ("T4", flushes, "T1", royals),
        ("T4", flushes, "T3", folds),
        ("T5", folds, "T1", royals),
        ("T5", folds, "T4", flushes),
    ]
    assert (warnings[0].rulebook, warnings[0].other_rulebook) == ("maryland-2014", "island-stud")
    assert set(hall.link.members) == {"T1", "T2", "T3", "T4", "T5"}


def with_wins(setup: Setup, *hands: str) -> Setup:
    """A table at which these hands too win all of the meter; with none, no hand does."""
    assert setup.progressive is not None
    table = setup.progressive.table
    everything = next(line.pays for line in table.lines if "royal_flush" in line.hands)
    nothing = next(line.pays for line in table.lines if "high_card" in line.hands)
    kept = () if not hands else ("royal_flush", *hands)
    lines = tuple(
        replace(line, hands=(hand,), pays=everything if hand in kept else nothing)
        if hand in ("royal_flush", *hands)
        else replace(line, hands=(hand,))
        for line in table.lines
        for hand in line.hands
    )
    changed = replace(setup.progressive, table=replace(table, lines=lines))
    return replace(setup, progressive=changed)


@pytest.mark.parametrize("name", BOOKS)
def test_every_rulebooks_meter_is_won_by_a_royal_and_oftener_than_the_least_chance(
    name: str,
) -> None:
    book = load(name).book
    offer = next(offer for offer in book.side_bets if offer.bet == "progressive")
    for paytable in offer.paytables:
        chance = chance_of_all(set_up(book, {"progressive": paytable}))
        assert chance.share == Fraction(1, 649_740) > LEAST


def test_a_meter_that_is_as_good_as_never_won_is_not_joined() -> None:
    hall = opened()
    refusal = refusal_of(lambda: hall.add("T1", with_wins(stud())))
    assert refusal is not None
    assert refusal.code == "chance.too_small"
    assert refusal.cites == rule_in(stud()).winning.cites
    assert hall.link.members == {}
    for share, refused_it in ((LEAST, False), (LEAST - Fraction(1, 10**12), True)):
        tried = refusal_of(lambda s=share: require_winnable(Chance(s, False), ()))  # type: ignore[misc]
        assert (tried is not None) == refused_it


@pytest.mark.parametrize(
    ("choices", "changed"),
    [
        ({"progressive_wager": "2", "seed": "10000"}, "wager"),
        ({"rate": "22"}, "rate"),
        ({"rate": "20"}, "rate"),
        ({"reserve_rate": "1"}, "reserve rate"),
        ({"seed": "11000"}, "seed"),
        ({"seats": 5}, "number of seats"),
        ({"meter_link": "another"}, "meter"),
    ],
)
def test_a_joined_table_keeps_the_terms_with_which_it_joined(
    choices: dict[str, str | int | bool], changed: str
) -> None:
    hall = opened()
    mine: dict[str, str | int | bool] = {"meter_link": "PMG-01", "rate": "21"}
    hall.add("T1", stud(**mine))
    rule = rule_in(stud())
    other = stud(**(mine | choices))
    refusal = refusal_of(lambda: require_as_joined(hall.link, "T1", other, rule))
    assert refusal is not None
    assert refusal.code == "link.leave_first"
    assert f"another {changed} takes effect" in str(refusal)
    assert set(refusal.cites) == {*rule.contribution.cites, *rule.link.cites}
    require_as_joined(hall.link, "T1", stud(**mine, chip_mismatch="block"), rule)
    require_as_joined(hall.link, "T2", other, rule)
    hall.keep(FLO, la.LeaveMeter(table="T1"))
    require_as_joined(hall.link, "T1", other, rule)


def test_a_joined_table_keeps_its_game_and_its_progressive() -> None:
    hall = opened()
    hall.add("T1", stud(meter_link="PMG-01"))
    rule = rule_in(stud())
    for other, changed in (
        (island(meter_link="PMG-01"), "rulebook"),
        (set_up(load("south-dakota-2011").book, {}), "progressive"),
        (with_wins(stud(meter_link="PMG-01"), "straight_flush"), "chance of winning"),
    ):
        refusal = refusal_of(lambda o=other: require_as_joined(hall.link, "T1", o, rule))  # type: ignore[misc]
        assert refusal is not None
        assert refusal.code == "link.leave_first"
        assert f"another {changed}" in str(refusal)


def test_a_table_with_another_seed_a_second_time_or_below_the_floor_does_not_join() -> None:
    hall = opened()
    hall.add("T1", stud())
    assert (again := refusal_of(lambda: hall.add("T1", stud()))) is not None
    assert again.code == "link.joined"
    other = refusal_of(lambda: hall.add("T2", stud(seed="12000")))
    assert other is not None
    assert other.code == "link.other_seed"
    assert other.cites == rule_in(stud()).meter.cites
    low = opened(seed_cents=5_000_00, initial_cents=5_000_00)
    low.add("T1", stud(seed="5000"))
    from_floor = refusal_of(lambda: low.add("T2", maryland_with_low_seed()))
    assert from_floor is not None
    assert from_floor.code == "link.below_floor"
    assert "MD-2014.12.C.3.b" in from_floor.cites
    assert set(low.link.members) == {"T1"}


def test_a_rulebook_that_wants_a_meter_of_its_own_game_joins_no_other_one() -> None:
    hall = opened()
    hall.add("T1", stud())
    setup = island()
    rule = rule_in(setup)
    alone = replace(rule, link=replace(rule.link, across_games=False))
    setup = replace(setup, book=replace(setup.book, progressive=alone))
    refusal = refusal_of(lambda: hall.add("T2", setup))
    assert refusal is not None
    assert refusal.code == "link.other_game"
    assert refusal.cites == rule.link.cites


def test_rounds_are_numbered_upwards() -> None:
    hall = opened()
    table = hall.add("T1", stud())
    numbers = []
    for wanted in (7, 0):
        hall.play(table, g.Wager(seat=1, spot="ante", cents=10_00))
        hall.play(table, g.CloseBets())
        if not wanted:
            old = refusal_of(lambda: hall.press(table, DANA, a.CoinIn(round=7)))
            assert old is not None
            assert old.code == "round.not_new"
        hall.press(table, DANA, a.CoinIn(round=wanted))
        numbers.append(table.controller.round)
        hall.press(table, FLO, a.VoidRound(reason="next"))
        hall.begin(table)
    assert numbers == [7, 8]


def test_a_table_joins_the_meter_that_its_configuration_names() -> None:
    hall = opened()
    wish = la.JoinMeter(table="T1")
    refusal = refusal_of(lambda: hall.keep(FLO, wish, stud(meter_link="another")))
    assert refusal is not None
    assert refusal.code == "link.not_this"
    assert refusal.cites == rule_in(stud()).link.cites
    hall.keep(FLO, wish, stud(meter_link="PMG-01"))
    assert set(hall.link.members) == {"T1"}


def maryland_with_low_seed() -> Setup:
    """What no configuration gives: the meter's own check must hold by itself."""
    setup = maryland()
    assert setup.progressive is not None
    return replace(setup, progressive=replace(setup.progressive, seed_cents=5_000_00))


def test_a_table_leaves_and_no_longer_contributes() -> None:
    hall = opened()
    hall.add("T1", stud())
    hall.keep(FLO, la.LeaveMeter(table="T1"))
    rule = rule_in(stud())
    refusal = refusal_of(lambda: list(contribute(hall.link, came("T1", 1, 1, 21), rule)))
    assert refusal is not None
    assert refusal.code == "link.not_joined"
    assert refusal_of(lambda: hall.keep(FLO, la.LeaveMeter(table="T1"))) is not None


def test_a_table_does_not_leave_while_its_award_is_pending() -> None:
    hall = opened()
    hall.add("T1", stud())
    fix_royal(hall, "T1")
    refusal = refusal_of(lambda: hall.keep(FLO, la.LeaveMeter(table="T1")))
    assert refusal is not None
    assert refusal.code == "award.pending"


def test_the_same_round_contributes_once() -> None:
    hall = opened()
    hall.add("T1", stud())
    rule = rule_in(stud())
    hall.link_happened(tuple(contribute(hall.link, came("T1", 4, 1, 21 * CENT), rule)))
    refusal = refusal_of(lambda: list(contribute(hall.link, came("T1", 4, 1, 21), rule)))
    assert refusal is not None
    assert refusal.code == "contribution.twice"


# ---------------------------------------------------------------- by hand


@pytest.mark.parametrize(
    ("by", "second", "reason", "code"),
    [
        (FLO, SUE, "counted", "person.may_not"),
        (SUE, SUE, "counted", "person.same"),
        (SUE, PEOPLE["Ann"], "counted", "person.may_not"),
        (SUE, SYSTEM, "counted", "person.may_not"),
        (SUE, FLO, "  ", "reason.missing"),
    ],
)
def test_an_adjustment_takes_a_supervisor_somebody_else_and_a_reason(
    by: Actor, second: Actor, reason: str, code: str
) -> None:
    hall = opened()
    wish = la.Adjust(units=-5, code="malfunction", reason=reason, second=second)
    refusal = refusal_of(lambda: hall.keep(by, wish))
    assert refusal is not None
    assert refusal.code == code
    assert hall.link.meter.cents == SEED


@pytest.mark.parametrize(("units", "code"), [(0, "empty"), (-SEED * CENT - 1, "too_much")])
def test_an_adjustment_is_of_something_and_not_below_zero(units: int, code: str) -> None:
    hall = opened()
    wish = la.Adjust(units=units, code="correction", reason="counted", second=FLO)
    refusal = refusal_of(lambda: hall.keep(SUE, wish))
    assert refusal is not None
    assert refusal.code == f"adjustment.{code}"


def test_a_pending_award_is_not_adjusted_away() -> None:
    hall = opened()
    hall.add("T1", stud())
    fix_royal(hall, "T1")
    wish = la.Adjust(units=-1, code="correction", reason="counted", second=FLO)
    assert refusal_of(lambda: hall.keep(SUE, wish)) is not None


def test_a_meter_moves_to_another_one_with_all_that_it_owes() -> None:
    old, new = opened(12_345_67), Hall("PMG-02", SEED, SEED, 100)
    old.add("T1", stud())
    action = la.MoveMeter(to="PMG-02", reason="one sign less", second=FLO)
    early = refusal_of(lambda: move_meter(old.link, new.link, SUE, action))
    assert early is not None
    assert early.code == "link.has_tables"
    old.keep(FLO, la.LeaveMeter(table="T1"))
    new.add("T9", island())
    royal = fix_royal(new, "T9")
    busy = refusal_of(lambda: move_meter(old.link, new.link, SUE, action))
    assert busy is not None
    assert busy.code == "award.pending"
    new.link_happened(tuple(back_out(new.link, royal, "misread", "Sue", "Flo")))
    left, came_in = move_meter(old.link, new.link, SUE, action)
    assert (left.link.meter.units, left.link.status) == (0, "ended")
    assert came_in.link.meter.cents == SEED + 12_345_67
    assert reconcile(left.link).balances
    assert reconcile(came_in.link).balances
    posted = [
        posting
        for kept, before in ((left, old.link), (came_in, new.link))
        for event in kept.events
        for posting in meter_postings(event, before)
    ]
    assert {p.account: p.amount for p in posted} == {
        "meter:PMG-01": -12_345_67 * CENT,
        "meter:PMG-02": 12_345_67 * CENT,
    }
    ended = refusal_of(lambda: move_meter(left.link, new.link, SUE, action))
    assert ended is not None
    assert ended.code == "link.not_open"


def test_a_retired_meter_leaves_its_debt_registered() -> None:
    hall = opened(12_345_67)
    hall.keep(SUE, la.RetireMeter(reason="the game is no longer offered", second=FLO))
    assert hall.link.meter.units == 0
    assert hall.units["registered"] == 12_345_67 * CENT
    assert sign(hall.link).shows == "out_of_service"
    again = refusal_of(lambda: hall.add("T1", stud()))
    assert again is not None
    assert again.code == "link.not_open"


# ---------------------------------------------------------------- sign and explanation


def test_the_sign_shows_an_amount_only_when_it_can_be_won_now() -> None:
    hall = opened(50_000_00)
    hall.add("T1", stud())
    assert sign(hall.link).cents == 50_000_00
    royal = fix_royal(hall, "T1")
    shown = sign(hall.link)
    assert (shown.shows, shown.cents, shown.award_cents) == ("pending", None, 50_000_00)
    assert (shown.table, shown.hand, shown.next_cents) == ("T1", "royal_flush", SEED)
    hall.link_happened(tuple(move(hall.link, royal)))
    assert sign(hall.link).cents == SEED
    hall.keep(FLO, la.TakeOutOfService(reason="cable"))
    assert sign(hall.link) == sign(None)
    assert sign(None).cents is None


def entries_of(events: Sequence[le.AnyMeterEvent]) -> list[tuple[le.AnyMeterEvent, int, int]]:
    """The events that changed a meter's amount, or reset it: by how much, and to what."""
    link, entries = Link(), []
    for event in events:
        after = apply_to_meter(link, event)
        changed = after.meter.units - link.meter.units
        if changed or (isinstance(event, le.MeterMoved) and event.seed_cents):
            entries.append((event, changed, after.meter.units))
        link = after
    return entries


def test_every_value_of_a_meter_is_explained_by_the_entries_that_made_it() -> None:
    hall = opened(50_000_00)
    for name in ("T1", "T2"):
        hall.add(name, stud())
    rule = rule_in(stud())
    for number in range(1, 5):
        hall.link_happened(tuple(contribute(hall.link, came("T2", number, 1, 210_000), rule)))
    awarded(hall, "one", 10)
    awarded(hall, "two", 100)
    hall.link_happened(tuple(contribute(hall.link, came("T2", 9, 2, 420_000), rule)))
    for at in range(len(hall.meter_events) + 1):
        stands = reduce(apply_to_meter, hall.meter_events[:at], Link())
        changes = [units for _, units, _ in entries_of(hall.meter_events[:at])]
        assert sum(changes) == stands.meter.units
    entries = entries_of(hall.meter_events)
    assert [type(event) for event, _, _ in entries[-2:]] == [le.MeterMoved, le.Contributed]
    assert entries[-1][2] == hall.link.meter.units


def test_a_reset_that_leaves_the_amount_as_it_was_is_an_entry_all_the_same() -> None:
    hall = opened()
    hall.add("T1", stud())
    awarded(hall, "royal", 100)
    assert [units for _, units, _ in entries_of(hall.meter_events)] == [SEED * CENT, 0]


# ---------------------------------------------------------------- streams


def test_no_event_of_controller_or_link_has_the_kind_of_another_one() -> None:
    unions = (e.AnyControllerEvent, le.AnyMeterEvent, round_events.AnyEvent, table_events.AnyEvent)
    kinds: dict[str, type] = {}
    for union in unions:
        for kind in get_args(union):
            tag = str(kind.__struct_config__.tag)
            assert kinds.setdefault(tag, kind) is kind, tag


def test_a_refused_press_is_refused_by_its_clauses_and_changes_nothing() -> None:
    hall = opened()
    table = hall.add("T1", stud())
    before = table.controller, table.round, hall.link
    with pytest.raises(Refused) as refusal:
        hall.press(table, SUE, a.PressJPot())
    assert refusal.value.cites
    assert (table.controller, table.round, hall.link) == before


def test_the_record_of_a_win_says_who_did_which_step_of_it() -> None:
    hall = opened(50_000_00)
    table = hall.add("T1", island())
    win_alone(hall, table, "9h 8h 7h 6h 5h", dealer="Kd Qs 9d 6c 4d")
    (win,) = table.controller.wins.values()
    steps = (
        e.HandKeyed,
        e.SupervisorCalled,
        e.WinVerified,
        e.KeyTurned,
        e.JPotPressed,
        e.AwardGiven,
    )
    told = [event for event in table.controller_events if isinstance(event, steps)]
    assert [(type(event), event.by) for event in told] == [
        (e.HandKeyed, "Dana"),
        (e.SupervisorCalled, "Dana"),
        (e.WinVerified, "Flo"),
        (e.KeyTurned, "Sue"),
        (e.JPotPressed, "Sue"),
        (e.AwardGiven, "Flo"),
        (e.KeyTurned, "Sue"),
    ]
    assert [event.to for event in told if isinstance(event, e.KeyTurned)] == ["JPH", "RUN"]
    assert win.document == "house slip"


def test_the_first_amount_is_the_seed_or_more_and_a_meter_is_opened_by_two() -> None:
    wish = la.OpenMeter(
        link="L",
        seed_cents=SEED,
        initial_cents=SEED - 1,
        wager_cents=100,
        rate_bp=2100,
        reserve_bp=0,
        second=FLO,
    )
    low = refusal_of(lambda: keep(Link(), SUE, wish))
    assert low is not None
    assert low.code == "link.below_seed"
    alone = replace(wish, initial_cents=SEED, second=SUE)
    assert (same := refusal_of(lambda: keep(Link(), SUE, alone))) is not None
    assert same.code == "person.same"


@pytest.mark.parametrize("name", BOOKS)
def test_a_sensor_is_lit_at_placement_only_where_the_rulebook_says_so(name: str) -> None:
    book = load(name).book
    offer = next(offer for offer in book.side_bets if offer.bet == "progressive")
    setup = set_up(book, {"progressive": offer.paytables[0]})
    assert setup.progressive is not None
    hall = opened(10**8, setup.progressive.seed_cents, setup)
    table = hall.add("T1", setup)
    hall.play(table, g.Wager(seat=1, spot="ante", cents=10_00))
    chip = a.PlaceChip(seat=1, cents=setup.progressive.wager_cents)
    hall.press(table, PEOPLE["Ann"], chip)
    lights = rule_in(setup).sensor.lights
    shown = light_of(table.controller, 1, rule_in(setup))
    assert shown == ("detected" if "placed" in lights else "off")
