"""What regulators require of a meter: its terms, its counters, why it may fall, a whole cycle."""

from fractions import Fraction
from functools import reduce
from math import log
from random import Random
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.hands import Kind
from riverboat.keeping import actions as la
from riverboat.keeping.engine import REASONS, keep, move_meter
from riverboat.meter import events as le
from riverboat.meter.books import meter_postings, reconcile, sign
from riverboat.meter.operations import contribute
from riverboat.meter.state import Link, apply
from riverboat.wording.meter_events import meter_said
from tests.conftest import Report
from tests.meter.test_link_properties import hall_of, one_step
from tests.support.hall import DANA, FLO, PEOPLE, SUE, Hall, refusal_of, require_only_more
from tests.support.meters import CENT, SEED, awarded, came, opened, rule_in, stud

ALL_HANDS = 2_598_960
OPENING = la.OpenMeter(
    link="L",
    seed_cents=10_000_00,
    initial_cents=12_000_00,
    wager_cents=1_00,
    rate_bp=2100,
    reserve_bp=150,
    second=FLO,
)


# ---------------------------------------------------------------- what a meter states


@pytest.mark.parametrize(
    "missing", ["link", "seed_cents", "wager_cents", "rate_bp", "reserve_bp", "second"]
)
def test_a_meter_is_not_opened_with_one_of_its_terms_missing(missing: str) -> None:
    raw = msgspec.to_builtins(OPENING)
    assert msgspec.convert(raw, la.AnyMeterAction) == OPENING
    del raw[missing]
    with pytest.raises(msgspec.ValidationError, match=missing):
        msgspec.convert(raw, la.AnyMeterAction)


def test_a_meters_first_entry_states_every_term_and_is_told_with_all_of_them() -> None:
    (event,), link = keep(Link(), SUE, OPENING)
    assert isinstance(event, le.MeterOpened)
    for name in ("link", "seed_cents", "initial_cents", "wager_cents", "rate_bp", "reserve_bp"):
        assert getattr(event, name) == getattr(OPENING, name)
    assert msgspec.json.decode(msgspec.json.encode(event), type=le.AnyMeterEvent) == event
    words = meter_said(event, Link(), link)
    for amount in (
        "at $12,000 ",
        "seed $10,000,",
        "wager $1,",
        "21% to the meter",
        "1.5% to the reserve",
    ):
        assert amount in words, words
    first = keep(Link(), SUE, replace(OPENING, initial_cents=None)).link
    assert first.initial_cents == first.seed_cents == SEED


def test_the_sign_says_that_part_of_the_wagers_goes_to_a_reserve() -> None:
    hall = opened()
    hall.add("T1", stud())
    assert sign(hall.link).reserve == ""
    hall.add("T2", stud(reserve_rate="1.5"))
    said = "1.5% of each wager goes to a reserve that is added to the next jackpot"
    assert sign(hall.link).reserve == said
    hall.keep(FLO, la.LeaveMeter(table="T2"))
    assert sign(hall.link).reserve == ""


# ---------------------------------------------------------------- counters, and why it falls


def random_hall(name: str) -> Hall:
    rng = Random(name)
    hall = hall_of(rng, SEED + rng.choice((0, 9_000_000)), 3)
    for _ in range(300):
        one_step(rng, hall)
    return hall


def test_wagers_hits_and_wins_never_fall() -> None:
    """Reversals, back-outs and a fresh start from the events included; then a move and the end."""
    seen: set[type] = set()
    for number in range(12):
        hall = random_hall(f"counters {number}")
        link = Link()
        for event in hall.meter_events:
            after = apply(link, event)
            require_only_more(link, after)
            seen.add(type(event))
            link = after
        assert link == hall.link
    assert {le.ContributionReversed, le.BackedOut, le.MeterMoved, le.Adjusted} <= seen
    old, new = opened(50_000_00), Hall("PMG-02", SEED, SEED, 100)
    old.add("T1", stud())
    awarded(old, "one", 10)
    old.keep(FLO, la.LeaveMeter(table="T1"))
    action = la.MoveMeter(to="PMG-02", reason="one sign less", second=FLO)
    left, came_in = move_meter(old.link, new.link, SUE, action)
    retired = keep(came_in.link, SUE, la.RetireMeter(reason="the end", second=FLO)).link
    for before, after in ((old, left.link), (new, came_in.link), (new, retired)):
        require_only_more(before.link, after)
    assert left.link.totals.won_cents == 5_000_00


FALLS = (le.MeterMoved, le.ContributionReversed, le.Adjusted, le.BackedOut)


def test_a_meter_falls_only_when_it_was_won_or_for_a_listed_reason() -> None:
    """A back-out lowers it where the seed that goes back is more than the award was."""
    falls: dict[type, int] = dict.fromkeys(FALLS, 0)
    for number in range(12):
        link = Link()
        for event in random_hall(f"falls {number}").meter_events:
            after = apply(link, event)
            if after.meter.units < link.meter.units:
                falls[type(event)] += 1
                if isinstance(event, le.MeterMoved):
                    assert link.awards[event.award].fixed.cents == event.cents
                if isinstance(event, le.Adjusted):
                    assert event.code in REASONS
                    assert all((event.by, event.second, event.reason))
            link = after
    assert set(falls) == set(FALLS)
    assert all((falls[le.MeterMoved], falls[le.ContributionReversed], falls[le.Adjusted]))


