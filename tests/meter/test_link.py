"""The linked meter by itself: worked figures, and what a void takes back after others' wins."""

import pytest

from riverboat.controller import actions as a
from riverboat.keeping import actions as la
from riverboat.meter import events as le
from riverboat.meter.books import reconcile, sign
from riverboat.meter.operations import back_out, contribute, move, require_free, reverse
from riverboat.meter.state import apply
from riverboat.round import actions as g
from tests.support.hall import DANA, FLO, PEOPLE, SUE, refusal_of
from tests.support.keyed_player import win_alone
from tests.support.meters import (
    CENT,
    SEED,
    awarded,
    came,
    fix_royal,
    island,
    opened,
    rule_in,
    straight_flush,
    stud,
)

# ---------------------------------------------------------------- the worked figures


@pytest.mark.parametrize(
    ("percents", "awards", "left"),
    [
        ((10, 100), (10_000_00, 90_000_00), 10_000_00),
        ((100, 10), (100_000_00, 1_000_00), 9_000_00),
        ((10, 10), (10_000_00, 9_000_00), 81_000_00),
    ],
)
def test_each_award_is_on_the_meter_that_the_last_one_left(
    percents: tuple[int, int], awards: tuple[int, int], left: int
) -> None:
    hall = opened(100_000_00)
    hall.add("T1", stud())
    paid = tuple(awarded(hall, str(n), percent) for n, percent in enumerate(percents))
    assert paid == awards
    assert hall.link.meter.cents == left


def test_a_royal_that_is_backed_out_after_a_later_award_leaves_that_award_as_paid() -> None:
    hall = opened(100_000_00)
    hall.add("T1", stud())
    awarded(hall, "royal", 100)
    awarded(hall, "later", 10)
    assert hall.link.meter.cents == 9_000_00
    hall.link_happened(tuple(back_out(hall.link, "royal", "misread", "Sue", "Flo")))
    assert hall.link.meter.cents == 99_000_00


def test_a_back_out_never_takes_more_seed_than_the_meter_has() -> None:
    hall = opened()
    hall.add("T1", stud())
    lower = la.Adjust(units=-9_000_00 * CENT, code="correction", reason="x", second=FLO)
    hall.keep(SUE, lower)
    awarded(hall, "royal", 100)
    hall.keep(SUE, lower)
    awarded(hall, "again", 10)
    hall.link_happened(tuple(back_out(hall.link, "royal", "misread", "Sue", "Flo")))
    assert hall.link.meter.units == 0
    event = hall.meter_events[-1]
    assert isinstance(event, le.BackedOut)
    assert event.seed_cents == 1_900_00


@pytest.mark.slow
def test_a_million_contributions_of_two_and_a_half_dollars_lose_nothing() -> None:
    """$2.50 at 21% is 52.5 cents: a million of them are $525,000.00, to the smallest unit."""
    setup = stud(progressive_wager="2.50", seats=1, seed="10000")
    hall = opened(setup=setup)
    hall.add("T1", setup)
    link, rule = hall.link, rule_in(setup)
    for number in range(1, 1_000_001):
        (event,) = contribute(link, came("T1", number, 1, 250 * 2100), rule)
        link = apply(link, event)
    assert link.meter.units == SEED * CENT + 525_000_00 * CENT
    assert link.totals.wagers_cents == 1_000_000 * 250
    assert reconcile(link).balances


def test_the_reserve_comes_on_top_of_the_seed_at_a_reset() -> None:
    setup = stud(reserve_rate="50", progressive_wager="1234.56", seats=2, seed="10000")
    hall = opened(50_000_00, setup=setup)
    hall.add("T1", setup)
    stakes = 2 * 1_234_56
    offer = came("T1", 1, 2, stakes * 2100, stakes * 5000)
    hall.link_happened(tuple(contribute(hall.link, offer, rule_in(setup))))
    assert hall.link.meter.reserve_units == 1_234_56 * CENT
    # 21% of 2,469.12 is 518.5152: half a cent and more stays on the meter through the reset.
    assert hall.link.meter.units == 50_518_51 * CENT + 5_200
    assert awarded(hall, "royal", 100) == 50_518_51
    assert (hall.link.meter.units, hall.link.meter.reserve_units) == (11_234_56 * CENT + 5_200, 0)
    hall.link_happened(tuple(back_out(hall.link, "royal", "misread", "Sue", "Flo")))
    assert hall.link.meter.units == 50_518_51 * CENT + 5_200
    assert hall.link.meter.reserve_units == 1_234_56 * CENT


# ---------------------------------------------------------------- void after another table's win


