"""The pure meter, to the smallest unit: contributions, awards in order, resets, back-outs."""

import pytest

from riverboat.meter.amounts import (
    Meter,
    award_cents,
    back_out,
    contribute,
    contribution,
    meter_of,
    pay_award,
    reset,
    reversible,
)
from riverboat.rulebooks import editions
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_runner import DayRunner

SEED = 1_000_000


def paid(meter: Meter, percent: int) -> tuple[int, Meter]:
    """An award in whole cents, and the meter after it."""
    cents = award_cents(meter, percent, "down")
    after = pay_award(meter, cents)
    return cents, reset(after, SEED) if percent == 100 else after


@pytest.mark.parametrize(
    ("percents", "awards", "left"),
    [
        ((10, 100), (1_000_000, 9_000_000), 1_000_000),
        ((100, 10), (10_000_000, 100_000), 900_000),
        ((10, 10), (1_000_000, 900_000), 8_100_000),
    ],
)
def test_several_awards_are_each_on_the_meter_that_the_last_one_left(
    percents: tuple[int, int], awards: tuple[int, int], left: int
) -> None:
    meter = meter_of(10_000_000)
    for percent, expected in zip(percents, awards, strict=True):
        cents, meter = paid(meter, percent)
        assert cents == expected
    assert meter.cents == left


def test_an_award_that_is_backed_out_later_leaves_later_awards_as_paid() -> None:
    royal, meter = paid(meter_of(10_000_000), 100)
    _, meter = paid(meter, 10)
    assert meter.cents == 900_000
    assert back_out(meter, royal, SEED, 0).cents == 9_900_000


def test_a_contribution_is_exact_and_the_fraction_of_a_cent_outlives_a_reset() -> None:
    meter = contribute(meter_of(5_000_000), contribution(33, 2100), 0)
    assert meter.units == 5_000_000 * 10_000 + 69_300
    cents, meter = paid(meter, 100)
    assert cents == 5_000_006
    assert meter.units == SEED * 10_000 + 9_300


@pytest.mark.parametrize(("rounding", "cents"), [("down", 1), ("half_up", 2), ("up", 2)])
def test_a_share_is_rounded_as_the_option_says(rounding: str, cents: int) -> None:
    assert award_cents(meter_of(15), 10, rounding) == cents


def test_the_reserve_goes_onto_the_meter_at_a_reset() -> None:
    meter = reset(pay_award(meter_of(500, reserve_cents=25), 500), 1_000)
    assert (meter.cents, meter.reserve_units) == (1_025, 0)


def test_a_contribution_is_taken_back_as_far_as_the_reset_amount() -> None:
    meter = contribute(meter_of(1_000), 420_000, 0)
    assert reversible(meter, 420_000, 1_000) == 420_000
    assert reversible(meter, 420_000, 1_020) == 220_000
    assert reversible(meter_of(900), 420_000, 1_000) == 0


def test_a_tables_own_meter_begins_with_the_amount_and_the_reserve_that_were_filed() -> None:
    text = """
        [[day]]
        title = "A meter with a reserve"
        rulebook = "south-dakota-2011"
        table = { progressive = "SD-2011-PROG-PMG-01", meter = "12000", reserve = "345.67" }
        script = "Dana start"
    """
    [(_, script)] = read_days(text)
    assert isinstance(script, DayScript)
    runner = DayRunner(script, editions())
    runner.run()
    assert not runner.failed
    assert runner.day.meter == meter_of(12_000_00, 345_67)
    assert runner.day.playing.link.meter == runner.day.meter