def test_an_adjustment_has_a_reason_of_the_list_and_no_other() -> None:
    assert get_args(le.AdjustmentCode) == REASONS
    hall = opened()
    for code in REASONS:
        wish = la.Adjust(units=-1, code=code, reason="counted", second=FLO)  # type: ignore[arg-type]
        hall.keep(SUE, msgspec.convert(msgspec.to_builtins(wish), la.AnyMeterAction))
    assert hall.link.meter.units == SEED * CENT - len(REASONS)
    whim = la.Adjust(units=-1, code="a whim", reason="counted", second=FLO)  # type: ignore[arg-type]
    with pytest.raises(msgspec.ValidationError, match="a whim"):
        msgspec.convert(msgspec.to_builtins(whim), la.AnyMeterAction)
    refusal = refusal_of(lambda: hall.keep(SUE, whim))
    assert refusal is not None
    assert refusal.code == "argument.bad_type"
    assert all(code in str(refusal) for code in REASONS)


# ---------------------------------------------------------------- a move


def test_a_meter_is_moved_by_two_people_with_its_reserve() -> None:
    old, new = opened(12_345_67), Hall("PMG-02", SEED, SEED, 500)
    setup = stud(reserve_rate="5")
    old.add("T1", setup)
    offer = came("T1", 1, 6, 6 * 100 * 2100, 6 * 100 * 500)
    old.link_happened(tuple(contribute(old.link, offer, rule_in(setup))))
    old.keep(FLO, la.LeaveMeter(table="T1"))
    right = la.MoveMeter(to="PMG-02", reason="one sign less", second=FLO)
    for by, action, code in (
        (SUE, replace(right, second=SUE), "person.same"),
        (FLO, right, "person.may_not"),
        (DANA, right, "person.may_not"),
        (SUE, replace(right, second=PEOPLE["Ann"]), "person.may_not"),
        (SUE, replace(right, reason=""), "reason.missing"),
    ):
        refusal = refusal_of(lambda b=by, a=action: move_meter(old.link, new.link, b, a))  # type: ignore[misc]
        assert refusal is not None
        assert refusal.code == code
    left, got = move_meter(old.link, new.link, SUE, right)
    units, reserve = 12_345_67 * CENT + 6 * 100 * 2100, 6 * 100 * 500
    assert (left.link.meter.units, left.link.meter.reserve_units) == (0, 0)
    assert got.link.meter.units == SEED * CENT + units
    assert got.link.meter.reserve_units == reserve
    assert left.link.status == "ended"
    for kept, before in ((left, old.link), (got, new.link)):
        assert reconcile(kept.link).balances
        assert sum(p.amount for ev in kept.events for p in meter_postings(ev, before)) == 0
        assert {(ev.by, ev.second) for ev in kept.events} == {("Sue", "Flo")}  # type: ignore[union-attr]


# ---------------------------------------------------------------- a cycle


def test_over_a_cycle_contributions_and_seed_are_what_the_meter_pays_in_closed_form() -> None:
    """A royal ends a cycle of 649,740 wagers, in which there are nine straight flushes. The meter
    stands at the same mean whenever it is hit: M + 9 M / 10 = seed + contributions."""
    counts = five_card_counts()
    royals, flushes = counts[Kind("royal_flush")], counts[Kind("straight_flush")]
    wagers, hits = Fraction(ALL_HANDS, royals), Fraction(flushes, royals)
    assert (wagers, hits) == (Fraction(649_740), Fraction(9))
    mean = mean_at_hit()
    paid = mean + hits * mean / 10
    assert paid == 10_000 + Fraction(21, 100) * wagers
    assert round(mean, 2) == Fraction("77076.53")


def mean_at_hit() -> Fraction:
    """The mean in dollars of the amount of a $1 meter when it is hit: seed and contributions, each
    in the part of it that tenths leave."""
    royal, flush = Fraction(4, ALL_HANDS), Fraction(36, ALL_HANDS)
    goes = royal + flush / 10
    return 10_000 * royal / goes + Fraction(21, 100) / goes


def test_over_many_random_cycles_contributions_and_seeds_are_what_was_paid_and_the_meter(
    report: Report,
) -> None:
    """Four thousand hits with as many wagers between them as chance has it; not a unit is off."""
    rng = Random("a long night")
    hall = opened()
    hall.add("T1", stud())
    royals, paid = [], 0
    for number in range(1, 4_001):
        gap = 1 + int(log(1 - rng.random()) / log(1 - 40 / ALL_HANDS))
        hall.link_happened((came("T1", number, gap, gap * 100 * 2100),))
        percent = 100 if rng.random() < 0.1 else 10
        cents = awarded(hall, str(number), percent)
        paid += cents
        if percent == 100:
            royals.append(cents)
    link, sums = hall.link, hall.link.totals
    assert sums.contributions == sums.wagers_cents * 2100
    assert sums.seeds == (1 + len(royals)) * SEED * CENT
    assert sums.contributions + sums.seeds == paid * CENT + link.meter.units
    assert sums.hits == 4_000
    assert reduce(apply, hall.meter_events, Link()) == link
    mean = sum(royals) / len(royals) / 100
    assert abs(mean / float(mean_at_hit()) - 1) < 0.1
    report(
        f"a meter of {sums.wagers_cents // 100:,} wagers: {len(royals)} royals, mean {mean:,.2f}"
    )