@pytest.mark.parametrize(
    ("percent", "left_units", "shortfall"),
    [
        (100, 0, 1_26 * CENT),
        # 10,000.12 of 100,001.26: of 1.26 the share 90,001.14 / 100,001.26 is left, rounded down
        (10, 1_13 * CENT + 4_000, 12 * CENT + 6_000),
    ],
)
def test_a_void_after_another_tables_win_takes_back_what_that_win_left(
    percent: int, left_units: int, shortfall: int
) -> None:
    hall = opened(100_000_00)
    for name in ("T1", "T2"):
        hall.add(name, stud())
    rule = rule_in(stud())
    hall.link_happened(tuple(contribute(hall.link, came("T2", 7, 6, 6 * 2100 * 100), rule)))
    before = hall.link.meter.units
    cents = awarded(hall, "T1/1/1", percent)
    after = hall.link.meter.units
    hall.link_happened(tuple(reverse(hall.link, "T2", 7, 6, 6)))
    event = hall.meter_events[-1]
    assert isinstance(event, le.ContributionReversed)
    exact = 0 if percent == 100 else 1_26 * CENT * (before - cents * CENT) // before
    assert event.units == exact
    assert abs(event.units - left_units) < CENT
    assert event.units + event.shortfall_units == 1_26 * CENT
    assert abs(event.shortfall_units - shortfall) < CENT
    assert hall.link.meter.units == after - exact
    assert hall.units["house"] == -100_000_00 * CENT - event.shortfall_units - (
        SEED * CENT if percent == 100 else 0
    )


def test_a_reversal_stops_at_the_reset_amount_and_the_house_bears_the_rest() -> None:
    hall = opened()
    hall.add("T1", stud())
    rule = rule_in(stud())
    hall.link_happened(tuple(contribute(hall.link, came("T1", 1, 2, 42 * CENT), rule)))
    lower = la.Adjust(units=-30 * CENT, code="malfunction", reason="a sensor", second=FLO)
    hall.keep(SUE, lower)
    hall.link_happened(tuple(reverse(hall.link, "T1", 1, 2, 2)))
    assert hall.link.meter.cents == SEED
    assert hall.meter_events[-1] == le.ContributionReversed(
        table="T1", round=1, units=12 * CENT, reserve_units=0, shortfall_units=30 * CENT
    )


def test_what_waits_in_the_queue_goes_back_whole() -> None:
    hall = opened(50_000_00)
    for name in ("T1", "T2"):
        hall.add(name, stud())
    rule = rule_in(stud())
    royal = fix_royal(hall, "T1")
    hall.link_happened(tuple(contribute(hall.link, came("T2", 1, 1, 21 * CENT), rule)))
    hall.link_happened(tuple(contribute(hall.link, came("T2", 2, 1, 21 * CENT), rule)))
    assert hall.link.queued.units == 42 * CENT
    hall.link_happened(tuple(reverse(hall.link, "T2", 2, 1, 1)))
    assert hall.link.queued.units == 21 * CENT
    hall.link_happened(tuple(move(hall.link, royal)))
    assert hall.link.meter.units == (SEED + 21) * CENT
    assert hall.link.queued.units == 0


@pytest.mark.parametrize("percent", [100, 10])
def test_a_void_between_two_shares_of_one_award_leaves_the_second_share_whole(percent: int) -> None:
    """Half is gone, half is promised: neither meter nor reserve may be taken from under it."""
    hall = opened(100_000_00)
    setup = stud(reserve_rate="50")
    for name in ("T1", "T2"):
        hall.add(name, setup)
    rule = rule_in(setup)
    offer = came("T2", 1, 6, 6 * 2100 * 100, 6 * 5000 * 100)
    hall.link_happened(tuple(contribute(hall.link, offer, rule)))
    cents, reserve = 100_001_26 * percent // 200, hall.link.meter.reserve_units
    for share in (1, 2):
        last = percent == 100 and share == 2
        fixed = le.AwardFixed(
            award=f"T1/1/{share}",
            table="T1",
            round=1,
            seat=share,
            hand="royal_flush",
            percent=percent,
            cents=cents,
            before_units=hall.link.meter.units,
            resets=last,
            seed_cents=SEED if last else 0,
            reserve_units=reserve if last else 0,
            share=share,
            of=2,
        )
        hall.link_happened((fixed,))
        hall.link_happened(tuple(move(hall.link, fixed.award)))
        if share == 1:
            hall.link_happened(tuple(reverse(hall.link, "T2", 1, 6, 6)))
    reversal = next(ev for ev in hall.meter_events if isinstance(ev, le.ContributionReversed))
    taken = (reversal.units, reversal.reserve_units)
    if percent == 100:
        assert taken == (0, 0)
        assert hall.link.meter.units == SEED * CENT + reserve
    else:
        before = 100_001_26 * CENT
        once = 126 * CENT * (before - cents * CENT) // before
        after = before - cents * CENT
        assert taken == (once * (after - cents * CENT) // after, reserve)
        assert hall.link.meter.units == before - 2 * cents * CENT - taken[0]
    assert hall.link.pending is None


def test_after_a_royal_nothing_goes_back_not_even_from_the_fraction_that_stayed() -> None:
    setup = stud(progressive_wager="500", seed="10000", rate="100")
    hall = opened(setup=setup)
    for name in ("T1", "T2"):
        hall.add(name, setup)
    extra = la.Adjust(units=9_999, code="correction", reason="a fraction", second=FLO)
    hall.keep(SUE, extra)
    offer = came("T2", 1, 6, 6 * 500_00 * 10_000)
    hall.link_happened(tuple(contribute(hall.link, offer, rule_in(setup))))
    awarded(hall, "royal", 100)
    assert hall.link.meter.units == SEED * CENT + 9_999
    hall.link_happened(tuple(reverse(hall.link, "T2", 1, 6, 6)))
    assert hall.link.meter.units == SEED * CENT + 9_999


def test_a_reversal_leaves_the_reset_amount_after_the_award_that_is_pending() -> None:
    """10,500.00 with 1,050.00 promised is 9,450.00: there is nothing above the reset amount."""
    hall = opened(10_499_79)
    for name in ("T1", "T2"):
        hall.add(name, stud())
    rule = rule_in(stud())
    hall.link_happened(tuple(contribute(hall.link, came("T2", 1, 1, 21 * CENT), rule)))
    hall.link_happened((straight_flush(hall, 1, 1),))
    hall.link_happened(tuple(reverse(hall.link, "T2", 1, 1, 1)))
    assert hall.meter_events[-1] == le.ContributionReversed(
        table="T2", round=1, units=0, reserve_units=0, shortfall_units=21 * CENT
    )


def test_what_waited_for_an_award_goes_back_whole_once_it_is_on_the_meter() -> None:
    hall = opened(50_000_00)
    for name in ("T1", "T2"):
        hall.add(name, stud())
    rule = rule_in(stud())
    hall.link_happened((straight_flush(hall, 1, 1),))
    hall.link_happened(tuple(contribute(hall.link, came("T2", 1, 1, 21 * CENT), rule)))
    hall.link_happened(tuple(move(hall.link, "T1/1/1")))
    assert hall.link.meter.cents == 45_000_21
    hall.link_happened(tuple(reverse(hall.link, "T2", 1, 1, 1)))
    assert hall.link.meter.cents == 45_000_00


def test_a_share_that_is_backed_out_ends_the_wait_for_the_other_one() -> None:
    hall = opened(50_000_00)
    for name in ("T1", "T2"):
        hall.add(name, stud())
    hall.link_happened((straight_flush(hall, 1, 2),))
    hall.link_happened(tuple(move(hall.link, "T1/1/1")))
    rule = rule_in(stud())
    hall.link_happened(tuple(contribute(hall.link, came("T2", 1, 1, 21 * CENT), rule)))
    assert sign(hall.link).shows == "pending"
    hall.link_happened(tuple(back_out(hall.link, "T1/1/1", "misread", "Sue", "Flo")))
    assert hall.link.pending is None
    assert hall.link.meter.cents == 50_000_21


def test_one_award_at_a_time_also_for_the_table_that_has_it() -> None:
    hall = opened(50_000_00)
    hall.add("T1", stud())
    hall.link_happened((straight_flush(hall, 1, 2),))
    rule = rule_in(stud())
    refusal = refusal_of(lambda: require_free(hall.link, "T1", 1, 10, rule))
    assert refusal is not None
    assert refusal.code == "award.pending"
    assert refusal.cites == rule.link.cites
    hall.link_happened(tuple(move(hall.link, "T1/1/1")))
    assert refusal_of(lambda: require_free(hall.link, "T1", 1, 10, rule)) is None
    assert refusal_of(lambda: require_free(hall.link, "T1", 1, 100, rule)) is not None


def test_two_tables_and_a_royal_between_a_lock_and_its_void_leave_every_cent_accounted_for() -> (
    None
):
    """At the tables themselves: T2 locks, T1's royal takes all of it, T2's round is void."""
    hall = opened(49_999_00)
    one, two = hall.add("T1", island()), hall.add("T2", stud())
    for seat in (1, 2):
        hall.play(two, g.Wager(seat=seat, spot="ante", cents=10_00))
        hall.press(two, PEOPLE["Ann"], a.PlaceChip(seat=seat, cents=1_00))
    hall.play(two, g.CloseBets())
    hall.press(two, DANA, a.CoinIn())
    win_alone(hall, one, "Ac Kc Qc Jc Tc", dealer="Kd Qs 9d 6c 4d")
    hall.press(one, DANA, a.GameOver())
    assert hall.link.meter.cents == SEED
    hall.press(two, FLO, a.VoidRound(reason="a card too many"))
    assert hall.link.meter.cents == SEED
    assert not two.accounts()
    assert one.cents["cage"] == -49_999_63
    found = reconcile(hall.link)
    assert found.balances
    # 0.63 came in, none of it could be taken back, and the house bears the 0.42 of the void round.
    assert (found.totals.contributions, found.totals.reversed) == (63 * CENT, 0)
    assert hall.units["house"] == -(49_999_00 + SEED + 42) * CENT
    hall.check_replay()
